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
from eec_datasets.audit.report.sections import Section, cells_of, is_simple, place
from eec_datasets.audit.report.sentences import contrast, label, term
from eec_datasets.grouping import grouped

COLUMNS: Final = ("effect", "interval", "p", "mde", "reading")


@dataclass(frozen=True, slots=True)
class Beside:
    """One comparison with several sets of names.

    Attributes
    ----------
    compared
        What is compared.
    lines
        A line of cells for each set.
    several
        Whether the sets are of two corpora or more.
    main
        Whether it compares the groups that names were chosen for, and nothing else.
    """

    compared: str
    lines: list[list[str]]
    several: bool
    main: bool


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


def beside(translator: Translator, section: Section) -> list[Beside]:
    """Return what a system shows with several sets of names of the same groups, comparison by comparison.

    Comparisons without an effect in any of them are left out.
    """
    return [
        Beside(
            compared,
            [_line(translator, variant, key) for variant in variants],
            several=sum(not variant.clear for variant in variants) > 1,
            main=is_simple(variants[0].rows[key].row) and key[1] != "gender" and key[2] != ANY,
        )
        for compared, key, variants in _shared(translator, section)
        if any(variant.rows[key].row["effect"] for variant in variants)
    ]


def _extremes(key: Any, variants: Sequence[Variant]) -> tuple[Variant, Variant] | None:
    """Return the sets with the fewest and the most names of those whose smallest detectable effect is known."""
    known = [
        each
        for each in variants
        if each.rows[key].row["mde"] is not None and not each.clear and not each.entry.attested_of
    ]
    if not known or min(each.count for each in known) == max(each.count for each in known):
        return None
    return min(known, key=lambda each: each.count), max(known, key=lambda each: each.count)


def _enough(translator: Translator, key: Any, few: Variant, many: Variant) -> str:
    """Say what could have been found, and was measured, with the fewest names and with the most."""
    told: dict[str, object] = {}
    for which, variant in (("few", few), ("many", many)):
        own = variant.rows[key]
        told |= {
            f"{which}_names": variant.count,
            f"{which}_config": variant.entry.config,
            f"{which}_mde": translator.number(own.row["mde"]),
            f"{which}_effect": translator.number(own.row["effect"], signed=True),
            f"{which}_reading": label(translator, own),
        }
    row = few.rows[key].row
    return translator.say("names.enough", what=" · ".join([*place(row), contrast(translator, row)]), **told)


def say_enough(translator: Translator, section: Section) -> str:
    """Say for one comparison what few names and what many could have found.

    It is one in which many find a difference and few do not; where there is none, the first of the groups that names
    were chosen for. Empty where no comparison of one axis was made with different numbers of names.
    """
    found: list[tuple[Any, ...]] = []
    for _, key, variants in _shared(translator, section):
        if (sets := _extremes(key, variants)) and "+" not in key[1] and key[2] != ANY:
            few, many = (each.rows[key].verdict.found for each in sets)
            found.append((few or not many, key[1] == "gender", len(found), key, sets))
    if not found:
        return ""
    *_, key, sets = min(found, key=lambda each: each[:3])
    return _enough(translator, key, *sets)


def heads(translator: Translator, section: Section) -> list[str]:
    """Name the columns of the lines."""
    return [translator.say("head.names"), *(section.heads[key] for key in COLUMNS)]


def _shared(translator: Translator, section: Section) -> Iterator[tuple[str, Any, list[Variant]]]:
    """Comparisons that were made with two sets of names or more."""
    if section.unmoved:
        return
    for group in _alike(section).values():
        for key in dict.fromkeys(key for variant in group for key in variant.rows):
            # Who signals a group weakly says nothing of women and men as such.
            about = set(str(key[1]).split("+")) - {"gender"}
            own = [each for each in group if key in each.rows and (about or not each.clear)]
            if len(own) > 1:
                row = own[0].rows[key].row
                what = " · ".join([*place(row), f"{term(translator, row)}: {contrast(translator, row)}"])
                yield what, key, own


def _alike(section: Section) -> dict[Any, list[Variant]]:
    """Sets of names by language and groups."""
    measured = [block.unit for block in section.blocks if block.unit.entry.names]
    return grouped((unit.entry.groups, variant) for unit in measured for variant in _variants(unit))


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
        tuple(own.row.get(key) for key in keys): own
        for own in unit.rows
        if own.row["subset"] == "names" and own.row["axes"]
    }


def _line(translator: Translator, variant: Variant, key: Any) -> list[str]:
    names, cells = variant.entry.names or {}, cells_of(translator, variant.rows[key])
    how = translator.say("names.clear" if variant.clear else f"names.short_{names['how']}")
    which = translator.say("names.set", config=variant.entry.whole, how=how, count=variant.count)
    return [which, *(cells[column] for column in COLUMNS)]


def conclusions(translator: Translator, section: Section) -> list[str]:
    """Say what becomes of the differences where the names are left out that are weak signals of their group."""
    found: dict[str, list[str]] = {}
    for _, key, variants in _shared(translator, section):
        for all_names, clear in pairwise(variants):
            row = all_names.rows[key].row
            if clear.clear and is_simple(row) and row["level"] != ANY:
                where = " · ".join([all_names.entry.config, *place(row), contrast(translator, row)])
                found.setdefault(_change(all_names.rows[key], clear.rows[key]), []).append(where)
    said = [(key, found[key]) for key in ("kept", "turned", "lost", "gained", "none") if key in found]
    return [translator.say(f"clear.{key}", places=translator.listed(places)) for key, places in said]


def _change(before: Judged, after: Judged) -> str:
    if "not_estimable" in (before.verdict.kind, after.verdict.kind):
        return "untested"
    if before.verdict.found and after.verdict.found:
        return "kept" if before.verdict.direction == after.verdict.direction else "turned"
    return "lost" if before.verdict.found else "gained" if after.verdict.found else "none"
