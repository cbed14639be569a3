"""Terms of two and more axes: weights and references, unbalanced cells, cells that are missing."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
import statsmodels.formula.api as smf
from synthetic import ITEMS, scores

from eec_bias import measure
from eec_bias.stats.contrasts import build_contrasts, reference_of
from eec_bias.stats.layout import Axis

AXES = {"race": ("Anglo", "Latino"), "gender": ("female", "male"), "age": ("old", "young")}
REFERENCE = {"race": "Anglo", "gender": "male", "age": "old"}


def three_axes(sizes=lambda _: 4, axes=AXES) -> pd.DataFrame:
    rows = []
    for cell in product(*axes.values()):
        for i, item in product(range(sizes(cell)), ITEMS):
            rows.append(dict(zip(axes, cell, strict=True)) | {"person": f"p{i}", "item": item, "pair": item})
    return pd.DataFrame(rows)


@pytest.mark.parametrize("sizes", [lambda _: 12, lambda cell: 3 + 4 * (cell[0] == "Latino") + (cell[2] == "old")])
def test_every_order_of_interaction_is_the_coefficient_of_half_coding(sizes) -> None:
    data = three_axes(sizes)
    y = scores(data, 4)
    means = data.assign(y=y).groupby([*AXES, "person"], as_index=False)["y"].mean()
    for axis in AXES:
        means[axis] = np.where(means[axis] == REFERENCE[axis], -0.5, 0.5)
    fit = smf.ols("y ~ race * gender * age", data=means).fit()
    terms = measure(y, data, reference=REFERENCE).to_frame().set_index("term")
    assert terms["effect"].to_dict() == pytest.approx(fit.params.drop("Intercept").to_dict())
    if data.groupby([*AXES]).size().nunique() == 1:  # with equal cells the errors are near, too
        expected = fit.pvalues.drop("Intercept").to_dict()
        assert terms["p_names_only"].to_dict() == pytest.approx(expected, abs=0.02)


def test_axes_of_several_levels_give_deviations_residuals_and_wholes_of_every_order() -> None:
    axes = {"race": ("Anglo", "Arab", "Latino"), "gender": ("female", "male"), "age": ("mid", "old", "young")}
    data = three_axes(lambda _: 2, axes)
    y = scores(data)
    terms = measure(y, data).to_frame()
    assert terms.groupby("term", sort=False).size().to_dict() == {
        "race": 4, "gender": 1, "age": 4, "race:gender": 4, "race:age": 10, "gender:age": 4, "race:gender:age": 10,
    }  # fmt: skip
    means = data.assign(y=y).groupby(["race", "age", "gender"])["y"].mean().groupby(["race", "age"]).mean().unstack()
    residual = means.sub(means.mean(axis=1), axis=0) - means.mean() + means.to_numpy().mean()
    found = terms[(terms["term"] == "race:age") & (terms["level"] != "any")]
    assert found["effect"].tolist() == pytest.approx(residual.to_numpy().ravel())
    highest = terms[(terms["term"] == "race:gender:age") & (terms["level"] != "any")]
    assert highest["effect"].sum() == pytest.approx(0, abs=1e-12)
    assert set(highest["reference"]) == {"mean:male:mean"}


def test_every_contrast_sums_to_zero_over_cells_and_four_axes_give_fifteen_terms() -> None:
    axes = [Axis("race", ("Anglo", "Black", "Latino"), None), Axis("gender", ("female", "male"), "male")]
    axes += [Axis(name, ("a", "b"), None) for name in ("age", "faith")]
    assert len({row.term for row in build_contrasts(axes)}) == 15
    for row in build_contrasts(axes[:3], simple=True):
        assert (row.weights.sum(), row.coding.sum()) == pytest.approx((0, 0))
    # Simple effects are taken within every combination of the other axes.
    data = three_axes()
    y = scores(data)
    terms = measure(y, data, reference=REFERENCE, simple=True).to_frame().set_index("term")["effect"]
    means = data.assign(y=y).groupby(["race", "gender", "age"])["y"].mean()
    expected = means["Latino", "female", "old"] - means["Anglo", "female", "old"]
    assert terms["race|gender=female,age=old"] == pytest.approx(expected)
    assert sum("|" in term for term in terms.index) == 12


def test_leaving_out_an_axis_merges_its_cells() -> None:
    data = three_axes(lambda cell: 0 if cell == ("Latino", "male", "old") else 4)
    data["person"] += data["age"]
    cells = measure(scores(data), data, axes=("race", "gender")).cells
    assert {(cell["race"], cell["gender"]): cell["n_persons"] for cell in cells} == {
        ("Anglo", "female"): 8, ("Anglo", "male"): 8, ("Latino", "female"): 8, ("Latino", "male"): 4,
    }  # fmt: skip


def test_cells_of_fewer_than_five_persons_are_named() -> None:
    for small, cells, more in ((("Latino", "male"), 2, ""), ((), 4, " and in 4 more cells")):
        data = three_axes(lambda cell, small=small: 4 if cell[: len(small)] == small else 6)
        note, again = measure(scores(data), data).notes
        assert "stand in several cells and count as different persons" in again
        assert note.count(" (4)") == cells
        assert f"{more}: p-values and intervals are rough" in note
        assert "race=Latino, gender=male, age=old (4)" in note or not small


def test_default_references() -> None:
    expected = {
        ("gender", "female", "male"): "male",
        ("race", "Black", "white"): "white",
        ("race", "Anglo", "Latino"): "Anglo",
        ("race", "Anglo", "white"): "white",
        ("race", "Han", "Uyghur"): None,
        ("faith", "a", "b"): None,
        ("race", "Anglo", "Black", "Latino"): None,
    }
    assert {(axis, *levels): reference_of(axis, tuple(levels), True) for axis, *levels in expected} == expected
