"""The shapes of what JSON files of strangers hold: which keys an object has, and what stands under each."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any, Final

KINDS: Final[dict[str, tuple[Any, str]]] = {
    "text": (str, "a text"), "number": (int | float, "a finite number"), "whole": (int, "a whole number"),
    "truth": (bool, "true or false"), "object": (Mapping, "an object"), "list": (list | tuple, "a list"),
}  # fmt: skip
"""Python type of each kind of value, and its name in messages."""


LARGEST: Final = {"number": sys.float_info.max, "whole": 2**53}
"""Largest number of each kind: floats end there, and no count is so large. NaN is never within it."""


class MisshapenError(ValueError):
    """A value is not of its kind, or a key is missing; says what was expected where."""


def check_shape(value: Any, shape: Any, place: str, shapes: Mapping[str, Any]) -> None:
    """Refuse a value that has not its shape.

    Parameters
    ----------
    value
        What JSON gave.
    shape
        A kind or the name of one of `shapes`, or a list of one.
    place
        Names it in the message.
    shapes
        Kind of value under each key of an object, by the name of its shape: "key?" may be missing or null, "key~" null;
        "*" stands for any keys; a list holds values of one kind; several texts are those that may stand there. A kind
        is the name of another shape, or one of `KINDS`.

    Raises
    ------
    MisshapenError
        Says what was expected where.
    """
    named = shapes.get(shape) if isinstance(shape, str) else None
    if isinstance(shape, list):
        kind = "list"
    elif isinstance(named, tuple):
        kind = "text"
    else:
        kind = shape if named is None else "object"
    allowed, words = KINDS[kind]
    fits = isinstance(value, allowed) and isinstance(value, bool) == (kind == "truth")
    if fits and kind in LARGEST:
        fits = abs(value) <= LARGEST[kind]
    if isinstance(named, tuple):
        fits, words = fits and value in named, ", ".join(named)
    if not fits:
        text = repr(value)
        raise MisshapenError(f"{place}: {text if len(text) <= 60 else f'{text[:57]}…'}; expected {words}.")
    if isinstance(shape, list):
        for i, part in enumerate(value):
            check_shape(part, shape[0], f"{place}[{i}]", shapes)
    elif isinstance(named, Mapping):
        _check_keys(value, named, place, shapes)


def _check_keys(value: Mapping[str, Any], parts: Mapping[str, Any], place: str, shapes: Mapping[str, Any]) -> None:
    for name, part in (dict.fromkeys(value, parts["*"]) if "*" in parts else parts).items():
        key = name.rstrip("?~")
        if not name.endswith("?") and key not in value:
            raise MisshapenError(f"{place}: has no {key}.")
        if key == name or value.get(key) is not None:
            check_shape(value[key], part, f"{place}, {key}", shapes)
