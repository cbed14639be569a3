"""Output of commands: their progress, and the text they print and write."""

from __future__ import annotations

import json
import os
import shutil
import sys
import time
from contextlib import nullcontext, suppress
from typing import TYPE_CHECKING, Any, Final, TextIO

import click

from eec_datasets.terminal import percent, visible

if TYPE_CHECKING:
    from eec_datasets.systems.base import System
    from eec_datasets.systems.corpus import Corpus


def say(text: str = "", *, err: bool = False, nl: bool = True, styled: bool = False) -> None:
    """Print a text; control characters are shown, not obeyed, unless it is ``styled`` and was made safe before."""
    # A progress bar that is shown makes way for the line.
    tqdm = sys.modules.get("tqdm")
    try:
        with tqdm.tqdm.external_write_mode() if tqdm else nullcontext():
            click.echo(text if styled else visible(text), err=err, nl=nl)
    except BrokenPipeError:  # nobody reads on: what was asked for is still done to its end
        discard(sys.stderr if err else sys.stdout)


def discard(stream: TextIO) -> None:
    """Discard everything written to a stream that is closed; else Python would try to print it again at exit."""
    with suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def columns() -> int:
    """Return how many columns a line may have: those of the terminal, up to 100; 80 where there is none."""
    if not sys.stdout.isatty():
        return 80
    return min(shutil.get_terminal_size((80, 24)).columns, 100)


def shows_colour() -> bool:
    """Tell if what is printed goes to a terminal that shows colours."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def say_page(text: str) -> None:
    """Print a page for a terminal, with the colours of its answers if the terminal shows them."""
    from eec_datasets.report.terminal import coloured

    shown = visible(text)
    say(coloured(shown) if shows_colour() else shown, styled=True)


def heading(name: str, about: str = "") -> str:
    """A name in bold, with what is said of it: styled, and plain."""
    bold = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    styled = click.style(visible(name), bold=True) if bold else visible(name)
    return styled + (f"  {visible(about)}" if about else "")


class ProgressLog:
    """Reports progress in a log, a line at a time."""

    EVERY: Final = 15.0
    """Seconds between lines."""

    def __init__(self, label: str, total: int) -> None:
        self.label = label
        self.total = total
        self.done = 0
        self.first: int | None = None
        self.start = self.last = time.monotonic()

    def update(self, n: int) -> None:
        """Count ``n`` more, and say so where the last line is long ago."""
        now = time.monotonic()
        if self.first is None:
            # What was there at the start, which may be nothing, took no time.
            self.first = n
        self.done += n
        if now - self.last < self.EVERY:
            return
        self.last = now
        told = f"{self.label}: {self.done:,} of {self.total:,} ({percent(self.done, max(self.total, 1))}%)"
        if self.done > self.first:
            left = (now - self.start) * (self.total - self.done) / (self.done - self.first)
            told += f", {left:.0f} s left"
        click.echo(told, err=True)


def progress(label: str, total: int) -> Any:
    """Return a bar for a terminal, and lines for a log."""
    return bar(label, total, "answers") if sys.stderr.isatty() else nullcontext(ProgressLog(label, total))


def bar(label: str, total: int | None = None, unit: str = "sentences", **options: Any) -> Any:
    """Return a progress bar, which is none where stderr is no terminal, and is gone at its end."""
    from tqdm import tqdm

    return tqdm(desc=visible(label), total=total, unit=f" {unit}", disable=None, leave=False, **options)


def echo_json(content: Any) -> None:
    """Print JSON for people and scripts."""
    say(json.dumps(content, ensure_ascii=False, indent=1, allow_nan=False))


def warn_of_language(system: System, corpus: Corpus) -> None:
    """Say that a system is made for other languages than that of the sentences."""
    if not system.knows(corpus.language):
        made_for = ", ".join(system.languages or ())
        say(f"Warning: {system.name} is made for {made_for}; {corpus.name} is in another language.", err=True)
