"""openai:MODEL, on a server with faults that speaks as such endpoints do."""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from serving_models import Model, Reply, chance, error, said, tokens
from snapshots import Snapshot

import eec_bias
from eec_datasets.errors import BudgetSpent, EecError, SystemFailed
from eec_datasets.systems import wire
from eec_datasets.systems.base import Endpoint, Options, System
from eec_datasets.systems.corpus import ENDPOINT_PART, Corpus, open_corpus, part_of
from eec_datasets.systems.registry import open_system
from eec_datasets.systems.scoring import Scored, mean_of_runs, score_corpus
from eec_datasets.systems.store import Store

NUMBERS = '[[prompts]]\nname = "one"\ntext = "Rate: {text}"\n'
TWO = NUMBERS + '[[prompts]]\nname = "two"\nsystem = "You rate."\ntext = "{text}"\nrange = [0, 100]\n'
LETTERS = '[[prompts]]\nname = "ab"\ntext = "A or B: {text}"\nread = "labels"\nlabels = {A = 0, B = 1}\n'
ROWS = 120


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return part_of(open_corpus("en-black-white"), range(ROWS))


class Asked:
    """Opens a served model with prompts of a file, and scores."""

    def __init__(self, model: Model, folder: Path, store: Store) -> None:
        self.model = model
        self.folder = folder
        self.store = store

    def system(self, source: str = NUMBERS, **more: Any) -> System:
        file = self.folder / "mine.toml"
        file.write_text(source)
        endpoint = Endpoint(**{"base_url": self.model.url, "prompts": str(file), **more})
        return open_system("openai:tiny", Options(endpoint=endpoint))

    def score(self, corpus: Corpus, source: str = NUMBERS, **more: Any) -> Scored:
        return score_corpus(self.system(source, **more), corpus, self.store)


@pytest.fixture
def asked(model: Model, tmp_path: Path, store: Store) -> Asked:
    return Asked(model, tmp_path, store)


def content(body: dict[str, Any]) -> str:
    return str(body["messages"][-1]["content"])


def test_every_prompt_is_a_run_and_the_score_is_their_mean(asked: Asked, corpus: Corpus) -> None:
    asked.model.answer = lambda body, _: said("80" if len(body["messages"]) == 2 else f"{chance(content(body)):.3f}")
    scored = asked.score(corpus, TWO)
    one = [round(chance(f"Rate: {text}"), 3) for text in corpus.columns["text"]]
    assert scored.runs == {"one": one, "two": [0.8] * ROWS}
    assert scored.scores == pytest.approx([(score + 0.8) / 2 for score in one])
    assert (scored.cost.calls, scored.cost.tokens_in, scored.cost.tokens_out) == (2 * ROWS, 40 * ROWS, 4 * ROWS)
    assert scored.models == ("tiny-1",)
    bodies = [json.loads(body) for body in asked.model.asked]
    assert {body["model"] for body in bodies} == {"tiny"}
    assert {(body["max_tokens"], body["temperature"]) for body in bodies} == {(32, 0)}
    # How many meet at the server depends on the machine; benchmarks.endpoint measures it.
    assert 1 <= asked.model.most <= 16


def test_probabilities_of_labels_are_asked_for_and_read(asked: Asked, corpus: Corpus) -> None:
    asked.model.answer = lambda _, __: tokens(B=0.6, A=0.2, Hm=0.2)
    scored = asked.score(corpus, LETTERS)
    assert scored.scores == pytest.approx([0.75] * ROWS)
    assert scored.mass == pytest.approx(0.8)
    body = json.loads(next(iter(asked.model.asked)))
    assert (body["logprobs"], body["top_logprobs"], body["max_tokens"]) == (True, 20, 1)


def test_repeats_are_averaged_and_more_of_them_ask_only_the_new(asked: Asked, corpus: Corpus) -> None:
    asked.model.answer = lambda _, before: said(("0.2", "no idea", "0.4", "0.9")[before])
    scored = asked.score(corpus, repeats=3)
    assert scored.scores == pytest.approx([0.3] * ROWS)
    assert mean_of_runs(scored.no_answer) == pytest.approx([1 / 3] * ROWS)
    assert asked.score(corpus, repeats=4).scores == pytest.approx([0.5] * ROWS)
    assert asked.model.calls == 4 * ROWS
    assert {json.loads(body)["temperature"] for body in asked.model.asked} == {1}


def test_a_rerun_and_another_reading_of_the_same_words_ask_nothing(asked: Asked, corpus: Corpus) -> None:
    asked.model.answer = lambda _, __: said("80")
    first = asked.score(corpus)
    assert first.states == {"unreadable": ROWS}
    assert all(map(math.isnan, first.scores))
    again = asked.score(corpus, NUMBERS.replace("[[prompts]]", "[[prompts]]\nrange = [0, 100]").replace('"one"', '"x"'))
    assert again.scores == [0.8] * ROWS
    assert asked.model.calls == ROWS


def faulty(body: dict[str, Any], before: int) -> Reply | None:
    """A tenth each: busy at first, cut off at first, a refusal, a filter; the rest is answered."""
    match int(10 * chance(content(body), "fault")):
        case 0 if before == 0:
            return error(429, "slow down", Retry_After="0.01")
        case 1 if before == 0:
            return None
        case 2:
            return said("", message={"refusal": "I cannot rate people."})
        case 3:
            return error(400, "filtered", code="content_filter")
        case 4 if before < 2:
            return error(503, "overloaded")
    return said("0.5")


def test_an_audit_with_faults_ends_and_refusals_are_an_outcome(asked: Asked, corpus: Corpus) -> None:
    asked.model.answer = faulty
    scored = asked.score(corpus)
    refused = [int(10 * chance(f"Rate: {text}", "fault")) in (2, 3) for text in corpus.columns["text"]]
    assert mean_of_runs(scored.no_answer) == [float(each) for each in refused]
    assert scored.states == {"refused": sum(refused)}
    assert 0 < sum(refused) < ROWS
    assert scored.cost.calls == asked.model.calls > ROWS
    before = asked.model.calls
    assert mean_of_runs(asked.score(corpus).no_answer) == mean_of_runs(scored.no_answer)
    assert asked.model.calls == before


def test_a_call_that_never_comes_is_recorded_and_asked_for_by_the_next_run(
    asked: Asked, corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wire, "TRIES", 2)
    down = f"Rate: {corpus.columns['text'][7]}"
    asked.model.answer = lambda body, _: error(500, "broken") if content(body) == down else said("0.5")
    scored = asked.score(corpus)
    assert scored.states == {"failed": 1}
    assert "failed 2 times, at last with: 500 broken" in scored.examples["failed"]
    assert scored.cost.calls == asked.model.calls == ROWS + 1
    asked.model.answer = lambda _, __: said("0.5")
    assert not asked.score(corpus).states
    assert asked.model.calls == ROWS + 2


def test_slow_answers_are_given_up_and_asked_for_again(asked: Asked, corpus: Corpus) -> None:
    few = part_of(corpus, range(3))
    asked.model.delay = lambda before: 0.0 if before else 0.3
    assert asked.score(few, timeout=0.1).scores == [0.5] * 3
    assert asked.model.calls == 6


def test_a_budget_is_kept_and_what_was_paid_is_stored(asked: Asked, corpus: Corpus) -> None:
    with pytest.raises(BudgetSpent, match=rf"budget of 50 calls is spent\. 50 of {ROWS} answers .* are stored") as e:
        asked.score(corpus, budget=50)
    assert (e.value.exit_code, asked.model.calls) == (3, 50)
    assert asked.score(corpus, budget=ROWS).scores == [0.5] * ROWS
    assert asked.model.calls == ROWS


NEVER: dict[str, tuple[Callable[..., Reply | None], str]] = {
    "wrong key": (lambda *_: error(401, "Incorrect API key provided: sk-very-secret"), NUMBERS),
    "no such model": (lambda *_: error(404, "The model `tiny` does not exist"), NUMBERS),
    "no quota": (lambda *_: error(429, "You exceeded your quota", code="insufficient_quota"), NUMBERS),
    "a long wait": (lambda *_: error(429, "slow down", Retry_After="3600"), NUMBERS),
    "a request that is refused": (lambda *_: error(400, "max_tokens is not supported"), NUMBERS),
    "no probabilities": (lambda *_: said("A"), LETTERS),
    "labels of several tokens": (lambda *_: tokens(_b=0.9, Hm=0.1), LETTERS.replace("B = 1", "better = 1")),
    "another service": (lambda *_: (200, {"hello": "world"}, {}), NUMBERS),
}


def test_what_would_go_wrong_every_time_is_said_once_and_asked_once(
    asked: Asked, corpus: Corpus, snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(wire.KEY, "sk-very-secret")
    said_ = []
    for what, (answer, prompts) in NEVER.items():
        asked.model.answer, before = answer, asked.model.calls
        with pytest.raises(SystemFailed) as found:
            asked.score(corpus, prompts)
        assert asked.model.calls == before + 1, what
        said_.append(f"{what}: {re.sub(r'127.0.0.1:[0-9]+', 'HOST', str(found.value))}")
    assert asked.model.keys == {"Bearer sk-very-secret"}
    snapshot.check("endpoint-failures", "\n".join(said_))


def test_addresses_keys_and_repeats_that_cannot_be_used_are_refused(
    asked: Asked, corpus: Corpus, snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    said_ = []
    calls: list[tuple[str, dict[str, Any]]] = [
        (NUMBERS, {"base_url": Endpoint().base_url}),
        (NUMBERS, {"base_url": "localhost:8000"}),
        (NUMBERS, {"base_url": "http://me:sk-very-secret@localhost/v1"}),
        (NUMBERS, {"base_url": "http://localhost/v1?api-key=sk-very-secret"}),
        (NUMBERS, {"prompts": "sentimental"}),
        (NUMBERS + "request = {temperature = 0}", {"repeats": 3}),
        (LETTERS, {"repeats": 3}),
    ]
    for prompts, more in calls:
        with pytest.raises(EecError) as found:
            asked.score(corpus, prompts, **more)
        said_.append(str(found.value).replace(str(asked.folder), "FOLDER"))
    monkeypatch.setenv(wire.KEY, "sk-very secret\u200b")
    with pytest.raises(EecError) as found:
        asked.score(corpus)
    said_.append(str(found.value))
    assert "secret" not in "".join(said_)
    assert asked.model.calls == 0
    snapshot.check("endpoint-refused", "\n".join(said_))


def test_the_key_is_sent_and_stands_nowhere(
    asked: Asked, corpus: Corpus, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(0)
    monkeypatch.setenv(wire.KEY, "sk-very-secret\n")
    asked.model.answer = faulty
    asked.score(corpus)
    assert asked.model.keys == {"Bearer sk-very-secret"}
    assert "very-secret" not in caplog.text
    files = [Path(folder, name) for folder, _, names in os.walk(asked.folder) for name in names]
    assert asked.store.path in files
    assert not any(b"very-secret" in file.read_bytes() for file in files)


def test_where_groups_react_to_prompts_eight_of_them_hold_the_level_on_the_default_part_and_one_does_not() -> None:
    corpus, systems, prompts = open_corpus("en-black-white-100", ENDPOINT_PART), 400, 8
    names = corpus.table.take([row for row, kind in enumerate(corpus.columns["person_type"]) if kind == "name"])
    drawn = eec_bias.simulate(
        names, systems=systems, runs=prompts, run_sd={"race": 0.08, "gender": 0.08}, name_sd=0.12, phi=None,
        residual_sd=0.2, seed=1,
    )  # fmt: skip
    who = {
        "systems": [f"s{s}" for s in range(systems) for _ in range(prompts)],
        "runs": [f"p{k}" for _ in range(systems) for k in range(prompts)],
    }
    eight = eec_bias.measure(drawn.reshape(systems * prompts, -1), names, **who).to_frame()
    one = eec_bias.measure(drawn[:, 0], names).to_frame()
    for term in ("race", "gender"):
        assert (eight.loc[eight["term"] == term, "p"] < 0.05).mean() <= 0.07
        assert (one.loc[one["term"] == term, "p"] < 0.05).mean() > 0.3
