"""The page as values: what every renderer lays out, in the order of its blocks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from eec_datasets.report.text import Text

MarkKind = Literal["found", "none", "same", "open", "described", "before", "change"]


@dataclass(frozen=True, slots=True)
class Mark:
    """A dot with its line on an axis, in the unit of the chart; without ends there is no line."""

    kind: MarkKind
    at: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class ChartRow:
    """A row of a chart: a heading, a comparison, one emotion of it, or a name by itself.

    `brief` is the answer after a status such as *GAP FOUND*.
    """

    level: Literal["heading", "main", "emotion"]
    label: Text
    left: str = ""
    right: str = ""
    mark: Mark | None = None
    answer: str = ""
    said: Text = ()
    detail: Text = ()
    brief: Text = ()
    tinted: bool = False


@dataclass(frozen=True, slots=True)
class Scale:
    """A symmetric axis: half of its width, the marks right of 0, and their labels."""

    half: float
    ticks: tuple[tuple[float, str], ...]
    zero: str
    unit: Text
    direction: Text


@dataclass(frozen=True, slots=True)
class Chart:
    """Rows on one axis."""

    rows: tuple[ChartRow, ...]
    axis: Scale
    wide: bool = False


@dataclass(frozen=True, slots=True)
class GridColumn:
    """A question asked of several systems, with the groups at both ends."""

    label: Text
    left: str
    right: str


@dataclass(frozen=True, slots=True)
class Cell:
    """A small chart with its answer; without a mark it was not asked or not answered."""

    said: Text
    mark: Mark | None = None
    tinted: bool = False


@dataclass(frozen=True, slots=True)
class GridRow:
    """One system in one language."""

    system: str
    language: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """A table of small charts on one axis."""

    columns: tuple[GridColumn, ...]
    rows: tuple[GridRow, ...]
    axis: Scale
    unit: Text


@dataclass(frozen=True, slots=True)
class Squares:
    """A rate as 100 squares."""

    filled: int
    label: Text
    found: bool


@dataclass(frozen=True, slots=True)
class WordRow:
    """A word, or an emotion, with its scores about both groups; `apart` if a line joins them."""

    label: Text
    first: float
    second: float
    apart: bool = False


@dataclass(frozen=True, slots=True)
class WordGroup:
    """Rows below a heading, or words in one line."""

    heading: Text
    rows: tuple[WordRow, ...]
    listed: Text = ()


@dataclass(frozen=True, slots=True)
class WordChart:
    """Rows with two scores on one axis: its ends, where a word is silent, their labels, and a key of both marks."""

    groups: tuple[WordGroup, ...]
    low: float
    high: float
    zero: float | None
    labels: tuple[Text, Text, Text]
    keys: tuple[Text, Text]
    alike: Text = ()

    def place(self, value: float) -> str:
        """Return where a value lies, in per cent from the start."""
        return f"{100 * (value - self.low) / (self.high - self.low):.2f}"

    def width(self, row: WordRow) -> str:
        """Return how far the two scores of a row lie apart, in per cent."""
        return f"{100 * abs(row.first - row.second) / (self.high - self.low):.2f}"


@dataclass(frozen=True, slots=True)
class Picture:
    """The drawing of a page."""

    title: Text
    legend: Text = ()
    keys: tuple[tuple[MarkKind, Text], ...] = ()
    squares: tuple[Squares, ...] = ()
    charts: tuple[Chart, ...] = ()
    grid: Grid | None = None
    table: PageTable | None = None
    words: WordChart | None = None
    feelings: tuple[tuple[Text, tuple[Text, ...]], ...] = ()
    notes: tuple[Text, ...] = ()
    aria: str = ""


@dataclass(frozen=True, slots=True)
class PairLine:
    """A sentence as pieces, of which those that differ are marked, and its score."""

    pieces: tuple[tuple[str, bool], ...]
    score: str


@dataclass(frozen=True, slots=True)
class PairBox:
    """Real sentences that differ in the person."""

    title: Text
    pairs: tuple[tuple[PairLine, PairLine], ...]
    note: Text


@dataclass(frozen=True, slots=True)
class Bar:
    """A size on the scale of its box."""

    label: Text
    share: float
    shown: str
    tone: Literal["found", "grey", "pale"]


@dataclass(frozen=True, slots=True)
class Box:
    """A short block with a title."""

    title: Text
    bars: tuple[Bar, ...] = ()
    paragraphs: tuple[Text, ...] = ()


@dataclass(frozen=True, slots=True)
class Steps:
    """A list with a title: the next steps, or the limits."""

    title: Text
    items: tuple[Text, ...]
    command: Text = ()


@dataclass(frozen=True, slots=True)
class PageTable:
    """A table below the page, folded."""

    id: str
    title: Text
    columns: tuple[Text, ...]
    rows: tuple[tuple[Text, ...], ...]
    numeric: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Overview:
    """A line on one system of several: its clearest answer."""

    answer: str
    status: str
    name: str
    said: Text


@dataclass(frozen=True, slots=True)
class PageView:
    """Everything a page says, block by block."""

    language: str
    direction: Literal["ltr", "rtl"]
    systems: tuple[str, ...]
    kicker: Text
    headline: Text
    guess: Text
    found: bool
    accented: bool
    deck: Text
    scope: Text
    pairs: PairBox | None
    picture: Picture
    size: Box
    sure: Box
    next_steps: Steps
    limits: Steps
    job: Box
    record: Box
    overall: Text
    overviews: tuple[Overview, ...]
    lead_rows: tuple[ChartRow, ...]
    lead_name: str
    tables: tuple[PageTable, ...]
    how: Steps
