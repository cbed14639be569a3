"""The page served as a user serves it, and a browser that can reach nothing else."""

import importlib.util
import random
import sys

import pytest
from serving import free_port, serving, tab


def skip_without_gradio():
    # Looked for, not imported: its import takes seconds and belongs into the server's process.
    if importlib.util.find_spec("gradio") is None:
        pytest.skip("needs the extra app (gradio)")


@pytest.fixture(scope="session")
def address(tmp_path_factory):
    """Serve the page with `eec app`, and return its address."""
    skip_without_gradio()
    port = free_port()
    command = [sys.executable, "-m", "eec_datasets", "app", "--no-browser", "--port", str(port)]
    folder = tmp_path_factory.mktemp("app")
    with serving(command, folder, port) as found:
        yield found
    left = [path for path in (folder / "tmp").rglob("*") if path.is_file() and "matplotlib" not in str(path)]
    assert left == [], "left behind after SIGTERM"


@pytest.fixture(scope="module")
def window(browser):
    """A window whose tabs share their cache, as a browser loads slowly the first time only."""
    skip_without_gradio()
    found = browser.new_context(viewport={"width": 1000, "height": 800})
    yield found
    found.close()


@pytest.fixture
def page(address, window):
    """The page, ready for use."""
    with tab(window) as found:
        found.goto(address)
        found.wait_for_selector(".eec-facts")
        yield found


@pytest.fixture(scope="session")
def ids():
    from eec_datasets.corpora import table

    found: list[str] = table("en-black-white").column("id").to_pylist()
    return found


@pytest.fixture(scope="session")
def scores(ids):
    """Scores with four decimals, in the order of the corpus."""
    numbers = random.Random(2018)
    return [round(numbers.uniform(0.1, 0.9), 4) for _ in ids]
