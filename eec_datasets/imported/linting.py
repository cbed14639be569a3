"""All checks of a file, put together into a report."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from eec_datasets.checks.pair_evenness import KEPT, MISSING, missing_rows, pair_evenness
from eec_datasets.checks.report import corpus_checks
from eec_datasets.checks.text import check_characters, check_duplicates, check_punctuation, check_vowel_marks
from eec_datasets.grouping import grouped
from eec_datasets.imported.known import known_of
from eec_datasets.imported.label_checks import check_labels, not_told_apart
from eec_datasets.imported.language_checks import check_language
from eec_datasets.imported.matching import match
from eec_datasets.imported.report import Defect, Example, LintReport

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from eec_datasets.checks.pair_evenness import PairEvenness, What, Who
    from eec_datasets.checks.text import Hit
    from eec_datasets.imported.known import Known
    from eec_datasets.imported.matching import Match
    from eec_datasets.imported.reading import ForeignCorpus, Row

LABELS = ("person", "gender", "race", "emotion", "word")
"""Labels that tell two rows of one sentence apart."""


def lint(corpus: ForeignCorpus, *, root: Path | None = None) -> LintReport:
    """Run every check on a file.

    Parameters
    ----------
    corpus : from `read_corpus`.
    root : folder of locales, if not the one that comes with the package.
    """
    rows, known = corpus.rows, known_of(corpus.preset, root)
    matches, _ = match(corpus, known)
    items, persons, unpaired = [one.what for one in matches], [one.who for one in matches], not_told_apart(matches)
    label_hits, notes = check_labels(matches, known.locale if known else None, frames=not unpaired)
    hits = [*_check_text(rows), *label_hits, *(check_language(matches, known) if known else ())]
    failed = grouped((hit.row, hit.check) for hit in hits)
    failing = [frozenset(failed.get(at, ())) for at in range(len(rows))]
    even = [] if unpaired else pair_evenness(items, persons, failing, _order(matches, known))
    defects = [*([] if unpaired else _missing(items, persons)), *_defects(rows, hits)]
    return LintReport(
        file=corpus.name,
        rows=len(rows),
        persons=len(set(persons)),
        templates=len({item[0] for item in items}),
        compared=known.locale.tag if known else "",
        groups={group: sum(1 for row in rows if row.group == group) for group in corpus.groups},
        defects=tuple(sorted(defects, key=lambda defect: list(corpus_checks()).index(defect.kind))),
        pairs=tuple(even),
        pair_examples=tuple(tuple(_sides(rows, pairs)) for pairs in even),
        notes=(*corpus.notes, *filter(None, [unpaired]), *notes, *_unmatched(matches, known)),
    )


def _check_text(rows: Sequence[Row]) -> Iterator[Hit]:
    """What needs the sentences only, in any language."""
    sentences = [row.sentence for row in rows]
    yield from check_characters(sentences)
    yield from check_punctuation(sentences)
    yield from check_vowel_marks([row.person for row in rows])
    labels = [{name: getattr(row, name) for name in LABELS} for row in rows]
    yield from check_duplicates(sentences, labels, [row.line for row in rows])


def _order(matches: Sequence[Match], known: Known | None) -> dict[Who, int]:
    """The place of each person: in our lists where it is there, else after them in order of appearance."""
    ours = {id(person): at for at, person in enumerate(known.persons)} if known else {}
    order: dict[Who, int] = {}
    for found in matches:
        order.setdefault(found.who, ours[id(found.person)] if found.person else len(ours) + len(order))
    return order


def _missing(items: Sequence[What], persons: Sequence[Who]) -> list[Defect]:
    missing = missing_rows(items, persons)
    if not missing:
        return []
    groups: Counter[str] = Counter()
    for (_, gender, race), (count, _) in missing.items():
        groups[f"{race} {gender}" if race else f"{gender} (no race)"] += count
    shown = [
        Example(0, f"{who[0]}: {' · '.join(filter(None, first))}", f"{count} missing")
        for who, (count, first) in list(missing.items())[:KEPT]
    ]
    return [Defect(MISSING, sum(groups.values()), dict(groups), tuple(shown))]


def _defects(rows: Sequence[Row], hits: Sequence[Hit]) -> list[Defect]:
    found: dict[str, dict[int, str]] = defaultdict(dict)
    for hit in hits:
        found[hit.check].setdefault(hit.row, hit.detail)
    return [_defect(kind, rows, by_row) for kind, by_row in found.items()]


def _defect(kind: str, rows: Sequence[Row], by_row: Mapping[int, str]) -> Defect:
    groups = Counter(rows[at].group for at in by_row)
    shown = sorted(by_row)[:: max(1, len(by_row) // KEPT)][:KEPT]
    examples = tuple(Example(rows[at].line, rows[at].sentence, by_row[at]) for at in shown)
    return Defect(kind, len(by_row), dict(groups), examples)


def _sides(rows: Sequence[Row], pairs: PairEvenness) -> list[Example]:
    return [
        Example(0, "(missing)") if at is None else Example(rows[at].line, rows[at].sentence)
        for pair in pairs.examples
        for at in pair
    ]


def _unmatched(matches: Sequence[Match], known: Known | None) -> list[str]:
    if known is None:
        return ["no language that has a locale was named, so spelling, cases and agreement were not checked"]
    reasons = Counter(why for found in matches for why in found.why)
    told = [f"{count} rows not compared: {why}" for why, count in reasons.most_common(KEPT)]
    more = len(reasons) - len(told)
    return [*told, *([f"and {more} more reasons not to compare a row"] if more > 0 else [])]
