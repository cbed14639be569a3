"""The metric as an `evaluate` module: in place, and as a copy of its folder alone."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import evaluate
import numpy as np
import pandas as pd
import pytest
from synthetic import corpus, names, scores

from eec_bias import BiasError, LabelsError, OptionError, ScoresError, measure

FOLDER = Path(__file__).parents[2] / "metrics" / "eec_bias"
COLUMNS = ("race", "gender", "person", "item", "pair")


@pytest.fixture(scope="module")
def bias(tmp_path_factory: pytest.TempPathFactory):
    return evaluate.load(str(FOLDER), cache_dir=str(tmp_path_factory.mktemp("evaluate")))


@pytest.fixture
def data() -> pd.DataFrame:
    return corpus()


def columns_of(data: pd.DataFrame) -> dict[str, list[str]]:
    return {name: data[name].tolist() for name in COLUMNS}


def test_compute_gives_the_numbers_of_measure(bias, data) -> None:
    y = scores(data)
    result = bias.compute(predictions=y, **columns_of(data))
    assert result == measure(y, data).to_dict()
    assert bias.report(result) == str(measure(y, data))


def test_compute_adds_what_figures_need_where_it_is_asked_for(bias, data) -> None:
    y = scores(data)
    result = bias.compute(predictions=y, **columns_of(data), details=True)
    assert result == measure(y, data).to_dict(details=True)
    assert "details" not in bias.compute(predictions=y, **columns_of(data))


def test_batches_give_the_same_as_one_call(bias, data) -> None:
    y = scores(data)
    for start in range(0, len(data), 50):
        part = data.iloc[start : start + 50]
        bias.add_batch(predictions=y[start : start + 50], **columns_of(part))
    assert bias.compute() == bias.compute(predictions=y, **columns_of(data))


def test_options_and_the_name_of_the_data_are_passed_on(bias, data) -> None:
    y = scores(data)
    result = bias.compute(
        predictions=(2 * y - 1).tolist(),
        **columns_of(data),
        data="es@1.0.0#1a2b3c4d",
        reference=None,
        score_range=(-1, 1),
    )
    assert result["signature"] == (
        "eec_bias|v:0.1.0|data:es@1.0.0#1a2b3c4d|axes:race+gender|ref:mean+mean|test:names+items|adj:holm|edge:none"
        "|range:-1..1"
    )


def test_axes_are_chosen_when_the_module_is_loaded(tmp_path) -> None:
    rows = pd.DataFrame(names())
    one = evaluate.load(str(FOLDER), axes=("gender",), cache_dir=str(tmp_path))
    result = one.compute(
        predictions=scores(rows), gender=rows["gender"], person=rows["person"], item=rows["item"], pair=rows["pair"]
    )
    assert [row["term"] for row in result["terms"]] == ["gender"]


def test_results_can_be_saved(bias, data, tmp_path) -> None:
    result = bias.compute(predictions=scores(data), **columns_of(data))
    path = evaluate.save(tmp_path, **result)
    assert json.loads(path.read_text(encoding="utf-8"))["terms"] == result["terms"]


@pytest.mark.parametrize(
    ("kind", "change", "message"),
    [
        (
            LabelsError,
            {"race": ["Anglo"]},
            "columns differ in length: predictions has 192, race has 1, gender has 192, person has 192, item has "
            "192, pair "
            "has 192; each needs one value per sentence",
        ),
        (
            ScoresError,
            {"predictions": [0.5] * 191 + [None]},
            "score in row 191 (rows count from 0) is nan (1 such); every row needs a finite score",
        ),
        (
            OptionError,
            {"refrence": None},
            "compute() was given refrence=, which it does not know; it takes predictions, race, gender, person, "
            "item, pair, "
            "reference, score_range, adjust, method, edge, incomplete, simple, contrasts, classes, permutations, "
            "bootstrap, refit, seed, margin, group, thresholds, baseline, weights, levels, data, details, version",
        ),
        (
            OptionError,
            {"reference": {"race": "white"}},
            "reference='white' is not a level of 'race'; its levels are Anglo, Latino",
        ),
    ],
)
def test_mistakes_are_named_and_leave_the_module_usable(bias, data, kind, change, message) -> None:
    y = scores(data)
    with pytest.raises(ValueError) as caught:  # noqa: PT011  the module's classes are copies of the package's
        bias.compute(**({"predictions": y, **columns_of(data)} | change))
    assert type(caught.value).__name__ == kind.__name__
    assert issubclass(kind, BiasError)
    assert str(caught.value) == message
    assert bias.compute(predictions=y, **columns_of(data)) == measure(y, data).to_dict()


def test_a_missing_column_is_named(bias, data) -> None:
    columns = columns_of(data)
    del columns["pair"], columns["item"]
    with pytest.raises(ValueError, match="lacks") as caught:
        bias.compute(predictions=scores(data), **columns)
    assert str(caught.value) == (
        "compute() lacks item, pair; give one value per sentence, as in the corpus' columns of that name"
    )


def test_a_batch_without_a_column_is_refused(bias, data) -> None:
    columns = columns_of(data)
    del columns["person"]
    with pytest.raises(ValueError, match="lacks") as caught:
        bias.add_batch(predictions=scores(data), **columns)
    assert str(caught.value) == (
        "add_batch() lacks person; give one value per sentence, as in the corpus' columns of that name"
    )
    with pytest.raises(ValueError, match="lacks") as caught:
        bias.add(prediction=0.5, race="Anglo", gender="male")
    assert str(caught.value) == (
        "add() lacks person, item, pair; give one value per sentence, as in the corpus' columns of that name"
    )


def test_text_is_no_score(bias, data) -> None:
    for y in (["0.5"] * len(data), ["positive"] * len(data)):
        with pytest.raises(ValueError, match="text") as caught:
            bias.compute(predictions=y, **columns_of(data))
        assert str(caught.value) == "scores are text; give every score as a real number"


def test_sentences_added_one_by_one_give_the_same_as_one_call(bias, data) -> None:
    y = scores(data)
    for score, row in zip(y, data[list(COLUMNS)].to_dict("records"), strict=True):
        bias.add(predictions=score, **row)
    assert bias.compute() == measure(y, data).to_dict()


def test_every_sibling_is_imported_by_name() -> None:
    main = (FOLDER / "eec_bias.py").read_text(encoding="utf-8")
    imported = set(re.findall(r"^from \.(\w+) import \w", main, flags=re.MULTILINE))
    siblings = {path.stem for path in FOLDER.glob("*.py")} - {"__init__", "eec_bias", "app"}
    assert imported == siblings


COPY = """
import json, sys
import evaluate
columns = json.load(open(sys.argv[2]))
bias = evaluate.load(sys.argv[1])
print(json.dumps(bias.compute(**columns)))
assert not any(name == "eec_bias" or name.startswith("eec_datasets") for name in sys.modules)
"""


def test_a_copy_of_the_folder_alone_works_elsewhere(tmp_path, data) -> None:
    copy = tmp_path / "elsewhere" / "eec_bias"
    shutil.copytree(FOLDER, copy, ignore=shutil.ignore_patterns("__pycache__"))
    y = scores(data)
    (tmp_path / "columns.json").write_text(
        json.dumps({"predictions": y.tolist(), **columns_of(data)}), encoding="utf-8"
    )
    done = subprocess.run(
        [sys.executable, "-c", COPY, str(copy), "columns.json"],
        cwd=tmp_path,
        env=os.environ | {"HF_HOME": str(tmp_path / "hf"), "HF_HUB_OFFLINE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == measure(y, data).to_dict()


def test_the_package_is_imported_without_evaluate() -> None:
    code = (
        "import sys, eec_bias; print([m for m in ('evaluate', 'datasets', 'pandas', 'matplotlib') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_numpy_scores_and_labels_are_taken_too(bias, data) -> None:
    y = scores(data)
    columns = {name: np.array(column) for name, column in columns_of(data).items()}
    assert bias.compute(predictions=y, **columns) == measure(y, data).to_dict()


def load(tmp_path: Path, **options: object):
    return evaluate.load(str(FOLDER), cache_dir=str(tmp_path), **options)


def test_classes_are_taken_in_batches(tmp_path, data) -> None:
    labels = np.where(scores(data) > 0.5, "yes", "no").tolist()
    module = load(tmp_path, outputs="class")
    for start in range(0, len(data), 50):
        part = data.iloc[start : start + 50]
        module.add_batch(predictions=labels[start : start + 50], **columns_of(part))
    assert module.compute(classes={"no": 0, "yes": 1}) == (
        measure(labels, data, outputs="class", classes={"no": 0, "yes": 1}).to_dict()
    )


def test_probabilities_are_taken_as_lists(tmp_path, data) -> None:
    cube = np.random.default_rng(0).dirichlet([1, 2], size=len(data))
    result = load(tmp_path, outputs="probabilities").compute(
        predictions=cube.tolist(), classes=["no", "yes"], **columns_of(data)
    )
    assert result == measure(cube, data, outputs="probabilities", classes=["no", "yes"]).to_dict()


def test_long_data_with_strata_are_taken_by_their_columns(tmp_path, data) -> None:
    two = {"a": scores(data), "b": scores(data, 1)}
    rows = data.assign(emotion=np.where(data["item"].str.endswith("angry"), "anger", "joy"))
    module = load(tmp_path, systems="system", tasks="task", by="emotion")
    for name, y in two.items():
        further = {"system": [name] * len(y), "task": ["joy"] * len(y), "emotion": rows["emotion"].tolist()}
        module.add_batch(predictions=y, **columns_of(data), **further)
    assert module.compute() == measure(two, rows, by="emotion", tasks="joy", axes=("race", "gender")).to_dict()


def test_published_procedures_get_their_columns_and_report_their_tables(tmp_path, data) -> None:
    rows = data.assign(emotion=np.where(data["item"].str.endswith("angry"), "anger", "joy"))
    module = load(tmp_path, columns="emotion")
    result = module.compute(
        predictions=scores(data), **columns_of(data), emotion=rows["emotion"].tolist(), method="kiritchenko2018"
    )
    expected = measure(scores(data), rows, method="kiritchenko2018")
    assert result == expected.to_dict()
    assert module.report(result) == str(expected)


def test_the_version_that_is_wanted_can_be_stated(tmp_path, bias, data) -> None:
    load(tmp_path, version="0.1.0")
    for wanted in (
        lambda: load(tmp_path, version="9.0.0"),
        lambda: bias.compute(predictions=scores(data), **columns_of(data), version="9.0.0"),
    ):
        with pytest.raises(ValueError, match=r"^version 9\.0\.0 of eec_bias was asked for, 0\.1\.0 was loaded from "):
            wanted()
