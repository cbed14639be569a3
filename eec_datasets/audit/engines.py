"""Tables too big for memory: opened in DuckDB or Spark, and scores put beside the rows they are of."""

from __future__ import annotations

import importlib
import os
import re
import shutil
import socket
import tempfile
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, Literal
from urllib.parse import urlsplit

from eec_datasets.audit.errors import AuditError

Engine = Literal["memory", "duckdb", "spark"]

SCALE: Final = "pip install 'eec-datasets[scale]'"
PATIENCE: Final = 5.0
"""Seconds in which a Spark master must answer."""

MASTER: Final = re.compile(r"yarn|local(\[[^\]]+\])?|local-cluster\[[^\]]+\]|(spark|sc|k8s)://.+")
"""What Spark takes for a master; of anything else it says so by a trace of its JVM."""


class EngineUnavailable(AuditError):
    """DuckDB, Spark, or what they need is not there."""


class TableUnreadable(AuditError):
    """A table cannot be opened or read."""


@contextmanager
def opened(engine: Engine, master: str | None) -> Iterator[Reader]:
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
    EngineUnavailable
        The package, Java or the master is missing; the message says what to install.
    TableUnreadable
        A table fails while it is read.
    """
    _module("narwhals", "narwhals", "reads a table in an engine")
    with _duckdb() if engine == "duckdb" else _spark(master) as (reader, failures):
        try:
            yield reader
        except failures as error:
            raise TableUnreadable(f"{engine} cannot read the table: {_first_line(error)}") from error


class Reader:
    """Opens files as frames; a CSV file is read with the types it must have."""

    def parquet(self, paths: Sequence[str]) -> Any:
        """Open parquet files."""
        raise NotImplementedError

    def csv(self, paths: Sequence[str], columns: Mapping[str, str]) -> Any:
        """Open CSV files with the columns named, ``text`` or ``number`` each."""
        raise NotImplementedError


class _DuckReader(Reader):
    def __init__(self, connection: Any) -> None:
        self.connection = connection

    def parquet(self, paths: Sequence[str]) -> Any:
        return self.connection.read_parquet([_literal(path) for path in paths])

    def csv(self, paths: Sequence[str], columns: Mapping[str, str]) -> Any:
        kinds = {name: "DOUBLE" if kind == "number" else "VARCHAR" for name, kind in columns.items()}
        return self.connection.read_csv(
            [_literal(path) for path in paths],
            header=True,
            columns=kinds,
            auto_detect=False,
            delimiter=",",
            quotechar='"',
            escapechar='"',
        )


def _literal(path: str) -> str:
    """Write a path so that DuckDB does not take it for a pattern."""
    return path if "://" in path else re.sub(r"([*?\[])", r"[\1]", path)


def _address(path: str) -> str:
    """Write a path so that Spark looks for it on this machine, and does not take it for a pattern."""
    return path if "://" in path else "file://" + re.sub(r"([*?\[\]{}\\])", r"\\\1", str(Path(path).absolute()))


class _SparkReader(Reader):
    def __init__(self, session: Any) -> None:
        self.session = session

    def parquet(self, paths: Sequence[str]) -> Any:
        return self.session.read.parquet(*map(_address, paths))

    def csv(self, paths: Sequence[str], columns: Mapping[str, str]) -> Any:
        kinds = ", ".join(f"`{name}` {'DOUBLE' if kind == 'number' else 'STRING'}" for name, kind in columns.items())
        options = {"header": True, "mode": "FAILFAST", "multiLine": True, "escape": '"', "enforceSchema": False}
        return self.session.read.schema(kinds).options(**options).csv([_address(path) for path in paths])


Started = tuple[Reader, tuple[type[Exception], ...]]


@contextmanager
def _duckdb() -> Iterator[Started]:
    duckdb = _module("duckdb", "DuckDB", "measures a table too big for memory")
    with tempfile.TemporaryDirectory(prefix="eec-") as folder, duckdb.connect() as connection:
        # What does not fit in memory is put here, not in the folder the user is in.
        connection.execute(f"SET temp_directory = '{folder.replace(chr(39), chr(39) * 2)}'")
        connection.execute("SET preserve_insertion_order = false")
        yield _DuckReader(connection), (duckdb.Error,)


@contextmanager
def _spark(master: str | None) -> Iterator[Started]:
    sql = _module("pyspark.sql", "pyspark", "measures a table with Spark")
    base = _module("pyspark.errors", "pyspark", "measures a table with Spark").PySparkException
    running = sql.SparkSession.getActiveSession()
    session = running if running is not None and master is None else _start(sql, master or "local[*]")
    try:
        failures: tuple[type[Exception], ...] = (base,)
        if not (master or "").startswith("sc://"):
            failures += (importlib.import_module("py4j.protocol").Py4JError,)
        yield _SparkReader(session), failures
    finally:
        if session is not running:
            session.stop()


def _start(sql: Any, master: str) -> Any:
    place = urlsplit(master)
    remote = place.scheme == "sc"
    if not MASTER.fullmatch(master):
        raise EngineUnavailable(
            f"--spark-master {master!r} is no address that Spark knows; expected spark://HOST:PORT, sc://HOST:PORT, "
            "yarn, k8s://URL, local or local[*]."
        )
    if not remote:
        _refuse_no_java()
    if place.scheme in ("spark", "sc"):
        _refuse_silent(master, place.hostname or "", place.port or (15002 if remote else 7077))
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
        raise EngineUnavailable(
            f"Spark does not start with the master {master!r}: {_first_line(error)}. Name another with --spark-master, "
            "or leave it out to run on this machine; --engine duckdb needs no Spark."
        ) from error


def _refuse_no_java() -> None:
    home = os.environ.get("JAVA_HOME")
    if shutil.which("java", path=f"{home}/bin") if home else shutil.which("java"):
        return
    where = f"not in JAVA_HOME ({home})" if home else "JAVA_HOME is not set, and there is no java on the PATH"
    raise EngineUnavailable(
        f"Spark needs Java 17 or later, which was not found: {where}. Install it (Debian: apt-get install "
        "default-jre-headless), or use --engine duckdb."
    )


def _refuse_silent(master: str, host: str, port: int) -> None:
    # Spark itself would try for minutes.
    try:
        socket.create_connection((host, port), timeout=PATIENCE).close()
    except OSError as error:
        raise EngineUnavailable(
            f"No Spark answers at {master!r}: {error.strerror or error}. Check host and port of --spark-master, or "
            "leave it out to run on this machine; --engine duckdb needs no Spark."
        ) from error


def _module(name: str, package: str, purpose: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise EngineUnavailable(f"{package}, which {purpose}, is not installed: {SCALE}") from error


def _first_line(error: Exception) -> str:
    """Say what an engine says, without its traces and advice."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    # Errors of the JVM begin with a line that says nothing; those of DuckDB need three to name place and value.
    cause = [line for line in lines if "Exception:" in line]
    return ("; ".join(cause[:1] or lines[:3]) or type(error).__name__).removesuffix(".")
