"""The shapes of what an audit saves around its results, checked before anything is laid out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from eec_datasets.audit.shapes import MisshapenError, check_shape
from eec_datasets.errors import AuditError


class BadResult(AuditError):
    """A file is no saved result, or holds values that no result has."""


SHAPES: Final[Mapping[str, Any]] = {
    "audit": {
        "results": ["entry"], "corpora?": ["corpus"], "made?": "texts", "date?": "text", "distinct?": "distinct",
        "findings?": ["object"], "failures?": ["failure"],
    },
    "failure": {"system": "text", "lists": ["text"], "why": "text"},
    "entry": {
        "result": "object", "system?": "text", "config?": "text", "language?": "text", "review?": "text",
        "data?": "text", "fingerprint?": "text", "part?": "text", "prompts?": ["prompt"], "models?": ["text"],
        "unanswered?": "counts", "standouts?": ["standout"], "moved?": ["pair"], "clear?": "object",
        "names?": "names", "attested_of?": "text", "typical?": ["typical"], "emotion_means?": "numbers",
        "checksums?": "texts", "versions?": ["object"],
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
        "first_score": "number", "second_score": "number", "emotion": "text", "first_person": "text",
        "second_person": "text",
    },
    "distinct": {"*": "counts"},
    "numbers": {"*": "number"},
    "texts": {"*": "text"},
    "way": ("match", "typical", "like", "listed", "attested"),
    "counts": {"*": "whole"},
}  # fmt: skip
"""Kind of value under each key of what an audit saves around its results, see `check_shape`. Names are chosen in one of
the ways of `eec_datasets.names.covariates.covariates_of`."""


def check_audit(content: Any, place: str) -> None:
    """Refuse a saved audit that has not its shape.

    Raises
    ------
    BadResult
        Says what was expected where.
    """
    try:
        check_shape(content, "audit", place, SHAPES)
    except MisshapenError as error:
        raise BadResult(str(error)) from error
    for number, entry in enumerate(content["results"]):
        _check_means(entry.get("names") or {"features": []}, f"{place}, results[{number}], names")


def _check_means(names: Mapping[str, Any], place: str) -> None:
    for i, feature in enumerate(names["features"]):
        if (means := len(feature["means"])) != (cells := len(names["cells"])):
            where = f"{place}, features[{i}], means"
            raise BadResult(f"{where}: {means} of them; expected {cells}, one for each cell.")
