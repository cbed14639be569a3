"""Means and differences standardised over strata, with intervals from their influence functions.

ψ_a = Σ_z m_az p_z for the group a, its mean m_az in the stratum z, and the share p_z of the stratum.
"""

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import stdtr, stdtrit

from eec_bias.methods.rating.adjustment import die_percent
from eec_bias.methods.rating.deconfounded import AdjustedDifference, AdjustedMean
from eec_bias.options import Floats, Ints


@dataclass(frozen=True, slots=True)
class StrataTable:
    """Rows that overlap: score, group, stratum and unit of each, as codes."""

    y: Floats
    group: Ints
    stratum: Ints
    unit: Ints

    def counts(self) -> Ints:
        """Return the rows of every group (rows) in every stratum (columns)."""
        found = np.zeros((self.group.max() + 1, self.stratum.max() + 1), dtype=np.intp)
        np.add.at(found, (self.group, self.stratum), 1)
        return found

    def cell_means(self) -> Floats:
        """Return the mean score of every group in every stratum."""
        sums = np.zeros((self.group.max() + 1, self.stratum.max() + 1))
        np.add.at(sums, (self.group, self.stratum), self.y)
        return np.asarray(sums / self.counts())

    def shares(self) -> Floats:
        """Return P(z) of every stratum."""
        return np.asarray(np.bincount(self.stratum) / len(self.stratum))

    def units_of(self, code: int) -> int:
        """Count the different units of a group."""
        return len(np.unique(self.unit[self.group == code]))

    def pooled(self) -> "StrataTable":
        """Return the same rows in one stratum: as they are, without adjustment."""
        return StrataTable(self.y, self.group, np.zeros_like(self.stratum), self.unit)


def adjusted_mean(table: StrataTable, code: int, level: str) -> AdjustedMean:
    """The mean score of one group, as it is and with the strata of all rows."""
    own = table.group == code
    observed = float(table.y[own].mean())
    adjusted = float(table.cell_means()[code] @ table.shares())
    weight = (table.shares() / table.counts()[code])[table.stratum[own]]
    scale = float(np.ptp(table.y)) or 1.0
    die = float(die_percent(np.array(observed), np.array(adjusted), scale))
    return AdjustedMean(
        level=level,
        rows=int(own.sum()),
        units=table.units_of(code),
        effective=float(weight.sum() ** 2 / (weight**2).sum()),
        observed=observed,
        adjusted=adjusted,
        die=die if math.isfinite(die) else None,
    )


def adjusted_difference(
    table: StrataTable, codes: tuple[int, int], levels: tuple[str, str], confidence: float
) -> AdjustedDifference:
    """The difference between two groups, as it is and with the strata of all rows, with intervals and p."""
    unadjusted, raw_se, raw_df = _estimate(table.pooled(), codes)
    adjusted, se, df = _estimate(table, codes)
    raw_low, raw_high = _interval(unadjusted, raw_se, raw_df, confidence)
    low, high = _interval(adjusted, se, df, confidence)
    p = None
    if df is not None:
        p = float(2 * stdtr(df, -abs(adjusted) / se))
    return AdjustedDifference(*levels, unadjusted, raw_low, raw_high, adjusted, low, high, se, df, p)


def _interval(value: float, se: float, df: float | None, confidence: float) -> tuple[float | None, float | None]:
    if df is None:
        return None, None
    reach = float(stdtrit(df, (1 + confidence) / 2)) * se
    return value - reach, value + reach


def _estimate(table: StrataTable, codes: tuple[int, int]) -> tuple[float, float, float | None]:
    """Return the standardised difference of two groups, its standard error, and degrees of freedom.

    The degrees of freedom are None where nothing varies.
    """
    share, mean = table.shares(), table.cell_means()
    by_stratum = mean[codes[0]] - mean[codes[1]]
    difference = float(share @ by_stratum)
    units = int(table.unit.max()) + 1
    # What a unit adds by the strata it has: these were drawn with it.
    drawn = np.bincount(table.unit, weights=(by_stratum - difference)[table.stratum], minlength=units) / len(table.y)
    influence = drawn.copy()
    parts = [(float((drawn**2).sum()), units - 1.0)]
    alone = 0.0
    for sign, code in zip((1.0, -1.0), codes, strict=True):
        own = _Residuals.of(table, code, share)
        influence += sign * own.influence
        alone += own.alone
        parts += own.parts
    variance = float((influence**2).sum()) + alone
    if variance <= 0 or math.sqrt(variance) <= 1e-12 * max(float(np.ptp(table.y)), abs(difference)):
        return difference, 0.0, None
    if _shared_units(table, codes):
        return difference, math.sqrt(variance), float(units - 1)
    df = sum(part for part, _ in parts) ** 2 / sum(part**2 / df for part, df in parts if part > 0)
    return difference, math.sqrt(variance), float(df)


def _shared_units(table: StrataTable, codes: tuple[int, int]) -> bool:
    """Return whether units are in both groups, as texts are that are said of everybody: differences are then paired."""
    first, second = (np.unique(table.unit[table.group == code]) for code in codes)
    return len(np.intersect1d(first, second)) > 0


@dataclass(frozen=True, slots=True)
class _Residuals:
    """The part of the variance that the rows of one group add.

    Attributes
    ----------
    influence : (U,) array
        Of every unit.
    alone : float
        For cells with one unit, whose own spread is not seen.
    parts : list of (float, float)
        Variances that are added up, with the degrees of freedom of each.
    """

    influence: Floats
    alone: float
    parts: list[tuple[float, float]]

    @classmethod
    def of(cls, table: StrataTable, code: int, share: Floats) -> "_Residuals":
        """The residuals of the rows of one group."""
        own = np.flatnonzero(table.group == code)
        stratum, unit = table.stratum[own], table.unit[own]
        rows = np.bincount(stratum, minlength=len(share))
        residual = table.y[own] - table.cell_means()[code][stratum]
        # One line per unit and stratum: its share of the deviation from the mean of the cell.
        pairs, inverse = np.unique(np.stack([stratum, unit], axis=1), axis=0, return_inverse=True)
        of_pair = np.bincount(inverse.reshape(-1), weights=residual) / rows[pairs[:, 0]]
        units = np.bincount(pairs[:, 0], minlength=len(share))
        several = units > 1
        widen = np.zeros(len(share))
        widen[several] = np.sqrt(units[several] / (units[several] - 1))
        of_pair = of_pair * widen[pairs[:, 0]]
        weights, length = share[pairs[:, 0]] * of_pair, int(table.unit.max()) + 1
        influence: Floats = np.asarray(np.bincount(pairs[:, 1], weights=weights, minlength=length), dtype=float)
        cells = np.bincount(pairs[:, 0], weights=of_pair**2, minlength=len(share))
        usual = 0.0
        if several.any():
            usual = float((cells * units)[several].mean())  # variance of one unit
        alone = float((share[~several] ** 2).sum() * usual)
        # Where a unit is in one stratum, each cell has degrees of freedom of its own.
        if len(pairs) == len(np.unique(pairs[:, 1])):
            parts = [(float(share[z] ** 2 * cells[z]), float(units[z] - 1)) for z in np.flatnonzero(several).tolist()]
        else:
            parts = [(float((influence**2).sum()), float(len(np.unique(unit)) - 1))]
        if alone:
            parts.append((alone, float(max((units[several] - 1).sum(), 1))))
        return cls(influence, alone, parts)
