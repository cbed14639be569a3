"""Rows in a table of DuckDB, Spark or polars that need not fit in memory: labels become codes batch by batch."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from eec_bias.errors import LabelsError, OptionError, ScoresError, did_you_mean, expect
from eec_bias.inputs.axes import axis_candidates, axis_names, signal_columns
from eec_bias.inputs.containers import EXPLAINED, NO_ROWS, Source, refuse_doubles
from eec_bias.inputs.labels import refuse_lookalikes
from eec_bias.inputs.matrices import check_range, wrong_score
from eec_bias.inputs.observed import FORM, NONE, OF_ITEMS, PLACEBO, SAID, Observations, choose_families
from eec_bias.inputs.outputs import Outputs
from eec_bias.inputs.pipelines import LABEL, PIPELINE, SCORE
from eec_bias.inputs.reading import read_rows
from eec_bias.inputs.scores import UNNAMED, Systems, name_systems
from eec_bias.inputs.wording import TEXT, WORD_FORM
from eec_bias.options import MeasureOptions, is_name

if TYPE_CHECKING:
    import narwhals as nw

BATCH = 500_000
"""Rows that are read at once."""


@dataclass(frozen=True, slots=True)
class EngineFrame:
    """Rows of labels and outputs.

    Attributes
    ----------
    rows : narwhals.LazyFrame
        Columns of labels as text; outputs ``#y0``, ``#y1``, … as numbers or, of classes, as text.
    labels : tuple of str
        Columns that every row must have a label in.
    named : bool
        Whether rows have an ``id``.
    """

    rows: "nw.LazyFrame[Any]"
    labels: tuple[str, ...]
    named: bool

    def first(self, condition: Any, *more: str) -> tuple[str, list[Any]]:
        """Return the first row that fulfils a condition, by its id or by person and item, with more columns."""
        by = ("id", "item", "person") if self.named else ("item", "person")
        rows = self.rows.filter(condition).select(*by, *more).sort(*by, nulls_last=True)
        row = _collected(rows.head(1)).to_pylist()[0]
        if row.get("id") is None:
            return f"the row of person {row['person']!r} on item {row['item']!r}", [row[name] for name in more]
        return f"row {row['id']!r}", [row[name] for name in more]


def is_engine_table(data: Any) -> bool:
    """Return whether data are a relation of DuckDB, a frame of Spark, or a lazy frame of polars or narwhals."""
    kind = type(data)
    return kind.__name__ == "LazyFrame" or kind.__module__.partition(".")[0] in ("duckdb", "_duckdb", "pyspark")


def read_engine(frame: Any, scores: Any, options: MeasureOptions) -> tuple[Observations, Outputs]:
    """Read the rows of a table that stays in its engine.

    Of a row the scores and a code per label are kept. Texts are not, so nothing is said of wordings.

    Parameters
    ----------
    frame : DuckDB relation, Spark frame, or lazy frame of polars or narwhals
        The rows, in any order.
    scores : str or sequence of str
        Columns of scores; a text is the one column of an unnamed system.
    options : MeasureOptions
        As for `measure`.

    Raises
    ------
    ScoresError, LabelsError, OptionError
        As for `measure`. Rows are named by their ``id`` or, without that column, by person and item.
    """
    given = [scores] if isinstance(scores, str) else scores
    are_names = isinstance(given, list | tuple) and len(given) > 0 and all(map(is_name, given))
    expect(are_names, "scores", scores, "the name of a column of the table, or one per system")
    columns: tuple[str, ...] = tuple(given)
    for name in ("systems", "runs"):
        if isinstance(getattr(options, name), str):
            raise OptionError(
                f"{name} {getattr(options, name)!r} is a column of long data, which needs the table in memory; give a "
                "column of scores per system"
            )
    check_range(options.score_range)
    table = _read_frame(frame, columns, options)
    named = None if isinstance(scores, str) or options.systems is not None else columns
    if options.output_kind in ("score", "ordinal"):
        systems = name_systems(options, len(columns), named, single=isinstance(scores, str))
        _check_rows(table, options, systems, len(columns))
    else:
        _check_rows(table, options, UNNAMED, 0)
    batches = [_coded(batch) for batch in _batches(table)]
    rows = pa.concat_tables(batches).unify_dictionaries().combine_chunks()
    read = [rows[f"#y{s}"] for s in range(len(columns))]
    outputs: Any = read
    if isinstance(scores, str):
        outputs = read[0]
    elif options.systems is None or options.output_kind == "probabilities":
        outputs = dict(zip(columns, read, strict=True))
    labels = {name: rows[name] for name in rows.column_names if not name.startswith("#")}
    return read_rows(outputs, Source(labels, rows.num_rows, unordered=True), options)


def _read_frame(frame: Any, scores: Sequence[str], options: MeasureOptions) -> EngineFrame:
    """Choose the labels and outputs of any frame that narwhals knows.

    Raises
    ------
    LabelsError, ScoresError
        A column is missing, or of a kind that cannot be a label or a score.
    OptionError
        narwhals is not installed.
    """
    nw = _narwhals()
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
    refuse_lookalikes(kinds, "columns", LabelsError)
    axes = axis_names(options.axes)
    cut = () if options.by is None else (options.by,)
    for name in (*scores, "person", "item", *(axes or ()), *cut):
        if name not in kinds:
            known = ", ".join(kinds) or "no columns"
            told = f"{did_you_mean(name, kinds)}{EXPLAINED.get(name, '')}"
            raise LabelsError(f"column {name!r} is missing; the data have {known}{told}")
    for name in scores if options.output_kind != "class" else ():
        if not (kinds[name].is_numeric() or kinds[name] == nw.Boolean):
            raise ScoresError(f"column {name!r} holds {kinds[name]} values; scores must be numbers")
    text = (nw.String, nw.Categorical, nw.Enum)
    if SCORE in scores and kinds.get(LABEL) in text and LABEL not in (*(axes or ()), *cut):
        raise ScoresError(PIPELINE)
    empty = {name: pa.array([], pa.string() if kind in text else pa.float64()) for name, kind in kinds.items()}
    if axes is None:
        candidates = axis_candidates(Source(empty, 0))
        axes = tuple(name for name in candidates if name not in (*scores, *cut))
    pair = ("pair",) if "pair" in kinds else ()
    labels = ("person", "item", *pair, *axes)
    _check_labels({name: kinds[name] for name in (*labels, *cut)}, text)
    families = choose_families(options.families, kinds)
    of_persons = (*families, *signal_columns(kinds, axes), FORM, SAID, PLACEBO)
    further = [name for name in (*OF_ITEMS, WORD_FORM, *of_persons, *cut, "id") if name in kinds]
    kept = dict.fromkeys((*labels, *further))
    columns = [nw.col(name).cast(nw.String) for name in kept]
    if {"word", WORD_FORM, TEXT} <= kinds.keys() - set(labels):
        # Only of a sentence without an emotion word the text says if it agrees with the person.
        columns.append(nw.when(nw.col("word").cast(nw.String) == NONE).then(nw.col(TEXT).cast(nw.String)).alias(TEXT))
    classes = options.output_kind == "class"
    for s, name in enumerate(scores):
        output = nw.col(name).cast(nw.String if classes else nw.Float64)
        # Engines order NaN above all numbers; here, as in memory, it is a score that is missing.
        known = output if classes else nw.when(~output.is_nan()).then(output)
        columns.append(known.alias(f"#y{s}"))
    return EngineFrame(lazy.select(*columns), labels, "id" in kinds)


def _check_labels(kinds: Mapping[str, Any], text: tuple[Any, ...]) -> None:
    """Refuse columns of labels by their kind or name."""
    for name, kind in kinds.items():
        if not (kind in text or kind.is_integer()):
            raise LabelsError(f"column {name!r} holds {kind} values; labels must be text or integers")
        if name.startswith("#"):
            raise LabelsError(f"column {name!r} begins with '#', as do those that are made here; rename it")


def _check_rows(frame: EngineFrame, options: MeasureOptions, systems: Systems, count: int) -> None:
    """Refuse rows without a label and, among scores, the first that is missing or outside the range.

    The engine finds them before any row is read; the first by id, or by item and person, is named.

    Raises
    ------
    LabelsError, ScoresError
        Naming it.
    """
    nw = _narwhals()
    low, high = check_range(options.score_range)
    flags = {f"#null {name}": nw.col(name).is_null() for name in frame.labels}
    wrong: list[dict[str, Any]] = []
    for s in range(count):
        y = nw.col(f"#y{s}")
        absent = y.is_null()
        wrong.append({"endless": (y == np.inf) | (y == -np.inf), "beyond": (y < low) | (y > high)})
        if options.incomplete == "refuse":
            wrong[s] = {"absent": absent, **wrong[s]}
        flags |= {f"#{kind} {s}": where for kind, where in wrong[s].items()}
        flags |= {f"#none {s}": absent, f"#good {s}": (y >= low) & (y <= high)}
    aggregates = {"#rows": nw.len(), **{name: flag.cast(nw.Int64).sum() for name, flag in flags.items()}}
    for s in range(count):
        aggregates |= {f"#low {s}": nw.col(f"#y{s}").min(), f"#high {s}": nw.col(f"#y{s}").max()}
    counts = _collected(frame.rows.select(*(each.alias(name) for name, each in aggregates.items()))).to_pylist()[0]
    rows = counts["#rows"]
    if not rows:
        raise LabelsError(NO_ROWS)
    for name in frame.labels:
        if counts[f"#null {name}"]:
            where, such = frame.first(nw.col(name).is_null())[0], counts[f"#null {name}"]
            raise LabelsError(f"column {name!r} has no value in {where} ({such} such rows); every row needs a label")
    for s in range(count):
        if counts[f"#none {s}"] == rows:
            continue
        for kind, where in wrong[s].items():
            if counts[f"#{kind} {s}"]:
                place, (value,) = frame.first(where, f"#y{s}")
                known = counts[f"#low {s}"], counts[f"#high {s}"], counts[f"#good {s}"] / rows
                raise wrong_score(
                    place + systems.of(s),
                    np.nan if value is None else value,
                    counts[f"#{kind} {s}"],
                    (low, high),
                    known,
                )


def _coded(batch: pa.Table) -> pa.Table:
    """Replace labels by codes; an id names a single row, and is only read to name the first that is wrong."""
    columns = {name: batch[name] for name in batch.column_names if name != "id"}
    for name, column in columns.items():
        if pa.types.is_string(column.type):
            columns[name] = column.dictionary_encode()
    return pa.table(columns)


def _batches(table: EngineFrame) -> Iterator[pa.Table]:
    """Read a table some rows at a time, where its engine can."""
    native = table.rows.to_native()
    # DuckDB changed the name.
    for name in ("to_arrow_reader", "fetch_arrow_reader"):
        if hasattr(native, name):
            for batch in getattr(native, name)(BATCH):
                yield pa.Table.from_batches([batch])
            return
    whole = _collected(table.rows)
    for start in range(0, whole.num_rows, BATCH):
        yield whole.slice(start, BATCH)


def _narwhals() -> Any:
    """Return the module narwhals."""
    try:
        import narwhals as nw
    except ImportError:
        raise OptionError(
            "a table in an engine needs narwhals, which is not installed: pip install 'eec-datasets[scale]'"
        ) from None
    return nw


def _collected(rows: "nw.LazyFrame[Any]") -> pa.Table:
    """Run a query and return what it gives."""
    table: pa.Table = rows.collect("pyarrow").to_native()
    return table
