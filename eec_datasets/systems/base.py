"""Systems under audit: a function that scores sentences, and all that tells it apart from another system."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import math
import os
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from eec_datasets.errors import CallFailed, EecError, SystemFailed, Unavailable
from eec_datasets.text_file import all_digits

Range = tuple[float, float]
"""Lowest and highest score a system can give, declared and never guessed."""

Batch = Mapping[str, Sequence[str]]
"""Some rows of a corpus by column, always with ``id`` and ``text``."""

State = Literal["", "missing", "refused", "unreadable", "failed"]
"""Why an answer has no score; empty where it has one."""

UNIT: Range = (0.0, 1.0)

NO_RANGE: Range = (-math.inf, math.inf)
"""Stands for a range that nobody knows."""


class Answer(NamedTuple):
    """A system's answer to one sentence.

    Attributes
    ----------
    score
        The score; ``None`` where there is none.
    state
        Why there is none: the function gave none, the model refused, what it said is no score, or the call failed.
    said
        What was said where a score is read from words.
    model
        Version of the model, where the answer names one.
    calls, tokens_in, tokens_out
        What the answer cost.
    reply
        Hash of the reply it was read from, if replies have ids of their own: no other answer can have it.
    mass
        Share of the probability that lies on labels, where the score is read from it.
    """

    score: float | None = None
    state: State = ""
    said: str = ""
    model: str = ""
    calls: int = 1
    tokens_in: int = 0
    tokens_out: int = 0
    reply: str = ""
    mass: float | None = None


@dataclass(frozen=True, slots=True)
class Accuracy:
    """A system's success in telling positive texts of a language from negative ones that it has not seen.

    Attributes
    ----------
    language
        BCP 47 tag.
    texts
        What they are, and where they come from.
    n
        How many; one half is positive.
    auc, auc_low, auc_high
        Chance that a positive text scores higher than a negative one, with a bootstrap interval of 95 %.
    accuracy
        Share of texts on the right side of the middle of the range.
    """

    language: str
    texts: str
    n: int
    auc: float
    auc_low: float
    auc_high: float
    accuracy: float


Scores = Sequence[float | None] | Iterator[float | None]
"""Scores that a score function returns; ``None`` if there is no score."""

Asker = Callable[[Batch], Awaitable[Sequence[Answer]]]
"""Asks for some sentences while others are asked for."""


def cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def no_scorer(_: Batch) -> list[float | None]:
    """A scorer for systems that are never called."""
    raise SystemFailed("a language model is asked by its prompts, each of which is a system of its own")


@dataclass(frozen=True, slots=True)
class System:
    """A score function and all that tells it apart from another one.

    Attributes
    ----------
    name
        As typed, with the options that change its scores, or as it calls itself; names its results.
    scorer
        Takes a batch of rows, returns one number per row, or an iterator that scores them one by one; may be async.
    score_range
        Declared lowest and highest score; `NO_RANGE` where none is known.
    fingerprint
        Changes when the scores may change: a version, a content hash, a commit.
    languages
        Languages the system is made for; ``None`` where it does not say.
    batch_size
        Sentences per call.
    stored
        Whether its scores depend on the text alone, so that its answers are stored.
    spec
        As typed, where it calls itself otherwise.
    origin
        Folder of a function that is known by its file: the same text elsewhere may read other files.
    concurrency
        Calls that run at once.
    session
        Opens what asks for several sentences at once, in place of the scorer.
    repeats
        Answers per sentence, whose mean is the score.
    reader
        Reads the score from what was said.
    request
        What is sent for a sentence, where something is sent.
    runs
        Makes the systems whose scores are runs of this one, such as prompts, from the language of the sentences.
    by_length
        Whether texts of like length are asked together.
    rescored
        Whether a sample is scored again in other batches, on which its scores depend as far as rounding goes.
    slow
        Whether a sentence takes long enough that only a part of a corpus is scored where nobody names one.
    variants
        Systems by name that were learned from other parts of the same material. What they do not find as well is no
        finding about this one.
    accuracy
        How well it does its work, by language; empty where nobody has measured that.
    high_means
        What a high score means, as the end of "more …", such as ``positive``; empty where that is not known.
    """

    name: str
    scorer: Callable[[Batch], Scores | Coroutine[None, None, Scores]] = no_scorer
    score_range: Range = UNIT
    fingerprint: str = ""
    languages: tuple[str, ...] | None = None
    batch_size: int = 512
    stored: bool = True
    spec: str = ""
    origin: str = ""
    concurrency: int = 1
    session: Callable[[], AbstractAsyncContextManager[Asker]] | None = None
    repeats: int = 1
    reader: Callable[[Answer], Answer] | None = None
    request: Callable[[str], Mapping[str, Any]] | None = None
    runs: Callable[[str], Mapping[str, System]] | None = None
    by_length: bool = False
    rescored: bool = False
    slow: bool = False
    variants: Mapping[str, System] = field(default_factory=dict)
    accuracy: Mapping[str, Accuracy] = field(default_factory=dict)
    high_means: str = ""

    def knows(self, language: str) -> bool:
        """Return whether it is made for a language, or does not say for which."""
        return self.languages is None or language in self.languages

    def runs_in(self, language: str) -> Mapping[str, System]:
        """Return the systems that are asked, by the name of the run; itself as ``score`` where it has no runs."""
        return self.runs(language) if self.runs else {"score": self}


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A model behind an address, and the way to ask it.

    Attributes
    ----------
    base_url
        Address up to and with ``/v1``.
    prompts
        Name of a ready set, or a TOML file.
    repeats
        Answers per sentence and prompt.
    concurrency
        Calls that run at once.
    timeout
        Seconds until a call counts as failed.
    budget
        Most calls that may be made, by all systems opened with this; ``None`` sets no limit.
    calls
        How many were made so far, by address.
    """

    base_url: str = "https://api.openai.com/v1"
    prompts: str = "sentiment"
    repeats: int = 1
    concurrency: int = 16
    timeout: float = 60.0
    budget: int | None = None
    calls: Counter[str] = field(default_factory=Counter, init=False, repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class SystemOptions:
    """Choices that apply to some systems only.

    Attributes
    ----------
    score_range
        Range of systems that declare none of their own; ``None`` means 0 to 1.
    positive_class
        Label whose probability is the score of a classification model.
    classes
        Instead: a value for every label of it, whose mean under the probabilities is the score; or empty.
    batch_size
        Sentences per call; ``None`` leaves it to the system.
    device
        Where a model runs: ``cpu``, ``cuda``, ``mps``.
    path
        Folders searched first for the module of ``package.module:function``.
    endpoint
        How ``openai:MODEL`` is asked.
    """

    score_range: Range | None = None
    positive_class: str | None = None
    classes: Mapping[str, float] = field(default_factory=dict)
    batch_size: int | None = None
    device: str = "cpu"
    path: tuple[str, ...] = ()
    endpoint: Endpoint = Endpoint()

    def declared(self) -> Range:
        """Return the range of a system that declares none of its own."""
        return self.score_range or UNIT


def score_batch(system: System, batch: Batch) -> list[float | None]:
    """Score one batch and check what comes back.

    Returns
    -------
    list of float or None
        One score per row, within the declared range; ``None`` where the system gave ``None`` or NaN.

    Raises
    ------
    CallFailed
        The system raised.
    SystemFailed
        It returned another number of scores, or something that is no number of its range.
    """
    return list(score_each(system, batch))


def score_each(system: System, batch: Batch) -> Iterator[float | None]:
    """The scores of `score_batch`, each as soon as it is available."""
    yield from check_scores(system, batch, _scored(system, batch))


def score_together(system: System, batch: Batch) -> Iterator[list[float | None]]:
    """The scores of `score_batch` in lists, as they came together; those before a bad one are included."""
    raw = _scored(system, batch)
    scores = check_scores(system, batch, raw)
    if isinstance(raw, Iterator):
        for score in scores:
            yield [score]
        return
    together: list[float | None] = []
    try:
        for score in scores:
            together.append(score)
    except EecError:
        yield together
        raise
    yield together


def _scored(system: System, batch: Batch) -> Scores:
    with as_failed_call(system, batch["id"]):
        raw = system.scorer(batch)
        return asyncio.run(raw) if isinstance(raw, Coroutine) else raw


async def score_async(system: System, batch: Batch) -> list[float | None]:
    """Score one batch as `score_batch` does, concurrently with others; what is not async runs in a thread."""
    if not inspect.iscoroutinefunction(system.scorer):
        return await asyncio.to_thread(score_batch, system, batch)
    with as_failed_call(system, batch["id"]):
        scores = await system.scorer(batch)
    return list(check_scores(system, batch, scores))


def check_scores(system: System, batch: Batch, raw: Scores) -> Iterator[float | None]:
    """Yield what a system returned for a batch, score by score, each checked; see `score_batch`."""
    count = len(batch["id"])
    if not isinstance(raw, Iterator) and len(raw) != count:
        raise SystemFailed(
            f"{system.name} returned {len(raw)} scores for {count} sentences (from id {batch['id'][0]}); expected "
            "one score per sentence, in the same order."
        )
    scores = iter(raw)
    for identifier, text in zip(batch["id"], batch["text"], strict=True):
        with as_failed_call(system, [identifier]):
            score = next(scores)
        yield check_score(system, score, identifier, text)


@contextlib.contextmanager
def as_failed_call(system: System, ids: Sequence[str]) -> Iterator[None]:
    """Turn whatever a system raises while it scores these sentences into a failed call."""
    try:
        yield
    except (SystemFailed, Unavailable, KeyboardInterrupt, GeneratorExit):
        raise
    except BaseException as error:
        # The asking itself may be cancelled, and not only something that a function awaits; in a thread nothing is.
        with contextlib.suppress(RuntimeError):
            if isinstance(error, asyncio.CancelledError) and (task := asyncio.current_task()) and task.cancelling():
                raise
        # A user's function may raise anything; the sentences it failed on are what they need to reproduce it.
        sentences = f"{len(ids)} sentences from id {ids[0]}" if len(ids) > 1 else f"id {ids[0]}"
        raise CallFailed(
            f"{system.name} raised {type(error).__name__}: {error}, while scoring {sentences}.", len(ids)
        ) from error


def check_score(system: System, value: object, identifier: str, text: str) -> float | None:
    """Return a score as a number of the declared range, ``None`` for ``None`` and NaN.

    Raises
    ------
    SystemFailed
        It is something else.
    """
    try:
        number = float("inf" if isinstance(value, str | bytes) else value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        number = math.inf
    if value is None or math.isnan(number):
        return None
    low, high = system.score_range
    if math.isinf(number) or not low <= number <= high:
        shown = repr(value) if math.isinf(number) else all_digits(number)
        raise SystemFailed(
            f"{system.name} returned {shown} for id {identifier} ({text!r}); expected None, or a finite number of its "
            f"declared range {all_digits(low)} to {all_digits(high)}. Declare the score range it really has, say "
            "--no-score-range where none is known, or fix the system."
        )
    return number
