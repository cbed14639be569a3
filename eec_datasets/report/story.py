"""The story of a page: its kind, its findings, and the finding that leads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Literal

from eec_datasets.report import reaction
from eec_datasets.report.entries import PageFinding, entries_of, entry_of, leading, one_per_question, systems_of
from eec_datasets.report.measured import EmotionGapLike, MeasurementLike
from eec_datasets.report.numbers import EXACT
from eec_datasets.report.reaction import PageReaction, reactions_of
from eec_datasets.report.reaction import leading as leading_reaction
from eec_datasets.report.say import MEAN, Say, within_of
from eec_datasets.report.versions import VersionChange, change_of

Kind = Literal["one", "many", "versions", "procedure"]

COMMON_WORDS = frozenset({"natural", "pattern", "sentiment"})
"""Names of systems that are words of the language are put in quotation marks."""

LONGEST_NAME = 40
"""A longer name of a system is cut in running text; the record has all of it."""


@dataclass(frozen=True, slots=True)
class Story:
    """The findings of a page, and the one it leads with.

    Attributes
    ----------
    entries : tuple of PageFinding
        One answer per system, language and question.
    all : tuple of PageFinding
        Every finding, for the tables.
    lead : PageFinding, optional
        The finding that the headline tells; None if nothing was found.
    change : VersionChange, optional
        Of two versions: the gap before, now, and the change, for the leading comparison.
    reactions : tuple of PageReaction
        The answers on reactions to feelings.
    """

    say: Say
    measurements: tuple[MeasurementLike, ...]
    entries: tuple[PageFinding, ...]
    all: tuple[PageFinding, ...]
    kind: Kind
    lead: PageFinding | None
    change: VersionChange | None = None
    reactions: tuple[PageReaction, ...] = ()

    @property
    def reaction(self) -> PageReaction | None:
        """The answer on reactions that leads, if no gap was found."""
        return leading_reaction(self.reactions) if self.lead is None and self.kind in ("one", "many") else None

    @property
    def reactions_of_versions(self) -> list[tuple[PageReaction, PageReaction]]:
        """Of two versions the answers on reactions before and now, where either has a difference."""
        return reaction.of_versions(self.measurements)

    @property
    def told(self) -> list[PageFinding]:
        """The comparisons that the words are about: of scores, unless a rate leads or there are no scores."""
        if self.lead is not None and self.lead.unit == "of_100":
            return list(self.entries)
        scores = [entry for entry in self.entries if entry.meaning != "unanswered"]
        return scores if any(entry.answer != "unanswered" for entry in scores) else list(self.entries)

    @property
    def main(self) -> list[PageFinding]:
        """The comparisons of whole groups among those told."""
        return [entry for entry in self.told if entry.is_main]

    @property
    def answers(self) -> set[str]:
        """The answers of the comparisons of whole groups; of several systems those of systems that are not deaf."""
        answers = {entry.answer for entry in self.main or self.told}
        return answers - {"deaf"} if self.kind == "many" and answers != {"deaf"} else answers

    @property
    def found(self) -> list[PageFinding]:
        """The comparisons that found a gap."""
        return [entry for entry in self.entries if entry.found]

    @property
    def systems(self) -> list[tuple[str, str]]:
        """System and language of what was measured."""
        listed = systems_of(self.entries)
        return listed or [(each.system, each.language) for each in self.measurements]

    @property
    def is_demonstration(self) -> bool:
        """Tell if the systems are made up for a demonstration."""
        return any(each.source.demonstration for each in self.measurements)

    @property
    def is_unchanged(self) -> bool:
        """Tell if two versions have the same gaps on every item, in every comparison."""
        if self.kind != "versions" or not self.entries:
            return False
        return all(change_of(entry, entry_of).key == "unchanged" for entry in self.entries)

    def name(self, system: str) -> str:
        """Return the name of a system as sentences have it, at most 40 letters long."""
        if not system:
            return self.say.text("headline.unnamed")
        if system in COMMON_WORDS:
            return self.say.quoted(system)
        return system if len(system) <= LONGEST_NAME else f"{system[: LONGEST_NAME - 1]}…"

    def subject(self, system: str) -> str:
        """Return the system as the subject of a headline; one made up for a demonstration is called so."""
        name = self.name(system)
        return self.say.text("headline.made_up", system=name) if self.is_demonstration else name


def tell(measurements: Sequence[MeasurementLike], say: Say) -> Story:
    """Return the story of some measurements.

    Raises
    ------
    ValueError
        If there is no measurement.
    """
    if not measurements:
        raise ValueError("no measurements to report: expected at least one, from eec_bias.measure or an audit")
    everything = entries_of(measurements)
    entries = one_per_question(everything)
    kind: Kind = "one"
    if all(each.result.method != "default" for each in measurements):
        kind = "procedure"
    elif any(each.source.versions or each.result.facts.compared for each in measurements):
        kind = "versions"
    elif len(systems_of(entries)) > 1:
        kind = "many"
    change = None
    lead = leading(entries)
    if kind == "versions":
        changes = [change_of(entry, entry_of) for entry in entries]
        main = [each for each in changes if each.entry.is_main] or changes
        change = max(main, key=lambda each: each.rank, default=None)
        lead = change.entry if change and change.tells else None
    reactions = tuple(reactions_of(measurements))
    if kind == "one" and lead is not None and _comes_from_forms(lead, reactions):
        lead = None
    return Story(say, tuple(measurements), tuple(entries), tuple(everything), kind, lead, change, reactions)


def _comes_from_forms(lead: PageFinding, reactions: Sequence[PageReaction]) -> bool:
    """Tell if a gap shows only where words agree, and a reaction was found between the same groups: it says why."""
    asked = lead.finding.comparison
    found = (each.finding.comparison.axes for each in reactions if each.finding.found)
    return asked.agreement == "agrees" and asked.axes in found


def levels_of(story: Story, entry: PageFinding) -> int:
    """Count the groups of an axis whose levels are compared with the average of all."""
    asked = entry.finding.comparison
    return len(
        {
            each.finding.comparison.level
            for each in story.all
            if each.finding.comparison.axes == asked.axes and each.finding.comparison.reference == MEAN
        }
    )


def turning(entry: PageFinding) -> tuple[list[EmotionGapLike], list[EmotionGapLike], bool]:
    """Return the emotions on the side of the headline, the others, and if the first group is the higher one there.

    The headline begins with joy if it was found, else with the largest gap.
    """
    found = entry.found_emotions
    first = next((each for each in found if each.emotion == "joy"), max(found, key=lambda each: abs(each.gap)))
    same = [each for each in found if each.gap * first.gap > 0]
    other = [each for each in found if each.gap * first.gap < 0]
    return same, other, first.gap > 0


def rates_of(entry: PageFinding) -> tuple[float, float] | None:
    """Return the rates of both groups of a comparison, of 100; None if the result has no means of its groups."""
    comparison = entry.finding.comparison
    for row in entry.measurement.result.rate_rows:
        same_system = row.get("system") in (None, entry.finding.system)
        if row["id"] == comparison.id and same_system and None not in (row["rate"], row["rate_reference"]):
            return 100 * row["rate"], 100 * row["rate_reference"]
    if comparison.is_interaction:
        return None
    same = {"subset": comparison.subset, **within_of(comparison)}
    if comparison.output is not None:
        same["output"] = comparison.output
    if entry.finding.system is not None:
        same["system"] = entry.finding.system
    cells = [
        cell for cell in entry.measurement.result.cells if all(cell.get(key) == value for key, value in same.items())
    ]
    means: dict[str, float] = {}
    for level in {str(cell.get(comparison.axes)) for cell in cells}:
        of_level = [cell["mean"] for cell in cells if str(cell.get(comparison.axes)) == level]
        means[level] = 100 * fmean(of_level)
    if comparison.reference == MEAN and means:
        means[MEAN] = fmean(means.values())
    if comparison.level not in means or comparison.reference not in means:
        return None
    return means[comparison.level], means[comparison.reference]


def printed_rates(entry: PageFinding, rates: tuple[float, float]) -> tuple[float, float]:
    """Return both rates as whole numbers whose difference is the printed gap."""
    first, second = (entry.rounding.near(rate) for rate in rates)
    size = entry.rounding.near(entry.gap or 0.0)
    if abs(abs(first - second) - size) < EXACT:
        return first, second
    # Of the two rates, the one that is further from a whole number gives way.
    off = [abs(rate - near) for rate, near in zip(rates, (first, second), strict=True)]
    sign = 1 if rates[0] >= rates[1] else -1
    if off[0] >= off[1]:
        return second + sign * size, second
    return first, first - sign * size


def printed_gap(entry: PageFinding) -> float:
    """Return the gap as it is printed."""
    return entry.rounding.near(entry.gap or 0.0)


def meaning_of(story: Story) -> str:
    """Return what a high score means; empty if nobody said."""
    return next((each.result.high_means for each in story.measurements if each.kind == "scores"), "")
