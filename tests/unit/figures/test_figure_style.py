"""Style of figures: their look, their descriptions and their files."""

import re
import sys
import unicodedata
from pathlib import Path

import pytest
from figure_cases import ordinary

from eec_bias import OptionError
from eec_bias.errors import OutputError
from eec_bias.figures.labels import OUTSIDE, families, isolate, join, label
from eec_bias.figures.style import STYLES, finish, new_figure, save, styled, to_svg


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_colours_stand_out_from_their_ground() -> None:
    grounds = [(theme, "#ffffff") for theme in ("light", "print", "page")] + [("dark", "#15181c"), ("page", "#121212")]
    for theme, ground in grounds:
        for colour in (*STYLES[theme].colours, STYLES[theme].finding):
            assert contrast(colour, ground) >= 3, (theme, colour)


def test_groups_differ_by_marker_as_well_as_by_colour() -> None:
    style = STYLES["light"]
    assert len({style.look(i)["marker"] for i in range(12)}) == 12
    assert len({tuple(style.look(i).values()) for i in range(60)}) == 12
    assert len({style.line(i) for i in range(4)}) == 4


def test_labels_are_shortened_visibly_in_letters_that_fonts_have() -> None:
    assert label("a" * 100 + "b" * 100, 10) == "aaaaaa…bbb"
    assert label("short\nand  plain") == "short and plain"
    # A letter of the private use area has no glyph in any font that follows Unicode.
    private = "\U0010fffd"
    assert unicodedata.category(private) == "Co"
    assert label(f"a{private}b") == f"a{OUTSIDE}b"
    assert families("Ἑλένη שרה سارة") == ["DejaVu Sans"]
    assert [isolate("Latino"), isolate("عرب")] == ["Latino", "\u2068عرب\u2069"]
    assert join(["عرب", "female"], limit=20) == "\u2068عرب\u2069 · female"


def test_what_cannot_be_saved_or_drawn_without_matplotlib_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, said in (("a.pdf", r"'a\.pdf' .*\.svg nor \.png"), ("no/a.png", r"cannot write .*no/a\.png: No such")):
        with pytest.raises(OptionError, match=said):
            save(ordinary().plot(), tmp_path / name)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(OptionError, match=r"pip install 'eec-datasets\[plot\]'"):
        ordinary().plot()


def test_text_is_never_read_as_mathematics_or_markup() -> None:
    with styled() as style:
        marked = new_figure(style, 3, 1)
        shown = marked.text(0, 0, label("$x^2$ <b>&</b> $"))
        svg = to_svg(finish(marked, "Title with <b> & $", "caption"))
    assert shown.get_parse_math() is False
    assert 'aria-label="Title with &lt;b&gt; &amp; $. caption"' in svg
    assert "<b>" not in svg


def test_the_text_alternative_of_a_figure_names_40_values() -> None:
    with styled() as style:
        figure = finish(new_figure(style, 3, 1), "Forty", "caption", [f"v{i}" for i in range(43)])
    assert figure.eec_alt.startswith("Forty. v0; v1; ")
    assert figure.eec_alt.endswith("; v39; and 3 more.")
    assert figure._repr_png_().startswith(b"\x89PNG")


def test_a_figure_gives_the_same_bytes_every_time(tmp_path: Path) -> None:
    for name in ("a.svg", "a.png"):
        first = save(ordinary().plot("persons"), tmp_path / name).read_bytes()
        assert save(ordinary().plot("persons"), tmp_path / name, overwrite=True).read_bytes() == first
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.png", "a.svg"]


def test_a_figure_takes_the_place_of_no_file_unasked(tmp_path: Path) -> None:
    (tmp_path / "a.svg").write_text("mine")
    with pytest.raises(OutputError, match=r"a\.svg already exists"):
        save(ordinary().plot("persons"), tmp_path / "a.svg")
    assert (tmp_path / "a.svg").read_text() == "mine"


def test_a_figure_on_a_page_has_its_colour_and_ids_of_its_own() -> None:
    figure = ordinary().plot(theme="page")
    one, two = to_svg(figure, part="s1-"), to_svg(figure, part="s2-")
    assert one.startswith('<svg role="img" aria-label="Gaps with their intervals. race, Latino against Anglo (names) ')
    assert "currentColor" in one
    assert "var(--eec-ground, Canvas)" in one
    ids = [set(re.findall(r'\bid="([^"]+)"', svg)) for svg in (one, two)]
    assert ids[0]
    assert not ids[0] & ids[1]
    used = set(re.findall(r'(?:href="#|url\(#)([^")]+)', one))
    assert used <= ids[0]


def test_a_figure_saved_for_a_page_follows_the_readers_setting(tmp_path: Path) -> None:
    for theme, follows in (("page", True), ("light", False)):
        saved = save(ordinary().plot(theme=theme), tmp_path / f"{theme}.svg").read_text(encoding="utf-8")
        assert "Gaps with their intervals. race, Latino against Anglo (names) " in saved
        for part in ("currentColor", "var(--eec-ground, Canvas)", "prefers-color-scheme:dark"):
            assert (part in saved) == follows
