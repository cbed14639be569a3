"""The shapes of what an audit saves around its results, checked before anything is laid out."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from eec_datasets.errors import AuditError


class BadResult(AuditError):
    """A file is no saved result, or holds values that no result has."""


SHAPES: Final[Mapping[str, Any]] = tomllib.loads(Path(__file__).with_name("shapes.toml").read_text(encoding="utf-8"))

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
        A kind or the name of a table in ``shapes.toml``, or a list of one.
    place
        Names it in the message.

    Raises
    ------
    BadResult
        Says what was expected where.
    """
    kind = "list" if isinstance(shape, list) else "object" if shape in SHAPES else shape
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
