"""Differences without one name, one family or one template."""

import numpy as np
import pandas as pd
import pytest
from synthetic import BASES, names, noun_phrases, row_of, scores

from eec_bias import OptionError, Result, measure

ITEMS = [f"t{t:02d}/{word}" for t in (1, 2, 3) for word in ("angry", "glad", "sad")]


def corpus() -> pd.DataFrame:
    data = pd.DataFrame([*names(persons=6, items=ITEMS), *noun_phrases(items=ITEMS)])
    family = data["person"].str.replace(r"-[01]$", "-01", regex=True)
    return data.assign(family=family.where(data["race"] != "unmarked", "none"), template=data["item"].str[:3])


DATA = corpus()
Y = scores(DATA)
MEASURED = measure(Y, DATA)


def without(kind: str, name: str, term: str = "race") -> dict:
    frame = MEASURED.sensitivity()
    (row,) = frame[(frame["kind"] == kind) & (frame["without"] == name) & (frame["term"] == term)].to_dict("records")
    return row


def test_without_a_name_the_numbers_are_those_of_the_others() -> None:
    kept = DATA["person"] != "latino-female-3"
    others = row_of(measure(Y[kept], DATA[kept]), "race")
    row = without("name", "latino-female-3")
    assert (row["effect"], row["p"]) == pytest.approx((others["effect"], others["p"]), rel=1e-9)
    assert row["change"] == pytest.approx(others["effect"] - row_of(MEASURED, "race")["effect"])


def test_without_a_family_all_its_names_are_gone() -> None:
    kept = ~DATA["person"].isin(["latino-female-0", "latino-female-1"])
    others = row_of(measure(Y[kept], DATA[kept]), "race")
    assert without("family", "latino-female-0, latino-female-1")["effect"] == pytest.approx(others["effect"], rel=1e-9)


def test_without_a_template_its_items_are_gone() -> None:
    kept = DATA["template"] != "t02"
    others = row_of(measure(Y[kept], DATA[kept]), "race")
    row = without("template", "t02")
    assert (row["effect"], row["p"]) == pytest.approx((others["effect"], others["p"]), rel=1e-9)


def test_pairs_are_left_out_by_their_base() -> None:
    frame = MEASURED.sensitivity()
    pairs = frame[(frame["subset"] == "pairs") & (frame["kind"] == "name")]
    assert sorted(pairs["without"]) == sorted(BASES)


def test_the_largest_change_of_a_term_comes_first() -> None:
    race = MEASURED.sensitivity().query("term == 'race'")["change"].abs()
    assert race.is_monotonic_decreasing


def test_a_name_that_makes_the_spread_is_named_in_the_row() -> None:
    odd = np.where(DATA["person"] == "latino-female-3", 0.5, 0.0)
    row = row_of(measure(0.5 * Y + odd, DATA, families=()), "race")
    assert "latino-female-3 alone makes" in row["rough"]


def test_systems_are_told_apart() -> None:
    frame = measure({"a": Y, "b": Y[::-1]}, DATA).sensitivity()
    both = frame[(frame["without"] == "t02") & (frame["term"] == "race")].set_index("system")
    assert both.loc["a", "effect"] == without("template", "t02")["effect"] != both.loc["b", "effect"]


def test_a_saved_result_says_that_it_has_no_scores() -> None:
    with pytest.raises(OptionError, match="this result has no scores"):
        Result.from_dict(MEASURED.to_dict()).sensitivity()
