"""What a system shows with other names of the same groups: other sets, attested names, no weak signals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from eec_bias.reading import ANY, Finding, Judged, find
from eec_bias.shared import grouped
from eec_datasets.audit.report.answers import SystemAnswers
from eec_datasets.audit.report.document import Entry, Unit, is_simple, stratum_output, units
from eec_datasets.audit.report.language import Translator
from eec_datasets.audit.report.sections import NUMBERS, Section, cells_of
from eec_datasets.audit.report.sentences import contrast, term

KEYS: Final = ("term", "axes", "level", "reference", "stratum", "output")
"""What tells comparisons apart."""


@dataclass(frozen=True, slots=True)
class Variant:
    """What one system shows in one comparison with one set of names: all of a corpus, or its clear signals."""

    entry: Entry
    clear: bool
    judged: Judged

    @property
    def count(self) -> int:
        """How many names there are."""
        names = self.entry.names if self.clear else None
        return self.entry.name_count - len(names["weak"] if names else ())


def compare_names(translator: Translator, section: Section) -> list[dict[str, Any]]:
    """Return what a system shows with several sets of names of the same groups, comparison by comparison.

    Comparisons without an effect in any of them are left out.

    Returns
    -------
    list of dict
        What is ``compared``; ``lines`` of cells, one for each set; whether the sets are of ``several`` corpora; whether
        it is a ``main`` comparison, of the groups that names were chosen for and nothing else.
    """
    return [
        {
            "compared": " · ".join([*stratum_output(row), f"{term(translator, row)}: {contrast(translator, row)}"]),
            "lines": [_line(translator, variant) for variant in variants],
            "several": sum(not variant.clear for variant in variants) > 1,
            "main": _is_main(row) and row["axes"] != "gender",
        }
        for row, variants in _comparisons(section)
        if any(variant.judged.row["effect"] for variant in variants)
    ]


def _line(translator: Translator, variant: Variant) -> list[str]:
    names, cells = variant.entry.names or {}, cells_of(translator, variant.judged)
    how = translator.say("names.clear" if variant.clear else f"names.short_{names['how']}")
    which = translator.say("names.set", config=variant.entry.whole, how=how, count=variant.count)
    return [which, *(cells[column] for column in NUMBERS)]


def _is_main(row: Mapping[str, Any]) -> bool:
    return is_simple(row) and row["level"] != ANY


def _comparisons(section: Section) -> Iterator[tuple[Mapping[str, Any], list[Variant]]]:
    """Comparisons that were made with two sets of names or more: the row of the first, and all of them."""
    parts: list[tuple[Unit, bool]] = []
    for unit in (block.unit for block in section.blocks if block.unit.entry.names and not section.unmoved):
        of_clear = [replace(unit.entry, result=unit.entry.clear)] if unit.entry.clear else []
        parts += [(unit, False), *((other, True) for other in units(of_clear) if other.task == unit.task)]
    measured = [
        (unit.entry.groups, Variant(unit.entry, clear, judged))
        for unit, clear in parts
        for judged in unit.rows
        if judged.row["subset"] == "names" and judged.row["axes"] and judged.row.get("emotion") is None
    ]
    for group in grouped(measured).values():
        for same in grouped((tuple(map(variant.judged.get, KEYS)), variant) for variant in group).values():
            row = same[0].judged.row
            # Who signals a group weakly says nothing of women and men as such.
            variants = [each for each in same if not each.clear] if row["axes"] == "gender" else same
            if len(variants) > 1:
                yield row, variants


def conclusions(translator: Translator, section: Section) -> list[str]:
    """Say what becomes of the findings where the names are left out that are weak signals of their group."""
    changes: dict[str, list[str]] = {}
    for answers in section.answers:
        for finding, clear in _without_weak_signals(answers):
            row = finding.row
            place = " · ".join([finding.listed, *stratum_output(row), contrast(translator, row)])
            changes.setdefault(_change(finding, clear), []).append(place)
    listed = [(key, changes[key]) for key in ("kept", "turned", "lost", "gained", "none") if key in changes]
    return [translator.say(f"clear.{key}", places=translator.listed(places)) for key, places in listed]


def _without_weak_signals(answers: SystemAnswers) -> Iterator[tuple[Finding, Finding]]:
    """Give each finding on groups that names were chosen for, with that of the names without weak signals."""
    for unit in answers.units:
        if unit.entry.clear is None or answers.plan is None:
            continue
        answered = {finding.comparison: finding for finding in answers.findings if finding.listed == unit.entry.config}
        for clear in find(unit.entry.clear):
            row = clear.row
            of_groups = row["subset"] == "names" and row["axes"] != "gender" and _is_main(row)
            # Their simple effects have no place of their own in a sentence that names groups.
            if clear.comparison in answered and of_groups and not clear.comparison.within:
                yield answered[clear.comparison], clear


def _change(before: Finding, after: Finding) -> str:
    if "not_estimable" in (before.verdict, after.verdict):
        return "untested"
    if before.found and after.found:
        return "kept" if before.higher == after.higher else "turned"
    if before.found:
        return "lost"
    return "gained" if after.found else "none"
