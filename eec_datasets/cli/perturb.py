"""``eec perturb``: a user's own sentences, said of other persons."""

from __future__ import annotations

import itertools
import os
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from eec_datasets.cli.command import command, typed
from eec_datasets.cli.given import GIVEN_NAME, STREAMED_NAME
from eec_datasets.cli.options import FILE, OVERWRITE, Asked, as_one_argument, option
from eec_datasets.cli.output import bar, say

if TYPE_CHECKING:
    from collections.abc import Mapping

TOLD: Final = 5
"""Texts whose variants are told; the report has all."""


@command(needs={"--seed": "--sample"})
@click.argument("texts", metavar="TEXTS", type=STREAMED_NAME)
@option("--locale", "TAG", "Language of the texts: en, es; ar (--experimental).", name="language", required=True)
@option("--names", "LIST", "Names to put in: a file or a config; see above.", required=True, type=GIVEN_NAME)
@option("--out", "FILE", ".parquet or .csv", type=FILE, default=Path("perturbed.parquet"))
@option("--column", None, "Column or key of the texts in CSV, JSONL, datasets.", default="text")
@as_one_argument(
    "part",
    dict,
    option("--split", "NAME", "Split of a dataset.  [default: train, or the only one]"),
    option("--config", "NAME", "Config of a dataset."),
)
@option("--sample", "N", "Draw N sentences, half with female and half with male anchors.  [default: all]", least=2)
@option("--max-words", None, "Leave out longer texts; 5,000 at most.", least=1, default=50)
@option("--seed", None, "Seed of the sample.", type=int, default=0)
@option("--tagger", "MODEL", "Ask this spaCy model (name or folder) where the rules cannot read a word.")
@option("--replace", "LIST", "Names in the texts that may be replaced: a LIST or 'tables'.", type=GIVEN_NAME)
@option("--left-out", "FILE", "Write the texts left out and why, as .csv.", type=FILE)
@option("--label", "COLUMN", "Compare kept and left-out texts by this label or score.")
@click.option("--swap-gender", is_flag=True, help="Put every name into every text; words that agree change.")
@click.option("--experimental", is_flag=True, help="Rewrite a language whose rules have not held on natural text (ar).")
@click.option("--noun-phrases", is_flag=True, help="Also put in the noun phrases of a config (my sister).")
@OVERWRITE
def perturb(
    texts: str,
    column: str,
    out: Path,
    left_out: Path | None,
    label: str | None,
    overwrite: bool,
    part: Asked,
    **options: Any,
) -> None:
    """Find pronouns of the third person in your own TEXTS and put names in their place.

    A text is rewritten as a whole (she lost her keys: Emily lost her keys) or, wherever two readings are possible, left
    out. The table that is printed counts every reason by the gender of the pronouns, says how many of women's and of
    men's sentences are kept, and warns where that differs; FILE.report.json keeps it. As in Prabhakaran et al. (2019):
    at most 50 words, and --sample 1000 for 500 sentences of each gender.

    Women's names are put into sentences about women and men's into those about men: does the name matter? With
    --swap-gender every name is put into every sentence: does the gender matter? Fewer sentences can be rewritten so.

    Spanish is left out wherever él or ella may be a thing. Arabic needs --experimental, and is for template sentences
    and simple ones: of 49,586 lines of natural text 4 were rewritten, and 1 of these was right.

    \b
    TEXTS is one of
      FILE.txt                  one text per line
      FILE.csv, FILE.jsonl      the texts in --column
      -                         one text per line on standard input
      FOLDER or ORG/NAME        a dataset, with --split and --config
    LIST is one of
      FILE.csv                  a column name, a column gender (female, male), and any labels: race, career, …
      FILE.txt                  NAME,GENDER in each line
      -                         one of these on standard input
      en-black-white            the names of a config of the same language (eec configs lists them)

    \b
    Examples:
      eec perturb comments.txt --locale en --names en-black-white --out perturbed.parquet
      eec perturb tweets.csv --column tweet --locale es --names politicians.csv --sample 1000 --out perturbed.csv

    \b
    Then score the column text with any tool, write id,score to scores.csv, and
      eec measure scores.csv --data perturbed.parquet --method perturbation --threshold 0.5
    """
    from eec_datasets.given_file import STANDARD_INPUT
    from eec_datasets.rewrite.left_out import left_out_file
    from eec_datasets.rewrite.perturbation import PerturbError
    from eec_datasets.rewrite.perturbation import perturb as rewrite
    from eec_datasets.rewrite.report import path_beside
    from eec_datasets.rewrite.texts import read_labelled, read_texts

    if (texts == STANDARD_INPUT or texts.lower().endswith(".txt")) and typed("column"):
        raise click.UsageError(f"--column: {texts} has a text per line and no columns. Leave it out.")
    places = {"TEXTS": Path(texts), **({"--left-out": left_out} if left_out else {}), "--out": out}
    for (name, place), (other, written) in itertools.combinations(places.items(), 2):
        if os.path.realpath(place) == os.path.realpath(written):
            raise click.UsageError(f"{name} and {other} both name {written}. Give what is written a file of its own")
    if label is None:
        read, labels = read_texts(texts, column, **part), None
    else:
        with_text, with_label = itertools.tee(read_labelled(texts, column, label, **part))
        read, labels = (text for text, _ in with_text), (found for _, found in with_label)
    too_few = None
    with left_out_file(left_out, overwrite=overwrite) if left_out else nullcontext() as tell:
        reading = bar("reading", unit="texts", iterable=read)
        perturbed = rewrite(reading, stream=True, labels=labels, tell_left_out=tell, **options)
        try:
            rows = perturbed.write(out, overwrite=overwrite)
        except PerturbError as error:  # all texts are read, and the file says why they are left out
            too_few = error
    if too_few:
        if left_out:
            say(f"Written: {left_out}")
        raise too_few
    say(str(perturbed))
    if named_rows := perturbed.report.named.total():
        say(f"\n{named_rows:,} rows left out: the text names the person already.")
        say(_variants(perturbed.report.fewer))
    also = f", {left_out}" if left_out else ""
    say(f"\nWritten: {out} ({rows:,} rows){also} and {path_beside(out)}")
    if ".csv" in (out.suffix, left_out.suffix if left_out else ""):
        say("Texts stand in a .csv file as they are. A spreadsheet may take one for a formula.", err=True)


def _variants(fewer: Mapping[str, tuple[int, int]]) -> str:
    """How many variants the texts have that name a person of the list; the report beside the rows has all of them."""
    told = [f"{id} {has:,} of {of:,}" for id, (has, of) in itertools.islice(fewer.items(), TOLD)]
    if len(fewer) > TOLD:
        told.append(f"and {len(fewer) - TOLD:,} more")
    return f"Variants of these texts: {', '.join(told)}."
