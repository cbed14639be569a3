"""``eec written``: answers to the sentences of a corpus, scored by other systems."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from commands import eec

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
