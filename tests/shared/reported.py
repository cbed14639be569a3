"""A real result, as an audit saves it, and a way to write files of results."""

import json
from pathlib import Path
from typing import Any

import pytest
from documents import outcome

from eec_datasets.audit import saving

Row = dict[str, Any]


@pytest.fixture(scope="session")
def outcomes():
    """One system on an English and an Arabic corpus."""
    return [outcome("noisy:female", name) for name in ("en-black-white", "ar-anglo-arab")]


@pytest.fixture(scope="session")
def saved(outcomes):
    """What an audit saves of it, read back from JSON."""
    content: Row = json.loads(saving.to_json(saving.content(outcomes, None, "eec audit --system noisy:female")))
    return content


@pytest.fixture
def write(tmp_path):
    """Write a file of the name, as JSON unless it is text."""

    def to(name: str, content: Any) -> Path:
        path = tmp_path / name
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        return path

    return to
