"""Options that several commands share, in the same words."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import click

from eec_datasets.systems.base import Range
from eec_datasets.text_file import number

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]

Asked = dict[str, Any]
"""Options that reach a command together, by name."""


FILE: Final = click.Path(dir_okay=False, path_type=Path)
FOLDER: Final = click.Path(file_okay=False, path_type=Path)


class CommandOption(click.Option):
    """An option of a command.

    Attributes
    ----------
    heading
        Under which ``--help-all`` lists it; empty for the options that ``--help`` shows.
    numbers
        If a number of the result can depend on it. The report prints the command line with these options.
    """

    def __init__(self, *args: Any, heading: str = "", numbers: bool = True, **how: Any) -> None:
        super().__init__(*args, **how)
        self.heading, self.numbers = heading, numbers


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
        Passed on to `CommandOption`; a default is shown in the help.
    """
    how |= {"type": click.IntRange(min=least)} if least is not None else {}
    how |= {"type": click.Choice(choices)} if choices else {}
    return click.option(flag, *filter(None, [name]), cls=CommandOption, metavar=metavar, help=text, **how)


def switch(flags: str, text: str, *, name: str = "", **how: Any) -> Decorator:
    """Add an option without a value, as `option` does; ``flags`` may hold a short one too, as in ``-v --verbose``."""
    return click.option(*flags.split(), *filter(None, [name]), cls=CommandOption, is_flag=True, help=text, **how)


def repeated(flag: str, name: str, metavar: str | None, text: str, **how: Any) -> Decorator:
    """Add an option that may be given several times."""
    return option(flag, metavar, text, name=name, multiple=True, **how)


CONFIGS = repeated("--config", "names", "NAME", "Only this corpus; may be repeated.")
JSON = switch("--json", "Print JSON for scripts.", name="as_json")
OVERWRITE = switch("--overwrite", "Replace an existing file, or a folder of another eec command.", numbers=False)


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


VERBOSE = switch("-v --verbose", "Print every table and note too.", numbers=False)


def report_language(text: str, heading: str = "") -> Decorator:
    """Add ``--report-language``, which reaches the command as ``language``."""
    return option("--report-language", "TAG", text, name="language", default="en", heading=heading, numbers=False)


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
    text = "The scores have no known range. Everything except the beta regression is measured."
    return switch(NO_RANGE_OPTION, text, heading="What the scores are")


def score_range(scores: str) -> Decorator:
    """Add ``--score-range``, which reaches the command as ``score_range``; ``scores`` says of which."""
    return option("--score-range", "LO HI", f"{scores}  [default: 0 1]", type=float, nargs=2, callback=check_range)


PROMPTS: Final = (
    "sentiment, toxicity or emotion-intensity ask for a number; sentiment-labels, toxicity-labels or "
    "emotion-intensity-labels ask for a letter, and the score comes from the probabilities of the letters; or a TOML "
    "file of your own (- is standard input)"
)
"""Prompts that you can choose, for help."""


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
