"""As many sentences with female as with male anchors, drawn while they stream by."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from eec_datasets.errors import EecError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from eec_datasets.rewrite.frame import Rewrite


class SampleError(EecError):
    """The sample asked for cannot be drawn."""


class Balanced:
    """A sample of `size` sentences, equally many of each gender: one reservoir per gender (Vitter's algorithm R).

    What is drawn depends on the seed and the order of the sentences alone.
    """

    def __init__(self, size: int, seed: int, genders: Sequence[str]) -> None:
        if size < len(genders) or size % len(genders):
            raise SampleError(
                f"A sample of {size} cannot be balanced: expected a multiple of {len(genders)}, so that each of "
                f"{', '.join(genders)} gets the same number."
            )
        self.each = size // len(genders)
        # A generator per gender: the women's sample does not depend on how many men are in the texts.
        self.random = {gender: random.Random(f"{seed}/{gender}") for gender in genders}
        self.kept: dict[str, list[Rewrite]] = {gender: [] for gender in genders}
        self.seen = dict.fromkeys(genders, 0)

    def add(self, rewrite: Rewrite) -> None:
        """Consider one more sentence."""
        gender = rewrite.anchor
        kept = self.kept[gender]
        self.seen[gender] += 1
        if len(kept) < self.each:
            kept.append(rewrite)
            return
        at = self.random[gender].randrange(self.seen[gender])
        if at < self.each:
            kept[at] = rewrite

    def drawn(self, rewrites: Iterable[Rewrite]) -> Iterator[Rewrite]:
        """The sample of `rewrites`, which are all read when the first one is asked for."""
        for rewrite in rewrites:
            self.add(rewrite)
        yield from self.chosen()

    def chosen(self) -> tuple[Rewrite, ...]:
        """The sample in the order of the texts.

        Raises
        ------
        SampleError
            There are too few of a gender.
        """
        if any(self.seen[gender] < self.each for gender in self.seen):
            there = ", ".join(f"{count:,} with {gender} anchors" for gender, count in self.seen.items())
            most = len(self.seen) * min(self.seen.values())
            mend = f"Ask for {most} at most" if most else "Give texts with anchors of both genders, or take no sample"
            raise SampleError(
                f"A sample of {self.each * len(self.seen)} needs {self.each:,} sentences of each gender; the texts "
                f"have {there} that can be rewritten. {mend}"
            )
        return tuple(
            sorted((one for kept in self.kept.values() for one in kept), key=lambda one: (len(one.id), one.id))
        )
