"""Common parts of every figure: its opening, the page it is drawn on, and its ending."""

import re
import textwrap
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from eec_bias.errors import OptionError
from eec_bias.figures.parts import say_span, scale
from eec_bias.figures.style import Style, Theme, finish, new_figure, styled
from eec_bias.notes import LEFT_OUT
from eec_bias.options import is_number
from eec_bias.result.numbers import counted, level, percent, signed
from eec_bias.result.record import Record, record_of
from eec_bias.result.words import adjusts_across, interval_name, p_name, short_label

WORDS = tomllib.loads(Path(__file__).with_name("words.toml").read_text(encoding="utf-8"))
"""Titles and captions."""


def left_out(record: Record) -> list[str]:
    """Return what was given and not measured, as a sentence."""
    return [str(note) for note in dict.fromkeys(record.notes) if note.subject.key in LEFT_OUT]


SAYING = (
    adjusts_across,
    counted,
    interval_name,
    left_out,
    level,
    p_name,
    percent,
    say_span,
    scale,
    short_label,
    signed,
)
"""Functions that titles and captions call."""


@dataclass(slots=True)
class Page:
    """A result, the theme and width of its figure, whether labels are crowded, and the figure once it is made."""

    record: Record
    style: Style
    width: float
    crowded: bool = False
    figure: Any = None

    @property
    def narrow(self) -> bool:
        """Return whether labels stand above what they name, and not beside it."""
        return self.width < 5 or self.crowded

    def start(self, height: float) -> Any:
        """Make the figure, so many inches high, and return it."""
        self.figure = new_figure(self.style, self.width, height)
        return self.figure

    def axes(self, height: float) -> Any:
        """Make a figure with one pair of axes, and return these."""
        return self.start(height).add_subplot()

    def zero(self, ax: Any) -> None:
        """Draw the line where there is no difference."""
        ax.axvline(0, color=self.style.ink, linewidth=0.8, alpha=0.6, zorder=0)

    def verdict(self, text: str) -> None:
        """Write above the figure what was found, and of how many; nothing where nothing is said."""
        if text:
            self.figure.suptitle(textwrap.fill(text, int(self.width / 0.062)), fontsize=8, x=0.01, ha="left")

    def legend(self, handles: Sequence[Any]) -> None:
        """Write below the figure what its marks mean; nothing where there are none."""
        if handles:
            self.figure.legend(handles=handles, loc="outside lower center", ncols=1 if self.narrow else 3)

    def finish(self, name: str, values: Sequence[str], **words: Any) -> Any:
        """Give the figure the title and caption of its name, filled with words, and the values of its marks."""
        from jinja2 import Environment, StrictUndefined

        environment = Environment(undefined=StrictUndefined)
        environment.globals |= {function.__name__: function for function in SAYING}
        texts = (environment.from_string(text).render(words, record=self.record) for text in WORDS[name].values())
        title, caption = (re.sub("[ \n]+", " ", text).strip() for text in texts)
        return finish(self.figure, title, caption, values)


@contextmanager
def opened(result: Any, theme: Theme, width: float) -> Iterator[Page]:
    """Open a page for a figure of a result or of its dict; its theme holds for everything drawn in the block.

    Raises
    ------
    OptionError
        If the width is not between 2.5 and 40 inches, or the theme is unknown.
    """
    if not (is_number(width) and 2.5 <= width <= 40):
        raise OptionError(f"width {width!r}: expected inches between 2.5 and 40")
    record = record_of(result)
    with styled(theme) as style:
        yield Page(record, style, width)
