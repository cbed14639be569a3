"""All checks of a file, put together into a report."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from eec_datasets.checks.pair_evenness import EXAMPLES, MISSING, in_no_pair, missing_rows, pair_evenness
from eec_datasets.checks.report import corpus_checks, counted
from eec_datasets.checks.text import check_characters, check_duplicates, check_punctuation, check_vowel_marks
from eec_datasets.grouping import grouped
from eec_datasets.imported.label_checks import check_labels, inflected, not_told_apart
from eec_datasets.imported.language_checks import check_language
from eec_datasets.imported.matching import match
from eec_datasets.imported.reading import group_of, some
from eec_datasets.imported.reference import reference_for
from eec_datasets.imported.report import Defect, Example, LintReport

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from eec_datasets.checks.pair_evenness import ItemKey, PairEvenness, PersonKey
    from eec_datasets.checks.text import RowDefect
    from eec_datasets.imported.matching import Match
    from eec_datasets.imported.reading import ForeignCorpus, Row
    from eec_datasets.imported.reference import Reference

LABELS = ("person", "gender", "race", "emotion", "word")
"""Labels that tell two rows of one sentence apart."""

STEPS = ("matching", "labels", "texts", "language", "pairs")


def lint(
    corpus: ForeignCorpus, *, root: Path | None = None, progress: Callable[[int, int, str], None] | None = None
) -> LintReport:
    """Run every check on a file.

    Parameters
    ----------
    corpus : from `read_corpus`.
    root : folder of locales, if not the one that comes with the package.
    progress : called as ``progress(done, total, name)`` before each of `STEPS`.
    """

    def begin(step: str) -> None:
        if progress:
            progress(STEPS.index(step), len(STEPS), step)

    begin("matching")
    rows, reference = corpus.rows, reference_for(corpus.preset, root)
    matches, _ = match(corpus, reference)
    items, persons = [row.item_key for row in matches], [row.person_key for row in matches]
    begin("labels")
    unpaired = not_told_apart(matches)
    label_defects, notes = check_labels(matches, reference.locale if reference else None, frames=not unpaired)
    begin("texts")
    row_defects = [*_check_text(rows), *label_defects]
    begin("language")
    row_defects += check_language(matches, reference) if reference else ()
    begin("pairs")
    failed = grouped((defect.row, defect.check) for defect in row_defects)
    order, (forms, unlike) = _order(matches, reference), inflected(matches)
    compared = [] if unpaired else [row for row, item in enumerate(items) if item not in forms]
    said, who = [items[row] for row in compared], [persons[row] for row in compared]
    evenness = pair_evenness(said, who, [frozenset(failed.get(row, ())) for row in compared], order)
    paired = [(pairs, _sides([rows[row] for row in compared], pairs)) for pairs in evenness if pairs.pairs]
    alone = some([group_of(gender, race) for gender, race in in_no_pair(order)], len(order))
    lone = f"in no pair: {alone}. Pairs are of female and male of a race, and of two races of either" if alone else ""
    defects = [*_missing(said, who), *_defects(rows, row_defects)]
    groups = Counter(row.group for row in rows)
    return LintReport(
        file=corpus.name,
        rows=len(rows),
        persons=len(set(persons)),
        templates=len({item[0] for item in items if item[0]}),
        compared_with=reference.locale.tag if reference else "",
        groups=dict(sorted(groups.items(), key=lambda entry: entry[0].endswith("(no race)"))),
        defects=tuple(sorted(defects, key=lambda defect: list(corpus_checks()).index(defect.kind))),
        pairs=tuple(paired),
        notes=(
            *corpus.notes,
            *filter(None, [unpaired] if unpaired else [lone, unlike]),
            *notes,
            *_unmatched(matches, reference),
        ),
    )


def _check_text(rows: Sequence[Row]) -> Iterator[RowDefect]:
    """What needs the sentences only, in any language."""
    sentences = [row.sentence for row in rows]
    yield from check_characters(sentences)
    yield from check_punctuation(sentences)
    yield from check_vowel_marks([row.person for row in rows])
    labels = [{name: getattr(row, name) for name in LABELS} for row in rows]
    yield from check_duplicates(sentences, labels, [row.line for row in rows])


def _order(matches: Sequence[Match], reference: Reference | None) -> dict[PersonKey, int]:
    """The place of each person: in our lists where it is there, else after them in order of appearance."""
    ours = {id(person): rank for rank, person in enumerate(reference.persons)} if reference else {}
    order: dict[PersonKey, int] = {}
    for row_match in matches:
        rank = ours[id(row_match.person)] if row_match.person else len(ours) + len(order)
        order.setdefault(row_match.person_key, rank)
    return order


def _missing(items: Sequence[ItemKey], persons: Sequence[PersonKey]) -> Iterator[Defect]:
    groups: Counter[str] = Counter()
    examples = []
    for (person, gender, race), (count, first) in missing_rows(items, persons).items():
        groups[group_of(gender, race)] += count
        examples.append(Example(None, f"{person}: {' · '.join(filter(None, first))}", f"{count} missing"))
    if examples:
        yield Defect(MISSING, groups.total(), dict(groups), tuple(examples[:EXAMPLES]))


def _defects(rows: Sequence[Row], defects: Sequence[RowDefect]) -> Iterator[Defect]:
    details: dict[str, dict[int, str]] = defaultdict(dict)
    for defect in defects:
        details[defect.check].setdefault(defect.row, defect.detail)
    for kind, by_row in details.items():
        groups = Counter(rows[row].group for row in by_row)
        some_rows = sorted(by_row)[:: max(1, len(by_row) // EXAMPLES)][:EXAMPLES]
        examples = tuple(Example(rows[row].line, rows[row].sentence, by_row[row]) for row in some_rows)
        yield Defect(kind, len(by_row), dict(groups), examples)


def _sides(rows: Sequence[Row], pairs: PairEvenness) -> tuple[Example, ...]:
    sides = [None if row is None else rows[row] for pair in pairs.examples for row in pair]
    return tuple(Example(row.line, row.sentence) if row else Example(None, "(missing)") for row in sides)


def _unmatched(matches: Sequence[Match], reference: Reference | None) -> list[str]:
    if reference is None:
        return ["no language that has a locale was named, so spelling, cases and agreement were not checked"]
    reasons = Counter(reason for row_match in matches for reason in row_match.reasons)
    lines = [f"{counted(count, 'row')} not compared: {reason}" for reason, count in reasons.most_common(EXAMPLES)]
    more = len(reasons) - len(lines)
    return [*lines, *([f"and {counted(more, 'more reason')} not to compare a row"] if more > 0 else [])]
