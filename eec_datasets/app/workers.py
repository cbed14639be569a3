"""Processes that do what visitors ask for; one that takes too long, or too much memory, is ended and replaced."""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import math
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, Final

from eec_datasets.errors import Unavailable

LONGEST: Final = 30
"""Seconds of processor time after which a job is ended."""
SLOWNESS: Final = 20
"""Factor for the time limit of a job by the clock: others use the processor too, and a job may wait for nothing."""
STARTING: Final = 300.0
"""Seconds that a process may take until it is ready."""
MEMORY: Final = 3 * 2**30
"""Bytes that a process may take, where the system can limit them."""
COUNT: Final = max(2, os.cpu_count() or 1)
"""Processes for short jobs."""
LONG: Final[dict[str, Any]] = {"count": 1, "longest": 4 * LONGEST, "patience": 10}
"""Options of the workers for long jobs, which stand back behind those for short ones (`os.nice`)."""

READY: Final = "ready"
"""Message of a process that has imported all it needs."""

# A child of a process with threads must start afresh.
_context = multiprocessing.get_context("spawn")


class Child:
    """A process that does one job at a time; it is started at once, and used when it is ready.

    Parameters
    ----------
    warm
        Modules that it imports before the first job.
    longest
        Seconds of processor time after which a job ends it.
    patience
        How far it stands back behind others.
    """

    def __init__(self, warm: Sequence[str], longest: float, patience: int) -> None:
        self.pipe, child_end = _context.Pipe()
        self.process = _context.Process(target=_serve, args=(child_end, warm, longest, patience), daemon=True)
        self.process.start()
        child_end.close()
        self._ending = threading.Lock()
        self._is_ready = False

    def wait_until_ready(self) -> None:
        """Return when it is ready.

        Raises
        ------
        EOFError
            It ended before.
        """
        if self._is_ready:
            return
        if not self.pipe.poll(STARTING) or self.pipe.recv() != READY:
            raise EOFError
        self._is_ready = True

    def kill(self) -> None:
        """End the process, whatever it is doing; if it had ended already, its exit code stays."""
        # Who asked and who ends the page may come here at once; a pipe closed twice would close another file.
        with self._ending:
            self.process.kill()
            self.process.join()
            if not self.pipe.closed:
                self.pipe.close()


class Spare:
    """One process that is started in advance, so that nobody waits for it."""

    def __init__(self, start: Callable[[], Child]) -> None:
        self._start = start
        self._taking = threading.Lock()
        self._child: Child | None = None

    def prepare(self) -> None:
        """Start the process."""
        with self._taking:
            self._child = self._child or self._start()

    def take(self) -> Child:
        """Return the process, and start the next."""
        with self._taking:
            child = self._child
            if child is None or not child.process.is_alive():
                child = self._start()
            self._child = self._start()
            return child

    def end(self) -> None:
        """End the process."""
        with self._taking:
            if self._child is not None:
                self._child.kill()
            self._child = None


class Worker:
    """Does one job at a time in a process that can be ended.

    Parameters
    ----------
    warm, longest, patience
        As for `Child`.
    spare
        Where the next process comes from after one was ended; by default it is started then.
    """

    def __init__(
        self, warm: Sequence[str] = (), longest: float = LONGEST, patience: int = 0, spare: Spare | None = None
    ) -> None:
        self._start = spare.take if spare else partial(Child, warm, longest, patience)
        self._longest = longest
        self._over = False
        self._child = Child(warm, longest, patience)

    @property
    def process(self) -> BaseProcess:
        """The process that does the jobs."""
        return self._child.process

    def do(self, job: Callable[..., Any], *arguments: Any) -> Any:
        """Do a job and return what it returns; it must raise nothing. Time counts from when the process is ready.

        Raises
        ------
        Unavailable
            It took too long, or its process died.
        """
        if not self.process.is_alive():
            self._replace()
        child = self._child
        cause = "took more memory than this machine has, or ended for another reason"
        try:
            child.wait_until_ready()
            child.pipe.send((job, arguments))
            if child.pipe.poll(SLOWNESS * self._longest):
                return child.pipe.recv()
            cause = f"took more than {SLOWNESS * self._longest:g} seconds"
        except (EOFError, OSError):
            child.process.join(1)
            if child.process.exitcode == -getattr(signal, "SIGXCPU", 0):
                cause = f"took more than {self._longest:g} seconds of processor time"
        child.kill()
        if not self._over:
            self._replace()
        raise Unavailable(
            f"This {cause} and was stopped; nothing was measured. Upload fewer systems at a time, or use `eec measure` "
            "on your own machine."
        )

    def _replace(self) -> None:
        self._child = self._start()

    def end(self) -> None:
        """End the process for good, whatever it does."""
        self._over = True
        self._child.kill()


@dataclass(slots=True)
class Ticket:
    """A place in the queue: how many jobs are before this one, 0 from when it is done on."""

    before: int = 0


class Workers:
    """Several processes; who asks waits for a free one, without holding up the event loop."""

    def __init__(
        self, count: int = COUNT, warm: Sequence[str] = (), longest: float = LONGEST, patience: int = 0
    ) -> None:
        self._spare = Spare(partial(Child, warm, longest, patience))
        self._all = [Worker(warm, longest, patience, self._spare) for _ in range(count)]
        if count:
            self._spare.prepare()
        self._free: asyncio.Queue[Worker] = asyncio.Queue()
        self._waiting: list[Ticket] = []
        for worker in self._all:
            self._free.put_nowait(worker)

    async def do(self, job: Callable[..., Any], *arguments: Any, ticket: Ticket | None = None) -> Any:
        """Do a job in a free process; see `Worker.do`.

        Parameters
        ----------
        ticket
            Is told how many wait before.
        """
        worker = await self._free_worker(ticket or Ticket())
        done: Future[Any] = Future()
        # The threads of asyncio would keep the page from being closed until they are done.
        threading.Thread(target=_finish, args=(done, worker, job, arguments), daemon=True).start()
        result = asyncio.wrap_future(done)
        # Whoever asked may leave; the process is free only when it is done.
        result.add_done_callback(lambda _: self._free.put_nowait(worker))
        return await asyncio.shield(result)

    async def _free_worker(self, ticket: Ticket) -> Worker:
        """Wait in the queue; who asked first is served first."""
        if not self._free.empty() and not self._waiting:
            return self._free.get_nowait()
        self._waiting.append(ticket)
        self._number()
        try:
            return await self._free.get()
        finally:
            self._waiting = [each for each in self._waiting if each is not ticket]
            ticket.before = 0
            self._number()

    def _number(self) -> None:
        for place, ticket in enumerate(self._waiting, start=1):
            ticket.before = place

    def end(self) -> None:
        """End all processes, whatever they do."""
        self._spare.end()
        for worker in self._all:
            worker.end()


def _finish(done: Future[Any], worker: Worker, job: Callable[..., Any], arguments: Sequence[Any]) -> None:
    try:
        done.set_result(worker.do(job, *arguments))
    except BaseException as error:  # it is raised where the result is waited for
        done.set_exception(error)


def _serve(pipe: Connection, warm: Sequence[str], longest: float, patience: int) -> None:
    """Do jobs until the other end is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(patience)
    with contextlib.suppress(ImportError):  # Windows has no limits
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    for module in warm:
        importlib.import_module(module)
    with contextlib.suppress(EOFError, OSError):
        pipe.send(READY)
        while True:
            job, arguments = pipe.recv()
            _allow_processor_time(longest)
            pipe.send(job(*arguments))


def _allow_processor_time(seconds: float) -> None:
    """Let the system end this process when it has used so much more processor time, where the system can."""
    with contextlib.suppress(ImportError):
        import resource

        used = time.process_time()
        hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
        resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(used + seconds), hard))
