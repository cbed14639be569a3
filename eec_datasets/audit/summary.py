"""What ``eec audit`` prints of a system: the table of its report, in English, for the terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from eec_datasets.audit.report.document import Entry, Row, units
from eec_datasets.audit.report.language import Translator, load_translator
from eec_datasets.audit.report.names import beside, conclusions, heads
from eec_datasets.audit.report.sections import Section, sections
from eec_datasets.audit.running import Outcome
from eec_datasets.terminal import lay_out

COLUMNS = ("term", "compares", "effect", "interval", "p", "mde", "reading")


def summary(outcomes: Sequence[Outcome], names: Mapping[str, Row | None] | None = None) -> str:
    """Lay out the rows of one system, each corpus named once; numbered notes, and other names of its groups, below.

    Parameters
    ----------
    outcomes
        Of one system.
    names
        What the names of each corpus carry, see `eec_datasets.audit.confounds.carried`.
    """
    entries = [
        Entry(
            own.corpus.name, own.result, own.system, own.corpus.name, own.corpus.language,
            names=names.get(own.corpus.name) if names else None, clear=own.clear,
        )
        for own in outcomes
    ]  # fmt: skip
    translator = load_translator()
    (section,) = sections(translator, units(entries))
    lines = [
        ["" if i else block.unit.entry.config, *(line.text[key] for key in COLUMNS)]
        for block in section.blocks
        for i, line in enumerate(block.lines)
    ]
    columns = dict(section.heads) | {key: translator.say(f"head.{key}") for key in ("interval", "mde")}
    table = lay_out(["config", *(columns[key] for key in COLUMNS)], lines, right=(3, 5, 6))
    # In the head it would make a wide table wider.
    adjusted = "p is adjusted for all rows of one config and subset, intervals and detectable effects are not."
    notes = [f"[{number}] {note}" for number, note in enumerate(section.notes, start=1)]
    said = [*([adjusted] if columns != section.heads else []), *notes, *_others(translator, section)]
    return "\n".join([table, *said, *conclusions(translator, section)]).replace("\u00a0", " ")


def _others(translator: Translator, section: Section) -> list[str]:
    """Lay out the same comparisons on other corpora; what weak signals do is said in a sentence."""
    found = [each for each in beside(translator, section) if each.several]
    if not found:
        return []
    lines = [["" if i else each.compared, *line] for each in found for i, line in enumerate(each.lines)]
    table = lay_out([translator.say("head.compares"), *heads(translator, section)], lines, right=(2, 4, 5))
    return [f"\n{translator.say('page.beside')}:", table, translator.say("caption.beside")]
