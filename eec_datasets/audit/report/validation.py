"""The shapes of what an audit saves around its results, checked before anything is laid out."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

from eec_datasets.errors import AuditError


class BadResult(AuditError):
    """A file is no saved result, or holds values that no result has."""


SHAPES: Final[Mapping[str, Any]] = {
    "audit": {"results": ["entry"], "corpora?": ["corpus"], "made?": "texts", "date?": "text", "distinct?": "distinct"},
    "entry": {
        "result": "object", "system?": "text", "config?": "text", "language?": "text", "review?": "text",
        "data?": "text", "fingerprint?": "text", "part?": "text", "prompts?": ["prompt"], "models?": ["text"],
        "unanswered?": "counts", "standouts?": ["standout"], "moved?": ["pair"], "clear?": "object",
        "names?": "names", "attested_of?": "text", "typical?": ["typical"], "emotion_means?": "numbers",
    },
    "corpus": {
        "name": "text", "language": "text", "about": "text", "review": "text", "part?": "text", "rows": "whole",
        "sentences": [["sentence"]],
    },
    "sentence": {"text": "text", "labels": "texts"},
    "prompt": {"name": "text", "request": "object"},
    "standout": {"form": "text", "labels": "texts", "distance": "number", "p": "number"},
    "pair": {"axis": "text", "higher": "side", "lower": "side"},
    "side": {"text": "text", "labels": "texts", "score": "number"},
    "names": {"how": "way", "cells": ["cell"], "features": ["feature"], "weak": ["weak"]},
    "cell": {"labels": "texts", "names": "whole", "attested~": "whole"},
    "feature": {"feature": "text", "about": "text", "means": ["mean"], "apart~": "number", "matched": "truth"},
    "mean": {"mean~": "number"},
    "weak": {"form": "text", "labels": "texts", "doubts": ["doubt"]},
    "doubt": {"source": "text", "probability": "number", "at_most": "truth"},
    "typical": {
        "term": "text", "level": "text", "reference": "text", "subset": "text", "first": "text", "second": "text",
        "first_score": "number", "second_score": "number", "pairs": "whole", "higher": "whole", "lower": "whole",
    },
    "distinct": {"*": "counts"},
    "numbers": {"*": "number"},
    "texts": {"*": "text"},
    "counts": {"*": "whole"},
}  # fmt: skip
"""Kind of value under each key of what an audit saves around its results: "key?" may be missing or null, "key~" null;
"*" stands for any keys; a list holds values of one kind. A kind is the name of another shape, or one of `KINDS`."""

WAYS: Final = ("match", "typical", "like", "listed", "attested")
"""How names may be chosen, see `eec_datasets.names.covariates.covariates_of`."""

KINDS: Final[dict[str, tuple[Any, str]]] = {
    "text": (str, "a text"), "number": (int | float, "a finite number"), "whole": (int, "a whole number"),
    "truth": (bool, "true or false"), "object": (Mapping, "an object"), "list": (list | tuple, "a list"),
    "way": (str, ", ".join(WAYS)),
}  # fmt: skip
"""What Python has for a kind of value, and what messages call it."""


def check(value: Any, shape: Any, place: str) -> None:
    """Refuse a value that has not its shape.

    Parameters
    ----------
    value
        What JSON gave.
    shape
        A kind or the name of one of `SHAPES`, or a list of one.
    place
        Names it in the message.

    Raises
    ------
    BadResult
        Says what was expected where.
    """
    if isinstance(shape, list):
        kind = "list"
    else:
        kind = "object" if shape in SHAPES else shape
    allowed, words = KINDS[kind]
    fits = isinstance(value, allowed) and isinstance(value, bool) == (kind == "truth")
    if not fits or (kind == "number" and not math.isfinite(value)) or (kind == "way" and value not in WAYS):
        text = repr(value)
        raise BadResult(f"{place}: {text if len(text) <= 60 else f'{text[:57]}…'}; expected {words}.")
    if isinstance(shape, list):
        for i, part in enumerate(value):
            check(part, shape[0], f"{place}[{i}]")
        return
    parts = SHAPES.get(shape, {})
    for name, part in (dict.fromkeys(value, parts["*"]) if "*" in parts else parts).items():
        key = name.rstrip("?~")
        if not name.endswith("?") and key not in value:
            raise BadResult(f"{place}: has no {key}.")
        if key == name or value.get(key) is not None:
            check(value[key], part, f"{place}, {key}")
    if shape == "names":
        for i, feature in enumerate(value["features"]):
            if (means := len(feature["means"])) != (cells := len(value["cells"])):
                where = f"{place}, features[{i}], means"
                raise BadResult(f"{where}: {means} of them; expected {cells}, one for each cell.")
