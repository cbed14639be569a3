"""Any program as a system, in any language: ``cmd:PROGRAM ARGS…``, which speaks JSON in lines.

The program is started without a shell, in an empty folder, with a bare environment and, if the machine allows, without
network. It writes one line about itself. Then it reads a line for each batch and answers it with a line::

    {"protocol": "eec-system/1", "name": "mine", "version": "1", "languages": ["en"], "range": [-1, 1],
     "high_means": "positive"}
    {"n": 1, "texts": ["…", "…"]}                  what it reads
    {"n": 1, "scores": [0.5, null]}                what it answers, or {"n": 1, "error": "…"}

Its standard output is for these lines only, in UTF-8. It ends when its standard input ends.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import math
import os
import selectors
import shlex
import shutil
import signal
import subprocess
import tempfile
import time
import weakref
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from eec_datasets.errors import InputError, SystemFailed, Unavailable
from eec_datasets.systems.base import Batch, Scores, System, SystemOptions
from eec_datasets.systems.declared import Declared, read_declared

PROTOCOL: Final = "eec-system/1"
LONGEST_LINE: Final = 16 * 2**20
"""Bytes of an answer, after which the program is ended."""

BATCH: Final = 64
SAMPLE: Final = 20
"""Texts of the first batch that are scored again alone."""

TOLERANCE: Final = 1e-3
"""Share of the range by which the score of a text may depend on the others in its batch, as rounding makes it."""

SHOWN: Final = 200
"""Characters of what a program said that a message shows."""

PATIENCE: Final = 1.0
"""Seconds for a program to end by itself."""


def load(command: str, options: SystemOptions) -> System:
    """Start a program and return it as a system.

    Parameters
    ----------
    command
        The program with its arguments, split as a shell does; no shell runs. An argument that names a file of the
        current folder reaches the program with its whole path.
    options
        ``endpoint.timeout``: seconds for one batch, and to start; ``batch_size``.

    Raises
    ------
    InputError
        There is no such program, or the command cannot be split.
    Unavailable
        This is Windows, or the program cannot be started.
    SystemFailed
        The program does not say who it is.
    """
    if os.name == "nt":
        raise Unavailable(f"system cmd:{command}: programs run on Linux and macOS only. Use WSL, or a Python function.")
    argv = _arguments(command)
    program = Program(command, argv, options.endpoint.timeout)
    declared = program.declared
    return System(
        f"cmd:{declared.name}",
        program.score,
        declared.score_range or (0.0, 1.0),
        _fingerprint(declared, command, argv),
        languages=declared.languages,
        batch_size=options.batch_size or BATCH,
        spec=f"cmd:{command}",
        rescored=True,
        high_means=declared.high_means,
    )


def _arguments(command: str) -> list[str]:
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise InputError(f"system cmd:{command}: {error}. Close the quotation marks.") from error
    if not words:
        raise InputError("system cmd: expected a program and its arguments, such as cmd:'python server.py'.")
    found = shutil.which(words[0])
    if found is None:
        raise InputError(
            f"system cmd:{command}: there is no program {words[0]!r} that can be run. Write its path, or install it."
        )
    # It runs in another folder. Links are kept: the Python of an environment is one.
    return [str(Path(found).absolute()), *(str(Path(word).absolute()) if _exists(word) else word for word in words[1:])]


def _exists(word: str) -> bool:
    try:
        return Path(word).exists()
    except (OSError, ValueError):  # too long for a path, or with a null character
        return False


def _fingerprint(declared: Declared, command: str, argv: Sequence[str]) -> str:
    """Return the declared version with a hash of what is declared, the command, the program and files it is given."""
    digest = hashlib.sha256(repr((declared, command)).encode(errors="replace"))
    for word in argv:
        if _exists(word) and Path(word).is_file():
            with Path(word).open("rb") as file:
                digest.update(hashlib.file_digest(file, "sha256").digest())
    return f"{declared.version} sha256:{digest.hexdigest()[:16]}"


@functools.cache
def without_network() -> tuple[str, ...]:
    """Return the beginning of a command that runs another without network; empty if this machine has none."""
    unshare = shutil.which("unshare")
    if unshare is None:
        return ()
    prefix = (unshare, "--user", "--map-root-user", "--net")
    tried = subprocess.run([*prefix, "true"], capture_output=True, stdin=subprocess.DEVNULL, timeout=10, check=False)
    return prefix if tried.returncode == 0 else ()


class Program:
    """A running program that scores texts; it is ended when the object goes, and when it fails.

    Parameters
    ----------
    command
        As it was typed, for messages.
    argv
        The program and its arguments.
    timeout
        Seconds for one answer.
    """

    def __init__(self, command: str, argv: Sequence[str], timeout: float) -> None:
        self.command, self.argv, self.timeout = command, list(argv), timeout
        self._process: _Process | None = None
        self._number = 0
        self._is_checked = False
        self.declared = self._start()

    def score(self, batch: Batch) -> Scores:
        """Score a batch; a sample of the first is scored again text by text."""
        texts = list(batch["text"])
        scores = self._ask(texts)
        if not self._is_checked and len(texts) > 1 and len(scores) == len(texts):
            self._check_order(texts, scores)
            self._is_checked = True
        return scores

    def end(self) -> None:
        """End the program and all that it started."""
        if self._process is not None:
            self._process.end()
            self._process = None

    def _start(self) -> Declared:
        try:
            self._process = _Process([*without_network(), *self.argv])
        except OSError as error:
            raise Unavailable(f"system cmd:{self.command} cannot be started: {error.strerror}.") from error
        said = self._receive("say who it is")
        if said.get("protocol") != PROTOCOL:
            raise self._failed(f"said {_shown(said)}; expected a line with the protocol {PROTOCOL!r}")
        try:
            declared = read_declared(said, "range")
        except ValueError as error:
            raise self._failed(f"says of itself: {error}") from error
        if declared.score_range is None:
            raise self._failed('says no range; expected "range": [lowest, highest], or null if none is known')
        return declared

    def _ask(self, texts: Sequence[str]) -> list[Any]:
        if self._process is None and self._start() != self.declared:
            raise self._failed("describes itself differently since it was started again")
        self._number += 1
        request = json.dumps({"n": self._number, "texts": list(texts)})
        said = self._receive(f"score {len(texts)} texts", request.encode() + b"\n")
        if said.get("n") != self._number:
            raise self._failed(f"answered request {said.get('n')!r}; expected an answer to request {self._number}")
        if "error" in said:
            raise self._failed(f"could not score {len(texts)} texts: {_shown(said['error'])}")
        scores = said.get("scores")
        if not isinstance(scores, list):
            raise self._failed(f"answered {_shown(said)}; expected a list of scores")
        return scores

    def _receive(self, purpose: str, request: bytes = b"") -> dict[str, Any]:
        """Send a line, if there is one, and read the line that answers it."""
        process = self._process
        assert process is not None
        try:
            line = process.exchange(request, time.monotonic() + self.timeout)
        except TimeoutError:
            raise self._failed(
                f"did not {purpose} within {self.timeout:g} seconds (--timeout). It was ended with all that it started"
            ) from None
        except OverflowError:
            raise self._failed(f"wrote a line of more than {LONGEST_LINE // 2**20} MiB, so it was ended") from None
        except EOFError:
            code = process.end()
            raise self._failed(f"ended with exit code {code} before it could {purpose}{process.last_words()}") from None
        try:
            said = json.loads(line)
        except ValueError:
            said = None
        if not isinstance(said, dict):
            raise self._failed(
                f"wrote {_shown(line.decode(errors='replace'))}, which is no JSON object. Its standard output is for "
                "the protocol only: point it elsewhere before you load a package that prints"
            )
        return said

    def _check_order(self, texts: Sequence[str], scores: Sequence[Any]) -> None:
        """Refuse scores that come in another order than the texts, or that hang on the other texts."""
        scored = [place for place in range(len(texts)) if type(scores[place]) in (int, float)]
        chosen = scored[:: math.ceil(len(texts) / SAMPLE)]
        alone = {place: self._ask([texts[place]])[:1] for place in chosen}
        low, high = self.declared.score_range or (0.0, 1.0)
        known = [scores[place] for place in chosen]
        width = high - low
        if math.isinf(width):
            width = max(map(abs, known), default=0.0)
        for place, again in alone.items():
            if again and type(again[0]) in (int, float) and abs(again[0] - scores[place]) <= TOLERANCE * width:
                continue
            raise self._failed(
                f"scores {texts[place]!r} {scores[place]} among others and {_shown(again)} alone; expected the same. "
                "Give the scores in the order of the texts, each from its text only"
            )

    def _failed(self, what: str) -> SystemFailed:
        self.end()
        return SystemFailed(f"The program cmd:{self.command} {what}.")


class _Process:
    """A program in a process group, a session and an empty folder of its own."""

    def __init__(self, argv: Sequence[str]) -> None:
        folder = tempfile.mkdtemp(prefix="eec-program-")
        environment = {"PATH": os.environ.get("PATH", os.defpath), "LANG": "C.UTF-8", "HOME": folder}
        pipe = subprocess.PIPE
        try:
            self._process = subprocess.Popen(
                argv, cwd=folder, env=environment, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True
            )
        except OSError:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        streams = (self._process.stdin, self._process.stdout, self._process.stderr)
        self._stdin, self._stdout, self._stderr = (stream.fileno() for stream in streams if stream)
        for stream in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(stream, False)
        self._buffer = bytearray()
        self._errors = bytearray()
        self._ended = weakref.finalize(self, _end, self._process, folder)

    def exchange(self, request: bytes, deadline: float) -> bytes:
        """Write a request and return the next line.

        Raises
        ------
        TimeoutError
            It does not come in time.
        OverflowError
            It is longer than `LONGEST_LINE`.
        EOFError
            The program ended.
        """
        unsent = memoryview(request)
        with selectors.DefaultSelector() as selector:
            selector.register(self._stdout, selectors.EVENT_READ)
            selector.register(self._stderr, selectors.EVENT_READ)
            if unsent:
                selector.register(self._stdin, selectors.EVENT_WRITE)
            while b"\n" not in self._buffer:
                if len(self._buffer) > LONGEST_LINE:
                    raise OverflowError
                if (left := deadline - time.monotonic()) <= 0:
                    raise TimeoutError
                for key, _ in selector.select(left):
                    if key.fd == self._stdin:
                        unsent = self._written(unsent)
                        if not unsent:
                            selector.unregister(self._stdin)
                    elif key.fd == self._stderr:
                        if not self._read_errors():
                            selector.unregister(self._stderr)
                    elif not self._read_answer():
                        raise EOFError
        line, _, rest = bytes(self._buffer).partition(b"\n")
        self._buffer[:] = rest
        return line

    def _written(self, unsent: memoryview) -> memoryview:
        try:
            return unsent[os.write(self._stdin, unsent) :]
        except BrokenPipeError:
            # It reads no more; why, its output or its end tells.
            return unsent[:0]

    def _read_answer(self) -> bool:
        found = os.read(self._stdout, 2**16)
        self._buffer += found
        return bool(found)

    def _read_errors(self) -> bool:
        found = os.read(self._stderr, 2**16)
        self._errors = (self._errors + found)[-4 * SHOWN :]
        return bool(found)

    def end(self) -> int:
        """End the process group, after some patience with one that ends by itself, and return the exit code."""
        if self._ended.alive:
            with contextlib.suppress(BlockingIOError):
                while self._read_errors():
                    pass
            self._ended()
        code = self._process.returncode
        return code if code >= 0 else 128 - code

    def last_words(self) -> str:
        """Return the end of what the program wrote to its standard error, as the end of a sentence."""
        words = bytes(self._errors).decode(errors="replace").strip()
        return f": {_tail(words)}" if words else ""


def _end(process: subprocess.Popen[bytes], folder: str) -> None:
    """Close the input of a program, then end its whole process group."""
    for stream in filter(None, (process.stdin, process.stdout, process.stderr)):
        with contextlib.suppress(OSError):
            stream.close()
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(PATIENCE)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    shutil.rmtree(folder, ignore_errors=True)


def _shown(said: object) -> str:
    words = said if isinstance(said, str) else json.dumps(said, ensure_ascii=False)
    return repr(words if len(words) <= SHOWN else f"{words[: SHOWN - 1]}…")


def _tail(words: str) -> str:
    return words if len(words) <= SHOWN else f"…{words[1 - SHOWN :]}"
