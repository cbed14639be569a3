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
    "how": str, "cells": [{"labels": LABELS, "names": int, "attested~": int}],
    "features": [{"feature": str, "about": str, "means": [{"mean~": float}], "apart~": float, "matched": bool}],
    "weak": [{"form": str, "labels": LABELS, "doubts": [{"source": str, "probability": float, "at_most": bool}]}],
}  # fmt: skip
ENTRY: Final = {
    "result": dict, "system?": str, "config?": str, "language?": str, "review?": str, "data?": str,
    "fingerprint?": str, "part?": str, "prompts?": [{"name": str, "request": dict}], "models?": [str],
    "unanswered?": {str: int}, "standouts?": [{"form": str, "labels": LABELS, "distance": float, "p": float}],
    "moved?": [{"axis": str, "higher": SIDE, "lower": SIDE}], "clear?": dict, "names?": NAMES,
    "attested_of?": str,
}  # fmt: skip
CORPUS: Final = {
    "name": str, "language": str, "about": str, "review": str, "part?": str, "rows": int,
    "sentences": [[{"text": str, "labels": LABELS}]],
}  # fmt: skip
AUDIT: Final = {"results": [ENTRY], "corpora?": [CORPUS], "made?": {str: str}, "date?": str}

WAYS: Final = ("match", "typical", "like", "listed", "attested")
"""How names may be chosen, see `eec_datasets.names.covariates.covariates_of`."""

KINDS: Final[dict[type, tuple[Any, str]]] = {
    str: (str, "a text"), float: (int | float, "a finite number"), int: (int, "a whole number"),
    bool: (bool, "true or false"), dict: (Mapping, "an object"), list: (list | tuple, "a list"),
}  # fmt: skip
"""What Python has for a kind of value, and what messages call it."""


def check(value: Any, shape: Any, place: str) -> None:
    """Refuse a value that has not its shape.

    Parameters
    ----------
    value
        What JSON gave.
    shape
        A type; a list of one shape; a dict of shapes by key (``key?`` may be missing or null, ``key~`` null); or
        ``{str: shape}`` for any keys.
    place
        Names it in the message.

    Raises
    ------
    BadResult
        Says what was expected where.
    """
    kind = shape if isinstance(shape, type) else type(shape)
    allowed, words = KINDS[kind]
    fits = isinstance(value, allowed) and isinstance(value, bool) == (kind is bool)
    if not fits or (kind is float and not math.isfinite(value)):
        text = repr(value)
        raise BadResult(f"{place}: {text if len(text) <= 60 else f'{text[:57]}…'}; expected {words}.")
    if isinstance(shape, list):
        for i, part in enumerate(value):
            check(part, shape[0], f"{place}[{i}]")
    elif isinstance(shape, dict):
        for name, part in (dict.fromkeys(value, shape[str]) if str in shape else shape).items():
            key = name.rstrip("?~")
            if not name.endswith("?") and key not in value:
                raise BadResult(f"{place}: has no {key}.")
            if key == name or value.get(key) is not None:
                check(value[key], part, f"{place}, {key}")


def check_names(names: Mapping[str, Any], place: str) -> None:
    """Refuse names chosen in none of `WAYS`, or with a feature that has not one mean for each cell.

    Raises
    ------
    BadResult
        Says what was expected where.
    """
    if names["how"] not in WAYS:
        raise BadResult(f"{place}, how: {names['how']!r}; expected {', '.join(WAYS)}.")
    cells = len(names["cells"])
    for i, feature in enumerate(names["features"]):
        if (means := len(feature["means"])) != cells:
            raise BadResult(f"{place}, features[{i}], means: {means} of them; expected {cells}, one for each cell.")
