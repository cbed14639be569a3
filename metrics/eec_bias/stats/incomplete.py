"""The default test on tables with holes: sentences that some persons, items or runs lack.

An effect is then a least-squares contrast, y on item and cell, and each score has a weight x̃ in it. Scores x̃·e, with e
the residual, take the place that distances from cell means have in a complete table, and shares of Σ x̃² the place of
shares of counts; where nothing is missing the numbers are those of `default_test` and `emotions`. This takes out what
depends on item and group. Answers that are missing because of what they would have been bias every method.

All functions take one system.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components
from scipy.sparse.linalg import LinearOperator, cg

from eec_bias.options import Bools, Floats, Ints
from eec_bias.stats.clustered import BATCH, Clustering, sum_by
from eec_bias.stats.default_test import Effects, Estimates, RunVariance, combine, side_by_side
from eec_bias.stats.emotions import CELLS, EmotionItems
from eec_bias.stats.facets import ITEMS, TEMPLATES, Clusters, Facets, FacetVariance, Sentences, add_facets
from eec_bias.stats.families import Families, NameClusters, NameVariance, name_variance, usable
from eec_bias.stats.rounding import ZERO

CONVERGED = 1e-14
"""Residuals of a fit are known to this share of what the columns leave of the scores."""

ROUNDED = float(np.finfo(float).eps)
"""Share of the scores below which anything is made of rounding errors."""


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

    @cached_property
    def cells(self) -> int:
        """Return how many cells there are."""
        return int(self.cell.max()) + 1

    @property
    def tiny(self) -> float:
        """A standard error up to it is made of rounding errors, and 0."""
        return ZERO * self.scale

    @cached_property
    def present(self) -> Bools:
        """Return which scores there are, (N, P, J)."""
        return ~np.isnan(self.values)

    @cached_property
    def filled(self) -> Floats:
        """The scores, 0 where there is none, (N, P, J)."""
        return np.where(self.present, self.values, 0.0)

    @cached_property
    def items(self) -> EmotionItems:
        """The items whose emotions are compared."""
        return EmotionItems(self.facets)

    @cached_property
    def on_emotions(self) -> "StratifiedHoles":
        """The table of these items, with emotions as strata."""
        chosen = Holes(
            self.values[:, :, self.items.chosen],
            self.cell,
            self.facets,
            self.families,
            self.within_bases,
            self.scale,
        )
        return StratifiedHoles(chosen, self.items.emotion)


@dataclass(frozen=True)
class StratifiedHoles:
    """Residuals of a table within strata of its items.

    Attributes
    ----------
    table : Holes
        The table.
    stratum : (J,) integer array
        Each item's stratum, of H.
    """

    table: Holes
    stratum: Ints

    @cached_property
    def strata(self) -> int:
        """Return how many strata there are."""
        return int(self.stratum.max()) + 1

    @cached_property
    def of_cells(self) -> Floats:
        """Residuals from item and cell × stratum, (N, P, J); of differences within bases from the stratum's mean."""
        cell = np.zeros_like(self.table.cell) if self.table.within_bases else self.table.cell
        row = cell[:, None] * self.strata + self.stratum
        if self.table.within_bases:
            return np.stack([_off_means(y, there, row) for y, there in self._runs])
        return np.stack([_off_rows_and_columns(y, there, row, np.arange(len(self.stratum))) for y, there in self._runs])

    @cached_property
    def of_persons(self) -> Floats:
        """Residuals from person and item within each cell and stratum, (N, P, J)."""
        return np.stack([_off_rows_and_columns(y, there, *self._nodes) for y, there in self._runs])

    @cached_property
    def inflation(self) -> Floats:
        """Return what makes up for the degrees of freedom that person and item take, (K, H); 0 where none are left.

        Scores over these degrees of freedom, which are scores − persons − items + parts that no score links.
        """
        persons, items = self._nodes
        block_of_person = (self.table.cell[:, None] * self.strata + np.arange(self.strata)).ravel()
        block_of_item = (np.arange(self.table.cells)[:, None] * self.strata + self.stratum).ravel()
        met = self.table.present.any(axis=0)
        of_person, of_item = persons[met], items[met]
        links = (np.ones(len(of_person)), (of_person, of_item + len(block_of_person)))
        nodes = len(block_of_person) + len(block_of_item)
        _, part = connected_components(csr_array(links, shape=(nodes, nodes)), directed=False)
        used_persons, used_items = np.unique(of_person), np.unique(of_item)
        _, first = np.unique(part[used_persons], return_index=True)
        blocks = self.table.cells * self.strata
        number, of_persons, of_items, parts = (
            np.bincount(block, minlength=blocks)
            for block in (
                block_of_person[of_person],
                block_of_person[used_persons],
                block_of_item[used_items],
                block_of_person[used_persons[first]],
            )
        )
        left = number - of_persons - of_items + parts
        return np.where(left > 0, number / np.maximum(left, 1), 0.0).reshape(-1, self.strata)

    @cached_property
    def _nodes(self) -> tuple[Ints, Ints]:
        """Of each score its person × stratum, and its cell × item, both (P, J)."""
        persons, items = self.table.present.shape[1:]
        person = np.arange(persons)[:, None] * self.strata + self.stratum
        return person, self.table.cell[:, None] * items + np.arange(items)

    @property
    def _runs(self) -> list[tuple[Floats, Bools]]:
        return list(zip(self.table.filled, self.table.present, strict=True))

    def contrasts(self, weights: Floats) -> Iterator[Floats]:
        """Yield the weight of each score in each of some contrasts (R, K), of each stratum by itself, (N, P, J).

        Raises
        ------
        NotConnectedError
            If a contrast compares cells that have no item in common.
        """
        table = self.table
        numbers = [_by_cell(there.astype(float), table.cell, table.cells) for there in table.present]
        solved = [] if table.within_bases else [self._solve(number, weights) for number in numbers]
        for r in range(len(weights)):
            x = np.zeros(table.values.shape)
            for n, number in enumerate(numbers):
                if table.within_bases:
                    of_cell = 1 / np.maximum(np.bincount(self.stratum, number[0]), 1.0)[self.stratum][None]
                else:
                    of_cell = solved[n][:, r][self.stratum].T
                    of_cell = of_cell - (of_cell * number).sum(axis=0) / np.maximum(number.sum(axis=0), 1.0)
                    # Rounding errors would be shares of a cell that takes no part.
                    of_cell = np.where(np.abs(of_cell) > ZERO * np.abs(of_cell).max(), of_cell, 0.0)
                x[n] = np.where(table.present[n], of_cell[table.cell], 0.0) / len(numbers)
            yield x

    def _solve(self, number: Floats, weights: Floats) -> Floats:
        """Solve for contrasts (R, K) the normal equations that items leave of each stratum, (H, R, K)."""
        found = []
        for s in range(self.strata):
            own = number[:, self.stratum == s]
            normal = np.diag(own.sum(axis=1)) - (own / np.maximum(own.sum(axis=0), 1.0)) @ own.T
            _, part = connected_components(csr_array(own @ own.T), directed=False)
            member = np.equal.outer(part, np.arange(part.max() + 1)).astype(float)
            if np.abs(weights @ member).max() > SUMS_TO_ZERO:
                raise NotConnectedError(s)
            # Cells that items link are known up to a constant; with this one they add up to 0.
            constant = max(float(normal.max()), 1.0) * (member / member.sum(axis=0)) @ member.T
            found.append(np.linalg.solve(normal + constant, weights.T).T)
        return np.stack(found)


SUMS_TO_ZERO = 1e-8
"""Weights whose sum is smaller than this compare cells."""


class NotConnectedError(ValueError):
    """The cells of a contrast have no item in common, so that nothing compares them.

    Attributes
    ----------
    stratum : int
        The stratum of items in which they have none.
    """

    def __init__(self, stratum: int) -> None:
        super().__init__(f"cells have no item in common in stratum {stratum}")
        self.stratum = stratum


class ContrastRows(NamedTuple):
    """Q rows that are made of one contrast of cells.

    Attributes
    ----------
    by_run : (Q, N, P) array
        What each person adds to the row in each run.
    leverage : (Q, P) array
        Each person's share of its cell.
    effect : (Q, N) array
        The row in each run.
    sentences : Sentences
        Over sentences; arrays are (1, Q).
    residual : (Q,) array
        V_E.
    by_item : (Q, J) array
        The row on each item, NaN where it is not known.
    """

    by_run: Floats
    leverage: Floats
    effect: Floats
    sentences: Sentences
    residual: Floats
    by_item: Floats


def run_incomplete_test(table: Holes, weights: Floats) -> Estimates:
    """Test contrasts of cells (R, K); estimates have one system.

    Raises
    ------
    NotConnectedError
        If a contrast compares cells that have no item in common.
    """
    items = table.values.shape[2]
    whole = StratifiedHoles(table, np.zeros(items, dtype=np.intp))
    stratum = table.facets.items.stratum
    stratified = StratifiedHoles(table, stratum) if stratum.any() else whole
    of_cells = _means_by_cell(table)
    found = []
    for w, x in zip(weights, whole.contrasts(weights), strict=True):
        by_item = w @ np.where(w[:, None] != 0, of_cells, 0.0)
        found.append(_combine(table, w, _contrast_row(whole, stratified, x, by_item), items))
    return side_by_side(found)


def run_incomplete_emotion_test(
    table: Holes, weights: Floats, coefficients: Floats, *, centre: bool = True
) -> Estimates:
    """Test contrasts of cells (R, K) between emotions by coefficients (Q, E), as `emotions.run_emotion_test` does."""
    chosen = table.on_emotions
    found = []
    for w, x in zip(weights, chosen.contrasts(weights), strict=True):
        rows = _emotion_rows(chosen, table.items, x, coefficients, centre=centre)
        found.append(_combine(table, w, rows, len(table.items.chosen)))
    return side_by_side(found)


def _combine(table: Holes, weights: Floats, rows: ContrastRows, items: int) -> Estimates:
    """Put the tests of rows of a contrast of cells (K,) together."""
    signs = np.repeat(np.sign(weights)[None], len(rows.effect), axis=0)
    effects = Effects(
        by_item=rows.by_item[None],
        effect=rows.effect.mean(axis=1)[None],
        residual=rows.residual[None],
        uniform=_are_uniform(rows.by_item, table.tiny)[None],
        names=_over_names(table, rows.by_run.sum(axis=1), rows.leverage, signs),
        sentences=rows.sentences,
        runs=_over_runs(rows) if len(table.values) > 1 else None,
        items=items,
    )
    return combine(effects, table.tiny)


def _contrast_row(whole: StratifiedHoles, stratified: StratifiedHoles, x: Floats, by_item: Floats) -> ContrastRows:
    """Return the row of the contrast in which scores have the weights x (N, P, J)."""
    table, facets = whole.table, whole.table.facets
    squares = x.sum(axis=0) ** 2
    share, leverage = squares.sum(axis=0), _shares(squares.sum(axis=1), table.cell, table.cells)
    by_run = (x * whole.of_cells).sum(axis=2)
    of_items = {True: (x * whole.of_cells).sum(axis=(0, 1)), False: (x * stratified.of_cells).sum(axis=(0, 1))}
    of_names = {True: (x * whole.of_persons).sum(axis=0), False: (x * stratified.of_persons).sum(axis=0)}

    def over(clusters: Clusters, scores: Floats) -> FacetVariance:
        variance, df = _clustered(clusters, scores, share)
        return FacetVariance(clusters.name, variance.reshape(1, 1), df.reshape(1, 1))

    def by_name(clusters: Clusters, scores: Floats) -> float:
        return float((_clustered(clusters, scores, squares)[0] / _other(leverage)).sum())

    above, crossed = [], []
    for clusters, cells in zip(facets.above, facets.cells_within, strict=True):
        is_template = clusters.name == TEMPLATES
        above.append(over(clusters, of_items[is_template]))
        excess = by_name(clusters, of_names[is_template]) - by_name(cells, of_names[is_template])
        crossed.append(np.array([[max(excess, 0.0)]]))
    base = over(facets.items, of_items[False]), over(facets.cells, of_items[False])
    residual = np.zeros(1)
    if len(share) > 1:
        of_cell = sum_by((of_names[True] ** 2).sum(axis=1), table.cell, table.cells)
        residual += whole.inflation[:, 0] @ of_cell
    return ContrastRows(
        by_run=by_run[None],
        leverage=leverage[None],
        effect=len(x) * (x * table.filled).sum(axis=(1, 2))[None],
        sentences=add_facets(*base, above, crossed, table.tiny),
        residual=residual,
        by_item=by_item[None],
    )


def _emotion_rows(chosen: StratifiedHoles, items: EmotionItems, x: Floats, c: Floats, *, centre: bool) -> ContrastRows:
    """Return the rows with weights c (Q, E) on the emotions, in which scores have the weights x (N, P, J)."""
    table, emotion, emotions = chosen.table, items.emotion, c.shape[1]
    inflation = items.inflation if centre else 1.0

    def by_emotion(values: Floats) -> Floats:
        return sum_by(values, emotion, emotions)

    def centred(residuals: Floats) -> Floats:
        return items.centred(residuals, table.present.astype(float)) if centre else residuals

    squares = x.sum(axis=0) ** 2
    leverage = _shares(by_emotion(squares) @ (c**2).T, table.cell, table.cells).T
    of_item = _shares(squares.sum(axis=0), emotion, emotions)
    of_item_in_person = _shares(squares.T, emotion, emotions).T
    plain = x * chosen.of_cells
    scores = {True: plain.sum(axis=(0, 1)), False: (x * centred(chosen.of_cells)).sum(axis=(0, 1))}
    of_names = {True: (x * chosen.of_persons).sum(axis=0), False: (x * centred(chosen.of_persons)).sum(axis=0)}
    spread = by_emotion(scores[False] ** 2 / _other(of_item))
    root = np.sqrt(np.where(spread > table.tiny**2, spread, 0.0)) * c

    def over(name: str, *, whole: bool = False) -> FacetVariance:
        clustering = Clustering(emotion, items.codes[name], of_item, emotions)
        variance = (1.0 if whole else inflation) * clustering.variance(scores[whole], c)
        return FacetVariance(name, variance[None], clustering.degrees_of_freedom(root)[None])

    def by_name(name: str, *, whole: bool = False) -> Floats:
        total, step = np.zeros(len(c)), max(BATCH // (len(emotion) * len(c)), 1)
        for start in range(0, len(squares), step):
            some = slice(start, start + step)
            clustering = Clustering(emotion, items.codes[name], of_item_in_person[some], emotions)
            total += (clustering.variance(of_names[whole][some], c) / _other(leverage.T[some])).sum(axis=0)
        return (1.0 if whole else inflation) * total

    above, crossed = [], []
    in_cells = by_name(CELLS) if items.above else np.zeros(len(c))
    for name, _ in items.above:
        # A template is centred away, so it alone is looked at as it is.
        above.append(over(name, whole=name == TEMPLATES))
        crossed.append(np.maximum(by_name(name, whole=name == TEMPLATES) - in_cells, 0.0)[None])
    blocks = sum_by(by_emotion(of_names[False] ** 2).T, table.cell, table.cells).T
    return ContrastRows(
        by_run=np.moveaxis(by_emotion(plain) @ c.T, 2, 0),
        leverage=leverage,
        effect=len(x) * c @ by_emotion((x * table.filled).sum(axis=1)).T,
        sentences=add_facets(over(ITEMS), over(CELLS), above, crossed, table.tiny),
        residual=inflation * (c**2 @ (chosen.inflation * blocks).sum(axis=0)),
        by_item=np.zeros((len(c), 0)),
    )


def fill_holes(values: Floats, cell: Ints) -> Floats:
    """Complete scores (S, P, J) by what a fit of item, cell and person says; what is all NaN stays so."""
    filled = values.copy()
    for s in np.flatnonzero(np.isnan(values).any(axis=(1, 2))):
        there = ~np.isnan(values[s])
        if there.any():
            filled[s] = np.where(there, values[s], _fit(np.where(there, values[s], 0.0), there, cell))
    return filled


def fill_within_cells(values: Floats, cell: Ints) -> Floats:
    """Complete scores (S, P, J) by what a fit of person and item within each cell says; what is all NaN stays so."""
    filled = values.copy()
    for k in range(int(cell.max()) + 1):
        persons = np.flatnonzero(cell == k)
        for s in np.flatnonzero(np.isnan(values[:, persons]).any(axis=(1, 2))):
            y = values[s, persons]
            there = ~np.isnan(y)
            if there.any():
                filled[s, persons] = np.where(there, y, _fit_persons_and_items(np.where(there, y, 0.0), there))
    return filled


def _fit_persons_and_items(y: Floats, there: Bools) -> Floats:
    """Fitted scores (P, J) from person and item; a person or an item without any score is as the others."""
    persons, items = np.nonzero(there)
    of_person, of_item = _fit_rows_and_columns(y[there], persons, items, there.shape)
    seen, met = there.any(axis=1), there.any(axis=0)
    of_person = np.where(seen, of_person, of_person[seen].mean())
    return np.asarray(of_person[:, None] + np.where(met, of_item, of_item[met].mean()))


def _fit(y: Floats, there: Bools, cell: Ints) -> Floats:
    """Fitted scores (P, J) from item, cell and person; an item or a person without any score is as the others."""
    persons, items = np.nonzero(there)
    shape = int(cell.max()) + 1, there.shape[1]
    of_cell, of_item = _fit_rows_and_columns(y[there], cell[persons], items, shape)
    met, seen = np.asarray(there.any(axis=0)), there.sum(axis=1)
    fitted = of_cell[cell][:, None] + np.where(met, of_item, of_item[met].mean())
    of_person = np.where(there, y - fitted, 0.0).sum(axis=1) / np.maximum(seen, 1)
    return np.asarray(fitted + of_person[:, None])


def _over_names(table: Holes, scores: Floats, leverage: Floats, signs: Floats) -> NameVariance:
    """Variance over names of rows with scores (Q, P) and leverages (Q, P); a partition is used where it can be."""
    usable_for = [[bool(usable([each], table.cell, own)) for each in table.families] for own in leverage]
    kinds, kind = np.unique(np.array(usable_for, dtype=bool).reshape(len(scores), -1), axis=0, return_inverse=True)
    order, found = [], []
    for k, used in enumerate(kinds):
        members = np.flatnonzero(kind.reshape(-1) == k)
        step = max(BATCH // scores.shape[1], 1)
        for start in range(0, len(members), step):
            rows = members[start : start + step]
            families = tuple(each for each, counts in zip(table.families, used, strict=True) if counts)
            clusters = NameClusters(table.cell, leverage[rows], families)
            found.append(name_variance(scores[None, rows], clusters, signs[rows], table.tiny))
            order.append(rows)
    placed = np.argsort(np.concatenate(order))
    return NameVariance._make(column[:, placed] for column in side_by_side(found))


def _other(leverage: Floats) -> Floats:
    """1 − leverage; infinite for a unit that is the whole cell, so that it adds nothing."""
    return np.where(leverage < 1, 1 - leverage, np.inf)


def _shares(squares: Floats, cell: Ints, cells: int) -> Floats:
    """Shares of squares (P, …) within cells; 0 where a cell has none."""
    total = _by_cell(squares, cell, cells)[cell]
    return np.where(total > 0, squares / np.where(total > 0, total, 1.0), 0.0)


def _by_cell(values: Floats, cell: Ints, cells: int) -> Floats:
    """Sums of rows (P, …) by cell, (K, …)."""
    return np.moveaxis(sum_by(np.moveaxis(values, 0, -1), cell, cells), -1, 0)


def _off_means(y: Floats, there: Bools, row: Ints) -> Floats:
    """Distances of scores from the mean of those in the same row, all (P, J); 0 where there is none."""
    number, total = np.bincount(row[there]), np.bincount(row[there], y[there])
    return np.where(there, y - (total / np.maximum(number, 1))[row], 0.0)


def _off_rows_and_columns(y: Floats, there: Bools, row: Ints, column: Ints) -> Floats:
    """Least-squares residuals of scores from their rows and columns, all (P, J); 0 where there is none."""
    rows, columns = np.broadcast_to(row, y.shape)[there], np.broadcast_to(column, y.shape)[there]
    shape = int(rows.max(initial=-1)) + 1, int(columns.max(initial=-1)) + 1
    of_row, of_column = _fit_rows_and_columns(y[there], rows, columns, shape)
    e = np.zeros(y.shape)
    e[there] = y[there] - of_row[rows] - of_column[columns]
    return e


def _fit_rows_and_columns(scores: Floats, rows: Ints, columns: Ints, shape: tuple[int, int]) -> tuple[Floats, Floats]:
    """Least-squares effects of rows and columns on scores (n,), of so many each; 0 of those without any.

    Columns are taken out, and what rows add is found by conjugate gradients, in time in proportion to the scores.
    """
    weight, weight_of_column = (
        1 / np.sqrt(np.maximum(np.bincount(codes, minlength=number), 1))
        for codes, number in zip((rows, columns), shape, strict=True)
    )

    def means_of_columns(values: Floats) -> Floats:
        return np.asarray(weight_of_column**2 * np.bincount(columns, values, minlength=shape[1]))

    links = csr_array((weight[rows] * weight_of_column[columns], (rows, columns)), shape=shape)
    normal = LinearOperator((shape[0], shape[0]), matvec=lambda b: b - links @ (links.T @ b), dtype=float)
    off = scores - means_of_columns(scores)[columns]
    # What rounding left in the columns is no sum of rows, and would keep the gradients from an end.
    off = off - means_of_columns(off)[columns]
    right = weight * np.bincount(rows, off, minlength=shape[0])
    enough = max(CONVERGED * float(np.linalg.norm(off)), ROUNDED * float(np.linalg.norm(scores)))
    found, _ = cg(normal, right, rtol=0.0, atol=enough, maxiter=sum(shape))
    of_row = weight * found
    return of_row, means_of_columns(scores - of_row[rows])


def _clustered(clusters: Clusters, scores: Floats, squares: Floats) -> tuple[Floats, Floats]:
    """Variance of scores (…, J) over clusters and its df, by shares of Σ x̃², in strata that hold two clusters."""
    home, strata = clusters.home, len(clusters.strata_sizes)
    size, sums = (sum_by(values, clusters.code, clusters.count) for values in (squares, scores))
    seen = size > 0
    used = seen & (sum_by(seen.astype(float), home, strata)[..., home] > 1)
    whole = np.where(used, sum_by(size, home, strata)[..., home], 1.0)
    share = np.where(used, size / whole, 0.0)
    counted = np.where(used, size, 0.0)
    total = counted.sum(axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        df = total**2 / (counted**2).sum(axis=-1) - (sum_by(used.astype(float), home, strata) > 0).sum(axis=-1)
    variance = np.where(used, sums**2 / (1 - share), 0.0).sum(axis=-1)
    return variance, np.where(total > 0, df, 0.0)


def _over_runs(rows: ContrastRows) -> RunVariance:
    """Variances over runs from each run's effect and what each person adds to it."""
    number = rows.effect.shape[1]
    of_runs = rows.effect.var(axis=1, ddof=1) / number
    off = rows.by_run - rows.by_run.mean(axis=1, keepdims=True)
    of_names = number / (number - 1) * ((off**2).sum(axis=1) / _other(rows.leverage)).sum(axis=1)
    return RunVariance(of_runs[None], of_names[None], np.array([[float(number)]]))


def _are_uniform(by_item: Floats, tiny: float) -> Bools:
    """Tell the rows (Q, J) that are the same on every item on which they are known."""
    if not by_item.shape[1]:
        return np.ones(len(by_item), dtype=bool)
    apart = np.fmax.reduce(by_item, axis=1) - np.fmin.reduce(by_item, axis=1)
    return np.asarray(apart <= tiny)


def _means_by_cell(table: Holes) -> Floats:
    """Means of each cell on each item, (K, J); NaN where it has no score."""
    number = _by_cell(table.present.sum(axis=0).astype(float), table.cell, table.cells)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(_by_cell(table.filled.sum(axis=0), table.cell, table.cells) / number)
