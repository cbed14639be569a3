"""A tiny corpus and a user's module, shared by the tests of the audit."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from eec_datasets.systems.score_file import Header


@pytest.fixture
def batch() -> dict[str, list[str]]:
    """Four sentences: two women and two men, of two groups."""
    people = [
        ("maria", "female", "Latino"),
        ("alan", "male", "Anglo"),
        ("amanda", "female", "Anglo"),
        ("jose", "male", "Latino"),
    ]
    return {
        "id": [f"t01/angry/{person}" for person, _, _ in people],
        "text": [f"{person.title()} feels angry." for person, _, _ in people],
        "language": ["en"] * 4,
        "template": ["t01"] * 4,
        "person": [person for person, _, _ in people],
        "gender": [gender for _, gender, _ in people],
        "race": [race for _, _, race in people],
    }


@pytest.fixture
def header() -> Header:
    """What a file of scores of this corpus says in its first line."""
    return Header("vader", "vaderSentiment==3.3.2", "tiny", "tiny@1.0.0#00ff", -1.0, 1.0)


@pytest.fixture
def user_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with a module of score functions, forgotten again after the test."""
    folder = tmp_path / "user code"
    folder.mkdir()
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.delitem(sys.modules, "my_scores", raising=False)
    yield folder
    sys.modules.pop("my_scores", None)
