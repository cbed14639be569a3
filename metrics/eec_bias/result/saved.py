"""Results that come back from a file: what `Result.to_dict` wrote, of this version or another."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from eec_bias.errors import ResultError
from eec_bias.result.details import Detail, read_detail
from eec_bias.result.frame import FLIP_KEYS, LEADING, TERM_KEYS, Row
from eec_bias.result.shown import compares
from eec_bias.result.signature import VERSION, Signature, part_of

NEEDED = ("term", "level", "effect")
"""What a row of terms must have to be one."""

TEXTS = ("term", "axes", "axis", "level", "reference", "subset", "note", "estimate", "source", "edge", "reason")
"""Keys that hold text, or null; the other keys of `KINDS` and `TERM_KEYS` hold numbers, or null."""

_CONTRAST = ("term", "axes", "level", "reference", "subset")

KINDS: dict[str, tuple[str, ...]] = {
    "cells": ("subset", "n_persons", "n_sentences", "mean", "sd_persons"),
    "fits": ("subset", "phi", "loglik", "edge", "touched", "reason"),
    "wording": (),
    "equivalence": (*_CONTRAST, "effect", "margin", "p_lower", "p_upper", "p_equivalence", "ci90_low", "ci90_high"),
    "bootstrap": (
        *_CONTRAST, "estimate", "value", "se", "ci_low", "ci_high", "bca_low", "bca_high", "replicates",
    ),
    "variances": ("subset", "source", "sd", "share"),
    "flips": FLIP_KEYS,
}  # fmt: skip
"""Lists of rows beside the terms, and the keys of their rows but for those of the groups."""


@dataclass(frozen=True, slots=True)
class SavedSignature(Signature):
    """The signature of a saved result: its text as it was printed, which is not taken apart again.

    Attributes
    ----------
    text : str
        The whole line.
    """

    text: str = ""

    def __str__(self) -> str:
        return self.text


def read_saved(content: Any) -> dict[str, Any]:
    """Check a saved result and return the arguments of `Result`.

    Parameters
    ----------
    content : mapping
        What ``to_dict``, or ``compute`` of the `evaluate` module, returned, also through JSON.

    Raises
    ------
    ResultError
        If it is no result, or one of another version whose keys have another meaning.
    """
    if not isinstance(content, Mapping):
        raise ResultError(f"a result was expected, a dict with terms and signature; this is a {type(content).__name__}")
    version = str(content.get("version", "?"))
    # The tables of a published procedure cannot be made from the rows.
    tables = ("tables",) if content.get("method", "default") != "default" else ()
    missing = [key for key in ("terms", "signature", "score_range", *tables) if key not in content]
    if missing:
        keys = ", ".join(map(str, list(content)[:12])) or "none"
        raise ResultError(
            f"this is no result of eec_bias: it lacks {', '.join(missing)}; its keys are {keys}{_versions(version)}"
        )
    try:
        return _arguments(content, version)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ResultError(
            f"the result cannot be read ({type(error).__name__}: {error}){_versions(version)}; measure the scores "
            "again with this version"
        ) from error


def _versions(version: str) -> str:
    return "" if version == VERSION else f"; it was saved by version {version}, this is version {VERSION}"


def _arguments(content: Mapping[str, Any], version: str) -> dict[str, Any]:
    terms = _terms(content["terms"])
    held = tuple(partial(_same, read_detail(part)) for part in content.get("details", ()))
    notes = _texts("notes", content.get("notes", ()))
    axes = _texts("axes", content.get("axes", ())) or _axes(terms)
    if version != VERSION:
        other = f"saved by version {version} of eec_bias, read by version {VERSION}: what it does not hold is missing"
        notes += () if other in notes else (other,)
    return {
        "terms": terms,
        **{kind: _rows(kind, content.get(kind, ())) for kind in KINDS},
        "notes": notes,
        "axes": axes,
        "score_range": _bounds(content["score_range"]),
        "beta_estimand": str(content.get("beta_estimand", "")),
        "signature": _signature(str(content["signature"]), axes, version),
        "method": str(content.get("method", "default")),
        "saved": _saved(content),
        "held": held,
    }


def _signature(text: str, axes: tuple[str, ...], version: str) -> SavedSignature:
    return SavedSignature(part_of(text, "data") or "?", axes, (), "?", "?", "?", version=version, text=text)


def _same(detail: Detail) -> Detail:
    return detail


def _terms(rows: Any) -> tuple[Row, ...]:
    found = tuple(_term(number, row) for number, row in enumerate(rows))
    if not found:
        raise ValueError("there are no rows of terms")
    leading = [key for key in LEADING if key in found[0]]
    for number, row in enumerate(found):
        if [key for key in LEADING if key in row] != leading:
            raise ValueError(f"row {number} of terms is not named as row 0 is, by {', '.join(leading) or 'nothing'}")
    return found


def _term(number: int, row: Mapping[str, Any]) -> Row:
    """One row of terms with all keys, null where another version had none."""
    missing = [key for key in NEEDED if key not in row]
    if missing:
        raise ValueError(f"row {number} of terms has no {', '.join(missing)}")
    leading = {key: row[key] for key in LEADING if key in row}
    further = {key: value for key, value in row.items() if key not in leading and key not in TERM_KEYS}
    text = {"axes": str(row["term"]).replace(":", "+"), "reference": "", "subset": "names", "note": ""}
    whole = {**leading, **further, **{key: row.get(key, text.get(key)) for key in TERM_KEYS}}
    # Measures stand alone; the other rows compare a level with a reference.
    for key in ("term", "subset", "note", *(("level", "reference") if compares(whole) else ())):
        if whole[key] is None:
            raise ValueError(f"row {number} of terms: {key} is null, expected text")
    return _known(f"row {number} of terms", whole, TERM_KEYS)


def _rows(kind: str, rows: Any) -> tuple[Row, ...]:
    """The rows of another list, with all keys, null where another version had none."""
    keys = KINDS[kind]
    return tuple(
        _known(f"row {number} of {kind}", dict(row) | {key: None for key in keys if key not in row}, keys)
        for number, row in enumerate(rows)
    )


def _known(place: str, row: Row, keys: Sequence[str]) -> Row:
    """Refuse what no result holds under a key, and could not be shown."""
    for key, value in row.items():
        if key in LEADING or (key in TEXTS and key in keys):
            if not (value is None or isinstance(value, str)):
                raise TypeError(f"{place}: {key} is {value!r}, expected text")
        elif key in keys:
            if value is not None:
                _checked(f"{place}: {key}", value)
        elif key == "items" and isinstance(value, list | tuple):
            # Rows of wording name the items that they are about.
            _texts(f"{place}: items", value)
        elif isinstance(value, list | tuple | Mapping):
            raise TypeError(f"{place}: {key} is a {type(value).__name__}, expected one value")
    return row


def _saved(content: Mapping[str, Any]) -> dict[str, Any]:
    found = {key: dict(content[key]) for key in ("study", "tables") if key in content}
    _texts("tables", [*found.get("tables", {}).values()])
    return found


def _bounds(given: Any) -> tuple[float, float]:
    if not isinstance(given, list | tuple) or len(given) != 2:
        raise TypeError(f"score_range is {given!r}, expected two numbers")
    low, high = (float(_checked("score_range", end)) for end in given)
    return low, high


def _checked(what: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise TypeError(f"{what} is {value!r}, expected a finite number")
    return value


def _texts(key: str, values: Any) -> tuple[str, ...]:
    found = tuple(values)
    wrong = [values] if isinstance(values, str) else [value for value in found if not isinstance(value, str)]
    if wrong:
        raise TypeError(f"{key}: {wrong[0]!r}, expected a list of texts")
    return found


def _axes(terms: tuple[Row, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(axis for row in terms for axis in str(row["axes"]).split("+")))
