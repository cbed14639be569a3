"""``eec`` as somebody types it, in this process."""

from click.testing import CliRunner, Result

from eec_datasets.cli import main


def eec(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments], prog_name="eec")


def succeed(*arguments: object) -> Result:
    """Run what must end well."""
    result = eec(*arguments)
    assert result.exit_code == 0, result.output
    return result
