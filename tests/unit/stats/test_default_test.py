"""The default test against numbers computed apart from the project: families, emotions, holes and runs with holes."""

import json
from dataclasses import dataclass
from functools import cache

import numpy as np
import pandas as pd
import pytest
from places import ORACLES

from eec_bias.options import Floats, Ints
from eec_bias.stats.default_test import Estimates, run_test
from eec_bias.stats.emotions import (
    EmotionItems,
    EmotionScores,
    deviations,
    each_alone,
    joint_interval,
    run_emotion_test,
    sidak,
)
from eec_bias.stats.facets import Facets, make_facets
from eec_bias.stats.families import Families, NameClusters, cluster_names, effective_families, make_families
from eec_bias.stats.incomplete import Holes, run_incomplete_emotion_test, run_incomplete_test
from eec_bias.stats.sums import summarise

WEIGHTS = {
    "race": np.array([-0.5, -0.5, 0.5, 0.5]),
    "gender": np.array([-0.5, 0.5, -0.5, 0.5]),
    "race:gender": np.array([1.0, -1.0, -1.0, 1.0]),
}
"""Contrasts of the cells Anglo male, Anglo female, Latino male, Latino female."""

COMPLETE = ("families_2x2", "families_crossing", "names_x_templates", "emotions_2x2")
EVERY = (*COMPLETE, "incomplete_2x2", "incomplete_runs")

COLUMNS = {
    "effect": "effect", "se": "se", "df": "df", "t": "t", "p": "p", "p_names_only": "p_names_only", "Vn": "names",
    "Vname": "name_variance", "Vfamily": "families", "Vs": "sentences", "Ve": "residual", "one_name": "largest",
}  # fmt: skip
"""Names that the oracle has for the numbers of `Estimates`."""


@dataclass(frozen=True)
class Oracle:
    """One stored data set with its numbers."""

    values: Floats
    cell: Ints
    facets: Facets
    families: tuple[Families, ...]
    expected: dict

    @property
    def clusters(self) -> NameClusters:
        return cluster_names(self.cell, self.families)

    @property
    def emotions(self) -> tuple[str, ...]:
        return self.facets.emotions


@cache
def oracle(name: str) -> Oracle:
    data = pd.read_csv(ORACLES / f"{name}.csv", keep_default_na=False)
    expected = json.loads((ORACLES / f"{name}.json").read_text(encoding="utf-8"))
    if "run" not in data:
        data["run"] = "only"
    data["cell"] = 2 * (data["race"] == "Latino") + (data["gender"] == "female")
    persons = data.drop_duplicates("person").sort_values(["cell", "person"])
    items = data.drop_duplicates("item").sort_values("item")
    runs = sorted(data["run"].unique())
    values = np.full((len(runs), len(persons), len(items)), np.nan)
    place = (
        pd.Index(runs).get_indexer(data["run"]),
        pd.Index(persons["person"]).get_indexer(data["person"]),
        pd.Index(items["item"]).get_indexer(data["item"]),
    )
    values[place] = data["score"]
    facets = make_facets(len(items), {column: items[column].tolist() for column in ("template", "word", "emotion")})
    families = [make_families(column, persons[column].tolist()) for column in ("family", "ending") if column in persons]
    return Oracle(values, persons["cell"].to_numpy(), facets, tuple(families), expected)


def assert_equal(estimates: Estimates, row: int, expected: dict) -> None:
    for key, column in COLUMNS.items():
        if expected.get(key) is not None:
            assert getattr(estimates, column)[0, row] == pytest.approx(expected[key], rel=1e-9, abs=1e-18), key


def contrasts(*terms: str) -> Floats:
    return np.array([WEIGHTS[term] for term in terms])


@pytest.mark.parametrize("families", [True, False], ids=["with families", "without"])
@pytest.mark.parametrize("name", COMPLETE)
def test_complete_tables_equal_the_oracle(name: str, *, families: bool) -> None:
    data = oracle(name)
    sums = summarise(data.values, data.cell, facets=data.facets)
    found = run_test(sums, contrasts(*WEIGHTS), data.facets, clusters=data.clusters if families else None)
    for row, term in enumerate(WEIGHTS):
        assert_equal(found, row, data.expected["terms" if families else "terms_without_families"][term])


@pytest.mark.parametrize("families", [True, False], ids=["with families", "without"])
@pytest.mark.parametrize("name", EVERY)
def test_least_squares_equal_the_oracle_with_and_without_holes(name: str, *, families: bool) -> None:
    data = oracle(name)
    table = Holes(data.values, data.cell, data.facets, data.families if families else ())
    found = run_incomplete_test(table, contrasts(*WEIGHTS))
    for row, term in enumerate(WEIGHTS):
        assert_equal(found, row, data.expected["terms" if families else "terms_without_families"][term])


@pytest.mark.parametrize("axis", ["race", "gender"])
def test_rows_by_emotion_equal_the_oracle(axis: str) -> None:
    data = oracle("emotions_2x2")
    found = run_emotion_test(by_emotion(data), contrasts(axis), deviations(4))
    assert_emotions(found, axis, data)


@pytest.mark.parametrize("name", ["emotions_2x2", "incomplete_2x2"])
@pytest.mark.parametrize("axis", ["race", "gender"])
def test_rows_by_emotion_from_least_squares_equal_the_oracle(name: str, axis: str) -> None:
    data = oracle(name)
    table = Holes(data.values, data.cell, data.facets, data.families)
    assert_emotions(run_incomplete_emotion_test(table, contrasts(axis), deviations(4)), axis, data)


def by_emotion(data: Oracle) -> EmotionScores:
    items = EmotionItems(data.facets)
    return EmotionScores(data.values[..., items.chosen], data.clusters, items)


def assert_emotions(found: Estimates, axis: str, data: Oracle) -> None:
    low, high = joint_interval(found, 4, 0.95)
    adjusted = sidak(found.p, 4)
    whole = data.expected["emotions"][f"{axis}:emotion"]
    assert adjusted.min() == pytest.approx(whole["any_p"], rel=1e-9)
    for row, emotion in enumerate(data.emotions):
        expected = whole["rows"][emotion]
        assert_equal(found, row, expected)
        assert adjusted[0, row] == pytest.approx(expected["p_adjusted"], rel=1e-9, abs=1e-15)
        assert (low[0, row], high[0, row]) == pytest.approx((expected["ci_low"], expected["ci_high"]), rel=1e-9)


@pytest.mark.parametrize("name", ["emotions_2x2", "incomplete_2x2"])
@pytest.mark.parametrize("axis", ["race", "gender"])
def test_each_emotion_by_itself_equals_the_oracle(name: str, axis: str) -> None:
    data = oracle(name)
    found = run_incomplete_emotion_test(
        Holes(data.values, data.cell, data.facets, data.families), contrasts(axis), each_alone(4), centre=False
    )
    for row, emotion in enumerate(data.emotions):
        assert_equal(found, row, data.expected["equivalence"][axis]["rows"][emotion])


def test_each_emotion_by_itself_without_holes_equals_the_oracle() -> None:
    data = oracle("emotions_2x2")
    found = run_emotion_test(by_emotion(data), contrasts("race"), each_alone(4), centre=False)
    for row, emotion in enumerate(data.emotions):
        assert_equal(found, row, data.expected["equivalence"]["race"]["rows"][emotion])


def test_rows_by_emotion_over_runs_are_the_same_by_both_formulas() -> None:
    data = oracle("emotions_2x2")
    noise = np.random.default_rng(1).normal(0, 0.02, (5, *data.values.shape[1:]))
    runs = data.values + noise
    mean = runs.mean(axis=0, keepdims=True)
    items = EmotionItems(data.facets)
    scores = EmotionScores(mean[..., items.chosen], cluster_names(data.cell), items, runs=runs[None][..., items.chosen])
    direct = run_emotion_test(scores, contrasts("race"), deviations(4))
    fitted = run_incomplete_emotion_test(Holes(runs, data.cell, data.facets), contrasts("race"), deviations(4))
    assert direct.se == pytest.approx(fitted.se, rel=1e-9)
    assert direct.df == pytest.approx(fitted.df, rel=1e-9)


def test_effective_families_are_those_the_oracle_counts() -> None:
    data = oracle("families_2x2")
    expected = data.expected["effective_families"]["family"]
    counted = effective_families(data.families[0], data.cell)
    names = ("Anglo/male", "Anglo/female", "Latino/male", "Latino/female")
    assert counted == pytest.approx([expected[name] for name in names])


def test_names_without_a_family_are_alone() -> None:
    assert not make_families("family", ["none", "none", "abc"]).says_something
    assert make_families("family", ["abc", "none", "abc"]).says_something
