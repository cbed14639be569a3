"""``eec measure --data``: one table of labels and scores, in memory, in DuckDB and in Spark."""

from __future__ import annotations

import csv
import json
import os
import re
import shutil
import socket
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result
from perturbed import corpus, scores
from snapshots import Snapshot

import eec_bias
from eec_datasets.audit.tables import files as table_files
from eec_datasets.cli import main

PERSONS, ITEMS = 100, 200


def eec(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["measure", *map(str, arguments)])


def rows(persons: int = PERSONS, items: int = ITEMS) -> pa.Table:
    """Names on items, scored, in no order; of text only what a table must have."""
    rng = np.random.default_rng(2)
    person, item = (codes.ravel() for codes in np.meshgrid(np.arange(persons), np.arange(items)))
    y = 0.5 + 0.02 * (person % 2) + 0.05 * rng.standard_normal(persons)[person] + 0.1 * rng.standard_normal(items)[item]
    y = np.clip(y + 0.02 * rng.standard_normal(len(y)), 0.01, 0.99)
    order = rng.permutation(len(y))
    name, sentence = np.array([f"p{k:04d}" for k in range(persons)]), np.array([f"s{k:07d}" for k in range(items)])
    columns = {
        "id": np.strings.add(np.strings.add(sentence[item], "/"), name[person]),
        "text": np.full(len(y), "…"),
        "person": name[person],
        "gender": np.array(["female", "male"])[person % 2],
        "race": np.array(["Anglo", "Latino"])[person // 2 % 2],
        "item": sentence[item],
        "pair": sentence[item],
        "score": y,
    }
    return pa.table({key: values[order] for key, values in columns.items()})


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twenty thousand rows: in one file, in three, without scores, and the scores apart."""
    place = tmp_path_factory.mktemp("a folder [of] tables")
    table = rows()
    pq.write_table(table, place / "whole.parquet", store_schema=False)
    (place / "parts").mkdir()
    for k in range(3):
        part = table.slice(k * 8_000, 8_000)
        pq.write_table(part, place / "parts" / f"part-{k}.parquet", store_schema=False)
    pq.write_table(table.drop_columns("score"), place / "labels.parquet", store_schema=False)
    scores = table.select(["id", "score"]).take(np.random.default_rng(4).permutation(len(table)))
    pq.write_table(scores, place / "scores.parquet", store_schema=False)
    scores.to_pandas().to_csv(place / "scores.csv", index=False)
    table.to_pandas().to_csv(place / "whole.csv", index=False)
    return place


@pytest.fixture(scope="module")
def in_memory(folder: Path) -> list[dict[str, Any]]:
    return terms(eec("--data", folder / "whole.parquet", "--format", "json"))


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


def terms(result: Result) -> list[dict[str, Any]]:
    assert result.exit_code == 0, result.output
    found: list[dict[str, Any]] = json.loads(result.stdout)["terms"]
    return found


def assert_same(found: list[dict[str, Any]], expected: list[dict[str, Any]]) -> None:
    for a, b in zip(found, expected, strict=True):
        assert list(a) == list(b)
        for key, value in b.items():
            assert a[key] == (pytest.approx(value, rel=1e-10) if isinstance(value, float) else value), key


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
@pytest.mark.parametrize(
    "arguments",
    [
        ["--data", "whole.parquet"],
        ["--data", "parts"],
        ["--data", "parts/part-*.parquet"],
        ["--data", "whole.csv"],
        ["scores.parquet", "--data", "labels.parquet"],
        ["scores.csv", "--data", "labels.parquet"],
    ],
    ids=" ".join,
)
def test_a_table_may_be_in_one_file_or_many_and_the_scores_in_one_of_their_own(
    folder: Path, in_memory: list[Any], monkeypatch: pytest.MonkeyPatch, arguments: list[str], engine: str
) -> None:
    monkeypatch.chdir(folder)
    assert_same(terms(eec(*arguments, "--engine", engine, "--format", "json")), in_memory)


def test_spark_gives_the_numbers_of_memory(tmp_path: Path, spark: Any) -> None:
    parts = tmp_path / "the [two] {parts}"
    parts.mkdir()
    for k in range(2):
        pq.write_table(rows(40, 100).slice(k * 2000, 2000), parts / f"part-{k}.parquet")
    found = [terms(eec("--data", parts, "--engine", engine, "--format", "json")) for engine in ("memory", "spark")]
    assert_same(found[1], found[0])
    assert spark.range(3).count() == 3  # the session that was running still is


def test_spark_joins_scores_and_names_the_first_offending_row(folder: Path, tmp_path: Path, spark: Any) -> None:  # noqa: ARG001
    small = rows(8, 3).sort_by("id")
    labels, scores = tmp_path / "labels.parquet", tmp_path / "scores.csv"
    pq.write_table(small.drop_columns("score"), labels)
    values = small.column("score").to_pylist()
    write_scores(scores, small, [2.5, *values[1:]])
    result = eec(scores, "--data", labels, "--engine", "spark")
    assert result.exit_code == 1
    assert result.stderr.startswith(f"Error: {labels}: score in row 's0000000/p0000' is 2.5, outside [0, 1] (1 such); ")


def write_scores(path: Path, table: pa.Table, values: list[Any], **further: list[str]) -> None:
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        writer.writerow(["id", "score", *further])
        writer.writerows(zip(table.column("id").to_pylist(), values, *further.values(), strict=True))


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_scores_that_do_not_fit_the_rows_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, engine: str, snapshot: Snapshot
) -> None:
    monkeypatch.chdir(tmp_path)
    small = rows(8, 3).sort_by("id")
    values, gender = small.column("score").to_pylist(), small.column("gender").to_pylist()
    pq.write_table(small.drop_columns("score"), "labels.parquet")
    pq.write_table(small.drop_columns(["id", "score"]), "no-id.parquet")
    renamed = small.set_column(0, "id", pa.array(["x", "w", *small.column("id").to_pylist()[2:]]))
    write_scores(Path("missing.csv"), small.slice(2), values[2:])
    write_scores(Path("twice.csv"), pa.concat_tables([small, small.slice(5, 1)]), [*values, 0.1])
    write_scores(Path("renamed.csv"), renamed, values)
    write_scores(Path("relabelled.csv"), small, values, gender=["male", *gender[1:]])
    Path("no-id.csv").write_text("key,score\n1,0.5\n")
    said = []
    for name in ("missing", "twice", "renamed", "relabelled", "no-id"):
        result = eec(f"{name}.csv", "--data", "labels.parquet", "--engine", engine)
        assert result.exit_code == 1
        said.append(result.stderr)
    said.append(eec("missing.csv", "--data", "no-id.parquet", "--engine", engine).stderr)
    snapshot.check(f"table-misfits-{engine}", "\n".join(said))


def test_a_big_table_goes_to_duckdb_by_itself(
    folder: Path, in_memory: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_files, "BIG_ROWS", PERSONS * ITEMS - 1)
    monkeypatch.setattr("eec_bias.measure", None)
    assert_same(terms(eec("--data", folder / "whole.parquet", "--format", "json")), in_memory)
    text = eec("--data", folder / "whole.parquet")
    assert "data:whole.parquet|axes:race+gender|ref:Anglo+male" in text.output


def test_several_systems_axes_and_references_can_be_chosen(folder: Path, tmp_path: Path) -> None:
    table = pq.read_table(folder / "whole.parquet")
    half = pa.array(table["score"].to_numpy() / 2)
    pq.write_table(table.append_column("half", half), tmp_path / "two.parquet")
    arguments = ["--score", "score", "--score", "half", "--axis", "race", "--reference", "race=Latino"]
    found = {}
    for engine in ("memory", "duckdb"):
        result = eec("--data", tmp_path / "two.parquet", *arguments, "--engine", engine, "--format", "json")
        found[engine] = terms(result)
        assert [(row["system"], row["term"]) for row in found[engine]] == [("score", "race"), ("half", "race")]
        assert found[engine][1]["effect"] == pytest.approx(found[engine][0]["effect"] / 2, rel=1e-10)
    assert_same(found["duckdb"], found["memory"])


def perturbed(path: Path) -> None:
    """Sentences × names, one name left out of one sentence, with scores."""
    data = corpus(8)
    data = data[(data["person"] != "ada") | (data["item"] != "s0001")]
    pq.write_table(pa.Table.from_pandas(data.assign(score=scores(data)), preserve_index=False), path)


def test_a_perturbed_corpus_is_measured_by_names_and_sentences(tmp_path: Path) -> None:
    path = tmp_path / "scored.parquet"
    perturbed(path)
    refused = eec("--data", path, "--engine", "duckdb")
    assert refused.exit_code == 1
    assert refused.stderr.startswith(
        f"Error: {path}: names: 1 of the 6 × 8 combinations of person and item are missing"
    )
    assert "incomplete 'shared'" in refused.stderr
    found = [
        terms(eec("--data", path, "--axis", "gender", "--incomplete", "shared", "--engine", engine, "--format", "json"))
        for engine in ("memory", "duckdb")
    ]
    assert_same(found[1], found[0])
    assert {row["n_items"] for row in found[0]} == {7}


@pytest.mark.parametrize("baseline", [(), ("original",), ("ada", "bea")])
def test_the_perturbation_measures_are_taken_in_memory(tmp_path: Path, baseline: tuple[str, ...]) -> None:
    path = tmp_path / "scored.parquet"
    perturbed(path)
    chosen = [word for person in baseline for word in ("--baseline", person)]
    arguments = ["--data", path, "--method", "perturbation", "--group", "gender", "--threshold", "0.1", *chosen]
    resampled = ["--incomplete", "shared", "--bootstrap", "99", "--seed", "3"]
    found = terms(eec(*arguments, *resampled, "--format", "json"))
    rows = pq.read_table(path)
    expected = eec_bias.methods.perturbation(
        rows["score"].to_numpy(), rows.drop_columns(["score", "text"]), group=("gender",), thresholds=(0.1,),
        incomplete="shared", bootstrap=99, seed=3, data_name=path.name, **({"baseline": baseline} if baseline else {}),
    )  # fmt: skip
    assert found == json.loads(json.dumps(expected.to_dict()["terms"]))


def test_long_data_name_their_systems_in_a_column(tmp_path: Path) -> None:
    small = rows(8, 3)
    long = pa.concat_tables([small.append_column("model", pa.array([name] * len(small))) for name in ("a", "b")])
    pq.write_table(long, tmp_path / "long.parquet")
    found = terms(eec("--data", tmp_path / "long.parquet", "--systems", "model", "--format", "json"))
    assert {row["system"] for row in found} == {"a", "b"}


@pytest.mark.parametrize("asked", [["--method", "perturbation"], ["--by", "item"], ["--refit"]], ids=" ".join)
def test_what_needs_all_rows_is_not_for_engines(folder: Path, asked: list[str]) -> None:
    result = eec("--data", folder / "whole.parquet", *asked, "--engine", "duckdb")
    assert result.exit_code == 1
    assert "Error: engine duckdb only sums up; " in result.stderr
    assert "needs the table in memory" in result.stderr
    assert eec("--data", "s3://bucket/rows.parquet", *asked).exit_code == 1


def test_an_engine_that_cannot_start_says_what_to_do(
    folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, snapshot: Snapshot
) -> None:
    pytest.importorskip("pyspark")
    if shutil.which("java") is None:
        pytest.skip("Spark needs Java, which is not installed here")
    said: dict[str, str] = {}

    def refused(what: str, *arguments: str) -> None:
        result = eec("--data", folder / "whole.parquet", "--engine", *arguments)
        assert result.exit_code == 1
        said[what] = result.stderr

    refused("no address", "spark", "--spark-master", "rubbish:7077")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    for scheme in ("spark", "sc"):
        refused(f"nobody answers, {scheme}", "spark", "--spark-master", f"{scheme}://127.0.0.1:{port}")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    refused("no java", "spark", "--spark-master", "local[1]")
    monkeypatch.setenv("JAVA_HOME", "/nowhere")
    refused("no java there", "spark", "--spark-master", "local[1]")
    for engine, module in (("spark", "pyspark.sql"), ("duckdb", "duckdb"), ("duckdb", "narwhals")):
        with monkeypatch.context() as patch:
            patch.setitem(sys.modules, module, None)
            refused(f"no {module}", engine)
    lines = [f"# {what}\n{text}" for what, text in said.items()]
    snapshot.check("engine-refusals", "\n".join(lines).replace(port, "PORT"))


TABLES = (
    ["none.parquet"], ["rows.json"], ["torn.parquet"], ["empty.csv"], ["marks.csv"], ["words.csv"],
    ["words.csv", "--score", "points"], ["words.csv", "--score", "person"], ["ragged.csv"], ["*.csv", "--score", "id"],
)  # fmt: skip


def test_a_table_that_is_none_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, snapshot: Snapshot) -> None:
    monkeypatch.chdir(tmp_path)
    Path("rows.json").write_text("[]")
    Path("torn.parquet").write_bytes(b"PAR1 and then nothing")
    Path("empty.csv").touch()
    Path("marks.csv").write_text("person;item;score\n")
    Path("words.csv").write_text("id,person\n1,ann\n")
    Path("ragged.csv").write_text("id,score\n1,2,3\n")
    said = []
    for arguments in TABLES:
        result = eec("--data", *arguments)
        assert result.exit_code == 1, result.output
        said.append(f"{' '.join(arguments)}\n{result.stderr}")
    snapshot.check("table-refusals", "\n".join(said))


def test_text_where_numbers_belong_is_refused_by_duckdb(tmp_path: Path) -> None:
    (tmp_path / "words.csv").write_text("person,item,gender,score\nann,s1,female,high\n")
    result = eec("--data", tmp_path / "words.csv", "--engine", "duckdb")
    assert result.exit_code == 1
    assert re.match("Error: duckdb cannot read the table: .*Line: 2.*high", result.stderr)
