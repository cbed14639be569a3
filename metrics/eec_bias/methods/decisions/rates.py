"""What is said of decisions: the rates of groups, and how they compare."""

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from eec_bias.figures.style import Theme
from eec_bias.methods.decisions.picture import RatioLine, draw_ratios
from eec_bias.options import MEAN, MEDIAN, Threshold
from eec_bias.result.numbers import interval, percent, rounded, signed

if TYPE_CHECKING:
    import pandas as pd

LINE = (
    ".8 is the rule of thumb of the Uniform Guidelines of 1978; no verdict is drawn from it here, and New York's Local "
    "Law 144 asks for rates and ratios only"
)
MAXIMUM = (
    "the ratio to the highest rate describes these sentences: which group is highest was chosen by looking, so some "
    "ratios lie below 1 also where a system treats all groups alike, and it has no interval"
)
SAMPLES = "intervals: names, templates, words and runs are samples; not adjusted for their number"


@dataclass(frozen=True, slots=True)
class GroupRate:
    """How often one group is selected.

    Attributes
    ----------
    system, subset : str
        Whose decisions (empty for one unnamed system); ``names``, ``pairs`` or another part of the data.
    axes, group : str
        ``race`` and ``Black``; of groups by several axes ``race+gender`` and ``Black:female``.
    persons, sentences : int
        How many it has.
    rate : float
        Share selected; of several cells the mean of their rates, each counting once.
    ratio_to_highest : float or None
        Over the highest rate of the groups of the same axes; None where nobody is selected.
    """

    system: str
    subset: str
    axes: str
    group: str
    persons: int
    sentences: int
    rate: float
    ratio_to_highest: float | None


@dataclass(frozen=True, slots=True)
class RateRatio:
    """How often a group is selected, beside its reference.

    Attributes
    ----------
    system, subset, axes, group : str
        As in `GroupRate`.
    reference : str
        The group it is compared with; ``mean`` is that of all groups.
    rate, rate_reference : float
        Shares selected.
    difference, difference_low, difference_high : float or None
        The first minus the second, with its interval.
    ratio, ratio_low, ratio_high : float or None
        The first over the second, with its interval; None where there is none, and `note` says why.
    rough : str
        Why the interval is approximate; empty where it is not.
    note : str
        Why there is no ratio, or no interval of it.
    """

    system: str
    subset: str
    axes: str
    group: str
    reference: str
    rate: float
    rate_reference: float
    difference: float
    difference_low: float | None
    difference_high: float | None
    ratio: float | None
    ratio_low: float | None
    ratio_high: float | None
    rough: str
    note: str


@dataclass(frozen=True, slots=True)
class Decisions:
    """Selection rates of groups and their ratios; they describe a system on sentences and pass no judgement.

    Attributes
    ----------
    groups : tuple of GroupRate
        Every group of every axis, then those of all axes together.
    ratios : tuple of RateRatio
        Every group but the reference against it.
    selected : str
        Who counts as selected.
    confidence : float
        Level of the intervals.
    data : str
        Name of the data.
    references : dict of str to str
        Axis → what its groups are compared with.
    notes : tuple of str
        What a reader must know of the data.
    version : str
        Of this package.
    """

    groups: tuple[GroupRate, ...]
    ratios: tuple[RateRatio, ...]
    selected: str
    confidence: float
    data: str
    references: dict[str, str]
    notes: tuple[str, ...]
    version: str

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain JSON types."""
        return asdict(self)

    def to_frame(self) -> "pd.DataFrame":
        """Return the ratios, a row each."""
        import pandas as pd

        return pd.DataFrame([asdict(each) for each in self.ratios])

    def groups_frame(self) -> "pd.DataFrame":
        """Return the rates of groups, a row each."""
        import pandas as pd

        return pd.DataFrame([asdict(each) for each in self.groups])

    def plot(self, *, theme: Theme = "light", width: float = 7.0) -> Any:
        """Draw the ratios with their intervals, and a line at .8, which is no verdict; returns a matplotlib figure."""
        lines = [
            RatioLine(
                name=f"{each.system} {each.group} / {describe_reference(each)} ({each.subset})".strip(),
                ratio=each.ratio,
                low=each.ratio_low,
                high=each.ratio_high,
                note=each.note,
            )
            for each in self.ratios
        ]
        caption = f"Ratio of the rate of each group to that of its reference ({self.selected}), "
        caption += f"{percent(self.confidence)} intervals; {SAMPLES}. The dashed line: {LINE}."
        return draw_ratios(lines, caption, theme=theme, width=width)

    def __str__(self) -> str:
        import pandas as pd

        level = percent(self.confidence)
        groups = pd.DataFrame(
            _named(each)
            | {
                "persons": each.persons,
                "rate": rounded(each.rate),
                "of the highest": rounded(each.ratio_to_highest),
            }
            for each in self.groups
        )
        ratios = pd.DataFrame(
            _named(each)
            | {
                "reference": each.reference,
                "difference": f"{signed(each.difference)} {interval(each.difference_low, each.difference_high)}",
                "ratio": f"{rounded(each.ratio)} {_ends(each)}",
            }
            for each in self.ratios
        )
        lines = [f"Selection rates ({self.selected}; data: {self.data})", _as_text(groups), ""]
        lines += [f"Against the stated reference, with {level} intervals", _as_text(ratios), ""]
        lines += [f"Note: {note}" for note in self.every_note()]
        return "\n".join(lines)

    def every_note(self) -> list[str]:
        """Return what must be read with the numbers: of the method, of the data, and of single rows."""
        of_rows = []
        for each in self.ratios:
            name = f"{each.system} {each.axes} {each.group}, {each.subset}".strip()
            if each.note:
                of_rows.append(f"{name}: {each.note}")
            if each.rough:
                of_rows.append(f"{name}: rough, {each.rough}")
        return [f"{SAMPLES} ({percent(self.confidence)})", MAXIMUM, LINE, *self.notes, *of_rows]


def _named(each: GroupRate | RateRatio) -> dict[str, str]:
    named = {"axes": each.axes, "group": each.group, "on": each.subset}
    if each.system:
        return {"system": each.system} | named
    return named


def _ends(each: RateRatio) -> str:
    """Both ends of the interval of a ratio; a dash for none."""
    if each.ratio_low is None:
        return "–"
    return f"[{rounded(each.ratio_low)}, {rounded(each.ratio_high)}]"


def _as_text(frame: "pd.DataFrame") -> str:
    return str(frame.to_string(index=False))


def describe_threshold(threshold: Threshold | None) -> str:
    """Who counts as selected, in words."""
    if threshold is None:
        return "outcomes as given, 0, 1 or a probability"
    if threshold == MEDIAN:
        return "scores above the median of all persons on the same item"
    return f"scores above {threshold:g}"


def describe_reference(each: RateRatio) -> str:
    """Name what a group is compared with."""
    return "the mean of all" if each.reference == MEAN else each.reference
