"""Who has written, checked and read: the columns translator and checker, and what native readers said."""

from __future__ import annotations

from typing import TYPE_CHECKING

from eec_bias.shared import counted
from eec_datasets.checks.report import finding
from eec_datasets.corpora import review_of
from eec_datasets.locale.csv_file import read_csv
from eec_datasets.locale.reviews import NATURAL

if TYPE_CHECKING:
    from collections.abc import Iterator

    from eec_datasets.checks.report import LocaleFinding
    from eec_datasets.checks.subject import Subject
    from eec_datasets.errors import Place


def review_findings(checked: Subject) -> Iterator[LocaleFinding]:
    """Yield who has checked their own texts, how many texts are checked, and what native readers said of sentences."""
    signed: list[tuple[Place, str, str, str]] = []
    for path in sorted(checked.folder.glob("*.csv")):
        rows = read_csv(path).rows
        signed += [(row.place, row["id"] or row["level"], row["translator"], row["checker"]) for row in rows]
        # How many rows are signed and checked, where any is.
        by = [(row["translator"].casefold(), row["checker"].casefold()) for row in rows]
        written = sum(bool(writer) for writer, _ in by)
        read = sum(reader not in ("", writer) for writer, reader in by)
        if written or read:
            place = next(row.place for row in rows if row["translator"] or row["checker"])
            yield finding("review.progress", place, signed=written, all=len(rows), checked=read)
    for template in checked.locale.templates:
        table = checked.templates_toml.table(template.id)
        names = str(table.get("translator", "")), str(table.get("checker", ""))
        signed.append((table.place(), f"template {template.id}", *names))
    for place, name, translator, checker in signed:
        if checker and checker.casefold() == translator.casefold():
            yield finding("review.same-person", place, name=name, checker=checker)
    if checked.whole and checked.locale.review.reviews:
        yield from _of_readers(checked)


def _of_readers(checked: Subject) -> Iterator[LocaleFinding]:
    """Sentences that have changed since they were read, that readers find odd or wrong, or of which they disagree."""
    status = review_of(checked.locale, checked.folder.parent)
    place, tag = checked.locale_toml.place("review"), checked.locale.tag
    if status.changed:
        first = next(iter(status.changed))
        texts = counted(len(status.changed), "text")
        yield finding("review.changed", place, texts=texts, first=first, tag=tag)
    for key in status.disputed:
        said = ", ".join(f"{status.native[reader].who} {each.verdict}" for reader, each in status.held[key].items())
        yield finding("review.disputed", place, key=key, said=said, tag=tag)
    for key, judgements in status.held.items():
        verdicts = {each.verdict for each in judgements.values()}
        if key not in status.disputed and verdicts != {NATURAL}:
            reader, judgement = next(iter(judgements.items()))
            said = f", who would say '{judgement.correction}'" if judgement.correction else ""
            said += f" ({judgement.comment})" if judgement.comment else ""
            values = {"key": key, "reader": status.native[reader].who, "judgement": judgement, "said": said}
            yield finding("review.not-natural", place, **values)
