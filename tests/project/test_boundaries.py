"""Who may import whom, and what an import costs."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time

import pytest
from imports import ROOT, circles, graph, imports, modules, room

HEAVY = ["numpy", "scipy", "pandas", "pyarrow", "datasets", "evaluate", "statsmodels", "matplotlib", "torch", "tqdm"]

BELOW = {
    "errors": (),
    "options": ("errors",),
    "stats": ("errors", "options"),
    "inputs": ("errors", "options", "stats"),
    "figures": ("errors", "options", "result"),
    "result": ("errors", "options", "stats", "figures"),
}
"""Rooms of the metric, and the rooms each may import; rooms that are not named here stand above all of these."""

CORPORA = ("locale", "render", "checks", "contribute", "design", "rewrite", "imported", "release", "hub")
"""Rooms that know sentences and no scores."""

BOTH_SIDES = ("systems", "audit", "app", "cli")


def test_no_module_imports_itself_in_a_circle_be_it_inside_a_function() -> None:
    assert circles(graph()) == []


def test_rooms_of_the_metric_import_only_what_lies_below_them() -> None:
    wrong = [
        f"{name} imports {target}"
        for name, targets in graph().items()
        for target in targets
        if name.startswith("eec_bias.") and room(name) in BELOW and room(target) not in (room(name), *BELOW[room(name)])
    ]
    assert wrong == []


def test_within_the_result_only_its_class_of_views_imports_figures() -> None:
    arrows = graph()
    into_figures = [
        name for name in arrows if room(name) == "result" and any(room(target) == "figures" for target in arrows[name])
    ]
    assert into_figures in ([], ["eec_bias.result.result"])
    assert not any("eec_bias.result.result" in arrows[name] for name in arrows if room(name) == "figures")


def test_the_metric_does_not_import_the_corpora() -> None:
    guilty = [
        name
        for name, path in modules().items()
        if name.startswith("eec_bias") and any(module.startswith("eec_datasets") for module, _ in imports(path))
    ]
    assert guilty == []


def test_only_systems_audit_app_and_command_line_see_both_sides() -> None:
    own = {name: path for name, path in modules().items() if name.startswith("eec_datasets")}
    guilty = [name for name, path in own.items() if any(m.partition(".")[0] == "eec_bias" for m, _ in imports(path))]
    assert guilty
    assert [name for name in guilty if room(name) not in BOTH_SIDES] == []


def test_rooms_of_the_corpora_know_nothing_of_those_that_score_them() -> None:
    wrong = [
        f"{name} imports {target}"
        for name, targets in graph().items()
        for target in targets
        if room(name) in (*CORPORA, "corpora", "schema", "errors", "files") and room(target) in BOTH_SIDES
    ]
    assert wrong == []


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
