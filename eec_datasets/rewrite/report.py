"""Report on the texts: counts while they go by, a table to read, and JSON next to the rows."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from eec_bias.shared import write
from eec_datasets.documents import fill
from eec_datasets.rewrite.fillers import LISTED
from eec_datasets.rewrite.resolve import Rewritable
from eec_datasets.rewrite.retention import Retention
from eec_datasets.rewrite.tagger import INSTALL
from eec_datasets.terminal import lay_out

if TYPE_CHECKING:
    from collections.abc import Mapping

    from eec_datasets.rewrite.anchors import Anchors
    from eec_datasets.rewrite.resolve import LeftOut

GENDERS: Final = ("female", "male", "both", "none")


@dataclass(slots=True)
class PerturbReport:
    """Counts of texts and sentences per gender of their anchors, and what was asked for.

    Attributes
    ----------
    options
        Question, level, longest text, tagger and names to replace.
    texts
        Texts read.
    rewritten
        Gender of the anchors → texts that could be rewritten.
    left_out
        Reason → gender → texts; the gender is ``none`` without an anchor and ``both`` with anchors of both.
    retention
        Texts read and rewritten by gender and role of their first pronoun, each once.
    copies
        Texts that it does not count, as they were read before.
    named
        Person → rows left out, because the text names the person already.
    words
        Names of the list that are words as well.
    fewer
        Id of a text that names persons of the list → variants that it has, and that it would have without.
    """

    anchors: Anchors = field(repr=False)
    options: Mapping[str, Any] = field(default_factory=dict)
    texts: int = 0
    rewritten: Counter[str] = field(default_factory=Counter)
    left_out: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    retention: Retention = field(init=False)
    copies: int = 0
    named: Counter[str] = field(default_factory=Counter)
    fewer: dict[str, tuple[int, int]] = field(default_factory=dict)
    words: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.retention = Retention(tuple(self.anchors.columns))

    def add(self, resolved: Rewritable | LeftOut, *, copy: bool) -> None:
        """Count what became of one more text."""
        self.texts += 1
        counts = self.rewritten if isinstance(resolved, Rewritable) else self.left_out[resolved.reason]
        counts[resolved.anchor] += 1
        self.copies += copy
        if resolved.role and not copy:
            self.retention.count(resolved.anchor, resolved.role, kept=isinstance(resolved, Rewritable))

    def by_reason(self) -> dict[str, dict[str, int]]:
        """Reason → gender of the anchors → texts left out, the most frequent reason first."""
        reasons = sorted(self.left_out.items(), key=lambda entry: (-entry[1].total(), entry[0]))
        return {reason: {gender: of[gender] for gender in GENDERS if of[gender]} for reason, of in reasons}

    def to_dict(self, persons: int, rows: int) -> dict[str, Any]:
        """Counts, reasons and options as plain JSON values."""
        return {
            "language": self.anchors.tag,
            "notes": list(self.anchors.notes),
            "options": dict(self.options),
            "texts": self.texts,
            "rewritten": {gender: self.rewritten[gender] for gender in self.anchors.columns},
            "persons": persons,
            "rows": rows,
            "left_out": {
                reason: {"what": self.anchors.reasons[reason], **counts} for reason, counts in self.by_reason().items()
            },
            "retention": self.retention.to_dict(),
            "copies": self.copies,
            "named_already": dict(self.named),
            "words_as_well": list(self.words),
            "fewer_variants": {id: {"variants": has, "of": of} for id, (has, of) in self.fewer.items()},
        }

    def write(self, path: Path, persons: int, rows: int, *, overwrite: bool = False) -> None:
        """Write the report beside rows, whole or not at all; it comes before them, so that no rows are without one."""
        text = json.dumps(self.to_dict(persons, rows), ensure_ascii=False, indent=1)
        write(path_beside(path), f"{text}\n", overwrite=overwrite)

    def __str__(self) -> str:
        """Counts and reasons, what is kept by role of the first pronoun and where it differs, as tables."""
        genders, reasons = list(self.anchors.columns), self.by_reason()
        anchors = [f"{gender} anchors" for gender in genders]
        counts: dict[str, Mapping[str, int]] = {"rewritten": self.rewritten}
        reasons_told = {f"left out: {reason}": of for reason, of in reasons.items()}
        counts |= reasons_told
        lines = [["texts", *[""] * (len(genders) + 1), f"{self.texts:,}"]]
        for title, of in counts.items():
            cells, others = [of.get(gender, 0) for gender in genders], of.get("both", 0) + of.get("none", 0)
            shown = [f"{n:,}" if n or title not in reasons_told else "" for n in cells]
            lines.append([title, *shown, f"{others:,}" if others else "", f"{sum(cells) + others:,}"])
        head, _, *table = lay_out(["", *anchors, "both or none", "all"], lines, range(1, len(genders) + 3)).splitlines()
        titles = ["kept, by the first pronoun", *anchors, f"odds {' : '.join(genders)}", "95 %"]
        asked = self.options.get("replace") or {"refused": {}}
        unread = [of.total() for reason, of in self.left_out.items() if reason in self.anchors.tagged]
        return fill(
            Path(__file__).with_name("report.txt.j2"),
            report=self,
            table="\n".join([head, *table]),
            reasons=list(reasons),
            retention=lay_out(titles, list(self.retention.lines()), range(1, len(titles))),
            refused=[f"{name} ({why})" for name, why in asked["refused"].items()],
            unread=0 if self.options.get("tagger") else sum(unread),
            LISTED=LISTED,
            INSTALL=INSTALL,
        ).rstrip("\n")


def path_beside(path: Path) -> Path:
    """Return where the report of a file of rows is written."""
    return path.with_name(f"{path.name}.report.json")
