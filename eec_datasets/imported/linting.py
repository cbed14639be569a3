"""All checks of a file, put together into a report."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from eec_datasets.imported.hits import KINDS, Hit
from eec_datasets.imported.known import known_of
from eec_datasets.imported.label_checks import Item, Who, check_labels, check_missing, told_apart
from eec_datasets.imported.language_checks import check_language
from eec_datasets.imported.matching import match
from eec_datasets.imported.pairs import KEPT, Evenness, evenness
from eec_datasets.imported.text_checks import check_duplicates, check_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from eec_datasets.imported.known import Known
    from eec_datasets.imported.matching import Match
    from eec_datasets.imported.reading import ForeignCorpus, Row


@dataclass(frozen=True, slots=True)
class Example:
    """Where a defect can be seen; `line` is 0 for a sentence that is missing."""

    line: int
    text: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Defect:
    """One kind of defect: how many sentences have it, in all and by group."""

    kind: str
    total: int
    groups: Mapping[str, int]
    examples: tuple[Example, ...]


@dataclass(frozen=True, slots=True)
class LintReport:
    """What was found in a file.

    Attributes
    ----------
    groups : sentences by group, in the file's own labels.
    compared : the locale of ours the sentences were compared with, or empty.
    notes : what could not be checked, and why.
    """

    file: str
    rows: int
    persons: int
    templates: int
    compared: str
    groups: Mapping[str, int]
    defects: tuple[Defect, ...]
    pairs: tuple[Evenness, ...]
    pair_examples: tuple[tuple[Example, ...], ...]
    notes: tuple[str, ...]

    @property
    def ok(self) -> bool:
        """Whether no defect was found."""
        return not self.defects

    def to_dict(self) -> dict[str, Any]:
        """The report as JSON-able values."""
        return {
            "file": self.file,
            "ok": self.ok,
            "rows": self.rows,
            "persons": self.persons,
            "templates": self.templates,
            "compared_with": self.compared,
            "groups": dict(self.groups),
            "defects": [
                {"kind": defect.kind, "meaning": KINDS[defect.kind], "total": defect.total}
                | {"groups": dict(defect.groups), "examples": [_example(example) for example in defect.examples]}
                for defect in self.defects
            ],
            "pairs": [
                {"axis": e.axis, "group": e.group, "pairs": e.pairs, "uneven": e.uneven, "share": round(e.share, 4)}
                | {"kinds": dict(e.kinds)}
                for e in self.pairs
            ],
            "notes": list(self.notes),
        }


def _example(example: Example) -> dict[str, Any]:
    return {"line": example.line or None, "text": example.text, "detail": example.detail}


def lint(corpus: ForeignCorpus, *, root: Path | None = None) -> LintReport:
    """Run every check on a file.

    Parameters
    ----------
    corpus : from `read_corpus`.
    root : folder of locales, if not the one that comes with the package.
    """
    rows, known = corpus.rows, known_of(corpus.preset, root)
    matches = match(corpus, known).rows
    items, persons = keys(rows, matches)
    paired, unpaired = told_apart(rows, items, persons)
    label_hits, notes = check_labels(rows, matches, known.locale if known else None, frames=paired)
    hits = [*check_text(rows), *check_duplicates(rows), *label_hits]
    hits += check_language(rows, matches, known) if known else []
    by_row: list[set[str]] = [set() for _ in rows]
    for hit in hits:
        by_row[hit.row].add(hit.kind)
    kinds = [frozenset(kinds) for kinds in by_row]
    even = evenness(items, persons, kinds, _order(persons, matches, known)) if paired else []
    defects = [*(_missing(items, persons) if paired else []), *_defects(rows, hits)]
    return LintReport(
        file=corpus.name,
        rows=len(rows),
        persons=len(set(persons)),
        templates=len({item[0] for item in items}),
        compared=known.locale.tag if known else "",
        groups={group: sum(1 for row in rows if row.group == group) for group in corpus.groups},
        defects=tuple(sorted(defects, key=lambda defect: list(KINDS).index(defect.kind))),
        pairs=tuple(even),
        pair_examples=tuple(tuple(_sides(rows, one)) for one in even),
        notes=(*corpus.notes, *([] if paired else [unpaired]), *notes, *_unmatched(matches, known)),
    )


def keys(rows: Sequence[Row], matches: Sequence[Match]) -> tuple[list[Item], list[Who]]:
    """For every row what is said and of whom: our ids where it was matched, else the labels as they stand."""
    items = [
        (
            found.template.id if found.template else row.template,
            row.emotion.lower(),
            found.word.id if found.word else row.word,
        )
        for row, found in zip(rows, matches, strict=True)
    ]
    persons = [
        (found.person.id if found.person else row.person, row.gender, row.race)
        for row, found in zip(rows, matches, strict=True)
    ]
    return items, persons


def _order(persons: Sequence[Who], matches: Sequence[Match], known: Known | None) -> dict[Who, int]:
    """The place of each person: in our lists where it is there, else after them in order of appearance."""
    ours = {id(person): at for at, person in enumerate(known.persons)} if known else {}
    order: dict[Who, int] = {}
    for who, found in zip(persons, matches, strict=True):
        order.setdefault(who, ours[id(found.person)] if found.person else len(ours) + len(order))
    return order


def _missing(items: Sequence[Item], persons: Sequence[Who]) -> list[Defect]:
    missing = check_missing(items, persons)
    if not missing:
        return []
    groups: Counter[str] = Counter()
    for (_, gender, race), lacking in missing.items():
        groups[f"{race} {gender}" if race else f"{gender} (no race)"] += len(lacking)
    shown = [
        Example(0, f"{who[0]}: {' · '.join(part for part in lacking[0] if part)}", f"{len(lacking)} missing")
        for who, lacking in list(missing.items())[:KEPT]
    ]
    return [Defect("missing-row", sum(groups.values()), dict(groups), tuple(shown))]


def _defects(rows: Sequence[Row], hits: Sequence[Hit]) -> list[Defect]:
    found: dict[str, dict[int, str]] = defaultdict(dict)
    for hit in hits:
        found[hit.kind].setdefault(hit.row, hit.detail)
    return [_defect(kind, rows, by_row) for kind, by_row in found.items()]


def _defect(kind: str, rows: Sequence[Row], by_row: Mapping[int, str]) -> Defect:
    groups = Counter(rows[at].group for at in by_row)
    shown = sorted(by_row)[:: max(1, len(by_row) // KEPT)][:KEPT]
    examples = tuple(Example(rows[at].line, rows[at].sentence, by_row[at]) for at in shown)
    return Defect(kind, len(by_row), dict(groups), examples)


def _sides(rows: Sequence[Row], one: Evenness) -> list[Example]:
    return [
        Example(0, "(missing)") if at is None else Example(rows[at].line, rows[at].sentence)
        for pair in one.examples
        for at in pair
    ]


def _unmatched(matches: Sequence[Match], known: Known | None) -> list[str]:
    if known is None:
        return ["no locale of ours was named (--language TAG): spelling, cases and agreement were not checked"]
    reasons = Counter(why for found in matches for why in found.why)
    told = [f"{count} rows not compared: {why}" for why, count in reasons.most_common(KEPT)]
    more = len(reasons) - len(told)
    return [*told, *([f"and {more} more reasons not to compare a row"] if more > 0 else [])]
