"""A file of scores that grows batch by batch, so that a killed run resumes where it stopped.

The first line says what the scores are of (:class:`Header`), the second names the columns, every further
line is one row of the corpus in the corpus's order. A batch is on disk before the next one is scored; what
a crash can leave behind is at most one torn last line, which is cut off and scored again.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from io import FileIO
from pathlib import Path
from typing import Any, Final

from eec_datasets.errors import BadScores, OutputUnwritable
from eec_datasets.text_file import number as as_number

MARK: Final = "#eec-scores "
COLUMNS: Final = "id,score"


@dataclass(frozen=True, slots=True)
class Header:
    """What a file of scores belongs to.

    Attributes
    ----------
    system, fingerprint
        Name and version of the system, as in :class:`eec_datasets.systems.base.System`.
    config, data
        Name of the config, and its ``NAME@VERSION#HASH`` with the whole content hash.
    low, high
        Declared range of the scores.
    """

    system: str
    fingerprint: str
    config: str
    data: str
    low: float
    high: float

    def line(self) -> str:
        """Return the first line of the file, without its line end."""
        return MARK + json.dumps(asdict(self), ensure_ascii=False)


def parse_header(line: str, path: Path | str) -> Header:
    """Return the header in the first line of a file of scores.

    Raises
    ------
    BadScores
        The line is no such header.
    """
    try:
        facts: dict[str, Any] = json.loads(line.removeprefix(MARK)) if line.startswith(MARK) else {}
        return Header(**facts)
    except (TypeError, ValueError) as error:
        raise BadScores(
            f"{path}:1: expected a line starting with {MARK.strip()!r} that says which system and corpus the "
            f"scores belong to, found {line[:60]!r}. Move the file away, or choose fresh, which scores everything anew."
        ) from error


def write_line(identifier: str, score: float) -> str:
    """Return one line of the file: the score with all its digits, so that it reads back to the same float."""
    return f"{identifier},{score!r}\n"


class ScoreFile:
    """An open file of scores, locked against other writers; a context manager.

    Parameters
    ----------
    path
        The file; it and its folder are made where missing.
    header
        What the scores are of. A file that says otherwise is refused, never overwritten.
    ids
        Ids of the corpus, in its order.

    Attributes
    ----------
    scores
        Scores on disk, in the order of ``ids``; ``len(scores)`` is where to go on.
    """

    def __init__(self, path: Path, header: Header, ids: Sequence[str]) -> None:
        self.path = path
        self.header = header
        self.ids = ids
        self.scores: list[float] = []

    def __enter__(self) -> ScoreFile:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            # Unbuffered: after a full disk, a buffer would be written again when the file is closed.
            self._file: FileIO = self.path.open("a+b", buffering=0)
        except OSError as error:
            raise OutputUnwritable(
                f"Cannot write {self.path}: {error.strerror}. Choose a folder you may write to."
            ) from error
        try:
            _lock(self._file, self.path)
            self._resume()
        except BaseException:
            self._file.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def append(self, scores: Sequence[float]) -> None:
        """Add the scores of the next rows and return when they are on disk.

        Raises
        ------
        OutputUnwritable
            The disk is full, or the file system went away.
        """
        start = len(self.scores)
        ids = self.ids[start : start + len(scores)]
        self._write("".join(write_line(i, s) for i, s in zip(ids, scores, strict=True)))
        self.scores.extend(scores)

    def on_disk(self) -> int:
        """Return the number of whole scores in the file, which an interrupt may leave ahead of ``scores``."""
        self._file.seek(0)
        return max(self._file.read().count(b"\n") - 2, 0)

    def _write(self, text: str) -> None:
        try:
            view = memoryview(text.encode())
            while view:
                view = view[self._file.write(view) :]
            os.fsync(self._file.fileno())
        except OSError as error:
            raise OutputUnwritable(
                f"Cannot write {self.path}: {error.strerror}. {len(self.scores)} of {len(self.ids)} scores "
                "are saved; make room and run the same again to go on."
            ) from error

    def _resume(self) -> None:
        """Read the scores that are there, cut off a torn last line, and write what the head still lacks."""
        self._file.seek(0)
        data = self._file.read()
        whole = data[: data.rfind(b"\n") + 1]
        if not whole and not f"{self.header.line()}\n".encode().startswith(data):
            parse_header(data.decode(errors="replace"), self.path)
        lines = self._lines(whole)
        if lines:
            self._compare(parse_header(lines[0], self.path))
        if len(lines) > 1 and lines[1] != COLUMNS:
            raise self._damaged(2, f"{COLUMNS!r}", lines[1])
        if len(lines) - 2 > len(self.ids):
            raise self._damaged(len(self.ids) + 3, "the end of the file", lines[len(self.ids) + 2])
        self.scores = [self._score(number, line) for number, line in enumerate(lines[2:], start=3)]
        if len(whole) < len(data):
            self._file.truncate(len(whole))
        if head := [self.header.line(), COLUMNS][len(lines) :]:
            self._write("".join(f"{line}\n" for line in head))

    def _lines(self, whole: bytes) -> list[str]:
        try:
            return whole.decode().split("\n")[:-1]
        except UnicodeDecodeError as error:
            line = whole[: error.start].count(b"\n") + 1
            raise self._damaged(line, "UTF-8 text", repr(whole[error.start : error.start + 8])) from error

    def _score(self, number: int, line: str) -> float:
        identifier, _, text = line.rpartition(",")
        score = as_number(text)
        low, high = self.header.low, self.header.high
        if identifier != self.ids[number - 3] or not low <= score <= high:
            raise self._damaged(number, f"a score between {low:g} and {high:g} for id {self.ids[number - 3]}", line)
        return score

    def _compare(self, saved: Header) -> None:
        pairs = zip(asdict(saved).items(), asdict(self.header).values(), strict=True)
        if differences := "; ".join(
            f"{key}: the file has {theirs!r}, this run {ours!r}" for (key, theirs), ours in pairs if ours != theirs
        ):
            raise BadScores(
                f"{self.path} holds scores of something else ({differences}). "
                "Keep them by choosing another out folder, or choose fresh, which scores everything anew."
            )

    def _damaged(self, line: int, expected: str, given: str) -> BadScores:
        return BadScores(
            f"{self.path}:{line}: expected {expected}, found {given[:80]!r}. "
            "The file was changed after it was written; move it away, or choose fresh, which scores everything anew."
        )


def _lock(file: FileIO, path: Path) -> None:
    try:
        import fcntl
    except ImportError:
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        raise BadScores(
            f"{path} is being written by another process. Wait for it, or choose another folder."
        ) from error
