"""Pairs of texts that were checked: measured over all of them, and over those with which nothing is wrong."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from eec_bias import LabelsError, ScoresError, measure

COUNT = 40
WOMEN_FIRST = np.arange(COUNT) % 2 == 0
GAPS = 0.05 + np.random.default_rng(7).normal(0, 0.03, COUNT)
CLEAN = np.arange(COUNT) % 5 != 0


@pytest.fixture
def pairs() -> pd.DataFrame:
    base = np.random.default_rng(8).normal(0.5, 0.05, COUNT)
    return pd.DataFrame({
        "original": [f"Text {k}." for k in range(COUNT)],
        "variant": [f"Other text {k}." for k in range(COUNT)],
        "reason": np.where(CLEAN, "none", "wrong form"),
        "original_gender": np.where(WOMEN_FIRST, "female", "male"),
        "variant_gender": np.where(WOMEN_FIRST, "male", "female"),
        "original_score": np.where(WOMEN_FIRST, base + GAPS, base),
        "variant_score": np.where(WOMEN_FIRST, base, base + GAPS),
    })  # fmt: skip


def test_the_gap_is_women_minus_men_over_all_pairs_and_over_those_without_a_reason(pairs: pd.DataFrame) -> None:
    result = measure(pairs[["original_score", "variant_score"]], pairs)
    found = {row.stratum: row for row in result.terms}
    assert list(found) == ["all pairs", "pairs without a reason"]
    for name, differences in (("all pairs", GAPS), ("pairs without a reason", GAPS[CLEAN])):
        row = found[name]
        assert (row.level, row.reference) == ("female", "male")
        assert row.effect == pytest.approx(differences.mean(), abs=1e-12)
        assert row.se == pytest.approx(stats.sem(differences), abs=1e-12)
    assert {finding.answer for finding in result.findings} == {"described"}


def test_pairs_without_a_direction_are_left_out_and_a_note_counts_them(pairs: pd.DataFrame) -> None:
    pairs.loc[:2, "variant_gender"] = ""
    result = measure(pairs[["original_score", "variant_score"]], pairs)
    assert result.terms[0].effect == pytest.approx(GAPS[3:].mean(), abs=1e-12)
    assert "3 of 40 pairs are left out" in "\n".join(map(str, result.notes))


def test_pairs_need_two_columns_of_scores_and_a_direction(pairs: pd.DataFrame) -> None:
    with pytest.raises(ScoresError, match="1 columns of scores; expected two, those of the originals"):
        measure(pairs["original_score"], pairs)
    with pytest.raises(LabelsError, match="no pair has a direction"):
        measure(pairs[["original_score", "variant_score"]], pairs.assign(variant_gender=""))
