"""What kind of text is kept: texts kept against those left out, by length and by a label or a score."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from eec_datasets.terminal import DASH, percent

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

FEW: Final = 10
"""Different numbers up to which they are labels (0, 1); more of them are a score."""

SHOWN: Final = 12
"""Labels that are printed, the most frequent first; the report holds all."""


@dataclass(slots=True)
class Selection:
    """Counts of the texts that were read, by whether they were kept: lengths in words, and labels.

    As in `eec_datasets.rewrite.retention.Retention` these are the texts with pronouns of one gender that are not too
    long, each once.

    Attributes
    ----------
    words
        Whether kept → length in words → texts.
    labels
        Whether kept → label as it is written → texts; empty where no labels are given.
    """

    words: dict[bool, Counter[float]] = field(default_factory=lambda: {True: Counter(), False: Counter()})
    labels: dict[bool, Counter[str]] = field(default_factory=lambda: {True: Counter(), False: Counter()})

    def count(self, text: str, label: object, *, kept: bool) -> None:
        """Count one text."""
        self.words[kept][len(text.split())] += 1
        if label is not None:
            self.labels[kept][str(label)] += 1

    def to_dict(self) -> dict[str, Any]:
        """Lengths, and labels or a score, of texts kept and left out, as plain JSON values."""
        found: dict[str, Any] = {"words": _numbers(self.words)}
        scores = self._scores()
        if scores:
            found["score"] = _numbers(scores)
        elif self.labels[True] or self.labels[False]:
            found["labels"] = {
                label: _part(self.labels, lambda other, label=label: other == label)  # type: ignore[misc]
                for label in self._by_frequency()
            }
        return found

    def lines(self) -> Iterator[list[str]]:
        """A line of cells per length, label or score: texts kept, texts left out, odds of being kept, interval."""
        found = self.to_dict()
        for title, numbers in (("words", found["words"]), ("score", found.get("score"))):
            if numbers is not None:
                yield [f"{title}, median", *(_shown(numbers[kept]) for kept in ("kept", "left_out")), "", ""]
                if numbers["low"]:
                    yield _line(f"  up to {numbers['up_to']:g}", numbers["low"])
        labels = list(found.get("labels", {}).items())
        for label, part in labels[:SHOWN]:
            yield _line(f"label {label}", part)
        if len(labels) > SHOWN:
            yield [f"{len(labels) - SHOWN} further labels", "", "", "", ""]

    def _by_frequency(self) -> list[str]:
        counts = self.labels[True] + self.labels[False]
        return [label for label, _ in sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))]

    def _scores(self) -> dict[bool, Counter[float]] | None:
        """The labels as numbers, where all are and they are more than a few."""
        different = self.labels[True].keys() | self.labels[False].keys()
        if len(different) <= FEW:
            return None
        scores: dict[bool, Counter[float]] = {True: Counter(), False: Counter()}
        for kept, counts in self.labels.items():
            for label, count in counts.items():
                try:
                    number = float(label)
                except ValueError:
                    return None
                if not math.isfinite(number):
                    return None
                scores[kept][number] += count
        return scores


def _numbers(counts: Mapping[bool, Counter[float]]) -> dict[str, Any]:
    """Median and mean of numbers, and how many are up to the median of all."""
    middle = _median(counts[True] + counts[False])
    low = {}
    if middle is not None:
        low = _part(counts, lambda number: number <= middle)
    kept, left_out = ({"median": _median(of), "mean": _mean(of)} for of in (counts[True], counts[False]))
    return {"kept": kept, "left_out": left_out, "up_to": middle, "low": low}


def _part(counts: Mapping[bool, Counter[Any]], belongs: Callable[[Any], bool]) -> dict[str, Any]:
    """Texts kept and left out that belong to a part, their shares, and the odds of being kept against all others."""
    from statsmodels.stats.contingency_tables import Table2x2

    inside = {kept: sum(n for value, n in of.items() if belongs(value)) for kept, of in counts.items()}
    outside = {kept: of.total() - inside[kept] for kept, of in counts.items()}
    part: dict[str, Any] = {
        "kept": {"texts": inside[True], "of": counts[True].total()},
        "left_out": {"texts": inside[False], "of": counts[False].total()},
    }
    cells = [[inside[True], inside[False]], [outside[True], outside[False]]]
    if all(map(sum, [*cells, *zip(*cells, strict=True)])):
        table = Table2x2(cells, shift_zeros=True)
        ratio, (low, high) = table.oddsratio, table.oddsratio_confint()
        part["odds"] = {"ratio": float(ratio), "low": float(low), "high": float(high)}
    return part


def _line(title: str, part: Mapping[str, Any]) -> list[str]:
    shares = [_share(**part[kept]) for kept in ("kept", "left_out")]
    if "odds" not in part:
        return [title, *shares, DASH, DASH]
    odds = part["odds"]
    return [title, *shares, f"{odds['ratio']:.2f}", f"[{odds['low']:.2f}, {odds['high']:.2f}]"]


def _share(texts: int, of: int) -> str:
    return f"{texts:,} of {of:,} ({percent(texts, of)}%)" if of else DASH


def _shown(numbers: Mapping[str, float | None]) -> str:
    return DASH if numbers["median"] is None else f"{numbers['median']:g}"


def _median(counts: Counter[float]) -> float | None:
    """The lower median of numbers; None of none."""
    passed = 0
    for number, count in sorted(counts.items()):
        passed += count
        if 2 * passed >= counts.total():
            return number
    return None


def _mean(counts: Counter[float]) -> float | None:
    total = counts.total()
    return sum(number * count for number, count in counts.items()) / total if total else None
