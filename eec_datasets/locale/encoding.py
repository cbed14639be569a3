"""Bytes to text: what a spreadsheet or editor did to the encoding is reported, not repaired."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from eec_datasets.errors import Place, Problems
from eec_datasets.given_file import read_given
from eec_datasets.text_file import BINARY, UTF16

if TYPE_CHECKING:
    from pathlib import Path

BOM = b"\xef\xbb\xbf"
QUOTES = frozenset("“”„«»‚‘")
CONFLICT = re.compile(r"^(<{7}|>{7}) ", re.MULTILINE)


def is_utf16(raw: bytes) -> bool:
    """Return whether bytes are UTF-16: they begin with its mark, or more of them are zero than in any text in UTF-8."""
    return raw[:2] in UTF16 or (8 * raw.count(0) > len(raw) and raw[:4] not in BINARY)


def read_text(path: Path, problems: Problems) -> str | None:
    """Return the text of a file (None if it cannot be read), and note every doubt about its encoding."""
    head = Place(path.name, 1)
    try:
        raw = read_given(path)
    except OSError as error:
        missing = ("the file is missing", f"Write {path.name} (see CONTRIBUTING.md)")
        unread = (f"the file cannot be read: {error.strerror}", "Check what it is and its rights")
        problems.add(head, *(missing if isinstance(error, FileNotFoundError) else unread))
        return None
    if raw.startswith(BOM):
        fix = "Save it as 'UTF-8', not 'UTF-8 with BOM' (Excel writes no other UTF-8; LibreOffice and text editors do)"
        problems.add(head, "the file begins with a byte order mark (BOM)", fix)
    raw = raw.removeprefix(BOM)
    if is_utf16(raw):
        fix = "Save it as UTF-8 and look at it again"
        problems.add(head, "the file is UTF-16 (what Excel calls Unicode text)", fix)
        return raw.decode("utf-16-be" if raw[:1] == b"\0" else "utf-16", errors="replace")
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        place = Place(path.name, raw.count(b"\n", 0, error.start) + 1)
        if raw[:4] in BINARY:
            problems.add(head, f"the file is {BINARY[raw[:4]]}", "Save it as plain text in UTF-8, a table as CSV")
        elif error.reason == "unexpected end of data":
            message = "the file ends in the middle of a letter: a part of it is missing, or it is Latin-1 (Windows)"
            problems.add(place, message, "Restore its end, or save it as UTF-8")
        else:
            message = f"byte 0x{raw[error.start]:02x} is not UTF-8; the file looks like Latin-1 (Windows)"
            problems.add(place, message, "Save it as UTF-8 and look at the accents again")
            return raw.decode("latin-1")
        return None
    conflict = CONFLICT.search(text)
    if conflict:
        place = Place(path.name, text.count("\n", 0, conflict.start()) + 1)
        fix = "Keep one of the two versions, and remove the lines <<<<<<<, ======= and >>>>>>>"
        problems.add(place, "two versions of the file were not merged", fix)
    return None if conflict else text
