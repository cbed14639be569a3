"""The first screen of a page in a browser: its words, its drawing, a phone, paper, and who cannot see it."""

import re

import pytest
from browsing import barriers, tab
from constructed import PAGES

from eec_datasets.report import html
from eec_datasets.report.page import compose

KINDS = ("one", "many", "turns", "versions", "refusals", "deaf")
MOST_WORDS, MOST_NUMBERS, NARROWEST = 350, 40, 420
SHOWN = """() => {
  const shown = [], texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const node = texts.currentNode, range = document.createRange();
    for (const word of node.textContent.matchAll(/\\S+/g)) {
      range.setStart(node, word.index); range.setEnd(node, word.index + word[0].length);
      const box = range.getBoundingClientRect();
      if (box.width && box.top >= 0 && box.bottom <= innerHeight) shown.push(word[0]);
    }
  }
  return shown;
}"""
DRAWING = """() => ['.plot .in', '.mt tbody tr:first-child .pl', '.wf > div', '.feelings'].map(kind =>
  [...document.querySelectorAll(kind)].map(each => each.getBoundingClientRect()).filter(each => each.width))
  .map(boxes => boxes.filter(each => Math.abs(each.top - boxes[0].top) < 3).reduce((sum, each) => sum + each.width, 0))
"""
ROWS = "() => [...document.querySelectorAll('tr.a .plot, .mt td .pl')].map(each => each.parentElement.offsetHeight)"


@pytest.fixture(params=[(kind, language) for kind in KINDS for language in ("en", "es", "ar")], ids="-".join)
def page(request, tmp_path):
    kind, language = request.param
    path = tmp_path / "report.html"
    path.write_text(html.render(compose(PAGES[kind](), language, command="eec audit")), encoding="utf-8")
    return path.as_uri()


def test_a_first_screen_is_short_and_its_drawing_wide(browser, page):
    with tab(browser, "file:", viewport={"width": 1280, "height": 800}) as shown:
        shown.goto(page)
        words = shown.evaluate(SHOWN)

        assert len([word for word in words if re.search(r"[^\W\d_]", word)]) <= MOST_WORDS
        assert len([word for word in words if re.search(r"\d", word)]) <= MOST_NUMBERS
        assert max(shown.evaluate(DRAWING)) >= NARROWEST


def test_a_phone_shows_each_row_and_nothing_outside(browser, page):
    with tab(browser, "file:", viewport={"width": 390, "height": 844}) as shown:
        shown.goto(page)

        assert shown.evaluate("() => document.documentElement.scrollWidth") == 390
        assert min(shown.evaluate(ROWS), default=19) >= 19


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_page_has_no_barriers(browser, page, scheme):
    with tab(browser, "file:", color_scheme=scheme) as shown:
        shown.goto(page)

        assert barriers(shown) == []


def test_a_page_prints_on_two_sheets_at_most(browser, page):
    with tab(browser, "file:") as shown:
        shown.goto(page)
        sheets = re.findall(rb"/Type\s*/Page[^s]", shown.pdf(prefer_css_page_size=True))

        assert 1 <= len(sheets) <= 2
