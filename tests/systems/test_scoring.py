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


def test_an_interrupted_run_goes_on_with_the_same_batches_and_ends_with_the_same_scores(
    spanish: Corpus, tmp_path: Path
) -> None:
    system = replace(open_system("random:3"), batch_size=1000)
    whole = score_corpus(system, spanish, tmp_path / "whole.csv")
    path = tmp_path / "broken.csv"
    with pytest.raises(
        Interrupted, match=r"3,000 of 8,640 .* random:3 on es-anglo-latino are saved in .*broken\.csv"
    ) as e:
        score_corpus(stopping(system, 3, KeyboardInterrupt()), spanish, path)
    assert e.value.exit_code == 3
    # A torn line: the batch it is of is scored again from its beginning.
    path.write_bytes(path.read_bytes()[:-10])
    starts: list[str] = []

    def score(batch: Batch) -> Sequence[float]:
        starts.append(batch["id"][0])
        return system.scorer(batch)

    counter = Counter()
    assert score_corpus(replace(system, scorer=score), spanish, path, counter) == whole
    assert counter.seen == [2999, 1, 1000, 1000, 1000, 1000, 1000, 640]
    assert starts == [spanish.ids[row] for row in range(2000, 8640, 1000)]
    assert path.read_bytes() == (tmp_path / "whole.csv").read_bytes()
    assert score_corpus(stopping(system, 0, AssertionError("scored again")), spanish, path) == whole


def test_a_failing_system_keeps_what_it_scored_and_a_changed_corpus_is_refused(spanish: Corpus, tmp_path: Path) -> None:
    system, path = open_system("random:3"), tmp_path / "s.csv"
    with pytest.raises(UnknownSystem):
        score_corpus(open_system("biased:Black"), spanish, path)
    assert not path.exists()
    with pytest.raises(SystemFailed, match=rf"out of memory, while scoring 2048 sentences from id {spanish.ids[4096]}"):
        score_corpus(stopping(system, 2, RuntimeError("out of memory")), spanish, path)
    assert len(path.read_text().splitlines()) == 2 + 4096
    changed = replace(spanish, data="es-anglo-latino@1.0.1#ff")
    with pytest.raises(BadScores, match=rf"data: the file has '{spanish.data}', this run 'es-anglo-latino@1.0.1#ff'"):
        score_corpus(system, changed, path)
    score_corpus(system, changed, path, fresh=True)


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


@pytest.mark.parametrize("name", PAPER_CONFIGS)
def test_the_sentences_shown_differ_only_in_the_person_and_cover_every_group(name: str) -> None:
    corpus = open_corpus(name)
    for rows in sample(corpus):
        assert len({row["item"] for row in rows}) == 1
        assert len({row["text"] for row in rows}) == len(rows) == 6
        for axis, levels in corpus.groups.items():
            assert {row[axis] for row in rows} >= set(levels)
