"""Who may import whom, and what an import costs."""

from __future__ import annotations

import ast
import fnmatch
import json
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HEAVY = ["numpy", "scipy", "pandas", "pyarrow", "datasets", "evaluate", "statsmodels", "matplotlib", "torch", "tqdm"]


def imports(path: Path) -> Iterator[str]:
    """Yield the first part of every absolute import of a module, at whatever depth."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            yield node.module.partition(".")[0]


def both_sides(path: Path) -> bool:
    return path.relative_to(ROOT / "eec_datasets").parts[0] in ("audit", "cli")


def test_the_metric_does_not_import_the_corpora() -> None:
    guilty = [path.name for path in (ROOT / "metrics").rglob("*.py") if "eec_datasets" in imports(path)]
    assert guilty == []


def test_the_corpora_do_not_import_the_metric() -> None:
    modules = [path for path in (ROOT / "eec_datasets").rglob("*.py") if not both_sides(path)]
    assert len(modules) > 5
    assert [path.name for path in modules if "eec_bias" in imports(path)] == []


def test_every_module_of_the_metric_has_one_place_in_the_map_of_its_readme() -> None:
    folder = ROOT / "metrics" / "eec_bias"
    section = (
        (folder / "README.md").read_text(encoding="utf-8").partition("\n## The modules\n")[2].partition("\n## ")[0]
    )
    table = "".join(line for line in section.splitlines() if line.startswith("|"))
    patterns = re.findall(r"`([a-z_*]+)`", table)
    modules = [path.stem for path in folder.glob("*.py") if path.stem != "__init__"]
    places = {name: [pattern for pattern in patterns if fnmatch.fnmatchcase(name, pattern)] for name in modules}
    assert {name: found for name, found in places.items() if len(found) != 1} == {}
    assert [pattern for pattern in patterns if not fnmatch.filter(modules, pattern)] == []


def loaded_after(code: str) -> set[str]:
    program = f"{code}\nimport json, sys\nprint(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return set(json.loads(done.stdout.splitlines()[-1]))


@pytest.mark.parametrize(
    "code",
    [
        "import eec_datasets",
        "from eec_datasets.cli import main; main(['--help'], standalone_mode=False)",
    ],
)
def test_importing_the_package_and_asking_for_help_load_nothing_heavy(code: str) -> None:
    assert loaded_after(code).isdisjoint(HEAVY)


def test_the_plain_metric_does_not_load_evaluate() -> None:
    assert loaded_after("import eec_bias").isdisjoint({"evaluate", "datasets", "matplotlib", "statsmodels"})


def seconds(code: str) -> float:
    """Return the time of the quickest of three runs."""
    times = []
    for _ in range(3):
        start = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)
        times.append(time.perf_counter() - start)
    return min(times)


def test_help_takes_less_time_than_importing_pandas() -> None:
    # A ratio in one run, as machines differ: pandas takes about half a second where .3 s are the budget.
    assert seconds("from eec_datasets.cli import main; main(['--help'], standalone_mode=False)") < seconds(
        "import pandas"
    )
