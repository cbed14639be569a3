"""The documentation as a site: complete, readable without a network, by everybody, on any window."""

import contextlib
import importlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from browsing import barriers, tab
from places import ROOT

LOADING = {"script": "src", "link": "href", "img": "src", "iframe": "src", "source": "src", "object": "data"}
"""Elements that load something, and the attribute that says what."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built as ./scripts/docs builds it; a warning of Sphinx fails the build."""
    for module in ("sphinx", "furo", "myst_parser", "sphinx_copybutton"):
        pytest.importorskip(module, reason="needs the extra docs")
    out = tmp_path_factory.mktemp("a build")
    done = subprocess.run(
        [sys.executable, ROOT / "docs" / "pages.py", out], capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return out / "site"


def pages(site: Path) -> list[Path]:
    return sorted(site.rglob("*.html"))


class Assets(HTMLParser):
    """The files that a page loads by itself, and the ids and links in it."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag in LOADING and given.get("rel") != "canonical":
            self.loads.append(given.get(LOADING[tag]) or "")
        if given.get("id"):
            self.ids.add(given["id"] or "")
        if tag == "a":
            self.links.append(given.get("href") or "")


def test_no_page_loads_anything_from_elsewhere(site: Path) -> None:
    for page in pages(site):
        for target in Assets(page).loads:
            assert not re.match(r"(?:https?:)?//", target), (page, target)
    for sheet in site.rglob("*.css"):
        text = sheet.read_text(encoding="utf-8")
        assert re.findall(r"(?:url\(|@import )[\"']?(?:https?:)?//[^)]*", text) == [], sheet


def test_every_link_within_the_site_leads_somewhere(site: Path) -> None:
    """Sphinx looks at links in Markdown; these are all, those of generated parts included."""
    read = {page.resolve(): Assets(page) for page in pages(site)}
    for page, found in read.items():
        for link in found.links:
            path, _, anchor = link.partition("#")
            if "://" in path or path.startswith(("mailto:", "data:")):
                continue
            goal = (page.parent / path).resolve() if path else page
            assert goal.exists(), (page.name, link)
            assert not anchor or goal not in read or anchor in read[goal].ids, (page.name, link)


def test_pages_are_small(site: Path) -> None:
    sizes = {path.relative_to(site).as_posix(): path.stat().st_size for path in site.rglob("*") if path.is_file()}
    assert max(size for name, size in sizes.items() if name.endswith(".html")) < 500_000
    assert sum(sizes.values()) < 4_000_000


@pytest.mark.parametrize("package", ["eec_datasets", "eec_bias"])
def test_the_reference_has_every_public_name(package: str, site: Path) -> None:
    text = (site / "api" / f"{package}.html").read_text(encoding="utf-8")
    described = set(re.findall(rf'id="(?:module-)?{package}\.(\w+)"', text))
    public = {name for name in importlib.import_module(package).__all__ if not name.startswith("__")}
    assert described == public
    assert re.findall(r":raises|Built-in|str\(object", text) == [], "a docstring was not read, or is that of a type"


def test_the_reference_has_every_command(site: Path) -> None:
    from eec_datasets.cli import COMMANDS

    text = (site / "cli.html").read_text(encoding="utf-8")
    assert [name for name in COMMANDS if f'<section id="eec-{name}">' not in text] == []
    assert '<section id="eec-locale-check">' in text


def test_contributing_leads_to_its_pages(site: Path) -> None:
    guide = (site / "contributing.html").read_text(encoding="utf-8")
    assert 'href="talking-about-groups.html"' in guide
    assert 'href="contributing/words-and-names.html"' in guide


def test_a_block_that_changes_a_file_names_it(site: Path) -> None:
    page = (site / "contributing" / "words-and-names.html").read_text(encoding="utf-8")
    assert "the same number of names for each race" in page
    assert '<span class="caption-text">locales/fr/words.csv</span>' in page


def test_pages_of_other_files_are_those_files(site: Path) -> None:
    """Files outside docs/ have pages too."""
    assert "Who has read it" in (site / "data-sheet.html").read_text(encoding="utf-8")
    assert 'src="' in (site / "index.html").read_text(encoding="utf-8")


def test_the_script_says_what_it_does_before_it_makes_anything(tmp_path: Path) -> None:
    (tmp_path / "scripts").mkdir()
    for name in ("docs", "venv.sh"):
        shutil.copy(ROOT / "scripts" / name, tmp_path / "scripts" / name)
    assert os.access(tmp_path / "scripts" / "docs", os.X_OK)
    done = subprocess.run(
        [tmp_path / "scripts" / "docs", "all"], capture_output=True, text=True, check=False, timeout=30
    )
    assert done.returncode == 2
    assert done.stderr.splitlines()[1:] == ["scripts/docs"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["scripts"]


@contextlib.contextmanager
def opened(browser: Any, *paths: Path, width: int = 1300, console: bool = True) -> Iterator[Any]:
    """Open pages as files, one after the other in one tab, and stay on the last."""
    viewport = {"width": width, "height": 900}
    with tab(browser, "file:", "data:", "blob:", console=console, viewport=viewport) as page:
        page.emulate_media(color_scheme="light", reduced_motion="reduce")
        for path in paths:
            page.goto(path.as_uri())
        yield page


@pytest.mark.browser
@pytest.mark.parametrize("name", ["index", "tutorial", "api/eec_datasets"])
def test_a_page_has_no_serious_barrier(browser: Any, site: Path, name: str) -> None:
    with opened(browser, site / f"{name}.html") as page:
        # Without preload: axe would fetch the style sheets, which pages opened as files may not.
        assert barriers(page, preload=False) == []
        page.emulate_media(color_scheme="dark")
        assert barriers(page, preload=False, runOnly=["color-contrast"]) == []


@pytest.mark.browser
def test_a_telephone_never_has_to_scroll_sideways(browser: Any, site: Path) -> None:
    with opened(browser, width=360) as page:
        for path in pages(site):
            page.goto(path.as_uri(), wait_until="domcontentloaded")
            assert page.evaluate("document.documentElement.scrollWidth") == 360, path


@pytest.mark.browser
@pytest.mark.parametrize("width", [360, 1200])
def test_what_the_keyboard_reaches_is_on_the_window(browser: Any, site: Path, width: int) -> None:
    """The menu and the contents lie beside a narrow window until someone comes to them."""
    seen = "(({left, right}) => left >= 0 && right <= innerWidth)(document.activeElement.getBoundingClientRect())"
    hidden = f"document.activeElement.closest('.sidebar-drawer, .toc-drawer') != null && !{seen}"
    with opened(browser, site / "corpora.html", width=width) as page:
        drawers = page.locator(".sidebar-drawer a, .sidebar-drawer input, .toc-drawer a")
        for _ in range(drawers.count() + 40):
            page.keyboard.press("Tab")
            if page.evaluate(hidden):
                page.wait_for_function(seen, timeout=5_000)


@pytest.mark.browser
def test_the_search_finds_without_a_server(browser: Any, site: Path) -> None:
    with opened(browser, site / "api" / "eec_bias.html") as page:
        page.locator("input.sidebar-search").fill("Satterthwaite")
        page.keyboard.press("Enter")
        found = page.locator("#search-results li a")
        found.first.wait_for()
        assert "statistics.html" in " ".join(link.get_attribute("href") for link in found.all())


@pytest.mark.browser
def test_the_reader_chooses_light_or_dark(browser: Any, site: Path) -> None:
    with opened(browser, site / "index.html", console=False) as page:  # furo reports every choice there
        ground = "getComputedStyle(document.body).backgroundColor"
        before = page.evaluate(ground)
        for scheme in ("dark", "light"):  # before the first click it is that of the machine
            page.locator(".theme-toggle:visible").click()
            assert page.locator("body").get_attribute("data-theme") == scheme
            assert (page.evaluate(ground) != before) == (scheme == "dark")
