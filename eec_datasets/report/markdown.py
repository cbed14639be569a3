"""The page as Markdown: a section for a model card, at most 40 lines."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from eec_datasets.report.say import Say
from eec_datasets.report.text import Span, Text, joined, plain
from eec_datasets.report.view import ChartRow, PageView, WordChart

WIDTH = 100
LINES = 40
MOST_ROWS = 5
SPECIAL = "\\`*_[]<>|#"


def render(page: PageView) -> str:
    """Return a page as Markdown; it shows fewer comparisons if the sentences need the lines."""
    for rows in range(MOST_ROWS, 2, -1):
        lines = _lines(page, rows)
        if len(lines) <= LINES:
            break
    return "\n".join(lines) + "\n"


def _lines(page: PageView, rows: int) -> list[str]:
    say = Say(page.language)
    title = "markdown.title_many" if len(page.systems) > 1 else "markdown.title"
    system = escaped(page.systems[0]) if page.systems[0] else say.text("headline.unnamed")
    lines = [f"## {say.text(title, system=system)}", ""]
    lines += [*_paragraph(_strong(written(page.headline)) + ". " + written(page.deck)), ""]
    lines += [*_paragraph(written(page.guess)), ""]
    if page.pairs:
        lines += [f"| {written(page.pairs.title)} | {written(say('markdown.score'))} |", "| --- | ---: |"]
        for pair in page.pairs.pairs[:2]:
            lines += [_pair(line.pieces, line.score) for line in pair]
        lines.append("")
    for key, box in (("big", page.size), ("sure", page.sure)):
        if box.paragraphs:
            lines += _paragraph(f"**{say.text(f'markdown.{key}')}** {written(box.paragraphs[0])}")
    lines += ["", *_table(page, say, rows), ""]
    steps = " ".join(map(written, page.next_steps.items))
    lines += [*_paragraph(f"**{say.text('markdown.before')}** {steps}"), ""]
    limits = " ".join(map(written, page.limits.items))
    lines += _paragraph(f"**{say.text('markdown.not_covered')}** {limits}")
    job = " ".join(map(written, page.job.paragraphs))
    lines += [*_paragraph(f"**{say.text('markdown.job')}** {job}"), ""]
    record = written(page.record.paragraphs[0]) if page.record.paragraphs else ""
    return [*lines, f"<sub>{record}</sub>"]


def escaped(words: str) -> str:
    """Return words so that Markdown shows them as they are."""
    return "".join(f"\\{letter}" if letter in SPECIAL else letter for letter in words.replace("\n", " "))


def written(text: Text) -> str:
    """Write a text in Markdown."""
    return "".join(map(_span, text))


def _span(span: Span) -> str:
    if span.code:
        return f"`{span.text}`"
    said = escaped(span.text)
    body = said.strip()
    if not body:
        return said
    before, after = said[: len(said) - len(said.lstrip())], said[len(said.rstrip()) :]
    if span.quoted:
        body = f"*{body}*"
    if span.strong:
        body = f"**{body}**"
    return f"{before}{body}{after}"


def _strong(words: str) -> str:
    """Make a whole headline strong; its accent is strong already."""
    return "**" + words.replace("**", "") + "**"


def _paragraph(words: str) -> list[str]:
    return textwrap.wrap(words, WIDTH, break_long_words=False, break_on_hyphens=False)


def _pair(pieces: Sequence[tuple[str, bool]], score: str) -> str:
    said = "".join(f"**{escaped(piece)}**" if marked else escaped(piece) for piece, marked in pieces)
    return f"| {said} | {score} |"


def _table(page: PageView, say: Say, most: int) -> list[str]:
    """Return the first rows of the picture, those that found a gap before all others, and count the rest."""
    columns = [say.text(f"markdown.{key}") for key in ("who", "found", "range")]
    if page.picture.table:
        table = page.picture.table
        head = "| " + " | ".join(map(written, table.columns)) + " |"
        rows = ["| " + " | ".join(map(written, row)) + " |" for row in table.rows[:most]]
        return [head, "|" + " --- |" * len(table.columns), *rows]
    if page.picture.words:
        return _words(page.picture.words)
    lines = [f"| {' | '.join(columns)} |", "| --- | --- | --- |"]
    if page.overviews:
        for line in page.overviews[:most]:
            lines.append(f"| {escaped(line.name)} | {escaped(line.status)} | {written(line.said)} |")
        rest = len(page.overviews) - most
    else:
        listed = _listed(page)
        first = sorted(range(len(listed)), key=lambda i: not listed[i][1].tinted)[:most]
        for i in sorted(first):
            label, row = listed[i]
            lines.append(f"| {label} | {written(row.said)} | {written(row.detail)} |")
        rest = len(listed) - most
    if rest > 0:
        count = say.text("terminal.rest", count=say.number(rest))
        lines.append(f"| {count} | | {say.text('markdown.in_report')} |")
    return lines


def _words(chart: WordChart) -> list[str]:
    """Return a row per group of words, with the forms of each."""
    lines = [f"| {written(chart.keys[0])} | {written(chart.keys[1])} |", "| --- | --- |"]
    for group in chart.groups:
        listed = joined([row.label for row in group.rows], " · ") if group.rows else group.listed
        lines.append(f"| {written(group.heading)} | {written(listed)} |")
    return lines


def _listed(page: PageView) -> list[tuple[str, ChartRow]]:
    """Return the main rows with labels that say the heading where the row alone does not."""
    listed: list[tuple[str, ChartRow]] = []
    for chart in page.picture.charts:
        heading = ""
        for row in chart.rows:
            if row.level == "heading":
                heading = written(row.label)
            elif row.level == "main":
                label = written(row.label)
                named = plain(row.label)[:1].isupper() or not heading
                listed.append((label if named else f"{heading}: {label}", row))
    return listed
