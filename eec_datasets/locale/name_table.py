"""Parts of a table of names: its sources, the rules of its sets, and the table."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

from eec_datasets.text_file import number

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from eec_datasets.errors import Place
    from eec_datasets.locale.csv_file import CsvFile, Row


@dataclass(frozen=True)
class NameSource:
    """A source of facts about names.

    Attributes
    ----------
    evidence : what it knows of a name's group: ``people``, ``list``, ``modelled``, or nothing (an empty text).
    fields : field → what its numbers mean.
    """

    key: str
    title: str = ""
    publisher: str = ""
    licence: str = ""
    url: str = ""
    evidence: str = ""
    fields: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def columns(self) -> list[str]:
        """Its columns in the table."""
        return [f"{self.key}.{name}" for name in self.fields]


@dataclass(frozen=True, slots=True)
class NameSet:
    """The rule of one set.

    Attributes
    ----------
    groups : label in the corpus → group in the table.
    match, within : features on which cells are matched, and how near their means must be (pooled sd).
    typical : the column by which the names most borne are chosen instead.
    show : features that are shown and not matched.
    like : ``TAG/SET`` whose members, by id, this set has.
    keep : ids of names that are never exchanged.
    signal : the column with the probability of the group given the name, one source for all names of the set.
    family_at_most, ending_at_most : how many names of a cell may share their beginning, or their ending.
    families_at_least : how many families a cell has in effect, at least.
    """

    key: str
    place: Place
    groups: Mapping[str, str] = field(default_factory=dict)
    size: int = 0
    match: tuple[str, ...] = ()
    within: float = 0.15
    typical: str = ""
    show: tuple[str, ...] = ()
    like: str = ""
    keep: tuple[str, ...] = ()
    signal: str = ""
    family_at_most: int | None = None
    ending_at_most: int | None = None
    families_at_least: float | None = None


@dataclass(frozen=True)
class NameTable:
    """The names of a language, what is known of them, and the rules of its sets."""

    folder: Path
    file: CsvFile
    sources: Mapping[str, NameSource]
    sets: Mapping[str, NameSet]
    select: Mapping[str, Any]
    grammar: Mapping[str, Mapping[str, str]]

    @property
    def columns(self) -> list[str]:
        """The columns ``SOURCE.FIELD`` of the table."""
        return [column for column in self.file.columns if "." in column]

    @cached_property
    def rows_of(self) -> Mapping[tuple[str, str], list[Row]]:
        """The rows of each name, by its id and gender."""
        rows: dict[tuple[str, str], list[Row]] = {}
        for row in self.file.rows:
            rows.setdefault((id_of(row), row["gender"]), []).append(row)
        return rows

    def evidence(self, row: Row) -> list[str]:
        """The kinds of evidence for the group of a name, without repetition; a list that says 0 of it gives none."""
        sources = (source for source in self.sources_of(row) if number(row.get(f"{source.key}.listed") or "1"))
        return list(dict.fromkeys(source.evidence for source in sources if source.evidence))

    def sources_of(self, row: Row) -> list[NameSource]:
        """The sources that say something of a name."""
        return [source for source in self.sources.values() if any(map(row.get, source.columns))]


def id_of(row: Row) -> str:
    """The id of a name: as written, else its letters without accents, in lower case."""
    return row["id"] or plain_id(row["name"])


@lru_cache(maxsize=1 << 15)
def plain_id(name: str) -> str:
    """The letters of a name without accents, in lower case; a letter beyond a–z (ł, ø, م) stays, and makes it no id."""
    letters = unicodedata.normalize("NFKD", name)
    return re.sub(r"[\W_]+", "-", "".join(c for c in letters if not unicodedata.combining(c)).lower())
