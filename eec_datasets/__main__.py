"""``python -m eec_datasets``: the command ``eec`` where no script is installed."""

from eec_datasets.cli import main

main(prog_name="eec")
