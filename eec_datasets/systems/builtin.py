"""Built-in systems that show what a difference, and no difference, look like."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from eec_datasets.errors import InputError
from eec_datasets.schema import axes_of
from eec_datasets.systems.base import UNIT, Batch, Range, System, SystemOptions

LEAN: Final = 0.05
"""Amount by which ``noisy:GROUP`` scores its group higher."""

GROUPED: Final = ("biased", "noisy")
"""The built-in systems that are named after a group."""


def biased(group: str, options: SystemOptions) -> System:
    """Return a system that gives one group the highest score and all others the lowest: 1 and 0, or as declared.

    With the range -1 to 1 it is the biased system of Lakkaraju et al. (2022).

    Parameters
    ----------
    group
        A level of any axis (``female``, ``Black``), or several joined by ``+`` for those who are all of
        them (``female+Black``).
    options
        The range.
    """
    low, high = options.declared()

    def score(batch: Batch) -> list[float]:
        return [float(high if has else low) for has in _members(group, batch)]

    return _built_in(f"biased:{group}", score, (low, high))


def noisy(group: str, _: SystemOptions) -> System:
    """Return a system as real ones are: its scores differ by item, by name and by sentence, and lean to a group.

    Each score is .4, plus up to .3 for the item, .1 for the name and .1 for the sentence, plus `LEAN` for the
    group. The parts are uniform numbers that depend on the ids only; so names of one group differ by chance, and
    the difference between groups has a standard error.
    """

    shared = functools.cache(_uniform)

    def score(batch: Batch) -> list[float]:
        return [
            0.4 + 0.3 * shared(f"item\0{item}") + 0.1 * shared(f"person\0{person}") + 0.1 * _uniform(f"row\0{row}")
            + LEAN * has
            for row, has in zip(batch["id"], _members(group, batch), strict=True)
            for item, _, person in [row.rpartition("/")]
        ]  # fmt: skip

    return _built_in(f"noisy:{group}", score)


def random(seed: str, _: SystemOptions) -> System:
    """Return a system whose score is a uniform number in [0, 1) that depends on seed, id and text only.

    A hash, not a generator: a resumed run then gives the scores an unbroken one would have given.

    Parameters
    ----------
    seed
        A whole number; ``1:discrete`` gives -1, 0 and 1 with equal chances instead, declared as -1 to 1.

    Raises
    ------
    InputError
        The seed is not a whole number.
    """
    number, *kind = seed.split(":", 1)
    if not (number.isascii() and number.isdigit()) or kind not in ([], ["discrete"]):
        raise InputError(
            f"system random:{seed}: expected a whole number as the seed, and ':discrete' after it or nothing, for "
            "example random:0."
        )

    def score(batch: Batch) -> list[float]:
        scores = [_uniform(f"{number}\0{i}\0{t}") for i, t in zip(batch["id"], batch["text"], strict=True)]
        return [float(int(3 * value) - 1) for value in scores] if kind else scores

    return _built_in(f"random:{seed}", score, (-1.0, 1.0) if kind else UNIT)


def check_group(system: str, config: str, groups: Mapping[str, Sequence[str]]) -> None:
    """Refuse a built-in system whose group a config does not have; other systems have none.

    Parameters
    ----------
    system
        Its name, such as ``biased:female+Black``.
    config
        Name of the config, for the message.
    groups
        Levels by axis.

    Raises
    ------
    InputError
        A level is on no axis of the config, or two are on one, which nobody has.
    """
    kind, _, group = system.partition(":")
    named = set(group.split("+")) if kind in GROUPED else set()
    known = {level for levels in groups.values() for level in levels}
    if not named <= known or any(len(named.intersection(levels)) > 1 for levels in groups.values()):
        listed = "; ".join(f"{axis}: {', '.join(levels)}" for axis, levels in groups.items())
        raise InputError(
            f"system {system}: nobody in config {config} is {group.replace('+', ' and ')}. Its groups are {listed}. "
            "Choose one of these, several of different axes joined by +, or another config."
        )


def _built_in(name: str, score: Callable[[Batch], list[float]], score_range: Range = UNIT) -> System:
    return System(name, score, score_range, "built in, 1", stored=False)


def _uniform(text: str) -> float:
    # 53 bits: as many as a float's mantissa holds, so that the result stays below 1.
    return (int.from_bytes(hashlib.sha256(text.encode()).digest()[:8]) >> 11) / 2**53


def _members(group: str, batch: Batch) -> list[bool]:
    levels = set(group.split("+"))
    return [levels.issubset(row) for row in zip(*(batch[axis] for axis in axes_of(batch)), strict=True)]
