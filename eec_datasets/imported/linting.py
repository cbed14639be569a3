"""All checks of a file, put together into a report."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from eec_bias.shared import counted, grouped
from eec_datasets.checks.pair_evenness import EXAMPLES, MISSING, in_no_pair, missing_rows, pair_evenness
from eec_datasets.checks.report import corpus_checks
from eec_datasets.checks.text import check_characters, check_duplicates, check_punctuation, check_vowel_marks
from eec_datasets.imported.label_checks import check_labels, inflected, not_told_apart
from eec_datasets.imported.language_checks import check_language
from eec_datasets.imported.matching import match
from eec_datasets.imported.reading import group_of
from eec_datasets.imported.reference import reference_for
from eec_datasets.imported.report import Defect, Example, LintReport

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from eec_datasets.checks.pair_evenness import ItemKey, PairEvenness, PersonKey
    from eec_datasets.checks.text import RowDefect
    from eec_datasets.imported.matching import Match
    from eec_datasets.imported.reading import ForeignCorpus, ForeignRow
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
    rows = corpus.rows
    reference = reference_for(corpus.preset, root)
    locale = reference.locale if reference else None
    matches, _ = match(corpus, reference)
    items = [row.item_key for row in matches]
    persons = [row.person_key for row in matches]
    begin("labels")
    unpaired = not_told_apart(matches)
    label_defects, notes = check_labels(matches, locale, frames=not unpaired)
    begin("texts")
    row_defects = [*_check_text(rows), *label_defects]
    begin("language")
    if reference:
        row_defects += check_language(matches, reference)
    begin("pairs")
    failed = grouped((defect.row, defect.check) for defect in row_defects)
    order = _order(matches, reference)
    forms, unlike = inflected(matches)
    compared: list[int] = []
    if not unpaired:
        compared = [row for row, item in enumerate(items) if item not in forms]
    said = [items[row] for row in compared]
    who = [persons[row] for row in compared]
    evenness = pair_evenness(said, who, [frozenset(failed.get(row, ())) for row in compared], order)
    paired = [(pairs, _sides([rows[row] for row in compared], pairs)) for pairs in evenness if pairs.pairs]
    defects = [*_missing(said, who), *_defects(rows, row_defects)]
    about_pairs = [unpaired]
    if not unpaired:
        about_pairs = [_alone(order), unlike]
    all_notes = [*corpus.notes, *about_pairs, *notes, *_unmatched(matches, reference)]
    kinds = list(corpus_checks())
    groups = Counter(row.group for row in rows)
    return LintReport(
        file=corpus.name,
        rows=len(rows),
        persons=len(set(persons)),
        templates=len({item[0] for item in items if item[0]}),
        compared_with=locale.tag if locale else "",
        groups=dict(sorted(groups.items(), key=lambda entry: entry[0].endswith("(no race)"))),
        defects=tuple(sorted(defects, key=lambda defect: kinds.index(defect.kind))),
        pairs=tuple(paired),
        notes=tuple(note for note in all_notes if note),
    )


def _alone(order: Mapping[PersonKey, int]) -> str:
    """Return a note on the groups that are in no pair; empty where all are in one."""
    groups = [group_of(gender, race) for gender, race in in_no_pair(order)]
    if not groups:
        return ""
    return f"in no pair: {', '.join(groups)}. Pairs are of female and male of a race, and of two races of either"


def _check_text(rows: Sequence[ForeignRow]) -> Iterator[RowDefect]:
    """Yield the defects that can be seen in any language."""
    sentences = [row.sentence for row in rows]
    yield from check_characters(sentences)
    yield from check_punctuation(sentences)
    yield from check_vowel_marks([row.person for row in rows])
    labels = [{name: getattr(row, name) for name in LABELS} for row in rows]
    yield from check_duplicates(sentences, labels, [row.line for row in rows])


def _order(matches: Sequence[Match], reference: Reference | None) -> dict[PersonKey, int]:
    """The place of each person: in our lists where it is there, else after them in order of appearance."""
    ours: dict[int, int] = {}
    if reference:
        ours = {id(person): rank for rank, person in enumerate(reference.persons)}
    order: dict[PersonKey, int] = {}
    for row_match in matches:
        rank = len(ours) + len(order)
        if row_match.person:
            rank = ours[id(row_match.person)]
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


def _defects(rows: Sequence[ForeignRow], defects: Sequence[RowDefect]) -> Iterator[Defect]:
    details: dict[str, dict[int, str]] = defaultdict(dict)
    for defect in defects:
        details[defect.check].setdefault(defect.row, defect.detail)
    for kind, by_row in details.items():
        groups = Counter(rows[row].group for row in by_row)
        some_rows = sorted(by_row)[:: max(1, len(by_row) // EXAMPLES)][:EXAMPLES]
        examples = tuple(Example(rows[row].line, rows[row].sentence, by_row[row]) for row in some_rows)
        yield Defect(kind, len(by_row), dict(groups), examples)


def _sides(rows: Sequence[ForeignRow], pairs: PairEvenness) -> tuple[Example, ...]:
    """Return the two sentences of some uneven pairs."""
    found = []
    for pair in pairs.examples:
        for number in pair:
            if number is None:
                found.append(Example(None, "(missing)"))
            else:
                found.append(Example(rows[number].line, rows[number].sentence))
    return tuple(found)


def _unmatched(matches: Sequence[Match], reference: Reference | None) -> list[str]:
    if reference is None:
        return ["no language that has a locale was named, so spelling, cases and agreement were not checked"]
    reasons = Counter(reason for row_match in matches for reason in row_match.reasons)
    lines = [f"{counted(count, 'row')} not compared: {reason}" for reason, count in reasons.most_common(EXAMPLES)]
    more = len(reasons) - len(lines)
    if more > 0:
        lines.append(f"and {counted(more, 'more reason')} not to compare a row")
    return lines
