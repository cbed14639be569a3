"""The recipes of docs/papers.md for trained models, on models of the same kind with random weights."""

import json
import re
from pathlib import Path

import pytest
from commands import succeed
from forking import ROOT

torch = pytest.importorskip("torch", reason="needs the extra hf (torch)")
transformers = pytest.importorskip("transformers", reason="needs the extra hf (transformers)")

HUB_MODEL = "distilbert-base-uncased-finetuned-sst-2-english"
GRU = '''
import hashlib

import torch

torch.manual_seed(0)
embed, gru, head = torch.nn.Embedding(1000, 8), torch.nn.GRU(8, 8, batch_first=True), torch.nn.Linear(8, 7)


def number(word: str) -> int:
    return int(hashlib.sha256(word.encode()).hexdigest(), 16) % 1000


@torch.no_grad()
def score(texts: list[str]) -> list[float]:
    """Classes 0 to 6, moved to -1 ... 1 as in the article."""
    found = []
    for text in texts:
        _, state = gru(embed(torch.tensor([[number(word) for word in text.lower().split()]])))
        found.append(int(head(state[-1]).argmax()) / 3 - 1)
    return found
'''


def recipes(model: Path) -> str:
    """The file recipes.py of the page, with a model of this machine in the place of the one on the Hub."""
    page = (ROOT / "docs" / "papers.md").read_text(encoding="utf-8")
    found = re.search(r'```python title="recipes.py"\n(.*?)```', page, flags=re.DOTALL)
    assert found is not None
    assert HUB_MODEL in found[1]
    return found[1].replace(HUB_MODEL, str(model))


def make_distilbert(folder: Path) -> Path:
    """Write a DistilBERT with random weights and the labels of the one that the page names."""
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "feels", "angry", "happy", "sad", "he", "she", "."]
    folder.mkdir()
    (folder / "vocab.txt").write_text("\n".join(words), encoding="utf-8")
    transformers.DistilBertTokenizer(str(folder / "vocab.txt")).save_pretrained(folder)
    torch.manual_seed(0)
    labels = {0: "NEGATIVE", 1: "POSITIVE"}
    config = transformers.DistilBertConfig(
        vocab_size=len(words), max_position_embeddings=64, dim=16, hidden_dim=16, n_layers=1, n_heads=2,
        initializer_range=1.0, id2label=labels, label2id={label: number for number, label in labels.items()},
    )  # fmt: skip
    transformers.DistilBertForSequenceClassification(config).save_pretrained(folder)
    return folder


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty current folder from which functions are imported, with a store of answers of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("EEC_ANSWERS", str(tmp_path / "answers.db"))
    return tmp_path


def rated(spec: str, out: Path) -> dict[str, object]:
    succeed("rate", "--system", spec, "--system", f"{spec}:discrete", "--score-range", -1, 1, "--out", out)
    lines = (out / "tables" / "ratings.csv").read_text(encoding="utf-8").splitlines()
    assert [line.partition(",")[0] for line in lines[1:]] == [spec, f"{spec}:discrete"]
    return dict(json.loads((out / "rating.json").read_text(encoding="utf-8")))


def test_the_recipe_of_a_distilbert_is_rated_with_its_discrete_form(here: Path) -> None:
    (here / "recipes.py").write_text(recipes(make_distilbert(here / "tiny")), encoding="utf-8")
    rated("recipes:distilbert", here / "out")


def test_a_gru_is_rated_with_its_discrete_form(here: Path) -> None:
    (here / "networks.py").write_text(GRU, encoding="utf-8")
    rated("networks:score", here / "out")
