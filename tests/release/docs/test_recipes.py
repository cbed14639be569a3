"""The recipe of docs/papers.md for a GRU and a DistilBERT, run as it stands there, on tiny models made on the spot."""

import importlib.util
import json
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from commands import succeed
from places import ROOT
from texts import csv_rows

torch = pytest.importorskip("torch", reason="needs the extra hf (torch)")
transformers = pytest.importorskip("transformers", reason="needs the extra hf (transformers)")

PAGE = ROOT / "docs" / "papers.md"
WORDS = ["she", "he", "they", "feels", "felt", "happy", "sad", "grim", "glad", "."]
TWEETS = [("so glad and happy", 6), ("fine day", 4), ("it is a day", 3), ("sad", 1), ("so grim and sad", 0)]


def make_distilbert(folder: Path) -> None:
    """Write a DistilBERT of one layer with random weights."""
    folder.mkdir()
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS]
    (folder / "vocab.txt").write_text("\n".join(vocabulary), encoding="utf-8")
    transformers.DistilBertTokenizer(str(folder / "vocab.txt")).save_pretrained(folder)
    torch.manual_seed(0)
    config = transformers.DistilBertConfig(
        vocab_size=len(vocabulary), dim=16, hidden_dim=16, n_layers=1, n_heads=2, max_position_embeddings=64,
        initializer_range=1.0, id2label={0: "NEGATIVE", 1: "POSITIVE"}, label2id={"NEGATIVE": 0, "POSITIVE": 1},
    )  # fmt: skip
    transformers.DistilBertForSequenceClassification(config).save_pretrained(folder)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the recipe of the page, a trained GRU and a DistilBERT."""
    folder = tmp_path_factory.mktemp("recipes")
    found = re.search(r'```python title="recipes.py"\n(.*?)```', PAGE.read_text(encoding="utf-8"), flags=re.DOTALL)
    assert found is not None
    (folder / "recipes.py").write_text(found[1], encoding="utf-8")
    lines = ["text,class", *(f"{text},{number}" for text, number in TWEETS * 20), ""]
    (folder / "tweets.csv").write_text("\n".join(lines), encoding="utf-8")
    make_distilbert(folder / "distilbert")
    subprocess.run([sys.executable, "recipes.py", "tweets.csv"], cwd=folder, check=True, timeout=120)
    return folder


@pytest.fixture
def recipes(folder: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The module of the recipe, in its folder."""
    monkeypatch.chdir(folder)
    monkeypatch.setenv("DISTILBERT", str(folder / "distilbert"))
    spec = importlib.util.spec_from_file_location("recipes", folder / "recipes.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_gru_learns_the_classes_of_its_tweets(recipes: Any) -> None:
    assert recipes.gru([text for text, _ in TWEETS]) == pytest.approx([number / 3 - 1 for _, number in TWEETS])


def test_the_gru_scores_a_text_without_known_words(recipes: Any) -> None:
    assert len(recipes.gru(["", "zzz"])) == 2


def test_a_negative_label_of_the_distilbert_is_below_zero(recipes: Any) -> None:
    texts = ["she feels happy .", "he felt grim .", "they feels sad ."]
    labels = [each["label"] for each in recipes.classifier()(texts)]
    scores = recipes.distilbert(texts)
    assert [score > 0 for score in scores] == [label == "POSITIVE" for label in labels]
    assert all(0.5 <= abs(score) <= 1 for score in scores)


def test_both_are_rated(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.setenv("DISTILBERT", str(folder / "distilbert"))
    monkeypatch.setenv("EEC_ANSWERS", str(folder / "answers.db"))
    monkeypatch.setattr(sys, "path", list(sys.path))
    asked = ("--system", "recipes:gru", "--system", "recipes:distilbert", "--score-range", -1, 1)
    succeed("audit", *asked, "--method", "rating", "--out", "out")
    monkeypatch.delitem(sys.modules, "recipes", raising=False)
    (saved,) = json.loads(Path("out/result.json").read_text(encoding="utf-8"))["measurements"]
    assert saved["score_range"] == [-1, 1]
    assert {row["system"] for row in csv_rows(Path("out/terms.csv"))} >= {"recipes:gru", "recipes:distilbert"}
