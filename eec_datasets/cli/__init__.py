"""The command ``eec``: one module per command, loaded only when it is called.

To add a command, write ``eec_datasets/cli/NAME.py`` with a click command NAME and add a line to ``commands.toml``.
``eec --help`` is written from these lines alone, so a command module may import what its options need; what is slow
is imported inside the command.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import signal
import sys
import threading
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import click

from eec_bias.shared import did_you_mean
from eec_datasets.cli.command import (
    CommandGroup,
    as_click_error,
    drop_bad_time_zone,
    refuse_little_memory,
    refuse_system_error,
)

TEXTS: Final = tomllib.loads(Path(__file__).with_name("commands.toml").read_text(encoding="utf-8"))
GROUPS: Final[dict[str, dict[str, str]]] = TEXTS["commands"]
"""Heading in the help → the commands below it, which are modules of this package, each with its help in one line."""

COMMANDS: Final = tuple(name for group in GROUPS.values() for name in group)
"""The commands in their order."""


class LazyGroup(CommandGroup):
    """The group of `COMMANDS`, which imports a command's module when the command is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Return the names in their order."""
        return list(COMMANDS)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the help of the commands, which are not imported for it."""
        for heading, commands in GROUPS.items():
            with formatter.section(heading):
                formatter.write_dl(list(commands.items()))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import and return one command, or None where there is none of this name."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = getattr(importlib.import_module(f"{__name__}.{cmd_name}"), cmd_name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that was typed; name the one that was perhaps meant if there is none."""
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            raise click.UsageError(f"No such command '{args[0]}'{did_you_mean(args[0], COMMANDS)}", ctx=ctx)
        return super().resolve_command(ctx, args)

    def make_context(self, *args: Any, **options: Any) -> click.Context:
        """Read the command line; what it holds may be unfit for a terminal."""
        with as_click_error():
            return super().make_context(*args, **options)

    def invoke(self, ctx: click.Context) -> Any:
        """Find and run the command."""
        drop_bad_time_zone()
        refuse_little_memory()
        with as_click_error():
            return super().invoke(ctx)

    def main(self, *args: Any, **options: Any) -> Any:
        """Run the command line; what the system refuses ends it with a message, too."""
        for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
            if getattr(sys, name) is None:  # a scheduler may have closed it
                setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115
        try:
            with _ended_as_by_ctrl_c():
                return super().main(*args, **options)
        except (OSError, UnicodeEncodeError) as error:
            sys.exit(refuse_system_error(error))


@contextlib.contextmanager
def _ended_as_by_ctrl_c() -> Iterator[None]:
    """Let SIGTERM, by which containers and schedulers end a run, do what Ctrl-C does: keep what is finished."""
    # Only the main thread may; whoever has set something else has their reasons.
    alone = threading.current_thread() is threading.main_thread()
    if not alone or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield
        return
    signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


@click.group(
    cls=LazyGroup,
    epilog=TEXTS["exit_codes"],
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100, "show_default": True},
)
@click.version_option(package_name="eec-datasets", message="eec-datasets %(version)s")
def main() -> None:
    """Measure whether a sentiment, emotion or toxicity system scores people differently.

    Equity Evaluation Corpora are sentences that differ only in the person mentioned. A system scores them,
    and the differences between groups are reported with intervals.

    \b
    Examples:
      eec configs                                     what corpora there are
      eec audit --system vader --config en-black-white
      eec audit --system mypackage.model:score --language es
      eec measure scores.csv --config ar-anglo-arab   scores made elsewhere
      eec build --out build/eec                       a dataset for load_dataset
    """
