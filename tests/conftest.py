"""Conditions of every test: it depends neither on where pytest is called nor on the state of the clone."""

import contextlib
import gc
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import browsing
import hypothesis
import pytest
from forking import SELDOM, Forks
from places import ROOT
from snapshots import Snapshot

browser = browsing.browser

# A busy machine is no fault of what is tested.
hypothesis.settings.register_profile("busy", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow])
hypothesis.settings.load_profile("busy")

# As many threads per process as cores would wait for each other where tests run in several processes.
for library in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(library, "1")


WARM = """
import contextlib, io, tempfile
from eec_datasets.cli import main
from eec_datasets.corpora import table
for config in ("en-black-white", "es-anglo-latino"):
    table(config)
with contextlib.suppress(ImportError):
    import matplotlib.backends.backend_svg
with tempfile.TemporaryDirectory() as out, contextlib.redirect_stdout(io.StringIO()) as said:
    with contextlib.redirect_stderr(said):
        main(["audit", "--system", "random:0", "--config", "tr-gender", "--out", out], standalone_mode=False)
"""
"""Code that does what most runs do: it reads, imports and shows the same."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that writes snapshots."""
    parser.addoption("--update-snapshots", action="store_true", help="write the files of tests/snapshots again")


@pytest.fixture
def snapshot(request: pytest.FixtureRequest) -> Snapshot:
    """Texts that stand once, in files."""
    return Snapshot(request.config.getoption("--update-snapshots"))


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The test's own folder, in which it runs."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Any]:
    """An empty store of answers."""
    from eec_datasets.systems.store import Store

    with Store(tmp_path / "answers.db") as found:
        yield found


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this project, built once, by what pip would call for it."""
    backend = pytest.importorskip("hatchling.build", reason="needs hatchling to build the wheel")
    out = tmp_path_factory.mktemp("dist")
    with contextlib.chdir(ROOT):
        return out / str(backend.build_wheel(str(out)))


@pytest.fixture(scope="session")
def forks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Forks]:
    """A Python that has once imported, read and shown what most runs do; it reaches no network."""
    made = Forks(
        tmp_path_factory.mktemp("home"), WARM,
        HF_HUB_OFFLINE="1", MPLBACKEND="agg", PYTHONUTF8="1",
        PATH=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
    )  # fmt: skip
    yield made
    made.close()


@pytest.fixture(scope="session", autouse=True)
def nowhere(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder that no test's own folder lies in, and git seeing no clone around it.

    The temporary folders may lie in the clone (``scripts/test`` puts them there), whose changes are none of theirs.
    """
    folder = tmp_path_factory.mktemp("nowhere")
    # For eec too: the project one stands in ends at the root of its repository.
    (tmp_path_factory.getbasetemp() / ".git").mkdir(exist_ok=True)
    with pytest.MonkeyPatch.context() as patch:
        # What systems have said to whoever runs the tests is theirs.
        patch.setenv("EEC_ANSWERS", str(tmp_path_factory.mktemp("answers") / "answers.db"))
        patch.setenv("GIT_CEILING_DIRECTORIES", str(folder.parent))
        yield folder


@pytest.fixture(autouse=True)
def _called_from_nowhere(nowhere: Path) -> Iterator[None]:
    """Run every test there."""
    with contextlib.chdir(nowhere):
        yield


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Spare the garbage collector what is imported, which stays: it would go through all of it again and again."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(SELDOM)
        gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give tests in a browser a second chance: on a busy machine it loses a key or a file now and then."""
    for item in items:
        if item.get_closest_marker("browser"):
            item.add_marker(pytest.mark.flaky(reruns=2))
