"""hf:MODEL, on tiny models with random weights made on the spot."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from eec_datasets.errors import Unavailable
from eec_datasets.systems.base import Batch, Options, score_batch
from eec_datasets.systems.corpus import open_corpus, part_of
from eec_datasets.systems.registry import open_system
from eec_datasets.systems.scoring import score_corpus
from eec_datasets.systems.store import Store

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "maria", "alan", "feels", "angry", "happy", "."]


def make_model(folder: Path, labels: list[str], problem: str | None = None) -> Path:
    """Write a two-layer BERT with random weights and a ten-word tokenizer."""
    torch = pytest.importorskip("torch", reason="needs the extra hf (torch)")
    transformers = pytest.importorskip("transformers", reason="needs the extra hf (transformers)")
    folder.mkdir()
    (folder / "vocab.txt").write_text("\n".join(WORDS))
    transformers.BertTokenizer(str(folder / "vocab.txt")).save_pretrained(folder)
    torch.manual_seed(0)
    sizes = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 16}
    names = {"id2label": dict(enumerate(labels)), "label2id": {label: i for i, label in enumerate(labels)}}
    config = transformers.BertConfig(
        vocab_size=len(WORDS), max_position_embeddings=32, initializer_range=1.0, problem_type=problem, **sizes, **names
    )
    transformers.BertForSequenceClassification(config).save_pretrained(folder)
    return folder


BATCH = {"id": ["a", "b", "c"], "text": ["Maria feels angry.", "Alan feels happy.", "Maria feels happy angry."]}


def probabilities(model: Path, *labels: str) -> list[float]:
    """Of every text the sum of the probabilities of classes, each scored by itself."""
    columns = [score_batch(open_system(f"hf:{model}", Options(hf_class=label)), BATCH) for label in labels]
    assert all(0 < score < 1 for column in columns for score in column)
    return [sum(row) for row in zip(*columns, strict=True)]


def test_of_a_classifier_the_probability_of_one_class_is_the_score(tmp_path: Path) -> None:
    polarity = make_model(tmp_path / "polarity", ["NEGATIVE", "POSITIVE"])
    system = open_system(f"hf:{polarity}")
    assert (system.name, system.score_range) == (f"hf:{polarity}[POSITIVE]", (0.0, 1.0))
    assert len(set(score_batch(system, BATCH))) == 3
    assert probabilities(polarity, "NEGATIVE", "POSITIVE") == pytest.approx([1, 1, 1], abs=1e-12)
    emotions = make_model(tmp_path / "emotions", ["anger", "fear", "joy"])
    assert probabilities(emotions, "anger", "fear", "joy") == pytest.approx([1, 1, 1], abs=1e-12)
    several = make_model(tmp_path / "several", ["toxic", "threat"], "multi_label_classification")
    assert probabilities(several, "toxic", "threat") != pytest.approx([1, 1, 1], abs=1e-3)


def test_of_a_classifier_with_values_the_mean_is_the_score(tmp_path: Path) -> None:
    model = make_model(tmp_path / "m", ["negative", "neutral", "positive"])
    values = {"positive": 1.0, "negative": -1.0, "neutral": 0.0}
    system = open_system(f"hf:{model}", Options(classes=values))
    assert (system.name, system.score_range) == (f"hf:{model}[positive=1,negative=-1,neutral=0]", (-1.0, 1.0))
    good, bad = (
        score_batch(open_system(f"hf:{model}", Options(hf_class=label)), BATCH) for label in ("positive", "negative")
    )
    expected = [float(p or 0) - float(n or 0) for p, n in zip(good, bad, strict=True)]
    assert score_batch(system, BATCH) == pytest.approx(expected, abs=1e-12)


def test_a_value_is_needed_for_every_class_of_a_model_whose_classes_exclude_each_other(tmp_path: Path) -> None:
    model = make_model(tmp_path / "m", ["negative", "neutral", "positive"])
    with pytest.raises(Unavailable, match=r"values for negative, positive; expected one for each .* neutral, positive"):
        open_system(f"hf:{model}", Options(classes={"negative": 0.0, "positive": 1.0}))
    several = make_model(tmp_path / "several", ["toxic", "threat"], "multi_label_classification")
    with pytest.raises(Unavailable, match=r"do not exclude each other.*Name one as hf_class"):
        open_system(f"hf:{several}", Options(classes={"toxic": 0.0, "threat": 1.0}))


def test_texts_of_like_length_are_forwarded_together_and_each_once(tmp_path: Path) -> None:
    model = make_model(tmp_path / "m", ["NEGATIVE", "POSITIVE"])
    corpus = part_of(open_corpus("en-black-white"), range(300))
    system = open_system(f"hf:{model}", Options(batch_size=16))
    seen: list[list[str]] = []

    def score(batch: Batch) -> Sequence[float | None]:
        seen.append(list(batch["text"]))
        return list(system.scorer(batch))

    with Store(tmp_path / "answers.db") as store:
        scored = score_corpus(replace(system, scorer=score), corpus, store)
    assert sorted(text for batch in seen for text in batch) == sorted(set(corpus.columns["text"]))
    lengths = [len(text) for batch in seen for text in batch]
    assert lengths == sorted(lengths, reverse=True)
    assert scored.scores == pytest.approx(score_batch(system, corpus.columns), abs=1e-6)


def test_a_regression_model_gives_its_output_on_the_declared_range(tmp_path: Path) -> None:
    model = make_model(tmp_path / "m", ["LABEL_0"], "regression")
    system = open_system(f"hf:{model}", Options(score_range=(-100.0, 100.0)))
    assert (system.name, system.score_range) == (f"hf:{model}", (-100.0, 100.0))
    assert len(set(score_batch(system, BATCH))) == 3


def test_the_batch_size_does_not_change_the_scores_and_other_weights_have_another_fingerprint(tmp_path: Path) -> None:
    model = make_model(tmp_path / "m", ["NEGATIVE", "POSITIVE"])
    system = open_system(f"hf:{model}", Options(batch_size=1))
    one_by_one = [score_batch(system, {k: v[i : i + 1] for k, v in BATCH.items()})[0] for i in range(3)]
    assert system.batch_size == 1
    assert score_batch(system, BATCH) == pytest.approx(one_by_one, abs=1e-6)
    weights = model / "model.safetensors"
    data = bytearray(weights.read_bytes())
    data[-1] ^= 1
    weights.write_bytes(bytes(data))
    assert open_system(f"hf:{model}").fingerprint != system.fingerprint


@pytest.mark.parametrize(
    ("labels", "wanted", "place"),
    [
        (["anger", "fear", "joy"], None, r"the model has 3 classes .*: anger, fear, joy\. Name the one .* as hf_class"),
        (["anger", "fear", "joy"], "Joy", r"no class 'Joy'\. Its classes are: anger, fear, joy"),
        (["LABEL_0"], "LABEL_0", r"hf_class LABEL_0 was given, but the model has one output \(regression\)"),
    ],
)
def test_the_class_to_score_must_be_clear(tmp_path: Path, labels: list[str], wanted: str | None, place: str) -> None:
    model = make_model(tmp_path / "m", labels)
    with pytest.raises(Unavailable, match=rf"^system hf:{re.escape(str(model))}: {place}"):
        open_system(f"hf:{model}", Options(hf_class=wanted))


def test_a_folder_without_a_model_and_a_device_that_is_none_are_named(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="needs the extra hf (torch)")
    (tmp_path / "config.json").write_text(json.dumps({"model_type": "no-such-type"}))
    with pytest.raises(Unavailable, match=r"the model cannot be loaded: .* Expected a folder or a Hub id"):
        open_system(f"hf:{tmp_path}")
    model = make_model(tmp_path / "m", ["NEGATIVE", "POSITIVE"])
    with pytest.raises(Unavailable, match="device nowhere cannot be used"):
        open_system(f"hf:{model}", Options(device="nowhere"))
