"""What ``eec audit`` prints of a system: the table of its report, in English, for the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from eec_datasets.audit.report.document import Entry, units
from eec_datasets.audit.report.language import load_translator
from eec_datasets.audit.report.sections import sections
from eec_datasets.audit.running import Outcome
from eec_datasets.terminal import lay_out

COLUMNS = ("term", "compares", "effect", "interval", "p", "mde", "reading")


def summary(outcomes: Sequence[Outcome]) -> str:
    """Lay out the rows of one system, each corpus named once; numbered notes below."""
    entries = [Entry(own.corpus.name, own.result, own.system, own.corpus.name) for own in outcomes]
    translator = load_translator()
    (section,) = sections(translator, units(entries))
    lines = [
        ["" if i else block.unit.entry.config, *(line.text[key] for key in COLUMNS)]
        for block in section.blocks
        for i, line in enumerate(block.lines)
    ]
    heads = {**section.heads} | {key: translator.say(f"head.{key}") for key in ("interval", "mde")}
    table = lay_out(["config", *(heads[key] for key in COLUMNS)], lines, right=(3, 5, 6))
    # In the head it would make a wide table wider.
    adjusted = "p is adjusted for all rows of one config and subset, intervals and detectable effects are not."
    notes = [f"[{number}] {note}" for number, note in enumerate(section.notes, start=1)]
    return "\n".join([table, *([adjusted] if heads != section.heads else []), *notes]).replace("\u00a0", " ")
