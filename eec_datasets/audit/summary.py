"""What ``eec audit`` prints of a system: the table of its report, in English, for the terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict

from eec_datasets.audit.report.document import Entry, Row, units
from eec_datasets.audit.report.language import load_translator
from eec_datasets.audit.report.other_names import conclusions
from eec_datasets.audit.report.sections import gather_sections
from eec_datasets.audit.running import Outcome
from eec_datasets.terminal import lay_out


def entries_of(outcomes: Sequence[Outcome], names: Mapping[str, Row | None] | None = None) -> list[Entry]:
    """Return what was measured as a report takes it."""
    return [
        Entry(
            outcome.corpus.name,
            outcome.result,
            outcome.system,
            outcome.corpus.name,
            outcome.corpus.language,
            standouts=[asdict(standout) for standout in outcome.standouts],
            names=names.get(outcome.corpus.name) if names else None,
            attested_of=outcome.corpus.attested_of,
            checksums=outcome.checksums,
            clear=outcome.clear,
        )
        for outcome in outcomes
    ]


def summary(
    outcomes: Sequence[Outcome], names: Mapping[str, Row | None] | None = None, *, lacking: bool = False
) -> str:
    """Lay out the rows of one system, each corpus named once, with numbered notes below.

    Of a system that reacts to nothing on several corpora a sentence says so instead.

    Parameters
    ----------
    outcomes
        Of one system.
    names
        What the names of each corpus carry, see `eec_datasets.audit.covariates.corpus_covariates`.
    lacking
        Whether it gave some sentences no score: then it may react by that.
    """
    translator = load_translator()
    (section,) = gather_sections(translator, units(entries_of(outcomes, names)))
    if section.unmoved and len(section.blocks) > 1 and not lacking:
        corpora = translator.listed([block.unit.entry.config for block in section.blocks])
        return f"{corpora}: {translator.say('findings.no_reaction')}"
    lines = [
        ["" if i else block.unit.entry.config, *cells.values()]
        for block in section.blocks
        for i, (cells, _) in enumerate(block.lines)
    ]
    columns = dict(section.heads) | {key: translator.say(f"head.{key}") for key in ("interval", "mde")}
    table = lay_out(["config", *columns.values()], lines, right=(3, 5, 6))
    # In the head it would make a wide table wider.
    adjusted = "p is adjusted for all rows of one config and subset, intervals and detectable effects are not."
    notes = [f"[{number}] {translator.notes(note)}" for number, note in enumerate(section.notes, start=1)]
    basis = translator.say("caption.reading") if section.has_findings else ""
    notes_below = [*([adjusted] if columns != section.heads else []), *filter(None, [basis]), *notes]
    return "\n".join([table, *notes_below, *conclusions(translator, section)]).replace("\u00a0", " ")
