"""``eec sentences``: a corpus as a sheet to be scored elsewhere."""

from __future__ import annotations

from pathlib import Path

import click

from eec_datasets.cli.command import command
from eec_datasets.cli.options import FILE, OVERWRITE, option, repeated
from eec_datasets.cli.output import say


@command(apart=[("--items", "--confounded"), ("--names", "--confounded")], needs={"--overwrite": "--out"})
@click.argument("config")
@option("--names", "N", "Only N names per cell, such as Black women.", least=2)
@option("--items", "J|NAME", "Only J items (a template with a word), or the name of other items, such as decisions.")
@repeated(
    "--confounded",
    "groups",
    "1|2|3|4",
    "Write the sets of this data group of Lakkaraju et al. (2022), with the persons of CONFIG; may be repeated.",
    type=click.IntRange(1, 4),
)
@option("--out", "FILE", "File to write: .csv, .xlsx or .parquet.  [default: print CSV]", type=FILE)
@OVERWRITE
def sentences(
    config: str, names: int | None, items: str | None, groups: tuple[int, ...], out: Path | None, overwrite: bool
) -> None:
    """Write the sentences of CONFIG with their ids and an empty column score.

    Fill in the column score, keep the ids, and give the file to eec measure. Rows may be in any order. If you choose a
    part of a corpus, the file also has the labels of the sentences, so eec measure FILE needs no second file.

    --confounded writes the data sets of Lakkaraju et al. (2022). In the data groups 1 (gender) and 3 (gender and race)
    all groups of people appear with the same emotion words. In 2 and 4 some groups appear more often with pleasant
    words than others. The file also has the labels of the sentences, so eec measure FILE --method rating needs no
    second file.

    \b
    Examples:
      eec sentences es-anglo-latino --out sentences.xlsx
      eec sentences ar-anglo-arab > sentences.csv
      eec sentences en-black-white-100 --names 36 --items 20 --out part.csv
      eec sentences en-black-white-100 --items decisions --out outcomes.csv
      eec sentences en-black-white --confounded 1 --confounded 2 --out sets.csv
    """
    from eec_bias.shared import check, write
    from eec_datasets import corpora
    from eec_datasets.audit.tables.blank import ENDINGS, blank_table
    from eec_datasets.design import confounded

    suffix = out.suffix.lower() if out else ".csv"
    if suffix not in ENDINGS:
        raise click.UsageError(f"--out {out}: the suffix is {suffix!r}; expected {', '.join(ENDINGS)}.")
    check([out] if out else [], overwrite=overwrite)
    if groups:
        rows = confounded(config, groups).data.table
        content = blank_table(rows, suffix, labels=rows.column_names)
        then = f"eec measure {out} --method rating"
    elif names is not None or items is not None:
        rows = corpora.table(config, names=names, items=int(items) if items and items.isdecimal() else items)
        content = blank_table(rows, suffix, labels=rows.column_names)
        then = f"eec measure {out}"
    else:
        rows = corpora.table(config)
        content = blank_table(rows, suffix)
        then = f"eec measure {out} --config {config}"
    if out is None:
        say(content.decode(), nl=False)
        return
    write(out, content, overwrite=overwrite)
    say(f"{len(rows):,} sentences: {out}. Fill in the column score, then: {then}")
