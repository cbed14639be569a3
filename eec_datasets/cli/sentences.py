"""``eec sentences``: a corpus as a sheet to be scored elsewhere."""

from __future__ import annotations

from pathlib import Path

import click

from eec_datasets.cli.command import command
from eec_datasets.cli.options import FILE, OVERWRITE, option
from eec_datasets.cli.output import say


@command(needs={"--bom": "--out", "--overwrite": "--out"})
@click.argument("config")
@option("--items", "NAME", "Other items than those of the corpus, such as decisions.")
@option("--out", "FILE", "File to write: .csv, .xlsx or .parquet.  [default: print CSV]", type=FILE)
@click.option("--bom", is_flag=True, help="Begin CSV with a byte-order mark, so that Excel reads it as UTF-8.")
@OVERWRITE
def sentences(config: str, items: str | None, out: Path | None, bom: bool, overwrite: bool) -> None:
    """Write the sentences of CONFIG with their ids and an empty column score.

    Fill in the column, keep the ids, and give the file to eec measure. Rows may be in any order.

    \b
    Examples:
      eec sentences es-anglo-latino --out sentences.xlsx
      eec sentences en-black-white --out sentences.csv --bom
      eec sentences ar-anglo-arab > sentences.csv
      eec sentences en-black-white-100 --items decisions --out outcomes.csv
    """
    from eec_datasets import corpora
    from eec_datasets.audit.tables.blank import ENDINGS, blank_table
    from eec_datasets.files import check, write

    suffix = out.suffix.lower() if out else ".csv"
    if suffix not in ENDINGS:
        raise click.UsageError(f"--out {out}: the suffix is {suffix!r}; expected {', '.join(ENDINGS)}.")
    if bom and suffix != ".csv":
        raise click.UsageError(f"--bom is for CSV, and {out} is not CSV. Leave it out.")
    check([out] if out else [], overwrite=overwrite)
    rows = corpora.table(config, items=items)
    content = blank_table(rows, suffix, bom=bom)
    if out is None:
        say(content.decode(), nl=False)
        return
    write(out, content, overwrite=overwrite)
    then = f"eec measure {out} --config {config}"
    if items is not None:
        then = f"eec decisions {out} --config {config} --items {items}"
    say(f"{len(rows):,} sentences: {out}. Fill in the column score, then: {then}")
