"""Questions that a native speaker must still look at: one list per language, each with its sentence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from eec_datasets.checks.key import QUESTIONS, sentence_of
from eec_datasets.corpora import texts_by_id
from eec_datasets.errors import FileProblems, Problems
from eec_datasets.locale.csv_file import read_csv
from eec_datasets.locale.reading import load_locale, locales_folder

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from eec_datasets.locale.csv_file import Row
    from eec_datasets.locale.model import Locale

WEIGHTS: Final = {
    "1": "may bend a result: another sense, another emotion, or one group only",
    "2": "the two sides of a pair, or a word that may be wrong",
    "3": "style: another word may be better",
}
"""Meaning of each weight, the heaviest first."""


@dataclass(frozen=True, slots=True)
class ReaderQuestion:
    """One question of ``questions.csv``: its weight, the id of its row in the corpus, that row's sentence.

    Attributes
    ----------
    question, asked : in English, and in the language itself where someone has written it so.
    """

    weight: str
    config: str
    id: str
    sentence: str
    question: str
    asked: str = ""
    speaker: str = ""
    variants: str = ""


def questions(tag: str, root: Path | None = None) -> list[ReaderQuestion]:
    """The questions of a language in order of weight; none where it has no ``questions.csv``.

    Raises
    ------
    FileProblems
        A row names a sentence that the corpus does not have.
    """
    locale, path, problems = load_locale(tag, root), (root or locales_folder()) / tag / QUESTIONS, Problems()
    rows = read_csv(path, ("weight", "config", "id", "question"), problems).rows if path.exists() else ()
    corpora: dict[tuple[str, str, str], Mapping[str, str]] = {}
    result = [
        ReaderQuestion(
            row["weight"],
            row["config"],
            row["id"],
            _sentence(locale, row, corpora, root),
            row["question"],
            row["asked"],
            row["speaker"],
            row["variants"],
        )
        for row in rows
    ]
    if problems:
        raise FileProblems(f"locale '{tag}'", problems.found)
    return sorted(result, key=lambda question: question.weight)


def _sentence(
    locale: Locale, row: Row, corpora: dict[tuple[str, str, str], Mapping[str, str]], root: Path | None
) -> str:
    """The sentence that a row asks about, which its corpus must have: what is said of another counts for nothing.

    Parameters
    ----------
    corpora : the sentences of those seen so far; that of this row is added.
    """
    sentence = sentence_of(locale, row)
    key = (row["config"], row["speaker"], row["variants"])
    if key not in corpora:
        corpora[key] = texts_by_id(*key, root=root)
    if sentence and corpora[key].get(row["id"]) != sentence:
        row.report(f"{row['config']} does not have '{row['id']}'", "Name a corpus of which it is a row: eec sentences")
    return sentence
