"""What the page must know of the corpora, wherever they come from."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from eec_bias.errors import BiasError
from eec_bias.inputs.sources import choose_axes, read_source
from eec_bias.options import UNMARKED, Floats


class CorporaError(BiasError):
    """The corpora cannot be had, or are not what they say they are."""


class UploadError(BiasError):
    """An uploaded file is not a table of scores for the corpus chosen."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """One config with its rows.

    Attributes
    ----------
    name, version, language, about, review
        As released; ``language`` is a BCP 47 tag, ``review`` says how far native speakers have read it.
    persons
        Number of persons per group.
    table
        The rows, a pyarrow table of strings.
    """

    name: str
    version: str
    language: str
    about: str
    review: str
    persons: Mapping[str, int]
    table: Any

    @property
    def axes(self) -> dict[str, list[str]]:
        """The identity axes that are compared, and their marked levels."""
        coded = choose_axes(read_source(self.table), None)
        return {axis: [level for level in column.levels if level != UNMARKED] for axis, column in coded.items()}

    def column(self, name: str) -> list[str]:
        """Return one column as a list."""
        values: list[str] = self.table.column(name).to_pylist()
        return values


@dataclass(frozen=True, slots=True)
class Upload:
    """Scores read from a file.

    Attributes
    ----------
    scores
        By name of the column: one score per row of the corpus, in its order.
    score_range
        Lowest and highest possible score, as declared.
    """

    scores: Mapping[str, Floats]
    score_range: tuple[float, float]


class Corpora(Protocol):
    """Where the page takes corpora from, and how it reads scores of them."""

    @property
    def where(self) -> str:
        """One sentence for the page: where the corpora come from."""

    def choices(self) -> list[tuple[str, str]]:
        """Return what is offered: a label and the name of a config."""

    def open(self, name: str) -> Corpus:
        """Return one config.

        Raises
        ------
        CorporaError
            There is none of this name, or it cannot be loaded.
        """

    def read(self, path: Path, corpus: Corpus, score_range: tuple[float, float]) -> Upload:
        """Read an uploaded file.

        Raises
        ------
        UploadError
            Everything that is wrong with the file, at once.
        """
