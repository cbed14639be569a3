"""Stores, served models, and a user's modules of score functions."""

import sys

import pytest
from serving_models import served

from eec_datasets.systems.store import Store

SCORES = """
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
def above(texts: list[str]) -> list[float]: return [1.0000001] * len(texts)
def infinite(texts: list[str]) -> list[float]: return [0.5, float("inf"), 0.5]
def unordered(texts: list[str]) -> set[float]: return {len(t) / 1000 + i / 10 for i, t in enumerate(texts)}
def keyed(texts): return dict.fromkeys(range(len(texts)), 0.5)
async def one_for_all(texts: list[str]) -> float: return 0.5
def leaving(texts: list[str]) -> list[float]: raise SystemExit(3)
"""
DECLARED = """
import asyncio, threading, time
import helper
running = most = 0
async def waiting(text: str) -> float:
    global running, most
    running += 1
    most = max(most, running)
    await asyncio.sleep(0.01)
    running -= 1
    return len(text) / 100
async def failing(text: str) -> float:
    if "7" in text:
        raise RuntimeError("no answer to " + text)
    return 0.5
failing.eec_system = {"name": "failing", "version": "2", "concurrency": 3}
def blocking(text: str) -> float:
    global running, most
    running += 1
    most = max(most, running)
    time.sleep(0.01)
    running -= 1
    return len(text) / 100
blocking.eec_system = {"name": "blocking", "version": "1", "concurrency": 4}
"""
MODULES = {"my_scores": SCORES, "mine": DECLARED, "helper": "SETTING = 1\n"}


@pytest.fixture
def store(tmp_path):
    """An empty store of answers."""
    with Store(tmp_path / "answers.db") as found:
        yield found


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
    for name, source in MODULES.items():
        (folder / f"{name}.py").write_text(source)
        sys.modules.pop(name, None)
    yield folder
    for name in MODULES:
        sys.modules.pop(name, None)
