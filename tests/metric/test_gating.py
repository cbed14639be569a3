"""Gates: what a condition means, what fails, and how it is said."""

from xml.etree import ElementTree

import pandas as pd
import pytest
from synthetic import corpus, names, scores

from eec_bias import OptionError, gate, measure
from eec_bias.result.conditions import GRAMMAR, parse
from eec_bias.result.junit import junit


def row(**numbers: object) -> dict:
    """A row of terms made by hand."""
    empty = dict.fromkeys(measure(scores(corpus()), corpus()).terms[0])
    return empty | {
        "term": "race", "axes": "race", "level": "Latino", "reference": "Anglo", "subset": "names", "effect": 0.01,
        "se": 0.005, "ci_low": 0.0, "ci_high": 0.02, "p": 0.04, "p_adjusted": 0.08, "mde": 0.015, "note": "",
    } | numbers  # fmt: skip


def of(*rows: dict, adjusted: str = "holm") -> dict:
    return {"terms": list(rows), "signature": f"eec_bias|v:0.1.0|adj:{adjusted}", "score_range": [0, 1]}


def statuses(result: object, *conditions: str) -> list[str]:
    return [verdict.status for verdict in gate(result, conditions).verdicts]


@pytest.mark.parametrize(
    ("low", "high", "status"),
    [(-0.02, 0.02, "passed"), (-0.01, 0.021, "failed"), (-0.021, 0, "failed"), (0.03, 0.05, "failed")],
)
def test_an_interval_passes_only_where_all_of_it_lies_within(low, high, status) -> None:
    assert statuses(of(row(ci_low=low, ci_high=high)), "race.ci outside ±0.02") == [status]


def test_a_sample_too_small_to_exclude_a_difference_fails_and_is_told_so() -> None:
    found = gate(of(row(ci_low=-0.03, ci_high=0.05)), "race.ci outside ±0.02")
    assert not found.passed
    assert str(found) == (
        "FAIL  race.ci outside ±0.02: race[Latino] (names) 95 % interval [-0.03, +0.05] reaches outside: cannot "
        "exclude a difference beyond the bounds at this sample size (smallest detectable: 0.0150)\n"
        "1 of 1 checks failed."
    )


def test_an_interval_that_lies_outside_altogether_is_told_apart() -> None:
    found = gate(of(row(ci_low=0.03, ci_high=0.05)), "race.ci outside ±0.02").verdicts[0]
    assert found.said == "95 % interval [+0.03, +0.05] lies outside"
    assert found.value == (0.03, 0.05)


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("race.p_adjusted < .05", False),
        ("race.p < 5e-2", True),
        ("race.p<=0.04", True),
        ("race.p < 0.04", False),
        ("race.effect >= .01", True),
        ("race.effect > .01", False),
        ("race.effect outside ±.005", True),
        ("race.effect outside [-1, .01]", False),
        ("race.effect outside [−1,+.009]", True),
        ("race.effect outside +-.02", False),
        ("race.effect outside +/- .02", False),
        (" abs( race.names[Latino].effect )>.009 ", True),
        ("abs(race.ci_low) outside ±0", False),
        ("race.mde > .02", False),
    ],
)
def test_numbers_are_compared_as_written(condition: str, holds: bool) -> None:
    assert gate(of(row()), condition).passed is not holds


def test_the_size_of_a_negative_effect_is_taken_with_abs_only() -> None:
    result = of(row(effect=-0.03))
    assert statuses(result, "race.effect > .02", "abs(race.effect) > .02") == ["passed", "failed"]


def test_a_number_that_does_not_exist_does_not_pass() -> None:
    found = gate(of(row(p=None, note="no test here")), "race.p < .05")
    assert [verdict.status for verdict in found.verdicts] == ["undefined"]
    assert (
        str(found.verdicts[0]) == "FAIL  race.p < .05: race[Latino] (names) has no p, so it cannot pass: no test here"
    )


def test_p_that_was_not_adjusted_is_no_adjusted_p() -> None:
    found = gate(of(row(), adjusted="none"), "race.p_adjusted < .05").verdicts[0]
    assert found.said == "has no p_adjusted, so it cannot pass: p was not adjusted (adjust='none')"


def test_a_difference_without_spread_is_its_own_interval() -> None:
    data = corpus()
    blind = measure([0.5] * len(data), data)
    biased = measure((data["gender"] == "female").astype(float), data)
    assert gate(blind, ["race.ci outside ±0.001", "gender.ci outside ±0.001"]).passed
    found = gate(biased, "gender.names.ci outside ±0.5").verdicts[0]
    assert (found.status, found.said) == ("failed", "the effect is +1 throughout, so the interval is this number")


def test_without_subset_or_level_every_row_of_the_term_counts() -> None:
    data = pd.DataFrame(names(races=("Anglo", "Black", "Latino")))
    result = measure(scores(data), data)
    assert [v.row for v in gate(result, "race.ci outside ±1").verdicts] == [
        "race[Anglo] (names)", "race[Black] (names)", "race[Latino] (names)",
    ]  # fmt: skip
    assert [v.row for v in gate(result, "race.p_adjusted < .01").verdicts][-1] == "race[any] (names)"
    assert [v.row for v in gate(result, "race[Black].effect > 1").verdicts] == ["race[Black] (names)"]
    assert [v.row for v in gate(measure(scores(corpus()), corpus()), "gender.p < 0").verdicts] == [
        "gender[female] (names)", "gender[female] (pairs)",
    ]  # fmt: skip


def test_several_systems_are_judged_one_by_one() -> None:
    data = corpus()
    result = measure({"a": scores(data), "b": (data["gender"] == "female").astype(float)}, data)
    found = gate(result, "abs(gender.names.effect) > .5")
    assert [(v.place, v.status) for v in found.verdicts] == [("system a", "passed"), ("system b", "failed")]


def test_a_result_from_a_dict_is_judged_alike() -> None:
    result = measure(scores(corpus()), corpus())
    conditions = ["race.ci outside ±0.02", "race:gender.p < .05"]
    assert gate(result.to_dict(), conditions) == gate(result, conditions)


@pytest.mark.parametrize(
    ("condition", "message"),
    [
        ("race.ci", f"condition 'race.ci' has no comparison; expected {GRAMMAR}"),
        ("race > 1", f"condition 'race > 1': 'race' is no TERM.FIELD; expected {GRAMMAR}"),
        (
            "race.ci > 1",
            "condition 'race.ci > 1': the interval ci is compared by outside ±X or outside [LOW, HIGH], without abs(); "
            "its ends are ci_low and ci_high",
        ),
        ("race.p < five", "condition 'race.p < five': 'five' is no number"),
        ("race.p < nan", "condition 'race.p < nan': 'nan' is no number"),
        ("race.p < 1e999", "condition 'race.p < 1e999': '1e999' is no number"),
        (
            "race.ci outside [1, -1]",
            "condition 'race.ci outside [1, -1]': [1, -1] is empty; the lower bound comes first",
        ),
        ("race.ci outside .02", "condition 'race.ci outside .02': '.02' is no zone; expected ±X or [LOW, HIGH]"),
        (
            "race.ci outside ±-1",
            "condition 'race.ci outside ±-1': ±-1 is no zone; X in ±X must not be negative",
        ),
        (
            "race.size > 1",
            "condition 'race.size > 1': there is no field 'size'; the fields are ci, effect, se, df, t, p, p_adjusted, "
            "ci_low, ci_high, beta, beta_se, beta_p, beta_se_person, logit, p_names_only, p_permutation, mde, "
            "hedges_g, superiority, n_persons, n_items, n_sentences",
        ),
        (
            "color.p < 1",
            "condition 'color.p < 1': there is no term 'color'; there are race, gender, race:gender",
        ),
        ("race.pairs.p < 1", "condition 'race.pairs.p < 1': race has no subset 'pairs'; it has names"),
        ("race[Black].p < 1", "condition 'race[Black].p < 1': race has no level 'Black' there; it has Latino"),
    ],
)
def test_conditions_that_cannot_be_meant_are_refused(condition: str, message: str) -> None:
    with pytest.raises(OptionError) as caught:
        gate(measure(scores(corpus()), corpus()), condition)
    assert str(caught.value) == message


def test_a_gate_without_conditions_is_no_gate() -> None:
    with pytest.raises(OptionError) as caught:
        gate(of(row()), [])
    assert str(caught.value) == f"a gate needs at least one condition: {GRAMMAR}"


def test_thresholds_with_a_point_and_groups_with_an_equals_sign_can_be_named() -> None:
    assert parse("label_dist[0.5].effect > .1").level == "0.5"
    assert parse("race|gender=female.ci outside ±.1").term == "race|gender=female"
    assert parse("race:gender[Latino:female].p < .1").level == "Latino:female"


def test_junit_has_a_testcase_per_condition_and_system() -> None:
    data = corpus()
    result = measure({"a": scores(data), "b<&\x07": (data["gender"] == "female").astype(float)}, data)
    found = gate(result, ["abs(gender.effect) > .5", "gender.p < .05"])
    root = ElementTree.fromstring(junit(found.verdicts))
    assert root.attrib == {"tests": "4", "failures": "2", "errors": "0", "skipped": "0"}
    cases = root.findall("testsuite/testcase")
    assert [(case.get("classname"), case.get("name")) for case in cases] == [
        ("system a", "abs(gender.effect) > .5"),
        ("system a", "gender.p < .05"),
        ("system b<&\ufffd", "abs(gender.effect) > .5"),
        ("system b<&\ufffd", "gender.p < .05"),
    ]
    kinds = [None if case.find("failure") is None else case.find("failure").get("type") for case in cases]
    assert kinds == [None, None, "failed", "undefined"]
    assert cases[2].find("failure").text == (
        "gender[female] (names) abs(effect) is 1\ngender[female] (pairs) abs(effect) is 1"
    )
    assert len(cases[0].findtext("system-out").splitlines()) == 2
