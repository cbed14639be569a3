"""The shapes of what is saved beside the rows of terms, checked before anything is laid out."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

from eec_datasets.errors import AuditError


class BadResult(AuditError):
    """A file is no saved result, or holds values that no result has."""


LABELS: Final = {str: str}
SIDE: Final = {"text": str, "labels": LABELS, "score": float}
MOVED: Final = [{"axis": str, "higher": SIDE, "lower": SIDE}]
STANDOUTS: Final = [{"form": str, "group": str, "distance": float}]
CORPORA: Final = [
    {
        "name": str, "language": str, "about": str, "review": str, "rows": int,
        "sentences": [[{"text": str, "labels": LABELS}]],
    }
]  # fmt: skip
BESIDE: Final = {"axes": [str], "notes": [str], "tables": {str: str}, "score_range": [float]}
"""Parts that a result may have, by key; what is null or missing is not checked."""

WORDS: Final = {str: "a text", float: "a finite number", int: "a whole number"}


def check(value: Any, shape: Any, place: str) -> None:
    """Refuse a value that has not its shape.

    Parameters
    ----------
    value
        What JSON gave.
    shape
        A type; a list of one shape; a dict of shapes by key, all of them needed; or ``{str: shape}`` for any keys.
    place
        Names it in the message.

    Raises
    ------
    BadResult
        Says what was expected where.
    """
    if isinstance(shape, list):
        if not isinstance(value, list | tuple):
            raise BadResult(f"{place}: {_brief(value)}; expected a list.")
        for i, part in enumerate(value):
            check(part, shape[0], f"{place}[{i}]")
    elif isinstance(shape, Mapping):
        if not isinstance(value, Mapping):
            raise BadResult(f"{place}: {_brief(value)}; expected an object.")
        keys = value if str in shape else shape
        for key in keys:
            if key not in value:
                raise BadResult(f"{place}: has no {key}.")
            check(value[key], shape[str] if str in shape else shape[key], f"{place}, {key}")
    elif not _is(value, shape):
        raise BadResult(f"{place}: {_brief(value)}; expected {WORDS[shape]}.")


def _is(value: Any, kind: type) -> bool:
    if isinstance(value, bool):
        return False
    if kind is float:
        return isinstance(value, int | float) and math.isfinite(value)
    return isinstance(value, kind)


def _brief(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}…"
