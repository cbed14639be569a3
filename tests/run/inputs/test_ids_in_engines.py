"""Ids are compared as text in memory and in every engine, and what pandas adds to a file is no column of it."""

import itertools
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from commands import eec

PLACES = ("memory", "duckdb")


def rows(ids: list) -> pd.DataFrame:
    """Four names on four items, with ids of any kind."""
    cells = [("f", "female"), ("m", "male")]
    data = [
        {"person": f"{short}{k}", "gender": gender, "item": f"t{j}"}
        for (short, gender), k, j in itertools.product(cells, range(3), range(4))
    ]
    return pd.DataFrame(data).assign(id=ids)


def measured(folder: Path, data: pd.DataFrame, scores: pd.DataFrame, engine: str, kind: str) -> str:
    for name, frame in (("rows", data), ("scores", scores)):
        path = folder / f"{name}.{kind}"
        if kind == "csv":
            frame.to_csv(path, index=False)
        else:
            frame.to_parquet(path)
    done = eec(
        "measure", folder / f"scores.{kind}", "--data", folder / f"rows.{kind}", "--engine", engine, "--format", "csv"
    )
    return done.stdout if done.exit_code == 0 else f"refused: {done.stderr}"


@pytest.mark.parametrize("engine", PLACES)
@pytest.mark.parametrize("other", ["01", "1.0", "1e0", " 1"])
def test_ids_that_are_equal_as_numbers_alone_are_different(engine: str, other: str, tmp_path: Path) -> None:
    data = rows([str(k + 1) for k in range(24)])
    ids = [other, *data["id"][1:]]
    said = measured(tmp_path, data, pd.DataFrame({"id": ids, "score": 0.5}), engine, "csv")
    assert "does not fit the data" in said
    assert other in said


@pytest.mark.parametrize("engine", PLACES)
def test_numbers_and_their_texts_are_the_same_ids(engine: str, tmp_path: Path) -> None:
    y = np.random.default_rng(0).uniform(0.2, 0.8, 24)
    data = rows(list(range(24)))
    found = {
        kind: measured(tmp_path, data, pd.DataFrame({"id": ids, "score": y}), engine, "parquet")
        for kind, ids in {
            "int": range(24),
            "text": map(str, range(24)),
            "float": map(float, range(24)),
        }.items()
    }
    assert len(set(found.values())) == 1
    assert "gender" in found["int"]


@pytest.mark.parametrize("engine", PLACES)
def test_the_index_that_pandas_writes_is_no_column(engine: str, tmp_path: Path) -> None:
    y = np.random.default_rng(0).uniform(0.2, 0.8, 24)
    data = rows([f"i{k}" for k in range(24)])
    plain = measured(tmp_path, data, pd.DataFrame({"id": data["id"], "score": y}), engine, "parquet")
    shuffled = pd.DataFrame({"id": data["id"], "score": y}).sample(frac=1, random_state=0)
    assert measured(tmp_path, data.sample(frac=1, random_state=1), shuffled, engine, "parquet") == plain
