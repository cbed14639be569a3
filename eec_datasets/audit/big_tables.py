"""Tables of labels and scores: which columns are scores, and the scores put beside the rows they are of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from eec_datasets.audit.engines import Engine, Reader, TableUnreadable
from eec_datasets.audit.errors import AuditError, BadScoresFile
from eec_datasets.audit.table_files import Files, parquet

if TYPE_CHECKING:
    import pyarrow as pa

SCORE: Final = "score"


class NoScores(AuditError):
    """It is not clear which columns are scores, or they are not there."""


def choose_scores(asked: Sequence[str], columns: Sequence[str], labels: Sequence[str], path: str) -> list[str]:
    """Return the columns of scores.

    Parameters
    ----------
    asked
        Columns asked for.
    columns
        Columns of the file of scores.
    labels
        Columns that hold labels, where the scores are in a file of their own; empty where they stand beside them.
    path
        The file, for messages.

    Raises
    ------
    NoScores
        A column asked for is missing, or none can be told from the labels.
    """
    missing = [name for name in asked if name not in columns]
    if missing:
        raise NoScores(f"{path}: there is no column {missing[0]!r} among {', '.join(columns)}.")
    if asked:
        return list(dict.fromkeys(asked))
    found = [name for name in columns if name not in labels] if labels else [SCORE] if SCORE in columns else []
    if not found:
        raise NoScores(
            f"{path}: which column holds the scores? There are {', '.join(columns)}; name one or several with --score."
        )
    return found


def read_memory(data: Files, scores: Files | None, systems: Sequence[str]) -> pa.Table:
    """Read a table of labels and scores to memory, texts left out; labels are dictionaries.

    Raises
    ------
    TableUnreadable, BadScoresFile
        A file is damaged, a score is no number, or the scores do not fit the rows.
    """
    if scores is None:
        return _read(data, [name for name in data.columns if name not in ("id", "text")], systems)
    _refuse_no_id(data)
    _refuse_no_id(scores)
    shared = [name for name in scores.columns if name in data.columns and name not in ("id", *systems)]
    rows = _read(data, [name for name in data.columns if name != "text" or name in shared], ())
    given = _read(scores, ["id", *shared, *systems], systems)
    return _beside(rows, given, systems, scores.given)


def _refuse_no_id(files: Files) -> None:
    if "id" not in files.columns:
        raise _no_id(files.given, files.columns)


def _no_id(path: str, columns: Sequence[str]) -> NoScores:
    return NoScores(f"{path}: there is no column 'id' among {', '.join(columns)}; scores and rows are matched by it.")


def _read(files: Files, columns: Sequence[str], systems: Sequence[str]) -> pa.Table:
    import pyarrow as pa
    import pyarrow.parquet as pq
    from pyarrow import csv as arrow_csv

    labels = [name for name in columns if name not in (*systems, "id")]
    tables = []
    for path in files.paths:
        if files.kind == "parquet":
            tables.append(
                parquet(path, pq.read_table, columns=list(columns), read_dictionary=labels, partitioning=None)
            )
            continue
        kinds = {name: pa.float64() if name in systems else pa.string() for name in columns}
        options = arrow_csv.ConvertOptions(
            column_types=kinds, include_columns=list(columns), strings_can_be_null=False, null_values=["", "NaN", "nan"]
        )
        newlines = arrow_csv.ParseOptions(newlines_in_values=True)
        try:
            tables.append(arrow_csv.read_csv(path, convert_options=options, parse_options=newlines))
        except (OSError, pa.ArrowException) as error:
            raise TableUnreadable(f"{path}: cannot be read as CSV ({str(error).splitlines()[0]}).") from error
    try:
        return pa.concat_tables(tables)
    except pa.ArrowException as error:
        raise TableUnreadable(
            f"{files.given}: its files have different columns ({str(error).splitlines()[0]})."
        ) from error


def _beside(rows: pa.Table, given: pa.Table, systems: Sequence[str], path: str) -> pa.Table:
    import pyarrow.compute as pc

    ids, own = rows["id"].combine_chunks(), given["id"].combine_chunks()
    _refuse("duplicate ids", _twice(own), path)
    _refuse("ids that several rows of the data have", _twice(ids), path)
    _refuse("unknown ids", own.filter(pc.invert(pc.is_in(own, value_set=ids))), path)
    _refuse("missing ids", ids.filter(pc.invert(pc.is_in(ids, value_set=own))), path)
    given = given.take(pc.index_in(ids, value_set=own))
    for name in given.column_names:
        if name in systems:
            rows = rows.append_column(name, given[name])
        elif name != "id":
            other = pc.not_equal(rows[name].cast("string"), given[name].cast("string"))
            _refuse(f"values of {name!r} that differ from the data", ids.filter(other.combine_chunks()), path)
    return rows.drop_columns(["id", *(["text"] if "text" in rows.column_names else [])])


def _twice(ids: Any) -> Any:
    import pyarrow.compute as pc

    counts = pc.value_counts(ids)
    return counts.field("values").filter(pc.greater(counts.field("counts"), 1))


def _refuse(what: str, ids: Any, path: str) -> None:
    import pyarrow.compute as pc

    if len(ids):
        _unfit(path, len(ids), what, pc.min(ids).as_py())


def _unfit(path: str, count: int, what: str, first: str) -> None:
    raise BadScoresFile(
        f"{path} does not fit the data: {count:,} {what}, first {first!r}. Expected every id of the data once, with "
        "one number per system. Nothing was measured."
    )


def open_frame(reader: Reader, data: Files, scores: Files | None, asked: Sequence[str]) -> tuple[Any, list[str]]:
    """Open a table in an engine.

    Returns
    -------
    frame, list of str
        The rows, and the columns of scores.

    Raises
    ------
    NoScores, BadScoresFile
        As `choose_scores`; or the scores do not fit the rows.
    """
    import narwhals as nw

    if scores is None:
        systems = choose_scores(asked, data.columns, (), data.given) if "://" not in data.given else list(asked)
        return _frame(reader, data, systems or [SCORE]), systems or [SCORE]
    _refuse_no_id(scores)
    rows = _frame(reader, data, ())
    columns = nw.from_native(rows).lazy().collect_schema().names()
    if "id" not in columns:
        raise _no_id(data.given, columns)
    systems = choose_scores(asked, scores.columns, columns, scores.given)
    return _joined(rows, _frame(reader, scores, systems), systems, scores.given), systems


def _frame(reader: Reader, files: Files, systems: Sequence[str]) -> Any:
    if files.kind == "parquet":
        return reader.parquet(files.paths)
    return reader.csv(files.paths, {name: "number" if name in systems else "text" for name in files.columns})


def _joined(rows: Any, scores: Any, systems: Sequence[str], path: str) -> Any:
    import narwhals as nw

    data, given = nw.from_native(rows).lazy(), nw.from_native(scores).lazy()
    same = [name for name in given.collect_schema().names() if name not in ("id", *systems)]

    def doubles(frame: Any) -> Any:
        return frame.group_by("id").agg(nw.len().alias("n")).filter(nw.col("n") > 1)

    _refuse_rows("duplicate ids", doubles(given), path)
    _refuse_rows("ids that several rows of the data have", doubles(data), path)
    _refuse_rows("unknown ids", given.select("id").join(data.select("id"), on="id", how="anti"), path)
    _refuse_rows("missing ids", data.select("id").join(given.select("id"), on="id", how="anti"), path)
    given = given.select("id", *(nw.col(name).alias(f"given {name}") for name in same), *systems)
    joined = data.join(given, on="id", how="inner")
    for name in same:
        other = joined.filter(nw.col(name).cast(nw.String) != nw.col(f"given {name}").cast(nw.String))
        _refuse_rows(f"values of {name!r} that differ from the data", other, path)
    return joined.drop(*(f"given {name}" for name in same))


def _refuse_rows(what: str, found: Any, path: str) -> None:
    import narwhals as nw

    facts = found.select(nw.len().alias("n"), nw.col("id").min().alias("first")).collect("pyarrow").to_native()
    if facts["n"][0].as_py():
        _unfit(path, facts["n"][0].as_py(), what, facts["first"][0].as_py())


def pick_engine(asked: Engine | None, data: Files, scores: Files | None, method: str) -> Engine:
    """Return the engine asked for, or the one that suits the size of the table.

    Raises
    ------
    TableUnreadable
        The engine cannot do what is asked.
    """
    if asked in ("duckdb", "spark") and method != "default":
        raise TableUnreadable(
            f"--engine {asked} sums up for the default method; --method {method} needs the table in memory: leave "
            "--engine out."
        )
    remote = any("://" in files.given for files in (data, scores) if files)
    if remote and (asked == "memory" or method != "default"):
        raise TableUnreadable(f"{data.given} is read by --engine duckdb or spark, for the default method only.")
    if asked is not None:
        return asked
    return "duckdb" if method == "default" and data.big else "memory"
