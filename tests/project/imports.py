"""The imports of the source tree as a graph: files, and who imports whom, inside functions too."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
PLACES = {"eec_datasets": ROOT, "eec_bias": ROOT / "metrics"}
"""Folder that each package lies in."""


def modules() -> dict[str, Path]:
    """Return every module of both packages by its dotted name."""
    found = {}
    for package, place in PLACES.items():
        for path in sorted((place / package).rglob("*.py")):
            parts = path.relative_to(place).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imports(path: Path) -> Iterator[tuple[str, str]]:
    """Yield module and name of every import of a file, at whatever depth; the name is empty for ``import x``."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path}:{node.lineno}: imports are absolute"
            yield from ((str(node.module), alias.name) for alias in node.names)


def graph() -> dict[str, set[str]]:
    """Return the modules that each module imports; a package stands for its ``__init__``."""
    known = modules()
    arrows: dict[str, set[str]] = {name: set() for name in known}
    for name, path in known.items():
        for module, attribute in imports(path):
            whole = f"{module}.{attribute}"
            target = whole if whole in known else module if module in known else None
            if target is not None and target != name:
                arrows[name].add(target)
    return arrows


def room(name: str) -> str:
    """Return the folder of a module below its package, or the module itself where it lies beside the rooms."""
    parts = name.split(".")
    return parts[1] if len(parts) > 1 else ""
