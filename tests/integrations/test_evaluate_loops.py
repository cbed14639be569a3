"""The rest of `evaluate`: evaluator, EvaluationSuite, combine and save, as far as they work today."""

import json
from pathlib import Path

import datasets
import evaluate
import numpy as np
import pytest
from synthetic import corpus, scores
from tiny import Tiny, sentences

import eec_bias
from eec_bias import LabelsError, bound, measure

FOLDER = Path(eec_bias.__file__).parent
COLUMNS = ("race", "gender", "person", "item", "pair")
ANSWERS = {"label_column": "gender", "label_mapping": {"NO": 0.0, "YES": 1.0}}


@pytest.fixture(scope="module")
def data() -> datasets.Dataset:
    return sentences(persons=2, items=["t1/angry", "t2/glad"])


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory, data) -> Path:
    """A folder with a model of two classes and its tokenizer."""
    tiny = Tiny(tmp_path_factory.mktemp("tiny"), data)
    tiny.torch.manual_seed(0)
    network = tiny.model(labels=("NO", "YES"), initializer_range=2.0).eval()
    with tiny.torch.no_grad():
        # Random weights mostly give one class to all; moved to the median, half of the sentences get each.
        logits = network(**tiny.tokenizer(list(data["text"]), padding=True, return_tensors="pt")).logits
        network.classifier.bias -= (
            tiny.torch.stack([0 * logits[:, 0], logits[:, 1] - logits[:, 0]]).median(dim=1).values
        )
    network.save_pretrained(tiny.folder)
    tiny.tokenizer.save_pretrained(tiny.folder)
    return tiny.folder


def classes_of(model: Path, data: datasets.Dataset) -> list[float]:
    """The classes a pipeline predicts, as numbers."""
    import transformers

    pipe = transformers.pipeline("text-classification", model=str(model), device="cpu")
    return [ANSWERS["label_mapping"][found["label"]] for found in pipe(list(data["text"]))]


def evaluated(model: object, data: datasets.Dataset, metric: object, **options: object) -> dict:
    return evaluate.evaluator("text-classification").compute(
        model_or_pipeline=model, data=data, metric=metric, **options
    )


def test_an_evaluator_measures_the_classes_a_model_predicts(model, data) -> None:
    result = evaluated(str(model), data, bound(data), **ANSWERS)
    predicted = classes_of(model, data)
    assert 0 < sum(predicted) < len(data)
    assert result.items() >= measure(predicted, data).to_dict().items()
    assert {"samples_per_second", "latency_in_seconds"} <= set(result)


@pytest.mark.parametrize("column", ["gender", "labels"])
def test_rows_that_were_evaluated_in_another_order_are_refused(data, column: str) -> None:
    shuffled, metric = data.shuffle(seed=1), bound(data)
    predictions = [0.5] * len(data)
    with pytest.raises(LabelsError, match="evaluated in another order than the dataset's"):
        metric.compute(predictions=predictions, references=shuffled[column])
    expected = measure(predictions, data).to_dict()
    for references in (data[column], np.asarray(data[column]), [[0]] * len(data), None):
        assert metric.compute(predictions=predictions, references=references) == expected


def test_an_evaluator_takes_labels_as_classes_and_no_pipeline_with_transformers_5(model, data) -> None:
    result = evaluated(str(model), data, bound(data, outputs="class"), label_column="gender")
    assert result["flips"]
    assert {row["output"] for row in result["terms"]} == {"rate[NO]", "rate[YES]"}
    import transformers

    if not hasattr(transformers, "TFPreTrainedModel"):  # the class that evaluate 0.4.6 asks for
        pipe = transformers.pipeline("text-classification", model=str(model), device="cpu")
        with pytest.raises(AttributeError, match="TFPreTrainedModel"):
            evaluated(pipe, data, bound(data), **ANSWERS)


def test_an_evaluator_hands_the_module_no_persons_so_the_module_itself_is_refused(model, data, tmp_path) -> None:
    with pytest.raises(LabelsError, match="lacks race, gender, person, item, pair"):
        evaluated(str(model), data, evaluate.load(str(FOLDER), cache_dir=str(tmp_path)), **ANSWERS)


def test_a_suite_runs_several_corpora_and_can_be_saved(model, data, tmp_path) -> None:
    from evaluate.evaluation_suite import SubTask

    parts = (data, sentences(persons=2, items=["t1/angry", "t2/glad"], races=("Anglo", "Black")))
    suite = evaluate.EvaluationSuite("eec")
    suite.suite = [
        SubTask("text-classification", data=part, args_for_task={"metric": bound(part), **ANSWERS}) for part in parts
    ]
    for result, part in zip(suite.run(str(model)), parts, strict=True):
        assert result.items() >= measure(classes_of(model, part), part).to_dict().items()
        # The suite names a task by its data, which is no name where these are a Dataset.
        assert result.pop("task_name") is part
        path = evaluate.save(tmp_path / "suite.json", **result)
        assert json.loads(path.read_text(encoding="utf-8"))["terms"] == result["terms"]


def test_combined_with_another_metric_its_keys_stay_apart(tmp_path) -> None:
    data = corpus()
    columns = {name: data[name].tolist() for name in COLUMNS}
    one, two = (evaluate.load(str(FOLDER), cache_dir=str(tmp_path), experiment_id=name) for name in "ab")
    result = evaluate.combine({"first": one, "second": two}).compute(predictions=scores(data), **columns)
    expected = measure(scores(data), data).to_dict() | {"module_version": eec_bias.VERSION}
    assert result == {f"{name}_{key}": value for name in ("first", "second") for key, value in expected.items()}
