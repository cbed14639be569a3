"""The metric as an `evaluate` module, alone and in the loops of `evaluate`: numbers, refusals, the package it takes."""

import json
import pickle
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import datasets
import evaluate
import numpy as np
import pandas as pd
import polars as pl
import pytest
from snapshots import Snapshot
from synthetic import corpus, names, scores
from tiny import Tiny, sentences

import eec_bias
from eec_bias import BiasError, LabelsError, ScoresError, bound, measure, report
from eec_bias.methods import METHODS

FOLDER = Path(eec_bias.__file__).parent
MODULE = (FOLDER / "eec_bias.py").read_text(encoding="utf-8")
COLUMNS = ("race", "gender", "person", "item", "pair")
Load = Callable[..., Any]
Call = Callable[[], Any]


def columns_of(data: pd.DataFrame, *more: str) -> dict[str, list[str]]:
    return {name: data[name].tolist() for name in (*COLUMNS, *more)}


DATA = corpus().assign(emotion=lambda rows: np.where(rows["item"].str.endswith("angry"), "anger", "joy"))
KNOWN, Y = DATA[list(COLUMNS)], scores(DATA)
GIVEN: dict[str, Any] = {"predictions": Y, **columns_of(DATA)}


@pytest.fixture(scope="module")
def load(tmp_path_factory: pytest.TempPathFactory) -> Load:
    place = str(tmp_path_factory.mktemp("evaluate"))
    return lambda *config, **options: evaluate.load(str(FOLDER), *config, cache_dir=place, **options)


@pytest.fixture(scope="module")
def bias(load: Load) -> Any:
    return load()


def as_computed(result: Any, *, details: bool = False) -> dict[str, Any]:
    """Return the module's values for a result of the package."""
    return result.to_dict(details=details) | {"module_version": eec_bias.VERSION}


def test_compute_gives_the_numbers_of_measure_whatever_holds_the_columns(load: Load, bias: Any) -> None:
    expected = measure(Y, KNOWN)
    result = bias.compute(**GIVEN)
    assert result == as_computed(expected)
    assert bias.report(result) == report(expected)
    assert bias.compute(predictions=Y, **{name: DATA[name].to_numpy() for name in COLUMNS}) == result
    assert bias.compute(**GIVEN, details=True) == as_computed(expected, details=True)
    assert pickle.loads(pickle.dumps(load())).compute(**GIVEN) == result
    # So do batches and single sentences.
    for start in range(0, len(DATA), 50):
        bias.add_batch(predictions=Y[start : start + 50], **columns_of(DATA.iloc[start : start + 50]))
    assert bias.compute() == result
    for score, row in zip(Y, KNOWN.to_dict("records"), strict=True):
        bias.add(prediction=score, **row)
    assert bias.compute() == result


def test_classes_and_labels_may_be_numbers_and_a_batch_empty(load: Load) -> None:
    known = KNOWN.assign(gender=(DATA["gender"] == "male").astype(int))
    options: dict[str, Any] = {"classes": {0: -1, 1: 1}, "reference": {"gender": "1"}}
    predicted, module = (Y > 0.5).astype(int), load(outputs="class")
    expected = as_computed(measure(predicted, known, outputs="class", **options))
    assert module.compute(predictions=predicted, **columns_of(known), **options) == expected
    module.add_batch(predictions=[], **columns_of(known[:0]))
    for label, row in zip(predicted, known.to_dict("records"), strict=True):
        module.add(prediction=label, **row)
    assert module.compute(**options) == expected


def test_options_are_passed_on(bias: Any) -> None:
    options = {"reference": None, "score_range": (-1, 1)}
    result = bias.compute(**GIVEN | {"predictions": 2 * Y - 1}, **options)
    assert result == as_computed(measure(2 * Y - 1, KNOWN, **options))


def test_axes_and_outputs_are_chosen_when_the_module_is_loaded(load: Load) -> None:
    rows = pd.DataFrame(names())
    one = load(axes="gender").compute(predictions=scores(rows), **{n: rows[n] for n in ("gender", *COLUMNS[2:])})
    assert [row["term"] for row in one["terms"]] == ["gender"]
    cube = np.random.default_rng(0).dirichlet([1, 2], size=len(DATA))
    for outputs, predicted, classes in (
        ("class", np.where(Y > 0.5, "yes", "no").tolist(), {"no": 0, "yes": 1}),
        ("probabilities", cube.tolist(), ["no", "yes"]),
    ):
        found = load(outputs=outputs).compute(**GIVEN | {"predictions": predicted}, classes=classes)
        assert found == as_computed(measure(predicted, KNOWN, outputs=outputs, classes=classes))


def test_long_data_with_strata_are_taken_by_their_columns(load: Load) -> None:
    two = {"a": scores(DATA), "b": scores(DATA, 1)}
    module = load(systems="system", tasks="task", by="emotion")
    for name, of_system in two.items():
        further = {"system": [name] * len(DATA), "task": ["joy"] * len(DATA)}
        module.add_batch(predictions=of_system, **columns_of(DATA, "emotion"), **further)
    expected = measure(two, DATA, by="emotion", tasks="joy")
    assert module.compute()["terms"] == expected.to_dict()["terms"]


@pytest.mark.parametrize(
    ("method", "options"), [("kiritchenko2018", {}), ("camara2022", {}), ("perturbation", {"baseline": ["she", "he"]})]
)
def test_a_configuration_is_the_method_of_its_name(load: Load, method: str, options: dict[str, Any]) -> None:
    module = load(method, columns="emotion")
    result = module.compute(predictions=Y, **columns_of(DATA, "emotion"), **options)
    expected = METHODS[method](Y, DATA, **options)
    assert (result, module.config_name) == (as_computed(expected), method)
    assert module.report(result) == report(expected)


def test_what_is_refused_is_named_and_leaves_the_module_usable(load: Load, bias: Any, snapshot: Snapshot) -> None:
    without = {name: column for name, column in GIVEN.items() if name not in ("item", "pair")}

    def given(**changed: Any) -> Call:
        return lambda: bias.compute(**GIVEN | changed)

    frame = pl.DataFrame({"no": Y, "yes": 1 - Y})
    calls: dict[str, Call] = {
        "an unknown configuration": lambda: load("kiritchenko"),
        "an option of another method": lambda: load("kiritchenko2018", by="emotion"),
        "an unknown kind of outputs": lambda: load(outputs="logits"),
        "systems by their names": lambda: load(systems=["a", "b"]),
        "scores in a frame": given(predictions=pd.DataFrame({"a": Y})),
        "scores of two systems": lambda: bias.add_batch(**GIVEN | {"predictions": np.full((len(Y), 2), 0.5)}),
        "a score in a list": lambda: bias.add(prediction=[0.5], **{n: GIVEN[n][0] for n in COLUMNS}),
        "probabilities in a frame": lambda: load(outputs="probabilities").compute(**GIVEN | {"predictions": frame}),
        "another version of the package": lambda: load(version="9.0.0"),
        "another version of the package, for one call": given(version="v9.0.0"),
        "columns of different lengths": given(race=["Anglo"]),
        "a label that is missing": given(race=[None, *DATA["race"][1:]]),
        "a column that is None": given(race=None),
        "an option that is spelled otherwise": given(refrence=None),
        "a method named as an option": given(method="rating"),
        "a reference that is no level": given(reference={"race": "white"}),
        "columns that are missing": lambda: bias.compute(**without),
        "a batch without columns": lambda: bias.add_batch(**without),
        "a sentence without columns": lambda: bias.add(prediction=0.5, race="Anglo", gender="male"),
        "a batch with emotions": lambda: bias.add_batch(**GIVEN, emotion=["joy"] * len(Y)),
        "a sentence with its emotion": lambda: bias.add(prediction=0.5, emotion="joy", word="glad"),
        "what a pipeline gives": given(predictions=[{"label": "yes", "score": 0.9}]),
    }
    snapshot.check_refusals("evaluate-refused", calls, BiasError, {str(FOLDER): "FOLDER", eec_bias.VERSION: "VERSION"})
    assert bias.compute(**GIVEN) == as_computed(measure(Y, KNOWN))


def changed_module(folder: Path, *changes: tuple[str, str]) -> str:
    """Write another text of the module; its folder."""
    text = MODULE
    for before, after in changes:
        assert before in text
        text = text.replace(before, after)
    (folder / "eec_bias").mkdir()
    (folder / "eec_bias" / "eec_bias.py").write_text(text)
    return str(folder / "eec_bias")


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("INTERFACE = 1", "INTERFACE = 2", r"speaks interface 2 of .* \S+ in .* has interface 1"),
        ('OLDEST = "0.1.0"', 'OLDEST = "99.0"', r"needs the package eec_bias 99\.0 or later, and found"),
        ('"INTERFACE", None', '"NO_INTERFACE", None', r"needs the package eec_bias 0\.1\.0 or later"),
    ],
)
def test_a_package_that_does_not_fit_is_refused_with_what_to_install(
    tmp_path: Path, before: str, after: str, message: str
) -> None:
    folder = changed_module(tmp_path, (before, after), ('WHEEL = "."', 'WHEEL = "https://example.org/a.whl"'))
    with pytest.raises(ImportError, match=message + r".*pip install https://example\.org/a\.whl$"):
        evaluate.load(folder)


def test_another_version_of_the_module_takes_the_same_package(tmp_path: Path) -> None:
    folder = changed_module(tmp_path, (f'\nVERSION = "{eec_bias.VERSION}"', '\nVERSION = "7.0.0"'))
    result = evaluate.load(folder, cache_dir=str(tmp_path)).compute(**GIVEN)
    assert (result["module_version"], result["version"]) == ("7.0.0", eec_bias.VERSION)


def test_the_module_imports_the_package_on_a_line_evaluate_reads() -> None:
    assert len(MODULE.splitlines()) < 100
    assert re.findall(r"(?m)^.*import eec_bias\b.*$", MODULE) == ["import eec_bias  # From: ."]
    assert not re.findall(r"(?m)^(?:import|from) .*#(?! From: \.$)", MODULE)


@pytest.mark.parametrize("method", [None, "camara2022", "kiritchenko2018", "perturbation", "rating"])
def test_what_it_describes_is_what_compute_takes(load: Load, method: str | None) -> None:
    module = load(method)
    assert "--" not in module.inputs_description
    assert ("other groups of an axis. None: the mean of all." in module.inputs_description) == (method != "rating")
    arguments = module.inputs_description.partition("Returns:")[0]
    described = re.findall(r"^    (\w[\w, ]*)(?: \([^:]*\))?:", arguments, flags=re.MULTILINE)
    names = {name for names in described for name in names.split(", ")} - {"details"}
    assert {"predictions", "person", "score_range"} < names
    with pytest.raises(BiasError, match="which it does not know; it takes ") as refused:
        module.compute(nonsense=1)
    taken = str(refused.value).partition("it takes ")[2].partition(". ")[0]
    assert names == {*taken.split(", ")} - {"details"}


TWINS = [sentences(persons=2, items=["t1/angry", "t2/glad"], races=("Anglo", other)) for other in ("Latino", "Black")]
ROWS = TWINS[0]
ANSWERS = {"label_column": "gender", "label_mapping": {"NO": 0.0, "YES": 1.0}}


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A folder with a model of two classes and its tokenizer."""
    tiny = Tiny(tmp_path_factory.mktemp("tiny"), ROWS)
    tiny.torch.manual_seed(0)
    network = tiny.model(labels=("NO", "YES"), initializer_range=2.0).eval()
    with tiny.torch.no_grad():
        # Random weights mostly give one class to all; moved to the median, half of the sentences get each.
        logits = network(**tiny.tokenizer(list(ROWS["text"]), padding=True, return_tensors="pt")).logits
        network.classifier.bias[1] -= (logits[:, 1] - logits[:, 0]).median()
    network.save_pretrained(tiny.folder)
    tiny.tokenizer.save_pretrained(tiny.folder)
    return str(tiny.folder)


def pipeline(model: str) -> Any:
    import transformers

    return transformers.pipeline("text-classification", model=model, device="cpu")


def classes_of(model: str, data: datasets.Dataset) -> list[float]:
    """The classes a pipeline predicts, as numbers."""
    return [ANSWERS["label_mapping"][found["label"]] for found in pipeline(model)(list(data["text"]))]


def evaluated(model: Any, metric: Any, **options: Any) -> dict[str, Any]:
    evaluator = evaluate.evaluator("text-classification")
    return evaluator.compute(model_or_pipeline=model, data=ROWS, metric=metric, **options)


def test_an_evaluator_measures_predicted_classes(model: str) -> None:
    result, predicted = evaluated(model, bound(ROWS), **ANSWERS), classes_of(model, ROWS)
    assert 0 < sum(predicted) < len(ROWS)
    assert result.items() >= measure(predicted, ROWS).to_dict().items()
    assert {"samples_per_second", "latency_in_seconds"} <= set(result)
    result = evaluated(model, bound(ROWS, outputs="class"), label_column="gender")
    assert result["flips"]
    assert {row["output"] for row in result["terms"]} == {"rate[NO]", "rate[YES]"}


def test_an_evaluator_hands_the_module_no_persons(model: str, bias: Any) -> None:
    import transformers

    if not hasattr(transformers, "TFPreTrainedModel"):  # the class that evaluate 0.4.6 asks for
        with pytest.raises(AttributeError, match="TFPreTrainedModel"):
            evaluated(pipeline(model), bound(ROWS), **ANSWERS)
    with pytest.raises(LabelsError, match="lacks race, gender, person, item, pair"):
        evaluated(model, bias, **ANSWERS)


@pytest.mark.parametrize("predicted", ["YES", 1, 1.0])
def test_predictions_of_an_evaluator_that_are_all_one_class_are_refused(predicted: Any) -> None:
    with pytest.raises(ScoresError, match=r"all of one class, .*; measure the probabilities: eec_bias\.measure\(pipe"):
        bound(ROWS, outputs="class", classes=["NO", "YES"]).compute(predictions=[predicted] * len(ROWS))


@pytest.mark.parametrize("column", ["gender", "labels"])
def test_rows_that_were_evaluated_in_another_order_are_refused(column: str) -> None:
    metric, predictions = bound(ROWS), [0.5] * len(ROWS)
    with pytest.raises(LabelsError, match="evaluated in another order than the dataset's"):
        metric.compute(predictions=predictions, references=ROWS.shuffle(seed=1)[column])
    expected = measure(predictions, ROWS).to_dict()
    for references in (ROWS[column], np.asarray(ROWS[column]), [[0]] * len(ROWS), None):
        assert metric.compute(predictions=predictions, references=references) == expected


def test_a_suite_runs_several_corpora_and_can_be_saved(model: str, tmp_path: Path) -> None:
    from evaluate.evaluation_suite import SubTask

    suite = evaluate.EvaluationSuite("eec")
    suite.suite = [
        SubTask("text-classification", data=part, args_for_task={"metric": bound(part), **ANSWERS}) for part in TWINS
    ]
    for result, part in zip(suite.run(model), TWINS, strict=True):
        assert result.items() >= measure(classes_of(model, part), part).to_dict().items()
        # The suite names a task by its data, which is no name where these are a Dataset.
        assert result.pop("task_name") is part
        path = evaluate.save(tmp_path / "suite.json", **result)
        assert json.loads(path.read_text(encoding="utf-8"))["terms"] == result["terms"]


def test_combined_with_another_metric_its_keys_stay_apart(load: Load) -> None:
    both = evaluate.combine({"first": load(experiment_id="a"), "second": load(experiment_id="b")})
    expected = as_computed(measure(Y, KNOWN))
    assert both.compute(**GIVEN) == {f"{name}_{key}": expected[key] for name in ("first", "second") for key in expected}
