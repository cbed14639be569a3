"""What a report finds, in its headlines and counts: of one system or many, and only where it is so."""

import re

import perturbed
import pytest
from documents import Row, cell, document, markdown, no_spread, rendered, result, term
from elements import every

from eec_bias.methods import perturbation
from eec_datasets.audit import saving
from eec_datasets.audit.report import page
from eec_datasets.audit.report.document import Document, Entry, from_content
from eec_datasets.audit.report.document import units as document_units
from eec_datasets.audit.report.figures import draw_figures
from eec_datasets.audit.report.language import load_translator

TASKS = ("anger", "fear", "joy", "sadness", "valence")
BOTH = {"term": "race:gender", "axes": "race+gender", "level": "Black:female", "reference": "white:male"}
RACE = {"term": "race", "axes": "race", "level": "Black", "reference": "white"}
COUNTRY = {"term": "country", "axes": "country", "reference": "mean", "subset": "phrases"}


def submissions(count: int = 219) -> list[Row]:
    """Of every five systems two score women higher, one men, two show nothing; sizes differ."""
    rows = []
    for s in range(count):
        sign = (1, 1, -1, 0, 0)[s // 5 % 5]
        who = {"system": f"team{s:03d}", "task": TASKS[s % 5]}
        rows += [
            term(**who, effect=sign * (0.01 + s / 20_000), p_adjusted=0.01 if sign else 0.5),
            term(**who, subset="pairs"),
            term(**who, **RACE),
        ]
    return rows


def test_219_systems_are_counted_folded_with_findings_first_and_stay_small():
    html = rendered(*submissions())
    assert (
        "<li>gender: female − male. Systems found to give sentences with women&#39;s names higher scores than "
        "sentences with men&#39;s names: 90 of 219; lower ones: 45; without a detectable difference: 84.</li>"
    ) in html
    (row,) = every(r"<tr><th scope=\"row\">gender: female − male · joy</th>(.*?)</tr>", html)
    assert re.sub(r"<[^>]+>", " ", row).split() == ["44", "17", "18", "9", "0", "+0.0152", "−0.0156"]
    folded = every(r'<details class="system" id="s\d+" data-system="([^"]+)"><summary>[^<]*(<span|</summary>)', html)
    assert [mark for _, mark in folded] == ["<span"] * 135 + ["</summary>"] * 84
    assert folded[0][0] == "team214 (valence)"
    assert (html.count('class="filter" hidden'), html.count("<script>")) == (1, 1)
    assert html.count('<svg class="strip"') == 219 * 3
    assert len(html.encode()) < 3_000_000


def test_a_higher_effect_of_the_first_of_two_systems_is_not_counted_as_higher_scores_of_a_group():
    compared = result(*(term(system=f"pair{k}", effect=0.1, p_adjusted=0.01) for k in range(9)), compare="new-old")
    alone = result(*(term(system=f"lone{k}", effect=-0.1, p_adjusted=0.01) for k in range(9)))
    both = page.render(document(compared, alone, name="x"), form="md")
    assert "men's names: 0 of 9; lower ones: 9;" in both
    text = page.render(document(compared), form="md")
    assert "minus that of the second. Systems found to have an effect above 0: 9 of 9; below 0: 0;" in text
    assert "Systems found to give" not in text


def test_systems_side_by_side_main_terms_before_interactions(snapshot):
    results = [
        result(
            term(system=system, **BOTH, effect=0.3), term(system=system, effect=effect, p_adjusted=0.001),
            data=f"{config}@1.0.0#00",
        )
        for system, effect in (("one", 0.25), ("two", -0.125))
        for config in ("en-gender", "es-gender")
    ]  # fmt: skip
    snapshot.check("report-two-systems", page.render(document(*results), form="md").partition("\n### one")[0])
    html = page.render(document(*results))
    (table,) = every(r'<figure class="picture">.*?</table>', html)
    cells = re.findall(r'<td [^>]*class="found" data-value="([^"]+)">.*?<span aria-hidden="true">(.)</span>', table)
    assert cells == [("0.25", "▲"), ("-0.125", "▼"), ("0.25", "▲"), ("-0.125", "▼")]
    assert "<script" not in html


def test_below_a_table_of_differences_stand_the_notes_of_its_rows_only():
    found = term(**RACE, effect=0.04, p_adjusted=0.01, note="largest |t| of 4: Black")
    other = term(note="standard error 0")
    both = [[{**row, "system": system} for row in (other, found)] for system in "ab"]
    html = page.render(document(*(result(*rows) for rows in both)))
    shown, _, appendix = html.partition('<section id="appendix"')
    assert [part.count("[2] <span>largest |t| of 4: Black<") for part in (shown, appendix)] == [2, 2]
    assert [part.count("[1] <span>standard error 0<") for part in (shown, appendix)] == [0, 2]


def test_many_levels_are_one_cell_with_their_largest_and_share_a_sentence(snapshot):
    levels = [term(system=s, **COUNTRY, level=f"c{i}", effect=i / 100) for s in "ab" for i in range(26)]
    whole = [term(system=s, **COUNTRY, level="any", effect=None, p_adjusted=p) for s, p in (("a", 0.01), ("b", 0.6))]
    lines = markdown(*levels, *whole, axes=["country"])
    found = [*levels[:26], *whole[:1]]
    found[1] = found[1] | {"p_adjusted": 0.01}
    lines += markdown(*found, axes=["country"])
    said = [line for line in lines if line.startswith(("- ", "| country (phrases) | ▲", "| country (phrases) | ·"))]
    snapshot.check("report-many-levels", "\n".join(said))


def test_where_answers_are_lacking_or_classes_are_counted_rates_are_said_to_differ_and_not_scores():
    found = {"effect": 0.25, "p_adjusted": 0.001}
    refusals = [result(term(system=f"model {i}: no answer", **found)) for i in range(5)]
    both = document(*refusals, *(result(term(system=f"model {i}", **found)) for i in range(5)))
    lines = page.render(both, form="md").splitlines()
    more = "Systems found to give sentences with women's names higher scores than sentences with men's names: 5 of 5"
    assert f"- gender: female − male · mine. {more}; lower ones: 0; without a detectable difference: 0." in lines
    above = "Systems found to have an effect above 0: 5 of 5; below 0: 0; without a detectable difference: 0."
    assert f"- gender: female − male · mine · no answer. {above}" in lines
    said = [line for line in lines if line.startswith(("- Scores for", "- Rate of"))]
    rates = ["Rate of “no answer”, gender · female − male: +0.250." in line for line in said]
    assert rates == [True] * 5 + [False] * 5
    rows = [term(output="rate[yes]", subset=subset, **found) for subset in ("names", "pairs")]
    rates = [line for line in markdown(term(output="score", **found), *rows) if line.startswith("- Rate of")]
    assert ["Rate of “yes”, gender · female − male: +0.250." in line for line in rates] == [True, True]
    assert ["[pairs]" in line.replace("\\", "") for line in rates] == [False, True]


def test_a_system_that_answers_nothing_is_not_said_to_give_everybody_the_same_score():
    equal = {"effect": 0.0, "se": 0.0, "p": 1.0, "p_adjusted": 1.0, "ci_low": None, "ci_high": None, "mde": None}
    rows = {system: term(system=system, **equal) for system in ("mine: no answer", "mine")}
    said = {
        system: "gives the same score" in rendered(row, form="md", no_spread=[no_spread(row, "no_reaction")])
        for system, row in rows.items()
    }
    assert said == {"mine: no answer": False, "mine": True}


@pytest.mark.parametrize("language", ["en", "es", "ar"])
def test_a_difference_is_called_the_largest_only_where_it_is_and_beside_an_interaction_that_of_groups(language):
    translator = load_translator(language)
    keys = ("largest", "largest_tied", "largest_simple")
    said = {key: translator.say(f"headline.{key}", where="mine") for key in keys}
    crossed = term(**BOTH, effect=0.3, p_adjusted=0.01)
    for key, effect, more in zip(keys, (0.04, -0.05, 0.04), ([], [], [crossed]), strict=True):
        rows = [term(effect=0.05, p_adjusted=0.01), term(**RACE, effect=effect, p_adjusted=0.01), *more]
        text = rendered(*rows, language=language)
        assert [key for key, sentence in said.items() if sentence in text] == [key]


def test_a_level_is_called_the_largest_only_where_no_other_has_a_larger_effect():
    for other, largest in ((0.05, True), (0.2, False), (-0.1, False)):
        levels = [term(**COUNTRY, level="a", effect=0.1, p_adjusted=0.01), term(**COUNTRY, level="b", effect=other)]
        assert any("The largest of 2 differences." in line for line in markdown(*levels, axes=["country"])) is largest


def test_a_level_without_an_effect_is_none_of_those_among_which_another_is_the_largest():
    none = dict.fromkeys(("se", "p", "p_adjusted", "ci_low", "ci_high", "mde"))
    known = [term(**COUNTRY, level=level, effect=size, p_adjusted=0.01) for level, size in (("a", 0.1), ("b", 0.2))]
    lines = markdown(*known, term(**COUNTRY, level="c", effect=None) | none, axes=["country"])
    assert [line[:31] for line in lines if "largest of" in line] == ["- The largest of 2 differences."]


def test_a_part_of_a_corpus_without_a_name_is_called_by_its_own_alone():
    rows = [term(stratum=stratum, p_adjusted=0.01, effect=effect) for stratum, effect in (("joy", 0.1), ("fear", 0.2))]
    (line,) = [line for line in markdown(*rows, data="?") if line.startswith("- **mine**")]
    assert "The largest is that on fear." in line


def test_differences_of_two_systems_that_share_a_sentence_all_stand_in_it_and_name_their_sentences():
    results = [
        result(term(effect=effect, p_adjusted=0.001, subset="pairs"), data=f"{config}@1.0.0#00", compare="a-b")
        for effect, config in ((-0.05, "en-gender"), (-0.2, "es-gender"))
    ]
    text = page.render(document(*results), form="md")
    assert "The effects of the two systems (a-b) differ by −0.200 to −0.0500. " in text
    (line,) = [line for line in text.splitlines() if "−0.200 to" in line]
    assert "pairs" in line


def test_effects_by_two_cues_are_told_to_differ_with_their_sign_and_not_as_higher_scores():
    cues = {"level": "Black:names", "reference": "white:mentions", "subset": "names-mentions", "p_adjusted": 0.001}
    lines = markdown(term(term="race:cue", axes="race+cue", effect=-0.1, **cues))
    said = "Black − white (names − explicit mentions). The effects by names and by explicit mentions differ by −0.100."
    assert sum(said in line for line in lines) == 2


@pytest.mark.parametrize("language", ["en", "es", "ar"])
def test_the_verdict_on_two_systems_is_not_one_on_either(language, snapshot):
    """Both may differ between groups, and alike."""
    still = term(effect=0.0, se=0.0, p=None, p_adjusted=None, mde=None)
    parts = {"alike": [term()], "same": [still], "both": [still, term(**RACE)]}
    texts = []
    for name, rows in parts.items():
        spread = [no_spread(still, "zero")] if still in rows else []
        part = result(*rows, score_range=[-1.0, 1.0], no_spread=spread, compare="before-after")
        text = page.render(document(part, name=name), form="md", language=language)
        texts += [line for line in text.splitlines() if line.startswith(f"- **{name}**")]
        texts += text.partition(f"\n### {name}\n")[2].partition("\n|")[0].splitlines()
    snapshot.check(f"report-compared-{language}", "\n".join(texts) + "\n")


@pytest.mark.parametrize(
    ("adjust", "said"), [("holm", "difference 0.0200, not adjusted."), ("none", "difference 0.0200.")]
)
def test_a_shared_sentence_says_that_the_detectable_difference_is_not_adjusted_where_p_is(adjust, said):
    results = [result(term(), data=f"{config}@1.0.0#00", adjust=adjust) for config in ("en-gender", "es-gender")]
    assert f"in any of them at this number of persons and sentences; smallest detectable {said}" in page.render(
        document(*results), form="md"
    )


@pytest.mark.parametrize(("adjust", "within"), [("holm", True), ("bh", False), ("none", False)])
def test_what_p_is_adjusted_for_is_said_only_where_it_is(adjust, within):
    text = rendered(*(term(system=f"s{i}") for i in range(9)), adjust=adjust, form="md")
    assert ("not across the 9 systems" in text) is within
    assert ("p is adjusted for the number of terms" in text) is (adjust != "none")


ZERO = {"effect": 0.0, "se": 0.0, "p": None, "p_adjusted": None}
ALL = "The system does not react to these persons at all: it gives the same score whoever is mentioned."


def test_no_reaction_is_said_of_a_system_only_where_all_scores_compared_are_equal():
    three = [term(**ZERO), term(**ZERO | RACE), term(**ZERO | BOTH)]
    described = term(term="label_dist", axes="", level="0.8", reference="original", **ZERO)
    for rows, kinds, said in (
        (three, ("no_reaction", "no_reaction", "zero"), True),
        (three, ("no_reaction", "zero", "zero"), False),
        (three[2:], ("zero",), False),
        ([three[0], term(**RACE)], ("no_reaction", None), False),
        ([described], (None,), False),
    ):
        for systems in ([{}], [{"system": "a"}, {"system": "b"}]):
            own = [system | row for system in systems for row in rows]
            still = [no_spread(row, kind) for row, kind in zip(own, kinds * len(systems), strict=True) if kind]
            assert any(f"**{ALL}**" in line for line in markdown(*own, no_spread=still)) is said


@pytest.mark.parametrize(
    "beside",
    [
        {"variances": [{"subset": "names", "source": "persons", "sd": 0.3, "share": 1.0}]},
        {"cells": [cell(5, gender="female"), cell(5, gender="female") | {"subset": "pairs", "mean": 0.9}]},
    ],
)
def test_a_system_that_tells_persons_apart_which_no_row_compares_is_not_said_to_react_to_nobody(beside):
    rows = [term(**ZERO), term(**ZERO | RACE)]
    lines = markdown(*rows, no_spread=[no_spread(row, "no_reaction") for row in rows], **beside)
    assert not any(ALL in line for line in lines)
    assert any("Every effect is 0." in line for line in lines)


def test_what_could_have_been_found_is_said_on_one_scale_and_with_why_it_is_rough():
    words, rate = "would have been found with at least", {"output": "rate[yes]", "mde": 0.3}
    assert words in "".join(markdown(term(output="score"), term(**rate), adjust="none"))
    assert words not in "".join(markdown(term(output="score"), term(**rate), adjust="none", score_range=[0, 100]))
    (line,) = (line for line in markdown(term(rough="fewer than 6 items")) if words in line)
    assert line.endswith("had it been tested alone. This is rough (fewer than 6 items).")


@pytest.mark.parametrize(("count", "more"), [(3, ""), (4, " and 1 more"), (5, " and 2 more")])
def test_three_names_that_are_far_are_named_and_the_others_counted(count, more):
    far = [{"form": f"Ann{i}", "labels": {"gender": "female"}, "distance": 0.4, "p": 0.001} for i in range(count)]
    saved = saving.audit([{"system": "mine", "result": result(), "standouts": far}], [])
    text = page.render(from_content(saved, "a.json", ""), form="md")
    names = "; ".join(f"Ann{i} (female) +0.400" for i in range(3))
    assert f"tested alone. Far from the other names of their group: {names}{more}.\n" in text


def test_of_tied_differences_beside_an_interaction_none_is_called_the_largest():
    effects = [term(effect=0.5, p_adjusted=0.01), term(**RACE, effect=0.5, p_adjusted=0.01)]
    text = rendered(*effects, term(**BOTH, effect=1.0, p_adjusted=0.01), form="md")
    assert "Of the differences between groups, none is larger than that on mine." in text


def test_of_a_procedure_that_adjusts_over_systems_it_is_not_said_that_it_does_not():
    rows = [term(system=f"s{i}", p_adjusted=0.01) for i in range(9)]
    assert "not across the 9 systems" not in rendered(*rows, adjust="bonferroni/18", method="rating", tables={})
    assert "number of terms of all systems on one corpus" in rendered(*rows, adjust="bh")


def test_numbers_that_compare_no_groups_are_no_comparisons():
    rating = {"term": "rating", "axes": "", "level": "", "reference": "", "subset": "1", "p": None, "p_adjusted": None}
    rows = [row for system in "ab" for row in (term(system=system), term(system=system, **rating))]
    lines = markdown(*rows, method="rating", tables={})
    assert lines.count("- Comparisons: 1; 1 without a detectable difference.") == 2
    assert any(line.startswith("| rating (1)") for line in lines)


def test_a_measure_without_a_value_is_no_comparison_that_could_not_be_tested():
    measure = {"term": "correlation", "axes": "", "level": "", "reference": "", "effect": None, "p": None}
    still = term(effect=0.0, se=0.0, p=1.0, p_adjusted=1.0)
    page = "\n".join(markdown(still, term(**measure, p_adjusted=None), method="perturbation", tables={}))
    assert "Every effect is 0." in page
    assert "No comparison could be tested" not in page


def test_warnings_are_said_once_and_name_what_they_are_of():
    items = [no_spread(term(), "wording", "t01/sad", "t02/sad"), no_spread(term(level="x"), "wording", "t02/sad")]
    (line,) = [line for line in markdown(no_spread=items) if "wording that goes with them" in line]
    assert line.startswith("- mine · mine (names): ")
    assert line.endswith("in 2 items: t01/sad, t02/sad.")


def test_what_results_note_is_said_once_of_a_corpus_or_else_of_the_systems_that_have_it():
    noted = {"a": ["of all", "of two"], "b": ["of all", "of two"], "c": ["of all"]}
    saved = [{"system": name, "config": "tiny", "result": result(notes=notes)} for name, notes in noted.items()]
    text = page.render(from_content(saving.audit(saved, []), "a.json", ""), form="md").splitlines()
    assert [line for line in text if line.endswith((": of all", ": of two"))] == [
        "- tiny: of all",
        "- a · tiny and b · tiny: of two",
    ]


@pytest.mark.parametrize("language", ["en", "es", "ar-EG"])
def test_twenty_systems_in_every_language(language, snapshot):
    text = rendered(*submissions(20), form="md", language=language)
    snapshot.check(f"report-twenty-{language}", text.partition("\n### team")[0])


def test_corpora_share_a_sentence_only_where_all_of_it_holds_of_each():
    same = [term(effect=effect, se=0.0, p=None, p_adjusted=None, mde=None) for effect in (0.1, 0.1, 0.2, 0.1)]
    more = [[term(**BOTH, effect=0.2, p_adjusted=0.001)], [], [], []]
    results = [
        result(row, *more[i], data=f"c{i}@1#00", no_spread=[no_spread(row, "same_difference")])
        for i, row in enumerate(same)
    ]
    lines = page.render(document(*results), form="md").splitlines()
    said = {line.rpartition("(On ")[2]: line for line in lines if line.startswith("- Scores for sentences with women")}
    assert set(said) == {"c0.)", "c1 and c3.)", "c2.)"}
    assert ["average over" in line for line in said.values()] == [place == "c0.)" for place in said]
    rough = [term(p_adjusted=0.01, effect=0.1, rough=why) for why in ("fewer than 6 items", "")]
    text = page.render(document(*(result(row, data=f"c{i}@1#00") for i, row in enumerate(rough))), form="md")
    (line,) = [line for line in text.splitlines() if line.startswith("- Scores") and "rough" in line]
    assert line.endswith("This is rough (fewer than 6 items). (On c0.)")


def test_a_reason_to_call_differences_rough_is_named_once():
    few, both = "fewer than 4 runs", "fewer than 8 degrees of freedom; fewer than 4 runs"
    (line,) = [line for line in markdown(term(rough=few), term(**RACE, rough=both)) if line.startswith("- **mine**")]
    assert line.count(few) == 1


def test_what_would_have_been_found_of_deviations_is_not_said_of_two_groups():
    for reference, between in (("mean", False), ("a", True)):
        rows = [term(**COUNTRY | {"reference": reference}, level=level) for level in ("b", "c")]
        (line,) = [line for line in markdown(*rows, axes=["country"]) if line.startswith("- **mine**")]
        assert ("Between groups, a difference" in line) is between
        assert ("of a group from the mean of all" in line) is not between


def test_persons_of_sentences_that_are_not_ours_are_called_by_their_labels_alone():
    rows = [term(**RACE, p_adjusted=0.01, effect=0.1), term(subset="pairs")]
    for data, ours in (("mine@1.0.0#00ff", True), ("mine.csv", False), ("?", False)):
        said = [line for line in markdown(*rows, data=data) if line.startswith("- Scores")]
        assert [" names " in said[0], " women (such" in said[1]] == [ours, ours]
        assert all(("of the group “" in line) is not ours for line in said)
    both = document(*(result(*rows, data=data) for data in ("mine@1.0.0#00ff", "mine.csv")))
    lines = page.render(both, form="md").splitlines()
    assert [line for line in lines if "eec measure" in line] == [
        f"    eec measure SCORES.csv {which}" for which in ("--config NAME", "--data TABLE")
    ]
    assert page.render(both).count("differ only in the person mentioned") == 2
    confounded = rendered(*rows, method="rating", tables={})
    assert "differ only in the person" not in confounded
    assert "eec measure SCORES.csv --data TABLE --method rating" in confounded
    assert "differ only in the person mentioned." not in page.render(document(result(*rows, data="mine.csv")))
    said = [line for line in lines if line.startswith("- Scores")]
    assert ["(On mine.csv.)" in line for line in said] == ["of the group “" in line for line in said]


def test_groups_with_few_persons_are_listed_once_whatever_the_parts():
    cells = [{"stratum": part} | cell(3, race="Black", gender=level) for part in "abcd" for level in ("female", "male")]
    rows = [term(stratum=part) for part in "abcd"]
    (line,) = [line for line in markdown(*rows, cells=cells) if "fewer than 5 persons" in line]
    assert "(Black · female: 3; Black · male: 3)" in line


def test_where_some_comparisons_are_0_it_is_not_said_that_none_could_be_tested():
    still = term(effect=0.0, se=0.0, p=1.0, p_adjusted=1.0, mde=None)
    untested = term(**RACE | {"effect": 0.1}, p=None, p_adjusted=None)
    (line,) = [line for line in markdown(still, untested) if line.startswith("- **mine**")]
    assert "**Not tested: 1 of 2.** In 1 of 2 there is no reaction, or an effect of 0." in line
    (line,) = [line for line in markdown(untested) if line.startswith("- **mine**")]
    assert "No comparison could be tested." in line


def test_readers_who_do_not_see_the_picture_are_told_the_verdict_of_the_table():
    flat = term(effect=0.1, se=0.0, p=None, p_adjusted=None, mde=None)
    html = rendered(flat, term(**BOTH, effect=0.2, p_adjusted=0.01), no_spread=[no_spread(flat, "same_difference")])
    assert every(r'<span class="hide"> ([^<]+)<', html) == ["difference on average", "difference"]


def test_of_results_that_adjust_p_in_several_ways_none_is_told_as_that_of_all():
    within, across, none = (result(term(system=how), adjust=how) for how in ("holm", "bh", "none"))
    for parts, told in (((within,), True), ((within, across), False), ((within, none), False)):
        text = page.render(document(*parts), form="md")
        assert ("number of terms" in text, "not adjusted alike" in text) == (told, not told)


def test_what_a_system_does_not_answer_is_counted_as_no_other_system():
    rows = [term(system=f"s{i}{more}") for i in range(5) for more in ("", ": no answer")]
    html = rendered(*rows)
    assert ">5 systems.<" in html
    assert (html.count("Scores declared as"), html.count("Shares of the answers to a sentence")) == (5, 5)
    assert "not across the 5 systems" in html


def test_differences_on_several_scales_do_not_share_a_sentence():
    scales = [[0.0, 1.0], [1.0, 5.0], [0.0, 1.0]]
    results = [
        result(term(effect=0.1, p_adjusted=0.01), data=f"c{i}@1#00", score_range=limits)
        for i, limits in enumerate(scales)
    ]
    lines = [line for line in page.render(document(*results), form="md").splitlines() if line.startswith("- Scores")]
    assert [line.rpartition("(On ")[2] for line in lines] == ["c0 and c2.)", "c1.)"]


def test_only_effects_on_scores_are_said_to_be_in_units_of_the_scores():
    for output, units in (("score", True), ("rate[joy]", False)):
        html = rendered(term(output="score"), term(output=output, **RACE))
        assert ("Effects in units of the scores." in html, "rates in shares" in html) == (units, not units)


def test_a_measure_without_a_unit_is_a_share_of_no_scale():
    distance = term(term="label_dist", level="3", effect=0.5, p=None, p_adjusted=None, mde=None)
    entry = result(distance, term(), method="perturbation", tables={}, score_range=[1.0, 5.0])
    html = page.render(document(entry))
    assert "but for correlation and label_dist, which have none" in html
    measures_alone = page.render(document(result(distance, method="perturbation", tables={})))
    assert ("No groups are compared" in measures_alone, "Comparisons:" in measures_alone) == (True, False)
    (unit,) = document_units(document(entry).entries)
    assert [unit.span(judged.row) for judged in unit.rows] == [1.0, 4.0]


def test_the_items_drawn_beside_perturbation_measures_are_those_of_a_group():
    data = perturbed.corpus()
    for f in (perturbed.scores(data), [0.5] * len(data)):
        entry = Entry("p", perturbation(f, data, group="gender", thresholds=0.5), "s")
        captions = draw_figures(document_units([entry]))["captions.txt"].decode()
        assert "04-items: gender item by item." in captions


def test_a_system_that_scores_names_unlike_the_originals_is_not_said_to_show_no_reaction():
    data = perturbed.corpus()
    still = [0.5] * len(data)
    moved = [0.2 if person == "original" else 0.5 for person in data["person"]]
    for f, line in (
        (still, "does not react to these persons at all"),
        (moved, "Every difference between groups is 0."),
    ):
        entry = Entry("p", perturbation(f, data, group="gender", thresholds=0.5), "s")
        assert [
            text for text in ("does not react", "between groups is 0") if text in page.render(Document([entry]))
        ] == [text for text in ("does not react", "between groups is 0") if text in line]
