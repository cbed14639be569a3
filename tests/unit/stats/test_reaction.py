"""Reactions against numbers computed in R by loops over their definitions, on every way in."""

import json
import math
from collections.abc import Callable

import duckdb
import numpy as np
import pandas as pd
import pytest
from deaf import deaf_list
from places import ORACLES

from eec_bias import OptionError, Result, compare, measure
from eec_bias.assembly.reaction import AGREES, SAME
from eec_bias.inputs.containers import read_source
from eec_bias.inputs.design import build_design
from eec_bias.inputs.observed import label_rows
from eec_bias.integrations.evaluate_metric import BiasMetric
from eec_bias.measurement import Measurement, Origin
from eec_bias.options import DEFAULTS, VALENCE
from eec_bias.result.gate import failures
from eec_bias.stats.families import cluster_names
from eec_bias.stats.incomplete import fill_within_cells
from eec_bias.stats.reaction import ReactionItems, ReactionScores, compare_reactions, compare_within_bases
from eec_datasets.report.html import render as render_html
from eec_datasets.report.page import compose
from eec_datasets.report.text import plain

REFERENCES = {"2x2": {"gender": "male", "race": "A"}, "3levels": None, "pairs": {"gender": "male"}}
CLASSES = {"": None, "agreeing": AGREES, "other": SAME}


def answers(name: str) -> list[dict]:
    return json.loads((ORACLES / f"reaction_{name}.json").read_text(encoding="utf-8"))


def rows_of(name: str) -> pd.DataFrame:
    data = pd.read_csv(ORACLES / f"reaction_{name}.csv")
    data["item"] = data["template"] + "/" + data["word"]
    data["pair"] = data["item"]
    if "base" in data:
        data["person"] = data["base"] + "-" + data["gender"]
        data["pair"] = data["item"] + "/" + data.pop("base")
    return data


def key_of(answer: dict) -> tuple:
    term, _, part = answer["name"].partition(", ")
    term, _, levels = term.partition(" ")
    return term, levels, CLASSES[part]


def measured(data: pd.DataFrame, how: str, reference: dict | None) -> list[dict]:
    labels, axes = data.drop(columns="score"), [name for name in ("race", "gender", "region") if name in data]
    options = {"axes": axes, "reference": reference, "score_range": None}
    if how == "table":
        return list(measure("score", duckdb.from_df(data), **options).terms)
    if how == "compute":
        further = [name for name in ("word_form", "emotion", "template", "word") if name in data]
        families = [name for name in ("family", "ending") if name in data]
        columns = {name: data[name].tolist() for name in (*axes, "person", "item", "pair", *further, *families)}
        scored = {"predictions": data["score"].tolist(), "references": columns}
        return BiasMetric(axes=axes).compute(**scored, reference=reference, score_range=None)["terms"]
    return list(measure(data["score"], labels, **options).terms)


def assert_equal(row: dict, answer: dict) -> None:
    near = {"rel": 1e-9, "abs": 1e-12}
    assert row["effect"] == pytest.approx(answer["effect"], **near)
    assert row["se"] == pytest.approx(answer["se"], **near)
    if answer["df"] is not None:
        assert row["df"] == pytest.approx(answer["df"], **near)
    assert row["difference"] == pytest.approx(answer["difference"]["estimate"], **near)
    if row["ratio"] is not None:
        assert row["p"] == pytest.approx(answer["p"], **near)
        for key in ("ci_low", "ci_high", "ratio", "ratio_low", "ratio_high"):
            expected = None if answer[key] == "Inf" else pytest.approx(answer[key], **near)
            assert row[key] == expected


@pytest.mark.parametrize("how", ["memory", "table", "compute"])
@pytest.mark.parametrize("name", ["2x2", "3levels", "pairs", "lexicon"])
def test_reactions_equal_the_formula_on_every_path(name: str, how: str) -> None:
    rows = measured(rows_of(name), how, REFERENCES.get(name, {"gender": "male"}))
    rows = [row for row in rows if row["term"].endswith(":reaction") and row["emotion"] is None]
    found = {(row["term"], "", row["agreement"]): row for row in rows}
    found |= {(row["term"], row["level"], row["agreement"]): row for row in rows}
    for answer in answers(name):
        if answer["kind"] != "heard" and " against " not in answer["name"]:
            assert_equal(found[key_of(answer)], answer)


def test_a_reaction_against_another_level_equals_the_formula() -> None:
    rows = measured(rows_of("3levels"), "memory", {"region": "north"})
    whole = [row for row in rows if row["term"] == "region:reaction" and row["emotion"] is None]
    (row,) = (row for row in whole if row["level"] == "west")
    assert_equal(row, next(answer for answer in answers("3levels") if " against " in answer["name"]))


@pytest.mark.parametrize("name", ["pairs", "lexicon"])
def test_reactions_within_pairs_equal_the_formula_also_where_they_cannot_be_compared(name: str) -> None:
    data = rows_of(name)
    observed = label_rows(read_source(data.drop(columns="score")), DEFAULTS)
    (table,) = build_design(observed, reference={"gender": "male"}, incomplete="estimate").tables
    persons = table.within_bases(np.array([0, 1]))
    sides = table.gather(data["score"].to_numpy()[None])[:, persons]
    by_item = data.groupby("item")["word_form"].nunique() > 1
    agrees = np.array([by_item[item] for item in table.items])
    clusters = cluster_names(np.zeros(len(persons), dtype=np.intp))
    for answer in answers(name):
        if answer["kind"] == "heard":
            continue
        only = {"": None, "agreeing": True, "other": False}[answer["name"].partition(", ")[2]]
        items = ReactionItems(table.facets, VALENCE, agrees, only)
        found = compare_within_bases(sides[..., items.chosen], None, np.array([1.0, -1.0]), clusters, items, 1.0)
        for key, tested in (("average", found.average), ("difference", found.points)):
            for name_of, value in (("estimate", tested.effect), ("se", tested.se), ("df", tested.df), ("p", tested.p)):
                if answer[key][name_of] is not None:
                    assert value[0, 0] == pytest.approx(answer[key][name_of], rel=1e-9)
        assert found.share.effect[0, 0] == pytest.approx(answer["effect"], rel=1e-9)
        if answer["p"] is not None:
            assert found.share.p[0, 0] == pytest.approx(answer["p"], rel=1e-9)


def test_words_heard_for_one_member_of_a_pair_equal_the_count_by_hand() -> None:
    (expected,) = (answer for answer in answers("lexicon") if answer["kind"] == "heard")
    rows = measured(rows_of("lexicon"), "memory", {"gender": "male"})
    (row,) = (row for row in rows if row["term"] == "gender:heard")
    assert (row["only_level"], row["only_reference"]) == (expected["only_first"], expected["only_second"])
    assert [row[key] for key in ("both", "neither", "words")] == [expected[key] for key in ("both", "neither", "words")]
    assert [row[key] for key in ("p", "p_words", "p_bases")] == [expected[key] for key in ("p", "p_words", "p_bases")]
    assert [word for word, *_ in row["words_reference"]] == expected["words_second"]


def test_runs_of_one_score_change_nothing_but_what_runs_add() -> None:
    data = rows_of("2x2")
    labels, y = data.drop(columns="score"), data["score"].to_numpy()
    noise = np.random.default_rng(1).normal(0, 0.02, (3, len(y)))
    runs = y + noise - noise.mean(axis=0)
    options = {"axes": ["race", "gender"], "reference": REFERENCES["2x2"], "score_range": None}
    one = measure(y, labels, **options)
    three = measure(runs, labels, runs=["a", "b", "c"], **options)
    for row, other in zip(one.by_reaction, three.by_reaction, strict=True):
        if row.effect is not None:
            assert other.effect == pytest.approx(row.effect, rel=1e-9)
            assert other.se >= row.se * (1 - 1e-9)


def test_a_few_missing_scores_are_filled_and_many_are_not() -> None:
    data = rows_of("2x2")
    labels, y = data.drop(columns="score"), data["score"].to_numpy().copy()
    options = {"axes": ["race", "gender"], "reference": REFERENCES["2x2"], "score_range": None}
    whole = {row.comparison: row for row in measure(y, labels, **options).by_reaction}
    y[:3] = np.nan
    for row in measure(y, labels, **options).by_reaction:
        if row.effect is not None:
            assert row.effect == pytest.approx(whole[row.comparison].effect, abs=0.03)
    y[: len(y) // 8] = np.nan
    lacking = [row for row in measure(y, labels, **options).by_reaction if row.term == "gender:reaction"]
    assert [(row.effect, row.notes[0].key) for row in lacking] == [(None, "reaction_lacks_answers")]


def test_holes_are_filled_by_person_and_item_within_the_cell() -> None:
    rng = np.random.default_rng(7)
    cell = np.repeat([0, 1], 5)
    # Items move the two cells apart, which what fills a hole of one must not take over from the other.
    whole = rng.normal(size=(10, 1)) + rng.normal(size=(2, 8))[cell]
    holes = np.where(rng.random(whole.shape) < 0.1, np.nan, whole)
    assert np.isnan(holes).any()
    np.testing.assert_allclose(fill_within_cells(holes[None], cell)[0], whole, atol=1e-12)


def test_the_sign_of_the_scale_is_only_a_label() -> None:
    data = rows_of("2x2")
    labels, y = data.drop(columns="score"), data["score"]
    options = {"axes": ["race", "gender"], "reference": REFERENCES["2x2"], "score_range": None}
    one, turned = (measure(scores, labels, **options).by_reaction for scores in (y, -y))
    for row, other in zip(one, turned, strict=True):
        assert other.ratio == (None if row.ratio is None else pytest.approx(row.ratio, rel=1e-9))
        assert other.p == (None if row.p is None else pytest.approx(row.p, rel=1e-9))
        if row.reaction is not None:
            assert other.reaction == pytest.approx(-row.reaction)


def test_valence_names_the_signs_of_emotions_of_the_data() -> None:
    data = rows_of("2x2")
    labels, y = data.drop(columns="score").replace({"emotion": {"joy": "glad", "anger": "mad"}}), data["score"]
    options = {"axes": ["race", "gender"], "reference": REFERENCES["2x2"], "score_range": None}
    result = measure(y, labels, valence={"glad": 1, "mad": -1}, **options)
    by_default = measure(y, data.drop(columns="score"), valence={"joy": 1, "anger": -1}, **options)
    assert [row.effect for row in result.by_reaction] == [row.effect for row in by_default.by_reaction]
    assert "reaction_leaves_out" in [note.key for note in result.notes]
    with pytest.raises(OptionError, match=r"valence names the emotion 'joy'; the emotions of the data are .*glad"):
        measure(y, labels, valence={"joy": 1, "mad": -1}, **options)
    with pytest.raises(OptionError, match=r"expected 1 for each positive emotion and -1 for each negative one"):
        measure(y, labels, valence={"glad": 1}, **options)


def test_reaction_questions_share_the_second_half_of_the_error_rate() -> None:
    rows = measured(rows_of("2x2"), "memory", REFERENCES["2x2"])
    result = measure(
        rows_of("2x2")["score"],
        rows_of("2x2").drop(columns="score"),
        axes=["race", "gender"],
        reference=REFERENCES["2x2"],
        score_range=None,
    )
    assert [each.term for each in result.plan.second] == [
        "race:emotion",
        "gender:emotion",
        "race:reaction",
        "gender:reaction",
    ]
    (row,) = (row for row in rows if row["term"] == "gender:reaction" and row["agreement"] is row["emotion"] is None)
    assert row["p_adjusted"] == pytest.approx(8 * row["p"])
    assert math.isclose(row["mde_ratio"], (2 - row["mde"]) / (2 + row["mde"]))


def test_compare_reactions_scales_with_the_unit_of_the_scores() -> None:
    data = rows_of("2x2")
    observed = label_rows(read_source(data.drop(columns="score")), DEFAULTS)
    table = build_design(observed, reference=REFERENCES["2x2"], incomplete="estimate").tables[0]
    items = ReactionItems(table.facets, VALENCE, np.zeros(len(table.items), dtype=bool))
    values = table.gather(data["score"].to_numpy()[None])[..., items.chosen]
    weights = np.array([[0.5, -0.5, 0.5, -0.5]])
    clusters = cluster_names(table.cell)
    one, hundred = (
        compare_reactions(ReactionScores(scale * values, clusters, items), weights, scale).share for scale in (1, 100)
    )
    for name in ("effect", "se", "df", "p"):
        assert getattr(hundred, name) == pytest.approx(getattr(one, name), rel=1e-9)


def test_a_list_without_her_forms_is_found_to_hear_words_about_men_only() -> None:
    data, scores = deaf_list()
    heard = next(each for each in measure(scores, data).reactions if each.asks == "heard")
    assert (heard.answer, heard.weaker, heard.found) == ("words_found", "female", True)
    assert (heard.row.only_level, heard.row.only_reference, heard.row.words) == (0, 16, 16)
    assert {row["agreement"] for row in heard.words} == {AGREES, SAME}
    reaction = next(each for each in measure(scores, data).reactions if each.asks == "reaction")
    assert reaction.agrees is not None
    assert reaction.same is not None
    assert (reaction.agrees.ratio, reaction.same.ratio) == (pytest.approx(0), pytest.approx(1))


def repaired(data: pd.DataFrame) -> pd.Series:
    """Return the scores of a list that has both forms of all words but two, which show the level of silence."""
    known = ~data["word"].isin(["joy0", "sadness0"])
    return 0.5 + known * data["emotion"].map({"joy": 0.2, "sadness": -0.3})


def test_a_comparison_of_two_lists_has_the_reactions_of_both_untested() -> None:
    data, scores = deaf_list()
    result = compare(repaired(data), scores, data, names=("after", "before"))
    reaction, heard = result.by_reaction
    own = next(each for each in measure(scores, data).reactions if each.asks == "reaction")
    assert (reaction.term, heard.term) == ("gender:reaction", "gender:heard")
    assert reaction.effect == pytest.approx(-own.row.effect)
    assert (reaction.p, heard.p) == (None, None)
    assert reaction.note.startswith("with after, a change of feeling moves the scores about female 1.00 times")
    assert "before reacts to 0 only about female and to 16 only about male" in heard.note
    assert {reaction.notes[0], heard.notes[0]} <= set(result.notes)
    assert not result.reactions


def test_a_page_of_two_versions_leads_with_words_that_only_one_hears() -> None:
    data, scores = deaf_list()
    # Words differ much in strength, and joy and sadness are lost alike, so no gap is found.
    strength = 3.0 ** -data["word"].str.extract(r"(\d+)", expand=False).astype(int)
    before, after = (0.5 + (each.clip(lower=0.3) - 0.5) * strength for each in (scores, repaired(data)))
    alone = [Measurement("scores", "list", "", "", measure(each, data)) for each in (before, after)]
    result = compare(after, before, data, names=("after", "before"))
    page = compose([Measurement("scores", "list", "", "", result, Origin(versions=(alone[0], alone[1])))])
    assert plain(page.headline) == "The new version hears 0 of 16 feelings only about men; the old one heard 16"
    said = [plain(row.said) for chart in page.picture.charts for row in chart.rows]
    assert "16 of 16 words are heard only about men" in said


def test_a_reaction_found_fails_a_check_and_is_among_the_findings() -> None:
    data, scores = deaf_list()
    result = measure(scores, data)
    assert [each.answer for each in result.findings if each.comparison.asks == "heard"] == ["words_found"]
    assert "words_found" in [each.finding.answer for each in failures(result.findings) if each.finding]
    saved = Result.from_dict(json.loads(json.dumps(result.to_dict())))
    assert [each.to_dict() for each in saved.reactions] == [each.to_dict() for each in result.reactions]


def test_negative_words_alone_are_not_told_from_a_gap() -> None:
    data, scores = deaf_list()
    # Every word of joy with a form for each gender is heard, and no other.
    of_joy = np.where(data["word_form"].str.match(r"joy\d+[fm]"), 0.7, 0.5)
    result = measure(scores.where(data["emotion"] == "sadness", of_joy), data)
    heard = next(each for each in result.reactions if each.asks == "heard")
    assert (heard.answer, heard.reason.key) == ("none_detected", "heard_in_one_sign")


def test_a_filler_shows_the_level_of_silence_and_the_gap() -> None:
    data, scores = deaf_list()
    fillers = data.drop_duplicates(["person", "template"]).assign(word="filler", emotion="none", word_form="so")
    fillers["item"] = fillers["template"] + "/filler"
    fillers["pair"] = fillers["item"] + "/" + fillers["pair"].str.rpartition("/")[2]
    gap = 0.05 * (data["gender"] == "female")
    of_fillers = 0.5 + 0.05 * (fillers["gender"] == "female")
    result = measure(pd.concat([scores + gap, of_fillers]), pd.concat([data, fillers], ignore_index=True))
    heard = next(each for each in result.reactions if each.asks == "heard")
    assert (heard.answer, heard.row.only_reference, heard.row.only_level) == ("words_found", 16, 0)


def test_templates_whose_words_agree_are_a_stratum_of_gaps_too() -> None:
    data = rows_of("2x2").drop(columns=["word_form"])
    rng = np.random.default_rng(4)
    agrees = data["template"].isin(["t1", "t2"])
    y = 0.5 + 0.1 * (agrees & (data["gender"] == "female")) + rng.normal(0, 0.02, len(data))
    form = data["word"].where(~agrees | (data["gender"] == "male"), data["word"] + "a")
    options = {"axes": ["race", "gender"], "reference": REFERENCES["2x2"]}
    one = {row.term: row for row in measure(y, data, **options).overall if row.agreement is None}
    two = {row.term: row for row in measure(y, data.assign(word_form=form), **options).overall if row.agreement is None}
    assert two["gender"].effect == pytest.approx(one["gender"].effect)
    # What one class of templates adds to the scores about women is no doubt about the other templates.
    assert two["gender"].se < 0.5 * one["gender"].se
    assert two["gender"].p < 0.001 < one["gender"].p


@pytest.mark.parametrize("other", [str.title, lambda form: form + "\u0651"], ids=["case", "vowel marks"])
def test_forms_that_differ_by_case_or_vowel_marks_are_one_form(other: Callable[[str], str]) -> None:
    data = rows_of("2x2")
    form = data["word"].where(data["gender"] == "male", data["word"].map(other))
    options = {"axes": ["race", "gender"], "reference": REFERENCES["2x2"], "score_range": None}
    rows = measure(data["score"], data.drop(columns="score").assign(word_form=form), **options).by_reaction
    assert {row.agreeing_items for row in rows if row.effect is not None} == {0}


def test_the_reaction_within_one_pair_is_described() -> None:
    data, scores = deaf_list()
    one = data["pair"].str.endswith("/0")
    result = measure(scores[one], data[one])
    assert [each.answer for each in result.reactions if each.asks == "reaction"] == ["described"]
    assert "other words not tested" in render_html(compose([Measurement("scores", "list", "es", "x", result)]))
