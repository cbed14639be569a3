"""``eec perturb``: a user's own sentences, said of other persons."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import Any

import click

from eec_datasets.cli.command import command, typed
from eec_datasets.cli.options import FILE, OVERWRITE
from eec_datasets.cli.output import bar, say


@command(needs={"--seed": "--sample"})
@click.argument("texts", metavar="TEXTS")
@click.option(
    "--locale", "language", required=True, metavar="TAG", help="Language of the texts: en, es; ar (experimental)."
)
@click.option("--names", required=True, metavar="LIST", help="Names to put in: a file or a config; see above.")
@click.option(
    "--out", type=FILE, default=Path("perturbed.parquet"), show_default=True, metavar="FILE", help=".parquet or .csv"
)
@click.option("--column", default="text", show_default=True, help="Column or key of the texts in CSV, JSONL, datasets.")
@click.option("--split", metavar="NAME", help="Split of a dataset.  [default: train, or the only one]")
@click.option("--config", metavar="NAME", help="Config of a dataset.")
@click.option(
    "--sample",
    type=click.IntRange(min=2),
    metavar="N",
    help="Draw N sentences, half with female and half with male anchors.  [default: all]",
)
@click.option("--max-words", type=click.IntRange(min=1), default=50, show_default=True, help="Leave out longer texts.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the sample.")
@click.option(
    "--tagger", metavar="MODEL", help="Ask this spaCy model (name or folder) where the rules cannot read a word."
)
@click.option("--replace", metavar="LIST", help="Names in the texts that may be replaced: a LIST or 'tables'.")
@click.option("--left-out", type=FILE, metavar="FILE", help="Write the texts left out and why, as .csv.")
@click.option("--noun-phrases", is_flag=True, help="Also put in the noun phrases of a config (my sister).")
@OVERWRITE
def perturb(
    texts: str,
    column: str,
    split: str | None,
    config: str | None,
    out: Path,
    left_out: Path | None,
    overwrite: bool,
    **options: Any,
) -> None:
    """Find pronouns of the third person in your own TEXTS and put names in their place.

    A text is rewritten as a whole (she lost her keys: Adam lost his keys) or, wherever two readings are possible, left
    out. The table that is printed counts every reason by the gender of the pronouns, says how many of women's and of
    men's sentences are kept, and warns where that differs; FILE.report.json keeps it. As in Prabhakaran et al. (2019):
    at most 50 words, and --sample 1000 for 500 sentences of each gender.

    Spanish is left out wherever él or ella may be a thing. Arabic is experimental, for simple sentences: 6 % of short
    sentences with a pronoun or suffix are rewritten, and 19 of 43,834 natural ones (traditions, scripture, games).

    \b
    TEXTS is one of
      FILE.txt                  one text per line
      FILE.csv, FILE.jsonl      the texts in --column
      FOLDER or ORG/NAME        a dataset, with --split and --config
    LIST is one of
      FILE.csv                  a column name, a column gender (female, male), and any labels: race, career, …
      FILE.txt                  NAME,GENDER in each line
      en-black-white            the names of a config of the same language (eec configs lists them)

    \b
    Examples:
      eec perturb comments.txt --locale en --names en-black-white --out perturbed.parquet
      eec perturb tweets.csv --column tweet --locale es --names politicians.csv --sample 1000 --out perturbed.csv

    \b
    Then score the column text with any tool, write id,score to scores.csv, and
      eec measure scores.csv --data perturbed.parquet --method perturbation --group gender --threshold 0.5
    """
    from eec_datasets.rewrite.left_out import left_out_file
    from eec_datasets.rewrite.perturbation import perturb as rewrite
    from eec_datasets.rewrite.report import path_beside
    from eec_datasets.rewrite.texts import read_texts

    if texts.lower().endswith(".txt") and typed("column"):
        raise click.UsageError(f"--column: {texts} has a text per line and no columns. Leave it out.")
    if left_out and left_out.resolve() == out.resolve():
        raise click.UsageError(f"--left-out and --out both name {out}. Give the texts left out a file of their own")
    read = read_texts(texts, column, split=split, config=config)
    with left_out_file(left_out, overwrite=overwrite) if left_out else nullcontext() as tell:
        reading = bar("reading", unit="texts", iterable=read)
        perturbed = rewrite(reading, stream=True, tell_left_out=tell, **options)
        rows = perturbed.write(out, overwrite=overwrite)
    say(str(perturbed))
    if named := perturbed.report.named.total():
        say(f"\n{named:,} rows left out: the text names the person already.")
    also = f", {left_out}" if left_out else ""
    say(f"\nWritten: {out} ({rows:,} rows){also} and {path_beside(out)}")
    if out.suffix == ".csv":
        say(
            "In this file an apostrophe precedes a text that begins with =, +, - or @. "
            "A .parquet file has such texts unchanged.",
            err=True,
        )
