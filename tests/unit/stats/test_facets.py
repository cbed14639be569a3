"""Facets that sentences are a sample of: found, missing, too few; and runs."""

import numpy as np
import pandas as pd
import pytest
from noted import noted
from synthetic import names, noun_phrases, row_of, scores

from eec_bias import measure, power, report, simulate
from eec_bias.stats.facets import make_facets, sentence_variance

WORDS = ("angry", "furious", "glad", "happy")
IDS = [f"t{t:02d}/{word}" for t in range(1, 9) for word in WORDS]
DATA = pd.DataFrame(names(items=IDS))
EMOTION = np.where(DATA["item"].str.contains("angry|furious"), "anger", "joy")
TEMPLATE, WORD = DATA["item"].str.split("/").str[0], DATA["item"].str.split("/").str[1]
Y = scores(DATA)
RUNS = ["a", "b", "c", "d"]


def test_facets_come_from_columns_or_ids_and_are_named() -> None:
    dashed = DATA["item"].str.replace("/", "-")
    for columns, items, test, strata in (
        ({"template": TEMPLATE, "word": WORD, "emotion": EMOTION}, DATA["item"], "names+templates+words", "emotion"),
        ({"emotion": EMOTION}, DATA["item"], "names+templates+words", "emotion"),
        ({}, DATA["item"], "names+templates+words", "none"),
        ({"template": TEMPLATE}, dashed, "names+templates", "none"),
        ({"word": WORD}, dashed, "names+words", "none"),
        ({}, dashed, "names+items", "none"),
        ({}, DATA["item"] + "/speaker-female", "names+templates+words", "none"),
    ):
        facts = measure(Y, DATA.assign(item=items, pair=items, **columns)).facts
        assert ("+".join(facts.samples), facts.strata) == (test, strata)
    items = DATA["item"].mask(TEMPLATE > "t04", dashed)
    notes = noted(measure(Y, DATA.assign(item=items, pair=items)).notes)
    assert any("do not have the form template/word (the first is 't05-angry')" in note for note in notes)
    texts = DATA["person"] + " " + DATA["item"].str.replace("t08", "t01")
    (note,) = noted(measure(Y, DATA.assign(text=texts)).notes)
    assert note.startswith(
        "names: with person 'anglo-female-0', 4 of 32 items have the same text as an earlier item (first, 't08/angry' "
    )
    assert not noted(measure(Y, DATA.assign(text=DATA["person"] + DATA["item"])).notes)


def test_nothing_is_claimed_beyond_one_or_two_templates() -> None:
    # Groups react to templates strongly.
    y = np.clip(Y + 0.2 * ((TEMPLATE == "t01") & (DATA["race"] == "Latino")), 0, 1)
    one, two = (measure(y[kept], DATA[kept]) for kept in (TEMPLATE == "t01", TEMPLATE <= "t02"))
    assert any("only one template" in note for note in noted(one.notes))
    assert row_of(one, "race")["p"] is not None
    assert one.facts.samples == ("names", "words")
    race = row_of(two, "race")
    assert race["p"] is race["ci_low"] is race["mde"] is None
    assert race["p_names_only"] is not None
    assert "too few templates" in race["note"]
    # Where they look alike by chance rows are rough.
    kept = TEMPLATE.isin(["t01", "t02"]).to_numpy()
    result = measure(np.random.default_rng(5).normal(0.5, 0.02, (40, int(kept.sum()))), DATA[kept])
    tested = [row for row in result.overall if row["p"] is not None]
    assert {"fewer than 3 degrees of freedom for templates" in row["rough"] for row in tested} == {True}
    # Where groups differ alike in all sentences rounding does not say that templates are too few.
    person, item = (pd.factorize(DATA[name])[0] for name in ("person", "item"))
    for unit in (1e-3, 0.3, 7.0, 1e4):
        alike = unit * (0.011 * person**1.3 + 0.007 * (item % 5))[kept] / 2
        race = row_of(measure(alike, DATA[kept], score_range=(0, unit)), "race")
        assert race["p"] == pytest.approx(race["p_names_only"], rel=1e-9)
    # With one word in every emotion words are no sample.
    kept = WORD.isin(["angry", "glad"]).to_numpy()
    result = measure(Y[kept], DATA.assign(emotion=EMOTION)[kept])
    assert result.facts.samples == ("names", "templates")
    assert noted(result.notes)[0].startswith(
        "every emotion has only one word (names), so we cannot see how a gap differs between words"
    )
    assert "groups × words" not in {row["source"] for row in result.variances}
    some = measure(Y[WORD != "happy"], DATA.assign(emotion=EMOTION)[WORD != "happy"])
    assert some.facts.samples == ("names", "templates", "words")
    assert noted(some.notes)[0].startswith("1 of 2 emotions has only one word (names)")


def test_reactions_to_one_template_are_no_finding_about_sentences() -> None:
    y = np.clip(0.5 + 0.02 * (Y - 0.5) + 0.1 * (TEMPLATE.isin(["t01", "t02"]) & (DATA["race"] == "Latino")), 0, 1)
    items = DATA["item"].str.replace("/", "-")
    alone = row_of(measure(y, DATA.assign(item=items, pair=items)), "race")["p"]
    assert (alone < 0.05, row_of(measure(y, DATA), "race")["p"] > 0.1) == (True, True)
    # Opposite reactions to emotions do not hide an effect.
    opposed = (0.02 + 0.06 * np.where(EMOTION == "anger", 1, -1)) * (DATA["race"] == "Latino")
    y = np.clip(0.5 + 0.02 * (Y - 0.5) + opposed, 0, 1)
    blind, told = (row_of(measure(y, data), "race") for data in (DATA, DATA.assign(emotion=EMOTION)))
    assert told["se"] < blind["se"] / 3
    assert told["p"] < 0.01 < blind["p"]
    # What equals the items is not counted twice.
    own = [str(j) for j in range(8)]
    lattice, plain = make_facets(8, {"template": own, "word": own}), make_facets(8, {})
    by_item = np.random.default_rng(0).normal(size=(1, 2, 8))
    assert (lattice.above, lattice.names) == ((), ("templates", "words"))
    assert (sentence_variance(by_item, lattice).variance == sentence_variance(by_item, plain).variance).all()
    # Rows say why they are rough.
    few = pd.DataFrame(names(persons=4, items=["a", "b", "c", "d", "e"]))
    row = measure(scores(few), few).overall[0]
    assert row["rough"].startswith("fewer than 5 persons in a group; fewer than 6 items")
    assert {row["rough"] for row in measure(Y, DATA).overall if row["df"] >= 8} == {""}


def facet_by_formula(d: np.ndarray, clusters: list[str], strata: list[str]) -> tuple[float, float]:
    """V_F and df_F as docs/statistics.md defines them, item by item."""
    stratum_of = (
        dict(zip(clusters, strata, strict=True)) if len(set(strata)) > 1 else dict.fromkeys(clusters, strata[0])
    )
    members = {c: [j for j, each in enumerate(clusters) if each == c] for c in dict.fromkeys(clusters)}
    inside = {s: [j for j, each in enumerate(strata) if each == s] for s in dict.fromkeys(strata)}
    several = {s for s in inside if list(stratum_of.values()).count(s) > 1}
    held = sum(len(inside[s]) for s in several)
    variance, shares = 0.0, 0.0
    for cluster, items in members.items():
        s = stratum_of[cluster]
        if s in several:
            mean = sum(d[j] for j in inside[s]) / len(inside[s])
            gap = sum(d[j] - mean for j in items) / len(d)
            variance += gap**2 / (1 - len(items) / len(inside[s]))
            shares += (len(items) / held) ** 2
    return variance, 1 / shares - len(several)


@pytest.mark.parametrize("shared", [0.0, 1.0])
@pytest.mark.parametrize("effects", [0.0, 2.0])
@pytest.mark.parametrize("words", [WORDS, WORDS[:3]], ids=["two words an emotion", "one word of joy"])
def test_sentences_that_share_template_and_word_are_one_cell(
    shared: float, effects: float, words: tuple[str, ...]
) -> None:
    ids = [f"{id_}/{speaker}" for id_ in IDS if id_.endswith(words) for speaker in ("she", "he", "they")]
    template, word, _ = map(list, zip(*(id_.split("/") for id_ in ids), strict=True))
    emotion = ["anger" if each in ("angry", "furious") else "joy" for each in word]
    cell, one = [f"{t}/{w}" for t, w in zip(template, word, strict=True)], ["all"] * len(ids)
    rng = np.random.default_rng(1)
    drawn = {key: rng.normal(0, shared if "/" in key else effects) for key in dict.fromkeys(template + word + cell)}
    d = np.array([drawn[t] + drawn[w] + drawn[c] for t, w, c in zip(template, word, cell, strict=True)])
    d += rng.normal(0, 0.3, len(d))
    of_items, of_cells = facet_by_formula(d, ids, emotion), facet_by_formula(d, cell, emotion)
    above = [facet_by_formula(d, template, one), facet_by_formula(d, word, emotion)]
    exceeding = [each for each in above if each[0] > of_cells[0]]
    base = max(of_items, of_cells)
    found = sentence_variance(
        d[None, None], make_facets(len(d), {"template": template, "word": word, "emotion": emotion})
    )
    assert (of_cells[0] > of_items[0]) == bool(shared or effects)
    assert found.variance.item() == pytest.approx(base[0] + sum(each[0] - of_cells[0] for each in exceeding))
    parts = exceeding or [base]
    assert found.denominator.item() == pytest.approx(sum(variance**2 / df for variance, df in parts))
    assert found.least.item() == pytest.approx(min(df for _, df in parts))


def runs_of(count: int, seed: int = 0) -> np.ndarray:
    return np.clip(Y + np.random.default_rng(seed).normal(0, 0.01, (count, len(Y))), 0, 1)


def test_few_runs_are_said_and_systems_may_have_different_numbers() -> None:
    one = measure(runs_of(1), DATA, runs=["a"])
    assert "the system has only one run, 'a', so its results are about this run only" in noted(one.notes)
    # How runs differ is not known from one, and no share of 0 %.
    assert "groups × runs" not in {row["source"] for row in one.variances}
    rough = measure(runs_of(2), DATA, runs=["a", "b"])
    assert all("fewer than 4 runs" in row["rough"] for row in rough.overall)
    assert "runs" in rough.facts.samples
    assert "groups × runs" in {row["source"] for row in rough.variances}
    result = measure(runs_of(5), DATA, systems=["x"] * 4 + ["y"], runs=[*RUNS, "only"])
    for system, alone in (("x", measure(runs_of(5)[:4], DATA, runs=RUNS)), ("y", measure(runs_of(5)[4], DATA))):
        rows = [row for row in result.overall if row["system"] == system]
        assert [row["p"] for row in rows] == pytest.approx([row["p"] for row in alone.overall])
    scored = runs_of(5)
    scored[1] = np.nan
    notes = "; ".join(noted(measure(scored, DATA, runs=[*RUNS, "e"]).notes))
    assert "run 'b' of the system is left out, because all its 640 scores are NaN" in notes
    assert "each score is the mean of 4 runs (a, c, d, e)" in notes
    # Scores at the edge in every run are at the edge in their mean.
    # The mean of three times .7 is rounded to less, where a beta regression would be a number without a meaning.
    score = np.minimum(Y, 0.5) / 0.5 * 0.7
    runs = measure(np.stack([score] * 3), DATA, runs=RUNS[:3], score_range=(0, 0.7))
    alone = measure(score, DATA, score_range=(0, 0.7))
    assert alone.fits[0]["touched"] > 0
    assert [fit["touched"] for fit in runs.fits] == [fit["touched"] for fit in alone.fits]
    assert {row["beta"] for row in runs.overall} == {None}


def test_what_runs_do_to_groups_alone_is_their_component() -> None:
    moved = np.array([-0.1, 0.02, 0.05, 0.03])
    side = np.where(DATA["gender"] == "female", 0.5, -0.5)
    result = measure(np.stack([0.3 + 0.3 * Y + shift * side for shift in moved]), DATA, runs=RUNS)
    (component,) = (row["sd"] ** 2 for row in result.variances if row["source"] == "groups × runs")
    # One of three contrasts of four cells carries it, ± a half in each cell.
    assert component == pytest.approx(4 * 0.5**2 * moved.var(ddof=1) / 3)
    data = pd.concat([DATA, pd.DataFrame(noun_phrases(("aunt_uncle",), IDS))])
    y = scores(data)
    noisy = [np.clip(y + np.random.default_rng(k).normal(0, 0.01, len(y)), 0, 1) for k in range(4)]
    for result in (measure(y, data), measure(noisy, data, runs=RUNS)):
        told = {row["subset"]: row["share"] is not None for row in result.variances}
        assert told == {"names": True, "pairs": False}
        assert "Variance within groups (pairs)" not in report(result)


def test_power_counts_names_of_a_family_together_as_a_measurement_does() -> None:
    spread, kinds = {"persons": 0.05, "residual": 0.05}, DATA["person"].drop_duplicates()
    family = DATA["person"].map(dict(zip(kinds, (f"f{n % 7}" for n in range(len(kinds))), strict=True)))
    apart, together = (
        power(DATA.assign(family=column), "race", [0.0], components=spread, systems=100)["mde"].iloc[0]
        for column in ("none", family)
    )
    assert together > 1.1 * apart


def test_power_takes_back_the_components_of_a_result() -> None:
    truth = {"name_sd": 0.2, "template_sd": {"race": 0.2}, "item_sd": 0.3, "phi": 50}
    result = measure(simulate(DATA, seed=1, **truth)[0], DATA)
    drawn = power(DATA, "race", [0.0, 0.2], components=result, systems=200)
    assert list(drawn["subset"]) == ["names", "names"]
    assert drawn["mean_estimate"].tolist() == pytest.approx([0.0, 0.2], abs=0.02)
    assert drawn["mde"].iloc[0] == pytest.approx(row_of(result, "race")["mde_alone"], rel=0.35)
    # Simulated runs share names and differ in what groups do.
    drawn = simulate(DATA, runs=3, run_sd={"race": 1.0}, phi=None, name_sd=0.1, systems=2)
    assert drawn.shape == (2, 3, len(DATA))
    race = (DATA["race"] == "Latino").to_numpy()
    gaps = drawn[:, :, race].mean(axis=2) - drawn[:, :, ~race].mean(axis=2)
    assert np.ptp(gaps, axis=1).min() > 0.02
