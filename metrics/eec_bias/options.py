"""The options of `measure` and of the methods, each declared once, and the types of arrays and of choices."""

import functools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from operator import index
from typing import Any, Literal, ParamSpec, TypeAlias, TypedDict, TypeGuard, TypeVar, get_args

import numpy as np
from numpy.typing import NDArray

from eec_bias.errors import OptionError, expect

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.intp]
Bools: TypeAlias = NDArray[np.bool_]

Adjust = Literal["holm", "bh", "by", "maxt", "none"]
ACROSS_SYSTEMS = ("bh", "by")
"""Adjustments within a subset over all systems; the others are within each system."""
Comparisons = Literal["default", "pairwise"]
Incomplete = Literal["refuse", "shared"]
FewRuns = Literal["refuse", "rough"]
OutputKind = Literal["score", "ordinal", "class", "probabilities"]
Permutations = int | Literal["exact"]
Layout = Literal["text", "csv", "latex"]

UNMARKED = "unmarked"
"""The label of rows that say nothing on an axis; they take no part in its terms."""

MEAN = "mean"
"""What stands in the column ``reference`` where a level is compared with the mean of all levels."""

ANY = "any"
"""The level of a row that tests whether any level of a term differs."""

CUE = "cue"
"""What stands for the cue in terms and axes of rows that compare the effects by two of them: ``race:cue``."""

RESERVED = ("system", "task", "stratum", "output", "subset", "n_persons", "n_sentences", "mean", "sd_persons", CUE)
"""What no axis can be called: the other columns of rows that have one of each axis."""

FEWEST = 99
"""Fewer draws than these cannot say anything at the 5 % level."""

MOST = 10_000_000
"""More draws than these are a slip of the keyboard."""

Kind = Literal[
    "choice", "flag", "draws", "count", "number", "finite", "edge", "range", "text", "texts", "numbers", "pairs"
]
"""What an option takes: one of its choices; yes or no; a number of draws (0: none) or one of its choices; a whole
number from 0; a positive number; any number; ``none``, ``squeeze`` or ``clip:EPS``; two numbers, the lower first; a
text; several texts; several numbers; or a mapping, such as of axis to level."""


@dataclass(frozen=True, slots=True)
class Option:
    """One option, as Python, the `evaluate` module and the command line take it.

    Attributes
    ----------
    name : str
        In Python and in messages.
    kind : str
        What it takes, see `Kind`.
    help : str
        One line.
    default : object
        In Python.
    choices : tuple of str
        The words it can be.
    flag : str
        On the command line, without dashes, where that is not the name.
    metavar : str
        What stands for the value in help.
    least : int
        Of a count.
    """

    name: str
    kind: Kind
    help: str
    default: Any = None
    choices: tuple[str, ...] = ()
    flag: str = ""
    metavar: str = ""
    least: int = 0

    @property
    def repeats(self) -> bool:
        """Whether the command line takes it several times."""
        return self.kind in ("texts", "numbers", "pairs")

    def check(self, value: Any) -> None:
        """Check a value by itself; what it means for the data is checked where they are known.

        Raises
        ------
        OptionError
            If it is none that the option can take.
        """
        if value is None and self.default is None:
            return
        if self.kind == "choice":
            one_of(self.name, value, self.choices)
        elif self.kind == "edge":
            parse_edge(value)
        elif self.kind != "draws" or not isinstance(value, str) or value not in self.choices:
            number = whole_number(value)
            most, least = f" and {MOST:,} at most" * (number > MOST), self.least
            draws = f"draws, {FEWEST} at least{most}" + "".join(f", or {word!r}" for word in self.choices)
            units = "in the units of the scores, such as"
            fits, expected = {
                "flag": (isinstance(value, bool | np.bool_), "True or False"),
                "draws": (number == 0 or FEWEST <= number <= MOST, f"0 for none, or a number of {draws}"),
                "count": (number >= least, f"a whole number of {least} or more, which the signature can state"),
                "number": (is_number(value) and value > 0, f"a positive number {units} 0.02"),
                "finite": (is_number(value), f"a finite number {units} 0.5"),
                "text": (is_name(value), "one name"),
            }.get(self.kind, (True, ""))
            expect(fits, self.name, value, expected)


def parse_edge(edge: str) -> float | None:
    """Return the EPS of ``clip:EPS``, and None for ``none`` and ``squeeze``.

    Raises
    ------
    OptionError
        If the text is none of the three forms.
    """
    if isinstance(edge, str) and edge in ("none", "squeeze"):
        return None
    kind, _, text = edge.partition(":") if isinstance(edge, str) else ("", "", "")
    try:
        eps = np.nan if "_" in text else float(text)
    except ValueError:
        eps = np.nan
    if kind != "clip" or not 0.0 < eps < 0.5:
        raise OptionError(
            f"edge {edge!r} is not an edge treatment; choose none, squeeze, or clip:EPS with EPS between 0 and 0.5, "
            "such as clip:0.001"
        )
    return eps


def check_names(name: str, names: Any, more: str = "") -> None:
    """Refuse what is no sequence of names; a set has no order, and would give another signature every time."""
    are_names = is_sequence(names) and all(map(is_name, names))
    expect(are_names, name, names, f"a sequence of names, such as ['a', 'b']{more}")


def is_sequence(value: object) -> TypeGuard[Sequence[Any]]:
    """Whether a value holds others in an order, as no text, set or mapping does."""
    ordered = hasattr(value, "__len__") and hasattr(value, "__getitem__") and getattr(value, "ndim", 1) == 1
    return ordered and not isinstance(value, bytes | str | Mapping)


def is_name(value: Any) -> bool:
    """Whether a value is a text that is not blank, on one line."""
    return isinstance(value, str) and bool(value.strip()) and len(value.splitlines()) == 1


def is_number(value: Any) -> bool:
    """Whether a value is one finite number."""
    return isinstance(value, Real) and not isinstance(value, bool | np.bool_) and math.isfinite(value)


AXES = Option("axes", "texts", "Column of groups.", flag="axis", metavar="COLUMN")
REFERENCE = Option(
    "reference", "pairs", "What the levels of an axis are compared with; --no-reference: the mean of all.", "default",
    metavar="AXIS=LEVEL",
)  # fmt: skip
SCORE_RANGE = Option("score_range", "range", "Lowest and highest possible score.", (0.0, 1.0), flag="score-range")
ADJUST = Option("adjust", "choice", "Adjustment of p for several terms.", "holm", get_args(Adjust))
EDGE = Option(
    "edge", "edge", "What the beta regression does with scores at the ends of the range.", "none",
    ("none", "squeeze", "clip:EPS"), metavar="none|squeeze|clip:EPS",
)  # fmt: skip
INCOMPLETE = Option(
    "incomplete", "choice", "If persons lack sentences: refuse, or keep the sentences that all persons share.",
    "refuse", get_args(Incomplete),
)  # fmt: skip
SIMPLE = Option("simple", "flag", "Add each axis' effects within the levels of the others.", default=False)
CONTRASTS = Option(
    "contrasts", "choice", "How axes with more than two levels are reported.", "default", get_args(Comparisons)
)
BY = Option("by", "text", "Column, such as emotion: terms for each of its values.", metavar="COLUMN")
OUTPUTS = Option(
    "outputs", "choice", "What the scores are; all but score add the rate of each class.", "score",
    get_args(OutputKind),
)  # fmt: skip
CLASSES = Option("classes", "pairs", "Class, with its value where there is one.", flag="class", metavar="CLASS[=VALUE]")
SYSTEMS = Option("systems", "texts", "Name of a system; or the column of long data that names it.", metavar="NAME")
TASKS = Option(
    "tasks", "texts", "What the systems predict; or the column of long data that names it.", flag="task", metavar="TASK"
)
RUNS = Option(
    "runs", "texts", "Run (prompt, seed) of a row of scores; or the column of long data that names it.",
    flag="run", metavar="RUN",
)  # fmt: skip
FEW_RUNS = Option(
    "few_runs", "choice", "With two or three runs of a system: refuse them, or mark their rows as rough.", "refuse",
    get_args(FewRuns), flag="few-runs",
)  # fmt: skip
PERMUTATIONS = Option(
    "permutations", "draws", "Relabellings of the names to draw, or 'exact' for all of them.", 0, ("exact",),
    metavar="N",
)  # fmt: skip
BOOTSTRAP = Option(
    "bootstrap", "draws", "Resamples to draw: of persons, for the method perturbation of sentences.", 0, metavar="N"
)
REFIT = Option("refit", "flag", "Fit the beta regression to every resample.", default=False)
SEED = Option("seed", "count", "Seed of all random draws.", 0, metavar="N")
MARGIN = Option("margin", "number", "Half-width of an interval tested for equivalence, in units of the scores.")
RATE_ABOVE = Option(
    "rate_above", "finite", "Also compare how often scores lie above this threshold, by difference and ratio.",
    metavar="T",
)  # fmt: skip
DATA_NAME = Option("data_name", "text", "Name of the data in the signature.", flag="data-name", metavar="NAME")
GROUP = Option("group", "texts", "Column that groups the names.", metavar="COLUMN")
THRESHOLDS = Option("thresholds", "numbers", "Threshold of LabelDist.", flag="threshold", metavar="C")
BASELINE = Option("baseline", "texts", "Person whose sentences are the originals.", metavar="PERSON")
WEIGHTS = Option("weights", "pairs", "Weight of rejections at a level of confidence.", flag="weight", metavar="LEVEL=W")
ASSESSMENTS = Option("assessments", "count", "Number of tests the level is divided by.", metavar="N", least=1)
LEVELS = Option("levels", "count", "Number of rating levels.", metavar="N", least=2)

_SCORES = (SCORE_RANGE, SYSTEMS, TASKS, DATA_NAME)

FUNCTIONS: dict[str, tuple[Option, ...]] = {
    "default": (
        AXES, REFERENCE, SCORE_RANGE, ADJUST, EDGE, INCOMPLETE, SIMPLE, CONTRASTS, BY, OUTPUTS, CLASSES, SYSTEMS,
        TASKS, RUNS, FEW_RUNS, PERMUTATIONS, BOOTSTRAP, REFIT, SEED, MARGIN, RATE_ABOVE, DATA_NAME,
    ),
    "camara2022": (AXES, REFERENCE, EDGE, *_SCORES),
    "kiritchenko2018": (AXES, REFERENCE, ASSESSMENTS, *_SCORES),
    "perturbation": (GROUP, THRESHOLDS, BASELINE, REFERENCE, ADJUST, EDGE, INCOMPLETE, BOOTSTRAP, SEED, *_SCORES),
    "rating": (WEIGHTS, LEVELS, *_SCORES),
}  # fmt: skip
"""The options of `measure` (``default``) and of each method of `eec_bias.methods`."""

METHODS = tuple(FUNCTIONS)

DEFAULTS = {option.name: option.default for option in FUNCTIONS["default"]}
"""What the options of `measure` are where nothing is said."""


IN_MEMORY = ("by", "outputs", "classes", "refit", "runs", "few_runs", "rate_above")
"""Options of `measure` that need the rows in memory."""


class SumOptions(TypedDict, total=False):
    """Options of `measure` that need no more than sums, with its defaults."""

    reference: Any
    adjust: Adjust
    simple: bool
    contrasts: Comparisons
    permutations: Permutations
    bootstrap: int
    seed: int
    margin: float | None


class FrameOptions(SumOptions, total=False):
    """Options of `measure` that an engine can follow."""

    edge: str
    incomplete: Incomplete


def check_options(method: str, options: Mapping[str, Any]) -> None:
    """Check options by their declarations.

    Parameters
    ----------
    method : str
        A key of `FUNCTIONS`.
    options : mapping of str to object
        The options by name.

    Raises
    ------
    OptionError
        If the method has no such option, or the value is none that it can take.
    """
    declared = {option.name: option for option in FUNCTIONS[method]}
    refuse_foreign(method, options)
    for name, value in options.items():
        declared[name].check(value)


P = ParamSpec("P")
R = TypeVar("R")


def checked(method: str, *others: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Check the options that a function is called with by their declarations; scores, data and ``others`` are none."""

    def wrap(function: Callable[P, R]) -> Callable[P, R]:
        @functools.wraps(function)
        def call(*args: P.args, **given: P.kwargs) -> R:
            places = ("scores", "data", *others)
            check_options(method, {name: value for name, value in given.items() if name not in places})
            return function(*args, **given)

        return call

    return wrap


def refuse_foreign(method: str, names: Iterable[str]) -> None:
    """Refuse options that a method does not have.

    Raises
    ------
    OptionError
        Naming the first of them, and the methods that have it.
    """
    names_known = [option.name for option in FUNCTIONS[method]]
    for name in names:
        if name in names_known:
            continue
        owners = [owner for owner, options in FUNCTIONS.items() if name in [option.name for option in options]]
        whose = f"; it belongs to the method {' and '.join(owners)}" if owners else ""
        raise OptionError(f"the method {method} has no option {name}{whose}; its options are {', '.join(names_known)}")


def one_of(name: str, value: Any, allowed: tuple[str, ...]) -> None:
    """Check a word against those it can be.

    Raises
    ------
    OptionError
        If ``value`` is not one of ``allowed``.
    """
    if not isinstance(value, str) or value not in allowed:
        raise OptionError(f"{name} {value!r} is unknown; choose one of {', '.join(map(repr, allowed))}")


def whole_number(value: Any) -> int:
    """Return a whole number; −1 for anything else."""
    try:
        return -1 if isinstance(value, bool) else index(value)
    except TypeError:
        return -1
