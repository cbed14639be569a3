"""Pieces of the page as HTML; everything that comes from outside is escaped here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Final

from eec_bias import Result
from eec_bias.measurement import Measurement, Origin
from eec_datasets.app.words import PageWords
from eec_datasets.audit.pages import page_of
from eec_datasets.audit.running import origin_of_scores
from eec_datasets.corpora import readers_of
from eec_datasets.documents import fill
from eec_datasets.locale.model import UNMARKED
from eec_datasets.report.blocks import readers_in_words
from eec_datasets.report.html import render_notebook
from eec_datasets.report.text import plain
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


def facts(corpus: Corpus, words: PageWords) -> str:
    """Say what a corpus holds, how far it has been read, and show some sentences in their direction of writing."""
    rows = zip(*(corpus.columns[name] for name in ("person", "person_type", *corpus.groups)), strict=True)
    persons = Counter((kind == "name", *groups) for _, kind, *groups in set(rows))
    sizes = sorted(set(persons.values()))
    said = words.report
    counted = {"persons": persons.total(), "groups": len(persons)}
    if len(sizes) == 1:
        size = words.say("facts.of_one_size", **counted, size=sizes[0])
    else:
        size = words.say("facts.of_sizes", **counted, least=sizes[0], most=sizes[-1])
    axes = compared(corpus).items()
    known = {
        "language": said.language_name(corpus.language),
        "sentences": said.number(len(corpus.ids)),
        "compared": "; ".join(f"{plain(said.axis(axis))} ({_some(axis, levels, words)})" for axis, levels in axes),
        "persons": size,
        "review": review(corpus, words),
        "version": corpus.version,
    }
    items = [
        [(row, _people(dict(zip(compared(corpus), groups, strict=True)), words))
         for row, groups in rows[:SENTENCES_SHOWN]]
        for rows in _shown(corpus)
    ]  # fmt: skip
    rows_of_facts = {words.say(f"facts.{key}"): value for key, value in known.items()}
    return fill(HERE / "facts.html.jinja", corpus=corpus, facts=rows_of_facts, items=items, words=words)


def scoring(corpus: Corpus) -> str:
    """Show how scores are written, with the ids of the first sentences shown."""
    examples = zip(_shown(corpus)[0], SCORES_SHOWN, strict=False)
    lines = "\n".join(["id,score", *(f"{row['id']},{score}" for (row, _), score in examples)])
    return f'<pre dir="ltr" tabindex="0">{escape(lines)}</pre>'


def review(corpus: Corpus, words: PageWords) -> str:
    """Say how many native speakers have read sentences of the language of a corpus."""
    return plain(readers_in_words(words.report, readers_of(corpus.language)))


def _group(axis: str, level: str, words: PageWords) -> str:
    return words.report.group({axis: level}, "phrases").end


def _people(levels: dict[str, str], words: PageWords) -> str:
    return words.report.group(levels, "phrases").people


def _some(axis: str, levels: Sequence[str], words: PageWords) -> str:
    named = [_group(axis, level, words) for level in levels]
    shown = words.plain("facts.between_levels").join(named[:LEVELS_SHOWN])
    if len(named) <= LEVELS_SHOWN:
        return shown
    return words.say("facts.more", levels=shown, count=len(named) - LEVELS_SHOWN)


def _shown(corpus: Corpus) -> list[list[tuple[dict[str, str], list[str]]]]:
    """Return sentences of two items, one per group, each with its groups; without those that have none on some axis."""
    items = [[(row, [row[axis] for axis in compared(corpus)]) for row in rows] for rows in sample(corpus)]
    return [[(row, groups) for row, groups in rows if UNMARKED not in groups] for rows in items]


def place(before: int, words: PageWords) -> str:
    """Say a visitor's place in the queue."""
    said = words.say("result.place", place=before) if before else words.say("result.turn")
    return f"<p role='status' lang='{words.language}' dir='{words.direction}'>{said}</p>"


def problem(text: str) -> str:
    """Show what is wrong; its lines are kept."""
    lines = "".join(f'<p dir="auto">{escape(line)}</p>' for line in text.splitlines())
    return f'<div class="eec-problem" role="alert" tabindex="-1" id="eec-problem">{lines}</div>'


def measurement(
    measured: Result,
    corpus: Corpus,
    title: str,
    command: str = "",
    scores: Sequence[float] | None = None,
    demonstration: bool = False,
) -> Measurement:
    """Return a result with where it comes from.

    Parameters
    ----------
    measured, corpus
        What was measured, on what.
    title
        Names the scores.
    command
        Measures the same elsewhere.
    scores
        Those of the sentences of the corpus, in its order, if there is one system; examples are taken from them.
    demonstration
        The systems are made up.
    """
    known = {} if scores is None else origin_of_scores(corpus, scores, measured)
    readers = readers_of(corpus.language)
    sentences = len(set(corpus.columns["text"]))
    source = Origin(readers=readers, sentences=sentences, command=command, demonstration=demonstration, **known)
    several = any(row.system for row in measured.terms)
    return Measurement("scores", corpus.name, corpus.language, "" if several else title, measured, source)


def result(shown: Measurement, corpus: Corpus, title: str, notes: str, words: PageWords) -> str:
    """Show the first screen of the page of a result.

    Parameters
    ----------
    shown, corpus
        The measurement, and the corpus it was made on.
    title
        Names the scores.
    notes
        What was guessed when they were read.
    words
        The language of the page.
    """
    said = words.say(
        "result.measured", title=title, corpus=corpus.name, version=corpus.version, count=len(corpus.ids)
    )  # fmt: skip
    return fill(
        HERE / "result.html.jinja", said=said, notes=notes, words=words, signature=shown.result.signature,
        page=render_notebook(page_of([shown], words.language, surface="app")),
    )  # fmt: skip
