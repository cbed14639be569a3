"""hf:MODEL, on tiny models with random weights made on the spot."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from eec_datasets.errors import Unavailable
from eec_datasets.systems.base import Options, score_batch
from eec_datasets.systems.registry import open_system

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "maria", "alan", "feels", "angry", "happy", "."]


def make_model(folder: Path, labels: list[str], problem: str | None = None) -> Path:
    """Write a two-layer BERT with random weights and a ten-word tokenizer."""
    torch = pytest.importorskip("torch", reason="needs the extra hf (torch)")
    transformers = pytest.importorskip("transformers", reason="needs the extra hf (transformers)")
    folder.mkdir()
    (folder / "vocab.txt").write_text("\n".join(WORDS))
    transformers.BertTokenizer(str(folder / "vocab.txt")).save_pretrained(folder)
    torch.manual_seed(0)
    config = transformers.BertConfig(
        vocab_size=len(WORDS),
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=16,
        max_position_embeddings=32,
        initializer_range=1.0,
        id2label=dict(enumerate(labels)),
        label2id={label: i for i, label in enumerate(labels)},
        problem_type=problem,
    )
    transformers.BertForSequenceClassification(config).save_pretrained(folder)
    return folder


BATCH = {
    "id": ["a", "b", "c"],
    "text": ["Maria feels angry.", "Alan feels happy.", "Maria feels happy angry."],
}


def test_two_classes_of_which_one_is_positive_need_no_choice(tmp_path: Path) -> None:
    model = make_model(tmp_path / "m", ["NEGATIVE", "POSITIVE"])
    system = open_system(f"hf:{model}")
    scores = score_batch(system, BATCH)
    assert system.name == f"hf:{model}[POSITIVE]"
    assert system.score_range == (0.0, 1.0)
    assert len(set(scores)) == 3
    other = score_batch(open_system(f"hf:{model}", Options(hf_class="NEGATIVE")), BATCH)
    assert [a + b for a, b in zip(scores, other, strict=True)] == pytest.approx([1, 1, 1], abs=1e-12)


def test_the_class_named_is_scored(tmp_path: Path) -> None:
    model = make_model(tmp_path / "m", ["anger", "fear", "joy"])
    columns = [
        score_batch(open_system(f"hf:{model}", Options(hf_class=label)), BATCH) for label in ("anger", "fear", "joy")
    ]
    assert [sum(row) for row in zip(*columns, strict=True)] == pytest.approx([1, 1, 1], abs=1e-12)


def test_classes_that_do_not_exclude_each_other_are_scored_one_by_one(tmp_path: Path) -> None:
    model = make_model(tmp_path / "m", ["toxic", "threat"], "multi_label_classification")
    columns = [score_batch(open_system(f"hf:{model}", Options(hf_class=label)), BATCH) for label in ("toxic", "threat")]
    assert all(0 < score < 1 for column in columns for score in column)
    assert [sum(row) for row in zip(*columns, strict=True)] != pytest.approx([1, 1, 1], abs=1e-3)


def test_a_regression_model_gives_its_output_on_the_declared_range(tmp_path: Path) -> None:
    model = make_model(tmp_path / "m", ["LABEL_0"], "regression")
    system = open_system(f"hf:{model}", Options(score_range=(-100.0, 100.0)))
    assert system.name == f"hf:{model}"
    assert system.score_range == (-100.0, 100.0)
    assert len(set(score_batch(system, BATCH))) == 3


def test_the_batch_size_does_not_change_the_scores(tmp_path: Path) -> None:
    system = open_system(f"hf:{make_model(tmp_path / 'm', ['NEGATIVE', 'POSITIVE'])}", Options(batch_size=1))
    one_by_one = [score_batch(system, {k: v[i : i + 1] for k, v in BATCH.items()})[0] for i in range(3)]
    assert system.batch_size == 1
    assert score_batch(system, BATCH) == pytest.approx(one_by_one, abs=1e-6)


def test_an_unclear_class_is_an_error_that_lists_the_classes(tmp_path: Path) -> None:
    model = make_model(tmp_path / "m", ["anger", "fear", "joy"])
    with pytest.raises(Unavailable) as error:
        open_system(f"hf:{model}")
    assert str(error.value) == (
        f"--system hf:{model}: the model has 3 classes and none is the score by itself: anger, fear, joy. "
        "Name the one whose probability is scored with --hf-class LABEL."
    )


def test_a_class_the_model_does_not_have_is_an_error_that_lists_the_classes(tmp_path: Path) -> None:
    model = make_model(tmp_path / "m", ["anger", "fear", "joy"])
    with pytest.raises(Unavailable) as error:
        open_system(f"hf:{model}", Options(hf_class="Joy"))
    assert str(error.value) == f"--system hf:{model}: no class 'Joy'. Its classes are: anger, fear, joy."


def test_a_class_for_a_regression_model_is_refused(tmp_path: Path) -> None:
    model = make_model(tmp_path / "m", ["LABEL_0"])
    with pytest.raises(Unavailable) as error:
        open_system(f"hf:{model}", Options(hf_class="LABEL_0"))
    assert str(error.value) == (
        f"--system hf:{model}: --hf-class LABEL_0 was given, but the model has one output (regression), "
        "which is the score. Leave --hf-class out."
    )


def test_a_folder_without_a_model_is_named(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="needs the extra hf (torch)")
    (tmp_path / "config.json").write_text(json.dumps({"model_type": "no-such-type"}))
    with pytest.raises(Unavailable) as error:
        open_system(f"hf:{tmp_path}")
    text = str(error.value)
    assert text.startswith(f"--system hf:{tmp_path}: the model cannot be loaded: ")
    assert text.endswith("Expected a folder or a Hub id with a tokenizer and a sequence classification model.")


def test_other_weights_have_another_fingerprint(tmp_path: Path) -> None:
    model = make_model(tmp_path / "m", ["NEGATIVE", "POSITIVE"])
    before = open_system(f"hf:{model}").fingerprint
    weights = model / "model.safetensors"
    data = bytearray(weights.read_bytes())
    data[-1] ^= 1
    weights.write_bytes(bytes(data))
    assert open_system(f"hf:{model}").fingerprint != before


def test_missing_libraries_say_how_to_install_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(Unavailable) as error:
        open_system("hf:some/model")
    assert str(error.value) == (
        "--system hf:some/model: the packages transformers and torch are not installed. "
        "Install them with: pip install 'eec-datasets[hf]'"
    )
