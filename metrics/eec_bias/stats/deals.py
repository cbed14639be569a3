"""Deals: scores whose labels are dealt to names, nouns or words at random, so that every gap in them is chance.

First all groups are brought to the same mean on every item, so that no real gap is left. Then names are dealt to the
groups, whole families together; the sides of noun pairs change by a coin for each meaning; neutral words take the
places of the words for groups. Each deal is tested as the scores themselves are.

Most deals of names cannot show a gap: V is at least V_N, the variance over names one by one, so p is at least that of
|effect|/√V_N under a normal distribution. Only where this bound allows it is the whole test computed, and that of
differences between emotions only where their own bound does.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
from scipy.special import ndtr

from eec_bias.options import Bools, Floats, Ints
from eec_bias.stats.default_test import Estimates
from eec_bias.stats.emotions import EmotionItems, deviations, rows_that_count, sidak
from eec_bias.stats.facets import Facets, only_items
from eec_bias.stats.families import Families
from eec_bias.stats.incomplete import fill_holes
from eec_bias.stats.tested import Analysis, Part
from eec_bias.stats.units import UnitScores, sum_up
from eec_bias.stats.words import OfWords, WordSpread, add_words

FEW_FAMILIES = 12
"""Of fewer families every pattern of coins is taken once."""

AT_ONCE = 2_000_000
"""Scores that are tested at once."""


@dataclass(frozen=True)
class Asked:
    """The rows of an analysis that are questions, and the adjustment of their p.

    Attributes
    ----------
    main, second : (R,) arrays of bool
        Contrasts that are main questions, and those whose differences between emotions are.
    main_tests, second_tests : int
        By these p are multiplied.
    alpha : float
        A gap is found below it.
    """

    main: Bools
    second: Bools
    main_tests: int
    second_tests: int
    alpha: float


@dataclass(frozen=True)
class Deals:
    """The results of D deals of one table.

    Attributes
    ----------
    smallest : (D,) array
        The smallest adjusted p of each; 1 where it is no smaller than the level.
    largest : (D,) array
        The largest |gap| between the levels of an axis.
    complete : bool
        Whether each way to deal was taken once.
    kind : str
        What was dealt: ``names`` or ``words``.
    """

    smallest: Floats
    largest: Floats
    complete: bool
    kind: str


def deal(
    analysis: Analysis, system: int, asked: Asked, number: int, seed: Sequence[int], *, whole: bool
) -> Deals | None:
    """Deal the labels of a table and test every deal.

    Parameters
    ----------
    analysis : Analysis
        Of the table.
    system : int
        Whose scores are dealt.
    asked : Asked
        The questions.
    number : int
        How many deals are drawn.
    seed : sequence of int
        Of the draws.
    whole : bool
        Whether every pattern of coins is taken once if there are few; else as many as of the other tables.

    Returns
    -------
    Deals, optional
        None if no question of the table is tested.
    """
    asked = replace(asked, main=asked.main & ~analysis.described, second=asked.second & ~analysis.described)
    if not (asked.main | asked.second).any():
        return None
    random = np.random.default_rng(seed)
    if analysis.table.versions:
        return _deal_versions(analysis, system, asked, number, random)
    if not analysis.persons:
        return _deal_names(analysis, system, asked, number, random)
    # Each contrast starts from the same seed: one deal gives all of them the same words and coins.
    found = [
        _deal_words(analysis, r, system, asked, number, np.random.default_rng(seed))
        if analysis.rows[r][0].words
        else _flip(analysis, r, system, asked, number, np.random.default_rng(seed), whole=whole)
        for r in np.flatnonzero(asked.main | asked.second).tolist()
        if not analysis.rows[r][0].refused
    ]
    return join_deals(found)


def join_deals(deals: Sequence[Deals]) -> Deals | None:
    """Return deals of several tables or contrasts as those of all; of those with fewer ways each is repeated."""
    if not deals:
        return None
    number = max(len(each.smallest) for each in deals)
    smallest = np.min([np.resize(each.smallest, number) for each in deals], axis=0)
    largest = np.max([np.resize(each.largest, number) for each in deals], axis=0)
    kinds = {each.kind for each in deals}
    complete = all(each.complete and len(each.smallest) == number for each in deals)
    return Deals(smallest, largest, complete, "names" if "names" in kinds else "words")


def _filled(scores: UnitScores, system: int, cell: Ints) -> tuple[Floats, Floats | None]:
    """Return scores (P, J) and those of runs (N, P, J) of a system, with what is missing as a fit completes it."""
    runs = scores.by_system()[system]
    if np.isnan(runs).any():
        runs = fill_holes(runs, cell)
    return runs.mean(axis=0), runs if len(runs) > 1 else None


def _centre(values: Floats, cell: Ints) -> Floats:
    """Return scores (…, P, J) off the mean of their cell on each item."""
    off = values.copy()
    for k in range(int(cell.max()) + 1):
        off[..., cell == k, :] -= values[..., cell == k, :].mean(axis=-2, keepdims=True)
    return off


def _deal_names(analysis: Analysis, system: int, asked: Asked, number: int, random: np.random.Generator) -> Deals:
    """Deal names to the groups, whole families together."""
    part = analysis.parts[0]
    cell = part.sums.cell_of_person
    mean, runs = _filled(part.scores, system, cell)
    values, of_runs = _centre(mean, cell), None if runs is None else _centre(runs, cell)
    together = next((each.code for each in part.clusters.used), np.arange(len(cell)))
    orders = deal_orders(cell, together, number, random)
    effects, least_p = _bounds(values.mean(axis=1)[orders], cell, part.weights)
    least_main = np.where(asked.main, asked.main_tests * least_p, 1.0).min(axis=1, initial=1.0)
    least_second = np.ones(number)
    items = analysis.emotion_items if analysis.emotions and asked.second.any() else None
    if items is not None:
        of_emotions = values[:, items.chosen] @ (items.membership / items.sizes) @ deviations(len(analysis.emotions)).T
        each = [_bounds(of_emotion[orders], cell, part.weights)[1] for of_emotion in of_emotions.T]
        adjusted = asked.second_tests * sidak(np.min(each, axis=0), rows_that_count(len(analysis.emotions)))
        least_second = np.where(asked.second, adjusted, 1.0).min(axis=1)
    smallest = np.ones(number)
    for d in np.flatnonzero(np.minimum(least_main, least_second) < asked.alpha).tolist():
        order = orders[d]
        dealt = UnitScores(values[order][None], None if of_runs is None else of_runs[:, order][None])
        families = tuple(Families(each.name, each.code[order]) for each in part.families)
        smaller = replace(part, sums=sum_up(dealt, cell, analysis.facets), scores=dealt, families=families)
        turning = items if least_second[d] < asked.alpha else None
        smallest[d] = _smallest_p(smaller, analysis.facets, turning, asked, analysis.scale)[0].item()
    axes = _of_axes(analysis) & asked.main
    return Deals(smallest, np.abs(effects[:, axes]).max(axis=1, initial=0.0), False, "names")


def deal_orders(cell: Ints, family: Ints, number: int, random: np.random.Generator) -> Ints:
    """Return which name takes each place, (D, P), with as many names in each cell as before.

    Families are dealt one by one, the largest first, to cells with room for all of their members; the last ones may
    have to be split.

    Parameters
    ----------
    cell : (P,) integer array
        The cell of each place, ascending.
    family : (P,) integer array
        The family of each name.
    number : int
        D.
    random : numpy Generator
        Where the draws are from.
    """
    room = np.tile(np.bincount(cell), (number, 1))
    taken = np.empty((number, len(cell)), dtype=np.intp)
    codes, sizes = np.unique(family, return_counts=True)
    for code in codes[np.argsort(-sizes, kind="stable")].tolist():
        members = np.flatnonzero(family == code)
        fits = room >= len(members)
        for block in [members] if fits.any(axis=1).all() else members[:, None]:
            # A family that has no room as a whole in some deals is split in all of them.
            weight = np.cumsum(np.where(room >= len(block), room, 0), axis=1)
            drawn = random.random(number) * weight[:, -1]
            chosen = (weight <= drawn[:, None]).sum(axis=1)
            taken[:, block] = chosen[:, None]
            room[np.arange(number), chosen] -= len(block)
    # Names of a cell take its places in a random order, which no number depends on.
    return np.argsort(taken, axis=1, kind="stable")


def _bounds(means: Floats, cell: Ints, weights: Floats) -> tuple[Floats, Floats]:
    """Return effects (D, R) of contrasts (R, K) of means (D, P) of names, and the smallest p that they can have."""
    starts = np.flatnonzero(np.diff(cell, prepend=-1))
    count = np.diff(starts, append=len(cell)).astype(float)
    of_cell = np.add.reduceat(means, starts, axis=1) / count
    squares = np.add.reduceat((means - of_cell[:, cell]) ** 2, starts, axis=1)
    effects = of_cell @ weights.T
    variance = squares / ((count - 1) * count) @ (weights**2).T
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(variance > 0, np.abs(effects) / np.sqrt(variance), np.where(effects == 0, 0.0, np.inf))
    return effects, 2 * ndtr(-t)


def _flip(
    analysis: Analysis, row: int, system: int, asked: Asked, number: int, random: np.random.Generator, *, whole: bool
) -> Deals:
    """Change the sides of bases by a coin for each family."""
    part = analysis.rows[row][0]
    cell = part.sums.cell_of_person
    mean, runs = _filled(part.scores, system, cell)
    code = next((each.code for each in part.clusters.used), np.arange(len(cell)))
    code = np.unique(code, return_inverse=True)[1].reshape(-1)
    families = int(code.max()) + 1
    complete = whole and families < FEW_FAMILIES
    if complete:
        coins = np.array(list(product((1.0, -1.0), repeat=families)))
    else:
        coins = random.choice((1.0, -1.0), size=(number, families))
    signs = coins[:, code]
    of_row = _of_row(asked, row)

    def test(some: slice) -> tuple[Floats, Floats]:
        sign = signs[some][:, :, None]
        of_runs = None if runs is None else _centre(runs, cell)[None] * sign[:, None]
        dealt = UnitScores(_centre(mean, cell)[None] * sign, of_runs, within_bases=True)
        whole_part = replace(part, sums=sum_up(dealt, cell, analysis.facets), scores=dealt)
        items = analysis.emotion_items if analysis.emotions else None
        return _smallest_p(whole_part, analysis.facets, items, of_row, analysis.scale)

    return _in_steps(test, len(signs), mean.size, complete, _of_axes(analysis)[row] and asked.main[row])


def _deal_versions(analysis: Analysis, system: int, asked: Asked, number: int, random: np.random.Generator) -> Deals:
    """Deal the versions of each item to the groups."""
    part = analysis.parts[0]
    cell = part.sums.cell_of_person
    mean, _ = _filled(part.scores, system, np.zeros(len(cell), dtype=np.intp))
    values = mean - mean.mean(axis=1, keepdims=True)
    orders = random.random((number, *values.shape)).argsort(axis=1)

    def test(some: slice) -> tuple[Floats, Floats]:
        dealt = UnitScores(np.take_along_axis(np.broadcast_to(values, orders[some].shape), orders[some], axis=1))
        whole = replace(part, sums=sum_up(dealt, cell, analysis.facets), scores=dealt)
        items = analysis.emotion_items if analysis.emotions else None
        return _smallest_p(whole, analysis.facets, items, asked, analysis.scale)

    return _in_steps(test, number, values.size, False, True)


def _deal_words(
    analysis: Analysis, row: int, system: int, asked: Asked, number: int, random: np.random.Generator
) -> Deals:
    """Put neutral words in the places of the words for groups."""
    part = analysis.rows[row][0]
    (spread,) = part.words
    words, scores, items = _neutral_scores(analysis, row, spread, system)
    levels = np.flatnonzero(spread.said & (spread.weights[0] != 0).any(axis=1))
    weighted = np.einsum("lg,wgbj->lwbj", spread.weights[0][levels], scores)
    orders = random.random((number, len(words))).argsort(axis=1)[:, : len(levels)]
    facets = only_items(analysis.facets, items)
    cell, scale = part.sums.cell_of_person, analysis.scale
    left = np.ones((number, len(words)), dtype=bool)
    np.put_along_axis(left, orders, False, axis=1)
    free = len(words) - len(levels) - 1
    of_row = _of_row(asked, row)
    emotion_items = EmotionItems(facets) if facets.emotions else None

    def of_words(values: Floats, some: slice) -> OfWords:
        """Return what the words that are left add, of values (L, W, Q)."""
        kept = left[some].astype(float)
        count = kept.sum(axis=1)[:, None, None]
        mean = np.einsum("dw,lwq->dlq", kept, values) / count
        squares = np.einsum("dw,lwq->dlq", kept, values**2) - count * mean**2
        variance = np.maximum(squares, 0.0).sum(axis=1) / free
        return OfWords(variance, variance**2 / free)

    def test(some: slice) -> tuple[Floats, Floats]:
        gaps = sum(weighted[k][orders[some, k]] for k in range(len(levels)))
        dealt = UnitScores(np.asarray(gaps), within_bases=True)
        plain = replace(part, sums=sum_up(dealt, cell, facets), scores=dealt, words=())
        means = weighted.mean(axis=(2, 3))[:, :, None]
        estimates = add_words(plain.test(facets, scale), of_words(means, some))
        smallest = np.where(of_row.main, of_row.main_tests * _known(estimates.p), 1.0).min(axis=1)
        if emotion_items is not None and of_row.second.any():
            coefficients = deviations(len(facets.emotions))
            by_emotion = emotion_items.membership / emotion_items.sizes
            values = weighted.mean(axis=2)[:, :, emotion_items.chosen] @ by_emotion @ coefficients.T
            between = plain.test_emotions(plain.on_emotions(emotion_items, scale), coefficients, scale)
            p = _known(add_words(between, of_words(values, some)).p).min(axis=1)
            smallest = np.minimum(smallest, of_row.second_tests * sidak(p, rows_that_count(len(facets.emotions))))
        return smallest, np.abs(estimates.effect).max(axis=1)

    of_axis = bool(_of_axes(analysis)[row] and asked.main[row])
    return _in_steps(test, number, scores[0, 0].size, False, of_axis)


def _neutral_scores(analysis: Analysis, row: int, spread: WordSpread, system: int) -> tuple[Ints, Floats, Ints]:
    """Return the neutral words, their scores (W, G, B, J′) off the mean of all words, and the J′ items they have."""
    phrases, table = spread.phrases, analysis.table
    bases = table.base[analysis.persons[row][:, 0]].tolist()
    words, groups = phrases.neutral, spread.weights.shape[2]
    whole = np.full((len(words), groups, len(bases), len(table.items)), np.nan)
    place = {word: w for w, word in enumerate(words.tolist())}
    at = {base: b for b, base in enumerate(bases)}
    for q, (word, group, base) in enumerate(zip(phrases.word, phrases.group, phrases.base, strict=True)):
        if int(word) in place and int(base) in at:
            whole[place[int(word)], int(group), at[int(base)]] = spread.scores.values[system, q]
    items = np.flatnonzero(~np.isnan(whole).all(axis=(0, 1, 2)))
    scores = whole[..., items]
    with np.errstate(invalid="ignore"):
        scores = scores - np.nanmean(scores, axis=0, keepdims=True)
    return words, np.nan_to_num(scores), items


def _of_axes(analysis: Analysis) -> Bools:
    """Return which contrasts compare the levels of one axis."""
    return np.array([contrast.term in contrast.axes for contrast in analysis.contrasts], dtype=bool)


def _of_row(asked: Asked, row: int) -> Asked:
    return replace(asked, main=asked.main[row : row + 1], second=asked.second[row : row + 1])


def _in_steps(
    test: Callable[[slice], tuple[Floats, Floats]], number: int, size: int, complete: bool, of_axis: bool
) -> Deals:
    """Test some deals at a time, so that they fit in memory."""
    found = [test(some) for some in _steps(number, size)]
    smallest, largest = (np.concatenate(each) for each in zip(*found, strict=True))
    return Deals(smallest, largest if of_axis else np.zeros(number), complete, "words")


def _steps(number: int, size: int) -> Iterator[slice]:
    step = max(AT_ONCE // max(size, 1), 1)
    for start in range(0, number, step):
        yield slice(start, start + step)


def _known(p: Floats) -> Floats:
    return np.where(np.isnan(p), 1.0, p)


def _smallest_p(
    part: Part, facets: Facets, items: EmotionItems | None, asked: Asked, scale: float
) -> tuple[Floats, Floats]:
    """Return the smallest adjusted p (D,) over the questions of a part, and the largest |effect| of main ones."""
    estimates: Estimates = part.test(facets, scale)
    p = np.where(asked.main, asked.main_tests * _known(estimates.p), 1.0)
    smallest = p.min(axis=1, initial=1.0)
    if items is not None and asked.second.any():
        chosen = replace(part, weights=part.weights[asked.second])
        emotions = len(facets.emotions)
        between = chosen.test_emotions(chosen.on_emotions(items, scale), deviations(emotions), scale)
        each = asked.second_tests * sidak(_known(between.p), rows_that_count(emotions))
        smallest = np.minimum(smallest, each.min(axis=1))
    return smallest, np.abs(estimates.effect[:, asked.main]).max(axis=1, initial=0.0)
