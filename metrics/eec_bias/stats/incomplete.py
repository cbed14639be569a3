"""The default test on tables with holes: sentences that some persons, items or runs lack.

An effect is then a least-squares contrast, y on item and cell, and each score has a weight x̃ in it. Scores x̃·e, with e
the residual, take the place that distances from cell means have in a complete table, and shares of Σ x̃² the place of
shares of counts; where nothing is missing the numbers are those of `default_test` and `emotions`. This takes out what
depends on item and group. Answers that are missing because of what they would have been bias every method.

All functions take one system.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from eec_bias.options import Bools, Floats, Ints
from eec_bias.stats.clustered import Clustering
from eec_bias.stats.default_test import Effects, Estimates, RunVariance, combine
from eec_bias.stats.emotions import CELLS, EmotionItems
from eec_bias.stats.facets import ITEMS, TEMPLATES, Clusters, Facets, FacetVariance, add_facets
from eec_bias.stats.families import Families, NameClusters, name_variance
from eec_bias.stats.rounding import ZERO

RANK = 1e-10
"""An eigenvalue of the normal equations below this share of the largest is 0: parts that nothing links."""


@dataclass(frozen=True)
class Holes:
    """A table of one system with holes.

    Attributes
    ----------
    values : (N, P, J) array
        Scores in each run, NaN where there is none; one run where a system has no several.
    cell : (P,) integer array
        Each person's cell, of K, ascending.
    facets : Facets
        Of the items.
    families : tuple of Families
        Names that share a form.
    within_bases : bool
        Whether the values are differences within bases: their mean is tested, and what is done on an item alone stays.
    scale : float
        Width of the score range, the unit of what counts as 0.
    """

    values: Floats
    cell: Ints
    facets: Facets
    families: tuple[Families, ...] = ()
    within_bases: bool = False
    scale: float = 1.0

    @property
    def cells(self) -> int:
        """How many cells there are."""
        return int(self.cell.max()) + 1

    @property
    def present(self) -> Bools:
        """Which scores there are, (N, P, J)."""
        return ~np.isnan(self.values)


def run_incomplete_test(table: Holes, weights: Floats) -> Estimates:
    """Test contrasts of cells (R, K); estimates have one system.

    Raises
    ------
    NotConnectedError
        If a contrast compares cells that have no item in common.
    """
    rows = [_test_contrast(table, row) for row in weights]
    return _side_by_side(rows)


def run_incomplete_emotion_test(
    table: Holes, weights: Floats, coefficients: Floats, *, centre: bool = True
) -> Estimates:
    """Test contrasts of cells (R, K) between emotions by coefficients (Q, E), as `emotions.run_emotion_test` does."""
    items = EmotionItems(table.facets)
    rows = [_test_emotion(table, items, row, c, centre=centre) for row in weights for c in coefficients]
    return _side_by_side(rows)


class NotConnectedError(ValueError):
    """The cells of a contrast have no item in common, so that nothing compares them."""


def _side_by_side(rows: Sequence[Estimates]) -> Estimates:
    return Estimates(*(np.concatenate(columns, axis=1) for columns in zip(*rows, strict=True)))


def _test_contrast(table: Holes, weights: Floats) -> Estimates:
    facets, present = table.facets, table.present
    runs, _, items = table.values.shape
    blocks = _by_stratum(facets.items.stratum)
    every = np.zeros(items, dtype=np.intp)
    x = np.stack([_regressor(table, there, weights, [np.arange(items)]) for there in present]) / runs
    filled = np.where(present, table.values, 0.0)
    effects = runs * (x * filled).sum(axis=(1, 2))
    e = [_residual(table, y, there, every) for y, there in zip(filled, present, strict=True)]
    stratified = [_residual(table, y, there, facets.items.stratum) for y, there in zip(filled, present, strict=True)]
    own = [_two_way(table, y, there, [np.arange(items)]) for y, there in zip(filled, present, strict=True)]
    own_stratified = [_two_way(table, y, there, blocks) for y, there in zip(filled, present, strict=True)]
    by_run = (x * e).sum(axis=2)
    plain, by_stratum = (x * e).sum(axis=0), (x * stratified).sum(axis=0)
    of_names, of_names_stratified = (x * own).sum(axis=0), (x * own_stratified).sum(axis=0)

    squares = x.sum(axis=0) ** 2
    leverage = _leverage(squares.sum(axis=1), table.cell)
    tiny = ZERO * table.scale
    in_families = NameClusters(table.cell, leverage, table.families)
    names = name_variance(plain.sum(axis=1)[None, None], in_families, np.sign(weights)[None], tiny)
    share = squares.sum(axis=0)

    def over(clusters: Clusters, scores: Floats) -> FacetVariance:
        variance, df = _clustered(clusters, scores, share)
        return FacetVariance(clusters.name, np.array([[variance]]), np.array([[df]]))

    def by_name(clusters: Clusters, scores: Floats) -> float:
        each = [_clustered(clusters, *row)[0] for row in zip(scores, squares, strict=True)]
        return float((np.array(each) / _other(leverage)).sum())

    above, crossed = [], []
    for clusters in facets.above:
        is_template = clusters.name == TEMPLATES
        cells = Clusters(ITEMS, facets.cells.code, clusters.stratum)
        scores = of_names if is_template else of_names_stratified
        above.append(over(clusters, (plain if is_template else by_stratum).sum(axis=0)))
        crossed.append(np.array([[max(by_name(clusters, scores) - by_name(cells, scores), 0.0)]]))
    item_scores = by_stratum.sum(axis=0)
    by_item = _item_contrasts(table, weights)
    noise, met = 0.0, np.asarray(present.any(axis=0))
    if items > 1:
        for k in range(table.cells):
            noise += _noise(of_names, met, np.flatnonzero(table.cell == k), np.arange(items))
    return combine(
        Effects(
            by_item=by_item[None, None],
            effect=np.array([[effects.mean()]]),
            residual=np.array([[noise]]),
            uniform=np.array([[_is_uniform(by_item, tiny)]]),
            names=names,
            sentences=add_facets(
                over(facets.items, item_scores), over(facets.cells, item_scores), above, crossed, tiny
            ),
            runs=_over_runs(effects, by_run, leverage) if runs > 1 else None,
            items=items,
        ),
        tiny,
    )


def _test_emotion(table: Holes, items: EmotionItems, weights: Floats, c: Floats, *, centre: bool) -> Estimates:
    chosen, emotion = items.chosen, items.emotion
    table = Holes(table.values[:, :, chosen], table.cell, table.facets, table.families, table.within_bases, table.scale)
    present, runs = table.present, len(table.values)
    blocks = [np.flatnonzero(emotion == s) for s in range(len(c))]
    filled = np.where(present, table.values, 0.0)
    x = np.zeros(filled.shape)
    for r, there in enumerate(present):
        for s, block in enumerate(blocks):
            if c[s]:
                x[r] += c[s] * _regressor(table, there, weights, [block]) / runs
    effects = runs * (x * filled).sum(axis=(1, 2))
    inflation = items.inflation if centre else 1.0

    def centred(values: Floats, there: Bools) -> Floats:
        return items.centred(values, there.astype(float)) if centre else values

    pairs = list(zip(filled, present, strict=True))
    e = [_residual(table, y, there, emotion) for y, there in pairs]
    e_centred = [centred(each, there) for each, there in zip(e, present, strict=True)]
    own = [_two_way(table, each, there, blocks) for each, there in zip(e, present, strict=True)]
    own_centred = [centred(each, there) for each, there in zip(own, present, strict=True)]
    by_run = (x * e).sum(axis=2)
    plain, of_centred = (x * e).sum(axis=0), (x * e_centred).sum(axis=0)
    of_names, of_names_centred = (x * own).sum(axis=0), (x * own_centred).sum(axis=0)

    squares = x.sum(axis=0) ** 2
    leverage = _leverage(squares.sum(axis=1), table.cell)
    tiny = ZERO * table.scale
    in_families = NameClusters(table.cell, leverage, table.families)
    names = name_variance(plain.sum(axis=1)[None, None], in_families, np.sign(weights)[None], tiny)
    item_leverage = _leverage(squares.sum(axis=0), emotion)
    item_scores = of_centred.sum(axis=0)
    spread = item_scores**2 / _other(item_leverage)
    root = np.sign(c) * np.sqrt(np.bincount(emotion, spread, minlength=len(c)))

    def over(name: str, scores: Floats, factor: float) -> FacetVariance:
        clustering = Clustering(emotion, items.codes[name], item_leverage, len(c))
        variance, df = factor * clustering.variance(scores), clustering.degrees_of_freedom(root)
        return FacetVariance(name, np.array([[variance]]), np.array([[float(df)]]))

    def by_name(name: str, scores: Floats, factor: float) -> float:
        each = [
            Clustering(emotion, items.codes[name], _leverage(row, emotion), len(c)).variance(own_scores)
            for own_scores, row in zip(scores, squares, strict=True)
        ]
        return float(factor * (np.array(each) / _other(leverage)).sum())

    above, crossed = [], []
    for name, _ in items.above:
        whole = name == TEMPLATES
        factor = 1.0 if whole else inflation
        above.append(over(name, (plain if whole else of_centred).sum(axis=0), factor))
        excess = by_name(name, of_names if whole else of_names_centred, factor)
        excess -= by_name(CELLS, of_names_centred, inflation)
        crossed.append(np.array([[max(excess, 0.0)]]))
    noise, met = 0.0, np.asarray(present.any(axis=0))
    for k in range(table.cells):
        for s in range(len(c)):
            if c[s]:
                noise += _noise(of_names_centred, met, np.flatnonzero(table.cell == k), blocks[s])
    return combine(
        Effects(
            by_item=np.zeros((1, 1, 0)),
            effect=np.array([[effects.mean()]]),
            residual=np.array([[inflation * noise]]),
            uniform=np.array([[True]]),
            names=names,
            sentences=add_facets(
                over(ITEMS, item_scores, inflation), over(CELLS, item_scores, inflation), above, crossed, tiny
            ),
            runs=_over_runs(effects, by_run, leverage) if runs > 1 else None,
            items=len(chosen),
        ),
        tiny,
    )


def fill_holes(values: Floats, cell: Ints) -> Floats:
    """Complete scores (S, P, J) by what a fit of item, cell and person says; what is all NaN stays so."""
    filled = values.copy()
    for s in np.flatnonzero(np.isnan(values).any(axis=(1, 2))):
        there = ~np.isnan(values[s])
        if there.any():
            filled[s] = np.where(there, values[s], _fit(np.where(there, values[s], 0.0), there, cell))
    return filled


def _fit(y: Floats, there: Bools, cell: Ints) -> Floats:
    """Fitted scores (P, J) from item, cell and person; an item or a person without any score is as the others."""
    of_cell, of_item = _additive_fit(y, there, cell, int(cell.max()) + 1)
    met, seen = there.any(axis=0), there.sum(axis=1)
    of_item = np.where(met, of_item, of_item[met].mean())
    fitted = of_cell[cell][:, None] + of_item
    of_person = np.where(there, y - fitted, 0.0).sum(axis=1) / np.maximum(seen, 1)
    return np.asarray(fitted + of_person[:, None])


def _by_stratum(stratum: Ints) -> list[Ints]:
    return [np.flatnonzero(stratum == s) for s in np.unique(stratum)]


def _other(leverage: Floats) -> Floats:
    """1 − leverage; infinite for a unit that is the whole cell, so that it adds nothing."""
    return np.where(leverage < 1, 1 - leverage, np.inf)


def _leverage(squares: Floats, cell: Ints) -> Floats:
    """Shares of sums within cells; 0 where a cell has none."""
    total = np.bincount(cell, squares)[cell]
    return np.where(total > 0, squares / np.where(total > 0, total, 1.0), 0.0)


def _regressor(table: Holes, there: Bools, weights: Floats, blocks: Sequence[Ints]) -> Floats:
    """The weight of each score in the contrast, (P, J), from the items of some blocks."""
    x = np.zeros(there.shape)
    for block in blocks:
        own = there[:, block]
        if table.within_bases:
            x[:, block] = own / own.sum()
            continue
        number = _by_cell(own.astype(float), table.cell, table.cells)
        total = np.maximum(number.sum(axis=0), 1.0)
        normal = np.diag(number.sum(axis=1)) - (number / total) @ number.T
        solution = np.linalg.pinv(normal, rcond=RANK, hermitian=True) @ weights
        if not np.allclose(normal @ solution, weights, atol=1e-8):
            raise NotConnectedError
        of_item = (solution[:, None] * number).sum(axis=0) / total
        x[:, block] = np.where(own, solution[table.cell][:, None] - of_item, 0.0)
    return x


def _by_cell(values: Floats, cell: Ints, cells: int) -> Floats:
    """Sums of rows (P, J) by cell, (K, J)."""
    return np.equal.outer(np.arange(cells), cell).astype(float) @ values


def _residual(table: Holes, y: Floats, there: Bools, stratum: Ints) -> Floats:
    """Residuals of scores from item and cell × stratum; from the stratum's mean of differences within bases."""
    e = np.zeros(y.shape)
    for block in _by_stratum(stratum):
        own, scores = there[:, block], y[:, block]
        if table.within_bases:
            e[:, block] = np.where(own, scores - scores.sum() / max(own.sum(), 1), 0.0)
        else:
            e[:, block] = _additive_residual(scores, own, table.cell, table.cells)
    return e


def _additive_residual(y: Floats, there: Bools, group: Ints, groups: int) -> Floats:
    """Least-squares residuals of scores (P, J) from a group of rows and a column."""
    of_group, of_column = _additive_fit(y, there, group, groups)
    return np.where(there, y - of_group[group][:, None] - of_column, 0.0)


def _additive_fit(y: Floats, there: Bools, group: Ints, groups: int) -> tuple[Floats, Floats]:
    """Least-squares effects of G groups of rows and of the columns of scores (P, J), 0 where there is none."""
    number = _by_cell(there.astype(float), group, groups)
    total = np.maximum(number.sum(axis=0), 1.0)
    of_column = y.sum(axis=0) / total
    normal = np.diag(number.sum(axis=1)) - (number / total) @ number.T
    right = _by_cell(y, group, groups).sum(axis=1) - number @ of_column
    of_group = np.linalg.pinv(normal, rcond=RANK, hermitian=True) @ right
    return of_group, of_column - (of_group[:, None] * number).sum(axis=0) / total


def _two_way(table: Holes, y: Floats, there: Bools, blocks: Sequence[Ints]) -> Floats:
    """Residuals of scores from person and item, within each cell and block of items."""
    e = np.zeros(y.shape)
    for k in range(table.cells):
        persons = np.flatnonzero(table.cell == k)
        for block in blocks:
            corner = np.ix_(persons, block)
            every = np.arange(len(persons), dtype=np.intp)
            e[corner] = _additive_residual(y[corner], there[corner], every, len(persons))
    return e


def _clustered(clusters: Clusters, scores: Floats, squares: Floats) -> tuple[float, float]:
    """Variance of scores (J,) over clusters and its degrees of freedom, by shares of Σ x̃², in strata that hold two."""
    size = np.bincount(clusters.code, squares, minlength=clusters.count)
    sums = np.bincount(clusters.code, scores, minlength=clusters.count)
    home = clusters.home
    seen = size > 0
    alive = np.bincount(home[seen], minlength=len(clusters.strata_sizes))
    used = seen & (alive[home] > 1)
    if not used.any():
        return 0.0, 0.0
    whole = np.bincount(home, size)
    share = size[used] / whole[home[used]]
    counted = size[used] / size[used].sum()
    strata = len(np.unique(home[used]))
    return float((sums[used] ** 2 / (1 - share)).sum()), float(1 / (counted**2).sum() - strata)


def _noise(scores: Floats, there: Bools, persons: Ints, items: Ints) -> float:
    """V_E of one block of persons × items: N/f·Σ(x̃ e)² with f the degrees of freedom that person and item leave."""
    block = np.ix_(persons, items)
    own = there[block]
    number = int(own.sum())
    of_person, of_item = own.any(axis=1), own.any(axis=0)
    left = number - int(of_person.sum()) - int(of_item.sum()) + _connected_parts(own[of_person][:, of_item])
    if left <= 0:
        return 0.0
    return float(number / left * (scores[block] ** 2).sum())


def _connected_parts(there: Bools) -> int:
    """How many parts persons and items fall into that no score links."""
    if not there.size:
        return 0
    persons, items = np.nonzero(there)
    size = sum(there.shape)
    links = csr_array((np.ones(len(persons)), (persons, items + len(there))), shape=(size, size))
    return int(connected_components(links, directed=False)[0])


def _over_runs(effects: Floats, by_run: Floats, leverage: Floats) -> RunVariance:
    """Variances over runs from the effect of each, (N,), and what each person adds to it, (N, P)."""
    number = len(effects)
    of_runs = effects.var(ddof=1) / number
    off = by_run - by_run.mean(axis=0)
    of_names = number / (number - 1) * ((off**2).sum(axis=0) / _other(leverage)).sum()
    return RunVariance(np.array([[of_runs]]), np.array([[of_names]]), np.array([[float(number)]]))


def _is_uniform(by_item: Floats, tiny: float) -> bool:
    """Whether a contrast is the same on every item on which it is known."""
    known = by_item[~np.isnan(by_item)]
    return bool(known.size and np.ptp(known) <= tiny)


def _item_contrasts(table: Holes, weights: Floats) -> Floats:
    """The contrast of the cells' means on each item, (J,); NaN where a cell that counts has no score."""
    number = table.present.sum(axis=0).astype(float)
    sums = np.where(table.present, table.values, 0.0).sum(axis=0)
    counts = _by_cell(number, table.cell, table.cells)
    with np.errstate(divide="ignore", invalid="ignore"):
        means = _by_cell(sums, table.cell, table.cells) / counts
    return np.asarray(weights @ np.where(weights[:, None] != 0, means, 0.0))
