"""Pieces of the page as HTML; everything that comes from outside is escaped here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from html import escape
from typing import Final

from eec_bias import Result
from eec_datasets.audit.report.document import Document, Entry
from eec_datasets.audit.report.page import render_sections
from eec_datasets.systems.corpus import Corpus, sample

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
    """Say what a corpus holds, how far it has been read, and show some of its sentences."""
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
    lines = "".join(f"<div><dt>{name}</dt><dd>{escape(value)}</dd></div>" for name, value in rows_of_facts.items())
    return f'<p>{escape(corpus.about)}</p><dl class="eec-facts">{lines}</dl>{sentences(corpus)}'


def scoring(corpus: Corpus) -> str:
    """Show how scores are written, with the ids of the first sentences shown."""
    examples = zip(_marked(corpus, sample(corpus)[0]), SCORES_SHOWN, strict=False)
    lines = "\n".join(["id,score", *(f"{row['id']},{score}" for row, score in examples)])
    return f'<pre dir="ltr" tabindex="0">{escape(lines)}</pre>'


def _some(levels: Sequence[str]) -> str:
    more = len(levels) - LEVELS_SHOWN
    return ", ".join(levels) if more <= 0 else f"{', '.join(levels[:LEVELS_SHOWN])} and {more} more"


def sentences(corpus: Corpus) -> str:
    """Show sentences of two items, one per group, in their own direction of writing."""
    lists = []
    for rows in sample(corpus):
        lines = "".join(
            f'<li dir="auto">{escape(row["text"])} <small lang="en" dir="ltr">{escape(" ".join(_groups(corpus, row)))}'
            "</small></li>"
            for row in _marked(corpus, rows)[:SENTENCES_SHOWN]
        )
        lists.append(f'<ul class="eec-sentences" lang="{escape(corpus.language)}">{lines}</ul>')
    return f"<p>Within each box the sentences differ only in the person:</p>{''.join(lists)}"


def _groups(corpus: Corpus, row: Mapping[str, str]) -> list[str]:
    return [row[axis] for axis in compared(corpus)]


def _marked(corpus: Corpus, rows: Sequence[Mapping[str, str]]) -> list[Mapping[str, str]]:
    return [row for row in rows if "unmarked" not in _groups(corpus, row)]


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
    read = f'<p class="eec-soft"><bdi>{escape(notes)}</bdi></p>' if notes else ""
    systems = len({row.get("system") for row in measured.terms})
    first = f" The first {SYSTEMS_SHOWN} of {systems} systems are shown; the downloads have all."
    rest = first if systems > SYSTEMS_SHOWN else ""
    return (
        f'<h2 id="eec-result" tabindex="-1">Result</h2><p><bdi>{escape(title)}</bdi> on {escape(corpus.name)} (version '
        f"{escape(corpus.version)}, {len(corpus.ids):,} sentences, {escape(corpus.review)}).{rest}</p>{read}"
        f'<div class="eec-report">{render_sections(document(measured, corpus, title), most=SYSTEMS_SHOWN)}</div>'
        f'<p>Signature, to be given with the numbers: <code dir="ltr">{escape(str(measured.signature))}</code></p>'
    )
