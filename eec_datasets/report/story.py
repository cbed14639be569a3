"""The story of a page: its kind, the finding that leads, the headline and the best guess."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Literal

from eec_datasets.report import reaction
from eec_datasets.report.answers import outer_range, sides_by_score, sizes
from eec_datasets.report.entries import PageFinding, entries_of, entry_of, leading, one_per_question, systems_of
from eec_datasets.report.measured import EmotionGapLike, MeasurementLike
from eec_datasets.report.numbers import EXACT
from eec_datasets.report.reaction import PageReaction, reactions_of
from eec_datasets.report.reaction import leading as leading_reaction
from eec_datasets.report.say import MEAN, Say, within_of
from eec_datasets.report.text import Text, capital, of
from eec_datasets.report.versions import UNKNOWN, VersionChange, change_of

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


def headline(story: Story) -> Text:
    """Say the headline: who did what, how much, to whom."""
    unnamed = not any(system for system, _ in story.systems)
    said = _headline(story)
    return capital(said) if story.is_demonstration or unnamed else said


def _headline(story: Story) -> Text:
    say = story.say
    system = story.subject(story.systems[0][0])
    if story.kind == "procedure":
        named = {row.system for each in story.measurements for row in each.result.terms if row.system}
        shown = say.count("systems", len(named)) if named else system
        return say("headline.procedure", system=shown, method=story.measurements[0].result.method)
    if story.kind == "versions":
        return _change_headline(story)
    if story.reaction is not None:
        return reaction.headline(say, story.reaction, story.subject(story.reaction.system))
    if story.kind == "many":
        return _many_headline(story)
    if story.lead is None:
        return _nothing_headline(story, system)
    said = finding_headline(story, story.lead, story.subject(story.lead.system))
    part = story.lead.finding.comparison.stratum
    return say("headline.part", headline=said, part=say.quoted(part)) if part else said


def finding_headline(story: Story, entry: PageFinding, system: str) -> Text:
    """Say one finding as a headline."""
    say, finding = story.say, entry.finding
    if entry.answer == "turns":
        return _turns_headline(say, entry, system)
    if entry.by_emotion_only:
        return _emotion_headline(say, entry, system)
    gap = entry.gap or 0.0
    higher, lower, more = sides_by_score(say, entry, gap)
    points = say.size(gap, entry.unit, entry.rounding)
    if entry.unit == "of_100":
        return _rate_headline(story, entry, system)
    if finding.comparison.is_interaction:
        who, whom = say.compared_gap(finding.comparison)
        return say(
            "headline.interaction",
            system=system,
            who=who.people,
            whom=whom.people,
            points=points,
            more=more,
            with_a=higher.scope,
            with_b=lower.scope,
        )
    if finding.comparison.reference == MEAN:
        groups = say.count("groups", levels_of(story, entry))
        return say("headline.level", system=system, points=points, more=more, with_a=higher.scope, groups=groups)
    key = "headline.gap_agrees" if finding.comparison.agreement == "agrees" else "headline.gap"
    return say(key, system=system, points=points, more=more, with_a=higher.scope, with_b=lower.scope)


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


def _turns_headline(say: Say, entry: PageFinding, system: str) -> Text:
    same, other, first_is_higher = turning(entry)
    a, b = say.groups(entry.finding.comparison)
    if not first_is_higher:
        a, b = b, a
    shown = sizes(say, entry, same)
    largest = max(entry.rounding.near(each.gap * entry.factor) for each in same)
    return say(
        "headline.turns",
        system=system,
        whose_a=a.whose,
        whose_b=b.whose,
        emotions_a=say.listing([of(say.emotion(each.emotion)) for each in same]),
        points=say.with_unit(shown, largest, entry.unit),
        more=say.more(entry.meaning),
        emotions_b=say.listing([of(say.emotion(each.emotion)) for each in other]),
        n=sizes(say, entry, other),
    )


def _emotion_headline(say: Say, entry: PageFinding, system: str) -> Text:
    found = entry.found_emotions
    a, b = say.groups(entry.finding.comparison)
    if not found:
        return say("headline.emotions_differ", system=system, a=a.people, b=b.people)
    largest = max(found, key=lambda each: abs(each.gap))
    if largest.gap < 0:
        a, b = b, a
    size = entry.rounding.near(largest.gap * entry.factor)
    return say(
        "headline.emotion",
        system=system,
        whose_a=a.whose,
        whose_b=b.whose,
        emotion=say.listing([of(say.emotion(each.emotion)) for each in found]),
        points=say.with_unit(sizes(say, entry, found), size, entry.unit),
        more=say.more(entry.meaning),
    )


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


def _rate_headline(story: Story, entry: PageFinding, system: str) -> Text:
    say = story.say
    a, b = say.groups(entry.finding.comparison)
    rates = rates_of(entry)
    gap = entry.gap or 0.0
    if gap < 0:
        a, b = b, a
    if rates is None:
        return say(
            "headline.rate_gap",
            system=system,
            label=say.quoted(entry.label),
            n=say.bare(gap, entry.rounding),
            with_a=a.scope,
            with_b=b.scope,
        )
    first, second = printed_rates(entry, rates)
    key = "headline.unanswered" if entry.meaning == "unanswered" else "headline.rate"
    return say(
        key,
        system=system,
        a=say.number(max(first, second)),
        b=say.number(min(first, second)),
        with_a=a.scope,
        with_b=b.scope,
        label=say.quoted(entry.label),
    )


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


def _many_headline(story: Story) -> Text:
    say = story.say
    comparisons = say.count("comparisons", len(story.entries))
    if story.answers == {"deaf"}:
        return say("headline.many_deaf", systems=say.count("systems", len(story.systems)))
    if story.lead is None:
        worst = _least_known(story.main or story.told)
        if worst is None:
            return say("headline.many_none", comparisons=comparisons, reach=say.count("points", 1))
        shown = _reach(say, worst)
        if any(entry.answer == "inconclusive" for entry in story.told):
            system = story.name(worst.system)
            return say("headline.many_unsure", comparisons=comparisons, system=system, reach=shown)
        return say("headline.many_none", comparisons=comparisons, reach=shown)
    lead = story.lead
    of_emotions = lead.answer == "turns" or lead.by_emotion_only
    is_plain = lead.is_main and lead.finding.comparison.reference != MEAN
    if of_emotions or lead.unit == "of_100" or not is_plain:
        gap = finding_headline(story, lead, story.subject(lead.system))
    else:
        higher, lower, more = sides_by_score(say, lead, lead.gap or 0.0)
        gap = say(
            "headline.many_gap",
            system=story.subject(lead.system),
            a=higher.who if lead.finding.comparison.subset != "pairs" else higher.one,
            b=lower.who if lead.finding.comparison.subset != "pairs" else lower.one,
            points=say.size(lead.gap or 0.0, lead.unit, lead.rounding),
            more=more,
        )
    return say("headline.many", found=say.count("found", len(story.found), comparisons=comparisons), gap=gap)


def _least_known(entries: Sequence[PageFinding]) -> PageFinding | None:
    known = [entry for entry in entries if entry.reach is not None]
    unsure = [entry for entry in known if entry.answer == "inconclusive"]
    return max(unsure or known, key=lambda entry: entry.reach or 0.0, default=None)


def _reach(say: Say, entry: PageFinding) -> str:
    if entry.reach is None:
        return ""
    shown = say.reach(entry.reach, entry.reach, entry.rounding)
    far = max(entry.rounding.up(entry.reach), entry.rounding.step)
    size = say.with_unit(shown, far, entry.unit)
    if entry.open_emotion is None:
        return size
    return say.text("number.in_emotion", size=size, emotion=say.emotion(entry.open_emotion.emotion))


def _nothing_headline(story: Story, system: str) -> Text:
    say = story.say
    answers = story.answers
    worst = _least_known(story.main or story.told)
    if "deaf" in answers:
        return _deaf_headline(story, system)
    if answers <= {"unanswered"}:
        key = "all_unanswered"
    elif worst is not None and worst.answer == "inconclusive":
        key = "inconclusive"
    elif answers <= {"no_reaction"}:
        key = "same"
    elif "described" in answers and answers <= {"described", "no_reaction", "unanswered", "not_estimable"}:
        return _described_headline(story, system)
    else:
        key = "not_estimable" if worst is None else "none"
    reach_ = _reach(say, worst) if worst else ""
    return say(f"headline.{key}", system=system, reach=reach_)


def _deaf_headline(story: Story, system: str) -> Text:
    say = story.say
    heard, words = next(entry.heard for entry in story.entries if entry.answer == "deaf")
    if not heard:
        return say("headline.deaf_plain", system=system)
    return say("headline.deaf", system=system, heard=say.number(heard), words=say.number(words))


def _described_headline(story: Story, system: str) -> Text:
    say = story.say
    described = [entry for entry in story.entries if entry.answer == "described"]
    if len(described) > 1 or not described[0].gap:
        return say("headline.described_many", system=system)
    entry = described[0]
    higher, lower, more = sides_by_score(say, entry, entry.gap or 0.0)
    points = say.size(entry.gap or 0.0, entry.unit, entry.rounding)
    return say("headline.described", system=system, a=higher.people, b=lower.people, points=points, more=more)


def _change_headline(story: Story) -> Text:
    say, change = story.say, story.change
    system = story.systems[0][0]
    if change is None:
        return _nothing_headline(story, story.subject(system))
    if not change.tells and story.reactions_of_versions:
        return reaction.change_headline(say, story.reactions_of_versions[0], _new(story))
    if story.is_unchanged:
        return say("headline.unchanged", new=_new(story))
    if not change.tells:
        worst = _least_known(story.main or list(story.entries))
        return say("headline.no_change", system=story.subject(system), reach=_reach(say, worst) if worst else "")
    entry = change.entry
    unit, rounding = entry.unit, entry.rounding
    before, after = change.before.gap or 0.0, change.after.gap or 0.0
    values: dict[str, str | Text] = {
        "new": _new(story),
        "groups": say.between(entry.finding.comparison, turned=before < 0),
        "before": say.size(before, unit, rounding),
        "after": say.bare(after, rounding),
    }
    if change.key == "opens":
        higher, lower, more = sides_by_score(say, change.after, after)
        values |= {"points": say.size(after, unit, rounding), "more": more}
        values |= {"with_a": higher.scope, "with_b": lower.scope}
    if change.key == "moved":
        higher, lower, _ = sides_by_score(say, entry, entry.gap or 0.0)
        values |= {"points": say.size(entry.gap or 0.0, unit, rounding), "a": higher.people, "b": lower.people}
    return say(f"headline.{change.key}", **values)


def _new(story: Story) -> Text:
    """Name the newer version, as the subject of a headline."""
    system = story.systems[0][0]
    if not system:
        return story.say("headline.new_unnamed")
    return story.say("headline.new_made_up" if story.is_demonstration else "headline.new", system=story.name(system))


def guess(story: Story) -> Text:
    """Say the best guess with its range, and what a high score means."""
    say, entry = story.say, story.lead
    meaning = say.high(meaning_of(story))
    if story.kind == "procedure":
        return _after(say("guess.procedure"), meaning)
    if story.kind == "versions":
        return _after(_change_guess(story), meaning)
    if story.reaction is not None:
        said = reaction.guess(say, story.reaction)
        return said if story.reaction.of_words else _after(said, meaning)
    if entry is None:
        silent = all(each.answer == "unanswered" for each in story.entries)
        return _after(_nothing_guess(story), () if silent else meaning)
    return _after(_gap_guess(story, entry), () if entry.meaning in ("unanswered", "rate") else meaning)


def _gap_guess(story: Story, entry: PageFinding) -> Text:
    say = story.say
    exact = entry.finding.throughout or entry.low is None or entry.high is None
    if entry.unit == "of_100" and exact:
        return say("guess.exact_rate", n=say.bare(entry.gap or 0.0, entry.rounding))
    if entry.unit == "of_100":
        key = "guess.unanswered" if entry.meaning == "unanswered" else "guess.rate"
        return say(key, **_numbers(story, entry), n=say.bare(entry.gap or 0.0, entry.rounding))
    if entry.answer == "turns" or entry.by_emotion_only:
        return _emotion_guess(story, entry)
    if exact:
        return say("guess.exact", points=say.size(entry.gap or 0.0, entry.unit, entry.rounding))
    return say("guess.gap", **_numbers(story, entry))


def meaning_of(story: Story) -> str:
    """Return what a high score means; empty if nobody said."""
    return next((each.result.high_means for each in story.measurements if each.kind == "scores"), "")


def _after(first: Text, second: Text) -> Text:
    return first + of(" ") + second if second else first


def _numbers(story: Story, entry: PageFinding) -> dict[str, str | Text]:
    say = story.say
    low, high = say.ends(entry.low or 0.0, entry.high or 0.0, entry.rounding)
    return {"points": say.size(entry.gap or 0.0, entry.unit, entry.rounding), "low": low, "high": high}


def _emotion_guess(story: Story, entry: PageFinding) -> Text:
    say = story.say
    found = entry.found_emotions
    if not found:
        return say("guess.emotions_differ")
    low, high = say.ends(*outer_range(entry, found), entry.rounding)
    largest = max(entry.rounding.near(each.gap * entry.factor) for each in found)
    points = say.with_unit(sizes(say, entry, found), largest, entry.unit)
    if entry.answer == "turns":
        return say("guess.turns", points=points, low=low, high=high)
    emotion = say.listing([of(say.emotion(each.emotion)) for each in found])
    return say("guess.emotion", points=points, low=low, high=high, emotion=emotion)


def _change_guess(story: Story) -> Text:
    say, change = story.say, story.change
    if change is None:
        return say("guess.nothing")
    if not change.tells:
        return _no_change_guess(story, change)
    if change.key == "moved":
        return say("guess.change", **_numbers(story, change.entry))
    now = change.entry if change.after.answer == UNKNOWN else change.after
    if now.gap is None or now.low is None or now.high is None:
        return say("guess.nothing")
    points = say.size(now.gap, now.unit, now.rounding)
    if not now.clear:
        return say("guess.left_none", points=points, reach=_reach(say, now))
    low, high = say.ends(now.low, now.high, now.rounding)
    return say("guess.left", points=points, low=low, high=high)


def _no_change_guess(story: Story, change: VersionChange) -> Text:
    say = story.say
    if story.is_unchanged:
        return say("guess.unchanged")
    worst = _least_known(story.main or list(story.entries)) or change.entry
    points = say.size(worst.gap or 0.0, worst.unit, worst.rounding)
    return say("guess.no_change", points=points, reach=_reach(say, worst))


def _nothing_guess(story: Story) -> Text:
    say = story.say
    answers = story.answers
    if "deaf" in answers:
        return say("guess.deaf")
    worst = _least_known(story.main or story.told)
    if worst is not None and worst.gap is not None:
        points = say.size(worst.gap, worst.unit, worst.rounding)
        key = "guess.unsure" if worst.answer == "inconclusive" else "guess.none"
        if answers <= {"no_reaction"}:
            return say("guess.same")
        return say(key, points=points, reach=_reach(say, worst))
    if answers and answers <= {"no_reaction"}:
        return say("guess.same")
    described = [entry for entry in story.told if entry.answer == "described"]
    if described and described[0].gap is not None:
        entry = max(described, key=lambda each: each.size)
        return say("guess.described", points=say.size(entry.gap or 0.0, entry.unit, entry.rounding))
    return say("guess.nothing")
