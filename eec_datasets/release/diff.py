"""Changes between two releases: configs, columns and sentences added, removed, changed."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING

from eec_datasets.release.versions import KINDS

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pyarrow as pa

    from eec_datasets.release.versions import Kind


@dataclass(frozen=True, slots=True)
class ChangedRow:
    """One sentence whose id is in both releases: what it was and is, in the columns that differ."""

    id: str
    before: Mapping[str, str]
    after: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class ConfigDiff:
    """The changes of one config.

    Attributes
    ----------
    status : str
        ``added`` or ``removed`` (the whole config), ``changed``, ``reordered`` (the same rows and columns, some in
        another order), or ``same``.
    added, removed : tuple of (id, sentence)
        Rows whose id is in one release only; for an added or removed config all of them.
    changed : tuple of ChangedRow
        Rows whose id is in both and of which some value differs.
    columns_added, columns_removed : tuple of str
        Columns in one release only.
    rows : (int, int)
        Number of rows before and after.
    """

    name: str
    status: str
    rows: tuple[int, int]
    added: tuple[tuple[str, str], ...] = ()
    removed: tuple[tuple[str, str], ...] = ()
    changed: tuple[ChangedRow, ...] = ()
    columns_added: tuple[str, ...] = ()
    columns_removed: tuple[str, ...] = ()

    @property
    def kind(self) -> Kind:
        """The kind of this change."""
        if self.removed or self.changed or self.columns_removed or self.status == "removed":
            return "major"
        if self.added or self.columns_added or self.status == "added":
            return "minor"
        return "patch"


@dataclass(frozen=True, slots=True)
class Diff:
    """The changes between two releases, config by config: those of the old one in order, then the new ones."""

    old: str
    new: str
    configs: tuple[ConfigDiff, ...]

    @property
    def kind(self) -> Kind:
        """The kind of the whole change: the heaviest of all configs."""
        return max((config.kind for config in self.configs), key=KINDS.index, default="patch")

    @property
    def same(self) -> bool:
        """Return whether all rows are the same, in the same order."""
        return all(config.status == "same" for config in self.configs)


def compare(
    old: Mapping[str, pa.Table], new: Mapping[str, pa.Table], *, old_name: str = "old", new_name: str = "new"
) -> Diff:
    """Compare two releases.

    Parameters
    ----------
    old, new : mapping of config name to table
        Tables of strings with an ``id`` column that is unique.
    old_name, new_name : str
        How they are called in the result.
    """
    names = dict.fromkeys((*old, *new))
    return Diff(old_name, new_name, tuple(_config(name, old, new) for name in names))


def _config(name: str, before: Mapping[str, pa.Table], after: Mapping[str, pa.Table]) -> ConfigDiff:
    """Compare one config; one that a release lacks has no rows there, and the columns that it has in the other."""
    old = before[name] if name in before else after[name].slice(0, 0)
    new = after[name] if name in after else old.slice(0, 0)
    columns, counts = old.column_names, (old.num_rows, new.num_rows)
    if name not in before:
        status = "added"
    elif name not in after:
        status = "removed"
    else:
        status = "changed"
    if status == "changed" and columns == new.column_names and all(old[each].equals(new[each]) for each in columns):
        return ConfigDiff(name, "same", counts)
    shared = [column for column in columns if column in new.column_names]
    was, now = ({row["id"]: row for row in table.select(shared).to_pylist()} for table in (old, new))
    differ = {row: [column for column in shared if was[row][column] != now[row][column]] for row in was if row in now}
    change = ConfigDiff(
        name,
        status,
        counts,
        added=tuple((row, values["text"]) for row, values in now.items() if row not in was),
        removed=tuple((row, values["text"]) for row, values in was.items() if row not in now),
        changed=tuple(
            ChangedRow(row, *({column: side[row][column] for column in changed} for side in (was, now)))
            for row, changed in differ.items()
            if changed
        ),
        columns_added=tuple(column for column in new.column_names if column not in shared),
        columns_removed=tuple(column for column in columns if column not in shared),
    )
    return dataclasses.replace(change, status="reordered") if change.kind == "patch" else change
