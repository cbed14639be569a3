"""Data as people have them: infinite scores, names of two words, pairs of texts, one term per group, other columns."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from synthetic import corpus, scores

from eec_bias import compare, measure
from eec_bias.errors import DesignError, ScoresError

DATA = corpus()
Y = scores(DATA)
ITEMS = [f"t{i}" for i in range(12)]


def noted(result) -> list[str]:
    return [note.key for note in result.notes]


@pytest.mark.parametrize("value", [np.inf, -np.inf])
@pytest.mark.parametrize("kind", ["alone", "beside a clean system", "a frame", "long", "runs", "compared"])
def test_an_infinite_score_is_refused_with_its_row_in_every_way_in(kind: str, value: float) -> None:
    bad = Y.copy()
    bad[5] = value
    ways = {
        "alone": lambda: measure(bad, DATA, score_range=None),
        "beside a clean system": lambda: measure({"clean": Y, "bad": bad}, DATA, score_range=None),
        "a frame": lambda: measure(pd.DataFrame({"clean": Y, "bad": bad}), DATA, score_range=None),
        "long": lambda: measure(
            np.concatenate([Y, bad]),
            pd.concat([DATA.assign(model="clean"), DATA.assign(model="bad")]),
            systems="model",
            score_range=None,
        ),
        "runs": lambda: measure(np.stack([Y, bad]), DATA, runs=["1", "2"], score_range=None),
        "compared": lambda: compare(bad, Y, DATA, score_range=None),
    }
    with pytest.raises(ScoresError, match=rf"row (5|197) \(rows count from 0\).* is {value}"):
        ways[kind]()


def test_rounding_beyond_the_range_is_clipped_and_said_and_more_is_refused() -> None:
    values = Y.copy()
    values[3] = 1.0000001
    result = measure(values, DATA)
    values[3] = 1.0
    assert measure(values, DATA).scalars == pytest.approx(result.scalars)
    assert "clipped" in noted(result)
    values[3] = 1.00001
    with pytest.raises(Exception, match="outside"):
        measure(values, DATA)


def full_names(seed: int, separator: str = " ") -> tuple[pd.DataFrame, np.ndarray]:
    """Four first names × ten surnames per group, no gap between the groups."""
    first = {"Black": ["Lakisha", "Jamal", "Keisha", "Tyrone"], "white": ["Emily", "Greg", "Anne", "Brad"]}
    last = [f"Mac{letter}" for letter in "abcdefghij"]
    rows = [
        {"person": f"{f}{separator}{surname}", "first": f, "last": surname, "item": item, "race": race}
        for item in ITEMS[:6]
        for race, names in first.items()
        for f in names
        for surname in last
    ]
    data, random = pd.DataFrame(rows), np.random.default_rng(seed)
    effects = [
        data[column].map(
            dict(zip(sorted(set(data[column])), random.normal(0, sd, data[column].nunique()), strict=True))
        )
        for column, sd in (("first", 0.05), ("last", 0.02), ("item", 0.1))
    ]
    return data, np.asarray(0.5 + sum(effects) + random.normal(0, 0.02, len(data)))


@pytest.mark.parametrize("separator", [" ", "-", "_"])
def test_names_that_share_words_are_families_as_if_declared(separator: str) -> None:
    data, y = full_names(0, separator)
    plain = measure(y, data[["person", "item", "race"]], score_range=(-1, 2))
    declared = measure(y, data, axes=["race"], families=("first", "last"), score_range=(-1, 2))
    for key in ("effect", "se", "df", "p"):
        assert plain.terms[0][key] == pytest.approx(declared.terms[0][key])
    assert "names_share_words" in noted(plain)
    alone = measure(y, data[["person", "item", "race"]], score_range=(-1, 2), families=())
    assert alone.terms[0]["se"] < plain.terms[0]["se"] / 2
    assert "names_share_words" not in noted(alone)


def test_names_that_share_words_reject_few_true_nulls() -> None:
    rejected = 0
    for seed in range(40):
        data, y = full_names(seed)
        rejected += measure(y, data[["person", "item", "race"]], score_range=(-1, 2)).terms[0]["p"] < 0.05
    assert rejected <= 6


def versions(pairs: int = 12) -> pd.DataFrame:
    """A female and a male version of each sentence, with names of their own."""
    random = np.random.default_rng(3)
    rows = [
        {"person": f"{gender}{i}", "item": f"t{i}", "gender": gender, "score": 0.5 + random.normal(0, 0.02)}
        for i in range(pairs)
        for gender in ("female", "male")
    ]
    return pd.DataFrame(rows)


@pytest.mark.parametrize("pair", ["none", "its own", "the item"])
def test_versions_of_sentences_are_a_paired_t_test_over_sentences(pair: str) -> None:
    rows = versions()
    pairs = {
        "none": {},
        "its own": {"pair": rows["item"] + "/p" + rows["item"].str[1:]},
        "the item": {"pair": rows["item"]},
    }
    wide = rows.pivot_table(index="item", columns="gender", values="score")
    expected = stats.ttest_rel(wide["female"], wide["male"])
    result = measure(rows["score"], rows.drop(columns="score").assign(**pairs[pair]))
    (row,) = [term for term in result.terms if term["level"] == "female"]
    difference = wide["female"] - wide["male"]
    assert row["se"] == pytest.approx(difference.std(ddof=1) / np.sqrt(len(wide)))
    assert (row["df"], row["p"]) == pytest.approx((len(wide) - 1, expected.pvalue))
    assert (row["ci_low"], row["ci_high"]) == pytest.approx(tuple(expected.confidence_interval(0.95)))
    assert not any("missing" in key or "incomplete" in key for key in noted(result))
    assert "versions_of_items" in noted(result)


def test_versions_keep_the_test_of_items_if_rows_are_shuffled() -> None:
    rows = versions()
    other = rows.sample(frac=1, random_state=1)
    one, two = (measure(r["score"], r.drop(columns="score")).terms[0] for r in (rows, other))
    assert (one["effect"], one["se"], one["df"]) == pytest.approx((two["effect"], two["se"], two["df"]))


@pytest.mark.parametrize("paired", [False, True])
def test_one_term_per_group_is_tested_over_sentences_and_told_as_such(paired: bool) -> None:
    random = np.random.default_rng(0)
    data = pd.DataFrame(
        [{"person": p, "item": item, "gender": g} for item in ITEMS for p, g in (("he", "male"), ("she", "female"))]
    )
    y = 0.4 + 0.03 * (data["gender"] == "female") + random.normal(0, 0.02, len(data))
    expected = stats.ttest_rel(y[data["gender"] == "female"], y[data["gender"] == "male"])
    data = data.assign(pair=data["item"] + "/she_he") if paired else data
    result = measure(y, data)
    (row,) = [term for term in result.terms if term["level"] == "female"]
    assert (row["df"], row["p"]) == pytest.approx((len(ITEMS) - 1, expected.pvalue))
    assert "each group has only one person or word" in row["rough"]
    assert "one_term_per_group" in noted(result)
    assert {finding.answer for finding in result.findings} == {"described"}


def test_one_term_per_group_of_four_has_a_row_for_each() -> None:
    names = ["French", "German", "Nigerian", "Indian"]
    data = pd.DataFrame([{"person": name, "item": item, "nationality": name} for item in ITEMS for name in names])
    y = 0.4 + 0.06 * (data["nationality"] == "Nigerian") + np.random.default_rng(0).normal(0, 0.02, len(data))
    rows = {row["level"]: row for row in measure(y, data).terms if row["term"] == "nationality"}
    assert rows["Nigerian"]["effect"] == pytest.approx(0.06 * 0.75, abs=0.01)
    assert set(names) <= rows.keys()


def test_one_term_on_one_sentence_says_what_to_add() -> None:
    data = pd.DataFrame({"person": ["he", "she"], "item": ["a", "a"], "gender": ["male", "female"]})
    with pytest.raises(DesignError, match="give several persons of each group, or several items"):
        measure([0.1, 0.2], data)


def test_columns_that_vary_within_a_person_are_no_axes_and_the_result_says_so() -> None:
    random = np.random.default_rng(0)
    polarity = DATA.assign(polarity=DATA["item"].map(lambda item: ("good", "bad")[len(item) % 2]))
    split = DATA.assign(split=random.choice(["train", "test"], len(DATA)))
    plain = measure(Y, DATA).scalars
    for data in (polarity, split):
        result = measure(Y, data)
        assert {key: result.scalars[key] for key in plain} == pytest.approx(plain)
        assert "axes_vary_within_person" in noted(result)


def test_columns_that_are_constant_within_a_person_are_axes_and_the_result_names_them() -> None:
    names = DATA[DATA["race"] != "unmarked"]
    age = {person: ("old", "young")[k % 2] for k, person in enumerate(sorted(set(names["person"])))}
    result = measure(scores(names), names.assign(age=names["person"].map(age)))
    assert "age" in {row["term"] for row in result.terms}
    (note,) = [str(note) for note in result.notes if note.key == "axes_taken"]
    assert (
        note
        == "these columns give the groups: race, gender, age. To choose other columns, name them in the option axes"
    )


@pytest.mark.parametrize("column", ["sample", "run", "seed"])
def test_a_column_that_tells_answers_to_one_sentence_apart_leads_to_runs(column: str) -> None:
    data = pd.concat([DATA.assign(**{column: k}) for k in range(3)], ignore_index=True)
    y = np.concatenate([Y, Y + 0.01, Y - 0.01])
    found, named = measure(y, data), measure(y, data, runs=column)
    assert found.scalars == pytest.approx(named.scalars)
    assert found.terms[0]["n_sentences"] == measure(Y, DATA).terms[0]["n_sentences"]
