"""Scores as a checked matrix, one row per system, at once or in chunks."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from eec_bias.errors import BiasError, OptionError, ScoresError, expect
from eec_bias.inputs.matrices import as_matrix
from eec_bias.inputs.resolution import coarsest, of_type, type_of_doubles, types_of
from eec_bias.inputs.systems import NO_NAMING, UNNAMED, Names, Naming, Systems
from eec_bias.notes import Note
from eec_bias.options import Bools, Floats, Ints, is_number, is_sequence
from eec_bias.stats.rounding import ZERO, largest_size, span_of

FEW_STRAYS = 0.9
"""Of scores of which a larger share lies within the range it is not told how far they run."""

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

    @property
    def observed(self) -> tuple[float, float]:
        """Lowest and highest score."""
        if self.extent is not None:
            return self.extent
        known = self.values[~np.isnan(self.values)]
        return (float(known.min()), float(known.max())) if known.size else (0.0, 0.0)

    @property
    def resolution(self) -> Floats:
        """How far apart raw scores of each system (S,) may be and still be equal, by their type."""
        if self.noise is not None:
            return self.noise
        if not self.values.size:
            return np.zeros(len(self.values))
        return np.array([of_type(self.kind(s), each) for s, each in enumerate(largest_size(self.values).tolist())])

    def kind(self, system: int) -> str:
        """The type of a system's numbers."""
        return self.kinds[system] if self.kinds else "float64"

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
    reader = ScoreReader(check_range(score_range), naming, holes=holes)
    return reader.whole(reader.read(scores, rows), rows)


@dataclass(slots=True)
class ScoreReader:
    """Reads scores chunk by chunk, the same systems every time; what is known of them so far.

    Attributes
    ----------
    score_range : (float, float)
        Lowest and highest possible score.
    naming : Naming
        The options that name systems.
    systems : Systems
        The systems, once there are scores.
    names : tuple of str, or None
        Names that came with the scores of the first chunk.
    missing : (S,) bool array
        Systems without any score so far.
    lowest, highest : float
        Of the scores so far.
    holes : bool
        Whether a score may be missing.
    kinds : list of set of str
        The types of each system's numbers so far.
    """

    score_range: tuple[float, float]
    naming: Naming = NO_NAMING
    systems: Systems = UNNAMED
    names: Names = None
    missing: Bools = field(default_factory=lambda: np.zeros(0, dtype=bool))
    lowest: float = np.inf
    highest: float = -np.inf
    holes: bool = False
    kinds: list[set[str]] = field(default_factory=list)

    @property
    def kept(self) -> Ints:
        """Positions of the systems that have scores."""
        return np.flatnonzero(~self.missing)

    def read(self, scores: Any, rows: int, place: Callable[[int], str] | None = None) -> Floats:
        """Check the scores of a chunk; ``place`` names a row in a message.

        Returns
        -------
        (S, rows) array
            Systems without any score are filled with the lowest possible one, and left out in the end.

        Raises
        ------
        ScoresError
            If the systems are not those of the first chunk, or a score is missing or outside the range.
        """
        values, names, single = as_matrix(scores, rows)
        if not self.missing.size:
            self.systems = self.naming.name(len(values), names, single=single)
            self.names, self.missing = names, _without(values)
            self.kinds = [set() for _ in values]
        if names != self.names or len(values) != len(self.missing):
            raise ScoresError(
                f"the systems are {_listed(names, len(values))}, those of the first chunk "
                f"{_listed(self.names, len(self.missing))}; give the same systems in the same order in every chunk"
            )
        for kinds, kind in zip(self.kinds, types_of(scores, len(values)), strict=True):
            kinds.add(kind)
        if self.missing.any():
            back = self.missing & ~_without(values)
            if back.any():
                name = self.systems.title(int(back.argmax())) or "0"
                raise ScoresError(f"system {name!r} has scores here and none before; every row needs a finite score")
            values = np.where(self.missing[:, None], self.score_range[0], values)
        self._check(self._own(values), place)
        return values

    def _check(self, values: Floats, place: Callable[[int], str] | None) -> None:
        """Record the lowest and the highest score; refuse the first that is missing or outside the range."""
        low, high = self.score_range
        if not values.size:
            return
        lowest, highest = float(values.min()), float(values.max())
        if self.holes and np.isnan(lowest) and not np.isnan(values).all():
            lowest, highest = float(np.nanmin(values)), float(np.nanmax(values))
        self.lowest, self.highest = min(lowest, self.lowest), max(highest, self.highest)
        if lowest >= low and highest <= high:
            return
        good, finite = (values >= low) & (values <= high), np.isfinite(values)
        if self.holes:
            finite |= np.isnan(values)
            good |= np.isnan(values)
        system, row = (int(i) for i in np.argwhere(~good)[0])
        value, there = float(values[system, row]), values[finite]
        such = int((~(good if finite[system, row] else finite)[system]).sum())
        run = float(there.min(initial=np.inf)), float(there.max(initial=-np.inf)), float(good.mean())
        systems = self.systems.only(self.kept)
        where = systems.place(system, row) if place is None else f"{place(row)}{systems.of(system)}"
        raise wrong_score(where, value, such, self.score_range, run)

    def whole(self, values: Floats, rows: int) -> Scores:
        """Return scores (S, n) of the systems that have some, with what must be noted after a number of rows.

        Raises
        ------
        ScoresError
            If no system has scores.
        """
        if rows and self.missing.all():
            raise ScoresError(f"there are no scores: all {rows} of every system are NaN")
        gone = [self.systems.subject_note(s) for s in np.flatnonzero(self.missing).tolist()]
        notes = [Note("no_scores_of_system", {"subject": subject, "rows": rows}) for subject in gone]
        if self.score_range != UNBOUNDED:
            notes += _note_scale(self.lowest, self.highest, self.score_range)
        systems, extent = self.systems.only(self.kept), (self.lowest, self.highest)
        if self.score_range != UNBOUNDED:
            return Scores(self._own(values), systems, self.score_range, tuple(notes), extent, kinds=self._kinds(values))
        notes.append(Note("no_range", {"lowest": self.lowest, "highest": self.highest}))
        limits = extent if self.lowest < self.highest else (self.lowest - 0.5, self.lowest + 0.5)
        found = self._own(values)
        return Scores(found, systems, limits, tuple(notes), extent, bounded=False, kinds=self._kinds(values))

    def _kinds(self, values: Floats) -> tuple[str, ...]:
        """The types of the systems that have scores."""
        kinds = [coarsest(self.kinds[s]) for s in self.kept]
        own = self._own(values)
        return tuple(type_of_doubles(own[s]) if kind == "float64" else kind for s, kind in enumerate(kinds))

    def _own(self, values: Floats) -> Floats:
        return values[self.kept] if self.missing.any() else values


def _without(values: Floats) -> Bools:
    """Which systems (S,) have no score at all; only those without one in the first row need be looked at."""
    empty = np.zeros(len(values), dtype=bool)
    for s in np.flatnonzero(np.isnan(values[:, :1]).any(axis=1)):
        empty[s] = np.isnan(values[s]).all()
    return empty


def _listed(names: Names, count: int) -> str:
    return ", ".join(names) if names else f"{count} without names"


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
        return ScoresError(f"score in {where} is {value} ({such} such); every row needs a finite score")
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
