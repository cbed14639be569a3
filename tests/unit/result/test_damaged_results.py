"""A saved result that was changed anywhere is read, or refused with the place; it never ends in a traceback."""

import copy
import json
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from verdict_cases import DATA, scores

from eec_bias import Result, ResultError, measure
from eec_bias.methods import METHODS

VALUES: tuple[Any, ...] = (
    None, "x", "", -1, 10**400, float("nan"), float("inf"), 1e308, True, [], [1], {}, {"key": "x"},
)  # fmt: skip
DRAWN = 200


def places(content: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place of a content, by the keys and numbers that lead there."""
    yield path
    if isinstance(content, dict):
        for key, value in content.items():
            yield from places(value, (*path, key))
    elif isinstance(content, list):
        for number, value in enumerate(content[:3]):
            yield from places(value, (*path, number))


def changed(content: dict[str, Any], path: tuple[Any, ...], value: Any, *, gone: bool) -> dict[str, Any]:
    """A copy of a content with another value at a place, or without it."""
    copied = copy.deepcopy(content)
    inside: Any = copied
    for key in path[:-1]:
        inside = inside[key]
    if gone:
        del inside[path[-1]]
    else:
        inside[path[-1]] = value
    return copied


def saved(kind: str) -> dict[str, Any]:
    y = scores(DATA)
    if kind == "several systems":
        result = measure({"a": y, "b": 1 - y}, DATA, margin=5, rate_above=0.5)
    elif kind == "emotions":
        result = measure(y, DATA, by="emotion")
    else:
        result = METHODS[kind](y, DATA)
    return json.loads(json.dumps(result.to_dict(details=True)))


@pytest.mark.parametrize("kind", ["several systems", "emotions", "kiritchenko2018"])
def test_a_changed_result_is_read_or_refused_with_its_place(kind: str) -> None:
    content, rng = saved(kind), np.random.default_rng(7)
    every = [path for path in places(content) if path]
    read = refused = 0
    for _ in range(DRAWN):
        path, value = every[rng.integers(len(every))], VALUES[rng.integers(len(VALUES))]
        damaged = changed(content, path, value, gone=bool(rng.random() < 0.15))
        try:
            result = Result.from_dict(damaged)
        except ResultError:
            refused += 1
        else:
            read += 1
            assert str(result)
            assert len(result.to_frame())
            json.dumps(result.to_dict(details=True), allow_nan=False)
    assert (read > 20, refused > 20) == (True, True)


def test_rows_that_are_all_on_a_part_of_the_words_are_refused_with_other_scalars() -> None:
    content = json.loads(json.dumps(measure(scores(DATA), DATA).to_dict()))
    for row in content["terms"]:
        row["agreement"] = "agrees"
    with pytest.raises(ResultError, match="'race_effect' is no key of a result"):
        Result.from_dict(content)
