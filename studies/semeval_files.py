"""Read the files of SemEval-2018 Task 1, which users download themselves: intensities of tweets, one per line.

The official archive (competitions.codalab.org/competitions/17751) holds for emotion intensity regression
``EI-reg-En-anger-train.txt`` (English training; its tweets are of 2017), ``2018-EI-reg-Es-anger-train.txt``,
``2018-EI-reg-En-anger-dev.txt``, ``2018-EI-reg-En-anger-test-gold.txt`` and so on, for valence
``2018-Valence-reg-En-train.txt``; tab-separated, in UTF-8, with a line of names. Where in the folder they lie does
not matter, and neither does the ``2018-`` in front.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from eec_datasets.errors import EecError

HEADER = "ID\tTweet\tAffect Dimension\tIntensity Score"
EMOTIONS = ("anger", "fear", "joy", "sadness")
VALENCE = "valence"
TAGS = {"en": "En", "es": "Es", "ar": "Ar"}
PARTS = ("train", "dev", "test-gold")
"""``train`` is needed; ``test-gold`` shows how good a model is; ``dev`` is not used."""

NAME = re.compile(
    r"(?:2018-)?(?:EI-reg-(?P<tag>En|Es|Ar)-(?P<emotion>anger|fear|joy|sadness)|(?:Valence|V)-reg-(?P<vtag>En|Es|Ar))"
    r"-(?P<part>train|dev|test-gold)\.txt"
)
SHOWN = 5
"""Problems of a file that are spelled out; the rest are counted."""

Key = tuple[str, str, str]
"""Language, affect (an emotion or valence), part."""


class BadSemEval(EecError):
    """The folder or a file of it is not as the official download is."""


@dataclass(frozen=True, slots=True)
class Tweets:
    """One file.

    Attributes
    ----------
    texts
        As in the file.
    scores
        Intensity of each, 0 to 1.
    """

    texts: tuple[str, ...]
    scores: tuple[float, ...]


def find(folder: Path) -> dict[Key, Path]:
    """Return the files of the download in a folder, at any depth.

    Raises
    ------
    BadSemEval
        The folder is missing, has none of the files, or has one twice.
    """
    if not folder.is_dir():
        raise BadSemEval(f"{folder} is no folder; expected the one the SemEval-2018 Task 1 archive was unpacked to.")
    found: dict[Key, Path] = {}
    for path in sorted(folder.rglob("*.txt")):
        match = NAME.fullmatch(path.name)
        if match is None or not path.is_file():
            continue
        tag = match["tag"] or match["vtag"]
        key = (tag.lower(), match["emotion"] or VALENCE, match["part"])
        if key in found:
            raise BadSemEval(
                f"{found[key]} and {path} are both the {key[2]} file of {key[1]} in {tag}; move one of them away."
            )
        found[key] = path
    if not found:
        raise BadSemEval(
            f"{folder} holds no file of SemEval-2018 Task 1 for regression; expected files such as "
            f"{expected('en', 'anger', 'train')} or {expected('es', 'joy', 'test-gold')}, in any folder below it."
        )
    return found


def expected(language: str, affect: str, part: str) -> str:
    """Return the name a file has in the official download."""
    if affect == VALENCE:
        return f"2018-Valence-reg-{TAGS[language]}-{part}.txt"
    name = f"EI-reg-{TAGS[language]}-{affect}-{part}.txt"
    if (language, part) == ("en", "train"):
        return name
    return f"2018-{name}"


def choose_languages(files: Mapping[Key, Path], wanted: Sequence[str], folder: Path) -> list[str]:
    """Return the languages to train in: those asked for, else those of which there is a training file of an emotion.

    Raises
    ------
    BadSemEval
        A training file of one of the four emotions is missing; all that are missing are named.
    """
    have = {language for language, affect, part in files if part == "train" and affect != VALENCE}
    chosen = set(wanted) or have
    languages = [tag for tag in TAGS if tag in chosen]
    if not languages:
        raise BadSemEval(f"{folder} holds no training file of an emotion, such as {expected('en', 'anger', 'train')}.")
    needed = [(language, emotion, "train") for language in languages for emotion in EMOTIONS]
    missing = [expected(*key) for key in needed if key not in files]
    if missing:
        raise BadSemEval(
            f"{folder} lacks {', '.join(missing)}. The tables need all four emotions of a language; get the files, or "
            "choose other languages with --language."
        )
    return languages


def read(path: Path, affect: str) -> Tweets:
    """Read one file.

    Raises
    ------
    BadSemEval
        What is wrong with it, by line.
    """
    first, *lines = _lines(path)
    if first != HEADER:
        raise BadSemEval(
            f"{path}:1: expected the line {HEADER!r}, found {first[:80]!r}. Files of the other subtasks (EI-oc, V-oc, "
            "E-c) have other columns; the regression files are needed."
        )
    texts: list[str] = []
    scores: list[float] = []
    problems: list[str] = []
    seen: dict[str, int] = {}
    for number, line in enumerate(lines, start=2):
        fields = line.split("\t")
        problem = _problem(fields, affect)
        if not problem and fields[0] in seen:
            problem = f"id {fields[0]!r} is also on line {seen[fields[0]]}"
        if problem:
            problems.append(f"{path}:{number}: {problem}")
            continue
        seen[fields[0]] = number
        texts.append(fields[1])
        scores.append(float(fields[3]))
    if problems:
        shown = problems[:SHOWN]
        if len(problems) > SHOWN:
            shown.append(f"and {len(problems) - SHOWN} more in {path}")
        raise BadSemEval("\n".join(shown))
    if not scores:
        raise BadSemEval(f"{path}: the file has no tweets; expected tweets of different {affect}, to learn from.")
    if len(set(scores)) == 1:
        raise BadSemEval(
            f"{path}: the file has tweets of one intensity only ({scores[0]:g}); expected tweets of different "
            f"{affect}, to learn from."
        )
    return Tweets(tuple(texts), tuple(scores))


def _lines(path: Path) -> list[str]:
    """Return the lines of a file, at least one."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise BadSemEval(f"Cannot read {path}: {error.strerror}.") from error
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise BadSemEval(
            f"{path}:{line}: expected UTF-8 text, found the bytes {data[error.start : error.start + 4]!r}. The "
            "official files are in UTF-8; unpack the archive again, or convert the file."
        ) from error
    # Not splitlines: tweets hold separators of their own, such as U+2028.
    return text.replace("\r\n", "\n").removesuffix("\n").split("\n")


def _problem(fields: Sequence[str], affect: str) -> str:
    """Say what is wrong with a line; nothing where it is right."""
    if len(fields) != 4:
        return f"expected 4 fields separated by tabs, found {len(fields)}"
    _, tweet, named, score = fields
    if not tweet.strip():
        return "the tweet is empty"
    if named != affect:
        return f"expected the affect dimension {affect!r}, found {named!r}"
    if score == "NONE":
        return "the score is NONE; this is a test file without answers, the one ending in -test-gold.txt is needed"
    try:
        number = float(score)
    except ValueError:
        number = math.nan
    if not 0 <= number <= 1:
        return f"expected an intensity from 0 to 1, found {score!r}"
    return ""
