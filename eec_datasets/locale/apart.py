"""``[[apart]]`` of ``corpus.toml``: persons, levels, templates and configs that do not meet, and why."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from eec_datasets.locale.toml_file import TEXT, TEXTS, TableKeys, read_toml

if TYPE_CHECKING:
    from pathlib import Path

    from eec_datasets.errors import Problems
    from eec_datasets.locale.toml_file import TomlTable

APART = TableKeys(
    needed={"why": TEXT}, allowed={"templates": TEXTS, "persons": TEXTS, "levels": TEXTS, "configs": TEXTS}
)
MEETING = ({"templates", "persons"}, {"persons", "levels"}, {"templates", "configs"})
"""Pairs of keys that an entry may keep apart."""
TEMPLATE = re.compile(r"t[0-9]{2}")


@dataclass(frozen=True, slots=True)
class Apart:
    """Two lists whose members do not meet: templates and persons, persons and levels, or templates and configs.

    Attributes
    ----------
    persons : ids of rows of ``persons.csv``, whatever level they are crossed with.
    configs : names of configs without the language, such as ``disability``.
    """

    why: str
    templates: tuple[str, ...] = ()
    persons: tuple[str, ...] = ()
    levels: tuple[str, ...] = ()
    configs: tuple[str, ...] = ()


def read_apart(path: Path, problems: Problems) -> tuple[Apart, ...]:
    """Return what a corpus keeps apart; nothing if it says nothing."""
    tables = read_toml(path, problems).tables("apart")
    return tuple(entry for table in tables if (entry := _entry(table)))


def _entry(table: TomlTable) -> Apart | None:
    entry = table.laid_out(APART)
    named = {key for key in entry.data if key != "why"}
    if named not in MEETING:
        fix = "Write templates and persons, persons and levels, or templates and configs"
        table.report(f"an entry of apart names {', '.join(sorted(named)) or 'nothing'}", fix)
        return None
    for template in entry.get("templates", ()):
        if not TEMPLATE.fullmatch(template):
            table.report(f"'{template}' in templates of apart", "Write the id of a template, such as t15", "templates")
    lists = {key: tuple(value) for key, value in entry.data.items() if key != "why"}
    return Apart(entry.get("why", ""), **lists)


def apart_from(entries: Sequence[Apart], template: str) -> dict[str, str]:
    """Return the persons that a template is not about, and why."""
    return {person: entry.why for entry in entries if template in entry.templates for person in entry.persons}


def templates_without(entries: Sequence[Apart], config: str) -> set[str]:
    """Return the templates that a config does not have."""
    return {template for entry in entries if config in entry.configs for template in entry.templates}


def never_at(entries: Sequence[Apart], person: str, level: str) -> bool:
    """Return whether a row of persons is kept apart from a level."""
    return any(person in entry.persons and level in entry.levels for entry in entries)
