"""Size of a gap on the scale of the system's own scores."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from eec_datasets.report import reaction
from eec_datasets.report.entries import JOY, UNHAPPY, PageFinding, on_page
from eec_datasets.report.numbers import Rounding
from eec_datasets.report.say import MEAN, Say
from eec_datasets.report.story import Story, printed_gap, printed_rates, rates_of
from eec_datasets.report.text import Text, capital, joined
from eec_datasets.report.versions import UNKNOWN
from eec_datasets.report.view import Bar, Box


def size(story: Story) -> Box:
    """Return the box that compares the gap with the system's own distance from unhappy to joyful sentences."""
    say, lead = story.say, story.lead
    if story.kind == "versions" and story.change is not None:
        return _size_of_change(story)
    if story.reaction is not None:
        return reaction.size(say, story.reaction)
    if lead is None:
        return _size_of_nothing(story)
    if lead.unit == "of_100":
        return _size_of_rates(story, lead)
    if lead.answer == "turns" or lead.by_emotion_only:
        largest = max(lead.found_emotions, key=lambda each: abs(each.gap), default=None)
        gap = lead.rounding.near(largest.gap * lead.factor) if largest else printed_gap(lead)
    else:
        gap = printed_gap(lead)
    distance = _distance(lead)
    example = _example(story, lead)
    if not distance:
        return Box(say("size.title"), (), tuple(each for each in (say("size.no_yardstick"), example) if each))
    bars = _bars(say, lead, [("gap", gap, "found"), ("joyful", distance, "grey")])
    share = say("size.share", share=say.share(gap, distance))
    return Box(say("size.title"), bars, (joined([capital(share), example]),))


def _distance(entry: PageFinding, means: Mapping[str, float] | None = None) -> float:
    """Return the distance from unhappy to joyful sentences, as the difference of the printed means; 0 if unknown."""
    means = entry.measurement.source.emotion_means if means is None else means
    unhappy = [means[emotion] for emotion in UNHAPPY if emotion in means]
    if JOY not in means or not unhappy:
        return 0.0
    rounding = entry.rounding
    joyful = _rounded_mean(entry, means[JOY], rounding)
    return abs(joyful - _rounded_mean(entry, sum(unhappy) / len(unhappy), rounding))


def _rounded_mean(entry: PageFinding, mean: float, rounding: Rounding) -> float:
    points = on_page(entry, mean)
    return math.copysign(rounding.near(points), points)


def _bars(say: Say, entry: PageFinding, sizes: Sequence[tuple[str, float, str]]) -> tuple[Bar, ...]:
    largest = max((each for _, each, _ in sizes), default=0.0) or 1.0
    decimals = entry.rounding.decimals
    bars = []
    for key, each, tone in sizes:
        shown = say.number(each, decimals)
        if entry.rounding.is_under(each):
            shown = say.bare(entry.rounding.step / 2, entry.rounding)
        bars.append(Bar(say(f"size.{key}"), each / largest, shown, tone))  # type: ignore[arg-type]
    return tuple(bars)


def _example(story: Story, entry: PageFinding) -> Text:
    say = story.say
    if entry.meaning not in ("positive", "negative", "toxic") or entry.finding.comparison.is_interaction:
        return ()
    if entry.answer == "turns" or entry.by_emotion_only or entry.finding.comparison.reference == MEAN:
        return ()
    first, second = say.groups(entry.finding.comparison)
    higher, lower = (first, second) if (entry.gap or 0) > 0 else (second, first)
    return say(f"size.example_{entry.meaning}", with_a=higher.scope, with_b=lower.scope)


def _size_of_change(story: Story) -> Box:
    say, change = story.say, story.change
    if change is None or change.after.answer == UNKNOWN:
        return Box(say("size.title_change"))
    before, after = printed_gap(change.before), printed_gap(change.after)
    versions = change.entry.measurement.source.versions
    means = versions[1].source.emotion_means if versions else {}
    distance = _distance(change.after, means)
    sizes = [("before", before, "pale"), ("now", after, "found" if change.after.found else "grey")]
    if distance:
        sizes.append(("joyful", distance, "grey"))
    said: Text = ()
    if change.key == "cuts" and before:
        said = say("size.gone", share=say.share(before - after, before))
    elif change.key == "widens" and before:
        said = say("size.grown", share=say.share(after - before, before))
    return Box(say("size.title_change"), _bars(say, change.after, sizes), (capital(said),) if said else ())


def _size_of_rates(story: Story, lead: PageFinding) -> Box:
    say = story.say
    rates = rates_of(lead)
    first, second = say.groups(lead.finding.comparison)
    higher = first if (lead.gap or 0) > 0 else second
    said: list[Text] = []
    if rates is not None:
        printed = printed_rates(lead, rates)
        low, high = sorted(printed)
        if low > 0 and high / low >= 1.5:
            times = high / low
            shown = say.number(times) if abs(times - round(times)) < 0.2 else say.number(times, 1)
            said.append(say("size.times", times=shown))
        if lead.meaning == "unanswered" and high >= 8:
            said.append(say("size.example_unanswered", share=say.share(high, 100), with_a=higher.scope))
        elif lead.meaning == "unanswered":
            said.append(say("size.example_unanswered_few", n=say.number(high), with_a=higher.scope))
    return Box(say("size.title"), (), (joined(said),) if said else ())


def _size_of_nothing(story: Story) -> Box:
    """Return how far a gap may reach on the system's own scale, or why nothing can be sized."""
    say = story.say
    answers = story.answers
    if "deaf" in answers:
        return _size_of_hearing(story)
    known = [entry for entry in story.main or story.told if entry.reach is not None]
    key = "no_yardstick"
    if story.kind == "procedure":
        key, known = "procedure", []
    elif answers <= {"unanswered", "not_estimable"}:
        key = "nothing"
    elif answers <= {"no_reaction"}:
        key, known = "same", []
    worst = max(known, key=lambda entry: (entry.answer == "inconclusive", entry.reach), default=None)
    distance = _distance(worst) if worst else 0.0
    if worst is None or not distance:
        return Box(say("size.title"), (), (say(f"size.{key}"),))
    far = max(worst.rounding.up(worst.reach or 0.0), worst.rounding.step)
    bars = _bars(say, worst, [("could", far, "grey"), ("joyful", distance, "grey")])
    return Box(say("size.title"), bars, (say("size.share_could", share=say.share(far, distance)),))


def _size_of_hearing(story: Story) -> Box:
    """Return how many of the words for feelings a system hears."""
    say = story.say
    title = say("size.title_deaf")
    feelings = next(entry.feelings for entry in story.entries if entry.answer == "deaf")
    if not feelings.heard:
        return Box(title, (), (say("size.unheard"),))
    heard, words = say.number(feelings.heard), say.number(feelings.words)
    bars = (
        Bar(say("size.heard"), feelings.heard / feelings.words, heard, "grey"),
        Bar(say("size.words"), 1.0, words, "grey"),
    )
    return Box(title, bars, (say("size.small_sample", limit=say.number(feelings.fewest), words=words),))
