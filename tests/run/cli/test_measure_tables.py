"""``eec measure --data``: one table of labels and scores, in memory, in DuckDB and in Spark."""

import json
import re
import shutil
import socket
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import synthetic
from commands import measured, refused, succeed
from perturbed import corpus, scores
from snapshots import Snapshot

import eec_bias
from eec_datasets.audit.tables import files as table_files

ENGINES = pytest.mark.parametrize("engine", ["memory", "duckdb"])


def rows(persons: int = 6, items: int = 12) -> pd.DataFrame:
    """Names on items, scored, in no order; of text only what a table must have."""
    data = pd.DataFrame(synthetic.names(persons=persons, items=[f"s{k:03d}" for k in range(items)]))
    data.insert(0, "id", data["item"] + "/" + data["person"])
    return data.assign(text="…", score=synthetic.scores(data)).sample(frac=1, random_state=2)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table of rows: in one file, in three, without scores, and the scores apart."""
    place = tmp_path_factory.mktemp("a folder [of] tables")
    table = rows()
    scores = table[["id", "score"]].sample(frac=1, random_state=4)
    (place / "parts").mkdir()
    for name, part in {
        "whole": table, "labels": table.drop(columns="score"), "scores": scores,
        **{f"parts/part-{k}": table[k::3] for k in range(3)},
    }.items():  # fmt: skip
        part.to_parquet(place / f"{name}.parquet", index=False)
    scores.to_csv(place / "scores.csv", index=False)
    table.to_csv(place / "whole.csv", index=False)
    return place


def test_columns_that_are_runs_are_so_in_any_order(tmp_path):
    table = rows()
    runs = {f"p{k}": (table["score"] + k / 100).clip(0, 1) for k in range(4)}
    table = table.drop(columns="score").assign(**runs)
    table.to_parquet(tmp_path / "wide.parquet", index=False)
    table.drop(columns=[*runs]).to_parquet(tmp_path / "rows.parquet", index=False)
    table[["id", *runs]].to_csv(tmp_path / "scores.csv", index=False)
    named = [word for run in runs for word in ("--run", run)]
    scored = [word for run in reversed(runs) for word in ("--score", run)]
    beside = [tmp_path / "scores.csv", "--data", tmp_path / "rows.parquet"]
    for place in (["--data", tmp_path / "wide.parquet"], beside):
        once, again = (measured(*place, *how) for how in (named, named + scored))
        assert any("mean of 4 runs (p0, p1, p2, p3)" in note["text"] for note in once["notes"])
        assert [row["effect"] for row in again["terms"]] == pytest.approx([row["effect"] for row in once["terms"]])
        said = refused("measure", *place, *named, "--score", "p0")
        assert "the option score names the columns p0, the option run p0, p1, p2, p3" in said


@pytest.fixture(scope="module")
def in_memory(folder: Path) -> list[dict[str, Any]]:
    return terms("--data", folder / "whole.parquet")


def terms(*arguments: object) -> list[dict[str, Any]]:
    return measured(*arguments)["terms"]


def same(found: list[dict[str, Any]], expected: list[dict[str, Any]]) -> None:
    synthetic.assert_rows(found, expected, rel=1e-10)


@ENGINES
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
def test_a_table_may_lie_in_several_files_apart_from_its_scores(
    folder: Path, in_memory: list[Any], monkeypatch: pytest.MonkeyPatch, arguments: list[str], engine: str
) -> None:
    monkeypatch.chdir(folder)
    same(terms(*arguments, "--engine", engine), in_memory)


@ENGINES
@pytest.mark.usefixtures("here")
def test_columns_of_numbers_are_groups_only_where_named(in_memory: list[Any], engine: str) -> None:
    table = rows().sort_values("id").assign(label=lambda data: [row % 2 for row in range(len(data))], other="0.5")
    table.to_csv("more.csv", index=False)
    table.drop(columns=["score", "other"]).to_csv("labels.csv", index=False)
    table[["id", "score", "other"]].to_csv("scores.csv", index=False)
    for tables, numbers in (
        (["--data", "more.csv"], r"more\.csv: columns .* unless an option names them: label, other\n"),
        (["scores.csv", "--data", "labels.csv"], r"labels\.csv:? columns of numbers are no groups .*: label\n"),
    ):
        found = succeed("measure", *tables, "--score", "score", "--engine", engine, "--format", "json")
        same(json.loads(found.stdout)["terms"], in_memory)
        assert re.search(numbers, found.stderr)
    asked = terms("--data", "more.csv", "--score", "score", "--axis", "label", "--engine", engine)
    assert {row["axes"] for row in asked} == {"label"}


@ENGINES
def test_scores_fit_rows_that_csv_writes_otherwise(tmp_path: Path, engine: str) -> None:
    data = rows(2, 4).assign(note=["read", *[None] * 31], length=4.0, huge=1e300)
    data = data.assign(rate=data["score"] * (1e-7 if engine == "memory" else 1))
    data.drop(columns="score").to_parquet(tmp_path / "labels.parquet", index=False)
    for suffix, write in (("csv", data.to_csv), ("parquet", data.to_parquet)):
        scores = tmp_path / f"scores.{suffix}"
        write(scores, index=False)
        labels = ("--data", tmp_path / "labels.parquet", "--axis", "gender")
        succeed("measure", scores, *labels, "--score", "score", "--engine", engine)


@ENGINES
@pytest.mark.usefixtures("here")
def test_scores_that_do_not_fit_the_rows_are_refused(engine: str, snapshot: Snapshot) -> None:
    small = rows(2, 3).sort_values("id")
    small.drop(columns="score").to_parquet("labels.parquet", index=False)
    small.drop(columns=["id", "score"]).to_parquet("no-id.parquet", index=False)
    scores = small[["id", "score"]]
    misfits = {
        "twice": pd.concat([scores, scores[5:6].assign(score=0.1)]),
        "renamed": scores.assign(id=["x", "w", *scores["id"][2:]]),
        "relabelled": scores.assign(gender=["male", *small["gender"][1:]]),
        "emptied": scores.assign(gender=[None, *small["gender"][1:]]),
        "no-id": scores.rename(columns={"id": "key"}),
    }
    said = []
    for name, table in misfits.items():
        table.to_csv(f"{name}.csv", index=False)
        said.append(refused("measure", f"{name}.csv", "--data", "labels.parquet", "--engine", engine))
    said.append(refused("measure", "twice.csv", "--data", "no-id.parquet", "--engine", engine))
    snapshot.check(f"table-misfits-{engine}", "\n".join(said))


def test_a_big_table_goes_to_duckdb_by_itself(
    folder: Path, in_memory: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_files, "BIG_ROWS", len(rows()) - 1)
    monkeypatch.setattr("eec_bias.api.read_rows", None)
    found = measured("--data", folder / "whole.parquet")
    same(found["terms"], in_memory)
    assert "data:whole.parquet|axes:race+gender|ref:Anglo+male" in found["signature"]


def test_several_systems_axes_and_references_can_be_chosen(folder: Path, tmp_path: Path) -> None:
    table = pd.read_parquet(folder / "whole.parquet")
    table.assign(half=table["score"] / 2).to_parquet(tmp_path / "two.parquet", index=False)
    arguments = ["--score", "score", "--score", "half", "--axis", "race", "--reference", "race=Latino"]
    found = {}
    for engine in ("memory", "duckdb"):
        found[engine] = terms("--data", tmp_path / "two.parquet", *arguments, "--engine", engine)
        assert [(row["system"], row["term"]) for row in found[engine]] == [("score", "race"), ("half", "race")]
        assert found[engine][1]["effect"] == pytest.approx(found[engine][0]["effect"] / 2, rel=1e-10)
    same(found["duckdb"], found["memory"])


@pytest.fixture
def perturbed(tmp_path: Path) -> Path:
    """Sentences × names, one name left out of one sentence, with scores."""
    data = corpus(8)
    data = data[(data["person"] != "ada") | (data["item"] != "s0001")]
    data.assign(score=scores(data)).to_parquet(tmp_path / "scored.parquet", index=False)
    return tmp_path / "scored.parquet"


def test_a_perturbed_corpus_is_measured_by_names_and_sentences(perturbed: Path) -> None:
    said = refused("measure", "--data", perturbed, "--engine", "duckdb")
    assert "'ada' is the only person with gender=female, career=scientist" in said
    refusing = refused("measure", "--data", perturbed, "--engine", "duckdb", "--incomplete", "refuse")
    assert "names: 1 of the 6 × 8 combinations of person and item are missing" in refusing
    assert "incomplete 'shared'" in refusing
    shared = ("--data", perturbed, "--axis", "gender", "--incomplete", "shared")
    found = [terms(*shared, "--engine", engine) for engine in ("memory", "duckdb")]
    same(found[1], found[0])
    assert {row["n_items"] for row in found[0]} == {7}


@pytest.mark.parametrize("baseline", [(), ("ada", "bea")])
def test_the_perturbation_measures_are_taken_in_memory(perturbed: Path, baseline: tuple[str, ...]) -> None:
    chosen = [word for person in baseline for word in ("--baseline", person)]
    arguments = ["--method", "perturbation", "--group", "gender", "--threshold", "0.1", *chosen]
    resampled = ["--incomplete", "shared"]
    found = terms("--data", perturbed, *arguments, *resampled)
    rows, chosen_in_python = pd.read_parquet(perturbed), {"baseline": baseline} if baseline else {}
    expected = eec_bias.methods.perturbation(
        rows["score"].to_numpy(), rows.drop(columns=["score", "text"]), group=("gender",), thresholds=(0.1,),
        incomplete="shared", **chosen_in_python,
    )  # fmt: skip
    assert found == json.loads(json.dumps(expected.to_dict()["terms"]))


def test_an_engine_that_cannot_start_says_what_to_do(
    folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, snapshot: Snapshot
) -> None:
    pytest.importorskip("pyspark")
    if shutil.which("java") is None:
        pytest.skip("Spark needs Java, which is not installed here")
    said: dict[str, str] = {}

    def started(what: str, *arguments: str) -> None:
        said[what] = refused("measure", "--data", folder / "whole.parquet", "--engine", *arguments)

    started("no address", "spark", "--spark-master", "rubbish:7077")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    for scheme in ("spark", "sc"):
        started(f"nobody answers, {scheme}", "spark", "--spark-master", f"{scheme}://127.0.0.1:{port}")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    started("no java", "spark", "--spark-master", "local[1]")
    monkeypatch.setenv("JAVA_HOME", "/nowhere")
    started("no java there", "spark", "--spark-master", "local[1]")
    for engine, module in (("spark", "pyspark.sql"), ("duckdb", "duckdb"), ("duckdb", "narwhals")):
        with monkeypatch.context() as patch:
            patch.setitem(sys.modules, module, None)
            started(f"no {module}", engine)
    lines = [f"# {what}\n{text}" for what, text in said.items()]
    snapshot.check("engine-refusals", "\n".join(lines).replace(port, "PORT"))


TABLES = (
    ["none.parquet"], ["rows.json"], ["rows"], ["torn.parquet"], ["empty.csv"], ["marks.csv"], ["words.csv"],
    *([*table, *asked] for table in (["words.csv", "--engine", "duckdb"], ["s3://bucket/rows.parquet"])
      for asked in (["--method", "perturbation"], ["--outputs", "class"], ["--systems", "model"])),
    ["words.csv", "--score", "points"], ["words.csv", "--score", "person"], ["ragged.csv"], ["*.csv", "--score", "id"],
)  # fmt: skip


@pytest.mark.usefixtures("here")
def test_a_table_that_is_none_is_refused(snapshot: Snapshot) -> None:
    Path("rows.json").write_text("[]")
    Path("rows").touch()
    Path("torn.parquet").write_bytes(b"PAR1 and then nothing")
    Path("empty.csv").touch()
    Path("marks.csv").write_text("person;item;score\n")
    Path("words.csv").write_text("id,person\n1,ann\n")
    Path("ragged.csv").write_text("id,score\n1,2,3\n")
    said = [f"{' '.join(arguments)}\n{refused('measure', '--data', *arguments)}" for arguments in TABLES]
    snapshot.check("table-refusals", "\n".join(said))


def test_a_big_file_with_a_line_before_its_names_is_read_in_memory(
    folder: Path, in_memory: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = folder / "declared.csv"
    path.write_text("sep=,\n" + (folder / "whole.csv").read_text())
    monkeypatch.setattr(table_files, "BIG_BYTES", 2000)
    same(terms("--data", path), in_memory)
    said = refused("measure", "--data", path, "--engine", "duckdb")
    assert said.startswith(f"Error: {path}: there is a line above the names of the columns; engine duckdb")


@pytest.mark.parametrize("start", ["\n", "\r\n\r\n", "\ufeff\n"])
def test_an_empty_first_line_is_told_where_an_engine_is_named(start: str, tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_bytes(f"{start}id,person,race,score\na/b,Ann,white,.5\n".encode())
    said = refused("measure", "--data", path, "--engine", "duckdb")
    assert said.startswith(f"Error: {path}: there is an empty line above the names of the columns; engine duckdb")


def test_text_where_numbers_belong_is_refused_by_duckdb(tmp_path: Path) -> None:
    (tmp_path / "words.csv").write_text("person,item,gender,score\nann,s1,female,high\n")
    said = refused("measure", "--data", tmp_path / "words.csv", "--engine", "duckdb")
    assert re.match("Error: duckdb cannot read the table: .*Line: 2.*high", said)


def test_checked_pairs_are_measured_from_their_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    pairs = pd.DataFrame({
        "original": [f"She left at {hour}." for hour in range(1, 13)],
        "variant": [f"He left at {hour}." for hour in range(1, 13)],
        "reason": ["none"] * 9 + ["wrong form"] * 3,
        "original_gender": "female",
        "variant_gender": "male",
        "original_score": np.linspace(0.3, 0.6, 12) + 0.05,
        "variant_score": np.linspace(0.3, 0.6, 12),
    })  # fmt: skip
    pairs.to_csv("checked.csv", index=False)
    scores = ("--score", "original_score", "--score", "variant_score")
    of_file, of_data = measured("checked.csv", *scores), measured("--data", "checked.csv", *scores)
    expected = eec_bias.measure(pairs[["original_score", "variant_score"]], pairs)
    for result in (of_file, of_data):
        effects = {row["stratum"]: row["effect"] for row in result["terms"] if row["effect"] is not None}
        assert effects == {row.stratum: row.effect for row in expected.terms if row.effect is not None}
        assert effects.keys() == {"all pairs", "pairs without a reason"}
        assert list(effects.values()) == pytest.approx([0.05, 0.05])
