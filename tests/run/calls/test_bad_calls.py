"""Bad calls, as tables: each ends with an error of ours that names what, where and the fix, and changes nothing."""

import os
import re
import shlex
import sys
import tomllib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest
from commands import eec
from functions import CALLS
from languages import languages

from eec_datasets import corpora
from eec_datasets.audit.tables import entrance  # noqa: F401 - else it would keep the patched open_corpus
from eec_datasets.systems import corpus

LONG = "a" * 300
LINES = [
    line for line in Path(__file__).with_name("command_lines.txt").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
]  # fmt: skip
GIVEN = tomllib.loads(Path(__file__).with_name("given.toml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the files that the command lines name."""
    here = tmp_path_factory.mktemp("bad calls")
    ids, texts = (corpora.table("tr-gender").column(name).to_pylist() for name in ("id", "text"))
    lines = [f"{name},{0.4 + 0.2 * (number % 2)}" for number, name in enumerate(ids)]
    tables = {
        "scores": lines, "gap": lines[1:], "twice": [*lines, lines[0]], "stranger": [*lines, "nobody/home,0.5"],
        "dates": [*lines[1:], "2026-04-01,0.5"],
        "thousands": [f'{name},"1,234"' for name in ids], "steering": [*lines, "\x1b[2J,0.5"],
        **{name: [*lines[1:], f"{ids[0]},{score}"] for name, score in GIVEN["scores"].items()},
    }  # fmt: skip
    written = {f"{name}.csv": ["id,score", *rows] for name, rows in tables.items()} | {
        "other.csv": ["id,text,score", f"{ids[0]},Another sentence.,0.5", *(f"{name},,0.5" for name in ids[1:])],
        "curly.csv": ["id,text,score", *(f"{name},{text} ,0.5" for name, text in zip(ids, texts, strict=True))],
        "points.csv": ["id,score,points", *(f"{line},3" for line in lines)],
        "systems.csv": ["id,score,model,prompt", *(f"{line},{name},{name}{name}" for line in lines for name in "ab")],
    }
    (here / "precious").mkdir()
    for name, text in (GIVEN["files"] | {name: "\n".join([*rows, ""]) for name, rows in written.items()}).items():
        (here / name).write_text(text, encoding="utf-8")
    (here / "latin.csv").write_bytes("id,score\nmaría,0.5\n".encode("latin-1"))
    (here / "zeros.csv").write_bytes(b"id,score\na\0,0.5\n")
    os.mkfifo(here / "pipe.csv")
    languages(here / "L", "en")
    braces = languages(here / "LL", "tr") / "tr" / "templates.toml"
    text = braces.read_text(encoding="utf-8")
    braces.write_text(re.sub(r"(?m)^text = .*$", f"text = '{'{{ x }}' * 6000}'", text, count=1), encoding="utf-8")
    return here


def held(folder: str | Path) -> dict[str, tuple[int, ...]]:
    """Return the contents of a folder, and when each file was written."""
    found: dict[str, tuple[int, ...]] = {}
    for entry in os.scandir(folder):
        if entry.is_dir():
            if entry.name != "__pycache__":
                found |= {entry.path: ()} | held(entry.path)
        else:
            stat = entry.stat()
            found[entry.path] = (stat.st_ino, stat.st_size, stat.st_mtime_ns)
    return found


@pytest.fixture(scope="module", autouse=True)
def _opened_once() -> Iterator[None]:
    """Render each corpus that files are compared with once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(corpus, "open_corpus", cache(corpus.open_corpus))
        yield


@pytest.fixture(scope="module")
def before(folder: Path) -> dict[str, tuple[int, ...]]:
    return held(folder)


@pytest.fixture
def unchanged(folder: Path, before: dict[str, tuple[int, ...]], monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Stand in the folder; what is returned asserts that nothing there was changed."""
    monkeypatch.chdir(folder)

    def check() -> None:
        after = held(folder)
        assert {path: after.get(path) for path in before} == before
        # An audit that has begun keeps its scores.
        assert [path for path in after.keys() - before if not f"{path}/".startswith(f"{folder}/audit/")] == []

    return check


@pytest.mark.parametrize("line", LINES, ids=lambda line: line.split(" | ")[1][:60])
def test_a_bad_command_line_is_answered_with_its_words(line: str, unchanged: Callable[[], None]) -> None:
    code, command, *words = line.split(" | ")
    words_typed = [word.replace("LONG", LONG).replace("ESC", "\x1b") for word in shlex.split(command)]
    done = eec(*words_typed)
    assert isinstance(done.exception, SystemExit), done.exception
    assert done.exit_code == int(code), done.output
    told = done.output
    missing = [word for word in words if word.casefold() not in told.casefold()]
    if sys.version_info >= (3, 14) and LONG in told:
        # There Path.exists says no to a name that is too long, and raises nothing.
        missing = [word for word in missing if word != "too long"]
    assert missing == [], told
    assert "rror: " in told
    assert "\x1b" not in done.output
    unchanged()


@pytest.mark.parametrize("title", CALLS)
def test_a_bad_call_of_a_function_is_answered_with_its_words(title: str, unchanged: Callable[[], None]) -> None:
    call, kind, *words = CALLS[title]
    with pytest.raises(kind) as error:
        call()
    assert type(error.value) is kind
    assert [word for word in words if word not in str(error.value)] == [], str(error.value)
    unchanged()


def test_there_are_at_least_150_bad_calls() -> None:
    assert len(LINES) + len(CALLS) >= 150


def test_no_bad_command_line_stands_twice() -> None:
    assert len(set(LINES)) == len(LINES)
