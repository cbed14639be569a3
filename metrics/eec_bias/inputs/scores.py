"""Scores as a checked matrix, one row per system."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from eec_bias.errors import BiasError, OptionError, ScoresError, expect
from eec_bias.inputs.matrices import as_matrix
from eec_bias.inputs.resolution import of_type, type_of_doubles, types_of
from eec_bias.inputs.systems import NO_NAMING, Naming, Systems
from eec_bias.notes import Note
from eec_bias.options import Bools, Floats, Ints, is_number, is_sequence
from eec_bias.stats.rounding import ZERO, largest_size, span_of

FEW_STRAYS = 0.9
"""Of scores of which a larger share lies within the range it is not told how far they run."""

FLOAT_NOISE = 1e-6
"""Scores that lie outside the range by no more than this share of it are taken for its ends: 1.0000001 is 1."""

COARSE = 1e5
"""Scores that do not run so many times as far as what counts as rounding have differences that are lost in it."""

WIDTHS = (1e-60, 1e60)
"""Outside these the square of a variance, which degrees of freedom need, leaves the range of floating point."""


@dataclass(frozen=True, slots=True)
class Scores:
    """Checked scores.

    Attributes
    ----------
    values : (S, n) float array
        One row per system, in the units of ``score_range``.
    systems : Systems
        Who gave them.
    score_range : (float, float)
        Lowest and highest possible score, as declared.
    notes : tuple of Note
        Systems left out because they have no score, and a declared range the scores do not use.
    extent : (float, float), optional
        Lowest and highest score, also of rows that are not in memory.
    runs : (S, N, n) float array, optional
        The scores in each run of a system, NaN where it has fewer than N; ``values`` are their means.
    bounded : bool
        Whether a range was declared; else ``score_range`` is as far as the scores run.
    run_names : tuple of tuple of str
        The runs of each system, where there are runs.
    kinds : tuple of str
        The type of each system's numbers, such as ``float32``: as they were given, or as it shows. Empty for doubles.
    noise : (S,) array, optional
        How far apart equal scores may be, where their type does not say it.
    differences : bool
        Whether they are differences between the scores of two systems.
    """

    values: Floats
    systems: Systems
    score_range: tuple[float, float]
    notes: tuple[Note, ...] = ()
    extent: tuple[float, float] | None = None
    runs: Floats | None = None
    bounded: bool = True
    run_names: tuple[tuple[str, ...], ...] = ()
    kinds: tuple[str, ...] = ()
    noise: Floats | None = None
    differences: bool = False

    def __post_init__(self) -> None:
        """Refuse infinite scores, whatever way they came in: one would make every gap and every mean infinite."""
        infinite = np.isinf(self.values)
        if infinite.any():
            system, row = np.argwhere(infinite)[0].tolist()
            such = int(infinite[system].sum())
            raise not_finite(self.systems.place(system, row), float(self.values[system, row]), such)

    @property
    def observed(self) -> tuple[float, float]:
        """Lowest and highest score."""
        if self.extent is not None:
            return self.extent
        known = self.values[~np.isnan(self.values)]
        return (float(known.min()), float(known.max())) if known.size else (0.0, 0.0)

    @property
    def resolution(self) -> Floats:
        """Return how far apart raw scores of each system (S,) may be and still be equal, by their type."""
        if self.noise is not None:
            return self.noise
        if not self.values.size:
            return np.zeros(len(self.values))
        return np.array([of_type(self.kind(s), each) for s, each in enumerate(largest_size(self.values).tolist())])

    def kind(self, system: int) -> str:
        """The type of a system's numbers."""
        return self.kinds[system] if self.kinds else "float64"

    @property
    def point(self) -> float:
        """One point in the units of the scores: a hundredth of the declared range of one system, else one unit."""
        if not self.bounded:
            return 1.0
        low, high = self.score_range
        # Differences of two systems reach as far below 0 as above.
        return (high - low) / (200 if self.differences else 100)

    @property
    def span(self) -> float:
        """Width of the declared range, the unit of what counts as 0."""
        return span_of(self.score_range)

    def only(self, rows: Ints) -> "Scores":
        """Return the scores of some rows, without runs."""
        return replace(self, values=self.values[:, rows], notes=(), extent=None, runs=None)


def mean_over_runs(runs: Floats) -> Floats:
    """Mean of the runs (S, N, n) in which a row has a score, (S, n); NaN where it has none in any."""
    known = ~np.isnan(runs)
    count = known.sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.where(known, runs, 0.0).sum(axis=1) / count
    # The mean of equal scores is that score: rounding may take it off the edge of the range, or beyond.
    lowest = np.where(known, runs, np.inf).min(axis=1)
    highest = np.where(known, runs, -np.inf).max(axis=1)
    return np.where(count > 0, np.clip(mean, lowest, highest), np.nan)


UNBOUNDED = (-np.inf, np.inf)
"""The range of scores of which none is known."""


def check_range(score_range: Any) -> tuple[float, float]:
    """Check a declared score range; None is one without bounds.

    Raises
    ------
    OptionError
        If it is not two finite numbers, the lower first.
    """
    if score_range is None or score_range == UNBOUNDED:
        return UNBOUNDED
    bounds = list(score_range) if is_sequence(score_range) else []
    ordered = len(bounds) == 2 and all(map(is_number, bounds)) and bounds[0] < bounds[1]
    expect(ordered, "score_range", score_range, "two finite numbers, the lower first, such as -1 and 1")
    low, high = map(float, bounds)
    if not WIDTHS[0] <= high - low <= WIDTHS[1]:
        raise OptionError(
            f"the score range {low:g} to {high:g} is {high - low:.3g} wide; variances need a width between "
            f"{WIDTHS[0]:g} and {WIDTHS[1]:g}: rescale the scores"
        )
    return low, high


def read_scores(
    scores: Any, rows: int, score_range: Any = (0.0, 1.0), naming: Naming = NO_NAMING, *, holes: bool = False
) -> Scores:
    """Check scores and lay them out as systems × rows.

    Parameters
    ----------
    scores : (n,) or (S, n) array, or mapping or frame of system name to (n,) scores
        One score per row of the data, in the data's order. Scores that are checked already pass as they are.
    rows : int
        Number of rows of the data.
    score_range, naming
        As for `measure`.
    holes : bool
        Whether a score may be missing.

    Raises
    ------
    ScoresError
        If the shape does not fit, or a score is missing, not finite or outside the range. A system without
        any score is left out, with a note.
    OptionError
        If ``score_range``, ``systems`` or ``tasks`` contradicts itself.
    """
    if isinstance(scores, Scores):
        return scores
    limits = check_range(score_range)
    values, names, single = as_matrix(scores, rows)
    missing, types = _without(values), types_of(scores, len(values))
    systems = naming.name(len(values), names, single=single)
    if rows and missing.all():
        raise ScoresError(f"there are no scores: all {rows} of every system are NaN")
    gone = [systems.subject_note(s) for s in np.flatnonzero(missing).tolist()]
    notes = [Note("no_scores_of_system", {"subject": subject, "rows": rows}) for subject in gone]
    kept = np.flatnonzero(~missing)
    systems = systems.only(kept)
    if missing.any():
        values = values[kept]
    values, beyond = _without_noise(values, limits)
    if beyond:
        notes.append(Note("clipped", {"count": beyond, "low": limits[0], "high": limits[1]}))
    extent = lowest, highest = _extent(values, systems, limits, holes=holes)
    if limits == UNBOUNDED and WIDTHS[1] < highest - lowest < np.inf:
        raise ScoresError(
            f"the scores run from {lowest:g} to {highest:g}, which is {highest - lowest:.3g} wide; variances need at "
            f"most {WIDTHS[1]:g}: rescale the scores"
        )
    kinds = tuple(
        type_of_doubles(own) if types[s] == "float64" else types[s] for s, own in zip(kept, values, strict=True)
    )
    if limits != UNBOUNDED:
        notes += _note_scale(lowest, highest, limits)
        return Scores(values, systems, limits, tuple(notes), extent, kinds=kinds)
    notes.append(Note("no_range", {"lowest": lowest, "highest": highest}))
    limits = extent if lowest < highest else (lowest - 0.5, lowest + 0.5)
    return Scores(values, systems, limits, tuple(notes), extent, bounded=False, kinds=kinds)


def _without_noise(values: Floats, limits: tuple[float, float]) -> tuple[Floats, int]:
    """Move scores that lie outside the range by no more than rounding to its ends, and count them."""
    low, high = limits
    if limits == UNBOUNDED or not values.size:
        return values, 0
    with np.errstate(invalid="ignore"):
        noise = FLOAT_NOISE * (high - low)
        beyond = ((values < low) & (values >= low - noise)) | ((values > high) & (values <= high + noise))
    count = int(beyond.sum())
    return (np.where(beyond, np.clip(values, low, high), values), count) if count else (values, 0)


def _extent(values: Floats, systems: Systems, limits: tuple[float, float], *, holes: bool) -> tuple[float, float]:
    """Return the lowest and the highest score; refuse the first that is missing or outside the range."""
    low, high = limits
    if not values.size:
        return np.inf, -np.inf
    lowest, highest = float(values.min()), float(values.max())
    if holes and np.isnan(lowest):
        lowest, highest = float(np.nanmin(values)), float(np.nanmax(values))
    if lowest >= low and highest <= high:
        return lowest, highest
    good, finite = (values >= low) & (values <= high), np.isfinite(values)
    if holes:
        finite |= np.isnan(values)
        good |= np.isnan(values)
    system, row = (int(i) for i in np.argwhere(~good)[0])
    value, there = float(values[system, row]), values[finite]
    such = int((~(good if finite[system, row] else finite)[system]).sum())
    run = float(there.min(initial=np.inf)), float(there.max(initial=-np.inf)), float(good.mean())
    raise wrong_score(systems.place(system, row), value, such, limits, run)


def _without(values: Floats) -> Bools:
    """Return which systems (S,) have no score at all; only those without one in the first row need be looked at."""
    empty = np.zeros(len(values), dtype=bool)
    for s in np.flatnonzero(np.isnan(values[:, :1]).any(axis=1)):
        empty[s] = np.isnan(values[s]).all()
    return empty


def not_finite(where: str, value: float, such: int) -> ScoresError:
    """Return the error for a score that is infinite, or missing where none may be."""
    if np.isnan(value):
        remedy = "every row needs a finite score here; the default test with incomplete 'estimate' measures without it"
    else:
        remedy = "scores are finite numbers; give NaN for no score, or bound the probability before its logit"
    return ScoresError(f"score in {where} is {value} ({such} such); {remedy}")


def wrong_score(
    where: str, value: float, such: int, bounds: tuple[float, float], run: tuple[float, float, float]
) -> BiasError:
    """The error for a score that cannot be used, with how many there are and what hints at their scale.

    Parameters
    ----------
    where : str
        Where it stands.
    value, such : float, int
        The score, and how many are wrong as it is.
    bounds : (float, float)
        Lowest and highest possible score, as declared.
    run : (float, float, float)
        Lowest and highest score, and which share of all lies within the bounds.
    """
    if not np.isfinite(value):
        return not_finite(where, value, such)
    low, high, good = run
    extent = "" if good > FEW_STRAYS else f"; all of them run from {low:.4g} to {high:.4g}"
    # No range is read off the scores: what they happen to reach is not what is possible.
    percent = "; percentages are divided by 100, or have the range (0, 100)" if 10 < high <= 100 and low >= 0 else ""
    return ScoresError(
        f"score in {where} is {value!r}, outside [{bounds[0]:g}, {bounds[1]:g}] ({such} such{extent}); declare as "
        "score range the lowest and the highest score that are possible, or None where no range is known, as of a "
        f"regression model or of logits{percent}"
    )


def _note_scale(lowest: float, highest: float, bounds: tuple[float, float]) -> Iterator[Note]:
    """Note scores, from lowest to highest, that seem to be on another scale than the declared one."""
    (low, high), spread = bounds, highest - lowest
    least = ZERO * (high - low)
    if bounds != (0.0, 1.0) and low <= 0 <= lowest and highest <= 1 <= high:
        yield Note("narrow_range", {"low": low, "high": high})
    if 0 < spread <= COARSE * least:
        key = "scores_as_good_as_equal" if spread <= least else "effects_as_good_as_zero"
        yield Note(key, {"lowest": lowest, "highest": highest, "zero": ZERO, "least": least})
