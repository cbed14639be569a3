"""A folder with what the commands read, made once."""

import shutil
from pathlib import Path

import pytest
from languages import few, languages
from outputs import prepare


@pytest.fixture(scope="session")
def locales(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Languages with few sentences or names."""
    folder = few(tmp_path_factory.mktemp("few") / "locales", "hi", "tr")
    languages(folder, "en")
    (folder / "en" / "names.csv").unlink()
    return folder


@pytest.fixture(scope="session")
def ready(locales: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("ready")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("EEC_LOCALES", str(locales))
        prepare(folder)
    return folder


@pytest.fixture
def desk(ready: Path, locales: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of it to stand in."""
    folder = tmp_path / "desk"
    shutil.copytree(ready, folder)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("EEC_LOCALES", str(locales))
    return folder
