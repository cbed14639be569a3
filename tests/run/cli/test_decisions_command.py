"""``eec decisions``: outcomes of a corpus, or of a table of one's own."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from commands import eec

import eec_datasets

CONFIG = "en-sample"


@pytest.fixture
def outcomes(tmp_path: Path) -> Path:
    table = eec_datasets.load(CONFIG).to_pandas()
    share = np.where(table["gender"] == "female", 0.6, 0.4)
    table["score"] = (np.random.default_rng(0).random(len(table)) < share).astype(int)
    path = tmp_path / "outcomes.csv"
    table[["id", "score"]].to_csv(path, index=False)
    return path


def test_outcomes_of_a_corpus_are_compared(outcomes: Path) -> None:
    done = eec("decisions", outcomes, "--config", CONFIG)
    assert done.exit_code == 0
    assert "Against the stated reference, with 95 % intervals" in done.stdout


def test_the_folder_has_tables_numbers_and_a_figure(outcomes: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="needs the extra plot")
    out = tmp_path / "out"
    assert eec("decisions", outcomes, "--config", CONFIG, "--out", out).exit_code == 0
    written = {path.name for path in out.iterdir() if not path.name.startswith(".")}
    assert {"decisions.txt", "decisions.json", "ratios.csv", "groups.csv", "ratios.svg"} <= written


def test_the_reference_is_the_one_that_was_stated(outcomes: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="needs the extra plot")
    out = tmp_path / "out"
    eec("decisions", outcomes, "--config", CONFIG, "--reference", "gender=female", "--axis", "gender", "--out", out)
    document = json.loads((out / "decisions.json").read_text(encoding="utf-8"))
    assert {(each["group"], each["reference"]) for each in document["ratios"]} == {("male", "female")}


def test_scores_are_compared_with_the_median_of_their_item(outcomes: Path) -> None:
    table = pd.read_csv(outcomes)
    table["score"] = np.random.default_rng(0).random(len(table))
    table.to_csv(outcomes, index=False)
    done = eec("decisions", outcomes, "--config", CONFIG, "--above", "median")
    assert "scores above the median of all persons on the same item" in done.stdout


def test_a_table_of_ones_own_holds_rows_and_outcomes(tmp_path: Path) -> None:
    rows = pd.DataFrame(
        [
            {"person": f"{gender}{k}", "gender": gender, "item": f"case {j}", "score": (k + j) % 2}
            for gender in ("female", "male")
            for k in range(6)
            for j in range(8)
        ]
    )
    path = tmp_path / "own.csv"
    rows.to_csv(path, index=False)
    done = eec("decisions", "--data", path)
    assert done.exit_code == 0, done.output
    assert "gender" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--config", CONFIG, "--above", "mean"], "--above mean: expected a number such as 0.5, or median"),
        (["--config", CONFIG, "--confidence", "95"], "expected a number between 0 and 1"),
        ([], "Say what was decided on"),
        (["--config", CONFIG, "--reference", "gender=women"], "'women' is not a level of 'gender'"),
    ],
)
def test_bad_calls_are_refused(outcomes: Path, arguments: list[str], words: str) -> None:
    done = eec("decisions", outcomes, *arguments)
    assert done.exit_code != 0
    assert words in done.stderr


def test_an_audit_compares_rates_above_the_median(tmp_path: Path) -> None:
    arguments = ("--system", "noisy:female", "--config", CONFIG, "--rate-above", "median", "--no-report")
    done = eec("audit", *arguments, "--out", tmp_path / "out")
    assert done.exit_code == 0, done.output
    assert "scores lie above the median of their item" in " ".join(done.stdout.split())


def test_a_threshold_that_is_neither_number_nor_median_is_refused(tmp_path: Path) -> None:
    done = eec("audit", "--system", "noisy:female", "--rate-above", "mean", "--out", tmp_path / "out")
    assert "'mean' is no finite number" in done.stderr


def test_sentences_to_decide_about_are_written_and_read_back(tmp_path: Path) -> None:
    out = tmp_path / "outcomes.csv"
    told = eec("sentences", "en-black-white", "--items", "decisions", "--out", out).stdout
    assert told.endswith(f"then: eec decisions {out} --config en-black-white --items decisions\n")
    table = pd.read_csv(out)
    table["score"] = np.random.default_rng(0).integers(0, 2, len(table))
    table.to_csv(out, index=False)
    done = eec("decisions", out, "--config", "en-black-white", "--items", "decisions")
    assert "data: en-black-white@" in done.stdout
