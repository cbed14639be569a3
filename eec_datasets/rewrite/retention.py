"""Shares of women's and of men's sentences that are kept: counts and odds by the role of the first pronoun."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from eec_datasets.terminal import DASH, percent

if TYPE_CHECKING:
    from collections.abc import Iterator

ALL: Final = "all"
"""The line of all roles together."""

SCOPES: Final = {ALL: "over all roles", "name": "where a name comes first"}
"""Words of a warning for a role that is no pronoun's."""


@dataclass(slots=True)
class Retention:
    """Texts that were read and those that could be rewritten: role of the first pronoun → gender → texts.

    Texts without a single gender, and those that are too long, are not read and not counted.
    """

    genders: tuple[str, ...]
    read: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    kept: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))

    def count(self, gender: str, role: str, *, kept: bool) -> None:
        """Count one text, and with it all roles together."""
        for name in (role, ALL):
            self.read[name][gender] += 1
            self.kept[name][gender] += kept

    def odds(self, role: str) -> dict[str, float]:
        """Odds of being kept, first gender against second, with their 95 % interval (Woolf; half a text for none).

        Empty where one gender has no text, or nothing or everything is kept of both.
        """
        from statsmodels.stats.contingency_tables import Table2x2

        read, kept = self.read[role], self.kept[role]
        cells = [[kept[gender], read[gender] - kept[gender]] for gender in self.genders]
        if len(cells) != 2 or not all(map(sum, [*cells, *zip(*cells, strict=True)])):
            return {}
        table = Table2x2(cells, shift_zeros=True)
        numbers = (table.oddsratio, *table.oddsratio_confint())
        return dict(zip(("ratio", "low", "high"), map(float, numbers), strict=True))

    def to_dict(self) -> dict[str, Any]:
        """By role, all together last: texts read and kept of each gender, and the odds, as plain JSON values."""
        roles = sorted(self.read, key=lambda role: (role == ALL, -self.read[role].total(), role))
        by_role: dict[str, Any] = {}
        for role in roles:
            read, kept = self.read[role], self.kept[role]
            by_role[role] = {gender: {"read": read[gender], "kept": kept[gender]} for gender in self.genders}
            if odds := self.odds(role):
                by_role[role]["odds"] = odds
        return by_role

    def lines(self) -> Iterator[list[str]]:
        """A line of cells per role: kept of read per gender, odds, their interval."""
        for role, counts in self.to_dict().items():
            odds = counts.pop("odds", None)
            interval = [f"{odds['ratio']:.2f}", f"[{odds['low']:.2f}, {odds['high']:.2f}]"] if odds else [DASH, DASH]
            yield [role, *(_share(**of) for of in counts.values()), *interval]

    def warnings(self) -> Iterator[str]:
        """A sentence for every role of which one gender is kept more often."""
        for role, counts in self.to_dict().items():
            odds = counts.pop("odds", None)
            if odds and not odds["low"] <= 1 <= odds["high"]:
                shares = " and ".join(f"{_share(**of)} with {gender}" for gender, of in counts.items())
                yield (
                    f"Sentences with {' and '.join(counts)} anchors are not kept at the same rate "
                    f"{SCOPES.get(role, f'where the first pronoun is {role}')}: {shares}. So a result is about the "
                    "kept sentences only"
                )


def _share(read: int, kept: int) -> str:
    return f"{kept:,} of {read:,} ({percent(kept, read)}%)" if read else DASH
