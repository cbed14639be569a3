"""Sizes of configs: what ``locales/sizes.json`` keeps, and when it is counted again."""

import json
from pathlib import Path

import pytest
from commands import eec
from languages import languages
from texts import change, keep

from eec_datasets import sizes
from eec_datasets.locale.reading import locales_folder

LOCALES = locales_folder()


@pytest.fixture
def german(tmp_path: Path) -> Path:
    """A folder with German and the size of its config."""
    root = languages(tmp_path, "de")
    (root / sizes.FILE).write_text(sizes.sizes_file(root), encoding="utf-8")
    return root


def check(root: Path) -> str:
    """Check German, and return all that is said."""
    return eec("locale", "check", "de", "--no-notes", "--locales", root).output


def rows(root: Path) -> int:
    """The rows of de-gender, as they are listed."""
    (config,), _ = sizes.sizes(root=root)
    return config.rows


def test_the_sizes_kept_are_those_that_rendering_gives() -> None:
    kept = (LOCALES / sizes.FILE).read_text(encoding="utf-8")
    assert kept == sizes.sizes_file(LOCALES), "locales/sizes.json is out of date. Run: eec locale check"


def test_sizes_that_are_kept_need_no_rendering(german: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rendered = sizes.sizes(root=german)
    monkeypatch.setattr(sizes, "count", None)
    assert sizes.sizes(root=german) == rendered


def test_a_language_that_was_changed_is_counted_anew(german: Path) -> None:
    assert rows(german) == 5760
    keep(german / "de" / "persons.csv", lambda line: not line.startswith("maria,"))
    assert rows(german) == 5616


def test_no_sentence_comes_from_a_file_that_is_not_counted(tmp_path: Path) -> None:
    root = languages(tmp_path, "en")
    for name in sizes.NOT_COUNTED:
        (root / "en" / name).unlink()
    assert sizes.count("en", root) == sizes.count("en", LOCALES)


def test_line_ends_of_another_system_change_no_digest(german: Path) -> None:
    words = german / "de" / "words.csv"
    before = sizes.digest_of(german / "de")
    words.write_bytes(words.read_bytes().replace(b"\n", b"\r\n"))
    assert sizes.digest_of(german / "de") == before


def test_a_damaged_file_of_sizes_is_not_used(german: Path) -> None:
    change(german / sizes.FILE, ('"rows"', '"lines"'))
    assert rows(german) == 5760


def test_the_check_counts_again_what_has_changed(german: Path) -> None:
    change(german / sizes.FILE, ("5760", "5616"), ('"files": "', '"files": "older'))
    assert "sizes.json: counted the rows again" in check(german)
    assert json.loads((german / sizes.FILE).read_text(encoding="utf-8"))["de"]["configs"][0]["rows"] == 5760
    assert "sizes.json" not in check(german)


def test_the_check_writes_no_sizes_where_there_were_none(german: Path) -> None:
    (german / sizes.FILE).unlink()
    check(german)
    assert not (german / sizes.FILE).exists()
