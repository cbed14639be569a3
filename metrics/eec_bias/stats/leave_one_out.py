"""Leave-one-out tests, which show how far one name, one family of names or one template carries a gap."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from eec_bias.options import Bools, Floats, Ints
from eec_bias.stats.facets import Facets, only_items
from eec_bias.stats.families import Families, one_family
from eec_bias.stats.incomplete import NotConnectedError
from eec_bias.stats.tested import Analysis, Part
from eec_bias.stats.units import UnitScores, sum_up

FEWEST = 2
"""Units of each cell, and items, that must be left for a test."""


@dataclass(frozen=True, slots=True)
class Without:
    """The test of R contrasts of S systems without something.

    Attributes
    ----------
    kind : str
        ``name`` (on noun phrases their base), ``family``, ``ending`` or another column of families, or ``template``.
    left_out : str
        Which one.
    effect, p : (S, R) arrays
        NaN where too little is left for a test.
    """

    kind: str
    left_out: str
    effect: Floats
    p: Floats


def leave_one_out(analysis: Analysis, templates: tuple[str, ...]) -> Iterator[Without]:
    """Test the contrasts of an analysis without each name, each family of several names, and each template.

    Parameters
    ----------
    analysis : Analysis
        Of one table.
    templates : tuple of str
        The template of each item; empty where it is not known.
    """
    if not analysis.contrasts:
        return
    for unit, kept in _units(analysis):
        yield _test(analysis, "name", unit, kept, None)
    for families in analysis.table.families:
        for label, kept in _families(analysis, families):
            yield _test(analysis, families.name, label, kept, None)
    if templates and len(set(templates)) > 1:
        labels = np.array(templates)
        for template in dict.fromkeys(templates):
            yield _test(analysis, "template", template, None, np.flatnonzero(labels != template))


def _units(analysis: Analysis) -> Iterator[tuple[str, list[Bools]]]:
    """Each name, or base, with what is left of the units of every part."""
    if not analysis.persons:
        for p, person in enumerate(analysis.table.persons):
            kept = np.ones(len(analysis.table.persons), dtype=bool)
            kept[p] = False
            yield person, [kept]
        return
    bases = [analysis.table.base[persons[:, 0]] for persons in analysis.persons]
    for base in np.unique(np.concatenate(bases)).tolist():
        yield analysis.table.bases[base], [of_part != base for of_part in bases]


def _families(analysis: Analysis, families: Families) -> Iterator[tuple[str, list[Bools]]]:
    """Each family of several names, by its first two, with what is left."""
    if analysis.persons:
        yield from _meanings(analysis, families)
        return
    for code, count in enumerate(np.bincount(families.code).tolist()):
        if count > 1:
            members = np.flatnonzero(families.code == code).tolist()
            named = ", ".join(analysis.table.persons[p] for p in members[:FEWEST])
            more = f" and {count - FEWEST} more" if count > FEWEST else ""
            yield f"{named}{more}", [families.code != code]


def _meanings(analysis: Analysis, families: Families) -> Iterator[tuple[str, list[Bools]]]:
    """Each family of several bases, by these, with what is left of the bases of every part."""
    of_parts = [families.code[persons[:, 0]] for persons in analysis.persons]
    for code in np.unique(np.concatenate(of_parts)).tolist():
        bases = dict.fromkeys(analysis.table.base[families.code == code].tolist())
        if len(bases) > 1:
            named = ", ".join(analysis.table.bases[base] for base in bases)
            yield named, [of_part != code for of_part in of_parts]


def _test(analysis: Analysis, kind: str, left_out: str, units: list[Bools] | None, items: Ints | None) -> Without:
    facets = analysis.facets if items is None else only_items(analysis.facets, items)
    columns = []
    for k, part in enumerate(analysis.parts):
        kept = np.ones(part.scores.values.shape[1], dtype=bool) if units is None else units[k]
        columns.append(_numbers(part, kept, items, facets, analysis.scale))
    effect, p = (np.concatenate(each, axis=1) for each in zip(*columns, strict=True))
    return Without(kind, left_out, effect, p)


def _numbers(part: Part, kept: Bools, items: Ints | None, facets: Facets, scale: float) -> tuple[Floats, Floats]:
    """Effect and p of a part's contrasts, (S, R), on some of its units and items."""
    systems = len(part.scores.values)
    none = np.full((systems, len(part.weights)), np.nan)
    cell = part.sums.cell_of_person[kept]
    count = np.bincount(cell, minlength=len(part.sums.count))
    if count.min() < FEWEST or (items is not None and len(items) < FEWEST):
        return none, none
    scores = _only(part.scores, kept, items)
    families = tuple(Families(each.name, each.code[kept]) for each in part.families)
    refused = one_family(families, cell) if part.scores.within_bases else part.refused
    smaller = replace(part, sums=sum_up(scores, cell, facets), scores=scores, families=families, refused=refused)
    try:
        found = smaller.test(facets, scale)
    except NotConnectedError:
        return none, none
    return found.effect, found.p


def _only(scores: UnitScores, kept: Bools, items: Ints | None) -> UnitScores:
    chosen = slice(None) if items is None else items
    values = scores.values[:, kept][:, :, chosen]
    runs = None if scores.runs is None else scores.runs[:, :, kept][:, :, :, chosen]
    return UnitScores(values, runs, scores.within_bases)
