"""Who may import whom, and what an import costs."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from collections.abc import Callable
from graphlib import TopologicalSorter

import pytest
from imports import ROOT, graph, room

HEAVY = ["numpy", "scipy", "pandas", "pyarrow", "datasets", "evaluate", "statsmodels", "matplotlib", "torch", "tqdm"]

BELOW = {
    "errors": (),
    "grouping": (),
    "files": ("errors",),
    "options": ("errors",),
    "stats": ("errors", "grouping", "options"),
    "inputs": ("errors", "grouping", "options", "stats"),
    "figures": ("errors", "files", "grouping", "options", "result"),
    "result": ("errors", "grouping", "options", "stats", "figures"),
}
"""Rooms of the metric, and the rooms each may import; rooms that are not named here stand above all of these."""

CORPORA = ("locale", "render", "checks", "contribute", "design", "names", "rewrite", "imported", "release", "hub")
"""Rooms that know sentences and no scores."""

BOTH_SIDES = ("systems", "audit", "app", "cli")


ARROWS = graph()


def crossing(allowed: Callable[[str, str], bool]) -> list[str]:
    """The imports that are not allowed, as sentences."""
    return [
        f"{name} imports {target}"
        for name, targets in ARROWS.items()
        for target in sorted(targets)
        if not allowed(name, target)
    ]


def test_no_module_imports_itself_in_a_circle_be_it_inside_a_function() -> None:
    TopologicalSorter(ARROWS).prepare()


def test_rooms_of_the_metric_import_only_what_lies_below_them() -> None:
    def below(name: str, target: str) -> bool:
        known = name.startswith("eec_bias.") and room(name) in BELOW
        return not known or room(target) in (room(name), *BELOW[room(name)])

    assert crossing(below) == []


def test_within_the_result_only_its_class_of_views_imports_figures_and_figures_do_not_import_it() -> None:
    views = "eec_bias.result.result"
    assert crossing(lambda name, target: (room(name), room(target)) != ("result", "figures") or name == views) == []
    assert crossing(lambda name, target: room(name) != "figures" or target != views) == []


def test_the_metric_does_not_import_the_corpora_and_only_four_rooms_of_theirs_import_the_metric() -> None:
    def apart(name: str, target: str) -> bool:
        sides = name.partition(".")[0], target.partition(".")[0]
        return len(set(sides)) == 1 or (sides == ("eec_datasets", "eec_bias") and room(name) in BOTH_SIDES)

    assert crossing(apart) == []
    assert crossing(lambda name, target: name.partition(".")[0] == target.partition(".")[0])


def test_rooms_of_the_corpora_know_nothing_of_those_that_score_them() -> None:
    below = (*CORPORA, "corpora", "schema", "errors", "files")
    assert crossing(lambda name, target: room(name) not in below or room(target) not in BOTH_SIDES) == []


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


def test_every_place_that_the_guide_names_is_there() -> None:
    guide = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("## Change the code")[2]
    places = re.findall(r"\| [^|]*\| [^|]*\|", guide)
    named = {name for row in places for name in re.findall(r"`([\w./]+(?:/|\.py|\.toml))`", row) if "TAG" not in name}
    above = [ROOT, ROOT / "eec_datasets", ROOT / "metrics/eec_bias", *(ROOT / "metrics/eec_bias").glob("*/")]
    above += [ROOT / "locales", *(ROOT / "locales").glob("*/"), ROOT / "eec_datasets/audit/report/prose"]
    assert len(named) > 25
    assert [name for name in sorted(named) if not any((folder / name).exists() for folder in above)] == []
