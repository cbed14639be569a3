"""openai:MODEL, on a server with faults that speaks as such endpoints do."""

import itertools
import json
import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from serving_models import Model, Reply, chance, error, said, tokens
from snapshots import refusal

import eec_bias
from eec_datasets.errors import BudgetSpent, SystemFailed, Unavailable
from eec_datasets.systems import wire
from eec_datasets.systems.base import Endpoint, SystemOptions
from eec_datasets.systems.corpus import ENDPOINT_PART, Corpus, open_corpus, part_of
from eec_datasets.systems.registry import open_system
from eec_datasets.systems.scoring import CorpusScores, mean_of_runs, score_corpus
from eec_datasets.systems.store import Store

NUMBERS = '[[prompts]]\nname = "one"\ntext = "Rate: {text}"\n'
TWO = NUMBERS + '[[prompts]]\nname = "two"\nsystem = "You rate."\ntext = "{text}"\nrange = [0, 100]\n'
LETTERS = '[[prompts]]\nname = "ab"\ntext = "A or B: {text}"\nread = "labels"\nlabels = {A = 0, B = 1}\n'
ROWS = 60


@pytest.fixture(scope="module")
def corpus():
    return part_of(open_corpus("en-black-white"), range(ROWS))


@dataclass
class Asked:
    """Opens a served model with prompts of a file, and scores the corpus."""

    model: Model
    folder: Path
    store: Store
    corpus: Corpus

    def __call__(self, source: str = NUMBERS, rows: int = ROWS, **more: Any) -> CorpusScores:
        file = self.folder / "mine.toml"
        file.write_text(source)
        endpoint = Endpoint(**{"base_url": self.model.url, "prompts": str(file), **more})
        system = open_system("openai:tiny", SystemOptions(endpoint=endpoint))
        return score_corpus(system, part_of(self.corpus, range(rows)), self.store)


@pytest.fixture
def asked(model, tmp_path, store, corpus):
    return Asked(model, tmp_path, store, corpus)


def content(body: dict[str, Any]) -> str:
    return str(body["messages"][-1]["content"])


def test_every_prompt_is_a_run_and_the_score_is_their_mean(asked, corpus):
    asked.model.answer = lambda body, _: said("80" if len(body["messages"]) == 2 else f"{chance(content(body)):.3f}")
    scored = asked(TWO)
    one = [round(chance(f"Rate: {text}"), 3) for text in corpus.columns["text"]]
    assert scored.runs == {"one": one, "two": [0.8] * ROWS}
    assert scored.scores == pytest.approx([(score + 0.8) / 2 for score in one])
    assert (scored.cost.calls, scored.cost.tokens_in, scored.cost.tokens_out) == (2 * ROWS, 40 * ROWS, 4 * ROWS)
    assert scored.models == ("tiny-1",)
    bodies = [json.loads(body) for body in asked.model.asked]
    assert {(body["model"], body["max_tokens"], body["temperature"]) for body in bodies} == {("tiny", 32, 0)}
    # How many meet at the server depends on the machine; benchmarks.endpoint measures it.
    assert 1 <= asked.model.most <= 16


def test_probabilities_of_labels_are_asked_for_and_read(asked):
    asked.model.answer = lambda _, __: tokens(B=0.6, A=0.2, Hm=0.2)
    scored = asked(LETTERS, rows=20)
    assert (scored.scores, scored.mass) == (pytest.approx([0.75] * 20), pytest.approx(0.8))
    body = json.loads(next(iter(asked.model.asked)))
    assert (body["logprobs"], body["top_logprobs"], body["max_tokens"]) == (True, 20, 1)


ANSWERS = {
    "cut off within a character": (said("0.5 \ud83d"), 0.5),
    "labels cut off within a character": (tokens(**{"A": 0.4, "B": 0.4, "\ud83d": 0.2}), 0.5),
    "a long thought": (said(f"<think>{'0.2, or not? ' * 500}</think>0.7"), 0.7),
    "tokens as a text": ((200, {**said("0.5")[1], "usage": {"prompt_tokens": "many"}}, {}), 0.5),
    "tokens in a list": ((200, {**said("0.5")[1], "usage": [20, 2]}, {}), 0.5),
    "no table of tokens": ((200, {**said("0.5")[1], "usage": "20"}, {}), 0.5),
    "digits cut off": (said('{"score": 0.', finish_reason="length"), '{"score": 0.…'),
}


@pytest.mark.parametrize("what", ANSWERS)
def test_answers_of_every_form_are_read(asked, what):
    reply, expected = ANSWERS[what]
    asked.model.answer = lambda *_: reply
    scored = asked(LETTERS if "labels" in what else NUMBERS, rows=3)
    found = scored.examples["unreadable"][0] if scored.states else pytest.approx(scored.scores[0])
    assert (found, scored.states) == (expected, {"unreadable": 3} if isinstance(expected, str) else {})
    assert scored.cost.tokens_in == (0 if "token" in what else 60)


JSON = NUMBERS.replace("[[prompts]]", '[[prompts]]\nread = "json"')


def test_a_server_that_can_is_asked_to_force_the_form_of_an_answer(asked):
    asked.model.answer = lambda _, __: said('{"score": 0.7}')
    assert asked(JSON, rows=3).scores == [0.7] * 3
    (form,) = {json.dumps(json.loads(body)["response_format"]) for body in asked.model.asked}
    assert '"strict": true' in form
    asked.model.answer = lambda _, __: said('{"score": 0.7, "why": "not sure, perhaps 0.2"}')
    assert asked(JSON.replace("Rate", "Judge"), rows=3).states == {"unreadable": 3}
    asked.model.answer = lambda *_: error(400, "response_format is not supported")
    with pytest.raises(SystemFailed, match=r"file of prompts can change response_format or leave it out"):
        asked(JSON.replace("Rate", "Weigh"), rows=3)


LONG = {
    "a number at the end": (f"{'It is hard to say. ' * 200}0.5", None),
    "a correction at the end": (f"0.5{' ' * 3000}No, minus 0.5", None),
    "spaces before the number": (f"Score:{' ' * 3000}0.5", 0.5),
    "a thought that is longer than most": (f"<think>{'0.2? ' * 100_000}</think>0.5", 0.5),
}


@pytest.mark.parametrize("what", LONG)
def test_a_long_answer_is_read_and_stored_whole(what, asked):
    answer, score = LONG[what]
    asked.model.answer = lambda *_: said(answer)
    for _ in range(2):
        scored = asked(rows=2)
        assert (scored.states, scored.scores[0] == score) == ({} if score else {"unreadable": 2}, score is not None)
        assert scored.examples.get("unreadable", [answer]) == [answer]
    assert asked.model.calls == 2


def test_three_different_answers_that_do_not_read_are_kept_as_examples(asked):
    answers = itertools.cycle(["I cannot say.", "no", "no", "0.5 or 0.6", "0.5", "perhaps"])
    asked.model.answer = lambda *_: said(next(answers))
    scored = asked(rows=12, concurrency=1)
    assert (scored.states, scored.examples) == (
        {"unreadable": 10},
        {"unreadable": ["I cannot say.", "no", "0.5 or 0.6"]},
    )


def test_repeats_are_averaged_and_more_of_them_ask_only_the_new(asked):
    asked.model.answer = lambda _, before: said(("0.2", "no idea", "0.4", "0.9")[before])
    scored = asked(repeats=3)
    assert scored.scores == pytest.approx([0.3] * ROWS)
    assert mean_of_runs(scored.no_answer) == pytest.approx([1 / 3] * ROWS)
    assert asked(repeats=4).scores == pytest.approx([0.5] * ROWS)
    assert asked(repeats=2).cost.stored == 2 * ROWS
    assert asked.model.calls == 4 * ROWS
    assert {json.loads(body)["temperature"] for body in asked.model.asked} == {1}


def test_a_rerun_and_another_reading_of_the_same_words_ask_nothing(asked):
    asked.model.answer = lambda _, __: said("80")
    first = asked()
    assert first.states == {"unreadable": ROWS}
    assert all(map(math.isnan, first.scores))
    again = asked(NUMBERS.replace("[[prompts]]", "[[prompts]]\nrange = [0, 100]").replace('"one"', '"x"'))
    assert again.scores == [0.8] * ROWS
    assert asked(base_url=f"{asked.model.url}/").states == {"unreadable": ROWS}
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


def test_an_audit_with_faults_and_refusals_ends_without_its_key(asked, corpus, monkeypatch, caplog):
    caplog.set_level(0)
    monkeypatch.setenv(wire.KEY, "sk-very-secret\n")
    asked.model.answer = faulty
    scored = asked()
    refused = [int(10 * chance(f"Rate: {text}", "fault")) in (2, 3) for text in corpus.columns["text"]]
    assert mean_of_runs(scored.no_answer) == [float(each) for each in refused]
    assert scored.states == {"refused": sum(refused)}
    assert 0 < sum(refused) < ROWS
    assert scored.cost.calls == asked.model.calls > ROWS
    before = asked.model.calls
    assert mean_of_runs(asked().no_answer) == mean_of_runs(scored.no_answer)
    assert asked.model.calls == before
    assert asked.model.keys == {"Bearer sk-very-secret"}
    files = [path for path in asked.folder.rglob("*") if path.is_file()]
    assert asked.store.path in files
    assert not any(b"very-secret" in file.read_bytes() for file in files)
    assert "very-secret" not in caplog.text


def test_a_call_that_never_comes_is_asked_for_by_the_next_run(asked, corpus, monkeypatch):
    monkeypatch.setattr(wire, "ATTEMPTS", 2)
    down = f"Rate: {corpus.columns['text'][7]}"
    asked.model.answer = lambda body, _: error(500, "broken") if content(body) == down else said("0.5")
    scored = asked()
    assert scored.states == {"failed": 1}
    assert "failed 2 times, at last with: 500 broken" in scored.examples["failed"][0]
    assert scored.cost.calls == asked.model.calls == ROWS + 1
    asked.model.answer = lambda _, __: said("0.5")
    assert not asked().states
    assert asked.model.calls == ROWS + 2


@pytest.mark.parametrize(
    "lasting", [error(400, "filtered", code="content_filter"), error(400, "too long"), (200, {"hello": "world"}, {})]
)
def test_calls_before_that_of_a_refusal_are_counted_too(asked, lasting):
    replies = iter([said("0.5"), error(429, "slow down", Retry_After="0.01"), lasting])
    asked.model.answer = lambda *_: next(replies)
    scored = asked(rows=2)
    assert (sum(scored.states.values()), scored.cost.calls, asked.model.calls) == (1, 3, 3)


def test_a_wait_is_counted_by_the_clock_of_the_server(asked, monkeypatch):
    waits = []

    async def sleep(seconds):
        waits.append(seconds)

    monkeypatch.setattr(wire.asyncio, "sleep", sleep)
    for date in ("Thu, 01 Jan 1970 00:00:{}", "Wed, 01 Jan 2098 00:00:{}"):
        busy = error(429, "", Retry_After=f"{date.format('09')} GMT", Date=f"{date.format('02')} GMT")
        asked.model.answer = lambda _, before, busy=busy: said("0.5") if before else busy
        assert asked(NUMBERS.replace("Rate", date[:3]), rows=1).scores == [0.5]
    assert [wait for wait in waits if wait] == [7.0, 7.0]


WRONG = {
    "HTTP_PROXY": ["http://[::1", "foo://user:secret@x:99", "http://user:secret@x:secret"],
    "all_proxy": ["socks9://x:1", "foo://user:secret@x"],
    "SSL_CERT_FILE": ["/nonexistent", "{folder}", "{folder}/mine.toml"],
}


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, values in WRONG.items() for value in values])
def test_a_proxy_or_certificates_that_cannot_be_used_are_told(name, value, asked, monkeypatch):
    for other in (*wire.PROXIES, *wire.CERTIFICATES):
        monkeypatch.delenv(other, raising=False)
    monkeypatch.setenv(name, value.format(folder=asked.folder))
    with pytest.raises(Unavailable, match=rf"that {name} names cannot be (used|read) .* or unset it\.") as told:
        asked(rows=1)
    assert "secret" not in str(told.value)
    assert asked.model.calls == 0


NO_FILTER: dict[str, dict[str, Any]] = {
    "an unknown field": {"message": "Unrecognized request argument: content_filter", "code": "unknown_parameter"},
    "the name of a model": {"message": "bad model my-content_filter", "code": None},
    "an input that is repeated": {"message": "too long: <content_filter>", "code": "context_length_exceeded"},
    "a parameter": {"message": "bad request", "param": "content_filter", "code": "invalid"},
    "another place": {"message": "bad request", "details": {"code": "content_filter"}},
    "a list": {"message": "bad request", "code": ["content_filter"]},
    "a quota in words": {"message": "insufficient_quota is no model", "code": "bad"},
}


@pytest.mark.parametrize("what", [*NO_FILTER, "no JSON", "a text", "no table"])
def test_a_word_in_an_error_makes_no_refusal(what, asked):
    bodies = {"no JSON": "content_filter", "a text": {"error": "content_filter"}, "no table": ["content_filter"]}
    body = {"error": NO_FILTER[what]} if what in NO_FILTER else bodies[what]
    asked.model.answer = lambda *_: (400, body, {})
    with pytest.raises(SystemFailed, match="refused the request: 400"):
        asked(rows=3)
    assert asked.model.calls == 1
    asked.model.answer = lambda *_: said("0.5")
    assert asked(rows=3).scores == [0.5] * 3


AZURE = {
    "message": "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
    "type": None,
    "param": "prompt",
    "code": "content_filter",
    "status": 400,
    "innererror": {"code": "ResponsibleAIPolicyViolation", "content_filter_result": {"hate": {"filtered": True}}},
}


@pytest.mark.parametrize("form", [AZURE, {**AZURE, "code": "400"}, {**AZURE, "innererror": None}])
def test_a_filter_as_it_is_documented_is_a_refusal(form, asked):
    asked.model.answer = lambda *_: (400, {"error": form}, {})
    scored = asked(rows=3)
    assert scored.states == {"refused": 3}
    assert asked.model.calls == 3


def test_a_server_may_be_slow_and_say_until_when_it_is_to_be_left_alone(asked):
    asked.model.delay = lambda before: 0.0 if before else 1.5
    assert asked(rows=3, timeout=0.5).scores == [0.5] * 3
    assert asked.model.calls == 6
    over = error(429, "", Retry_After="Fri, 1 Jan 2021 00:00:00 GMT")
    asked.model.answer = lambda _, before: said("0.5") if before else over
    assert asked(NUMBERS.replace("Rate", "Judge"), rows=3).scores == [0.5] * 3


def test_a_budget_is_kept_and_what_was_paid_is_stored(asked):
    with pytest.raises(BudgetSpent, match=rf"budget of 50 calls is spent\. 50 of {ROWS} answers .* are stored") as e:
        asked(budget=50)
    assert (e.value.exit_code, asked.model.calls) == (3, 50)
    assert asked(budget=ROWS).scores == [0.5] * ROWS
    assert asked.model.calls == ROWS


NEVER: dict[str, tuple[Callable[..., Reply | None], str]] = {
    "wrong key": (lambda *_: error(401, "Incorrect API key provided: sk-very-secret"), NUMBERS),
    "no such model": (lambda *_: error(404, "The model `tiny` does not exist"), NUMBERS),
    "no quota": (lambda *_: error(429, "You exceeded your quota", code="insufficient_quota"), NUMBERS),
    "a long wait": (lambda *_: error(429, "slow down", Retry_After="3600"), NUMBERS),
    "a wait until": (lambda *_: error(429, "slow", Retry_After="Thu, 31 Dec 2099 23:59:59 GMT"), NUMBERS),
    "a key repeated": (lambda *_: (200, {"key": "sk-very-secret"}, {}), NUMBERS),
    "a key repeated late": (lambda *_: error(400, f"{'x' * 290} sk-very-secret"), NUMBERS),
    "a request that is refused": (lambda *_: error(400, "max_tokens is not supported"), NUMBERS),
    "no probabilities": (lambda *_: said("A"), LETTERS),
    "labels of several tokens": (lambda *_: tokens(_b=0.9, Hm=0.1), LETTERS.replace("B = 1", "better = 1")),
    "another service": (lambda *_: (200, {"hello": "world"}, {}), NUMBERS),
    "a message that is a text": (lambda *_: (200, {"choices": [{"message": "0.5"}]}, {}), NUMBERS),
}


def test_what_would_go_wrong_every_time_is_said_once_and_asked_once(asked, snapshot, monkeypatch):
    monkeypatch.setenv(wire.KEY, "sk-very-secret")
    told = []
    for what, (answer, prompts) in NEVER.items():
        asked.model.answer, before = answer, asked.model.calls
        with pytest.raises(SystemFailed) as found:
            asked(prompts, rows=20)
        assert asked.model.calls == before + 1, what
        told.append(f"{what}: {re.sub(r'(?<=wait )[0-9]{9,}|(?<=//)127[0-9.:]+', 'HOST', str(found.value))}")
    assert "sk-very" not in "".join(told)
    snapshot.check("endpoint-failures", "\n".join(told))


REFUSED: list[tuple[str, dict[str, Any]]] = [
    (NUMBERS, {"base_url": Endpoint().base_url}),
    (NUMBERS, {"base_url": "localhost:8000"}),
    (NUMBERS, {"base_url": "http://me:sk-very-secret@[::1"}),
    (NUMBERS, {"base_url": "http://localhost:99999/v1"}),
    (NUMBERS, {"base_url": "http://me:sk-very-secret@localhost/v1"}),
    (NUMBERS, {"base_url": "http://localhost/v1?api-key=sk-very-secret"}),
    (NUMBERS, {"prompts": "sentimental"}),
    (NUMBERS + "request = {temperature = 0}", {"repeats": 3}),
    (LETTERS, {"repeats": 3}),
]


def test_addresses_keys_and_repeats_that_cannot_be_used_are_refused(asked, snapshot, monkeypatch):
    told = [refusal(partial(asked, prompts, **more), asked.folder) for prompts, more in REFUSED]
    monkeypatch.setenv(wire.KEY, "sk-very secret\u200b")
    told.append(refusal(asked, asked.folder))
    # Of a file, before anything is asked.
    (asked.folder / "mine.toml").write_text(LETTERS)
    with pytest.raises(Unavailable):
        open_system("openai:tiny", SystemOptions(endpoint=Endpoint(repeats=3, prompts=str(asked.folder / "mine.toml"))))
    assert "secret" not in "".join(told)
    assert asked.model.calls == 0
    snapshot.check("endpoint-refused", "\n".join(told))


def test_eight_prompts_hold_the_level_where_groups_react_to_them():
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
