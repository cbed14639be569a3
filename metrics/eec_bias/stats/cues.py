"""Do the cues of a group agree? Its effect by names beside that by explicit mentions, noun phrases and pronouns.

Both cues meet the same items, and their persons are different. So the difference of an effect by one cue and by
another is a contrast over the cells of both, where the bases of a paired cue, each with its own difference, are one
cell. It goes through the default test: names and wordings add up as independent samples, what both cues share in the
items cancels item by item, and what a template does to one cue alone counts once for the template. A noun that two
paired cues share (this woman, this Black woman) would make their difference vary less than is assumed.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np

from eec_bias.options import CUE, Floats
from eec_bias.stats.analysis import Analysis, Tested
from eec_bias.stats.contrasts import Contrast
from eec_bias.stats.default_test import Estimates, run_test
from eec_bias.stats.layout import MENTIONS
from eec_bias.stats.sums import Sums


def compare_cues(analyses: Sequence[Analysis], scale: float) -> tuple[tuple[Tested, ...], tuple[str, ...]]:
    """Compare each effect that two cues have; none where no cue says the group outright.

    Parameters
    ----------
    analyses : sequence of Analysis
        Of the tables of one part of the data.
    scale : float
        Width of the score range.

    Returns
    -------
    agreements, notes
        Effects by one cue minus those by another, of each two with an effect in common; and which met different items.
    """
    agreements, notes = [], []
    if any(analysis.table.subset.startswith(MENTIONS) for analysis in analyses):
        for first, second in combinations(analyses, 2):
            shared = _shared(first, second)
            if shared and first.table.items != second.table.items:
                notes.append(f"{_named(first, second)}: not compared, the two cues met different items")
            elif shared:
                agreements.append(_compare(first, second, shared, scale))
    return tuple(agreements), tuple(notes)


def _named(first: Analysis, second: Analysis) -> str:
    return f"{first.table.subset}-{second.table.subset}"


def _shared(first: Analysis, second: Analysis) -> list[tuple[int, int]]:
    """Rows of both that are the same comparison."""
    rows_of_second = {(c.term, c.level, c.reference): s for s, c in enumerate(second.contrasts)}
    keys = [(c.term, c.level, c.reference) for c in first.contrasts]
    return [(r, rows_of_second[key]) for r, key in enumerate(keys) if key in rows_of_second]


def _compare(first: Analysis, second: Analysis, shared: Sequence[tuple[int, int]], scale: float) -> Tested:
    tests = []
    for r, s in shared:
        (sums, weights), (others, against) = _side(first, r), _side(second, s)
        whole = np.concatenate([weights, -against])[None, :]
        tests.append(run_test(join(sums, others), whole, first.facets, scale))
    least = tuple(min(first.least_persons[r], second.least_persons[s]) for r, s in shared)
    sizes = tuple((first.sizes[r][0] + second.sizes[s][0], first.sizes[r][1] + second.sizes[s][1]) for r, s in shared)
    contrasts = tuple(_between(first.contrasts[r], first, second) for r, _ in shared)
    estimates, items, facets = Estimates.side_by_side(tests), first.sums.items, first.facets
    return Tested(_named(first, second), contrasts, estimates, least, sizes, items, facets, first.sums.run_counts)


def _side(analysis: Analysis, row: int) -> tuple[Sums, Floats]:
    """The cells of a contrast and its weights on them; the differences within bases are one cell."""
    if analysis.table.paired:
        return analysis.units[row].sums, np.ones(1)
    return analysis.sums, analysis.contrasts[row].weights


def join(first: Sums, second: Sums) -> Sums:
    """The cells of two tables with the same items as those of one, without logarithms."""
    runs = None
    if first.runs is not None and second.runs is not None:
        runs = np.concatenate([first.runs, second.runs], axis=1)
    joined: dict[str, Any] = {}
    for name in ("person", "item", "cell", "spread", "residual"):
        joined[name] = np.concatenate([getattr(first, name), getattr(second, name)], axis=1)
    return Sums(np.concatenate([first.count, second.count]), **joined, runs=runs)


def _between(contrast: Contrast, first: Analysis, second: Analysis) -> Contrast:
    """Name the difference of a contrast by two cues: ``race:cue``, ``Black:names`` against ``white:mentions``."""
    term, bar, condition = contrast.term.partition("|")
    return replace(
        contrast,
        term=f"{term}:{CUE}{bar}{condition}",
        axes=(*contrast.axes, CUE),
        level=f"{contrast.level}:{first.table.subset.partition(':')[0]}",
        reference=f"{contrast.reference}:{second.table.subset.partition(':')[0]}",
    )
