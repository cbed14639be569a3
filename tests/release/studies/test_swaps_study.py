"""The chapter on what the swap itself adds: a plain table, a tool in an environment of its own, and the page."""

import csv
import sys

import pytest
from click.testing import CliRunner

from studies import swaps

TEXTS = ["She lost her keys.", "I know him and his dog.", "Nothing here.", "My brother says he is late."]


@pytest.mark.parametrize(
    ("text", "variant"),
    [
        ("He lost his keys.", "She lost her keys."),
        ("She lost her keys.", "He lost his keys."),
        ("I know her.", "I know his."),
        ("Guys, they left for LA.", "Gals, they left for LA."),
    ],
)
def test_a_plain_table_exchanges_words_whatever_their_form(text, variant):
    assert swaps.plain_swap(text) == variant


def test_our_variants_have_every_form_right():
    assert swaps.our_swaps(TEXTS) == {
        "She lost her keys.": "He lost his keys.",
        "I know him and his dog.": "I know her and her dog.",
        "My brother says he is late.": "My sister says she is late.",
    }


def test_trigrams_prefer_what_they_have_seen_elsewhere():
    model = swaps.Trigrams(["She left", "She left", "He stayed"])
    seen, itself, never = model.scores(["She left", "He stayed", "Xq xq"], ["He stayed"] * 3)
    assert seen > itself == never


def test_a_gap_is_women_minus_men_whichever_text_is_the_original():
    pairs = swaps.Pairs(["a", "b"], ["", ""], ["", ""], [True, False])
    assert pairs.moved([1.0, 4.0], [2.0, 2.0]) == (1.5, 1.5)


@pytest.fixture
def tool(tmp_path, monkeypatch):
    """A tool that is installed already, and writes the wrong form."""
    home = tmp_path / "tools" / "halver" / "bin"
    home.mkdir(parents=True)
    (home / "python").symlink_to(sys.executable)
    code = 'def swap(text):\n    return text.replace("She", "He").replace(" her ", " him ")'
    monkeypatch.setattr(swaps, "TOOLS", {"Halver 1.0": swaps.Tool((("halver",),), code)})
    return tmp_path


def test_a_tool_swaps_in_an_environment_of_its_own(tool):
    found = swaps.run_tool("Halver 1.0", TEXTS, tool / "tools")
    assert list(found.variants) == ["He lost him keys.", *TEXTS[1:]]


def test_the_page_counts_what_was_changed_and_what_the_check_finds(tool):
    (tool / "t.txt").write_text("\n".join(TEXTS), encoding="utf-8")
    (tool / "out").mkdir()
    asked = [str(tool / "t.txt"), "--tools", str(tool / "tools"), "--out", str(tool / "out")]
    done = CliRunner().invoke(swaps.main, asked)
    assert done.exit_code == 0, done.output
    with (tool / "out" / "swaps.csv").open(newline="") as file:
        rows = {(row["tool"], row["system"]): row for row in csv.DictReader(file)}
    halver = rows["Halver 1.0", "vader"]
    assert (halver["texts"], halver["changed"], halver["flagged"], halver["pairs"]) == ("4", "1", "1", "1")
    assert rows[swaps.OURS, "vader"]["flagged"] == "0"
    assert float(halver["gap_put_right"]) == 0
    assert float(rows["Halver 1.0", "trigrams"]["gap_as_made"]) != 0
    page = (tool / "out" / "swaps.md").read_text(encoding="utf-8")
    assert "| Halver 1.0 | 1 | 100.0 % |" in page
    assert not any(text in page for text in TEXTS)
