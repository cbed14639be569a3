"""Many systems side by side: tables of effects, and how many systems differ."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from statistics import fmean
from typing import Any, Final

from eec_bias.reading import adjustment, adjusts_across
from eec_datasets.audit.report.document import is_simple, rated
from eec_datasets.audit.report.findings import Key, Place, TermFinding, ordered_keys, term_name
from eec_datasets.audit.report.language import Translator
from eec_datasets.audit.report.picture import Row, grid
from eec_datasets.audit.report.sections import Section
from eec_datasets.audit.report.sentences import SIDES, of_group

MANY: Final = 8
"""More systems than this are counted; those with findings come first, and their sections are folded."""

SAID: Final = 6
"""At most so many terms are counted in sentences; the table has all."""

Matrix = dict[str, Any]
"""One table of the overview: systems down, places or terms across; ``main`` where it is of no interaction."""

Count = dict[str, Any]
"""How many systems differ on one term: its name, task and groups, numbers by verdict, mean effects of those that do."""


def overview(translator: Translator, sections: Sequence[Section]) -> dict[str, Any]:
    """Lay many systems out side by side, one per section.

    Returns
    -------
    dict
        ``said``: of how many systems differ, in sentences; ``matrices``: tables of effects, main terms first;
        ``counts``: how many systems differ, by term; ``within``: whether p is adjusted within systems only, so that
        many systems will show some false findings.
    """
    findings = [each for section in sections for each in section.findings]
    tasks = {section.anchor: section.blocks[0].unit.task for section in sections}
    whole = list(_counts(translator, findings, dict.fromkeys(tasks, "")))
    main = [count for count in whole if count["first"]] or whole
    sentences = []
    for count in (whole if len(whole) <= SAID else main)[:SAID]:
        text = translator.say("findings.counts" if count["first"] else "findings.counts_bare", **count)
        other = f" {translator.say('findings.other', other=count['other'])}" if count["other"] else ""
        sentences.append(text + other)
    counts = whole if len(set(tasks.values())) == 1 else list(_counts(translator, findings, tasks))
    results = [block.unit.entry.result for section in sections for block in section.blocks]
    within = any(adjustment(result) and not adjusts_across(result) for result in results)
    return {"said": sentences, "matrices": list(_matrices(translator, sections)), "counts": counts, "within": within}


def _matrices(translator: Translator, sections: Sequence[Section]) -> Iterator[Matrix]:
    """One table of all terms where there is one place, else one of all places for each term."""

    def table(caption: str, columns: Sequence[str], rows: Sequence[Row], main: bool = True) -> Matrix:
        turned = [(section, list(cells)) for section, cells in zip(sections, zip(*rows, strict=True), strict=True)]
        return {"caption": caption, "columns": columns, "rows": turned, "main": main}

    terms = list(grid(translator, sections))
    if len({each.place for section in sections for each in section.findings}) == 1:
        rows = [row for _, _, [(_, row)] in terms]
        yield table(translator.say("caption.matrix_terms"), [name for _, name, _ in terms], rows)
        return
    for key, name, used in terms:
        places, rows = [" · ".join(place) for place, _ in used], [row for _, row in used]
        yield table(translator.say("caption.matrix", term=name), places, rows, "+" not in key[1])


def _counts(translator: Translator, findings: Sequence[TermFinding], tasks: Mapping[str, str]) -> Iterator[Count]:
    """Count systems by term, place and task; ``tasks`` gives the task of a section's anchor."""
    places = dict.fromkeys(finding.place for finding in findings)
    about = product(ordered_keys(findings), places, dict.fromkeys(tasks.values()), (False, True))
    groups: dict[tuple[Key, Place, str, bool], list[TermFinding]] = {each: [] for each in about}
    for finding in findings:
        two = bool(finding.judged.verdict.compared)
        groups[finding.key, finding.place, tasks[finding.anchor], two].append(finding)
    for (key, place, task, two), group in groups.items():
        if not group or any(finding.label for finding in group):
            continue  # A term of many levels has no first and second group to count.
        of_two = [translator.say("findings.of_two")] if two else []
        name = " · ".join([term_name(translator, group), *(place if len(places) > 1 else ()), *of_two])
        judged = [finding.judged for finding in group]
        effects = [each.row["effect"] for each in judged if each.verdict.found and each.row["effect"] is not None]
        up, down = [value for value in effects if value > 0], [value for value in effects if value < 0]
        none = sum(each.verdict.kind in ("not_detectable", "zero", "no_reaction") for each in judged)
        first = second = ""
        row = judged[0].row
        same = len({(each.row["level"], each.row["reference"]) for each in judged}) == 1
        if is_simple(row) and not rated(row) and same and not two:
            first, second = (of_group(translator, row, key[1], row[side] or "") for side in SIDES)
        counts = {"count": len(judged), "none": none, "up": len(up), "down": len(down)}
        counts["other"] = len(judged) - none - len(up) - len(down)
        means = {f"mean_{key}": fmean(values) if values else None for key, values in (("up", up), ("down", down))}
        yield {"name": name, "task": task, "first": first, "second": second, **counts, **means}
