"""Sets that all languages share (``corpus.toml``): templates, lists of items, meanings of noun phrases."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from eec_datasets.locale.model import ItemSets
from eec_datasets.locale.toml_file import TEXTS, read_toml

if TYPE_CHECKING:
    from pathlib import Path

    from eec_datasets.errors import Problems
    from eec_datasets.locale.toml_file import TomlTable


def read_item_sets(path: Path, problems: Problems) -> ItemSets:
    """The sets of a corpus; none where it names none."""
    top = read_toml(path, problems)
    lists = _sets(top.table("item_lists"), r"t[0-9]{2}/[a-z0-9-]+", "t01/angry")
    return ItemSets(_sets(top.table("template_sets"), r"t[0-9]{2}", "t01"), lists)


def read_meanings(path: Path, problems: Problems) -> dict[str, str]:
    """Return what pairs of noun phrases mean, by pair, as far as a corpus says that several mean much the same."""
    listed = read_toml(path, problems).table("meanings")
    table = listed.checked(dict.fromkeys(listed.data, TEXTS))
    meanings: dict[str, str] = {}
    for meaning, pairs in table.data.items():
        for pair in pairs:
            if pair in meanings:
                table.report(f"'{pair}' means '{meanings[pair]}' and '{meaning}'", "Leave one", meaning)
            meanings[pair] = meaning
    return meanings


def _sets(listed: TomlTable, pattern: str, example: str) -> dict[str, tuple[str, ...]]:
    table = listed.checked(dict.fromkeys(listed.data, TEXTS))
    for name, entries in table.data.items():
        key = f"{table.keys[0]}.{name}"
        if malformed := [entry for entry in entries if not re.fullmatch(pattern, entry)]:
            table.report(f"'{malformed[0]}' in {key}", f"Write entries such as {example}", name)
        if repeated := {entry for entry in entries if entries.count(entry) > 1}:
            table.report(f"{key} has {', '.join(sorted(repeated))} twice", "Leave one", name)
    return {name: tuple(entries) for name, entries in table.data.items()}
