"""Results that come back from a file: what `Result.to_dict` wrote, of this version or another."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from .details import Detail, read_detail
from .errors import ResultError
from .frame import LEADING, TERM_KEYS, Row
from .signature import VERSION, Signature

KINDS = ("cells", "fits", "wording", "equivalence", "bootstrap", "variances", "flips")
NEEDED = ("term", "level", "effect")
"""What a row of terms must have to be one."""


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
    missing = [key for key in ("terms", "signature", "score_range") if key not in content]
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
    low, high = content["score_range"]
    terms = tuple(_term(number, row) for number, row in enumerate(content["terms"]))
    held = tuple(partial(_same, read_detail(part)) for part in content.get("details", ()))
    notes = tuple(map(str, content.get("notes", ())))
    axes = tuple(content.get("axes", ())) or _axes(terms)
    if version != VERSION:
        other = f"saved by version {version} of eec_bias, read by version {VERSION}: what it does not hold is missing"
        notes += () if other in notes else (other,)
    return {
        "terms": terms,
        **{kind: tuple(dict(row) for row in content.get(kind, ())) for kind in KINDS},
        "notes": notes,
        "axes": axes,
        "score_range": (float(low), float(high)),
        "beta_estimand": str(content.get("beta_estimand", "")),
        "signature": _signature(str(content["signature"]), axes, version),
        "method": str(content.get("method", "default")),
        "saved": {key: content[key] for key in ("study", "tables") if key in content},
        "held": held,
    }


def _signature(text: str, axes: tuple[str, ...], version: str) -> SavedSignature:
    data = next((part[5:] for part in text.split("|") if part.startswith("data:")), "?")
    return SavedSignature(data, axes, (), "?", "?", "?", version=version, text=text)


def _same(detail: Detail) -> Detail:
    return detail


def _term(number: int, row: Mapping[str, Any]) -> Row:
    """One row of terms with all keys, null where another version had none."""
    missing = [key for key in NEEDED if key not in row]
    if missing:
        raise ValueError(f"row {number} of terms has no {', '.join(missing)}")
    leading = {key: row[key] for key in LEADING if key in row}
    further = {key: value for key, value in row.items() if key not in leading and key not in TERM_KEYS}
    text = {"axes": str(row["term"]).replace(":", "+"), "reference": "", "subset": "names", "note": ""}
    return {**leading, **further, **{key: row.get(key, text.get(key)) for key in TERM_KEYS}}


def _axes(terms: tuple[Row, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(axis for row in terms for axis in str(row["axes"]).split("+")))
