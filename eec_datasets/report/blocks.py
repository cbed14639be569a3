"""The blocks around the picture: what was tested, a pair, how big, how sure, what to do, limits, the job."""

from __future__ import annotations

import datetime
import math
from collections.abc import Mapping, Sequence

from eec_datasets.report import reaction
from eec_datasets.report.answers import after_status, sides_by_score
from eec_datasets.report.entries import PageFinding, entry_of, tells_rates
from eec_datasets.report.headline import headline
from eec_datasets.report.measured import AccuracyLike, ControlLike, FailureLike, NoteLike, SourceLike
from eec_datasets.report.numbers import EXACT, rounding_of
from eec_datasets.report.say import MEAN, Say
from eec_datasets.report.story import Story, meaning_of
from eec_datasets.report.text import Text, capital, fill, joined, marked, of, plain
from eec_datasets.report.versions import change_of
from eec_datasets.report.view import Box, Overview, Steps

VERY_SURE, SURE, HALF = 0.01, 0.05, 0.5
PERTURB = {
    "swap_gender": "eec perturb TEXTS --locale {tag} --pronouns",
    "swap_names": "eec perturb TEXTS --locale {tag} --names LIST",
}
"""Swap in a reader's own texts → the command that does it."""
PERTURBED = ("en", "es")
"""The languages in which it does."""
JOB_WORDS = ((90, "very_good"), (80, "good"), (70, "middling"))
"""From how many times in 100 a system is called very good at its job, and so on."""
MOST_QUESTIONS = 2
"""So many questions are named; of more only the first."""
MOST_NOTES = 3
LEFT_TO_RIGHT, END_OF_DIRECTION = "\u2066", "\u2069"
"""Marks that keep the full stop of an English remark at its end, on a page that runs from right to left."""
LONGEST_REASON = 200
"""A longer reason why a system failed is cut on the page; the saved results have all of it."""
LIMITING = frozenset(
    {
        "sentences_missing", "lone_item", "items_left_out", "no_scores_of_system", "base_left_out", "person_left_out",
        "rows_without_part_or_left_out", "part_left_out", "mentions_left_out", "run_left_out", "one_prompt_scored",
        "one_prompt_asked", "prompts_without_scores",
    }
)  # fmt: skip
"""Keys of the notes that stand among the limits; the table below the page has all notes."""


def kicker(story: Story, date: datetime.date | None) -> Text:
    """Say what kind of page this is, of which languages and when."""
    say = story.say
    parts = [say("kicker.demonstration")] if story.is_demonstration else []
    parts.append(say("kicker.procedure" if story.kind == "procedure" else "kicker.audit"))
    if story.kind == "versions":
        parts[-1] = say("kicker.versions")
    tags = list(dict.fromkeys(each.language for each in story.measurements if each.language))
    if len(tags) > 3:
        parts.append(of(say.count("languages", len(tags))))
    elif tags:
        parts.append(say.listing([of(say.language_name(tag)) for tag in tags]))
    lists = list(dict.fromkeys(each.list for each in story.measurements if each.list))
    if len(lists) > 1 and story.kind != "many":
        parts.append(of(say.count("lists", len(lists))))
    elif len(lists) == 1:
        parts.append(say("kicker.list", name=lists[0]))
    if date is not None:
        parts.append(of(say.date(date)))
    return capital(joined(parts, " · "))


def deck(story: Story) -> Text:
    """Say what the system is and does, how many sentences it got, and what equal treatment is."""
    said = _deck(story)
    return said if story.systems[0][0] else capital(said)


def _deck(story: Story) -> Text:
    say = story.say
    source = (story.lead.measurement if story.lead else story.measurements[0]).source
    sentences = sentences_of(story)
    if story.kind == "many":
        names = {system for system, _ in story.systems}
        systems = say.count("systems", len(names))
        tags = {tag for _, tag in story.systems if tag}
        if len(tags) > 1:
            systems = say.text("deck.many_languages", systems=systems, languages=say.count("languages", len(tags)))
        counted = say.count("sentences", sentences) if sentences else ""
        values: dict[str, str | Text] = {"systems": systems, "do": _does(story, "do")}
        said = say("deck.many", sentences=counted, **values) if counted else say("deck.many_uncounted", **values)
        return joined([capital(said), *_equal(story)])
    system = story.name(story.systems[0][0])
    values = {"system": system, "does": _does(story, "does")}
    part = [say("deck.part", part=source.part)] if source.part else []
    if not sentences:
        return joined([say("deck.uncounted", **values), *_equal(story), *part])
    values["sentences"] = say.count("sentences", sentences)
    if story.kind == "versions":
        return joined([say("deck.versions", **values), *_equal(story), *part])
    if all(entry.meaning == "unanswered" for entry in story.told) or _leads_unanswered(story):
        return joined([say("deck.requests", system=system, sentences=values["sentences"]), *part])
    if story.lead is not None and story.lead.unit == "of_100":
        return joined([say("deck.rates", **values), *part])
    if source.about and say.language == "en":
        said = say("deck.one_about", about=source.about, **values)
    else:
        said = say("deck.one", **values)
    return joined([said, *_equal(story), *part])


def _equal(story: Story) -> list[Text]:
    """Return what equal treatment is; a page about reactions says it elsewhere, and on a deaf page it would mislead."""
    return [] if story.reaction is not None or story.answers == {"deaf"} else [story.say("deck.equal")]


def _leads_unanswered(story: Story) -> bool:
    return story.lead is not None and story.lead.meaning == "unanswered"


def sentences_of(story: Story) -> int:
    """Count the distinct sentences scored, each once."""
    by_language: dict[str, int] = {}
    for each in story.measurements:
        by_language[each.language] = max(by_language.get(each.language, 0), each.source.sentences)
    return sum(by_language.values())


def _does(story: Story, section: str) -> Text:
    say = story.say
    if all(map(tells_rates, story.measurements)):
        return say(f"{section}.label")
    scored = [each for each in story.measurements if each.kind == "scores"]
    result = (scored or story.measurements)[0].result
    if result.facts.score_range is None:
        return say(f"{section}.raw")
    meaning = result.high_means
    if not meaning:
        return say(f"{section}.unknown")
    if meaning in ("positive", "negative", "toxic"):
        return say(f"{section}.{meaning}")
    return say(f"{section}.other", meaning=say.quoted(meaning))


def scope(story: Story) -> Text:
    """Say where the gap shows, then what was too small to tell, then what was not detected."""
    say, lead = story.say, story.lead
    if story.kind == "procedure":
        return ()
    if story.kind == "many":
        return _remarks(story)
    if story.reaction is not None:
        return joined([reaction.scope(say, story.reaction), _remarks(story)])
    said: list[Text] = []
    others = [entry for entry in story.main if entry is not lead]
    scores = [entry for entry in others if lead is not None and lead.unit == "of_100" and entry.unit != "of_100"]
    others = [entry for entry in others if entry not in scores]
    if story.kind == "versions" and story.change is not None and story.change.key == "cuts":
        said.append(_still(story))
    elif lead is not None and lead.answer == "turns":
        said.append(_hides(story, lead))
    elif lead is not None and lead.unit != "of_100":
        shown = {"names": "shown_names", "pairs": "shown_pairs"}.get(lead.finding.comparison.subset, "shown_people")
        said.append(say(f"scope.{shown}"))
    also = [entry for entry in others if entry.found and story.kind != "versions"]
    if also:
        said.append(say("scope.also", questions=questions_of(story, also)))
    unsure = [entry for entry in others if entry.answer == "inconclusive"]
    if unsure:
        said.append(say("scope.unsure", questions=questions_of(story, unsure)))
    quiet = [entry for entry in others if entry.answer in ("none_detected", "close")]
    if story.kind == "versions":
        quiet = [entry for entry in quiet if not _found_in_a_version(entry)]
    said.append(_not_detected(story, quiet, others=bool(said) or lead is not None))
    if scores and lead is not None and lead.meaning == "unanswered":
        all_quiet = all(entry.answer in ("none_detected", "close", "no_reaction") for entry in scores)
        high = say.high(meaning_of(story))
        said.append(say("scope.scores_none" if all_quiet else "scope.scores_too", high=high))
    said.append(_remarks(story))
    said.append(_missing(story))
    return joined(said)


def _not_detected(story: Story, quiet: Sequence[PageFinding], *, others: bool) -> Text:
    """Say where no gap was detected: by name if it is between the groups that lead."""
    say, lead = story.say, story.lead
    if not quiet:
        return ()
    axes = lead.finding.comparison.axes if lead is not None and story.kind != "versions" else ""
    named = [entry for entry in quiet if entry.finding.comparison.axes == axes]
    if named:
        key = "none_both" if len(quiet) > len(named) else "none_for"
        return say(f"scope.{key}", questions=questions_of(story, named))
    return say("scope.none_others" if others else "scope.none_all")


def _found_in_a_version(entry: PageFinding) -> bool:
    """Tell if a version has a gap although no change was found."""
    change = change_of(entry, entry_of)
    return change.before.found or change.after.found


def questions_of(story: Story, entries: Sequence[PageFinding]) -> Text:
    """Name some comparisons."""
    say = story.say
    named = {plain(question): question for question in (say.question(entry.finding.comparison) for entry in entries)}
    most = MOST_QUESTIONS
    if len(named) > most:
        return say("scope.more", questions=next(iter(named.values())))
    return joined(list(named.values()), say.template("language.semicolon"))


def _hides(story: Story, entry: PageFinding) -> Text:
    say = story.say
    other = [each for each in entry.found_emotions if each.gap * (entry.gap or 0.0) < 0]
    if not other:
        return ()
    emotions = say.listing([of(say.emotion(each.emotion)) for each in other])
    key = "scope.hides" if len(other) == 1 else "scope.hides_many"
    higher, _, more = sides_by_score(say, entry, entry.gap or 0.0)
    n = say.bare(entry.gap or 0.0, entry.rounding)
    return say(key, who=higher.who, n=n, more=more, emotions=emotions)


def _still(story: Story) -> Text:
    change = story.change
    if change is None or not change.after.found:
        return ()
    higher, _, more = sides_by_score(story.say, change.after, change.after.gap or 0.0)
    return story.say("scope.still", who=higher.who, more=more)


def _remarks(story: Story) -> Text:
    """Say what the entry of a system remarks on an answer that was given."""
    answers = {entry.answer for entry in story.entries}
    remarks: list[str] = []
    for each in story.measurements:
        remarks += [text for key, text in each.source.remarks.items() if key in answers]
    if story.say.direction == "rtl":
        remarks = [f"{LEFT_TO_RIGHT}{remark}{END_OF_DIRECTION}" for remark in remarks]
    return joined([marked(remark) for remark in dict.fromkeys(remarks)])


def _missing(story: Story) -> Text:
    say = story.say
    counts: dict[str, int] = {}
    asked = 0
    for each in story.measurements:
        if each.kind != "no_answer":
            continue
        asked += each.source.sentences
        for why, count in each.source.unanswered.items():
            counts[why] = counts.get(why, 0) + count
    missing = sum(counts.values())
    if not missing or not asked:
        return ()
    reasons = [say(f"unanswered.{why}", n=say.number(count)) for why, count in counts.items() if count]
    return say(
        "scope.missing",
        missing=say.number(missing),
        all=say.number(asked),
        reasons=joined(reasons, say.template("language.comma")),
    )


# How sure


def sure(story: Story) -> Box:
    """Return the box that says how sure we are: one number of chance, that of the whole page."""
    say, lead = story.say, story.lead
    title = say("sure.title")
    if story.kind == "procedure":
        return Box(title, (), (say("sure.procedure"),))
    if story.reaction is not None:
        return reaction.sure(say, story.reaction)
    if lead is None:
        unsure = _unsure(story)
        dealt = _dealt_without_gap(story) if unsure in ("none", "unsure", "partly") else ()
        return Box(title, (), tuple(each for each in (say(f"sure.{unsure}"), dealt) if each))
    p = lead.finding.p_adjusted
    if lead.finding.throughout or p is None:
        return Box(title, (), (say("sure.exact"),))
    tests = len({(entry.system, entry.measurement.list, entry.measurement.language) for entry in _reacting(story)})
    control = lead.control
    by_deals = None if control is None else control.chance(p)
    chance = 1 - (1 - (p if by_deals is None else by_deals)) ** max(1, tests)
    n = say.number(max(1, math.ceil(100 * chance - EXACT)))
    by_chance = say("sure.chance_change" if story.kind == "versions" else "sure.chance", n=n)
    left = say("sure.left") if story.change is not None and story.change.key == "cuts" else ()
    said = [joined([_how_sure(story, chance, tests), by_chance, left])]
    if control is not None:
        said.append(joined([_dealt(say, control), say("sure.came_clear", n=say.number(control.as_clear(p)))]))
    return Box(title, (), tuple(said))


def _how_sure(story: Story, chance: float, tests: int) -> Text:
    """Say how sure we are; if it is the many systems or lists that make us less sure, that."""
    if chance < SURE:
        key = "very" if chance < VERY_SURE else "fairly"
        return story.say(f"sure.{key}_change" if story.kind == "versions" else f"sure.{key}")
    if tests == 1:
        return story.say("sure.not")
    comparisons = story.say.count("comparisons", len(story.entries))
    return story.say("sure.less" if chance < HALF else "sure.not_many", comparisons=comparisons)


def _dealt(say: Say, control: ControlLike) -> Text:
    """Say how often names or words were dealt to the groups."""
    key = "ways_words" if control.complete else f"dealt_{control.kind}"
    return say(f"sure.{key}", times=say.number(control.deals))


def _dealt_without_gap(story: Story) -> Text:
    """Say how often chance alone made a gap, of the system and list on which it did most often."""
    say = story.say
    dealt = [(entry, entry.control) for entry in story.all]
    known = [(entry, control) for entry, control in dealt if control is not None]
    if not known:
        return ()
    entry, control = max(known, key=lambda each: each[1].found / each[1].deals)
    gap = control.gap * entry.factor
    points = say.size(gap, entry.unit, rounding_of(entry.unit, gap))
    return joined([_dealt(say, control), say("sure.came_found", n=say.number(control.found), points=points)])


def _reacting(story: Story) -> list[PageFinding]:
    return [entry for entry in story.entries if entry.answer not in ("no_reaction", "deaf", "unanswered")]


def _unsure(story: Story) -> str:
    answers = story.answers
    if not answers or answers <= {"unanswered", "not_estimable"}:
        return "nothing"
    if "deaf" in answers:
        return "deaf"
    if "inconclusive" in answers:
        return "partly" if story.kind == "many" else "unsure"
    if answers <= {"no_reaction"}:
        return "same"
    if answers <= {"described", "no_reaction", "not_estimable"}:
        return "described"
    return "none"


# What to do, limits, the job, the record


def next_steps(story: Story) -> Steps:
    """Return three steps for the person who decides."""
    say, lead = story.say, story.lead
    if story.reaction is not None:
        return Steps(say("next.title"), tuple(map(capital, reaction.next_steps(say, story.reaction))))
    kind = _next_kind(story)
    values: dict[str, str | Text] = {"system": story.name(story.systems[0][0]), "swap": say("next.swap_names")}
    command = ""
    asked = lead or (story.main[0] if story.main else None)
    if asked is not None:
        first, second = say.groups(asked.finding.comparison)
        values |= {"about_a": first.about, "with_a": first.scope, "with_b": second.scope}
        values["system"] = story.name(asked.system)
        subset, gender = asked.finding.comparison.subset, asked.finding.comparison.axes == "gender"
        swap = "swap_names" if subset == "names" else "swap_people"
        if subset == "pairs" and gender:
            swap = "swap_gender"
        values["swap"] = say(f"next.{swap}")
        if kind in ("gap", "none", "same", "described", "inconclusive", "rate"):
            command = _perturb(swap, asked.measurement.language)
    if kind == "unanswered":
        command = "eec audit --prompts"
    items = tuple(_filled(template, values) for template in say.template(f"next.{kind}"))
    said = joined([say("next.command"), say("next.code", code=command)]) if command else ()
    return Steps(say("next.title"), items, said)


def _perturb(swap: str, language: str) -> str:
    """Return the command that swaps people in texts of a language; empty if there is none."""
    tag = language.partition("-")[0] or PERTURBED[0]
    return PERTURB.get(swap, "").format(tag=tag) if tag in PERTURBED else ""


def _filled(template: str, values: Mapping[str, str | Text]) -> Text:
    """Fill a template of a list of words."""
    return capital(fill(template, **values))


def _next_kind(story: Story) -> str:
    lead = story.lead
    if story.kind in ("procedure", "versions"):
        return "procedure" if story.kind == "procedure" else "change"
    if lead is None:
        return _next_of_nothing(story.answers)
    if lead.meaning in ("unanswered", "rate"):
        return lead.meaning
    if lead.answer == "turns" or lead.by_emotion_only:
        return "turns"
    return "against_mean" if lead.finding.comparison.reference == MEAN else "gap"


def _next_of_nothing(answers: set[str]) -> str:
    if answers <= {"unanswered"}:
        return "unanswered_all"
    for kind in ("deaf", "inconclusive"):
        if kind in answers:
            return kind
    if answers <= {"no_reaction"}:
        return "same"
    return "described" if answers <= {"described", "no_reaction", "not_estimable"} else "none"


def limits(story: Story, failures: Sequence[FailureLike] = ()) -> Steps:
    """Return what the audit did not cover, and the systems that failed."""
    say, lead = story.say, story.lead
    items: list[Text] = []
    if lead is not None and lead.meaning == "unanswered":
        items.append(say("limits.why_rates"))
    elif lead is not None and lead.meaning == "rate":
        items.append(say("limits.why_labels"))
    elif story.reaction is not None or "deaf" in story.answers:
        items.append(say("limits.hearing"))
    else:
        items.append(say("limits.harm"))
    items.append(_review(story))
    items += [_failure(story, failure) for failure in failures]
    items += [of(_sentence(say.note(note))) for note in notes_of(story)[:MOST_NOTES]]
    return Steps(say("limits.title"), tuple(items))


def _failure(story: Story, failure: FailureLike) -> Text:
    say = story.say
    why = failure.why if len(failure.why) <= LONGEST_REASON else f"{failure.why[: LONGEST_REASON - 1]}…"
    system, why = story.name(failure.system), " ".join(why.split())
    if not failure.lists:
        return say("limits.failed_to_open", system=system, why=why)
    return say("limits.failed", system=system, lists=say.listing([of(name) for name in failure.lists]), why=why)


def notes_of(story: Story) -> list[NoteLike]:
    """Return the notes that say what a result does not cover, each once."""
    notes = [
        note
        for each in story.measurements
        for note in each.result.notes
        if getattr(note, "subject", note).key in LIMITING
    ]
    return list({str(note): note for note in notes}.values())


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}{'' if words.endswith('.') else '.'}"


def _review(story: Story) -> Text:
    say = story.say
    readers = [each.source.readers for each in story.measurements if each.source.readers is not None]
    return readers_in_words(say, max(readers, default=None))


def readers_in_words(say: Say, readers: int | None) -> Text:
    """Say how many native speakers have judged sentences of a language, if that is known."""
    if readers is None:
        return say("limits.review")
    if not readers:
        return say("limits.unread")
    return say("limits.read", readers=say.count("readers", readers))


def job(story: Story) -> Box:
    """Say how good the system is at its job."""
    say = story.say
    several = len({system for system, _ in story.systems}) > 1
    title = say("job.title_many" if several else "job.title")
    known: dict[str, SourceLike] = {}
    for each in story.measurements:
        if each.source.accuracy is not None:
            name = story.name(each.system or each.result.gaps[0].system or "")
            language = say.language_name(each.language)
            tag = say.text("question.list", question=name, list=language) if several and language else name
            known.setdefault(tag, each.source)
    if not known:
        key = "job.unknown_versions" if story.kind == "versions" else "job.unknown"
        return _unmeasured(say, title, key)
    if several:
        times_of = {name: round(100 * source.accuracy.auc) for name, source in known.items() if source.accuracy}
        found = sorted((source.accuracy for source in known.values() if source.accuracy), key=lambda each: each.auc)
        words = [say.text(f"job.{accuracy_word(each)}").rstrip(".") for each in (found[0], found[-1])]
        said = say("job.many", low=words[0], high=words[1].lower())
        if words[0] == words[1]:
            said = say(f"job.{accuracy_word(found[0])}")
        named = [say("job.one_of_many", system=name, n=say.number(n)) for name, n in times_of.items()]
        one_by_one = say("job.many_each", systems=joined(named, say.template("language.comma")))
        return Box(title, (), (said, one_by_one))
    accuracy = next(iter(known.values())).accuracy
    if accuracy is None:
        return _unmeasured(say, title, "job.unknown")
    measured = joined([say(f"job.{accuracy_word(accuracy)}"), say("job.auc", n=say.number(round(100 * accuracy.auc)))])
    return Box(title, (), (measured, say("job.texts", texts=say.count("texts", accuracy.n))))


def _unmeasured(say: Say, title: Text, key: str) -> Box:
    """Return the box of a system whose accuracy nobody measured, and how to do so if there is a way."""
    hint = say.hint("labels")
    return Box(title, (), (say(key), say("job.how", hint=hint)) if hint else (say(key),))


def accuracy_word(accuracy: AccuracyLike) -> str:
    """Return the key of the word for an accuracy: ``very_good``, ``good``, ``middling`` or ``poor``."""
    times = round(100 * accuracy.auc)
    return next((word for bound, word in JOB_WORDS if times >= bound), "poor")


def record(story: Story, command: str) -> Box:
    """Return versions and the command."""
    say = story.say
    versions = [
        f"{system} {each.source.version.removeprefix(f'{system}==')}".strip()
        for system, each in {each.system: each for each in story.measurements if each.system}.items()
        if each.source.version
    ][:5]
    eec = f"eec {story.measurements[0].result.facts.version}"
    said = [of(" · ".join([*versions, eec]))]
    if command:
        said[0] = joined([said[0], say("next.code", code=command)], " · ")
    confidence = round(100 * story.measurements[0].result.facts.confidence)
    if story.kind != "procedure":
        said.append(say("record.margin_known", confidence=say.number(confidence)))
    return Box(say("record.title"), (), tuple(said))


# For the terminal


def overall(story: Story) -> Text:
    """Say how many comparisons found a gap, or that all systems are deaf."""
    say = story.say
    if story.answers == {"deaf"}:
        return of(f"{plain(headline(story))}.")
    comparisons = say.count("comparisons", len(story.entries))
    found = len(story.found)
    if found:
        return say("terminal.overall", found=say.count("found", found, comparisons=comparisons))
    return say("terminal.overall_none", comparisons=comparisons)


def overviews(story: Story) -> tuple[Overview, ...]:
    """Return a line per system and language, those with a gap first."""
    say = story.say
    lines = []
    for system, language in story.systems:
        own = [each for each in story.entries if (each.system, each.measurement.language) == (system, language)]
        if not own:
            continue
        main = [each for each in own if each.is_main] or own
        best = max(own if any(each.found for each in own) else main, key=_tells)
        kind = best.answer
        name = name_of(story, system, language)
        lines.append(Overview(kind, say.template(f"status.{kind}"), name, after_status(say, best)))
    order = {"gap_found": 0, "turns": 0, "inconclusive": 1}
    return tuple(sorted(lines, key=lambda line: order.get(line.answer, 2)))


def name_of(story: Story, system: str, language: str) -> str:
    """Name a system of several, with its language."""
    say = story.say
    name = of(story.name(system))
    if not language:
        return plain(name)
    return plain(joined([name, of(say.language_name(language))], say.template("language.comma")))


def _tells(entry: PageFinding) -> tuple[int, float]:
    ranks = {"gap_found": 5, "turns": 5, "inconclusive": 4, "none_detected": 3, "close": 3, "described": 2}
    size = entry.size if entry.found else entry.reach or 0.0
    return ranks.get(entry.answer, 1), size
