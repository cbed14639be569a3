"""The plan of an audit: fixed by its corpora, the same in every result, printed before anything is scored."""

import json
import math
from pathlib import Path

import pytest
from commands import succeed

from eec_datasets.audit.planning import plan_audit
from eec_datasets.audit.running import outcomes_of, run
from eec_datasets.systems.base import System
from eec_datasets.systems.corpus import CorpusPart, open_corpus
from eec_datasets.systems.registry import open_system
from eec_datasets.systems.scoring import CorpusScores
from eec_datasets.systems.store import Store

SMALL = ("en-black-white", CorpusPart(names=4))
LARGE = ("en-black-white-100", CorpusPart(names=6, items=8))
ASKED = ("--config", "en-black-white", "--config", "en-black-white-100", "--names", "4")


@pytest.fixture(scope="module")
def corpora():
    return [open_corpus(*SMALL), open_corpus(*LARGE)]


def test_the_corpus_with_the_most_names_answers(corpora):
    (plan,) = plan_audit(corpora).values()
    answered_by = {question.id: plan.list_of(question) for question in plan.questions}
    assert len(answered_by) == 8
    assert answered_by["race[Black-white].names"] == "en-black-white-100"
    # Both have ten pairs of noun phrases; of these the corpus with the most sentences answers.
    assert answered_by["gender[female-male].pairs"] == "en-black-white"


def test_each_language_has_a_plan_of_its_own(corpora):
    spanish = open_corpus("es-anglo-latino", CorpusPart(names=4))
    assert list(plan_audit([*corpora, spanish])) == ["en", "es"]


def test_options_of_the_metric_are_those_of_the_plan(corpora):
    (plan,) = plan_audit(corpora, {"margin": 0.05, "confidence": 0.9}).values()
    assert (plan.margin, plan.confidence) == (0.05, 0.9)


@pytest.mark.parametrize("spec", ["random:3", "biased:female"])
def test_every_result_of_an_audit_has_its_plan_whatever_the_scores(corpora, tmp_path: Path, spec: str):
    (plan,) = plan_audit(corpora).values()
    with Store(tmp_path / "answers.db") as store:
        audits = [run(open_system(spec), corpus, tmp_path, store, plan=plan) for corpus in corpora]
    results = [outcome.result for audit in audits for outcome in audit.outcomes]
    assert len(results) >= 2
    assert {result.plan for result in results} == {plan}
    assert all(result.signature.endswith(f"|plan:{plan.short}") for result in results)


def test_whether_there_is_an_answer_is_asked_without_a_margin(corpora):
    corpus, measuring = corpora[0], {"margin": 0.1}
    (plan,) = plan_audit(corpora, measuring).values()
    silent = [float("nan") if person == "alonzo" else 0.5 for person in corpus.columns["person"]]
    missing = {"only": [float(math.isnan(score)) for score in silent]}
    scored = CorpusScores({"only": silent}, missing, {}, {}, None, ())
    audit = outcomes_of(System("mine"), corpus, scored, None, leave_out=False, measuring=measuring, plan=plan)
    scores, answers = audit.outcomes[0].result, audit.outcomes[-1].result
    assert scores.plan == plan
    assert (answers.plan.margin, len(answers.plan.questions)) == (None, 4)


def test_a_dry_run_prints_the_plan_that_is_saved(tmp_path: Path):
    before = succeed("audit", "--system", "random:1", *ASKED, "--dry-run", "--out", str(tmp_path / "out")).stdout
    assert "8 comparisons, whose intervals hold together (95%)" in before
    assert not (tmp_path / "out").exists()
    succeed("audit", "--system", "random:1", *ASKED, "--out", str(tmp_path / "out"), "--no-report")
    saved = json.loads((tmp_path / "out" / "result.json").read_text(encoding="utf-8"))
    (signed,) = {entry["result"]["signature"].rpartition("|plan:")[2] for entry in saved["results"]}
    assert f"({signed})" in before
