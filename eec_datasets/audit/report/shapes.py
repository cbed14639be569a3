"""The shapes of what an audit saves around its results, checked before anything is laid out."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

from eec_datasets.errors import AuditError


class BadResult(AuditError):
    """A file is no saved result, or holds values that no result has."""


LABELS: Final = {str: str}
SIDE: Final = {"text": str, "labels": LABELS, "score": float}
ENTRY: Final = {
    "result": dict, "system?": str, "config?": str, "language?": str, "review?": str, "data?": str,
    "fingerprint?": str, "standouts?": [{"form": str, "group": str, "distance": float}],
    "moved?": [{"axis": str, "higher": SIDE, "lower": SIDE}],
}  # fmt: skip
CORPORA: Final = [
    {
        "name": str, "language": str, "about": str, "review": str, "rows": int,
        "sentences": [[{"text": str, "labels": LABELS}]],
    }
]  # fmt: skip

WORDS: Final = {str: "a text", float: "a finite number", int: "a whole number", dict: "an object"}


def check(value: Any, shape: Any, place: str) -> None:
    """Refuse a value that has not its shape.

    Parameters
    ----------
    value
        What JSON gave.
    shape
        A type; a list of one shape; a dict of shapes by key (``key?`` may be missing or null); or ``{str: shape}``
        for any keys.
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
        _check_object(value, shape, place)
    elif not _is(value, shape):
        raise BadResult(f"{place}: {_brief(value)}; expected {WORDS[shape]}.")


def _check_object(value: Any, shape: Mapping[Any, Any], place: str) -> None:
    if not isinstance(value, Mapping):
        raise BadResult(f"{place}: {_brief(value)}; expected an object.")
    shapes = dict.fromkeys(value, shape[str]) if str in shape else shape
    for name, part in shapes.items():
        key = name.removesuffix("?")
        if value.get(key) is not None or key == name:
            if key not in value:
                raise BadResult(f"{place}: has no {key}.")
            check(value[key], part, f"{place}, {key}")


def _is(value: Any, kind: type) -> bool:
    if isinstance(value, bool):
        return False
    if kind is float:
        return isinstance(value, int | float) and math.isfinite(value)
    return isinstance(value, kind)


def _brief(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}…"
