"""The page served as a user serves it, and a browser that can reach nothing else."""

import importlib.util
import random
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from serving import free_port, serving, tab


def skip_without_gradio() -> None:
    # Looked for, not imported: its import takes seconds and belongs into the server's process.
    if importlib.util.find_spec("gradio") is None:
        pytest.skip("needs the extra app (gradio)")


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where `eec app` serves the page."""
    skip_without_gradio()
    port = free_port()
    command = [sys.executable, "-m", "eec_datasets", "app", "--no-browser", "--port", str(port)]
    folder = tmp_path_factory.mktemp("app")
    with serving(command, folder, port) as found:
        yield found
    left = [path for path in (folder / "tmp").rglob("*") if path.is_file() and "matplotlib" not in str(path)]
    assert left == [], "left behind after SIGTERM"


@pytest.fixture(scope="module")
def window(browser: Any) -> Iterator[Any]:
    """A window whose tabs share their cache, as a browser loads slowly the first time only."""
    skip_without_gradio()
    found = browser.new_context(viewport={"width": 1000, "height": 800})
    yield found
    found.close()


@pytest.fixture
def page(address: str, window: Any) -> Iterator[Any]:
    """The page, ready for use."""
    with tab(window) as found:
        found.goto(address)
        found.wait_for_selector(".eec-facts")
        yield found


@pytest.fixture(scope="session")
def ids() -> list[str]:
    from eec_datasets.corpora import table

    found: list[str] = table("en-black-white").column("id").to_pylist()
    return found


@pytest.fixture(scope="session")
def scores(ids: list[str]) -> list[float]:
    """Scores with four decimals, in the order of the corpus."""
    numbers = random.Random(2018)
    return [round(numbers.uniform(0.1, 0.9), 4) for _ in ids]
