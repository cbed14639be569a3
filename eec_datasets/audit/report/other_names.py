"""What a system shows with other names of the same groups: other sets, attested names, no weak signals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from eec_bias.options import ANY
from eec_bias.result.verdict import Judged
from eec_datasets.audit.report.document import Entry, Unit, units
from eec_datasets.audit.report.language import Translator
from eec_datasets.audit.report.sections import COLUMNS, Section, cells_of, is_simple, stratum_output
from eec_datasets.audit.report.sentences import contrast, label, term
from eec_datasets.grouping import grouped


@dataclass(frozen=True, slots=True)
class Variant:
    """Names of the same groups that one system scored, and the rows about them."""

    entry: Entry
    clear: bool
    rows: Mapping[Any, Judged]

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
            "compared": compared,
            "lines": [_line(translator, variant, key) for variant in variants],
            "several": sum(not variant.clear for variant in variants) > 1,
            "main": is_simple(variants[0].rows[key].row) and key[1] != "gender" and key[2] != ANY,
        }
        for compared, key, variants in _comparisons(translator, section)
        if any(variant.rows[key].row["effect"] for variant in variants)
    ]


def _extremes(key: Any, variants: Sequence[Variant]) -> tuple[Variant, Variant] | None:
    """Return the sets with the fewest and the most names of those whose smallest detectable effect is known."""
    whole = [each for each in variants if not each.clear and not each.entry.attested_of]
    estimated = [each for each in whole if each.rows[key].row["mde"] is not None]
    few = min(estimated, key=lambda each: each.count, default=None)
    many = max(estimated, key=lambda each: each.count, default=None)
    return (few, many) if few and many and few.count < many.count else None


def _enough(translator: Translator, key: Any, few: Variant, many: Variant) -> str:
    """Say what could have been found, and was measured, with the fewest names and with the most."""
    fields: dict[str, object] = {}
    for size, variant in (("few", few), ("many", many)):
        judged = variant.rows[key]
        fields |= {
            f"{size}_names": variant.count,
            f"{size}_config": variant.entry.config,
            f"{size}_mde": translator.number(judged.row["mde"]),
            f"{size}_effect": translator.number(judged.row["effect"], signed=True),
            f"{size}_reading": label(translator, judged),
        }
    row = few.rows[key].row
    return translator.say("names.enough", what=" · ".join([*stratum_output(row), contrast(translator, row)]), **fields)


def say_enough(translator: Translator, section: Section) -> str:
    """Say for one comparison what few names and what many could have found.

    It is one in which many find a difference and few do not; where there is none, the first of the groups that names
    were chosen for. Empty where no comparison of one axis was made with different numbers of names.
    """
    candidates: list[tuple[Any, ...]] = []
    for _, key, variants in _comparisons(translator, section):
        if (extremes := _extremes(key, variants)) and "+" not in key[1] and key[2] != ANY:
            few, many = (each.rows[key].verdict.found for each in extremes)
            candidates.append((few or not many, key[1] == "gender", len(candidates), key, extremes))
    if not candidates:
        return ""
    *_, key, extremes = min(candidates, key=lambda each: each[:3])
    return _enough(translator, key, *extremes)


def heads(translator: Translator, section: Section) -> list[str]:
    """Name the columns of the lines."""
    return [translator.say("head.names"), *(section.heads[key] for key in COLUMNS[1:])]


def _comparisons(translator: Translator, section: Section) -> Iterator[tuple[str, Any, list[Variant]]]:
    """Comparisons that were made with two sets of names or more."""
    if section.unmoved:
        return
    measured = [block.unit for block in section.blocks if block.unit.entry.names]
    for group in grouped((unit.entry.groups, variant) for unit in measured for variant in _variants(unit)).values():
        for key in dict.fromkeys(key for variant in group for key in variant.rows):
            # Who signals a group weakly says nothing of women and men as such.
            other_axes = set(str(key[1]).split("+")) - {"gender"}
            variants = [each for each in group if key in each.rows and (other_axes or not each.clear)]
            if len(variants) > 1:
                row = variants[0].rows[key].row
                name = " · ".join([*stratum_output(row), f"{term(translator, row)}: {contrast(translator, row)}"])
                yield name, key, variants


def _variants(unit: Unit) -> Iterator[Variant]:
    yield Variant(unit.entry, False, _by_comparison(unit))
    if unit.entry.clear is not None:
        same = replace(unit.entry, result=unit.entry.clear)
        for other in units([same]):
            if other.task == unit.task:
                yield Variant(same, True, _by_comparison(other))


def _by_comparison(unit: Unit) -> dict[Any, Judged]:
    keys = ("term", "axes", "level", "reference", "stratum", "output")
    return {
        tuple(judged.row.get(key) for key in keys): judged
        for judged in unit.rows
        if judged.row["subset"] == "names" and judged.row["axes"]
    }


def _line(translator: Translator, variant: Variant, key: Any) -> list[str]:
    names, cells = variant.entry.names or {}, cells_of(translator, variant.rows[key])
    how = translator.say("names.clear" if variant.clear else f"names.short_{names['how']}")
    which = translator.say("names.set", config=variant.entry.whole, how=how, count=variant.count)
    return [which, *(cells[column] for column in COLUMNS[1:])]


def conclusions(translator: Translator, section: Section) -> list[str]:
    """Say what becomes of the differences where the names are left out that are weak signals of their group."""
    changes: dict[str, list[str]] = {}
    for _, key, variants in _comparisons(translator, section):
        for all_names, clear in pairwise(variants):
            row = all_names.rows[key].row
            if clear.clear and is_simple(row) and row["level"] != ANY:
                place = " · ".join([all_names.entry.config, *stratum_output(row), contrast(translator, row)])
                changes.setdefault(_change(all_names.rows[key], clear.rows[key]), []).append(place)
    listed = [(key, changes[key]) for key in ("kept", "turned", "lost", "gained", "none") if key in changes]
    return [translator.say(f"clear.{key}", places=translator.listed(places)) for key, places in listed]


def _change(before: Judged, after: Judged) -> str:
    if "not_estimable" in (before.verdict.kind, after.verdict.kind):
        return "untested"
    if before.verdict.found and after.verdict.found:
        return "kept" if before.verdict.direction == after.verdict.direction else "turned"
    return "lost" if before.verdict.found else "gained" if after.verdict.found else "none"
