"""Several rows at once: adjusted p-values, terms with several levels as a whole or pair by pair, two and more axes."""

from itertools import combinations, product

import numpy as np
import pandas as pd
import pytest
import statsmodels.formula.api as smf
from noted import noted
from scipy import integrate, stats
from scipy.special import ndtr
from statsmodels.stats.multitest import multipletests
from synthetic import ITEMS, main_rows, names, phrases, row_of, scores

from eec_bias import measure
from eec_bias.stats.adjust import holm
from eec_bias.stats.contrasts import build_contrasts, reference_of
from eec_bias.stats.layout import Axis
from eec_bias.stats.omnibus import any_p

RACES = ("Anglo", "Arab", "Black", "Latino")
PHRASES = phrases()
OF_PHRASES = scores(PHRASES)
WIDE = PHRASES.assign(y=OF_PHRASES, base=PHRASES["pair"].str.split("/").str[-1])
WIDE = WIDE.groupby(["base", "country"])["y"].mean().unstack()


@pytest.fixture(autouse=True)
def _no_garbage_is_collected(monkeypatch):
    """statsmodels has that of the whole process collected by every call of Holm."""
    monkeypatch.setattr("gc.collect", int)


def test_holm_equals_statsmodels_and_leaves_rows_without_a_test() -> None:
    for count in (1, 2, 25):
        p = np.random.default_rng(count).uniform(size=count) ** 3
        p[:2] = p[0]
        expected = multipletests(p, method="holm")[1]
        assert holm(p) == pytest.approx(expected)
        assert holm(np.insert(p, 1, np.nan)) == pytest.approx(np.insert(expected, 1, np.nan), nan_ok=True)
    assert np.isnan(holm(np.array([np.nan]))).all()


def test_p_of_a_whole_takes_the_correlation_of_its_rows() -> None:
    p = np.array([[0.03, 0.4, 0.9], [1e-9, 0.5, 0.5], [0.7, 0.8, 0.9]])
    expected = 1 - (1 - p.min(axis=1)) ** 3
    assert any_p(p, np.broadcast_to(np.eye(3), (3, 3, 3))) == pytest.approx(expected, rel=0.02)
    same = np.array([[0.03, 0.03], [0.4, 0.4]])
    for correlation in (np.ones((2, 2, 2)), np.broadcast_to(2 * np.eye(2) - 1, (2, 2, 2))):
        assert any_p(same, correlation) == pytest.approx(same[:, 0])
    # It comes near Tukey's range, and hangs on no last bit nor on rows without a test.
    weights = np.array([np.eye(4)[b] - np.eye(4)[a] for a, b in combinations(range(4), 2)])
    p = any_p(np.full((1, len(weights)), 2 * stats.norm.sf(3.0)), (weights @ weights.T / 2)[None])[0]
    assert p == pytest.approx(stats.studentized_range.sf(3.0 * np.sqrt(2), 4, np.inf), rel=0.02)
    levels = 12
    alike = (np.eye(levels) - 1 / levels) * levels / (levels - 1)  # levels against their mean: equal roots
    noise = np.random.default_rng(0).normal(scale=1e-15, size=(levels, levels))
    p = np.full((1, levels), 0.02)
    assert any_p(p, (alike + noise + noise.T)[None]) == pytest.approx(any_p(p, alike[None]), rel=1e-9)
    p = np.array([[np.nan, 0.1], [1.0, 1.0]])
    assert any_p(p, np.broadcast_to(np.eye(2), (2, 2, 2))) == pytest.approx([np.nan, 1.0], nan_ok=True)


@pytest.mark.parametrize("p", [0.2, 0.01, 1e-6])
def test_p_of_related_rows_equals_the_multivariate_normal(p: float) -> None:
    correlation = np.array([[1, 0.5, -0.3], [0.5, 1, 0.2], [-0.3, 0.2, 1]])
    z = stats.norm.isf(p / 2)
    # The third given the first two. scipy's own integral over the box is drawn at random: short of digits for tiny p.
    first_two = stats.multivariate_normal(cov=correlation[:2, :2])
    slopes = np.linalg.solve(correlation[:2, :2], correlation[:2, 2])
    sd = np.sqrt(1 - slopes @ correlation[:2, 2])

    def density(y: float, x: float) -> float:
        mean = slopes @ (x, y)
        return first_two.pdf((x, y)) * (ndtr((z - mean) / sd) - ndtr((-z - mean) / sd))

    expected = 1 - integrate.dblquad(density, -z, z, -z, z, epsabs=1e-11)[0]
    assert any_p(np.full((1, 3), p), correlation[None])[0] == pytest.approx(expected, rel=0.02)
    if p > 1e-3:
        box = stats.multivariate_normal(cov=correlation, abseps=1e-8, releps=1e-8, maxpts=10**6)
        assert expected == pytest.approx(1 - box.cdf(np.full(3, z), lower_limit=np.full(3, -z)), abs=1e-6)


def test_several_levels_are_tested_as_a_whole_without_a_reference() -> None:
    data = pd.DataFrame(names(races=RACES))
    result = measure(scores(data), data)
    rows = [row for row in main_rows(result) if row["level"] == "any"]
    assert [(row["term"], row["reference"]) for row in rows] == [("race", "mean"), ("race:gender", "mean:male")]
    *race, whole = [row for row in result.overall if row["term"] == "race"]
    assert [row["level"] for row in race] == list(RACES)
    peak = max(race, key=lambda row: abs(row["t"]))
    assert whole["t"] == pytest.approx(abs(peak["t"]))
    assert whole["note"] == f"{peak['level']} has the largest |t| of 4 comparisons"
    assert peak["p"] <= whole["p"] <= 4 * peak["p"]
    assert (whole["effect"], whole["p_adjusted"]) == (None, None)
    against = measure(scores(data), data, reference={"race": "Anglo"}).overall
    assert [row["level"] for row in against if row["term"] == "race"] == list(RACES[1:])


def test_countries_on_base_phrases_are_tested_within_bases() -> None:
    row = row_of(measure(OF_PHRASES, PHRASES), "country", "any", "phrases")
    assert (row["reference"], row["n_persons"]) == ("mean", 6)
    signs = np.array(list(product((1, -1), repeat=6)))
    d = signs[:, :, None] * WIDE.sub(WIDE.mean(axis=1), axis=0).to_numpy()
    peak = np.abs(d.mean(axis=1) / d.std(axis=1, ddof=1)).max(axis=1)
    assert row["p_permutation"] == pytest.approx((peak >= peak[0] - 1e-9).mean())


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
    terms = terms[~terms.index.str.contains("|", regex=False)]
    assert terms["effect"].to_dict() == pytest.approx(fit.params.drop("Intercept").to_dict())
    if data.groupby([*AXES]).size().nunique() == 1:  # with equal cells the errors are near, too
        expected = fit.pvalues.drop("Intercept").to_dict()
        assert terms["p_names_only"].to_dict() == pytest.approx(expected, abs=0.02)


def test_axes_of_several_levels_give_terms_of_every_order() -> None:
    axes = {"race": ("Anglo", "Arab", "Latino"), "gender": ("female", "male"), "age": ("mid", "old", "young")}
    data = three_axes(lambda _: 2, axes)
    y = scores(data)
    terms = measure(y, data).to_frame()
    terms = terms[~terms["term"].str.contains("|", regex=False)]
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


def test_every_contrast_of_four_axes_sums_to_zero_over_cells() -> None:
    axes = [Axis("race", ("Anglo", "Black", "Latino"), None), Axis("gender", ("female", "male"), "male")]
    axes += [Axis(name, ("a", "b"), None) for name in ("age", "faith")]
    assert len({row.term for row in build_contrasts(axes)}) == 15
    for row in build_contrasts(axes[:3], simple=True):
        assert (row.weights.sum(), row.coding.sum()) == pytest.approx((0, 0))
    # Simple effects are taken within every combination of the other axes.
    data = three_axes()
    y = scores(data)
    terms = measure(y, data, reference=REFERENCE).to_frame().set_index("term")["effect"]
    means = data.assign(y=y).groupby(["race", "gender", "age"])["y"].mean()
    expected = means["Latino", "female", "old"] - means["Anglo", "female", "old"]
    assert terms["race|gender=female,age=old"] == pytest.approx(expected)
    assert sum("|" in term for term in terms.index) == 12
    # Default references.
    for axis, levels, expected in (
        ("gender", "female male", "male"),
        ("race", "Black white", "white"),
        ("race", "Anglo Latino", "Anglo"),
        ("race", "Anglo white", "white"),
        ("race", "Han Uyghur", "Han"),
        ("sight", "blind sighted", "blind"),
        ("gender_modality", "trans unstated", "unstated"),
        ("race", "Anglo Black Latino", None),
    ):
        assert reference_of(axis, tuple(levels.split()), True) == expected


def test_two_levels_without_a_usual_reference_are_one_difference() -> None:
    data = three_axes().rename(columns={"age": "sight"})
    data["sight"] = data["sight"].map({"old": "sighted", "young": "blind"})
    data["person"] += data["race"] + data["gender"] + data["sight"]
    y = scores(data)
    terms = measure(y, data, axes=("sight",)).to_frame()
    means = data.assign(y=y).groupby("sight")["y"].mean()
    assert terms[["term", "level", "reference"]].values.tolist() == [["sight", "sighted", "blind"]]
    assert terms["effect"].tolist() == pytest.approx([means["sighted"] - means["blind"]])


def test_leaving_out_an_axis_merges_its_cells() -> None:
    data = three_axes(lambda cell: 0 if cell == ("Latino", "male", "old") else 4)
    data["person"] += data["age"]
    cells = measure(scores(data), data, axes=("race", "gender")).cells
    assert {(cell["race"], cell["gender"]): cell["n_persons"] for cell in cells} == {
        ("Anglo", "female"): 8, ("Anglo", "male"): 8, ("Latino", "female"): 8, ("Latino", "male"): 4,
    }  # fmt: skip
    # Cells of fewer than five persons are named.
    for small, cells, more in ((("Latino", "male"), 2, ""), ((), 4, " and in 4 more cells")):
        data = three_axes(lambda cell, small=small: 4 if cell[: len(small)] == small else 6)
        taken, note, again = noted(measure(scores(data), data).notes)
        assert (
            taken
            == "these columns give the groups: race, gender, age. To choose other columns, name them in the option axes"
        )
        assert "first 'p0'). We count such a label as a different person in each group" in again
        assert note.count(" (4)") == cells
        assert f"{more}, so p-values and intervals are rough" in note
        assert "race=Latino, gender=male, age=old (4)" in note or not small
