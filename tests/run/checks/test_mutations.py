"""Whatever is done to any field of a locale's files, the checks tell it with file and line and never break down."""

import csv
import io
import re
from itertools import product
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from places import TESTS

from eec_datasets.checks import Report, check

BASE = TESTS / "checks" / "base"
CSV_FILES = ("words.csv", "persons.csv", "expected.csv")
TOML_FILES = ("locale.toml", "templates.toml")
FILES = (*TOML_FILES, *CSV_FILES)
FREE_COLUMNS = {"note", "paper", "english", "translator", "checker", "source", "id.race"}
GARBAGE = "☠ {{ x"
TOML_VALUES = ("'☠'", "''", "3", "true", "[]", "[[1]]", "{}", "{ a = 1 }", "{ a = { b = 'c' } }", "1979-05-27")


def located(report: Report, root: Path) -> Report:
    for finding in report.findings:
        path = root / "gl" / finding.place.file
        if not path.exists():
            path = root / finding.place.file
        # A return alone also ends a line, for csv as for editors.
        lines = len(re.findall(r"\r\n?|\n", path.read_bytes().decode("latin-1"))) + 1 if path.exists() else 1
        assert 1 <= finding.place.line <= lines, finding
        assert all((finding.what, finding.fix)), finding
    return report


def check_with(root: Path, name: str, content: str | bytes) -> Report:
    """Check the locale with one of its files, or of the corpus, changed; each finding must name a place that exists."""
    path = root / name if name == "corpus.toml" else root / "gl" / name
    before = path.read_bytes()
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    try:
        return located(check(root / "gl"), root)
    finally:
        path.write_bytes(before)


def lines_of(name: str) -> list[str]:
    return (BASE / ("" if name == "corpus.toml" else "gl") / name).read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("name", CSV_FILES)
def test_garbage_in_any_cell_that_matters_is_an_error(root, name):
    rows = list(csv.reader(lines_of(name)))
    # Rows of the key are all of one kind: of each some cells, and of every column many.
    step = 3 if name == "expected.csv" else 1
    for y, x in product(range(len(rows)), range(len(rows[0]))):
        if (y and rows[0][x] in FREE_COLUMNS) or (y > 1 and (x + y) % step):
            continue
        mutated = [list(row) for row in rows]
        mutated[y][x] = GARBAGE
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows(mutated)
        assert not check_with(root, name, text.getvalue()).ok, (name, y, rows[0][x])


@pytest.mark.parametrize("name", [*TOML_FILES, "corpus.toml"])
@pytest.mark.parametrize("value", TOML_VALUES)
def test_any_kind_of_value_under_any_key_is_survived(root, name, value):
    lines = lines_of(name)
    for at, line in enumerate(lines):
        key, sign, _ = line.partition(" = ")
        if sign and not line.startswith("#"):
            check_with(root, name, "\n".join([*lines[:at], f"{key} = {value}", *lines[at + 1 :]]))


@pytest.mark.parametrize("name", FILES)
def test_any_line_may_be_missing_or_doubled(root, name):
    lines = lines_of(name)
    for at in range(len(lines)):
        check_with(root, name, "\n".join(lines[:at] + lines[at + 1 :]))
        check_with(root, name, "\n".join(lines[: at + 1] + lines[at:]))


NONSENSE = ["", "\n", "\0", "[" * 5000, "a" * 200_000, '"', "id\n", "a = [" + "[" * 3000, "\ufeff\ufeff", "{{" * 3000]


@pytest.mark.parametrize("name", FILES)
def test_nonsense_or_a_folder_in_place_of_a_file_is_an_error(root, name):
    for text in NONSENSE:
        assert not check_with(root, name, text).ok
    path = root / "gl" / name
    path.unlink()
    path.mkdir()
    told = f"{name}:1: error: the file cannot be read: Is a directory. Check what it is and its rights"
    assert told in map(str, check(root / "gl").findings)


@pytest.mark.parametrize("text", ["", "[", "version = 1", "version = '1.0.0'", "\xff"])
def test_a_corpus_file_of_nonsense_is_an_error(root, text):
    report = check_with(root, "corpus.toml", text.encode("latin-1"))
    assert {finding.place.file for finding in report.findings} == {"corpus.toml"}


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    name=st.sampled_from(FILES),
    at=st.floats(0, 1),
    length=st.integers(0, 40),
    put=st.one_of(
        st.text(max_size=12),
        st.sampled_from(["{{ person.__class__ }}", "{% for x in y %}", "\u200b", '"', ",", "\r", "[", "{", "=", "'"]),
    ),
)
def test_random_edits_never_break_the_checks(root, name, at, length, put):
    text = (BASE / "gl" / name).read_text(encoding="utf-8")
    start = int(at * len(text))
    check_with(root, name, (text[:start] + put + text[start + length :]).encode("utf-8", "surrogatepass"))
