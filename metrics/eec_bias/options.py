"""The options of `measure` and of the methods, each declared once, and the types of arrays and of choices."""

import functools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from numbers import Real
from operator import index
from typing import Any, Final, Literal, ParamSpec, TypeAlias, TypeGuard, TypeVar, get_args

import numpy as np
from numpy.typing import NDArray

from eec_bias.errors import OptionError, did_you_mean, expect

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.intp]
Bools: TypeAlias = NDArray[np.bool_]

Incomplete = Literal["estimate", "refuse", "shared"]
OutputKind = Literal["score", "ordinal", "class", "probabilities"]
Threshold = float | Literal["median"]
VALENCE: Final[Mapping[str, int]] = {"joy": 1, "anger": -1, "fear": -1, "sadness": -1}
"""The sign of each emotion, unless `valence` says otherwise."""

Tasks = str | Sequence[str | None] | Mapping[str, str | None] | None
Layout = Literal["text", "csv", "latex"]

UNMARKED = "unmarked"
"""The label of rows that say nothing on an axis; they take no part in its terms."""

MEAN = "mean"
"""Entry in the column ``reference`` if a level is compared with the mean of all levels."""

MEDIAN: Final = "median"
"""The threshold that each item has of its own: the median of the scores of all persons compared there."""

ANY = "any"
"""The level of a row that tests whether any level of a term differs."""

CUE = "cue"
"""Name of the cue in terms and axes of rows that compare the effects by two cues: ``race:cue``."""

AGREES, SAME = "agrees", "same"
"""The values of the column ``agreement``: items whose words agree with the person, and the others."""

RESERVED = ("system", "task", "stratum", "output", "subset", "n_persons", "n_sentences", "mean", "sd_persons", CUE)
"""Names that no axis can have: the other columns of rows with a column for each axis."""

KIND_OF_SCORES, TABLES, STATISTICS = "What the scores are", "Reading tables", "Statistics"
PERTURBATION = "Method perturbation"
"""Headings of options in the help of commands."""

FEWEST = 99
"""Fewer draws than these cannot say anything at the 5 % level."""

MOST = 10_000_000
"""More draws than these are a slip of the keyboard."""

Kind = Literal[
    "choice", "draws", "count", "number", "share", "finite", "edge", "range", "text", "texts", "numbers",
    "pairs",
]  # fmt: skip
"""Value of an option: one of its choices; a number of draws (0: none) or one of its choices; a whole
number from 0; a positive number; a number between 0 and 1; any number or one of its choices; ``none``, ``squeeze`` or
``clip:EPS``; two numbers, the lower first; a text; several texts; several numbers; or a mapping, such as of axis to
level."""


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
    heading : str
        Under which ``--help-all`` lists it; empty for the options that ``--help`` shows.
    """

    name: str
    kind: Kind
    help: str
    default: Any = None
    choices: tuple[str, ...] = ()
    flag: str = ""
    metavar: str = ""
    least: int = 0
    heading: str = ""

    @property
    def repeats(self) -> bool:
        """Return whether the command line takes it several times."""
        return self.kind in ("texts", "numbers", "pairs")

    def check(self, value: Any) -> None:
        """Check a value by itself; whether it fits the data is checked where these are known.

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
        elif self.kind == "draws":
            self._check_draws(value)
        elif self.kind == "count":
            expected = f"a whole number of {self.least} or more, which the signature can state"
            expect(whole_number(value) >= self.least, self.name, value, expected)
        elif self.kind == "number":
            expected = "a positive number of points, such as 5"
            expect(is_number(value) and value > 0, self.name, value, expected)
        elif self.kind == "share":
            example = "0.8" if self.default is None else f"{self.default} for {self.default:.0%}"
            expected = f"a number above 0 and below 1, such as {example}"
            expect(is_number(value) and 0 < value < 1, self.name, value, expected)
        elif self.kind == "finite":
            self._check_finite(value)
        elif self.kind == "text":
            expect(is_name(value), self.name, value, "one name")

    def _check_finite(self, value: Any) -> None:
        if isinstance(value, str) and value in self.choices:
            return
        expected = "a finite number in the units of the scores, such as 0.5"
        for word in self.choices:
            expected += f", or {word!r}"
        expect(is_number(value), self.name, value, expected)

    def _check_draws(self, value: Any) -> None:
        if isinstance(value, str) and value in self.choices:
            return
        number = whole_number(value)
        expected = f"0 for none, or a number of draws, {FEWEST} at least"
        if number > MOST:
            expected += f" and {MOST:,} at most"
        for word in self.choices:
            expected += f", or {word!r}"
        expect(number == 0 or FEWEST <= number <= MOST, self.name, value, expected)


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
    """Refuse what is no sequence of names; a set has no order and would give a different signature every time."""
    are_names = is_sequence(names) and all(map(is_name, names))
    expect(are_names, name, names, f"a sequence of names, such as ['a', 'b']{more}")


def is_sequence(value: object) -> TypeGuard[Sequence[Any]]:
    """Return whether a value holds others in an order, as no text, set or mapping does."""
    ordered = hasattr(value, "__len__") and hasattr(value, "__getitem__") and getattr(value, "ndim", 1) == 1
    return ordered and not isinstance(value, bytes | str | Mapping)


def is_name(value: Any) -> bool:
    """Return whether a value is a text that is not blank, on one line."""
    return isinstance(value, str) and bool(value.strip()) and len(value.splitlines()) == 1


def is_number(value: Any) -> bool:
    """Return whether a value is one finite number."""
    if not isinstance(value, Real) or isinstance(value, bool | np.bool_):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:  # a whole number beyond all floats
        return False


def one_of(name: str, value: Any, allowed: tuple[str, ...]) -> None:
    """Check a word against those it can be.

    Raises
    ------
    OptionError
        If ``value`` is not one of ``allowed``.
    """
    if not isinstance(value, str) or value not in allowed:
        choices = ", ".join(map(repr, allowed))
        raise OptionError(f"{name} {value!r} is unknown; choose one of {choices}{did_you_mean(value, allowed)}")


def whole_number(value: Any) -> int:
    """Return a whole number; −1 for anything else."""
    try:
        return -1 if isinstance(value, bool) else index(value)
    except TypeError:
        return -1


def says(kind: Kind, text: str, **more: Any) -> dict[str, Any]:
    """Return the metadata of a field that declares an option; ``text`` is its help, see `Option` for the rest."""
    return {"kind": kind, "help": text, **more}


def declared_options(declaring: type) -> tuple[Option, ...]:
    """Return the options that the fields of a dataclass declare, in their order."""
    return tuple(Option(each.name, default=each.default, **each.metadata) for each in fields(declaring))


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasureOptions:
    """The options of `measure`; its documentation says what they mean.

    Every value is checked by itself when the options are made; what it means for the data is checked where these are
    known.

    Raises
    ------
    OptionError
        If an option cannot take the value it was given.
    """

    config: str | None = field(
        default=None,
        metadata=says(
            "text",
            "Corpus of the sentences (see eec configs). By default the first with all sentences.",
            metavar="NAME",
        ),
    )
    text: str | None = field(default=None, metadata=says("text", "Column of sentences.", metavar="COLUMN"))
    score: Sequence[str] | str | None = field(
        default=None,
        metadata=says("texts", "Column of scores, one per system; may be repeated.", metavar="COLUMN"),
    )
    axes: Sequence[str] | None = field(
        default=None, metadata=says("texts", "Column of groups.", flag="axis", metavar="COLUMN", heading=STATISTICS)
    )
    reference: Any = field(
        default="default",
        metadata=says(
            "pairs",
            "Group with which we compare the other groups of an axis. --no-reference: the mean of all.",
            metavar="AXIS=LEVEL",
            heading=STATISTICS,
        ),
    )
    score_range: tuple[float, float] | None = field(
        default=(0.0, 1.0), metadata=says("range", "Lowest and highest possible score.", flag="score-range")
    )
    confidence: float = field(
        default=0.95,
        metadata=says(
            "share",
            "Confidence of intervals. The level of the tests is 1 minus this number.",
            metavar="LEVEL",
            heading=STATISTICS,
        ),
    )
    incomplete: Incomplete = field(
        default="estimate",
        metadata=says(
            "choice",
            "If scores are missing: estimate gaps from the others, refuse, or keep items that all persons share.",
            choices=get_args(Incomplete),
            heading=STATISTICS,
        ),
    )
    families: Sequence[str] | None = field(
        default=("family", "ending"),
        metadata=says(
            "texts",
            "Column that says which names are related, such as by their first letters. none: no such column.",
            metavar="COLUMN",
            heading=STATISTICS,
        ),
    )
    by: str | None = field(
        default=None,
        metadata=says(
            "text",
            "Measure each value of this column, such as emotion, by itself.",
            metavar="COLUMN",
            heading=STATISTICS,
        ),
    )
    outputs: OutputKind | None = field(
        default=None,
        metadata=says(
            "choice",
            "Kind of the outputs. By default numbers are scores; if all are 0 or 1, we compare rates.",
            choices=get_args(OutputKind),
            heading=KIND_OF_SCORES,
        ),
    )
    classes: Mapping[Any, float] | Sequence[Any] | None = field(
        default=None,
        metadata=says(
            "pairs", "Classes, and a number for each class.", metavar="CLASS[=VALUE],…", heading=KIND_OF_SCORES
        ),
    )
    positive_class: str | None = field(
        default=None,
        metadata=says(
            "text",
            "Class in a pipeline's output whose probability is the score.",
            flag="positive-class",
            metavar="LABEL",
            heading=KIND_OF_SCORES,
        ),
    )
    systems: Sequence[str] | str | None = field(
        default=None,
        metadata=says(
            "texts",
            "Name of a system, or the column that names it in each row.",
            metavar="NAME",
            heading=TABLES,
        ),
    )
    tasks: Tasks = field(
        default=None,
        metadata=says(
            "texts",
            "Task of a system, or the column that names it.",
            flag="task",
            metavar="TASK",
            heading=TABLES,
        ),
    )
    runs: Sequence[str] | str | None = field(
        default=None,
        metadata=says(
            "texts",
            "Column with the scores of one run (prompt, seed), or column that names the run of each row.",
            flag="run",
            metavar="RUN",
            heading=TABLES,
        ),
    )
    control: int = field(
        default=1000,
        metadata=says(
            "draws",
            "How often to put names and words into random groups, to see gaps by chance. 0: never.",
            metavar="N",
            heading=STATISTICS,
        ),
    )
    seed: int = field(default=0, metadata=says("count", "Seed of all random draws.", metavar="N", heading=STATISTICS))
    resolution: float | None = field(
        default=None,
        metadata=says(
            "number",
            "Largest difference between two scores that count as equal. By default only rounding errors.",
            heading=STATISTICS,
        ),
    )
    margin: float | None = field(
        default=None,
        metadata=says("number", "The largest gap, in points, that you accept as close to none."),
    )
    rate_above: Threshold | None = field(
        default=None,
        metadata=says(
            "finite",
            "Also compare how often scores are above this threshold, or above the median of their item.",
            choices=(MEDIAN,),
            metavar="T|median",
            heading=STATISTICS,
        ),
    )
    valence: Mapping[str, int] | None = field(
        default=None,
        metadata=says(
            "pairs",
            "Sign of an emotion: 1 or -1. By default joy is positive; anger, fear and sadness are negative.",
            metavar="EMOTION=SIGN",
            heading=STATISTICS,
        ),
    )
    reaction_margin: float | None = field(
        default=None,
        metadata=says(
            "share",
            "Smallest ratio of two groups' reactions that you accept as close to equal, such as 0.8.",
            flag="reaction-margin",
            metavar="RATIO",
            heading=STATISTICS,
        ),
    )
    high_means: str | None = field(
        default=None,
        metadata=says("text", "What a high score means, such as positive or toxic.", flag="high-means", metavar="WORD"),
    )

    def __post_init__(self) -> None:
        for option in OPTIONS_OF_MEASURE:
            option.check(getattr(self, option.name))
        if self.valence is not None:
            are_signs = isinstance(self.valence, Mapping) and set(self.valence.values()) == {1, -1}
            expected = "1 for each positive emotion and -1 for each negative one, such as {'joy': 1, 'anger': -1}"
            expect(are_signs, "valence", self.valence, expected)

    @property
    def output_kind(self) -> OutputKind:
        """Return what the scores are read as."""
        return self.outputs or "score"

    @property
    def signs(self) -> Mapping[str, int]:
        """Return 1 or −1 for each positive or negative emotion."""
        return VALENCE if self.valence is None else self.valence


OPTIONS_OF_MEASURE = declared_options(MeasureOptions)

DEFAULTS = MeasureOptions()
"""The options of `measure` where nothing is said."""


def _as_in_measure(*names: str) -> tuple[Option, ...]:
    return tuple(option for name in names for option in OPTIONS_OF_MEASURE if option.name == name)


_SCORES = _as_in_measure("score_range", "systems", "tasks")

OF_TABLES = ("config", "text", "score")
"""Options of one table with sentences and scores, which columns and rows with labels do not need."""

FUNCTIONS: dict[str, tuple[Option, ...]] = {
    "default": OPTIONS_OF_MEASURE,
    "camara2022": (
        *_as_in_measure("axes", "reference", "confidence"),
        Option(
            "edge",
            "edge",
            "How the beta regression treats scores at the ends of the range.",
            default="none",
            choices=("none", "squeeze", "clip:EPS"),
            metavar="none|squeeze|clip:EPS",
            heading="Method camara2022",
        ),
        *_SCORES,
    ),
    "kiritchenko2018": (
        *_as_in_measure("axes", "reference", "confidence"),
        Option(
            "assessments",
            "count",
            "Number by which we divide the level of the tests.",
            metavar="N",
            least=1,
            heading="Method kiritchenko2018",
        ),
        *_SCORES,
    ),
    "perturbation": (
        Option("group", "texts", "Column that groups the names.", metavar="COLUMN", heading=PERTURBATION),
        Option(
            "thresholds",
            "numbers",
            "Threshold of the label distance.",
            flag="threshold",
            metavar="C",
            heading=PERTURBATION,
        ),
        Option(
            "baseline", "texts", "Person whose sentences are the originals.", metavar="PERSON", heading=PERTURBATION
        ),
        *_as_in_measure("reference", "confidence", "incomplete"),
        Option(
            "bootstrap",
            "draws",
            "How often to resample the sentences, for intervals.",
            default=0,
            metavar="N",
            heading=PERTURBATION,
        ),
        *_as_in_measure("seed"),
        *_SCORES,
    ),
    "rating": (
        Option(
            "weights",
            "pairs",
            "Weight of the differences found at this level of confidence.",
            flag="weight",
            metavar="LEVEL=W",
            heading="Method rating",
        ),
        Option("levels", "count", "Number of rating levels.", metavar="N", least=2, heading="Method rating"),
        *_SCORES,
    ),
}
"""The options of `measure` (``default``) and of each method of `eec_bias.methods`."""

METHODS = tuple(FUNCTIONS)


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
    """A decorator that checks the options of a call by their declarations, but not scores, data and ``others``."""

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
        near = did_you_mean(name, names_known)
        raise OptionError(
            f"the method {method} has no option {name}{whose}; its options are {', '.join(names_known)}{near}"
        )
