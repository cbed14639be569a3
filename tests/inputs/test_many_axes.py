"""Three and more axes, unbalanced cells, cells that are missing."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
import statsmodels.formula.api as smf
from synthetic import ITEMS, scores

from eec_bias import DesignError, measure

AXES = {"race": ("Anglo", "Latino"), "gender": ("female", "male"), "age": ("old", "young")}


def three_axes(sizes=lambda _: 4, axes=AXES) -> pd.DataFrame:
    rows = []
    for cell in product(*axes.values()):
        for i, item in product(range(sizes(cell)), ITEMS):
            rows.append(dict(zip(axes, cell, strict=True)) | {"person": f"p{i}", "item": item, "pair": item})
    return pd.DataFrame(rows)


REFERENCE = {"race": "Anglo", "gender": "male", "age": "old"}


def ols(data: pd.DataFrame, y: np.ndarray):
    """Least squares on person means, each axis coded ±½: its coefficients are the terms."""
    means = data.assign(y=y).groupby([*AXES, "person"], as_index=False)["y"].mean()
    for axis in AXES:
        means[axis] = np.where(means[axis] == REFERENCE[axis], -0.5, 0.5)
    return smf.ols("y ~ race * gender * age", data=means).fit()


@pytest.mark.parametrize("sizes", [lambda _: 4, lambda cell: 3 + 4 * (cell[0] == "Latino") + (cell[2] == "old")])
def test_every_order_of_interaction_is_the_coefficient_of_half_coding(sizes) -> None:
    data = three_axes(sizes)
    y = scores(data, 3)
    found = measure(y, data, reference=REFERENCE).to_frame().set_index("term")["effect"]
    expected = ols(data, y).params.drop("Intercept")
    assert found.to_dict() == pytest.approx(expected.to_dict())


def test_names_only_inference_on_equal_cells_is_near_least_squares() -> None:
    data = three_axes(lambda _: 12)
    y = scores(data, 4)
    found = measure(y, data, reference=REFERENCE).to_frame().set_index("term")["p_names_only"]
    assert found.to_dict() == pytest.approx(ols(data, y).pvalues.drop("Intercept").to_dict(), abs=0.02)


def test_axes_of_several_levels_give_deviations_and_wholes_of_every_order() -> None:
    axes = {"race": ("Anglo", "Arab", "Latino"), "gender": ("female", "male"), "age": ("mid", "old", "young")}
    data = three_axes(lambda _: 2, axes)
    terms = measure(scores(data), data).to_frame()
    counts = terms.groupby("term", sort=False).size().to_dict()
    assert counts == {
        "race": 4, "gender": 1, "age": 4, "race:gender": 4, "race:age": 10, "gender:age": 4, "race:gender:age": 10,
    }  # fmt: skip
    highest = terms[(terms["term"] == "race:gender:age") & (terms["level"] != "any")]
    assert highest["effect"].sum() == pytest.approx(0, abs=1e-12)
    assert set(highest["reference"]) == {"mean:male:mean"}


def test_simple_effects_are_taken_within_every_combination_of_the_other_axes() -> None:
    data = three_axes()
    y = scores(data)
    terms = measure(y, data, reference=REFERENCE, simple=True).to_frame().set_index("term")["effect"]
    means = data.assign(y=y).groupby(["race", "gender", "age"])["y"].mean()
    expected = means["Latino", "female", "old"] - means["Anglo", "female", "old"]
    assert terms["race|gender=female,age=old"] == pytest.approx(expected)
    assert sum("|" in term for term in terms.index) == 12


def test_a_missing_cell_is_refused_by_name() -> None:
    data = three_axes(lambda cell: 0 if cell == ("Latino", "male", "old") else 4)
    with pytest.raises(DesignError, match="no person with race=Latino, gender=male, age=old;"):
        measure(scores(data), data)


def test_leaving_out_an_axis_merges_its_cells() -> None:
    data = three_axes(lambda cell: 0 if cell == ("Latino", "male", "old") else 4)
    data["person"] += data["age"]
    result = measure(scores(data), data, axes=("race", "gender"))
    assert [(cell["race"], cell["gender"], cell["n_persons"]) for cell in result.cells] == [
        ("Anglo", "female", 8),
        ("Anglo", "male", 8),
        ("Latino", "female", 8),
        ("Latino", "male", 4),
    ]


def test_cells_of_fewer_than_five_persons_are_named() -> None:
    data = three_axes(lambda cell: 4 if cell[0] == "Latino" and cell[1] == "male" else 6)
    assert measure(scores(data), data).notes == (
        "names: fewer than 5 persons with race=Latino, gender=male, age=old (4); race=Latino, gender=male, age=young "
        "(4): p-values and intervals are rough",
    )
    everywhere = three_axes(lambda _: 4)
    assert measure(scores(everywhere), everywhere).notes == (
        "names: fewer than 5 persons with race=Anglo, gender=female, age=old (4); race=Anglo, gender=female, age=young "
        "(4); race=Anglo, gender=male, age=old (4); race=Anglo, gender=male, age=young (4) and in 4 more cells: "
        "p-values and intervals are rough",
    )
