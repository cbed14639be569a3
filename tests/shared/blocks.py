"""The code blocks of a page, and what a reader would do with each.

In order, in one folder and one Python:

- ``python`` is run, ``sh`` is run by bash, ``text`` is what the block before printed;
- ``console`` holds commands (``$ …``), each with what it prints;
- a block with a title (```` ```python title="mymodel.py" ````) is a file of that name.

In what is printed ``…`` stands for anything, and on a line of its own for any number of lines. A block after the
comment ``<!-- not run: reason -->`` is left alone, one after ``<!-- run with: module -->`` where the module is missing.
"""

import importlib.util
import re
from dataclasses import dataclass
from difflib import SequenceMatcher

FENCE = re.compile(
    r"(?:^<!-- (?:not run: (?P<reason>.+?)|run with: (?P<module>\w+)) -->\n)?"
    r"^```(?P<head>[^\n`]*)\n(?P<text>.*?)^```$",
    re.DOTALL | re.MULTILINE,
)
TITLE = re.compile(r'title="([^"]+)"')


@dataclass(frozen=True, slots=True)
class Block:
    """One fenced block: its first line of text, its language, the file it is, why it is not run, what it needs."""

    line: int
    kind: str
    text: str
    title: str | None
    reason: str | None
    module: str | None = None


def blocks(page: str) -> list[Block]:
    """Return the blocks of a page of Markdown."""
    found = []
    for match in FENCE.finditer(page):
        line = page.count("\n", 0, match.start("text")) + 1
        title = TITLE.search(match["head"])
        kind = match["head"].split(" ")[0]
        lacking = match["module"] and importlib.util.find_spec(match["module"]) is None
        reason = f"needs {match['module']}" if lacking else match["reason"]
        found.append(Block(line, kind, match["text"], title[1] if title else None, reason, match["module"]))
    return found


def steps(console: str) -> list[tuple[str, str]]:
    """Return the commands of a console block, each with the output it shows."""
    found: list[tuple[str, str]] = []
    for line in console.splitlines(keepends=True):
        if line.startswith("$ "):
            found.append((line[2:], ""))
        else:
            command, shown = found[-1]
            found[-1] = (command, shown + line)
    return found


def same(shown: str, printed: str) -> bool:
    """Tell if a block shows what was printed, except for ``…`` and spaces at the ends of lines."""
    lines = [line.rstrip() for line in shown.rstrip().splitlines()]
    parts = [r"(?:.*\n)*?" if line == "…" else re.escape(line).replace("…", ".*") + r"\n" for line in lines]
    plain = "".join(line.rstrip() + "\n" for line in printed.rstrip().splitlines())
    return re.fullmatch("".join(parts), plain) is not None


def shortened(shown: str, printed: str) -> str:
    """Cut what was printed as a block is: as many lines between two ``…``, from the line most like their first."""
    lines = [line.rstrip() for line in printed.rstrip().splitlines()]
    parts = re.split(r"(?:\A|(?<=\n))…\n", shown.rstrip() + "\n")
    if len(parts) == 1:
        return "".join(f"{line}\n" for line in lines)
    cut, at = [], 0
    for number, part in enumerate(parts):
        wanted = part.splitlines()
        if number and wanted:
            at += max(range(len(lines) - at), key=lambda i: SequenceMatcher(None, wanted[0], lines[at + i]).ratio())
        cut.append("".join(f"{line}\n" for line in lines[at : at + len(wanted)]))
        at += len(wanted)
    return "…\n".join(cut)
