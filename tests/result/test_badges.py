"""Badges: what they say, and that they are pictures that stand alone."""

from dataclasses import replace
from html import unescape
from xml.etree import ElementTree

import numpy as np
import pytest
from verdict_cases import DATA, corpus, female, result_of, scores

from eec_bias import Result, badge, compare, eval_results, measure, model_card
from eec_bias.result.badge import text_width
from eec_bias.result.telling import answer_with_unit, up_to

SVG = "{http://www.w3.org/2000/svg}"
WOMEN = result_of("a difference")


def words(svg: str) -> list[str]:
    return [str(text.text) for text in ElementTree.fromstring(svg).iter(f"{SVG}text")]


UNIT = " (points out of 100)"


def test_a_badge_says_what_could_have_been_found_where_nothing_was() -> None:
    race = next(finding for finding in WOMEN.findings if finding.question.term == "race")
    shown = words(badge(WOMEN))
    assert shown[0::2] == ["race", "gender"]
    assert shown[1] == f"not found; {up_to(race.found_from, race):g} points would have been (out of 100)"


def test_a_badge_shows_a_difference_with_its_direction() -> None:
    assert words(badge(WOMEN))[3] == f"difference: female 9 higher{UNIT}"
    assert words(badge(WOMEN, "gender", subset="pairs"))[1] == f"difference: female 9 higher{UNIT}"
    downwards = result_of("a difference downwards")
    assert words(badge(downwards))[1] == f"difference: Anglo 11 higher{UNIT}"


@pytest.mark.parametrize(
    ("span", "told"),
    [(1.0, "7"), (1e-7, "7"), (1e6, "7"), (43.0, "7")],
)
def test_the_bound_of_a_badge_is_rounded_up_on_every_scale(span: float, told: str) -> None:
    race = WOMEN.overall[0]
    reach = 1.96 * 0.0185 * span
    changed = replace(race, effect=0.0, se=0.0185 * span, df=1e9, ci_low=-reach, ci_high=reach)
    shown = words(badge(replace(WOMEN, terms=(changed,), score_range=(0.0, span))))[1]
    assert shown == f"not found; {told} points would have been (out of 100)"


def test_a_badge_carries_its_reading_for_those_who_do_not_see_it() -> None:
    svg = badge(WOMEN)
    assert svg == badge(WOMEN.to_dict()) == badge(Result.from_dict(WOMEN.to_dict()))
    root, shown = ElementTree.fromstring(svg), words(svg)
    assert (root.get("role"), root.get("aria-label")) == ("img", f"race: {shown[1]}; gender: {shown[3]}")
    title = root.findtext(f"{SVG}title")
    assert title.startswith("No difference found between sentences about Black (names) and the same sentences about")
    assert title.endswith(f"Scores range from 0 to 1. {WOMEN.signature}")
    assert svg.count("http") == svg.count('xmlns="http://www.w3.org/2000/svg"') == 1


def test_the_boxes_of_a_badge_are_as_wide_as_their_texts() -> None:
    root = ElementTree.fromstring(badge(WOMEN))
    boxes = root.findall(f".//{SVG}rect")
    for text, box in zip(root.findall(f".//{SVG}text"), boxes, strict=True):
        assert int(box.get("width")) - 12 == int(text.get("textLength")) == int(np.ceil(text_width(text.text)))
    assert int(root.get("width")) == int(boxes[-1].get("x")) + int(boxes[-1].get("width"))


def test_the_width_of_a_text_depends_on_its_letters() -> None:
    assert text_width("iii") < text_width("mmm") < text_width("名前名前")
    assert text_width("e\u0301") == text_width("e")


def test_what_two_systems_have_in_common_passes_for_no_finding_on_either() -> None:
    biased = scores(DATA, female=0.1)
    both = compare(biased, scores(DATA, 3, female=0.1), DATA, names=("old", "new"))
    svg = badge(both)
    assert [words(svg)[0], words(svg)[2]] == ["race, old-new", "gender, old-new"]
    assert "The first system's scores minus the second's (old-new): no difference found between sentences" in unescape(
        svg
    )
    assert "Differences of scores range from -1 to 1." in svg
    same = compare(biased, biased, DATA, names=("old", "new"))
    assert words(badge(same))[3] == "gap is 0"
    (named,) = {one.metric_name.partition("), ")[2] for one in eval_results(both, dataset="org/eec")}
    assert named == "old-new"
    of_two = "**The first system's scores minus the second's (old-new): "
    assert model_card(both).splitlines()[4].startswith(of_two + "no difference found in any of ")
    assert model_card(same).splitlines()[4].startswith(of_two + "the groups compared get the same scores.**")
    assert not any(row.endswith("| not found |") for row in model_card(same).splitlines())
    assert of_two not in model_card(WOMEN)


def test_a_badge_is_of_the_system_asked_for() -> None:
    several = measure({"same": [0.5] * len(DATA), "b": female(DATA)}, DATA)
    same = "no reaction: the same score"
    assert words(badge(several, system="same")) == ["race", same, "gender", same]
    assert words(badge(several, system="b")) == [
        "race", "gap is 0", "gender", f"difference: female 100 higher, on every sentence{UNIT}",
    ]  # fmt: skip


def test_a_badge_is_of_the_stratum_asked_for() -> None:
    strata = measure(scores(DATA), DATA, by="emotion", axes=("race", "gender"), adjust="none")
    gender = next(each for each in strata.findings if each.get("stratum") == "joy" and each.question.term == "race")
    assert words(badge(strata, stratum="joy"))[1] == answer_with_unit(gender)


def test_a_badge_shows_an_interaction_that_differs() -> None:
    is_name = DATA["race"] != "unmarked"
    both = ((DATA["race"] == "Black") == (DATA["gender"] == "female")) & is_name
    crossed = measure(scores(DATA) + 0.1 * both, DATA)
    shown = words(badge(crossed))
    assert shown[0::2] == ["race", "gender", "race:gender"]
    assert shown[5] == f"difference: 17 higher for Black{UNIT}"
    assert words(badge(crossed, ["race", "gender"])) == shown[:4]


def test_a_badge_shows_noun_phrases_that_differ() -> None:
    of_pairs = (DATA["race"] == "unmarked") & (DATA["gender"] == "female")
    assert words(badge(measure(scores(DATA) + 0.1 * of_pairs, DATA)))[0::2] == ["race", "gender", "gender (pairs)"]


def test_a_badge_shows_the_largest_of_several_levels() -> None:
    data = corpus(("Anglo", "Black", "Latino"), pairs=False)
    result = measure(scores(data, Anglo=-0.3, Black=0.25, Latino=0.02), data)
    assert words(badge(result, "race"))[1] == f"difference: mean of all groups 29 higher{UNIT} and 2 more"
    evil = "<b>&" + "x" * 200
    data = corpus(("Anglo", evil), pairs=False)
    assert words(badge(measure(scores(data, **{evil: 0.3}), data), "race"))[1] == "difference: <b>&" + "x" * 63 + "…"
    # XML has no place for some characters.
    odd = DATA.replace({"gender": {"female": "fem\ufffe"}})
    assert "fem " in words(badge(measure(scores(DATA, female=0.1), odd)))[3]
