"""Who may import whom, what an import costs, and which modules open a file to write it."""

import ast
import functools
import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from graphlib import TopologicalSorter
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from places import ROOT

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


@functools.cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def imports(path: Path) -> Iterator[tuple[str, str]]:
    """Yield module and name of every import of a file, at whatever depth; the name is empty for ``import x``."""
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path}:{node.lineno}: imports are absolute"
            yield from ((str(node.module), alias.name) for alias in node.names)


@functools.cache
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


HEAVY = ["numpy", "scipy", "pandas", "pyarrow", "datasets", "evaluate", "statsmodels", "matplotlib", "torch", "tqdm"]

BELOW = {
    "errors": (),
    "data_name": (),
    "grouping": (),
    "widths": (),
    "notes": ("errors",),
    "sentences": ("errors",),
    "files": ("errors",),
    "options": ("errors",),
    "stats": ("errors", "grouping", "notes", "options"),
    "inputs": ("data_name", "errors", "grouping", "notes", "options", "sentences", "stats"),
    "figures": ("errors", "files", "grouping", "notes", "options", "result"),
    "result": ("data_name", "errors", "files", "grouping", "notes", "options", "stats", "figures", "widths"),
}
"""Rooms of the metric, and the rooms each may import; rooms that are not named here stand above all of these."""

CORPORA = ("locale", "render", "checks", "contribute", "design", "names", "rewrite", "release", "hub")
"""Rooms that know sentences and no scores."""

BOTH_SIDES = ("systems", "audit", "census", "app", "cli")


def crossing(allowed: Callable[[str, str], bool]) -> list[str]:
    """The imports that are not allowed, as sentences."""
    return [
        f"{name} imports {target}"
        for name, targets in graph().items()
        for target in sorted(targets)
        if not allowed(name, target)
    ]


def test_no_module_imports_itself_in_a_circle():
    """An import inside a function counts as any other."""
    assert len(graph()) > 200
    TopologicalSorter(graph()).prepare()


@pytest.mark.parametrize("folder", ["benchmarks", "studies"])
def test_no_module_outside_the_packages_imports_itself_in_a_circle(folder):
    known = {f"{folder}.{path.stem}": path for path in (ROOT / folder).glob("*.py")}
    arrows = {}
    for name, path in known.items():
        targets = {part for module, attribute in imports(path) for part in (module, f"{module}.{attribute}")}
        arrows[name] = targets & known.keys()
    assert len(arrows) > 8
    TopologicalSorter(arrows).prepare()


def test_rooms_of_the_metric_import_only_what_lies_below_them():
    def below(name: str, target: str) -> bool:
        known = name.startswith("eec_bias.") and room(name) in BELOW
        if name in SPOKEN and target == SPEAKER:
            return True
        return not known or room(target) in (room(name), *BELOW[room(name)])

    assert crossing(below) == []


VIEWS = "eec_bias.result.result"
"""The class of a result, which draws its figures."""


def test_within_the_result_only_its_class_imports_figures():
    assert crossing(lambda name, target: (room(name), room(target)) != ("result", "figures") or name == VIEWS) == []


def test_figures_do_not_import_the_class_of_a_result():
    assert crossing(lambda name, target: room(name) != "figures" or target != VIEWS) == []


SPEAKER = "eec_datasets.report.surfaces"
"""The module of the corpora that a printed result and a figure call for their words."""

SPOKEN = (VIEWS, "eec_bias.figures.forest")
"""The modules that call it."""

SHARED = "eec_bias.shared"
"""The door for what both packages need and what knows nothing of scores."""


def test_only_four_rooms_of_the_corpora_import_the_metric():
    def apart(name: str, target: str) -> bool:
        sides = name.partition(".")[0], target.partition(".")[0]
        known = room(name) in BOTH_SIDES or target == SHARED
        speaks = name in SPOKEN and target == SPEAKER
        return len(set(sides)) == 1 or (sides == ("eec_datasets", "eec_bias") and known) or speaks

    assert crossing(apart) == []
    assert crossing(lambda name, target: name.partition(".")[0] == target.partition(".")[0])


def test_the_room_that_writes_words_imports_no_room_of_numbers():
    above = ("eec_bias", *(f"eec_datasets.{each}" for each in BOTH_SIDES))
    assert crossing(lambda name, target: room(name) != "report" or not target.startswith(above)) == []


DOORS = ("eec_bias", "eec_bias.measurement", "eec_bias.reading", SHARED)
"""Modules of the metric that the corpora may import: for users, for a report, and for both packages."""


def test_the_corpora_know_the_metric_by_its_face_and_two_doors():
    inner = [
        f"{name} imports {module}"
        for name, path in modules().items()
        for module, _ in imports(path)
        if name.startswith("eec_datasets") and module.startswith("eec_bias.") and module not in DOORS
    ]
    assert inner == []


def test_rooms_of_the_corpora_know_nothing_of_those_that_score_them():
    below = (*CORPORA, "corpora", "schema", "errors")
    assert crossing(lambda name, target: room(name) not in below or room(target) not in BOTH_SIDES) == []


def printed_by(code: str) -> Any:
    """Return the last line, read as JSON, that a fresh Python prints."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


HELP = "import eec_datasets; from eec_datasets.cli import main; main(['--help'], standalone_mode=False)"
LOADED = "import json, sys; print(json.dumps(sorted(sys.modules)))"
TIMED = f"""
from time import process_time as now
start = now()
{HELP}
helped = now()
import pandas
print([helped - start, now() - helped])
"""


@pytest.mark.parametrize(
    ("code", "absent"),
    [
        (HELP, HEAVY),
        ("import eec_bias", HEAVY),
        ("import eec_bias.shared", HEAVY),
        ("import eec_bias; eec_bias.measure", ["evaluate", "datasets", "matplotlib", "statsmodels"]),
    ],
)
def test_imports_of_the_packages_load_nothing_heavy(code, absent):
    assert set(printed_by(f"{code}\n{LOADED}")).isdisjoint(absent)


def test_the_face_of_the_metric_has_every_name_that_it_lists():
    import eec_bias

    for name in eec_bias.__all__:
        assert not isinstance(getattr(eec_bias, name), ModuleType) or name in ("figures", "methods"), name


def test_no_module_of_the_metric_hides_a_name_of_its_face():
    import eec_bias

    beside = {path.stem for path in (ROOT / "metrics" / "eec_bias").iterdir()}
    assert beside & set(eec_bias.__all__) == {"figures", "methods"}


def test_help_takes_less_time_than_importing_pandas():
    # A ratio in one process, as machines differ, once all is compiled: pandas takes half a second, .3 s are the budget.
    printed_by(f"{HELP}\n{LOADED}")
    helped, imported = printed_by(TIMED)
    assert helped < imported


def test_every_place_that_the_guide_names_is_there():
    guide = (ROOT / "docs" / "contributing" / "code.md").read_text(encoding="utf-8")
    places = re.findall(r"\| [^|]*\| [^|]*\|", guide)
    named = {name for row in places for name in re.findall(r"`([\w./]+(?:/|\.py|\.toml))`", row) if "TAG" not in name}
    above = [ROOT, ROOT / "eec_datasets", ROOT / "metrics/eec_bias", *(ROOT / "metrics/eec_bias").glob("*/")]
    above += [ROOT / "locales", *(ROOT / "locales").glob("*/"), ROOT / "eec_datasets/report"]
    assert len(named) > 25
    assert [name for name in sorted(named) if not any((folder / name).exists() for folder in above)] == []


def test_the_guide_names_every_room_and_the_module_of_every_value():
    guide = (ROOT / "docs" / "contributing" / "code.md").read_text(encoding="utf-8")
    above = (ROOT / "eec_datasets", ROOT / "metrics" / "eec_bias")
    rooms = [path.parent.relative_to(ROOT).as_posix() for folder in above for path in folder.glob("*/__init__.py")]
    assert [room for room in rooms if f"`{room}/`" not in guide] == []
    values = re.findall(r"^\| `(\w+)` \| `([\w/]+\.py)` \|", guide, flags=re.MULTILINE)
    assert len(values) > 5
    for name, module in values:
        assert name in [node.name for node in parsed(ROOT / module).body if isinstance(node, ast.ClassDef)]


ROOM = "metrics/eec_bias/files.py"
OWN = {
    "eec_datasets/audit/tables/blank.py": "Parquet, to memory",
    "eec_datasets/census/environments.py": "fills environments below the cache",
    "eec_datasets/systems/program.py": "removes the empty folder in which a program ran",
    "eec_datasets/standard_input.py": "keeps standard input in a temporary folder of its own",
    "eec_datasets/row_file.py": "writes batches to the temporary file that the room gives it",
    "eec_datasets/rewrite/left_out.py": "writes rows to the temporary file that the room gives it",
    "eec_datasets/release/building.py": "writes parquet into memory",
    "metrics/eec_bias/figures/style.py": "draws into memory",
    "scripts/golden.py": "keeps numbers in tests/golden, and fills build/",
    "scripts/dependencies.py": "fills build/, which holds nothing that is kept",
    "benchmarks/endpoint.py": "fills a temporary folder of its own",
    "benchmarks/scale.py": "fills a temporary folder of its own",
    "benchmarks/transformer.py": "fills a temporary folder of its own",
}
"""Files that open or write something themselves, and why."""

WRITERS = {
    "write_text", "write_bytes", "write_table", "savefig", "ParquetWriter", "CSVWriter",
    "copytree", "copyfile", "copy2", "rmtree", "mkstemp", "NamedTemporaryFile", "touch", "symlink_to", "hardlink_to",
    "truncate",
}  # fmt: skip
"""Calls that write or replace whatever they are given."""

PLACED = {"to_csv", "to_parquet", "rename"}
"""Calls that do so where they are given a place."""

SOURCES = sorted(
    path
    for folder in ("eec_datasets", "metrics", "scripts", "benchmarks", "studies")
    for path in (ROOT / folder).rglob("*.py")
)


def writes(source: ast.Module) -> Iterator[tuple[int, str]]:
    """Line and name of every call that writes a file."""
    for node in ast.walk(source):
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        given = [*node.args, *(keyword.value for keyword in node.keywords if keyword.arg == "mode")]
        modes = [each.value for each in given if isinstance(each, ast.Constant) and isinstance(each.value, str)]
        opened = name in ("open", "fdopen") and any(
            re.fullmatch(r"(?=.*[wax+])[rwax][bt+]{0,2}", mode) for mode in modes
        )
        # A path → a file; without one they give a text or another frame, as our own functions of these names do.
        ours = getattr(getattr(node.func, "value", None), "id", "saving") == "saving"
        if opened or name in WRITERS or (name in PLACED and node.args and not ours):
            yield node.lineno, name


WRITING = (
    'open("a", "w")', 'Path("a").open("ab")', 'path.open(mode="r+")', 'path.write_text("a")', 'os.fdopen(1, "w")',
    'figure.savefig("a")', 'frame.to_csv("a")', "path.rename(other)", 'pq.write_table(table, "a")',
)  # fmt: skip
READING = ('path.open("rb")', "open(path)", "frame.to_csv(index=False)", 'source.open("war")')


@pytest.mark.parametrize("line", [*WRITING, *READING])
def test_a_call_that_writes_is_told_from_one_that_reads(line):
    assert bool(list(writes(ast.parse(line)))) is (line in WRITING)


def test_no_other_module_writes_files():
    found = {path.relative_to(ROOT).as_posix(): list(writes(parsed(path))) for path in SOURCES}
    others = {name for name, calls in found.items() if calls and not name.startswith(ROOM)} - OWN.keys()
    assert others == set()
    assert [name for name in OWN if not found[name]] == []
    assert len(SOURCES) > 200
