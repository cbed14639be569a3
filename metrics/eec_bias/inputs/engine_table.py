"""A table that need not fit in memory, as narwhals sees it: its columns, its labels, and what is wrong with them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from eec_bias.errors import LabelsError, OptionError, ScoresError
from eec_bias.inputs.item_labels import COLUMNS, NONE
from eec_bias.inputs.matrices import refuse_doubles
from eec_bias.inputs.scores import ScoreReader, wrong_score
from eec_bias.inputs.sources import NO_ROWS, Source, axis_candidates
from eec_bias.options import Floats

if TYPE_CHECKING:
    import narwhals as nw


@dataclass(frozen=True, slots=True)
class Frame:
    """Rows of labels and scores.

    Attributes
    ----------
    rows : narwhals.LazyFrame
        Columns ``person``, ``item``, ``pair``, those of ``axes`` as text; scores ``#y0``, ``#y1``, … as numbers; and
        ``id`` where there is one.
    axes : tuple of str
        Columns of groups.
    systems : int
        How many columns of scores there are.
    paired, identified : bool
        Whether there is a column ``pair``, and a column ``id``.
    of_items : tuple of str
        Columns that describe items, see `item_labels`.
    """

    rows: "nw.LazyFrame[Any]"
    axes: tuple[str, ...]
    systems: int
    paired: bool
    identified: bool
    of_items: tuple[str, ...] = ()

    @property
    def labels(self) -> tuple[str, ...]:
        """Columns that every row must have a label in."""
        return ("person", "item", *(("pair",) if self.paired else ()), *self.axes)

    @property
    def names(self) -> "nw.LazyFrame[Any]":
        """The rows of names."""
        nw = narwhals()
        return self.rows.filter(nw.col("pair") == nw.col("item")) if self.paired else self.rows

    def first(self, condition: Any, *more: str) -> tuple[str, list[Any]]:
        """Name the first row, by its id or else by person and item, that fulfils a condition; and what it has more."""
        by = [*(["id"] if self.identified else []), "item", "person"]
        rows = self.rows.filter(condition).select(*by, *more).sort(*by, nulls_last=True)
        row = collected(rows.head(1)).to_pylist()[0]
        row_name = f"row {row['id']!r}" if row.get("id") is not None else ""
        return row_name or f"the row of person {row['person']!r} on item {row['item']!r}", [row[name] for name in more]


def narwhals() -> Any:
    """Import narwhals."""
    try:
        import narwhals as nw
    except ImportError:
        raise OptionError(
            "measure_frame needs narwhals, which is not installed: pip install 'eec-datasets[scale]'"
        ) from None
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
        raise LabelsError(
            f"frame is of type {type(frame).__name__}; expected a DuckDB relation, a Spark, polars or pandas frame, or "
            "a pyarrow table"
        ) from None
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
    columns = [nw.col(name).cast(nw.String) for name in labels]
    columns += [nw.col(name).cast(nw.String).fill_null(NONE) for name in of_items]
    columns += [nw.col(name).cast(nw.Float64).alias(f"#y{s}") for s, name in enumerate(scores)]
    columns += [nw.col("id").cast(nw.String)] if "id" in kinds else []
    return Frame(lazy.select(*columns), chosen, len(scores), "pair" in kinds, "id" in kinds, of_items)


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
    nw = narwhals()
    low, high = reader.score_range
    systems = range(frame.systems)
    flags = {f"#null {name}": nw.col(name).is_null() for name in frame.labels}
    flags["#name"] = nw.col("pair" if frame.paired else "item") == nw.col("item")
    aggregates = {"#rows": nw.len()}
    for s in systems:
        y = nw.col(f"#y{s}")
        flags |= {f"#absent {s}": _absent(y), f"#good {s}": (y >= low) & (y <= high)}
        aggregates |= {f"#low {s}": y.min(), f"#high {s}": y.max(), f"#mean {s}": y.mean()}
    aggregates |= {name: flag.cast(nw.Int64).sum() for name, flag in flags.items()}
    counts = collected(frame.rows.select(*(each.alias(name) for name, each in aggregates.items()))).to_pylist()[0]
    rows = counts["#rows"]
    if not rows:
        raise LabelsError(NO_ROWS)
    for name in frame.labels:
        if counts[f"#null {name}"]:
            raise LabelsError(
                f"column {name!r} has no value in {frame.first(nw.col(name).is_null())[0]} ({counts[f'#null {name}']} "
                "such rows); every row needs a label"
            )
    reader.missing = np.array([counts[f"#absent {s}"] == rows for s in systems])
    for s in reader.kept.tolist():
        if counts[f"#good {s}"] < rows:
            _refuse_score(frame, reader, s, counts)
        reader.lowest, reader.highest = (
            min(reader.lowest, counts[f"#low {s}"]), max(reader.highest, counts[f"#high {s}"])
        )  # fmt: skip
    mean = [np.nan if reader.missing[s] else counts[f"#mean {s}"] for s in systems]
    return rows, counts["#name"], np.array(mean, dtype=float)


def _absent(y: Any) -> Any:
    return y.is_null() | y.is_nan()


def _refuse_score(frame: Frame, reader: ScoreReader, s: int, counts: dict[str, Any]) -> None:
    y, (low, high) = narwhals().col(f"#y{s}"), reader.score_range
    for wrong in (_absent(y), (y == np.inf) | (y == -np.inf), (y < low) | (y > high)):
        such = collected(frame.rows.filter(wrong).select(narwhals().len().alias("#n")))["#n"][0].as_py()
        if such:
            row_name, (value,) = frame.first(wrong, f"#y{s}")
            run = counts[f"#low {s}"], counts[f"#high {s}"], counts[f"#good {s}"] / counts["#rows"]
            raise wrong_score(
                row_name + reader.systems.of(s), np.nan if value is None else value, such, reader.score_range, run
            )


def read_paired(frame: Frame) -> tuple[Source, Floats]:
    """Bring the rows of noun phrases and pronouns to memory, sorted, as the engine's order means nothing."""
    nw = narwhals()
    scores = [f"#y{s}" for s in range(frame.systems)]
    rows = frame.rows.filter(nw.col("pair") != nw.col("item")).select(*frame.labels, *frame.of_items, *scores)
    table = collected(rows.sort("item", "person", "pair", *frame.axes))
    values = np.stack([np.asarray(table[name].to_numpy(), dtype=float) for name in scores])
    return Source({name: table[name] for name in (*frame.labels, *frame.of_items)}, table.num_rows), values
