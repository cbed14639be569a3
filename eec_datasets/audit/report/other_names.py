"""What a system shows with other names of the same groups: other sets, attested names, no weak signals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Final

from eec_bias.options import ANY
from eec_bias.result.verdict import Judged
from eec_datasets.audit.report.document import Entry, Unit, units
from eec_datasets.audit.report.language import Translator
from eec_datasets.audit.report.sections import COLUMNS, Section, cells_of, is_simple, stratum_output
from eec_datasets.audit.report.sentences import contrast, label, term
from eec_datasets.grouping import grouped

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
        weak = len(self.entry.names["weak"]) if self.entry.names and self.clear else 0
        return self.entry.name_count - weak


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


def _is_main(row: Mapping[str, Any]) -> bool:
    return is_simple(row) and row["level"] != ANY


def _extremes(variants: Sequence[Variant]) -> tuple[Variant, Variant] | None:
    """Return the sets with the fewest and the most names of those whose smallest detectable effect is known."""
    whole = [each for each in variants if not each.clear and not each.entry.attested_of]
    estimated = [each for each in whole if each.judged.row["mde"] is not None]
    few = min(estimated, key=lambda each: each.count, default=None)
    many = max(estimated, key=lambda each: each.count, default=None)
    return (few, many) if few and many and few.count < many.count else None


def _enough(translator: Translator, few: Variant, many: Variant) -> str:
    """Say what could have been found, and was measured, with the fewest names and with the most."""
    fields: dict[str, object] = {}
    for size, variant in (("few", few), ("many", many)):
        row = variant.judged.row
        fields |= {
            f"{size}_names": variant.count,
            f"{size}_config": variant.entry.config,
            f"{size}_mde": translator.number(row["mde"]),
            f"{size}_effect": translator.number(row["effect"], signed=True),
            f"{size}_reading": label(translator, variant.judged),
        }
    row = few.judged.row
    return translator.say("names.enough", what=" · ".join([*stratum_output(row), contrast(translator, row)]), **fields)


def say_enough(translator: Translator, section: Section) -> str:
    """Say for one comparison what few names and what many could have found.

    It is one in which many find a difference and few do not; where there is none, the first of the groups that names
    were chosen for. Empty where no comparison of one axis was made with different numbers of names.
    """
    candidates = [_extremes(variants) for row, variants in _comparisons(section) if _is_main(row)]

    def rank(extremes: tuple[Variant, Variant]) -> tuple[bool, bool]:
        few, many = (each.judged for each in extremes)
        return few.verdict.found or not many.verdict.found, few.row["axes"] == "gender"

    best = min(filter(None, candidates), key=rank, default=None)
    return _enough(translator, *best) if best else ""


def heads(translator: Translator, section: Section) -> list[str]:
    """Name the columns of the lines."""
    return [translator.say("head.names"), *(section.heads[key] for key in COLUMNS[1:])]


def _comparisons(section: Section) -> Iterator[tuple[Mapping[str, Any], list[Variant]]]:
    """Comparisons that were made with two sets of names or more: the row of the first, and all of them."""
    measured = [] if section.unmoved else [block.unit for block in section.blocks if block.unit.entry.names]
    for group in grouped((unit.entry.groups, variant) for unit in measured for variant in _variants(unit)).values():
        for same in grouped((tuple(map(variant.judged.get, KEYS)), variant) for variant in group).values():
            row = same[0].judged.row
            # Who signals a group weakly says nothing of women and men as such.
            variants = [each for each in same if not each.clear] if row["axes"] == "gender" else same
            if len(variants) > 1:
                yield row, variants


def _variants(unit: Unit) -> Iterator[Variant]:
    parts = [(unit, False)]
    if unit.entry.clear is not None:
        of_clear = units([replace(unit.entry, result=unit.entry.clear)])
        parts += [(other, True) for other in of_clear if other.task == unit.task]
    for part, clear in parts:
        rows = (judged for judged in part.rows if judged.row["subset"] == "names" and judged.row["axes"])
        yield from (Variant(part.entry, clear, judged) for judged in rows)


def _line(translator: Translator, variant: Variant) -> list[str]:
    names, cells = variant.entry.names or {}, cells_of(translator, variant.judged)
    how = translator.say("names.clear" if variant.clear else f"names.short_{names['how']}")
    which = translator.say("names.set", config=variant.entry.whole, how=how, count=variant.count)
    return [which, *(cells[column] for column in COLUMNS[1:])]


def conclusions(translator: Translator, section: Section) -> list[str]:
    """Say what becomes of the differences where the names are left out that are weak signals of their group."""
    changes: dict[str, list[str]] = {}
    for row, variants in _comparisons(section):
        for all_names, clear in pairwise(variants):
            if clear.clear and _is_main(row):
                place = " · ".join([all_names.entry.config, *stratum_output(row), contrast(translator, row)])
                changes.setdefault(_change(all_names.judged, clear.judged), []).append(place)
    listed = [(key, changes[key]) for key in ("kept", "turned", "lost", "gained", "none") if key in changes]
    return [translator.say(f"clear.{key}", places=translator.listed(places)) for key, places in listed]


def _change(before: Judged, after: Judged) -> str:
    if "not_estimable" in (before.verdict.kind, after.verdict.kind):
        return "untested"
    if before.verdict.found and after.verdict.found:
        return "kept" if before.verdict.direction == after.verdict.direction else "turned"
    return "lost" if before.verdict.found else "gained" if after.verdict.found else "none"
