"""Scoring a real corpus: what is asked, stored and written; and the corpora that a system scores."""

import csv
import math
import re
from collections import Counter
from dataclasses import replace
from functools import partial
from types import SimpleNamespace

import pytest
from commands import stored_answers

from eec_datasets import errors
from eec_datasets.errors import InputError
from eec_datasets.systems import store as stored
from eec_datasets.systems.base import System
from eec_datasets.systems.corpus import (
    ENDPOINT_PART,
    LARGE_CONFIGS,
    PAPER_CONFIGS,
    SLOW_PART,
    WHOLE,
    CorpusPart,
    choose_parts,
    open_corpus,
    part_of,
    sample,
)
from eec_datasets.systems.questions import MOST_FAILURES
from eec_datasets.systems.rescoring import SAMPLE, measured_resolution
from eec_datasets.systems.score_file import Header, parse_header, to_text
from eec_datasets.systems.scoring import check_distinct, mean_of_runs, score_corpus, score_path, size
from eec_datasets.systems.store import Store


@pytest.fixture(scope="module")
def spanish():
    return open_corpus("es-anglo-latino")


@pytest.fixture(scope="module")
def some(spanish):
    return part_of(spanish, range(1500))


@pytest.fixture(scope="module")
def few(some):
    return part_of(some, range(60))


@pytest.fixture(scope="module")
def mixed(spanish):
    """Sentences with every word, *feliz* and *triste* among them."""
    return part_of(spanish, range(0, len(spanish.ids), 20))


BUSY, DOWN, STOP = RuntimeError("busy"), RuntimeError("down"), (1000, KeyboardInterrupt())


class Told:
    """A function that remembers what it was asked, and raises errors one after the other, each after so many texts."""

    def __init__(self, *faults):
        self.asked, self.faults = [], [*faults]

    def __call__(self, batch):
        if self.faults and len(self.asked) >= self.faults[0][0]:
            raise self.faults.pop(0)[1]
        self.asked += batch["text"]
        return [len(text) / 100 for text in batch["text"]]


def system(scorer, version="1", **more):
    return System("told", scorer, fingerprint=version, **{"batch_size": 100, **more})


@pytest.fixture
def score(store):
    """Scores a corpus by a function."""

    def by(scorer, corpus, version="1", fresh=False, **more):
        return score_corpus(system(scorer, version, **more), corpus, store, fresh=fresh)

    return by


def texts_of(corpus):
    return set(corpus.columns["text"])


def test_each_text_is_asked_once_over_corpora_and_runs(spanish, some, store, score):
    first, again, second, fresh, seen = Told(), Told(), Told(), Told(), []
    more = part_of(spanish, range(1000, 2500))
    scored = score_corpus(system(first), some, store, SimpleNamespace(update=seen.append))
    assert sorted(first.asked) == sorted(texts_of(some))
    assert sum(seen) == size(system(first), some) == len(first.asked)
    assert scored.scores == [len(text) / 100 for text in some.columns["text"]]
    assert (score(again, some).scores, again.asked) == (scored.scores, [])
    score(second, more)
    assert set(second.asked) == texts_of(more) - texts_of(some)
    # Also where all is asked again.
    costs = [score(fresh, part, fresh=True).cost for part in (some, more)]
    assert sorted(fresh.asked) == sorted(texts_of(more) | texts_of(some))
    assert [cost.stored for cost in costs] == [0, len(texts_of(more) & texts_of(some))]


def test_a_sample_is_scored_again_once_over_runs(few, store):
    first, again = Told(), Told()
    found = [
        measured_resolution(told, few, score_corpus(told, few, store), store)
        for told in (system(first, rescored=True), system(again, rescored=True))
    ]
    assert len(first.asked) == len(texts_of(few)) + 2 * SAMPLE
    assert again.asked == []
    assert found[0] == found[1]


def test_two_processes_that_ask_at_once_report_the_same_answers(few, store, score):
    first = []

    def overtaken(batch):
        if not first:
            with Store(store.path) as other:
                first.append(score_corpus(system(Told()), few, other))
        return [0.99] * len(batch["text"])

    second = score(overtaken, few)
    assert second.cost.new == first[0].cost.new > 0
    assert second.scores == first[0].scores == score(Told(), few).scores


@pytest.mark.parametrize(
    ("faults", "fresh", "told"),
    [
        ([STOP], False, r"1,000 of {count:,} answers of told on es-anglo-latino"),
        ([STOP], True, r"1,000 of them are new\. Leave out fresh .* all answers again"),
        ([*[(200, BUSY)] * 2, STOP], True, r" {count:,} of {count:,} answers .*\. 1,000 of them are new\."),
    ],
)
def test_an_interrupted_run_says_what_is_stored_and_how_to_go_on(some, score, faults, fresh, told):
    scorer, rest, count = Told(*faults), Told(), len(texts_of(some))
    if fresh:
        score(Told(), some)
    with pytest.raises(errors.Interrupted, match=told.format(count=count)) as e:
        score(scorer, some, fresh=fresh)
    assert e.value.exit_code == 3
    score(rest, some)
    assert sorted(rest.asked) == ([] if fresh else sorted(texts_of(some) - set(scorer.asked)))


def test_a_call_that_fails_twice_is_left_to_the_next_run(some, score):
    once = score(Told((200, BUSY)), some)
    assert not once.states
    rest, scored = Told(), score(Told(*[(200, BUSY)] * 2), some, "2")
    assert scored.states == {"failed": 100}
    assert "raised RuntimeError: busy, while scoring 100 sentences from id" in scored.examples["failed"][0]
    assert score(rest, some, "2").scores == once.scores
    rows = zip(some.columns["text"], scored.scores, strict=True)
    assert set(rest.asked) == {text for text, value in rows if math.isnan(value)}


@pytest.mark.parametrize("concurrency", [1, 3])
def test_a_batch_is_one_call_and_one_more_where_it_was_tried_again(some, score, concurrency):
    odd = some.columns["text"][250]

    def busy_with_one(batch):
        if odd in batch["text"]:
            raise RuntimeError("busy")
        return [0.5] * len(batch["text"])

    scored = score(busy_with_one, some, concurrency=concurrency)
    assert (scored.cost.new, scored.states["failed"]) == (1500, 100)
    assert scored.cost.calls == 16


@pytest.mark.parametrize("concurrency", [1, 3])
def test_a_system_that_yields_scores_is_asked_again_where_it_failed(few, score, concurrency):
    failed = set()

    def busy_at_first(batch):
        for text in batch["text"]:
            if text not in failed:
                failed.add(text)
                raise RuntimeError("busy")
            yield 0.5

    scored = score(busy_at_first, few, concurrency=concurrency)
    assert (scored.scores, failed) == ([0.5] * 60, texts_of(few))


def odd_one(batch):
    if "feliz" in str(batch["text"]):
        raise ValueError("no such word")
    return [len(text) / 100 for text in batch["text"]]


def test_texts_that_fail_for_good_end_no_later_run(spanish, mixed, score):
    first = score(odd_one, mixed, batch_size=1)
    assert first.states["failed"] >= MOST_FAILURES
    again = score(odd_one, mixed, batch_size=1)
    assert (again.states, again.cost.stored) == (first.states, first.cost.new - first.states["failed"])
    fixed = score(Told(), mixed, batch_size=1)
    assert (fixed.states, fixed.cost.new) == ({}, first.states["failed"])
    # One that comes first is asked after the others by the next run.
    row = next(row for row, text in enumerate(spanish.columns["text"]) if "feliz" in text)
    corpus = part_of(spanish, [row, *range(row)])
    with pytest.raises(errors.CallFailed):
        score(odd_one, corpus, "2", batch_size=1)
    assert score(odd_one, corpus, "2", batch_size=1).states == {"failed": 1}


@pytest.mark.parametrize(("at", "calls"), [(0, 2), (100, 2 * MOST_FAILURES)])
def test_where_only_failures_come_no_more_calls_are_made(some, store, score, at, calls):
    broken = Told(*[(at, DOWN)] * 1000)
    with pytest.raises(errors.CallFailed, match="told raised RuntimeError: down"):
        score(broken, some, batch_size=10)
    assert 1000 - len(broken.faults) == calls
    assert stored_answers(store.path) == [at]


def test_queries_have_placeholders_that_python_3_14_takes():
    assert not [name for name, statement in stored.STATEMENTS.items() if re.search(r"[?:@$]\w", statement)]


def test_missing_answers_are_kept_as_missing_and_not_asked_again(mixed, score):
    def gaps(batch):
        return [None if "feliz" in text else math.nan if "triste" in text else 0.5 for text in batch["text"]]

    again, scored = Told(), score(gaps, mixed)
    expected = [("feliz" in text or "triste" in text) for text in mixed.columns["text"]]
    assert {word for word in ("feliz", "triste") if word in str(mixed.columns["text"])} == {"feliz", "triste"}
    assert [math.isnan(score) for score in scored.scores] == mean_of_runs(scored.no_answer) == expected
    assert set(scored.states) == {"missing"}
    assert (mean_of_runs(score(again, mixed).no_answer), again.asked) == (expected, [])


def test_a_changed_function_is_asked_again_and_nothing_stored_is_lost(some, store, score):
    old, new, back = Told(), Told(), Told()
    score(old, some, "file 1")
    score(new, some, "file 2")
    assert sorted(new.asked) == sorted(old.asked)
    score(back, some, "file 1")
    assert back.asked == []
    assert stored_answers(store.path) == [len(old.asked)] * 2


def test_a_stored_answer_outside_a_range_declared_since_is_refused(few, score):
    score(Told(), few)
    with pytest.raises(errors.SystemFailed, match=r"number of its declared range 0 to 0\.1"):
        score(Told(), few, score_range=(0.0, 0.1))


FOLDERS = {"hf:org/model[LABEL 1]": "hf-org-model-LABEL-1", "../../etc": "etc", "模型:score": "模型-score"}


@pytest.mark.parametrize(("first", "second"), [("hf:org/model", "hf:org-model"), ("mine:score", "mine:score")])
def test_two_systems_whose_scores_would_take_one_place_are_refused(first, second, tmp_path):
    for name, folder in FOLDERS.items():
        assert score_path(tmp_path, name, "c") == tmp_path / "scores" / folder / "c.csv"
    systems = [replace(system(Told()), name=name, spec=f"{i}:f") for i, name in enumerate((first, second))]
    with pytest.raises(errors.InputError) as error:
        check_distinct(systems, tmp_path)
    place = score_path(tmp_path, first, "").parent
    assert all(part in str(error.value) for part in ("0:f and 1:f", repr(first), repr(second), str(place)))


HEADER = Header("vader", "vaderSentiment==3.3.2", "tiny", "tiny@1.0.0#00ff", -1.0, 1.0)


def test_a_file_of_scores_says_what_they_are_of():
    columns = {"plain": [1 / 3, math.nan], 'a "b", c': [-1.0, 5e-324]}
    head, *rows = to_text(HEADER, ["t01/angry/maria", "t01/angry/alan"], columns).splitlines()
    assert parse_header(head, "scores.csv") == HEADER
    # A row without a score has an empty cell.
    assert [*csv.DictReader(rows)] == [
        {"id": "t01/angry/maria", "plain": repr(1 / 3), 'a "b", c': "-1.0"},
        {"id": "t01/angry/alan", "plain": "", 'a "b", c': "5e-324"},
    ]


def test_a_file_of_scores_with_another_first_line_is_refused(snapshot):
    odd = [replace(HEADER, **change).line() for change in ({"low": "a"}, {"high": -2.0}, {"high": None}, {"system": 5})]
    lines = ("hello", "id,score", "#eec-scores {", '#eec-scores {"system": "vader"}', *odd)
    calls = {line: partial(parse_header, line, "FILE") for line in lines}
    snapshot.check_refusals("score-file-refusals", calls, errors.InputError)


PLAIN, ENGLISH = System("plain", list), System("made for English", list, languages=("en",))
ASKED = System("asked", list, languages=("en", "es", "ar"), runs=lambda _: {})
SLOW = System("slow", list, languages=("es", "ar"), slow=True)
FIVE = CorpusPart(names=5)
STRONG = ["en-black-white-100", "en-black-white-100-typical", "en-anglo-latino-100"]
CHOSEN = [
    (([], [], PLAIN), [*((name, WHOLE) for name in PAPER_CONFIGS), *((name, CorpusPart(items=20)) for name in STRONG)]),
    (([], ["es"], ENGLISH), []),
    ((["es-anglo-latino"] * 2, [], ENGLISH), [("es-anglo-latino", WHOLE)]),
    ((["es-anglo-latino"], ["en", "es"], PLAIN), [("es-anglo-latino", WHOLE)]),
    # What is asked by prompts gets a part of the large corpora where nobody names one.
    (([], [], ASKED), [(name, ENDPOINT_PART) for name in LARGE_CONFIGS]),
    (([], ["es"], ASKED), [("es-anglo-latino-100", ENDPOINT_PART)]),
    (([], [], ASKED, FIVE), [(name, FIVE) for name in LARGE_CONFIGS]),
    ((["es-anglo-latino-100"], [], ASKED), [("es-anglo-latino-100", WHOLE)]),
    (([], [], PLAIN, WHOLE, [PLAIN, ASKED]), [(name, ENDPOINT_PART) for name in LARGE_CONFIGS]),
    (([], ["en"], PLAIN, FIVE), [("en-black-white-100", FIVE)]),
    (([], ["fr"], PLAIN), [("fr-gender", WHOLE), ("fr-forms", WHOLE)]),
    # A slow system scores a part of its own where nobody names a config.
    (([], [], SLOW), [("es-anglo-latino-100", SLOW_PART), ("ar-anglo-arab-100", SLOW_PART)]),
    (([], ["es"], SLOW), [("es-anglo-latino-100", SLOW_PART)]),
    (([], [], SLOW, FIVE), [("es-anglo-latino-100", FIVE), ("ar-anglo-arab-100", FIVE)]),
    ((["es-religion"], [], SLOW), [("es-religion", WHOLE)]),
    (([], ["fr"], System("any", list, runs=lambda _: {})), [("fr-gender", WHOLE), ("fr-forms", WHOLE)]),
]


def test_corpora_are_chosen_by_name_by_language_or_by_default():
    for asked, expected in CHOSEN:
        assert choose_parts(*asked) == expected, asked
    assert [name for name, _ in choose_parts([], [], ENGLISH)] == [*(n for n in PAPER_CONFIGS if "en-" in n), *STRONG]
    assert [name[:2] for name, _ in choose_parts([], [], System("Spanish", list, languages=("es",)))] == ["es"]
    assert ("es-anglo-latino", WHOLE) in choose_parts([], ["es"], PLAIN)
    for name in STRONG:
        corpus = open_corpus(name, CorpusPart(items=20))
        assert (len(corpus.ids), len(set(corpus.columns["item"]))) == (8400, 20)
    with pytest.raises(InputError, match="es-anglo-latino is in the language 'es', and only en"):
        choose_parts(["es-anglo-latino"], ["en"], ENGLISH)
    with pytest.raises(InputError, match="no config in language 'tlh'; there are: ar, de, en, "):
        choose_parts([], ["tlh"], PLAIN)


def test_a_part_of_a_corpus_is_balanced_says_so_and_has_a_hash_of_its_own(spanish):
    assert dict(spanish.groups) == {"gender": ["female", "male"], "race": ["Anglo", "Latino"]}
    name, _, digest = spanish.data.partition("#")
    assert (name, len(digest), str(spanish.label)) == ("es-anglo-latino@1.0.0", 64, f"{name}#{digest[:8]}")
    corpus = open_corpus("es-anglo-latino-100", ENDPOINT_PART)
    rows = corpus.table.to_pandas()
    names = rows[rows["person_type"] == "name"].drop_duplicates("person")
    assert set(names.groupby(["race", "gender"]).size()) == {16}
    assert len(set(corpus.columns["item"])) == 20
    emotions = dict(zip(corpus.columns["item"], corpus.columns["emotion"], strict=True))
    assert Counter(emotions.values()) == dict.fromkeys(("anger", "fear", "joy", "sadness"), 5)
    assert (str(corpus.part), len(corpus.ids)) == ("16 names per cell and 20 items", 1680)
    assert corpus.data != open_corpus("es-anglo-latino-100", CorpusPart(names=16)).data
    assert (part_of(corpus, range(60)).part, spanish.part) == (corpus.part, "")


def test_the_sentences_shown_differ_only_in_the_person():
    for corpus in map(open_corpus, PAPER_CONFIGS):
        for rows in sample(corpus):
            assert len({row["item"] for row in rows}) == 1
            assert len({row["text"] for row in rows}) == len(rows) == 6
            for axis, levels in corpus.groups.items():
                assert {row[axis] for row in rows} >= set(levels)
