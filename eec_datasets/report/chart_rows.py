"""Rows of a chart and what surrounds them: the axis, the key, and the count of comparisons without a row."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import groupby

from eec_datasets.report import numbers, reaction
from eec_datasets.report.answers import (
    AnswerWords,
    after_status,
    answer,
    mark,
)
from eec_datasets.report.entries import PageFinding
from eec_datasets.report.numbers import Unit, rounding_of
from eec_datasets.report.say import MEAN, Say
from eec_datasets.report.story import Story
from eec_datasets.report.text import Text, capital, of, plain
from eec_datasets.report.view import (
    Chart,
    ChartRow,
    Mark,
    MarkKind,
    Scale,
)

MOST_ROWS = 12


def chosen_rows(
    entries: Sequence[PageFinding], most: int = MOST_ROWS, lead: PageFinding | None = None
) -> tuple[list[PageFinding], list[PageFinding]]:
    """Return the comparisons that have a row, in the order of the plan, and those that are counted.

    If there are too many, the leading one has a place, then the largest gaps found. A gap within a group that was found
    between the same groups as wholes is counted, too.
    """
    main = [entry for entry in entries if entry.is_main]
    told = {_groups_of(entry) for entry in main if entry.found}
    found_within = [entry for entry in entries if entry.found and not entry.is_main and _groups_of(entry) not in told]
    if not main:
        found_within = list(entries)
    if len(main) > most:
        main = sorted(main, key=lambda entry: (entry is not lead, not entry.found, -entry.size if entry.found else 0.0))
    wanted = main + found_within[: max(0, most - len(main))]
    kept = set(map(id, wanted[:most]))
    return [each for each in entries if id(each) in kept], [each for each in entries if id(each) not in kept]


def _groups_of(entry: PageFinding) -> tuple[str, ...]:
    """Return the two groups of a comparison, whoever they are compared among."""
    comparison = entry.finding.comparison
    kind = comparison.subset, comparison.agreement or "", comparison.output or ""
    return comparison.axes, comparison.level, comparison.reference, *kind


def _label(story: Story, entry: PageFinding, *, short: bool) -> Text:
    say = story.say
    label = say.question(entry.finding.comparison, short=short)
    if not short or entry.finding.comparison.axes != "gender":
        label = capital(label)
    languages = {each.measurement.language for each in story.entries}
    if len(languages) > 1 and story.kind == "one":
        return say("question.list", question=label, list=say.language_name(entry.measurement.language))
    same = [
        each
        for each in story.entries
        if each.finding.comparison.id == entry.finding.comparison.id and each.unit == entry.unit
    ]
    if len(same) > 1 and story.kind == "one":
        return say("question.list", question=label, list=entry.measurement.list)
    return label


def row_of(story: Story, entry: PageFinding, *, short: bool) -> ChartRow:
    """Return the row of a finding."""
    say = story.say
    first, second = say.groups(entry.finding.comparison)
    said = answer(say, entry)
    return ChartRow(
        "main",
        _label(story, entry, short=short),
        second.end,
        first.end,
        mark(entry),
        entry.answer,
        said.words,
        said.detail,
        after_status(say, entry),
        entry.found,
    )


def grouped_rows(story: Story, entries: Sequence[PageFinding]) -> list[tuple[Text, list[PageFinding]]]:
    """Return comparisons below headings that say who is compared, the headings in the order of the plan."""
    say = story.say
    order = list(dict.fromkeys(plain(say.heading(entry.finding.comparison)) for entry in entries))
    ordered = sorted(entries, key=lambda entry: order.index(plain(say.heading(entry.finding.comparison))))
    return [
        (of(heading), list(some))
        for heading, some in groupby(ordered, key=lambda entry: plain(say.heading(entry.finding.comparison)))
    ]


def rows_of(story: Story, entries: Sequence[PageFinding]) -> list[ChartRow]:
    """Return rows below headings that say who is compared."""
    rows: list[ChartRow] = []
    for heading, some in grouped_rows(story, entries):
        rows.append(ChartRow("heading", heading))
        for place, entry in enumerate(some):
            row = row_of(story, entry, short=True)
            if place and entry.finding.comparison.reference == MEAN:
                row = replace(row, left="")
            rows.append(row)
            if entry is story.lead:
                rows += _emotion_rows(story.say, entry)
            rows += _reaction_rows(story, entry)
            rows += _standouts(story, entry)
    return rows


def _reaction_rows(story: Story, entry: PageFinding) -> list[ChartRow]:
    """Return a row for each difference in reaction that was found between the same groups."""
    asked, about = entry.finding.comparison, (entry.system, id(entry.measurement))
    return [
        reaction.row(story.say, each)
        for each in story.reactions
        if each.finding.found
        and (each.system, id(each.measurement)) == about
        and (each.finding.comparison.axes, each.finding.comparison.subset) == (asked.axes, asked.subset)
        and entry.is_main
        and asked.agreement != "same"
    ]


def _emotion_rows(say: Say, entry: PageFinding) -> list[ChartRow]:
    """Return one small row per emotion, largest first: the dot only, and its number."""
    emotions = sorted(entry.finding.emotions, key=lambda each: -abs(each.gap))
    return [
        ChartRow(
            "emotion",
            of(say.emotion(each.emotion, "emotion_again" if place else "emotion_row")),
            mark=Mark("described", each.gap * entry.factor),
            said=_emotion_number(say, entry, each.gap * entry.factor),
            tinted=True,
        )
        for place, each in enumerate(emotions)
    ]


def _emotion_number(say: Say, entry: PageFinding, gap: float) -> Text:
    """Write the gap of one emotion; the other direction is named by who scores higher."""
    n = say.bare(gap, entry.rounding)
    if gap * (entry.gap or 0.0) >= 0:
        return of(n)
    first, second = say.groups(entry.finding.comparison)
    return say("answer.described_plain", who=(first if gap > 0 else second).who, n=n, more=say.more(entry.meaning))


def _standouts(story: Story, entry: PageFinding) -> list[ChartRow]:
    """Return a row for each name that differs while all others of the groups get the same score."""
    rows = []
    for each in entry.measurement.source.standouts:
        if getattr(each, "comparison", None) != entry.finding.comparison.id:
            continue
        size = each.gap * entry.factor
        more = story.say.more(entry.meaning) if size > 0 else story.say.less(entry.meaning)
        said = story.say("answer.name_apart", name=each.name, n=story.say.bare(size, entry.rounding), more=more)
        rows.append(ChartRow("emotion", of(each.name), mark=Mark("described", size), said=said))
    return rows


def with_words(row: ChartRow, said: AnswerWords) -> ChartRow:
    """Return the row with another answer in words."""
    return replace(row, said=said.words, detail=said.detail)


def axis_of(say: Say, entries: Sequence[PageFinding], marks: Iterable[Mark | None], *, in_boxes: bool = False) -> Scale:
    """Return the axis of a chart; its last mark names the unit, unless many boxes share it."""
    unit: Unit = entries[0].unit if entries else "points"
    drawn = [mark for mark in marks if mark]
    sizes = [abs(value) for mark in drawn for value in (mark.at, mark.low, mark.high) if value is not None]
    half = numbers.half_width(sizes, unit)
    rounding = rounding_of(unit, half)
    marked = [(tick, say.number(tick, rounding.decimals)) for tick in numbers.ticks(half, unit)]
    if unit != "raw" and not in_boxes:
        tick, label = marked[-1]
        marked[-1] = (tick, say.with_unit(label, tick, unit))
    meaning = entries[0].meaning if entries else ""
    named = say("picture.axis_raw") if unit == "raw" else ()
    return Scale(half, tuple(marked), say.number(0), named, _direction(say, meaning))


def _direction(say: Say, meaning: str) -> Text:
    if meaning in ("unanswered", "rate"):
        return say(f"picture.direction_{meaning}")
    if not meaning:
        return say("picture.direction_unknown")
    return say("picture.direction_score", more=say.more(meaning))


def chart_of(say: Say, rows: Sequence[ChartRow], entries: Sequence[PageFinding], *, wide: bool = False) -> Chart:
    """Return the chart of some rows, with an axis that holds all of them."""
    return Chart(tuple(rows), axis_of(say, entries, [row.mark for row in rows]), wide)


def keys_of(story: Story, marks: Iterable[MarkKind]) -> tuple[tuple[MarkKind, Text], ...]:
    """Return the key of the marks that are drawn."""
    say, drawn = story.say, set(marks)
    keys: list[tuple[MarkKind, Text]] = []
    if "found" in drawn:
        keys.append(("found", say("picture.key_found")))
    if "none" in drawn:
        keys.append(("none", say("picture.key_none")))
    if "open" in drawn:
        keys.append(("open", _key_open(story)))
    if "same" in drawn:
        keys.append(("same", say("picture.key_same")))
    if "described" in drawn:
        keys.append(("described", say("picture.key_described")))
    return tuple(keys)


def _key_open(story: Story) -> Text:
    say = story.say
    # Of two versions the one or the other may be inconclusive where the change is not.
    open_ones = (each.limit for each in story.entries if each.answer == "inconclusive")
    limit = next(open_ones, story.entries[0].limit)
    if limit is None:
        return say("picture.key_open_raw")
    shown = say.number(limit, 0 if float(limit).is_integer() else 1)
    return say("picture.key_open", size=say.with_unit(shown, limit, story.entries[0].unit))


def kinds_of(rows: Iterable[ChartRow]) -> list[MarkKind]:
    """Return the kinds of the marks that are drawn."""
    return [key_of(row.mark) for row in rows if row.mark]


def key_of(mark: Mark) -> MarkKind:
    """Return the kind by which the key explains a mark: a dot without a line is the same score."""
    return "same" if mark.kind == "none" and mark.low is None else mark.kind


def count_rest(story: Story, rest: Sequence[PageFinding]) -> tuple[Text, ...]:
    """Count the comparisons without a row."""
    say = story.say
    if not rest:
        return ()
    found = sum(entry.found for entry in rest)
    if found:
        return (say("picture.more_found", count=say.number(len(rest)), found=say.number(found)),)
    if all(entry.finding.comparison.within for entry in rest):
        groups = say.groups(rest[0].finding.comparison)
        who = say("language.and", first=groups[0].people, last=groups[1].people)
        return (say("picture.more_within", count=say.number(len(rest)), who=who),)
    return (say("picture.more_none", count=say.number(len(rest))),)
