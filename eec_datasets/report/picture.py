"""The picture of a page: rows with a dot and a line, small charts for several systems, squares for rates."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from eec_datasets.report import numbers, reaction
from eec_datasets.report.answers import (
    AnswerWords,
    after_status,
    answer,
    emotion_mark,
    emotion_range,
    emotion_words,
    in_cell,
    mark,
    none_in_any_emotion,
    outer_range,
)
from eec_datasets.report.blocks import accuracy_word, questions_of
from eec_datasets.report.entries import PageFinding, entry_of
from eec_datasets.report.numbers import Unit, rounding_of
from eec_datasets.report.say import MEAN, Say
from eec_datasets.report.story import Story, printed_rates, rates_of
from eec_datasets.report.text import Text, capital, joined, marked, of, plain
from eec_datasets.report.versions import UNKNOWN, VersionChange, change_of
from eec_datasets.report.view import (
    Cell,
    Chart,
    ChartRow,
    Grid,
    GridColumn,
    GridRow,
    Mark,
    MarkKind,
    Picture,
    Scale,
    Squares,
)

MOST_ROWS = 12
MOST_HEADINGS = 5
MOST_COLUMNS = 6
MOST_SYSTEMS = 10


def picture(story: Story, headline: Text) -> Picture:
    """Return the picture of a story."""
    if story.kind == "versions":
        drawn = _versions(story)
    elif story.kind == "many":
        drawn = _many(story)
    elif story.reaction is not None:
        drawn = reaction.picture(story.say, story.reaction)
    elif any(entry.unit == "of_100" for entry in story.entries):
        drawn = _rates(story)
    else:
        drawn = _one(story)
    rows = [row for chart in drawn.charts for row in chart.rows if row.level == "main"]
    said = "; ".join(f"{plain(row.label)}: {plain(joined([row.said, row.detail]))}" for row in rows)
    aria = story.say.text("picture.aria", headline=plain(headline), rows=said)
    return replace(drawn, aria=aria)


# Rows


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


def _grouped(story: Story, entries: Sequence[PageFinding]) -> list[tuple[Text, list[PageFinding]]]:
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
    for heading, some in _grouped(story, entries):
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


# Charts


def _axis(say: Say, entries: Sequence[PageFinding], marks: Iterable[Mark | None], *, in_boxes: bool = False) -> Scale:
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


def _chart(say: Say, rows: Sequence[ChartRow], entries: Sequence[PageFinding], *, wide: bool = False) -> Chart:
    return Chart(tuple(rows), _axis(say, entries, [row.mark for row in rows]), wide)


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


def _kinds(rows: Iterable[ChartRow]) -> list[MarkKind]:
    return [key_of(row.mark) for row in rows if row.mark]


def key_of(mark: Mark) -> MarkKind:
    """Return the kind by which the key explains a mark: a dot without a line is the same score."""
    return "same" if mark.kind == "none" and mark.low is None else mark.kind


def _more(story: Story, rest: Sequence[PageFinding]) -> tuple[Text, ...]:
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


def _one(story: Story) -> Picture:
    say = story.say
    if story.lead is not None and story.lead.answer == "turns":
        return _turns(story)
    if story.entries and all(entry.answer == "deaf" for entry in story.entries):
        return _deaf(story)
    shown, rest = chosen_rows(story.entries, lead=story.lead)
    if len(_grouped(story, shown)) > MOST_HEADINGS:
        shown, rest = chosen_rows(story.entries, MOST_ROWS - MOST_HEADINGS, story.lead)
    rows = rows_of(story, shown)
    charts = (_chart(say, rows, shown),) if shown else ()
    return Picture(
        say("picture.compared"),
        say("picture.legend") if shown else (),
        keys_of(story, _kinds(rows)),
        charts=charts,
        notes=_more(story, rest),
    )


def _deaf(story: Story) -> Picture:
    """Return the words that a system hears, of one that hears too little to tell."""
    say = story.say
    _, words = map(say.number, story.entries[0].heard)
    return Picture(
        say("picture.feelings", words=words),
        say("picture.legend_feelings"),
        feelings=_feelings(story),
        notes=(capital(say("answer.all_comparisons", questions=questions_of(story, story.main or story.entries))),),
    )


def _feelings(story: Story) -> tuple[tuple[Text, tuple[Text, ...]], ...]:
    """Return the words for feelings by emotion, those that the system hears strong."""
    say = story.say
    groups = []
    for emotion, words in story.entries[0].feelings.items():
        listed = tuple(marked(f"**{word}**") if heard else of(word) for word, heard in words.items())
        groups.append((capital(of(say.emotion(emotion))), listed))
    return tuple(groups)


def _turns(story: Story) -> Picture:
    say = story.say
    shown, rest = chosen_rows(story.entries, lead=story.lead)
    rows: list[ChartRow] = []
    lead = story.lead
    turning = [entry for entry in shown if entry.answer == "turns"]
    quiet = [entry for entry in shown if entry.answer != "turns"]
    room = max(1, MOST_ROWS - len(quiet))
    for entry in sorted(turning, key=lambda each: each is not lead):
        if len([row for row in rows if row.level == "main"]) + len(entry.finding.emotions) > room and rows:
            rest = [*rest, entry]
            continue
        first, second = say.groups(entry.finding.comparison)
        low, high = outer_range(entry, entry.found_emotions)
        detail = say("answer.turns", range=say.range(low, high, entry.rounding))
        rows.append(ChartRow("heading", capital(say.question(entry.finding.comparison)), detail=detail))
        rows += [
            ChartRow(
                "main",
                of(say.emotion(each.emotion, "emotion_again" if place else "emotion_row")),
                "" if place else second.end,
                "" if place else first.end,
                emotion_mark(entry, each),
                "gap_found" if each.found else "none_detected",
                capital(emotion_words(say, entry, each, "answer.cell_gap")),
                brief=emotion_words(say, entry, each, "answer.described_plain"),
                tinted=each.found,
            )
            for place, each in enumerate(sorted(entry.finding.emotions, key=lambda each: each.emotion != "joy"))
        ]
    for heading, some in _grouped(story, quiet):
        rows.append(ChartRow("heading", heading))
        for entry in some:
            row = row_of(story, entry, short=True)
            if entry.answer == "none_detected" and entry.finding.emotions:
                row = _with(row, none_in_any_emotion(say, entry))
                row = replace(row, mark=Mark("none", entry.gap or 0.0, *emotion_range(entry)))
            rows.append(row)
    return Picture(
        say("picture.emotions"),
        say("picture.legend"),
        keys_of(story, _kinds(rows)),
        charts=(_chart(say, rows, [*turning, *quiet]),),
        notes=_more(story, rest),
    )


def _with(row: ChartRow, said: AnswerWords) -> ChartRow:
    return replace(row, said=said.words, detail=said.detail)


# Rates


def _rates(story: Story) -> Picture:
    say, lead = story.say, story.lead
    squares: tuple[Squares, ...] = ()
    rates = [entry for entry in story.entries if entry.unit == "of_100"]
    scores = [entry for entry in story.entries if entry.unit != "of_100"]
    drawn = lead if lead is not None and lead.unit == "of_100" else next(iter(rates), None)
    if drawn is not None and (both := rates_of(drawn)) is not None:
        squares = _squares(story, drawn, both)
    charts = []
    shown, rest = chosen_rows(rates, MOST_ROWS // 2 if scores else MOST_ROWS)
    for key, some in groupby(shown, key=lambda entry: (entry.meaning, entry.label)):
        listed = list(some)
        unanswered = key[0] == "unanswered"
        title = say("picture.unanswered_rows" if unanswered else "picture.label_rows", label=say.quoted(key[1]))
        rows = [ChartRow("heading", title), *(row_of(story, entry, short=False) for entry in listed)]
        charts.append(_chart(say, rows, listed))
    shown_scores, rest_scores = chosen_rows(scores, MOST_ROWS // 2)
    if shown_scores:
        heading = say("picture.score_rows" if any(e.meaning == "unanswered" for e in rates) else "picture.compared")
        rows = [ChartRow("heading", heading), *(row_of(story, entry, short=False) for entry in shown_scores)]
        charts.append(_chart(say, rows, shown_scores))
    drawn_as = "picture.rates" if any(entry.meaning == "unanswered" for entry in rates) else "picture.labels"
    kinds = [kind for chart in charts for kind in _kinds(chart.rows)]
    return Picture(
        say(drawn_as),
        say("picture.legend"),
        keys_of(story, kinds),
        squares=squares,
        charts=tuple(charts),
        notes=_more(story, [*rest, *rest_scores]),
    )


def _squares(story: Story, entry: PageFinding, rates: tuple[float, float]) -> tuple[Squares, ...]:
    say = story.say
    groups = say.groups(entry.finding.comparison)
    printed = printed_rates(entry, rates)
    key = "square_unanswered" if entry.meaning == "unanswered" else "square_rate"
    both = [
        Squares(
            round(rate),
            say(f"picture.{key}", n=say.number(rate), **{"with": group.scope}),
            entry.found and rate == max(printed),
        )
        for group, rate in zip(groups, printed, strict=True)
    ]
    return tuple(sorted(both, key=lambda each: -each.filled))


# Two versions


def _versions(story: Story) -> Picture:
    say = story.say
    shown, rest = chosen_rows(story.entries, lead=story.lead)
    changes = [change_of(entry, entry_of) for entry in shown]
    lead = story.lead
    changes.sort(key=lambda change: change.entry is not lead)
    rows: list[ChartRow] = []
    count = 0
    still = [change for change in changes if not (change.before.found or change.after.found or change.entry.found)]
    shown_still = [change for change in still if change.after.answer != UNKNOWN]
    for change in changes:
        if change in still:
            continue
        if count + 3 > MOST_ROWS:
            rest = [*rest, change.entry]
            continue
        of_change = _change_rows(story, change)
        count += len(of_change) - 1
        rows += of_change
    room = max(0, MOST_ROWS - count)
    rows += _still_rows(story, shown_still[:room])
    rows += _reactions_of_versions(story)
    rest = [*rest, *(change.entry for change in still if change not in shown_still[:room])]
    marks = [row.mark for row in rows]
    axis = _axis(say, [change.entry for change in changes], marks)
    known = (say("picture.change_known"),) if _is_known_better(story.change) else ()
    return Picture(
        say("picture.versions"),
        say("picture.legend_versions"),
        keys_of(story, [kind for kind in _kinds(rows) if kind in ("found", "none", "open")]),
        charts=(Chart(tuple(rows), axis, wide=True),),
        notes=(*known, *_more(story, rest)),
    )


def _is_known_better(change: VersionChange | None) -> bool:
    """Tell if the printed range of a change is narrower than those of both gaps."""
    if change is None or not change.entry.found:
        return False
    widths = []
    for each in (change.entry, change.before, change.after):
        if each.low is None or each.high is None:
            return False
        near, far = numbers.ends(each.low, each.high)
        widths.append(each.rounding.up(far) - each.rounding.down(near))
    return widths[0] < min(widths[1:])


def _still_rows(story: Story, changes: Sequence[VersionChange]) -> list[ChartRow]:
    """Return a row for each comparison in which neither version nor the change has a gap: that of now."""
    say = story.say
    of_after = {id(change.after): change for change in changes}
    rows: list[ChartRow] = []
    for heading, some in _grouped(story, [change.after for change in changes]):
        rows.append(ChartRow("heading", heading))
        for entry in some:
            row = row_of(story, entry, short=True)
            change = of_after[id(entry)]
            quiet = entry.answer in ("none_detected", "close")
            if change.key == "unchanged":
                detail = say("answer.unchanged_detail", answer=answer(say, entry).whole)
                row = _unchanged(row, AnswerWords(say("answer.unchanged"), detail))
            elif quiet and entry.low is not None and entry.high is not None:
                at_most = of(say.at_most(entry.low, entry.high, entry.rounding))
                row = _with(row, AnswerWords(say("answer.before_or_now"), at_most))
            elif change.entry.low is not None and change.entry.high is not None:
                at_most = of(say.at_most(change.entry.low, change.entry.high, change.entry.rounding))
                detail = say("answer.no_change_detail", at_most=at_most, answer=answer(say, entry).whole)
                row = _unchanged(row, AnswerWords(say("answer.no_change"), detail))
            rows.append(row)
    return rows


def _reactions_of_versions(story: Story) -> Iterator[ChartRow]:
    """Yield a heading and a row per version for each question on reactions in which a version has a difference."""
    for before, after in story.reactions_of_versions:
        comparison = before.finding.comparison
        asked = of(f"{plain(story.say.question(comparison))}: {plain(reaction.row(story.say, before).label)}")
        yield ChartRow("heading", capital(asked))
        for label, version in (("before", before), ("now", after)):
            row = reaction.row(story.say, version)
            brief = row.said if version.finding.found else row.detail
            yield replace(row, label=story.say(f"picture.{label}"), brief=brief)


def _unchanged(row: ChartRow, said: AnswerWords) -> ChartRow:
    return replace(_with(row, said), answer="no_change", brief=said.detail)


def _change_rows(story: Story, change: VersionChange) -> list[ChartRow]:
    say = story.say
    heading = ChartRow("heading", capital(say.question(change.entry.finding.comparison)))
    rows = [heading]
    for label, each in (("before", change.before), ("now", change.after)):
        if each.answer == UNKNOWN:
            continue
        row = row_of(story, each, short=False)
        mark_of = row.mark
        if label == "before" and mark_of and mark_of.kind == "found":
            mark_of = Mark("before", mark_of.at, mark_of.low, mark_of.high)
        said = row.said
        if label == "before":
            said = of(plain(said))
        tinted = change.tells or each.found
        rows.append(replace(row, label=say(f"picture.{label}"), mark=mark_of, said=said, tinted=tinted))
    if change.entry.found or (change.before.found and change.after.found):
        rows.append(_arrow(story, change))
    return rows


def _arrow(story: Story, change: VersionChange) -> ChartRow:
    say = story.say
    entry = change.entry
    before, after = change.before.gap or 0.0, change.after.gap or 0.0
    arrow = Mark("change", after, before) if change.before.found and change.after.found else None
    if not entry.found:
        at_most = say.at_most(entry.low or 0.0, entry.high or 0.0, entry.rounding)
        return ChartRow(
            "main", say("picture.change"), answer="none_detected", said=say("answer.no_change"), detail=of(at_most)
        )
    if change.after.answer == UNKNOWN:
        shown = answer(say, entry)
        return replace(row_of(story, entry, short=False), label=say("picture.change"), said=shown.words)
    n = say.bare(printed_change(change), entry.rounding)
    if before * after < 0:
        said = say("answer.turned", n=n)
    else:
        said = say("answer.smaller" if abs(after) < abs(before) else "answer.larger", n=n)
    detail = say("answer.change_detail", range=say.range(entry.low or 0.0, entry.high or 0.0, entry.rounding))
    brief = joined([said, detail], " · ")
    label = say("picture.change")
    return ChartRow("main", label, "", "", arrow, "gap_found", said, detail, brief, tinted=True)


def printed_change(change: VersionChange) -> float:
    """Return the change as the difference of the two gaps that are printed."""
    rounding = change.entry.rounding
    before, after = (
        math.copysign(rounding.near(each.gap or 0.0), each.gap or 0.0) for each in (change.before, change.after)
    )
    return abs(after - before)


# Several systems


def _many(story: Story) -> Picture:
    say = story.say
    main = [entry for entry in story.entries if entry.is_main and entry.finding.comparison.output is None]
    main = [entry for entry in main if entry.unit != "of_100"] or main or list(story.entries)
    asked = {column: next(each for each in main if _column(each) == column) for column in map(_column, main)}
    by_found = sorted(asked, key=lambda column: not any(each.found for each in main if _column(each) == column))
    kept = set(by_found[:MOST_COLUMNS])
    columns = [column for column in asked if column in kept]
    pairs = story.systems
    found_systems = {(each.system, each.measurement.language) for each in main if each.found}
    chosen = sorted(pairs, key=lambda pair: pair not in found_systems)[:MOST_SYSTEMS]
    systems = [pair for pair in pairs if pair in set(chosen)]
    cells: dict[tuple[str, str, str], PageFinding] = {}
    for each in sorted(main, key=lambda entry: (entry.found, _reach(entry))):
        cells[each.system, each.measurement.language, _column(each)] = each
    drawn = [each for key, each in cells.items() if key[:2] in set(systems) and key[2] in kept]
    rows = tuple(
        GridRow(
            story.name(system),
            _below_name(story, system, language),
            tuple(_cell(say, cells.get((system, language, column))) for column in columns),
        )
        for system, language in systems
    )
    heads = []
    for column in columns:
        comparison = asked[column].finding.comparison.on_all_words
        first, second = say.groups(comparison)
        heads.append(GridColumn(capital(say.question(comparison)), second.end, first.end))
    axis = _axis(say, drawn, [mark(each) for each in drawn], in_boxes=True)
    axis = replace(axis, ticks=axis.ticks[-1:])
    unit = say("picture.in_every_box_raw" if drawn and drawn[0].unit == "raw" else "picture.in_every_box")
    notes = [say("picture.along")]
    left_out = [pair for pair in pairs if pair not in set(systems)]
    if left_out:
        count = sum(pair in found_systems for pair in left_out)
        key = "more_systems" if count else "more_systems_none"
        notes = [say(f"picture.{key}", count=say.number(len(left_out)), found=say.number(count)), *notes]
    drawn_ids = set(map(id, drawn))
    rest = [each for each in story.entries if id(each) not in drawn_ids]
    kinds = [key_of(cell.mark) for row in rows for cell in row.cells if cell.mark]
    return Picture(
        say("picture.main"),
        say("picture.legend"),
        keys_of(story, kinds),
        grid=Grid(tuple(heads), rows, axis, unit),
        notes=(joined([*_more(story, rest), *notes]),),
    )


def _column(entry: PageFinding) -> str:
    """Return what a column asks: the comparison, whether words agree with the person or not."""
    return entry.finding.comparison.on_all_words.id


def _reach(entry: PageFinding) -> float:
    return max(abs(entry.low or 0.0), abs(entry.high or 0.0))


def _below_name(story: Story, system: str, language: str) -> str:
    """Say the language of a system of several, and how good it is at its job there."""
    say = story.say
    name = say.language_name(language) if language else ""
    for each in story.measurements:
        if (each.system, each.language) == (system, language) and each.source.accuracy is not None:
            word = say.text(f"job.{accuracy_word(each.source.accuracy)}").rstrip(".").lower()
            return say.text("job.below", language=name, word=word)
    return name


def lead_rows(story: Story) -> tuple[ChartRow, ...]:
    """Return the rows of the system that leads a page on several, for where there is no table of charts."""
    lead = story.lead
    if lead is None or story.kind != "many":
        return ()
    own = [
        each
        for each in story.entries
        if (each.system, each.measurement.language) == (lead.system, lead.measurement.language)
    ]
    shown, _ = chosen_rows(own)
    return tuple(rows_of(story, shown))


def _cell(say: Say, entry: PageFinding | None) -> Cell:
    if entry is None:
        return Cell(say("answer.not_asked"))
    said = in_cell(say, entry)
    if entry.finding.comparison.agreement:
        said = say(f"question.{entry.finding.comparison.agreement}", question=said)
    return Cell(capital(said), mark(entry), entry.found)
