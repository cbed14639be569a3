"""Behaviour of every command: it reads its options, and turns its errors into messages."""

from __future__ import annotations

import contextlib
import errno
import importlib
import math
import os
import re
import shlex
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

import click
from click.core import ParameterSource

from eec_bias.shared import ADVICE
from eec_datasets.cli.given import times_standard_input
from eec_datasets.cli.options import CommandOption
from eec_datasets.cli.output import discard
from eec_datasets.errors import EecError
from eec_datasets.standard_input import as_typed
from eec_datasets.terminal import readable, visible
from eec_datasets.text_file import number

Needs = Mapping[str, str | tuple[str, ...]]

TYPED: Final = "eec.typed"
"""Key under which a context keeps the parameters that were typed, with their texts."""

ALL_OPTIONS: Final = "eec.all_options"
"""Key under which a context keeps that the help is to list all options."""


def _heading(param: click.Parameter) -> str:
    return param.heading if isinstance(param, CommandOption) else ""


def _print_all(context: click.Context, _option: click.Parameter, is_given: bool) -> None:
    """Print the help with all options."""
    if is_given and not context.resilient_parsing:
        context.meta[ALL_OPTIONS] = True
        click.echo(context.get_help())
        context.exit()


HELP_ALL: Final = CommandOption(
    ["--help-all"], is_flag=True, is_eager=True, expose_value=False, hidden=True, callback=_print_all
)


class Command(click.Command):
    """A command that refuses what would have no effect: an option given twice, an empty value, options that conflict.

    Parameters
    ----------
    apart
        Pairs of options that exclude each other.
    needs
        Options that do nothing without another, or without one of several.
    """

    def __init__(
        self, *args: Any, apart: Sequence[tuple[str, str]] = (), needs: Needs | None = None, **options: Any
    ) -> None:
        super().__init__(*args, **options)
        self.apart, self.needs = apart, needs or {}

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Check what was typed before click keeps the last of several values."""
        values, _, order = self.make_parser(ctx).parse_args(list(args))
        typed = {param.name: param for param in order if values.get(str(param.name)) is not None}
        for param in typed.values():
            _refuse_bad_value(ctx, param, values[str(param.name)])
        if times_standard_input({param: values[name] for name, param in typed.items()}) > 1:
            raise click.UsageError("- is standard input, which can be read once. Name a file for the others.", ctx=ctx)
        if not (ctx.resilient_parsing or any(param.is_eager for param in order)):
            for param, count in Counter(order).items():
                # Of an option given twice the last value would win without a word; a switch means the same twice.
                once = isinstance(param, click.Option) and not param.multiple
                once = once and not (getattr(param, "is_flag", False) and not param.secondary_opts)
                if count > 1 and once:
                    raise click.BadParameter(f"it is given {count} times. Give it once.", ctx=ctx, param=param)
            self._refuse_together({flag for param in typed.values() for flag in (*param.opts, *param.secondary_opts)})
        ctx.meta[TYPED] = [(param, values[name]) for name, param in typed.items()]
        return super().parse_args(ctx, args)

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Return the parameters, with ``--help-all`` if ``--help`` leaves some out."""
        params = super().get_params(ctx)
        return [*params, HELP_ALL] if any(_heading(param) for param in params) else params

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the help of the options: those without a heading, and after ``--help-all`` the others too."""
        below: dict[str, list[tuple[str, str]]] = {"": []}
        for param in self.get_params(ctx):
            if isinstance(param, click.Option) and (record := param.get_help_record(ctx)):
                below.setdefault(_heading(param), []).append(record)
        more = sum(map(len, below.values())) - len(below[""])
        for heading, records in below.items():
            if not heading or ctx.meta.get(ALL_OPTIONS):
                with formatter.section(heading or "Options"):
                    formatter.write_dl(records)
        if more and not ctx.meta.get(ALL_OPTIONS):
            formatter.write(f"\n{more} more: --help-all\n")

    def _refuse_together(self, flags: set[str]) -> None:
        """Refuse options that exclude each other, or lack what they need."""
        for flag, other in self.apart:
            if {flag, other} <= flags:
                raise click.UsageError(f"{flag} and {other} exclude each other. Give one of them.")
        for flag, others in self.needs.items():
            rest = (others,) if isinstance(others, str) else others
            if flag in flags and flags.isdisjoint(rest):
                raise click.UsageError(f"{flag} does nothing without {' or '.join(rest)}. Add it, or leave {flag} out.")


class CommandGroup(click.Group):
    """A group of such commands."""

    command_class = Command


def command(**options: Any) -> Callable[[Callable[..., Any]], Command]:
    """Make a function such a command."""
    return click.command(cls=Command, **options)


def typed(name: str) -> bool:
    """Return whether an option of the command that runs was typed, and does not stand at its default."""
    return click.get_current_context().get_parameter_source(name) == ParameterSource.COMMANDLINE


def typed_again(*further: str) -> str:
    """The command line as it was typed, without what no number depends on."""
    context = click.get_current_context()
    parts = ["eec", str(context.info_name)]
    # Arguments come first, as in the help.
    for param, text in sorted(context.meta[TYPED], key=lambda each: isinstance(each[0], click.Option)):
        if not typed(str(param.name)) or (isinstance(param, CommandOption) and not param.numbers):
            continue
        flag = param.opts[:1] if isinstance(param, click.Option) else []
        if getattr(param, "is_flag", False):
            texts: Sequence[Any] = []
        else:
            texts = text if param.multiple else [text]
        options = [[*flag, *(each if isinstance(each, tuple) else [each])] for each in texts] or [flag]
        parts += [part for each in options for part in each]
    return shlex.join([*parts, *further])


def _refuse_bad_value(ctx: click.Context, param: click.Parameter, value: Any) -> None:
    """Refuse an empty value, as an unset shell variable leaves it, nan, and 0_1, which Python reads as 1."""
    whole, decimal = (isinstance(param.type, kind) for kind in (click.types.IntParamType, click.types.FloatParamType))
    for part in value if isinstance(value, list | tuple) else (value,):
        if not isinstance(part, str) or part in getattr(param.type, "words", ()):
            continue
        no_number = (whole and "_" in part) or (decimal and not math.isfinite(number(part)))
        for wrong, message in (
            (not part.strip(), "the value is empty. Write one, or leave it out."),
            ("\0" in part, "the value holds a zero byte. Write it without."),
            (no_number, f"{part!r} is no finite number. Write it in digits, with a point and without _."),
        ):
            if wrong:
                raise click.BadParameter(message, ctx=ctx, param=param)


SURROGATE: Final = re.compile("[\ud800-\udfff]")
"""Characters that Python puts in the place of bytes of a name that are not UTF-8."""

NO_MEMORY: Final = (
    "There is not enough memory for this. Free some, raise the limit (ulimit -v, or that of the container), or score "
    "and measure fewer systems or sentences at a time"
)

NO_ROOM: Final = re.compile("failed to map segment|cannot allocate memory", re.IGNORECASE)
"""Messages of the system that a library does not fit into memory."""

LEAST_MEMORY: Final = 512 << 20
"""Bytes of address space that the numerical libraries need. With less, OpenBLAS may ask for more for ever."""


def drop_bad_time_zone() -> None:
    """Warn of a time zone in the environment that babel could not be imported with, and go on without it."""
    zone = os.environ.get("TZ")
    if not zone:
        return
    try:
        importlib.import_module("babel.localtime")
    except Exception:  # whatever is in the file that it names
        click.echo(f"Warning: TZ is {visible(zone)!r}, which names no time zone. It is ignored.", err=True)
        del os.environ["TZ"]


def refuse_little_memory() -> None:
    """Refuse a limit of memory (``ulimit -v``) below which the numerical libraries would never finish loading."""
    if sys.platform == "win32":
        return
    import resource

    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit not in (-1, resource.RLIM_INFINITY) and limit < LEAST_MEMORY:
        raise click.ClickException(f"{NO_MEMORY}.")


@contextlib.contextmanager
def as_click_error() -> Iterator[None]:
    """Turn the package's own errors into a message without a traceback, safe for a terminal, with their exit code."""
    try:
        yield
    except click.ClickException as error:
        error.message = readable(as_typed(error.message))  # type: ignore[misc]  # final for others than click
        raise
    except KeyboardInterrupt:
        click.echo("\nInterrupted.", err=True)
        raise click.exceptions.Exit(3) from None
    except EecError as error:
        message = click.ClickException(readable(as_typed(str(error))))
        message.exit_code = error.exit_code  # type: ignore[misc]  # click declares it for the class only
        raise message from error
    except (MemoryError, ImportError) as error:
        # A library that finds no room to load is an ImportError.
        if isinstance(error, ImportError) and not NO_ROOM.search(str(error)):
            raise
        raise click.ClickException(f"{NO_MEMORY}.") from error


def refuse_system_error(error: OSError | UnicodeEncodeError) -> int:
    """Print an error of the system that nothing else has explained, and return the exit code."""
    if isinstance(error, OSError) and error.errno == errno.ENOMEM:
        message, _, advice = NO_MEMORY.partition(". ")
    elif isinstance(error, UnicodeEncodeError) and SURROGATE.search(error.object):
        message = f"the name '{visible(error.object)}' is no UTF-8, which this needs"
        advice = "Rename the file or folder"
    elif isinstance(error, UnicodeEncodeError):
        message = f"the output cannot show {error.object[error.start]!a} in the encoding {error.encoding}"
        advice = "Set PYTHONIOENCODING=utf-8"
    else:
        output = visible(os.fsdecode(error.filename)) if error.filename else "the output"
        message = f"{output} cannot be used: {error.strerror or error}"
        advice = ADVICE.get(error.errno or 0, "Check that it is there, and that you may use it")
    click.echo(f"Error: {message}. {advice}.", err=True)
    discard(sys.stdout)
    return 1
