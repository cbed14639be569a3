"""A folder with what the commands read, made once."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from outputs import prepare


@pytest.fixture(scope="session")
def ready(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("ready")
    prepare(folder)
    return folder


@pytest.fixture
def desk(ready: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of it to stand in."""
    folder = tmp_path / "desk"
    shutil.copytree(ready, folder)
    monkeypatch.chdir(folder)
    return folder
