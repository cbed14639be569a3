"""Look, description and saving of every figure; matplotlib is imported when one is drawn.

Colours are those of Okabe & Ito (2008), told apart also by marker and line, so that no figure rests on colour alone.
"""

import io
import re
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from html import escape
from pathlib import Path
from typing import Any, Literal, get_args

from eec_bias.errors import OptionError
from eec_bias.figures.labels import OUTSIDE, families
from eec_bias.files import write
from eec_bias.options import one_of

Theme = Literal["light", "dark", "print", "page"]

MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "p", "h", "*")
LINES = ("-", "--", "-.", ":")

SHARED = Path(__file__).with_name("figures.mplstyle")
"""Style sheet that figures of all themes share."""


@dataclass(frozen=True, slots=True)
class Style:
    """The look of a theme.

    Attributes
    ----------
    ground : str
        Colour behind everything; ``none`` where the page shows through.
    inside : str
        Colour inside open markers.
    ink : str
        Text, axes and what has no group.
    colours : list of str
        For groups, in this order; at least 3:1 against the ground.
    finding : str
        What was detected; always told by a filled marker too.
    low, middle, high : str
        Ends and centre of a diverging scale.
    """

    ground: str
    inside: str
    ink: str
    colours: Sequence[str]
    finding: str
    low: str
    middle: str
    high: str

    def look(self, number: int, marker: int | None = None) -> dict[str, str]:
        """Colour and marker of a group, or a marker of its own; colours repeat where there are many, markers go on."""
        shape = MARKERS[(number if marker is None else marker) % len(MARKERS)]
        return {"color": self.colours[number % len(self.colours)], "marker": shape}

    def line(self, number: int) -> str:
        """The line style of a group."""
        return LINES[number % len(LINES)]


FOLLOW = f"<style>{Path(__file__).with_name('follow.css').read_text(encoding='utf-8').strip()}</style>"
"""Element ``<style>`` of a saved figure of the theme ``page``."""

_THEMES = tomllib.loads(Path(__file__).with_name("themes.toml").read_text(encoding="utf-8"))

STYLES = {theme: Style(**_THEMES[theme]) for theme in get_args(Theme)}


@contextmanager
def styled(theme: Theme = "light") -> Iterator[Style]:
    """Draw in a theme: everything made inside takes its colours, and text is never read as mathematics.

    Raises
    ------
    OptionError
        If the theme is unknown, or matplotlib is not installed.
    """
    one_of("theme", theme, get_args(Theme))
    try:
        from matplotlib import rc_context
    except ImportError as error:
        raise OptionError(
            "figures need matplotlib, which is not installed; install it with: pip install 'eec-datasets[plot]'"
        ) from error
    style = STYLES[theme]
    ink = ("text.color", "axes.labelcolor", "axes.titlecolor", "axes.edgecolor", "xtick.color", "ytick.color")
    with rc_context(dict.fromkeys(ink, style.ink), SHARED):
        yield style


def new_figure(style: Style, width: float, height: float) -> Any:
    """Return an empty figure on the ground of its theme.

    Parameters
    ----------
    style : Style
        From `styled`.
    width, height : float
        Inches. Below 5 inches figures put labels above what they name.

    """
    # Not pyplot: it would keep every figure alive and choose a window system.
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    space = ConstrainedLayoutEngine(w_pad=0.08, h_pad=0.08)
    return Figure(figsize=(width, height), layout=space, facecolor=style.ground, edgecolor="none")


def name_rows(ax: Any, texts: Sequence[str], *, narrow: bool, above: float) -> None:
    """Write the name of each row before it; on narrow figures above it."""
    ax.spines["left"].set_visible(False)
    ax.tick_params(axis="y", length=0)
    ax.set_yticks([] if narrow else range(len(texts)), None if narrow else texts)
    for y, text in enumerate(texts) if narrow else ():
        ax.text(0, y - above, text, transform=ax.get_yaxis_transform(), va="bottom", fontsize=7.5)


def finish(figure: Any, title: str, caption: str, values: Sequence[str] = ()) -> Any:
    """Give a figure its words, and its labels fonts that have their letters; return it.

    Parameters
    ----------
    figure : matplotlib Figure
        Drawn, still within `styled`.
    title : str
        What it is, in a few words.
    caption : str
        What is plotted and n, in sentences.
    values : sequence of str
        What is drawn, each mark with its whole label and value: the text alternative names the first 40.

    Returns
    -------
    matplotlib Figure
        With ``eec_title``, ``eec_caption`` and ``eec_alt``; a notebook shows it.
    """
    from matplotlib.text import Text

    _write_ticks_out(figure)
    listing = "; ".join(values[:40]) + (f"; and {len(values) - 40} more" if len(values) > 40 else "")
    texts = figure.findobj(Text)
    if any(OUTSIDE in text.get_text() for text in texts):
        caption += f" {OUTSIDE} stands for a character that no font of this machine has."
    figure.eec_title, figure.eec_caption = title, caption
    figure.eec_alt = f"{title}. {listing}." if values else f"{title}. {caption}"
    for text in texts:
        text.set_fontfamily(families(text.get_text()))
    figure._repr_png_ = partial(_bytes, figure, "png")
    return figure


def _write_ticks_out(figure: Any) -> None:
    """Write very small and very large numbers at their ticks; their common factor would lie on the axis' label."""
    from matplotlib.ticker import ScalarFormatter, StrMethodFormatter

    for axis in (axis for ax in figure.axes for axis in (ax.xaxis, ax.yaxis)):
        most = max(map(abs, axis.get_view_interval()))
        if isinstance(axis.get_major_formatter(), ScalarFormatter) and not 1e-3 < most < 1e5:
            axis.set_major_formatter(StrMethodFormatter("{x:g}"))


def to_svg(figure: Any, *, part: str | None = None, title: str | None = None) -> str:
    """Return a figure as an ``<svg>`` element for a page, the same bytes for the same figure.

    Parameters
    ----------
    figure : matplotlib Figure
        From this package. With the theme ``page`` its text takes the page's colour.
    part : str, optional
        Put before its ids, so that several pictures on a page do not share any.
    title : str, optional
        The text alternative; by default the figure's own.
    """
    # A page has the words of a picture beside it, and needs neither its metadata nor a thousandth of a point.
    svg = re.sub(r"<metadata>.*?</metadata>|<!--.*?-->", "", _bytes(figure, "svg").decode(), flags=re.DOTALL)
    svg = re.sub(r'(?<= )(?:d|x|y|points|transform)="[^"]*"', _short, svg)
    svg = re.sub(r"\s*\n\s*", "\n", svg).replace("xlink:href", "href")
    svg = re.sub(r'((?:id="|href="#))DejaVuSans-', r"\1", svg)
    if part is not None:
        svg = re.sub(r'(\bid="|href="#|url\(#)', lambda match: match[1] + escape(part), svg)
    name = escape(title if title is not None else getattr(figure, "eec_alt", "figure"))
    return svg[svg.index("<svg") :].replace("<svg", f'<svg role="img" aria-label="{name}"', 1).rstrip()


def _short(attribute: re.Match[str]) -> str:
    """Write coordinates with two decimals; factors of a scale keep theirs."""
    parts = re.split(r"(scale\([^)]*\))", attribute[0])
    parts[::2] = [re.sub(r"(\.\d\d)\d+", r"\1", part) for part in parts[::2]]
    return re.sub(r"\s*\n\s*", " ", "".join(parts))


def save(figure: Any, path: str | Path, *, dpi: float = 150, overwrite: bool = False) -> Path:
    """Write a figure as SVG or PNG, by the ending of the path, with the same bytes each time.

    Parameters
    ----------
    figure : matplotlib Figure
        From this package.
    path : str or Path
        Ends in ``.svg`` or ``.png``, in a folder that is there.
    dpi : float
        Dots per inch of a PNG.
    overwrite : bool
        Whether a file that is there may be replaced.

    Raises
    ------
    OptionError
        If the path ends otherwise, cannot be written, or holds a file that is not to be replaced.
    """
    target = Path(path)
    kind = target.suffix.lower().removeprefix(".")
    if kind not in ("svg", "png"):
        raise OptionError(f"{target.name!r} ends in neither .svg nor .png, the formats figures are saved in")
    if not target.parent.is_dir():
        raise OptionError(f"cannot write {target}: No such folder as {target.parent}; make it first")
    return write(target, to_file(figure, kind, dpi), overwrite=overwrite)


def to_file(figure: Any, kind: str, dpi: float = 150) -> bytes:
    """Return what a file of a figure holds: ``svg``, or ``png`` at so many dots per inch."""
    content = _bytes(figure, kind, dpi)
    # A file of its own has no page to follow, so it follows the reader's setting.
    return content.replace(b"<defs>", FOLLOW.encode() + b"<defs>", 1) if b"currentColor" in content else content


def _bytes(figure: Any, kind: str, dpi: float = 100) -> bytes:
    from matplotlib import rc_context

    stream = io.BytesIO()
    words = {"Title": getattr(figure, "eec_title", None), "Description": getattr(figure, "eec_alt", None)}
    # Without a date and a version of matplotlib the bytes depend on the figure alone.
    fixed = {"Date": None, "Creator": None} if kind == "svg" else {"Software": None}
    with rc_context(fname=SHARED):
        figure.savefig(stream, format=kind, dpi=dpi, metadata={**fixed, **words})
    if kind == "png":
        return stream.getvalue()
    svg = stream.getvalue().decode()
    page = STYLES["page"]
    return svg.replace(page.ink, "currentColor").replace(page.inside, "var(--eec-ground, Canvas)").encode()
