"""``eec build``: the corpora as a dataset folder."""

from __future__ import annotations

from pathlib import Path

from eec_datasets.cli.command import command
from eec_datasets.cli.options import CONFIGS, FOLDER, OVERWRITE, option
from eec_datasets.cli.output import bar, say


@command()
@option(
    "--out",
    None,
    "Folder to write. The new folder replaces an old one when it is complete.",
    type=FOLDER,
    default=Path("build/eec"),
)
@CONFIGS
@OVERWRITE
def build(out: Path, names: tuple[str, ...], overwrite: bool) -> None:
    """Write every corpus as a parquet file, with a dataset card and a list of content hashes.

    The same corpora give the same bytes. If you stop a build, it leaves no incomplete dataset.

    \b
    Examples:
      eec build
      eec build --out /tmp/eec --config es-anglo-latino
      python -c 'from datasets import load_dataset; print(load_dataset("build/eec", "es-anglo-latino"))'
    """
    from eec_bias.shared import counted
    from eec_datasets import release

    with bar("rendering", unit="configs") as progress_bar:

        def show(done: int, total: int, config: str) -> None:
            progress_bar.total, progress_bar.n = total, done
            progress_bar.set_description(f"rendering {config}")

        manifest = release.build(out, configs=list(names) or None, progress=show, overwrite=overwrite)
    for entry in manifest.configs:
        say(f"{entry.name}  {entry.rows:,} rows  {entry.content_hash[:8]}")
    rows = sum(entry.rows for entry in manifest.configs)
    say(f"{out}: version {manifest.version}, {counted(len(manifest.configs), 'config')}, {rows:,} rows")
