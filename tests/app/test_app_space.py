"""The page in a Space: the metric's folder alone, under another name, with the corpora on a Hub."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from serving import ROOT, free_port, serving, tab

from eec_datasets import release

sys.path.insert(0, str(ROOT / "tests" / "hub"))
from loopback import Hub

pytestmark = pytest.mark.browser

RUN = """
import sys
sys.modules["eec_datasets"] = None
sys.path.insert(0, ".")
import runpy
runpy.run_path("app.py", run_name="__main__")
"""


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hub]:
    folder = tmp_path_factory.mktemp("release") / "eec"
    release.build(folder, configs=["en-black-white", "es-anglo-latino"])
    files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    with Hub() as found:
        repo = found.create("org/eec", files=files)
        repo.tags |= {"v0.9.0": repo.head, "v1.0.0": repo.head, "v1.0.0-draft": repo.head}
        yield found


def space(folder: Path, hub: Hub, owner: str) -> Any:
    """Serve a copy of the folder as the Hub does, on a Python that has no `eec_datasets`."""
    here = folder / "home user" / "app"
    shutil.copytree(ROOT / "metrics" / "eec_bias", here, ignore=shutil.ignore_patterns("__pycache__"))
    port = free_port()
    named = {
        "HF_ENDPOINT": hub.url,
        "SPACE_ID": f"{owner}/eec_bias",
        "GRADIO_SERVER_PORT": str(port),
        "HF_HUB_DISABLE_XET": "1",
        "HF_UPDATE_DOWNLOAD_COUNTS": "0",
    }
    return serving([sys.executable, "-c", RUN], here, port, **named)


def test_a_space_takes_the_newest_release_of_its_owner(window: Any, hub: Hub, tmp_path: Path) -> None:
    with space(tmp_path, hub, "org") as address, tab(window) as page:
        page.goto(address)
        page.wait_for_selector(".eec-facts")
        assert page.get_by_text("The corpora are release 1.0.0 of the dataset org/eec at v1.0.0.").count() == 1
        page.get_by_role("button", name="Example: scores that favour a group").click()
        page.wait_for_selector("#eec-result")
        assert "|data:en-black-white@1.0.0#" in page.locator("#eec-answer code").inner_text()


def test_a_space_without_a_release_says_so_on_its_page(window: Any, hub: Hub, tmp_path: Path) -> None:
    with space(tmp_path, hub, "nobody") as address, tab(window) as page:
        page.goto(address)
        page.wait_for_selector("#eec-problem")
        assert (
            page.locator("#eec-problem").inner_text().startswith("the dataset nobody/eec cannot be had from the Hub (")
        )
        assert page.get_by_role("button", name="Measure").count() == 0
