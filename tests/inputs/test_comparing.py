"""Two systems on the same sentences."""

import numpy as np
import pandas as pd
import pytest
from synthetic import corpus, scores

from eec_bias import compare, measure


@pytest.fixture
def data() -> pd.DataFrame:
    return corpus()


def test_the_effect_is_the_difference_of_the_effects(data) -> None:
    a, b = scores(data), scores(data, 1)
    found, one, two = compare(a, b, data), measure(a, data), measure(b, data)
    for row, x, y in zip(found.terms, one.terms, two.terms, strict=True):
        assert row["effect"] == pytest.approx(x["effect"] - y["effect"], abs=1e-14)
        assert row["note"].startswith(f"effect of a {x['effect']:+.4f}, of b {y['effect']:+.4f}")


def test_the_test_is_that_of_the_differences_of_scores(data) -> None:
    a, b = scores(data), scores(data, 1)
    plain = measure(a - b, data, score_range=(-1, 1))
    for row, other in zip(compare(a, b, data).terms, plain.terms, strict=True):
        assert (row["se"], row["df"], row["p"]) == (other["se"], other["df"], other["p"])


def test_swapping_the_systems_flips_the_signs(data) -> None:
    a, b = scores(data), scores(data, 1)
    for row, other in zip(compare(a, b, data).terms, compare(b, a, data).terms, strict=True):
        assert row["effect"] == pytest.approx(-other["effect"], abs=1e-15)
        assert row["p"] == pytest.approx(other["p"])


def test_a_checkpoint_that_only_moved_every_score_alike_does_not_differ(data) -> None:
    a = 0.2 + 0.5 * scores(data)
    found = compare(a + 0.1, a, data, names=("after", "before"))
    assert {row["p"] for row in found.terms} == {1.0}
    assert max(abs(row["effect"]) for row in found.terms) == 0
    assert str(found.signature).endswith("|range:-1..1|compare:after-before")


def test_what_the_two_share_cancels_so_that_small_changes_are_found(data) -> None:
    before = 0.2 + 0.5 * scores(data)
    noise = np.random.default_rng(3).normal(0, 1e-3, len(data))
    after = before + 0.01 * (data["gender"] == "female").to_numpy() + noise
    gender = next(row for row in compare(after, before, data).terms if row["term"] == "gender")
    assert gender["effect"] == pytest.approx(0.01, abs=1e-3)
    assert gender["p"] < 1e-6
    alone = next(row for row in measure(after, data).terms if row["term"] == "gender")
    assert alone["p"] > 0.05


def test_there_is_no_beta_regression_of_differences(data) -> None:
    found = compare(scores(data), scores(data, 1), data)
    assert {row[key] for row in found.terms for key in ("beta", "beta_se", "beta_p", "beta_se_person", "logit")} == {
        None
    }
    assert {fit["reason"] for fit in found.fits} == {
        "differences of two systems' scores are no scores on a bounded scale"
    }
    assert found.notes[0] == (
        "effects are differences of bias: that of a minus that of b, on the same persons and items, tested on the "
        "differences of their scores"
    )


def test_many_systems_are_compared_one_by_one_and_by_stratum(data) -> None:
    frame = data.assign(emotion=np.where(data["item"].str.endswith("angry"), "anger", "joy"))
    before = {"m": scores(data), "n": scores(data, 1)}
    after = {"m": scores(data, 2), "n": scores(data, 3)}
    found = compare(after, before, frame, by="emotion")
    assert list(found.terms[0])[:2] == ["system", "stratum"]
    lone = compare(after["n"], before["n"], frame, by="emotion")
    assert [row["effect"] for row in found.terms if row["system"] == "n"] == [row["effect"] for row in lone.terms]
