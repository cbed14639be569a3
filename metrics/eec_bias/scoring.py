"""Scores as a checked matrix, one row per system."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .errors import OptionError, ScoresError
from .options import Floats


@dataclass(frozen=True, slots=True)
class Scores:
    """Checked scores.

    Attributes
    ----------
    values : (S, n) float array
        One row per system, in the units of ``score_range``.
    systems : tuple of str, or None
        Names of the systems; None where one unnamed vector was given.
    score_range : (float, float)
        Lowest and highest possible score, as declared.
    """

    values: Floats
    systems: tuple[str, ...] | None
    score_range: tuple[float, float]

    @property
    def span(self) -> float:
        """Width of the declared range."""
        return self.score_range[1] - self.score_range[0]

    def to_unit(self, values: Floats) -> Floats:
        """Move scores to [0, 1]; the same array where they are there already."""
        low, high = self.score_range
        return values if (low, high) == (0.0, 1.0) else (values - low) / (high - low)


def check_range(score_range: Any) -> tuple[float, float]:
    """Check a declared score range.

    Raises
    ------
    OptionError
        If it is not two finite numbers, the lower first.
    """
    try:
        low, high = (float(x) for x in score_range)
    except (TypeError, ValueError):
        low = high = float("nan")
    if not (np.isfinite(low) and np.isfinite(high) and low < high):
        raise OptionError(f"score_range={score_range!r}; expected two finite numbers, the lower first, such as (-1, 1)")
    return low, high


def read_scores(scores: Any, rows: int, score_range: Any = (0.0, 1.0), systems: Sequence[str] | None = None) -> Scores:
    """Check scores and lay them out as systems × rows.

    Parameters
    ----------
    scores : (n,) or (S, n) array, or mapping of system name to (n,) scores
        One score per row of the data, in the data's order.
    rows : int
        Number of rows of the data.
    score_range : (float, float)
        Lowest and highest possible score.
    systems : sequence of str, optional
        Names of the systems of a matrix.

    Raises
    ------
    ScoresError
        If the shape does not fit, or a score is missing, not finite or outside the range.
    OptionError
        If ``score_range`` or ``systems`` contradicts itself.
    """
    bounds = check_range(score_range)
    values, named, single = _matrix(scores, rows)
    names = _names(values, named, systems, single=single)
    if values.shape[1] != rows:
        raise ScoresError(
            f"{values.shape[1]} scores for {rows} rows; give one score per row of the data, in the data's order"
        )
    _check_values(values, names, bounds)
    return Scores(values, names, bounds)


def _matrix(scores: Any, rows: int) -> tuple[Floats, tuple[str, ...] | None, bool]:
    """Return the scores as (S, n), the names a mapping gives, and whether one plain vector was given."""
    named = None
    if isinstance(scores, Mapping):
        if not scores:
            raise ScoresError("scores is an empty mapping; give one row of scores per system")
        named = tuple(map(str, scores))
        for name, row in scores.items():
            if len(row) != rows:
                raise ScoresError(
                    f"system {str(name)!r} has {len(row)} scores for {rows} rows; give one score per row of the data, "
                    "in the data's order"
                )
        scores = list(scores.values())
    try:
        values = np.asarray(scores, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ScoresError(f"scores cannot be read as numbers ({error})") from None
    if values.ndim not in (1, 2):
        raise ScoresError(f"scores has shape {values.shape}; expected (rows,) or (systems, rows)")
    return np.atleast_2d(values), named, values.ndim == 1


def _names(
    values: Floats, named: tuple[str, ...] | None, systems: Sequence[str] | None, *, single: bool
) -> tuple[str, ...] | None:
    """Choose the systems' names."""
    if systems is None:
        return named if named is not None or single else tuple(f"system{i}" for i in range(len(values)))
    names = tuple(map(str, systems))
    if named is not None:
        raise OptionError("systems= was given besides a mapping that already names the systems; give one of them")
    if len(names) != len(values):
        raise OptionError(f"systems= has {len(names)} names for {len(values)} rows of scores")
    if len(set(names)) != len(names):
        twice = sorted({name for name in names if names.count(name) > 1})
        raise OptionError(f"systems= has the same name twice: {', '.join(twice)}")
    return names


def _check_values(values: Floats, names: tuple[str, ...] | None, bounds: tuple[float, float]) -> None:
    low, high = bounds
    good = (values >= low) & (values <= high)
    if good.all():
        return
    system, row = (int(i) for i in np.argwhere(~good)[0])
    where = f"row {row} (rows count from 0)" + (f" of system {names[system]!r}" if names else "")
    value = float(values[system, row])
    count = int((~good[system]).sum())
    if not np.isfinite(value):
        missing = int((~np.isfinite(values[system])).sum())
        raise ScoresError(f"score in {where} is {value} ({missing} such); every row needs a finite score")
    raise ScoresError(
        f"score in {where} is {value!r}, outside [{low:g}, {high:g}] ({count} such); "
        "declare the scale of the scores with score_range=(low, high)"
    )
