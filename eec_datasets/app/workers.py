"""Processes that do what visitors ask for; one that takes too long, or too much memory, is ended and replaced."""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from multiprocessing.connection import Connection
from typing import Any, Final

from eec_datasets.errors import EecError

LONGEST: Final = 30.0
"""Seconds after which a job is ended."""
MEMORY: Final = 3 * 2**30
"""Bytes that a process may take, where the system can limit them."""
COUNT: Final = max(2, os.cpu_count() or 1)
"""Processes for short jobs."""
LONG: Final[dict[str, Any]] = {"count": 1, "longest": 4 * LONGEST, "patience": 10}
"""Options of the workers for long jobs, which stand back behind those for short ones (`os.nice`)."""

# A child of a process with threads must start afresh.
_context = multiprocessing.get_context("spawn")


class Stopped(EecError):
    """A job was ended."""


class Worker:
    """One process, which does one job at a time.

    Parameters
    ----------
    warm
        Modules that it imports before the first job.
    longest
        Seconds after which a job is ended.
    patience
        How far it stands back behind others.
    """

    def __init__(self, warm: Sequence[str] = (), longest: float = LONGEST, patience: int = 0) -> None:
        self._options = (warm, patience)
        self._longest = longest
        self._over = False
        self._ending = threading.Lock()
        self._start()

    def _start(self) -> None:
        self._pipe, child_end = _context.Pipe()
        self.process = _context.Process(target=_serve, args=(child_end, *self._options), daemon=True)
        self.process.start()
        child_end.close()

    def do(self, job: Callable[..., Any], *arguments: Any) -> Any:
        """Do a job and return what it returns; it must raise nothing.

        Raises
        ------
        Stopped
            It took too long, or its process died.
        """
        if not self.process.is_alive():
            self._start()
        try:
            self._pipe.send((job, arguments))
            if self._pipe.poll(self._longest):
                return self._pipe.recv()
            cause = f"took more than {self._longest:g} seconds"
        except (EOFError, OSError):
            cause = "took more memory than there is, or ended otherwise"
        self._kill()
        if not self._over:
            self._start()
        raise Stopped(
            f"This {cause} and was stopped; nothing was measured. Upload fewer systems at a time, or use `eec measure` "
            "on your own machine."
        )

    def end(self) -> None:
        """End the process for good, whatever it does."""
        self._over = True
        self._kill()

    def _kill(self) -> None:
        # Who asked and who ends the page may come here at once; a pipe closed twice would close another file.
        with self._ending:
            self.process.kill()
            self.process.join()
            if not self._pipe.closed:
                self._pipe.close()


class Workers:
    """Several processes; who asks waits for a free one, without holding up the event loop."""

    def __init__(self, count: int = COUNT, **options: Any) -> None:
        self._all = [Worker(**options) for _ in range(count)]
        self._free: asyncio.Queue[Worker] = asyncio.Queue()
        for worker in self._all:
            self._free.put_nowait(worker)

    async def do(self, job: Callable[..., Any], *arguments: Any) -> Any:
        """Do a job in a free process; see `Worker.do`."""
        worker = await self._free.get()
        done: Future[Any] = Future()
        # The threads of asyncio would keep the page from being closed until they are done.
        threading.Thread(target=_finish, args=(done, worker, job, arguments), daemon=True).start()
        result = asyncio.wrap_future(done)
        # Whoever asked may leave; the process is free only when it is done.
        result.add_done_callback(lambda _: self._free.put_nowait(worker))
        return await asyncio.shield(result)

    def end(self) -> None:
        """End all processes, whatever they do."""
        for worker in self._all:
            worker.end()


def _finish(done: Future[Any], worker: Worker, job: Callable[..., Any], arguments: Sequence[Any]) -> None:
    try:
        done.set_result(worker.do(job, *arguments))
    except BaseException as error:  # it is raised where the result is waited for
        done.set_exception(error)


def _serve(pipe: Connection, warm: Sequence[str], patience: int) -> None:
    """Do jobs until nobody is there to ask."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(patience)
    with contextlib.suppress(ImportError):  # Windows has no limits
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    for module in warm:
        importlib.import_module(module)
    with contextlib.suppress(EOFError, OSError):
        while True:
            job, arguments = pipe.recv()
            pipe.send(job(*arguments))
