"""The page in a Space: the thin files of the metric in a folder of any name, with the corpora on a Hub."""

import shutil
import sys
import urllib.request
from importlib.util import find_spec

import pytest
from loopback import Hub
from places import ROOT
from serving import free_port, serving, tab

from eec_datasets import release

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(find_spec("gradio") is None, reason="needs the extra app (gradio)"),
]

THIN = ("eec_bias.py", "app.py", "README.md", "requirements.txt")


@pytest.fixture(scope="module")
def hub(tmp_path_factory):
    folder = tmp_path_factory.mktemp("release") / "eec"
    release.build(folder, configs=["en-black-white", "es-anglo-latino"])
    files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    with Hub() as found:
        repo = found.create("org/eec", files=files)
        repo.tags["v1.0.0"] = repo.head
        yield found


def space(folder, hub, **named):
    """Run ``app.py`` as a Space does: the thin files alone, in a folder that is on the path."""
    here = folder / "home user" / "app"
    here.mkdir(parents=True)
    for name in THIN:
        shutil.copy(ROOT / "metrics" / "eec_bias" / name, here)
    port = free_port()
    settings = {
        "HF_ENDPOINT": hub.url,
        "GRADIO_SERVER_PORT": str(port),
        "HF_HUB_DISABLE_XET": "1",
    }
    return serving([sys.executable, "app.py"], here, port, **settings | named)


def test_a_space_takes_the_release_that_is_named(window, hub, tmp_path):
    with space(tmp_path, hub, EEC_DATASET="org/eec", EEC_REVISION="v1.0.0") as address, tab(window) as page:
        page.goto(address)
        page.wait_for_selector(".eec-facts")
        assert page.get_by_text("The corpora come from the dataset org/eec at v1.0.0, release 1.0.0.").count() == 1
        page.get_by_role("button", name="Example: scores that favour a group").click()
        page.wait_for_selector("#eec-result")
        assert "|data:en-black-white@1.0.0#" in page.locator("#eec-answer code").inner_text()


def test_a_space_without_corpora_says_why_there_are_none(hub, tmp_path):
    with (
        space(tmp_path, hub, EEC_DATASET="nobody/eec") as address,
        urllib.request.urlopen(f"{address}config") as answer,
    ):
        assert "nobody/eec has no manifest.json that can be read" in answer.read().decode()
