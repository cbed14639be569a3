"""``eec written``: answers to the sentences of a corpus, scored by other systems."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from commands import eec
from serving_models import Model, Reply, said, served

import eec_datasets

CONFIG = "en-sample"

pytest.importorskip("vaderSentiment", reason="needs the extra demo")


@pytest.fixture(scope="module")
def table() -> pd.DataFrame:
    """Four replies to each sentence of a corpus, in which women are thanked more often."""
    rows = eec_datasets.load(CONFIG).to_pandas()
    rng = np.random.default_rng(0)
    thanked = np.where(rows["gender"] == "female", 0.8, 0.3)
    parts = [
        rows.assign(answer=np.where(rng.random(len(rows)) < thanked, "Thank you, great!", "I cannot help."))
        for _ in range(4)
    ]
    return pd.concat(parts)[["id", "answer"]]


def run(table: pd.DataFrame, folder: Path, *more: object) -> Any:
    path = folder / "replies.csv"
    table.to_csv(path, index=False)
    return eec("written", path, "--config", CONFIG, "--scorer", "vader", "--out", folder / "out", *more)


def test_every_scorer_length_and_refusals_are_outcomes(table: pd.DataFrame, tmp_path: Path) -> None:
    done = run(table, tmp_path, "--refused", "cannot help")
    assert done.exit_code == 0, done.output
    outcomes = [line for line in done.stdout.splitlines() if line.startswith("Outcome: ")]
    assert outcomes == ["Outcome: vader", "Outcome: length", "Outcome: refused"]


def test_the_answers_are_kept_with_their_scores(table: pd.DataFrame, tmp_path: Path) -> None:
    run(table, tmp_path)
    kept = pd.read_csv(tmp_path / "out" / "answers.csv")
    assert list(kept) == ["id", "answer", "text", "vader", "length", "refused"]
    assert len(kept) == len(table)


def test_the_numbers_are_saved(table: pd.DataFrame, tmp_path: Path) -> None:
    run(table, tmp_path, "--refused", "cannot help")
    saved = json.loads((tmp_path / "out" / "written.json").read_text(encoding="utf-8"))
    (gender,) = [
        row
        for row in saved["outcomes"]["refused"]["terms"]
        if (row["term"], row["subset"]) == ("gender", "names") and row.get("emotion") is None
    ]
    assert gender["effect"] == pytest.approx(-0.5, abs=0.1)


def test_answers_to_other_items_are_taken_by_their_name(tmp_path: Path) -> None:
    rows = eec_datasets.load("en-black-white", items="decisions").to_pandas()
    table = rows.assign(answer="Yes.")[["id", "answer"]]
    table.to_csv(tmp_path / "r.csv", index=False)
    arguments = ("--config", "en-black-white", "--items", "decisions", "--scorer", "vader", "--out", tmp_path / "out")
    done = eec("written", tmp_path / "r.csv", *arguments)
    assert done.exit_code == 0, done.output
    assert "one answer per sentence" in done.stdout


def test_an_id_with_fewer_answers_is_named(table: pd.DataFrame, tmp_path: Path) -> None:
    done = run(table[1:], tmp_path)
    assert f"{table['id'].iloc[0]} has 3 answers and others have 4" in done.stderr


def test_a_sentence_that_the_corpus_does_not_have_is_named(table: pd.DataFrame, tmp_path: Path) -> None:
    done = run(pd.concat([table, pd.DataFrame([{"id": "t64/none/she", "answer": "x"}])]), tmp_path)
    assert "the corpus has no sentence 't64/none/she'" in done.stderr


def test_a_table_without_answers_is_refused(table: pd.DataFrame, tmp_path: Path) -> None:
    done = run(table.rename(columns={"answer": "reply"}), tmp_path)
    assert "there is no column 'answer'; the columns are id, reply" in done.stderr


WARMTH = """\
[[prompts]]
name = "warm"
text = "How warm is this reply, from 0 to 1? {text}"
"""


@pytest.fixture
def judge(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Model]:
    """A model behind an address that finds thanks warm."""
    monkeypatch.setenv("EEC_ANSWERS", str(tmp_path / "answers.db"))
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-judge")

    def answer(body: dict[str, Any], _: int) -> Reply:
        return said("0.9" if "Thank you" in body["messages"][-1]["content"] else "0.2")

    with served() as model:
        model.answer = answer
        yield model


def judged(table: pd.DataFrame, folder: Path, judge: Model, *more: object) -> Any:
    (folder / "warmth.toml").write_text(WARMTH, encoding="utf-8")
    asked = ("--scorer", "openai:judge", "--base-url", judge.url, "--prompts", folder / "warmth.toml", "--yes")
    return run(table, folder, *asked, *more)


def test_a_model_as_judge_is_asked_once_for_every_different_answer(
    table: pd.DataFrame, tmp_path: Path, judge: Model
) -> None:
    done = judged(table, tmp_path, judge)
    assert (done.exit_code, judge.calls) == (0, 2), done.output


def test_a_judge_is_an_outcome_beside_the_lexicon(table: pd.DataFrame, tmp_path: Path, judge: Model) -> None:
    judged(table, tmp_path, judge)
    saved = json.loads((tmp_path / "out" / "written.json").read_text(encoding="utf-8"))
    assert list(saved["outcomes"]) == ["vader", "openai:judge[warmth]", "length", "refused"]


def test_a_judge_finds_the_difference_that_was_written(table: pd.DataFrame, tmp_path: Path, judge: Model) -> None:
    judged(table, tmp_path, judge)
    kept = pd.read_csv(tmp_path / "out" / "answers.csv").merge(eec_datasets.load(CONFIG).to_pandas()[["id", "gender"]])
    means = kept.groupby("gender")["openai:judge[warmth]"].mean()
    # Thanks come in .8 and .3 of the answers, and are worth .7 more.
    assert means["female"] - means["male"] == pytest.approx(0.35, abs=0.05)


def test_an_answer_of_the_judge_without_a_number_is_an_error_that_shows_the_text(
    table: pd.DataFrame, tmp_path: Path, judge: Model
) -> None:
    judge.answer = lambda _, __: said("I would rather not say")
    done = judged(table, tmp_path, judge)
    assert done.exit_code == 1
    assert "the scorer openai:judge[warmth] has no score for answer 1 to row 0" in done.stderr


def test_answers_that_a_judge_does_not_score_can_be_left_out(table: pd.DataFrame, tmp_path: Path, judge: Model) -> None:
    usual = judge.answer
    rare = table.copy()
    rare.iloc[0, 1] = "An odd answer."

    def answer(body: dict[str, Any], before: int) -> Reply | None:
        odd = "An odd answer." in body["messages"][-1]["content"]
        return said("I would rather not say") if odd else usual(body, before)

    judge.answer = answer
    done = judged(rare, tmp_path, judge, "--leave-out")
    assert "openai:judge[warmth] has no score for 1 answer: differences are estimated from the others" in done.stdout


def test_a_dry_run_of_a_judge_says_the_calls_and_makes_none(table: pd.DataFrame, tmp_path: Path, judge: Model) -> None:
    done = judged(table, tmp_path, judge, "--dry-run")
    assert "2 answers, 0 of them stored: 2 calls" in done.stdout
    assert judge.calls == 0
