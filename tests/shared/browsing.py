"""A browser that reaches nothing but this machine, and tabs that must ask for nothing else and complain of nothing."""

import contextlib
import shutil
from collections.abc import Iterator
from typing import Any

import pytest

CHROMIUM = "/usr/bin/chromium"
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--force-device-scale-factor=1", "--hide-scrollbars", "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
)  # fmt: skip


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """One browser at a time, where there is one: a second playwright beside it in the process would refuse to start."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="needs the extra dev (playwright)")
    if not shutil.which(CHROMIUM):
        pytest.skip(f"needs a browser at {CHROMIUM}; on Debian: apt-get install chromium")
    with sync_api.sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        yield found
        found.close()


@contextlib.contextmanager
def tab(owner: Any, *allowed: str, console: bool = True, **options: Any) -> Iterator[Any]:
    """Open a tab; unless the block fails, it must have been quiet.

    Parameters
    ----------
    owner
        A browser, or one of its contexts.
    *allowed
        How the addresses begin that may be asked for.
    console
        Whether what stands in the console counts as a complaint, beside errors.
    **options
        Of the browser's ``new_page``.
    """
    page = owner.new_page(**options)
    page.set_default_timeout(120_000)
    asked: list[str] = []
    said: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: said.append(str(error)))
    if console:
        page.on("console", lambda message: said.append(message.text))
    try:
        yield page
    finally:
        page.close()
    assert [url for url in asked if not url.startswith(allowed)] == []
    assert said == []


def barriers(page: Any, **options: Any) -> list[str]:
    """Return the serious and critical barriers that axe-core finds on a page."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python").Axe()
    # Of what passes axe would write out every element.
    found = axe.run(page, options={"resultTypes": ["violations"], **options}).response["violations"]
    serious = [one for one in found if one["impact"] in ("serious", "critical")]
    return [f"{one['id']}: {node['html'][:200]}" for one in serious for node in one["nodes"]]
