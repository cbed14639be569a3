"""The same numbers, however scores and labels are handed over."""

import json

import datasets
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from synthetic import corpus, scores

from eec_bias import Result, measure


@pytest.fixture
def data() -> pd.DataFrame:
    return corpus()


@pytest.fixture
def y(data: pd.DataFrame) -> np.ndarray:
    return scores(data)


def numbers(result: Result) -> list[dict]:
    return [dict(row) for row in result.terms]


def test_every_kind_of_table_gives_the_same_terms(data, y) -> None:
    expected = numbers(measure(y, data))
    tables = {
        "arrow": pa.Table.from_pandas(data),
        "large strings": pa.Table.from_pandas(data).cast(pa.schema([(name, pa.large_string()) for name in data])),
        "arrow in chunks": pa.concat_tables(
            [pa.Table.from_pandas(part) for part in (data[:70], data[70:71], data[71:])]
        ),
        "dictionaries in chunks": pa.concat_tables(
            [pa.Table.from_pandas(part.astype("category")) for part in (data[:70], data[70:])]
        ),
        "dict of lists": {name: data[name].tolist() for name in data},
        "dict of object arrays": {name: data[name].to_numpy(dtype=object) for name in data},
        "dict of numpy text": {name: data[name].to_numpy(dtype=str) for name in data},
        "dict of categoricals": {name: pd.Categorical(data[name]) for name in data},
        "categorical frame": data.astype("category"),
        "dictionary arrays": {name: pa.array(data[name]).dictionary_encode() for name in data},
        "Dataset": datasets.Dataset.from_pandas(data),
        "columns of a Dataset": {name: datasets.Dataset.from_pandas(data)[name] for name in data},
    }
    for kind, table in tables.items():
        assert numbers(measure(y, table)) == expected, kind


def test_scores_of_any_container_give_the_same_terms(data, y) -> None:
    expected = numbers(measure(y, data))
    for given in (y.tolist(), pd.Series(y), pa.array(y), tuple(y)):
        assert numbers(measure(given, data)) == expected


def test_integers_of_any_size_are_labels(data, y) -> None:
    whole = data[data["race"] != "unmarked"]
    codes = pd.factorize(whole["person"])[0]
    expected = [row["effect"] for row in measure(y[whole.index], whole).terms]
    for scale, kind in ((1, "int8"), (1, "uint16"), (10**12, "int64"), (-(10**12), "int64")):
        coded = {**{name: whole[name].tolist() for name in whole}, "person": (codes * scale).astype(kind)}
        found = [row["effect"] for row in measure(y[whole.index], coded).terms]
        assert found == pytest.approx(expected, abs=1e-14)


def test_labels_may_be_integers(data, y) -> None:
    coded = data.assign(race=data["race"].map({"Anglo": 0, "Latino": 1, "unmarked": 2}))
    coded = coded[data["race"] != "unmarked"]
    result = measure(y[coded.index], coded, reference={"race": 0})
    assert result.terms[0]["effect"] == measure(y, data).terms[0]["effect"]


def test_integer_levels_are_sorted_by_value() -> None:
    data = pd.DataFrame(
        [{"person": p, "age": a, "item": i} for a in (9, 10, 100) for p in range(3) for i in ("x", "y")]
    )
    result = measure(scores(data), data, axes=("age",))
    assert [row["level"] for row in result.terms] == ["9", "10", "100", "any"]


def test_a_filtered_and_shuffled_dataset_is_taken_as_it_stands(data, y) -> None:
    whole = datasets.Dataset.from_pandas(data.assign(y=y))
    part = whole.filter(lambda row: row["item"].endswith("angry")).shuffle(seed=1)
    kept = data["item"].str.endswith("angry")
    one, two = measure(part["y"], part), measure(y[kept], data[kept])
    for a, b in zip(one.terms, two.terms, strict=True):
        assert a["effect"] == pytest.approx(b["effect"], rel=1e-12)
        assert a["n_items"] == b["n_items"] == 3


def test_a_dataset_names_itself_in_the_signature(data, y) -> None:
    ds = datasets.Dataset.from_pandas(data)
    ds.info.config_name, ds.info.version = "en-anglo-latino", datasets.Version("1.2.0")
    part = str(measure(y, ds).signature).split("|")[2]
    assert part.startswith("data:en-anglo-latino@1.2.0#")
    assert len(part.split("#")[1]) == 8
    assert str(measure(y, data).signature).split("|")[2] == "data:?"
    assert "|data:mine@1|" in str(measure(y, data, data_name="mine@1").signature)


def test_a_matrix_of_systems_equals_the_systems_one_by_one(data, y) -> None:
    other = scores(data, seed=9)
    both = measure({"first": y, "second": other}, data)
    frame = both.to_frame()
    assert list(frame.columns[:2]) == ["system", "term"]
    for name, alone in (("first", y), ("second", other)):
        part = [{k: v for k, v in row.items() if k != "system"} for row in both.terms if row["system"] == name]
        for a, b in zip(part, measure(alone, data).terms, strict=True):
            for key, value in b.items():
                assert a[key] == (pytest.approx(value, rel=1e-9) if isinstance(value, float) else value), key


def test_a_matrix_without_names_numbers_its_systems(data, y) -> None:
    matrix = np.stack([y, y])
    assert {row["system"] for row in measure(matrix, data).terms} == {"system0", "system1"}
    assert {row["system"] for row in measure(matrix, data, systems=["a", "b"]).terms} == {"a", "b"}
    assert {row["system"] for row in measure(matrix[:1], data).terms} == {"system0"}


def test_further_text_columns_are_axes_and_schema_columns_are_not(data, y) -> None:
    wide = data.assign(
        text=[f"sentence {i}" for i in range(len(data))], emotion="joy", word="glad", age="old", weight=1.5
    )
    wide.loc[wide["person"].str.contains("[012]$"), "age"] = "young"
    result = measure(y, wide)
    assert result.axes == ("race", "gender", "age")
    assert "race:gender:age" in {row["term"] for row in result.terms}


def test_one_axis_pools_persons_over_the_other(data, y) -> None:
    result = measure(y, data, axes=("gender",))
    assert [(row["term"], row["subset"], row["n_persons"]) for row in result.terms] == [
        ("gender", "names", 20),
        ("gender", "pairs", 6),
    ]


def test_the_dict_form_is_plain_json(data, y) -> None:
    content = measure({"a": y, "b": y}, data, simple=True, reference=None).to_dict()
    assert json.loads(json.dumps(content, allow_nan=False)) == content
