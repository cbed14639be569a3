"""Rates do not depend on the type of numbers, or the kind of file, that holds the scores."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from synthetic import corpus, names

from eec_bias import measure

DATA = corpus()
STEPS = st.sampled_from([3, 7, 10, 20, 100])
THRESHOLDS = st.sampled_from([0.1, 0.3, 1 / 3, 0.6, 0.7, "median"])


def rates(scores: Any, threshold: Any, data: pd.DataFrame = DATA, **options: Any) -> pd.DataFrame:
    return measure(scores, data, rate_above=threshold, **options).rates


def assert_same(found: pd.DataFrame, other: pd.DataFrame) -> None:
    pd.testing.assert_frame_equal(found, other, check_exact=True)


def coarse(steps: int, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).integers(steps + 1, size=len(DATA)) / steps


@settings(max_examples=30)
@given(steps=STEPS, threshold=THRESHOLDS, seed=st.integers(0, 1000))
def test_single_and_double_precision_give_the_same_rates(steps: int, threshold: Any, seed: int) -> None:
    scores = coarse(steps, seed)
    assert_same(rates(scores.astype(np.float32), threshold), rates(scores, threshold))


@settings(max_examples=15)
@given(units=st.integers(-20, 20), threshold=st.sampled_from([0.3, 0.7]), seed=st.integers(0, 1000))
def test_scores_some_units_from_a_threshold_are_judged_alike(units: int, threshold: float, seed: int) -> None:
    near = threshold + units * 2.0**-25 + np.random.default_rng(seed).uniform(-1e-9, 1e-9, len(DATA))
    scores = np.where(coarse(10, seed) > 0.5, near, coarse(10, seed))
    assert_same(rates(scores.astype(np.float32), threshold), rates(scores, threshold))


def test_scores_at_the_threshold_do_not_lie_above_it() -> None:
    at = np.where(DATA["gender"] == "female", 0.3, 0.2)
    for scores in (at, at.astype(np.float32), np.where(at == 0.3, 0.1 + 0.2, at)):
        assert set(rates(scores, 0.3)["rate"]) == {0}
    assert rates(at + 0.001, 0.3)["rate"].max() == 1


def test_scores_far_from_zero_are_told_apart() -> None:
    at = np.where(DATA["gender"] == "female", 0.3, 0.2) + 1e7
    found = rates(at, 1e7 + 0.25, score_range=(1e7, 1e7 + 1))
    assert found["rate"].max() == 1


@pytest.mark.parametrize("threshold", [0.3, 0.7, "median"])
def test_runs_give_the_same_rates(threshold: Any) -> None:
    runs = {f"r{k}": coarse(10, k) for k in range(4)}
    frame = pd.DataFrame(runs)
    pieces = pd.concat([DATA.assign(run=name, score=frame[name]) for name in runs], ignore_index=True)
    double = rates(pieces["score"], threshold, pieces, runs="run")
    assert_same(rates(pieces["score"].astype(np.float32), threshold, pieces, runs="run"), double)


@pytest.mark.parametrize("threshold", [0.3, 0.6, "median"])
def test_a_text_file_and_parquet_give_the_same_rates(tmp_path: Path, threshold: Any) -> None:
    data = pd.DataFrame(names(persons=6))
    data["score"] = np.random.default_rng(5).integers(11, size=len(data)) / 10
    data.to_csv(tmp_path / "scores.csv", index=False)
    data.astype({"score": np.float32}).to_parquet(tmp_path / "scores.parquet")
    text, parquet = pd.read_csv(tmp_path / "scores.csv"), pd.read_parquet(tmp_path / "scores.parquet")
    found = [rates(each["score"], threshold, each.drop(columns="score")) for each in (text, parquet)]
    assert_same(*found)
    assert found[0]["rate"].nunique() > 1
