"""The store of answers: what systems said, by text, shared by all corpora and runs.

One SQLite file in the user's cache folder (``EEC_ANSWERS`` names another). An answer belongs to a system by name and
version and to a text, so that a rerun, another corpus with the same sentence and a run that was killed ask nothing
twice. Every answer is written when it comes. No key or header of a request is stored.
"""

from __future__ import annotations

import contextlib
import functools
import json
import os
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from eec_datasets.errors import StoreUnusable
from eec_datasets.systems.base import Answer, System

ENV_VAR: Final = "EEC_ANSWERS"
"""Environment variable that names the file."""

FORMAT: Final = 1

STATEMENTS: Final = dict(
    part.split("\n", 1) for part in Path(__file__).with_name("store.sql").read_text(encoding="utf-8").split("-- ")[1:]
)
"""What is asked of the database, by name."""


@dataclass(frozen=True, slots=True)
class StoredVersion:
    """What the store has of one version of a system; times are in UTC."""

    name: str
    version: str
    spec: str
    declared: bool
    note: str
    answers: int
    calls: int
    tokens: int
    first: str
    last: str


def default_path() -> Path:
    """Return where the store is."""
    import platformdirs

    return Path(os.environ.get(ENV_VAR) or platformdirs.user_cache_path("eec-datasets", appauthor=False) / "answers.db")


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
        self._numbers: dict[tuple[str, str], int] = {}
        self._renewed: set[tuple[int, str, int]] = set()

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
            (form,) = base.execute("PRAGMA user_version").fetchone()
            (tables,) = base.execute("SELECT count(*) FROM sqlite_master").fetchone()
            if form != FORMAT and (form or tables):
                raise StoreUnusable(
                    f"{self.path} is no store of answers of this version (its form is {form}, expected {FORMAT}). Move "
                    f"it away, or name another file in the environment variable {ENV_VAR}."
                )
            # In this mode a killed process loses nothing that was committed, and a commit waits for no disk.
            base.execute("PRAGMA journal_mode = WAL")
            base.execute("PRAGMA synchronous = NORMAL")
            base.executescript(f"{STATEMENTS['tables']} PRAGMA user_version = {FORMAT};")
            opened.pop_all()
        return base

    def read(self, system: System, texts: Sequence[str], *, renewed: bool = False) -> dict[tuple[str, int], Answer]:
        """Return what a system said of some texts, by text and number of the repeat.

        Parameters
        ----------
        renewed
            Whether only answers are wanted that were written with ``replace`` since the store was opened.
        """
        number = self.enter(system)
        rows = self._run("read", number, json.dumps(texts))
        answers = {(text, repeat): Answer(*answer) for text, repeat, *answer in rows}
        return {key: answer for key, answer in answers.items() if not renewed or (number, *key) in self._renewed}

    def write(self, system: System, text: str, repeat: int, answer: Answer, replace: bool = False) -> None:
        """Keep an answer where there is none, or in place of one that is there; it is written when this returns."""
        number = self.enter(system)
        values = (number, text, repeat, *answer[:7], datetime.now(UTC).isoformat(timespec="seconds"))
        self._run("replace" if replace else "write", *values)
        if replace:
            self._renewed.add((number, text, repeat))

    def write_failure(self, system: System, text: str, repeat: int) -> None:
        """Keep that a call failed for good; it takes the place of no answer."""
        self._run("write_failure", self.enter(system), text, repeat)

    def failed(self, system: System) -> set[tuple[str, int]]:
        """Return the texts, with the number of the repeat, for which calls failed and that have no answer since."""
        return set(self._run("failed", self.enter(system)))

    def stored(self) -> list[StoredVersion]:
        """Return what there is, by system and version, in the order in which they were first asked."""
        rows = self._run("counts")
        return [StoredVersion(name, version, spec, bool(known), *rest) for name, version, spec, known, *rest in rows]

    def adopt(self, system: System, other: StoredVersion) -> None:
        """Take the answers of another version for a system's own, where it has none; they stay with the other too."""
        self._run("adopt", self.enter(system), other.name, other.version)

    def empty(self, names: Sequence[str] = ()) -> int:
        """Remove all answers, or those of some systems; return how many."""
        removed = self._run("empty", json.dumps(list(names)), not names)
        for statement in ("forget_systems", "forget_failures", "shrink"):
            self._run(statement)
        return len(removed)

    def enter(self, system: System) -> int:
        """Return the number of a version of a system, which is known from then on, even before it has answers."""
        key = (system.name, system.fingerprint)
        if key not in self._numbers:
            entered = (*key, system.spec or system.name, system.declared, system.note)
            ((self._numbers[key],),) = self._run("enter", *entered)
        return self._numbers[key]

    def _run(self, statement: str, *values: Any) -> list[Any]:
        """Run one of `STATEMENTS` and return its rows; what the database or the disk objects to is said of the file."""
        try:
            return self._base.execute(STATEMENTS[statement], values).fetchall()
        except (sqlite3.Error, OSError) as error:
            raise StoreUnusable(
                f"The store of answers {self.path} cannot be used: {error}. What was written before is kept. Make "
                f"room, mend or move the file, or name another one in the environment variable {ENV_VAR}."
            ) from error
