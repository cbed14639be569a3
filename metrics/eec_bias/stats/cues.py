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

from eec_bias.notes import Note
from eec_bias.options import CUE, Floats
from eec_bias.stats.contrasts import Contrast
from eec_bias.stats.families import Families
from eec_bias.stats.layout import MENTIONS, Table
from eec_bias.stats.sums import Sums
from eec_bias.stats.tested import Analysis, Part, Tested
from eec_bias.stats.units import UnitScores


def compare_cues(analyses: Sequence[Analysis]) -> tuple[tuple[Tested, ...], tuple[Note, ...]]:
    """Compare each effect that two cues have; none where no cue says the group outright.

    Parameters
    ----------
    analyses : sequence of Analysis
        Of the tables of one part of the data.

    Returns
    -------
    agreements, notes
        Effects by one cue minus those by another, of each two with an effect in common; and which met different items.
    """
    agreements, notes = [], []
    for one, other in pairs_of_cues([analysis.table for analysis in analyses]):
        first, second = analyses[one], analyses[other]
        subset, rows, others = f"{first.subset}-{second.subset}", _rows(first), _rows(second)
        shared = [key for key in rows if key in others]
        if shared and first.table.items != second.table.items:
            notes.append(Note("cues_on_other_items", {"subset": subset}))
        elif shared and (first.scores.has_holes or second.scores.has_holes):
            notes.append(Note("cues_not_compared", {"subset": subset}))
        elif shared:
            parts = tuple(_join(*rows[key], *others[key]) for key in shared)
            compared = [contrast for contrast in first.contrasts if contrast_key(contrast) in shared]
            contrasts = tuple(name_agreement(contrast, first.subset, second.subset) for contrast in compared)
            agreements.append(Tested(subset, contrasts, parts, first.facets, first.score_range, first.inference))
    return tuple(agreements), tuple(notes)


def pairs_of_cues(tables: Sequence[Table]) -> list[tuple[int, int]]:
    """Return which two tables have their effects compared; none where no cue says the group outright."""
    if not any(table.subset.startswith(MENTIONS) for table in tables):
        return []
    return list(combinations(range(len(tables)), 2))


def contrast_key(contrast: Contrast) -> tuple[str, str, str]:
    """Return what a contrast compares: by it those of two tables are matched."""
    return contrast.term, contrast.level, contrast.reference


def _rows(analysis: Analysis) -> dict[tuple[str, str, str], tuple[Part, Floats]]:
    """By comparison the part it belongs to, and its weights there."""
    return dict(zip(map(contrast_key, analysis.contrasts), analysis.rows, strict=True))


def _join(part: Part, weights: Floats, other: Part, against: Floats) -> Part:
    """One contrast minus another, over the cells of both."""
    whole = np.concatenate([weights, -against])[None, :]
    sums = join(part.sums, other.sums)
    values = np.concatenate([part.scores.values, other.scores.values], axis=1)
    sides = np.concatenate([part.sides, other.sides])
    return Part(
        sums,
        whole,
        sides,
        UnitScores(values),
        _join_families(part, other),
        part.refused or other.refused,
        (*part.words, *other.words),
        part.described or other.described,
    )


def _join_families(part: Part, other: Part) -> tuple[Families, ...]:
    """The families of the units of two parts, none of which has members in both."""
    joined = []
    of_other = {families.name: families.code for families in other.families}
    units = len(other.sums.cell_of_person)
    for families in part.families:
        own = of_other.get(families.name, np.arange(units))
        joined.append(Families(families.name, np.concatenate([families.code, own + len(families.code)])))
    return tuple(joined)


def join(first: Sums, second: Sums) -> Sums:
    """The cells of two tables with the same items as those of one, without logarithms."""
    runs = None
    if first.runs is not None and second.runs is not None:
        runs = np.concatenate([first.runs, second.runs], axis=1)
    joined: dict[str, Any] = {}
    for name in ("person", "item", "cell", "spread", "residual"):
        joined[name] = np.concatenate([getattr(first, name), getattr(second, name)], axis=1)
    pairs = zip(first.crossed, second.crossed, strict=True)
    crossed = tuple(np.concatenate(pair, axis=1) for pair in pairs)
    return Sums(np.concatenate([first.count, second.count]), **joined, runs=runs, crossed=crossed)


def name_agreement(contrast: Contrast, subset: str, other: str) -> Contrast:
    """Name the difference of a contrast by two cues: ``race:cue``, ``Black:names`` against ``white:mentions``."""
    term, bar, condition = contrast.term.partition("|")
    level = f"{contrast.level}:{subset.partition(':')[0]}"
    reference = f"{contrast.reference}:{other.partition(':')[0]}"
    axes = (*contrast.axes, CUE)
    return replace(contrast, term=f"{term}:{CUE}{bar}{condition}", axes=axes, level=level, reference=reference)
