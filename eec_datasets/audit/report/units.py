"""What a reader takes together: the rows of one system on one task in one result."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from eec_datasets.audit.report.document import Measured, Row


@dataclass(frozen=True, slots=True)
class Unit:
    """One system (on one task) in one result: the rows that a reader takes together.

    Attributes
    ----------
    measured
        The result.
    system, task
        What the rows are about; the task is empty where there is none.
    terms
        Its rows.
    """

    measured: Measured
    system: str
    task: str
    terms: Sequence[Row]

    @property
    def title(self) -> str:
        """System and task."""
        return f"{self.system} ({self.task})" if self.task else self.system

    @property
    def where(self) -> str:
        """System, task and corpus, for messages."""
        return " · ".join(part for part in (self.title, self.measured.config) if part)

    def rows(self, key: str) -> list[Row]:
        """Return the rows of another list that are about this system and task."""
        return [row for row in self.measured.lists[key] if self._own(row)]

    def _own(self, row: Mapping[str, Any]) -> bool:
        return str(row.get("system") or self.measured.system) == self.system and str(row.get("task") or "") == self.task


def units(results: Sequence[Measured]) -> Iterator[Unit]:
    """Split results into systems and tasks, in their order."""
    for measured in results:
        groups: dict[tuple[str, str], list[Row]] = {}
        for row in measured.terms:
            key = (str(row.get("system") or measured.system), str(row.get("task") or ""))
            groups.setdefault(key, []).append(row)
        if not groups:
            yield Unit(measured, measured.system, "", [])
        for (system, task), rows in groups.items():
            yield Unit(measured, system, task, rows)
