"""A table that need not fit in memory, as narwhals sees it: its columns, its labels, and what is wrong with them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from eec_bias.errors import LabelsError, OptionError, ScoresError
from eec_bias.inputs.labels import SPELLINGS, bare
from eec_bias.inputs.sources import Source, axis_candidates
from eec_bias.options import UNMARKED, Bools, Floats

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
    scores : tuple of str
        What the columns of scores are called.
    paired : bool
        Whether there is a column ``pair``.
    identified : bool
        Whether there is a column ``id``.
    """

    rows: "nw.LazyFrame[Any]"
    axes: tuple[str, ...]
    scores: tuple[str, ...]
    paired: bool
    identified: bool

    @property
    def labels(self) -> tuple[str, ...]:
        """Columns that every row must have a label in."""
        return ("person", "item", *(("pair",) if self.paired else ()), *self.axes)

    def first(self, condition: Any) -> str:
        """Name the first row, by its id or else by person and item, that fulfils a condition."""
        by = [*(["id"] if self.identified else []), "item", "person"]
        found = collected(self.rows.filter(condition).select(*by).sort(*by, nulls_last=True).head(1)).to_pylist()[0]
        if found.get("id") is not None:
            return f"row {found['id']!r}"
        return f"the row of person {found['person']!r} on item {found['item']!r}"


@dataclass(frozen=True, slots=True)
class Facts:
    """What one pass over the rows says.

    Attributes
    ----------
    rows, names : int
        Rows in all, and of names among them.
    missing : (S,) bool array
        Systems without any score.
    lowest, highest, mean : (S,) float arrays
        Of the scores.
    """

    rows: int
    names: int
    missing: Bools
    lowest: Floats
    highest: Floats
    mean: Floats


def collected(rows: "nw.LazyFrame[Any]") -> pa.Table:
    """Run a query and return what it gives."""
    table: pa.Table = rows.collect("pyarrow").to_native()
    return table


def read_frame(frame: Any, scores: Sequence[str], axes: Sequence[str] | None) -> Frame:
    """See any frame that narwhals knows as labels and scores.

    Parameters
    ----------
    frame : DuckDB relation, Spark or polars frame, pyarrow table, pandas frame, …
        The rows.
    scores : sequence of str
        Columns of scores.
    axes : sequence of str, optional
        Columns of groups; by default race, gender and the further text columns.

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
            f"frame is a {type(frame).__name__}; expected a DuckDB relation, a Spark, polars or pandas frame, or a "
            "pyarrow table"
        ) from None
    kinds = dict(lazy.collect_schema().items())
    _refuse_missing([*scores, "person", "item", *(axes or ())], kinds)
    for name in scores:
        if not (kinds[name].is_numeric() or kinds[name] == nw.Boolean):
            raise ScoresError(f"column {name!r} holds {kinds[name]} values; scores must be numbers")
    text = (nw.String, nw.Categorical, nw.Enum)
    empty = {name: pa.array([], pa.string() if kind in text else pa.float64()) for name, kind in kinds.items()}
    found = tuple(axis_candidates(Source(empty, 0)) if axes is None else axes)
    labels = ("person", "item", *(("pair",) if "pair" in kinds else ()), *found)
    for name in labels:
        if not (kinds[name] in text or kinds[name].is_integer()):
            raise LabelsError(f"column {name!r} holds {kinds[name]} values; labels must be text or integers")
    columns = [nw.col(name).cast(nw.String) for name in labels]
    columns += [nw.col(name).cast(nw.Float64).alias(f"#y{s}") for s, name in enumerate(scores)]
    identified = "id" in kinds
    if identified:
        columns.append(nw.col("id").cast(nw.String))
    return Frame(lazy.select(*columns), found, tuple(scores), "pair" in kinds, identified)


def narwhals() -> Any:
    """Import narwhals.

    Raises
    ------
    OptionError
        It is not installed.
    """
    try:
        import narwhals as nw
    except ImportError:
        raise OptionError(
            "measure_frame needs narwhals, which is not installed: pip install 'eec-datasets[scale]'"
        ) from None
    return nw


def _refuse_missing(wanted: Sequence[str], kinds: dict[str, Any]) -> None:
    for name in wanted:
        if name not in kinds:
            raise LabelsError(f"column {name!r} is missing; the data have {', '.join(kinds) or 'no columns'}")


def read_facts(frame: Frame, bounds: tuple[float, float]) -> Facts:
    """Count the rows and check every value.

    Raises
    ------
    LabelsError, ScoresError
        A label is missing, or a score is missing or outside the range; the first such row is named.
    """
    nw = narwhals()
    low, high = bounds
    flags = {f"#null {name}": nw.col(name).is_null() for name in frame.labels}
    flags["#name"] = nw.col("pair") == nw.col("item") if frame.paired else nw.col("item") == nw.col("item")
    for s in range(len(frame.scores)):
        y = nw.col(f"#y{s}")
        flags |= {f"#absent {s}": _absent(y), f"#good {s}": (y >= low) & (y <= high)}
    numbers = [nw.col(f"#y{s}").alias(f"#y{s}") for s in range(len(frame.scores))]
    seen = frame.rows.select(*numbers, *(flag.cast(nw.Int64).alias(name) for name, flag in flags.items()))
    asked = [nw.len().alias("#rows"), *(nw.col(name).sum() for name in flags)]
    for s in range(len(frame.scores)):
        y = nw.col(f"#y{s}")
        asked += [y.min().alias(f"#low {s}"), y.max().alias(f"#high {s}"), y.mean().alias(f"#mean {s}")]
    counts = collected(seen.select(*asked)).to_pylist()[0]
    rows = counts["#rows"]
    if not rows:
        raise LabelsError("data has no rows; expected one row per sentence with race, gender, person and item")
    for name in frame.labels:
        if counts[f"#null {name}"]:
            where = frame.first(nw.col(name).is_null())
            raise LabelsError(
                f"column {name!r} has no value in {where} ({counts[f'#null {name}']} such rows); every row "
                "needs a label"
            )
    missing = np.array([counts[f"#absent {s}"] == rows for s in range(len(frame.scores))])
    for s in np.flatnonzero(~missing).tolist():
        if counts[f"#good {s}"] < rows:
            _refuse_score(frame, s, bounds, counts)

    def all_of(name: str) -> Floats:
        return np.array(
            [np.nan if missing[s] else counts[f"#{name} {s}"] for s in range(len(frame.scores))], dtype=float
        )

    return Facts(rows, counts["#name"], missing, all_of("low"), all_of("high"), all_of("mean"))


def _absent(y: Any) -> Any:
    return y.is_null() | y.is_nan()


def _refuse_score(frame: Frame, s: int, bounds: tuple[float, float], counts: dict[str, Any]) -> None:
    nw = narwhals()
    y, (low, high) = nw.col(f"#y{s}"), bounds
    of = f" of system {frame.scores[s]!r}" if len(frame.scores) > 1 else ""
    if counts[f"#absent {s}"]:
        where = frame.first(_absent(y))
        raise ScoresError(
            f"score in {where}{of} is missing ({counts[f'#absent {s}']} such); every row needs a finite score"
        )
    outside = (y < low) | (y > high)
    where = frame.first(outside)
    lowest, highest = counts[f"#low {s}"], counts[f"#high {s}"]
    if not (np.isfinite(lowest) and np.isfinite(highest)):
        where = frame.first((y == float("inf")) | (y == float("-inf")))
        raise ScoresError(f"score in {where}{of} is infinite; every row needs a finite score")
    raise ScoresError(
        f"score in {where}{of} is outside [{low:g}, {high:g}] ({counts['#rows'] - counts[f'#good {s}']} such; scores "
        f"run from {lowest:.4g} to {highest:.4g}); declare the scale of the scores with score_range=(low, high)"
    )


def check_levels(name: str, levels: Sequence[str], frame: Frame, *, axis: bool) -> None:
    """Refuse labels without a letter, such as differ only by case, and levels of an axis in another spelling.

    Parameters
    ----------
    name : str
        The column.
    levels : sequence of str
        Its labels.
    frame : Frame
        Where the first row of a label is looked up.
    axis : bool
        Whether the column holds groups; of items only blank ones are refused.

    Raises
    ------
    LabelsError
        Naming the label and its first row.
    """
    nw = narwhals()
    known = {bare(label): label for label in (UNMARKED, *SPELLINGS.get(name, ()))} if axis else {}
    plain: dict[str, str] = {}
    for level in levels:
        if not level.strip():
            raise LabelsError(
                f"column {name!r} is blank in {frame.first(nw.col(name) == level)}; every row needs a label, "
                f"{UNMARKED!r} on an axis it says nothing about"
            )
        if name == "item":
            continue
        expected = known.get(bare(level), level)
        if expected != level:
            raise LabelsError(
                f"column {name!r} has the label {level!r} (first in {frame.first(nw.col(name) == level)}), which the "
                f"corpora write {expected!r}; write it so throughout: references and unmarked rows are known by it"
            )
        twin = plain.setdefault(bare(level), level)
        if twin is not level:
            raise LabelsError(
                f"column {name!r} has the labels {twin!r} (first in {frame.first(nw.col(name) == twin)}) and {level!r} "
                f"(first in {frame.first(nw.col(name) == level)}), which differ only by case, accents or space; write "
                "one of them throughout, or names that can be told apart if two are meant"
            )


def refuse_unmarked(frame: Frame, levels: Sequence[str], axis: str) -> None:
    """Refuse rows without a pair that are unmarked on an axis, as they may be noun phrases.

    Raises
    ------
    LabelsError
        Naming the first of them.
    """
    if not frame.paired and UNMARKED in levels:
        nw = narwhals()
        raise LabelsError(
            f"column 'pair' is missing, and {frame.first(nw.col(axis) == UNMARKED)} is unmarked on {axis!r}; give the "
            "column pair, which tells names from noun phrases"
        )
