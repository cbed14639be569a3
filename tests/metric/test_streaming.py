"""Rows in chunks: the same numbers, and memory that does not grow with them."""

import tracemalloc
from collections.abc import Iterator

import datasets
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from synthetic import corpus, names, noun_phrases, scores

from eec_bias import Accumulator, BiasError, DesignError, LabelsError, OptionError, Result, ScoresError, measure


@pytest.fixture
def data() -> pd.DataFrame:
    return corpus()


@pytest.fixture
def y(data: pd.DataFrame) -> np.ndarray:
    return scores(data)


def chunks(y: np.ndarray, data: pd.DataFrame, size: int = 50) -> Iterator[tuple[np.ndarray, pd.DataFrame]]:
    for start in range(0, len(data), size):
        yield y[..., start : start + size], data.iloc[start : start + size]


def assert_same(found: Result, expected: Result) -> None:
    """Equal but for the rounding of sums in another order."""
    for kind in ("terms", "cells", "fits", "wording", "equivalence", "variances"):
        for a, b in zip(getattr(found, kind), getattr(expected, kind), strict=True):
            assert list(a) == list(b)
            for key, value in b.items():
                if isinstance(value, float):
                    assert a[key] == pytest.approx(value, rel=1e-7, abs=1e-13), (kind, key)
                else:
                    assert a[key] == value, (kind, key)
    assert (found.notes, found.axes, str(found.signature)) == (expected.notes, expected.axes, str(expected.signature))


def refusal(kind: type[BiasError], given: object, **options: object) -> str:
    with pytest.raises(kind) as caught:
        measure(given, **options)
    return str(caught.value)


def test_chunks_give_the_same_as_all_rows_at_once(data, y) -> None:
    assert_same(measure(chunks(y, data)), measure(y, data))


def test_the_order_and_size_of_chunks_do_not_matter(data, y) -> None:
    order = np.random.default_rng(5).permutation(len(data))
    assert_same(measure(chunks(y[order], data.iloc[order], 7)), measure(y, data))


def test_many_systems_and_all_options_that_sums_allow(data) -> None:
    both = np.stack([scores(data), scores(data, 1)]) * 2 - 1
    options = {
        "systems": ["a", "b"], "tasks": ["joy", None], "score_range": (-1, 1), "reference": {"race": "Latino"},
        "adjust": "bh", "simple": True, "edge": "clip:0.2", "data_name": "mine@1", "margin": 0.1, "permutations": 99,
    }  # fmt: skip
    assert_same(measure(chunks(both, data), **options), measure(both, data, **options))


def test_further_axes_and_levels_that_come_late_are_seen() -> None:
    data = pd.DataFrame([*names(races=("Anglo", "Black", "Latino")), *noun_phrases()])
    data["age"] = np.where(data["person"].str.contains("[012]$"), "young", "old")
    assert_same(measure(chunks(scores(data), data)), measure(scores(data), data))


def test_names_that_say_nothing_on_an_axis_have_a_table_of_their_own(data) -> None:
    extra = pd.DataFrame(names()).assign(race="unmarked", person=lambda d: "x-" + d["person"])
    wide = pd.concat([data, extra], ignore_index=True)
    assert_same(measure(chunks(scores(wide), wide)), measure(scores(wide), wide))


def test_any_kind_of_table_may_come_as_a_chunk(data, y) -> None:
    expected = measure(y, data)
    kinds = [
        pa.Table.from_pandas,
        lambda part: pa.Table.from_pandas(part.astype("category")),
        lambda part: {name: part[name].tolist() for name in part},
        datasets.Dataset.from_pandas,
    ]
    for kind in kinds:
        assert_same(measure((s, kind(part)) for s, part in chunks(y, data)), expected)


def test_scores_at_the_edges_are_counted_and_refused_by_the_beta_regression(data, y) -> None:
    y[[3, 130]] = 0, 1
    assert_same(measure(chunks(y, data)), measure(y, data))
    assert_same(measure(chunks(y, data), edge="clip:0.01"), measure(y, data, edge="clip:0.01"))


def test_a_biased_and_a_blind_system_are_told_as_ever(data) -> None:
    biased = (data["gender"] == "female").to_numpy(float)
    item = pd.factorize(data["item"])[0] / 10
    both = np.stack([biased, item])
    assert_same(measure(chunks(both, data)), measure(both, data))


def test_a_result_may_be_asked_for_before_the_end() -> None:
    data = pd.DataFrame(names())
    y = scores(data)
    items = data["item"].isin(sorted(set(data["item"]))[:3])
    whole = Accumulator()
    whole.update(y[items], data[items])
    assert_same(whole.result(), measure(y[items], data[items]))
    whole.update(y[~items], data[~items])
    assert_same(whole.result(), measure(y, data))


def test_a_system_without_scores_is_left_out(data) -> None:
    both = {"a": scores(data), "b": np.full(len(data), np.nan)}
    parts = (
        ({name: row[start : start + 50] for name, row in both.items()}, data.iloc[start : start + 50])
        for start in range(0, len(data), 50)
    )
    assert_same(measure(parts), measure(both, data))


def big(persons: int, items: int, size: int = 50_000) -> Iterator[tuple[np.ndarray, dict[str, np.ndarray]]]:
    rng = np.random.default_rng(1)
    for start in range(0, persons * items, size):
        row = np.arange(start, min(start + size, persons * items))
        person = row // items
        yield (
            rng.beta(5, 5, len(row)),
            {"person": person, "item": row % items, "race": person % 2, "gender": person // 2 % 2},
        )


def peak(persons: int, items: int) -> int:
    tracemalloc.start()
    try:
        measure(big(persons, items))
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_memory_does_not_grow_with_the_rows() -> None:
    few, many = peak(100, 1000), peak(400, 2500)
    assert many < 1.3 * few


def test_integer_codes_give_the_same_as_all_rows_at_once() -> None:
    parts = list(big(40, 30, size=170))
    rows = {name: np.concatenate([part[name] for _, part in parts]) for name in parts[0][1]}
    y = np.concatenate([s for s, _ in parts])
    assert_same(measure(parts), measure(y, rows))


def test_a_person_that_meets_an_item_again_is_refused_with_its_row(data, y) -> None:
    twice = pd.concat([data, data.iloc[[7]]], ignore_index=True)
    more = np.append(y, 0.5)
    assert refusal(DesignError, chunks(more, twice)) == (
        "chunk 3 (chunks count from 0; 150 rows before it): row 42 (rows count from 0 in each chunk) gives person "
        "'anglo-female-1' on item 't01/glad', as does an earlier chunk; each person meets each item once"
    )
    assert refusal(DesignError, chunks(more, twice, 500)) == (
        "chunk 0 (chunks count from 0; 0 rows before it): row 192 (rows count from 0 in each chunk) gives person "
        "'anglo-female-1' on item 't01/glad', as does row 7; each person meets each item once"
    )


def test_a_missing_row_is_refused_in_the_end(data, y) -> None:
    assert refusal(DesignError, chunks(y[1:], data.iloc[1:])) == (
        "names: 1 of the 20 × 6 combinations of person and item are missing, first person 'anglo-female-0' "
        "(race=Anglo, gender=female) on item 't01/angry'; every person needs every item, and a stream cannot be cut "
        "afterwards: add the rows, or filter the items before streaming"
    )


def test_scores_out_of_range_and_missing_ones_are_refused_with_their_chunk(data, y) -> None:
    y[60] = 1.5
    assert refusal(ScoresError, chunks(y, data)) == (
        "chunk 1 (chunks count from 0; 50 rows before it): score in row 10 (rows count from 0) is 1.5, outside [0, 1] "
        "(1 such); declare the scale of the scores with score_range=(low, high)"
    )
    y[60] = np.nan
    assert refusal(ScoresError, chunks(y, data)) == (
        "chunk 1 (chunks count from 0; 50 rows before it): score in row 10 (rows count from 0) is nan (1 such); every "
        "row needs a finite score"
    )


def test_labels_that_differ_by_case_between_chunks_are_refused(data, y) -> None:
    data.loc[150:, "gender"] = data.loc[150:, "gender"].str.title()
    assert refusal(LabelsError, chunks(y, data)) == (
        "chunk 3 (chunks count from 0; 150 rows before it): column 'gender' has the label 'Female' here and 'female' "
        "before, which differ only by case, accents or space; write one of them throughout, or names that can be told "
        "apart if two are meant"
    )


def test_systems_that_change_between_chunks_are_refused(data, y) -> None:
    whole = Accumulator()
    whole.update({"a": y[:50]}, data.iloc[:50])
    with pytest.raises(ScoresError) as caught:
        whole.update({"b": y[50:]}, data.iloc[50:])
    assert str(caught.value) == (
        "chunk 1 (chunks count from 0; 50 rows before it): the systems are b, those of the first chunk a; give the "
        "same systems in the same order in every chunk"
    )
    with pytest.raises(OptionError) as caught:
        whole.result()
    assert str(caught.value) == (
        "the accumulator is closed, chunk 1 (chunks count from 0; 50 rows before it) was refused: the systems are b, "
        "those of the first chunk a; give the same systems in the same order in every chunk; start a new one"
    )


def test_a_system_whose_scores_come_late_is_refused(data, y) -> None:
    late = np.stack([y, y])
    late[1, :50] = np.nan
    assert refusal(ScoresError, chunks(late, data)) == (
        "chunk 1 (chunks count from 0; 50 rows before it): system 'system1' has scores here and none before; every row "
        "needs a finite score"
    )


def test_nothing_came(data) -> None:
    assert refusal(ScoresError, []) == "no rows have come; call update(scores, rows) for every chunk before result()"
    assert refusal(ScoresError, chunks(np.full(len(data), np.nan), data)) == (
        "there are no scores: all 192 of every system are NaN"
    )


@pytest.mark.parametrize(
    ("option", "value"),
    [("by", "item"), ("incomplete", "shared"), ("outputs", "class"), ("method", "camara2022"), ("refit", True)],
)
def test_options_that_need_all_rows_are_refused(data, y, option, value) -> None:
    assert refusal(OptionError, chunks(y, data), **{option: value}) == (
        f"{option}={value!r} needs all rows at once; give them as data, not in chunks"
    )


def test_the_squeeze_needs_the_number_of_rows(data, y) -> None:
    assert refusal(OptionError, chunks(y, data), edge="squeeze") == (
        "edge='squeeze' depends on the number of rows, which a stream does not know; use 'clip:EPS'"
    )


def test_forgotten_data_are_asked_for(y) -> None:
    for given in (y, 5):
        assert refusal(OptionError, given) == (
            "data is missing; pass the labelled rows as second argument, or chunks of rows as an iterable of (scores, "
            "rows)"
        )
