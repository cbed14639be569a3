"""List sentences that a reader is likely to read twice, and docstrings that do not begin with what one gets.

It reads the docs, the words of reports, the notes of the metric, and the first lines of docstrings of functions and
classes. ``<!-- prose: WHY -->`` (Markdown) or ``# prose: WHY`` (Python, TOML) excuses a line. The exit code is 1 if it
finds any. The list is short on purpose: it is a reminder and no target.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
WORDS = ("eec_datasets/report/words/en.toml", "metrics/eec_bias/notes.toml", "metrics/eec_bias/methods/words.toml")
RULES = {
    r"\b(anew|mend(s|ed|ing)?|somebody|but for|comes? along)\b": "today's English: fix, again, someone, except",
    r"\b(ones that|of these the|not to be had)\b": "name the thing",
    r"\bis there already\b|\bstands (in|on|at|for itself)\b|\blies (in|on)\b": "is, contains, appears",
    r"(^|[.!?] )Whether\b": "do not open with Whether",
}
OPENING = re.compile(r"(What|Whether|How|Where|Who|Whom|Which)\b")
EXCUSE = re.compile(r"(<!--|#) prose: \S")


def main() -> int:
    """Print what is found, and return the exit code."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    found = [*_of_texts(listed), *_of_docstrings(listed)]
    print("\n".join(found) or "no sentence of the list")
    return bool(found)


def _of_texts(listed: list[str]) -> Iterator[str]:
    docs = [name for name in listed if name.endswith(".md") and (name.startswith("docs/") or "/" not in name)]
    for name in (*docs, "metrics/eec_bias/README.md", *WORDS):
        if name == "CHANGELOG.md":
            continue
        code = False
        for number, line in enumerate((ROOT / name).read_text(encoding="utf-8").splitlines(), start=1):
            if line.lstrip().startswith("```"):
                code = not code
            if code or EXCUSE.search(line):
                continue
            said = re.sub(r"`[^`]*`|\*[^*]*\*|\"[^\"]*\" =", "", line)
            for pattern, cure in RULES.items():
                if match := re.search(pattern, said):
                    yield f"{name}:{number}: {match[0].strip()!r}: {cure}"


def _of_docstrings(listed: list[str]) -> Iterator[str]:
    for name in listed:
        if not name.endswith(".py"):
            continue
        text = (ROOT / name).read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.ClassDef):
                cure = "names the thing: A row …"
            elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                cure = "begins with a verb: Return …"
            else:
                continue
            line = node.body[0].lineno
            if OPENING.match(ast.get_docstring(node) or "") and not EXCUSE.search(text.splitlines()[line - 1]):
                yield f"{name}:{line}: {node.name}: its docstring {cure}"


if __name__ == "__main__":
    sys.exit(main())
