"""From an analysis to rows of the result: terms as columns, other lists as one list of rows per system."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eec_bias.assembly.gaps import note_many_missing, worst_cases
from eec_bias.grouping import grouped
from eec_bias.inputs.observed import Observations
from eec_bias.inputs.outputs import FEWEST_RUNS
from eec_bias.inputs.wording import find_reworded
from eec_bias.notes import Note
from eec_bias.options import ANY, MEAN, MEDIAN, Bools, Floats, Ints, Threshold
from eec_bias.result.columns import TermColumns, joined
from eec_bias.result.comparison import EMOTION, question_term
from eec_bias.result.frame import BESIDE, FLIP_KEYS, Row
from eec_bias.result.parts import listed
from eec_bias.result.term import BETWEEN_EMOTIONS, DESCRIBED, EQUAL_SCORES, NORMAL, SAME_GAP, WORDING, ZERO
from eec_bias.stats.beta import AT_EDGE, BetaColumns
from eec_bias.stats.contrasts import Contrast
from eec_bias.stats.default_test import Estimates
from eec_bias.stats.effect_sizes import hedges_g
from eec_bias.stats.emotions import joint_interval, rows_that_count, sidak
from eec_bias.stats.equivalence import equivalence, smallest_margin
from eec_bias.stats.facets import ITEMS, TEMPLATES, WORDS, Facets
from eec_bias.stats.families import effective_families
from eec_bias.stats.flips import find_flips
from eec_bias.stats.inference import Inference
from eec_bias.stats.layout import Table
from eec_bias.stats.leave_one_out import leave_one_out
from eec_bias.stats.omnibus import Group
from eec_bias.stats.rates import ratio_of
from eec_bias.stats.rounding import exceeds, first_largest
from eec_bias.stats.tested import ONE_NOUN, Analysis, Tested
from eec_bias.stats.variance_components import components

FEW, FEW_ITEMS, FEW_DF = 5, 6, 8
"""With fewer persons in a cell, items or degrees of freedom, intervals and smallest detectable effects are rough."""

FEW_OF_FACET = 3
"""With fewer degrees of freedom over a facet of sentences they are too: so few can look alike by chance."""

FEWER_DF = Note("few_degrees_of_freedom", {"fewest": FEW_DF})

OF_RATES = "a rate rests on rows of 0 and 1, where the beta distribution has no density: there is no fit"

SIZES = ("n_persons", "n_items", "n_sentences")
"""Columns that say what a row rests on."""

LISTED = 6
"""Items named in a note; the rest are counted."""


def term_rows(analysis: Analysis, observed: Observations, bounds: tuple[float, float] | None = None) -> TermColumns:
    """Return the rows of terms: the gaps, and how they differ between emotions."""
    return joined([gap_rows(analysis, observed, bounds), *emotion_rows(analysis)])


def gap_rows(analysis: Analysis, observed: Observations, bounds: tuple[float, float] | None = None) -> TermColumns:
    """Return the rows of the gaps on all emotions together.

    Parameters
    ----------
    analysis : Analysis
        Of one table.
    observed : Observations
        The labels with the texts.
    bounds : (float, float), optional
        Lowest and highest possible score, which missing answers could have been.
    """
    beta, (permuted, of_groups) = analysis.beta, analysis.permutation()
    more = {
        "beta": beta.beta, "beta_se": beta.se, "beta_p": beta.p, "beta_se_person": beta.se_person, "logit": beta.logit,
        "p_permutation": permuted, "superiority": analysis.superiority(),
        "hedges_g": hedges_g(analysis.estimates.effect, analysis.sums, analysis.scale),
    }  # fmt: skip
    more["worst_low"], more["worst_high"] = worst_cases(analysis, bounds)
    notes = untested(analysis.estimates)
    for s, r in np.argwhere(analysis.neutral_alike).tolist():
        notes[s, r] += (Note("neutral_words_alike", {"count": len(analysis.table.neutral_words)}),)
    for (s, r), note in note_many_missing(analysis).items():
        notes[s, r] += (note,)
    for s in np.flatnonzero(analysis.persons_alike).tolist():
        for r, affected in enumerate(analysis.affected[s]):
            if affected.any():
                notes[s, r] += (_note_following(analysis.table, affected),)
    rows = contrast_rows(analysis, more, notes, observed)
    return _with_omnibus(analysis, rows, of_groups) if analysis.groups else rows


def contrast_rows(
    tested: Tested,
    more: Mapping[str, NDArray[Any]],
    notes: NDArray[np.object_],
    observed: Observations | None = None,
) -> TermColumns:
    """Return the rows of the contrasts tested, with further numbers and notes, and the reasons why they are rough."""
    estimates = tested.estimates
    arrays = _numbers(estimates, tested.inference, tested.worded) | {
        "n_persons": tested.n_units, "n_items": np.full(estimates.p.shape, tested.items),
        "n_sentences": tested.n_sentences, "notes": roughness(tested, estimates) + notes,
        "state": _states(tested, observed), "smallest_margin": _smallest_margin(tested), **more,
    }  # fmt: skip
    return TermColumns.of(name_rows(tested.contrasts, tested.subset), arrays, len(tested.runs))


def _smallest_margin(tested: Tested) -> Floats:
    """Return the smallest margin that each effect is shown to lie within, on average and on every emotion."""
    margin = smallest_margin(tested.estimates)
    if not tested.emotions or not tested.contrasts:
        return margin
    of_emotions = smallest_margin(tested.in_each_emotion).reshape(*margin.shape, -1)
    return np.asarray(np.maximum(margin, of_emotions.max(axis=2)))


def _numbers(estimates: Estimates, inference: Inference, worded: Bools) -> dict[str, NDArray[Any]]:
    """The numbers of a test, by the columns of terms."""
    low, high = estimates.interval(inference.confidence)
    of_families = np.where(np.isnan(estimates.df_families), np.nan, np.sqrt(estimates.families))
    facet = estimates.deciding.copy()
    facet[facet == ""] = None
    of_words = np.where(worded, np.sqrt(estimates.words), np.nan)
    return {
        "effect": estimates.effect, "se": estimates.se, "df": estimates.df, "t": estimates.t, "p": estimates.p,
        "ci_low": low, "ci_high": high, "p_names_only": estimates.p_names_only,
        "se_names": np.sqrt(estimates.names), "se_families": of_families, "family_facet": facet,
        "se_words": of_words,
        "mde_alone": estimates.detectable(inference.alpha),
    }  # fmt: skip


def emotion_rows(analysis: Analysis) -> list[TermColumns]:
    """Return rows that say how each contrast differs between emotions, and of each term one that sums them up."""
    emotions = analysis.emotions
    if not emotions or not analysis.contrasts:
        return []
    estimates, inference, number = analysis.against_other_emotions, analysis.inference, len(emotions)
    names = [
        {**name, "term": question_term(name["term"], EMOTION), "emotion": emotion}
        for name in name_rows(analysis.contrasts, analysis.subset)
        for emotion in emotions
    ]
    low, high = joint_interval(estimates, number, inference.confidence)
    per_emotion = [analysis.facets.emotion == k for k in range(number)]
    by_row = np.repeat(np.arange(len(analysis.contrasts)), number)
    alone = analysis.in_each_emotion
    alone_low, alone_high = alone.interval(inference.confidence)
    arrays = _numbers(estimates, inference, analysis.worded[by_row]) | {
        "joint_low": low, "joint_high": high,
        "in_emotion": alone.effect, "in_emotion_se": alone.se, "in_emotion_df": alone.df,
        "in_emotion_low": alone_low, "in_emotion_high": alone_high,
        "n_persons": analysis.n_units[:, by_row],
        "n_items": np.tile([int(items.sum()) for items in per_emotion], (len(analysis.runs), len(analysis.contrasts))),
        "n_sentences": np.stack([analysis.n_sentences_on(items) for items in per_emotion], axis=2).reshape(low.shape),
        "notes": roughness(analysis, estimates, by_row) + untested(estimates),
    }  # fmt: skip
    return [_with_any_emotion(TermColumns.of(names, arrays, len(analysis.runs)))]


def _with_any_emotion(rows: TermColumns) -> TermColumns:
    """Return the rows of emotions by term, and below those of a term one that says whether any emotion differs."""
    names = rows.names
    terms = list(grouped((name["term"], r) for r, name in enumerate(names)).values())
    wholes: list[TermColumns] = []
    order: list[int] = []
    for members in terms:
        groups = list(dict.fromkeys((names[r]["level"], names[r]["reference"]) for r in members))
        of_first = members[: len(members) // len(groups)]
        level = groups[0][0] if len(groups) == 1 else ANY
        reference = groups[0][1] if len({each for _, each in groups}) == 1 else ANY
        name = {**names[members[0]], "level": level, "reference": reference, "emotion": ANY}
        # A row without a test was looked at like the others.
        smallest = np.fmin.reduce(rows["p"][:, members], axis=1)
        columns = {
            "p": sidak(smallest, len(groups) * rows_that_count(len(of_first))),
            "n_persons": rows["n_persons"][:, members].max(axis=1),
            "n_items": rows["n_items"][:, of_first].sum(axis=1),
            "n_sentences": rows["n_sentences"][:, of_first].sum(axis=1),
            "notes": _rough_notes(rows["notes"][:, members]),
        }
        one = {key: column[:, None] for key, column in columns.items()}
        order += [*members, len(names) + len(wholes)]
        wholes.append(TermColumns.of([name], one, len(smallest)))
    return joined([rows, *wholes]).take(order)


def _rough_notes(notes: NDArray[np.object_]) -> NDArray[np.object_]:
    """Return of each system (S,) the notes of its rows (S, R) that say why they are rough, each once."""
    rough = _no_notes(notes.shape[:1])
    for s, of_system in enumerate(notes.tolist()):
        rough[s] = tuple(dict.fromkeys(note for of_row in of_system for note in of_row if note.is_rough))
    return rough


def _with_omnibus(analysis: Analysis, rows: TermColumns, permuted: Floats) -> TermColumns:
    """Return the rows, and after the levels of each term a row of the whole term, which has no effect of its own."""
    t, largest, p = analysis.omnibus()
    notes, sizes = _no_notes(t.shape), {key: np.empty(t.shape) for key in SIZES}
    for g, group in enumerate(analysis.groups):
        members = list(group.rows)
        for key in SIZES:
            sizes[key][:, g] = rows[key][:, members].max(axis=1)
        notes[:, g] = _rough_notes(rows["notes"][:, members])
        for s in np.flatnonzero(~np.isnan(t[:, g]) & (t[:, g] != 0)).tolist():
            notes[s, g] += (_note_largest(analysis.contrasts[largest[s, g]], group, len(members)),)
    arrays = {"t": t, "p": p, "p_permutation": permuted, "notes": notes, **sizes}
    wholes = TermColumns.of(name_rows(analysis.groups, analysis.subset), arrays, len(t))
    ends = {group.rows[-1]: len(rows.names) + g for g, group in enumerate(analysis.groups)}
    order: list[int] = []
    for r in range(len(rows.names)):
        order += [r, ends[r]] if r in ends else [r]
    return joined([rows, wholes]).take(order)


def _note_largest(level: Contrast, group: Group, levels: int) -> Note:
    """Note the level at which a term has its largest t."""
    if group.reference == ANY:
        return Note("largest_t_against", {"count": levels, "level": level.level, "reference": level.reference})
    return Note("largest_t", {"count": levels, "level": level.level})


def roughness(tested: Tested, estimates: Estimates, contrast: Ints | None = None) -> NDArray[np.object_]:
    """Notes of rows that say why interval and smallest detectable effect are rough; most have none.

    Parameters
    ----------
    tested : Tested
        The contrasts.
    estimates : Estimates
        Their test, or that of rows made from them.
    contrast : (Q,) integer array, optional
        The contrast of each of these rows; by default they are the contrasts.
    """
    runs = tested.runs
    persons = np.array(tested.least_persons, dtype=int)
    persons = persons if contrast is None else persons[contrast]
    reasons = {
        Note("one_term"): persons == 1,
        Note("few_persons_in_group", {"fewest": FEW}): (persons > 1) & (persons < FEW),
        Note("few_items", {"fewest": FEW_ITEMS}): np.array(1 < tested.items < FEW_ITEMS),
        FEWER_DF: exceeds(FEW_DF, estimates.df),
    }
    for facet in few_facets(tested.facets):
        reasons[Note("few_degrees_of_freedom_over", {"fewest": FEW_OF_FACET, "facet": facet})] = np.array(True)
    for facet, fewest in tested.effective_families.items():
        of_rows = fewest if contrast is None else fewest[contrast]
        reasons[Note("few_families", {"fewest": FEW, "column": facet})] = exceeds(FEW, of_rows)
        few_of = exceeds(FEW_OF_FACET, estimates.least) & (estimates.scarce == facet)
        reasons[Note("few_degrees_of_freedom_over_families", {"fewest": FEW_OF_FACET, "column": facet})] = few_of
    reasons[Note("few_runs", {"fewest": FEWEST_RUNS})] = ((runs > 1) & (runs < FEWEST_RUNS))[:, None]
    applies = np.stack(np.broadcast_arrays(*reasons.values(), estimates.df)[:-1])
    applies &= ~np.isnan(estimates.p) & (estimates.se > 0)
    notes = _no_notes(estimates.p.shape)
    for s, r in np.argwhere(applies.any(axis=0)):
        notes[s, r] = tuple(reason for reason, here in zip(reasons, applies[:, s, r], strict=True) if here)
    most = tested.most_of_one if contrast is None else tested.most_of_one[contrast]
    tested_at_all = ~np.isnan(estimates.p) & (estimates.se > 0)
    for s, r in np.argwhere(exceeds(estimates.largest, most) & tested_at_all).tolist():
        of_contrast = r if contrast is None else int(contrast[r])
        unit = tested.unit_name(of_contrast, int(estimates.furthest[s, r]))
        if unit:
            percent = round(100 * float(estimates.largest[s, r]))
            notes[s, r] += (Note("one_name_decides", {"name": unit, "percent": percent}),)
    return notes


def _no_notes(shape: tuple[int, ...]) -> NDArray[np.object_]:
    """An array of empty tuples, one per row."""
    notes = np.empty(shape, dtype=object)
    notes.fill(())
    return notes


def few_facets(facets: Facets) -> list[str]:
    """The facets of sentences that have several clusters, but few; fewer than six items are noted elsewhere."""
    clusterings = list(facets.above)
    if len(facets.items.code) >= FEW_ITEMS:
        clusterings.append(facets.items)
    return [clusters.name for clusters in clusterings if clusters.df > 0 and exceeds(FEW_OF_FACET, clusters.df)]


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
            note = _note_scarce(str(estimates.scarce[s, r]))
        elif not estimates.uniform[s, r]:
            note = Note("only_between_emotions")
        elif estimates.effect[s, r] == 0:
            note = Note("no_standard_error")
        else:
            note = Note("nothing_to_test_against")
        notes[s, r] = (note,)
    return notes


def _note_scarce(facet: str) -> Note:
    """Say of which facet there is too little for a p."""
    if facet == ONE_NOUN:
        return Note("one_noun")
    if facet in (TEMPLATES, WORDS, ITEMS):
        return Note("too_few_for_p", {"facet": facet})
    return Note("too_few_families_for_p", {"column": facet})


def _note_following(table: Table, affected: Bools) -> Note:
    items = [table.items[j] for j in np.flatnonzero(affected)]
    if len(items) == len(table.items):
        return Note("follows_group_everywhere")
    numbers = {"count": len(items), "items": len(table.items)}
    return Note("follows_group", {**numbers, "named": listed(items, LISTED)})


def _states(tested: Tested, observed: Observations | None) -> NDArray[np.object_]:
    """Return the state (S, R) of every contrast: which of them lack a spread, see `Term`.

    Parameters
    ----------
    tested : Tested
        The contrasts.
    observed : Observations, optional
        The labels with the texts; None if the contrasts are between two tables, whose texts explain nothing.
    """
    estimates = tested.estimates
    states = np.full(estimates.p.shape, NORMAL, dtype=object)
    special = np.argwhere((estimates.se == 0) | tested.persons_alike[:, None]).tolist()
    equal, reworded = np.zeros(estimates.p.shape, dtype=bool), np.zeros(estimates.by_item.shape[1:], dtype=bool)
    if special and observed is not None and isinstance(tested, Analysis):
        if tested.equal is not None:
            equal = tested.equal
        reworded = find_reworded(tested.table, tested.contrasts, observed)
    for s, r in special:
        affected = np.flatnonzero(tested.affected[s, r])
        effect, se, uniform = estimates.effect[s, r], estimates.se[s, r], estimates.uniform[s, r]
        interaction = len(tested.contrasts[r].axes) > 1
        # A difference of differences that is not 0 and rests on equal scores is noise as well.
        if equal[s, r] and (effect or not interaction):
            states[s, r] = EQUAL_SCORES
        elif effect == 0 and uniform:
            states[s, r] = NORMAL if se else ZERO
        elif tested.persons_alike[s] and reworded[r][affected].all() and not interaction and (se or uniform):
            states[s, r] = WORDING
        elif not se:
            states[s, r] = SAME_GAP if uniform else BETWEEN_EMOTIONS
    states[(states != EQUAL_SCORES) & (states != ZERO) & tested.described] = DESCRIBED
    return states


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


def fit_rows(beta: BetaColumns, subset: str, edge: str = "none", *, rate: bool = False) -> list[list[Row]]:
    """Return a row describing the beta regression of every system."""
    reasons = {AT_EDGE: OF_RATES} if rate else {}
    reason = np.array([reasons.get(each or "", each or "") for each in beta.reason], dtype=object)
    columns = {"phi": beta.phi, "loglik": beta.loglik, "touched": beta.touched, "reason": reason}
    named = [{"subset": subset, "edge": edge}]
    return fill_rows(named, {key: each[:, None] for key, each in columns.items()}, len(reason))


def family_rows(table: Table, axes: tuple[str, ...], systems: int) -> list[list[Row]]:
    """Rows of the effective number of families in each cell of names, of each kind of family."""
    counts, rows = np.bincount(table.cell, minlength=len(table.cells)), []
    for families in table.families:
        numbers = effective_families(families, table.cell)
        for levels, count, number in zip(table.cells, counts.tolist(), numbers.tolist(), strict=True):
            level_by_axis = dict(zip((axis.name for axis in table.axes), levels, strict=True))
            named = {"subset": table.subset, **{axis: level_by_axis.get(axis) for axis in axes}}
            rows.append(named | {"facet": families.name, "n_persons": count, "n_families": number})
    return [list(rows) for _ in range(systems)]


def variance_rows(analysis: Analysis) -> list[list[Row]]:
    """Rows of the sources of variance within groups."""
    parts = components(analysis.sums, analysis.facets, analysis.scale)
    sources = [{"subset": analysis.subset, "source": source} for source in parts.sources]
    return fill_rows(sources, {"sd": np.sqrt(parts.variance), "share": parts.share}, len(parts.share))


def equivalence_rows(tested: Tested) -> list[list[Row]]:
    """Rows of two one-sided tests, where a margin was stated: of each contrast, and of its worst emotion."""
    margin, names = tested.inference.margin, name_rows(tested.contrasts, tested.subset)
    if margin is None or not names:
        return [[] for _ in tested.runs]
    numbers: dict[str, NDArray[Any]] = dict(equivalence(tested.estimates, margin))
    worst, emotion = numbers["p_equivalence"], np.full(tested.estimates.p.shape, None, dtype=object)
    if tested.emotions:
        each = equivalence(tested.in_each_emotion, margin)["p_equivalence"].reshape(*worst.shape, -1)
        untestable = np.isnan(each).any(axis=2)
        largest = np.where(untestable, np.isnan(each).argmax(axis=2), first_largest(np.nan_to_num(each)))
        emotion = np.array(tested.emotions, dtype=object)[largest]
        worst = np.maximum(worst, each.max(axis=2))
    return fill_rows(names, numbers | {"p_worst": worst, "worst_emotion": emotion}, len(tested.runs))


def left_out_rows(analysis: Analysis, templates: tuple[str, ...]) -> list[list[Row]]:
    """Rows of each contrast without each name, family and template."""
    names = name_rows(analysis.contrasts, analysis.subset)
    rows: list[list[Row]] = [[] for _ in analysis.runs]
    for each in leave_one_out(analysis, templates):
        fixed = [name | {"kind": each.kind, "without": each.left_out} for name in names]
        numbers = {"effect": each.effect, "p": each.p, "change": each.effect - analysis.estimates.effect}
        for s, system_rows in enumerate(fill_rows(fixed, numbers, len(rows))):
            rows[s] += system_rows
    return rows


def rate_rows(analysis: Analysis, threshold: Threshold | None) -> list[list[Row]]:
    """Rows of rates, from the analysis of outcomes that are 1 for what is selected and 0 elsewhere.

    Parameters
    ----------
    analysis : Analysis
        Of these outcomes.
    threshold : float or "median", optional
        What scores were compared with; None of outcomes as they were given.
    """
    low, high = analysis.estimates.interval(analysis.inference.confidence)
    of_difference = {"effect": analysis.estimates.effect, "ci_low": low, "ci_high": high}
    rough = roughness(analysis, analysis.estimates)
    named = threshold if threshold is None or threshold == MEDIAN else float(threshold)
    rows: list[list[Row]] = [[] for _ in analysis.runs]
    for r, name in enumerate(name_rows(analysis.contrasts, analysis.subset)):
        contrast = analysis.contrasts[r]
        if ":" in contrast.term.partition("|")[0]:
            # Of a difference of differences there is no ratio.
            continue
        numbers = {key: array[:, r] for key, array in of_difference.items()} | ratio_of(analysis, r)
        for s in np.flatnonzero(exceeds(FEW_DF, numbers.pop("df"))).tolist():
            rough[s, r] = tuple(dict.fromkeys((*rough[s, r], FEWER_DF)))
        only_reference = (numbers["rate"] == 0) & (numbers["rate_reference"] > 0)
        numbers["ratio"] = np.where(only_reference, 0.0, numbers["ratio"])
        numbers["n"] = _count_sentences(analysis, contrast.weights > 0)
        if contrast.reference != MEAN:
            numbers["n_reference"] = _count_sentences(analysis, contrast.weights < 0)
        reasons = np.array(["; ".join(map(str, notes)) for notes in rough[:, r]], dtype=object)
        columns = {key: each[:, None] for key, each in (numbers | {"rough": reasons}).items()}
        fixed = [dict.fromkeys(BESIDE["rates"]) | name | {"threshold": named}]
        for s, (row,) in enumerate(fill_rows(fixed, columns, len(rows))):
            rows[s].append(row)
    return rows


def _count_sentences(analysis: Analysis, cells: NDArray[np.bool_]) -> NDArray[Any]:
    """Count the sentences of some cells that have an outcome, (S,)."""
    values = analysis.scores.values[:, cells[analysis.table.cell]]
    return np.asarray((~np.isnan(values)).sum(axis=(1, 2)))


def flip_rows(table: Table, predicted: Ints, classes: int) -> list[list[Row]]:
    """Rows of how often the class (S, n) changes with the person."""
    found = list(find_flips(table, predicted, classes))
    of_table = {"subset": table.subset, "n_items": len(table.items)}
    fixed = [dict.fromkeys(FLIP_KEYS) | keys | of_table for keys, _, _ in found]
    rates = np.array([rates for _, *rates in found]).reshape(len(found), 2, len(predicted)).T
    return fill_rows(fixed, {"flip_rate": rates[:, 0], "within_rate": rates[:, 1]}, len(predicted))


def fill_rows(fixed: Sequence[Row], arrays: Mapping[str, NDArray[Any]], systems: int) -> list[list[Row]]:
    """Per system one row per entry of ``fixed``, with a number or text of each array (S, R); None for NaN."""
    lists = [_nested_lists(array) for array in arrays.values()]
    rows = []
    for s in range(systems):
        numbers = zip(*(values[s] for values in lists), strict=True) if lists else [()] * len(fixed)
        rows.append([same | dict(zip(arrays, own, strict=True)) for same, own in zip(fixed, numbers, strict=True)])
    return rows


def _nested_lists(values: NDArray[Any]) -> list[Any]:
    """Nested lists of Python numbers, None for NaN, or of texts."""
    objects = values.astype(object)
    if values.dtype.kind == "f":
        objects[np.isnan(values)] = None
    nested: list[Any] = objects.tolist()
    return nested
