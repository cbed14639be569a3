"""Scores as a checked matrix, one row per system."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from eec_bias.errors import OptionError, ScoresError
from eec_bias.inputs.matrices import as_matrix
from eec_bias.options import Bools, Floats, Ints

Tasks = str | Sequence[str | None] | Mapping[str, str | None] | None

SCALES = ((-1.0, 1.0), (1.0, 5.0), (0.0, 10.0), (0.0, 100.0))
"""Usual scales, proposed where the scores fill at least half of one."""

WIDTHS = (1e-100, 1e100)
"""Outside these the square of a score leaves the range of floating point."""


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
    tasks : tuple of (str or None), or None
        What each system predicts; None where nothing was said.
    notes : tuple of str
        Systems left out because they have no score, and a declared range the scores do not use.
    """

    values: Floats
    systems: tuple[str, ...] | None
    score_range: tuple[float, float]
    tasks: tuple[str | None, ...] | None = None
    notes: tuple[str, ...] = ()

    @property
    def span(self) -> float:
        """Width of the declared range."""
        return self.score_range[1] - self.score_range[0]

    @property
    def observed(self) -> tuple[float, float]:
        """Lowest and highest score that came."""
        return (float(self.values.min()), float(self.values.max())) if self.values.size else (0.0, 0.0)

    def only(self, rows: Ints) -> "Scores":
        """Return the scores of some rows."""
        return Scores(self.values[:, rows], self.systems, self.score_range, self.tasks)

    def who(self, system: int) -> dict[str, Any]:
        """Return the keys that name a system in a row of the result."""
        named: dict[str, Any] = {} if self.systems is None else {"system": self.systems[system]}
        return named if self.tasks is None else named | {"task": self.tasks[system]}


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
    if not WIDTHS[0] <= high - low <= WIDTHS[1]:
        raise OptionError(
            f"score_range={score_range!r} is {high - low:.3g} wide; variances need a width between {WIDTHS[0]:g} and "
            f"{WIDTHS[1]:g}: rescale the scores"
        )
    return low, high


def read_scores(
    scores: Any,
    rows: int,
    score_range: Any = (0.0, 1.0),
    systems: Sequence[str] | None = None,
    tasks: Tasks = None,
) -> Scores:
    """Check scores and lay them out as systems × rows.

    Parameters
    ----------
    scores : (n,) or (S, n) array, or mapping or frame of system name to (n,) scores
        One score per row of the data, in the data's order. Scores that are checked already pass as they are.
    rows : int
        Number of rows of the data.
    score_range : (float, float)
        Lowest and highest possible score.
    systems : sequence of str, optional
        Names of the systems of a matrix.
    tasks : str, sequence or mapping of system to task, optional
        What the systems predict. A name may occur once per task.

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
    bounds = check_range(score_range)
    values, named, single = as_matrix(scores, rows)
    names, what = name_systems(len(values), named, systems, tasks, single=single)
    kept, notes = _with_scores(values, names, what)
    if notes:
        values = values[kept]
        names = None if names is None else tuple(names[i] for i in kept)
        what = None if what is None else tuple(what[i] for i in kept)
    low, high = check_values(values, names, bounds)
    return Scores(values, names, bounds, what, notes + unused_range(low, high, bounds))


def name_systems(
    count: int, named: tuple[str, ...] | None, systems: Sequence[str] | None, tasks: Tasks, *, single: bool
) -> tuple[tuple[str, ...] | None, tuple[str | None, ...] | None]:
    """Choose the systems' names and tasks.

    Parameters
    ----------
    count : int
        Number of systems.
    named : tuple of str, optional
        Names that came with the scores.
    systems, tasks
        The options.
    single : bool
        Whether the scores were one plain vector, which needs no name.

    Raises
    ------
    OptionError
        If there are too few or too many names or tasks, or a name comes twice for the same task.
    """
    names = named
    if systems is not None:
        if named is not None:
            raise OptionError("systems= was given besides a mapping that already names the systems; give one of them")
        if isinstance(systems, str) or not isinstance(systems, Iterable):
            raise OptionError(
                f"systems={systems!r}; expected one name per row of scores, or the name of a column of the data"
            )
        names = tuple(map(str, systems))
        if len(names) != count:
            raise OptionError(f"systems= has {len(names)} names for {count} rows of scores")
    elif named is None and not single:
        names = tuple(f"system{i}" for i in range(count))
    what = _tasks(tasks, names, count)
    if names is not None:
        both = list(zip(names, what or (None,) * count, strict=True))
        if len(set(both)) != count:
            name, task = next(pair for pair in both if both.count(pair) > 1)
            again = name if task is None else f"{name} (task {task})"
            raise OptionError(f"systems= has the same name twice: {again}")
    return names, what


def _tasks(tasks: Tasks, names: tuple[str, ...] | None, count: int) -> tuple[str | None, ...] | None:
    if tasks is None or isinstance(tasks, str):
        return None if tasks is None else (tasks,) * count
    if isinstance(tasks, Mapping):
        unknown = [name for name in tasks if name not in (names or ())]
        if unknown:
            raise OptionError(
                f"tasks= names the system {unknown[0]!r}; the systems are {', '.join(names or ('unnamed',))}"
            )
        return tuple(tasks.get(name) for name in names or ())
    found = tuple(tasks)
    if len(found) != count:
        raise OptionError(f"tasks= has {len(found)} entries for {count} systems; give one per system")
    return found


def _with_scores(
    values: Floats, names: tuple[str, ...] | None, tasks: tuple[str | None, ...] | None
) -> tuple[list[int], tuple[str, ...]]:
    """Return the systems that have scores, and a note for each that has none."""
    n = values.shape[1]
    # A system without scores has none in the first row either, which spares a pass over the matrix.
    empty = [s for s in np.flatnonzero(np.isnan(values[:, :1]).any(axis=1)).tolist() if np.isnan(values[s]).all()]
    if not empty or not n:
        return [], ()
    if len(empty) == len(values):
        raise ScoresError(f"there are no scores: all {n} of every system are NaN")
    kept = [s for s in range(len(values)) if s not in set(empty)]
    labels = [name if not tasks or tasks[s] is None else f"{name} ({tasks[s]})" for s, name in enumerate(names or ())]
    return kept, tuple(f"system {labels[s]!r} is left out: all its {n} scores are NaN" for s in empty)


def check_values(values: Floats, names: tuple[str, ...] | None, bounds: tuple[float, float]) -> tuple[float, float]:
    """Return lowest and highest score.

    Raises
    ------
    ScoresError
        Naming the first score that is missing or outside the range.
    """
    low, high = bounds
    if not values.size:
        return low, high
    lowest, highest = float(values.min()), float(values.max())
    if lowest >= low and highest <= high:
        return lowest, highest
    good = (values >= low) & (values <= high)
    system, row = (int(i) for i in np.argwhere(~good)[0])
    where = f"row {row} (rows count from 0)" + (f" of system {names[system]!r}" if names else "")
    value = float(values[system, row])
    count = int((~good[system]).sum())
    if not np.isfinite(value):
        missing = int((~np.isfinite(values[system])).sum())
        raise ScoresError(f"score in {where} is {value} ({missing} such); every row needs a finite score")
    raise ScoresError(
        f"score in {where} is {value!r}, outside [{low:g}, {high:g}] ({count} such); "
        f"declare the scale of the scores with score_range={_suggested(values, good)}"
    )


def _suggested(values: Floats, good: Bools) -> str:
    """Name a usual scale the scores could be on, unless a few strays are outside; else say what to write."""
    finite = values[np.isfinite(values)]
    low, high = float(finite.min()), float(finite.max())
    for bottom, top in SCALES if good.mean() < 0.9 else ():
        if bottom <= low and high <= top and high - low >= (top - bottom) / 2:
            return f"({bottom:g}, {top:g}), if that is it: they run from {low:.4g} to {high:.4g}"
    return "(low, high)"


def unused_range(lowest: float, highest: float, bounds: tuple[float, float]) -> tuple[str, ...]:
    """Note scores, from lowest to highest, that all lie in [0, 1] although a wider range was declared."""
    low, high = bounds
    if (low, high) == (0.0, 1.0) or low > 0 or high < 1 or lowest < 0 or highest > 1:
        return ()
    return (
        f"all scores lie in [0, 1], within the declared score_range=({low:g}, {high:g}); if [0, 1] is their scale, "
        "declare that: effects are in the declared units, and the beta regression is on the declared range",
    )
