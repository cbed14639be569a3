"""Processes that do what visitors ask for: who takes too long is ended, and nobody waits for them."""

import asyncio
import os
import signal
import sys
import time
from operator import mul

import pytest

from eec_datasets.app.workers import MEMORY, Ticket, Worker, Workers
from eec_datasets.errors import Unavailable


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
            Unavailable, match=r"took more than 2 seconds and was stopped; nothing was measured\. Upload"
        ):
            worker.do(time.sleep, 600)
    assert not hung.is_alive()
    assert worker.do(mul, 2, 4) == 8


def test_a_process_that_dies_is_replaced(worker):
    before = worker.do(os.getpid)
    with pytest.raises(Unavailable, match="took more memory than this machine has, or ended for another reason"):
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
        with pytest.raises(Unavailable):
            await hostile
        return found, waiting

    assert asyncio.run(crowd()) == ([2 * number for number in range(20)], True)


def test_time_counts_from_when_the_process_is_ready(tmp_path, monkeypatch):
    (tmp_path / "slow_to_import.py").write_text("import time\ntime.sleep(2)\n")
    monkeypatch.syspath_prepend(tmp_path)

    async def crowd():
        workers = Workers(1, warm=("slow_to_import",), longest=0.05)
        found = await workers.do(mul, 2, 4)
        workers.end()
        return found

    assert asyncio.run(crowd()) == 8


def burn(seconds):
    while time.process_time() < seconds:
        pass


@pytest.mark.skipif(sys.platform != "linux", reason="other systems limit processor time otherwise")
def test_a_job_is_ended_by_the_processor_time_it_takes():
    worker = Worker(longest=1)
    with pytest.raises(Unavailable, match="took more than 1 seconds of processor time and was stopped"):
        worker.do(burn, 60)
    worker.end()


def test_waiting_costs_no_processor_time():
    worker = Worker(longest=0.2)
    assert worker.do(time.sleep, 1.0) is None
    worker.end()


def test_a_warm_process_takes_the_place_of_one_that_was_ended():
    async def crowd():
        workers = Workers(1, longest=0.02)
        spare = workers._spare._child
        with pytest.raises(Unavailable):
            await workers.do(time.sleep, 60)
        taken = workers._all[0].process
        workers.end()
        return spare is not None and taken is spare.process

    assert asyncio.run(crowd())


def test_thirty_who_ask_at_once_know_their_place_and_are_served():
    async def crowd():
        workers = Workers(2, longest=30)
        tickets = [Ticket() for _ in range(30)]
        done = []

        async def ask(number):
            done.append(await workers.do(mul, 2, number, ticket=tickets[number]))

        asked = [asyncio.ensure_future(ask(number)) for number in range(30)]
        await asyncio.sleep(0)
        places = [ticket.before for ticket in tickets]
        await asyncio.gather(*asked)
        workers.end()
        return places, sorted(done), {ticket.before for ticket in tickets}

    places, done, after = asyncio.run(crowd())
    assert places == [0, 0, *range(1, 29)]
    assert (done, after) == ([2 * number for number in range(30)], {0})
