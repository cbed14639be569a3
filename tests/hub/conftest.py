"""One loopback Hub and one user for all tests; each test begins with an empty Hub and fresh locales."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from desk import Desk, small_locales
from loopback import Hub


@pytest.fixture(scope="session")
def shared_desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    home = tmp_path_factory.mktemp("home")
    with Hub() as hub:
        made = Desk(hub, home, home)
        yield made
        made.close()
        connections = made.connections.read_text() if made.connections.exists() else ""
        assert not connections, f"connections outside loopback were attempted: {connections}"


@pytest.fixture(scope="session")
def locales(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("small") / "locales"
    small_locales(folder)
    return folder


@pytest.fixture
def desk(shared_desk: Desk, locales: Path, tmp_path: Path) -> Desk:
    shared_desk.hub.reset()
    shared_desk.folder = tmp_path
    shutil.copytree(locales, shared_desk.locales)
    return shared_desk


@pytest.fixture
def hub(desk: Desk) -> Hub:
    return desk.hub
