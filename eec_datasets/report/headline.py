"""The headline of a page, and the best guess below it."""

from __future__ import annotations

from collections.abc import Sequence

from eec_datasets.report import reaction
from eec_datasets.report.answers import outer_range, sides_by_score, sizes
from eec_datasets.report.entries import PageFinding
from eec_datasets.report.say import MEAN, Say
from eec_datasets.report.story import Story, levels_of, meaning_of, printed_rates, rates_of, turning
from eec_datasets.report.text import Text, capital, of
from eec_datasets.report.versions import UNKNOWN, VersionChange


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
    feelings = next(entry.feelings for entry in story.entries if entry.answer == "deaf")
    if not feelings.heard:
        return say("headline.deaf_plain", system=system)
    heard, words = say.number(feelings.heard), say.number(feelings.words)
    return say("headline.deaf", system=system, heard=heard, words=words)


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
