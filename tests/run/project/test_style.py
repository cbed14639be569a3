"""Constructs that plain code avoids: a conditional within another, text times a truth value, a class name twice.

``NOT_YET`` lists the rooms that still have some. A room that was gone through is taken off; none comes onto the list.
"""

import ast
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from places import ROOT

PACKAGES = {"eec_datasets": ROOT / "eec_datasets", "eec_bias": ROOT / "metrics" / "eec_bias"}
BESIDE = {name: ROOT / name for name in ("benchmarks", "scripts", "studies")}
"""Folders of code that is in no package."""

NOT_YET = {"eec_bias/stats"}
"""Rooms not gone through yet."""


def rooms() -> dict[str, list[Path]]:
    """Room → its files: a folder of a package, a module beside the folders, or a folder of code in no package."""
    found: dict[str, list[Path]] = defaultdict(list)
    for package, folder in PACKAGES.items():
        for path in sorted(folder.rglob("*.py")):
            found[f"{package}/{path.relative_to(folder).parts[0]}"].append(path)
    for name, folder in BESIDE.items():
        found[name] = sorted(folder.rglob("*.py"))
    return found


ROOMS = rooms()
DONE = [room for room in ROOMS if room not in NOT_YET]


def read(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def trees() -> dict[Path, ast.Module]:
    return {path: read(path) for paths in ROOMS.values() for path in paths}


def nested(tree: ast.AST) -> Iterator[int]:
    """Lines of the conditional expressions that hold another."""
    for node in ast.walk(tree):
        if isinstance(node, ast.IfExp):
            within = [child for child in ast.walk(node) if isinstance(child, ast.IfExp)]
            if len(within) > 1:
                yield node.lineno


def declared_bool(tree: ast.AST) -> set[str]:
    """Names of the fields, and of the functions and properties, that a tree declares to be true or false."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and is_bool(node.returns):
            found.add(node.name)
        if isinstance(node, ast.ClassDef):
            fields = [part for part in node.body if isinstance(part, ast.AnnAssign) and is_bool(part.annotation)]
            found |= {field.target.id for field in fields if isinstance(field.target, ast.Name)}
    return found


def is_bool(annotation: ast.expr | None) -> bool:
    return isinstance(annotation, ast.Name) and annotation.id == "bool"


@cache
def fields() -> set[str]:
    """Names of fields, functions and properties of the project that are true or false."""
    return set().union(*map(declared_bool, trees().values()))


QUESTIONS = {"bool", "isinstance", "hasattr", "any", "all", "startswith", "endswith", "is_file", "is_dir", "exists"}


def truths(function: ast.AST) -> set[str]:
    """Names that are true or false within a function: parameters declared so, and what a comparison is assigned to."""
    found = set()
    for node in ast.walk(function):
        if isinstance(node, ast.arg) and is_bool(node.annotation):
            found.add(node.arg)
        if isinstance(node, ast.Assign | ast.NamedExpr | ast.AnnAssign) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if is_truth(node.value, found):
                found |= {target.id for target in targets if isinstance(target, ast.Name)}
    return found


def is_truth(node: ast.expr, names: set[str]) -> bool:
    """Tell if an expression is seen to be true or false."""
    match node:
        case ast.Compare() | ast.UnaryOp(op=ast.Not()) | ast.Constant(value=bool()):
            return True
        case ast.BoolOp(values=values):
            return all(is_truth(value, names) for value in values)
        case ast.Name(id=name):
            return name in names
        case ast.Attribute(attr=name):
            return name in fields()
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
            return name in QUESTIONS | fields()
        case _:
            return False


def is_text_or_list(node: ast.expr) -> bool:
    match node:
        case ast.Constant(value=str() | bytes()) | ast.JoinedStr() | ast.List() | ast.Tuple() | ast.ListComp():
            return True
        case ast.Call(func=ast.Attribute(attr="join" | "format") | ast.Name(id="str" | "list" | "tuple")):
            return True
        case ast.BinOp(op=ast.Add(), left=left, right=right):
            return is_text_or_list(left) or is_text_or_list(right)
        case _:
            return False


def multiplied(tree: ast.AST) -> Iterator[int]:
    """Lines where a text or a list is multiplied by a truth value."""
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    seen: set[int] = set()
    for scope in [*reversed(functions), tree]:
        names = truths(scope)
        for node in ast.walk(scope):
            if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
                for text, truth in ((node.left, node.right), (node.right, node.left)):
                    if is_text_or_list(text) and is_truth(truth, names):
                        seen.add(node.lineno)
    yield from sorted(seen)


def places(find, room: str) -> list[str]:
    return [f"{path.relative_to(ROOT)}:{line}" for path in ROOMS[room] for line in find(trees()[path])]


@pytest.mark.parametrize("room", DONE)
def test_no_conditional_expression_holds_another(room: str) -> None:
    assert places(nested, room) == []


@pytest.mark.parametrize("room", DONE)
def test_no_text_or_list_is_multiplied_by_a_truth_value(room: str) -> None:
    assert places(multiplied, room) == []


def test_a_class_name_stands_once_in_the_wheel() -> None:
    found: dict[str, list[str]] = defaultdict(list)
    for room in ROOMS:
        for path in ROOMS[room] if room not in BESIDE else []:
            for node in ast.walk(trees()[path]):
                if isinstance(node, ast.ClassDef):
                    found[node.name].append(f"{path.relative_to(ROOT)}:{node.lineno}")
    assert {name: where for name, where in found.items() if len(where) > 1} == {}


def test_every_room_on_the_list_is_there() -> None:
    assert NOT_YET - ROOMS.keys() == set(), "take these names off NOT_YET: the rooms are gone"


@pytest.mark.parametrize(
    "source",
    [
        'key = "a" if x else "b" if y else "c"',
        'key = "a" if (1 if x else 0) else "b"',
        "f = [1 if a else 2 for a in b] if b else 0",
    ],
)
def test_a_conditional_expression_within_another_is_found(source: str) -> None:
    assert list(nested(ast.parse(source))) == [1]


def test_two_conditional_expressions_beside_each_other_are_not_nested() -> None:
    assert list(nested(ast.parse("key = (1 if x else 2) + (3 if y else 4)"))) == []


@pytest.mark.parametrize(
    "source",
    [
        'name + "s" * (count > 1)',
        '["--all"] * (not some)',
        '"s" * bool(count)',
        'many = count > 1\nname = "s" * many',
        'def say(many: bool):\n    return many * ["more"]',
        'f"{count} s" * text.startswith("a")',
        '(first + ["b"]) * (first == ["a"])',
    ],
)
def test_text_multiplied_by_a_truth_value_is_found(source: str) -> None:
    assert len(list(multiplied(ast.parse(source)))) == 1


@pytest.mark.parametrize(
    "source", ['"-" * width', "[None] * len(rows)", "[0] * (a + b)", "(scores > 0) * weights", '"ab" * 2']
)
def test_text_repeated_a_number_of_times_is_not_found(source: str) -> None:
    assert list(multiplied(ast.parse(source))) == []
