"""Whether as many of women's as of men's sentences are kept: counts and odds by the role of the first pronoun."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from eec_datasets.terminal import DASH, percent

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ALL: Final = "all"
"""The line of all roles together."""

NAME: Final = "name"
"""The role of a name that is replaced."""


@dataclass(frozen=True, slots=True)
class Odds:
    """Odds of being kept, first gender against second, with their 95 % interval (Woolf; half a text for none)."""

    ratio: float
    low: float
    high: float


@dataclass(slots=True)
class Retention:
    """Texts that were read and those that could be rewritten: role of the first pronoun → gender → texts.

    Texts without a single gender, and those that are too long, are not read and not counted.
    """

    read: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    kept: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))

    def count(self, gender: str, role: str, *, kept: bool) -> None:
        """Count one text, and with it all roles together."""
        for name in (role, ALL):
            self.read[name][gender] += 1
            self.kept[name][gender] += kept

    def roles(self) -> list[str]:
        """Roles in the order of their texts, all together last."""
        return sorted(self.read, key=lambda role: (role == ALL, -self.read[role].total(), role))

    def odds(self, role: str, genders: Sequence[str]) -> Odds | None:
        """The odds of a role; None where one gender has no text, or nothing or everything is kept of both."""
        from statsmodels.stats.contingency_tables import Table2x2

        read, kept = self.read[role], self.kept[role]
        cells = [[kept[gender], read[gender] - kept[gender]] for gender in genders]
        if len(cells) != 2 or not all(map(sum, [*cells, *zip(*cells, strict=True)])):
            return None
        table = Table2x2(cells, shift_zeros=True)
        return Odds(float(table.oddsratio), *map(float, table.oddsratio_confint()))

    def to_dict(self, genders: Sequence[str]) -> dict[str, Any]:
        """By role: texts read and kept of each gender, and the odds, as plain JSON values."""
        by_role: dict[str, Any] = {}
        for role in self.roles():
            by_role[role] = {g: {"read": self.read[role][g], "kept": self.kept[role][g]} for g in genders}
            if odds := self.odds(role, genders):
                by_role[role]["odds"] = {"ratio": odds.ratio, "low": odds.low, "high": odds.high}
        return by_role

    def lines(self, genders: Sequence[str]) -> Iterator[list[str]]:
        """A line of cells per role: kept of read per gender, odds, their interval."""
        for role in self.roles():
            odds = self.odds(role, genders)
            interval = [f"{odds.ratio:.2f}", f"[{odds.low:.2f}, {odds.high:.2f}]"] if odds else [DASH, DASH]
            yield [role, *(self._share(gender, role) for gender in genders), *interval]

    def warnings(self, genders: Sequence[str]) -> Iterator[str]:
        """A sentence for every role of which one gender is kept more often."""
        for role in self.roles():
            odds = self.odds(role, genders)
            if odds and not odds.low <= 1 <= odds.high:
                shares = " and ".join(f"{self._share(gender, role)} with {gender}" for gender in genders)
                scope = {ALL: "over all roles", NAME: "where a name comes first"}.get(
                    role, f"where the first pronoun is {role}"
                )
                yield (
                    f"Sentences with {genders[0]} and {genders[1]} anchors are not kept at the same rate {scope}: "
                    f"{shares}. What is measured on them holds for those that were kept"
                )

    def _share(self, gender: str, role: str) -> str:
        read, kept = self.read[role][gender], self.kept[role][gender]
        return f"{kept:,} of {read:,} ({percent(kept, read)}%)" if read else DASH
