"""Every number of a report as rows of one table, unrounded: what ``terms.csv`` holds."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from eec_bias.reading import LEADING, TERM_KEYS, Finding
from eec_datasets.audit.report.document import Document, Entry, Unit, units
from eec_datasets.audit.report.language import load_translator
from eec_datasets.audit.report.sections import count_systems, count_untested, gather_sections, means_of
from eec_datasets.audit.report.shown import gather_cards

Row = dict[str, Any]

LAST: Final = ("effect_share", "mde_share", "name", "item", "quantity", "value")
"""Columns after those of the terms: shares of the scale; and what a row of another kind is about."""

COLUMNS: Final = ("kind", "system", "config", *LEADING[1:], *TERM_KEYS, *LAST)


def rows_of(document: Document) -> list[Row]:
    """Return the rows, all with the same columns.

    Rows of the kind ``term`` are those of the results, with effect and smallest detectable effect as shares of the
    scale too; so are those of the kind ``clear``, which were measured without names that are weak signals. All others
    hold one number, ``value``, and in ``quantity`` what it is: means of groups (``group``) and names (``name``), how
    far names are from their group (``far``), scores of pairs (``pair``), what names carry (``carried``), further lists
    of a result under their own names, the tables of a published procedure as they are printed, rounded (``table``),
    counts (``count``), ends of scales (``scale``), how many sentences a corpus has (``corpus``), typical pairs
    (``typical``), means by emotion (``emotion``), and the findings in points of 100 (``finding``).
    """
    rows = list(_rows(document))
    lead = [key for key in LEADING[1:] if any(row.get(key) is not None for row in rows)]
    columns = [key for key in COLUMNS if key not in LEADING[1:] or key in lead]
    return [{key: row.get(key) for key in columns} for row in rows]


def _rows(document: Document) -> Iterator[Row]:
    measured = list(units(document.entries))
    without_weak = [replace(entry, result=entry.clear) for entry in document.entries if entry.clear is not None]
    for kind, some in (("term", measured), ("clear", units(without_weak))):
        for unit in some:
            for row in (*(judged.row for judged in unit.rows), *unit.of_emotions):
                span = unit.span(row)
                shares = {f"{key}_share": row[key] and abs(row[key]) / span for key in ("effect", "mde")}
                yield {**row, **_about_unit(kind, unit), **shares}
    for unit in measured:
        yield from _unit_rows(unit)
    for entry in document.entries:
        rows = (*_entry_rows(entry), *_typical_rows(entry), *_study_rows(entry))
        # Of several systems it is called by its file.
        several = {unit.system for unit in measured if unit.entry is entry} != {entry.system}
        yield from ({"system": None if several else entry.system, "config": entry.config, **row} for row in rows)
    carried = {(entry.config, entry.data): entry.names for entry in document.entries if entry.names}
    for (config, _), names in carried.items():
        yield from ({"kind": "carried", "config": config, **row} for row in _names_rows(names))
    for each in document.corpora:
        quantity = f"sentences ({each['part']})" if each.get("part") else "sentences"
        yield {"kind": "corpus", "config": each["name"], "quantity": quantity, "value": each["rows"]}
    for system, counts in document.distinct.items():
        for language, value in counts.items():
            yield {"kind": "corpus", "system": system, "quantity": f"different sentences ({language})", "value": value}
    yield from _overall_rows(measured)


def _about_unit(kind: str, unit: Unit) -> Row:
    return {"kind": kind, "system": unit.system, "config": unit.entry.config, "task": unit.task or None}


def _group(labels: Mapping[str, str]) -> Row:
    return {"axes": "+".join(labels), "level": ":".join(labels.values())}


def _unit_rows(unit: Unit) -> Iterator[Row]:
    """Means of groups and names, the lists that were asked for, the scale."""
    axes = unit.entry.result.axes
    for cell in unit.others("cells") if axes else ():
        about = {key: cell.get(key) for key in ("stratum", "output", "subset")} | {"quantity": "mean score"}
        about |= _group({axis: str(cell.get(axis) or "") for axis in axes})
        sizes = {key: cell[key] for key in ("n_persons", "n_sentences")}
        yield _about_unit("group", unit) | about | sizes | {"value": cell["mean"]}
        for name, value in means_of(unit, cell).items():
            yield _about_unit("name", unit) | about | {"name": name, "value": value}
    for kind, rows in unit.further().items():
        for row in rows:
            about = {key: row[key] for key in COLUMNS if isinstance(row.get(key), str)}
            # Flips are of one axis.
            about |= {"axes": row.get("axes") or row.get("axis")}
            for key, value in row.items():
                if isinstance(value, int | float):
                    yield about | _about_unit(kind, unit) | {"quantity": key, "value": value}
    if untested := count_untested(unit):
        yield _about_unit("count", unit) | {"quantity": "not tested", "value": untested}
    for key, end in zip(("lowest", "highest"), unit.entry.result.score_range, strict=True):
        yield _about_unit("scale", unit) | {"quantity": f"{key} score", "value": end}


def _entry_rows(entry: Entry) -> Iterator[Row]:
    """Names that are far, pairs that moved."""
    for far in entry.standouts or ():
        about = {"kind": "far", "name": far["form"], "p": far["p"]} | _group(far["labels"])
        yield about | {"quantity": "distance from the others of its group", "value": far["distance"]}
    for pair in entry.moved or ():
        about = {"kind": "pair", "axes": pair["axis"], "item": pair.get("item")}
        for side in ("higher", "lower"):
            level = ":".join(pair[side]["labels"].values())
            score = {"quantity": f"{side} score", "value": pair[side]["score"]}
            yield about | {"level": level, "name": pair[side]["text"]} | score
        yield about | {"quantity": "difference", "value": pair["higher"]["score"] - pair["lower"]["score"]}


def _typical_rows(entry: Entry) -> Iterator[Row]:
    """Typical pairs, and how many pairs have a gap which way; mean scores by emotion."""
    for pair in entry.typical:
        about = {"kind": "typical", **{key: pair[key] for key in ("term", "level", "reference", "subset")}}
        for side in ("first", "second"):
            yield about | {"name": pair[side], "quantity": f"{side} score", "value": pair[f"{side}_score"]}
        for key in ("pairs", "higher", "lower"):
            yield about | {"quantity": f"pairs: {key}", "value": pair[key]}
    for emotion, mean in entry.emotion_means.items():
        yield {"kind": "emotion", "level": emotion, "quantity": "mean score", "value": mean}


PRINTED: Final = re.compile(r"([+-]?(?:\d*\.)?\d+(?:e[+-]?\d+)?)\**", re.IGNORECASE)
"""A number in a published table, with the stars of its p."""


def _study_rows(entry: Entry) -> Iterator[Row]:
    """The numbers in the tables of a published procedure, line by line; the words of a line say what they are."""
    for name, table in (entry.result.study.tables() if entry.result.study else {}).items():
        *blocks, last = table.split("\n\n")
        # One line below a table is its note.
        lines = "\n".join(blocks if blocks and "\n" not in last else [*blocks, last]).splitlines()
        for number, line in enumerate(lines, start=1):
            cells = [cell.strip("[](),") for cell in line.replace("−", "-").split()]
            numbers = [match[1] for cell in cells if (match := PRINTED.fullmatch(cell))]
            words = " ".join(cell for cell in cells if not PRINTED.fullmatch(cell))
            about = {"kind": "table", "item": f"{name}, line {number}", "name": words}
            for k, value in enumerate(numbers, start=1):
                yield about | {"quantity": f"number {k}", "value": float(value)}


def _names_rows(names: Mapping[str, Any]) -> Iterator[Row]:
    cells, weak = names["cells"], names["weak"]
    groups = [_group(cell["labels"]) for cell in cells]
    for group, cell in zip(groups, cells, strict=True):
        yield group | {"quantity": "names", "value": cell["names"]}
        yield group | {"quantity": "attested names", "value": cell["attested"]}
    for feature in names["features"]:
        name = f"{feature['feature']} ({feature['about']})" if feature["about"] else feature["feature"]
        for group, mean in zip(groups, feature["means"], strict=True):
            yield group | {"quantity": f"mean of {name}", "value": mean["mean"]}
        yield {"quantity": f"largest difference in {name}, in standard deviations", "value": feature["apart"]}
    total = sum(cell["names"] for cell in cells)
    counts = {"names": total, "weak signals": len(weak), "names without weak signals": total - len(weak)}
    yield from ({"quantity": key, "value": count} for key, count in counts.items())
    for name in weak:
        for doubt in name["doubts"]:
            quantity = f"{'at most, ' if doubt['at_most'] else ''}probability of the group: {doubt['source']}"
            yield _group(name["labels"]) | {"name": name["form"], "quantity": quantity, "value": doubt["probability"]}


def _overall_rows(measured: Sequence[Unit]) -> Iterator[Row]:
    """What is counted over the comparisons of a system, and over systems; how far the picture's scales go."""
    english = load_translator()
    shown = gather_sections(english, measured)
    for section in shown:
        count = len(section.far)
        yield {"kind": "count", "system": section.title, "quantity": "names far from their group", "value": count}
    yield {"kind": "count", "quantity": "systems", "value": count_systems(shown)}
    for card in gather_cards(english, measured):
        system = card.title
        verdicts = Counter(str(line.finding.verdict) for line in card.every)
        counts = {"comparisons": len(card.every), **{f"comparisons: {key}": value for key, value in verdicts.items()}}
        for key, value in counts.items():
            yield {"kind": "count", "system": system, "quantity": key, "value": value}
        yield {"kind": "scale", "system": system, "quantity": "end of the scale, in points", "value": card.reach}
        for line in card.every:
            yield from _finding_rows(system, line.finding)


def _finding_rows(system: str, finding: Finding) -> Iterator[Row]:
    """The numbers of one finding, in points of 100, and what other lists say."""
    question = finding.comparison
    about: Row = {"kind": "finding", "system": system, "config": finding.listed, "term": question.term}
    about |= {key: getattr(question, key) for key in ("axes", "level", "reference", "subset", "stratum", "output")}
    about |= {"n_persons": finding.n_persons, "n_sentences": finding.n_sentences, "note": finding.verdict}
    low, high = finding.points_between or (None, None)
    found_from = 100 * finding.found_from / finding.width if finding.found_from is not None else None
    numbers = {"gap": finding.points, "low": low, "high": high, "found from": found_from, "adjusted p": finding.p}
    for quantity, value in numbers.items():
        if value is not None:
            yield about | {"quantity": quantity, "value": value}
    for other in finding.others:
        yield about | {"quantity": f"gap in {other.listed}", "value": other.points}
