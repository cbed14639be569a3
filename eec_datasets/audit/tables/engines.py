"""Tables too big for memory: opened in DuckDB or Spark, and scores put beside the rows they are of."""

from __future__ import annotations

import importlib
import os
import re
import shutil
import socket
import tempfile
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, Literal
from urllib.parse import urlsplit

from eec_datasets.audit.tables.cells import SCORE
from eec_datasets.audit.tables.columns import choose_scores, key_of, number_columns
from eec_datasets.audit.tables.files import Files
from eec_datasets.audit.tables.scores import SHOWN, misfits
from eec_datasets.errors import InputError, Unavailable
from eec_datasets.packaged import needed

Engine = Literal["memory", "duckdb", "spark"]

Reader = Callable[[Files, Sequence[str]], Any]
"""Opens files as a frame of the engine; in CSV the columns named are numbers, all others text."""

EngineReader = tuple[Reader, tuple[type[Exception], ...]]
"""Function that opens files, and the errors that its engine raises."""

SCALE: Final = "pip install 'eec-datasets[scale]'"
MASTER_TIMEOUT: Final = 5.0
"""Seconds in which a Spark master must answer."""

MASTER: Final = re.compile(r"yarn|local(\[[^\]]+\])?|local-cluster\[[^\]]+\]|(spark|sc|k8s)://.+")
"""Addresses that Spark takes for a master; it answers any other with a trace of its JVM."""


def pick_engine(requested: Engine | None, tables: Sequence[Files], whole: str) -> Engine:
    """Return the engine asked for, or the one that suits the size of the table.

    Parameters
    ----------
    requested
        None where nothing was asked for.
    tables
        The rows, and the file of scores where they have one of their own.
    whole
        What was asked for that needs the rows in memory, as sums are not enough; empty where they are.

    Raises
    ------
    InputError
        The engine cannot do what is asked.
    """
    data, foreign = tables[0], next((f"{files.source}: {files.foreign}" for files in tables if files.foreign), "")
    if requested in ("duckdb", "spark") and (whole or foreign):
        reads = f"{foreign}; engine {requested} reads parquet, and CSV with commas in UTF-8"
        does = f"engine {requested} reads in batches; {whole} needs the table in memory" if whole else reads
        raise InputError(f"{does}. Leave the engine out.")
    if any(files.remote for files in tables) and (requested == "memory" or whole):
        raise InputError(
            f"{data.source} is read by engine duckdb or spark, in batches; {whole or 'engine memory'} needs the "
            "table in memory. Download it, or leave that out."
        )
    return requested or ("duckdb" if data.big and not whole and not foreign else "memory")


@contextmanager
def open_engine(engine: Engine, master: str | None) -> Iterator[Reader]:
    """Start an engine, and stop it again if it was not running before.

    Parameters
    ----------
    engine
        ``duckdb`` or ``spark``.
    master
        Master of Spark: ``local[*]``, ``spark://HOST:PORT``, ``sc://HOST:PORT`` (Spark Connect), ``yarn``; None takes
        the session that is running, or starts one on this machine.

    Raises
    ------
    Unavailable
        The package, Java or the master is missing; the message says what to install.
    InputError
        A table fails while it is read.
    """
    _module("narwhals", "narwhals", "reads a table in an engine")
    with _duckdb() if engine == "duckdb" else _spark(master) as (reader, failures):
        try:
            yield reader
        except failures as error:
            raise InputError(f"{engine} cannot read the table: {_first_line(error)}") from error


def open_frame(reader: Reader, data: Files, scores: Files | None = None) -> tuple[Any, list[str], list[str]]:
    """Open a table in an engine, with the scores of a file of their own put beside the rows they are of.

    Returns
    -------
    frame, list of str, list of str
        The rows, the columns of scores, and what is said of the others.

    Raises
    ------
    InputError
        The scores do not fit the rows.
    """
    import narwhals as nw

    if scores is None:
        systems = list(data.options.columns) or [SCORE] if data.remote else choose_scores(data, data.columns)
        frame, own = _tidied(nw.from_native(reader(data, systems)), data), systems
    else:
        rows, own = _tidied(nw.from_native(reader(data, ())), data).lazy(), []
        columns = rows.collect_schema().names()
        for files, names in ((data, columns), (scores, scores.columns)):
            key_of(files.source, names, ("id",))
        systems = choose_scores(scores, scores.columns, columns)
        given = _tidied(nw.from_native(reader(scores, systems)), scores).lazy()
        frame = _joined(rows, given, systems, scores.source)
    first = data.first_values() if data.kind == "csv" else {}
    numbers, notes = number_columns(data, [name for name in first if name not in own], first.__getitem__)
    return frame.drop(numbers), systems, notes


def _tidied(frame: Any, files: Files) -> Any:
    """Return a frame with the columns of its files by the names they go by, as in memory."""
    import narwhals as nw

    if files.remote:
        return frame
    return frame.select(*(nw.col(own).alias(name) for name, own in files.own_names.items()))


def _with_text_ids(frame: Any) -> Any:
    """Return a frame whose ids are texts, as in memory: 1 and 01 are two ids, and 1.0 of a column of numbers is 1."""
    import narwhals as nw

    kind = frame.collect_schema()["id"]
    identifier = nw.col("id")
    if kind.is_float():
        odd = frame.filter(identifier != identifier.round()).select(nw.len().alias("n")).collect("pyarrow")["n"][0]
        identifier = identifier if int(odd) else identifier.cast(nw.Int64)
    return frame.with_columns(identifier.cast(nw.String).alias("id"))


def _joined(data: Any, scores: Any, systems: Sequence[str], path: str) -> Any:
    """Join scores to rows by id, after both have been compared as `scores` does in memory."""
    import narwhals as nw

    data, scores = _with_text_ids(data), _with_text_ids(scores)
    ours, theirs = (frame.collect_schema().names() for frame in (data, scores))
    same = [name for name in theirs if name in ours and name not in ("id", *systems)]
    problems = misfits(path, "the data")

    def add(kind: str, rows: Any) -> None:
        count = rows.select(nw.len().alias("n")).collect("pyarrow")["n"][0]
        first = rows.select("id").sort("id").head(SHOWN).collect("pyarrow") if count else {"id": []}
        problems.add(kind, count, [str(identifier) for identifier in first["id"]])

    def doubles(frame: Any) -> Any:
        return frame.group_by("id").agg(nw.len().alias("n")).filter(nw.col("n") > 1)

    add("ids that several rows of the data have", doubles(data))
    add("duplicate ids", doubles(scores))
    add("unknown ids", scores.select("id").join(data.select("id"), on="id", how="anti"))
    scores = scores.select("id", *(nw.col(name).alias(f"given {name}") for name in same), *systems)
    joined = data.join(scores, on="id", how="inner")
    for name in same:
        # Nothing and an empty text are one in CSV.
        our, their = (nw.col(column).cast(nw.String).fill_null("") for column in (name, f"given {name}"))
        add(f"values of {name!r} that differ from the data", joined.filter(our != their))
    problems.raise_if_any()
    return joined.drop(*(f"given {name}" for name in same))


def _kinds(files: Files, systems: Sequence[str], text: str) -> dict[str, str]:
    return {name: "DOUBLE" if name in systems else text for name in files.columns}


@contextmanager
def _duckdb() -> Iterator[EngineReader]:
    duckdb = _module("duckdb", "DuckDB", "measures a table too big for memory")
    with tempfile.TemporaryDirectory(prefix="eec-") as folder, duckdb.connect() as connection:
        # What does not fit in memory is put here, not in the folder the user is in.
        connection.execute(f"SET temp_directory = '{folder.replace(chr(39), chr(39) * 2)}'")
        connection.execute("SET preserve_insertion_order = false")
        connection.execute("SET autoinstall_known_extensions = false")

        def read(files: Files, systems: Sequence[str]) -> Any:
            # Of a path on this machine DuckDB must not take anything for a pattern.
            paths = [path if files.remote else re.sub(r"([*?\[])", r"[\1]", path) for path in files.paths]
            if files.kind == "parquet":
                return connection.read_parquet(paths)
            options = {"auto_detect": False, "delimiter": ",", "quotechar": '"', "escapechar": '"'}
            texts = connection.read_csv(paths, header=True, columns=_kinds(files, (), "VARCHAR"), **options)
            for name in [name for name in files.columns if name in systems]:
                column = '"' + name.replace('"', '""') + '"'
                # DuckDB would take 0_1 for 1.
                if odd := texts.filter(f"contains({column}, '_')").project(column).limit(1).fetchall():
                    raise InputError(
                        f"{files.source}: {name} = {odd[0][0]!r}, expected one finite number per row. Write it without "
                        "_."
                    )
            return connection.read_csv(paths, header=True, columns=_kinds(files, systems, "VARCHAR"), **options)

        yield read, (duckdb.Error,)


@contextmanager
def _spark(master: str | None) -> Iterator[EngineReader]:
    sql = _module("pyspark.sql", "pyspark", "measures a table with Spark")
    base = _module("pyspark.errors", "pyspark", "measures a table with Spark").PySparkException
    running = sql.SparkSession.getActiveSession()
    session = running if running is not None and master is None else _start(sql, master or "local[*]")

    def address(path: str) -> str:
        # Spark must look on this machine, and not take anything for a pattern.
        return path if "://" in path else "file://" + re.sub(r"([*?\[\]{}\\])", r"\\\1", str(Path(path).absolute()))

    def read(files: Files, systems: Sequence[str]) -> Any:
        paths = [address(path) for path in files.paths]
        if files.kind == "parquet":
            return session.read.parquet(*paths)
        kinds = ", ".join(f"`{name}` {kind}" for name, kind in _kinds(files, systems, "STRING").items())
        options = {"header": True, "mode": "FAILFAST", "multiLine": True, "escape": '"', "enforceSchema": False}
        return session.read.schema(kinds).options(**options).csv(paths)

    try:
        failures: tuple[type[Exception], ...] = (base,)
        if not (master or "").startswith("sc://"):
            failures += (importlib.import_module("py4j.protocol").Py4JError,)
        yield read, failures
    finally:
        if session is not running:
            session.stop()


def _start(sql: Any, master: str) -> Any:
    address = urlsplit(master)
    remote, home = address.scheme == "sc", os.environ.get("JAVA_HOME")
    searched = f"not in JAVA_HOME ({home})" if home else "JAVA_HOME is not set, and there is no java on the PATH"
    if not MASTER.fullmatch(master):
        raise Unavailable(
            f"the Spark master {master!r} is no address that Spark knows; expected spark://HOST:PORT, "
            "sc://HOST:PORT, yarn, k8s://URL, local or local[*]."
        )
    if not (remote or shutil.which("java", path=f"{home}/bin" if home else None)):
        raise Unavailable(
            f"Spark needs Java 17 or later, which was not found: {searched}. Install it (Debian: apt-get install "
            "default-jre-headless), or choose engine duckdb."
        )
    try:
        if address.scheme in ("spark", "sc"):
            # Spark itself would try for minutes.
            place = address.hostname or "", address.port or (15002 if remote else 7077)
            socket.create_connection(place, timeout=MASTER_TIMEOUT).close()
    except OSError as error:
        raise Unavailable(
            f"No Spark answers at {master!r}: {error.strerror or error}. Check host and port, or leave "
            "the master out to run on this machine; engine duckdb needs no Spark."
        ) from error
    builder = sql.SparkSession.builder.appName("eec measure")
    if remote:
        builder = builder.remote(master)
    else:
        quiet = {"spark.ui.enabled": "false", "spark.log.level": "ERROR", "spark.ui.showConsoleProgress": "false"}
        builder = builder.master(master).config(map=quiet)
    try:
        with warnings.catch_warnings():
            # No row goes through pandas here.
            warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas", FutureWarning)
            return builder.getOrCreate()
    except Exception as error:
        raise Unavailable(
            f"Spark does not start with the master {master!r}: {_first_line(error)}. Name another master, or leave "
            "it out to run on this machine; engine duckdb needs no Spark."
        ) from error


def _module(name: str, package: str, purpose: str) -> Any:
    return needed(name, f"{package}, which {purpose}, is not installed: {SCALE}")


def _first_line(error: Exception) -> str:
    """Say what an engine says, without its traces and advice."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    # Errors of the JVM begin with a line that says nothing; those of DuckDB need three to name place and value.
    cause = [line for line in lines if "Exception:" in line]
    return ("; ".join(cause[:1] or lines[:3]) or type(error).__name__).removesuffix(".")
