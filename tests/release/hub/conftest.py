"""One loopback Hub and one user for all tests; each test begins with an empty Hub and fresh locales."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from desk import Desk
from loopback import Hub


@pytest.fixture(scope="session")
def shared_desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    with Hub() as hub:
        made = Desk(hub, tmp_path_factory.mktemp("home"))
        yield made
        made.forks.close()


@pytest.fixture
def desk(shared_desk: Desk, tmp_path: Path) -> Desk:
    shared_desk.folder = tmp_path
    shared_desk.begin()
    return shared_desk


@pytest.fixture
def hub(desk: Desk) -> Hub:
    return desk.hub
