"""Names: contrasts of independent cells of persons."""

from dataclasses import dataclass

import numpy as np

from eec_bias.options import Bools, Floats
from eec_bias.stats.beta import BetaColumns, coding_lines
from eec_bias.stats.bootstrap import Intervals, bootstrap_beta, bootstrap_cells, resamples
from eec_bias.stats.contrasts import Contrast
from eec_bias.stats.default_test import Estimates, rounding_of, run_test
from eec_bias.stats.effect_sizes import superiority
from eec_bias.stats.exact_permutation import exact_p
from eec_bias.stats.inference import Inference
from eec_bias.stats.layout import Table
from eec_bias.stats.omnibus import Group, correlate, find_groups
from eec_bias.stats.permutation import joint_min_p, observed_t, permute
from eec_bias.stats.sums import Sums


@dataclass(frozen=True, slots=True)
class Names:
    """Contrasts of cells whose persons are different; no cell is empty."""

    table: Table
    contrasts: tuple[Contrast, ...]
    sums: Sums
    scale: float
    inference: Inference
    notes: tuple[str, ...] = ()
    units: tuple[()] = ()

    @property
    def weights(self) -> Floats:
        """The contrasts on the cells, (R, K)."""
        return np.array([contrast.weights for contrast in self.contrasts])

    def groups(self) -> list[Group]:
        """Terms tested as a whole."""
        return find_groups(self.contrasts, pairwise=self.inference.pairwise)

    def test(self) -> Estimates:
        """Run the default test."""
        return run_test(self.sums, self.weights, self.table.facets, self.scale)

    def least_persons(self) -> tuple[int, ...]:
        """Persons in the smallest cell of each contrast."""
        return tuple(int(self.sums.count[contrast.weights != 0].min()) for contrast in self.contrasts)

    def sizes(self) -> tuple[tuple[int, int], ...]:
        """Persons and sentences of each contrast."""
        persons = [int((contrast.weights[self.table.cell] != 0).sum()) for contrast in self.contrasts]
        return tuple((count, count * self.sums.items) for count in persons)

    def equal_scores(self, estimates: Estimates) -> Bools:  # noqa: ARG002
        """Contrasts that compare equal scores: on every item all persons of the cells weighed get the same."""
        sums, tiny = self.sums, rounding_of(self.sums.item, self.scale)[:, None]
        within = (sums.spread <= tiny**2) & (sums.residual * (sums.count * sums.items) <= tiny**2)
        cells = [np.flatnonzero(contrast.weights) for contrast in self.contrasts]
        alike = [(np.ptp(sums.item[:, used], axis=1) <= tiny).all(axis=1) for used in cells]
        return np.stack([same & within[:, used].all(axis=1) for same, used in zip(alike, cells, strict=True)], axis=1)

    def superiority(self) -> Floats:
        """Within the cells of the other axes; NaN for interactions."""
        shares = np.full((len(self.sums.cell), len(self.contrasts)), np.nan)
        for r, contrast in enumerate(self.contrasts):
            if len(contrast.axes) == 1:
                cells = self.table.strata(contrast.axes)
                shares[:, r] = superiority(self.sums.person, self.table.cell, contrast.weights, cells, self.scale)
        return shares

    def permute(self, estimates: Estimates, groups: list[Group]) -> tuple[Floats, Floats, tuple[str, ...]]:
        """Permutation p of rows and groups, and what rows lack."""
        rows, whole = np.full(estimates.p.shape, np.nan), np.full((len(estimates.p), len(groups)), np.nan)
        if self.inference.permutations == "exact":
            return rows, whole, self._enumerate(observed_t(estimates, self.scale), rows)
        draws, seed = self.inference.draws, self.inference.seed
        if draws:
            group_rows = [group.rows for group in groups]
            rows, whole = permute(self.sums, self.table, self.contrasts, group_rows, estimates, draws, seed, self.scale)
        return rows, whole, ()

    def _enumerate(self, t: Floats, rows: Floats) -> tuple[str, ...]:
        """Fill in exact p of the rows that have one; say why others have none."""
        reasons = []
        for r, contrast in enumerate(self.contrasts):
            p, reason = exact_p(self.sums.person, self.table, contrast, self.scale)
            if p is not None:
                rows[:, r] = np.where(np.isnan(t[:, r]), np.nan, p)
            reasons.append(f"no p_permutation: {reason}" if reason else "")
        return tuple(reasons)

    def correlation(self, estimates: Estimates, rows: list[int]) -> Floats:
        """Of some contrasts, (S, r, r)."""
        return correlate(self.sums, self.weights[rows], estimates.sentences[:, rows])

    def adjust(self, estimates: Estimates) -> Floats | None:
        """p-values adjusted by relabellings, where asked for."""
        if not self.inference.maxt:
            return None
        inference = self.inference
        return joint_min_p(
            self.sums, self.table.cell, self.weights, estimates.p, inference.draws, inference.seed, self.scale
        )

    def resample(self, beta: BetaColumns) -> dict[str, Intervals]:
        """Bootstrap persons within their cells."""
        sizes = tuple(int(m) for m in self.sums.count)
        counts = resamples(sizes, self.inference.bootstrap, self.inference.seed)
        samples = {"effect": bootstrap_cells(self.sums.person, self.table.cell, self.weights, counts)}
        if self.inference.refit and self.sums.logs:
            cell, lines = coding_lines(self.table, self.contrasts)
            samples["beta"] = bootstrap_beta(self.sums.logs, cell, lines, beta.beta, counts, np.arange(len(cell)), cell)
        return samples
