"""A file of scores: its first line says what they are of, the second names the columns, then one row per sentence."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, astuple, dataclass
from pathlib import Path
from typing import Any, Final

from eec_datasets.errors import InputError
from eec_datasets.systems.base import NO_RANGE
from eec_datasets.text_file import csv_text, json_of

MARK: Final = "#eec-scores "


@dataclass(frozen=True, slots=True)
class Header:
    """The first line of a file of scores: the system and the corpus that it belongs to.

    Attributes
    ----------
    system, fingerprint
        Name and version of the system, as in :class:`eec_datasets.systems.base.System`.
    config, data
        Name of the config, and its ``NAME@VERSION#HASH`` with the whole content hash.
    low, high
        Declared range of the scores; infinite, and null in the file, where none is known.
    """

    system: str
    fingerprint: str
    config: str
    data: str
    low: float
    high: float

    def line(self) -> str:
        """Return the first line of the file, without its line end."""
        facts = {key: None if value in NO_RANGE else value for key, value in asdict(self).items()}
        return MARK + json.dumps(facts, ensure_ascii=False)


def parse_header(line: str, path: Path | str) -> Header:
    """Return the header in the first line of a file of scores.

    Raises
    ------
    InputError
        The line is no such header.
    """
    try:
        facts: dict[str, Any] = json_of(line.removeprefix(MARK)) if line.startswith(MARK) else {}
        if isinstance(facts, dict) and facts.get("low", 0) is facts.get("high", 0) is None:
            facts["low"], facts["high"] = NO_RANGE
        header = Header(**facts)
        *texts, low, high = astuple(header)
        finite = all(type(limit) in (int, float) for limit in (low, high)) and -math.inf < low < high < math.inf
        limits = finite or (low, high) == NO_RANGE
        if not (limits and all(isinstance(text, str) for text in texts)):
            raise ValueError
        return header
    except (TypeError, ValueError) as error:
        raise InputError(
            f"{path}:1: expected a line starting with {MARK.strip()!r} that says which system and corpus the "
            f"scores belong to, found {line[:60]!r}. Write the scores again."
        ) from error


def to_text(header: Header, ids: Sequence[str], columns: Mapping[str, Sequence[float]]) -> str:
    """Return the whole file.

    Scores have all their digits, so that they read back to the same numbers; a row without one has an empty cell.
    """
    written = [["" if math.isnan(score) else float(score) for score in scores] for scores in columns.values()]
    rows = csv_text([["id", *columns], *zip(ids, *written, strict=True)])
    return f"{header.line()}\n{rows}"
