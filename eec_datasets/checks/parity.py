"""Items that the English locale has and this one lacks: corpora are compared, so they should hold the same items."""

from __future__ import annotations

from typing import TYPE_CHECKING

from eec_datasets.checks.report import finding
from eec_datasets.errors import Place
from eec_datasets.locale.csv_file import read_csv
from eec_datasets.locale.model import WORD_FILES
from eec_datasets.locale.toml_file import read_toml
from eec_datasets.render.grid import asked_templates

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from eec_datasets.checks.report import LocaleFinding
    from eec_datasets.checks.subject import Subject

ENGLISH = "en"


def parity_findings(checked: Subject) -> Iterator[LocaleFinding]:
    """Templates (of the sets that configs name) and words of the English locale that are lacking or of another kind."""
    english = checked.folder.parent / ENGLISH
    if checked.folder.name == ENGLISH or not english.is_dir():
        return
    tables = read_toml(english / "templates.toml").data
    all_kinds = {name: str(table.get("kind")) for name, table in tables.items() if isinstance(table, dict)}
    asked = asked_templates(checked.locale, all_kinds)
    kinds = {name: kind for name, kind in all_kinds.items() if name in asked}
    ours = {template.id: (str(template.kind), template.place) for template in checked.locale.templates}
    yield from _differences("templates.toml", "template", kinds, ours)
    words = {row["id"]: f"{row['kind']} {row['emotion']}" for row in read_csv(english / "words.csv").rows}
    main_words = (word for word in checked.locale.words if word.file == WORD_FILES[0])
    our_words = {word.id: (f"{word.kind} {word.emotion}", word.place) for word in main_words}
    yield from _differences("words.csv", "word", words, our_words)


def _differences(
    file: str, kind_of_row: str, english: Mapping[str, str], ours: Mapping[str, tuple[str, Place]]
) -> Iterator[LocaleFinding]:
    lacking = [name for name in english if name not in ours]
    if lacking:
        listing = f"{kind_of_row}{'s' if len(lacking) > 1 else ''} {', '.join(lacking)}"
        yield finding("parity.lacking", Place(file, 1), lacking=listing)
    for name, (kind, place) in ours.items():
        if english.get(name, kind) != kind:
            yield finding("parity.other-kind", place, what=kind_of_row, name=name, kind=kind, english=english[name])
