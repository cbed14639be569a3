"""How large configs are: what ``locales/sizes.json`` keeps, and when it is counted anew."""

from pathlib import Path

import pytest
from commands import refused, succeed
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


def rows(root: Path) -> int:
    """The rows of de-gender, as they are listed."""
    (config,), _ = sizes.sizes(root=root)
    return config.rows


def test_the_sizes_kept_are_those_that_rendering_gives() -> None:
    kept = (LOCALES / sizes.FILE).read_text(encoding="utf-8")
    assert kept == sizes.sizes_file(LOCALES), "locales/sizes.json is out of date. Write it anew: eec locale sizes"


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


def test_a_damaged_file_of_sizes_is_refused(german: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EEC_LOCALES", str(german))
    change(german / sizes.FILE, ('"rows"', '"lines"'))
    message = refused("configs")
    assert "sizes.json:1: it is not as eec locale sizes writes it" in message
    assert "Write it anew: eec locale sizes" in message


def test_the_command_writes_the_file_of_sizes_anew(german: Path) -> None:
    change(german / sizes.FILE, ('"rows"', '"lines"'))
    path = german / sizes.FILE
    assert succeed("locale", "sizes", "--locales", german).output == f"{path} is written\n"
    assert path.read_text(encoding="utf-8") == sizes.sizes_file(german)


def test_the_command_leaves_a_file_that_is_up_to_date(german: Path) -> None:
    assert succeed("locale", "sizes", "--locales", german).output == f"{german / sizes.FILE} is up to date\n"
