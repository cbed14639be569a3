"""Rows on reaction: how far feelings move the scores about each group."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eec_bias.assembly.gaps import MANY
from eec_bias.assembly.rows import name_rows, roughness, untested
from eec_bias.errors import OptionError
from eec_bias.grouping import grouped
from eec_bias.inputs.strata import DataStratum
from eec_bias.notes import Note
from eec_bias.options import AGREES, ANY, MEAN, SAME, Bools, Floats, MeasureOptions
from eec_bias.result.columns import TermColumns, joined
from eec_bias.result.comparison import REACTION, question_term
from eec_bias.result.frame import BESIDE, Row
from eec_bias.result.term import EQUAL_SCORES, HARDLY_REACTS, NORMAL, SAME_GAP, ZERO
from eec_bias.stats.default_test import FEWEST_DF, Estimates, side_by_side
from eec_bias.stats.equivalence import smallest_margin
from eec_bias.stats.facets import Facets
from eec_bias.stats.incomplete import fill_within_cells
from eec_bias.stats.layout import Table
from eec_bias.stats.omnibus import any_p
from eec_bias.stats.reaction import (
    ReactionItems,
    Reactions,
    ReactionScores,
    compare_reactions,
    compare_within_bases,
    ratio_of,
)
from eec_bias.stats.rounding import exceeds
from eec_bias.stats.tested import Analysis

SCORES = (None, "score")
"""The kinds of output whose reactions are compared."""

CLASSES = 2
"""The intervals of the two classes hold together."""

CLIPPED, MOST_CLIPPED = 0.001, 0.01
"""Scores nearer to the ends of the range are clipped for log-odds; with a larger share of such there are none."""


def say_signs(signs: Mapping[str, int], facets: Sequence[Facets]) -> str:
    """Return the positive and the negative emotions of some tables as a signature has them: ``joy|anger+fear``."""
    known = dict.fromkeys(emotion for part in facets for emotion in part.emotions)
    of_signs = ("+".join(emotion for emotion in known if signs.get(emotion) == sign) for sign in (1, -1))
    return "|".join(of_signs)


def note_reaction(tables: Sequence[tuple[DataStratum, Table]], options: MeasureOptions) -> Iterator[Note]:
    """Note why reactions are not compared, or on which emotions they are not.

    Raises
    ------
    OptionError
        If `valence` names an emotion that the data do not have.
    """
    known = {emotion for stratum, _ in tables for emotion in stratum.observed.labels.get("emotion", ())}
    for emotion in options.valence or ():
        if emotion not in known:
            listed = ", ".join(sorted(known)) or "none: the column 'emotion' is missing"
            raise OptionError(f"valence names the emotion {emotion!r}; the emotions of the data are {listed}")
    if not known:
        yield Note("reaction_without_emotions")
    for _, table in tables:
        emotions = table.facets.emotions
        items = ReactionItems(table.facets, options.signs, np.zeros(len(table.items), dtype=bool))
        about = {"subset": table.subset}
        if emotions and not items.can_be_tested:
            yield Note("reaction_needs_both_signs", about)
        elif others := [emotion for emotion in emotions if not options.signs.get(emotion)]:
            yield Note("reaction_leaves_out", {**about, "emotions": ", ".join(others)})


def reaction_rows(
    analysis: Analysis, stratum: DataStratum, bounds: tuple[float, float] | None
) -> tuple[list[TermColumns], list[list[Row]]]:
    """Return the rows of reactions, and of every system the mean scores of each emotion about either group.

    Below the row of each contrast are rows of the classes of items and of the emotions. ``bounds`` are the lowest and
    the highest possible score, if they are known.
    """
    of_contrast: dict[int, _ContrastRows] = {}
    for group in _groups(analysis, stratum):
        of_contrast |= dict(zip(group.contrasts, _rows_of_group(analysis, group, bounds), strict=True))
    rows: list[TermColumns] = []
    means: list[list[Row]] = [[] for _ in analysis.runs]
    for term in grouped((contrast.term, r) for r, contrast in enumerate(analysis.contrasts)).values():
        compared = [r for r in term if r in of_contrast]
        for r in compared:
            rows.append(of_contrast[r].rows)
            for s, of_system in enumerate(of_contrast[r].means):
                means[s] += of_system
        if len(compared) > 1:
            rows.append(_whole(analysis, compared, [of_contrast[r].rows for r in compared]))
    return rows, means


@dataclass(frozen=True)
class _ContrastRows:
    """The rows of one contrast, its own first, and the mean scores of each emotion by system."""

    rows: TermColumns
    means: list[list[Row]]


@dataclass(frozen=True, eq=False)
class _Group:
    """Contrasts that are compared on the same items.

    Attributes
    ----------
    contrasts : list of int
        Their positions.
    items : ReactionItems
        The items.
    """

    contrasts: list[int]
    items: ReactionItems

    @cached_property
    def by_class(self) -> list[tuple[str, ReactionItems]]:
        """The items of each class by itself, if the classes are used."""
        if not self.items.uses_classes:
            return []
        both = ((AGREES, True), (SAME, False))
        return [
            (name, ReactionItems(self.items.facets, self.items.signs, self.items.agrees, only)) for name, only in both
        ]


def _groups(analysis: Analysis, stratum: DataStratum) -> list[_Group]:
    table = analysis.table
    keyed = []
    for r, contrast in enumerate(analysis.contrasts):
        items = stratum.reaction_items(table, contrast)
        if items is not None:
            keyed.append((items.agrees.tobytes(), (r, items)))
    return [_Group([r for r, _ in members], members[0][1]) for members in grouped(keyed).values()]


def _rows_of_group(analysis: Analysis, group: _Group, bounds: tuple[float, float] | None) -> list[_ContrastRows]:
    """Return the rows of each contrast of a group."""
    items, systems = group.items, len(analysis.runs)
    values, runs, lacking = _filled(analysis, items)
    lacks = np.stack([_lacks(analysis, r, lacking) for r in group.contrasts], axis=1)
    contrasts = [analysis.contrasts[r] for r in group.contrasts]
    whole = _numbers(analysis, group.contrasts, items, compare(analysis, values, runs, items, group.contrasts))
    whole |= _by_log_odds(analysis, bounds, items, values, group.contrasts)
    names = [{**name, "term": question_term(name["term"], REACTION)} for name in name_rows(contrasts, analysis.subset)]
    tables = [TermColumns.of(names, whole, systems)]
    for agreement, of_class in group.by_class:
        found = compare(analysis, values, runs, of_class, group.contrasts)
        of_part = [{**name, "agreement": agreement} for name in names]
        tables.append(TermColumns.of(of_part, _numbers(analysis, group.contrasts, of_class, found), systems))
    rows = []
    for c, (r, contrast) in enumerate(zip(group.contrasts, contrasts, strict=True)):
        of_contrast = [table.take([c]) for table in tables]
        means: list[list[Row]] = [[] for _ in range(systems)]
        if contrast.term == contrast.axes[0]:
            level, reference = (items.means(side) for side in _sides(analysis, r, values[..., items.chosen]))
            means = _emotion_means(names[c], items, level, reference)
            by_emotion = [{**names[c], "emotion": emotion} for emotion in items.emotions]
            of_contrast.append(TermColumns.of(by_emotion, {"ratio": _ratios_of_emotions(level, reference)}, systems))
        for s in np.flatnonzero(lacks[:, c]).tolist():
            means[s] = []
        rows.append(_ContrastRows(_without_numbers(joined(of_contrast), lacks[:, c]), means))
    return rows


def _without_numbers(rows: TermColumns, lacking: Bools) -> TermColumns:
    """Return the rows with nothing for some systems (S,) but a first row that says why."""
    if not lacking.any():
        return rows
    there = rows.there & ~lacking[:, None]
    there[:, 0] = True
    empty = TermColumns.empty(rows.names, there)
    others = {key: np.where(lacking[:, None], empty[key], column) for key, column in rows.others.items()}
    for s in np.flatnonzero(lacking).tolist():
        others["notes"][s, 0] = (Note("reaction_lacks_answers", {"percent": round(100 * MANY)}),)
    return replace(empty, numbers=np.where(lacking[:, None], np.nan, rows.numbers), others=others)


def _emotion_means(name: Row, items: ReactionItems, level: Floats, reference: Floats) -> list[list[Row]]:
    """Return a row per system and emotion of its mean scores (S, E) about the level and about the reference."""
    empty = dict.fromkeys(BESIDE["heard"])
    return [
        [
            empty | name | {"emotion": emotion, "mean": mean, "mean_reference": other}
            for emotion, mean, other in zip(items.emotions, means, others, strict=True)
        ]
        for means, others in zip(level.tolist(), reference.tolist(), strict=True)
    ]


def _ratios_of_emotions(level: Floats, reference: Floats) -> Floats:
    """Return how far each emotion (S, E) is from the mean of all about the level, over how far about the reference."""
    first, second = (means - means.mean(axis=1, keepdims=True) for means in (level, reference))
    return np.asarray(np.divide(first, second, out=np.full(first.shape, np.nan), where=second != 0))


def compare(
    analysis: Analysis, values: Floats, runs: Floats | None, items: ReactionItems, contrasts: Sequence[int]
) -> Reactions:
    """Compare the reactions to the groups of some contrasts, on complete scores (S, P, J) and their runs."""
    chosen = items.chosen
    if not analysis.persons:
        clusters = analysis.parts[0].clusters
        of_runs = None if runs is None else runs[..., chosen]
        scores = ReactionScores(values[:, :, chosen], clusters, items, runs=of_runs)
        return compare_reactions(scores, analysis.weights[list(contrasts)], analysis.scale)
    found = []
    for r in contrasts:
        persons, weights = analysis.persons[r], analysis.contrasts[r].weights
        sides = values[:, persons][..., chosen]
        of_runs = None if runs is None else runs[:, :, persons][..., chosen]
        weights = weights[np.flatnonzero(weights)]
        clusters = analysis.parts[r].clusters
        found.append(compare_within_bases(sides, of_runs, weights, clusters, items, analysis.scale))
    return Reactions(
        side_by_side([each.share for each in found]),
        side_by_side([each.average for each in found]),
        side_by_side([each.points for each in found]),
        np.concatenate([each.by_item for each in found], axis=1),
    )


def _filled(analysis: Analysis, items: ReactionItems) -> tuple[Floats, Floats | None, Floats]:
    """Return scores and runs without holes, and the share that is missing by cell and emotion, (S, K, E).

    A hole has the score that person and item would give it within its cell and emotion.
    """
    scores, table = analysis.scores, analysis.table
    cells = len(table.cells)
    if not scores.has_holes:
        return scores.values, scores.runs, np.zeros((len(scores.values), cells, len(items.emotions)))
    missing = np.isnan(scores.values if scores.runs is None else scores.filled_with(np.nan))
    lacking = np.zeros((len(missing), cells, len(items.emotions)))
    values = scores.values.copy()
    runs = None if scores.runs is None else scores.runs.copy()
    for e in range(len(items.emotions)):
        own = items.chosen[items.emotion == e]
        values[:, :, own] = fill_within_cells(values[:, :, own], table.cell)
        if runs is not None:
            runs[..., own] = np.stack([fill_within_cells(of_system[..., own], table.cell) for of_system in runs])
        for k in range(cells):
            of_cell = missing[:, table.cell == k][:, :, own]
            if of_cell.size:
                lacking[:, k, e] = of_cell.mean(axis=(1, 2))
    if runs is not None:
        # What a run lacks is filled by that run.
        known = np.asarray(~np.isnan(runs).all(axis=(2, 3)))
        values = np.stack([of_system[there].mean(axis=0) for of_system, there in zip(runs, known, strict=True)])
    return values, runs, lacking


def _lacks(analysis: Analysis, r: int, lacking: Floats) -> Bools:
    """Return which systems (S,) lack too many scores of a cell that a contrast compares."""
    used = analysis.contrasts[r].weights != 0
    return np.asarray(lacking[:, used].max(axis=(1, 2), initial=0.0) > MANY)


def _numbers(
    analysis: Analysis, contrasts: Sequence[int], items: ReactionItems, found: Reactions
) -> dict[str, NDArray[Any]]:
    """Return the columns of rows of reactions, (S, R)."""
    inference, index = analysis.inference, np.array(contrasts)
    compared = [analysis.contrasts[r] for r in contrasts]
    estimable = _is_clear(found.average, inference.confidence)
    share, points = _tested(found.share, estimable), _tested(found.points, np.ones_like(estimable))
    low, high = share.interval(inference.confidence)
    joint_low, joint_high = share.interval(inference.confidence ** (1 / CLASSES))
    against_mean = np.array([contrast.reference == MEAN for contrast in compared])
    one_axis = np.array([len(contrast.axes) == 1 for contrast in compared])

    def ratio(values: Floats) -> Floats:
        return np.where(one_axis & estimable, _finite_ratio(values, against_mean), np.nan)

    half = np.where(against_mean, 1.0, 0.5)
    mean, difference = found.average.effect, found.points.effect
    on_positive, on_negative = _on_signs(items, found.by_item)
    mask = np.zeros(len(analysis.facets.items.code), dtype=bool)
    mask[items.chosen] = True
    shape = share.effect.shape
    of_class = items.only is not None
    equal = np.zeros(shape, dtype=bool) if analysis.equal is None else analysis.equal[:, index]
    notes = roughness(analysis, share, index)
    reasons = untested(share)
    lone = int(analysis.table.counts.max()) == 1
    for s, r in np.ndindex(shape):
        if lone:
            notes[s, r] += (Note("two_words_only"),)
        if not estimable[s, r]:
            notes[s, r] += (Note("hardly_reacts"),)
        elif np.isnan(share.p[s, r]):
            notes[s, r] += reasons[s, r]
    arrays: dict[str, NDArray[Any]] = {
        "effect": share.effect, "se": share.se, "df": found.share.df, "t": share.t, "p": share.p,
        "ci_low": low, "ci_high": high, "mde_alone": share.detectable(inference.alpha),
        "smallest_margin": smallest_margin(share),
        "ratio": ratio(share.effect), "ratio_low": ratio(low), "ratio_high": ratio(high),
        "reaction": np.where(one_axis, mean + half * difference, np.nan),
        "reaction_reference": np.where(one_axis, mean - (1 - half) * difference, np.nan),
        "difference": difference, "difference_p": points.p,
        "on_positive": on_positive, "on_negative": on_negative, "turns": on_positive * on_negative < 0,
        "agreeing_items": np.full(shape, int(items.agrees[items.chosen].sum())),
        "n_persons": analysis.n_units[:, index], "n_items": np.full(shape, len(items.chosen)),
        "n_sentences": analysis.n_sentences_on(mask)[:, index],
        "state": _states(share, estimable, equal), "notes": notes,
    }  # fmt: skip
    if of_class:
        arrays |= {"joint_low": joint_low, "joint_high": joint_high}
    return arrays


def _finite_ratio(share: Floats, against_mean: Bools) -> Floats:
    """Return ratios of differences (S, R), NaN where the ratio has no limit."""
    both = np.where(against_mean, ratio_of(share, against_mean=True), ratio_of(share, against_mean=False))
    return np.where(np.isfinite(both), both, np.nan)


def _is_clear(average: Estimates, confidence: float) -> Bools:
    """Return where the mean reaction is clear of 0."""
    low, high = average.interval(confidence)
    known = np.where(average.se == 0, average.effect != 0, (low > 0) | (high < 0))
    return np.asarray(known, dtype=bool)


def _tested(found: Estimates, estimable: Bools) -> Estimates:
    """Return estimates without a test where there can be none: no spread, no mean reaction, or too few clusters."""
    tested = estimable & (found.se > 0) & ~exceeds(FEWEST_DF, found.least)
    return found._replace(**{name: np.where(tested, getattr(found, name), np.nan) for name in ("df", "t", "p")})


def _states(share: Estimates, estimable: Bools, equal: Bools) -> NDArray[np.object_]:
    states = np.full(share.effect.shape, NORMAL, dtype=object)
    states[share.se == 0] = SAME_GAP
    states[(share.se == 0) & (share.effect == 0)] = ZERO
    states[~estimable] = HARDLY_REACTS
    states[equal & (share.effect == 0)] = EQUAL_SCORES
    return states


def _on_signs(items: ReactionItems, by_item: Floats) -> tuple[Floats, Floats]:
    """Return the contrast (S, R) on positive and on negative emotions.

    With classes it is that of the items that agree, as far as it is another one than on the other items.
    """
    means = items.means(by_item)
    if items.uses_classes:
        means = items.means(by_item, agrees=True) - items.means(by_item, agrees=False).mean(axis=-1, keepdims=True)
    positive = items.coefficients > 0
    return means[..., positive].mean(axis=-1), means[..., ~positive].mean(axis=-1)


def _by_log_odds(
    analysis: Analysis,
    bounds: tuple[float, float] | None,
    items: ReactionItems,
    values: Floats,
    contrasts: Sequence[int],
) -> dict[str, Floats]:
    """Return the ratio of reactions in log-odds with its interval; NaN if it cannot be known from these scores."""
    shape = len(values), len(contrasts)
    names = "ratio_log_odds", "ratio_log_odds_low", "ratio_log_odds_high"
    numbers = {name: np.full(shape, np.nan) for name in names}
    if bounds is None or not np.isfinite(bounds).all():
        return numbers
    low, high = bounds
    part = (values[:, :, items.chosen] - low) / (high - low)
    inside = np.flatnonzero(((part < CLIPPED) | (part > 1 - CLIPPED)).mean(axis=(1, 2)) <= MOST_CLIPPED)
    if not len(inside):
        return numbers
    moved = np.zeros((len(inside), *values.shape[1:]))
    clipped = np.clip(part[inside], CLIPPED, 1 - CLIPPED)
    moved[:, :, items.chosen] = np.log(clipped / (1 - clipped))
    found = compare(analysis, moved, None, items, contrasts)
    estimable = _is_clear(found.average, analysis.inference.confidence)
    share = _tested(found.share, estimable)
    compared = [analysis.contrasts[r] for r in contrasts]
    against_mean = np.array([contrast.reference == MEAN for contrast in compared])
    known = estimable & np.array([len(contrast.axes) == 1 for contrast in compared])
    for name, ends in zip(names, (share.effect, *share.interval(analysis.inference.confidence)), strict=True):
        numbers[name][inside] = np.where(known, _finite_ratio(ends, against_mean), np.nan)
    return numbers


def _sides(analysis: Analysis, r: int, values: Floats) -> tuple[Floats, Floats]:
    """Return the mean scores (S, J) of the level and of the reference of a contrast."""
    contrast = analysis.contrasts[r]
    weights, cell = contrast.weights, analysis.table.cell
    persons = np.unique(analysis.persons[r]) if analysis.persons else np.arange(len(cell))
    of_cell = {k: values[:, persons[cell[persons] == k]].mean(axis=1) for k in np.flatnonzero(weights).tolist()}
    average = sum(of_cell.values()) / len(of_cell)
    gap = sum(weights[k] * mean for k, mean in of_cell.items())
    if contrast.reference == MEAN:
        return average + gap, average
    return average + gap / 2, average - gap / 2


def _whole(analysis: Analysis, contrasts: Sequence[int], of_levels: Sequence[TermColumns]) -> TermColumns:
    """Return the row of all levels of a term together: does any of them differ?"""
    p = np.concatenate([rows["p"][:, :1] for rows in of_levels], axis=1)
    chance = any_p(p, analysis.correlation(list(contrasts)))
    first = of_levels[0].names[0]
    references = {rows.names[0]["reference"] for rows in of_levels}
    reference = references.pop() if len(references) == 1 else ANY
    name = {key: first[key] for key in ("term", "axes", "subset")} | {"level": ANY, "reference": reference}
    return TermColumns.of([name], {"p": chance[:, None]}, len(p))
