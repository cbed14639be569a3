"""Result of `deconfound`: means, differences and overlap, as JSON, as frames and as text."""

import math
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd


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
    """A count of the rows of every group that have one value of the confounders.

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
