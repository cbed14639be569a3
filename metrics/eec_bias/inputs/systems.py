"""Who gave scores: names of systems, and what each predicts."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from eec_bias.errors import OptionError, expect
from eec_bias.inputs.lookalikes import refuse_lookalikes
from eec_bias.notes import Note
from eec_bias.options import Ints, Tasks, check_names, is_name

Names = tuple[str, ...] | None


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
        """The system of a score, as the end of a sentence; empty where systems have no names."""
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


@dataclass(frozen=True, slots=True)
class Naming:
    """The options that name systems, or what they are ``known`` by."""

    systems: Any = None
    tasks: Tasks = None
    runs: Any = None
    known: Systems | None = None

    def name(self, count: int, given_names: Names, *, single: bool) -> Systems:
        """Choose the systems' names and tasks.

        Parameters
        ----------
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
        if self.known is not None:
            return self.known
        names = given_names
        if self.systems is not None:
            if given_names is not None:
                raise OptionError(
                    "systems are named by the scores, a mapping, and by the option systems; give one of them"
                )
            names = _one_per_row("systems", self.systems, count)
        elif given_names is None and not single and self.runs is None:
            names = tuple(f"system{i}" for i in range(count))
        for system_name in names or ():
            expect(is_name(system_name), "the name of a system", system_name, "a text that is not blank, on one line")
        tasks = _tasks(self.tasks, names, count)
        runs = None if self.runs is None else _one_per_row("runs", self.runs, count)
        whole = zip(names or ("",) * count, tasks or (None,) * count, runs or ("",) * count, strict=True)
        for (name, task, run), times in Counter(whole).items():
            title = f"{name}{f' (task {task})' if task else ''}"
            if times > 1 and runs is None:
                raise OptionError(f"systems has the same name twice: {title}")
            if times > 1:
                raise OptionError(f"runs has the run {run!r} twice{f' for the system {title}' if title else ''}")
        return Systems(names, tasks, runs)


NO_NAMING = Naming()


def _one_per_row(option: str, names: Any, count: int) -> tuple[str, ...]:
    # The name of a column comes here only where data cannot be long: compared, or in the table of an engine.
    of_long = "" if isinstance(names, str) else ", or the name of a column of the data"
    check_names(option, names, f", one per row of scores{of_long}")
    if len(names) != count:
        raise OptionError(f"{option} has {len(names)} names for {count} rows of scores; give one per row")
    return tuple(names)


def _tasks(tasks: Tasks, names: Names, count: int) -> tuple[str | None, ...] | None:
    if tasks is None:
        return None
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
