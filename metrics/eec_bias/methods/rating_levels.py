"""Partial order and ratings of systems (Algorithms 3 and 4 of Lakkaraju et al. 2022) and their average."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from eec_bias.errors import OptionError


def read_levels(levels: Any) -> int:
    """Check the number of rating levels L.

    Raises
    ------
    OptionError
        If it is no whole number from 2.
    """
    if levels is None:
        return 3
    if not isinstance(levels, int | np.integer) or isinstance(levels, bool) or levels < 2:
        raise OptionError(f"levels={levels!r}; expected the number of rating levels, a whole number from 2")
    return int(levels)


def partial_order(scores: Mapping[str, float]) -> dict[str, float]:
    """Sort systems by their raw score, the least first, X (infinite) last (Algorithm 3)."""
    return dict(sorted(scores.items(), key=lambda pair: pair[1]))


def absolute_rating(score: float, levels: int = 3) -> int:
    """Rate one system by itself: 1 where its raw score is 0, otherwise the highest level (Algorithm 4)."""
    return 1 if score == 0 else levels


def assign_ratings(scores: Mapping[str, float], levels: int = 3) -> dict[str, int]:
    """Rate systems from their raw scores of one data group (Algorithm 4).

    Parameters
    ----------
    scores : mapping of system to float
        Weighted rejection scores, or largest DIE %; infinite where a denominator is 0 (X).
    levels : int
        Rating levels L.

    Returns
    -------
    dict
        Several systems: the sorted scores are split into L parts (the first ones longer where it does not go up),
        and a system's rating is the first part that holds its score; X has the highest level and takes no part in the
        split, as in the article's Table 2. One system: `absolute_rating`.
    """
    if len(scores) == 1:
        return {name: absolute_rating(score, levels) for name, score in scores.items()}
    order = partial_order(scores)
    parts = np.array_split([score for score in order.values() if math.isfinite(score)], levels)
    return {
        name: next((number for number, part in enumerate(parts, start=1) if score in part), levels)
        for name, score in order.items()
    }


def overall_rating(ratings: Sequence[int]) -> int:
    """Average of the ratings of all data groups, rounded, halves upwards."""
    return math.floor(sum(ratings) / len(ratings) + 0.5)
