"""Documents from sources with words filled in: what a page may not hold."""

from pathlib import Path

import pytest

from eec_datasets.documents import fill


@pytest.fixture
def page(tmp_path: Path) -> Path:
    (tmp_path / "page.html.j2").write_text("<p>{{ text }}</p>\n", encoding="utf-8")
    return tmp_path / "page.html.j2"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\x1b[2Jb", "a\\u001b[2Jb"),
        ("a\rb", "a\\u000db"),
        ("a\x9bb", "a\\u009bb"),
        ("a\u202egnp.exe", "a\\u202egnp.exe"),
        ("a\ud83d", "a\\ud83d"),
    ],
)
def test_a_page_shows_controls_and_does_not_obey_them(text: str, shown: str, page: Path) -> None:
    assert fill(page, text=text) == f"<p>{shown}</p>\n"


@pytest.mark.parametrize("text", ["a\tb\nc", "\u2068عربي\u2069", "می\u200cشود"])
def test_a_page_keeps_what_writing_needs(text: str, page: Path) -> None:
    assert fill(page, text=text) == f"<p>{text}</p>\n"
