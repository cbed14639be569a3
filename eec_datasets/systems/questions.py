"""Asking a system for what the store does not have: one call after another, or several at once."""

from __future__ import annotations

import asyncio
import inspect
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, nullcontext
from functools import partial
from typing import Final, NamedTuple

from eec_datasets.errors import CallFailed, EecError
from eec_datasets.systems.base import Answer, Asker, Batch, System, score_async, score_together

MOST_FAILURES: Final = 8
"""Calls that may fail one after another, each tried again, before no more are made."""


class ModelQuestion(NamedTuple):
    """One sentence to be scored; ``repeat`` counts the answers to it from 0, ``failed`` if an earlier call failed."""

    id: str
    text: str
    repeat: int
    failed: bool = False


OnAnswers = Callable[[Sequence[tuple[ModelQuestion, Answer]]], None]
"""Is given the answers that came together as soon as they are there."""


def ask(system: System, questions: Sequence[ModelQuestion], on_answers: OnAnswers, *, answered: bool = False) -> None:
    """Ask for all sentences; a call that fails is made again, then recorded as failed.

    Parameters
    ----------
    answered
        Whether it has answered others before, so that the first call may fail.

    Raises
    ------
    CallFailed
        The first call failed, or `MOST_FAILURES` of them in a row; those that failed in an earlier run do not count.
    SystemFailed
        What came back is no score.
    """
    batches = [questions[start : start + system.batch_size] for start in range(0, len(questions), system.batch_size)]
    run = _Run(system, on_answers, answered)
    if system.session or system.concurrency > 1 or inspect.iscoroutinefunction(system.scorer):
        if batches:
            asyncio.run(_concurrently(run, deque(batches)))
    else:
        for batch in batches:
            _one_after_another(run, batch)


def as_batch(questions: Sequence[ModelQuestion]) -> Batch:
    """The questions as columns."""
    return {"id": [question.id for question in questions], "text": [question.text for question in questions]}


def answers_of(scores: Sequence[float | None], calls: int) -> list[Answer]:
    """Return the numbers, or nothing, that came together as answers; the first of them counts the calls they took."""
    answers = [Answer(score, "missing" if score is None else "", calls=0) for score in scores]
    return [answers[0]._replace(calls=calls), *answers[1:]]


class _Run:
    """Passes answers on, and gives up if there are only failures."""

    def __init__(self, system: System, on_answers: OnAnswers, answered: bool) -> None:
        self.system = system
        self.on_answers = on_answers
        self.failures = 0 if answered else MOST_FAILURES - 1

    def record_answers(self, answered: Sequence[tuple[ModelQuestion, Answer]]) -> None:
        self.failures = 0
        self.on_answers(answered)

    def record_failure(self, questions: Sequence[ModelQuestion], error: CallFailed, calls: int) -> None:
        failed = Answer(state="failed", said=str(error), calls=0)
        self.on_answers([(questions[0], failed._replace(calls=calls)), *((each, failed) for each in questions[1:])])
        # What failed before does not tell that all others would.
        self.failures += not all(question.failed for question in questions)
        if self.failures >= MOST_FAILURES:
            raise error


def _one_after_another(run: _Run, batch: Sequence[ModelQuestion]) -> None:
    remaining, first_try, calls = deque(batch), True, 0
    while remaining:
        calls += 1
        try:
            for scores in score_together(run.system, as_batch(remaining)):
                if scores:
                    run.record_answers([(remaining.popleft(), answer) for answer in answers_of(scores, calls)])
                    first_try, calls = True, 0
        except CallFailed as error:
            if not first_try:
                run.record_failure([remaining.popleft() for _ in range(error.count)], error, calls)
                calls = 0
            first_try = not first_try


async def _concurrently(run: _Run, waiting: deque[Sequence[ModelQuestion]]) -> None:
    """Keep as many calls running as the system allows; after an error those that run are waited for."""
    stopped: list[EecError] = []

    async def work() -> None:
        while waiting and not stopped:
            batch = waiting.popleft()
            try:
                await _call(run, call, batch)
            except EecError as error:
                stopped.append(error)

    async with (run.system.session or partial(_function, run.system))() as call:
        # The first by itself: what is wrong with all of them is said once, and paid once.
        await _call(run, call, waiting.popleft())
        async with asyncio.TaskGroup() as group:
            for _ in range(run.system.concurrency):
                group.create_task(work())
    if stopped:
        raise stopped[0]


async def _call(run: _Run, call: Asker, batch: Sequence[ModelQuestion]) -> None:
    try:
        answers = await call(as_batch(batch))
    except CallFailed as error:
        if error.count == len(batch):
            run.record_failure(batch, error, error.calls)
            return
        # One sentence failed, and the others would be lost with it.
        for question in batch:
            await _call(run, call, [question])
    else:
        run.record_answers(list(zip(batch, answers, strict=True)))


def _function(system: System) -> AbstractAsyncContextManager[Asker]:
    """Call a function several times at once; a call that fails is made once more."""

    async def call(batch: Batch) -> Sequence[Answer]:
        try:
            return answers_of(await score_async(system, batch), 1)
        except CallFailed:
            pass
        try:
            return answers_of(await score_async(system, batch), 2)
        except CallFailed as error:
            error.calls = 2
            raise

    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(system.concurrency))
    return nullcontext(call)
