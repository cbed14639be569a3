"""``eec measure --engine spark``: the same numbers as in memory."""

import os
import shutil
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import synthetic
from commands import measured, refused


def rows(persons: int = 6, items: int = 12) -> pd.DataFrame:
    """Return names on items, scored, in no order."""
    data = pd.DataFrame(synthetic.names(persons=persons, items=[f"s{k:03d}" for k in range(items)]))
    data.insert(0, "id", data["item"] + "/" + data["person"])
    return data.assign(text="…", score=synthetic.scores(data)).sample(frac=1, random_state=2)


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    """One session on this machine, which `eec measure` finds running."""
    if shutil.which("java") is None:
        pytest.skip("Spark needs Java, which is not installed here")
    pytest.importorskip("pyspark")
    from pyspark.sql import SparkSession

    with warnings.catch_warnings():
        # pyspark warns of the pandas it finds, and py4j leaves its sockets to the garbage collector.
        warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas", FutureWarning)
        warnings.filterwarnings("ignore", category=ResourceWarning)
        builder = SparkSession.builder.master("local[2]")
        settings = {
            "spark.ui.enabled": "false",
            "spark.log.level": "OFF",
            # Compiled quickly rather than well, as little is computed.
            "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
            "spark.sql.codegen.wholeStage": "false",
            "spark.sql.shuffle.partitions": "1",
            "spark.sql.warehouse.dir": os.environ.get("TMPDIR", "/tmp"),
        }
        session = builder.config(map=settings).getOrCreate()
        yield session
        session.stop()


def test_spark_gives_the_numbers_of_memory(tmp_path: Path, spark: Any) -> None:
    parts = tmp_path / "the [two] {parts}"
    parts.mkdir()
    for k in range(2):
        rows()[k::2].to_parquet(parts / f"part-{k}.parquet", index=False)
    found = [measured("--data", parts, "--engine", engine)["terms"] for engine in ("memory", "spark")]
    synthetic.assert_rows(found[1], found[0], rel=1e-10)
    assert spark.range(3).count() == 3  # the session that was running still is


@pytest.mark.usefixtures("spark")
def test_spark_joins_scores_and_names_the_first_offending_row(tmp_path: Path) -> None:
    small = rows(2, 3).sort_values("id")
    labels, scores = tmp_path / "labels.parquet", tmp_path / "scores.csv"
    small.drop(columns="score").to_parquet(labels, index=False)
    small[["id"]].assign(score=[2.5, *small["score"][1:]]).to_csv(scores, index=False)
    first = "score in row 's000/anglo-female-0' is 2.5, outside [0, 1] (1 such); "
    said = refused("measure", scores, "--data", labels, "--engine", "spark")
    assert said.startswith(f"Error: {labels}: {first}")
