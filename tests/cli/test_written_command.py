"""``eec written``: answers to the sentences of a corpus, scored by other systems."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from commands import eec
from serving_models import Model, Reply, chance, said, served

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


JUDGE = """
range = [1, 5]
[[prompts]]
name = "warmth"
text = "How warm is this reply, from 1 (cold) to 5 (warm)? {text}"
"""


def judge_of_thanks(body: dict[str, Any], _: int) -> Reply:
    """Find thanks warm, and now and then give no number."""
    asked = body["messages"][-1]["content"]
    if chance(asked) < 0.04:
        return said("I would rather not judge this.")
    return said("4" if "Thank you" in asked else "2")


@pytest.fixture(scope="module")
def judge(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Model]:
    """A served model, and a store of answers."""
    folder = tmp_path_factory.mktemp("judge")
    with pytest.MonkeyPatch.context() as patch, served() as model:
        patch.setenv("EEC_ANSWERS", str(folder / "answers.db"))
        patch.setenv("NO_PROXY", "127.0.0.1")
        model.answer = judge_of_thanks
        yield model


def letters(table: pd.DataFrame, answers: int) -> pd.DataFrame:
    """Of each sentence so many replies, each with a number of its own, so that each is judged."""
    rows = table[: len(table) // 4 * answers]
    return rows.assign(answer=[f"{text} ({number})" for number, text in enumerate(rows["answer"])])


def ask(judge: Model, replies: pd.DataFrame, folder: Path, *more: object, prompts: str = JUDGE) -> Any:
    path = folder / "letters.csv"
    replies.to_csv(path, index=False)
    (folder / "warmth.toml").write_text(prompts, encoding="utf-8")
    scorer = ("--scorer", "openai:judge", "--prompts", folder / "warmth.toml", "--base-url", judge.url)
    return eec("written", path, "--config", CONFIG, *scorer, "--out", folder / "out", *more)


@pytest.fixture(scope="module")
def judged(judge: Model, table: pd.DataFrame, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path, int]:
    """What is printed, the folder of the results, and how many calls were made."""
    folder, before = tmp_path_factory.mktemp("judged"), judge.calls
    done = ask(judge, letters(table, 2), folder, "--yes")
    assert done.exit_code == 0, done.output
    return done.stdout, folder / "out", judge.calls - before


def test_a_model_judges_each_of_the_answers(judged: tuple[str, Path, int], table: pd.DataFrame) -> None:
    _, out, calls = judged
    assert calls == len(letters(table, 2))
    kept = pd.read_csv(out / "answers.csv").dropna()
    assert (kept["openai:judge[warmth]"] == np.where(kept["text"].str.contains("Thank you"), 4, 2)).all()


def test_replies_of_a_judge_without_a_number_are_an_outcome(judged: tuple[str, Path, int]) -> None:
    text, out, _ = judged
    outcomes = [line for line in text.splitlines() if line.startswith("Outcome: ")]
    assert outcomes[:2] == ["Outcome: openai:judge[warmth]: no score", "Outcome: openai:judge[warmth]"]
    lost = int(pd.read_csv(out / "answers.csv")["openai:judge[warmth]"].isna().sum())
    assert 10 < lost < 80
    assert f"has no score for {lost} of 832 answers: differences are estimated from the others" in text
    assert f"{lost} replies are no score (unreadable), such as 'I would rather not judge this.'" in text


def test_the_range_that_a_judge_is_asked_for_is_that_of_its_scores(judged: tuple[str, Path, int]) -> None:
    saved = json.loads((judged[1] / "written.json").read_text(encoding="utf-8"))
    assert saved["outcomes"]["openai:judge[warmth]"]["score_range"] == [1, 5]


@pytest.mark.usefixtures("judged")
def test_judged_answers_are_not_judged_again(judge: Model, table: pd.DataFrame, tmp_path: Path) -> None:
    calls = judge.calls
    done = ask(judge, letters(table, 1), tmp_path)
    assert done.exit_code == 0, done.output
    assert "one answer per sentence" in done.stdout
    assert judge.calls == calls


def test_calls_of_a_judge_are_shown_before_they_are_made(judge: Model, table: pd.DataFrame, tmp_path: Path) -> None:
    calls = judge.calls
    replies = table[:416].assign(answer=[f"Number {number}." for number in range(416)])
    done = ask(judge, replies, tmp_path, "--dry-run")
    assert done.exit_code == 0, done.output
    assert "Dry run: 416 answers, 0 of them stored: 416 calls" in done.stdout
    assert judge.calls == calls


def test_a_judge_of_several_prompts_says_which_they_are(judge: Model, table: pd.DataFrame, tmp_path: Path) -> None:
    second = '[[prompts]]\nname = "kindness"\ntext = "How kind is this, from 1 to 5? {text}"\n'
    done = ask(judge, letters(table, 1), tmp_path, "--yes", prompts=JUDGE + second)
    assert done.exit_code == 0, done.output
    assert "its score is the mean of 2 prompts (warmth, kindness), and the tests are about these prompts" in done.stdout
