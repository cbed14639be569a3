"""Print constraints for pip: the oldest versions that pyproject.toml admits, and nothing newer than constraints.txt.

python scripts/lower_bounds.py EXTRA …     e.g. demo plot
"""

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
REQUIREMENT = re.compile(r"([\w.-]+)(?:\[[\w,-]+\])?>=([\w.]+)(?:;.*)?")


def canonical(name: str) -> str:
    """The name of a distribution as pip compares it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def lower_bounds(extras: list[str]) -> dict[str, str]:
    """Per distribution that pyproject.toml asks for, itself or for one of the extras, the oldest version it admits."""
    text = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    project = text["project"]
    asked = [*project["dependencies"], *text["build-system"]["requires"]]
    for extra in extras:
        asked += project["optional-dependencies"][extra]
    found = {}
    for requirement in asked:
        parts = REQUIREMENT.fullmatch(requirement)
        if parts is None:
            raise SystemExit(f"pyproject.toml: '{requirement}' has no lower bound of the form NAME>=VERSION")
        found[canonical(parts[1])] = parts[2]
    return found


def tested_versions() -> dict[str, str]:
    """Per distribution the version of constraints.txt."""
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = (line.split("==") for line in lines if "==" in line)
    return {canonical(name): version for name, version in pins}


if __name__ == "__main__":
    newest = {name: f"{name}<={version}" for name, version in tested_versions().items()}
    oldest = {name: f"{name}=={version}" for name, version in lower_bounds(sys.argv[1:]).items()}
    print("\n".join((newest | oldest).values()))
