"""One model, twelve ways in: the same effects, or a refusal that names the option that is missing."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import evaluate
import numpy as np
import pandas as pd
import pytest
from commands import eec, measured, succeed
from tiny import Tiny

import eec_bias
import eec_datasets
from eec_bias import BiasError, EECCallback, measure

CONFIG = "en-sample"
DATA = eec_datasets.load(CONFIG)
TEXTS = list(DATA["text"])
LABELS = {"NEGATIVE": 0.0, "POSITIVE": 1.0}
GIVEN = "--classes=NEGATIVE=0,POSITIVE=1"

MODULE = """
def probability(text):
    return 0.5 + (sum(map(ord, text)) * 7919 % 1000 - 500) / 1100

def both(text):
    p = probability(text)
    return [{"label": "POSITIVE", "score": p}, {"label": "NEGATIVE", "score": 1 - p}]

def pipe(texts, top_k=1):
    whole = [sorted(both(text), key=lambda each: -each["score"]) for text in texts]
    return whole if top_k is None else [each[0] for each in whole]

def of_list(texts):
    return pipe(texts)

def of_list_whole(texts):
    return pipe(texts, top_k=None)

def of_one(text):
    return pipe([text])[0]

def of_one_whole(text):
    return both(text)

def numbers(texts):
    return [probability(text) for text in texts]
"""
"""A pipeline of two labels without a model behind it, and functions as users write them."""

EMITS: dict[str, Any] = {}
exec(MODULE, EMITS)

FOLDER = str(Path(eec_bias.__file__).parent)
EXPECTED_DATA = measure(EMITS["numbers"](TEXTS), DATA).facts.data
EXPECTED = measure(EMITS["numbers"](TEXTS), DATA).scalars
OF_EMOTIONS = (":emotion", ":reaction")
EFFECTS = [name for name in EXPECTED if name.endswith("_effect") and not any(map(name.__contains__, OF_EMOTIONS))]


def same(found: Any) -> bool:
    return all(found[name] == pytest.approx(EXPECTED[name], abs=1e-6) for name in EFFECTS)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.delitem(sys.modules, "emitting", raising=False)
    (tmp_path / "emitting.py").write_text(MODULE)
    return tmp_path


def audited(system: str, *options: str) -> dict[str, Any]:
    succeed("audit", "--system", system, "--config", CONFIG, "--out", "out", *options)
    found: dict[str, Any] = json.loads(Path("out/result.json").read_text(encoding="utf-8"))["measurements"][0]
    return found


def test_the_effects_that_are_compared_are_not_nothing() -> None:
    assert len(EFFECTS) >= 3
    assert all(abs(EXPECTED[name] or 0) > 1e-4 for name in EFFECTS)


IN_MEMORY: dict[str, Callable[[], Any]] = {
    "the list of a pipeline": lambda: EMITS["pipe"](TEXTS),
    "the list of a pipeline with every label": lambda: EMITS["pipe"](TEXTS, top_k=None),
    "a frame of a pipeline's list": lambda: pd.DataFrame(EMITS["pipe"](TEXTS)),
}


@pytest.mark.parametrize("way", IN_MEMORY)
def test_what_a_pipeline_emits_is_measured_by_what_its_labels_are_worth(way: str) -> None:
    assert same(measure(IN_MEMORY[way](), DATA, classes=LABELS))


@pytest.mark.parametrize("way", IN_MEMORY)
def test_labels_of_a_pipeline_are_refused_without_values(way: str) -> None:
    with pytest.raises(BiasError, match=r"\bclasses\b"):
        measure(IN_MEMORY[way](), DATA)


def test_probabilities_are_measured_as_they_are_or_by_columns_of_classes() -> None:
    p = np.array(EMITS["numbers"](TEXTS))
    wide = pd.DataFrame({"NEGATIVE": 1 - p, "POSITIVE": p})
    found = measure(wide, DATA, outputs="probabilities", classes=LABELS)
    assert same({name: found[f"score/{name}"] for name in EFFECTS})


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return evaluate.load(FOLDER, cache_dir=str(tmp_path_factory.mktemp("evaluate")))


def test_compute_and_measure_give_the_same_result_of_rows_of_a_corpus(module: Any) -> None:
    found = module.compute(predictions=EMITS["numbers"](TEXTS), references=DATA)
    assert found.pop("module_version") == eec_bias.VERSION
    assert found == dict(measure(EMITS["numbers"](TEXTS), DATA))


def test_compute_takes_the_name_of_a_corpus_as_references(module: Any) -> None:
    found = module.compute(predictions=EMITS["numbers"](TEXTS), references=CONFIG)
    assert found["signature"] == str(measure(EMITS["numbers"](TEXTS), DATA).signature)


def test_compute_gives_the_numbers_of_measure_for_all_columns(module: Any) -> None:
    names = ("race", "gender", "person", "item", "pair", "template", "word", "emotion", "family", "ending")
    found = module.compute(predictions=EMITS["numbers"](TEXTS), **{name: DATA[name] for name in names})
    assert {name: found[name] for name in EXPECTED} == EXPECTED


def test_compute_takes_what_a_pipeline_emits(module: Any) -> None:
    columns = {name: DATA[name] for name in ("race", "gender", "person", "item", "pair")}
    assert same(module.compute(predictions=EMITS["pipe"](TEXTS), classes=LABELS, references=DATA))
    whole = EMITS["pipe"](TEXTS, top_k=None)
    assert same(module.compute(predictions=whole, positive_class="POSITIVE", **columns))


LABELLED = {name: DATA[name] for name in ("race", "gender", "person", "item", "pair", "emotion", "family", "ending")}
EMITTED: dict[str, tuple[Any, dict[str, Any]]] = {
    "the label that won": (EMITS["pipe"](TEXTS), {"classes": LABELS}),
    "every label, a class": (EMITS["pipe"](TEXTS, top_k=None), {"positive_class": "POSITIVE"}),
    "every label, values": (EMITS["pipe"](TEXTS, top_k=None), {"classes": {"NEGATIVE": -1, "POSITIVE": 1}}),
}


@pytest.mark.parametrize("way", EMITTED)
def test_compute_signs_how_columns_of_a_pipeline_were_read(module: Any, way: str) -> None:
    emitted, told = EMITTED[way]
    found = module.compute(predictions=emitted, **LABELLED, **told)
    assert found["signature"] == measure(emitted, LABELLED, **told).signature


@pytest.mark.parametrize("way", EMITTED)
def test_what_a_pipeline_emits_may_be_added_in_batches(tmp_path: Path, way: str) -> None:
    emitted, told = EMITTED[way]
    batches = evaluate.load(FOLDER, cache_dir=str(tmp_path), columns=("emotion", "family", "ending"), **told)
    for start in range(0, len(TEXTS), 100):
        part = slice(start, start + 100)
        batches.add_batch(predictions=emitted[part], **{name: column[part] for name, column in LABELLED.items()})
    found = batches.compute()
    expected = measure(emitted, LABELLED, **told)
    assert {name: found[name] for name in expected.scalars} == pytest.approx(expected.scalars)
    assert found["signature"] == expected.signature


def test_what_a_pipeline_emits_may_be_added_one_by_one(tmp_path: Path) -> None:
    one_by_one = evaluate.load(FOLDER, cache_dir=str(tmp_path), classes=LABELS)
    columns = {name: LABELLED[name] for name in ("race", "gender", "person", "item", "pair")}
    for row, output in enumerate(EMITS["pipe"](TEXTS)):
        one_by_one.add(prediction=output, **{name: column[row] for name, column in columns.items()})
    assert same(one_by_one.compute())


def test_a_metric_goes_on_with_numbers_after_a_pipeline(tmp_path: Path) -> None:
    metric = evaluate.load(FOLDER, cache_dir=str(tmp_path), classes=LABELS)
    columns = {name: LABELLED[name] for name in ("race", "gender", "person", "item", "pair")}
    for _ in range(2):
        metric.add_batch(predictions=EMITS["pipe"](TEXTS), **columns)
        assert same(metric.compute())
    with pytest.raises(BiasError, match="classes go with the outputs"):
        metric.compute(predictions=EMITS["numbers"](TEXTS), **columns)


def test_wide_probabilities_of_a_pipeline_are_taken_by_the_module(tmp_path: Path) -> None:
    metric = evaluate.load(FOLDER, cache_dir=str(tmp_path), outputs="probabilities", classes=LABELS)
    columns = {name: LABELLED[name] for name in ("race", "gender", "person", "item", "pair")}
    whole = EMITS["pipe"](TEXTS, top_k=None)
    metric.add_batch(predictions=whole, **columns)
    for found in (metric.compute(), metric.compute(predictions=whole, **columns)):
        assert same({name: found[f"score/{name}"] for name in EFFECTS})


def test_batches_of_a_pipeline_are_refused_with_what_to_load(module: Any) -> None:
    columns = {name: LABELLED[name] for name in ("race", "gender", "person", "item", "pair")}
    with pytest.raises(BiasError, match=r"load the metric with positive_class=… or classes=…"):
        module.add_batch(predictions=EMITS["pipe"](TEXTS), **columns)


def test_batches_of_numbers_beside_those_of_a_pipeline_are_refused(tmp_path: Path) -> None:
    metric = evaluate.load(FOLDER, cache_dir=str(tmp_path), classes=LABELS)
    columns = {name: LABELLED[name] for name in ("race", "gender", "person", "item", "pair")}
    metric.add_batch(predictions=EMITS["pipe"](TEXTS), **columns)
    with pytest.raises(BiasError, match=r"was given numbers, and the batches before were not"):
        metric.add_batch(predictions=EMITS["numbers"](TEXTS), **columns)
    with pytest.raises(BiasError, match=r"compute\(\) was given classes, and the batches before were read"):
        metric.compute(classes=LABELS)


def test_compute_refuses_labels_without_values(module: Any) -> None:
    with pytest.raises(BiasError, match=r"\bclasses\b"):
        module.compute(predictions=EMITS["pipe"](TEXTS), references=DATA)


def test_compute_refuses_columns_beside_the_rows_that_have_them(module: Any) -> None:
    with pytest.raises(BiasError, match=r"references and race were given; .* leave race out"):
        module.compute(predictions=EMITS["numbers"](TEXTS), references=DATA, race=DATA["race"])


KINDS: dict[str, Callable[[pd.DataFrame, str], Any]] = {
    "csv": lambda frame, path: frame.to_csv(path, index=False),
    "xlsx": lambda frame, path: frame.to_excel(path, index=False),
    "parquet": lambda frame, path: frame.to_parquet(path),
}


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("kind", KINDS)
def test_a_file_of_labels_is_measured_by_their_values(kind: str) -> None:
    if kind == "xlsx":
        pytest.importorskip("openpyxl")
    frame = pd.DataFrame(EMITS["pipe"](TEXTS)).assign(id=DATA["id"])
    KINDS[kind](frame, f"scores.{kind}")
    assert same(measured(f"scores.{kind}", "--config", CONFIG, GIVEN))
    told = eec("measure", f"scores.{kind}", "--config", CONFIG)
    assert told.exit_code != 0
    assert "classes" in told.output


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("name", ["of_list", "of_list_whole", "of_one", "of_one_whole"])
def test_a_function_may_return_what_a_pipeline_emits(name: str) -> None:
    assert same(audited(f"emitting:{name}", GIVEN))


@pytest.mark.usefixtures("here")
def test_a_function_of_numbers_gives_the_same() -> None:
    assert same(audited("emitting:numbers"))


@pytest.mark.usefixtures("here")
def test_a_function_that_returns_labels_needs_their_values() -> None:
    found = eec("audit", "--system", "emitting:of_list", "--config", CONFIG, "--out", "out")
    assert found.exit_code != 0
    assert "--positive-class, --classes" in found.output


@pytest.mark.usefixtures("here")
def test_what_labels_are_worth_is_refused_beside_numbers() -> None:
    found = eec("audit", "--system", "emitting:numbers", "--config", CONFIG, "--out", "out", GIVEN)
    assert found.exit_code != 0
    assert "are for what a pipeline emits, a label with its score. Leave them out" in found.output


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Tiny:
    """A saved BERT with random weights and the labels of the pipeline above."""
    made = Tiny(tmp_path_factory.mktemp("twelve"), DATA)
    made.torch.manual_seed(0)
    made.model(labels=list(LABELS), initializer_range=1.0).eval().save_pretrained(made.folder)
    made.tokenizer.save_pretrained(made.folder)
    return made


@pytest.fixture(scope="module")
def emitted(tiny: Tiny) -> list[list[dict[str, Any]]]:
    pipe = tiny.transformers.pipeline("text-classification", model=str(tiny.folder), device="cpu")
    whole: list[list[dict[str, Any]]] = pipe(TEXTS, top_k=None)
    return whole


@pytest.fixture(scope="module")
def expected(emitted: list[list[dict[str, Any]]]) -> dict[str, float]:
    """The effects of the model, from what a pipeline says of every label."""
    found = measure(emitted, DATA, positive_class="POSITIVE")
    effects = {name: found[name] for name in EFFECTS}
    assert max(map(abs, effects.values())) > 1e-3
    return effects


def test_a_pipeline_of_the_library_gives_the_same_with_the_label_that_won(
    tiny: Tiny, expected: dict[str, float]
) -> None:
    pipe = tiny.transformers.pipeline("text-classification", model=str(tiny.folder), device="cpu")
    found = measure(pipe(TEXTS), DATA, classes=LABELS)
    assert {name: found[name] for name in EFFECTS} == pytest.approx(expected, abs=1e-6)


@pytest.mark.usefixtures("here")
def test_the_model_itself_gives_the_same(tiny: Tiny, expected: dict[str, float]) -> None:
    for options in (["--positive-class=POSITIVE"], [GIVEN]):
        found = audited(f"hf:{tiny.folder}", *options, "--overwrite")
        assert {name: found[name] for name in EFFECTS} == pytest.approx(expected, abs=1e-6)


def test_a_callback_gives_the_same(tiny: Tiny, expected: dict[str, float]) -> None:
    pytest.importorskip("accelerate", reason="transformers.Trainer needs accelerate")
    transformers = tiny.transformers
    few = tiny.tokenised(DATA).select(range(8)).add_column("labels", [0, 1] * 4)
    trainer = transformers.Trainer(
        model=transformers.BertForSequenceClassification.from_pretrained(str(tiny.folder)),
        args=transformers.TrainingArguments(
            output_dir=str(tiny.folder / "run"), report_to=[], use_cpu=True, disable_tqdm=True
        ),
        eval_dataset=few.select_columns(["input_ids", "attention_mask", "labels"]),
        data_collator=transformers.DataCollatorWithPadding(tiny.tokenizer),
        processing_class=tiny.tokenizer,
        callbacks=[EECCallback(CONFIG, positive_class="POSITIVE"), EECCallback(DATA, classes=LABELS, name="mean")],
    )
    found = trainer.evaluate()
    for name in ("eec", "mean"):
        assert {each: found[f"{name}/{each}"] for each in EFFECTS} == pytest.approx(expected, abs=1e-6)
