"""``items.toml``: named sets of templates and named lists of items, shared by all languages."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from eec_datasets.locale.model import ItemSets
from eec_datasets.locale.toml_file import TABLE, TEXTS, read_toml

if TYPE_CHECKING:
    from pathlib import Path

    from eec_datasets.errors import Problems
    from eec_datasets.locale.toml_file import TomlTable

ITEMS_FILE = "items.toml"
ENTRIES = {"templates": (re.compile(r"t[0-9]{2}"), "t01"), "items": (re.compile(r"t[0-9]{2}/[a-z0-9-]+"), "t01/angry")}
"""What the entries of each table look like."""


def read_item_sets(root: Path, problems: Problems) -> ItemSets:
    """The sets of a folder of locales; none where it has no ``items.toml``."""
    path = root / ITEMS_FILE
    if not path.exists():
        return ItemSets()
    top = read_toml(path, problems).kept(dict.fromkeys(ENTRIES, TABLE))
    return ItemSets(**{table: _sets(top.table(table), table) for table in ENTRIES})


def _sets(table: TomlTable, kind: str) -> dict[str, tuple[str, ...]]:
    table = table.kept(dict.fromkeys(table.data, TEXTS))
    pattern, example = ENTRIES[kind]
    for name, entries in table.data.items():
        if wrong := [entry for entry in entries if not pattern.fullmatch(entry)]:
            table.tell(f"'{wrong[0]}' in {kind}.{name}", f"Write entries such as {example}", name)
        if twice := {entry for entry in entries if entries.count(entry) > 1}:
            table.tell(f"{kind}.{name} has {', '.join(sorted(twice))} twice", "Leave one", name)
    return {name: tuple(entries) for name, entries in table.data.items()}
