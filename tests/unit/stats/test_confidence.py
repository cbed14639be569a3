"""One level of confidence, from the option to every interval and to what a test at that level can find."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from synthetic import corpus, names, scores

from eec_bias import compare, measure
from eec_bias.integrations.evaluate_metric import BiasMetric
from eec_bias.methods import METHODS

DATA = corpus()
Y = scores(DATA)
NAMES = pd.DataFrame(names())


def widths(rows: Any) -> np.ndarray:
    return np.array([row["ci_high"] - row["ci_low"] for row in rows if row["ci_low"] is not None])


@pytest.mark.parametrize("confidence", [0.5, 0.9, 0.99])
def test_intervals_are_those_of_students_t_at_the_confidence(confidence: float) -> None:
    for row in measure(Y, DATA, confidence=confidence).overall:
        low, high = stats.t.interval(confidence, row["df"], row["effect"], row["se"])
        assert (row["ci_low"], row["ci_high"]) == pytest.approx((low, high), rel=1e-10)


def test_the_smallest_detectable_effect_follows_the_confidence() -> None:
    row = measure(Y, DATA, confidence=0.9).overall[0]
    t = stats.t(row["df"])
    assert row["mde_alone"] == pytest.approx(row["se"] * (t.ppf(0.95) + t.ppf(0.8)), rel=1e-10)
    # Eight main questions share half of the error rate.
    assert row["mde"] == pytest.approx(row["se"] * (t.ppf(1 - 0.05 / 16) + t.ppf(0.8)), rel=1e-10)


def test_another_confidence_changes_no_effect_and_no_p() -> None:
    usual, other = measure(Y, DATA), measure(Y, DATA, confidence=0.8)
    same = ("effect", "se", "df", "p", "p_adjusted", "beta")
    assert [[row[key] for key in same] for row in other.overall] == [
        [row[key] for key in same] for row in usual.overall
    ]


def test_the_ratio_of_rates_has_its_interval_at_the_confidence() -> None:
    usual, narrow = (measure(Y, DATA, rate_above=0.5, confidence=level).rate_rows[0] for level in (0.95, 0.5))
    spread = [np.log(rates["ratio_high"] / rates["ratio_low"]) for rates in (usual, narrow)]
    assert spread[1] < spread[0] / 2


def test_the_interval_of_equivalence_keeps_its_own_level() -> None:
    usual, other = (measure(Y, DATA, margin=10, confidence=level).equivalence for level in (0.95, 0.5))
    assert usual == other


def test_the_signature_says_a_confidence_that_is_not_the_usual_one() -> None:
    assert "|confidence:0.9" in str(measure(Y, DATA, confidence=0.9).signature)
    assert "confidence" not in str(measure(Y, DATA, confidence=0.95).signature)


def test_the_difference_of_two_systems_has_its_interval_at_the_confidence() -> None:
    usual, narrow = (compare(Y, scores(DATA, 1), DATA, confidence=level).overall for level in (0.95, 0.5))
    assert (widths(narrow) < widths(usual) / 2).all()


@pytest.mark.parametrize("method", ["camara2022", "kiritchenko2018"])
def test_intervals_of_the_procedures_are_at_the_confidence(method: str) -> None:
    data = NAMES if method == "camara2022" else DATA
    usual, narrow = (METHODS[method](scores(data), data, confidence=level) for level in (0.95, 0.5))
    assert (widths(narrow.overall) < widths(usual.overall) / 2).all()
    assert "|confidence:0.5" in narrow.signature


def test_percentiles_of_the_perturbation_measures_are_at_the_confidence() -> None:
    options: dict[str, Any] = {"bootstrap": 999, "baseline": NAMES["person"].iloc[0], "group": ()}
    usual, narrow = (
        METHODS["perturbation"](scores(NAMES), NAMES, confidence=level, **options) for level in (0.95, 0.5)
    )
    assert (widths(narrow.overall) <= widths(usual.overall)).all()
    assert widths(narrow.overall).sum() < widths(usual.overall).sum() / 2
    assert "|confidence:0.5" in narrow.signature


def test_the_metric_of_evaluate_takes_the_confidence() -> None:
    columns = {name: list(DATA[name]) for name in ("race", "gender", "person", "item", "pair")}
    computed = BiasMetric().compute(predictions=list(Y), confidence=0.5, **columns)
    assert [row["ci_low"] for row in computed["terms"]] == pytest.approx(
        [row["ci_low"] for row in measure(Y, DATA, confidence=0.5).overall]
    )
