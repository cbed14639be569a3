"""Permutation of names, exact and drawn, of one term and of several together; intervals from resampled persons."""

from itertools import combinations, product

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from synthetic import BASES, corpus, names, noun_phrases, phrases, row_of, scores, third_forms

from eec_bias import measure
from eec_bias.stats.beta import fit_logs
from eec_bias.stats.bootstrap import bca_levels, bootstrap_beta, bootstrap_means, intervals, resamples
from eec_bias.stats.layout import within_others
from eec_bias.stats.permutation import find_strata, relabellings, remove_lower
from eec_bias.stats.sums import summarise, take_logs

RACES = ("Latino", "Anglo")
DATA = pd.DataFrame(names())
FOUR = pd.DataFrame(names(persons=4))
WOMEN = (DATA["gender"] == "female").to_numpy()


def person_means(data: pd.DataFrame, y: np.ndarray, gender: str) -> list[np.ndarray]:
    """The means of the persons of a gender, by race."""
    means = data.assign(y=y)[data["gender"] == gender].groupby(["race", "person"])["y"].mean()
    return [means[race].to_numpy() for race in RACES]


def split(first: np.ndarray, second: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
    """Every way to deal the persons of a stratum to groups of these sizes, as they stand first."""
    pool = np.concatenate([first, second])
    masks = [np.isin(np.arange(len(pool)), chosen) for chosen in combinations(range(len(pool)), len(first))]
    return [(pool[mask], pool[~mask]) for mask in masks]


def difference(*strata) -> float:
    return float(np.mean([a.mean() - b.mean() for a, b in strata]))


def welch(*strata) -> float:
    variance = sum((a.var(ddof=1) / len(a) + b.var(ddof=1) / len(b)) / 4 for a, b in strata)
    return difference(*strata) / np.sqrt(variance)


@pytest.mark.parametrize(
    ("term", "gender", "left_out", "options"),
    [
        ("race", "female", [f"{race}-female-{k}" for race in ("anglo", "latino") for k in (3, 4)], {"axes": ("race",)}),
        ("race|gender=male", "male", [], {"simple": True}),
    ],
)
def test_exact_p_of_one_stratum_equals_scipy(term: str, gender: str, left_out: list[str], options: dict) -> None:
    data = DATA[~DATA["person"].isin(left_out)]
    data = data[data["gender"] == gender] if "axes" in options else data
    y = scores(data, 3)
    expected = stats.permutation_test(
        person_means(data, y, gender), lambda a, b: abs(a.mean() - b.mean()), alternative="greater", n_resamples=np.inf
    )
    row = row_of(measure(y, data, permutations="exact", **options), term)
    assert row["p_permutation"] == pytest.approx(expected.pvalue)


def test_p_is_the_share_of_relabellings_within_the_other_axis() -> None:
    y = scores(FOUR, 2)
    every = list(product(*(split(*person_means(FOUR, y, gender)) for gender in ("female", "male"))))
    assert len(every) == 70**2
    exact = measure(y, FOUR, permutations="exact")
    of_exact, of_drawn = (np.array([abs(statistic(*both)) for both in every]) for statistic in (difference, welch))
    assert row_of(exact, "race")["p_permutation"] == pytest.approx((of_exact >= of_exact[0] - 1e-12).mean())
    assert "|perm:exact" in exact.signature
    # Those that are drawn are studentised.
    p = (of_drawn >= of_drawn[0] - 1e-9).mean()
    drawn = row_of(measure(y, FOUR, permutations=9999), "race")["p_permutation"]
    assert drawn == pytest.approx(p, abs=4 * np.sqrt(p * (1 - p) / 9999))
    # Of two strata of ten and ten the exact one comes near the drawn one.
    data = pd.DataFrame(names(persons=10))
    y = scores(data, 5)
    exact, drawn = (row_of(measure(y, data, permutations=n), "race")["p_permutation"] for n in ("exact", 9999))
    assert exact == pytest.approx(drawn, abs=0.02)
    # A share of 184,756² relabellings, symmetric in sign.
    assert (exact * 184756**2 / 2) % 1 == pytest.approx(0, abs=1e-4)
    # Exact p says what it cannot give.
    for term, persons, left_out, reason in (
        ("race:gender", 5, 0, "two levels"),
        ("race", 14, 0, "too many"),
        ("race", 5, 2, "not studentised, and groups of 8 and 10"),
    ):
        data = pd.DataFrame(names(persons=persons))
        data = data[~data["person"].isin([f"latino-female-{k}" for k in range(left_out)])]
        axes = ("race",) if left_out else ("race", "gender")
        row = row_of(measure(scores(data), data, permutations="exact", axes=axes), term)
        assert row["p_permutation"] is None
        assert row["note"].startswith("no p_permutation: ")
        assert reason in row["note"]


def test_drawn_p_does_not_change_with_the_effects_of_other_terms() -> None:
    y = 0.3 * scores(DATA)
    plain = measure(y, DATA, permutations=999)
    for term, shift in (("race:gender", 0.3 * (DATA["race"] == "Latino") + 0.2 * ~WOMEN), ("race", 0.2 * ~WOMEN)):
        moved = measure(y + shift, DATA, permutations=999)
        assert row_of(moved, term)["p_permutation"] == row_of(plain, term)["p_permutation"]
    # Interactions are relabelled without the main effects.
    cell = np.repeat(np.arange(8), 3)
    means = summarise(np.random.default_rng(0).normal(size=(1, 24, 5)), cell)
    left = remove_lower(means, (2, 2, 2), (0, 1))
    within = np.array([left[0, cell == k].mean() for k in range(8)]).reshape(2, 2, 2)
    assert np.allclose([within.mean(axis=0), within.mean(axis=1)], 0)
    interaction = np.einsum("i,j,ijk->k", [-1, 1], [-1, 1], within)
    assert np.allclose(interaction, np.einsum("i,j,ijk->k", [-1, 1], [-1, 1], means.cell.reshape(2, 2, 2)))
    # Strata are the cells of the other axes.
    strata = find_strata(np.repeat(np.arange(12), 2), within_others((2, 3, 2), (0, 2)))
    assert [s.cells.tolist() for s in strata] == [[0, 1, 6, 7], [2, 3, 8, 9], [4, 5, 10, 11]]
    assert strata[0].persons.tolist() == [0, 1, 2, 3, 12, 13, 14, 15]
    assert strata[0].sizes == (2, 2, 2, 2)


def test_draws_depend_on_cell_sizes_and_seed_alone() -> None:
    first = relabellings((3, 2), 50, 7)
    assert (np.sort(first, axis=1) == [0, 0, 0, 1, 1]).all()
    assert first is relabellings((3, 2), 50, 7)
    assert not np.array_equal(first, relabellings((3, 2), 50, 8))
    assert not np.array_equal(first, relabellings((3, 2), 50, 7, 1))
    with pytest.raises(ValueError, match="read-only"):
        first[0, 0] = 1
    one, again, other = (measure(scores(DATA), DATA, permutations=999, seed=seed) for seed in (3, 3, 4))
    assert one.overall == again.overall != other.overall
    assert "|perm:999@3|" in one.signature
    # Many systems get the p of each alone.
    data = corpus()
    y = np.stack([scores(data, k) for k in range(40)])
    rows = [row for row in measure(y, data, permutations=199).overall if row["system"] == "system37"]
    alone = measure(y[37], data, permutations=199).overall
    assert [row["p_permutation"] for row in rows] == [row["p_permutation"] for row in alone]
    # Three axes get a p for every term, and without a reaction there is nothing to permute.
    rows = [{**r, "age": age, "person": f"{r['person']}-{age}"} for r in names(persons=3) for age in ("old", "young")]
    data = pd.DataFrame(rows)
    result = measure(scores(data), data, permutations=199, reference={"age": "old"})
    assert len(result.overall) == 7
    assert all(0 < row["p_permutation"] <= 1 for row in result.overall)
    result = measure(0.4 + 0.1 * WOMEN, DATA, permutations=199)
    assert [row_of(result, term)["p_permutation"] for term in ("gender", "race")] == [None, 1.0]
    # More than twenty bases are flipped at random.
    data = pd.DataFrame(noun_phrases(tuple(f"f{i:02d}_m{i:02d}" for i in range(22))))
    y = scores(data, 1)
    none, row = (row_of(measure(y, data, permutations=n), "gender", subset="pairs") for n in (0, 9999))
    assert none["p_permutation"] is None
    assert row["p_permutation"] == pytest.approx(row["p_names_only"], abs=0.02)


def test_maxt_of_one_row_is_its_p_and_of_unrelated_ones_near_sidak() -> None:
    for rows, options in ((1, {"axes": ("race",), "reference": {"race": "Anglo"}}), (3, {})):
        data = pd.DataFrame(names(genders=("female", "male")[: 1 + (rows > 1)], persons=10))
        terms = measure(scores(data, 6), data, adjust="maxt", **options).overall
        assert len(terms) == rows
        for row in terms:
            assert row["p_adjusted"] == pytest.approx(1 - (1 - row["p"]) ** rows, abs=0.03)
            assert row["p_adjusted"] >= row["p"]
    # It asks less than Holm where rows depend on each other.
    data = pd.DataFrame(names(races=("Anglo", "Arab", "Black", "Latino"), persons=8))
    y = np.clip(scores(data, 4) + 0.1 * (data["race"] == "Black"), 0, 1)
    options = {"contrasts": "pairwise", "reference": {"gender": "male"}}
    maxt, holm = (measure(y, data, adjust=adjust, **options) for adjust in ("maxt", "holm"))
    smallest = min(range(len(holm.overall)), key=lambda i: holm.overall[i]["p"])
    assert maxt.overall[smallest]["p_adjusted"] < holm.overall[smallest]["p_adjusted"]
    assert all(row["p_adjusted"] >= row["p"] for row in maxt.overall if row["level"] != "any")
    assert "|adj:maxt|contrasts:pairwise|perm:9999@0|" in maxt.signature
    # On base phrases it uses their correlation.
    *levels, whole = measure(scores(phrases()), phrases(), adjust="maxt").overall
    assert all(row["p"] <= row["p_adjusted"] <= min(1, 3 * row["p"]) for row in levels)
    assert whole["p_adjusted"] == min(row["p_adjusted"] for row in levels)
    draws = np.random.default_rng(1).standard_normal((400_000, 3))
    largest = np.abs((draws - draws.mean(axis=1, keepdims=True)) * np.sqrt(3 / 2)).max(axis=1)
    for row in levels:
        assert row["p_adjusted"] == pytest.approx((largest >= stats.norm.isf(row["p"] / 2)).mean(), rel=0.02)
    # Comparisons on different pairs are taken as unrelated.
    data = pd.DataFrame([*noun_phrases(), *third_forms(BASES[:5])])
    rows = measure(scores(data), data, adjust="maxt").overall
    assert [row["n_persons"] for row in rows] == [6, 5]
    for row in rows:
        assert row["p_adjusted"] == pytest.approx(1 - (1 - row["p"]) ** 2, rel=0.02)


@pytest.mark.parametrize("sizes", [(12, 9), (11,)], ids=["a difference", "a mean over bases"])
def test_intervals_come_near_those_of_scipy(sizes: tuple[int, ...]) -> None:
    person, counts = np.random.default_rng(0).gamma(1.0, size=(1, sum(sizes))), resamples(sizes, 9999, 0)
    sums = summarise(person[:, :, None], np.repeat(np.arange(len(sizes)), sizes))
    found = bootstrap_means(sums, np.array([[1.0, -1.0][: len(sizes)]]), counts)
    samples, statistic = (person[0],), np.mean
    if len(sizes) > 1:
        samples, statistic = (person[0, :12], person[0, 12:]), lambda a, b, axis: a.mean(axis) - b.mean(axis)
    ends = {"percentile": (found.ci_low, found.ci_high), "BCa": (found.bca_low, found.bca_high)}
    for method, (low, high) in ends.items():
        expected = stats.bootstrap(samples, statistic, n_resamples=9999, method=method, rng=1).confidence_interval
        assert (low[0, 0], high[0, 0]) == pytest.approx(tuple(expected), abs=0.08 * found.se[0, 0])
    assert found.replicates.tolist() == [[9999]]


def test_refits_equal_fits_to_the_resampled_rows() -> None:
    cell, lines, counts = np.repeat([0, 1], 4), np.array([[-1.0, 1.0]]), resamples((4, 4), 99, 0)
    y = np.random.default_rng(0).beta(4, 4, size=(1, 8, 6))
    found = bootstrap_beta(take_logs(y, "none"), cell, lines, np.zeros((1, 1)), counts, np.arange(8), cell)
    drawn = [np.repeat(np.arange(8), draw) for draw in counts.astype(int)]
    direct = [fit_logs(take_logs(y[:, rows], "none"), cell[rows], 6).eta[0] @ lines[0] for rows in drawn]
    assert found.se[0, 0] == pytest.approx(np.std(direct, ddof=1))
    assert found.ci_high[0, 0] == pytest.approx(np.quantile(direct, 0.975))
    # The levels of BCa are those of the formula.
    bias, z = stats.norm.ppf(0.55), stats.norm.ppf([0.025, 0.975])
    expected = stats.norm.cdf(bias + (bias + z) / (1 - 0.03 * (bias + z)))
    assert bca_levels(0.55, 0.03) == pytest.approx(expected)
    assert bca_levels(0.5, 0.0) == pytest.approx([0.025, 0.975])
    assert np.isnan(bca_levels(0.0, 0.0)).all()
    # What cannot be fitted has no refits, and what does not differ no width.
    data = pd.DataFrame(noun_phrases())
    effect, beta = measure(np.round(scores(data)), data, bootstrap=99, refit=True).bootstrap
    assert effect["ci_low"] is not None
    assert (beta["value"], beta["ci_low"], beta["replicates"]) == (None, None, 0)
    data = pd.DataFrame(names())
    row = measure(0.4 + 0.1 * (data["gender"] == "female"), data, bootstrap=99).bootstrap[1]
    assert (row["ci_low"], row["ci_high"]) == pytest.approx((0.1, 0.1))
    # Nor where a contrast rests on some of the bases that are drawn.
    data = pd.DataFrame([*noun_phrases(), *third_forms(BASES[:5])])
    row = measure(0.4 + 0.1 * (data["gender"] == "neutral"), data, bootstrap=99).bootstrap[1]
    assert (row["level"], row["ci_low"], row["ci_high"]) == ("neutral", pytest.approx(0.1), pytest.approx(0.1))
    still = intervals(np.zeros((1, 1)), np.zeros((1, 9, 1)), np.zeros((1, 1)))
    assert (still.bca_low, still.bca_high) == (0, 0)
    # Samples that repeat the data are ties, whatever their last bit.
    data = pd.DataFrame(names(persons=7))
    for level in (0.1, 0.3, 0.7):
        for row in measure(np.full(len(data), level), data, bootstrap=99).bootstrap:
            assert [row[key] for key in ("value", "se", "ci_low", "ci_high", "bca_low", "bca_high")] == [0] * 6
    person, last = np.array([[0.1, 0.3, 0.2, 0.7]]), 1e-16 * np.array([1, 2, -1, 3])
    cell, weights, counts = np.array([0, 0, 1, 1]), np.array([[1.0, -1.0]]), resamples((2, 2), 199, 0)
    found, *others = (
        bootstrap_means(summarise((person + k * last)[:, :, None], cell), weights, counts) for k in (0, 1, -1)
    )
    for other in others:
        assert (other.bca_low, other.bca_high) == (pytest.approx(found.bca_low), pytest.approx(found.bca_high))


def test_rows_of_the_bootstrap_stand_beside_the_terms() -> None:
    data = corpus()
    result = measure(scores(data), data, bootstrap=199, refit=True, seed=5)
    names_of = [
        (term, "names", estimate) for estimate in ("effect", "beta") for term in ("race", "gender", "race:gender")
    ]
    found = [(row["term"], row["subset"], row["estimate"]) for row in result.bootstrap]
    assert found == [*names_of, ("gender", "pairs", "effect"), ("gender", "pairs", "beta")]
    assert tuple(result.bootstrap[0])[5:] == (
        *("estimate", "value", "se", "ci_low", "ci_high", "bca_low", "bca_high", "replicates"),
    )
    for row in result.bootstrap:
        term = row_of(result, row["term"], subset=row["subset"])
        assert row["value"] == pytest.approx(term[row["estimate"]])
        assert row["ci_low"] < row["value"] < row["ci_high"]
        assert row["replicates"] == 199
    assert "|boot:199@5+refit|" in result.signature
    assert measure(scores(data), data).bootstrap == ()
    # The spread of samples is the standard error over persons.
    data = pd.DataFrame(names(persons=40))
    result = measure(scores(data), data, bootstrap=2000)
    for row, term in zip(result.bootstrap, result.overall, strict=True):
        welch = abs(term["effect"] / stats.t.isf(term["p_names_only"] / 2, 140))
        assert row["se"] == pytest.approx(welch * np.sqrt(39 / 40), rel=0.1)
