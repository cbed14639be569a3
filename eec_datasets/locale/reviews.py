"""``TAG/reviews/NAME-DATE.csv``: what native readers said of sentences, and what that makes of a language.

A row is one judgement of one sentence, with the sentence as it was read. The status of a language is computed from
these files and from the sentences as they are now, and declared nowhere.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING

from eec_bias.shared import counted, grouped
from eec_datasets.errors import Place
from eec_datasets.locale.csv_file import PROSE, Column, Columns, optional, read_csv
from eec_datasets.text_file import unguarded

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from eec_datasets.errors import Problems
    from eec_datasets.locale.csv_file import CsvFile, Row

FOLDER = "reviews"
"""Is in the folder of a language."""
NATURAL, ODD, WRONG = "natural", "odd", "wrong"
VERDICTS = (NATURAL, ODD, WRONG)
LICENCE = "CC BY 4.0"
"""Under which readers give corrections and comments, as all words of the project."""
YES, NO = "yes", "no"

REVIEW_COLUMNS = Columns(
    (
        Column("reader", needed=True, filled="Write the name or pseudonym under which it may be published"),
        Column("native", needed=True, values=(YES, NO)),
        Column("country", needed=True),
        Column("date", needed=True, filled="Write the day it was read, as in 2026-11-24"),
        Column("version", needed=True),
        Column("licence", needed=True, values=(LICENCE,)),
        Column("config", needed=True, filled="Name the corpus of the sentence"),
        Column("id", needed=True, filled="Name the sentence"),
        Column("speaker", needed=True),
        Column("variants", needed=True),
        Column("text", needed=True, filled="Write the sentence as it was read"),
        Column("hash", needed=True),
        Column("verdict", needed=True, values=VERDICTS),
        *optional("variety", "correction", "comment", "question"),
    )
)
OF_READER = ("reader", "native", "country", "variety", "date", "version", "licence")
"""Columns that are the same in every row of a file."""


@dataclass(frozen=True, slots=True)
class SentenceKey:
    """The key of a sentence: the corpus, its row there, and what else was chosen."""

    config: str
    id: str
    speaker: str = ""
    variants: str = ""

    def __str__(self) -> str:
        chosen = " ".join(filter(None, [self.speaker and f"speaker={self.speaker}", self.variants]))
        return f"{self.config}: {self.id}" + (f" ({chosen})" if chosen else "")


@dataclass(frozen=True, slots=True)
class Judgement:
    """A reader's verdict on a sentence as it then was."""

    key: SentenceKey
    text: str
    verdict: str
    correction: str = ""
    comment: str = ""
    question: str = ""


@dataclass(frozen=True, slots=True)
class ReaderReview:
    """The judgements of one reader on one day, and what the reader says about themselves.

    Attributes
    ----------
    country : ISO 3166 code of where their variety is spoken; `variety` says more in their own words.
    date : ISO 8601.
    version : of the corpus that they read.
    """

    reader: str
    native: bool
    country: str
    variety: str
    date: str
    version: str
    judgements: tuple[Judgement, ...]

    @property
    def who(self) -> str:
        """Such as ``Ana (MX)``."""
        return f"{self.reader} ({self.country})" if self.country else self.reader


def hash_of(text: str) -> str:
    """The hash by which a sentence that was read is known again; no spreadsheet takes it for a number."""
    return f"h{sha256(unicodedata.normalize('NFC', text).encode()).hexdigest()[:16]}"


def slug_of(reader: str) -> str:
    """A reader's name in a file's name; a name without a letter of a–z is told by a hash."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", reader) if not unicodedata.combining(c))
    slug = re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")
    return slug or f"reader-{sha256(reader.casefold().encode()).hexdigest()[:8]}"


def review_files(folder: Path) -> list[Path]:
    """Return the files of a language's reviews, the oldest first."""
    return sorted((folder / FOLDER).glob("*.csv"), key=lambda path: (path.stem[-len("2026-11-24") :], path.name))


def read_reviews(folder: Path, problems: Problems) -> tuple[ReaderReview, ...]:
    """Return the reviews of a language, the oldest first, and note whatever is wrong with a file."""
    reviews = [read_review(path, problems) for path in review_files(folder)]
    return tuple(review for review in reviews if review is not None)


def read_review(path: Path, problems: Problems) -> ReaderReview | None:
    """The review of a file; None where something is wrong with it, which is noted."""
    problem_count = len(problems)
    name = f"{FOLDER}/{path.name}"
    file = read_csv(path, REVIEW_COLUMNS.needed, problems, name=name, prose={*PROSE, "text"})
    file.check(REVIEW_COLUMNS, {})
    if not file.rows and len(problems) == problem_count:
        problems.add(Place(file.name, 1), "the review has no judgement", "Remove the file")
    for row in file.rows:
        _check_row(row, file)
    rows = list(file.distinct(("config", "id", "speaker", "variants")))
    if len(problems) > problem_count:
        return None
    return _review(rows)


def _check_row(row: Row, file: CsvFile) -> None:
    first = file.rows[0]
    for column in OF_READER:
        if row[column] != first[column]:
            what = f"the {column} is '{row[column]}', and '{first[column]}' on line {first.place.line}"
            row.report(what, "A file has the judgements of one reader on one day: write another file")
    if row["hash"] != hash_of(unguarded(row["text"])):
        what = f"the sentence of '{row['id']}' is not the one that was read: its hash is {row['hash']}"
        row.report(what, "Restore the row as eec locale review --take wrote it, or remove it")
    try:
        date.fromisoformat(row["date"])
    except ValueError:
        row.report(f"the date is '{row['date']}'", "Write it as in 2026-11-24")


def _review(rows: Sequence[Row]) -> ReaderReview:
    first = rows[0]
    judgements = tuple(
        Judgement(
            SentenceKey(row["config"], row["id"], row["speaker"], row["variants"]),
            unguarded(row["text"]),
            row["verdict"],
            unguarded(row["correction"]),
            unguarded(row["comment"]),
            unguarded(row["question"]),
        )
        for row in rows
    )
    return ReaderReview(
        unguarded(first["reader"]),
        first["native"] == YES,
        first["country"],
        unguarded(first["variety"]),
        first["date"],
        first["version"],
        judgements,
    )


@dataclass(frozen=True)
class ReviewStatus:
    """The result of all reviews for a language as it is now.

    Attributes
    ----------
    draft : whether the project itself has read it only once.
    native, other : readers by name, and what they say of themselves; the last review of each.
    held : sentence → what native readers said of it as it is now, each reader's last word; in the order of the files.
    changed : sentences that native readers judged and that read otherwise now, with the text that is there now, None
        where there is no such sentence any more; nothing said of the former text holds for it.
    """

    draft: bool
    native: dict[str, ReaderReview]
    other: dict[str, ReaderReview]
    held: dict[SentenceKey, dict[str, Judgement]]
    changed: dict[SentenceKey, str | None]

    @cached_property
    def natural(self) -> list[SentenceKey]:
        """The sentences that every native reader who judged them calls natural."""
        return [key for key, said in self.held.items() if {each.verdict for each in said.values()} == {NATURAL}]

    @cached_property
    def disputed(self) -> list[SentenceKey]:
        """The sentences of which native readers say different things."""
        return [key for key, said in self.held.items() if len({each.verdict for each in said.values()}) > 1]

    @property
    def level(self) -> str:
        """Return how far the project itself has read the language: ``draft`` or ``second-reading``."""
        return "draft" if self.draft else "second-reading"

    @property
    def sentence(self) -> str:
        """The status as users read it, such as ``2 native readers; 58 of 60 natural; 3 texts changed since``."""
        parts = ["draft"] if self.draft else []
        if not self.native:
            parts.append("not reviewed by a native speaker")
        else:
            parts.append(counted(len(self.native), "native reader"))
            parts.append(f"{len(self.natural)} of {len(self.held)} natural")
        if self.changed:
            parts.append(f"{counted(len(self.changed), 'text')} changed since")
        if self.disputed:
            parts.append(f"{counted(len(self.disputed), 'text')} disputed")
        if self.other:
            parts.append(f"{counted(len(self.other), 'reader')} of another first language")
        return "; ".join(parts)


def status_of(
    reviews: Sequence[ReaderReview], draft: bool, text_now: Callable[[SentenceKey], str | None]
) -> ReviewStatus:
    """Return what reviews say of a language.

    Parameters
    ----------
    reviews : the oldest first.
    draft : whether the project itself has read the language only once.
    text_now : gives the sentence that a key names now, None where there is none.
    """
    native = {slug_of(review.reader): review for review in reviews if review.native}
    other = {slug_of(review.reader): review for review in reviews if not review.native}
    last_words: dict[SentenceKey, dict[str, Judgement]] = {}
    for review in reviews:
        if review.native:
            for judgement in review.judgements:
                last_words.setdefault(judgement.key, {})[slug_of(review.reader)] = judgement
    held: dict[SentenceKey, dict[str, Judgement]] = {}
    changed: dict[SentenceKey, str | None] = {}
    for key, said in last_words.items():
        now = text_now(key)
        still = {reader: judgement for reader, judgement in said.items() if judgement.text == now}
        if still:
            held[key] = still
        else:
            changed[key] = now
    return ReviewStatus(draft, native, other, held, changed)


def judgements_of(reviews: Sequence[ReaderReview], key: SentenceKey) -> list[tuple[ReaderReview, Judgement]]:
    """Everything that readers, native or not, said of a sentence, whatever its text then was."""
    pairs = ((judgement.key, (review, judgement)) for review in reviews for judgement in review.judgements)
    return grouped(pairs).get(key, [])
