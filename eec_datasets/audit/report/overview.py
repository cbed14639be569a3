"""Many systems side by side: tables of effects, and how many systems differ."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, Final

from eec_bias.result.words import adjustment
from eec_datasets.audit.report.findings import Finding, Key, Place, term_name
from eec_datasets.audit.report.language import Translator
from eec_datasets.audit.report.picture import ordered_keys
from eec_datasets.audit.report.sections import Section, is_simple

MANY: Final = 8
"""More systems than this are counted; those with findings come first, and their sections are folded."""

SAID: Final = 6
"""At most so many terms are counted in sentences; the table has all."""

Count = dict[str, Any]
"""How many systems differ on one term: its name, task and groups, numbers by verdict, mean effects of those that do."""


@dataclass(frozen=True, slots=True)
class Matrix:
    """One table of the overview: systems down, places or terms across; ``main`` where it is of no interaction."""

    caption: str
    columns: list[str]
    rows: list[tuple[Section, list[Finding | None]]]
    main: bool


def overview(translator: Translator, sections: Sequence[Section], shown: Sequence[Finding]) -> dict[str, Any]:
    """Lay many systems out side by side, one per section.

    Returns
    -------
    dict
        ``said``: of how many systems differ, in sentences; ``matrices``: tables of effects, main terms first;
        ``counts``: how many systems differ, by term; ``within``: whether p is adjusted within systems only, so that
        many systems will show some false findings.
    """
    keys = ordered_keys(shown)
    places = list(dict.fromkeys(finding.place for finding in shown))
    matrices = list(_matrices(translator, sections, shown, keys, places))
    tasks = {section.anchor: section.blocks[0].unit.task for section in sections}
    whole = list(_counts(translator, shown, keys, places, dict.fromkeys(tasks, "")))
    main = [count for count in whole if count["first"]] or whole
    said = [_say_count(translator, count) for count in (whole if len(whole) <= SAID else main)[:SAID]]
    counts = whole if len(set(tasks.values())) == 1 else list(_counts(translator, shown, keys, places, tasks))
    within = any(adjustment(block.unit.entry.result) for section in sections for block in section.blocks)
    return {"said": said, "matrices": matrices, "counts": counts, "within": within}


def _say_count(translator: Translator, count: Count) -> str:
    """Say in a sentence how many systems differ on a term."""
    values = {key: translator.count(value) if isinstance(value, int) else value for key, value in count.items()}
    text = translator.say("findings.counts" if count["first"] else "findings.counts_bare", **values)
    return f"{text} {translator.say('findings.other', other=values['other'])}" if count["other"] else text


def _matrices(
    translator: Translator, sections: Sequence[Section], shown: Sequence[Finding], keys: Sequence[Key],
    places: Sequence[Place],
) -> Iterator[Matrix]:  # fmt: skip
    """One table of all terms where there is one place, else one of all places for each term."""
    cells = {(each.key, each.place, each.section.anchor): each for each in shown}
    names = {key: term_name(translator, key, [each for each in shown if each.key == key]) for key in keys}

    def rows(columns: Sequence[tuple[Key, Place]]) -> list[tuple[Section, list[Finding | None]]]:
        return [(section, [cells.get((*column, section.anchor)) for column in columns]) for section in sections]

    if len(places) == 1:
        columns = [(key, places[0]) for key in keys]
        yield Matrix(translator.say("caption.matrix_terms"), list(names.values()), rows(columns), main=True)
        return
    for key, name in names.items():
        used = [where for where in places if any((key, where, each.anchor) in cells for each in sections)]
        caption = translator.say("caption.matrix", term=name)
        columns = [(key, where) for where in used]
        yield Matrix(caption, [" · ".join(where) for where in used], rows(columns), main="+" not in key[1])


def _counts(
    translator: Translator, shown: Sequence[Finding], keys: Sequence[Key], places: Sequence[Place],
    tasks: Mapping[str, str],
) -> Iterator[Count]:  # fmt: skip
    """Count systems by term, place and task; ``tasks`` gives the task of a section's anchor."""
    groups: dict[tuple[Key, Place, str], list[Finding]] = {
        (key, where, task): [] for key in keys for where in places for task in tasks.values()
    }
    for finding in shown:
        groups[finding.key, finding.place, tasks[finding.section.anchor]].append(finding)
    for (key, where, task), own in groups.items():
        # A term of many levels has no first and second group to count.
        if own and not any(finding.label for finding in own):
            name = " · ".join([term_name(translator, key, own), *(where if len(places) > 1 else ())])
            yield {"name": name, "task": task, **_count(translator, key, [finding.judged for finding in own])}


def _count(translator: Translator, key: Key, own: Sequence[Any]) -> Count:
    found = [each.row["effect"] for each in own if each.verdict.found and each.row["effect"] is not None]
    up, down = [value for value in found if value > 0], [value for value in found if value < 0]
    none = sum(each.verdict.kind in ("not_detectable", "zero", "no_reaction") for each in own)
    compared = {(each.row["level"], each.row["reference"]) for each in own}
    first = second = ""
    if is_simple(own[0].row) and len(compared) == 1:
        first, second = (translator.sentences(key[1], label or "", key[2]) for label in next(iter(compared)))
    return {
        "first": first, "second": second, "count": len(own), "none": none, "up": len(up), "down": len(down),
        "other": len(own) - none - len(up) - len(down), "mean_up": fmean(up) if up else None,
        "mean_down": fmean(down) if down else None,
    }  # fmt: skip
