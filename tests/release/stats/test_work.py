"""Work for a table: calls and memory grow with its scores, whatever its shape and whatever is missing."""

import sys
import tracemalloc
from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pytest

from eec_bias import measure

MEGABYTE = 2**20
MOST_CALLS = 20
"""So many times the calls that a complete table of its shape takes."""


def table(
    persons: int, templates: int, emotions: int, *, levels: int = 2, genders: int = 2, families: int = 0
) -> pd.DataFrame:
    """Names in groups, so many in each, on a word of every emotion in every template."""
    cells = list(product(range(levels), range(genders)))
    people = pd.DataFrame([(r, g, f"p{r}-{g}-{k}") for r, g in cells for k in range(persons)])
    people.columns = pd.Index(["race", "gender", "person"])
    if families:
        drawn = np.random.default_rng(0).integers(families, size=len(people))
        people["family"] = [f"f{code}" for code in drawn]
        people["race_signal"] = np.random.default_rng(1).random(len(people))
    if genders == 1:
        people = people.drop(columns="gender")
    items = pd.DataFrame([(f"t{t}", f"w{e}", f"e{e}", f"t{t}/w{e}") for t in range(templates) for e in range(emotions)])
    items.columns = pd.Index(["template", "word", "emotion", "item"])
    return people.merge(items, how="cross").astype(str)


SHAPES: dict[str, tuple[Callable[[], pd.DataFrame], int, int]] = {
    "thousands of names": (lambda: table(1500, 2, 2), 50, 20),
    "thousands of names in families, with signals": (lambda: table(1500, 2, 2, families=1000), 50, 20),
    "names that lack a third": (lambda: table(300, 3, 2), 2400, 10),
    "two hundred emotions": (lambda: table(3, 2, 200), 50, 100),
    "a hundred levels": (lambda: table(4, 2, 2, levels=100, genders=1), 50, 20),
    "thousands of items": (lambda: table(3, 500, 3), 50, 40),
}
"""Each a table, how many scores it lacks, and the megabytes that it may take."""


def work_of(call: Callable[[], Any]) -> tuple[int, int]:
    """Count the calls of functions, and the most memory in use at once."""
    calls = 0

    def count(_frame: Any, event: str, _argument: Any) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    tracemalloc.start()
    sys.setprofile(count)
    try:
        call()
    finally:
        sys.setprofile(None)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    return calls, peak


@pytest.mark.parametrize("shape", SHAPES)
def test_work_grows_with_the_scores_with_and_without_holes(shape: str) -> None:
    make, holes, megabytes = SHAPES[shape]
    data, rng = make(), np.random.default_rng(1)
    scores = rng.random(len(data))
    lacking = scores.copy()
    lacking[rng.choice(len(scores), holes, replace=False)] = np.nan
    # What is imported and kept between calls is no part of it.
    measure(scores, data, score_range=None)
    calls, peak = work_of(lambda: measure(scores, data, score_range=None))
    calls_with_holes, peak_with_holes = work_of(lambda: measure(lacking, data, score_range=None))
    assert calls_with_holes <= MOST_CALLS * calls
    assert max(peak, peak_with_holes) <= megabytes * MEGABYTE
