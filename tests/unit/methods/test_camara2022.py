"""The procedure of Câmara et al. (2022), repeated as published and labelled with how it errs."""

import csv
import io
import re

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from eec2018 import EEC, EMOTIONS, SCORES
from scipy import stats

from eec_bias import report
from eec_bias.methods import camara2022
from eec_bias.methods.camara2022 import LABEL, camara_table, stars
from eec_bias.result.term import TERM_KEYS


def test_coefficients_are_least_squares_over_the_emotions_sentences():
    result = camara2022(SCORES[0], EEC, tasks="fear")
    use = (EEC["emotion"] == "fear") & (EEC["race"] != "unmarked")
    race, gender = (EEC["race"][use] == "Black") * 1.0, (EEC["gender"][use] == "female") * 1.0
    want = sm.OLS(SCORES[0][use], np.column_stack([np.ones(use.sum()), race, gender, race * gender])).fit()
    assert [row["term"] for row in result.overall] == ["race", "gender", "race:gender"]
    for row, k in zip(result.overall, (1, 2, 3), strict=True):
        assert (row["effect"], row["se"]) == pytest.approx((want.params[k], want.bse[k]), rel=1e-10)
        found, expected = (row["p"], row["ci_low"], row["ci_high"]), (want.pvalues[k], *want.conf_int()[k])
        assert found == pytest.approx(expected, rel=1e-8)
        sizes = (row["df"], row["n_persons"], row["n_items"], row["n_sentences"])
        assert (sizes, row["subset"]) == ((40 * 35 - 4, 40, 35, 1400), "names:fear")
        assert row["beta"] == pytest.approx(row["logit"], abs=0.02)
        assert row["beta_se_person"] > row["beta_se"] * 0.5


def test_worked_by_hand():
    # Cell means .3 .5 .4 .2 (Black female, Black male, white female, white male), two sentences ±.1 each.
    data = {
        "race": np.repeat(["Black", "Black", "white", "white"], 2), "person": list("abcdefgh"), "item": ["i"] * 8,
        "gender": np.repeat(["female", "male", "female", "male"], 2), "pair": ["i"] * 8,
    }  # fmt: skip
    rows = camara2022(np.repeat([0.3, 0.5, 0.4, 0.2], 2) + np.tile([0.1, -0.1], 4), data).overall
    # Residual variance 8·.01/(8 − 4) = .02; a difference of two means of two: √(.02·(1/2 + 1/2)).
    assert [row["effect"] for row in rows] == pytest.approx([0.3, 0.2, -0.4])
    assert [row["se"] for row in rows] == pytest.approx([0.02**0.5, 0.02**0.5, 0.2])
    assert rows[0]["p"] == pytest.approx(2 * stats.t.sf(0.3 / 0.02**0.5, 4))


def test_all_name_sentences_are_taken_without_a_task() -> None:
    without, valence = camara2022(SCORES[0], EEC).overall[0], camara2022(SCORES[0], EEC, tasks="valence").overall[0]
    assert without["n_sentences"] == valence["n_sentences"] == 40 * 144
    assert (without["effect"], without["subset"]) == (valence["effect"], "names")


def test_equal_scores_have_no_difference() -> None:
    rows = camara2022(np.full(len(EEC["item"]), 0.4), EEC).overall
    assert [(row["effect"], row["p"], row["t"]) for row in rows] == [(0.0, 1.0, None)] * 3
    cells = [("Black", "female", 3), ("Black", "male", 7), ("white", "female", 6), ("white", "male", 5)]
    rows = [(r, g, f"{r}{g}{k}", f"i{j}") for r, g, count in cells for k in range(count) for j in range(7)]
    data = pd.DataFrame(rows, columns=["race", "gender", "person", "item"])
    for score in np.random.default_rng(0).random(20):
        assert [(row["effect"], row["p"]) for row in camara2022(np.full(147, score), data).overall] == [(0, 1)] * 3


@pytest.fixture(scope="module")
def by_emotion():
    """One result per emotion for two models whose gender effect grows from emotion to emotion."""
    race, gender = (EEC["race"] == "Black") * 1.0, (EEC["gender"] == "female") * 1.0
    noise = np.random.default_rng(0).normal(0, 0.001, size=(4, 2, race.size))
    return [
        camara2022(0.5 + 0.02 * race - 0.03 * k * gender + noise[k], EEC, tasks=task, systems=["BERT+", "SVM_tfidf"])
        for k, task in enumerate(EMOTIONS)
    ]


def test_the_table_is_laid_out_as_tables_3_to_5(by_emotion, snapshot) -> None:
    results = {"English (Black-white)": by_emotion}
    text, csv, latex = (camara_table(results, layout) for layout in ("text", "csv", "latex"))
    snapshot.check("methods-camara2022", f"{text}\n\n{csv}\n{latex}")


def test_stars_are_those_of_the_article() -> None:
    assert [stars(p) for p in (0.11, 0.10, 0.05, 0.01, None)] == ["", "*", "**", "***", ""]


def test_the_table_of_a_result_follows_its_tasks(by_emotion) -> None:
    assert by_emotion[0].tables("csv") == {"coefficients": camara_table({"?": by_emotion[0]}, "csv")}


def test_the_table_of_a_result_without_tasks_is_a_list() -> None:
    without = camara2022(SCORES[0], EEC)
    text = without.tables()["coefficients"]
    assert text.split()[:5] == ["term", "level", "reference", "subset", "effect"]
    assert text.endswith(str(LABEL))
    assert without.tables("csv")["coefficients"].splitlines()[0] == ",".join(TERM_KEYS)


def test_of_a_term_with_several_levels_the_table_has_each():
    early = np.array([int(person[-1]) for person in EEC["person"]]) < 5
    data = EEC | {"race": np.where((EEC["race"] == "white") & early, "Latino", EEC["race"])}
    result = camara2022(SCORES[0], data, tasks="joy")
    (line,) = csv.DictReader(io.StringIO(result.tables("csv")["coefficients"]))
    names = {"race": "Joy Race/Ethnicity {level}", "gender": "Joy Gender", "race:gender": "Joy Intersection {level}"}
    assert len(result.overall) == 7
    for row in result.overall:
        assert float(line[names[row["term"]].format(**row)].rstrip("*")) == pytest.approx(row["effect"], abs=5e-4)


def test_p_and_beta_hold_on_any_scale() -> None:
    plain, small = (
        camara2022(SCORES[0], EEC).overall,
        camara2022(1e-13 * SCORES[0], EEC, score_range=(0, 1e-13)).overall,
    )
    for key in ("p", "beta", "beta_se", "logit"):
        assert [row[key] for row in small] == pytest.approx([row[key] for row in plain])


def test_a_coefficient_with_a_star_is_not_printed_as_zero() -> None:
    tiny = 0.5 + 1e-4 * (SCORES[0] - 0.5) + 2e-4 * (EEC["race"] == "Black") - 3e-7 * (EEC["gender"] == "female")
    rows = camara2022(tiny, EEC, tasks="joy")
    race, *_ = rows.overall
    assert (abs(race["effect"]) < 0.0005, stars(race["p"])) == (True, "***")
    text, latex = (camara_table({"x": rows}, layout) for layout in ("text", "latex"))
    assert f"{race['effect']:.2e}"[:4] == f"{float(text.split('***')[0].split()[-1]):.2e}"[:4]
    assert "0.0*" not in text
    assert "0.0^" not in latex


def test_coefficients_are_told_as_the_simple_effects_that_they_are() -> None:
    black_women = (np.array(EEC["race"]) == "Black") & (np.array(EEC["gender"]) == "female")
    result = camara2022(np.where(black_women, 0.6, 0.5), EEC)
    text = report(result)
    assert re.search(r"^race\|gender=male +Black +white +names +0 ", text, re.MULTILINE)
    assert re.search(r"^gender\|race=white +female +male +names +0 ", text, re.MULTILINE)
    assert "race|gender=male" in result.tables()["coefficients"]
    assert [row["term"] for row in result.overall] == ["race", "gender", "race:gender"]
    assert "race|" not in str(camara2022(np.where(black_women, 0.6, 0.5), EEC, reference=None))
    assert "allow for other sentences of the same kind" in text
    assert "1 effect" in result.plot("forest", term="race").eec_caption
