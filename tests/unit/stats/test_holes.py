"""Fits of tables with holes against least squares with whole matrices, and what cannot be compared."""

import numpy as np
import pandas as pd
import pytest

from eec_bias import DesignError, measure
from eec_bias.stats.facets import make_facets
from eec_bias.stats.incomplete import Holes, NotConnectedError, StratifiedHoles, run_incomplete_test

PERSONS, ITEMS = 24, 12
CELL = np.repeat(np.arange(4), PERSONS // 4)


def lacking(pattern: str) -> np.ndarray:
    """Scores of persons on items, of which some are missing."""
    rng = np.random.default_rng(3)
    values = 1 + rng.normal(size=(PERSONS, ITEMS))
    person, item = np.indices(values.shape)
    if pattern == "a third":
        missing = rng.random(values.shape) < 0.3
    elif pattern == "neighbours alone":
        # Each person has two items, each shared with one other: long ways from one score to another.
        missing = (item != person % ITEMS) & (item != (person + 1) % ITEMS)
    else:
        missing = (person == 3) | (item == 5) & (CELL == 1)[:, None]
    return np.where(missing, np.nan, values)


def residuals(y: np.ndarray, *codes: np.ndarray) -> np.ndarray:
    """Least-squares residuals of scores from some codes, by a matrix with a column for each."""
    there = ~np.isnan(y)
    columns = [np.equal.outer(code[there], np.unique(code)).astype(float) for code in codes]
    design = np.concatenate(columns, axis=1)
    fitted = design @ np.linalg.lstsq(design, y[there], rcond=None)[0]
    e = np.zeros(y.shape)
    e[there] = y[there] - fitted
    return e


@pytest.mark.parametrize("pattern", ["a third", "neighbours alone", "a person and an item of a group"])
def test_residuals_equal_those_of_whole_matrices(pattern: str) -> None:
    values = lacking(pattern)
    stratum = np.arange(ITEMS) % 2
    found = StratifiedHoles(Holes(values[None], CELL, make_facets(ITEMS, {})), stratum)
    person, item = np.indices(values.shape)
    cell = np.broadcast_to(CELL[:, None], values.shape)
    of_cells = residuals(values, cell * 2 + stratum, item)
    of_persons = residuals(values, person * 2 + stratum, cell * ITEMS + item)
    np.testing.assert_allclose(found.of_cells[0], of_cells, atol=1e-12)
    np.testing.assert_allclose(found.of_persons[0], of_persons, atol=1e-12)


@pytest.mark.parametrize("shift", [0, 1, 1000])
def test_scores_that_a_fit_tells_leave_rounding_alone(shift: int) -> None:
    # Persons and items add up, and in the other table persons of a group are alike.
    rng = np.random.default_rng(2)
    of_group, of_person, of_item = rng.random((4, ITEMS)), rng.random((PERSONS, 1)), rng.random(ITEMS)
    for whole in (of_person + of_item, of_group[CELL]):
        values = np.where(np.isnan(lacking("a third")), np.nan, shift + whole)
        found = StratifiedHoles(Holes(values[None], CELL, make_facets(ITEMS, {})), np.arange(ITEMS) % 2)
        assert np.abs(found.of_persons).max() <= 1e-14 * max(shift, 1)


def test_the_contrast_is_that_of_least_squares() -> None:
    values = lacking("a third")
    there = ~np.isnan(values)
    _, item = np.indices(values.shape)
    cell = np.broadcast_to(CELL[:, None], values.shape)
    design = np.concatenate([np.equal.outer(code[there], np.unique(code)) for code in (cell, item)], axis=1)
    of_cell = np.linalg.lstsq(design.astype(float), values[there], rcond=None)[0][:4]
    weights = np.array([[-0.5, -0.5, 0.5, 0.5], [1, -1, -1, 1]])
    found = run_incomplete_test(Holes(values[None], CELL, make_facets(ITEMS, {})), weights)
    np.testing.assert_allclose(found.effect[0], weights @ of_cell, rtol=1e-12)


def test_groups_without_a_common_item_are_not_compared() -> None:
    values = np.random.default_rng(0).normal(size=(PERSONS, ITEMS))
    values[CELL < 2, : ITEMS // 2] = np.nan
    values[CELL >= 2, ITEMS // 2 :] = np.nan
    table = Holes(values[None], CELL, make_facets(ITEMS, {}))
    with pytest.raises(NotConnectedError):
        run_incomplete_test(table, np.array([[-0.5, -0.5, 0.5, 0.5]]))
    # Those that have items in common are.
    assert run_incomplete_test(table, np.array([[-1.0, 1.0, 0, 0]])).p[0, 0] > 0


def test_an_emotion_that_a_group_lacks_is_named() -> None:
    data = pd.DataFrame(
        {"race": race, "person": f"{race}{p}", "item": f"{emotion}{k}", "emotion": emotion}
        for race in ("A", "B") for p in range(5) for emotion in ("joy", "fear", "anger") for k in range(3)
    )  # fmt: skip
    scores = np.random.default_rng(0).random(len(data))
    scores[(data["race"] == "A") & (data["emotion"] == "joy")] = np.nan
    with pytest.raises(DesignError, match="no item of the emotion joy has scores of persons of all groups on race"):
        measure(scores, data)


def test_a_table_that_is_nearly_empty_is_not_laid_out() -> None:
    # 16 million combinations of person and item of 40,000 rows.
    rng = np.random.default_rng(0)
    person, item = np.repeat(np.arange(4000), 10), rng.integers(4000, size=40_000)
    data = pd.DataFrame({"race": np.where(person % 2, "A", "B"), "person": person, "item": item}).astype(str)
    data = data.drop_duplicates()
    with pytest.raises(DesignError, match="8,000,000 combinations is not laid out if fewer than 5% have a row"):
        measure(rng.random(len(data)), data)
