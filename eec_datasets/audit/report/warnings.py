"""What to know of a whole result before relying on it: its making, its corpus, its data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import eec_bias
from eec_bias.assembly.rows import FEW
from eec_bias.result.words import sampled_facets
from eec_datasets.audit.report.document import Document, Entry, Unit
from eec_datasets.audit.report.language import Translator
from eec_datasets.grouping import grouped


def warnings(translator: Translator, entries: Sequence[Entry], units: Sequence[Unit]) -> list[str]:
    """Return what readers must know of the results as wholes, each once."""
    found: dict[str, None] = {}
    for entry in entries:
        own = [unit for unit in units if unit.entry is entry]
        where = own[0].where if len(own) == 1 else entry.config or entry.place
        found |= dict.fromkeys(_of_result(translator, entry, where))
        found |= dict.fromkeys(_few_persons(translator, own[0]))
        notes = map(translator.note, entry.result.notes)
        found |= dict.fromkeys(translator.say("warning.note", where=where, note=note) for note in notes)
    return [*found, *_reviews(translator, entries)]


def cautions(translator: Translator, entries: Sequence[Entry]) -> list[str]:
    """Return what must stand beside findings: which of them come from a published procedure."""
    return list(
        dict.fromkeys(
            translator.say("warning.procedure", where=entry.config or entry.place, method=entry.result.method)
            for entry in entries
            if entry.result.method != "default"
        )
    )


def changes(translator: Translator, document: Document) -> list[str]:
    """Say which files are not as they were written, and how to make them anew."""
    command = document.command or "eec measure SCORES --config NAME"
    return [translator.say("warning.changed", file=file, command=command) for file in document.changed]


def caveat(translator: Translator, entries: Sequence[Entry]) -> str:
    """Say what p-values are about, and what no result shows."""
    sampled = [translator.say(f"facets.{name}") for name in sampled_facets(*(entry.result for entry in entries))]
    return translator.say("warning.caveat", sampled=translator.listed(sampled))


def _of_result(translator: Translator, entry: Entry, where: str) -> Iterator[str]:
    """How it was made, and what the file does not hold."""
    made = entry.result.signature.version
    if made != eec_bias.__version__:
        yield translator.say("warning.version", where=where, made=made, here=eec_bias.__version__)
    if entry.moved is None:
        yield translator.say("warning.no_pairs", where=where)


def _few_persons(translator: Translator, unit: Unit) -> Iterator[str]:
    cells = []
    for row in unit.others("cells"):
        if row["n_persons"] is not None and row["n_persons"] < FEW:
            labels = {axis: str(row[axis]) for axis in unit.entry.result.axes if row.get(axis)}
            cells.append(f"{translator.groups(labels)}: {translator.count(row['n_persons'])}")
    if cells:
        where = unit.entry.config or unit.entry.place
        shown = f"{translator.say('page.semicolon')} ".join(cells[:6]) + (" …" if len(cells) > 6 else "")
        yield translator.say("warning.few", where=where, cells=shown)


def _reviews(translator: Translator, entries: Sequence[Entry]) -> Iterator[str]:
    """How far readers have checked the corpora, those together of which the same is said."""
    for review, configs in grouped((entry.review, entry.whole) for entry in entries if entry.review).items():
        where, said = translator.listed(dict.fromkeys(configs)), translator.note(review)
        yield translator.say("warning.unreviewed", where=where, review=said)
