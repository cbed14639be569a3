"""The store of answers: what is on disk when, and what becomes of an entry that no longer reads."""

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from commands import stored_answers

from eec_datasets.errors import SystemFailed
from eec_datasets.systems.base import Answer, Batch, System
from eec_datasets.systems.corpus import Corpus, open_corpus, part_of
from eec_datasets.systems.prompts import Prompt
from eec_datasets.systems.reading import reader
from eec_datasets.systems.scoring import score_corpus
from eec_datasets.systems.store import Store

PROMPT = Prompt("ab", "A or B: {text}", labels={"A": 0.0, "B": 1.0})
SAID = json.dumps([["A", -0.1], ["B", -3.0]])


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return part_of(open_corpus("en-black-white"), range(12))


def labelled(calls: list[str]) -> System:
    """A system whose answers are probabilities of labels, which are read again each time."""

    async def ask(batch: Batch) -> list[Answer]:
        calls.extend(batch["text"])
        return [Answer(said=SAID) for _ in batch["text"]]

    class Session:
        async def __aenter__(self) -> Any:
            return ask

        async def __aexit__(self, *_: object) -> None: ...

    return System("labelled", session=Session, reader=reader(PROMPT, (0.0, 1.0)), batch_size=1)


DAMAGE = {
    "a logprob of 5000": ("said", json.dumps([["A", 5000]])),
    "no JSON": ("said", "[["),
    "another form": ("said", '{"A": 1}'),
    "bytes": ("said", b"\x00\x01"),
    "no number of calls": ("calls", "many"),
    "fewer tokens than none": ("tokens_in", -3),
    "a state that is none": ("state", "lost"),
    "a score that is a text": ("score", "high"),
}


@pytest.mark.parametrize("what", DAMAGE)
def test_an_entry_that_no_longer_reads_is_set_aside_and_asked_again(what: str, corpus: Corpus, tmp_path: Path) -> None:
    calls: list[str] = []
    with Store(tmp_path / "answers.db") as store:
        first = score_corpus(labelled(calls), corpus, store)
    column, value = DAMAGE[what]
    with sqlite3.connect(tmp_path / "answers.db") as base:
        base.execute(f"UPDATE answers SET {column} = ? WHERE text = ?", (value, corpus.columns["text"][3]))
    base.close()
    with Store(tmp_path / "answers.db") as store:
        again = score_corpus(labelled(calls), corpus, store)
    assert again.scores == first.scores
    assert (again.cost.set_aside, again.cost.new) == (1, 1)
    assert calls[12:] == [corpus.columns["text"][3]]
    with sqlite3.connect(tmp_path / "answers.db") as base:
        assert base.execute(f"SELECT {column} FROM set_aside").fetchall() == [(value,)]
    base.close()


def test_a_text_that_is_no_unicode_is_set_aside(corpus: Corpus, tmp_path: Path) -> None:
    with Store(tmp_path / "answers.db") as store:
        score_corpus(labelled([]), corpus, store)
    with sqlite3.connect(tmp_path / "answers.db") as base:
        base.execute("UPDATE answers SET model = CAST(x'fffe' AS TEXT) WHERE text = ?", (corpus.columns["text"][0],))
    base.close()
    with Store(tmp_path / "answers.db") as store:
        assert score_corpus(labelled([]), corpus, store).cost.set_aside == 1


def test_nothing_is_stored_that_does_not_read(corpus: Corpus, tmp_path: Path) -> None:
    scores = iter([0.1, 0.2, 7.0])

    def score(batch: Batch) -> list[float]:
        return [next(scores, 0.3) for _ in batch["text"]]

    with Store(tmp_path / "answers.db") as store:
        with pytest.raises(SystemFailed, match=r"returned 7 for id"):
            score_corpus(System("mine", score), corpus, store)
        assert stored_answers(store.path) == [2]


def test_answers_are_on_disk_when_they_have_come(tmp_path: Path) -> None:
    with Store(tmp_path / "answers.db") as store:
        store.write(System("a"), "text", 0, Answer(0.5))
        assert store._base.execute("PRAGMA synchronous").fetchone() == (2,)
        other = sqlite3.connect(f"file:{tmp_path / 'answers.db'}?mode=ro", uri=True)
        assert other.execute("SELECT score FROM answers").fetchall() == [(0.5,)]
        other.close()
