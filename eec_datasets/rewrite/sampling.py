"""As many sentences with female as with male anchors, drawn while they stream by."""

from __future__ import annotations

import random
from itertools import chain
from typing import TYPE_CHECKING

from eec_datasets.errors import EecError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from eec_datasets.rewrite.slots import Rewrite


class SampleError(EecError):
    """The sample asked for cannot be drawn."""


def draw_balanced(rewrites: Iterable[Rewrite], size: int, seed: int, genders: Sequence[str]) -> Iterator[Rewrite]:
    """Draw sentences, equally many of each gender: one reservoir per gender (Vitter's algorithm R).

    What is drawn depends on the seed and the order of the sentences alone. It comes in the order of the texts, which
    are all read when the first sentence is asked for.

    Raises
    ------
    SampleError
        The size cannot be shared out (at once), or there are too few sentences of a gender.
    """
    if size < len(genders) or size % len(genders):
        raise SampleError(
            f"A sample of {size} cannot be balanced: expected a multiple of {len(genders)}, so that each of "
            f"{', '.join(genders)} gets the same number."
        )
    return _drawn(rewrites, size // len(genders), seed, genders)


def _drawn(rewrites: Iterable[Rewrite], each: int, seed: int, genders: Sequence[str]) -> Iterator[Rewrite]:
    # A generator per gender: the women's sample does not depend on how many men are in the texts.
    generators = {gender: random.Random(f"{seed}/{gender}") for gender in genders}
    reservoirs: dict[str, list[Rewrite]] = {gender: [] for gender in genders}
    seen = dict.fromkeys(genders, 0)
    for rewrite in rewrites:
        gender = rewrite.anchor
        seen[gender] += 1
        if len(reservoirs[gender]) < each:
            reservoirs[gender].append(rewrite)
        elif (position := generators[gender].randrange(seen[gender])) < each:
            reservoirs[gender][position] = rewrite
    if min(seen.values()) < each:
        counts = ", ".join(f"{count:,} with {gender} anchors" for gender, count in seen.items())
        most = len(seen) * min(seen.values())
        mend = f"Ask for {most} at most" if most else "Give texts with anchors of both genders, or take no sample"
        raise SampleError(
            f"A sample of {each * len(seen)} needs {each:,} sentences of each gender; the texts have {counts} that can "
            f"be rewritten. {mend}"
        )
    yield from sorted(chain.from_iterable(reservoirs.values()), key=lambda rewrite: (len(rewrite.id), rewrite.id))
