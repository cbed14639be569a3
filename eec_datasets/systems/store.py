"""The store of answers: what systems said, by text, shared by all corpora and runs of a project.

One SQLite file for each project in the user's cache folder (``EEC_ANSWERS`` names another). An answer belongs to a text
and to a system by its name, version and, if it is a function, its folder. So a rerun, another corpus with the same
sentence and a run that was killed ask nothing twice. A function that is changed has a new version, and its earlier
answers are kept under the old one. Every answer is on disk when it has come. No key or header of a request is stored.
An entry that no longer reads is set aside, in a table of its own, and asked for again.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import os
import re
import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from eec_datasets.errors import StoreUnusable
from eec_datasets.systems.base import Answer, System

ENV_VAR: Final = "EEC_ANSWERS"
"""Environment variable that names the file."""

FORMAT: Final = 4

STATEMENTS: Final = dict(
    part.split("\n", 1) for part in Path(__file__).with_name("store.sql").read_text(encoding="utf-8").split("-- ")[1:]
)
"""Statements to the database, by name."""


def default_path() -> Path:
    """Return where the store is: a file that is named after the current folder, in which functions are looked for.

    Functions of two projects may have the same name and the same text, and read other files beside them.
    """
    import platformdirs

    if named := os.environ.get(ENV_VAR):
        return Path(named)
    project = Path.cwd()
    key = hashlib.sha256(os.fsencode(project)).hexdigest()[:8]
    name = re.sub(r"[^\w.-]+", "-", os.fsencode(project.name).decode(errors="replace"))[:60]
    return platformdirs.user_cache_path("eec-datasets", appauthor=False) / "answers" / f"{name}-{key}.db"


class Store:
    """An open store; a context manager.

    Parameters
    ----------
    path
        The file, made where missing; by default that of `place`.

    Raises
    ------
    StoreUnusable
        Here and in all methods: the file cannot be made, read or written, or is no store.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or default_path()
        self._numbers: dict[tuple[str, str, str], int] = {}
        self._renewed: set[tuple[int, str, int]] = set()
        self._set_aside: Counter[int] = Counter()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        if "_base" in self.__dict__:
            self._base.close()

    @functools.cached_property
    def _base(self) -> sqlite3.Connection:
        """The connection, made when it is first needed: built-in systems need none."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with contextlib.ExitStack() as opened:
            # Each statement is a transaction of its own: what was said is on disk before the next is asked.
            base = opened.enter_context(
                contextlib.closing(sqlite3.connect(self.path, timeout=60, isolation_level=None))
            )
            # Before anything is set, which would change a file that is not ours.
            self._refuse_foreign(base)
            # What was committed outlives a killed process and a loss of power.
            base.execute("PRAGMA journal_mode = WAL")
            base.execute("PRAGMA synchronous = FULL")
            # A damaged text must be read to be set aside.
            base.text_factory = functools.partial(str, encoding="utf-8", errors="surrogateescape")
            self._make_tables(base)
            opened.pop_all()
        return base

    def _make_tables(self, base: sqlite3.Connection) -> None:
        """Make the tables where there are none, at once: another run may open the same new file."""
        base.execute("BEGIN IMMEDIATE")
        self._refuse_foreign(base)
        for statement in STATEMENTS["tables"].split(";"):
            base.execute(statement)
        base.execute(f"PRAGMA user_version = {FORMAT}")
        base.execute("COMMIT")

    def _refuse_foreign(self, base: sqlite3.Connection) -> None:
        """Refuse a database that is no store of this version."""
        # In one statement: between two of them another run may make the tables.
        asked = "SELECT user_version, (SELECT count(*) FROM sqlite_master) FROM pragma_user_version"
        form, tables = base.execute(asked).fetchone()
        if form != FORMAT and (form or tables):
            raise StoreUnusable(
                f"{self.path} is no store of answers of this version (its form is {form}, expected {FORMAT}). Move "
                f"it away, or name another file in the environment variable {ENV_VAR}."
            )

    def read(self, system: System, texts: Sequence[str], *, renewed: bool = False) -> dict[tuple[str, int], Answer]:
        """Return what a system said of some texts, by text and number of the repeat, as it stands in the file.

        Parameters
        ----------
        renewed
            Whether only answers are wanted that were written with ``replace`` since the store was opened.
        """
        number = self.enter(system)
        rows = self._run("read", number, json.dumps(texts))
        answers = {(row[0], row[1]): Answer(*row[2:]) for row in rows}
        if renewed:
            answers = {key: answer for key, answer in answers.items() if (number, *key) in self._renewed}
        return answers

    def write(self, system: System, text: str, repeat: int, answer: Answer, replace: bool = False) -> None:
        """Keep an answer where there is none, or in place of one that is there; it is written when this returns."""
        self.write_all(system, [(text, repeat, answer)], replace)

    def write_all(self, system: System, answered: Sequence[tuple[str, int, Answer]], replace: bool = False) -> None:
        """Keep answers that came together, all or none, as `write` does; each with its text and number of repeat."""
        number = self.enter(system)
        now = datetime.now(UTC).isoformat(timespec="seconds")
        with self._together():
            for text, repeat, answer in answered:
                self._run("replace" if replace else "write", number, text, repeat, *answer[:8], now)
        if replace:
            self._renewed.update((number, text, repeat) for text, repeat, _ in answered)

    def first_with(self, system: System, text: str, repeat: int, answer: Answer) -> tuple[str, int] | None:
        """Return the text and the number of the repeat whose stored answer came in the very same reply, if any."""
        if not answer.reply:
            return None
        rows = self._run("with_reply", self.enter(system), answer.reply, text, repeat)
        return rows[0] if rows else None

    def set_aside(self, system: System, keys: Sequence[tuple[str, int]]) -> None:
        """Move entries that no longer read out of the way, by text and number of the repeat; they are kept."""
        number = self.enter(system)
        with self._together():
            for key in keys:
                self._run("set_aside", number, *key)
                self._run("remove", number, *key)
        self._set_aside[number] += len(keys)

    def count_set_aside(self, system: System) -> int:
        """Return how many entries of a system were set aside since the store was opened."""
        return self._set_aside[self.enter(system)]

    def write_failure(self, system: System, text: str, repeat: int) -> None:
        """Record that a call failed for good; it replaces no answer."""
        self._run("write_failure", self.enter(system), text, repeat)

    def failed(self, system: System) -> set[tuple[str, int]]:
        """Return the texts, with the number of the repeat, for which calls failed and that have no answer since."""
        return set(self._run("failed", self.enter(system)))

    def earlier_versions(self, system: System) -> list[str]:
        """Return the versions of a system that have answers, oldest first, if its version of now has none."""
        return [version for (version,) in self._run("earlier", self.enter(system), system.name, system.origin)]

    def enter(self, system: System) -> int:
        """Return the number of a version of a system, which is known from then on, even before it has answers."""
        key = (system.name, system.fingerprint, system.origin)
        if key not in self._numbers:
            ((self._numbers[key],),) = self._run("enter", *key)
        return self._numbers[key]

    @contextlib.contextmanager
    def _together(self) -> Iterator[None]:
        """Write everything in the block to disk, or nothing of it."""
        self._execute("BEGIN IMMEDIATE")
        try:
            yield
            self._execute("COMMIT")
        except BaseException:
            with contextlib.suppress(StoreUnusable):
                self._execute("ROLLBACK")
            raise

    def _run(self, statement: str, *values: Any) -> list[Any]:
        """Run one of `STATEMENTS` and return its rows."""
        return self._execute(STATEMENTS[statement], *values)

    def _execute(self, statement: str, *values: Any) -> list[Any]:
        """Run a statement; an error of the database or the disk names the file."""
        try:
            return self._base.execute(statement, values).fetchall()
        except (sqlite3.Error, OSError) as error:
            raise StoreUnusable(
                f"The store of answers {self.path} cannot be used: {error}. What was written before is kept. Make "
                f"room, fix or move the file, or name another one in the environment variable {ENV_VAR}."
            ) from error
