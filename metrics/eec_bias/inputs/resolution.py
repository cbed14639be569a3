"""How far apart two raw scores may be and still be equal, and where that is known from."""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, Self

import numpy as np
import pyarrow as pa

from eec_bias.options import Floats

UNITS = 8
"""So many units in the last place of their type scores may be apart and still be equal, where nothing else is known."""

BEYOND = 4
"""A sample moves less than a whole corpus, and of two sentences one may move up and the other down."""

Known = Literal["type", "declared", "measured"]
"""Where a resolution is from: the type of the scores, an option, or sentences that were scored anew."""

BITS = {"bfloat16": 7, "float16": 10, "float32": 23, "float64": 52}
"""Binary places behind the first of each type of numbers, the coarsest first."""


class Resolution(float):
    """A resolution, and where it is known from.

    Attributes
    ----------
    known : {"type", "declared", "measured"}
        See `Known`.
    detail : str
        The type, or how many sentences were scored anew.
    """

    known: Known
    detail: str

    def __new__(cls, value: float, known: Known = "declared", detail: str = "") -> Self:
        """Make one of a number."""
        made = super().__new__(cls, value)
        made.known, made.detail = known, detail
        return made


def of_type(kind: str, largest: float) -> float:
    """Return `UNITS` units in the last place of a type, at the largest |score|."""
    if not (math.isfinite(largest) and largest > 0):
        return 0.0
    return float(UNITS * 2.0 ** (math.floor(math.log2(largest)) - BITS[kind]))


def measure_resolution(
    scores: Sequence[float] | Floats, again: Iterable[Sequence[float] | Floats], sentences: int
) -> Resolution:
    """Return the resolution that sentences show whose scores were made several times.

    Parameters
    ----------
    scores : sequence of float
        Scores of some sentences; NaN where there is none.
    again : sequences of float
        Those of the same sentences in other orders and batches.
    sentences : int
        How many there are.
    """
    made = np.array([scores, *again], dtype=np.float64)
    made = made[:, np.isfinite(made).all(axis=0)]
    if not made.size:
        return Resolution(of_type("float32", 1.0), "type", "float32")
    apart = float(np.ptp(made, axis=0).max())
    # Networks reckon with single precision at best, whatever holds their scores.
    return Resolution(max(BEYOND * apart, of_type("float32", float(np.abs(made).max()))), "measured", str(sentences))


def type_of(scores: Any) -> str:
    """Return the coarsest type of the numbers in scores of any form, as they were given."""
    if isinstance(scores, Mapping):
        return coarsest(map(type_of, scores.values()))
    if hasattr(scores, "iloc") and hasattr(scores, "dtypes") and getattr(scores, "ndim", 1) == 2:
        return coarsest(type_of(scores[name]) for name in scores.columns)
    if isinstance(scores, pa.Array | pa.ChunkedArray):
        name = {"halffloat": "float16", "float": "float32"}.get(str(scores.type), "float64")
    elif isinstance(scores, list | tuple):
        first = scores[0] if scores else 0.0
        name = _name(getattr(first, "dtype", "float64"))
    else:
        name = _name(getattr(scores, "dtype", "float64"))
    return name


def _name(dtype: Any) -> str:
    name = str(dtype).rpartition(".")[2].lower()
    return name if name in BITS else "float64"


def coarsest(kinds: Iterable[str]) -> str:
    """Return the coarsest of some types; ``float64`` where there is none."""
    found = set(kinds)
    return next((kind for kind in BITS if kind in found), "float64")


def type_of_doubles(values: Floats) -> str:
    """Return ``float32`` for doubles that all are single-precision numbers and not all whole; else ``float64``.

    A pipeline gives single-precision numbers as doubles.
    """
    known = values[np.isfinite(values)]
    with np.errstate(over="ignore"):
        single = known.astype(np.float32).astype(np.float64)
    if known.size and np.array_equal(single, known) and (known != np.rint(known)).any():
        return "float32"
    return "float64"
