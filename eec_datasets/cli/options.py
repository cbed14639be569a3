"""What several commands ask for in the same words, and the options that the metric declares."""

from __future__ import annotations

import contextlib
import functools
import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from eec_datasets.cli.command import typed
from eec_datasets.cli.given import GIVEN_NAME
from eec_datasets.errors import OutputUnwritable
from eec_datasets.systems.base import NO_RANGE, Endpoint, Options, Range
from eec_datasets.text_file import number

if TYPE_CHECKING:
    from eec_bias.reading import Option

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]

Asked = dict[str, Any]
"""Options that reach a command together, by name."""

Procedure = Asked
"""The ``method`` of the metric, and the options of it that were typed."""


class OutputFolder(click.Path):
    """A folder that is written; a link is not followed."""

    def __init__(self) -> None:
        super().__init__(file_okay=False, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path of the folder."""
        folder: Any = super().convert(value, param, ctx)
        if folder.is_symlink():
            raise OutputUnwritable(
                f"{folder} is a link, which is not followed, as what it leads to may be somebody else's; nothing was "
                "changed. Name the folder itself, or another one"
            )
        return folder


FILE: Final = click.Path(dir_okay=False, path_type=Path)
FOLDER: Final = OutputFolder()
FOLDER_THERE: Final = click.Path(exists=True, file_okay=False, path_type=Path)
ABOVE_0: Final = click.FloatRange(min=0, min_open=True)


def option(
    flag: str, metavar: str | None, text: str, *, name: str = "", least: int | None = None,
    choices: Sequence[str] = (), **how: Any,
) -> Decorator:  # fmt: skip
    """Add an option with a value.

    Parameters
    ----------
    flag, metavar, text
        As it is typed, what it is followed by (None: what its type says), its help.
    name
        What it reaches the command as, where that is not its flag.
    least, choices
        Make it a whole number from there on, or one of these words.
    how
        Passed on to click; a default is shown in the help.
    """
    how |= {"type": click.IntRange(min=least)} if least is not None else {}
    how |= {"type": click.Choice(choices)} if choices else {}
    return click.option(flag, *filter(None, [name]), metavar=metavar, help=text, **how)


def repeated(flag: str, name: str, metavar: str | None, text: str, **how: Any) -> Decorator:
    """Add an option that may be given several times."""
    return option(flag, metavar, text, name=name, multiple=True, **how)


CONFIGS = repeated("--config", "names", "NAME", "Only this config; may be repeated.")
JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON for scripts.")
REPLACE: Final = "Also replace files that eec has not written, or that were changed since."
OVERWRITE = option("--overwrite", None, REPLACE, is_flag=True)
SYSTEMS = repeated("--system", "specs", "SYSTEM", "System to score; may be repeated. See the forms above.")


def chained(*options: Decorator) -> Decorator:
    """Return several options of click as one decorator, in the order of the help."""
    return lambda command: functools.reduce(lambda below, option: option(below), reversed(options), command)


def as_one_argument(name: str, make: Callable[..., Any], *options: Decorator) -> Decorator:
    """Add options that reach a command as one argument.

    Parameters
    ----------
    name
        Of the argument.
    make
        Takes the options by name and returns the argument.
    options
        Decorators of click.
    """
    holder: Any = chained(*options)(lambda: None)
    keys = [param.name for param in holder.__click_params__]

    def add(command: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(command)
        def collect(*context: click.Context, **values: Any) -> Any:
            argument = make(**{key: values.pop(key) for key in keys})
            return command(*context, **values, **{name: argument})

        return chained(*options)(collect)

    return add


VERBOSE = click.option("-v", "--verbose", is_flag=True, help="Print every table and note too.")


def report_language(text: str) -> Decorator:
    """Add ``--report-language``, which reaches the command as ``language``."""
    return option("--report-language", "TAG", text, name="language", default="en")


def check_range(_context: click.Context, _option: click.Parameter, limits: Range | None) -> Range | None:
    """Refuse a ``--score-range`` that is none, before any time is spent on scoring."""
    if limits is not None and not limits[0] < limits[1]:
        raise click.UsageError(
            f"--score-range {limits[0]:g} {limits[1]:g}: expected two numbers, the first below the second."
        )
    return limits


NO_RANGE_OPTION: Final = "--no-score-range"


def no_score_range() -> Decorator:
    """Add ``--no-score-range``, which reaches the command as ``no_score_range``."""
    text = "No range of the scores is known, as of a regression model: everything but the beta regression is measured."
    return click.option(NO_RANGE_OPTION, is_flag=True, help=text)


def score_range(scores: str) -> Decorator:
    """Add ``--score-range``, which reaches the command as ``score_range``; ``scores`` says of which."""
    return option("--score-range", "LO HI", f"{scores}  [default: 0 1]", type=float, nargs=2, callback=check_range)


@dataclass(frozen=True, slots=True)
class Scoring:
    """What every command asks for that scores systems.

    Attributes
    ----------
    out
        Where scores go.
    fresh
        Ask again for stored answers.
    overwrite
        Whether files may be replaced that we did not write.
    options
        What systems are opened with.
    dry_run, yes
        Whether calls are only counted; whether they are made unasked.
    """

    out: Path
    fresh: bool
    overwrite: bool
    options: Options
    dry_run: bool
    yes: bool


def _classes(_context: click.Context, _option: click.Parameter, text: str | None) -> dict[str, float]:
    """The values of ``negative=-1,neutral=0,positive=1``, by label."""
    shape = "LABEL=VALUE with numbers, at least two of them different, such as negative=-1,neutral=0,positive=1"
    values = numbers("--classes", text.split(","), shape) if text else {}
    if len(set(values.values())) == 1:
        raise click.UsageError(f"--classes {text}: expected {shape}.")
    return values


PROMPTS: Final = (
    "sentiment-labels, toxicity-labels or emotion-intensity-labels, whose answers are letters and are read by their "
    "probabilities; the same without -labels, whose answers are numbers; or a TOML file (- is standard input)"
)
"""What prompts can be chosen, for help."""

ENDPOINT: Final = (
    option("--base-url", "URL", "Address of openai: models.  [default: https://api.openai.com/v1]"),
    option(
        "--prompts",
        "NAME|FILE",
        f"Prompts of openai: models: {PROMPTS}.  [default: sentiment]",
        type=GIVEN_NAME,
    ),
    option("--repeats", None, "Answers per sentence and prompt.  [default: 1]", least=1),
    option("--concurrency", None, "Calls that run at once.  [default: 16]", type=click.IntRange(1, 1000)),
    option("--timeout", "SECONDS", "Time after which a call counts as failed.  [default: 60]", type=ABOVE_0),
    option("--budget", "CALLS", "Largest number of calls of all openai: models together.", least=1),
)
"""How ``openai:MODEL`` is asked; each overrides a default of `Endpoint`."""


ASKED: Final = tuple(field.name for field in fields(Endpoint) if field.init)

FUNCTION: Final = "package.module:function"
"""Stands for the kind of a user's functions, whose specifications begin with their modules."""

HEEDED: Final = {
    "positive_class": ("hf", FUNCTION), "classes": ("hf", FUNCTION),
    **dict.fromkeys((*ASKED, "yes"), ("openai",)),
}  # fmt: skip
"""Kinds of systems that heed an option of `scoring`, where not all do."""

APART: Final = (("--classes", "--positive-class"), ("--score-range", NO_RANGE_OPTION))
"""Options of `scoring` that exclude each other."""


def _scoring(out: Path, fresh: bool, overwrite: bool, dry_run: bool, yes: bool, **others: Any) -> Scoring:
    if others.pop("no_score_range", False):
        others["score_range"] = NO_RANGE
    endpoint = {name: value for name in ASKED if (value := others.pop(name)) is not None}
    # A module of the user's is looked for in the folder they are in.
    options = Options(path=(str(Path.cwd()),), endpoint=Endpoint(**endpoint), **others)
    return Scoring(out, fresh, overwrite, options, dry_run, yes)


def scoring(
    *, out: str, holds: str, ranges: str, unbounded: bool = False, shows: str = "the calls of openai: models"
) -> Decorator:
    """Add the options of `Scoring`, which reach the command as ``scoring``.

    Parameters
    ----------
    out
        Default of ``--out``.
    holds
        What this folder holds, for its help.
    ranges
        Whose scores have the ``--score-range``, for its help.
    unbounded
        Whether scores without a known range are taken.
    shows
        What ``--dry-run`` shows, for its help.
    """
    return as_one_argument(
        "scoring",
        _scoring,
        option("--out", None, holds, type=FOLDER, default=Path(out)),
        score_range(ranges),
        *([no_score_range()] if unbounded else []),
        option("--positive-class", "LABEL",
               "Class whose probability is the score, of an hf: model or of a function that returns what a pipeline "
               "emits."),
        option("--classes", "LABEL=VALUE,…",
               "Instead a value for every class, whose mean under the probabilities is the score.",
               callback=_classes),
        option("--batch-size", None, "Sentences per call of a system.", least=1),
        option("--device", None, "Where an hf: model runs.", default="cpu"),
        click.option("--fresh", is_flag=True, help="Ask again for stored answers; the new ones replace them."),
        *ENDPOINT,
        click.option("--dry-run", is_flag=True, help=f"Show {shows}; score nothing."),
        click.option("--yes", is_flag=True, help="Make the calls of openai: models without asking."),
        OVERWRITE,
    )  # fmt: skip


def refuse_unused(specs: Sequence[str], scoring: Scoring) -> None:
    """Refuse options that no system asked for heeds.

    Raises
    ------
    click.UsageError
        Naming the option and the systems that heed it.
    """
    from eec_datasets.systems.registry import heeds_range, is_function

    options = scoring.options
    kind_of = {spec: FUNCTION if is_function(spec) else spec.partition(":")[0] for spec in specs}
    kinds = set(kind_of.values())
    # The score of a class is a probability, or the mean of what the classes are given.
    of_class = {"hf", FUNCTION} if options.positive_class or options.classes else set()
    heeding = {kind_of[spec] for spec in specs if heeds_range(spec)}
    if options.score_range and heeding <= of_class:
        given = NO_RANGE_OPTION if options.score_range == NO_RANGE else "--score-range"
        raise click.UsageError(f"{given} is not for {', '.join(specs)}, with a range of their own. Leave it out.")
    for option in click.get_current_context().command.params:
        owners = HEEDED.get(str(option.name), ())
        if owners and kinds.isdisjoint(owners) and typed(str(option.name)):
            forms = " or ".join(kind if kind == FUNCTION else f"{kind}:MODEL" for kind in owners)
            raise click.UsageError(f"{option.opts[0]} is for --system {forms}. Add one, or leave it out.")


def measuring() -> Decorator:
    """Add the options that say how to measure; those given reach the command as ``measuring``, by name."""
    from eec_bias.reading import FUNCTIONS

    names = ("confidence", "resolution", "margin", "rate_above", "high_means")
    added = [_option(each, FUNCTIONS) for each in FUNCTIONS["default"] if each.name in names]
    return as_one_argument("measuring", lambda **values: {k: v for k, v in values.items() if v is not None}, *added)


def pairs(option: str, texts: Sequence[str], shape: str) -> dict[str, str]:
    """Split texts such as ``gender=male``.

    Raises
    ------
    click.UsageError
        One has no ``=``, or nothing on a side of it, or says again what another said.
    """
    values: dict[str, str] = {}
    for text in texts:
        left, _, right = text.partition("=")
        if not (left and right):
            raise click.UsageError(f"{option} {text}: expected {shape}.")
        if left in values:
            raise click.UsageError(f"{option} {text}: {left} is given more than once; give it one value.")
        values[left] = right
    return values


def numbers(option: str, texts: Sequence[str], shape: str, left: Callable[[str], Any] = str) -> dict[Any, float]:
    """Split texts such as ``joy=1``, as `pairs` does, into finite numbers; `left` reads what stands on the left."""
    values = {left(name): number(value) for name, value in pairs(option, texts, shape).items()}
    if not all(math.isfinite(part) for pair in values.items() for part in pair if isinstance(part, float)):
        raise click.UsageError(f"{option} {' '.join(texts)}: expected {shape}.")
    return values


class _Draws(click.types.IntParamType):
    """A whole number, or one of some words."""

    def __init__(self, words: Sequence[str]) -> None:
        self.words = words

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return value if value in self.words else click.INT.convert(value, param, ctx)


class _Finite(click.types.FloatParamType):
    """A number, or one of some words."""

    def __init__(self, words: Sequence[str]) -> None:
        self.words = words

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return value if value in self.words else click.FLOAT.convert(value, param, ctx)


def flag(option: Option) -> str:
    """Return an option of the metric as it is typed."""
    return f"--{option.flag or option.name}".replace("_", "-")


def procedure(left_out: Sequence[str] = ()) -> Decorator:
    """Add ``--method`` and all options that the methods declare; those given reach the command as ``procedure``.

    Parameters
    ----------
    left_out
        Names of options that the command has in words of its own.
    """
    from eec_bias.reading import FUNCTIONS, METHODS, refuse_foreign

    options_of_all = itertools.chain.from_iterable(FUNCTIONS.values())
    declared = {option.name: option for option in options_of_all if option.name not in left_out}

    def make(**values: Any) -> Procedure:
        method, no_reference = values.pop("method"), values.pop("no_reference")
        given = {name: value for name, value in values.items() if value or type(value) in (int, float)}
        options = {name: _value(declared[name], value) for name, value in given.items()}
        if "seed" in options and not options.get("bootstrap"):
            raise click.UsageError("--seed does nothing where nothing is drawn. Leave it out, or add --bootstrap N.")
        if no_reference:
            options["reference"] = None
        with as_usage_error():
            refuse_foreign(method, options)
        return {"method": method, **options}

    return as_one_argument(
        "procedure",
        make,
        option("--method", None, "Procedure: our test, or that of a paper.", choices=METHODS, default="default"),
        *(_option(option, FUNCTIONS) for option in declared.values()),
        click.option("--no-reference", is_flag=True, help="Report each group's deviation from the mean of all."),
    )


def rating() -> Decorator:
    """Add ``--method`` with the rating, and its options; those given reach the command as ``procedure``."""
    from eec_bias.reading import FUNCTIONS, refuse_foreign

    own = {option.name: option for option in FUNCTIONS["rating"] if option not in FUNCTIONS["default"]}

    def make(method: str, **values: Any) -> Procedure:
        options = {name: _value(own[name], value) for name, value in values.items() if value}
        with as_usage_error():
            refuse_foreign(method, options)
        return {"method": method, **options}

    return as_one_argument(
        "procedure",
        make,
        option("--method", None, "Our test, or a paper's rating.", choices=("default", "rating"), default="default"),
        *(_option(option, FUNCTIONS) for option in own.values()),
    )


def _option(option: Option, functions: dict[str, tuple[Option, ...]]) -> Decorator:
    """One option of the metric, its help naming the methods where the default has none of it."""
    owners = [method for method, options in functions.items() if option in options]
    notes = [] if "default" in owners else [f"for {' and '.join(owners)}"]
    notes += ["may be repeated"] if option.repeats else []
    if isinstance(option.default, tuple):
        notes.append(f"default: {', '.join(map(str, option.default))}")
    elif option.default not in (None, "default", False):
        notes.append(f"default: {option.default}")
    text = option.help + (f"  [{'; '.join(notes)}]" if notes else "")
    metavar = option.metavar or None
    if option.kind == "flag":
        return click.option(flag(option), option.name, is_flag=True, default=None, metavar=metavar, help=text)
    kind = _type_of(option)
    return click.option(flag(option), option.name, type=kind, multiple=option.repeats, metavar=metavar, help=text)


def _type_of(option: Option) -> Any:
    """The type of an option for click: text, unless it is a number or a choice."""
    match option.kind:
        case "choice":
            return click.Choice(option.choices)
        case "draws":
            return _Draws(option.choices)
        case "count":
            return click.IntRange(min=option.least)
        case "finite":
            return _Finite(option.choices)
        case "number" | "numbers" | "share":
            return float
        case _:
            return str


def _value(option: Option, value: Any) -> Any:
    """The value as the metric takes it."""
    if option.name in ("systems", "tasks", "runs"):
        return value[0] if len(value) == 1 else value
    if option.kind != "pairs":
        return value
    if option.name == "reference":
        return pairs(flag(option), value, "AXIS=LEVEL, for example gender=male")
    if option.name == "classes":
        # As of eec audit: negative=0,positive=1.
        value = [text for each in value for text in each.split(",")]
        if not any("=" in text for text in value):
            return value
    shape = f"{option.metavar} with a number, for every one of them"
    return numbers(flag(option), value, shape, number if option.name == "weights" else str)


@contextlib.contextmanager
def as_usage_error(place: str = "") -> Iterator[None]:
    """Turn an error of the metric about an option into an error of the command line."""
    from eec_bias.reading import OptionError

    try:
        yield
    except OptionError as error:
        raise click.UsageError(f"{place}{error}.") from error
