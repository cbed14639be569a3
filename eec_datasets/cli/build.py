"""``eec build``: the corpora as a dataset folder."""

from __future__ import annotations

from pathlib import Path

import click


@click.command(short_help="Write the corpora as a dataset for load_dataset.")
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("build/eec"),
    show_default=True,
    help="Folder to write; replaced as a whole when it is complete.",
)
@click.option("--config", "names", multiple=True, metavar="NAME", help="Only this config; may be repeated.")
def build(out: Path, names: tuple[str, ...]) -> None:
    """Write every config as parquet, with a dataset card and a manifest of content hashes.

    The same corpora give the same bytes. A build that is stopped leaves no folder that loads.

    \b
    Examples:
      eec build
      eec build --out /tmp/eec --config es-anglo-latino
      python -c 'from datasets import load_dataset; print(load_dataset("build/eec", "es-anglo-latino"))'
    """
    from tqdm import tqdm

    from eec_datasets import release

    # disable=None: no bar where stderr is no terminal.
    with tqdm(desc="rendering", unit=" configs", disable=None, leave=False) as bar:

        def progress(done: int, total: int, name: str) -> None:
            bar.total, bar.n = total, done
            bar.set_postfix_str(name)

        manifest = release.build(out, configs=list(names) or None, progress=progress)
    for entry in manifest.configs:
        click.echo(f"{entry.name}  {entry.rows:,} rows  {entry.content_hash[:8]}")
    rows = sum(entry.rows for entry in manifest.configs)
    click.echo(f"{out}: version {manifest.version}, {len(manifest.configs)} configs, {rows:,} rows")
