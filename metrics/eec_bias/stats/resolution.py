"""Resolution of scores: how far apart two raw scores may be and still be equal, and the source of that number."""

import math
from collections.abc import Iterable, Sequence
from typing import Literal, Self

import numpy as np
from numpy.typing import NDArray

from eec_bias.options import Floats

UNITS = 8
"""So many units in the last place of their type scores may be apart and still be equal, where nothing else is known."""

BEYOND = 4
"""A sample moves less than a whole corpus, and of two sentences one may move up and the other down."""

Known = Literal["type", "shares", "declared", "measured"]
"""Source of a resolution: the type of the scores, or of probabilities, an option, or sentences scored again."""

BITS = {"bfloat16": 7, "float16": 10, "float32": 23, "float64": 52}
"""Binary places behind the first of each type of numbers, the coarsest first."""

AS_TEXT = 1e-14
"""Relative difference that 15 digits make, with which spreadsheets and R write doubles."""

SEVERAL, FINER = 20, 4
"""So many different numbers, and some so many times finer than the largest can be, show that their point floats."""

FEWEST, FEW, MANY = 4, 64, 2_000
"""So many numbers are looked at to see whether they are printed ones, mostly in vain; so many then, and to be sure."""

DIGITS = 7
"""Numbers of so many digits or fewer need not come from single precision to look like it."""


class Resolution(float):
    """A resolution, and where it is known from.

    Attributes
    ----------
    known : {"type", "shares", "declared", "measured"}
        See `Known`.
    detail : str
        The type, or how many sentences were scored again.
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


def resolution_of_shares(kind: str, shares: Floats, limits: tuple[float, float]) -> Resolution:
    """Return how far apart scores may be and be equal that are made of probabilities, with values between limits.

    The probability of a label that is improbable is as precise as that of the others, of which it is what is left.
    """
    largest = float(np.nanmax(shares, initial=0.0))
    return Resolution(of_type(kind, largest) * (limits[1] - limits[0]), "shares", kind)


def of_pieces(resolutions: Iterable[float | None]) -> float | None:
    """Return the resolution of scores that came in pieces: the coarsest; None where that of a piece is not known."""
    known = list(resolutions)
    return None if not known or None in known else max(each for each in known if each is not None)


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


def coarsest(kinds: Iterable[str]) -> str:
    """Return the coarsest of some types; ``float64`` where there is none."""
    found = set(kinds)
    return next((kind for kind in BITS if kind in found), "float64")


def type_of_doubles(values: Floats) -> str:
    """Return the type that doubles plainly come from, ``float64`` where that is not plain.

    A pipeline gives single-precision numbers as doubles, and a text file with as many digits as tell them apart. They
    are of single precision if each of them is such a number, or what is printed of one; whole numbers are exact.
    """
    head = values[:FEW]
    # Most doubles show at once that they are.
    if np.isfinite(head).all() and not _may_be_single(head):
        return "float64"
    known = values[np.isfinite(values)]
    if not _may_be_single(known[:FEW]) or not (known != np.rint(known)).any():
        return "float64"
    if _are_single(known):
        return _narrower(_as_single(known)) or "float32"
    some = known[:: -(-len(known) // MANY)]
    # Any number of fewer digits is printed so, whatever it comes from.
    if _are_printed(some) and any(float(f"{value:.{DIGITS}g}") != value for value in some.tolist()):
        return "float32"
    return "float64"


def _may_be_single(first: Floats) -> bool:
    """Return whether the first numbers look like those of single precision, or what is printed of these."""
    some = first[:FEWEST]
    return (_are_single(some) and _are_single(first)) or (_are_printed(some) and _are_printed(first))


def _as_single(known: Floats) -> NDArray[np.float32]:
    with np.errstate(over="ignore"):
        return known.astype(np.float32)


def _are_single(known: Floats) -> bool:
    """Return whether doubles are single-precision numbers, or these as they are written with fifteen digits."""
    off = np.abs(_as_single(known).astype(np.float64) - known)
    return bool((off <= AS_TEXT * np.abs(known)).all())


def _are_printed(known: Floats) -> bool:
    """Return whether doubles are what is printed of single-precision numbers, with as few digits as tell them."""
    return np.array_equal(_as_single(known).astype(str).astype(np.float64), known)


def _narrower(single: NDArray[np.float32]) -> str | None:
    """Half precision or bfloat16, where all numbers are of these, and small ones finer than large ones can be.

    A system that gives steps of 1/256 gives numbers of either type too, and its steps are exact.
    """
    distinct = np.unique(single)
    with np.errstate(over="ignore"):
        fits = {
            "bfloat16": not (distinct.view(np.uint32) & 0xFFFF).any(),
            "float16": bool((distinct.astype(np.float16) == distinct).all()),
        }
    for kind, all_fit in fits.items():
        steps = distinct / (of_type(kind, float(np.abs(distinct).max())) / UNITS / FINER)
        if all_fit and len(distinct) >= SEVERAL and (steps != np.rint(steps)).any():
            return kind
    return None
