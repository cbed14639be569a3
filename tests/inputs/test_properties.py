"""What must hold for any scores and any labels."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from synthetic import corpus, names, scores

from eec_bias import DesignError, measure

SEEDS = st.integers(0, 10_000)
FEW = settings(max_examples=20, deadline=None)
NUMBERS = ("effect", "se", "df", "t", "p", "p_adjusted", "ci_low", "ci_high", "mde", "hedges_g", "superiority", "beta")


def assert_same(one: dict, other: dict, keys: tuple[str, ...] = NUMBERS) -> None:
    for key in keys:
        assert (one[key] is None) == (other[key] is None), key
        if one[key] is not None:
            assert one[key] == pytest.approx(other[key], rel=1e-6, abs=1e-9), key


@FEW
@given(SEEDS)
def test_the_order_of_rows_does_not_matter(seed: int) -> None:
    data = corpus(persons=3, races=("Anglo", "Black", "Latino"))
    y = scores(data, seed)
    order = np.random.default_rng(seed).permutation(len(data))
    plain, shuffled = measure(y, data), measure(y[order], data.iloc[order])
    for one, other in zip(plain.terms, shuffled.terms, strict=True):
        assert (one["term"], one["level"]) == (other["term"], other["level"])
        assert_same(one, other)


@FEW
@given(SEEDS, st.permutations(["x", "y", "z"]), st.permutations(["p", "q"]))
def test_the_names_of_labels_do_not_matter(seed: int, races: list[str], genders: list[str]) -> None:
    data = pd.DataFrame(names(races=("Anglo", "Black", "Latino"), persons=3))
    y = scores(data, seed)
    race = dict(zip(("Anglo", "Black", "Latino"), races, strict=True))
    gender = dict(zip(("female", "male"), genders, strict=True))
    renamed = data.assign(race=data["race"].map(race), gender=data["gender"].map(gender), person=data["person"] + "!")
    label = race | gender | {"mean": "mean", "any": "any"}
    one = measure(y, data, reference={"gender": "male"})
    other = measure(y, renamed, reference={"gender": gender["male"]})
    found = {(row["term"], row["level"]): row for row in other.terms}
    assert len(found) == len(one.terms)
    for row in one.terms:
        level = ":".join(label[part] for part in row["level"].split(":"))
        assert_same(row, found[row["term"], level], tuple(key for key in NUMBERS if key not in ("p", "p_adjusted")))
        # The test of a whole term draws its points row by row, so it agrees to its accuracy.
        assert row["p"] == pytest.approx(found[row["term"], level]["p"], rel=0.05)


@FEW
@given(SEEDS)
def test_swapping_a_reference_flips_the_sign(seed: int) -> None:
    data = corpus(persons=3)
    y = scores(data, seed)
    one = measure(y, data, reference={"race": "Anglo"}).terms[0]
    other = measure(y, data, reference={"race": "Latino"}).terms[0]
    assert (one["level"], one["reference"]) == (other["reference"], other["level"]) == ("Latino", "Anglo")
    assert_same(one, other, ("se", "df", "p", "p_names_only", "mde"))
    for key in ("effect", "t", "hedges_g"):
        assert one[key] == pytest.approx(-other[key])
    assert (one["ci_low"], one["ci_high"]) == pytest.approx((-other["ci_high"], -other["ci_low"]))
    assert one["superiority"] == pytest.approx(1 - other["superiority"])


@FEW
@given(SEEDS, st.integers(0, 59))
def test_duplicating_nothing_changes_nothing_and_anything_is_refused(seed: int, row: int) -> None:
    data = pd.DataFrame(names(persons=3))
    y = scores(data, seed)
    empty = pd.concat([data, data.iloc[:0]], ignore_index=True)
    assert measure(y, empty).terms == measure(y, data).terms
    doubled = pd.concat([data, data.iloc[[row]]], ignore_index=True)
    with pytest.raises(DesignError, match=f"names: rows {row} and {len(data)}"):
        measure(np.append(y, y[row]), doubled)


@FEW
@given(SEEDS, st.floats(-0.2, 0.2))
def test_adding_a_constant_changes_no_contrast(seed: int, constant: float) -> None:
    data = corpus(persons=3)
    y = 0.3 + 0.4 * scores(data, seed)
    keys = tuple(key for key in NUMBERS if key != "beta")
    for one, other in zip(measure(y, data).terms, measure(y + constant, data).terms, strict=True):
        assert_same(one, other, keys)


@FEW
@given(SEEDS, st.floats(0.01, 100.0))
def test_the_unit_of_the_scores_changes_effects_alone(seed: int, unit: float) -> None:
    data = corpus(persons=3)
    y = scores(data, seed)
    scaled = measure(unit * y, data, score_range=(0.0, unit * 1.0000001))
    for one, other in zip(measure(y, data).terms, scaled.terms, strict=True):
        assert_same(one, other, ("df", "t", "p", "p_adjusted", "hedges_g", "superiority"))
        assert other["effect"] == pytest.approx(unit * one["effect"])
        assert other["mde"] == pytest.approx(unit * one["mde"])


@FEW
@given(SEEDS)
def test_deviations_sum_to_zero_over_every_axis(seed: int) -> None:
    data = pd.DataFrame(names(races=("Anglo", "Black", "Latino"), persons=3))
    frame = measure(scores(data, seed), data, reference=None).to_frame()
    frame = frame[frame["level"] != "any"]
    for term in ("race", "gender", "race:gender"):
        assert frame.loc[frame["term"] == term, "effect"].sum() == pytest.approx(0, abs=1e-12)
