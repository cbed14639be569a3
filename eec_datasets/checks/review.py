"""Who has written and who has read: the columns translator and checker, and the review status of the locale."""

from __future__ import annotations

from typing import TYPE_CHECKING

from eec_datasets.checks.report import counted, finding
from eec_datasets.locale.csv_file import read_csv

if TYPE_CHECKING:
    from collections.abc import Iterator

    from eec_datasets.checks.report import Finding
    from eec_datasets.checks.subject import Subject
    from eec_datasets.errors import Place


def review_findings(checked: Subject) -> Iterator[Finding]:
    """A checker without a translator, one person who is both, a native status that the rows or reviewers belie."""
    signed: list[tuple[Place, str, str, str]] = []
    for path in sorted(checked.folder.glob("*.csv")):
        rows = read_csv(path).rows
        signed += [(row.place, row["id"] or row["level"], row["translator"], row["checker"]) for row in rows]
        # How many rows are signed and checked, where any is (`eec locale status` counts all files).
        by = [(row["translator"].casefold(), row["checker"].casefold()) for row in rows if row["translator"]]
        if by:
            place = next(row.place for row in rows if row["translator"])
            read = sum(reader not in ("", writer) for writer, reader in by)
            yield finding("review.progress", place, signed=len(by), all=len(rows), checked=read)
    for template in checked.locale.templates:
        table = checked.templates_toml.table(template.id)
        names = str(table.get("translator", "")), str(table.get("checker", ""))
        signed.append((table.place(), f"template {template.id}", *names))
    for place, name, translator, checker in signed:
        if checker and not translator:
            yield finding("review.no-translator", place, name=name, checker=checker)
        elif checker and checker.casefold() == translator.casefold():
            yield finding("review.same-person", place, name=name, checker=checker)
    review = checked.locale.review
    unread = [place for place, _, translator, checker in signed if translator and not checker]
    if review.status == "native" and unread:
        yield finding("review.native-unread", unread[0], rows=counted(len(unread), "row"))
    if review.status == "draft" and review.reviewers:
        place = checked.locale_toml.place("review", "reviewers")
        yield finding("review.draft-read", place, reviewers=", ".join(review.reviewers))
