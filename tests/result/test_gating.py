"""Gates: what a condition means, what fails, and how it is said."""

from dataclasses import replace
from xml.etree import ElementTree

from verdict_cases import DATA, corpus, female, result_of, scores

from eec_bias import Result, compare, gate, measure
from eec_bias.notes import Note
from eec_bias.result.conditions import parse
from eec_bias.result.junit import junit

QUIET = result_of("nothing to be found")
NUMBERS = {"effect": 0.01, "se": 0.005, "ci_low": 0.0, "ci_high": 0.02, "p": 0.04, "p_adjusted": 0.08, "mde": 0.015}


def of(**numbers: object) -> Result:
    """A result of one row, with some numbers changed."""
    return replace(QUIET, terms=(replace(QUIET.overall[0], **(NUMBERS | numbers)),))


def test_conditions_take_intervals_whole_and_numbers_as_written() -> None:
    for low, high in ((-0.02, 0.02), (-0.01, 0.021), (-0.021, 0), (0.03, 0.05)):
        (check,) = gate(of(ci_low=low, ci_high=high), "race.ci outside ±0.02").checks
        assert (check.status, check.value) == ("passed" if high == 0.02 else "failed", (low, high))
    holds = (
        "race.p < 5e-2", "race.p<=0.04", "race.effect >= .01", "race.effect outside ±.005",
        "race.effect outside [−1,+.009]", " abs( race.names[Black].effect )>.009 ",
    )  # fmt: skip
    not_so = (
        "race.p_adjusted < .05", "race.p < 0.04", "race.effect > .01", "race.effect outside [-1, .01]",
        "race.effect outside +-.02", "race.effect outside +/- .02", "abs(race.ci_low) outside ±0", "race.mde > .02",
    )  # fmt: skip
    for conditions, status in ((holds, "failed"), (not_so, "passed")):
        assert {check.status for check in gate(of(), conditions).checks} == {status}
    negative = gate(of(effect=-0.03), ["race.effect > .02", "abs(race.effect) > .02"])
    assert [check.status for check in negative.checks] == ["passed", "failed"]
    # Thresholds with a point and groups with an equals sign can be named.
    named = ("label_dist[0.5].effect > .1", "race|gender=female.ci outside ±.1", "race:gender[Latino:female].p < .1")
    expected = [("label_dist", "0.5"), ("race|gender=female", None), ("race:gender", "Latino:female")]
    assert [(parse(text).term, parse(text).level) for text in named] == expected


def test_a_zone_that_no_effect_could_leave_lets_no_result_pass() -> None:
    never = [
        "race.ci outside ±2", "abs(race.effect) outside ±5", "race.effect outside [-1, 1]", "race.effect > 5",
        "race.effect <= -5", "abs(race.effect) >= 5", "race.ci_high > 5", "race.ci_low < -5",
        "abs(race.effect) outside [0, 5]",
    ]  # fmt: skip
    sharp = [
        "abs(race.effect) outside [0, .99]", "race.effect outside [0, 5]", "race.ci outside ±.99",
        "race.effect outside [-.5, 2]", "race.mde outside ±2", "race.hedges_g > 2",
    ]  # fmt: skip
    assert {check.status for check in gate(of(), never).checks} == {"undefined"}
    assert {check.status for check in gate(of(), sharp).checks} == {"passed"}
    assert gate(replace(of(), score_range=(0.0, 100.0)), never).passed
    assert gate(QUIET, ["race:gender.ci outside ±1.5"]).passed
    assert gate(of(ci_low=-3.0), "race.ci outside ±2").checks[0].status == "failed"


def test_a_zone_for_two_systems_may_be_twice_as_wide() -> None:
    both = compare(scores(DATA, 3), scores(DATA, 4), DATA, axes=("race", "gender"))
    assert gate(both, "race.effect outside ±1.5").passed
    (check,) = gate(both, "race.effect outside ±3").checks
    assert "differences of scores lie from -1 to 1, so no effect could lie outside" in check.said


def test_the_zone_of_a_rate_is_held_against_the_scale_of_shares() -> None:
    labels = ["yes" if score > 0.5 else "no" for score in scores(DATA, 3)]
    options = {"outputs": "class", "classes": {"no": -1, "yes": 1}, "axes": ("race",)}
    classes = measure(labels, DATA, **options)
    assert [check.status for check in gate(classes, "race.effect outside ±1").checks] == ["passed", *["undefined"] * 2]
    mean, *rates = gate(classes, "race.effect outside ±2").checks
    assert mean.said.startswith("scores lie from -1 to 1, so no effect")
    assert ["shares lie from 0 to 1" in rate.said for rate in rates] == [True, True]


def test_the_zone_of_a_correlation_is_held_against_its_own_scale() -> None:
    (check,) = gate(replace(of(term="correlation"), score_range=(1.0, 5.0)), "correlation.effect outside ±1").checks
    assert "values lie from -1 to 1, so no effect" in check.said


def test_differences_without_spread_are_their_own_intervals() -> None:
    assert gate(measure([0.5] * len(DATA), DATA), ["race.ci outside ±0.001", "gender.ci outside ±0.001"]).passed
    check = gate(measure(female(DATA), DATA), "gender.names.ci outside ±0.5").checks[0]
    assert (check.status, check.value) == ("failed", (1.0, 1.0))


def test_a_difference_that_depends_on_the_emotion_has_no_interval() -> None:
    sign = DATA["item"].str.endswith("angry") * 2 - 1
    checked = gate(measure(0.5 + 0.1 * sign * female(DATA), DATA), ["gender.ci outside ±0.05", "race.ci outside ±0.05"])
    # On average there is no number to judge, and on the sentences of anger there is one beyond the bounds.
    assert [check.status for check in checked.checks] == ["failed", "failed", "passed"]
    assert "anger" in checked.checks[0].said
    assert "throughout" not in checked.checks[0].said


def test_without_subset_or_level_every_row_of_the_term_counts() -> None:
    data = corpus(("Anglo", "Black", "Latino"), pairs=False)
    result = measure(scores(data), data)

    def rows(of: Result, condition: str) -> list[str]:
        return [check.row for check in gate(of, condition).checks]

    levels = ["race[Anglo] (names)", "race[Black] (names)", "race[Latino] (names)"]
    assert rows(result, "race.ci outside ±1") == levels
    for field in ("p", "p_adjusted", "p_permutation", "t"):
        assert rows(result, f"race.{field} < .01") == [*levels, "race[any] (names)"]
    assert rows(result, "race[Black].effect > 1") == ["race[Black] (names)"]
    assert rows(QUIET, "gender.p < 0") == ["gender[female] (names)", "gender[female] (pairs)"]


def test_what_is_said_of_every_status(snapshot) -> None:
    unadjusted = replace(QUIET, signature=replace(QUIET.signature, adjust="none"))
    several = measure({"a": scores(DATA, 3), "b": female(DATA)}, DATA)
    assert gate(several.to_dict(), "race.ci outside ±0.02") == gate(several, "race.ci outside ±0.02")
    gates = [
        gate(of(ci_low=-0.03, ci_high=0.05), "race.ci outside ±0.02"),
        gate(of(ci_low=0.03, ci_high=0.05), "race.ci outside ±0.02"),
        gate(of(ci_low=-0.05, ci_high=-0.03), "race.ci outside ±0.02"),
        gate(of(), ["race.ci outside ±.5", "abs(race.effect) > .5"]),
        gate(of(p=None, p_adjusted=None, notes=(Note("as_saved", {"text": "no test here"}),)), "race.p < .05"),
        gate(unadjusted, "race.p_adjusted < .05"),
        gate(several, "gender.ci outside ±0.5"),
    ]
    snapshot.check("result-gate", "\n\n".join(map(str, gates)))


def test_junit_has_a_testcase_per_condition_and_system() -> None:
    result = measure({"a": scores(DATA, 3), "b<&\x07": female(DATA)}, DATA)
    root = ElementTree.fromstring(junit(gate(result, ["abs(gender.effect) > .5", "gender.p < .05"]).checks))
    assert root.attrib == {"tests": "4", "failures": "2", "errors": "0", "skipped": "0"}
    cases = root.findall("testsuite/testcase")
    assert [(case.get("classname"), case.get("name")) for case in cases] == [
        ("system a", "abs(gender.effect) > .5"), ("system a", "gender.p < .05"),
        ("system b<&\ufffd", "abs(gender.effect) > .5"), ("system b<&\ufffd", "gender.p < .05"),
    ]  # fmt: skip
    kinds = [None if case.find("failure") is None else case.find("failure").get("type") for case in cases]
    assert kinds == [None, None, "failed", "undefined"]
    assert [line.split(" (")[0] for line in cases[2].findtext("failure").splitlines()] == ["gender[female]"] * 2
    assert len(cases[0].findtext("system-out").splitlines()) == 2
