"""Order of systems by a rating, and its limits: DIE % when names and items are drawn again."""

from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest
from noted import noted

import eec_datasets
from eec_bias import Result
from eec_bias.inputs.containers import read_source
from eec_bias.methods import rating
from eec_bias.methods.rating.comparisons import _student
from eec_bias.methods.rating.resampling import _marks_of, middle, settled_orders, weighted_draws
from eec_bias.methods.rating.sets import ordered_pairs, read_sets


@cache
def sixteen() -> pd.DataFrame:
    return eec_datasets.confounded("en-black-white").to_pandas()


@pytest.fixture(scope="module")
def rated() -> Result:
    """A system that favours women, one of random numbers, and one that knows no group."""
    rows = sixteen()
    rng = np.random.default_rng(0)
    scores = {
        "biased": np.where(rows["gender"] == "female", 1.0, -1.0),
        "random": rng.uniform(-1, 1, len(rows)),
        "blind": pd.factorize(rows["item"])[0] / rows["item"].nunique() / 2 + 0.25,
    }
    return rating(scores, rows, score_range=(-1, 1))


def of(result: Result, system: str, group: str) -> dict[str, Any]:
    (row,) = (row for row in result.study.ratings if (row["system"], row["group"]) == (system, group))
    return row


def test_random_and_biased_cannot_be_ordered_by_die(rated: Result) -> None:
    assert of(rated, "random", "2")["unranked"] == ["biased"]
    assert of(rated, "biased", "2")["unranked"] == ["random"]


def test_a_system_that_knows_no_group_is_ordered_with_all(rated: Result) -> None:
    assert of(rated, "blind", "2")["unranked"] == []
    assert (of(rated, "blind", "2")["low"], of(rated, "blind", "2")["high"]) == (0, 0)


def test_the_interval_of_die_holds_it(rated: Result) -> None:
    row = of(rated, "random", "2")
    assert row["low"] < row["die"] < row["high"]


def test_an_interval_that_reaches_a_mean_of_zero_ends_in_x(rated: Result) -> None:
    assert of(rated, "biased", "2")["low"] > 100
    assert of(rated, "biased", "2")["high"] is None
    assert " to X" in rated.tables()["resamples"]


def test_a_system_that_always_favours_women_has_one_wrs(rated: Result) -> None:
    row = of(rated, "biased", "1")
    assert (row["low"], row["wrs"], row["high"]) == (24, 24, 24)


def test_a_system_that_knows_no_group_has_no_wrs_in_any_resample(rated: Result) -> None:
    assert (of(rated, "blind", "3_RG")["low"], of(rated, "blind", "3_RG")["high"]) == (0, 0)


def test_a_wrs_made_of_chance_moves_with_the_persons_drawn(rated: Result) -> None:
    row = of(rated, "random", "3_RG")
    assert row["high"] - row["low"] > 20


def test_marks_of_resamples_are_those_of_the_rows_when_each_counts_once() -> None:
    (data,) = (each for each in read_sets(read_source(sixteen())) if (each.group, each.label) == ("3", "E4"))
    values = np.random.default_rng(3).uniform(0, 1, (2, len(data.rows)))
    ones = np.ones((1, len(data.rows)))
    classes = data.attributes["rg"]
    for pair in ordered_pairs(classes.levels):
        first, second = (values[:, classes.codes == code] for code in pair)
        expected = _student(first, second, 1.0, [0.95, 0.7, 0.6])["mark"]
        assert _marks_of(ones, values, classes.codes, pair, 1.0, [0.95, 0.7, 0.6])[0].tolist() == expected.tolist()


def test_a_mark_counts_the_weights_of_its_level_and_lower_ones() -> None:
    assert weighted_draws(np.array([[[2], [0]]]), {0.95: 1.0, 0.7: 0.8, 0.6: 0.6}).tolist() == [[pytest.approx(1.4)]]


def test_the_table_of_ratings_marks_what_cannot_be_ordered(rated: Result) -> None:
    lines = [line.split() for line in rated.tables()["ratings"].splitlines()]
    (biased,) = [line for line in lines if line[:1] == ["biased"]]
    (blind,) = [line for line in lines if line[:1] == ["blind"]]
    assert biased[2].endswith("?")
    assert blind[1:7] == ["1"] * 6


def test_the_table_as_csv_has_plain_numbers(rated: Result) -> None:
    assert "?" not in rated.tables("csv")["ratings"]


def test_a_row_of_a_rating_names_whom_it_is_not_ordered_with(rated: Result) -> None:
    rows = rated.to_dict()["terms"]
    (note,) = [row["note"] for row in rows if (row["term"], row["subset"], row["system"]) == ("rating", "2", "biased")]
    assert note.endswith("although the order is uncertain: random")


def test_a_note_says_why_ratings_are_marked(rated: Result) -> None:
    assert any("? marks a system that may have another rank" in note for note in noted(rated.notes))


def test_an_order_in_most_resamples_is_settled() -> None:
    resampled = {"a": np.arange(100.0), "b": np.arange(100.0) + 0.5}
    assert settled_orders({"a": 1.0, "b": 2.0}, {"a": 1, "b": 2}, resampled) == {"a": [], "b": []}


def test_systems_of_one_rating_need_no_order() -> None:
    resampled = {"a": np.arange(100.0), "b": np.arange(100.0)[::-1]}
    assert settled_orders({"a": 1.0, "b": 2.0}, {"a": 1, "b": 1}, resampled) == {"a": [], "b": []}


def test_resamples_without_a_value_take_no_part_in_an_interval() -> None:
    assert middle(np.array([np.nan, 1.0, 2.0, 3.0])) == (1.0, 3.0)
