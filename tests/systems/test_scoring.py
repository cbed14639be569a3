"""Scoring a real corpus: what is asked and what is stored, and the corpora that a system scores."""

from __future__ import annotations

import contextlib
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from eec_datasets.errors import CallFailed, ChangedSystem, Interrupted, SystemFailed, UnknownConfig, UnknownSystem
from eec_datasets.systems.asking import PATIENCE
from eec_datasets.systems.base import Batch, System
from eec_datasets.systems.corpus import (
    ENDPOINT_PART,
    LARGE_CONFIGS,
    PAPER_CONFIGS,
    WHOLE,
    Corpus,
    Part,
    choose_configs,
    choose_parts,
    open_corpus,
    part_of,
    sample,
)
from eec_datasets.systems.registry import open_system
from eec_datasets.systems.scoring import mean_of_runs, score_corpus, score_path, size
from eec_datasets.systems.store import Store


@pytest.fixture(scope="module")
def spanish() -> Corpus:
    return open_corpus("es-anglo-latino")


class Counter:
    """A progress bar that only counts."""

    def __init__(self) -> None:
        self.seen: list[int] = []

    def update(self, n: int) -> None:
        self.seen.append(n)


class Told:
    """A function that remembers what it was asked, and fails where it is told to."""

    def __init__(self, fail: BaseException | None = None, at: int = -1, times: int = 1) -> None:
        self.asked: list[str] = []
        self.fail = fail
        self.at = at
        self.times = times

    def __call__(self, batch: Batch) -> list[float | None]:
        if self.fail and len(self.asked) >= self.at and self.times:
            self.times -= 1
            raise self.fail
        self.asked += batch["text"]
        return [len(text) / 100 for text in batch["text"]]


def system(scorer: Told, version: str = "1", **more: Any) -> System:
    return System("told", scorer, fingerprint=version, batch_size=1000, **more)


def test_a_corpus_knows_its_groups_and_its_content(spanish: Corpus) -> None:
    assert dict(spanish.groups) == {"gender": ["female", "male"], "race": ["Anglo", "Latino"]}
    name, _, digest = spanish.data.partition("#")
    assert name == "es-anglo-latino@1.0.0"
    assert len(digest) == 64
    assert spanish.label == f"{name}#{digest[:8]}"


def test_each_text_is_asked_once_over_corpora_and_runs(spanish: Corpus, store: Store) -> None:
    some, more = part_of(spanish, range(3000)), part_of(spanish, range(2000, 5000))
    first, again, second = Told(), Told(), Told()
    counter = Counter()
    scored = score_corpus(system(first), some, store, counter)
    texts = set(some.columns["text"])
    assert (len(first.asked), set(first.asked)) == (len(texts), texts)
    assert sum(counter.seen) == size(system(first), some) == len(texts)
    assert scored.scores == [len(text) / 100 for text in some.columns["text"]]
    assert score_corpus(system(again), some, store).scores == scored.scores
    assert again.asked == []
    score_corpus(system(second), more, store)
    assert set(second.asked) == set(more.columns["text"]) - texts
    fresh = Told()
    score_corpus(system(fresh), some, store, use="fresh")
    assert set(fresh.asked) == texts


def test_an_interrupted_run_says_what_is_stored_and_the_next_asks_the_rest(spanish: Corpus, store: Store) -> None:
    stopped, rest = Told(KeyboardInterrupt(), at=3000), Told()
    count = len(set(spanish.columns["text"]))
    with pytest.raises(Interrupted, match=rf"3,000 of {count:,} answers of told on es-anglo-latino are stored in") as e:
        score_corpus(system(stopped), spanish, store)
    assert e.value.exit_code == 3
    score_corpus(system(rest), spanish, store)
    assert sorted(stopped.asked + rest.asked) == sorted(set(spanish.columns["text"]))


def test_a_call_that_fails_is_made_again_then_recorded_and_asked_for_by_the_next_run(
    spanish: Corpus, store: Store
) -> None:
    once = score_corpus(system(Told(RuntimeError("busy"), at=2000)), spanish, store)
    assert not once.states
    twice = Told(RuntimeError("busy"), at=2000, times=2)
    scored = score_corpus(system(twice, "2"), spanish, store)
    assert scored.states == {"failed": 1000}
    assert "raised RuntimeError: busy, while scoring 1000 sentences from id" in scored.examples["failed"]
    missing = {text for text, score in zip(spanish.columns["text"], scored.scores, strict=True) if math.isnan(score)}
    rest = Told()
    assert score_corpus(system(rest, "2"), spanish, store).scores == once.scores
    assert set(rest.asked) == missing


def test_where_only_failures_come_no_more_calls_are_made(spanish: Corpus, store: Store) -> None:
    for at, stored in ((0, 0), (1000, 1000)):
        broken = Told(RuntimeError("down"), at=at, times=1000)
        with pytest.raises(CallFailed, match="told raised RuntimeError: down"):
            score_corpus(replace(system(broken, f"v{at}"), batch_size=10), spanish, store)
        assert 1000 - broken.times == 2 * (PATIENCE if at else 1)
        assert [each.answers for each in store.stored() if each.version == f"v{at}"] == [stored]


def test_a_group_that_the_corpus_lacks_is_refused_before_anything_is_asked(spanish: Corpus, store: Store) -> None:
    with pytest.raises(UnknownSystem):
        score_corpus(open_system("biased:Black"), spanish, store)
    assert not store.path.exists()


def test_missing_answers_are_kept_as_missing_and_not_asked_again(spanish: Corpus, store: Store) -> None:
    def some(batch: Batch) -> list[float | None]:
        return [None if "feliz" in text else math.nan if "triste" in text else 0.5 for text in batch["text"]]

    scored = score_corpus(System("some", some), spanish, store)
    gaps = [("feliz" in text or "triste" in text) for text in spanish.columns["text"]]
    assert [math.isnan(score) for score in scored.scores] == gaps
    assert mean_of_runs(scored.no_answer) == [float(gap) for gap in gaps]
    assert set(scored.states) == {"missing"}
    again = Told()
    assert mean_of_runs(score_corpus(System("some", again), spanish, store).no_answer) == mean_of_runs(scored.no_answer)
    assert again.asked == []


def test_of_a_changed_function_nothing_old_is_used_and_nothing_is_lost_until_somebody_says_so(
    spanish: Corpus, store: Store
) -> None:
    old, new = Told(), Told()
    before = score_corpus(system(old, "file 1", declared=False), spanish, store)
    changed = system(new, "file 2", declared=False)
    place = rf"told may have changed: {len(old.asked):,} answers are stored of version 'file 1'.*now 'file 2'"
    with pytest.raises(ChangedSystem, match=place):
        score_corpus(changed, spanish, store)
    assert new.asked == []
    assert score_corpus(changed, spanish, store, use="reuse").scores == before.scores
    assert score_corpus(changed, spanish, store).scores == before.scores
    third = system(new, "file 3", declared=False)
    score_corpus(third, spanish, store, use="fresh")
    assert len(new.asked) == len(old.asked)
    assert [each.answers for each in store.stored()] == [len(old.asked)] * 3


@pytest.mark.parametrize(("was", "now"), [(True, True), (False, True), (True, False)])
def test_a_declared_version_is_asked_anew_and_one_that_was_not_declared_is_asked_about(
    was: bool, now: bool, spanish: Corpus, store: Store
) -> None:
    some = part_of(spanish, range(60))
    score_corpus(system(Told(), "1", declared=was, spec="m:f"), some, store)
    later = Told()
    with contextlib.nullcontext() if was and now else pytest.raises(ChangedSystem):
        score_corpus(system(later, "2", declared=now, spec="m:f"), some, store)
    assert bool(later.asked) == (was and now)


def test_a_stored_answer_outside_a_range_declared_since_is_refused(spanish: Corpus, store: Store) -> None:
    some = part_of(spanish, range(60))
    score_corpus(system(Told()), some, store)
    with pytest.raises(SystemFailed, match=r"outside its declared range 0 to 0\.1"):
        score_corpus(system(Told(), score_range=(0.0, 0.1)), some, store)


def test_systems_have_folders_of_their_own(tmp_path: Path) -> None:
    assert score_path(tmp_path, "hf:org/model[LABEL 1]", "c") == tmp_path / "scores" / "hf-org-model-LABEL-1" / "c.csv"
    assert score_path(tmp_path, "../../etc", "c") == tmp_path / "scores" / "etc" / "c.csv"


def test_corpora_are_chosen_by_name_by_language_or_from_the_papers() -> None:
    english = System("made for English", list, languages=("en",))
    assert choose_configs([], []) == list(PAPER_CONFIGS)
    assert choose_configs([], [], english) == ["en-black-white", "en-anglo-latino", "en-anglo-arab"]
    assert "es-anglo-latino" in choose_configs([], ["es"])
    assert choose_configs([], ["es"], english) == []
    assert choose_configs(["es-anglo-latino", "es-anglo-latino"], [], english) == ["es-anglo-latino"]
    with pytest.raises(UnknownConfig, match="es-anglo-latino is in the language 'es', and only en"):
        choose_configs(["es-anglo-latino"], ["en"], english)
    with pytest.raises(UnknownConfig, match="no config in language 'tlh'; there are: ar, de, en, "):
        choose_configs([], ["tlh"])


def test_what_is_asked_by_prompts_gets_a_small_part_of_the_large_corpora_where_nobody_names_one() -> None:
    asked = System("asked", list, languages=("en", "es", "ar"), runs=lambda _: {})
    plain, part = System("plain", list), Part(names=5)
    assert choose_parts([], [], asked) == [(name, ENDPOINT_PART) for name in LARGE_CONFIGS]
    assert choose_parts([], ["es"], asked) == [("es-anglo-latino-100", ENDPOINT_PART)]
    assert choose_parts([], [], asked, part) == [(name, part) for name in LARGE_CONFIGS]
    assert choose_parts(["es-anglo-latino-100"], [], asked) == [("es-anglo-latino-100", WHOLE)]
    assert choose_parts([], [], plain, beside=[plain, asked]) == choose_parts([], [], asked)
    assert choose_parts([], ["en"], plain, part) == [("en-black-white-100", part)]
    assert {own for _, own in choose_parts([], ["fr"], System("any", list, runs=lambda _: {}))} == {WHOLE}


def test_where_nobody_names_a_corpus_the_papers_and_parts_of_the_english_ones_with_a_hundred_names_are_taken() -> None:
    papers, strong = choose_parts([], [], System("plain", list))[:5], choose_parts([], [], System("plain", list))[5:]
    assert papers == [(name, WHOLE) for name in PAPER_CONFIGS]
    assert [name for name, _ in strong] == ["en-black-white-100", "en-black-white-100-typical", "en-anglo-latino-100"]
    for name, part in strong:
        corpus = open_corpus(name, part)
        assert (len(corpus.ids), len(set(corpus.columns["item"]))) == (8400, 20)
    assert [name[:2] for name, _ in choose_parts([], [], System("Spanish", list, languages=("es",)))] == ["es"]
    assert choose_parts([], ["fr"], System("plain", list)) == [("fr-gender", WHOLE)]


def test_a_part_of_a_corpus_is_balanced_says_so_and_has_a_hash_of_its_own() -> None:
    corpus = open_corpus("es-anglo-latino-100", ENDPOINT_PART)
    names = {
        (corpus.columns["race"][row], corpus.columns["gender"][row], corpus.columns["person"][row])
        for row, kind in enumerate(corpus.columns["person_type"])
        if kind == "name"
    }
    assert {sum(labels[:2] == cell for labels in names) for cell in {labels[:2] for labels in names}} == {16}
    assert len(set(corpus.columns["item"])) == len(set(corpus.columns["template"])) == 12
    assert (str(corpus.part), len(corpus.ids)) == ("16 names per cell and 12 items", 1008)
    assert corpus.data != open_corpus("es-anglo-latino-100", Part(names=16)).data
    assert part_of(corpus, range(60)).part == corpus.part
    assert open_corpus("es-anglo-latino").part == ""


@pytest.mark.parametrize("name", PAPER_CONFIGS)
def test_the_sentences_shown_differ_only_in_the_person_and_cover_every_group(name: str) -> None:
    corpus = open_corpus(name)
    for rows in sample(corpus):
        assert len({row["item"] for row in rows}) == 1
        assert len({row["text"] for row in rows}) == len(rows) == 6
        for axis, levels in corpus.groups.items():
            assert {row[axis] for row in rows} >= set(levels)
