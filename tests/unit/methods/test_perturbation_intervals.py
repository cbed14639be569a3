"""Intervals of the perturbation measures: percentiles over resampled sentences."""

import sys
from statistics import fmean

import numpy as np
import pandas as pd
import pytest
from perturbed import NAMES, corpus, naive, rows_of, scores

from eec_bias import Result
from eec_bias.methods import perturbation


@pytest.mark.parametrize("gaps", [False, True])
def test_intervals_are_percentiles_over_resampled_sentences(gaps: bool) -> None:
    """Every resample evaluated by the definitions, on a corpus in which a sentence stands as often as it was drawn."""
    data = corpus(6)
    data = data[~data["person"].isin(["ada", "dan"]) | (data["item"] < "s0002") | (not gaps)].reset_index(drop=True)
    f = scores(data)
    result = perturbation(f, data, bootstrap=99, seed=7, thresholds=(0.3, 0.6), group="gender")
    items = sorted(set(data["item"]))
    drawn = np.random.default_rng([7, 1 << 22]).multinomial(6, np.full(6, 1 / 6), size=99)
    found = []
    for counts in drawn:
        parts, values = [], []
        for item, count in zip(items, counts, strict=True):
            for copy in range(count):
                own = data["item"] == item
                parts.append(data[own].assign(item=f"{item}-{copy}"))
                values.append(f[own])
        found.append(naive(pd.concat(parts), np.concatenate(values), (0.3, 0.6)))

    def matches(row, values) -> None:
        ends = (*np.quantile(values, [0.025, 0.975]), np.std(values, ddof=1))
        assert (row["ci_low"], row["ci_high"], row["se"]) == pytest.approx(ends, abs=1e-10)

    for term in ("score_dev", "score_dev_sample", "score_range", "correlation"):
        matches(rows_of(result, term)[None], [each[term] for each in found])
    for c in (0.3, 0.6):
        matches(rows_of(result, "label_dist")[f"{c:g}"], [each["label_dist"][c] for each in found])
    sens = [each["sens"] for each in found]
    for name, row in rows_of(result, "score_sens", "person").items():
        matches(row, [each[name] for each in sens if name in each])
    women = [name for name, labels in NAMES.items() if labels[0] == "female"]
    means = [fmean(each[name] for name in women if name in each) for each in sens]
    matches(rows_of(result, "score_sens", "gender")["female"], means)


def test_an_interval_that_lies_beside_its_measure_is_read() -> None:
    rows = [(name, f"s{j}") for j in range(6) for name in ("original", *(f"n{k}" for k in range(40)))]
    data = pd.DataFrame(rows, columns=["person", "item"])
    result = perturbation(np.random.default_rng(0).uniform(size=len(data)) ** 3, data, bootstrap=99, group=())
    beside = [row for row in result.overall if row["ci_high"] is not None and row["effect"] > row["ci_high"]]
    assert beside
    assert Result.from_dict(result.to_dict()).overall == result.overall


@pytest.mark.parametrize(("sentences", "told"), [(29, ["some name has fewer than 30 sentences (29)"]), (30, [])])
def test_intervals_of_few_sentences_are_said_to_be_too_narrow(sentences, told) -> None:
    data = corpus(sentences)
    drawn, whole = (perturbation(scores(data), data, group=(), **options).notes for options in ({"bootstrap": 99}, {}))
    assert [any("99 resamples" in str(note) for note in notes) for notes in (drawn, whole)] == [True, False]
    assert [note.partition(",")[0] for note in map(str, (*drawn, *whole)) if "too narrow" in note] == told


@pytest.mark.parametrize(("sentences", "least", "most"), [(5, 0.73, 0.87), (10, 0.84, 0.94), (60, 0.91, 0.98)])
def test_the_intervals_hold_the_true_value_as_often_as_is_said(sentences, least, most) -> None:
    rng = np.random.default_rng(11)
    shift = 0.05 * rng.standard_normal(4)

    def draw(count: int):
        original = rng.beta(2, 3, count)
        moved = original[:, None] + shift * (1 + 2 * original[:, None])
        return original, np.clip(moved + 0.04 * rng.standard_normal((count, 4)), 0, 1)

    original, named = draw(400_000)
    truth = {f"n{k}": float((named[:, k] - original).mean()) for k in range(4)}
    truth |= {"score_dev": float(named.std(axis=1).mean()), "score_range": float(np.ptp(named, axis=1).mean())}
    items = np.repeat([f"s{j}" for j in range(sentences)], 5)
    data = pd.DataFrame({"person": ["original", *list(truth)[:4]] * sentences, "item": items, "pair": items})
    held = []
    for seed in range(100):
        first, others = draw(sentences)
        f = np.column_stack([first, others]).ravel()
        options = {"group": (), "thresholds": 0.5, "bootstrap": 199, "seed": seed}
        for row in perturbation(f, data, **options).overall:
            value = truth.get(row["level"] if row["term"] == "score_sens" else row["term"])
            if value is not None:
                held.append(row["ci_low"] <= value <= row["ci_high"])
    assert len(held) == 600
    assert least < np.mean(held) < most


def test_the_interval_of_a_name_on_one_sentence_is_a_point() -> None:
    data = corpus(4)
    data = data[(data["person"] != "ada") | (data["item"] == "s0000")].reset_index(drop=True)
    f = scores(data)
    result = perturbation(f, data, bootstrap=200, group=())
    ada = rows_of(result, "score_sens", "person")["ada"]
    assert (ada["ci_low"], ada["ci_high"]) == pytest.approx((ada["effect"], ada["effect"]), abs=1e-12)
    assert all(row["ci_low"] <= row["ci_high"] for row in result.overall)


def test_intervals_drawn_in_blocks_are_the_same(monkeypatch) -> None:
    data = corpus()
    f = scores(data)
    whole = perturbation(f, data, bootstrap=150, seed=1)
    monkeypatch.setattr(sys.modules["eec_bias.methods.perturbation.measures"], "BLOCK", 40 * 12)
    blocks = perturbation(f, data, bootstrap=150, seed=1)
    assert [row["ci_low"] for row in blocks.overall] == pytest.approx(
        [row["ci_low"] for row in whole.overall], abs=1e-12
    )
