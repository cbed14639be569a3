"""Only one room of each package opens a file to write it, so that what holds for it holds for every file."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest
from imports import ROOT

ROOMS = {"eec_datasets/files.py", "metrics/eec_bias/files.py"}
OWN = {
    "eec_datasets/audit/tables/sheets.py": "Parquet, to memory",
    "eec_datasets/row_file.py": "writes batches to the temporary file that the room gives it",
    "eec_datasets/rewrite/left_out.py": "writes rows to the temporary file that the room gives it",
    "eec_datasets/release/building.py": "writes parquet into memory",
    "metrics/eec_bias/figures/style.py": "draws into memory",
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


def writes(source: str) -> Iterator[tuple[int, str]]:
    """Line and name of every call that writes a file."""
    for node in ast.walk(ast.parse(source)):
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


@pytest.mark.parametrize(
    "line",
    [
        'open("a", "w")', 'Path("a").open("ab")', 'path.open(mode="r+")', 'path.write_text("a")',
        'os.fdopen(1, "w")', 'figure.savefig("a")', 'frame.to_csv("a")', "path.rename(other)",
        'pq.write_table(table, "a")',
    ],
)  # fmt: skip
def test_a_call_that_writes_is_found(line: str) -> None:
    assert list(writes(line))


@pytest.mark.parametrize("line", ['path.open("rb")', "open(path)", "frame.to_csv(index=False)", 'source.open("war")'])
def test_a_call_that_reads_is_none(line: str) -> None:
    assert not list(writes(line))


def test_no_other_module_writes_files() -> None:
    found = {path.relative_to(ROOT).as_posix(): list(writes(path.read_text(encoding="utf-8"))) for path in SOURCES}
    others = {name: calls for name, calls in found.items() if calls and name not in ROOMS | OWN.keys()}
    assert others == {}
    assert [name for name in (*ROOMS, *OWN) if not found[name]] == []
    assert len(SOURCES) > 200
