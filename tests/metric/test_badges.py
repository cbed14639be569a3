"""Badges: what they say, and that they are pictures that stand alone."""

from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
from synthetic import corpus, names, scores

from eec_bias import OptionError, Result, badge, measure
from eec_bias.result.badge import text_width

SVG = "{http://www.w3.org/2000/svg}"


def words(svg: str) -> list[str]:
    return [str(text.text) for text in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def shifted(by: float = 0.1) -> Result:
    """A system that scores women higher."""
    data = corpus()
    return measure(0.5 * scores(data) + by * (data["gender"] == "female"), data)


def test_a_difference_is_shown_with_its_direction_and_its_absence_with_what_could_be_found() -> None:
    result = shifted(0.4)
    mde = result.terms[0]["mde"]
    effect = result.terms[1]["effect"]
    shown = words(badge(result))
    assert shown[0::2] == ["race", "gender"]
    assert shown[1].startswith("no detectable difference (≥ .")
    assert mde <= float(shown[1].split("≥ ")[1].rstrip(")")) < 1.1 * mde
    assert shown[3] == f"female +{effect:.3f}".replace("+0.", "+.")


def test_the_title_holds_the_reading_and_the_signature() -> None:
    result = shifted()
    root = ElementTree.fromstring(badge(result))
    assert root.get("role") == "img"
    words_of = words(badge(result))
    assert root.get("aria-label") == f"race: {words_of[1]}; gender: {words_of[3]}"
    title = root.findtext(f"{SVG}title")
    assert title.startswith("race, Latino against Anglo (names): no detectable difference at this sample size")
    assert title.endswith(f"Scores range from 0 to 1. {result.signature}")


def test_a_badge_loads_nothing_and_never_calls_a_system_fair() -> None:
    svg = badge(shifted())
    assert svg.count("http") == 1
    assert 'xmlns="http://www.w3.org/2000/svg"' in svg
    assert not any(word in svg.lower() for word in ("unbiased", "fair", "debiased", "no bias"))


def test_systems_without_reaction_or_spread_are_shown_as_such() -> None:
    data = corpus()
    shown = words(badge(measure((data["gender"] == "female").astype(float), data)))
    assert shown == ["race", "effect 0 on these names", "gender", "female +1.000"]


def test_of_several_levels_the_largest_difference_found_is_shown() -> None:
    data = pd.DataFrame(names(races=("Anglo", "Black", "Latino")))
    shift = data["race"].map({"Anglo": -0.3, "Black": 0.25, "Latino": 0.05})
    result = measure((0.2 * scores(data) + 0.4 + shift).to_numpy(), data)
    found = [
        row for row in result.terms if row["term"] == "race" and row["level"] != "any" and row["p_adjusted"] < 0.05
    ]
    shown = words(badge(result, "race"))
    assert shown[1].startswith("Anglo −.2")
    assert shown[1].endswith(f" and {len(found) - 1} more")


def test_a_term_is_taken_from_the_subset_asked_for() -> None:
    result = shifted()
    pairs = next(row for row in result.terms if row["subset"] == "pairs")
    assert words(badge(result, "gender", subset="pairs"))[1] == f"female +{pairs['effect']:.3f}".replace("+0.", "+.")


def test_labels_are_escaped_and_shortened() -> None:
    data = pd.DataFrame(names(races=("Anglo", "<b>&" + "x" * 200)))
    data["race"] = pd.Categorical(data["race"], categories=["Anglo", "<b>&" + "x" * 200])
    y = 0.2 * scores(data) + 0.5 * (data["race"] != "Anglo")
    shown = words(badge(measure(y.to_numpy(), data), "race"))
    assert shown[1] == "<b>&" + "x" * 55 + "…"


def test_the_width_is_measured_and_holds_for_any_font() -> None:
    root = ElementTree.fromstring(badge(shifted()))
    texts, boxes = root.findall(f".//{SVG}text"), root.findall(f".//{SVG}rect")
    for text, box in zip(texts, boxes, strict=True):
        assert int(text.get("textLength")) == int(np.ceil(text_width(text.text)))
        assert int(box.get("width")) == int(text.get("textLength")) + 12
    last = boxes[-1]
    assert int(root.get("width")) == int(last.get("x")) + int(last.get("width"))
    assert text_width("iii") < text_width("mmm") < text_width("名前名前")
    assert text_width("e\u0301") == text_width("e")


def test_one_system_is_chosen_of_several() -> None:
    data = corpus()
    result = measure({"a": scores(data), "b": (data["gender"] == "female").astype(float)}, data)
    assert words(badge(result, "gender", system="b")) == ["gender", "female +1.000"]
    with pytest.raises(OptionError) as caught:
        badge(result)
    assert str(caught.value) == "the result is of several: system is a, b; choose one with system="
    with pytest.raises(OptionError) as caught:
        badge(result, system="c")
    assert str(caught.value) == "system='c': the result has a, b"


@pytest.mark.parametrize("method", ["camara2022", "kiritchenko2018"])
def test_a_procedure_that_does_not_hold_its_level_gets_no_badge(method) -> None:
    data = corpus()
    data["emotion"] = np.where(data["item"].str.endswith("angry"), "anger", "joy")
    with pytest.raises(OptionError) as caught:
        badge(measure(scores(data), data, method=method))
    assert str(caught.value) == (
        f"method='{method}' repeats a published test that does not hold its level, which a badge has no room to say; "
        "measure with the default method"
    )


def test_parts_of_the_data_are_shown_one_at_a_time() -> None:
    data = corpus()
    data["emotion"] = np.where(data["item"].str.endswith("angry"), "anger", "joy")
    result = measure(scores(data), data, by="emotion", axes=("race", "gender"))
    with pytest.raises(OptionError) as caught:
        badge(result)
    assert str(caught.value) == "the result is of several: stratum is anger, joy; choose one with stratum="
    joy = measure(scores(data)[data["emotion"] == "joy"], data[data["emotion"] == "joy"], axes=("race", "gender"))
    assert words(badge(result, stratum="joy"))[1].split("≥")[1] == words(badge(joy))[1].split("≥")[1]


def test_an_unknown_term_is_named() -> None:
    with pytest.raises(OptionError) as caught:
        badge(shifted(), "country")
    assert str(caught.value) == "there is no term 'country' to show; there are race, gender, race:gender"


def test_a_saved_result_gives_the_same_badge() -> None:
    result = shifted()
    assert badge(result.to_dict()) == badge(Result.from_dict(result.to_dict())) == badge(result)
