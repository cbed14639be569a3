"""Servers and proxies that give a sentence the answer to another one: it is noticed, or cannot happen."""

import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from serving_models import Model, Reply, chance, error, said

from eec_datasets.errors import SystemFailed
from eec_datasets.systems.base import Endpoint, System, SystemOptions
from eec_datasets.systems.corpus import Corpus, open_corpus, part_of
from eec_datasets.systems.registry import open_system
from eec_datasets.systems.scoring import CorpusScores, score_corpus
from eec_datasets.systems.store import Store

ROWS = 48


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return part_of(open_corpus("en-black-white"), range(ROWS))


def true_score(text: str) -> float:
    return round(chance(f"Rate: {text}"), 3)


def honest(body: dict[str, Any], _: int) -> Reply:
    return said(f"{chance(body['messages'][-1]['content']):.3f}")


@pytest.fixture
def system(model: Model, tmp_path: Path) -> System:
    model.answer = honest
    (tmp_path / "mine.toml").write_text('[[prompts]]\nname = "one"\ntext = "Rate: {text}"\n')
    endpoint = Endpoint(base_url=model.url, prompts=str(tmp_path / "mine.toml"), concurrency=8)
    return open_system("openai:tiny", SystemOptions(endpoint=endpoint))


@pytest.fixture
def ask(system: System, store: Store, corpus: Corpus) -> Callable[[], CorpusScores]:
    return lambda: score_corpus(system, corpus, store)


def check(scored: CorpusScores, corpus: Corpus) -> None:
    assert scored.scores == [true_score(text) for text in corpus.columns["text"]]


def check_stored(store: Store) -> int:
    """No answer in the store may belong to another sentence; returns how many there are."""
    with closing(sqlite3.connect(store.path)) as base:
        stored = base.execute("SELECT text, said FROM answers").fetchall()
    assert [text for text, answer in stored if float(answer) != true_score(text)] == []
    return len(stored)


@pytest.mark.parametrize("copies", [(0.0,), (0.002,), (0.02,), (0.0, 0.0, 0.01)])
def test_a_reply_that_is_sent_again_shifts_no_answer(
    copies: tuple[float, ...], model: Model, ask: Any, corpus: Corpus, store: Store
) -> None:
    model.copies = copies
    check(ask(), corpus)
    assert check_stored(store) == ROWS


class Shifted:
    """A proxy that sends the replies of its server in the order in which they come, some of them twice."""

    def __init__(self, repeat: Callable[[int], bool]) -> None:
        self.repeat = repeat
        self.came = 0
        self.waiting: list[tuple[str, Reply]] = []
        self.sent = ""

    def answer(self, body: dict[str, Any], before: int) -> Reply:
        self.came += 1
        one = (f"chatcmpl-{self.came:032x}", honest(body, before))
        self.waiting += [one, one] if self.repeat(self.came) else [one]
        self.sent, reply = self.waiting.pop(0)
        return reply

    def identity(self, _: str) -> str:
        return self.sent


@pytest.mark.parametrize(
    "repeat", [lambda _: True, lambda n: n == 1, lambda n: n == 20, lambda n: n == ROWS - 1, lambda n: n % 7 == 3]
)
def test_a_shift_behind_a_proxy_is_noticed_and_no_wrong_answer_kept(
    repeat: Callable[[int], bool], model: Model, ask: Any, store: Store
) -> None:
    proxy = Shifted(repeat)
    model.answer, model.identity = proxy.answer, proxy.identity
    with pytest.raises(SystemFailed, match=r"sent one reply .* for two sentences: .* run the same again"):
        ask()
    check_stored(store)


def test_after_a_shift_the_rest_is_asked_for_again(model: Model, ask: Any, corpus: Corpus, store: Store) -> None:
    proxy = Shifted(lambda number: number == 20)
    model.answer, model.identity = proxy.answer, proxy.identity
    with pytest.raises(SystemFailed):
        ask()
    kept = check_stored(store)
    assert 10 <= kept < ROWS
    model.answer, model.identity = honest, lambda request: f"chatcmpl-{request}"
    scored = ask()
    check(scored, corpus)
    assert scored.cost.stored == kept


def test_a_cache_that_answers_similar_sentences_alike_is_noticed_in_a_later_run_too(
    model: Model, system: System, store: Store, corpus: Corpus
) -> None:
    model.identity = lambda _: "chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT"
    model.answer = lambda *_: said("0.5")
    score_corpus(system, part_of(corpus, range(1)), store)
    with pytest.raises(SystemFailed, match=r"sent one reply .* a cache that takes similar sentences"):
        score_corpus(system, part_of(corpus, range(2)), store)
    assert model.calls == 2


def test_ids_that_servers_draw_or_count_are_no_proof(model: Model, ask: Any) -> None:
    model.identity = lambda _: "chatcmpl-123"
    model.answer = lambda *_: said("0.5")
    assert ask().scores == [0.5] * ROWS


class Swapped:
    """A server that repeats the id of a request, behind a proxy that now and then sends another's reply."""

    def __init__(self, swap: Callable[[int], bool], form: str = "chatcmpl-{}") -> None:
        self.swap, self.form = swap, form
        self.came, self.sent, self.before = 0, honest({"messages": [{"content": "x"}]}, 0), "eec-" + 32 * "0"
        self.swapped = False

    def answer(self, body: dict[str, Any], before: int) -> Reply:
        self.came += 1
        self.swapped = self.swap(self.came)
        if not self.swapped:
            self.sent = honest(body, before)
        return self.sent

    def identity(self, request: str) -> str:
        if not self.swapped:
            self.before = request
        return self.form.format(self.before)


@pytest.mark.parametrize("form", ["chatcmpl-{}", "{}"])
def test_the_reply_to_another_request_is_asked_for_again(
    form: str, model: Model, ask: Any, corpus: Corpus, store: Store
) -> None:
    proxy = Swapped(lambda number: number % 5 == 2, form)
    model.answer, model.identity = proxy.answer, proxy.identity
    check(ask(), corpus)
    assert check_stored(store) == ROWS
    assert model.calls > ROWS


@pytest.mark.parametrize("reply", [said("0.5"), error(400, "filtered", code="content_filter")])
def test_replies_to_other_requests_only_are_no_answers(reply: Reply, model: Model, ask: Any, store: Store) -> None:
    status, content, _ = reply
    model.answer = lambda *_: (status, content, {"X_Request_Id": "eec-" + 32 * "0"})
    with pytest.raises(SystemFailed, match=r"at last with: the reply to another request\. Check what is between"):
        ask()
    assert check_stored(store) == 0


def test_every_request_has_an_id_of_its_own(model: Model, ask: Any) -> None:
    seen: list[str] = []
    model.identity = lambda request: seen.append(request) or request  # type: ignore[func-returns-value]
    model.answer = lambda body, before: honest(body, before) if before else error(503, "busy")
    ask()
    assert len(set(seen)) == len(seen) == 2 * ROWS
    assert all(re.fullmatch(r"eec-[0-9a-f]{32}", each) for each in seen)


def test_repeats_that_a_cache_answers_are_no_repeats(
    model: Model, tmp_path: Path, store: Store, corpus: Corpus
) -> None:
    (tmp_path / "mine.toml").write_text('[[prompts]]\nname = "one"\ntext = "Rate: {text}"\n')
    endpoint = Endpoint(base_url=model.url, prompts=str(tmp_path / "mine.toml"), repeats=3)
    model.answer = honest
    model.identity = lambda _: "chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT"
    with pytest.raises(SystemFailed, match=r"sent one reply .* for two repeats of one sentence: "):
        score_corpus(open_system("openai:tiny", SystemOptions(endpoint=endpoint)), part_of(corpus, range(1)), store)
    assert check_stored(store) == 1
