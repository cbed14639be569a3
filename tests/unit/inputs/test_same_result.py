"""The result is the same for every order, container, type and spelling of the same scores and labels."""

import unicodedata
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from synthetic import corpus, scores

from eec_bias import measure

DATA = corpus(persons=3)
Y = scores(DATA)
FEW = settings(max_examples=10, deadline=None)

SCORES: dict[str, Callable[[list[float | None]], Any]] = {
    "list": list,
    "tuple": tuple,
    "array": lambda y: np.array(y, dtype=float),
    "objects": lambda y: np.array(y, dtype=object),
    "Series": lambda y: pd.Series(y, dtype=float),
    "nullable Series": lambda y: pd.Series(y, dtype="Float64"),
    "Arrow": pa.array,
    "polars": lambda y: pl.Series(y, dtype=pl.Float64),
    "generator": iter,
    "frame": lambda y: pd.DataFrame({"a": y}),
    "mapping": lambda y: {"a": y},
}

OUTPUTS: dict[str, Callable[[list[Any]], Any]] = {
    "list": list,
    "Series": pd.Series,
    "objects": lambda o: pd.Series(o).to_numpy(),
    "Arrow": pa.array,
    "generator": iter,
    "mapping": lambda o: {"a": o},
}

LABELS: dict[str, Callable[[pd.DataFrame], Any]] = {
    "frame": lambda d: d,
    "categories": lambda d: d.astype("category"),
    "Arrow": lambda d: pa.Table.from_pandas(d, preserve_index=False),
    "dictionaries": lambda d: pa.Table.from_pandas(d.astype("category"), preserve_index=False),
    "polars": pl.from_pandas,
    "mapping": lambda d: {name: d[name].tolist() for name in d},
}


def numbers(result: Any) -> dict[str, float]:
    """Return the scalars, whatever the one system is called."""
    scalars = {key.rpartition("/")[2]: value for key, value in result.scalars.items()}
    return {key: value for key, value in scalars.items() if isinstance(value, float)}


def same(found: Any, expected: Any, rel: float = 1e-9) -> None:
    assert numbers(found) == pytest.approx(numbers(expected), rel=rel, abs=rel, nan_ok=True)


@FEW
@given(
    st.sampled_from(sorted(SCORES)),
    st.sampled_from(sorted(LABELS)),
    st.permutations(range(len(DATA))),
    st.sets(st.integers(0, len(DATA) - 1), max_size=3),
)
def test_scores_and_labels_in_any_container_and_order(
    kind: str, labels: str, order: list[int], holes: set[int]
) -> None:
    values = [None if k in holes else float(y) for k, y in enumerate(Y)]
    expected = measure(np.array(values, dtype=float), DATA, control=0)
    data = DATA.iloc[order].reset_index(drop=True)
    found = measure(SCORES[kind]([values[k] for k in order]), LABELS[labels](data), control=0)
    same(found, expected)
    kept = [k for k in order if k not in holes]
    same(measure(Y[kept], DATA.iloc[kept], control=0), expected)


@FEW
@given(st.sampled_from(sorted(OUTPUTS)), st.sets(st.integers(0, len(DATA) - 1), max_size=3), st.booleans())
def test_outputs_of_pipelines_in_any_container(kind: str, holes: set[int], empty: bool) -> None:
    values = np.where([k in holes for k in range(len(Y))], np.nan, Y)
    expected = measure(values, DATA, control=0)
    none: Any = [] if empty else None
    outputs = [
        none if np.isnan(y) else [{"label": "a", "score": float(y)}, {"label": "b", "score": float(1 - y)}]
        for y in values
    ]
    same(measure(OUTPUTS[kind](outputs), DATA, positive_class="a", control=0), expected, 1e-6)


KEYED = DATA.assign(id=DATA["item"] + "/" + DATA["person"], text=DATA["person"] + " waits for " + DATA["item"])

TABLES: dict[str, Callable[[pd.DataFrame], tuple[Any, Any]]] = {
    "scores by id": lambda f: (dict(zip(f["id"], f["score"], strict=True)), KEYED),
    "scores by text": lambda f: (dict(zip(f["text"], f["score"], strict=True)), KEYED),
    "a Series by id": lambda f: (f.set_index("id")["score"][KEYED["id"]], KEYED),
    "records": lambda f: (f[["id", "score"]].to_dict("records"), KEYED),
    "a generator of records": lambda f: (iter(f[["id", "score"]].to_dict("records")), KEYED),
    "the name of a column": lambda f: ("score", f),
    "records of everything": lambda f: (f.to_dict("records"), None),
}


@FEW
@given(st.sampled_from(sorted(TABLES)), st.permutations(range(len(DATA))))
def test_scores_by_key_as_records_or_by_the_name_of_their_column(kind: str, order: list[int]) -> None:
    table = KEYED.assign(score=Y).iloc[order].reset_index(drop=True)
    same(measure(*TABLES[kind](table), control=0), measure(Y, KEYED, control=0))


def test_outputs_of_a_pipeline_by_id_are_read_as_in_a_list() -> None:
    outputs = [[{"label": "a", "score": float(y)}, {"label": "b", "score": float(1 - y)}] for y in Y]
    found = measure(dict(zip(KEYED["id"], outputs, strict=True)), KEYED, positive_class="a", control=0)
    same(found, measure(outputs, KEYED, positive_class="a", control=0))


@FEW
@given(st.sets(st.integers(0, len(DATA) - 1), min_size=1, max_size=1), st.sampled_from([np.inf, -np.inf]))
def test_one_infinite_score_is_refused_in_any_container(place: set[int], value: float) -> None:
    (row,) = place
    values = [value if k == row else float(y) for k, y in enumerate(Y)]
    for kind in sorted(SCORES):
        with pytest.raises(ValueError, match=rf"row {row} \(rows count from 0\).* is {value}"):
            measure(SCORES[kind](values), DATA, score_range=None, control=0)


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_the_type_of_scores_changes_them_by_no_more_than_its_precision(kind: type) -> None:
    expected = measure(Y, DATA, control=0)
    found = measure(Y.astype(kind), DATA, control=0)
    assert found["gender_effect"] == pytest.approx(expected["gender_effect"], abs=1e-6)


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_accents_taken_apart_are_the_same_labels(form: str) -> None:
    data = DATA.assign(person=[unicodedata.normalize(form, name.replace("-", "é")) for name in DATA["person"]])
    same(measure(Y, data, control=0), measure(Y, DATA, control=0))
