"""What to know of a whole result before relying on it: its making, its corpus, its data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import eec_bias
from eec_bias.reading import FEW, sampled_facets
from eec_bias.shared import grouped
from eec_datasets.audit.report.document import Document, Entry, Unit
from eec_datasets.audit.report.language import Translator
from eec_datasets.audit.running import UNANSWERED


def warnings(translator: Translator, entries: Sequence[Entry], units: Sequence[Unit]) -> list[str]:
    """Return what readers must know of the results as wholes, each once."""
    messages = list(dict.fromkeys(text for entry in entries for text in _of_result(translator, entry, units)))
    of_corpus = grouped((entry.config, entry) for entry in entries if entry.config)
    of_system = grouped(((entry.system, entry.language), entry) for entry in entries if entry.language)
    for note, noted in grouped((note, entry) for entry in entries for note in entry.result.notes).items():
        # By the corpus alone where it is noted of every system on it, and by the system where it is on all its corpora.
        shared = [config for config, some in of_corpus.items() if all(note in entry.result.notes for entry in some)]
        everywhere = {
            key for key, some in of_system.items() if len(some) > 1 and all(note in each.result.notes for each in some)
        }
        places = []
        for entry in noted:
            if (entry.system, entry.language) in everywhere:
                places.append(f"{entry.system} · {translator.language(entry.language)}")
            else:
                places.append(entry.config if entry.config in shared else _place(entry, units))
        where = translator.listed(dict.fromkeys(places))
        messages.append(translator.say("warning.note", where=where, note=translator.note(note)))
    # How far readers have checked the corpora, those together of which the same is said.
    for review, configs in grouped((entry.review, entry.whole) for entry in entries if entry.review).items():
        where = translator.listed(dict.fromkeys(configs))
        messages.append(translator.say("warning.unreviewed", where=where, review=translator.review(review)))
    return messages


def cautions(translator: Translator, entries: Sequence[Entry], units: Sequence[Unit]) -> Iterator[str]:
    """Say what must stand beside findings: published procedures, scores not measured, other sentences, versions."""
    published = [entry for entry in entries if entry.result.method != "default"]
    for place, method in dict.fromkeys((entry.config or entry.place, entry.result.method) for entry in published):
        yield translator.say("warning.procedure", where=place, method=method)
    answering = [unit for unit in units if not unit.system.endswith(UNANSWERED)]
    measured = {_asked(unit.system, unit.entry) for unit in answering}
    for place in dict.fromkeys(_asked(unit.system, unit.entry) for unit in units):
        if place not in measured:
            yield translator.say("warning.unmeasured", where=place)
    scored = [(unit.entry.config, (unit.entry.result.facts.data, unit.system)) for unit in answering]
    released = [each for each in scored if each[1][0].name]
    versions = [(unit.title, (unit.entry.fingerprint, unit.entry.config)) for unit in units if unit.entry.fingerprint]
    # Corpora with other sentences for other systems under one name, and systems in several versions.
    for key, slot, known in (("releases", "data", released), ("versions", "versions", versions)):
        for where, pairs in grouped(known).items():
            if len(names_of := grouped(pairs)) > 1:
                parts = [f"{each} ({_first(translator, names)})" for each, names in names_of.items()]
                listed = f"{translator.say('page.semicolon')} ".join(parts)
                yield translator.say(f"warning.{key}", where=where, **{slot: listed})


def changes(translator: Translator, document: Document) -> list[str]:
    """Say which files are not as they were written, and how to make them anew."""
    messages = []
    for file in document.changed:
        of_file = (entry.again for entry in document.entries if entry.place.startswith(file))
        command = document.command or next(of_file, document.entries[0].again)
        # Where to is no part of what is saved, and without it `eec measure` only prints.
        command += "" if " && " in command else " --out FOLDER"
        messages.append(translator.say("warning.changed", file=file, command=command))
    return messages


def caveat(translator: Translator, entries: Sequence[Entry]) -> str:
    """Say what p-values are about, and what no result shows."""
    sampled = [translator.say(f"facets.{name}") for name in sampled_facets(*(entry.result for entry in entries))]
    return translator.say("warning.caveat", sampled=translator.listed(sampled))


def _of_result(translator: Translator, entry: Entry, units: Sequence[Unit]) -> Iterator[str]:
    """How it was made, what the file does not hold, and which groups have few persons."""
    place, version = _place(entry, units), entry.result.facts.version
    asked = _asked(entry.system, entry)
    if version != eec_bias.__version__:
        yield translator.say("warning.version", where=place, made=version, here=eec_bias.__version__)
    if entry.moved is None:
        yield translator.say("warning.no_pairs", where=place)
    if len(entry.models) > 1:
        yield translator.say("warning.models", where=asked, models=", ".join(entry.models))
    if entry.unanswered:
        counts = {why: entry.unanswered.get(why, 0) for why in ("refused", "unreadable", "failed")}
        yield translator.say("warning.unanswered", where=asked, count=sum(entry.unanswered.values()), **counts)
    # Of the first system; every stratum and output has the same groups.
    texts = []
    for row in next(unit for unit in units if unit.entry is entry).others("cells"):
        if row["n_persons"] is not None and row["n_persons"] < FEW:
            labels = {axis: str(row[axis]) for axis in entry.result.axes if row.get(axis)}
            texts.append(f"{translator.groups(labels)}: {translator.count(row['n_persons'])}")
    if cells := list(dict.fromkeys(texts)):
        listed = f"{translator.say('page.semicolon')} ".join(cells[:6]) + (" …" if len(cells) > 6 else "")
        yield translator.say("warning.few", where=entry.config or entry.place, cells=listed)


def _asked(system: str, entry: Entry) -> str:
    """The system that was asked, and the corpus."""
    return " · ".join(part for part in (system.removesuffix(UNANSWERED), entry.whole) if part)


def _first(translator: Translator, names: Iterable[str]) -> str:
    distinct = list(dict.fromkeys(names))
    return f"{', '.join(distinct[:6])} …" if len(distinct) > 6 else translator.listed(distinct)


def _place(entry: Entry, units: Sequence[Unit]) -> str:
    own_units = [unit for unit in units if unit.entry is entry]
    return own_units[0].where if len(own_units) == 1 else entry.config or entry.place
