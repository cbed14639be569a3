"""Run the blocks of a page in this folder: ``python run_page.py PAGE``. A process of its own for every page.

Ends with exit code 1 and a message at the first block that does not do what the page says.
"""

from __future__ import annotations

import contextlib
import io
import subprocess
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
from blocks import Block, blocks, same, steps


class Wrong(Exception):
    """A block fails, or prints something else."""


def shell(command: str) -> str:
    """Run a command as a reader would; what it prints, errors included."""
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", command],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, timeout=240,
    )  # fmt: skip
    if done.returncode:
        raise Wrong(f"exit code {done.returncode}\n{done.stdout}")
    return done.stdout


def python(block: Block, page: str, space: dict[str, Any]) -> str:
    """Run a block in the page's namespace; lines are those of the page, for tracebacks."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile("\n" * (block.line - 1) + block.text, page, "exec"), space)
    return printed.getvalue()


def check(shown: str, printed: str) -> None:
    """Compare what a page shows with what was printed."""
    if not same(shown, printed):
        raise Wrong(f"the page shows\n{shown}\nbut this was printed\n{printed}")


def console(block: Block) -> None:
    """Run the commands of a console block. ``$ echo $?`` after a command asks for its exit code."""
    commands = steps(block.text)
    for (command, shown), (then, code) in zip(commands, [*commands[1:], ("", "")], strict=True):
        if then.strip() == "echo $?":
            check(shown + code, shell(command.rstrip() + " || echo $?"))
        elif command.strip() != "echo $?":
            check(shown, shell(command))


def step(block: Block, page: str, space: dict[str, Any], printed: str) -> str:
    """Do what a block asks for; what it printed."""
    if block.title:
        Path(block.title).parent.mkdir(parents=True, exist_ok=True)
        Path(block.title).write_text(block.text, encoding="utf-8")
        return ""
    match block.kind:
        case "python":
            return python(block, page, space)
        case "sh":
            return shell(block.text)
        case "console":
            console(block)
        case "text":
            check(block.text, printed)
        case kind:
            raise Wrong(f"blocks of kind {kind!r} are not known; give it a title if it is a file")
    return ""


def main(page: str) -> int:
    """Run a page."""
    space: dict[str, Any] = {"__name__": "__main__"}
    printed = ""
    sys.path.insert(0, "")
    for block in blocks(Path(page).read_text(encoding="utf-8")):
        if block.reason:
            printed = ""
            continue
        try:
            printed = step(block, page, space, printed)
        except Wrong as problem:
            print(f"{page}:{block.line}: {problem}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
