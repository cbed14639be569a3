"""Built-in systems that show what a difference, and no difference, look like."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence

from eec_datasets import schema
from eec_datasets.audit.errors import UnknownGroup, UnknownSystem
from eec_datasets.audit.systems import UNIT, Batch, Options, System

AXES = frozenset(("race", "gender"))
"""Identity axes among the columns that every corpus has."""


def axes_of(columns: Iterable[str]) -> list[str]:
    """Return the identity axes among the columns of a corpus: race, gender, and those of its own."""
    return [name for name in columns if name in AXES or name not in schema.columns()]


def biased(group: str, options: Options) -> System:
    """Return a system that gives 1 to one group and 0 to all others, on a scale declared as 0 to 1.

    Parameters
    ----------
    group
        A level of any axis (``female``, ``Black``), or several joined by ``+`` for those who are all of
        them (``female+Black``).
    """
    levels = group.split("+")

    def score(batch: Batch) -> list[float]:
        columns = [_column(level, batch) for level in levels]
        return [float(all(has)) for has in zip(*columns, strict=True)]

    return System(f"biased:{group}", score, UNIT, "built in, 1", batch_size=options.batch_size or 2048)


def check_group(group: str, config: str, groups: Mapping[str, Sequence[str]]) -> None:
    """Refuse a group that a config does not have.

    Parameters
    ----------
    group
        As in :func:`biased`.
    config
        Name of the config, for the message.
    groups
        Levels by axis.

    Raises
    ------
    UnknownGroup
        A level is on no axis of the config.
    """
    for level in group.split("+"):
        if not any(level in levels for levels in groups.values()):
            known = "; ".join(f"{axis}: {', '.join(levels)}" for axis, levels in groups.items())
            raise UnknownGroup(
                f"--system biased:{group}: config {config} has no group {level!r}. Its groups are {known}. "
                "Choose one of these, or other configs with --config."
            )


def random(seed: str, options: Options) -> System:
    """Return a system whose score is a uniform number in [0, 1) that depends on seed, id and text only.

    A hash, not a generator: a resumed run then gives the scores an unbroken one would have given.

    Raises
    ------
    UnknownSystem
        The seed is not a whole number.
    """
    if not (seed.isascii() and seed.isdigit()):
        raise UnknownSystem(f"--system random:{seed}: the seed must be a whole number, for example random:0.")

    def score(batch: Batch) -> list[float]:
        return [_uniform(f"{seed}\0{i}\0{t}") for i, t in zip(batch["id"], batch["text"], strict=True)]

    return System(f"random:{seed}", score, UNIT, "built in, 1", batch_size=options.batch_size or 2048)


def _uniform(text: str) -> float:
    # 53 bits: as many as a float's mantissa holds, so that the result stays below 1.
    return (int.from_bytes(hashlib.sha256(text.encode()).digest()[:8]) >> 11) / 2**53


def _column(level: str, batch: Batch) -> list[bool]:
    return [level in row for row in zip(*(batch[axis] for axis in axes_of(batch)), strict=True)]
