"""What to know of a whole result before relying on it: its making, its corpus, its data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import eec_bias
from eec_bias.assembly.rows import FEW
from eec_bias.result.words import sampled_facets
from eec_datasets.audit.report.document import Document, Entry, Unit
from eec_datasets.audit.report.language import Translator
from eec_datasets.audit.running import UNANSWERED
from eec_datasets.grouping import grouped


def warnings(translator: Translator, entries: Sequence[Entry], units: Sequence[Unit]) -> list[str]:
    """Return what readers must know of the results as wholes, each once."""
    messages: list[str] = []
    for entry in entries:
        own_units = [unit for unit in units if unit.entry is entry]
        messages += [*_of_result(translator, entry, _place(entry, units)), *_few_persons(translator, own_units[0])]
    return [*dict.fromkeys(messages), *_notes(translator, entries, units), *_reviews(translator, entries)]


def cautions(translator: Translator, entries: Sequence[Entry], units: Sequence[Unit]) -> list[str]:
    """Return what must stand beside findings: published procedures, scores not measured, other sentences."""
    published = [entry for entry in entries if entry.result.method != "default"]
    places = dict.fromkeys((entry.config or entry.place, entry.result.method) for entry in published)
    procedures = [translator.say("warning.procedure", where=place, method=method) for place, method in places]
    return [*procedures, *_unmeasured(translator, units), *_releases(translator, units), *_versions(translator, units)]


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


def _of_result(translator: Translator, entry: Entry, place: str) -> Iterator[str]:
    """How it was made, and what the file does not hold."""
    version = entry.result.signature.version
    if version != eec_bias.__version__:
        yield translator.say("warning.version", where=place, made=version, here=eec_bias.__version__)
    if entry.moved is None:
        yield translator.say("warning.no_pairs", where=place)
    if len(entry.models) > 1:
        yield translator.say("warning.models", where=_asked(entry.system, entry), models=", ".join(entry.models))
    if entry.unanswered:
        counts = {why: translator.count(entry.unanswered.get(why, 0)) for why in ("refused", "unreadable", "failed")}
        total = translator.count(sum(entry.unanswered.values()))
        yield translator.say("warning.unanswered", where=_asked(entry.system, entry), count=total, **counts)


def _unmeasured(translator: Translator, units: Sequence[Unit]) -> Iterator[str]:
    """Of which systems and corpora it was measured alone how often there is no score."""
    measured = {_asked(unit.system, unit.entry) for unit in units if not unit.system.endswith(UNANSWERED)}
    for place in dict.fromkeys(_asked(unit.system, unit.entry) for unit in units):
        if place not in measured:
            yield translator.say("warning.unmeasured", where=place)


def _asked(system: str, entry: Entry) -> str:
    """The system that was asked, and the corpus."""
    return " · ".join(part for part in (system.removesuffix(UNANSWERED), entry.whole) if part)


def _versions(translator: Translator, units: Sequence[Unit]) -> Iterator[str]:
    """Which systems stand here in several versions, on different corpora."""
    known = [(unit.title, unit) for unit in units if unit.entry.fingerprint]
    for title, some in grouped(known).items():
        places = grouped((unit.entry.fingerprint, unit.entry.config) for unit in some)
        if len(places) > 1:
            yield translator.say("warning.versions", where=title, versions=_parted(translator, places))


def _releases(translator: Translator, units: Sequence[Unit]) -> Iterator[str]:
    """Which corpora stand here with other sentences for other systems, as of two releases, under one name."""
    scored = (unit for unit in units if not unit.system.endswith(UNANSWERED))
    known = [(unit.entry.config, unit) for unit in scored if unit.entry.result.signature.data != "?"]
    for config, some in grouped(known).items():
        systems = grouped((unit.entry.result.signature.data, unit.system) for unit in some)
        if len(systems) > 1:
            yield translator.say("warning.releases", where=config, data=_parted(translator, systems))


def _parted(translator: Translator, names_of: Mapping[str, Sequence[str]]) -> str:
    """What each is of, one after another."""
    parts = [f"{each} ({_first(translator, dict.fromkeys(names))})" for each, names in names_of.items()]
    return f"{translator.say('page.semicolon')} ".join(parts)


def _first(translator: Translator, names: Iterable[str]) -> str:
    first, more = list(names)[:6], list(names)[6:]
    return f"{', '.join(first)} …" if more else translator.listed(first)


def _few_persons(translator: Translator, unit: Unit) -> Iterator[str]:
    # Every stratum and output has the same groups.
    texts: dict[str, None] = {}
    for row in unit.others("cells"):
        if row["n_persons"] is not None and row["n_persons"] < FEW:
            labels = {axis: str(row[axis]) for axis in unit.entry.result.axes if row.get(axis)}
            texts[f"{translator.groups(labels)}: {translator.count(row['n_persons'])}"] = None
    if cells := list(texts):
        place = unit.entry.config or unit.entry.place
        listed = f"{translator.say('page.semicolon')} ".join(cells[:6]) + (" …" if len(cells) > 6 else "")
        yield translator.say("warning.few", where=place, cells=listed)


def _place(entry: Entry, units: Sequence[Unit]) -> str:
    own_units = [unit for unit in units if unit.entry is entry]
    return own_units[0].where if len(own_units) == 1 else entry.config or entry.place


def _notes(translator: Translator, entries: Sequence[Entry], units: Sequence[Unit]) -> Iterator[str]:
    """What the results note, each note once; by the corpus alone where it is noted of every system on it."""
    of_corpus = grouped((entry.config, entry) for entry in entries if entry.config)
    for note, noted in grouped((note, entry) for entry in entries for note in entry.result.notes).items():
        shared = [config for config, some in of_corpus.items() if all(note in entry.result.notes for entry in some)]
        places = [entry.config if entry.config in shared else _place(entry, units) for entry in noted]
        where = translator.listed(dict.fromkeys(places))
        yield translator.say("warning.note", where=where, note=translator.note(note))


def _reviews(translator: Translator, entries: Sequence[Entry]) -> Iterator[str]:
    """How far readers have checked the corpora, those together of which the same is said."""
    for review, configs in grouped((entry.review, entry.whole) for entry in entries if entry.review).items():
        places, text = translator.listed(dict.fromkeys(configs)), translator.note(review)
        yield translator.say("warning.unreviewed", where=places, review=text)
