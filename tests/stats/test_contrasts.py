"""Terms as weights on cells."""

import numpy as np
import pytest

from eec_bias.stats.contrasts import build_contrasts, reference_of, resolve_references
from eec_bias.stats.layout import Axis

RACE = Axis("race", ("Anglo", "Latino"), "Anglo")
GENDER = Axis("gender", ("female", "male"), "male")
RACES = Axis("race", ("Anglo", "Black", "Latino"), None)


def test_two_by_two_has_halves_on_main_effects_and_ones_on_the_interaction() -> None:
    race, gender, both = build_contrasts([RACE, GENDER])
    assert (race.term, race.level, race.reference) == ("race", "Latino", "Anglo")
    assert race.weights.tolist() == [-0.5, -0.5, 0.5, 0.5]
    assert gender.weights.tolist() == [0.5, -0.5, 0.5, -0.5]
    assert (both.term, both.level, both.reference) == ("race:gender", "Latino:female", "Anglo:male")
    assert both.weights.tolist() == [-1, 1, 1, -1]
    # Treatment coding reads a main effect at the other axis' reference.
    assert [row.coding.tolist() for row in (race, gender, both)] == [[0, -1, 0, 1], [1, -1, 0, 0], [-1, 1, 1, -1]]


def test_without_a_reference_every_level_is_compared_with_the_mean_of_all() -> None:
    rows = build_contrasts([RACES])
    assert [row.level for row in rows] == ["Anglo", "Black", "Latino"]
    assert {row.reference for row in rows} == {"mean"}
    assert np.allclose(rows[1].weights, [-1 / 3, 2 / 3, -1 / 3])


def test_the_interaction_of_deviations_is_the_cell_residual() -> None:
    gender = Axis("gender", ("female", "male"), None)
    rows = [row for row in build_contrasts([RACES, gender]) if row.term == "race:gender"]
    means = np.arange(6.0) ** 2
    table = means.reshape(3, 2)
    residual = table - table.mean(1, keepdims=True) - table.mean(0) + table.mean()
    assert len(rows) == 6
    assert np.allclose([row.weights @ means for row in rows], residual.ravel())


def test_every_contrast_sums_to_zero_over_cells_and_four_axes_give_fifteen_terms() -> None:
    axes = [RACES, GENDER, *(Axis(name, ("a", "b"), None) for name in ("age", "faith"))]
    terms = {row.term for row in build_contrasts(axes)}
    assert len(terms) == 15
    assert "race:gender:age:faith" in terms
    for row in build_contrasts(axes[:3], simple=True):
        assert (row.weights.sum(), row.coding.sum()) == pytest.approx((0, 0))


def test_simple_effects_are_taken_within_the_levels_of_the_other_axes() -> None:
    rows = {row.term: row for row in build_contrasts([RACE, GENDER], simple=True) if "|" in row.term}
    assert set(rows) == {"race|gender=female", "race|gender=male", "gender|race=Anglo", "gender|race=Latino"}
    assert rows["race|gender=female"].weights.tolist() == [-1, 0, 1, 0]
    assert rows["gender|race=Latino"].weights.tolist() == [0, 0, 1, -1]


@pytest.mark.parametrize(
    ("axis", "levels", "expected"),
    [
        ("gender", ("female", "male"), "male"),
        ("race", ("Black", "white"), "white"),
        ("race", ("Anglo", "Latino"), "Anglo"),
        ("race", ("Anglo", "white"), "white"),
        ("race", ("Han", "Uyghur"), None),
        ("faith", ("a", "b"), None),
        ("race", ("Anglo", "Black", "Latino"), None),
    ],
)
def test_default_references(axis: str, levels: tuple[str, ...], expected: str | None) -> None:
    assert reference_of(axis, levels, True) == expected


def test_a_reference_asked_for_holds_with_any_number_of_levels() -> None:
    levels = {"race": ("Anglo", "Black", "Latino"), "gender": ("female", "male")}
    choice = resolve_references({"race": "Black"}, levels)
    assert reference_of("race", levels["race"], choice["race"]) == "Black"
    assert reference_of("gender", levels["gender"], choice["gender"]) == "male"
