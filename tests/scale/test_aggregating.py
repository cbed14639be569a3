"""Sums that an engine takes give the numbers that `measure` gives, whatever the frame and the order of its rows."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from eec_bias import BiasError, DesignError, LabelsError, OptionError, Result, ScoresError, measure, measure_frame

NAMES = [
    {"person": f"{race}-{gender}-{k}".lower(), "race": race, "gender": gender}
    for race in ("Anglo", "Latino")
    for gender in ("female", "male")
    for k in range(5)
]
PAIRS = [("mother", "father"), ("she", "he"), ("aunt", "uncle"), ("sister", "brother")]
KINDS = ("terms", "cells", "fits", "wording", "equivalence", "variances", "bootstrap")


def corpus(items: int = 6, systems: int = 1) -> pd.DataFrame:
    """Twenty names and four pairs of noun phrases on every item, scored in (0, 1), the rows shuffled."""
    rows = []
    for k in range(items):
        item = f"t{k:02d}/angry"
        rows += [{**name, "item": item, "pair": item} for name in NAMES]
        for pair in PAIRS:
            for person, gender in zip(pair, ("female", "male"), strict=True):
                one = {"person": person, "race": "unmarked", "gender": gender, "item": item}
                rows.append({**one, "pair": f"{item}/{'_'.join(pair)}"})
    data = pd.DataFrame(rows)
    data["id"] = data["item"] + "/" + data["person"]
    rng = np.random.default_rng(7)
    for s in range(systems):
        person = rng.normal(0, 0.3, 100)[pd.factorize(data["person"])[0]]
        item = rng.normal(0, 0.5, items)[pd.factorize(data["item"])[0]]
        data[f"y{s}"] = 1 / (1 + np.exp(-(person + item + rng.normal(0, 0.2, len(data)))))
    return data.sample(frac=1, random_state=3, ignore_index=True)


def names(items: int = 6) -> pd.DataFrame:
    data = corpus(items)
    return data[data["pair"] == data["item"]].reset_index(drop=True)


def assert_same(found: Result, expected: Result) -> None:
    """Equal to 1e-10 where numbers are, and entirely elsewhere."""
    for kind in KINDS:
        ours, theirs = getattr(found, kind), getattr(expected, kind)
        assert len(ours) == len(theirs)
        for a, b in zip(ours, theirs, strict=True):
            assert list(a) == list(b)
            for key, value in b.items():
                if isinstance(value, float) and not math.isnan(value):
                    assert a[key] == pytest.approx(value, rel=1e-10, abs=1e-14), (kind, key)
                else:
                    assert a[key] == value or math.isnan(a[key]), (kind, key)
    assert (found.notes, found.axes, str(found.signature)) == (expected.notes, expected.axes, str(expected.signature))


FRAMES: dict[str, Callable[[pd.DataFrame], Any]] = {
    "pandas": lambda data: data,
    "categories": lambda data: data.astype({"race": "category", "person": "category"}),
    "pyarrow": lambda data: pa.Table.from_pandas(data, preserve_index=False),
    "polars": pl.from_pandas,
    "polars, lazy": lambda data: pl.from_pandas(data).lazy(),
    "duckdb": duckdb.from_df,
}


@pytest.mark.parametrize("frame", FRAMES)
def test_any_frame_gives_the_numbers_of_the_rows_in_memory(frame: str) -> None:
    data = corpus()
    assert_same(measure_frame(FRAMES[frame](data), "y0"), measure(data["y0"].to_numpy(), data))


@pytest.mark.parametrize(
    "options",
    [
        {"edge": "squeeze"},
        {"edge": "clip:0.3"},
        {"score_range": (-1, 3)},
        {"reference": None, "simple": True, "adjust": "by"},
        {"permutations": 99, "bootstrap": 99, "margin": 0.1, "seed": 4},
        {"axes": ("gender",), "data_name": "mine@1"},
    ],
    ids=str,
)
def test_all_options_that_sums_allow_mean_the_same(options: dict[str, Any]) -> None:
    data = corpus()
    assert_same(measure_frame(duckdb.from_df(data), "y0", **options), measure(data["y0"].to_numpy(), data, **options))


def test_many_systems_are_measured_at_once_and_one_without_scores_is_left_out() -> None:
    data = corpus(systems=3)
    data["y1"] = np.nan
    scores = {name: data[name].to_numpy() for name in ("y0", "y1", "y2")}
    found = measure_frame(duckdb.from_df(data), list(scores))
    assert_same(found, measure(scores, data))
    assert found.notes[0] == "system 'y1' is left out: all its 168 scores are NaN"


def test_the_order_of_rows_does_not_matter() -> None:
    data = corpus()
    first = measure_frame(pl.from_pandas(data), "y0")
    assert_same(measure_frame(pl.from_pandas(data[::-1]), "y0"), first)


def test_many_rows_keep_their_digits_where_scores_hardly_differ() -> None:
    # A hundred thousand rows around .9, a hundred-thousandth apart: sums of squares would keep five digits.
    rng = np.random.default_rng(1)
    row = np.arange(100_000)
    data = pd.DataFrame({"person": row // 500, "item": row % 500, "race": row // 500 % 2, "gender": row // 1000 % 2})
    data["score"] = 0.9 + 1e-5 * rng.standard_normal(200)[row // 500] + 1e-5 * rng.standard_normal(len(row))
    text = data.astype(dict.fromkeys(("person", "item", "race", "gender"), str))
    found, expected = measure_frame(duckdb.from_df(text)), measure(text["score"].to_numpy(), text)
    for a, b in zip(found.terms, expected.terms, strict=True):
        assert a["effect"] == pytest.approx(b["effect"], rel=1e-8)
        assert a["se"] == pytest.approx(b["se"], rel=1e-8)
        assert a["beta"] == pytest.approx(b["beta"], rel=1e-6)


def test_scores_at_the_edges_are_counted_and_prevent_the_beta_regression() -> None:
    data = corpus()
    data.loc[[3, 50], "y0"] = 0, 1
    found = measure_frame(duckdb.from_df(data), "y0")
    assert_same(found, measure(data["y0"].to_numpy(), data))
    assert found.terms[0]["beta"] is None
    assert_same(
        measure_frame(duckdb.from_df(data), "y0", edge="squeeze"), measure(data["y0"].to_numpy(), data, edge="squeeze")
    )


def test_a_biased_and_a_blind_system_are_told_as_ever() -> None:
    data = corpus(systems=2)
    data["y0"], data["y1"] = (data["gender"] == "female").astype(float), pd.factorize(data["item"])[0] / 10
    found = measure_frame(duckdb.from_df(data), ["y0", "y1"])
    assert_same(found, measure({name: data[name].to_numpy() for name in ("y0", "y1")}, data))
    gender = next(row for row in found.terms if row["system"] == "y0" and row["term"] == "gender")
    assert (gender["effect"], gender["se"]) == (1.0, 0.0)


def test_names_alone_noun_phrases_alone_and_a_single_item() -> None:
    data = corpus()
    pairs = data[data["pair"] != data["item"]].reset_index(drop=True)
    one = names()[lambda d: d["item"] == "t00/angry"].reset_index(drop=True)
    for part in (names(), pairs, one):
        assert_same(measure_frame(duckdb.from_df(part), "y0"), measure(part["y0"].to_numpy(), part))


def test_rows_of_originals_and_names_of_one_axis_are_treated_as_in_memory() -> None:
    data = names()
    extra = data[data["race"] == "Anglo"].assign(race="unmarked", person=lambda d: "x-" + d["person"])
    original = data.drop_duplicates("item").assign(person="original", race="unmarked", gender="unmarked")
    whole = pd.concat([data, extra, original], ignore_index=True)
    whole["id"] = whole["item"] + "/" + whole["person"]
    found = measure_frame(duckdb.from_df(whole), "y0")
    assert_same(found, measure(whole["y0"].to_numpy(), whole))
    assert found.notes[-1] == (
        "6 of 186 rows take no part: they carry no level, or no counterpart, on the axes measured"
    )


def test_further_text_columns_are_axes_and_the_anchor_is_none() -> None:
    data = names()
    data["age"] = np.where(data["person"].str.contains("[012]$"), "young", "old")
    data["anchor"] = np.where(data["item"] < "t03", "female", "male")
    found = measure_frame(pl.from_pandas(data), "y0")
    assert found.axes == ("race", "gender", "age")
    assert_same(found, measure(data["y0"].to_numpy(), data))


def test_axes_may_be_called_as_anything_and_labels_may_be_whole_numbers() -> None:
    data = names().rename(columns={"race": "n", "gender": "y0", "y0": "c0"})
    data["person"] = pd.factorize(data["person"])[0]
    axes = ("n", "y0")
    text = data.astype({"person": str})
    found = measure_frame(duckdb.from_df(data), "c0", axes=axes)
    assert_same(found, measure(data["c0"].to_numpy(), text, axes=axes))


def test_items_that_all_persons_share_are_kept_on_request() -> None:
    data = names().drop(index=[5, 9, 40]).reset_index(drop=True)
    found = measure_frame(duckdb.from_df(data), "y0", incomplete="shared")
    assert_same(found, measure(data["y0"].to_numpy(), data, incomplete="shared"))
    assert found.notes[0].startswith("names: incomplete table cut to the ")
    assert "incomplete:shared" in str(found.signature)


def test_every_step_is_told() -> None:
    told: list[tuple[int, int, str]] = []
    measure_frame(corpus(), "y0", progress=lambda *step: told.append(step))
    assert told == [
        (0, 4, "checking scores and labels"),
        (1, 4, "counting names and sentences"),
        (2, 4, "looking for doubles"),
        (3, 4, "summing up"),
        (4, 4, ""),
    ]


def refusal(kind: type[BiasError], data: Any, scores: Any = "y0", **options: Any) -> str:
    with pytest.raises(kind) as caught:
        measure_frame(data, scores, **options)
    return str(caught.value)


FIRST = "t00/angry/latino-female-2"


def with_value(column: str, value: Any) -> Any:
    data = corpus()
    data.loc[data["id"] == FIRST, column] = value
    return duckdb.from_df(data)


@pytest.mark.parametrize("value", [np.nan, None])
def test_a_missing_score_is_refused_with_its_row(value: float | None) -> None:
    assert refusal(ScoresError, with_value("y0", value)) == (
        "score in row 't00/angry/latino-female-2' is missing (1 such); every row needs a finite score"
    )


def test_a_score_outside_the_range_is_refused_with_its_row() -> None:
    lowest = f"{corpus()['y0'].min():.4g}"
    assert refusal(ScoresError, with_value("y0", 1.5)) == (
        "score in row 't00/angry/latino-female-2' is outside [0, 1] (1 such; scores run from "
        f"{lowest} to 1.5); declare the scale of the scores with score_range=(low, high)"
    )


@pytest.mark.parametrize("value", [np.inf, -np.inf])
def test_an_infinite_score_is_refused_with_its_row(value: float) -> None:
    assert refusal(ScoresError, with_value("y0", value)) == (
        "score in row 't00/angry/latino-female-2' is infinite; every row needs a finite score"
    )


@pytest.mark.parametrize("lost", [False, True])
def test_without_ids_a_row_is_named_by_person_and_item_and_a_system_by_its_name(lost: bool) -> None:
    data = corpus(systems=2)
    data.loc[data["id"] == FIRST, "y1"] = -1
    data = data.assign(id=None) if lost else data.drop(columns="id")
    lowest, highest = -1, f"{data['y1'].max():.4g}"
    assert refusal(ScoresError, data, ["y0", "y1"]) == (
        "score in the row of person 'latino-female-2' on item 't00/angry' of system 'y1' is outside [0, 1] (1 such; "
        f"scores run from {lowest} to {highest}); declare the scale of the scores with score_range=(low, high)"
    )


def test_a_missing_label_is_refused_with_its_row() -> None:
    assert refusal(LabelsError, with_value("gender", None)) == (
        "column 'gender' has no value in row 't00/angry/latino-female-2' (1 such rows); every row needs a label"
    )
    assert refusal(LabelsError, with_value("gender", " ")) == (
        "column 'gender' is blank in row 't00/angry/latino-female-2'; every row needs a label, 'unmarked' on an axis "
        "it says nothing about"
    )


def test_labels_in_another_spelling_are_refused_with_their_row() -> None:
    assert refusal(LabelsError, with_value("gender", "Female")) == (
        "column 'gender' has the label 'Female' (first in row 't00/angry/latino-female-2'), which the corpora write "
        "'female'; write it so throughout: references and unmarked rows are known by it"
    )
    assert refusal(LabelsError, with_value("person", "Latino-Female-2")) == (
        "column 'person' has the labels 'Latino-Female-2' (first in row 't00/angry/latino-female-2') and "
        "'latino-female-2' (first in row 't01/angry/latino-female-2'), which differ only by case, accents or space; "
        "write one of them throughout, or names that can be told apart if two are meant"
    )


def test_a_person_who_meets_an_item_twice_is_refused() -> None:
    data = names()
    twice = pd.concat([data, data[data["id"] == "t02/angry/anglo-male-1"]])
    assert refusal(DesignError, duckdb.from_df(twice)) == (
        "2 rows give person 'anglo-male-1' (race=Anglo, gender=male) on item 't02/angry'; each person meets each item "
        "once"
    )


def test_a_person_who_meets_one_item_twice_and_another_never_is_refused_as_well() -> None:
    data = names()
    swapped = data["id"].isin(["t02/angry/anglo-male-1", "t03/angry/anglo-male-2"])
    data.loc[swapped, "item"] = data.loc[swapped, "item"].map({"t02/angry": "t03/angry", "t03/angry": "t02/angry"})
    data["pair"] = data["item"]
    assert refusal(DesignError, duckdb.from_df(data)) == (
        "2 rows give person 'anglo-male-1' (race=Anglo, gender=male) on item 't03/angry'; each person meets each item "
        "once"
    )


def test_gaps_are_refused_with_the_first_person_and_item() -> None:
    data = names()
    data = data[~data["id"].isin(["t02/angry/latino-male-1", "t04/angry/latino-male-1", "t01/angry/latino-male-3"])]
    assert refusal(DesignError, duckdb.from_df(data)) == (
        "names: 3 of the 20 × 6 combinations of person and item are missing, first person 'latino-male-1' "
        "(race=Latino, gender=male) on item 't02/angry'; every person needs every item: add the rows, or pass "
        "incomplete='shared' to keep the 3 items all persons share"
    )
    alone = data[data["item"] == data["person"].map(dict(zip(data["person"], data["item"], strict=True)))]
    assert refusal(DesignError, duckdb.from_df(alone), incomplete="shared").endswith(
        "; no item is shared by all persons, so nothing is left to compare"
    )


def test_a_wrong_pair_is_refused_among_the_rows_that_were_brought_to_memory() -> None:
    assert refusal(LabelsError, with_value("pair", "t99")) == (
        "among the 49 rows of noun phrases and pronouns, sorted by item and person: row 4 (rows count from 0) has pair "
        "'t99' and item 't00/angry'; a pair is the item itself (names) or the item followed by '/' and what the row is "
        "paired by, such as 'mother_father'"
    )


def test_unmarked_rows_need_a_pair() -> None:
    assert refusal(LabelsError, corpus().drop(columns="pair")) == (
        "column 'pair' is missing, and row 't00/angry/aunt' is unmarked on 'race'; give the column pair, which tells "
        "names from noun phrases"
    )


@pytest.mark.parametrize(
    ("change", "kind", "message"),
    [
        (lambda d: d.drop(columns="y0"), LabelsError,
         "column 'y0' is missing; the data have person, race, gender, item, pair, id"),
        (lambda d: d.drop(columns="item"), LabelsError,
         "column 'item' is missing; the data have person, race, gender, pair, id, y0"),
        (lambda d: d.assign(y0="high"), ScoresError, "column 'y0' holds String values; scores must be numbers"),
        (lambda d: d.assign(gender=0.5), LabelsError,
         "column 'gender' holds Float64 values; labels must be text or integers"),
        (lambda d: d.head(0), LabelsError,
         "data has no rows; expected one row per sentence with race, gender, person and item"),
        (lambda _: 5, LabelsError,
         "frame is a int; expected a DuckDB relation, a Spark, polars or pandas frame, or a pyarrow table"),
    ],
)  # fmt: skip
def test_a_table_that_is_none_is_refused(change: Any, kind: type[BiasError], message: str) -> None:
    data = change(names())
    data = pl.from_pandas(data) if isinstance(data, pd.DataFrame) else data
    assert refusal(kind, data) == message


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"score_range": (1, 0)}, "score_range=(1, 0); expected two finite numbers, the lower first, such as (-1, 1)"),
        ({"adjust": "sidak"}, "adjust='sidak' is unknown; use one of 'holm', 'bh', 'by', 'maxt', 'none'"),
        ({"incomplete": "cut"}, "incomplete='cut' is unknown; use one of 'refuse', 'shared'"),
        ({"axes": "race"}, "axes='race'; expected a sequence of names such as ('race',)"),
        ({"scores": []}, "scores=[] names no column; name one, or one per system"),
    ],
    ids=str,
)
def test_an_option_in_error_is_refused_before_anything_is_read(options: dict[str, Any], message: str) -> None:
    assert refusal(OptionError, None, **options) == message
