"""Slopes of scores over how strongly names signal their group."""

import duckdb
import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from scipy.linalg import sqrtm
from synthetic import corpus, names, scores

from eec_bias import LabelsError, Result, compare, measure, report
from eec_bias.stats.facets import make_facets
from eec_bias.stats.families import make_families
from eec_bias.stats.signals import SignalDesign, run_signal_test

ITEMS = [f"t{t:02d}/{word}" for t in (1, 2, 3) for word in ("angry", "glad", "sad", "furious")]
RANDOM = np.random.default_rng(36)
CELL = np.repeat([0, 1], 12)
SIGNAL = RANDOM.uniform(0.5, 1, 24)
FAMILY = RANDOM.integers(0, 9, 24)
FACETS = make_facets(12, {"template": [item[:3] for item in ITEMS], "word": [item[4:] for item in ITEMS]})
SCORES = 0.2 * SIGNAL[:, None] + RANDOM.normal(0, 0.1, (24, 1)) + RANDOM.normal(0, 0.05, (24, 12))
REGRESSORS = np.column_stack([CELL == 0, CELL == 1, SIGNAL]).astype(float)
FAMILIES = (make_families("family", [f"{code}" for code in FAMILY]),)


def data(persons: int = 12) -> pd.DataFrame:
    rows = pd.DataFrame(names(persons=persons, items=ITEMS))
    signal = dict(zip(rows["person"].unique(), np.random.default_rng(6).uniform(0.5, 1, 4 * persons), strict=True))
    return rows.assign(race_signal=rows["person"].map(signal).round(3))


DATA = data()
REACTING = np.clip(scores(DATA) - 0.8 * (DATA["race_signal"] - 0.75) * (DATA["race"] == "Latino"), 0, 1).to_numpy()
MEASURED = measure(REACTING, DATA)


def slope(result: Result, level: str) -> dict:
    (row,) = [row for row in result.signals if row["level"] == level]
    return row


def test_the_slope_over_names_is_ordinary_least_squares() -> None:
    found = run_signal_test(SCORES[None], SignalDesign(CELL, SIGNAL), FACETS)
    fitted = sm.OLS(SCORES.mean(axis=1), REGRESSORS).fit(cov_type="HC2")
    assert found.effect[0, 0] == pytest.approx(0.1 * fitted.params[2], rel=1e-10)
    assert np.sqrt(found.names[0, 0]) == pytest.approx(0.1 * fitted.bse[2], rel=1e-10)


def by_hand(code: np.ndarray, correlation: float) -> tuple[float, float]:
    """CR2 of the slope with clusters, and Satterthwaite's df, from the matrices of Pustejovsky & Tipton (2018)."""
    bread = np.linalg.inv(REGRESSORS.T @ REGRESSORS)
    left = np.eye(24) - REGRESSORS @ bread @ REGRESSORS.T
    residual = left @ SCORES.mean(axis=1)
    working = (1 - correlation) * np.eye(24) + correlation * np.equal.outer(FAMILY, FAMILY)
    parts, vectors = [], []
    for cluster in np.unique(code):
        own = np.flatnonzero(code == cluster)
        adjusting = np.linalg.inv(np.real(sqrtm(left[np.ix_(own, own)])))
        weights = (bread @ REGRESSORS[own].T)[2] @ adjusting
        parts.append(weights @ residual[own])
        vectors.append(left[own].T @ weights)
    q = np.array(vectors) @ working @ np.array(vectors).T
    return 0.01 * float(np.square(parts).sum()), np.trace(q) ** 2 / np.sum(q**2)


def test_names_of_a_family_are_clustered_as_by_hand() -> None:
    found = run_signal_test(SCORES[None], SignalDesign(CELL, SIGNAL, FAMILIES), FACETS)
    variance, df = by_hand(FAMILY, 0.5)
    assert (found.families[0, 0], found.df_families[0, 0]) == pytest.approx((variance, df), rel=1e-9)


def test_names_one_by_one_have_the_degrees_of_freedom_by_hand() -> None:
    found = run_signal_test(SCORES[None, :, :1], SignalDesign(CELL, SIGNAL), make_facets(1, {}))
    bread = np.linalg.inv(REGRESSORS.T @ REGRESSORS)
    left = np.eye(24) - REGRESSORS @ bread @ REGRESSORS.T
    vectors = left * ((REGRESSORS @ bread)[:, 2] / np.sqrt(np.diag(left)))
    q = vectors.T @ vectors
    assert found.df[0, 0] == pytest.approx(np.trace(q) ** 2 / np.sum(q**2), rel=1e-9)


def test_the_mean_slope_over_sentences_is_the_slope() -> None:
    found = run_signal_test(SCORES[None], SignalDesign(CELL, SIGNAL), FACETS)
    assert found.by_item.shape == (1, 1, 12)
    assert found.by_item.mean() == pytest.approx(found.effect[0, 0])


def rejected(*, families: float = 0.0, templates: float = 0.0, draws: int = 120) -> float:
    """Return how often a slope is found if there is none, at .05."""
    random, p = np.random.default_rng(1), []
    for _ in range(draws):
        family = random.integers(0, 14, 40)
        signal = np.clip(random.uniform(0.6, 0.9, 40) + random.normal(0, 0.08, 14)[family], 0, 1)
        y = (
            random.normal(0, 0.03, (40, 1))
            + random.normal(0, 0.05, (40, 12))
            + families * random.normal(size=14)[family, None]
        )
        y += templates * np.repeat(random.normal(size=3), 4) * (signal[:, None] - 0.75) / 0.1
        design = SignalDesign(np.repeat([0, 1], 20), signal, (make_families("family", [f"{f}" for f in family]),))
        p.append(run_signal_test(y[None], design, FACETS).p[0, 0])
    return float(np.mean(np.array(p) < 0.05))


def test_without_a_slope_one_is_rarely_found() -> None:
    assert rejected() <= 0.1


def test_families_that_are_alike_make_no_slope() -> None:
    assert rejected(families=0.05) <= 0.1


def test_a_group_whose_strong_names_score_lower_is_found() -> None:
    row = slope(MEASURED, "Latino")
    assert (row["effect"] < 0, row["p_adjusted"] < 0.05, row["n_persons"]) == (True, True, 24)


def test_a_group_that_the_system_does_not_react_to_is_not_found() -> None:
    assert slope(MEASURED, "Anglo")["p_adjusted"] > 0.05


def test_a_found_slope_is_said_in_a_sentence() -> None:
    assert "names that signal Latino more strongly score lower" in report(MEASURED)


def test_where_no_slope_is_found_the_report_says_which_would_have_been() -> None:
    text = report(measure(scores(DATA), DATA))
    assert "scores depend on how strongly names signal race. For every 10 percentage points, the test would" in text


def test_slopes_take_no_part_in_the_adjustment_of_terms() -> None:
    plain = measure(REACTING, DATA.drop(columns="race_signal"))
    assert [row.p_adjusted for row in MEASURED.terms] == [row.p_adjusted for row in plain.terms]


def test_the_column_is_no_axis() -> None:
    assert MEASURED.axes == ("race", "gender")


def test_data_without_the_column_have_no_slopes() -> None:
    assert measure(scores(DATA), DATA.drop(columns="race_signal")).signals == ()


def test_signals_as_text_give_the_same_slope() -> None:
    text = DATA.assign(race_signal=DATA["race_signal"].astype(str))
    assert measure(REACTING, text).signals == MEASURED.signals


def test_names_without_a_signal_are_left_out_of_the_slope() -> None:
    some = DATA.assign(race_signal=DATA["race_signal"].where(DATA["person"] != "latino-female-3"))
    assert slope(measure(REACTING, some), "Latino")["n_persons"] == 23


def test_noun_phrases_need_no_signal() -> None:
    rows = corpus(persons=12, items=ITEMS).merge(DATA[["person", "race_signal"]].drop_duplicates(), "left")
    assert {row["subset"] for row in measure(scores(rows), rows).signals} == {"names"}


def test_a_table_of_an_engine_gives_the_same_slope() -> None:
    found = slope(measure("score", duckdb.from_df(DATA.assign(score=REACTING))), "Latino")
    assert found["p"] == pytest.approx(slope(MEASURED, "Latino")["p"], rel=1e-9)


def test_a_saved_result_keeps_its_slopes() -> None:
    assert Result.from_dict(MEASURED.to_dict()).signals == MEASURED.signals


def test_the_difference_of_two_systems_has_no_slope() -> None:
    assert compare(REACTING, scores(DATA), DATA).signals == ()


def test_names_of_equal_signal_give_a_note_not_a_slope() -> None:
    result = measure(REACTING, DATA.assign(race_signal=0.9))
    assert result.signals == ()
    assert any(note.key == "signal_not_tested" for note in result.notes)


def test_a_few_missing_scores_leave_the_slope() -> None:
    y = REACTING.copy()
    y[::101] = np.nan
    whole, row = slope(MEASURED, "Latino"), slope(measure(y, DATA), "Latino")
    assert row["effect"] == pytest.approx(whole["effect"], abs=0.2 * whole["se"])


def test_many_missing_scores_give_a_note_not_a_slope() -> None:
    y = REACTING.copy()
    y[::9] = np.nan
    assert any(note.key == "signal_with_missing" for note in measure(y, DATA).notes)


def test_a_system_that_lacks_many_scores_does_not_silence_the_others() -> None:
    y = REACTING.copy()
    y[::9] = np.nan
    result = measure({"whole": REACTING, "lacking": y}, DATA)
    assert {row["system"] for row in result.signals} == {"whole"}


def test_a_slope_within_a_stratum_is_said_with_the_stratum() -> None:
    parts = DATA.assign(part=np.where(DATA["item"].isin(ITEMS[::2]), "a", "b"))
    result = measure(REACTING, parts, by="part")
    found = {row["stratum"] for row in result.signals if (row["p_adjusted"] or 1) < 0.05}
    of_parts = [note.values for note in result.notes if note.key == "in_stratum"]
    said = {
        each["label"] for each in of_parts if "names that signal Latino more strongly score lower" in str(each["note"])
    }
    assert said == found == {"a", "b"}


def test_a_slope_with_a_rough_interval_is_said_to_be_rough() -> None:
    result = measure(REACTING, DATA.assign(family="x", ending=DATA["person"].str[-1]))
    found = [row for row in result.signals if row["rough"] and row["p_adjusted"] < 0.05]
    keys = [note.key for note in result.notes if note.key.startswith("signal_")]
    assert keys.count("signal_rough") == len(found)


def test_a_column_named_after_no_axis_is_no_signal() -> None:
    words = DATA.assign(race_signal=np.where(DATA["race"] == "Latino", "strong", "weak"))
    assert measure(REACTING, words, axes=["gender"]).signals == ()


def test_a_signal_above_one_is_refused() -> None:
    with pytest.raises(LabelsError, match=r"column 'race_signal' has '1\.5' in row 0 .*from 0 to 1"):
        measure(REACTING, DATA.assign(race_signal=1.5))


def test_a_person_with_two_signals_is_refused() -> None:
    wrong = DATA.assign(race_signal=[0.9, *[0.8] * (len(DATA) - 1)])
    with pytest.raises(LabelsError, match=r"gives person 'anglo-female-0' the signal 0\.9 in row 0"):
        measure(REACTING, wrong)
