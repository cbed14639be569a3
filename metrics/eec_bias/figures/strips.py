"""Strips of points: those that would lie on each other side by side, the outermost with their names."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from eec_bias.options import Floats

BINS = 70
"""Points in one of so many parts of the axis stand one above the other."""


def side_by_side(values: Floats, room: tuple[float, float], most: float) -> Floats:
    """Return the height of each point in its strip, from -most to most."""
    bins = np.floor((values - room[0]) / ((room[1] - room[0]) / BINS)).astype(int)
    offsets = np.zeros(len(values))
    for each in np.unique(bins):
        members = np.flatnonzero(bins == each)
        offsets[members[np.argsort(values[members], kind="stable")]] = np.arange(len(members)) - (len(members) - 1) / 2
    return offsets * min(0.12, most / max(float(np.abs(offsets).max()), 1.0))


def name_ends(ax: Any, values: Floats, heights: Floats, names: Sequence[str]) -> None:
    """Write the names of the lowest and the highest point beside them; where all are equal none."""
    low, high = int(values.argmin()), int(values.argmax())
    if low == high:
        return
    for which, x, side in ((low, -5, "right"), (high, 5, "left")):
        style: dict[str, Any] = {"xytext": (x, 0), "textcoords": "offset points", "ha": side, "va": "center"}
        ax.annotate(names[which], (values[which], heights[which]), **style, fontsize=8)
