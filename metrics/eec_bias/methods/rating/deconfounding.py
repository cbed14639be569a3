"""Differences between groups in data that are confounded as they are: adjusted by standardisation, overlap checked.

The backdoor adjustment of Lakkaraju et al. (2022, equation 2), E[Y | do(A = a)] = Σ_z E[Y | a, z] P(z), for any table
of scores, with an interval: the article adjusts its own sixteen data sets and gives none.
"""

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import stdtr, stdtrit

from eec_bias.errors import DesignError, LabelsError, OptionError, ScoresError
from eec_bias.inputs.codes import Coded
from eec_bias.inputs.sources import Source, read_source
from eec_bias.methods.rating.adjustment import die_percent
from eec_bias.options import Bools, Floats, Ints

if TYPE_CHECKING:
    import pandas as pd

SHOWN = 5
"""Places without overlap that a message spells out."""

THIN = 0.5
"""Rows of a group count as fewer than this share of them: the adjustment rests on some of them."""

ROWS = "rows"
"""What is sampled where no unit is named."""


@dataclass(frozen=True, slots=True)
class AdjustedMean:
    """The mean score of one group, as it is and after adjustment.

    Attributes
    ----------
    level : str
        The group.
    rows, units : int
        Its rows, and the different units (persons, texts) among them.
    effective : float
        Rows that count as much, evenly weighted, as its rows do after adjustment (Kish).
    observed : float
        Mean of its scores, in their units.
    adjusted : float
        Σ_z E[Y | a, z] P(z): its mean if it had the confounders of all rows.
    die : float or None
        |adjusted − observed|/|observed| in percent (equation 3); None where the denominator is 0.
    """

    level: str
    rows: int
    units: int
    effective: float
    observed: float
    adjusted: float
    die: float | None


@dataclass(frozen=True, slots=True)
class AdjustedDifference:
    """The difference between a group and the reference, with t intervals at the level asked for.

    Attributes
    ----------
    level, reference : str
        Which groups.
    unadjusted, unadjusted_low, unadjusted_high : float or None
        Difference of the means as they are, and its interval.
    adjusted, ci_low, ci_high : float or None
        Difference of the adjusted means, and its interval; None where no score varies within groups and strata.
    se, df, p : float or None
        Standard error of the adjusted difference, degrees of freedom (Satterthwaite), and p of no difference.
    """

    level: str
    reference: str
    unadjusted: float
    unadjusted_low: float | None
    unadjusted_high: float | None
    adjusted: float
    ci_low: float | None
    ci_high: float | None
    se: float
    df: float | None
    p: float | None


@dataclass(frozen=True, slots=True)
class Overlap:
    """How many rows of every group have one value of the confounders.

    Attributes
    ----------
    values : dict of str to str
        Confounder → its value.
    share : float
        Share of all rows that have these values, P(z).
    rows : dict of str to int
        Group → its rows.
    """

    values: dict[str, str]
    share: float
    rows: dict[str, int]


@dataclass(frozen=True, slots=True)
class Deconfounded:
    """Groups compared as they are, and with the confounders they have in common.

    Attributes
    ----------
    group : str
        Column of the groups.
    given : tuple of str
        Columns that were adjusted for.
    unit : str
        Column of what is sampled, ``rows`` where each row is a draw of its own.
    confidence : float
        Level of the intervals.
    rows, left_out : int
        Rows that were compared, and those that lie where groups do not overlap.
    means : tuple of AdjustedMean
        Per group.
    differences : tuple of AdjustedDifference
        Every group but the reference against it.
    overlap : tuple of Overlap
        Per value of the confounders.
    notes : tuple of str
        What a reader must know.
    """

    group: str
    given: tuple[str, ...]
    unit: str
    confidence: float
    rows: int
    left_out: int
    means: tuple[AdjustedMean, ...]
    differences: tuple[AdjustedDifference, ...]
    overlap: tuple[Overlap, ...]
    notes: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain JSON types."""
        return asdict(self)

    def to_frame(self) -> "pd.DataFrame":
        """Return the differences, a row each."""
        import pandas as pd

        return pd.DataFrame([asdict(each) for each in self.differences])

    def overlap_frame(self) -> "pd.DataFrame":
        """Return the rows of every group by confounders, a row per value of these."""
        import pandas as pd

        return pd.DataFrame([each.values | {"share": each.share} | each.rows for each in self.overlap])

    def __str__(self) -> str:
        import pandas as pd

        percent = f"{100 * self.confidence:g} %"
        lines = [f"{self.group}, adjusted for {', '.join(self.given)} ({self.rows:,} rows, sampled: {self.unit})", ""]
        means = pd.DataFrame([asdict(each) for each in self.means]).round(
            {"effective": 1, "observed": 4, "adjusted": 4}
        )
        lines += [means.rename(columns={"die": "DIE %"}).round({"DIE %": 2}).to_string(index=False), ""]
        frame = self.to_frame()
        shown = frame[["level", "reference"]].copy()
        shown["unadjusted"] = [_with_interval(*values) for values in _columns(frame, "unadjusted")]
        shown["adjusted"] = [_with_interval(*values) for values in _columns(frame, "adjusted")]
        shown["p"] = ["–" if pd.isna(p) else f"{p:.3g}" for p in frame["p"]]
        lines += [f"Differences with {percent} intervals", shown.to_string(index=False), ""]
        return "\n".join([*lines, *(f"Note: {note}" for note in self.notes)]).rstrip()


def _columns(frame: "pd.DataFrame", which: str) -> list[tuple[float, float, float]]:
    ends = {"unadjusted": ("unadjusted_low", "unadjusted_high"), "adjusted": ("ci_low", "ci_high")}[which]
    return list(zip(frame[which], frame[ends[0]].astype(float), frame[ends[1]].astype(float), strict=True))


def _with_interval(value: float, low: float, high: float) -> str:
    if math.isnan(low):
        return f"{value:+.4f}"
    return f"{value:+.4f} [{low:+.4f}, {high:+.4f}]"


def deconfound(
    scores: Any,
    data: Any,
    *,
    group: str,
    given: str | Sequence[str],
    reference: str | None = None,
    unit: str | None = None,
    overlap: str = "all",
    confidence: float = 0.95,
) -> Deconfounded:
    """Compare groups in data that are confounded in reality: adjusted differences with intervals, and the overlap.

    A group whose texts have more pleasant words has higher scores without any bias of the system. The adjusted
    difference is the one that would remain if all groups had the confounders of all rows.

    Parameters
    ----------
    scores : (n,) array
        One per row, in any unit.
    data : Dataset, frame, table or mapping of columns
        One row per score.
    group : str
        Column of the groups to compare, such as ``gender``.
    given : str or sequence of str
        Columns of confounders with few values each, such as ``word``: what goes with the group, and moves the score.
    reference : str, optional
        Group that the others are compared with; by default male, white, Anglo or Spanish where it is there, else the
        first in the alphabet.
    unit : str, optional
        Column of what was sampled, such as ``person`` or ``text``: its rows are not independent. By default ``person``
        where there is that column, else every row is a draw; ``rows`` asks for the latter.
    overlap : str
        ``all`` refuses data in which a group lacks a value of the confounders; ``shared`` leaves out the rows with
        values that not all groups have, and says how many.
    confidence : float
        Level of the intervals, between 0 and 1.

    Returns
    -------
    Deconfounded
        Means and differences as they are and adjusted, and the counts they rest on.

    Raises
    ------
    OptionError, LabelsError, ScoresError
        If an option, a label or a score cannot be used.
    DesignError
        If groups do not overlap, there is one group, or a group has one unit.

    Notes
    -----
    Standardisation over the joint values z of the confounders: ψ_a = Σ_z m_az p_z. The variance of ψ_a − ψ_r comes from
    its influence function, added up within units, each cell's residuals widened by √(u/(u − 1)) for its u units; a cell
    with one unit takes the mean variance of the group's other cells. In simulation the 95 % interval covers the truth
    in 93 to 96 % of data sets (``tests/methods/test_deconfound.py``).
    """
    columns = (given,) if isinstance(given, str) else tuple(given)
    _check_options(group, columns, overlap, confidence)
    source = read_source(data)
    needed = [group, *columns]
    if unit and unit != ROWS:
        needed.append(unit)
    for name in needed:
        if name not in source.columns:
            raise LabelsError(
                f"column {name!r} is missing; the data have {', '.join(source.columns)}. Name the column of the groups "
                "with group, those of the confounders with given"
            )
    groups = source.coded(group)
    values = _read_scores(scores, len(groups))
    confounders = [source.coded(name) for name in columns]
    stratum, levels_of = _strata(confounders)
    named = unit or _usual_unit(source, (group, *columns))
    units = np.arange(len(groups))
    if named != ROWS:
        units = source.coded(named).codes
    counts = np.zeros((len(groups.levels), len(levels_of)), dtype=np.intp)
    np.add.at(counts, (groups.codes, stratum), 1)
    if len(groups.levels) < 2:
        raise DesignError(
            f"the column {group!r} has one group, {groups.levels[0]}; a comparison needs two, in the column that group "
            "names"
        )
    shared: Bools = np.asarray((counts > 0).all(axis=0))
    kept = np.arange(len(groups))
    if not shared.all():
        _refuse_gaps(counts, groups, columns, levels_of, shared, overlap)
        kept = np.flatnonzero(shared[stratum])
    table = _Table(values[kept], groups.codes[kept], _compact(stratum[kept]), _compact(units[kept]))
    base = _reference(groups, reference, group)
    present = [labels for labels, whole in zip(levels_of, shared.tolist(), strict=True) if whole]
    for code, level in enumerate(groups.levels):
        if table.units_of(code) < 2:
            raise DesignError(
                f"the group {level} has a single unit (one of {named}) where groups overlap; an interval needs two of "
                "each group. Name what was sampled with unit, or give confounders with fewer values"
            )
    means = tuple(_mean(table, code, level) for code, level in enumerate(groups.levels))
    differences = tuple(
        _difference(table, (code, base), (level, groups.levels[base]), confidence)
        for code, level in enumerate(groups.levels)
        if code != base
    )
    cells = table.counts()
    shares = cells.sum(axis=0) / cells.sum()
    return Deconfounded(
        group=group,
        given=columns,
        unit=named,
        confidence=confidence,
        rows=len(kept),
        left_out=len(groups) - len(kept),
        means=means,
        differences=differences,
        overlap=tuple(
            Overlap(
                dict(zip(columns, labels, strict=True)),
                float(share),
                dict(zip(groups.levels, rows.tolist(), strict=True)),
            )
            for labels, share, rows in zip(present, shares, cells.T, strict=True)
        ),
        notes=tuple(_notes(table, means, columns, len(groups) - len(kept), named)),
    )


def _usual_unit(source: Source, taken: tuple[str, ...]) -> str:
    """Return what is taken for sampled where no unit is named: persons where the data name them, else rows."""
    if "person" in source.columns and "person" not in taken:
        return "person"
    return ROWS


def _check_options(group: str, given: tuple[str, ...], overlap: str, confidence: float) -> None:
    if not isinstance(group, str) or not group:
        raise OptionError(f"group is {group!r}; expected the name of the column of the groups, such as 'gender'")
    if not given or not all(isinstance(name, str) and name for name in given):
        raise OptionError(f"given is {given!r}; expected the names of the columns of confounders, such as 'word'")
    if group in given or len(set(given)) < len(given):
        raise OptionError(
            f"given is {given!r} with the groups in {group!r}; expected other columns than that, each once: a group is "
            "not adjusted for itself"
        )
    if overlap not in ("all", "shared"):
        raise OptionError(
            f"overlap is {overlap!r}; expected 'all', which refuses data in which a group lacks a value of the "
            "confounders, or 'shared', which leaves such rows out"
        )
    if isinstance(confidence, bool) or not isinstance(confidence, int | float) or not 0 < confidence < 1:
        raise OptionError(f"confidence is {confidence!r}; expected a number between 0 and 1, such as .95")


def _read_scores(scores: Any, rows: int) -> Floats:
    """Return the scores as numbers, one per row."""
    try:
        values = np.asarray(scores, dtype=float)
    except (TypeError, ValueError) as error:
        raise ScoresError(f"the scores are not all numbers ({error}); expected one number per row") from error
    if values.shape != (rows,):
        raise ScoresError(f"there are scores of shape {values.shape} for {rows} rows; expected one score per row")
    bad = np.flatnonzero(~np.isfinite(values))
    if len(bad):
        raise ScoresError(
            f"the score of row {bad[0]} is {values[bad[0]]} (rows count from 0; {len(bad)} such); expected a finite "
            "number in every row: leave rows without a score out, and say how many they were"
        )
    return values


def _strata(confounders: Sequence[Coded]) -> tuple[Ints, list[tuple[str, ...]]]:
    """Return the stratum of every row, and the labels of every stratum that occurs."""
    codes = np.stack([column.codes for column in confounders], axis=1)
    found, stratum = np.unique(codes, axis=0, return_inverse=True)
    labels = [
        tuple(column.levels[code] for column, code in zip(confounders, row, strict=True)) for row in found.tolist()
    ]
    return stratum.reshape(-1), labels


def _compact(codes: Ints) -> Ints:
    return np.unique(codes, return_inverse=True)[1].reshape(-1)


def _refuse_gaps(
    counts: Ints,
    groups: Coded,
    given: tuple[str, ...],
    labels: Sequence[tuple[str, ...]],
    shared: Bools,
    overlap: str,
) -> None:
    """Refuse data in which a group lacks a value of the confounders, or in which groups share none."""
    gaps = [(int(code), int(place)) for place, code in np.argwhere(counts.T == 0)]
    said = []
    for code, place in gaps[:SHOWN]:
        where = ", ".join(f"{name} {value!r}" for name, value in zip(given, labels[place], strict=True))
        said.append(f"no row of {groups.levels[code]} has {where} ({counts[:, place].sum()} rows of others do)")
    if len(gaps) > SHOWN:
        said.append(f"and {len(gaps) - SHOWN} more")
    if not shared.any():
        raise DesignError(
            f"the groups share no value of {', '.join(given)}: {'; '.join(said)}. Nothing can be compared at the same "
            "value; give confounders with fewer values, such as the kind of a word instead of the word"
        )
    if overlap == "all":
        raise DesignError(
            f"the groups do not overlap: {'; '.join(said)}. What the score would be there is not in the data. Give "
            "confounders with fewer values, or overlap='shared' to compare only where every group has rows"
        )


FIRST = ("male", "white", "Anglo", "Spanish")
"""References where none is named."""


def _reference(groups: Coded, reference: str | None, column: str) -> int:
    if reference is None:
        for level in FIRST:
            if level in groups.levels:
                return groups.levels.index(level)
        return 0
    if reference not in groups.levels:
        raise OptionError(f"reference is {reference!r}; the column {column!r} has {', '.join(groups.levels)}")
    return groups.levels.index(reference)


@dataclass(frozen=True, slots=True)
class _Table:
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

    def pooled(self) -> "_Table":
        """Return the same rows in one stratum: as they are, without adjustment."""
        return _Table(self.y, self.group, np.zeros_like(self.stratum), self.unit)


def _mean(table: _Table, code: int, level: str) -> AdjustedMean:
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


def _difference(
    table: _Table, codes: tuple[int, int], levels: tuple[str, str], confidence: float
) -> AdjustedDifference:
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


def _estimate(table: _Table, codes: tuple[int, int]) -> tuple[float, float, float | None]:
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


def _shared_units(table: _Table, codes: tuple[int, int]) -> bool:
    """Whether units are in both groups, as texts are that are said of everybody: differences are then paired."""
    first, second = (np.unique(table.unit[table.group == code]) for code in codes)
    return len(np.intersect1d(first, second)) > 0


@dataclass(frozen=True, slots=True)
class _Residuals:
    """What the rows of one group add to the variance.

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
    def of(cls, table: _Table, code: int, share: Floats) -> "_Residuals":
        """Take them from the rows of a group."""
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


def _notes(table: _Table, means: Sequence[AdjustedMean], given: tuple[str, ...], left_out: int, unit: str) -> list[str]:
    """Say what the adjusted differences rest on, and what they cannot say."""
    names = ", ".join(given)
    notes = [
        f"adjusted for {names} and nothing else: a confounder that is not in the table still moves the differences, "
        "and a column that the group itself changes (what is said because of it) must not be adjusted for"
    ]
    if left_out:
        total = left_out + len(table.y)
        notes.append(
            f"{left_out:,} of {total:,} rows have a value of {names} that not all groups have; they are left out, and "
            "the differences are those of the other rows"
        )
    for mean in means:
        if mean.effective < THIN * mean.rows:
            notes.append(
                f"the {mean.rows:,} rows of {mean.level} count as {mean.effective:.0f} after adjustment: few of them "
                f"have the values of {names} that are usual in the others, and the difference rests on those"
            )
    if unit == ROWS:
        notes.append("every row is taken for a draw of its own; name unit where persons or texts come several times")
    if unit != ROWS and min(mean.units for mean in means) < 5:
        few = min(means, key=lambda mean: mean.units)
        notes.append(f"rough: {few.level} has {few.units} different values of {unit}")
    return notes


def discretised(scores: Any, score_range: tuple[float, float] = (0.0, 1.0)) -> Floats:
    """Return scores as −1, 0 and 1: below, at and above the middle of their range, as Lakkaraju et al. (2022) compare.

    Parameters
    ----------
    scores : array
        Of any shape, in the units of ``score_range``.
    score_range : two numbers
        Lowest and highest possible score.
    """
    low, high = score_range
    middle = (low + high) / 2
    values = np.asarray(scores, dtype=float)
    near = np.abs(values - middle) <= 1e-12 * (high - low)
    return np.where(near, 0.0, np.sign(values - middle)) + np.where(np.isnan(values), np.nan, 0.0)
