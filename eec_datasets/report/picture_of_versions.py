"""The picture of two versions: each gap before and now, and the change."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

from eec_datasets.report import numbers, reaction
from eec_datasets.report.answers import (
    AnswerWords,
    answer,
)
from eec_datasets.report.chart_rows import (
    MOST_ROWS,
    axis_of,
    chosen_rows,
    count_rest,
    grouped_rows,
    keys_of,
    kinds_of,
    row_of,
    with_words,
)
from eec_datasets.report.entries import entry_of
from eec_datasets.report.story import Story
from eec_datasets.report.text import capital, joined, of, plain
from eec_datasets.report.versions import UNKNOWN, VersionChange, change_of
from eec_datasets.report.view import (
    Chart,
    ChartRow,
    Mark,
    Picture,
)


def picture_of_versions(story: Story) -> Picture:
    """Return the picture of a page that compares two versions."""
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
    axis = axis_of(say, [change.entry for change in changes], marks)
    known = (say("picture.change_known"),) if _is_known_better(story.change) else ()
    return Picture(
        say("picture.versions"),
        say("picture.legend_versions"),
        keys_of(story, [kind for kind in kinds_of(rows) if kind in ("found", "none", "open")]),
        charts=(Chart(tuple(rows), axis, wide=True),),
        notes=(*known, *count_rest(story, rest)),
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
    for heading, some in grouped_rows(story, [change.after for change in changes]):
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
                row = with_words(row, AnswerWords(say("answer.before_or_now"), at_most))
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
    return replace(with_words(row, said), answer="no_change", brief=said.detail)


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
    n = say.bare(_printed_change(change), entry.rounding)
    if before * after < 0:
        said = say("answer.turned", n=n)
    else:
        said = say("answer.smaller" if abs(after) < abs(before) else "answer.larger", n=n)
    detail = say("answer.change_detail", range=say.range(entry.low or 0.0, entry.high or 0.0, entry.rounding))
    brief = joined([said, detail], " · ")
    label = say("picture.change")
    return ChartRow("main", label, "", "", arrow, "gap_found", said, detail, brief, tinted=True)


def _printed_change(change: VersionChange) -> float:
    """Return the change as the difference of the two gaps that are printed."""
    rounding = change.entry.rounding
    before, after = (
        math.copysign(rounding.near(each.gap or 0.0), each.gap or 0.0) for each in (change.before, change.after)
    )
    return abs(after - before)
