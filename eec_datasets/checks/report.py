"""The table of checks, what they find, and the report that tells it."""

from __future__ import annotations

import tomllib
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from eec_bias.shared import counted
from eec_datasets.checks.characters import visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from eec_datasets.errors import Place, Problem
    from eec_datasets.locale.model import Locale

Level: TypeAlias = Literal["error", "warning", "note"]
LEVELS: tuple[Level, ...] = ("error", "warning", "note")


@cache
def checks() -> Mapping[str, Mapping[str, Any]]:
    """Every check by its family and name, such as ``forms.no-form``; what it says has places to fill in."""
    table = tomllib.loads((Path(__file__).parent / "table.toml").read_text(encoding="utf-8"))
    return {f"{family}.{name}": check for family, some in table.items() for name, check in some.items()}


@dataclass(frozen=True, slots=True)
class LocaleFinding:
    """One thing found: an error must be fixed, a warning looked at, a note known.

    Attributes
    ----------
    check : the family of checks that found it.
    place : file and line inside the locale's folder (``../axes.toml`` stands beside it).
    what, fix : what is so, and what to do about it.
    """

    level: Level
    check: str
    place: Place
    what: str
    fix: str

    def __str__(self) -> str:
        return f"{self.place}: {self.level}: {self.what}. {self.fix}"

    def to_dict(self) -> dict[str, Any]:
        """The finding as JSON-able values."""
        return {"level": self.level, "check": self.check, **asdict(self.place), "what": self.what, "fix": self.fix}


def finding(name: str, place: Place, /, **values: object) -> LocaleFinding:
    """Return what a check of the table found at a place, its sentence filled in with `values`."""
    check, family = checks()[name], name.partition(".")[0]
    return LocaleFinding(check["level"], family, place, check["what"].format(**values), check["fix"].format(**values))


def from_problem(problem: Problem) -> LocaleFinding:
    """A problem met while reading, as a finding."""
    return LocaleFinding("error", "reading", problem.place, problem.what, problem.fix)


@dataclass(frozen=True, slots=True)
class Report:
    """Everything the checks found in one locale.

    Attributes
    ----------
    findings : sorted by file and line.
    unchecked : what could not be looked at before the errors are fixed.
    locale : what was checked, where all of it could be read.
    """

    tag: str
    findings: tuple[LocaleFinding, ...]
    unchecked: tuple[str, ...] = ()
    locale: Locale | None = field(default=None, compare=False, repr=False)

    def of(self, level: Level) -> tuple[LocaleFinding, ...]:
        """The findings of one level."""
        return tuple(finding for finding in self.findings if finding.level == level)

    @property
    def ok(self) -> bool:
        """Return whether there is no error."""
        return not self.of("error")

    @property
    def summary(self) -> str:
        """Such as ``es: 2 errors, 1 warning``."""
        parts = [counted(len(self.of(level)), level) for level in LEVELS if self.of(level)]
        return f"{self.tag}: {', '.join(parts) or 'nothing found'}"

    def __str__(self) -> str:
        lines = [f"{self.tag}/{finding}".replace(f"{self.tag}/../", "", 1) for finding in self.findings]
        if self.unchecked:
            lines.append(f"{self.tag}: not checked until the errors are fixed: {', '.join(self.unchecked)}")
        return "\n".join([*lines, self.summary])

    def to_dict(self) -> dict[str, Any]:
        """The report as JSON-able values."""
        findings = [finding.to_dict() for finding in self.findings]
        return {"tag": self.tag, "ok": self.ok, "findings": findings, "unchecked": list(self.unchecked)}


def report(tag: str, findings: Iterable[LocaleFinding], unchecked: Iterable[str] = ()) -> Report:
    """A report with every finding once, sorted by file, line and level."""
    unique = dict.fromkeys(replace(finding, what=visible(finding.what)) for finding in findings)
    ordered = sorted(unique, key=lambda f: (f.place.file, f.place.line, LEVELS.index(f.level), f.what))
    return Report(tag, tuple(ordered), tuple(unchecked))


class SeenKeys(set[object]):
    """The keys reported or checked so far, so that nothing is reported twice."""

    def is_new(self, *key: object) -> bool:
        """Return whether something is met for the first time."""
        new = key not in self
        self.add(key)
        return new
