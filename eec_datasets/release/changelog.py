"""A difference between two releases in words: a table for the terminal, an entry for the corpus's changelog."""

from __future__ import annotations

from typing import TYPE_CHECKING

from eec_datasets.release.versions import MEANING
from eec_datasets.terminal import lay_out

if TYPE_CHECKING:
    from collections.abc import Iterator

    from eec_datasets.release.diff import ConfigDiff, Diff

TITLE = (
    "# Changes of the corpus\n\nWritten by `eec publish dataset` from the rows of each release and of the one before.\n"
)
SHOWN = 5
"""Added, removed and changed sentences that are written out per config."""


def table(diff: Diff) -> str:
    """Return the difference as text for a terminal."""
    rows = []
    for config in diff.configs:
        counts = (*config.rows, len(config.added), len(config.removed), len(config.changed))
        rows.append([config.name, config.status, *(f"{count:,}" for count in counts)])
    titles = ("config", "status", "before", "after", "added", "removed", "changed")
    lines = [f"{diff.old} → {diff.new}", "", lay_out(titles, rows, right=range(2, len(titles)))]
    for config in diff.configs:
        if config.status not in ("same", "added", "removed"):
            lines += ["", config.name, *(f"  {line}" for line in _lines(config))]
    return "\n".join([*lines, "", verdict(diff)])


def verdict(diff: Diff) -> str:
    """One sentence on the kind of the change."""
    if diff.same:
        return "No difference: every sentence and label is the same."
    return f"{diff.kind.upper()}: {MEANING[diff.kind]}."


def entry(diff: Diff | None, version: str) -> str:
    """Return what the changelog says of one release.

    Parameters
    ----------
    diff : Diff or None
        The release compared with the one before it; None for the first.
    version : str
        Of the release.
    """
    if diff is None:
        return f"## {version}\n\nFirst release.\n"
    blocks = [f"## {version}", verdict(diff)]
    for config in diff.configs:
        if config.status in ("added", "removed"):
            count = max(config.rows)
            blocks.append(f"Config `{config.name}` {config.status} ({count:,} sentence{'s' if count != 1 else ''}).")
        elif config.status != "same":
            lines = "\n".join(f"- {line}" for line in _lines(config))
            blocks.append(f"Config `{config.name}`:\n\n{lines}")
    return "\n\n".join(blocks) + "\n"


def prepend(new: str, before: str) -> str:
    """A changelog with an entry put on top of the older ones."""
    older = before.removeprefix(TITLE).strip("\n")
    return "\n".join([TITLE, new, *([older, ""] if older else [])])


def _lines(config: ConfigDiff) -> Iterator[str]:
    if config.status == "reordered":
        yield "the same sentences and labels, with rows or columns in another order"
    for column in config.columns_removed:
        yield f"column {column} removed"
    for column in config.columns_added:
        yield f"column {column} added"
    changes = [
        (row.id, "; ".join(f"{column}: {value} → {row.after[column]}" for column, value in row.before.items()))
        for row in config.changed
    ]
    for what, rows in (("changed", changes), ("removed", config.removed), ("added", config.added)):
        yield from (f"{what} {row_id}: {text}" for row_id, text in rows[:SHOWN])
        if len(rows) > SHOWN:
            yield f"… and {len(rows) - SHOWN:,} more {what}"
