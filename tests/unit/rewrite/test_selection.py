"""Texts kept against those left out, by length and by label or score."""

from statistics import fmean

import pytest
from scipy.stats.contingency import odds_ratio

from eec_datasets.rewrite.selection import Selection


def counted(kept: list[tuple[str, object]], left: list[tuple[str, object]]) -> Selection:
    selection = Selection()
    for texts, is_kept in ((kept, True), (left, False)):
        for text, label in texts:
            selection.count(text, label, kept=is_kept)
    return selection


def test_lengths_are_told_by_median_and_mean():
    found = counted([("a b", None), ("a", None), ("a b c", None)], [("a b c d", None)]).to_dict()
    assert found["words"]["kept"] == {"median": 2, "mean": 2.0}
    assert found["words"]["left_out"] == {"median": 4, "mean": 4.0}
    assert "labels" not in found


def test_the_odds_of_a_label_are_those_against_all_other_labels():
    kept = [("x", "hate")] * 16 + [("x", "offensive")] * 58 + [("x", "neither")] * 26
    left = [("x", "hate")] * 4 + [("x", "offensive")] * 84 + [("x", "neither")] * 12
    odds = counted(kept, left).to_dict()["labels"]["offensive"]["odds"]
    known = odds_ratio([[58, 84], [42, 16]], kind="sample")
    assert odds["ratio"] == pytest.approx(known.statistic)
    assert odds["high"] < 1


def test_many_different_numbers_are_a_score():
    scores = [number / 20 for number in range(20)]
    found = counted([("x", score) for score in scores[10:]], [("x", score) for score in scores[:10]]).to_dict()
    assert found["score"]["kept"]["mean"] == pytest.approx(fmean(scores[10:]))
    assert "labels" not in found


def test_a_few_different_numbers_are_labels():
    assert list(counted([("x", 0)], [("x", 1)]).to_dict()["labels"]) == ["0", "1"]


def test_a_line_says_how_many_of_those_kept_have_the_label():
    lines = list(counted([("x", "a"), ("x", "b")], [("x", "a")]).lines())
    assert ["label a", "1 of 2 (50%)", "1 of 1 (100%)"] in [line[:3] for line in lines]
