"""What the metric says in words of Python, in words of the command line: ``--incomplete shared``."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

import click

OTHER: Final = {"axes": "--axis", "thresholds": "--threshold"}
"""Keywords of ``eec_bias.measure`` whose option has another name; those of the others are alike."""

KEYWORD: Final = re.compile(
    r"""(?<![\w'"(.-]) (?P<name>[a-z][a-z_]*) =
    (?: (?P<value> '[^']*' | \([^()]*\) | \{[^{}]*\} | -?\d[\d.]*(?!\w) | None\b ) | (?=[\s,;:.)]|$) )""",
    re.VERBOSE,
)
"""``name=value``, the value a literal of Python; or ``name=`` alone. Not ``race=Black``, as groups are told."""

OF_TEXT: Final = ("axes", "reference", "method", "incomplete", "group", "baseline")
"""Keywords that never take a number: ``group=4`` tells a group."""


@contextmanager
def options_named() -> Iterator[None]:
    """Name options of the running command, not keywords, where the metric refuses something.

    Raises
    ------
    AuditError
        The same error in the command line's words.
    """
    from eec_datasets.errors import AuditError

    try:
        yield
    except AuditError as error:
        cause = error.__cause__
        if type(cause).__module__.partition(".")[0] != "eec_bias":
            raise
        said = str(cause)
        raise AuditError(str(error).replace(said, spoken(said, known_options()))) from error


def known_options() -> frozenset[str]:
    """Names of the options of the running command."""
    command = click.get_current_context().command
    return frozenset(name for option in command.params for name in option.opts)


def spoken(message: str, known: frozenset[str]) -> str:
    """Write keywords and their values as options; what is no option of the command stays.

    Parameters
    ----------
    message
        Of the metric.
    known
        Names of options, such as ``--incomplete``.
    """

    def said(found: re.Match[str]) -> str:
        name = found["name"]
        option = OTHER.get(name, f"--{name.replace('_', '-')}")
        told = name in OF_TEXT and (found["value"] or "")[:1] in set("-0123456789")
        return found[0] if told or option not in known else _typed(option, found["value"])

    return KEYWORD.sub(said, message)


def _typed(option: str, value: str | None) -> str:
    """Write an option as it is typed."""
    if value is None:
        return option
    if option == "--reference" and value == "None":
        return "--no-reference"
    try:
        given = ast.literal_eval(value)
    except (ValueError, SyntaxError):
        # A placeholder, such as (low, high).
        return f"{option} {value.strip('()').replace(',', '').upper()}"
    if isinstance(given, Mapping):
        return " ".join(f"{option} {key}={level}" for key, level in given.items())
    if isinstance(given, tuple):
        words = [_word(each) for each in given]
        once = option in ("--score-range", "--weights")
        return " ".join([option, *words]) if once else " ".join(f"{option} {word}" for word in words)
    return f"{option} {_word(given)}"


def _word(value: Any) -> str:
    return f"{value:g}" if isinstance(value, int | float) else str(value)
