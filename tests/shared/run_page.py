"""The blocks of a page, run in one folder and one Python as a reader would run them (see blocks.py)."""

import contextlib
import io
import os
import re
import runpy
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from blocks import Block, blocks, same, shortened, steps
from forking import finish

EEC = re.compile(r"(?:\.venv/bin/)?eec [^;&|<>$`]*")
PYTHON = re.compile(r"python -c '[^']*'")
PROGRAM = re.compile(r"python \w+\.py")


class Wrong(Exception):
    """A block fails, or prints something else."""


def run(command: str) -> tuple[int, str]:
    """Run a command; its exit code, and what it prints, errors included."""
    if EEC.fullmatch(command.strip()):
        return forked("from eec_datasets.cli import main; main(sys.argv)", shlex.split(command, comments=True)[1:])
    if PYTHON.fullmatch(command.strip()):
        return forked(shlex.split(command)[2], [])
    if PROGRAM.fullmatch(command.strip()):
        # In this process, so that the forks after it find in memory what it imports.
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            runpy.run_path(command.split()[1], run_name="__main__")
        return 0, printed.getvalue()
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", command],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, timeout=240,
    )  # fmt: skip
    return done.returncode, done.stdout


def forked(code: str, arguments: list[str]) -> tuple[int, str]:
    """Run Python code in a fork of this process, which has the libraries in memory."""
    with tempfile.TemporaryFile() as printed:
        process = os.fork()
        if process == 0:
            os.dup2(printed.fileno(), 1)
            os.dup2(printed.fileno(), 2)
            sys.argv = arguments
            sys.path.remove("")
            os._exit(finish(code))
        ended = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
        printed.seek(0)
        return ended, printed.read().decode()


def shell(command: str) -> str:
    """Return the output of a command that must not fail."""
    code, printed = run(command)
    if code:
        raise Wrong(f"exit code {code}\n{printed}")
    return printed


def allow_transformers() -> None:
    """Let this process and its forks import what no other test imports (see tests/shared/guard)."""
    os.environ.pop("USE_TORCH", None)
    sys.meta_path[:] = [finder for finder in sys.meta_path if type(finder).__module__ != "sitecustomize"]


class Page:
    """A page that is run; with `update`, what it shows is made what was printed, in place of an error."""

    def __init__(self, path: str, update: bool) -> None:
        self.path, self.update = path, update
        self.text = Path(path).read_text(encoding="utf-8")
        self.space: dict[str, Any] = {"__name__": "__main__"}

    def run(self) -> None:
        printed = ""
        for block in blocks(self.text):
            try:
                if block.module:
                    allow_transformers()
                printed = "" if block.reason else self.step(block, printed)
            except Wrong as problem:
                raise Wrong(f"{self.path}:{block.line}: {problem}") from problem

    def check(self, shown: str, printed: str) -> None:
        """Compare what the page shows with what was printed."""
        if same(shown, printed):
            return
        if not self.update:
            raise Wrong(f"the page shows\n{shown}\nbut this was printed\n{printed}")
        self.text = self.text.replace(shown, shortened(shown, printed))
        Path(self.path).write_text(self.text, encoding="utf-8")

    def step(self, block: Block, printed: str) -> str:
        """Do what a block asks for; what it printed."""
        if block.title:
            Path(block.title).parent.mkdir(parents=True, exist_ok=True)
            Path(block.title).write_text(block.text, encoding="utf-8")
            return ""
        match block.kind:
            case "python":
                return self.python(block)
            case "sh":
                return shell(block.text)
            case "console":
                self.console(block)
            case "text":
                self.check(block.text, printed)
            case kind:
                raise Wrong(f"blocks of kind {kind!r} are not known; give it a title if it is a file")
        return ""

    def python(self, block: Block) -> str:
        """Run a block in the page's namespace; lines are those of the page, for tracebacks."""
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            exec(compile("\n" * (block.line - 1) + block.text, self.path, "exec"), self.space)
        return printed.getvalue()

    def console(self, block: Block) -> None:
        """Run the commands of a console block. ``$ echo $?`` after a command asks for its exit code."""
        commands = steps(block.text)
        for (command, shown), (then, code) in zip(commands, [*commands[1:], ("", "")], strict=True):
            if then.strip() == "echo $?":
                ended, printed = run(command)
                self.check(shown, printed)
                self.check(code, f"{ended}\n")
            elif command.strip() != "echo $?":
                self.check(shown, shell(command))


def main(page: str, update: bool = False) -> None:
    """Run a page; ends with a message at the first block that does not do what the page says."""
    sys.path.insert(0, "")
    try:
        Page(page, update).run()
    except Wrong as problem:
        sys.exit(print(problem, file=sys.stderr) or 1)
