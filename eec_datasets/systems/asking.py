"""Asking a system for what the store does not have: one call after another, or several at once."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, nullcontext
from typing import Final, NamedTuple

from eec_datasets.errors import CallFailed, EecError
from eec_datasets.systems.base import Answer, Asker, Batch, System, score_batch, score_each

PATIENCE: Final = 8
"""Calls that may fail one after another, each tried again, before no more are made."""


class Ask(NamedTuple):
    """One sentence to be scored; ``repeat`` counts the answers to it from 0."""

    id: str
    text: str
    repeat: int


Take = Callable[[Ask, Answer], None]
"""Is given every answer as soon as it is there."""


def ask(system: System, asks: Sequence[Ask], take: Take) -> None:
    """Ask for all sentences; a call that fails is made again, then recorded as failed.

    Raises
    ------
    CallFailed
        The first call failed, or `PATIENCE` of them in a row.
    SystemFailed
        What came back is no score.
    """
    batches = [asks[start : start + system.batch_size] for start in range(0, len(asks), system.batch_size)]
    if system.session is None and system.concurrency == 1:
        run = _Run(system, take)
        for batch in batches:
            _one_after_another(run, batch)
    elif batches:
        asyncio.run(_at_once(_Run(system, take), deque(batches)))


def as_batch(asks: Sequence[Ask]) -> Batch:
    """Return what is asked for as columns."""
    return {"id": [ask.id for ask in asks], "text": [ask.text for ask in asks]}


def answer_of(score: float | None) -> Answer:
    """Return a number, or nothing, as an answer."""
    return Answer(score, "missing" if score is None else "")


class _Run:
    """Hands answers on, and gives up where only failures come."""

    def __init__(self, system: System, take: Take) -> None:
        self.system = system
        self.take = take
        self.failed = PATIENCE - 1

    def answered(self, ask: Ask, answer: Answer) -> None:
        self.failed = 0
        self.take(ask, answer)

    def note(self, asks: Sequence[Ask], error: CallFailed) -> None:
        self.failed += 1
        if self.failed >= PATIENCE:
            raise error
        for number, each in enumerate(asks):
            self.take(each, Answer(state="failed", said=str(error), calls=0 if number else error.calls))


def _one_after_another(run: _Run, batch: Sequence[Ask]) -> None:
    left, again = deque(batch), True
    while left:
        try:
            for score in score_each(run.system, as_batch(left)):
                run.answered(left.popleft(), answer_of(score))
                again = True
        except CallFailed as error:
            if not again:
                run.note([left.popleft() for _ in range(error.count)], error)
            again = not again


async def _at_once(run: _Run, waiting: deque[Sequence[Ask]]) -> None:
    """Keep as many calls running as the system allows; after an error those that run are waited for."""
    stopped: list[EecError] = []

    async def work() -> None:
        while waiting and not stopped:
            batch = waiting.popleft()
            try:
                await _call(run, call, batch)
            except EecError as error:
                stopped.append(error)

    async with (run.system.session or (lambda: _in_threads(run.system)))() as call:
        # The first by itself: what is wrong with all of them is said once, and paid once.
        await _call(run, call, waiting.popleft())
        async with asyncio.TaskGroup() as group:
            for _ in range(run.system.concurrency):
                group.create_task(work())
    if stopped:
        raise stopped[0]


async def _call(run: _Run, call: Asker, batch: Sequence[Ask]) -> None:
    try:
        answers = await call(as_batch(batch))
    except CallFailed as error:
        run.note(batch, error)
    else:
        for each, answer in zip(batch, answers, strict=True):
            run.answered(each, answer)


def _in_threads(system: System) -> AbstractAsyncContextManager[Asker]:
    """Run a function that is not async in several threads."""

    async def call(batch: Batch) -> Sequence[Answer]:
        return await twice(lambda: asyncio.to_thread(score_batch, system, batch))

    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(system.concurrency))
    return nullcontext(call)


async def twice(call: Callable[[], Awaitable[list[float | None]]]) -> list[Answer]:
    """Await what a call gives; where it fails, once more."""
    try:
        scores = await call()
    except CallFailed:
        scores = await call()
    return [answer_of(score) for score in scores]
