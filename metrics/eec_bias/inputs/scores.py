"""Scores: systems × runs × rows, with who gave them and how far they may run."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from eec_bias.errors import OptionError, ScoresError, expect
from eec_bias.inputs.labels import refuse_lookalikes
from eec_bias.notes import Note
from eec_bias.options import Floats, Ints, MeasureOptions, check_names, is_name
from eec_bias.stats.layout import Table
from eec_bias.stats.resolution import of_type
from eec_bias.stats.rounding import largest_size, span_of
from eec_bias.stats.units import UnitScores

Names = tuple[str, ...] | None

UNBOUNDED = (-np.inf, np.inf)
"""The range of scores of which none is known."""


@dataclass(frozen=True, slots=True)
class Systems:
    """Systems by their positions.

    Attributes
    ----------
    names : tuple of str, or None
        None where one unnamed vector was given.
    tasks : tuple of (str or None), or None
        What each predicts; None where nothing was said.
    runs : tuple of str, or None
        Which run (prompt, seed) of its system each row is; None where every row is a system.
    order : (S, n) integer array, or None
        Rows of long data that their scores came from; None where these stand in the order of the data.
    """

    names: Names
    tasks: tuple[str | None, ...] | None = None
    runs: tuple[str, ...] | None = None
    order: Ints | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        """Refuse names that look alike."""
        for what, names in (("systems", self.names), ("tasks", self.tasks), ("runs", self.runs)):
            refuse_lookalikes((name for name in names or () if name is not None), what, OptionError)

    def only(self, kept: Ints) -> "Systems":
        """Return some of them."""
        names, tasks, runs = (
            None if column is None else tuple(column[s] for s in kept) for column in (self.names, self.tasks, self.runs)
        )
        return Systems(names, tasks, runs, None if self.order is None else self.order[kept])

    def title(self, s: int) -> str:
        """Name a system, with its task."""
        name = "" if self.names is None else self.names[s]
        return f"{name} ({self.tasks[s]})" if self.tasks is not None and self.tasks[s] else name

    def subject(self, s: int) -> str:
        """Name a system, and the run where there are several, as the subject of a sentence."""
        title = self.title(s)
        system = f"system {title!r}" if title else "the system"
        return system if self.runs is None else f"run {self.runs[s]!r} of {system}"

    def subject_note(self, s: int) -> Note:
        """Name a system, and the run where there are several, in a note."""
        title = self.title(s)
        system = Note("named_system", {"title": title}) if title else Note("one_system")
        return system if self.runs is None else Note("run_of_system", {"run": self.runs[s], "subject": system})

    def of(self, s: int) -> str:
        """Name the system of a score, as the end of a sentence; empty where systems have no names."""
        run = "" if self.runs is None else f" in run {self.runs[s]!r}"
        return (f" of system {self.names[s]!r}" if self.names else "") + run

    def row(self, s: int, row: int) -> int:
        """Return the row of the data that a score came from."""
        return int(row if self.order is None else self.order[s, row])

    def place(self, s: int, row: int) -> str:
        """Return where a score stands, as text."""
        return f"row {self.row(s, row)} (rows count from 0){self.of(s)}"

    def keys_of(self, s: int) -> dict[str, Any]:
        """Return the keys that name a system in a row of the result."""
        keys: dict[str, Any] = {} if self.names is None else {"system": self.names[s]}
        return keys if self.tasks is None else keys | {"task": self.tasks[s]}


UNNAMED = Systems(None)


def name_systems(options: MeasureOptions, count: int, given_names: Names, *, single: bool) -> Systems:
    """Choose the names, tasks and runs of systems by the options.

    Parameters
    ----------
    options : MeasureOptions
        Those that name systems, tasks and runs are followed.
    count : int
        Number of systems.
    given_names : tuple of str, optional
        Names that came with the scores.
    single : bool
        Whether the scores were one plain vector, which needs no name.

    Raises
    ------
    OptionError
        If there are too few or too many names, tasks or runs, or a name comes twice for the same task and run.
    """
    names = given_names
    if options.systems is not None:
        if given_names is not None:
            raise OptionError("systems are named by the scores, a mapping, and by the option systems; give one of them")
        names = _one_per_row("systems", options.systems, count)
    elif given_names is None and not single and options.runs is None:
        names = tuple(f"system{i}" for i in range(count))
    for system_name in names or ():
        expect(is_name(system_name), "the name of a system", system_name, "a text that is not blank, on one line")
    tasks = None if options.tasks is None else _tasks(options.tasks, names, count)
    runs = None if options.runs is None else _one_per_row("runs", options.runs, count)
    whole = zip(names or ("",) * count, tasks or (None,) * count, runs or ("",) * count, strict=True)
    for (name, task, run), times in Counter(whole).items():
        title = f"{name}{f' (task {task})' if task else ''}"
        if times > 1 and runs is None:
            raise OptionError(f"systems has the same name twice: {title}")
        if times > 1:
            raise OptionError(f"runs has the run {run!r} twice{f' for the system {title}' if title else ''}")
    return Systems(names, tasks, runs)


def _one_per_row(option: str, names: Any, count: int) -> tuple[str, ...]:
    # The name of a column comes here only where data cannot be long: compared, or in the table of an engine.
    of_long = "" if isinstance(names, str) else ", or the name of a column of the data"
    check_names(option, names, f", one per row of scores{of_long}")
    if len(names) != count:
        raise OptionError(f"{option} has {len(names)} names for {count} rows of scores; give one per row")
    return tuple(names)


def _tasks(tasks: Any, names: Names, count: int) -> tuple[str | None, ...]:
    values = tasks.values() if isinstance(tasks, Mapping) else tasks
    listed: tuple[Any, ...] = tuple(values) if isinstance(tasks, list | tuple | Mapping) else (tasks,)
    fit = all(task is None or is_name(task) for task in listed) and (names or tasks)
    expect(fit, "tasks", tasks, "one task, a list of one per system, or tasks by system")
    if isinstance(tasks, Mapping):
        for name in tasks:
            if name not in (names or ()):
                known = (
                    f"the systems are {', '.join(names)}" if names else "the systems have no names: give a task alone"
                )
                raise OptionError(f"tasks names the system {name!r}; {known}")
        return tuple(tasks.get(name) for name in names or ("",) * count)
    if isinstance(tasks, str):
        return (tasks,) * count
    if len(listed) != count:
        raise OptionError(f"tasks has {len(listed)} entries for {count} systems; give one per system")
    return listed


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
        """Return the lowest and highest score."""
        every = self.values if self.runs is None else self.runs
        known = every[~np.isnan(every)]
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
        """Return the type of a system's numbers."""
        return self.kinds[system] if self.kinds else "float64"

    @property
    def point(self) -> float:
        """Return one point in units of the scores: a hundredth of the declared range of one system, else one unit."""
        if not self.bounded:
            return 1.0
        low, high = self.score_range
        # Differences of two systems reach as far below 0 as above.
        return (high - low) / (200 if self.differences else 100)

    @property
    def span(self) -> float:
        """Return the width of the declared range, the unit of what counts as 0."""
        return span_of(self.score_range)

    def only(self, rows: Ints) -> "Scores":
        """Return the scores of some rows, without runs."""
        return replace(self, values=self.values[:, rows], notes=(), runs=None)


def not_finite(where: str, value: float, such: int) -> ScoresError:
    """Return the error for a score that is infinite, or missing where none may be."""
    if np.isnan(value):
        remedy = "every row needs a finite score here; the default test with incomplete 'estimate' measures without it"
    else:
        remedy = "scores are finite numbers; give NaN for no score, or bound the probability before its logit"
    return ScoresError(f"score in {where} is {value} ({such} such); {remedy}")


def mean_over_runs(runs: Floats) -> Floats:
    """Return the mean of the runs (S, N, n) in which a row has a score, (S, n); NaN where it has none in any."""
    known = ~np.isnan(runs)
    count = known.sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.where(known, runs, 0.0).sum(axis=1) / count
    # The mean of equal scores is that score: rounding may take it off the edge of the range, or beyond.
    lowest = np.where(known, runs, np.inf).min(axis=1)
    highest = np.where(known, runs, -np.inf).max(axis=1)
    return np.where(count > 0, np.clip(mean, lowest, highest), np.nan)


def gathered(scores: Scores, table: Table) -> UnitScores:
    """Lay scores out as persons × items."""
    of_phrases = None if table.phrases is None else table.phrases.gather(scores.values)
    runs = None if scores.runs is None else table.gather(scores.runs)
    return UnitScores(table.gather(scores.values), runs, of_phrases=of_phrases)
