"""``eec perturb``: a user's own sentences, said of other persons, and a check of anybody's pairs."""

from __future__ import annotations

import itertools
import os
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from eec_datasets.cli.command import command, typed
from eec_datasets.cli.given import GIVEN_NAME, STREAMED_NAME
from eec_datasets.cli.options import FILE, OVERWRITE, option, switch
from eec_datasets.cli.output import bar, say

if TYPE_CHECKING:
    from collections.abc import Mapping

SHOWN: Final = 5
"""Texts whose variants are printed; the report has all."""

REWRITTEN: Final = Path("perturbed.parquet")
CHECKED: Final = Path("checked.csv")
MODES: Final = ("--names", "--pronouns", "--check")
ONLY_NAMES: Final = ("--swap-gender", "--replace")


@command(
    apart=[*itertools.combinations(MODES, 2), *itertools.product(ONLY_NAMES, MODES[1:]), ("--check", "--level"),
           ("--check", "--left-out"), ("--check", "--column")],
)  # fmt: skip
@click.argument("texts", metavar="TEXTS", type=STREAMED_NAME)
@option("--locale", "TAG", "Language of the texts: en, es.", name="language", required=True)
@option("--names", "LIST", "Names to put into the texts (see LIST above).", type=GIVEN_NAME)
@switch("--pronouns", "Swap she and he, and the nouns that go with them.")
@switch("--check", "Check pairs that any tool made (English only).")
@option(
    "--level",
    None,
    "strict leaves out every unclear text; wide keeps more.",
    choices=("strict", "wide"),
    default="strict",
)
@option("--tagger", "MODEL", "spaCy model (name or folder) that reads words which the rules cannot read.")
@option("--column", None, "Column or key of the texts in CSV, JSONL.", default="text")
@option(
    "--replace",
    "LIST",
    "Names in your texts that may be replaced: a LIST, or tables for our own lists.",
    type=GIVEN_NAME,
)
@switch("--swap-gender", "Put every name into every text, and change words such as his and her to fit.")
@option("--left-out", "FILE", "Write the texts that were left out, with the reasons, to this .csv file.", type=FILE)
@option("--out", "FILE", f".parquet or .csv.  [default: {REWRITTEN}, or {CHECKED}]", type=FILE)
@OVERWRITE
def perturb(texts: str, check: bool, names: str | None, pronouns: bool, out: Path | None, **options: Any) -> None:
    """Turn your own TEXTS into pairs that differ only in the person, or check pairs that you have.

    --pronouns swaps she and he: "my brother lost his keys" becomes "my sister lost her keys". One text of each pair is
    yours.

    --names replaces pronouns with names: "she lost her keys" becomes "Emily lost her keys". It puts women's names into
    sentences about women and men's names into sentences about men, so that you see if the name matters. With
    --swap-gender it puts every name into every sentence, so that you see if the gender matters. It then has to leave
    out more texts.

    The command rewrites a text as a whole, or leaves it out. It prints why it left texts out, counted by the gender of
    their pronouns. It warns if it kept more of the sentences about women or about men. FILE.report.json has the same
    table. Texts may have at most 50 words. --level wide keeps more texts, but more of them are wrong. The documentation
    page "Your own sentences" says how many are wrong at each level.

    --check reads a CSV or JSONL file with the columns original and variant. It adds the columns reason, original_gender
    and variant_gender, and keeps all others.

    \b
    TEXTS is one of
      FILE.txt                  one text per line
      FILE.csv, FILE.jsonl      the texts in --column
      -                         one text per line on standard input
    LIST is one of
      FILE.csv                  a column name, a column gender (female, male), and any labels: race, career, …
      FILE.txt                  NAME,GENDER in each line
      -                         one of these on standard input
      en-black-white            the names of a config of the same language (eec configs lists them)

    \b
    Examples:
      eec perturb comments.txt --locale en --pronouns --out pairs.parquet
      eec perturb tweets.csv --column tweet --locale es --names politicians.csv --out perturbed.csv
      eec perturb pairs.csv --locale en --check --tagger en_core_web_sm

    \b
    Then score the column text with any tool, write id,score to scores.csv, and
      eec measure scores.csv --data pairs.parquet
    """
    if check:
        _check(texts, out or CHECKED, options)
        return
    if names is None and not pronouns:
        raise click.UsageError(f"Say what to do with the texts: one of {', '.join(MODES)}.")
    _rewrite(texts, out or REWRITTEN, options | {"names": names, "pronouns": pronouns})


def _rewrite(texts: str, out: Path, options: dict[str, Any]) -> None:
    from eec_datasets.given_file import STANDARD_INPUT
    from eec_datasets.rewrite.left_out import left_out_file
    from eec_datasets.rewrite.perturbation import PerturbError
    from eec_datasets.rewrite.perturbation import perturb as rewrite
    from eec_datasets.rewrite.report import path_beside
    from eec_datasets.rewrite.texts import read_texts

    column, overwrite, left_out = (options.pop(name) for name in ("column", "overwrite", "left_out"))
    if (texts == STANDARD_INPUT or texts.lower().endswith(".txt")) and typed("column"):
        raise click.UsageError(f"--column: {texts} has a text per line and no columns. Leave it out.")
    _refuse_one_file_twice({"TEXTS": Path(texts), **({"--left-out": left_out} if left_out else {}), "--out": out})
    too_few = None
    with left_out_file(left_out, overwrite=overwrite) if left_out else nullcontext() as tell:
        reading = bar("reading", unit="texts", iterable=read_texts(texts, column))
        perturbed = rewrite(reading, stream=True, tell_left_out=tell, **options)
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
        say(f"\n{named_rows:,} rows left out, because the text already contains the name.")
        say(_variants(perturbed.report.fewer))
    also = f", {left_out}" if left_out else ""
    say(f"\nWritten: {out} ({rows:,} rows){also} and {path_beside(out)}")
    if ".csv" in (out.suffix, left_out.suffix if left_out else ""):
        say("We write texts to the .csv file unchanged. A spreadsheet may read a text as a formula.", err=True)


def _check(pairs: str, out: Path, options: dict[str, Any]) -> None:
    import pyarrow as pa

    from eec_datasets import row_file
    from eec_datasets.rewrite.check import REASONS, add_check
    from eec_datasets.rewrite.texts import read_rows

    _refuse_one_file_twice({"TEXTS": Path(pairs), "--out": out})
    row_file.check_place(out, overwrite=options["overwrite"])
    reading = bar("reading", unit="pairs", iterable=read_rows(pairs))
    table = add_check(reading, options["language"], tagger=options["tagger"])
    counts = table["reason"].value_counts()
    for reason in REASONS:
        if reason in counts:
            say(f"{counts[reason]:>9,}  {reason}")
    say(f"{len(table):>9,}  pairs")
    if not options["tagger"]:
        say("\nThe check used word lists only. With --tagger MODEL a spaCy model also reads pronouns and names.")
    batches = pa.Table.from_pandas(table, preserve_index=False).to_batches()
    row_file.write(out, batches, overwrite=options["overwrite"], guard=False)
    say(f"\nWritten: {out} ({len(table):,} rows)")


def _refuse_one_file_twice(places: Mapping[str, Path]) -> None:
    for (name, place), (other, written) in itertools.combinations(places.items(), 2):
        if os.path.realpath(place) == os.path.realpath(written):
            raise click.UsageError(f"{name} and {other} both name {written}. Name two different files")


def _variants(fewer: Mapping[str, tuple[int, int]]) -> str:
    """Return how many variants the texts have that name a person of the list; the report has all of them."""
    shown = [f"{id} {has:,} of {of:,}" for id, (has, of) in itertools.islice(fewer.items(), SHOWN)]
    if len(fewer) > SHOWN:
        shown.append(f"and {len(fewer) - SHOWN:,} more")
    return f"Variants of these texts: {', '.join(shown)}."
