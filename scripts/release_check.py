"""Say what keeps a tag from being a release of the package: ``python scripts/release_check.py v0.2.0``.

The exit code is 1 where something does, and each line that is printed names a file and what it should say.
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]

VERSIONS = {
    "eec_datasets/__init__.py": r'^__version__ = "(.+)"$',
    "metrics/eec_bias/result/facts.py": r'^VERSION = "(.+)"$',
    "metrics/eec_bias/eec_bias.py": r'^VERSION = "(.+)"$',
    "CITATION.cff": r"^version: (.+)$",
}
"""File → the line that holds the version, beside that of pyproject.toml."""

SECTION = r"^## \[{version}\] - \d{{4}}-\d{{2}}-\d{{2}}\n(.*?)(?=^## |\Z)"


def obstacles(tag: str, root: Path = ROOT) -> list[str]:
    """Return what must be fixed before the tag can be released, a sentence each; nothing where it can.

    Parameters
    ----------
    tag
        The name of the tag, such as ``v0.2.0``.
    root
        The clone to look at.
    """
    version = tag.removeprefix("v")
    if tag == version or not re.fullmatch(r"\d+\.\d+\.\d+", version):
        return [f"The tag is {tag!r}. A release of the package has a tag such as v0.2.0."]
    found = []
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    if project != version:
        found.append(f'pyproject.toml has the version {project}, the tag is {tag}. Write version = "{version}".')
    for name, pattern in VERSIONS.items():
        line = re.search(pattern, (root / name).read_text(encoding="utf-8"), flags=re.MULTILINE)
        if line is None:
            found.append(f"{name} has no line for the version ({pattern}). Write it there.")
        elif line[1] != version:
            found.append(f"{name} has the version {line[1]}, the tag is {tag}. Write {version} in this line: {line[0]}")
    changelog = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    section = re.search(SECTION.format(version=re.escape(version)), changelog, flags=re.MULTILINE | re.DOTALL)
    if section is None:
        found.append(f"CHANGELOG.md has no section '## [{version}] - YYYY-MM-DD'. Give 'Unreleased' this heading.")
    elif not re.search(r"^- ", section[1], flags=re.MULTILINE):
        found.append(f"CHANGELOG.md names no change under [{version}]. Write what a user notices, a line each.")
    return found


def main() -> int:
    """Print what keeps the tag from being released; the exit code is 1 where something does."""
    if len(sys.argv) != 2:
        print("Usage: python scripts/release_check.py TAG, such as v0.2.0", file=sys.stderr)
        return 2
    found = obstacles(sys.argv[1])
    for sentence in found:
        print(sentence, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
