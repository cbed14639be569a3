"""The ratios of rates with their intervals, beside lines at 1 and at .8."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from eec_bias.figures.style import Theme, finish, name_rows, new_figure, styled
from eec_bias.result.numbers import rounded

FOUR_FIFTHS = 0.8
"""Of the Uniform Guidelines on Employee Selection Procedures (29 CFR 1607.4 D, 1978); here a line in a picture."""


@dataclass(frozen=True, slots=True)
class RatioLine:
    """One ratio to be drawn: what it is of, its value and interval, and why there is none."""

    name: str
    ratio: float | None
    low: float | None
    high: float | None
    note: str


def draw_ratios(lines: Sequence[RatioLine], caption: str, *, theme: Theme = "light", width: float = 7.0) -> Any:
    """Draw every ratio to the stated reference, one line each, on a logarithmic scale.

    Parameters
    ----------
    lines : sequence of RatioLine
        What is drawn.
    caption : str
        What is plotted, in sentences.
    theme : {"light", "dark", "print", "page"}
        Colours.
    width : float
        Inches; below 5 names stand above their lines.

    Returns
    -------
    matplotlib Figure
    """
    with styled(theme) as style:
        narrow = width < 5
        figure = new_figure(style, width, 1.4 + (0.46 if narrow else 0.28) * len(lines))
        ax = figure.add_subplot()
        ax.set_xscale("log")
        ax.axvline(1, color=style.ink, linewidth=0.8, alpha=0.6, zorder=0)
        ax.axvline(FOUR_FIFTHS, color=style.ink, linewidth=0.8, linestyle="--", alpha=0.6, zorder=0)
        ax.text(FOUR_FIFTHS, 1.0, ".8", transform=ax.get_xaxis_transform(), va="bottom", ha="center", fontsize=7.5)
        values = []
        for y, each in enumerate(lines):
            if each.low is not None:
                ax.plot([each.low, each.high], [y, y], color=style.colours[0], linewidth=1.3)
            if each.ratio:
                ax.plot([each.ratio], [y], linestyle="", marker="o", color=style.colours[0], markersize=4.5)
                values.append(f"{each.name} {rounded(each.ratio)}")
            else:
                ax.text(1, y, each.note, va="center", ha="center", style="italic", fontsize=7.5)
                values.append(f"{each.name}: {each.note}")
        _write_ratios_at_ticks(ax)
        ax.set_ylim(len(lines) - 0.4, -0.6)
        name_rows(ax, [each.name for each in lines], narrow=narrow, above=0.2)
        ax.set_xlabel("ratio of selection rates to the stated reference")
        return finish(figure, "Ratios of selection rates", caption, values)


def _write_ratios_at_ticks(ax: Any) -> None:
    """Write 0.5, 0.8, 1, 1.25, 2 … where a logarithmic axis would have powers of ten."""
    from matplotlib.ticker import FixedLocator, NullLocator, StrMethodFormatter

    low, high = ax.get_xlim()
    low, high = min(low, 0.7), max(high, 1.4)
    ax.set_xlim(low, high)
    ticks = [0.01, 0.02, 0.05, 0.1, 0.2, 0.33, 0.5, 0.67, 1, 1.25, 1.5, 2, 3, 5, 10, 20, 50, 100]
    ax.xaxis.set_major_locator(FixedLocator([tick for tick in ticks if low <= tick <= high]))
    ax.xaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
    ax.xaxis.set_minor_locator(NullLocator())
