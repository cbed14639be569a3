"""Version numbers that mean something: the kind of a change is computed from the rows, never claimed.

Semantic versioning of data, as Croissant 1.1 has it: MAJOR where an existing sentence or label changed or went,
MINOR where something was added and everything older is still there, PATCH where the rows are the same.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from eec_datasets.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable

Kind = Literal["major", "minor", "patch"]
KINDS: tuple[Kind, ...] = ("patch", "minor", "major")
"""In the order of their weight."""

MEANING: dict[Kind, str] = {
    "major": "existing sentences or labels were changed or removed",
    "minor": "sentences or labels were added, and none was changed or removed",
    "patch": "the sentences and labels are the same",
}


@dataclass(frozen=True, slots=True, order=True)
class Version:
    """A version ``major.minor.patch``."""

    major: int
    minor: int
    patch: int

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}.{self.patch}"

    @property
    def tag(self) -> str:
        """The tag a release of this version has: ``v1.0.0``."""
        return f"v{self}"

    def after(self, kind: Kind) -> Version:
        """The version that follows this one where the change is of this kind."""
        if kind == "major":
            return Version(self.major + 1, 0, 0)
        return Version(self.major, self.minor + 1, 0) if kind == "minor" else replace(self, patch=self.patch + 1)


_NUMBER = r"(0|[1-9][0-9]{0,5})"
_TAG = re.compile(rf"v{_NUMBER}\.{_NUMBER}\.{_NUMBER}")


def parse_tag(text: str) -> Version:
    """Read ``v1.0.0``.

    Raises
    ------
    InputError
        It is written otherwise.
    """
    match = _TAG.fullmatch(text)
    if match is None:
        raise InputError(f"tag '{text}' is not of the form v1.0.0 (a v, three numbers, no leading zeros)")
    return Version(*map(int, match.groups()))


def released(tags: Iterable[str]) -> list[Version]:
    """The versions among a repository's tags, oldest first; tags of other forms are left out."""
    return sorted(parse_tag(tag) for tag in tags if _TAG.fullmatch(tag))


def check_next(old: Version, new: Version, kind: Kind) -> None:
    """Refuse a version number that says another change than was made.

    Raises
    ------
    InputError
        The one version that may follow is named.
    """
    if new != old.after(kind):
        raise InputError(
            f"{new.tag} cannot follow {old.tag}: {MEANING[kind]}, so this is a {kind.upper()} change "
            f"and the next version is {old.after(kind).tag}"
        )
