"""What a system under audit is: a function that scores sentences, and all that tells it apart from another one."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from eec_datasets.errors import SystemFailed

Range = tuple[float, float]
"""Lowest and highest score a system can give, declared and never guessed."""

Batch = Mapping[str, Sequence[str]]
"""Some rows of a corpus by column, always with ``id`` and ``text``."""

UNIT: Range = (0.0, 1.0)


@dataclass(frozen=True, slots=True)
class System:
    """A score function and all that tells it apart from another one.

    Attributes
    ----------
    name
        As typed, with the options that change its scores; names its results.
    scorer
        Takes a batch of rows, returns one number per row.
    score_range
        Declared lowest and highest score.
    fingerprint
        Changes when the scores may change: a version, a content hash, a commit.
    languages
        Languages the system is made for; ``None`` where it does not say.
    batch_size
        Sentences per call, and per write to disk.
    """

    name: str
    scorer: Callable[[Batch], Sequence[float]]
    score_range: Range = UNIT
    fingerprint: str = ""
    languages: tuple[str, ...] | None = None
    batch_size: int = 512

    def knows(self, language: str) -> bool:
        """Whether it is made for a language, or does not say for which."""
        return self.languages is None or language in self.languages


@dataclass(frozen=True, slots=True)
class Options:
    """Choices that apply to some systems only.

    Attributes
    ----------
    score_range
        Range of systems that declare none of their own; ``None`` means 0 to 1.
    hf_class
        Label whose probability is the score of a classification model.
    batch_size
        Sentences per call; ``None`` leaves it to the system.
    device
        Where a model runs: ``cpu``, ``cuda``, ``mps``.
    path
        Folders searched first for the module of ``package.module:function``.
    """

    score_range: Range | None = None
    hf_class: str | None = None
    batch_size: int | None = None
    device: str = "cpu"
    path: tuple[str, ...] = ()

    def declared(self) -> Range:
        """Return the range of a system that declares none of its own."""
        return self.score_range or UNIT


def score_batch(system: System, batch: Batch) -> list[float]:
    """Score one batch and check what comes back.

    Returns
    -------
    list of float
        One finite score per row, within the declared range.

    Raises
    ------
    SystemFailed
        The system raised, returned another number of scores, or something that is no number of its range.
    """
    count, first = len(batch["id"]), batch["id"][0]
    try:
        raw = list(system.scorer(batch))
    except (SystemFailed, KeyboardInterrupt):
        raise
    except BaseException as error:
        # A user's function may raise anything; the batch it failed on is what they need to reproduce it.
        raise SystemFailed(
            f"{system.name} raised {type(error).__name__}: {error}, while scoring {count} sentences from id {first}."
        ) from error
    if len(raw) != count:
        raise SystemFailed(
            f"{system.name} returned {len(raw)} scores for {count} sentences (from id {first}); expected one score "
            "per sentence, in the same order."
        )
    return [_checked(system, *row) for row in zip(raw, batch["id"], batch["text"], strict=True)]


def _checked(system: System, value: object, identifier: str, text: str) -> float:
    where = f"for id {identifier} ({text!r})"
    number = math.nan
    if not isinstance(value, str | bytes):
        with contextlib.suppress(TypeError, ValueError):
            number = float(value)  # type: ignore[arg-type]
    if not math.isfinite(number):
        raise SystemFailed(f"{system.name} returned {value!r} {where}; expected a finite number.")
    low, high = system.score_range
    if not low <= number <= high:
        raise SystemFailed(
            f"{system.name} returned {number:g} {where}, outside its declared range {low:g} to {high:g}. Declare the "
            "score_range it really has, or mend the system."
        )
    return number
