"""The picture of several systems: a table of small charts."""

from __future__ import annotations

from dataclasses import replace

from eec_datasets.report.answers import (
    in_cell,
    mark,
)
from eec_datasets.report.blocks import accuracy_word
from eec_datasets.report.chart_rows import axis_of, chosen_rows, count_rest, key_of, keys_of, rows_of
from eec_datasets.report.entries import PageFinding
from eec_datasets.report.say import Say
from eec_datasets.report.story import Story
from eec_datasets.report.text import capital, joined
from eec_datasets.report.view import (
    Cell,
    ChartRow,
    Grid,
    GridColumn,
    GridRow,
    Picture,
)

MOST_COLUMNS = 6
MOST_SYSTEMS = 10


def picture_of_systems(story: Story) -> Picture:
    """Return the picture of a page on several systems."""
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
    axis = axis_of(say, drawn, [mark(each) for each in drawn], in_boxes=True)
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
        notes=(joined([*count_rest(story, rest), *notes]),),
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
