"""Rates of outcomes and their ratios, against values worked out by hand."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from synthetic import names, noun_phrases, phrases

from eec_bias import Result, compare, measure, report

DATA = pd.DataFrame(names())
WOMEN, MEN = (DATA["gender"] == "female").to_numpy(), (DATA["gender"] == "male").to_numpy()
SELECTED = (np.random.default_rng(4).random(len(DATA)) < np.where(WOMEN, 0.6, 0.4)).astype(float)
COLUMNS = [
    "subset", "axes", "within", "group", "reference", "n", "rate", "difference", "difference_low", "difference_high",
    "ratio", "ratio_low", "ratio_high", "rough",
]  # fmt: skip


def of(result: Result, group: str, **where: Any) -> pd.Series:
    """Return the row of a group among all others."""
    frame = result.rates
    chosen = frame[(frame["group"] == group) & (frame["within"] == "")]
    for column, value in where.items():
        chosen = chosen[chosen[column] == value]
    (row,) = [row for _, row in chosen.iterrows()]
    return row


def test_scores_that_are_all_0_or_1_are_outcomes_with_rates() -> None:
    result = measure(SELECTED, DATA)
    assert list(result.rates) == COLUMNS
    women, men = SELECTED[WOMEN], SELECTED[MEN]
    assert (of(result, "female")["rate"], of(result, "female")["n"]) == (pytest.approx(women.mean()), len(women))
    assert (of(result, "male")["rate"], of(result, "male")["n"]) == (pytest.approx(men.mean()), len(men))
    assert of(result, "female")["difference"] == pytest.approx(women.mean() - men.mean())
    assert of(result, "female")["ratio"] == pytest.approx(women.mean() / men.mean())


def test_rates_change_no_other_row() -> None:
    assert measure(SELECTED, DATA).terms == measure(SELECTED, DATA, outputs="score").terms


@pytest.mark.parametrize(
    ("scores", "options"),
    [
        (SELECTED, {"outputs": "score"}),
        (0.5 * SELECTED, {}),
        (SELECTED, {"score_range": (0, 5)}),
        (np.append(SELECTED[1:], 0.5), {}),
    ],
    ids=["declared as scores", "other values", "another range", "one other value"],
)
def test_other_scores_have_no_rates(scores: np.ndarray, options: dict[str, Any]) -> None:
    result = measure(scores, DATA, **options)
    assert result.rates.empty
    assert "a rate of" not in report(result)


def test_truth_values_are_outcomes() -> None:
    assert measure(SELECTED > 0, DATA).rates.equals(measure(SELECTED, DATA).rates)


def test_predicted_classes_have_a_rate_each() -> None:
    labels = np.where(SELECTED == 1, "hired", "refused")
    result = measure(labels, DATA, outputs="class")
    hired, refused = (of(result, "female", output=f"rate[{label}]") for label in ("hired", "refused"))
    assert hired["rate"] == pytest.approx(SELECTED[WOMEN].mean())
    assert hired["rate"] + refused["rate"] == pytest.approx(1)


def test_a_reference_has_a_rate_alone() -> None:
    result = measure(SELECTED, DATA, reference={"gender": "female"})
    assert of(result, "male")["reference"] == "female"
    assert of(result, "male")["ratio"] == pytest.approx(SELECTED[MEN].mean() / SELECTED[WOMEN].mean())
    assert of(result, "female")[["reference", "difference", "ratio", "ratio_low"]].isna().all()


def test_the_interval_of_a_ratio_holds_it_in_its_middle_on_the_log_scale() -> None:
    row = of(measure(SELECTED, DATA), "female")
    assert np.sqrt(row["ratio_low"] * row["ratio_high"]) == pytest.approx(row["ratio"])


def test_the_interval_of_a_difference_is_that_of_its_term() -> None:
    result = measure(SELECTED, DATA)
    (term,) = [row for row in result.overall if row.term == "gender"]
    row = of(result, "female")
    assert (row["difference_low"], row["difference_high"]) == pytest.approx((term.ci_low, term.ci_high))


def test_a_lower_confidence_makes_the_interval_of_a_ratio_shorter() -> None:
    wide, short = (of(measure(SELECTED, DATA, confidence=level), "female") for level in (0.95, 0.5))
    assert wide["ratio_low"] < short["ratio_low"] < short["ratio_high"] < wide["ratio_high"]


def test_groups_of_two_axes_are_compared_with_that_of_both_references() -> None:
    row = of(measure(SELECTED, DATA), "Latino:female")
    latinas = (DATA["race"] == "Latino") & WOMEN
    anglos = (DATA["race"] == "Anglo") & MEN
    assert (row["axes"], row["reference"]) == ("race+gender", "Anglo:male")
    assert row["ratio"] == pytest.approx(SELECTED[latinas].mean() / SELECTED[anglos].mean())


def test_groups_of_three_levels_are_compared_with_their_mean() -> None:
    data = phrases()
    row = of(measure((data["country"] == "Kenya").astype(float), data), "Kenya")
    assert (row["reference"], row["rate"], row["ratio"]) == ("mean", 1, pytest.approx(3))


def test_noun_phrases_are_a_part_of_their_own() -> None:
    data = pd.DataFrame([*names(), *noun_phrases()])
    outcomes = np.random.default_rng(4).integers(0, 2, len(data))
    assert set(measure(outcomes, data).rates["subset"]) == {"names", "pairs"}


def test_several_systems_are_told_apart_by_their_names() -> None:
    result = measure({"a": SELECTED, "b": 1 - SELECTED}, DATA)
    assert of(result, "female", system="a")["rate"] == pytest.approx(SELECTED[WOMEN].mean())
    assert of(result, "female", system="b")["rate"] == pytest.approx(1 - SELECTED[WOMEN].mean())


def test_above_the_median_is_taken_within_the_item() -> None:
    # The second half of the items is liked far more; within each item it is the women who are.
    items = DATA["item"].factorize()[0]
    result = measure(10.0 * (items > 2) + WOMEN, DATA, score_range=(0, 20), rate_above="median")
    assert (of(result, "female")["rate"], of(result, "male")["rate"]) == (1, 0)
    assert "|above:median|" in result.signature


def test_above_a_number_counts_scores_on_any_scale() -> None:
    result = measure(np.where(WOMEN, 70, 30), DATA, score_range=(0, 100), rate_above=50)
    assert of(result, "female")["rate"] == 1


def test_a_reference_that_is_never_selected_has_no_ratio() -> None:
    row = of(measure(np.where(WOMEN, SELECTED, 0), DATA), "female")
    assert row[["ratio", "ratio_low", "ratio_high"]].isna().all()


def test_a_group_never_selected_has_a_ratio_of_zero_without_an_interval() -> None:
    row = of(measure(np.where(MEN, SELECTED, 0), DATA), "female")
    assert row["ratio"] == 0
    assert row[["ratio_low", "ratio_high"]].isna().all()


def test_rates_of_runs_are_means_over_runs() -> None:
    runs = np.stack([(np.random.default_rng(k).random(len(DATA)) < 0.4).astype(float) for k in range(4)])
    row = of(measure(runs, DATA, runs=list("abcd")), "female")
    assert row["rate"] == pytest.approx(runs[:, WOMEN].mean())


def test_outcomes_that_are_missing_are_not_counted() -> None:
    outcomes = np.where(np.arange(len(DATA)) == int(np.flatnonzero(WOMEN)[0]), np.nan, SELECTED)
    assert of(measure(outcomes, DATA), "female")["n"] == WOMEN.sum() - 1


def test_the_difference_of_two_systems_has_no_rates() -> None:
    assert compare(SELECTED, 1 - SELECTED, DATA).rates.empty


def test_a_saved_result_keeps_its_rates() -> None:
    result = measure(SELECTED, DATA)
    assert Result.from_dict(result.to_dict()).rates.equals(result.rates)
    assert set(result.to_dict()["rates"][0]) >= {"rate", "ratio", "n", "threshold"}
