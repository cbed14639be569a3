"""Scoring a real corpus: runs that are resumed, and the corpora that a system scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from eec_datasets.errors import BadScores, Interrupted, SystemFailed, UnknownConfig, UnknownSystem
from eec_datasets.systems.base import Batch, System
from eec_datasets.systems.corpus import PAPER_CONFIGS, Corpus, choose_configs, open_corpus, sample
from eec_datasets.systems.registry import open_system
from eec_datasets.systems.scoring import score_corpus, score_path


@pytest.fixture(scope="module")
def spanish() -> Corpus:
    return open_corpus("es-anglo-latino")


class Counter:
    """A progress bar that only counts."""

    def __init__(self) -> None:
        self.seen: list[int] = []

    def update(self, n: int) -> None:
        self.seen.append(n)


def stopping(system: System, after: int, error: BaseException) -> System:
    """Return the same system, which raises in a later batch."""
    left = [after]

    def score(batch: Batch) -> Sequence[float]:
        if left[0] == 0:
            raise error
        left[0] -= 1
        return system.scorer(batch)

    return replace(system, scorer=score)


def test_a_corpus_knows_its_groups_and_its_content(spanish: Corpus) -> None:
    assert dict(spanish.groups) == {"gender": ["female", "male"], "race": ["Anglo", "Latino"]}
    name, _, digest = spanish.data.partition("#")
    assert name == "es-anglo-latino@1.0.0"
    assert len(digest) == 64
    assert spanish.label == f"{name}#{digest[:8]}"


def test_an_interrupted_run_goes_on_and_ends_with_the_same_scores(spanish: Corpus, tmp_path: Path) -> None:
    system = replace(open_system("random:3"), batch_size=1000)
    whole = score_corpus(system, spanish, tmp_path / "whole.csv")
    path = tmp_path / "broken.csv"
    with pytest.raises(
        Interrupted, match=r"3,000 of 8,640 scores of random:3 on es-anglo-latino are saved in .*broken\.csv"
    ) as error:
        score_corpus(stopping(system, 3, KeyboardInterrupt()), spanish, path)
    assert error.value.exit_code == 3
    counter = Counter()
    assert score_corpus(system, spanish, path, counter) == whole
    assert counter.seen == [3000, 1000, 1000, 1000, 1000, 1000, 640]
    assert path.read_bytes() == (tmp_path / "whole.csv").read_bytes()


def test_a_torn_run_scores_the_same_batches_again(spanish: Corpus, tmp_path: Path) -> None:
    batches: list[tuple[str, int]] = []

    def score(batch: Batch) -> list[float]:
        batches.append((batch["id"][0], len(batch["id"])))
        return [0.5] * len(batch["id"])

    system = System("half", score, batch_size=4000)
    path = tmp_path / "half.csv"
    score_corpus(system, spanish, path)
    first, batches[:] = list(batches), []
    path.write_bytes(path.read_bytes()[:-2000])
    score_corpus(system, spanish, path)
    assert batches == first[2:]


def test_a_finished_run_scores_nothing_again(spanish: Corpus, tmp_path: Path) -> None:
    system = open_system("random:3")
    scores = score_corpus(system, spanish, tmp_path / "s.csv")
    broken = stopping(system, 0, AssertionError("scored again"))
    assert score_corpus(broken, spanish, tmp_path / "s.csv") == scores


def test_a_failing_system_keeps_what_it_scored(spanish: Corpus, tmp_path: Path) -> None:
    system = open_system("random:3")
    with pytest.raises(SystemFailed, match=rf"out of memory, while scoring 2048 sentences from id {spanish.ids[4096]}"):
        score_corpus(stopping(system, 2, RuntimeError("out of memory")), spanish, tmp_path / "s.csv")
    assert len((tmp_path / "s.csv").read_text().splitlines()) == 2 + 4096


def test_scores_of_a_changed_corpus_are_refused(spanish: Corpus, tmp_path: Path) -> None:
    system = open_system("random:3")
    score_corpus(system, spanish, tmp_path / "s.csv")
    changed = replace(spanish, data="es-anglo-latino@1.0.1#ff")
    with pytest.raises(BadScores, match=rf"data: the file has '{spanish.data}', this run 'es-anglo-latino@1.0.1#ff'"):
        score_corpus(system, changed, tmp_path / "s.csv")
    score_corpus(system, changed, tmp_path / "s.csv", fresh=True)


def test_a_group_the_corpus_lacks_is_refused_before_anything_is_written(spanish: Corpus, tmp_path: Path) -> None:
    with pytest.raises(UnknownSystem):
        score_corpus(open_system("biased:Black"), spanish, tmp_path / "s.csv")
    assert not (tmp_path / "s.csv").exists()


def test_systems_have_folders_of_their_own(tmp_path: Path) -> None:
    assert score_path(tmp_path, "hf:org/model[LABEL 1]", "c") == tmp_path / "scores" / "hf-org-model-LABEL-1" / "c.csv"
    assert score_path(tmp_path, "../../etc", "c") == tmp_path / "scores" / "etc" / "c.csv"


def test_without_a_choice_the_corpora_of_the_papers_are_taken() -> None:
    assert choose_configs([], []) == list(PAPER_CONFIGS)
    assert choose_configs([], [], System("s", list, languages=("en",))) == [
        "en-black-white",
        "en-anglo-latino",
        "en-anglo-arab",
    ]


def test_a_language_means_all_its_corpora_and_names_win() -> None:
    assert "es-anglo-latino" in choose_configs([], ["es"])
    assert choose_configs([], ["es"], System("s", list, languages=("en",))) == []
    assert choose_configs(["es-anglo-latino", "es-anglo-latino"], ["en"], System("s", list, languages=("en",))) == [
        "es-anglo-latino"
    ]


def test_an_unknown_language_is_answered_with_those_there_are() -> None:
    with pytest.raises(UnknownConfig, match="no config in language 'tlh'; there are: ar, de, en, "):
        choose_configs([], ["tlh"])


@pytest.mark.parametrize("name", PAPER_CONFIGS)
def test_the_sentences_shown_differ_only_in_the_person_and_cover_every_group(name: str) -> None:
    corpus = open_corpus(name)
    for rows in sample(corpus):
        assert len({row["item"] for row in rows}) == 1
        assert len({row["text"] for row in rows}) == len(rows) == 6
        for axis, levels in corpus.groups.items():
            assert {row[axis] for row in rows} >= set(levels)
