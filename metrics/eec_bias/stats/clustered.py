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
    def is_nested(self) -> bool:
        """Whether no cluster has members in two cells."""
        members = np.zeros((self.count, self.cells), dtype=bool)
        members[self.cluster, self.cell] = True
        return bool((members.sum(axis=1) <= 1).all())

    def by_cell(self, scores: Floats) -> Floats:
        """Sums of scores (…, N) over each cluster's members in each cell, times its factor, (…, G, K)."""
        flat = scores.reshape(-1, scores.shape[-1])
        membership = np.zeros((len(self.cell), self.count * self.cells))
        membership[np.arange(len(self.cell)), self.cluster * self.cells + self.cell] = 1.0
        sums = (flat @ membership).reshape(*scores.shape[:-1], self.count, self.cells)
        return np.asarray(sums * self.factor)

    def variance(self, scores: Floats) -> Floats:
        """Variance of contrasts whose units have the scores (…, N)."""
        return np.asarray((self.by_cell(scores).sum(axis=-1) ** 2).sum(axis=-1))

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
        """Trace of Q and of Q² of each cell alone, at variance 1."""
        shared = self._shared @ self._shared.transpose(0, 2, 1)
        q = (1 - WORKING_CORRELATION) * self._independent + WORKING_CORRELATION * shared
        return np.trace(q, axis1=1, axis2=2), (q**2).sum(axis=(1, 2))

    def _crossing_traces(self, root: Floats) -> tuple[Floats, Floats]:
        """Trace of Q and of Q² of contrasts (n, K)."""
        independent = np.tensordot(root**2, self._independent, axes=1)
        shared = np.tensordot(root, self._shared, axes=1)
        q = (1 - WORKING_CORRELATION) * independent + WORKING_CORRELATION * (shared @ shared.transpose(0, 2, 1))
        return np.trace(q, axis1=1, axis2=2), (q**2).sum(axis=(1, 2))
