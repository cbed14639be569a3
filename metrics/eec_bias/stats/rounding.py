"""Which numbers differ by more than rounding: when one is 0, and when one exceeds another.

Scores s and s + 1 have the same gaps and the same variances, but computers round them differently. A variance that
equals another on one of them may be larger by 1e-16 on the other, so no comparison of two results is exact.
"""

import numpy as np

from eec_bias.options import Bools, Floats, Ints

ZERO = 1e-12
"""Smaller than this share of the score range is 0: the same rows summed in another order differ by 2e-16."""

EQUAL = 1e-9
"""Two numbers that differ by less than this share of the smaller one are equal."""


def exceeds(numbers: Floats | float, others: Floats | float) -> Bools:
    """Tell which numbers, none below 0, exceed others by more than rounding; NaN exceeds nothing."""
    return np.asarray(np.asarray(numbers) > np.asarray(others) * (1 + EQUAL))


def first_largest(numbers: Floats) -> Ints:
    """Return the position of the largest number, none of them below 0, along the last axis; of equal ones the first."""
    largest = numbers.max(axis=-1, keepdims=True)
    return np.asarray((~exceeds(largest, numbers)).argmax(axis=-1))


def span_of(score_range: tuple[float, float]) -> float:
    """Width of a score range, the unit of what counts as 0; more where it lies so far from 0 that sums are rounded."""
    low, high = score_range
    return max(high - low, abs(low) / 100, abs(high) / 100)


def largest_size(scores: Floats) -> Floats:
    """The largest |score| of each system (S, …), (S,); 0 where there is none."""
    axes = tuple(range(1, scores.ndim))
    highest, lowest = np.fmax.reduce(scores, axis=axes, initial=0.0), np.fmin.reduce(scores, axis=axes, initial=0.0)
    return np.asarray(np.maximum(highest, -lowest))


def rounding_of(largest: Floats, scale: float) -> Floats:
    """Return how far apart equal scores can seem of which this is the largest: less for tiny ones."""
    return np.asarray(ZERO * np.minimum(largest, scale))
