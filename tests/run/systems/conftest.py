"""Served models, and a user's modules of score functions."""

import sys
from pathlib import Path

import pytest
from serving_models import served

USER_MODULES = Path(__file__).with_name("user-modules.txt").read_text(encoding="utf-8")
MODULES = dict(part.split("\n", 1) for part in USER_MODULES.split("### ")[1:])


@pytest.fixture
def model(monkeypatch):
    """A served model, and waiting that takes a hundredth of its time."""
    from eec_datasets.systems import wire

    monkeypatch.setattr(wire, "FIRST_WAIT", 0.005)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with served() as found:
        yield found


@pytest.fixture
def user_code(tmp_path, monkeypatch):
    """A folder with a user's modules, forgotten again after the test."""
    folder = tmp_path / "user code"
    folder.mkdir()
    monkeypatch.setattr(sys, "path", list(sys.path))
    # Of two sources of one size and second, the bytecode of the first would pass for that of the other.
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    for name, source in MODULES.items():
        (folder / f"{name}.py").write_text(source)
        monkeypatch.delitem(sys.modules, name, raising=False)
    yield folder
    for name in MODULES:
        sys.modules.pop(name, None)
