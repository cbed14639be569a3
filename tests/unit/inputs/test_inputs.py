"""The same numbers, however scores, labels and systems are handed over."""

import re
import tracemalloc
from itertools import product
from typing import Any

import datasets
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from synthetic import assert_rows, corpus, scores

from eec_bias import DesignError, measure, report
from eec_bias.options import CUE, RESERVED
from eec_bias.result.frame import BESIDE
from eec_bias.result.term import LEADING

DATA = corpus()
Y = scores(DATA)
EXPECTED = measure(Y, DATA).overall
ARROW, DATASET = pa.Table.from_pandas(DATA), datasets.Dataset.from_pandas(DATA)
THREE = {name: scores(DATA, seed) for seed, name in enumerate(("zeta", "alpha", "mid"))}
LONG = pd.concat(
    [DATA.assign(system=name, task="joy" if name == "mid" else "fear", y=y) for name, y in THREE.items()],
    ignore_index=True,
)

CODES = pd.factorize(DATA["person"])[0]
PARTS = (DATA[:70], DATA[70:71], DATA[71:])
GIVEN: dict[str, tuple[Any, Any]] = {
    "arrow": (Y, ARROW),
    "large strings": (Y, ARROW.cast(pa.schema([(name, pa.large_string()) for name in DATA]))),
    "arrow in chunks": (Y, pa.concat_tables(map(pa.Table.from_pandas, PARTS))),
    "dictionaries in chunks": (Y, pa.concat_tables([pa.Table.from_pandas(part.astype("category")) for part in PARTS])),
    "categorical frame": (Y, DATA.astype("category")),
    "Dataset": (Y, DATASET),
    "Dataset of class labels": (
        Y,
        DATASET.cast(datasets.Features({name: datasets.ClassLabel(names=sorted(set(DATA[name]))) for name in DATA})),
    ),
    **{
        f"dict of {kind}": (Y, {name: make(name) for name in DATA})
        for kind, make in {
            "lists": lambda name: DATA[name].tolist(),
            "object arrays": lambda name: DATA[name].to_numpy(dtype=object),
            "numpy text": lambda name: DATA[name].to_numpy(dtype=str),
            "categoricals": lambda name: pd.Categorical(DATA[name]),
            "dictionary arrays": lambda name: pa.array(DATA[name]).dictionary_encode(),
            "columns of a Dataset": lambda name: DATASET[name],
        }.items()
    },
    "a list of scores": (list(Y), DATA),
    "a tuple of scores": (tuple(Y), DATA),
    "a series": (pd.Series(Y), DATA),
    "an arrow array": (pa.array(Y), DATA),
    "a series with another index": (pd.Series(Y, index=range(500, 692)), DATA),
    # It is no order where the data have no ids.
    "a series with an index of texts": (pd.Series(Y, [f"text {k}" for k in range(len(Y))]), DATA),
    **{
        f"persons as {kind} × {scale}": (Y, dict(DATA) | {"person": (CODES * scale).astype(kind)})
        for kind, scale in [("int8", 1), ("uint16", 1), ("int64", 10**12), ("int64", -(10**12))]
    },
}


@pytest.mark.parametrize("kind", GIVEN)
def test_every_kind_of_table_of_scores_and_of_labels_gives_the_same_terms(kind: str) -> None:
    # A note that names a person names it as the table does.
    assert_rows(measure(*GIVEN[kind]).overall, EXPECTED, without=("rough", "notes"))


def test_texts_of_polars_are_read_in_spite_of_string_views() -> None:
    told = DATA.assign(text=DATA["person"] + " " + DATA["item"], person_form=DATA["person"])
    for kind in (pl.String, pl.Categorical):
        strings = pl.from_pandas(told).with_columns(pl.all().cast(kind))
        assert measure(Y, strings).to_dict() == measure(Y, told).to_dict(), kind


def test_integer_levels_are_known_and_sorted_by_value_in_every_part() -> None:
    rows = product((9, 10, 100), "abc", ("t1/odd", "t2/odd", "t1/glad", "t2/glad"))
    data = pd.DataFrame([{"age": age, "person": person, "item": item, "word": item[3:]} for age, person, item in rows])
    for options in ({}, {"by": "word"}):
        terms = measure(scores(data), data, axes=("age",), **options).overall
        assert [row["level"] for row in terms[:4]] == ["9", "10", "100", "any"]
    assert measure(scores(data), data, axes=("age",), reference={"age": 10}).overall[0]["reference"] == "10"


def angry() -> datasets.Dataset:
    """The rows with one of the words, in another order."""
    return DATASET.add_column("y", Y).filter(lambda row: row["item"].endswith("angry")).shuffle(seed=1)


def test_a_filtered_dataset_is_taken_as_it_stands() -> None:
    part, kept = angry(), DATA["item"].str.endswith("angry")
    assert_rows(measure(part["y"], part).overall, measure(Y[kept], DATA[kept]).overall)


def test_a_dataset_names_itself_in_the_signature() -> None:
    part = angry()
    part.info.config_name, part.info.version = "en-anglo-latino", datasets.Version("1.2.0")
    assert re.search(r"\|data:en-anglo-latino@1\.2\.0#[0-9a-f]{8}\|", str(measure(part["y"], part).signature))
    assert "|data:?|" in str(measure(Y, DATA).signature)


def test_of_further_columns_only_those_of_text_are_axes() -> None:
    texts = [f"sentence {i}" for i in range(len(DATA))]
    wide = DATA.assign(text=texts, emotion="joy", word="glad", age="old", weight=1.5)
    wide.loc[wide["person"].str.contains("[012]$"), "age"] = "young"
    answers = {"column": [0, 1] * 96, "feature": datasets.ClassLabel(names=["no", "yes"])}
    result = measure(Y, datasets.Dataset.from_pandas(wide).add_column("label", **answers))
    assert result.axes == ("race", "gender", "age")
    assert "race:gender:age" in {row["term"] for row in result.overall}


def test_one_axis_pools_persons_over_the_other() -> None:
    rows = measure(Y, DATA, axes=("gender",)).overall
    found = [(row["term"], row["subset"], row["n_persons"]) for row in rows]
    assert found == [("gender", "names", 20), ("gender", "pairs", 6)]


def test_axes_of_one_level_are_left_out_by_default() -> None:
    women = DATA["gender"] == "female"
    assert [row["term"] for row in measure(Y[women], DATA[women]).overall] == ["race"]


def test_an_incomplete_table_is_cut_to_shared_items_on_request() -> None:
    result = measure(Y[1:], DATA.iloc[1:], incomplete="shared")
    assert {row["n_items"] for row in result.overall if row["subset"] == "names"} == {5}
    assert "|incomplete:shared|" in result.signature


def test_systems_keep_their_order_whatever_holds_them() -> None:
    result, matrix = measure(THREE, DATA), np.stack(list(THREE.values()))
    assert list(result.to_frame().columns[:2]) == ["system", "term"]
    for given in (pd.DataFrame(THREE), pa.table(THREE), pl.DataFrame(THREE)):
        assert_rows(measure(given, DATA).overall, result.overall)
    assert_rows(
        measure(matrix.astype("float32"), DATA, systems=list(THREE)).overall, result.overall, rel=1e-3, abs=1e-5
    )


def test_each_of_several_systems_has_the_numbers_that_it_has_alone() -> None:
    alone = [{"system": name, **row} for name, y in THREE.items() for row in measure(y, DATA).overall]
    assert_rows(measure(THREE, DATA).overall, alone)


def test_systems_of_a_matrix_without_names_are_numbered() -> None:
    matrix = np.stack(list(THREE.values()))
    for rows in (1, 2):
        numbered = measure(matrix[:rows], DATA).overall
        assert list(dict.fromkeys(row["system"] for row in numbered)) == [f"system{s}" for s in range(rows)]


def test_beside_a_system_without_scores_the_others_are_computed() -> None:
    others = [row for row in measure(THREE, DATA).overall if row["system"] != "alpha"]
    long = LONG["y"].where(LONG["system"] != "alpha")
    for result in (
        measure({**THREE, "alpha": np.full(len(DATA), np.nan)}, DATA),
        measure(long, LONG.drop(columns="task"), systems="system"),
    ):
        assert_rows(result.overall, others)


def test_tasks_stand_in_a_column_of_their_own() -> None:
    result = measure(THREE, DATA, tasks=["anger", "joy", None])
    assert list(result.to_frame().columns[:3]) == ["system", "task", "term"]
    found = {(row["system"], row.get("task")) for row in result.overall}
    assert found == {("zeta", "anger"), ("alpha", "joy"), ("mid", None)}
    assert measure(THREE, DATA, tasks={"alpha": "joy", "zeta": "anger"}).overall == result.overall
    assert {row.get("task") for row in measure(Y, DATA, tasks="valence").overall} == {"valence"}
    assert "System: alpha, task joy" in report(result)


def test_a_system_may_have_several_tasks() -> None:
    matrix = np.stack(list(THREE.values()))
    rows = measure(matrix, DATA, systems=["team", "team", "other"], tasks=["anger", "joy", "joy"]).overall
    assert len({(row["system"], row.get("task")) for row in rows}) == 3


def test_long_data_name_their_systems_in_a_column_in_any_order_of_rows() -> None:
    expected = measure(THREE, DATA, tasks=["fear", "fear", "joy"])
    assert_rows(measure(LONG["y"], LONG, systems="system", tasks="task").overall, expected.overall)
    mixed = LONG.sample(frac=1, random_state=4).reset_index(drop=True)
    order = list(dict.fromkeys(mixed["system"]))
    found = measure(mixed["y"], mixed, systems="system")
    assert_rows(found.overall, measure({name: THREE[name] for name in order}, DATA).overall)
    labels = np.where(LONG["y"] > 0.5, "yes", "no")
    assert {row["system"] for row in measure(labels, LONG, systems="system", outputs="class").overall} == set(THREE)


def test_a_column_of_words_without_any_says_that_no_sentence_has_one() -> None:
    for nothing in (None, np.nan):
        assert measure(Y, DATA.assign(word=nothing)).overall == measure(Y, DATA.assign(word="none")).overall
    words = DATA["item"].str[4:]
    some = measure(Y, DATA.assign(word=words.where(words == "glad"))).overall
    assert some == measure(Y, DATA.assign(word=words.where(words == "glad", "none"))).overall


def test_no_axis_is_called_as_another_column_of_the_rows() -> None:
    assert set(RESERVED) == {*LEADING, *BESIDE["cells"], CUE}


def test_texts_that_were_never_paired_are_refused_briefly() -> None:
    own = np.arange(4000)
    tracemalloc.start()
    with pytest.raises(DesignError, match=r"15996000 of the 4000 × 4000 .* person '0' \(race=0\) on item '1'"):
        measure(np.full(4000, 0.5), {"person": own, "item": own, "race": own % 2})
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 4000 * 4000
