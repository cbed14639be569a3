"""A flag on one side, one gender or one language only is told, and a name that is also a word of the sentences."""

from __future__ import annotations

import csv
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from eec_datasets.checks import check

if TYPE_CHECKING:
    from snapshots import Snapshot

BASE = Path(__file__).parent / "base"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    shutil.copytree(BASE, tmp_path / "locales")
    return tmp_path / "locales"


def edit(path: Path, where: dict[str, str], **cells: str) -> None:
    """Write cells into the rows of a file that are as `where` says; a column that is not there is added."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        fits = all(row[name] == value for name, value in where.items())
        row.update(cells if fits else {name: row.get(name, "") for name in cells})
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def told(folder: Path, name: str) -> list[str]:
    return [str(finding.what) for finding in check(folder).findings if name in str(finding.what)]


def test_a_flag_on_one_side_of_a_pair_is_told_and_on_both_sides_is_not(root: Path) -> None:
    persons = root / "gl" / "persons.csv"
    edit(persons, {"id": "girl"}, flags="homograph")
    assert told(root / "gl", "other side") == ["'girl' has the flag homograph, and its other side 'boy' has not"]
    edit(persons, {"id": "boy"}, flags="homograph")
    assert told(root / "gl", "other side") == []


def test_a_flag_on_the_forms_of_one_gender_is_told(root: Path) -> None:
    edit(root / "gl" / "words.csv", {"id": "angry", "gender": "f"}, flags="homograph")
    assert told(root / "gl", "one gender") == [
        "the flag homograph of 'angry' falls on one gender (f) only: enfadada, irada"
    ]


@pytest.mark.parametrize(("flagged", "language"), [("gl", "gl"), ("en", "en")])
def test_a_flag_that_one_language_has_is_told(root: Path, flagged: str, language: str) -> None:
    shutil.copytree(root / "gl", root / "en")
    edit(root / flagged / "persons.csv", {"id": "emma"}, flags="unisex")
    assert told(root / "gl", "one language") == [f"the flag unisex of 'emma' stands in one language only: {language}"]


def test_a_flag_that_depends_on_the_word_may_stand_in_one_language(root: Path) -> None:
    shutil.copytree(root / "gl", root / "en")
    facts = root / "corpus.toml"
    facts.write_text('own_flags = ["unisex"]\n' + facts.read_text(encoding="utf-8"), encoding="utf-8")
    edit(root / "gl" / "persons.csv", {"id": "emma"}, flags="unisex")
    assert told(root / "gl", "one language") == []


@pytest.mark.parametrize("name", ["Irada", "Situación", "Soa"])  # an emotion word, a noun, a function word
def test_a_name_that_is_a_word_of_the_sentences_is_told_unless_its_flag_says_so(root: Path, name: str) -> None:
    persons = root / "gl" / "persons.csv"
    edit(persons, {"id": "emma"}, nom=name)
    assert told(root / "gl", "also a word") == [f"the name {name} ('emma') is also a word of the sentences"]
    edit(persons, {"id": "emma"}, flags="homograph")
    assert told(root / "gl", "also a word") == []


def test_a_flag_of_a_word_that_nobody_explains_is_refused(root: Path) -> None:
    edit(root / "gl" / "words.csv", {"id": "angry", "gender": "f"}, flags="odd")
    assert told(root / "gl", "unknown flag") == ["unknown flag 'odd'"] * 2


def test_what_is_told_of_flags_and_names(root: Path, snapshot: Snapshot) -> None:
    shutil.copytree(root / "gl", root / "en")
    edit(root / "gl" / "persons.csv", {"id": "girl"}, flags="homograph")
    edit(root / "gl" / "persons.csv", {"id": "emma"}, nom="Irada", flags="unisex")
    edit(root / "gl" / "words.csv", {"id": "angry", "gender": "f"}, flags="homograph")
    found = (str(finding) for finding in check(root / "gl").findings)
    snapshot.check("checks/flags", "\n".join(line for line in found if "flag" in line or "word of" in line) + "\n")
