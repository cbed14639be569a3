"""The plan of a list: fixed by the corpus, the same in every result, printed before anything is scored."""

import math
from pathlib import Path

import pytest
from commands import succeed

import eec_bias
from eec_datasets.audit.planning import plan_corpus
from eec_datasets.audit.running import measurements_of, run
from eec_datasets.systems.base import System
from eec_datasets.systems.corpus import Corpus, CorpusPart, open_corpus
from eec_datasets.systems.registry import open_system
from eec_datasets.systems.scoring import CorpusScores
from eec_datasets.systems.store import Store

PART = ("--config", "en-black-white-100", "--names", "4", "--items", "8")


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return open_corpus("en-black-white-100", CorpusPart(names=4, items=20))


def test_a_list_of_two_axes_has_eight_main_questions(corpus: Corpus) -> None:
    plan = plan_corpus(corpus)
    assert len(plan.main) == 8
    assert {"race[Black-white].names", "gender[female-male].names", "gender[female-male].pairs"} <= {
        question.id for question in plan.main
    }


def test_options_of_the_metric_are_those_of_the_plan(corpus: Corpus) -> None:
    plan = plan_corpus(corpus, {"margin": 5, "confidence": 0.9})
    assert (plan.margin, plan.confidence) == (5, 0.9)


@pytest.mark.parametrize("spec", ["random:3", "biased:female"])
def test_every_result_of_a_list_has_its_plan_whatever_the_scores(corpus: Corpus, tmp_path: Path, spec: str) -> None:
    with Store(tmp_path / "answers.db") as store:
        audit = run(open_system(spec), corpus, tmp_path, store)
    assert {each.result.plan for each in audit.measurements} == {plan_corpus(corpus)}


def test_an_audit_and_a_measurement_ask_the_same(corpus: Corpus) -> None:
    result = eec_bias.measure([len(text) / 1000 for text in corpus.columns["text"]], corpus.table)
    assert result.plan == plan_corpus(corpus)
    assert result.signature.endswith(f"|plan:{result.plan.short}")


def test_whether_there_is_an_answer_is_asked_without_a_margin(corpus: Corpus) -> None:
    measuring = {"margin": 10}
    first = corpus.columns["person"][0]
    silent = [float("nan") if person == first else 0.5 for person in corpus.columns["person"]]
    missing = {"only": [float(math.isnan(score)) for score in silent]}
    scored = CorpusScores({"only": silent}, missing, {}, {}, None, ())
    audit = measurements_of(System("mine"), corpus, scored, leave_out=False, measuring=measuring)
    scores, answers = audit.measurements[0].result, audit.measurements[-1].result
    assert scores.plan == plan_corpus(corpus, measuring)
    assert (answers.plan.margin, len(answers.plan.main)) == (None, 8)


def test_a_dry_run_prints_the_plan_that_is_saved(tmp_path: Path) -> None:
    before = succeed("audit", "--system", "random:1", *PART, "--dry-run", "--out", tmp_path / "out").stdout
    assert not (tmp_path / "out").exists()
    succeed("audit", "--system", "random:1", *PART, "--out", tmp_path / "out", "--no-report")
    asked = plan_corpus(open_corpus("en-black-white-100", CorpusPart(names=4, items=8))).short
    assert f"Plan of en-black-white-100 ({asked}): 8 comparisons at 95%\n" in before
    assert f"|plan:{asked}" in (tmp_path / "out" / "result.json").read_text(encoding="utf-8")
