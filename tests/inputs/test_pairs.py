"""Contrasts within noun-phrase rows and base phrases."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from synthetic import BASES, ITEMS, corpus, noun_phrases, scores

from eec_bias import measure
from eec_bias.stats.sign_flips import sign_p


def gender_on_pairs(result):
    (row,) = [row for row in result.terms if row["subset"] == "pairs"]
    return row


def test_gender_on_noun_phrases_is_the_mean_of_within_pair_differences() -> None:
    data = corpus()
    y = scores(data)
    row = gender_on_pairs(measure(y, data))
    frame = data.assign(y=y)[data["race"] == "unmarked"]
    frame = frame.assign(base=frame["pair"].str.split("/").str[-1])
    wide = frame.pivot(index=["base", "item"], columns="gender", values="y")
    difference = (wide["female"] - wide["male"]).unstack().to_numpy()
    u, j = difference.shape
    vp, vi = difference.mean(1).var(ddof=1) / u, difference.mean(0).var(ddof=1) / j
    e = difference - difference.mean(1, keepdims=True) - difference.mean(0) + difference.mean()
    ve = (e**2).sum() / ((u - 1) * (j - 1)) / (u * j)
    v = max(vp + vi - ve, vp, vi)
    assert row["effect"] == pytest.approx(difference.mean())
    assert row["se"] == pytest.approx(v**0.5)
    df = u - 1 if v == vp else min(v**2 / (vp**2 / (u - 1) + vi**2 / (j - 1)), max(u, j) - 1)
    assert row["p"] == pytest.approx(2 * stats.t.sf(abs(row["effect"]) / v**0.5, df))
    assert (row["n_persons"], row["n_items"], row["n_sentences"]) == (6, 6, 72)


def test_the_exact_sign_flip_stands_beside_the_test_of_pairs() -> None:
    data = corpus()
    y = scores(data, seed=3)
    frame = data.assign(y=y)[data["race"] == "unmarked"]
    means = frame.assign(base=frame["pair"].str.split("/").str[-1]).groupby(["base", "gender"])["y"].mean().unstack()
    d = (means["female"] - means["male"]).to_numpy()
    flips = np.array([np.dot(signs, d) for signs in product((1, -1), repeat=len(d))])
    expected = (np.abs(flips) >= abs(d.sum()) - 1e-12).mean()
    assert gender_on_pairs(measure(y, data))["p_permutation"] == pytest.approx(expected)


def test_sign_flip_of_differences_that_all_agree_is_the_smallest_possible() -> None:
    assert sign_p(np.arange(1.0, 11.0)[None, :], 0, 0).tolist() == [2 / 2**10]


def test_a_third_gender_is_compared_with_the_reference_on_rows_that_have_it() -> None:
    rows = noun_phrases()
    for base in BASES[:5]:
        rows += [
            {"person": f"{base}-x", "race": "unmarked", "gender": "neutral", "item": i, "pair": f"{i}/{base}"}
            for i in ITEMS
        ]
    data = pd.DataFrame(rows)
    result = measure(scores(data), data)
    found = {row["level"]: row["n_persons"] for row in result.terms}
    assert found == {"female": 6, "neutral": 5}
    assert {row["reference"] for row in result.terms} == {"male"}
    assert "pairs: 1 of 6 rows lack a level; each comparison uses the rows that have both its sides" in result.notes


def test_three_genders_on_every_row_are_compared_with_their_mean() -> None:
    rows = noun_phrases()
    rows += [
        {"person": f"{base}-x", "race": "unmarked", "gender": "neutral", "item": i, "pair": f"{i}/{base}"}
        for base in BASES
        for i in ITEMS
    ]
    data = pd.DataFrame(rows)
    result = measure(scores(data), data)
    assert [(row["level"], row["reference"]) for row in result.terms] == [
        ("female", "mean"),
        ("male", "mean"),
        ("neutral", "mean"),
        ("any", "mean"),
    ]
    assert sum(row["effect"] for row in result.terms[:3]) == pytest.approx(0)


def test_a_neutral_form_with_gaps_is_left_out_and_named() -> None:
    rows = noun_phrases()
    for base in BASES[:5]:
        items = ITEMS[:4] if base == BASES[0] else ITEMS
        rows += [
            {"person": f"{base}-x", "race": "unmarked", "gender": "neutral", "item": i, "pair": f"{i}/{base}"}
            for i in items
        ]
    data = pd.DataFrame(rows)
    result = measure(scores(data), data)
    assert {row["level"]: row["n_persons"] for row in result.terms} == {"female": 6, "neutral": 4}
    assert result.notes[0].startswith("pairs: 'aunt_uncle-x' is left out, 2 of its 6 items are missing; ")
    shared = measure(scores(data), data, incomplete="shared")
    assert {row["level"]: (row["n_persons"], row["n_items"]) for row in shared.terms} == {
        "female": (6, 4),
        "neutral": (5, 4),
    }


def test_a_pair_that_coincides_on_some_items_is_left_out_and_named() -> None:
    data = corpus()
    data = data[~(data["pair"].str.endswith("she_he") & data["item"].isin(ITEMS[:2]))]
    result = measure(scores(data), data)
    assert gender_on_pairs(result)["n_persons"] == 5
    assert gender_on_pairs(result)["n_items"] == 6
    assert result.notes[0].startswith("pairs: 'she_he' is left out, 2 of the 6 items have no such pair; ")
    assert result.notes[1].startswith("8 of 188 rows take no part: ")
    assert gender_on_pairs(measure(scores(data), data, incomplete="shared"))["n_persons"] == 6


def phrases(countries=("Chile", "Kenya", "Norway")) -> pd.DataFrame:
    bases = ("baker", "boss", "doctor", "friend", "neighbour", "teacher")
    return pd.DataFrame(
        [
            {"person": f"{base}-{c}", "country": c, "gender": "neutral", "item": i, "pair": f"{i}/{base}"}
            for base in bases
            for c in countries
            for i in ITEMS
        ]
    )


def test_base_phrases_crossed_with_countries_are_contrasted_within_bases() -> None:
    data = phrases()
    y = scores(data)
    result = measure(y, data)
    assert [(r["term"], r["level"], r["reference"], r["subset"]) for r in result.terms] == [
        ("country", "Chile", "mean", "phrases"),
        ("country", "Kenya", "mean", "phrases"),
        ("country", "Norway", "mean", "phrases"),
        ("country", "any", "mean", "phrases"),
    ]
    wide = data.assign(y=y, base=data["pair"].str.split("/").str[-1]).groupby(["base", "country"])["y"].mean().unstack()
    deviation = wide["Chile"] - wide.mean(axis=1)
    assert result.terms[0]["effect"] == pytest.approx(deviation.mean())
    assert result.terms[0]["n_persons"] == 6
    by_base = stats.ttest_1samp(deviation, 0)
    assert result.terms[0]["p_names_only"] == pytest.approx(by_base.pvalue)


def test_a_country_as_reference_gives_differences_within_bases() -> None:
    data = phrases()
    result = measure(scores(data), data, reference={"country": "Kenya"})
    assert [(r["level"], r["reference"]) for r in result.terms] == [("Chile", "Kenya"), ("Norway", "Kenya")]


def test_names_and_base_phrases_live_in_one_corpus() -> None:
    data = pd.concat([corpus().assign(country="unmarked"), phrases().assign(race="unmarked")], ignore_index=True)
    result = measure(scores(data), data)
    assert [(row["term"], row["subset"]) for row in result.terms] == [
        ("race", "names"),
        ("gender", "names"),
        ("race:gender", "names"),
        ("gender", "pairs"),
        *[("country", "phrases")] * 4,
    ]


def test_a_term_with_a_single_complete_row_is_left_out_and_said_so() -> None:
    data = pd.concat([corpus(), pd.DataFrame(noun_phrases(("mum_dad",)))], ignore_index=True)
    data = data[(data["race"] != "unmarked") | data["pair"].str.endswith("mum_dad")]
    result = measure(scores(data), data)
    assert {row["subset"] for row in result.terms} == {"names"}
    assert result.notes[-1] == (
        "pairs: gender (female against male) is left out: 1 row of the corpus with both sides, two are needed"
    )
