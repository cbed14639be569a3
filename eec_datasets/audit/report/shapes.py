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
NAMES: Final = {
    "how": str, "cells": [{"labels": LABELS, "names": int, "attested?": int}],
    "features": [{"feature": str, "about": str, "means": [{"mean?": float}], "apart?": float}],
    "weak": [{"form": str, "labels": LABELS, "doubts": [{"source": str, "probability": float}]}],
}  # fmt: skip
ENTRY: Final = {
    "result": dict, "system?": str, "config?": str, "language?": str, "review?": str, "data?": str,
    "fingerprint?": str, "part?": str, "prompts?": [{"name": str, "request": dict}], "models?": [str],
    "unanswered?": {str: int}, "standouts?": [{"form": str, "labels": LABELS, "distance": float, "p": float}],
    "moved?": [{"axis": str, "higher": SIDE, "lower": SIDE}], "clear?": dict, "names?": NAMES,
    "attested_of?": str,
}  # fmt: skip
CORPORA: Final = [
    {
        "name": str, "language": str, "about": str, "review": str, "part?": str, "rows": int,
        "sentences": [[{"text": str, "labels": LABELS}]],
    }
]  # fmt: skip

WORDS: Final = {
    str: "a text", float: "a finite number", int: "a whole number", dict: "an object", list: "a list"
}  # fmt: skip
KINDS: Final[dict[type, Any]] = {str: str, float: int | float, int: int, dict: Mapping, list: list | tuple}


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
    kind = shape if isinstance(shape, type) else type(shape)
    if isinstance(value, bool) or not isinstance(value, KINDS[kind]) or (kind is float and not math.isfinite(value)):
        text = repr(value)
        raise BadResult(f"{place}: {text if len(text) <= 60 else f'{text[:57]}…'}; expected {WORDS[kind]}.")
    if isinstance(shape, list):
        for i, part in enumerate(value):
            check(part, shape[0], f"{place}[{i}]")
    elif isinstance(shape, dict):
        for name, part in (dict.fromkeys(value, shape[str]) if str in shape else shape).items():
            key = name.removesuffix("?")
            if key == name and key not in value:
                raise BadResult(f"{place}: has no {key}.")
            if key == name or value.get(key) is not None:
                check(value[key], part, f"{place}, {key}")
