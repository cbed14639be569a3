"""Rows in an engine's table give the numbers of rows in memory, whatever their order."""

import tracemalloc
from collections.abc import Callable
from functools import cache
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pytest
import verdict_cases
from synthetic import assert_rows, corpus, names, noun_phrases, scores, third_forms

from eec_bias import OptionError, Result, measure

KINDS = ("terms", "cells", "fits", "equivalence", "variances", "rate_rows", "flips")
Feeder = Callable[..., Result]


def engine(kind: Callable[[pd.DataFrame], Any]) -> Feeder:
    def run(y: np.ndarray, data: pd.DataFrame, **options: Any) -> Result:
        columns = [f"y{s}" for s in range((np.ndim(y) > 1 and len(y)) or 1)]
        scored = data.assign(**dict(zip(columns, np.atleast_2d(y), strict=True)))
        return measure(columns if np.ndim(y) > 1 else columns[0], kind(scored), **options)

    return run


FEEDERS: dict[str, Feeder] = {
    "polars": engine(lambda data: pl.from_pandas(data).lazy()),
    "polars, categories": engine(lambda data: pl.from_pandas(data.astype({"race": "category"})).lazy()),
    "duckdb": engine(duckdb.from_df),
}


def assert_same(found: Result, expected: Result) -> None:
    """Equal to 1e-10 where numbers are, and entirely elsewhere."""
    for kind in KINDS:
        assert_rows(getattr(found, kind), getattr(expected, kind), rel=1e-10, abs=1e-14)
    assert (found.notes, found.axes, found.signature) == (expected.notes, expected.axes, expected.signature)


Y, WHOLE = scores(corpus()), corpus()
THREE = pd.DataFrame([*names(races=("Anglo", "Black", "Latino")), *noun_phrases()])
NAMED = pd.DataFrame(names())
EXTRA = NAMED.assign(race="unmarked", person=lambda d: "x-" + d["person"])
ORIGINAL = NAMED.drop_duplicates("item").assign(person="original", race="unmarked", gender="unmarked")
GAPPY = NAMED.drop(index=[5, 9, 40]).reset_index(drop=True)
DESIGNS = {
    "names and noun phrases": WHOLE,
    "explicit mentions": verdict_cases.corpus(mentions=True),
    "three axes, one of three levels": THREE.assign(
        age=np.where(THREE["person"].str.contains("[012]$"), "young", "old")
    ),
    "names that say nothing on an axis": pd.concat([WHOLE, EXTRA, ORIGINAL], ignore_index=True),
    "forms with gaps": pd.DataFrame([*names(), *noun_phrases(), *third_forms()[:-9]]),
    "a pronoun in two pairs": pd.DataFrame([*names(), *noun_phrases(), *noun_phrases(bases=("she_it",))]),
    "names alone": NAMED,
    "noun phrases alone": pd.DataFrame(noun_phrases()),
    "a single item": corpus(items=["t01-angry"]),
    "sentences with an anchor": WHOLE.assign(anchor=lambda d: np.where(d["item"] < "t02", "female", "male")),
}
SYSTEMS = {
    "two systems": np.stack([Y, scores(WHOLE, 1)]),
    "one without scores": np.stack([Y, np.full(len(Y), np.nan), scores(WHOLE, 2)]),
    "biased, and blind": np.stack([WHOLE["gender"] == "female", pd.factorize(WHOLE["item"])[0] / 10]),
}
OPTIONS: dict[str, dict[str, Any]] = {
    "a range": {"score_range": (-1, 3)},
    "no reference": {"reference": None, "tasks": "joy"},
    "a margin": {"margin": 0.1},
    "one axis": {"axes": ("gender",)},
}
CASES: dict[str, tuple[Any, pd.DataFrame, dict[str, Any]]] = {
    **{name: (Y, WHOLE, options) for name, options in OPTIONS.items()},
    **{name: (scores(rows), rows, {}) for name, rows in DESIGNS.items()},
    **{name: (y, WHOLE, {"systems": [f"m{s}" for s in range(len(y))]}) for name, y in SYSTEMS.items()},
    "at the edges": (np.where(np.isin(np.arange(len(Y)), [3, 130]), np.round(Y), Y), WHOLE, {}),
}
RUNS = np.stack([scores(WHOLE, run) for run in range(4)])
FAMILIES = NAMED.assign(family=NAMED["person"].str[-1], ending=NAMED["person"].str[:2])
OF_ALL_ROWS: dict[str, tuple[Any, pd.DataFrame, dict[str, Any]]] = {
    "shared items": (np.where(np.arange(len(GAPPY)) == 3, 1.0, scores(GAPPY)), GAPPY, {"incomplete": "shared"}),
    "shared items, with scores that are missing": (
        np.where(np.isin(np.arange(len(NAMED)), [3, 70]), np.nan, scores(NAMED)),
        NAMED,
        {"incomplete": "shared"},
    ),
    "item by item": (Y, WHOLE, {"by": "item"}),
    "runs": (RUNS, WHOLE, {"runs": list("abcd"), "systems": ["m"] * 4}),
    "two runs": (RUNS[:2], WHOLE, {"runs": list("ab"), "systems": ["m"] * 2}),
    "rates": (Y, WHOLE, {"rate_above": 0.5}),
    "classes": (np.where(Y > 0.5, "high", "low"), WHOLE, {"outputs": "class"}),
    "classes with values": (
        np.where(Y > 0.5, "high", "low"),
        WHOLE,
        {"outputs": "class", "classes": {"low": 0, "high": 1}},
    ),
    "whole numbers": (np.rint(4 * Y), WHOLE, {"outputs": "ordinal", "score_range": (0, 4)}),
    "families": (scores(FAMILIES), FAMILIES, {}),
    "one column of families": (scores(FAMILIES), FAMILIES, {"families": ["ending"]}),
}


@cache
def measured(case: str) -> tuple[tuple[Any, pd.DataFrame, dict[str, Any]], Result]:
    """The rows of a case in another order where it is a design, its options, and what is measured in memory."""
    y, data, options = (CASES | OF_ALL_ROWS)[case]
    order = np.random.default_rng(1).permutation(len(data)) if case in DESIGNS else np.arange(len(data))
    y, data = y[..., order], data.iloc[order].reset_index(drop=True)
    return (y, data, options), measure(y, data, **options)


@pytest.mark.parametrize(
    ("feeder", "case"),
    [
        *((feeder, "names and noun phrases") for feeder in FEEDERS),
        *(("duckdb", case) for case in CASES | OF_ALL_ROWS),
    ],
)
def test_every_feeder_gives_the_numbers_of_the_rows_in_memory(feeder: str, case: str) -> None:
    (y, data, options), expected = measured(case)
    assert_same(FEEDERS[feeder](y, data, **options), expected)


def test_a_table_has_columns_of_any_name_and_whole_numbers_as_labels() -> None:
    data = pd.DataFrame(names()).rename(columns={"race": "n", "gender": "y0"})
    data["person"], data["c0"] = pd.factorize(data["person"])[0], scores(data)
    found = measure("c0", duckdb.from_df(data), axes=("n", "y0"))
    assert_same(found, measure(data["c0"].to_numpy(), data.astype({"person": str}), axes=("n", "y0")))


def test_many_rows_keep_their_digits_where_scores_hardly_differ() -> None:
    # A hundred thousand rows around .9, a hundred-thousandth apart: sums of raw squares would keep five digits.
    rng = np.random.default_rng(1)
    row = np.arange(100_000)
    data = pd.DataFrame({"person": row // 500, "item": row % 500, "race": row // 500 % 2, "gender": row // 1000 % 2})
    y = 0.9 + 1e-5 * rng.standard_normal(200)[row // 500] + 1e-5 * rng.standard_normal(len(row))
    text = data.astype(str)
    for a, b in zip(FEEDERS["duckdb"](y, text).overall, measure(y, text).overall, strict=True):
        assert (a["effect"], a["se"]) == pytest.approx((b["effect"], b["se"]), rel=1e-8)
        assert a["beta"] == pytest.approx(b["beta"], rel=1e-6)


def test_probabilities_of_classes_come_in_columns_of_a_table() -> None:
    scored = WHOLE.assign(low=1 - Y, high=Y)
    found = measure(["low", "high"], duckdb.from_df(scored), outputs="probabilities")
    assert_same(found, measure({"low": 1 - Y, "high": Y}, WHOLE, outputs="probabilities"))


def test_a_missing_score_counts_as_a_missing_row_of_shared_items() -> None:
    y, gone = scores(NAMED), np.isin(np.arange(len(NAMED)), [3, 70])
    missing = measure(np.where(gone, np.nan, y), NAMED, incomplete="shared")
    absent = measure(y[~gone], NAMED[~gone], incomplete="shared")
    assert missing.overall == absent.overall


def test_two_systems_of_a_table_have_the_names_given() -> None:
    a, b = SYSTEMS["two systems"]
    scored, systems = WHOLE.assign(a=a, b=b), ["first", "second"]
    found = measure(["a", "b"], duckdb.from_df(scored), systems=systems)
    assert_same(found, measure(np.stack([a, b]), WHOLE, systems=systems))


def test_long_data_in_an_engine_are_refused() -> None:
    with pytest.raises(OptionError, match="systems 'model' is a column of long data, which needs the table in memory"):
        measure("score", duckdb.from_df(WHOLE.assign(score=Y, model="a")), systems="model")


def test_memory_holds_scores_and_codes_and_no_texts() -> None:
    rows = 500_000
    relation = duckdb.sql(
        "select 'a rather long name of person ' || r // 2500 person, 'a rather long name of item ' || r % 2500 item, "
        "['Anglo', 'Black'][r // 2500 % 2 + 1] race, ['female', 'male'][r // 5000 % 2 + 1] gender, "
        f"(r * 7919 % 10007) / 10007 score from range({rows}) t(r)"
    )
    tracemalloc.start()
    measure("score", relation)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 30 * 8 * rows
