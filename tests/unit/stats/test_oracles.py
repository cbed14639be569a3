"""The default test and the beta column against numbers computed by other programs."""

import json

import duckdb
import numpy as np
import pandas as pd
import pytest
from places import ORACLES
from synthetic import main_rows

from eec_bias import Result, measure
from eec_bias.integrations.evaluate_metric import BiasMetric
from eec_bias.stats.default_test import run_test
from eec_bias.stats.facets import make_facets
from eec_bias.stats.sums import summarise

REFERENCE = {"race": 0, "gender": 0}


def oracle(name: str) -> dict:
    return json.loads((ORACLES / f"{name}.json").read_text(encoding="utf-8"))


def result_of(name: str, reference: dict | None) -> Result:
    data = pd.read_csv(ORACLES / f"{name}.csv")
    return measure(data["y"], data[["race", "gender", "person", "item"]], reference=reference)


def rows_of(name: str, reference: dict | None) -> dict[tuple[str, str], dict]:
    return {(row["term"], row["level"]): row for row in result_of(name, reference).overall}


def assert_tested(row: dict, expected: dict) -> None:
    for key in ("effect", "se", "df", "t", "p", "p_names_only"):
        assert row[key] == pytest.approx(expected[key], rel=1e-9)


@pytest.mark.parametrize("name", ["syn_crossed_balanced", "syn_crossed_slope", "syn_crossed_unbalanced"])
def test_the_default_test_equals_its_formula_and_beta_betareg(name: str) -> None:
    result, expected, published = result_of(name, REFERENCE), oracle(f"{name}.facets")["terms"], oracle(name)["beta"]
    assert {row["term"] for row in main_rows(result)} == set(expected)
    for row in main_rows(result):
        term = row["term"]
        assert_tested(row, expected[term])
        assert row["beta"] == pytest.approx(published["coefficients"][term], rel=1e-8)
        assert row["beta_se"] == pytest.approx(published["se_model"][term], rel=1e-6)
        assert row["beta_se_person"] == pytest.approx(published["se_CR1_person"][term], rel=1e-6)
    (fit,) = result.fits
    assert fit["phi"] == pytest.approx(published["coefficients"]["(phi)"], rel=1e-7)
    assert fit["loglik"] == pytest.approx(published["loglik"], rel=1e-8)
    assert fit["reason"] == ""
    # Over names alone the errors are the CR2 of clubSandwich.
    data = pd.read_csv(ORACLES / f"{name}.csv").sort_values(["race", "gender", "person", "item"])
    cell = data.groupby(["race", "gender", "person"], sort=True).first().reset_index()[["race", "gender"]]
    values = data["y"].to_numpy().reshape(1, len(cell), -1)
    means = summarise(values, (cell["race"] * 2 + cell["gender"]).to_numpy())
    weights = [[-0.5, -0.5, 0.5, 0.5], [-0.5, 0.5, -0.5, 0.5], [1.0, -1.0, -1.0, 1.0]]
    tested = run_test(means, np.array(weights), make_facets(means.items, {}))
    assert np.sqrt(tested.names[0]) == pytest.approx(oracle(name)["linear_sum_coded_CR2"]["SE"][1:], rel=1e-9)


def test_three_levels_equal_the_formula_and_betareg_in_both_codings() -> None:
    published, expected = oracle("syn_crossed_3x2"), oracle("syn_crossed_3x2.facets")["terms"]

    def check(coding: str, row: dict, name: str) -> None:
        assert row["beta"] == pytest.approx(published[coding]["coefficients"][name], rel=1e-8)
        if ":" not in name or coding == "treatment_coded":
            assert row["beta_se"] == pytest.approx(published[coding]["se_model"][name], rel=1e-6)

    rows = rows_of("syn_crossed_3x2", REFERENCE)
    for level in "12":
        check("treatment_coded", rows["race", level], f"race{level}")
        check("treatment_coded", rows["race:gender", f"{level}:1"], f"race{level}:gender1")
    rows = rows_of("syn_crossed_3x2", None)
    for level, name in (("0", "race1"), ("1", "race2")):
        check("sum_coded", rows["race", level], name)
        check("sum_coded", rows["race:gender", f"{level}:0"], f"{name}:gender1")
    for level in "012":
        assert_tested(rows["race", level], expected[f"race[{level}] minus grand mean"])
    assert rows["race:gender", "2:0"]["effect"] == pytest.approx(-rows["race:gender", "2:1"]["effect"], rel=1e-9)


@pytest.mark.parametrize("emotion", [True, False], ids=["emotions as strata", "one stratum"])
@pytest.mark.parametrize("name", ["facets_2x2", "facets_3x2_unbalanced", "facets_runs"])
@pytest.mark.parametrize("how", ["columns", "ids", "table", "compute"])
def test_templates_and_words_as_facets_equal_the_formula_on_every_path(name: str, how: str, *, emotion: bool) -> None:
    data = pd.read_csv(ORACLES / f"{name}.csv")
    # Oracles of three races leave the reference out; their gender is a difference.
    reference = {"race": None if "3x2" in name else "Anglo", "gender": "male"}
    terms = measure_by(how, data if emotion else data.drop(columns="emotion"), reference)
    rows = {(row["term"], row["level"].partition(":")[0]): row for row in terms if row["level"] != "any"}
    rows |= {(row["term"], ""): row for row in terms}
    for term, numbers in oracle(name)["terms" if emotion else "terms_without_the_emotion_column"].items():
        term_name, _, level = term.partition("[")
        assert_tested(rows[term_name, level.partition("]")[0]], numbers)


def measure_by(how: str, data: pd.DataFrame, reference: dict) -> list[dict]:
    """Terms of the scores in a frame, by each way in; runs need their rows in memory."""
    labels, options = data.drop(columns="score"), {"axes": ("race", "gender"), "reference": reference}
    runs = {"runs": "run"} if "run" in data else {}
    if how == "ids":
        return list(measure(data["score"], labels.drop(columns=["template", "word"]), **options, **runs).overall)
    if how == "compute":
        metric = BiasMetric(**runs)
        names = [column for column in ("template", "word", "emotion") if column in data]
        given = (*metric.columns, *names, *options["axes"], "person", "item")
        columns = {column: data[column].tolist() for column in given}
        scored = {"predictions": data["score"].tolist(), "pair": columns["item"], **columns}
        return metric.compute(**scored, reference=reference)["terms"]
    if how == "table" and not runs:
        return list(measure("score", duckdb.from_df(data), **options).overall)
    return list(measure(data["score"], labels, **options, **runs).overall)
