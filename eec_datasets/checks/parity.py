"""What the English locale has and this one lacks: corpora are compared, so they should hold the same items."""

from __future__ import annotations

from typing import TYPE_CHECKING

from eec_datasets.checks.report import Finding
from eec_datasets.locale.model import Place
from eec_datasets.locale.sources import Problems, read_csv, read_toml

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from eec_datasets.checks.trials import Subject

MODEL = "en"


def parity_findings(checked: Subject) -> Iterator[Finding]:
    """Templates and emotion words of the English locale that are lacking here, or of another kind."""
    beside = checked.folder.parent / MODEL
    if checked.folder.name == MODEL or not beside.is_dir():
        return
    kinds = {
        name: str(table.get("kind"))
        for name, table in read_toml(beside / "templates.toml", Problems()).data.items()
        if isinstance(table, dict)
    }
    own = {template.id: (template.kind, template.place) for template in checked.locale.templates}
    yield from _differences("templates.toml", "template", kinds, own)
    rows = read_csv(beside / "words.csv", (), Problems()).rows
    words = {row["id"]: f"{row['kind']} {row['emotion']}" for row in rows}
    mine = {word.id: (f"{word.kind} {word.emotion}", word.place) for word in checked.locale.words}
    yield from _differences("words.csv", "word", words, mine)


def _differences(
    file: str, what: str, theirs: dict[str, str], own: Mapping[str, tuple[str, Place]]
) -> Iterator[Finding]:
    lacking = [name for name in theirs if name not in own]
    if lacking:
        several = f"{what}s" if len(lacking) > 1 else what
        told = f"of what the English locale has, {several} {', '.join(lacking)} cannot be found"
        yield Finding("warning", "parity", Place(file, 1), told, "Add what the language can say")
    for name, (kind, place) in own.items():
        if name in theirs and theirs[name] != kind:
            told = f"the {what} '{name}' is {kind} here and {theirs[name]} in the English locale"
            yield Finding("error", "parity", place, told, "Results of the two languages are compared: make them agree")
