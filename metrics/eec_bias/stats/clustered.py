"""Cluster-robust variance of a contrast whose units lie in cells and share clusters, in closed form.

The variance is CR2 (Bell & McCaffrey 2002) of a contrast of cell means; its degrees of freedom are theirs, too, for a
working model in which units of a cell vary alike and those that share a cluster correlate by one half.

The covariance Q of the clusters' sums in this model is a diagonal matrix plus a few columns times a few rows. So its
traces take time in proportion to the clusters, and no matrix of clusters × clusters is made.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from eec_bias.options import Floats, Ints

FULL = 1 - 1e-12
"""A cluster with this share of a cell is the whole cell, and says nothing about others."""

WORKING_CORRELATION = 0.5
"""Of units that share a cluster, in the working model behind the degrees of freedom."""

OWN = (1 - WORKING_CORRELATION) / WORKING_CORRELATION
"""Own variance of a unit in the working model, for each part of variance that it shares with its cluster."""

FEW_CELLS = 8
"""With more cells the pairs of them are too many to keep a form of each."""

FEW_CONTRASTS = 30
"""For so few contrasts the forms cost more than they save."""

BATCH = 4_000_000
"""Numbers held at once while degrees of freedom of many contrasts are found."""


class Pieces(NamedTuple):
    """The M parts of clusters that lie in one cell.

    Attributes
    ----------
    of_unit : (N,) integer array
        The piece of each unit.
    cluster, cell : (M,) integer arrays
        The cluster and the cell of each piece.
    """

    of_unit: Ints
    cluster: Ints
    cell: Ints


@dataclass(frozen=True)
class Clustering:
    """N units in K cells, and G clusters of them, which may have members in several cells.

    Attributes
    ----------
    cell, cluster : (N,) integer arrays
        The cell and the cluster of each unit.
    leverage : (…, N) array
        Each unit's share of its cell; shares add up to 1. With leading dimensions each contrast has its own.
    cells : int
        K.
    """

    cell: Ints
    cluster: Ints
    leverage: Floats
    cells: int

    @cached_property
    def count(self) -> int:
        """Return how many clusters there are."""
        return int(self.cluster.max(initial=-1)) + 1

    @cached_property
    def pieces(self) -> Pieces:
        """The parts of clusters that lie in one cell."""
        return find_pieces(self.cluster, self.cell, self.cells)

    @cached_property
    def share(self) -> Floats:
        """Each piece's share of its cell, (…, M)."""
        return self._add_up(self.leverage)

    @cached_property
    def common(self) -> Floats:
        """Return how far each piece moves with what its members share, (…, M)."""
        return self._add_up(np.sqrt(self.leverage))

    @cached_property
    def factor(self) -> Floats:
        """Return what makes up for a piece's pull on its cell's mean, (…, M): (1 − share)^−½, 0 for a whole cell."""
        whole = self.share > FULL
        return np.where(whole, 0.0, 1 / np.sqrt(np.where(whole, 1.0, 1 - self.share)))

    @property
    def is_nested(self) -> bool:
        """Return whether no cluster has members in two cells."""
        return len(self.pieces.cluster) == self.count

    def variance(self, scores: Floats, coefficients: Floats | None = None) -> Floats:
        """Variance of contrasts whose units have the scores (…, N).

        Parameters
        ----------
        scores : (…, N) array
            What each unit adds.
        coefficients : (Q, K) array, optional
            Weights on the cells, of each contrast; all are 1 where there are none.

        Returns
        -------
        (…) or (…, Q) array
        """
        if coefficients is None:
            return np.asarray((self.cluster_sums(scores) ** 2).sum(axis=-1))
        sums = self._add_up(scores) * self.factor
        if self.is_nested:
            return np.asarray(sum_by(sums**2, self.pieces.cell, self.cells) @ (coefficients**2).T)
        return np.asarray(((self._spread_out(sums) @ coefficients.T) ** 2).sum(axis=-2))

    def cluster_sums(self, scores: Floats) -> Floats:
        """Return sums of scores (…, N) over clusters, (…, G), whose squares add up to the variance."""
        return sum_by(self._add_up(scores) * self.factor, self.pieces.cluster, self.count)

    def gram_by_block(self, scores: Floats, starts: Ints) -> Floats:
        """Sums of squares and products over clusters of what units with the scores give by cell.

        Parameters
        ----------
        scores : (S, P, N) array
            Of P contrasts in B blocks.
        starts : (B,) integer array
            Where the blocks begin.

        Returns
        -------
        (S, B, K, K) array
            Added up over each block. The variance of a contrast with weights c on the cells is c′ gram c.
        """
        sums = self._add_up(scores) * self.factor
        found = []
        for block in np.split(sums, starts[1:], axis=1):
            if self.is_nested:
                by_cell = sum_by(np.einsum("spm,spm->sm", block, block), self.pieces.cell, self.cells)
                found.append(by_cell[:, :, None] * np.eye(self.cells))
            else:
                by_cluster = self._spread_out(block).reshape(len(block), -1, self.cells)
                found.append(by_cluster.transpose(0, 2, 1) @ by_cluster)
        return np.stack(found, axis=1)

    def degrees_of_freedom(self, root: Floats) -> Floats:
        """Degrees of freedom of contrasts.

        Parameters
        ----------
        root : (…, K) array
            The standard deviation of each cell's part of the contrast, with the sign of the cell's weight.

        Returns
        -------
        (…) array, NaN where no cell varies
            (tr Q)²/tr Q² with Q the covariance of the clusters' sums in the working model.
        """
        root = np.asarray(root, dtype=float)
        if self.is_nested:
            of_cell, of_square = self._nested_traces
            trace, square = (root**2 * of_cell).sum(axis=-1), (root**4 * of_square).sum(axis=-1)
        elif self.leverage.ndim == 1 and self.cells <= FEW_CELLS and root.size > FEW_CONTRASTS * self.cells:
            trace, square = self._traces_by_forms(root)
        else:
            trace, square = self._traces_one_by_one(root)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(np.where(square > 0, trace**2 / square, np.nan))

    def _add_up(self, values: Floats) -> Floats:
        """Sums of values (…, N) over pieces, (…, M)."""
        return sum_by(values, self.pieces.of_unit, len(self.pieces.cluster))

    def _spread_out(self, values: Floats) -> Floats:
        """Values of pieces (…, M) by cluster and cell, (…, G, K)."""
        whole = np.zeros((*values.shape[:-1], self.count, self.cells))
        whole[..., self.pieces.cluster, self.pieces.cell] = values
        return whole

    @cached_property
    def _nested_traces(self) -> tuple[Floats, Floats]:
        """Trace of Q and of Q² of each cell alone, (…, K), at variance 1, where every cluster lies in one cell."""
        share, common, factor = self.share, self.common, self.factor
        alone = factor**2 * (OWN * share + common**2)
        moved, pulled = factor * common**2, factor * share

        def over(values: Floats) -> Floats:
            return sum_by(values, self.pieces.cell, self.cells)

        # Up to a factor Q = diag(alone) − moved pulled′ − pulled moved′ + (Σ common² − 1) pulled pulled′.
        more = over(common**2) - OWN
        mm, pp, mp = over(moved**2), over(pulled**2), over(moved * pulled)
        trace = over(alone) - 2 * mp + more * pp
        beside = -2 * over(alone * moved * pulled) + more * over(alone * pulled**2)
        square = over(alone**2) + 2 * beside
        square += 2 * (mm * pp + mp**2) - 4 * more * mp * pp + more**2 * pp**2
        return WORKING_CORRELATION * trace, WORKING_CORRELATION**2 * square

    def _traces_by_forms(self, root: Floats) -> tuple[Floats, Floats]:
        """Trace of Q and of Q² of contrasts (…, K), as forms in the products of their roots.

        Q is a sum of products of the contrast's roots with matrices that are the same for all contrasts.
        """
        first, second = np.triu_indices(self.cells)
        linear, quadratic = self._forms
        products = root[..., first] * root[..., second]
        return products @ linear, ((products @ quadratic) * products).sum(axis=-1)

    @cached_property
    def _forms(self) -> tuple[Floats, Floats]:
        """The traces of the matrices that Q is made of, (n,), and of their products, (n, n)."""
        share, common, factor = (self._spread_out(each).T for each in (self.share, self.common, self.factor))
        moved, pulled = factor * common, factor * share
        diagonals, lefts, rights = [], [], []
        for k, m in zip(*np.triu_indices(self.cells), strict=True):
            # L_k L_m′ with L = diag(moved) − pulled common′.
            diagonal = moved[k] * moved[m]
            left = [-moved[k] * common[m], -pulled[k], (common[k] @ common[m]) * pulled[k]]
            right = [pulled[m], moved[m] * common[k], pulled[m]]
            if k == m:
                # The units' own variance.
                diagonal = diagonal + OWN * factor[k] ** 2 * share[k]
                left[2] = left[2] - OWN * pulled[k]
                left, right = left + [np.zeros(self.count)] * 3, right + [np.zeros(self.count)] * 3
            else:
                # And its transpose.
                diagonal, left, right = 2 * diagonal, left + right, right + left
            diagonals.append(diagonal)
            lefts.append(left)
            rights.append(right)
        diagonal, columns, rows = np.array(diagonals), np.array(lefts), np.array(rights)
        number, rank, _ = columns.shape
        beside = (columns * rows).sum(axis=1)
        linear = (diagonal + beside).sum(axis=1)
        columns, rows = (each.reshape(number * rank, -1) for each in (columns, rows))
        products = ((columns @ columns.T) * (rows @ rows.T)).reshape(number, rank, number, rank)
        quadratic = diagonal @ (diagonal + beside).T + beside @ diagonal.T + products.sum(axis=(1, 3))
        return WORKING_CORRELATION * linear, WORKING_CORRELATION**2 * quadratic

    def _traces_one_by_one(self, root: Floats) -> tuple[Floats, Floats]:
        """Trace of Q and of Q² of contrasts (…, K) from Q itself, as a diagonal and left times right."""
        shape = root.shape[:-1]
        flat = root.reshape(-1, self.cells)
        of_contrast = [
            np.broadcast_to(each, (*shape, each.shape[-1])).reshape(len(flat), -1)
            for each in (self.share, self.common, self.factor)
        ]
        trace, square = np.empty(len(flat)), np.empty(len(flat))
        step = max(BATCH // (8 * self.count * self.cells), 1)
        for start in range(0, len(flat), step):
            some = slice(start, start + step)
            share, common, factor = (self._spread_out(each[some]) for each in of_contrast)
            weighted = factor * flat[some, None, :]
            pulled = weighted * share
            moved = (weighted * common).sum(axis=-1)
            diagonal = moved**2 + OWN * (weighted**2 * share).sum(axis=-1)
            together = moved[..., None] * common
            inner = _times_square(pulled, common) - OWN * pulled
            left = np.concatenate([together, pulled], axis=-1)
            right = np.concatenate([-pulled, inner - together], axis=-1)
            trace[some], square[some] = find_traces(diagonal, left, right)
        return WORKING_CORRELATION * trace.reshape(shape), WORKING_CORRELATION**2 * square.reshape(shape)


def _times_square(left: Floats, right: Floats) -> Floats:
    """Left times right′ times right, all (n, G, K)."""
    turned = right.transpose(0, 2, 1)
    if left.shape[1] <= left.shape[2]:
        return np.asarray((left @ turned) @ right)
    return np.asarray(left @ (turned @ right))


def find_traces(diagonal: Floats, left: Floats, right: Floats) -> tuple[Floats, Floats]:
    """Return the traces (n,) of Q and of Q², with Q a diagonal (n, G) plus left times right′, both (n, G, r)."""
    beside = (left * right).sum(axis=-1)
    square = (diagonal**2 + 2 * diagonal * beside).sum(axis=-1) + _square_of_product(left, right)
    return (diagonal + beside).sum(axis=-1), square


def _square_of_product(left: Floats, right: Floats) -> Floats:
    """Sum of squares (n,) of left times right′, both (n, G, r)."""
    if left.shape[1] <= left.shape[2]:
        return np.asarray(((left @ right.transpose(0, 2, 1)) ** 2).sum(axis=(1, 2)))
    return np.asarray(((left.transpose(0, 2, 1) @ left) * (right.transpose(0, 2, 1) @ right)).sum(axis=(1, 2)))


def find_pieces(cluster: Ints, cell: Ints, cells: int) -> Pieces:
    """Return the parts of clusters that lie in one of some cells."""
    keys, piece = np.unique(cluster * cells + cell, return_inverse=True)
    if len(keys) == len(piece):
        # Every unit is a part by itself, and their order does not matter.
        return Pieces(np.arange(len(piece)), cluster, cell)
    return Pieces(piece.reshape(-1).astype(np.intp), *np.divmod(keys, cells))


def number_combinations(*codes: Ints) -> Ints:
    """Number the combinations of codes (N,) that occur from 0, in their order."""
    combined = np.ravel_multi_index(codes, [int(code.max(initial=0)) + 1 for code in codes])
    return np.unique(combined, return_inverse=True)[1].reshape(-1).astype(np.intp)


FEW_GROUPS = 40
"""Up to so many groups it is cheaper to multiply with zeros."""


def sum_by(values: Floats, codes: Ints, groups: int) -> Floats:
    """Return sums of values (…, N) by their codes, (…, G)."""
    if values.ndim == 1:
        return np.bincount(codes, values, minlength=groups).astype(float)
    if groups == len(codes) and np.array_equal(codes, np.arange(groups)):
        return values
    if groups <= FEW_GROUPS:
        return np.asarray(values @ np.equal.outer(codes, np.arange(groups)).astype(float))
    number = len(codes)
    membership = csr_array((np.ones(number), (codes, np.arange(number))), shape=(groups, number))
    flat = np.ascontiguousarray(values.reshape(-1, number).T)
    return np.asarray(membership @ flat).T.reshape(*values.shape[:-1], groups)
