"""What must hold for any scores and any labels."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from synthetic import corpus, names, scores

from eec_bias import measure

SEEDS = st.integers(0, 10_000)
FEW = settings(max_examples=12, deadline=None)
NUMBERS = ("effect", "se", "df", "t", "p", "p_adjusted", "ci_low", "ci_high", "mde", "hedges_g", "superiority", "beta")
RACES = ("Anglo", "Black", "Latino")
DATA = corpus(persons=3)
NAMED = pd.DataFrame(names(races=RACES, persons=3))


def assert_same(one: Any, other: Any, keys: tuple[str, ...] = NUMBERS, **factors: float) -> None:
    """Rows with the same numbers, some multiplied by a factor in the other."""
    for row, twin in zip(one, other, strict=True):
        for key in (*keys, *factors):
            expected = None if row[key] is None else pytest.approx(row[key] * factors.get(key, 1), rel=1e-6, abs=1e-9)
            assert twin[key] == expected, key


@FEW
@given(SEEDS)
def test_the_order_of_rows_does_not_matter(seed: int) -> None:
    data = corpus(persons=3, races=RACES)
    y = scores(data, seed)
    order = np.random.default_rng(seed).permutation(len(data))
    plain, shuffled = measure(y, data).terms, measure(y[order], data.iloc[order]).terms
    assert [(row["term"], row["level"]) for row in plain] == [(row["term"], row["level"]) for row in shuffled]
    assert_same(plain, shuffled)


@FEW
@given(SEEDS, st.permutations(["x", "y", "z"]), st.permutations(["p", "q"]))
def test_the_names_of_labels_do_not_matter(seed: int, races: list[str], genders: list[str]) -> None:
    y = scores(NAMED, seed)
    race, gender = dict(zip(RACES, races, strict=True)), dict(zip(("female", "male"), genders, strict=True))
    renamed = NAMED.replace({"race": race, "gender": gender}).assign(person=NAMED["person"] + "!")
    label = race | gender | {"mean": "mean", "any": "any"}
    one = measure(y, NAMED, reference={"gender": "male"}).terms
    found = {(r["term"], r["level"]): r for r in measure(y, renamed, reference={"gender": gender["male"]}).terms}
    twins = [found[row["term"], ":".join(label[part] for part in row["level"].split(":"))] for row in one]
    assert len(found) == len(one)
    assert_same(one, twins, tuple(key for key in NUMBERS if key not in ("p", "p_adjusted")))
    # The test of a whole term draws its points row by row, so it agrees to its accuracy.
    assert [row["p"] for row in one] == pytest.approx([row["p"] for row in twins], rel=0.05)


@FEW
@given(SEEDS)
def test_swapping_a_reference_flips_the_sign(seed: int) -> None:
    y = scores(DATA, seed)
    one, other = (measure(y, DATA, reference={"race": race}).terms[:1] for race in ("Anglo", "Latino"))
    assert_same(one, other, ("se", "df", "p", "p_names_only", "mde"), effect=-1, t=-1, hedges_g=-1)
    ((row, twin),) = zip(one, other, strict=True)
    assert (row["level"], row["reference"]) == (twin["reference"], twin["level"]) == ("Latino", "Anglo")
    assert (row["ci_low"], row["ci_high"]) == pytest.approx((-twin["ci_high"], -twin["ci_low"]))
    assert row["superiority"] == pytest.approx(1 - twin["superiority"])


@FEW
@given(SEEDS, st.floats(-0.2, 0.2), st.floats(0.01, 100.0))
def test_a_constant_changes_no_contrast_and_the_unit_of_scores_effects_alone(
    seed: int, constant: float, unit: float
) -> None:
    y = 0.3 + 0.4 * scores(DATA, seed)
    plain = measure(y, DATA).terms
    assert_same(plain, measure(y + constant, DATA).terms, tuple(key for key in NUMBERS if key != "beta"))
    scaled = measure(unit * y, DATA, score_range=(0.0, unit * 1.0000001)).terms
    free = ("df", "t", "p", "p_adjusted", "hedges_g", "superiority")
    assert_same(plain, scaled, free, effect=unit, mde=unit)
