"""The picture of a page, by its kind: one system, feelings that are not heard, emotions, or rates."""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby

from eec_datasets.report import reaction
from eec_datasets.report.answers import (
    emotion_mark,
    emotion_range,
    emotion_words,
    none_in_any_emotion,
    outer_range,
)
from eec_datasets.report.blocks import questions_of
from eec_datasets.report.chart_rows import (
    MOST_ROWS,
    chart_of,
    chosen_rows,
    count_rest,
    grouped_rows,
    keys_of,
    kinds_of,
    row_of,
    rows_of,
    with_words,
)
from eec_datasets.report.entries import PageFinding
from eec_datasets.report.picture_of_systems import picture_of_systems
from eec_datasets.report.picture_of_versions import picture_of_versions
from eec_datasets.report.story import Story, printed_rates, rates_of
from eec_datasets.report.text import Text, capital, joined, marked, of, plain
from eec_datasets.report.view import (
    ChartRow,
    Mark,
    Picture,
    Squares,
)

MOST_HEADINGS = 5


def picture(story: Story, headline: Text) -> Picture:
    """Return the picture of a story."""
    if story.kind == "versions":
        drawn = picture_of_versions(story)
    elif story.kind == "many":
        drawn = picture_of_systems(story)
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


def _one(story: Story) -> Picture:
    say = story.say
    if story.lead is not None and story.lead.answer == "turns":
        return _turns(story)
    if story.entries and all(entry.answer == "deaf" for entry in story.entries):
        return _deaf(story)
    shown, rest = chosen_rows(story.entries, lead=story.lead)
    if len(grouped_rows(story, shown)) > MOST_HEADINGS:
        shown, rest = chosen_rows(story.entries, MOST_ROWS - MOST_HEADINGS, story.lead)
    rows = rows_of(story, shown)
    charts = (chart_of(say, rows, shown),) if shown else ()
    return Picture(
        say("picture.compared"),
        say("picture.legend") if shown else (),
        keys_of(story, kinds_of(rows)),
        charts=charts,
        notes=count_rest(story, rest),
    )


def _deaf(story: Story) -> Picture:
    """Return the words that a system hears, of one that hears too little to tell."""
    say = story.say
    return Picture(
        say("picture.feelings", words=say.number(story.entries[0].feelings.words)),
        say("picture.legend_feelings"),
        feelings=_feelings(story),
        notes=(capital(say("answer.all_comparisons", questions=questions_of(story, story.main or story.entries))),),
    )


def _feelings(story: Story) -> tuple[tuple[Text, tuple[Text, ...]], ...]:
    """Return the words for feelings by emotion, those that the system hears strong."""
    say = story.say
    groups = []
    for emotion, words in story.entries[0].feelings.by_emotion.items():
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
    for heading, some in grouped_rows(story, quiet):
        rows.append(ChartRow("heading", heading))
        for entry in some:
            row = row_of(story, entry, short=True)
            if entry.answer == "none_detected" and entry.finding.emotions:
                row = with_words(row, none_in_any_emotion(say, entry))
                row = replace(row, mark=Mark("none", entry.gap or 0.0, *emotion_range(entry)))
            rows.append(row)
    return Picture(
        say("picture.emotions"),
        say("picture.legend"),
        keys_of(story, kinds_of(rows)),
        charts=(chart_of(say, rows, [*turning, *quiet]),),
        notes=count_rest(story, rest),
    )


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
        charts.append(chart_of(say, rows, listed))
    shown_scores, rest_scores = chosen_rows(scores, MOST_ROWS // 2)
    if shown_scores:
        heading = say("picture.score_rows" if any(e.meaning == "unanswered" for e in rates) else "picture.compared")
        rows = [ChartRow("heading", heading), *(row_of(story, entry, short=False) for entry in shown_scores)]
        charts.append(chart_of(say, rows, shown_scores))
    drawn_as = "picture.rates" if any(entry.meaning == "unanswered" for entry in rates) else "picture.labels"
    kinds = [kind for chart in charts for kind in kinds_of(chart.rows)]
    return Picture(
        say(drawn_as),
        say("picture.legend"),
        keys_of(story, kinds),
        squares=squares,
        charts=tuple(charts),
        notes=count_rest(story, [*rest, *rest_scores]),
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
