"""The metric as an `evaluate` module: the same numbers, what it refuses, which package it takes."""

import pickle
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import evaluate
import numpy as np
import pandas as pd
import polars as pl
import pytest
from forking import Forks
from snapshots import Snapshot
from synthetic import corpus, names, scores

import eec_bias
from eec_bias import BiasError, measure
from eec_bias.methods import METHODS

FOLDER = Path(eec_bias.__file__).parent
MODULE = (FOLDER / "eec_bias.py").read_text(encoding="utf-8")
COLUMNS = ("race", "gender", "person", "item", "pair")
Load = Callable[..., Any]


@pytest.fixture(scope="module")
def load(tmp_path_factory: pytest.TempPathFactory) -> Load:
    place = str(tmp_path_factory.mktemp("evaluate"))
    return lambda *config, **options: evaluate.load(str(FOLDER), *config, cache_dir=place, **options)


@pytest.fixture(scope="module")
def bias(load: Load) -> Any:
    return load()


@pytest.fixture(scope="module")
def data() -> pd.DataFrame:
    rows = corpus()
    return rows.assign(emotion=np.where(rows["item"].str.endswith("angry"), "anger", "joy"))


@pytest.fixture(scope="module")
def y(data: pd.DataFrame) -> np.ndarray:
    return scores(data)


def columns_of(data: pd.DataFrame, *more: str) -> dict[str, list[str]]:
    return {name: data[name].tolist() for name in (*COLUMNS, *more)}


def as_computed(result: Any, *, details: bool = False) -> dict[str, Any]:
    """What the module gives for a result of the package."""
    return result.to_dict(details=details) | {"module_version": eec_bias.VERSION}


def test_compute_gives_the_numbers_of_measure_whatever_holds_the_columns(bias: Any, data: Any, y: Any) -> None:
    expected = measure(y, data[list(COLUMNS)], axes=("race", "gender"))
    result = bias.compute(predictions=y, **columns_of(data))
    assert result == as_computed(expected)
    assert bias.report(result) == str(expected)
    assert bias.compute(predictions=y, **{name: data[name].to_numpy() for name in COLUMNS}) == result
    detailed = bias.compute(predictions=y, **columns_of(data), details=True)
    assert detailed == as_computed(expected, details=True)


def test_batches_and_single_sentences_give_the_same_as_one_call(bias: Any, data: Any, y: Any) -> None:
    expected = bias.compute(predictions=y, **columns_of(data))
    for start in range(0, len(data), 50):
        bias.add_batch(predictions=y[start : start + 50], **columns_of(data.iloc[start : start + 50]))
    assert bias.compute() == expected
    for score, row in zip(y, data[list(COLUMNS)].to_dict("records"), strict=True):
        bias.add(predictions=score, **row)
    assert bias.compute() == expected


def test_classes_and_labels_may_be_numbers_and_a_batch_empty(load: Load, data: Any, y: Any) -> None:
    known = data[list(COLUMNS)].assign(gender=(data["gender"] == "male").astype(int))
    options: dict[str, Any] = {"classes": {0: -1, 1: 1}, "reference": {"gender": "1"}}
    predicted = (y > 0.5).astype(int)
    expected = as_computed(measure(predicted, known, axes=COLUMNS[:2], outputs="class", **options))
    module = load(outputs="class")
    assert module.compute(predictions=predicted, **columns_of(known), **options) == expected
    module.add_batch(predictions=[], **columns_of(known[:0]))
    for label, row in zip(predicted, known.to_dict("records"), strict=True):
        module.add(prediction=label, **row)
    assert module.compute(**options) == expected


def test_options_and_the_name_of_the_data_are_passed_on(bias: Any, data: Any, y: Any) -> None:
    options = {"reference": None, "score_range": (-1, 1), "simple": True, "permutations": 99, "seed": 3}
    result = bias.compute(predictions=2 * y - 1, **columns_of(data), data="es@1.0.0#1a2b3c4d", **options)
    assert result == as_computed(
        measure(2 * y - 1, data[list(COLUMNS)], axes=("race", "gender"), data_name="es@1.0.0#1a2b3c4d", **options)
    )
    assert "|data:es@1.0.0#1a2b3c4d|" in result["signature"]


def test_axes_and_outputs_are_chosen_when_the_module_is_loaded(load: Load, data: Any, y: Any) -> None:
    rows, known = pd.DataFrame(names()), data[list(COLUMNS)]
    one = load(axes="gender").compute(predictions=scores(rows), **{n: rows[n] for n in ("gender", *COLUMNS[2:])})
    assert [row["term"] for row in one["terms"]] == ["gender"]
    labels, values = np.where(y > 0.5, "yes", "no").tolist(), {"no": 0, "yes": 1}
    classes = load(outputs="class").compute(predictions=labels, classes=values, **columns_of(data))
    assert classes == as_computed(measure(labels, known, axes=COLUMNS[:2], outputs="class", classes=values))
    cube = np.random.default_rng(0).dirichlet([1, 2], size=len(data))
    shares = load(outputs="probabilities").compute(predictions=cube.tolist(), classes=["no", "yes"], **columns_of(data))
    assert shares == as_computed(measure(cube, known, axes=COLUMNS[:2], outputs="probabilities", classes=["no", "yes"]))


def test_long_data_with_strata_are_taken_by_their_columns(load: Load, data: Any) -> None:
    two = {"a": scores(data), "b": scores(data, 1)}
    module = load(systems="system", tasks="task", by="emotion")
    for name, of_system in two.items():
        further = {"system": [name] * len(data), "task": ["joy"] * len(data)}
        module.add_batch(predictions=of_system, **columns_of(data, "emotion"), **further)
    expected = measure(two, data, by="emotion", tasks="joy", axes=("race", "gender"))
    assert module.compute()["terms"] == expected.to_dict()["terms"]


@pytest.mark.parametrize(
    ("method", "options"), [("kiritchenko2018", {}), ("camara2022", {}), ("perturbation", {"baseline": ["she", "he"]})]
)
def test_a_configuration_is_the_method_of_its_name(
    load: Load, data: Any, y: Any, method: str, options: dict[str, Any]
) -> None:
    module = load(method, columns="emotion")
    result = module.compute(predictions=y, **columns_of(data, "emotion"), **options)
    expected = METHODS[method](y, data[[*COLUMNS, "emotion"]], **options)
    assert (result, module.config_name) == (as_computed(expected), method)
    assert module.report(result) == str(expected)


def test_the_module_can_be_pickled(load: Load, bias: Any, data: Any, y: Any) -> None:
    given = {"predictions": y, **columns_of(data)}
    assert pickle.loads(pickle.dumps(load())).compute(**given) == bias.compute(**given)


def test_what_is_refused_is_named_and_leaves_the_module_usable(
    load: Load, bias: Any, data: Any, y: Any, snapshot: Snapshot
) -> None:
    given = {"predictions": y, **columns_of(data)}
    without = {name: column for name, column in given.items() if name not in ("item", "pair")}
    calls: dict[str, Callable[[], Any]] = {
        "an unknown configuration": lambda: load("kiritchenko"),
        "an option of another method": lambda: load("kiritchenko2018", by="emotion"),
        "an unknown kind of outputs": lambda: load(outputs="logits"),
        "systems by their names": lambda: load(systems=["a", "b"]),
        "scores in a frame": lambda: bias.compute(**given | {"predictions": pd.DataFrame({"a": y})}),
        "scores of two systems": lambda: bias.add_batch(**given | {"predictions": np.full((len(y), 2), 0.5)}),
        "a score in a list": lambda: bias.add(prediction=[0.5], **{n: given[n][0] for n in COLUMNS}),
        "probabilities in a frame": lambda: load(outputs="probabilities").compute(
            **given | {"predictions": pl.DataFrame({"no": y, "yes": 1 - y})}, classes=["yes", "no"]
        ),
        "another version of the package": lambda: load(version="9.0.0"),
        "another version of the package, for one call": lambda: bias.compute(**given, version="v9.0.0"),
        "columns of different lengths": lambda: bias.compute(**given | {"race": ["Anglo"]}),
        "a label that is missing": lambda: bias.compute(**given | {"race": [None, *data["race"][1:]]}),
        "a column that is None": lambda: bias.compute(**given | {"race": None}),
        "an option that is spelled otherwise": lambda: bias.compute(**given, refrence=None),
        "a method named as an option": lambda: bias.compute(**given, method="rating"),
        "a reference that is no level": lambda: bias.compute(**given, reference={"race": "white"}),
        "columns that are missing": lambda: bias.compute(**without),
        "a batch without columns": lambda: bias.add_batch(**without),
        "a sentence without columns": lambda: bias.add(prediction=0.5, race="Anglo", gender="male"),
        "a batch with emotions": lambda: bias.add_batch(**given, emotion=["joy"] * len(y)),
        "a sentence with its emotion": lambda: bias.add(prediction=0.5, emotion="joy", word="glad"),
        "what a pipeline gives": lambda: bias.compute(**given | {"predictions": [{"label": "yes", "score": 0.9}]}),
    }
    snapshot.check_refusals("evaluate-refused", calls, BiasError, {str(FOLDER): "FOLDER", eec_bias.VERSION: "VERSION"})
    assert bias.compute(**given) == as_computed(measure(y, data[list(COLUMNS)], axes=("race", "gender")))


PACKAGES = {
    "another interface": ("INTERFACE = 1", "INTERFACE = 2", r"speaks interface 2 of .* \S+ in .* has interface 1"),
    "older than needed": (
        'OLDEST = "0.1.0"',
        'OLDEST = "99.0"',
        r"needs the package eec_bias 99\.0 or later, and found",
    ),
    "without an interface": (
        '"INTERFACE", None',
        '"NO_INTERFACE", None',
        r"needs the package eec_bias 0\.1\.0 or later",
    ),
}


def changed(folder: Path, text: str) -> str:
    """Write another text of the module; its folder."""
    (folder / "eec_bias").mkdir()
    (folder / "eec_bias" / "eec_bias.py").write_text(text)
    return str(folder / "eec_bias")


@pytest.mark.parametrize("title", PACKAGES)
def test_a_package_that_does_not_fit_is_refused_with_what_to_install(tmp_path: Path, title: str) -> None:
    before, after, message = PACKAGES[title]
    assert before in MODULE
    text = MODULE.replace(before, after).replace('WHEEL = "."', 'WHEEL = "https://example.org/a.whl"')
    with pytest.raises(ImportError, match=message + r".*pip install https://example\.org/a\.whl$"):
        evaluate.load(changed(tmp_path, text))


def test_another_version_of_the_module_takes_the_same_package(tmp_path: Path, data: Any, y: Any) -> None:
    folder = changed(tmp_path, re.sub(r'(?m)^VERSION = ".*"$', 'VERSION = "7.0.0"', MODULE))
    result = evaluate.load(folder, cache_dir=str(tmp_path)).compute(predictions=y, **columns_of(data))
    assert (result["module_version"], result["version"]) == ("7.0.0", eec_bias.VERSION)


STANDING_INSIDE = """
import evaluate, sys
for name in [name for name in sys.modules if name.partition(".")[0] == "eec_bias"]:
    del sys.modules[name]
sys.path.insert(0, "")
found = evaluate.load("FOLDER")
import eec_bias
print(type(found).__name__, eec_bias.__file__, callable(eec_bias.measure), sep="\\n")
"""


def test_standing_in_its_folder_the_module_does_not_hide_the_package(forks: Forks) -> None:
    done = forks.run(STANDING_INSIDE.replace("FOLDER", str(FOLDER)), FOLDER)
    assert done.out.splitlines() == ["EecBias", str(FOLDER / "__init__.py"), "True"], done.err


def test_the_module_is_thin_and_imports_the_package_on_one_line_that_evaluate_reads() -> None:
    assert len(MODULE.splitlines()) < 100
    assert re.findall(r"(?m)^.*import eec_bias\b.*$", MODULE) == ["import eec_bias  # From: ."]
    assert not re.findall(r"(?m)^(?:import|from) .*#(?! From: \.$)", MODULE)


def test_what_it_takes_is_told_as_python_takes_it(bias: Any) -> None:
    assert "compared with; None: the mean of all." in bias.inputs_description
    assert "--" not in bias.inputs_description


@pytest.mark.parametrize("method", [None, "camara2022", "kiritchenko2018", "perturbation", "rating"])
def test_what_it_describes_is_what_compute_takes(load: Load, method: str | None) -> None:
    module = load(method)
    arguments = module.inputs_description.partition("Returns:")[0]
    described = re.findall(r"^    (\w[\w, ]*)(?: \([^:]*\))?:", arguments, flags=re.MULTILINE)
    names = {name for names in described for name in names.split(", ")} - {"details"}
    assert {"predictions", "person", "score_range"} < names
    with pytest.raises(BiasError, match="which it does not know; it takes ") as refused:
        module.compute(nonsense=1)
    taken = str(refused.value).partition("it takes ")[2].partition(". ")[0]
    assert names == {*taken.split(", ")} - {"details"}
