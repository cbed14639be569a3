"""What a system shows with other names of the same groups: other sets, attested names, no weak signals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from operator import attrgetter
from typing import Any, Final

from eec_bias.reading import ANY, Judged, Verdict
from eec_bias.shared import grouped
from eec_datasets.audit.report.document import Entry, Unit, is_simple, stratum_output, units
from eec_datasets.audit.report.language import Translator
from eec_datasets.audit.report.sections import COLUMNS, Section, cells_of
from eec_datasets.audit.report.sentences import contrast, label, term

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
    return [which, *(cells[column] for column in COLUMNS[1:])]


def _is_main(row: Mapping[str, Any]) -> bool:
    return is_simple(row) and row["level"] != ANY


def say_enough(translator: Translator, section: Section) -> str:
    """Say for one comparison what could have been found, and was measured, with the fewest names and with the most.

    It is one in which many find a difference and few do not; where there is none, the first of the groups that names
    were chosen for. Empty where no comparison of one axis was made with different numbers of names.
    """
    candidates = []
    for row, variants in _comparisons(section):
        whole = [each for each in variants if not (each.clear or each.entry.attested_of)]
        sized = [each for each in whole if each.judged.row["mde"] is not None] if _is_main(row) else []
        few, many = (end(sized, key=attrgetter("count"), default=None) for end in (min, max))
        if few and many and few.count < many.count:
            rank = few.judged.verdict.found or not many.judged.verdict.found, row["axes"] == "gender"
            candidates.append((rank, {"few": few, "many": many}))
    if not candidates:
        return ""
    _, both = min(candidates, key=lambda each: each[0])
    fields: dict[str, object] = {}
    for size, variant in both.items():
        row = variant.judged.row
        fields |= {
            f"{size}_names": variant.count,
            f"{size}_config": variant.entry.config,
            f"{size}_mde": translator.number(row["mde"]),
            f"{size}_effect": translator.number(row["effect"], signed=True),
            f"{size}_reading": label(translator, variant.judged),
        }
    row = both["few"].judged.row
    return translator.say("names.enough", what=" · ".join([*stratum_output(row), contrast(translator, row)]), **fields)


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
        if judged.row["subset"] == "names" and judged.row["axes"]
    ]
    for group in grouped(measured).values():
        for same in grouped((tuple(map(variant.judged.get, KEYS)), variant) for variant in group).values():
            row = same[0].judged.row
            # Who signals a group weakly says nothing of women and men as such.
            variants = [each for each in same if not each.clear] if row["axes"] == "gender" else same
            if len(variants) > 1:
                yield row, variants


def conclusions(translator: Translator, section: Section) -> list[str]:
    """Say what becomes of the differences where the names are left out that are weak signals of their group."""
    changes: dict[str, list[str]] = {}
    for row, variants in _comparisons(section):
        for all_names, clear in pairwise(variants):
            if clear.clear and _is_main(row):
                place = " · ".join([all_names.entry.config, *stratum_output(row), contrast(translator, row)])
                changes.setdefault(_change(all_names.judged.verdict, clear.judged.verdict), []).append(place)
    listed = [(key, changes[key]) for key in ("kept", "turned", "lost", "gained", "none") if key in changes]
    return [translator.say(f"clear.{key}", places=translator.listed(places)) for key, places in listed]


def _change(before: Verdict, after: Verdict) -> str:
    if "not_estimable" in (before.kind, after.kind):
        return "untested"
    if before.found and after.found:
        return "kept" if before.direction == after.direction else "turned"
    if before.found:
        return "lost"
    return "gained" if after.found else "none"
