"""Standard input as a file, for what reads a file by its name: ``-`` where a command takes a path."""

from __future__ import annotations

import io
import re
import shutil
import tempfile
import zipfile
from pathlib import Path
from typing import Final

from eec_datasets.given_file import STANDARD_INPUT, open_given
from eec_datasets.text_file import json_of

NAME: Final = "standard-input"
"""Name of the file, so that messages and results say where it is from."""

FOLDER: Final = "eec-stdin-"
START: Final = 1 << 16
"""Bytes by which kinds of files are told apart."""

KINDS: Final = (
    (b"PAR1", ".parquet"),
    (b"$FL2", ".sav"),
    (b"$FL3", ".zsav"),
    (b"<stata_dta>", ".dta"),
)
"""First bytes of files that hold tables and are not text, and their suffixes."""

STATA: Final = re.compile(rb"[\x69-\x73][\x01\x02]\x01\x00", re.DOTALL)
"""First bytes of files of older versions of Stata: the version, the order of bytes, a 1."""

ZIPPED: Final = (("xl/workbook.xml", ".xlsx"), ("header.json", ".eval"))
"""File inside a zip archive, and the suffix of archives with such a file."""

PROMPTS: Final = re.compile(r"^\s*\[\[prompts\]\]", re.MULTILINE)


_saved: list[Path] = []
"""Path that `save` has returned last; a message may name it when the file is gone."""


def save() -> Path:
    """Return a file with what stands on standard input, in a temporary folder of its own.

    Its ending says what it holds. Whoever calls this removes the folder (`remove`).

    Raises
    ------
    InputUnreadable
        There is more than is read.
    """
    folder = Path(tempfile.mkdtemp(prefix=FOLDER))
    path = folder / NAME
    try:
        with open_given(STANDARD_INPUT) as given, path.open("xb") as kept:
            shutil.copyfileobj(given, kept)
        _saved[:] = [path.rename(path.with_suffix(kind_of(path)))]
        return _saved[0]
    except BaseException:
        shutil.rmtree(folder)
        raise


def remove(path: Path) -> None:
    """Remove what `save` has returned, with its folder."""
    shutil.rmtree(path.parent, ignore_errors=True)


def as_typed(text: str) -> str:
    """Return a text in which what `save` has returned is called as it was typed, ``-``."""
    for path in _saved:
        text = text.replace(str(path), STANDARD_INPUT).replace(path.name, STANDARD_INPUT)
    return text


def name_of(path: Path | str) -> str:
    """Return how results call a file: its name, and ``-`` for standard input."""
    return STANDARD_INPUT if is_saved(Path(path)) else Path(path).name


def stem_of(path: Path | str) -> str:
    """Return how results call a system whose scores a file holds: as the file without its ending, or ``-``."""
    return Path(name_of(path)).stem


def is_saved(path: Path) -> bool:
    """Return whether a file is one that `save` has returned."""
    return path.stem == NAME and path.parent.name.startswith(FOLDER)


def kind_of(path: Path) -> str:
    """Return the ending that a file would have by what it holds; that of CSV for a text of no other kind."""
    with path.open("rb") as stream:
        start = stream.read(START)
    for mark, ending in KINDS:
        if start.startswith(mark):
            return ending
    if STATA.match(start):
        return ".dta"
    if zipfile.is_zipfile(path):
        return _kind_of_zip(path)
    return _kind_of_text(start.decode("utf-8-sig", errors="replace"))


def _kind_of_text(text: str) -> str:
    if PROMPTS.search(text):
        return ".toml"
    if text.lstrip().startswith(("{", "[")):
        return _kind_of_json(text.lstrip())
    return ".csv"


def _kind_of_zip(path: Path) -> str:
    try:
        with zipfile.ZipFile(path) as archive:
            names = set(archive.namelist())
    except zipfile.BadZipFile:
        return ".zip"
    for name, ending in ZIPPED:
        if name in names:
            return ending
    return ".zip"


def _kind_of_json(text: str) -> str:
    """Tell objects that stand in a line each from one that is the whole file, as the log of a harness is."""
    try:
        first = json_of(io.StringIO(text).readline())
    except ValueError:
        return ".json"
    if isinstance(first, dict) and "eval" not in first:
        return ".jsonl"
    return ".json"
