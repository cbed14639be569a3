"""Pieces of the page as HTML; everything that comes from outside is escaped here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Final

from eec_bias import Result
from eec_datasets.audit.report.document import Document, Entry
from eec_datasets.audit.report.page import render_sections
from eec_datasets.documents import fill
from eec_datasets.locale.model import UNMARKED
from eec_datasets.systems.corpus import Corpus, sample

HERE: Final = Path(__file__).parent
SYSTEMS_SHOWN: Final = 20
"""Systems shown on the page; the downloads have all."""
LEVELS_SHOWN: Final = 8
SENTENCES_SHOWN: Final = 4
"""Of an item."""
SCORES_SHOWN: Final = ("0.31", "0.29")


def compared(corpus: Corpus) -> dict[str, list[str]]:
    """Return the identity axes that are compared, and their levels; gender last, as people say it."""
    axes = {axis: levels for axis, levels in corpus.groups.items() if len(levels) > 1}
    return dict(sorted(axes.items(), key=lambda axis: axis[0] == "gender"))


def facts(corpus: Corpus) -> str:
    """Say what a corpus holds, how far it has been read, and show some sentences in their direction of writing."""
    rows = zip(*(corpus.columns[name] for name in ("person", "person_type", *corpus.groups)), strict=True)
    persons = Counter((kind == "name", *groups) for _, kind, *groups in set(rows))
    sizes = sorted(set(persons.values()))
    size = f"{sizes[0]}" if len(sizes) == 1 else f"{sizes[0]} to {sizes[-1]}"
    rows_of_facts = {
        "Language": corpus.language,
        "Sentences": f"{len(corpus.ids):,}",
        "Compared": " × ".join(f"{axis} ({_some(levels)})" for axis, levels in compared(corpus).items()),
        "Persons": f"{persons.total()} in {len(persons)} groups of {size}",
        "Review": corpus.review,
        "Version": corpus.version,
    }
    items = [rows[:SENTENCES_SHOWN] for rows in _shown(corpus)]
    return fill(HERE / "facts.html.jinja", corpus=corpus, facts=rows_of_facts, items=items)


def scoring(corpus: Corpus) -> str:
    """Show how scores are written, with the ids of the first sentences shown."""
    examples = zip(_shown(corpus)[0], SCORES_SHOWN, strict=False)
    lines = "\n".join(["id,score", *(f"{row['id']},{score}" for (row, _), score in examples)])
    return f'<pre dir="ltr" tabindex="0">{escape(lines)}</pre>'


def _some(levels: Sequence[str]) -> str:
    more = len(levels) - LEVELS_SHOWN
    return ", ".join(levels) if more <= 0 else f"{', '.join(levels[:LEVELS_SHOWN])} and {more} more"


def _shown(corpus: Corpus) -> list[list[tuple[dict[str, str], list[str]]]]:
    """Return sentences of two items, one per group, each with its groups; without those that have none on some axis."""
    items = [[(row, [row[axis] for axis in compared(corpus)]) for row in rows] for rows in sample(corpus)]
    return [[(row, groups) for row, groups in rows if UNMARKED not in groups] for rows in items]


def place(before: int) -> str:
    """Say a visitor's place in the queue."""
    if not before:
        return "<p role='status'>It is your turn: your scores are being measured.</p>"
    return f"<p role='status'>You are number {before} in the queue; your scores are measured when it is your turn.</p>"


def problem(text: str) -> str:
    """Show what is wrong; its lines are kept."""
    lines = "".join(f'<p dir="auto">{escape(line)}</p>' for line in text.splitlines())
    return f'<div class="eec-problem" role="alert" tabindex="-1" id="eec-problem">{lines}</div>'


def document(measured: Result, corpus: Corpus, title: str, command: str = "") -> Document:
    """Return what a report of a result is made from; ``title`` names the scores, ``command`` makes it elsewhere."""
    entry = Entry("", measured, title, corpus.name, corpus.language, corpus.review, corpus.data, moved=())
    return Document([entry], command=command)


def result(measured: Result, corpus: Corpus, title: str, notes: str = "") -> str:
    """Lay a result out as a report does: sentences, table, figures, means and notes.

    Parameters
    ----------
    measured, corpus
        What was measured, on what.
    title
        Names the scores.
    notes
        What was guessed when they were read.
    """
    return fill(
        HERE / "result.html.jinja", corpus=corpus, title=title, notes=notes, most=SYSTEMS_SHOWN,
        systems=len({row.get("system") for row in measured.terms}), signature=str(measured.signature),
        sections=render_sections(document(measured, corpus, title), most=SYSTEMS_SHOWN),
    )  # fmt: skip
