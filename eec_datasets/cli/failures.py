"""Systems that fail in an audit: the others go on, and the failures are told at the end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from eec_bias.measurement import Failure
from eec_datasets.cli.output import say
from eec_datasets.errors import BudgetSpent, EecError, Interrupted, StoreUnusable, SystemFailed

ENDS_ALL: Final = (Interrupted, BudgetSpent, StoreUnusable)
"""Errors after which no system can go on."""


@dataclass(frozen=True, slots=True)
class Failures:
    """Collects the systems that fail in an audit of ``systems`` systems."""

    systems: int
    found: list[Failure] = field(default_factory=list)

    def add(self, system: str, lists: Sequence[str], error: EecError) -> None:
        """Keep a failure, and print it if other systems go on; an error that ends all of them is raised again."""
        if isinstance(error, ENDS_ALL):
            raise error
        if self.systems > 1:
            say(f"{system} failed, so we leave it out: {error}", err=True)
        self.found.append(Failure(system, tuple(lists), str(error)))

    def refuse_nothing(self) -> None:
        """Raise what went wrong where nothing was measured."""
        if len(self.found) == 1:
            raise SystemFailed(self.found[0].why)
        if self.found:
            raise SystemFailed(f"No system could be measured: {self._named()} failed, see above.")

    def refuse(self, written: str) -> None:
        """End with an error if a system failed; all others are in the folder ``written``."""
        if self.found:
            raise SystemFailed(f"{self._named()} failed. The other results are in {written}.")

    def _named(self) -> str:
        return ", ".join(dict.fromkeys(each.system for each in self.found))
