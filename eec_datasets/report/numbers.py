"""Numbers as a page prints them: whole points, ends outwards, no sign."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

Unit = Literal["points", "of_100", "raw"]

EXACT = 1e-9
"""A number this near to a printed one is that number."""


@dataclass(frozen=True, slots=True)
class Rounding:
    """The step to which sizes are rounded: 1 for points and shares, a decimal for scores without a range."""

    decimals: int = 0

    @property
    def step(self) -> float:
        """The smallest size that is printed."""
        return 10.0**-self.decimals

    def near(self, size: float) -> float:
        """Round a size to the nearest step, halves away from 0."""
        return math.floor(abs(size) / self.step + 0.5 + EXACT) * self.step

    def down(self, size: float) -> float:
        """Round a size towards 0."""
        return math.floor(abs(size) / self.step + EXACT) * self.step

    def up(self, size: float) -> float:
        """Round a size away from 0."""
        return math.ceil(abs(size) / self.step - EXACT) * self.step

    def is_under(self, size: float) -> bool:
        """Tell if a size is smaller than a step, so that only *under 1* can be said of it."""
        return abs(size) < self.step - EXACT


def rounding_of(unit: Unit, *sizes: float | None) -> Rounding:
    """Return whole numbers for points and shares, else two digits of the largest size."""
    if unit != "raw":
        return Rounding()
    largest = max((abs(size) for size in sizes if size is not None), default=0.0)
    if largest == 0 or not math.isfinite(largest):
        return Rounding()
    return Rounding(max(0, 1 - math.floor(math.log10(largest))))


def ends(low: float, high: float) -> tuple[float, float]:
    """Return the sizes of an interval that is clear of 0, the smaller one first."""
    near, far = sorted((abs(low), abs(high)))
    return near, far


def reach(*ends: float) -> float:
    """Return how far intervals with these ends reach from 0."""
    return max(map(abs, ends))


SHARES: tuple[tuple[str, float], ...] = (
    ("tenth", 1 / 10),
    ("fifth", 1 / 5),
    ("quarter", 1 / 4),
    ("third", 1 / 3),
    ("half", 1 / 2),
    ("two_thirds", 2 / 3),
    ("three_quarters", 3 / 4),
    ("whole", 1.0),
)


def share_of(part: float, whole: float) -> tuple[str, str]:
    """Return which share one printed number is of another, and if it is exact, more or less."""
    ratio = part / whole
    if ratio > 1 + EXACT:
        return "whole", "longer"
    name, share = min(SHARES, key=lambda each: abs(each[1] - ratio))
    if abs(ratio - share) < 0.005:
        return name, "exact"
    return name, "more" if ratio > share else "less"


def half_width(sizes: list[float], unit: Unit) -> float:
    """Return half of the width of a symmetric axis that holds all sizes; at least 10 points."""
    largest = max(sizes, default=0.0)
    if unit != "raw":
        largest = max(largest, 10.0)
    return 1.05 * largest if largest > 0 else 1.0


def ticks(half: float, unit: Unit) -> tuple[float, ...]:
    """Return the marks right of 0, as few as possible."""
    if unit == "raw":
        power = 10.0 ** math.floor(math.log10(half))
        step = next(each * power for each in (5, 2, 1) if each * power <= half + EXACT)
        return (step,)
    step = next((each for each in (5, 10, 20, 50, 100) if half / each < 3), 100)
    return tuple(step * i for i in range(1, int(half / step + EXACT) + 1))
