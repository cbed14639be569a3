"""Processes that do what visitors ask for: who takes too long is ended, and nobody waits for them."""

import asyncio
import os
import signal
import sys
import time
from operator import mul

import pytest

from eec_datasets.app.workers import MEMORY, Stopped, Worker, Workers


def take(size):
    try:
        return f"{len(bytearray(size))} bytes"
    except MemoryError:
        return "refused"


@pytest.fixture
def worker():
    found = Worker()
    yield found
    found.end()


def test_a_job_that_takes_too_long_is_ended_and_the_next_one_done(worker, monkeypatch):
    hung = worker.process
    with monkeypatch.context() as patch:
        patch.setattr(worker, "_longest", 0.1)
        with pytest.raises(
            Stopped, match=r"took more than 0\.1 seconds and was stopped; nothing was measured\. Upload"
        ):
            worker.do(time.sleep, 600)
    assert not hung.is_alive()
    assert worker.do(mul, 2, 4) == 8


def test_a_process_that_dies_is_replaced(worker):
    before = worker.do(os.getpid)
    with pytest.raises(Stopped, match="took more memory than there is, or ended otherwise"):
        worker.do(os._exit, 3)
    idle = worker.do(os.getpid)
    os.kill(idle, signal.SIGKILL)
    worker.process.join()
    assert len({before, idle, worker.do(os.getpid)}) == 3


@pytest.mark.skipif(sys.platform != "linux", reason="other systems count memory otherwise")
def test_a_job_cannot_take_all_memory(worker):
    assert [worker.do(take, size) for size in (2 * MEMORY, 1000)] == ["refused", "1000 bytes"]


def test_short_jobs_go_on_beside_one_that_hangs():
    async def crowd():
        workers = Workers(2, longest=60)
        hostile = asyncio.ensure_future(workers.do(time.sleep, 600))
        found = await asyncio.gather(*(workers.do(mul, 2, number) for number in range(20)))
        waiting = not hostile.done()
        workers.end()
        with pytest.raises(Stopped):
            await hostile
        return found, waiting

    assert asyncio.run(crowd()) == ([2 * number for number in range(20)], True)
