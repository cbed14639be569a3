"""Functions that say who they are, that wait, and of which several calls run at once; and the store behind them."""

from __future__ import annotations

import sqlite3
import sys
import threading
import time
from pathlib import Path

import pytest
from snapshots import Snapshot

from eec_datasets.errors import StoreUnusable, Unavailable
from eec_datasets.systems.asking import PATIENCE, Ask, ask
from eec_datasets.systems.base import Answer, Options, System
from eec_datasets.systems.registry import open_system
from eec_datasets.systems.store import Store

TEXTS = [f"Sentence {i}." for i in range(40)]
MODULE = """
import asyncio, threading, time
import helper
running = most = 0
async def waiting(text: str) -> float:
    global running, most
    running += 1
    most = max(most, running)
    await asyncio.sleep(0.01)
    running -= 1
    return len(text) / 100
async def failing(text: str) -> float:
    if "7" in text:
        raise RuntimeError("no answer to " + text)
    return 0.5
failing.eec_system = {"name": "failing", "version": "2", "concurrency": 3}
def blocking(text: str) -> float:
    global running, most
    running += 1
    most = max(most, running)
    time.sleep(0.01)
    running -= 1
    return len(text) / 100
blocking.eec_system = {"name": "blocking", "version": "1", "concurrency": 4}
"""


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A module ``mine`` that uses another one beside it."""
    monkeypatch.setattr(sys, "path", list(sys.path))
    (tmp_path / "helper.py").write_text("SETTING = 1\n")
    (tmp_path / "mine.py").write_text(MODULE)
    return tmp_path


def opened(folder: Path, function: str) -> System:
    for module in ("mine", "helper"):
        sys.modules.pop(module, None)
    return open_system(f"mine:{function}", Options(path=(str(folder),)))


def answers(system: System) -> dict[str, Answer]:
    found: dict[str, Answer] = {}
    ask(
        system,
        [Ask(str(i), text, 0) for i, text in enumerate(TEXTS)],
        lambda each, answer: found.update({each.text: answer}),
    )
    return found


@pytest.mark.parametrize(("function", "at_once"), [("waiting", 16), ("blocking", 4)])
def test_as_many_calls_run_at_once_as_a_function_declares(mine: Path, function: str, at_once: int) -> None:
    system = opened(mine, function)
    found = answers(system)
    assert {text: answer.score for text, answer in found.items()} == {text: len(text) / 100 for text in TEXTS}
    assert 1 < sys.modules["mine"].most <= at_once == system.concurrency


def test_calls_of_an_async_function_that_fail_are_recorded(mine: Path) -> None:
    found = answers(opened(mine, "failing"))
    failed = {text: answer for text, answer in found.items() if answer.state == "failed"}
    assert set(failed) == {text for text in TEXTS if "7" in text}
    assert len(failed) < PATIENCE
    assert "mine:failing" not in failed["Sentence 7."].said
    assert failed["Sentence 7."].said.startswith("failing raised RuntimeError: no answer to Sentence 7.")


def test_a_function_is_what_it_declares_or_its_file_and_those_it_uses(mine: Path) -> None:
    declared, plain = opened(mine, "blocking"), opened(mine, "waiting")
    assert (declared.name, declared.fingerprint, declared.declared, declared.spec) == (
        "blocking",
        "1",
        True,
        "mine:blocking",
    )
    assert (plain.name, plain.declared) == ("mine:waiting", False)
    (mine / "mine.py").write_text(MODULE + "# changed\n")
    assert opened(mine, "blocking").fingerprint == "1"
    changed = opened(mine, "waiting")
    (mine / "helper.py").write_text("SETTING = 2\n")
    helped = opened(mine, "waiting")
    assert len({plain.fingerprint, changed.fingerprint, helped.fingerprint}) == 3
    (mine / "mine.py").write_text(MODULE + 'eec_system = {"name": "all", "version": "5"}\n')
    whole = opened(mine, "waiting")
    assert (whole.name, whole.fingerprint, whole.declared) == ("all:waiting", "5", True)


DECLARATIONS = (
    "'mine'",
    '{"name": "mine"}',
    '{"name": "mine", "version": 2}',
    '{"name": "", "version": "2"}',
    '{"name": "m", "version": "2", "concurrency": 0}',
    '{"name": "m", "version": "2", "at_once": 5}',
)


def test_other_declarations_are_refused(mine: Path, snapshot: Snapshot) -> None:
    said = []
    for declaration in DECLARATIONS:
        (mine / "mine.py").write_text(f"{MODULE}eec_system = {declaration}\n")
        with pytest.raises(Unavailable) as error:
            opened(mine, "waiting")
        said.append(str(error.value))
    snapshot.check("declarations-refused", "\n".join(said))


def test_several_processes_write_to_one_store_at_once(tmp_path: Path) -> None:
    def write(name: str) -> None:
        with Store(tmp_path / "answers.db") as store:
            for i in range(50):
                store.write(System(name, lambda _: []), f"text {i}", 0, Answer(i / 100))
                time.sleep(0.001)

    threads = [threading.Thread(target=write, args=(name,)) for name in "abc"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with Store(tmp_path / "answers.db") as store:
        assert [each.answers for each in store.stored()] == [50, 50, 50]
        found = store.read(System("b", lambda _: []), ["text 7", "text 77"])
        assert found == {("text 7", 0): Answer(0.07)}


def test_a_store_that_is_none_or_cannot_be_written_is_refused_and_kept(tmp_path: Path) -> None:
    foreign = tmp_path / "other.db"
    with sqlite3.connect(foreign) as base:
        base.execute("CREATE TABLE thesis (chapter TEXT)")
    base.close()
    (tmp_path / "file").write_text("no database at all")
    before = foreign.read_bytes()
    for path, what in (
        (foreign, "is no store of answers"),
        (tmp_path / "file", "not a database"),
        (tmp_path, "unable"),
    ):
        with pytest.raises(StoreUnusable, match=what) as error, Store(path) as store:
            store.stored()
        assert str(path) in str(error.value)
    assert foreign.read_bytes() == before
