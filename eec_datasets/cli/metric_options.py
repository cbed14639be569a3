"""The options that the metric declares, as options of a command."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from eec_datasets.cli.options import Asked, Decorator, as_one_argument, numbers, option, pairs, switch
from eec_datasets.text_file import number

if TYPE_CHECKING:
    from eec_bias.reading import Option

MEASURING = ("confidence", "resolution", "margin", "rate_above", "high_means")
"""Options of `measure` that an audit has too; a rating does not heed them."""

Procedure = Asked
"""The ``method`` of the metric, and the options of it that were typed."""


def procedure() -> Decorator:
    """Add ``--method`` and all options that the methods declare; those given reach the command as ``procedure``."""
    from eec_bias.reading import FUNCTIONS, METHODS, OF_TABLES, refuse_foreign

    options_of_all = itertools.chain.from_iterable(FUNCTIONS.values())
    declared = {option.name: option for option in options_of_all if option.name not in ("score_range", *OF_TABLES)}

    def make(**values: Any) -> Procedure:
        method, no_reference = values.pop("method"), values.pop("no_reference")
        given = {name: value for name, value in values.items() if value or type(value) in (int, float)}
        options = {name: _value(declared[name], value) for name, value in given.items()}
        if method == "perturbation" and "seed" in options and not options.get("bootstrap"):
            raise click.UsageError("--seed does nothing without random draws. Leave it out, or add --bootstrap N.")
        if no_reference:
            options["reference"] = None
        with _as_usage_error():
            refuse_foreign(method, options)
        return {"method": method, **options}

    return as_one_argument(
        "procedure",
        make,
        option("--method", None, "Our own test, or the procedure of a paper.", choices=METHODS, default="default"),
        *(_option(option, FUNCTIONS) for option in declared.values()),
        switch("--no-reference", "Report each group's difference from the mean of all groups.", heading="Statistics"),
    )


def rating_options() -> Decorator:
    """Add ``--method`` with the rating, and its options; those given reach the command as ``procedure``."""
    from eec_bias.reading import FUNCTIONS, refuse_foreign

    own = {option.name: option for option in FUNCTIONS["rating"] if option not in FUNCTIONS["default"]}

    def make(method: str, **values: Any) -> Procedure:
        options = {name: _value(own[name], value) for name, value in values.items() if value}
        with _as_usage_error():
            refuse_foreign(method, options)
        return {"method": method, **options}

    return as_one_argument(
        "procedure",
        make,
        option(
            "--method",
            None,
            "Our own test, or the rating of a paper.",
            choices=("default", "rating"),
            default="default",
            heading="Method rating",
        ),
        *(_option(option, FUNCTIONS) for option in own.values()),
    )


def measuring() -> Decorator:
    """Add the options that say how to measure; those given reach the command as ``measuring``, by name."""
    from eec_bias.reading import FUNCTIONS

    added = [_option(each, FUNCTIONS) for each in FUNCTIONS["default"] if each.name in MEASURING]
    return as_one_argument("measuring", lambda **values: {k: v for k, v in values.items() if v is not None}, *added)


def _option(declared: Option, functions: dict[str, tuple[Option, ...]]) -> Decorator:
    """Return an option of the metric as one of a command; its help names the methods if the default has none of it."""
    owners = [method for method, options in functions.items() if declared in options]
    notes = [] if "default" in owners else [f"for {' and '.join(owners)}"]
    notes += ["may be repeated"] if declared.repeats else []
    if isinstance(declared.default, tuple):
        notes.append(f"default: {', '.join(map(str, declared.default))}")
    elif declared.default not in (None, "default", 0):
        notes.append(f"default: {declared.default}")
    return option(
        flag(declared),
        declared.metavar or None,
        declared.help + (f"  [{'; '.join(notes)}]" if notes else ""),
        name=declared.name,
        type=_type_of(declared),
        multiple=declared.repeats,
        heading=declared.heading,
    )


def _type_of(option: Option) -> Any:
    """The type of an option for click: text, unless it is a number or a choice."""
    match option.kind:
        case "choice":
            return click.Choice(option.choices)
        case "draws":
            return int
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
def _as_usage_error() -> Iterator[None]:
    """Turn an error of the metric about an option into an error of the command line."""
    from eec_bias.reading import OptionError

    try:
        yield
    except OptionError as error:
        raise click.UsageError(f"{error}.") from error


def flag(option: Option) -> str:
    """Return an option of the metric as it is typed."""
    return f"--{option.flag or option.name}".replace("_", "-")


class _Finite(click.types.FloatParamType):
    """A number, or one of some words."""

    def __init__(self, words: Sequence[str]) -> None:
        self.words = words

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return value if value in self.words else click.FLOAT.convert(value, param, ctx)
