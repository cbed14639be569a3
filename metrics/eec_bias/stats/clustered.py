"""Cluster-robust variance of a contrast whose units lie in cells and share clusters, in closed form.

The variance is CR2 (Bell & McCaffrey 2002) of a contrast of cell means; its degrees of freedom are theirs, too, for a
working model in which units of a cell vary alike and those that share a cluster correlate by one half.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from eec_bias.options import Floats, Ints

FULL = 1 - 1e-12
"""A cluster with this share of a cell is the whole cell, and says nothing about others."""

WORKING_CORRELATION = 0.5
"""Of units that share a cluster, in the working model behind the degrees of freedom."""

FEW_CELLS = 8
"""With more cells the pairs of them are too many to keep a matrix of each."""

BATCH = 4_000_000
"""Numbers held at once while degrees of freedom of many contrasts are found."""


@dataclass(frozen=True)
class Clustering:
    """N units in K cells, and G clusters of them, which may have members in several cells.

    Attributes
    ----------
    cell, cluster : (N,) integer arrays
        The cell and the cluster of each unit.
    leverage : (N,) array
        Each unit's share of its cell; shares add up to 1.
    cells : int
        K.
    """

    cell: Ints
    cluster: Ints
    leverage: Floats
    cells: int

    @cached_property
    def count(self) -> int:
        """How many clusters there are."""
        return int(self.cluster.max(initial=-1)) + 1

    @cached_property
    def share(self) -> Floats:
        """Each cluster's share of each cell, (G, K)."""
        return self._add_up(self.leverage)

    @cached_property
    def factor(self) -> Floats:
        """What makes up for a cluster's pull on its cell's mean, (G, K): (1 − share)^−½, 0 for a whole cell."""
        whole = self.share > FULL
        return np.where(whole, 0.0, 1 / np.sqrt(np.where(whole, 1.0, 1 - self.share)))

    @cached_property
    def pieces(self) -> tuple[Ints, Ints, Ints]:
        """The M parts of clusters that lie in one cell: the part of each unit, (N,); their clusters; their cells."""
        keys, piece = np.unique(self.cluster * self.cells + self.cell, return_inverse=True)
        if len(keys) == len(piece):
            # Every unit is a part by itself, and their order does not matter.
            return np.arange(len(piece)), self.cluster, self.cell
        cluster, cell = np.divmod(keys, self.cells)
        return piece.reshape(-1).astype(np.intp), cluster, cell

    @property
    def is_nested(self) -> bool:
        """Whether no cluster has members in two cells."""
        return len(self.pieces[1]) == self.count

    def gram(self, scores: Floats) -> Floats:
        """Sums of squares and products over clusters of what units with the scores (…, N) give by cell, (…, K, K).

        The variance of a contrast with weights c on the cells is c′ gram c.
        """
        sums = self._add_up_pieces(scores)
        return self._diagonal(sums**2) if self.is_nested else _products(self._by_cluster(sums))

    def gram_by_block(self, scores: Floats, starts: Ints) -> Floats:
        """The same of scores (S, P, N), added up over each of B blocks of P that begin at ``starts``, (S, B, K, K)."""
        sums = self._add_up_pieces(scores)
        found = []
        for block in np.split(sums, starts[1:], axis=1):
            if self.is_nested:
                found.append(self._diagonal(np.einsum("spm,spm->sm", block, block)))
            else:
                by_cluster = self._by_cluster(block)
                found.append(_products(by_cluster.reshape(len(block), -1, self.cells)))
        return np.stack(found, axis=1)

    def _add_up_pieces(self, scores: Floats) -> Floats:
        """Sums of scores (…, N) over `pieces`, (…, M)."""
        piece, cluster, _ = self.pieces
        return scores if len(cluster) == len(piece) else np.asarray(scores @ self._membership)

    @cached_property
    def _membership(self) -> Floats:
        """The piece of each unit, (N, M)."""
        piece, cluster, _ = self.pieces
        return np.equal.outer(piece, np.arange(len(cluster))).astype(float)

    def _diagonal(self, squares: Floats) -> Floats:
        """The gram of clusters that lie in one cell each, from the squares (…, M) of their sums."""
        gram = np.zeros((*squares.shape[:-1], self.cells, self.cells))
        diagonal = np.arange(self.cells)
        gram[..., diagonal, diagonal] = squares @ self._squared_factor
        return gram

    @cached_property
    def _squared_factor(self) -> Floats:
        """The square of `factor` of each piece in its cell, (M, K); 0 in the others."""
        _, cluster, cell = self.pieces
        return np.equal.outer(cell, np.arange(self.cells)) * self.factor[cluster, cell][:, None] ** 2

    def _by_cluster(self, sums: Floats) -> Floats:
        """Sums over pieces (…, M) by cluster and cell, (…, G, K), times `factor`."""
        _, cluster, cell = self.pieces
        whole = np.zeros((*sums.shape[:-1], self.count, self.cells))
        whole[..., cluster, cell] = sums * self.factor[cluster, cell]
        return whole

    def variance(self, scores: Floats) -> Floats:
        """Variance of contrasts whose units have the scores (…, N)."""
        return np.asarray(self.gram(scores).sum(axis=(-1, -2)))

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
        flat = np.asarray(root, dtype=float).reshape(-1, self.cells)
        if self.is_nested:
            trace, square = flat**2 @ self._traces[0], flat**4 @ self._traces[1]
        else:
            step = max(BATCH // max(self.count**2, 1), 1)
            parts = [self._crossing_traces(flat[start : start + step]) for start in range(0, len(flat), step)]
            trace, square = (np.concatenate(each) for each in zip(*parts, strict=True))
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(np.where(square > 0, trace**2 / square, np.nan).reshape(root.shape[:-1]))

    def _add_up(self, values: Floats) -> Floats:
        sums = np.zeros((self.count, self.cells))
        np.add.at(sums, (self.cluster, self.cell), values)
        return sums

    @cached_property
    def _independent(self) -> Floats:
        """Covariance of the clusters' sums where all units are independent, of each cell alone, (K, G, G)."""
        share, factor = self.share.T, self.factor.T
        pulled = share[:, :, None] * np.eye(self.count) - share[:, :, None] * share[:, None, :]
        return factor[:, :, None] * factor[:, None, :] * pulled

    @cached_property
    def _shared(self) -> Floats:
        """Of each cell, how the clusters' sums move with what the members of each cluster share, (K, G, G)."""
        common = self._add_up(np.sqrt(self.leverage)).T
        pulled = np.eye(self.count) - self.share.T[:, :, None]
        return self.factor.T[:, :, None] * pulled * common[:, None, :]

    @cached_property
    def _traces(self) -> tuple[Floats, Floats]:
        """Trace of Q and of Q² of each cell alone, at variance 1, where every cluster lies in one cell."""
        _, cluster, cell = self.pieces
        trace, square = np.zeros(self.cells), np.zeros(self.cells)
        common = self._add_up(np.sqrt(self.leverage))
        for k in range(self.cells):
            own = cluster[cell == k]
            share, factor = self.share[own, k], self.factor[own, k]
            independent = np.diag(share) - np.outer(share, share)
            shared = (np.eye(len(own)) - share[:, None]) * common[own, k]
            q = (1 - WORKING_CORRELATION) * independent + WORKING_CORRELATION * (shared @ shared.T)
            q *= np.outer(factor, factor)
            trace[k], square[k] = np.trace(q), (q**2).sum()
        return trace, square

    def _crossing_traces(self, root: Floats) -> tuple[Floats, Floats]:
        """Trace of Q and of Q² of contrasts (n, K).

        Q is a sum of products of the contrast's roots with matrices that are the same for all contrasts, so both
        traces are forms in these products.
        """
        if self.cells > FEW_CELLS:
            return self._traces_one_by_one(root)
        first, second = np.triu_indices(self.cells)
        linear, quadratic = self._forms
        products = root[:, first] * root[:, second]
        return products @ linear, ((products @ quadratic) * products).sum(axis=1)

    @cached_property
    def _forms(self) -> tuple[Floats, Floats]:
        """The traces of the matrices that Q is made of, (M,), and of their products, (M, M)."""
        shared, parts = self._shared, []
        for k, m in zip(*np.triu_indices(self.cells), strict=True):
            part = shared[k] @ shared[m].T
            if k == m:
                parts.append((1 - WORKING_CORRELATION) * self._independent[k] + WORKING_CORRELATION * part)
            else:
                parts.append(WORKING_CORRELATION * (part + part.T))
        flat = np.stack(parts).reshape(len(parts), -1)
        return flat[:, :: self.count + 1].sum(axis=1), flat @ flat.T

    def _traces_one_by_one(self, root: Floats) -> tuple[Floats, Floats]:
        """The same from Q itself, where the matrices it is made of would be many."""
        independent = np.tensordot(root**2, self._independent, axes=1)
        shared = np.tensordot(root, self._shared, axes=1)
        q = (1 - WORKING_CORRELATION) * independent + WORKING_CORRELATION * (shared @ shared.transpose(0, 2, 1))
        return np.trace(q, axis1=1, axis2=2), (q**2).sum(axis=(1, 2))


def _products(whole: Floats) -> Floats:
    """Sums of squares and products (…, K, K) of the columns of (…, G, K)."""
    return np.asarray(np.swapaxes(whole, -1, -2) @ whole)
