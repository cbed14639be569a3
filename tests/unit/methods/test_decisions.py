"""Selection rates and their ratios, against values worked by hand and in simulated audits."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from synthetic import names, noun_phrases, phrases

from benchmarks.ratios import DESIGNS, cover
from eec_bias import DesignError, OptionError, ScoresError, decisions, measure
from eec_bias.methods.decisions import Decisions, GroupRate, RateRatio

DATA = pd.DataFrame(names())
RNG = np.random.default_rng(4)
SELECTED = (RNG.random(len(DATA)) < np.where(DATA["gender"] == "female", 0.6, 0.4)).astype(float)


def ratio(found: Decisions, group: str) -> RateRatio:
    return next(each for each in found.ratios if each.group == group)


def rate(found: Decisions, group: str) -> GroupRate:
    return next(each for each in found.groups if each.group == group)


def test_a_rate_is_the_share_of_a_group_that_is_selected() -> None:
    assert rate(decisions(SELECTED, DATA), "female").rate == pytest.approx(SELECTED[DATA["gender"] == "female"].mean())


def test_a_rate_of_probabilities_is_their_mean() -> None:
    y = np.where(DATA["gender"] == "female", 0.25, 0.5)
    assert rate(decisions(y, DATA), "female").rate == 0.25


def test_truth_values_are_decisions() -> None:
    assert decisions(SELECTED > 0, DATA).ratios == decisions(SELECTED, DATA).ratios


def test_a_ratio_is_the_rate_over_that_of_the_stated_reference() -> None:
    found = ratio(decisions(SELECTED, DATA, reference={"gender": "female"}), "male")
    women, men = (SELECTED[DATA["gender"] == gender].mean() for gender in ("female", "male"))
    assert (found.reference, found.ratio) == ("female", pytest.approx(men / women))


def test_the_interval_of_a_ratio_holds_it_in_its_middle_on_the_log_scale() -> None:
    found = ratio(decisions(SELECTED, DATA), "female")
    assert np.sqrt(found.ratio_low * found.ratio_high) == pytest.approx(found.ratio)


def test_a_lower_confidence_makes_the_interval_of_a_ratio_shorter() -> None:
    wide, short = (ratio(decisions(SELECTED, DATA, confidence=level), "female") for level in (0.95, 0.5))
    assert wide.ratio_low < short.ratio_low < short.ratio_high < wide.ratio_high


def test_groups_of_two_axes_are_compared_with_that_of_both_references() -> None:
    found = ratio(decisions(SELECTED, DATA), "Latino:female")
    latinas = (DATA["race"] == "Latino") & (DATA["gender"] == "female")
    anglos = (DATA["race"] == "Anglo") & (DATA["gender"] == "male")
    assert found.reference == "Anglo:male"
    assert found.ratio == pytest.approx(SELECTED[latinas].mean() / SELECTED[anglos].mean())


def test_the_highest_rate_is_that_of_the_groups_of_the_same_axes() -> None:
    found = decisions(SELECTED, DATA)
    assert rate(found, "female").ratio_to_highest == 1
    assert rate(found, "male").ratio_to_highest == pytest.approx(ratio(found, "female").ratio ** -1)


def test_groups_of_three_levels_are_compared_with_their_mean() -> None:
    data = phrases()
    y = np.where(data["country"] == "Kenya", 0.6, 0.3)
    found = ratio(decisions(y, data), "Kenya")
    assert (found.reference, found.ratio) == ("mean", pytest.approx(1.5))


def test_noun_phrases_are_a_part_of_their_own() -> None:
    data = pd.DataFrame([*names(), *noun_phrases()])
    y = RNG.random(len(data))
    assert {each.subset for each in decisions(y, data).ratios} == {"names", "pairs"}


def test_several_systems_are_told_apart_by_their_names() -> None:
    found = decisions({"a": SELECTED, "b": 1 - SELECTED}, DATA)
    assert {each.system: each.rate for each in found.groups if each.group == "female"} == {
        "a": pytest.approx(SELECTED[DATA["gender"] == "female"].mean()),
        "b": pytest.approx(1 - SELECTED[DATA["gender"] == "female"].mean()),
    }


def test_above_the_median_is_taken_within_the_item() -> None:
    # The second half of the items is liked far more; within each item it is the women who are.
    items = DATA["item"].factorize()[0]
    y = 10.0 * (items > 2) + (DATA["gender"] == "female")
    found = decisions(y, DATA, above="median")
    assert (rate(found, "female").rate, rate(found, "male").rate) == (1, 0)


def test_above_a_number_counts_scores_on_any_scale() -> None:
    y = np.where(DATA["gender"] == "female", 70, 30)
    assert rate(decisions(y, DATA, above=50), "female").rate == 1


def test_scores_all_equal_lie_above_no_median() -> None:
    found = decisions(np.full(len(DATA), 0.5), DATA, above="median")
    assert ratio(found, "female").note == "the rate of male is 0, so no ratio to it is defined"


def test_a_reference_that_is_never_selected_has_no_ratio() -> None:
    found = ratio(decisions(np.where(DATA["gender"] == "female", SELECTED, 0), DATA), "female")
    assert (found.ratio, found.ratio_low, found.ratio_high) == (None, None, None)
    assert found.note == "the rate of male is 0, so no ratio to it is defined"


def test_a_group_never_selected_has_a_ratio_of_zero_alone() -> None:
    found = ratio(decisions(np.where(DATA["gender"] == "male", SELECTED, 0), DATA), "female")
    assert (found.ratio, found.ratio_low) == (0, None)
    assert found.note == "the rate of female is 0: the ratio is 0, and there is no logarithm for an interval"


def test_nobody_selected_has_no_ratio_to_the_highest_rate() -> None:
    assert rate(decisions(np.zeros(len(DATA)), DATA), "female").ratio_to_highest is None


def test_an_undefined_ratio_is_said_below_the_tables() -> None:
    text = str(decisions(np.where(DATA["gender"] == "female", SELECTED, 0), DATA))
    assert "Note: gender female, names: the rate of male is 0, so no ratio to it is defined" in text


def test_no_verdict_is_drawn_at_four_fifths() -> None:
    text = str(decisions(SELECTED, DATA))
    assert ".8 is the rule of thumb of the Uniform Guidelines of 1978; no verdict is drawn from it here" in text


def test_the_picture_has_lines_at_one_and_at_four_fifths() -> None:
    pytest.importorskip("matplotlib", reason="needs the extra plot")
    (ax,) = decisions(SELECTED, DATA).plot().axes
    upright = [
        line.get_xdata()[0] for line in ax.lines if len(set(line.get_xdata())) == 1 and len(line.get_xdata()) > 1
    ]
    assert upright == [1, 0.8]


def test_a_saved_form_has_plain_numbers() -> None:
    document = decisions(SELECTED, DATA).to_dict()
    assert document["ratios"][0] | {"group": "Latino"} == document["ratios"][0]
    assert list(decisions(SELECTED, DATA).to_frame()) == list(document["ratios"][0])


def test_runs_are_a_sample_of_prompts() -> None:
    runs = np.stack([(np.random.default_rng(k).random(len(DATA)) < 0.4).astype(float) for k in range(4)])
    found = rate(decisions(runs, DATA, runs=list("abcd")), "female")
    assert found.rate == pytest.approx(runs[:, DATA["gender"] == "female"].mean())


REFUSALS: dict[str, tuple[type[Exception], str, dict[str, Any]]] = {
    "outcomes that are no decisions": (ScoresError, "expected 0, 1 or a probability, or say with above", {}),
    "a threshold that is no number": (OptionError, "above is 'mean'; expected a number", {"above": "mean"}),
    "a truth value as a threshold": (OptionError, "above is True; expected a number", {"above": True}),
    "a level of confidence in per cent": (OptionError, "confidence", {"confidence": 95}),
}


@pytest.mark.parametrize("case", REFUSALS)
def test_bad_calls_say_what_was_expected(case: str) -> None:
    kind, message, options = REFUSALS[case]
    with pytest.raises(kind, match=message):
        decisions(3 * SELECTED, DATA, **options)


def test_rows_without_an_outcome_are_refused() -> None:
    with pytest.raises((ScoresError, DesignError)):
        decisions(np.where(np.arange(len(DATA)) == 3, np.nan, SELECTED), DATA)


@pytest.mark.parametrize("name", list(DESIGNS)[:8])
def test_intervals_of_ratios_cover_the_truth(name: str) -> None:
    """The page has the numbers of 2,000 audits; 300 have a standard error of .013."""
    found = cover(DESIGNS[name], audits=300)
    assert found.ours > 0.91
    assert found.binomial < found.ours


def test_rates_above_the_median_are_those_of_the_decisions() -> None:
    y = RNG.random(len(DATA))
    (race, gender) = measure(y, DATA, rate_above="median").rates
    found = decisions(y, DATA, above="median")
    assert [race["ratio"], gender["ratio"]] == pytest.approx([each.ratio for each in found.ratios[:2]])
    assert race["threshold"] == "median"


def test_the_signature_says_that_the_median_was_the_threshold() -> None:
    assert "|above:median|" in measure(SELECTED, DATA, rate_above="median").signature
