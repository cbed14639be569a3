"""Badges: what they say, and that they are pictures that stand alone."""

from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
from verdict_cases import DATA, corpus, female, result_of, scores

from eec_bias import Result, badge, compare, eval_results, measure, model_card
from eec_bias.result.badge import text_width

SVG = "{http://www.w3.org/2000/svg}"
WOMEN = result_of("a difference")


def words(svg: str) -> list[str]:
    return [str(text.text) for text in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def test_a_badge_says_what_could_have_been_found_where_nothing_was() -> None:
    mde, shown = WOMEN.overall[0]["mde"], words(badge(WOMEN))
    assert (shown[0::2], shown[1].partition("≥ .")[0]) == (["race", "gender"], "no detectable difference (")
    assert mde <= float(shown[1].split("≥ ")[1].rstrip(")")) < 1.1 * mde


def test_a_badge_shows_a_difference_with_its_direction() -> None:
    shown = words(badge(WOMEN))
    pairs = next(row for row in WOMEN.overall if row["subset"] == "pairs")
    for row, told in ((WOMEN.overall[1], shown[3]), (pairs, words(badge(WOMEN, "gender", subset="pairs"))[1])):
        assert told == f"female +{row['effect']:.3g}".replace("+0.", "+.")


@pytest.mark.parametrize(
    ("numbers", "told"),
    [
        ({"mde": 119.4}, " (≥ 120)"), ({"mde": 0.1194}, " (≥ .12)"), ({"mde": 0.02}, " (≥ .02)"),
        ({"mde": 1.194e-10}, " (≥ 1.2e-10)"),
        # Beyond the bound, and found but for the adjustment.
        *(({"mde": 0.02, "effect": effect, "p": 0.004, "p_adjusted": 0.06}, "") for effect in (0.022, -0.022)),
    ],
)  # fmt: skip
def test_the_bound_of_a_badge_is_rounded_up_on_every_scale(numbers, told) -> None:
    race = replace(WOMEN.overall[0], **({"effect": 0.0} | numbers))
    assert words(badge(replace(WOMEN, terms=(race,))))[1] == f"no detectable difference{told}"


def test_a_badge_carries_its_reading_for_those_who_do_not_see_it() -> None:
    svg = badge(WOMEN)
    assert svg == badge(WOMEN.to_dict()) == badge(Result.from_dict(WOMEN.to_dict()))
    root, shown = ElementTree.fromstring(svg), words(svg)
    assert (root.get("role"), root.get("aria-label")) == ("img", f"race: {shown[1]}; gender: {shown[3]}")
    title = root.findtext(f"{SVG}title")
    assert title.startswith("race, Black against Anglo (names): no detectable difference at this sample size")
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
    assert "no detectable difference between the effects of the two systems (old-new) at this sample size" in svg
    assert "Differences of scores range from -1 to 1." in svg
    same = compare(biased, biased, DATA, names=("old", "new"))
    assert words(badge(same))[3] == "same effect on these names"
    (named,) = {one.metric_name.partition("), ")[2] for one in eval_results(both, dataset="org/eec")}
    assert named == "old-new"
    of_two = "**The first system's scores minus the second's (old-new): "
    assert model_card(both).splitlines()[4].startswith(of_two + "no difference found in any of ")
    assert model_card(same).splitlines()[4].startswith(of_two + "the groups compared get the same scores.**")
    assert not any(row.endswith("| not found |") for row in model_card(same).splitlines())
    assert of_two not in model_card(WOMEN)


def test_a_badge_is_of_the_system_asked_for() -> None:
    several = measure({"same": [0.5] * len(DATA), "b": female(DATA)}, DATA)
    assert words(badge(several, system="same")) == ["race", "no reaction", "gender", "no reaction"]
    assert words(badge(several, system="b")) == ["race", "effect 0 on these names", "gender", "female +1.00 throughout"]


def test_a_badge_is_of_the_stratum_asked_for() -> None:
    strata = measure(scores(DATA), DATA, by="emotion", axes=("race", "gender"), adjust="none")
    joy = pd.Series(DATA["emotion"] == "joy")
    alone = measure(scores(DATA)[joy], DATA[joy], axes=("race", "gender"), adjust="none")
    assert words(badge(strata, stratum="joy"))[1].split("≥")[1] == words(badge(alone))[1].split("≥")[1]


def test_a_badge_shows_an_interaction_that_differs() -> None:
    is_name = DATA["race"] != "unmarked"
    both = ((DATA["race"] == "Black") == (DATA["gender"] == "female")) & is_name
    crossed = measure(scores(DATA) + 0.1 * both, DATA)
    shown = words(badge(crossed))
    assert shown[0::2] == ["race", "gender", "race:gender"]
    assert shown[5].endswith("(difference of differences)")
    assert words(badge(crossed, ["race", "gender"])) == shown[:4]


def test_a_badge_shows_noun_phrases_that_differ() -> None:
    of_pairs = (DATA["race"] == "unmarked") & (DATA["gender"] == "female")
    assert words(badge(measure(scores(DATA) + 0.1 * of_pairs, DATA)))[0::2] == ["race", "gender", "gender (pairs)"]


def test_a_badge_shows_the_largest_of_several_levels() -> None:
    data = corpus(("Anglo", "Black", "Latino"), pairs=False)
    result = measure(scores(data, Anglo=-0.3, Black=0.25, Latino=0.02), data)
    found = sum(verdict.found for verdict in result.verdicts[:3])
    largest = f"Anglo {result.overall[0]['effect']:.3f}".replace("-0", "−")
    assert words(badge(result, "race"))[1] == f"{largest} and {found - 1} more"
    evil = "<b>&" + "x" * 200
    data = corpus(("Anglo", evil), pairs=False)
    assert words(badge(measure(scores(data, **{evil: 0.3}), data), "race"))[1] == "<b>&" + "x" * 55 + "…"
    # XML has no place for some characters.
    odd = DATA.replace({"gender": {"female": "fem\ufffe"}})
    assert "fem " in words(badge(measure(scores(DATA, female=0.1), odd)))[3]
