"""A user's module of score functions."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from serving_models import Model, served

from eec_datasets.systems.store import Store

SOURCE = """
import numpy as np
def annotated_one(text: str) -> float: return len(text) / 100
def annotated_list(texts: list[str]) -> list[float]: return [len(t) / 100 for t in texts]
def plain_one(text): return len(text.lower()) / 100
def plain_list(texts): return [len(t) / 100 for t in texts]
def sized(text): return len(text) / 100
def array(texts): return np.array([len(t) / 100 for t in texts])
class Model:
    def __call__(self, texts): return [len(t) / 100 for t in texts]
    @staticmethod
    def score(text: str) -> float: return len(text) / 100
model = Model()
async def waiting(text): return len(text) / 100
async def waiting_list(texts: list[str]) -> list[float]: return [len(t) / 100 for t in texts]
def short(texts: list[str]) -> list[float]: return [0.5]
def words(texts: list[str]) -> list[str]: return ["0.5" for _ in texts]
def stars(texts: list[str]) -> list[float]: return [0.5, 4.0, 0.5]
def broken(text: str) -> float: raise RuntimeError("no model")
def neither(x): raise RuntimeError("no model")
def none(texts: list[str]) -> list[float]: return [0.5, None, float("nan")]
def infinite(texts: list[str]) -> list[float]: return [0.5, float("inf"), 0.5]
def leaving(texts: list[str]) -> list[float]: raise SystemExit(3)
"""


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """An empty store of answers."""
    with Store(tmp_path / "answers.db") as found:
        yield found


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Iterator[Model]:
    """A served model, and waiting that takes a hundredth of its time."""
    from eec_datasets.systems import wire

    monkeypatch.setattr(wire, "FIRST_WAIT", 0.005)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with served() as found:
        yield found


@pytest.fixture
def user_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with the module `my_scores`, forgotten again after the test."""
    folder = tmp_path / "user code"
    folder.mkdir()
    (folder / "my_scores.py").write_text(SOURCE)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.delitem(sys.modules, "my_scores", raising=False)
    yield folder
    sys.modules.pop("my_scores", None)
