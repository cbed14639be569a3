"""Scores of units (persons, or differences within bases) on items, with holes where there is none."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from eec_bias.options import Bools, Floats, Ints
from eec_bias.stats.facets import Facets
from eec_bias.stats.incomplete import fill_holes
from eec_bias.stats.rounding import largest_size
from eec_bias.stats.sums import Sums, summarise


@dataclass(frozen=True)
class UnitScores:
    """Scores of S systems.

    Attributes
    ----------
    values : (S, U, J) array
        The scores; of runs their mean. NaN where there is none.
    runs : (S, N, U, J) array, optional
        The scores in each run; all NaN for a run that a system does not have.
    within_bases : bool
        Whether the values are differences within bases.
    of_phrases : (S, Q, J) array, optional
        The scores of phrases that have another word in place of one for a group, see `words.Phrases`.
    """

    values: Floats
    runs: Floats | None = None
    within_bases: bool = False
    of_phrases: Floats | None = None

    @cached_property
    def has_holes(self) -> bool:
        """Return whether any score is missing, also of a run that a system has."""
        if np.isnan(self.values).any():
            return True
        return self.runs is not None and any(bool(np.isnan(runs).any()) for runs in self.by_system())

    @cached_property
    def largest(self) -> Floats:
        """The largest |score| of each system, (S,)."""
        return largest_size(self.values)

    def on_items(self, items: Ints) -> "UnitScores":
        """Return the scores on some of the items."""
        runs = None if self.runs is None else self.runs[..., items]
        of_phrases = None if self.of_phrases is None else self.of_phrases[..., items]
        return UnitScores(self.values[..., items], runs, self.within_bases, of_phrases)

    def count_units(self) -> Ints:
        """One for each unit that has a score, (S, U)."""
        if not self.has_holes:
            return np.ones(self.values.shape[:2], dtype=np.intp)
        return np.asarray((~np.isnan(self.values)).any(axis=2), dtype=np.intp)

    def count_scores(self, items: Bools | None = None) -> Ints:
        """Return how many scores each unit has, (S, U); on some of the items, where these are given."""
        systems, units, number = self.values.shape
        if not self.has_holes:
            return np.full((systems, units), number if items is None else int(items.sum()), dtype=np.intp)
        present = ~np.isnan(self.values if items is None else self.values[:, :, items])
        return np.asarray(present.sum(axis=2))

    def filled_with(self, score: float) -> Floats:
        """Scores (S, U, J) as they would be if everything missing, of the runs that a system has, were this one."""
        if self.runs is None:
            return np.where(np.isnan(self.values), score, self.values)
        return np.stack([np.where(np.isnan(runs), score, runs).mean(axis=0) for runs in self.by_system()])

    def by_system(self) -> list[Floats]:
        """Of each system its runs, (N, U, J), those that it has; its scores as one run where there are none."""
        if self.runs is None:
            return list(self.values[:, None])
        return [runs[~np.isnan(runs).all(axis=(1, 2))] for runs in self.runs]


def sum_up(
    scores: UnitScores,
    cell: Ints,
    facets: Facets,
    *,
    edge: str | None = None,
    score_range: tuple[float, float] = (0.0, 1.0),
) -> Sums:
    """Reduce scores to sums, see `summarise`; where some are missing, to those of the table as a fit completes it.

    Such sums describe groups and persons. Tests take the scores themselves, and a beta regression has no place for
    fitted scores, so there are no logarithms.
    """
    values, runs = scores.values, scores.runs
    if scores.has_holes:
        edge = None
        values = fill_holes(values, cell)
        if runs is not None:
            runs = np.stack([fill_holes(of_system, cell) for of_system in runs])
    means = None if runs is None else means_by_run(runs)
    return summarise(values, cell, edge=edge, score_range=score_range, runs=means, facets=facets)


def means_by_run(runs: Floats) -> Floats:
    """Means (S, U, N) of units over items in each run (S, N, U, J)."""
    return np.moveaxis(runs.mean(axis=3), 1, 2)
