"""Pairs and phrases: each contrast within the bases that have both its sides."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from eec_bias.options import Bools, Floats, Ints
from eec_bias.stats.beta import BetaColumns, coding_lines
from eec_bias.stats.bootstrap import Intervals, bootstrap_bases, bootstrap_beta, resamples
from eec_bias.stats.contrasts import Contrast
from eec_bias.stats.default_test import Estimates, rounding_of, run_test
from eec_bias.stats.effect_sizes import paired_superiority
from eec_bias.stats.inference import Inference
from eec_bias.stats.layout import Table, units_of
from eec_bias.stats.omnibus import Group, correlate_alike, find_groups, single_step
from eec_bias.stats.sign_flips import differences, flip_any, sign_p
from eec_bias.stats.sums import Sums, summarise

WHOLE = np.ones((1, 1))
"""The contrast of a table of differences: its mean."""


@dataclass(frozen=True, slots=True)
class Units:
    """One contrast taken within bases.

    Attributes
    ----------
    persons : (U, C) integer array
        Persons compared within each of U bases.
    bases : (U,) integer array
        The bases, which have all cells the contrast weighs.
    sums : Sums
        Over the U bases as one cell of persons: ``sums.person`` is the contrast within each base.
    """

    persons: Ints
    bases: Ints
    sums: Sums


@dataclass(frozen=True, slots=True)
class Pairs:
    """Contrasts within bases; `units` holds one entry for each."""

    table: Table
    contrasts: tuple[Contrast, ...]
    units: tuple[Units, ...]
    values: Floats
    sums: Sums
    scale: float
    inference: Inference
    notes: tuple[str, ...]

    def groups(self) -> list[Group]:
        """Terms tested as a whole, where all their contrasts rest on the same bases."""
        groups = find_groups(self.contrasts, pairwise=self.inference.pairwise)
        return [group for group in groups if _same_bases([self.units[r] for r in group.rows])]

    def test(self) -> Estimates:
        """Run the default test."""
        none = np.zeros((0, len(self.sums.count)))
        parts = [(unit.sums, WHOLE) for unit in self.units] or [(self.sums, none)]
        return Estimates.side_by_side([run_test(*part, self.table.facets, self.scale) for part in parts])

    def least_persons(self) -> tuple[int, ...]:
        """Bases of each contrast."""
        return tuple(len(unit.persons) for unit in self.units)

    def sizes(self) -> tuple[tuple[int, int], ...]:
        """Bases and sentences of each contrast."""
        return tuple((len(unit.persons), unit.persons.size * self.sums.items) for unit in self.units)

    def equal_scores(self, estimates: Estimates) -> Bools:
        """Contrasts that compare equal scores; only those without effect and spread can."""
        equal, tiny = (estimates.se == 0) & (estimates.effect == 0), rounding_of(self.values, self.scale)
        for s, r in np.argwhere(equal):
            equal[s, r] = np.ptp(self.values[s, self.units[r].persons], axis=1).max() <= tiny[s]
        return np.asarray(equal)

    def superiority(self) -> Floats:
        """Share of bases in which the level scores higher; NaN for interactions."""
        none = np.full(len(self.values), np.nan)
        return self._columns([
            paired_superiority(unit.sums.person, self.scale) if len(row.axes) == 1 else none
            for unit, row in zip(self.units, self.contrasts, strict=True)
        ])  # fmt: skip

    def permute(self, estimates: Estimates, groups: list[Group]) -> tuple[Floats, Floats, tuple[str, ...]]:  # noqa: ARG002
        """p from changes of sign, of rows and groups."""
        draws, seed = self.inference.draws, self.inference.seed
        units = [unit.sums.person for unit in self.units]
        rows = [sign_p(unit, draws, seed, self.scale) for unit in units]
        whole = [flip_any([units[r] for r in group.rows], draws, seed) for group in groups]
        return self._columns(rows), self._columns(whole), ()

    def correlation(self, estimates: Estimates, rows: list[int]) -> Floats:  # noqa: ARG002
        """Of some contrasts, (S, r, r)."""
        return correlate_alike(np.array([self.contrasts[r].weights for r in rows]), len(self.values))

    def adjust(self, estimates: Estimates) -> Floats | None:
        """Single-step adjustment; contrasts on different bases count as unrelated, which errs on the safe side."""
        if not self.inference.maxt or not self.units:
            return None
        alike = self.correlation(estimates, list(range(len(self.units)))) if _same_bases(self.units) else None
        return single_step(estimates.p, alike)

    def resample(self, beta: BetaColumns) -> dict[str, Intervals]:
        """Bootstrap bases."""
        bases, base = np.unique(self.table.base, return_inverse=True)
        counts = resamples((len(bases),), self.inference.bootstrap, self.inference.seed)
        unit_counts = [counts[:, np.searchsorted(bases, unit.bases)] for unit in self.units]
        samples = {"effect": bootstrap_bases([unit.sums.person for unit in self.units], unit_counts)}
        if self.inference.refit and self.sums.logs:
            cell, lines = coding_lines(self.table, self.contrasts)
            one_stratum = np.zeros(len(bases), dtype=np.intp)
            samples["beta"] = bootstrap_beta(self.sums.logs, cell, lines, beta.beta, counts, base, one_stratum)
        return samples

    def _columns(self, parts: Sequence[Floats]) -> Floats:
        return np.stack(parts, axis=1) if parts else np.zeros((len(self.values), 0))


def pair_up(
    table: Table, contrasts: Sequence[Contrast], values: Floats, sums: Sums, scale: float, inference: Inference
) -> Pairs:
    """Take each contrast within the bases that have both its sides; one with a single base is left out."""
    comparable, units, notes = [], [], []
    for contrast in contrasts:
        persons = table.within_bases(np.flatnonzero(contrast.weights))
        if len(persons) < 5:
            notes.append(_note_few_bases(table, contrast, len(persons)))
        if len(persons) > 1:
            runs = None if sums.runs is None else differences(sums.runs, persons, contrast.weights)
            one_cell = np.zeros(len(persons), dtype=np.intp)
            gaps = summarise(differences(values, persons, contrast.weights), one_cell, runs=runs)
            comparable.append(contrast)
            units.append(Units(persons, table.base[persons[:, 0]], gaps))
    return Pairs(table, tuple(comparable), tuple(units), values, sums, scale, inference, tuple(notes))


def _note_few_bases(table: Table, contrast: Contrast, bases: int) -> str:
    subject = f"{table.subset}: {contrast.term} ({contrast.level} against {contrast.reference})"
    units = units_of(table.subset)
    if bases < 2:
        return f"{subject} is left out: {bases or 'no'} {units.removesuffix('s')} has both sides, two are needed"
    return f"{subject} rests on {bases} {units}, fewer than 5: its p-value and interval are rough"


def _same_bases(units: Sequence[Units]) -> bool:
    return all(np.array_equal(unit.bases, units[0].bases) for unit in units)
