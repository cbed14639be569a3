"""A table that need not fit in memory, as narwhals sees it: its columns, its labels, and what is wrong with them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from eec_bias.errors import LabelsError, ScoresError
from eec_bias.inputs.item_labels import COLUMNS, NONE
from eec_bias.inputs.matrices import refuse_doubles
from eec_bias.inputs.scores import ScoreReader, wrong_score
from eec_bias.inputs.sources import NO_ROWS, Source, axis_candidates
from eec_bias.options import Floats
from eec_bias.sentences import refusal

if TYPE_CHECKING:
    import narwhals as nw


@dataclass(frozen=True, slots=True)
class Frame:
    """Rows of labels and scores.

    Attributes
    ----------
    rows : narwhals.LazyFrame
        Columns ``person``, ``item``, ``pair`` (the item where there is none), those of ``axes`` and ``id`` (null where
        there is none) as text; scores ``#y0``, ``#y1``, … as numbers.
    axes : tuple of str
        Columns of groups.
    systems : int
        How many columns of scores there are.
    paired : bool
        Whether there is a column ``pair``.
    of_items : tuple of str
        Columns that describe items, see `item_labels`.
    """

    rows: "nw.LazyFrame[Any]"
    axes: tuple[str, ...]
    systems: int
    paired: bool
    of_items: tuple[str, ...] = ()

    @property
    def labels(self) -> tuple[str, ...]:
        """Columns that every row must have a label in."""
        return ("person", "item", "pair", *self.axes)

    @property
    def names(self) -> "nw.LazyFrame[Any]":
        """The rows of names."""
        return self.rows.filter(narwhals().col("pair") == narwhals().col("item"))

    def first(self, condition: Any, *more: str) -> tuple[str, list[Any]]:
        """Name the first row, by its id or else by person and item, that fulfils a condition; and what it has more."""
        by = ("id", "item", "person")
        rows = self.rows.filter(condition).select(*by, *more).sort(*by, nulls_last=True)
        row = collected(rows.head(1)).to_pylist()[0]
        unnamed = f"the row of person {row['person']!r} on item {row['item']!r}"
        return unnamed if row["id"] is None else f"row {row['id']!r}", [row[name] for name in more]

    def refuse_doubles(self) -> None:
        """Refuse persons who meet an item twice."""
        nw, by = narwhals(), ("person", "item", "pair", *self.axes)
        twice = self.rows.group_by(*by).agg(nw.len().alias("#n")).filter(nw.col("#n") > 1)
        for row in collected(twice.sort(*by).head(1)).to_pylist():
            levels = ", ".join(f"{name}={row[name]}" for name in self.axes)
            raise refusal("doubled_rows", times=row["#n"], person=row["person"], levels=levels, item=row["item"])


def narwhals() -> Any:
    """Import narwhals."""
    try:
        import narwhals as nw
    except ImportError:
        raise refusal("no_narwhals") from None
    return nw


def collected(rows: "nw.LazyFrame[Any]") -> pa.Table:
    """Run a query and return what it gives."""
    table: pa.Table = rows.collect("pyarrow").to_native()
    return table


def read_frame(frame: Any, scores: Sequence[str], axes: Sequence[str] | None) -> Frame:
    """See any frame that narwhals knows as labels and scores.

    Raises
    ------
    LabelsError, ScoresError
        A column is missing, or of a kind that cannot be a label or a score.
    OptionError
        narwhals is not installed.
    """
    nw = narwhals()
    try:
        lazy = nw.from_native(frame).lazy()
    except TypeError:
        raise refusal("no_frame", kind=type(frame).__name__) from None
    except nw.exceptions.DuplicateError:
        refuse_doubles(map(str, getattr(frame, "column_names", frame.columns)), LabelsError)
        raise
    kinds = dict(lazy.collect_schema().items())
    for name in (*scores, "person", "item", *(axes or ())):
        if name not in kinds:
            raise LabelsError(f"column {name!r} is missing; the data have {', '.join(kinds) or 'no columns'}")
    for name in scores:
        if not (kinds[name].is_numeric() or kinds[name] == nw.Boolean):
            raise ScoresError(f"column {name!r} holds {kinds[name]} values; scores must be numbers")
    text = (nw.String, nw.Categorical, nw.Enum)
    empty = {name: pa.array([], pa.string() if kind in text else pa.float64()) for name, kind in kinds.items()}
    chosen = tuple(axis_candidates(Source(empty, 0)) if axes is None else axes)
    labels = ("person", "item", *(("pair",) if "pair" in kinds else ()), *chosen)
    for name in labels:
        if not (kinds[name] in text or kinds[name].is_integer()):
            raise LabelsError(f"column {name!r} holds {kinds[name]} values; labels must be text or integers")
        if name.startswith("#"):
            raise LabelsError(f"column {name!r} begins with '#', as do those that are made here; rename it")
    of_items = tuple(name for name in COLUMNS if name in kinds and name not in chosen)

    def as_text(name: str) -> Any:
        return nw.col(name).cast(nw.String)

    paired, identified = "pair" in kinds, "id" in kinds
    columns = [as_text(name) for name in ("person", "item", *chosen)]
    columns += [as_text("pair" if paired else "item").alias("pair")]
    columns += [as_text("id") if identified else nw.lit(None, dtype=nw.String).alias("id")]
    columns += [as_text(name).fill_null(NONE) for name in of_items]
    columns += [nw.col(name).cast(nw.Float64).alias(f"#y{s}") for s, name in enumerate(scores)]
    return Frame(lazy.select(*columns), chosen, len(scores), paired, of_items)


def read_facts(frame: Frame, reader: ScoreReader) -> tuple[int, int, Floats]:
    """Count the rows and check every value; the reader learns which systems have scores, and their extent.

    Returns
    -------
    rows in all, rows of names, (S,) mean score of each system

    Raises
    ------
    LabelsError, ScoresError
        A label is missing, or a score is missing or outside the range; the first such row is named.
    """
    nw, (low, high), systems = narwhals(), reader.score_range, range(frame.systems)
    scores = [nw.col(f"#y{s}") for s in systems]
    wrong = [
        {
            "absent": y.is_null() | y.is_nan(),
            "endless": (y == np.inf) | (y == -np.inf),
            "beyond": (y < low) | (y > high),
        }
        for y in scores
    ]
    flags = {f"#null {name}": nw.col(name).is_null() for name in frame.labels}
    flags |= {f"#{kind} {s}": where for s in systems for kind, where in wrong[s].items()}
    flags |= {f"#good {s}": (y >= low) & (y <= high) for s, y in enumerate(scores)}
    flags["#name"] = nw.col("pair") == nw.col("item")
    aggregates = {"#rows": nw.len(), **{name: flag.cast(nw.Int64).sum() for name, flag in flags.items()}}
    for s, y in enumerate(scores):
        aggregates |= {f"#low {s}": y.min(), f"#high {s}": y.max(), f"#mean {s}": y.mean()}
    counts = collected(frame.rows.select(*(each.alias(name) for name, each in aggregates.items()))).to_pylist()[0]
    rows = counts["#rows"]
    if not rows:
        raise LabelsError(NO_ROWS)
    for name in frame.labels:
        if counts[f"#null {name}"]:
            raise refusal(
                "no_label_of_rows",
                name=name,
                where=frame.first(nw.col(name).is_null())[0],
                count=counts[f"#null {name}"],
            )
    reader.missing = np.array([counts[f"#absent {s}"] == rows for s in systems])
    for s in reader.kept.tolist():
        lowest, highest, good = (counts[f"#{name} {s}"] for name in ("low", "high", "good"))
        for kind, where in wrong[s].items() if good < rows else ():
            if such := counts[f"#{kind} {s}"]:
                place, (value,) = frame.first(where, f"#y{s}")
                place, value = place + reader.systems.of(s), np.nan if value is None else value
                raise wrong_score(place, value, such, reader.score_range, (lowest, highest, good / rows))
        reader.lowest, reader.highest = min(reader.lowest, lowest), max(reader.highest, highest)
    mean = [np.nan if reader.missing[s] else counts[f"#mean {s}"] for s in systems]
    return rows, counts["#name"], np.array(mean, dtype=float)


def read_paired(frame: Frame) -> tuple[Source, Floats]:
    """Bring the rows of noun phrases and pronouns to memory, sorted, as the engine's order means nothing."""
    nw = narwhals()
    scores = [f"#y{s}" for s in range(frame.systems)]
    rows = frame.rows.filter(nw.col("pair") != nw.col("item")).select(*frame.labels, *frame.of_items, *scores)
    table = collected(rows.sort("item", "person", "pair", *frame.axes))
    values = np.stack([np.asarray(table[name].to_numpy(), dtype=float) for name in scores])
    return Source({name: table[name] for name in (*frame.labels, *frame.of_items)}, table.num_rows), values
