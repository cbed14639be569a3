"""Permutation of names: exact, drawn, for interactions, and for several terms together."""

from itertools import combinations, product

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from synthetic import ITEMS, corpus, names, noun_phrases, scores

from eec_bias import measure
from eec_bias.stats.layout import within_others
from eec_bias.stats.permutation import find_strata, relabellings, remove_lower
from eec_bias.stats.sums import summarise


def person_means(data: pd.DataFrame, y: np.ndarray) -> dict[tuple[str, str], np.ndarray]:
    means = data.assign(y=y).groupby(["race", "gender", "person"])["y"].mean()
    return {cell: part.to_numpy() for cell, part in means.groupby(["race", "gender"])}


def row_of(result, term: str, level: str | None = None, subset: str = "names") -> dict:
    (row,) = [r for r in result.terms if (r["term"], r["subset"]) == (term, subset) and level in (None, r["level"])]
    return row


def enumerated(cells: dict[tuple[str, str], np.ndarray], statistic) -> list[float]:
    """The statistic under every relabelling of race within gender."""
    strata = [(cells["Latino", g], cells["Anglo", g]) for g in ("female", "male")]
    choices = []
    for first, second in strata:
        pool, found = np.concatenate([first, second]), []
        for chosen in combinations(range(len(pool)), len(first)):
            mask = np.zeros(len(pool), dtype=bool)
            mask[list(chosen)] = True
            found.append((pool[mask], pool[~mask]))
        choices.append(found)
    return [statistic(*both) for both in product(*choices)]


def difference(*strata) -> float:
    return float(np.mean([a.mean() - b.mean() for a, b in strata]))


def welch(*strata) -> float:
    variance = sum((a.var(ddof=1) / len(a) + b.var(ddof=1) / len(b)) / 4 for a, b in strata)
    return difference(*strata) / np.sqrt(variance)


def test_exact_p_equals_scipy_with_one_axis() -> None:
    data = pd.DataFrame(names(genders=("female",), persons=5))
    data = data[~data["person"].isin(["latino-female-3", "latino-female-4"])]
    y = scores(data)
    cells = person_means(data, y)
    samples = (cells["Latino", "female"], cells["Anglo", "female"])
    expected = stats.permutation_test(
        samples, lambda a, b: abs(a.mean() - b.mean()), alternative="greater", n_resamples=np.inf
    )
    row = row_of(measure(y, data, axes=("race",), permutations="exact"), "race")
    assert row["p_permutation"] == pytest.approx(expected.pvalue)


def test_exact_p_counts_every_relabelling_within_the_other_axis() -> None:
    data = pd.DataFrame(names(persons=4))
    y = scores(data, 2)
    every = np.array(enumerated(person_means(data, y), difference))
    assert len(every) == 70**2
    result = measure(y, data, permutations="exact")
    row = row_of(result, "race")
    assert row["p_permutation"] == pytest.approx((np.abs(every) >= abs(row["effect"]) - 1e-12).mean())
    assert "|perm:exact" in str(result.signature)


def test_exact_p_of_two_strata_of_ten_and_ten_comes_near_the_drawn_one() -> None:
    data = pd.DataFrame(names(persons=10))
    y = scores(data, 5)
    exact, drawn = (row_of(measure(y, data, permutations=n), "race")["p_permutation"] for n in ("exact", 9999))
    assert exact == pytest.approx(drawn, abs=0.02)
    # A share of 184,756² relabellings, symmetric in sign.
    assert (exact * 184756**2 / 2) % 1 == pytest.approx(0, abs=1e-4)


def test_exact_p_of_simple_effects_stays_in_their_stratum() -> None:
    data = pd.DataFrame(names(persons=5))
    y = scores(data, 3)
    cells = person_means(data, y)
    samples = (cells["Latino", "male"], cells["Anglo", "male"])
    expected = stats.permutation_test(
        samples, lambda a, b: abs(a.mean() - b.mean()), alternative="greater", n_resamples=np.inf
    )
    row = row_of(measure(y, data, permutations="exact", simple=True), "race|gender=male")
    assert row["p_permutation"] == pytest.approx(expected.pvalue)


@pytest.mark.parametrize(("term", "persons", "reason"), [("race:gender", 5, "two levels"), ("race", 14, "too many")])
def test_exact_p_says_what_it_cannot_give(term: str, persons: int, reason: str) -> None:
    data = pd.DataFrame(names(persons=persons))
    row = row_of(measure(scores(data), data, permutations="exact"), term)
    assert row["p_permutation"] is None
    assert row["note"].startswith("no p_permutation: ")
    assert reason in row["note"]


def test_drawn_p_comes_near_that_of_all_relabellings_studentised() -> None:
    data = pd.DataFrame(names(persons=4))
    y = scores(data, 2)
    cells = person_means(data, y)
    observed = welch(*((cells["Latino", g], cells["Anglo", g]) for g in ("female", "male")))
    every = np.array(enumerated(cells, welch))
    expected = (np.abs(every) >= abs(observed) - 1e-9).mean()
    row = row_of(measure(y, data, permutations=9999), "race")
    assert row["p_permutation"] == pytest.approx(expected, abs=4 * np.sqrt(expected * (1 - expected) / 9999))


def test_drawn_p_does_not_change_with_the_effects_of_other_terms() -> None:
    data = pd.DataFrame(names())
    y = 0.3 * scores(data)
    shifted = y + 0.3 * (data["race"] == "Latino") + 0.2 * (data["gender"] == "male")
    plain, moved = (measure(values, data, permutations=999) for values in (y, shifted))
    assert row_of(moved, "race:gender")["p_permutation"] == row_of(plain, "race:gender")["p_permutation"]
    gender = 0.3 * scores(data) + 0.2 * (data["gender"] == "male")
    assert (
        row_of(measure(gender, data, permutations=999), "race")["p_permutation"]
        == (row_of(plain, "race")["p_permutation"])
    )


def test_interactions_are_relabelled_without_the_main_effects() -> None:
    rng = np.random.default_rng(0)
    cell = np.repeat(np.arange(8), 3)
    means = summarise(rng.normal(size=(1, 24, 5)), cell)
    left = remove_lower(means, cell, (2, 2, 2), (0, 1))
    within = np.array([left[0, cell == k].mean() for k in range(8)]).reshape(2, 2, 2)
    assert np.allclose(within.mean(axis=0), 0)
    assert np.allclose(within.mean(axis=1), 0)
    table = means.cell.reshape(2, 2, 2)
    expected = table[1, 1] - table[0, 1] - table[1, 0] + table[0, 0]
    assert np.allclose(within[1, 1] - within[0, 1] - within[1, 0] + within[0, 0], expected)


def test_strata_are_the_cells_of_the_other_axes() -> None:
    cell = np.repeat(np.arange(12), 2)
    strata = find_strata(cell, within_others((2, 3, 2), (0, 2)))
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


def test_the_seed_is_in_the_signature_and_repeats_the_numbers() -> None:
    data = corpus()
    y = scores(data)
    one, again, other = (measure(y, data, permutations=999, seed=seed) for seed in (3, 3, 4))
    assert one.terms == again.terms
    assert one.terms != other.terms
    assert str(one.signature).endswith("|edge:none|perm:999@3")


def test_many_systems_get_the_p_of_each_alone() -> None:
    data = corpus()
    y = np.stack([scores(data, k) for k in range(40)])
    together = measure(y, data, permutations=199)
    alone = measure(y[37], data, permutations=199)
    rows = [row for row in together.terms if row["system"] == "system37"]
    assert [row["p_permutation"] for row in rows] == [row["p_permutation"] for row in alone.terms]


def test_a_system_that_does_not_react_to_names_has_nothing_to_permute() -> None:
    data = pd.DataFrame(names())
    blind = 0.4 + 0.1 * (data["gender"] == "female")
    result = measure(blind, data, permutations=199)
    assert row_of(result, "gender")["p_permutation"] is None
    assert row_of(result, "race")["p_permutation"] == 1.0


def test_three_axes_get_a_p_for_every_term() -> None:
    rows = [{**r, "age": age, "person": f"{r['person']}-{age}"} for r in names(persons=3) for age in ("old", "young")]
    data = pd.DataFrame(rows)
    result = measure(scores(data), data, permutations=199, reference={"age": "old"})
    assert len(result.terms) == 7
    assert all(0 < row["p_permutation"] <= 1 for row in result.terms)


def test_more_than_twenty_bases_are_flipped_at_random() -> None:
    bases = tuple(f"f{i:02d}_m{i:02d}" for i in range(22))
    data = pd.DataFrame(noun_phrases(bases))
    y = scores(data, 1)
    assert row_of(measure(y, data), "gender", subset="pairs")["p_permutation"] is None
    row = row_of(measure(y, data, permutations=9999), "gender", subset="pairs")
    assert row["p_permutation"] == pytest.approx(row["p_names_only"], abs=0.02)


def test_maxt_leaves_a_single_row_where_it_is() -> None:
    data = pd.DataFrame(names(genders=("female",), persons=8))
    result = measure(scores(data), data, axes=("race",), reference={"race": "Anglo"}, adjust="maxt")
    (row,) = result.terms
    assert row["p_adjusted"] == pytest.approx(row["p"], abs=0.03)
    assert row["p_adjusted"] >= row["p"]


def test_maxt_asks_less_than_holm_where_rows_depend_on_each_other() -> None:
    data = pd.DataFrame(names(races=("Anglo", "Arab", "Black", "Latino"), persons=8))
    y = np.clip(scores(data, 4) + 0.1 * (data["race"] == "Black"), 0, 1)
    options = {"contrasts": "pairwise", "reference": {"gender": "male"}}
    maxt, holm = measure(y, data, adjust="maxt", **options), measure(y, data, adjust="holm", **options)
    smallest = min(range(len(holm.terms)), key=lambda i: holm.terms[i]["p"])
    assert maxt.terms[smallest]["p_adjusted"] < holm.terms[smallest]["p_adjusted"]
    assert all(row["p_adjusted"] >= row["p"] for row in maxt.terms if row["level"] != "any")
    assert str(maxt.signature).endswith("|adj:maxt|edge:none|perm:9999@0|contrasts:pairwise")


def test_maxt_of_unrelated_rows_is_near_sidak() -> None:
    data = pd.DataFrame(names(persons=10))
    rows = measure(scores(data, 6), data, adjust="maxt").terms
    for row in rows:
        assert row["p_adjusted"] == pytest.approx(1 - (1 - row["p"]) ** 3, abs=0.03)


def test_maxt_of_base_phrases_uses_their_correlation() -> None:
    bases = [f"{role}" for role in ("baker", "boss", "doctor", "friend", "guard", "teacher")]
    data = pd.DataFrame(
        [
            {"person": f"{base}-{c}", "country": c, "item": i, "pair": f"{i}/{base}"}
            for base, c, i in product(bases, ("Chile", "Kenya", "Norway"), ITEMS)
        ]
    )
    result = measure(scores(data), data, adjust="maxt")
    for row in result.terms[:3]:
        assert row["p"] <= row["p_adjusted"] <= min(1, 3 * row["p"])
    assert result.terms[3]["p_adjusted"] == min(row["p_adjusted"] for row in result.terms[:3])
