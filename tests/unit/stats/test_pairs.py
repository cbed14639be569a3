"""Contrasts within noun-phrase rows and base phrases."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from noted import noted
from scipy import stats
from synthetic import BASES, ITEMS, corpus, main_rows, noun_phrases, phrases, row_of, scores, third_forms

from eec_bias import measure
from eec_bias.stats.sign_flips import flip_p

DATA = corpus()


def differences(y: np.ndarray) -> np.ndarray:
    """Women's minus men's scores, bases × items."""
    frame = DATA.assign(y=y, base=DATA["pair"].str.split("/").str[-1])[DATA["race"] == "unmarked"]
    wide = frame.pivot(index=["base", "item"], columns="gender", values="y")
    return (wide["female"] - wide["male"]).unstack().to_numpy()


def test_gender_on_noun_phrases_is_the_mean_of_within_pair_differences() -> None:
    y = scores(DATA)
    row, difference = row_of(measure(y, DATA), "gender", subset="pairs"), differences(y)
    u, j = difference.shape
    vp, vi = difference.mean(1).var(ddof=1) / u, difference.mean(0).var(ddof=1) / j
    e = difference - difference.mean(1, keepdims=True) - difference.mean(0) + difference.mean()
    ve = (e**2).sum() / ((u - 1) * (j - 1)) / (u * j)
    v = max(vp + vi - ve, vp, vi)
    assert row["effect"] == pytest.approx(difference.mean())
    assert row["se"] == pytest.approx(v**0.5)
    df = v**2 / (vp**2 / (u - 1) + vi**2 / (j - 1))
    assert row["p"] == pytest.approx(2 * stats.t.sf(abs(row["effect"]) / v**0.5, df))
    assert (row["n_persons"], row["n_items"], row["n_sentences"]) == (6, 6, 72)
    # The exact sign-flip stands beside it.
    y = scores(DATA, seed=3)
    d = differences(y).mean(axis=1)
    flips = np.array([np.dot(signs, d) for signs in product((1, -1), repeat=len(d))])
    expected = (np.abs(flips) >= abs(d.sum()) - 1e-12).mean()
    assert row_of(measure(y, DATA), "gender", subset="pairs")["p_permutation"] == pytest.approx(expected)
    # Differences that all agree have the smallest p there is.
    assert flip_p([np.arange(1.0, 11.0)[None, :]]).tolist() == [2 / 2**10]


def test_a_third_gender_is_compared_with_the_reference_or_the_mean() -> None:
    data = pd.DataFrame([*noun_phrases(), *third_forms(BASES[:5])])
    result = measure(scores(data), data)
    assert {row["level"]: row["n_persons"] for row in result.overall} == {"female": 6, "neutral": 5}
    assert {row["reference"] for row in result.overall} == {"male"}
    assert noted(result.notes)[0].startswith("pairs: 1 of 6 phrases exist for some groups only")
    assert not any("fewer than 5" in note for note in noted(result.notes))
    data = pd.DataFrame([*noun_phrases(), *third_forms()])
    rows = measure(scores(data), data).overall
    assert [row["level"] for row in rows] == ["female", "male", "neutral", "any"]
    assert {row["reference"] for row in rows} == {"mean"}
    assert sum(row["effect"] for row in rows[:3]) == pytest.approx(0)


def test_forms_with_gaps_and_pairs_that_are_none_are_left_out() -> None:
    data = pd.DataFrame([*noun_phrases(), *third_forms(BASES[:1], ITEMS[:4]), *third_forms(BASES[1:5])])
    result = measure(scores(data), data, incomplete="refuse")
    assert {row["level"]: row["n_persons"] for row in result.overall} == {"female": 6, "neutral": 4}
    assert noted(result.notes)[0].startswith("pairs: 'aunt_uncle-x' is left out, because 2 of 6 items")
    shared = measure(scores(data), data, incomplete="shared").overall
    found = {row["level"]: (row["n_persons"], row["n_items"]) for row in shared}
    assert found == {"female": (6, 4), "neutral": (5, 4)}
    data = DATA[~(DATA["pair"].str.endswith("she_he") & DATA["item"].isin(ITEMS[:2]))]
    result = measure(scores(data), data, incomplete="refuse")
    row = row_of(result, "gender", subset="pairs")
    assert (row["n_persons"], row["n_items"]) == (5, 6)
    assert noted(result.notes)[0].startswith("pairs: 'she_he' is left out, because 2 of 6 items have no such pair")
    assert noted(result.notes)[1].startswith("8 of 188 rows are not used")
    shared = measure(scores(data), data, incomplete="shared")
    assert row_of(shared, "gender", subset="pairs")["n_persons"] == 6
    data = pd.concat([DATA[DATA["race"] != "unmarked"], pd.DataFrame(noun_phrases(("mum_dad",)))], ignore_index=True)
    result = measure(scores(data), data)
    row = row_of(result, "gender", subset="pairs")
    assert (row["n_persons"], row["n_items"], row["rough"].partition(";")[0]) == (
        2,
        6,
        "each group has only one person or word, so the row is not about the group",
    )
    assert any(note.startswith("pairs: every group has only one person or word") for note in noted(result.notes))


def test_a_form_that_lacks_items_is_measured_on_those_it_has() -> None:
    data = pd.DataFrame([*noun_phrases(), *third_forms(BASES[:1], ITEMS[:4]), *third_forms(BASES[1:5])])
    result = measure(scores(data), data)
    assert {row["level"]: row["n_persons"] for row in result.overall} == {"female": 6, "neutral": 5}
    assert any("the data have no row for" in note for note in noted(result.notes))


def test_base_phrases_crossed_with_countries_are_contrasted_within_bases() -> None:
    data = phrases()
    y = scores(data)
    rows = measure(y, data).overall
    found = [(r["term"], r["level"], r["reference"], r["subset"], r["n_persons"]) for r in rows]
    assert found == [("country", level, "mean", "phrases", 6) for level in ("Chile", "Kenya", "Norway", "any")]
    wide = data.assign(y=y, base=data["pair"].str.split("/").str[-1]).groupby(["base", "country"])["y"].mean().unstack()
    deviation = wide["Chile"] - wide.mean(axis=1)
    assert rows[0]["effect"] == pytest.approx(deviation.mean())
    assert rows[0]["p_names_only"] == pytest.approx(stats.ttest_1samp(deviation, 0).pvalue)
    against = measure(y, data, reference={"country": "Kenya"}).overall
    assert [(r["level"], r["reference"]) for r in against] == [("Chile", "Kenya"), ("Norway", "Kenya")]
    # They live in one corpus with names.
    of_countries = phrases().assign(race="unmarked", gender="neutral")
    both = pd.concat([DATA.assign(country="unmarked"), of_countries], ignore_index=True)
    assert [(row["term"], row["subset"]) for row in main_rows(measure(scores(both), both))] == [
        ("race", "names"), ("gender", "names"), ("race:gender", "names"), ("gender", "pairs"),
        *[("country", "phrases")] * 4,
    ]  # fmt: skip
