"""Reports in a browser: silent, accessible, and looking as they did when somebody last looked at them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import making
import pytest
from browsing import barriers
from looking import LAYOUT, NEAR, REFERENCE, apart, opened

from eec_datasets.audit.report import document as page_saved
from eec_datasets.audit.report import page
from eec_datasets.audit.report.document import Document

pytestmark = pytest.mark.browser
Save = Callable[[str, str], Path]


@pytest.fixture(scope="module")
def save(tmp_path_factory: pytest.TempPathFactory) -> Save:
    def to(name: str, html: str) -> Path:
        path = tmp_path_factory.mktemp("a report") / f"{name}.html"
        path.write_text(html, encoding="utf-8")
        return path

    return to


@pytest.fixture(scope="module")
def one(english: Document, save: Save) -> Path:
    return save("one", page.render(english))


@pytest.fixture(scope="module")
def arabic(real: Document, save: Save) -> Path:
    """The Arabic corpus, in Arabic."""
    halves = Document(real.results[1:], real.corpora[1:], real.made, real.command)
    return save("arabic", page.render(halves, language="ar"))


@pytest.fixture(scope="module")
def several(save: Save) -> Path:
    """Twelve systems, so that sections are folded and can be filtered."""
    rows = [
        making.term(system=f"team{s:02d}", effect=(s - 6) / 100, p_adjusted=0.01 if s % 3 else 0.5) for s in range(12)
    ]
    return save("several", page.render(page_saved.document(making.result(*rows), "several.json", "several")))


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["one", "arabic", "several"])
def test_no_serious_violation_no_request_no_complaint(
    browser: Any, name: str, scheme: str, request: pytest.FixtureRequest
) -> None:
    with opened(browser, request.getfixturevalue(name), scheme=scheme) as tab:
        tab.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
        assert barriers(tab) == []


@pytest.mark.parametrize("name", ["one", "arabic", "several"])
def test_a_telephone_never_has_to_scroll_sideways(browser: Any, name: str, request: pytest.FixtureRequest) -> None:
    with opened(browser, request.getfixturevalue(name), width=360) as tab:
        assert tab.evaluate("document.documentElement.scrollWidth") == 360


def test_labels_of_200_letters_fit_the_window(browser: Any, save: Save) -> None:
    long = "a" * 200
    rows = [making.term(system=long, axes="x", term="x", level=long, reference=long, note=long)]
    path = save("long", page.render(page_saved.document(making.result(*rows), "long.json", long)))
    for width in (360, 1000):
        with opened(browser, path, width=width) as tab:
            assert tab.evaluate("document.documentElement.scrollWidth") == width


def test_a_table_of_fifty_columns_is_moved_through_in_its_place(browser: Any, save: Save) -> None:
    rows = [making.term(system=s, term=f"axis{i:02d}", axes=f"axis{i:02d}") for s in "ab" for i in range(50)]
    path = save("broad", page.render(page_saved.document(making.result(*rows), "broad.json", "broad"), figures=False))
    for width in (360, 1000):
        with opened(browser, path, width=width) as tab:
            assert tab.evaluate("document.documentElement.scrollWidth") == width


def test_paper_shows_what_is_folded(browser: Any, one: Path) -> None:
    with opened(browser, one, media="print") as tab:
        folded = tab.locator("details:not([open]) table").first
        assert folded.is_visible()
        assert not tab.locator("nav").is_visible()


def test_systems_are_filtered_by_name_and_sorted_by_a_column(browser: Any, several: Path) -> None:
    with opened(browser, several) as tab:
        assert tab.locator("output").inner_text() == "12"
        tab.get_by_role("searchbox").fill("TEAM1")
        assert tab.locator("output").inner_text() == "2"
        assert tab.locator("table.sorts tbody tr:visible").count() == 2
        assert tab.locator("details.system:visible").count() == 2
        tab.get_by_role("searchbox").fill("")
        tab.locator("table.sorts thead button").nth(1).click()
        names = tab.locator("table.sorts tbody th").all_inner_texts()
        assert names == [f"team{s:02d}" for s in reversed(range(12))]
        tab.locator("table.sorts thead button").nth(1).click()
        assert tab.locator("table.sorts tbody th").first.inner_text() == "team00"


def test_a_link_leads_to_the_section_of_its_system(browser: Any, several: Path) -> None:
    with opened(browser, several) as tab:
        href = tab.locator("table.sorts tbody a").first.get_attribute("href")
        assert tab.locator(href).get_attribute("data-system") == tab.locator("table.sorts tbody a").first.inner_text()


@dataclass(frozen=True)
class View:
    """One way to look at a page, and what must be so in it."""

    page: str
    width: int
    ground: str
    ink: str
    scheme: str = "light"
    media: str = "screen"
    direction: str = "ltr"
    slim: bool = False


LIGHT = ("rgb(255, 255, 255)", "rgb(29, 39, 51)")
DARK = ("rgb(20, 25, 31)", "rgb(228, 233, 238)")
PAPER = ("rgb(255, 255, 255)", "rgb(0, 0, 0)")
VIEWS = {
    "light": View("one", 900, *LIGHT),
    "dark": View("one", 900, *DARK, scheme="dark"),
    "print": View("one", 700, *PAPER, media="print"),
    "narrow": View("one", 360, *LIGHT, slim=True),
    "arabic": View("arabic", 900, *LIGHT, direction="rtl"),
}
ORDER = ["h1", "nav", "findings", "sentence", "table", "figure", "warnings", "method", "reproduce"]


@pytest.fixture(params=VIEWS)
def view(request: pytest.FixtureRequest, browser: Any) -> Iterator[tuple[str, View, Any]]:
    """A page opened in one of the ways."""
    chosen = VIEWS[request.param]
    path = request.getfixturevalue(chosen.page)
    with opened(browser, path, width=chosen.width, scheme=chosen.scheme, media=chosen.media) as tab:
        yield request.param, chosen, tab


def test_the_page_is_laid_out_from_top_to_bottom_in_its_colours(view: tuple[str, View, Any]) -> None:
    name, chosen, tab = view
    seen = tab.evaluate(LAYOUT)
    assert (seen["ground"], seen["ink"], seen["direction"]) == (chosen.ground, chosen.ink, chosen.direction)
    # What is drawn takes the page's ink, and there is one picture for each width of window.
    assert (seen["ink_of_picture"], seen["slim"]) == (chosen.ink, chosen.slim)
    assert seen["order"] == [part for part in ORDER if not (name == "print" and part == "nav")]
    assert seen["tops"] == sorted(set(seen["tops"]))
    left, right = seen["picture"]
    assert 0 <= left < right <= seen["window"]
    assert right - left > 0.6 * seen["window"]
    left, right = seen["heading"]
    assert (seen["window"] - right if chosen.direction == "rtl" else left) < 50


def test_the_page_looks_as_it_did(view: tuple[str, View, Any], tmp_path: Path) -> None:
    name, chosen, tab = view
    picture = tab.screenshot(clip={"x": 0, "y": 0, "width": chosen.width, "height": 1100}, full_page=True)
    (tmp_path / f"{name}.png").write_bytes(picture)
    distance = apart(picture, name)
    assert distance < NEAR, f"{distance:.1f} from tests/report/reference/{name}.png; now: {tmp_path / name}.png"


def test_a_page_in_the_wrong_colours_is_told_from_its_picture() -> None:
    pytest.importorskip("PIL", reason="needs Pillow, which comes with matplotlib")
    for name in set(VIEWS) - {"dark"}:
        assert apart(REFERENCE / f"{name}.png", "dark") > 4 * NEAR


def test_the_means_of_all_persons_are_in_sight_beside_the_effects_where_there_are_few(
    browser: Any, one: Path, arabic: Path, real: Document, save: Save
) -> None:
    for path in (one, arabic, save("both", page.render(real))):
        with opened(browser, path) as tab:
            shown = tab.locator("figure:visible svg:visible")
            labels = [shown.nth(i).get_attribute("aria-label") for i in range(shown.count())]
            kinds = [label.partition(".")[0] for label in labels]
            assert kinds[:2] == ["Effects with their intervals", "Mean score of every person by group"]
            # Two corpora: two pictures of persons; the rest is folded. One: everything is open.
            assert len(kinds) == (3 if path.stem == "both" else 4)
            assert tab.locator(".pair:visible").count() == (0 if path.stem == "both" else tab.locator(".pair").count())
