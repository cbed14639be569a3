"""A table that need not fit in memory, as narwhals sees it: its columns, and what is wrong with them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from eec_bias.errors import LabelsError, OptionError, ScoresError, did_you_mean
from eec_bias.inputs.agreement import WORD_FORM
from eec_bias.inputs.containers import refuse_doubles
from eec_bias.inputs.emitted import LABEL, PIPELINE, SCORE
from eec_bias.inputs.item_labels import COLUMNS as OF_ITEMS
from eec_bias.inputs.item_labels import NONE
from eec_bias.inputs.lookalikes import refuse_lookalikes
from eec_bias.inputs.person_labels import FORM, PLACEBO, SAID, choose_families
from eec_bias.inputs.scores import check_range, wrong_score
from eec_bias.inputs.sources import EXPLAINED, NO_ROWS, Source, axis_candidates, axis_names, signal_columns
from eec_bias.inputs.systems import Systems
from eec_bias.inputs.wording import TEXT
from eec_bias.options import MeasureOptions

if TYPE_CHECKING:
    import narwhals as nw


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
        """The first row that fulfils a condition, named by its id or else by person and item, with further columns."""
        by = ("id", "item", "person") if self.named else ("item", "person")
        rows = self.rows.filter(condition).select(*by, *more).sort(*by, nulls_last=True)
        row = collected(rows.head(1)).to_pylist()[0]
        if row.get("id") is None:
            return f"the row of person {row['person']!r} on item {row['item']!r}", [row[name] for name in more]
        return f"row {row['id']!r}", [row[name] for name in more]


def narwhals() -> Any:
    """The module narwhals."""
    try:
        import narwhals as nw
    except ImportError:
        raise OptionError(
            "a table in an engine needs narwhals, which is not installed: pip install 'eec-datasets[scale]'"
        ) from None
    return nw


def collected(rows: "nw.LazyFrame[Any]") -> pa.Table:
    """Run a query and return what it gives."""
    table: pa.Table = rows.collect("pyarrow").to_native()
    return table


def read_frame(frame: Any, scores: Sequence[str], options: MeasureOptions) -> EngineFrame:
    """The labels and outputs of any frame that narwhals knows.

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


def check_rows(frame: EngineFrame, options: MeasureOptions, systems: Systems, count: int) -> None:
    """Refuse rows without a label and, among scores, the first that is missing or outside the range.

    The engine finds them before any row is read; the first by id, or by item and person, is named.

    Raises
    ------
    LabelsError, ScoresError
        Naming it.
    """
    nw = narwhals()
    low, high = check_range(options.score_range)
    scored = range(count if options.output_kind in ("score", "ordinal") else 0)
    flags = {f"#null {name}": nw.col(name).is_null() for name in frame.labels}
    wrong: list[dict[str, Any]] = []
    for s in scored:
        y = nw.col(f"#y{s}")
        absent = y.is_null()
        wrong.append({"endless": (y == np.inf) | (y == -np.inf), "beyond": (y < low) | (y > high)})
        if options.incomplete == "refuse":
            wrong[s] = {"absent": absent, **wrong[s]}
        flags |= {f"#{kind} {s}": where for kind, where in wrong[s].items()}
        flags |= {f"#none {s}": absent, f"#good {s}": (y >= low) & (y <= high)}
    aggregates = {"#rows": nw.len(), **{name: flag.cast(nw.Int64).sum() for name, flag in flags.items()}}
    for s in scored:
        aggregates |= {f"#low {s}": nw.col(f"#y{s}").min(), f"#high {s}": nw.col(f"#y{s}").max()}
    counts = collected(frame.rows.select(*(each.alias(name) for name, each in aggregates.items()))).to_pylist()[0]
    rows = counts["#rows"]
    if not rows:
        raise LabelsError(NO_ROWS)
    for name in frame.labels:
        if counts[f"#null {name}"]:
            where, such = frame.first(nw.col(name).is_null())[0], counts[f"#null {name}"]
            raise LabelsError(f"column {name!r} has no value in {where} ({such} such rows); every row needs a label")
    for s in scored:
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
