"""From an analysis to rows of the result; every function returns one list of rows per system."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eec_bias.inputs.observed import Observations
from eec_bias.inputs.runs import FEWEST_RUNS
from eec_bias.inputs.wording import find_reworded
from eec_bias.notes import Note
from eec_bias.options import ANY, MEDIAN, Bools, Floats, Ints, Threshold
from eec_bias.result.frame import BESIDE, FLIP_KEYS, Row
from eec_bias.result.parts import listed
from eec_bias.result.term import COUNTS
from eec_bias.result.verdict import judge_no_spread
from eec_bias.stats.beta import AT_EDGE, BetaColumns
from eec_bias.stats.contrasts import Contrast
from eec_bias.stats.default_test import Estimates, side_by_side
from eec_bias.stats.effect_sizes import hedges_g
from eec_bias.stats.equivalence import equivalence
from eec_bias.stats.facets import Facets
from eec_bias.stats.flips import find_flips
from eec_bias.stats.layout import Table
from eec_bias.stats.omnibus import Group
from eec_bias.stats.rates import ratio_of
from eec_bias.stats.tested import Analysis, Tested
from eec_bias.stats.variance_components import components

FEW, FEW_ITEMS, FEW_DF = 5, 6, 8
"""With fewer persons in a cell, items or degrees of freedom, intervals and smallest detectable effects are rough."""

FEW_OF_FACET = 3
"""With fewer degrees of freedom over a facet of sentences they are too: so few can look alike by chance."""

FEWER_DF = Note("few_degrees_of_freedom", {"fewest": FEW_DF})

OF_RATES = (
    "a rate rests on rows of 0 and 1, where the beta distribution has no density, and an edge treatment would decide "
    "the coefficient"
)

LISTED = 6
"""Items named in a note; the rest are counted."""


def term_rows(analysis: Analysis) -> list[list[Row]]:
    """Rows of terms of every system; they have an adjusted p only where relabellings gave it."""
    beta, (permuted, of_groups, remarks) = analysis.beta, analysis.permutation
    more = {
        "beta": beta.beta, "beta_se": beta.se, "beta_p": beta.p, "beta_se_person": beta.se_person, "logit": beta.logit,
        "p_permutation": permuted, "superiority": analysis.superiority(),
        "hedges_g": hedges_g(analysis.estimates.effect, analysis.sums, analysis.scale),
    }  # fmt: skip
    notes, apart = untested(analysis.estimates), beta.disagrees
    for s, r in np.ndindex(notes.shape):
        affected = analysis.affected[s, r]
        if analysis.persons_alike[s] and affected.any():
            notes[s, r] += (_note_following(analysis.table, affected),)
        if apart[s, r]:
            notes[s, r] += (Note("beta_and_logit_disagree"),)
        if remark := remarks[r]:
            notes[s, r] += (remark,)
    rows = tested_rows(analysis, more, notes)
    if analysis.groups:
        _add_wholes(analysis, rows, of_groups)
    return rows


def tested_rows(tested: Tested, more: Mapping[str, NDArray[Any]], notes: NDArray[np.object_]) -> list[list[Row]]:
    """Rows of the contrasts tested, with further numbers and notes, and the reasons why they are rough."""
    estimates, inference = tested.estimates, tested.inference
    low, high = estimates.interval(inference.confidence)
    arrays = {
        "effect": estimates.effect, "se": estimates.se, "df": estimates.df, "t": estimates.t, "p": estimates.p,
        "ci_low": low, "ci_high": high, "p_names_only": estimates.p_names_only,
        "mde": estimates.detectable(inference.alpha), "notes": roughness(tested) + notes, **more,
    }  # fmt: skip
    if tested.adjusted is not None:
        arrays["p_adjusted"] = tested.adjusted
    fixed = [
        name | dict(zip(COUNTS, (persons, tested.items, sentences), strict=True))
        for name, (persons, sentences) in zip(name_rows(tested.contrasts, tested.subset), tested.sizes, strict=True)
    ]
    return fill_rows(fixed, arrays, len(estimates.p))


def _add_wholes(analysis: Analysis, rows: list[list[Row]], permuted: Floats) -> None:
    """Add a row for each term as a whole, which has no effect of its own, after the rows of its levels."""
    t, largest, p = analysis.omnibus()
    names = name_rows(analysis.groups, analysis.subset)
    wholes = fill_rows(names, {"t": t, "p": p, "p_permutation": permuted}, len(rows))
    for s, system_rows in enumerate(rows):
        # The last first, so that the places of the others stay.
        for g, group in reversed(list(enumerate(analysis.groups))):
            members, row = [system_rows[r] for r in group.rows], wholes[s][g]
            row |= {key: max(member[key] for member in members) for key in COUNTS}
            adjusted = [member["p_adjusted"] for member in members if member.get("p_adjusted") is not None]
            # Some level differs exactly where the single-step method finds one that does.
            row["p_adjusted"] = min(adjusted) if adjusted and row["p"] is not None else None
            notes = dict.fromkeys(note for member in members for note in member["notes"] if note.is_rough)
            if row["t"]:
                notes[_note_largest(analysis.contrasts[largest[s, g]], group, len(members))] = None
            row["notes"] = tuple(notes)
            system_rows.insert(group.rows[-1] + 1, row)


def _note_largest(level: Contrast, group: Group, levels: int) -> Note:
    """Note the level at which a term has its largest t."""
    if group.reference == ANY:
        return Note("largest_t_against", {"count": levels, "level": level.level, "reference": level.reference})
    return Note("largest_t", {"count": levels, "level": level.level})


def roughness(tested: Tested) -> NDArray[np.object_]:
    """Notes of rows (S, R) that say why interval and smallest detectable effect are rough; most have none."""
    estimates, runs = tested.estimates, tested.runs
    few = np.array([persons < FEW for persons in tested.least_persons], dtype=bool)
    reasons = {
        Note("few_persons_in_group", {"fewest": FEW}): few,
        Note("few_items", {"fewest": FEW_ITEMS}): np.array(1 < tested.items < FEW_ITEMS),
        FEWER_DF: estimates.df < FEW_DF,
    }
    for facet in few_facets(tested.facets):
        reasons[Note("few_degrees_of_freedom_over", {"fewest": FEW_OF_FACET, "facet": facet})] = np.array(True)
    reasons[Note("few_runs", {"fewest": FEWEST_RUNS})] = ((runs > 1) & (runs < FEWEST_RUNS))[:, None]
    applies = np.stack(np.broadcast_arrays(*reasons.values(), estimates.df)[:-1])
    applies &= ~np.isnan(estimates.p) & (estimates.se > 0)
    notes = _no_notes(estimates.p.shape)
    for s, r in np.argwhere(applies.any(axis=0)):
        notes[s, r] = tuple(reason for reason, here in zip(reasons, applies[:, s, r], strict=True) if here)
    return notes


def _no_notes(shape: tuple[int, ...]) -> NDArray[np.object_]:
    """An array of empty tuples, one per row."""
    notes = np.empty(shape, dtype=object)
    for at in np.ndindex(shape):
        notes[at] = ()
    return notes


def few_facets(facets: Facets) -> list[str]:
    """The facets of sentences that have several clusters, but few; fewer than six items are noted elsewhere."""
    clusterings = list(facets.above)
    if len(facets.items.code) >= FEW_ITEMS:
        clusterings.append(facets.items)
    return [clusters.name for clusters in clusterings if 0 < clusters.df < FEW_OF_FACET - 1e-9]


def name_rows(rows: Sequence[Contrast | Group], subset: str) -> list[Row]:
    """The leading keys of each row of terms."""
    return [
        {"term": c.term, "axes": "+".join(c.axes), "level": c.level, "reference": c.reference, "subset": subset}
        for c in rows
    ]


def untested(estimates: Estimates) -> NDArray[np.object_]:
    """Notes of rows (S, R) that say why they lack a test; empty where they have one."""
    notes = _no_notes(estimates.p.shape)
    for s, r in np.argwhere((estimates.se == 0) | np.isnan(estimates.p)):
        if estimates.se[s, r] != 0:
            note = Note("too_few_for_p", {"facet": estimates.scarce[s, r]})
        elif not estimates.uniform[s, r]:
            note = Note("only_between_emotions")
        elif estimates.effect[s, r] == 0:
            note = Note("no_standard_error")
        else:
            note = Note("nothing_to_test_against")
        notes[s, r] = (note,)
    return notes


def _note_following(table: Table, affected: Bools) -> Note:
    items = [table.items[j] for j in np.flatnonzero(affected)]
    if len(items) == len(table.items):
        return Note("follows_group_everywhere")
    numbers = {"count": len(items), "items": len(table.items)}
    return Note("follows_group", {**numbers, "named": listed(items, LISTED)})


def no_spread_rows(tested: Tested, observed: Observations | None = None) -> list[list[Row]]:
    """Effects without a standard error, or that follow the wording, and the items on which groups differ.

    Parameters
    ----------
    tested : Tested
        The contrasts.
    observed : Observations, optional
        Where the texts are; those of two tables explain nothing.
    """
    estimates = tested.estimates
    rows: list[list[Row]] = [[] for _ in estimates.se]
    special = np.argwhere((estimates.se == 0) | tested.persons_alike[:, None]).tolist()  # equal scores among them
    names: Sequence[str] = ()
    equal, reworded = np.zeros(estimates.p.shape, dtype=bool), np.zeros(estimates.by_item.shape[1:], dtype=bool)
    if special and observed is not None and isinstance(tested, Analysis):
        names = tested.table.items
        if tested.equal is not None:
            equal = tested.equal
        reworded = find_reworded(tested.table, tested.contrasts, observed)
    for s, r in special:
        contrast, affected = tested.contrasts[r], np.flatnonzero(tested.affected[s, r]).tolist()
        kind = judge_no_spread(
            float(estimates.effect[s, r]), float(estimates.se[s, r]),
            interaction=len(contrast.axes) > 1, equal_scores=bool(equal[s, r]), uniform=bool(estimates.uniform[s, r]),
            persons_alike=bool(tested.persons_alike[s]), reworded=bool(reworded[r][affected].all()),
        )  # fmt: skip
        if kind is not None:
            keys = {"term": contrast.term, "level": contrast.level, "reference": contrast.reference}
            items = [names[j] for j in affected] if names else []
            rows[s].append(keys | {"subset": tested.subset, "verdict": kind, "items": items})
    return rows


def cell_rows(analysis: Analysis, axes: tuple[str, ...]) -> list[list[Row]]:
    """Rows describing the cells of every system."""
    table, sums = analysis.table, analysis.sums
    fixed = []
    for count, levels in zip(sums.count.tolist(), (table.cells[c] for c in np.unique(table.cell)), strict=True):
        level_by_axis = dict(zip((axis.name for axis in table.axes), levels, strict=True))
        sizes = {"n_persons": int(count), "n_sentences": int(count) * len(table.items)}
        fixed.append({"subset": table.subset, **{axis: level_by_axis.get(axis) for axis in axes}, **sizes})
    spread = np.sqrt(np.where(sums.count > 1, sums.spread, np.nan))
    return fill_rows(fixed, {"mean": sums.cell, "sd_persons": spread}, len(sums.cell))


def fit_rows(beta: BetaColumns, subset: str, edge: str, *, rate: bool = False) -> list[list[Row]]:
    """Row describing the beta regression of every system; no edge treatment is applied to a ``rate``."""
    edge, reasons = ("none", {AT_EDGE: OF_RATES}) if rate else (edge, {})
    reason = np.array([reasons.get(each or "", each or "") for each in beta.reason], dtype=object)
    columns = {"phi": beta.phi, "loglik": beta.loglik, "touched": beta.touched, "reason": reason}
    named = [{"subset": subset, "edge": edge}]
    return fill_rows(named, {key: each[:, None] for key, each in columns.items()}, len(reason))


def bootstrap_rows(analysis: Analysis) -> list[list[Row]]:
    """Rows of intervals from resampling, one per estimate and contrast, where samples were drawn."""
    drawn, names = analysis.bootstrap(), name_rows(analysis.contrasts, analysis.subset)
    fixed = [name | {"estimate": estimate} for estimate in drawn for name in names]
    return fill_rows(fixed, side_by_side(list(drawn.values()))._asdict() if drawn else {}, len(analysis.runs))


def variance_rows(analysis: Analysis) -> list[list[Row]]:
    """Rows of the sources of variance within groups."""
    parts = components(analysis.sums, analysis.facets, analysis.scale)
    sources = [{"subset": analysis.subset, "source": source} for source in parts.sources]
    return fill_rows(sources, {"sd": np.sqrt(parts.variance), "share": parts.share}, len(parts.share))


def equivalence_rows(tested: Tested) -> list[list[Row]]:
    """Rows of two one-sided tests, where a margin was stated."""
    margin, names = tested.inference.margin, name_rows(tested.contrasts, tested.subset)
    numbers = {} if margin is None else equivalence(tested.estimates, margin)
    return fill_rows(names if numbers else [], numbers, len(tested.runs))


def rate_rows(analysis: Analysis, values: Floats, threshold: Threshold) -> list[list[Row]]:
    """Rows of the rates above a threshold, from the analysis of scores that are 1 above it and 0 elsewhere.

    Parameters
    ----------
    analysis : Analysis
        Of these scores.
    values : (S, P, J) array
        The scores.
    threshold : float or "median"
        What they were compared with.
    """
    low, high = analysis.estimates.interval(analysis.inference.confidence)
    of_difference = {"effect": analysis.estimates.effect, "ci_low": low, "ci_high": high}
    rough = roughness(analysis)
    rows: list[list[Row]] = [[] for _ in values]
    for r, name in enumerate(name_rows(analysis.contrasts, analysis.subset)):
        if len(analysis.contrasts[r].axes) == 1:
            numbers = {key: array[:, r] for key, array in of_difference.items()} | ratio_of(analysis, r, values)
            for s in np.flatnonzero(numbers.pop("df") < FEW_DF).tolist():
                rough[s, r] = tuple(dict.fromkeys((*rough[s, r], FEWER_DF)))
            fixed = [
                dict.fromkeys(BESIDE["rates"])
                | name
                | {"threshold": threshold if threshold == MEDIAN else float(threshold)}
            ]
            reasons = np.array(["; ".join(map(str, notes)) for notes in rough[:, r]], dtype=object)
            columns = {key: each[:, None] for key, each in (numbers | {"rough": reasons}).items()}
            for s, (row,) in enumerate(fill_rows(fixed, columns, len(rows))):
                rows[s].append(row)
    return rows


def flip_rows(table: Table, predicted: Ints, classes: int) -> list[list[Row]]:
    """Rows of how often the class (S, n) changes with the person."""
    found = list(find_flips(table, predicted, classes))
    of_table = {"subset": table.subset, "n_items": len(table.items)}
    fixed = [dict.fromkeys(FLIP_KEYS) | keys | of_table for keys, _, _ in found]
    rates = np.array([rates for _, *rates in found]).reshape(len(found), 2, len(predicted)).T
    return fill_rows(fixed, {"flip_rate": rates[:, 0], "within_rate": rates[:, 1]}, len(predicted))


def fill_rows(fixed: Sequence[Row], arrays: Mapping[str, NDArray[Any]], systems: int) -> list[list[Row]]:
    """Per system one row per entry of ``fixed``, with a number or text of each array (S, R); None for NaN."""
    lists = {key: _nested_lists(array) for key, array in arrays.items()}
    return [
        [same | {key: values[s][r] for key, values in lists.items()} for r, same in enumerate(fixed)]
        for s in range(systems)
    ]


def _nested_lists(values: NDArray[Any]) -> list[Any]:
    """Nested lists of Python numbers, None for NaN, or of texts."""
    objects = values.astype(object)
    if values.dtype != object:
        objects[np.isnan(values)] = None
    nested: list[Any] = objects.tolist()
    return nested
