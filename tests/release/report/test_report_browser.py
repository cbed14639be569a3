"""Reports in a browser that reaches nothing: silent, accessible, and laid out as they should be."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from browsing import barriers, tab
from documents import document, outcome, result, term
from smaller import smaller

from eec_datasets.audit.report import page
from eec_datasets.audit.report.document import from_content
from eec_datasets.audit.saving import content
from eec_datasets.systems.corpus import open_corpus

LAYOUT, CELLS = (Path(__file__).with_name(name).read_text(encoding="utf-8") for name in ("layout.js", "cells.js"))


ENGLISH = ("en-black-white", "en-anglo-latino", "en-anglo-arab")
ALL = (*ENGLISH, "es-anglo-latino", "ar-anglo-arab")
DEFAULT = {"random:0": ENGLISH, "random:1": ENGLISH, "biased:female": ALL, "noisy:female": ALL}
"""As `eec audit` without options, whose lexicons may not be installed; of the same size."""

pytestmark = pytest.mark.browser
Show = Callable[..., Any]


@pytest.fixture(scope="module")
def pages(english, real, tmp_path_factory) -> dict[str, Path]:
    """Reports as files."""
    folder = tmp_path_factory.mktemp("a report")
    # Twelve systems, so that sections are folded and can be filtered.
    few = cache(smaller(open_corpus))
    default = [outcome(spec, config, few) for spec, configs in DEFAULT.items() for config in configs]
    twelve = [term(system=f"team{s:02d}", effect=(s - 6) / 100, p_adjusted=0.01 if s % 3 else 0.5) for s in range(12)]
    several = document(result(*twelve))
    long = dict.fromkeys(("system", "axes", "term", "level", "reference", "note"), "a" * 200)
    broad = [term(system=s, term=f"axis{i:02d}", axes=f"axis{i:02d}") for s in "ab" for i in range(50)]
    levels = [term(system=s, level=level, effect=0.0123) for s in "abc" for level in ("neutral", "unmarked gender")]
    texts = {
        "one": page.render(english),
        "both": page.render(real),
        "arabic": page.render(replace(real, entries=real.entries[1:], corpora=real.corpora[1:]), language="ar"),
        "default": page.render(from_content(content(default), "result.json", "result")),
        "several": page.render(several),
        "everything": page.render(replace(english, entries=[*english.entries, *several.entries])),
        "long": page.render(document(result(term(**long)))),
        "broad": page.render(document(result(*broad))),
        "levels": page.render(document(result(*levels))),
    }
    for name, text in texts.items():
        (folder / f"{name}.html").write_text(text, encoding="utf-8")
    return {name: folder / f"{name}.html" for name in texts}


@pytest.fixture
def show(browser: Any, pages: dict[str, Path]) -> Iterator[Show]:
    """Show reports by name in one tab, which must ask for nothing but them and complain of nothing."""
    with tab(browser, *(path.as_uri() for path in pages.values())) as shown:

        def to(name: str, *, width: int = 1000, scheme: str = "light", media: str = "screen") -> Any:
            shown.set_viewport_size({"width": width, "height": 900})
            shown.emulate_media(media=media, color_scheme=scheme)
            shown.goto(pages[name].as_uri())
            return shown

        yield to


def test_no_serious_violation_no_request_no_complaint(show):
    for name in ("arabic", "everything"):
        tab = show(name)
        tab.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
        assert barriers(tab) == [], name
    # Languages share their colours.
    for colours in ({"color_scheme": "dark"}, {"media": "print"}):
        tab.emulate_media(**colours)
        assert barriers(tab, runOnly=["color-contrast"]) == []


def test_no_window_is_scrolled_sideways_for_effects(show):
    for name, tables in {"one": 0, "both": 1, "arabic": 1, "several": 0, "long": 0, "broad": 0, "levels": 0}.items():
        tab = show(name)
        for width in (1000, 360, 390):
            tab.set_viewport_size({"width": width, "height": 900})
            assert tab.evaluate("document.documentElement.scrollWidth") == width, name
            pictures = tab.locator(".picture .scroll").evaluate_all(
                "boxes => boxes.map(b => b.scrollWidth - b.clientWidth)"
            )
            assert not any(pictures), (name, width)
        boxes = tab.locator(".picture .scroll, .scroll:has(> .effects)")
        inside = boxes.evaluate_all("boxes => boxes.map(box => [box.scrollWidth, box.clientWidth])")
        assert len(inside) >= tables
        assert not tables or all(needed <= room for needed, room in inside), name


def test_answers_stay_in_their_cells_beside_a_drawing_that_can_be_read(show):
    # Paper is 690 pixels wide within its margins.
    for name, media, width in product(("default", "arabic"), ("screen", "print"), (690, 1000)):
        cells = show(name, width=width, media=media).evaluate(CELLS)
        assert len(cells) >= 4
        assert [cell for cell in cells if cell["outside"] > 1] == [], (name, media, width)
        assert min(cell["drawing"] for cell in cells) > 45, (name, media, width)
        assert all(abs(cell["scale"] - cell["drawing"]) <= 1 for cell in cells), (name, media, width)


def test_the_ends_of_a_scale_of_names_stay_in_their_column(show):
    tab = show("arabic")
    tab.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
    outside = tab.locator(".means .ends span").evaluate_all(
        """spans => spans.map(s => [s.getBoundingClientRect(), s.closest('th').getBoundingClientRect()])
        .map(([own, cell]) => Math.max(cell.left - own.left, own.right - cell.right))"""
    )
    assert outside
    assert max(outside) <= 0


def test_the_first_screen_of_one_system_holds_all_that_it_has_to_say(show):
    bottoms = show("one", width=1280).evaluate(
        "[...document.querySelectorAll('h1, .first .about, .drawn tr, .key, .limits')]"
        ".map(e => e.getBoundingClientRect().bottom)"
    )
    assert len(bottoms) >= 8
    assert max(bottoms) <= 800


def test_the_first_screen_of_several_holds_the_finding_and_its_picture(show):
    bottoms = show("default", width=1280).evaluate(
        "[...document.querySelectorAll('h1, .intro, .card:first-of-type')].map(e => e.getBoundingClientRect().bottom)"
    )
    assert max(bottoms) <= 800


def test_the_part_for_everybody_is_two_printed_pages(show):
    tab = show("one", width=690, media="print")
    high = tab.evaluate("document.querySelector('#analyst').getBoundingClientRect().top")
    # Of A4 within its margins.
    assert high <= 2 * 1016


def test_systems_are_filtered_sorted_and_linked(show):
    tab = show("several")
    search, sort = tab.get_by_role("searchbox"), tab.locator("table.sorts thead button").nth(1)
    assert tab.locator("output").inner_text() == "12"
    search.fill("TEAM1")
    assert tab.locator("output").inner_text() == "2"
    assert tab.locator("table.sorts tbody tr:visible").count() == 2
    assert tab.locator("details.system:visible").count() == 2
    search.fill("")
    sort.click()
    names = tab.locator("table.sorts tbody th").all_inner_texts()
    assert names == [f"team{s:02d}" for s in reversed(range(12))]
    sort.click()
    link = tab.locator("table.sorts tbody a").first
    assert link.inner_text() == "team00"
    assert tab.locator(link.get_attribute("href")).get_attribute("data-system") == "team00"


LIGHT = ("rgb(255, 255, 255)", "rgb(29, 39, 51)")
DARK = ("rgb(20, 25, 31)", "rgb(228, 233, 238)")
PAPER = ("rgb(255, 255, 255)", "rgb(0, 0, 0)")
VIEWS: dict[str, tuple[str, int, tuple[str, str], dict[str, str]]] = {
    "light": ("one", 900, LIGHT, {}),
    "dark": ("one", 900, DARK, {"scheme": "dark"}),
    "print": ("one", 700, PAPER, {"media": "print"}),
    "narrow": ("one", 360, LIGHT, {}),
    "arabic": ("arabic", 900, LIGHT, {}),
}
ORDER = ["h1", "tested", "picture", "limits", "pairs", "comparisons", "analyst"]


def test_the_page_is_laid_out_from_top_to_bottom_in_its_colours(show):
    for name, (shown, width, (ground, ink), options) in VIEWS.items():
        direction = "rtl" if name == "arabic" else "ltr"
        tab = show(shown, width=width, **options)
        seen = tab.evaluate(LAYOUT)
        # What is folded stays so, on paper too.
        assert not tab.locator("details:not([open]) table").first.is_visible()
        # What is drawn takes the page's ink.
        colours = (seen["ground"], seen["ink"], seen["ink_of_picture"], seen["direction"])
        assert colours == (ground, ink, ink, direction), name
        assert seen["order"] == [part for part in ORDER if not (name == "print" and part == "analyst")]
        if name == "narrow":
            assert seen["tops"] == sorted(set(seen["tops"])), name
        left, right = seen["picture"]
        assert 0 <= left < right <= seen["window"], name
        assert right - left > 0.5 * seen["window"], name
        left, right = seen["heading"]
        assert (seen["window"] - right if direction == "rtl" else left) < 50, name
