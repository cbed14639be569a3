"""The page in a terminal: at most 24 lines of 80 columns."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from eec_datasets.report.say import Say
from eec_datasets.report.text import Text, joined, of, plain
from eec_datasets.report.view import Chart, ChartRow, PageView, WordChart

WIDTH = 80
LINES = 24
COMMON_LIMITS = 2
"""So many limits are those of every audit; those of this one follow."""
FOUND = ("gap_found", "turns", "reaction_found", "words_found")
MOST_LINES = 4
"""So many lines has a group of words."""
WIDEST = 31
"""Most columns for the name of a system or for a question."""

BOLD_RED, DIM, RESET = "\x1b[1;31m", "\x1b[2m", "\x1b[0m"


@dataclass(frozen=True, slots=True)
class _Block:
    """Lines that are shown together or not at all; headings are shown with the first row below them."""

    lines: tuple[str, ...]
    found: bool = False
    heading: bool = False
    extra: bool = False


def render(page: PageView, *, path: str = "") -> str:
    """Return a page for a terminal.

    Parameters
    ----------
    page : PageView
        The page.
    path : str
        Where the whole page was written, for the last line; empty if it was not.
    """
    say = Say(page.language)
    head = [*_wrapped(plain(page.deck)), *_overall(page), ""]
    tail = _tail(page, say, path)
    lines = [*head, *_body(page, say, LINES - len(head) - len(tail)), *tail]
    return "\n".join(lines)


def coloured(text: str, language: str = "en") -> str:
    """Return the lines of a page with bold red for a gap that was found; capitals carry it without colour."""
    say = Say(language)
    return "\n".join(_coloured(line, say) for line in text.split("\n"))


def _overall(page: PageView) -> list[str]:
    """Return the headline with the best guess; for several systems the counts and the number of chance."""
    if page.overviews:
        return _wrapped(plain(joined([page.overall, *page.sure.paragraphs[:2]])))
    return ["", *_wrapped(f"{plain(page.headline)}."), *_wrapped(plain(page.guess))]


def _wrapped(words: str, indent: str = "", hanging: str | None = None) -> list[str]:
    later = indent if hanging is None else hanging
    return textwrap.wrap(words, WIDTH, initial_indent=indent, subsequent_indent=later, break_on_hyphens=False)


def _body(page: PageView, say: Say, room: int) -> list[str]:
    """Return answers in the lines there are: gaps found come first for a place, the others are counted."""
    width = _width(line.name for line in page.overviews)
    blocks = [
        _Block(tuple(_status_lines(say, line.answer, line.name, line.said, width)), line.answer in FOUND)
        for line in page.overviews
    ]
    if page.lead_rows:
        blocks += [_Block(("",), extra=True), _Block((page.lead_name,), extra=True)]
        blocks += _rows(say, page.lead_rows, extra=True)
    for chart in page.picture.charts:
        for rows in _parts(chart):
            blocks += _rows(say, rows)
    if page.picture.feelings:
        note = joined(page.picture.notes)
        blocks.append(_Block(tuple(_wrapped(f"{say.template('status.deaf')}: {plain(note)}", "  ", "    "))))
    if page.picture.words:
        blocks += _words(say, page.picture.words)
    if page.picture.table:
        blocks += [_Block((_table_line(row),)) for row in page.picture.table.rows]
    notes = [line for note in page.picture.notes[:1] for line in _wrapped(plain(note), "  ")]
    if not page.picture.charts:
        notes = []
    kept = _kept(blocks, room - max(1, len(notes)))
    lines = [line for place, block in enumerate(blocks) if place in kept for line in block.lines]
    answers = [place for place, block in enumerate(blocks) if not block.heading and not block.extra]
    left_out = sum(place not in kept for place in answers)
    if left_out:
        return [*lines, f"  {say.text('terminal.rest', count=say.number(left_out))}"]
    return [*lines, *notes]


def _kept(blocks: Sequence[_Block], room: int) -> set[int]:
    """Choose blocks: rows with a gap, then other rows, then what says more of the leading system."""
    order = sorted(range(len(blocks)), key=lambda place: (blocks[place].extra, not blocks[place].found, place))
    kept: set[int] = set()
    used = 0
    for place in order:
        if blocks[place].heading:
            continue
        wanted = {place} | _heading_of(blocks, place) - kept
        size = sum(len(blocks[each].lines) for each in wanted)
        if used + size > room:
            if blocks[place].extra:
                break
            continue
        kept |= wanted
        used += size
    return kept


def _heading_of(blocks: Sequence[_Block], place: int) -> set[int]:
    for before in range(place - 1, -1, -1):
        if blocks[before].heading:
            return {before}
        if not blocks[before].lines[0].startswith("  "):
            return set()
    return set()


def _rows(say: Say, rows: Sequence[ChartRow], *, extra: bool = False) -> list[_Block]:
    """Return a block per comparison, its emotions with it."""
    blocks: list[_Block] = []
    emotions: list[ChartRow] = []
    width = _width(plain(row.label) for row in rows if row.level == "main")

    def end() -> None:
        if emotions and blocks:
            last = blocks.pop()
            blocks.append(_Block((*last.lines, *_emotions(say, emotions)), last.found, extra=extra))
            emotions.clear()

    for row in rows:
        if row.level == "emotion":
            emotions.append(row)
            continue
        end()
        if row.level == "heading":
            if row.label:
                said = joined([row.label, row.detail], ": ")
                blocks.append(_Block((f"  {plain(said)}",), heading=True, extra=extra))
            continue
        lines = _status_lines(say, row.answer, plain(row.label), row.brief or row.detail or row.said, width)
        blocks.append(_Block(tuple(lines), row.answer in FOUND, extra=extra))
    end()
    return blocks


def _parts(chart: Chart) -> list[list[ChartRow]]:
    """Return the rows of a chart that share columns; those of two versions share them below one heading only."""
    parts: list[list[ChartRow]] = [[]]
    for row in chart.rows:
        if chart.wide and row.level == "heading":
            parts.append([])
        parts[-1].append(row)
    return parts


def _width(names: Iterable[str]) -> int:
    return min(WIDEST, max(map(len, names), default=0))


def _status_width(say: Say) -> int:
    return max(map(len, say.template("status").values())) + 1


def _status_lines(say: Say, answer: str, name: str, said: Text, width: int) -> list[str]:
    """Return one answer: its status, who it is about, and the rest, each wrapped in its own column."""
    status = say.template(f"status.{answer}") if answer else ""
    start = f"  {status:<{_status_width(say)}} "
    names = textwrap.wrap(name, width, break_on_hyphens=False) or [""]
    answers = textwrap.wrap(plain(said), WIDTH - len(start) - width - 1, break_on_hyphens=False)
    lines = [f"{who:<{width}} {what}" for who, what in zip_longest(names, answers, fillvalue="")]
    return [f"{start if not place else ' ' * len(start)}{line}".rstrip() for place, line in enumerate(lines)]


def _emotions(say: Say, rows: Sequence[ChartRow]) -> list[str]:
    said = [of(f"{plain(row.label)} {plain(row.said)}") for row in rows]
    return _wrapped(plain(joined(said, say.template("language.comma"))), " " * (_status_width(say) + 5))


def _words(say: Say, chart: WordChart) -> list[_Block]:
    """Return a block per group of words, those heard about one group only before all others, or a line per emotion."""
    blocks = []
    if chart.zero is None:
        return _means(say, chart)
    for group in chart.groups:
        listed = joined([row.label for row in group.rows], " · ") if group.rows else group.listed
        said = joined([group.heading, listed], " · ") if group.heading else listed
        lines = _wrapped(plain(said), "  ", "    ")
        if len(lines) > MOST_LINES:
            lines = [*lines[: MOST_LINES - 1], f"{lines[MOST_LINES - 1]} …"]
        blocks.append(_Block(tuple(lines), found=any(row.apart for row in group.rows)))
    return blocks


def _means(say: Say, chart: WordChart) -> list[_Block]:
    """Return a block per emotion, with the mean scores about both groups."""
    first, second = map(plain, chart.keys)
    rows = [row for group in chart.groups for row in group.rows]
    lines = [f"{plain(row.label)}: {first} {say.number(row.first)}, {second} {say.number(row.second)}" for row in rows]
    return [_Block(tuple(_wrapped(line, "  ", "    "))) for line in lines]


def _table_line(cells: Sequence[Text]) -> str:
    first, *rest = (plain(cell) for cell in cells)
    shown = first if len(first) <= 48 else f"{first[:47]}…"
    return f"  {shown:<48} {' '.join(f'{cell:>9}' for cell in rest)}".rstrip()


def _tail(page: PageView, say: Say, path: str) -> list[str]:
    lines: list[str] = []
    if page.sure.paragraphs and not page.overviews:
        lines += _wrapped(plain(joined([say("terminal.sure"), *page.sure.paragraphs[:2]])))
    if page.next_steps.items:
        lines += _wrapped(plain(joined([say("terminal.next"), page.next_steps.items[0]])))
    for limit in page.limits.items[COMMON_LIMITS:]:
        lines += _wrapped(plain(limit))
    if path:
        return [*lines, *_wrapped(say.text("terminal.limits", path=path))]
    return [*lines, *_wrapped(plain(joined([say("terminal.not_covered"), page.limits.items[0]])))]


def _coloured(line: str, say: Say) -> str:
    """Return a line whose status is bold red for a gap that was found, else dim."""
    statuses: dict[str, str] = say.template("status")
    found = [statuses[key] for key in FOUND]
    for status in sorted(statuses.values(), key=len, reverse=True):
        if line.startswith(f"  {status} "):
            start = BOLD_RED if status in found else DIM
            return f"  {start}{status}{RESET}{line[2 + len(status) :]}"
    return line
