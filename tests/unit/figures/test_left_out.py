"""The figure of a difference without each name, family and template."""

import numpy as np
import pytest
from figure_cases import corpus, scores

from eec_bias import OptionError, ResultError, measure

DATA = corpus()
DATA["family"] = DATA["person"].str.replace(r"-[01]$", "-01", regex=True).where(DATA["race"] != "unmarked", "none")
RESULT = measure(scores(DATA), DATA, leave_one_out=True)


def drawn(figure) -> list[float]:
    lines = [line for line in figure.axes[0].lines if line.get_marker() == "o"]
    return sorted(float(x) for line in lines for x in np.atleast_1d(line.get_xdata()))


def of_race() -> list[dict]:
    return [row for row in RESULT.left_out if row["term"] == "race" and row["subset"] == "names"]


def test_every_effect_without_something_is_a_point() -> None:
    assert drawn(RESULT.plot("left_out", term="race")) == pytest.approx(sorted(row["effect"] for row in of_race()))


def test_each_kind_has_a_strip_with_its_number() -> None:
    labels = [text.get_text() for text in RESULT.plot("left_out", term="race").axes[0].get_yticklabels()]
    kinds = [row["kind"] for row in of_race()]
    assert labels == [f"without each {kind} ({kinds.count(kind)})" for kind in dict.fromkeys(kinds)]


def test_the_lowest_and_the_highest_are_named() -> None:
    furthest = max((row for row in of_race() if row["kind"] == "name"), key=lambda row: row["effect"])
    assert f"without {furthest['without']}" in RESULT.plot("left_out", term="race").eec_alt


def test_points_with_a_small_p_are_filled() -> None:
    figure = RESULT.plot("left_out", term="race")
    found = sum(row["p"] is not None and row["p"] < 0.05 for row in of_race())
    assert f"{found} of {sum(row['p'] is not None for row in of_race())}" in figure.eec_caption


def test_a_saved_result_draws_the_same() -> None:
    assert RESULT.plot("left_out").eec_alt == type(RESULT).from_dict(RESULT.to_dict()).plot("left_out").eec_alt


def test_a_result_measured_without_leaving_out_is_refused() -> None:
    with pytest.raises(ResultError, match="measure with leave_one_out=True, or eec measure --leave-one-out"):
        measure(scores(DATA), DATA).plot("left_out")


def test_a_term_that_is_none_is_refused() -> None:
    with pytest.raises(OptionError, match="term 'age' is not in the result"):
        RESULT.plot("left_out", term="age")
