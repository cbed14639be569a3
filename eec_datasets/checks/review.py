"""Who has written and who has read: the columns translator and checker, and the review status of the locale."""

from __future__ import annotations

from typing import TYPE_CHECKING

from eec_datasets.checks.report import Finding
from eec_datasets.locale.sources import Problems, read_csv

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from eec_datasets.checks.trials import Subject
    from eec_datasets.locale.model import Place
    from eec_datasets.locale.sources import Row


def review_findings(checked: Subject) -> Iterator[Finding]:
    """A checker without a translator, one person who is both, a native status that the rows or reviewers belie."""
    review, unread = checked.locale.review, []
    for path in sorted(checked.folder.glob("*.csv")):
        rows = read_csv(path, (), Problems()).rows
        for row in rows:
            names = row["translator"], row["checker"]
            yield from _names(row.place, row["id"] or row["level"], *names)
            unread += [row.place] if names[0] and not names[1] else []
        yield from _progress(rows)
    for template in (entry.id for entry in checked.locale.templates):
        table = checked.templates_toml.data[template]
        names = str(table.get("translator", "")), str(table.get("checker", ""))
        place = checked.templates_toml.place(template)
        yield from _names(place, f"template {template}", *names)
        unread += [place] if names[0] and not names[1] else []
    if review.status == "native" and unread:
        count = len(unread)
        what = f"status is 'native', and {count} row{'s' if count != 1 else ''} from here on name a translator only"
        yield Finding("warning", "review", unread[0], what, "Have them checked by a second person")
    if review.status == "draft" and review.reviewers:
        place = checked.locale_toml.place("review", "reviewers")
        what = f"status is 'draft', and reviewers are named: {', '.join(review.reviewers)}"
        yield Finding("warning", "review", place, what, "Raise the status, or take the names out")


def _progress(rows: Sequence[Row]) -> Iterator[Finding]:
    """How many rows of a file are signed and checked, where any is (``eec locale status`` counts all files)."""
    signed = [row for row in rows if row["translator"]]
    if signed:
        checked = sum(1 for row in signed if row["checker"])
        what = f"rows that name a translator: {len(signed)} of {len(rows)}; checked by a second person: {checked}"
        yield Finding("note", "review", signed[0].place, what, "See eec locale status")


def _names(place: Place, name: str, translator: str, checker: str) -> Iterator[Finding]:
    if checker and not translator:
        what = f"'{name}' has the checker {checker} and no translator"
        yield Finding("error", "review", place, what, "Name who translated it, or take the checker out")
    elif checker and checker.casefold() == translator.casefold():
        what = f"'{name}' was translated and checked by the same person, {checker}"
        yield Finding("error", "review", place, what, "A second person checks: have it read by another")
