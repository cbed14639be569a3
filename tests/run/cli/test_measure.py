"""``eec measure --config``: scores made elsewhere, with every option that the metric declares."""

import csv
import html
import json
import shlex
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from commands import eec, measured, refused, succeed
from languages import few
from texts import csv_rows

import eec_bias
import eec_datasets
from eec_datasets import corpora
from eec_datasets.cli.metric_options import flag, procedure
from eec_datasets.release import benchmark
from eec_datasets.systems.corpus import open_corpus
from eec_datasets.systems.score_file import Header, to_text

CONFIG = ("--config", "es-anglo-latino")


@pytest.fixture
def _undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """No figures, which take long."""
    monkeypatch.setattr("eec_datasets.audit.report.folder.draw_figures", lambda _: {})


def same(result: dict[str, Any], expected: eec_bias.Result) -> None:
    assert result["terms"] == json.loads(json.dumps(expected.to_dict()["terms"]))


def values(path: Path) -> list[float]:
    return [float(row["score"]) for row in csv_rows(path)]


def test_scores_made_elsewhere_are_printed_in_three_forms(scores: Path) -> None:
    assert "eec_bias|v:" in eec("measure", scores, *CONFIG, "-v").output
    as_json = measured(scores, *CONFIG)
    assert 0.15 < as_json["gender_effect"] < 0.25
    other = measured(scores, *CONFIG, "--method", "kiritchenko2018", "--axis", "gender")
    assert (other["method"], {row["term"] for row in other["terms"]}) == ("kiritchenko2018", {"gender"})
    as_csv = list(csv.DictReader(eec("measure", scores, *CONFIG, "--format", "csv").output.splitlines()))
    assert [row["effect"] for row in as_csv] == [
        "" if row["effect"] is None else str(row["effect"]) for row in as_json["terms"]
    ]


def test_every_declared_option_is_on_the_command_line() -> None:
    from eec_bias.options import FUNCTIONS

    def command(**_: Any) -> None: ...

    params = procedure()(command).__click_params__  # type: ignore[attr-defined]
    names = {name for param in params for name in param.opts}
    of_tables = {"--score-range", "--config", "--text", "--score"}
    declared = {flag(option) for options in FUNCTIONS.values() for option in options} - of_tables
    assert names == declared | {"--method", "--no-reference"}


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        (["--by", "emotion"], {"by": "emotion"}),
        (["--margin", "5"], {"margin": 5}),
        (["--reference", "gender=female"], {"reference": {"gender": "female"}}),
        (["--no-reference"], {"reference": None}),
    ],
)  # fmt: skip
def test_options_mean_what_they_mean_in_python(
    scores: Path, rows: pa.Table, arguments: list[str], options: dict[str, Any]
) -> None:
    same(measured(scores, *CONFIG, *arguments), eec_bias.measure(values(scores), rows, **options))


def test_outputs_of_every_form_are_measured_as_in_python(rows: pa.Table, tmp_path: Path) -> None:
    joy = np.random.default_rng(1).integers(0, 10, len(rows)) / 10
    runs = dict(zip("pqrs", np.random.default_rng(2).random((4, len(rows))).round(6), strict=True))
    frame = pd.DataFrame({"id": rows["id"], "joy": joy, "anger": 1 - joy, "label": np.where(joy > 0.5, "joy", "anger")})
    frame.assign(**runs).to_csv(tmp_path / "outputs.csv", sep=";", decimal=",", index=False)
    values, classes = ["--classes", "joy=1", "--classes", "anger=-1"], {"joy": 1.0, "anger": -1.0}
    both = {"joy": joy, "anger": 1 - joy}
    for arguments, given, options in (
        (["--score", "label", "--outputs", "class", *values], frame["label"], {"outputs": "class", "classes": classes}),
        (["--score", "joy", "--score", "anger", "--outputs", "probabilities", *values], both,
         {"outputs": "probabilities", "classes": classes}),
        ([word for run in runs for word in ("--run", run)], list(runs.values()), {"runs": list(runs)}),
    ):  # fmt: skip
        same(measured(tmp_path / "outputs.csv", *CONFIG, *arguments), eec_bias.measure(given, rows, **options))
    frame.melt("id", ["joy", "anger"], "model", "score").to_stata(tmp_path / "long.dta", write_index=False, version=118)
    same(measured(tmp_path / "long.dta", *CONFIG, "--by", "emotion"), eec_bias.measure(both, rows, by="emotion"))


def test_an_output_that_is_none_is_named_by_its_id(rows: pa.Table, tmp_path: Path) -> None:
    frame = pd.DataFrame({"id": rows["id"], "label": "joy", "anger": 0.5, "joy": 0.5})[::-1]
    frame.iloc[3, 1:] = "jog", 0.5, 0.9
    frame.to_csv(tmp_path / "outputs.csv", index=False)
    classes = ["--classes", "joy", "--classes", "anger"]
    for kind, columns in (("class", ["label"]), ("probabilities", ["joy", "anger"])):
        options = [word for name in columns for word in ("--score", name)]
        said = refused("measure", tmp_path / "outputs.csv", *CONFIG, *options, "--outputs", kind, *classes)
        assert said.endswith(f". That row is {frame['id'].iloc[3]}\n")


@pytest.mark.usefixtures("_undrawn")
def test_a_saved_result_says_how_to_measure_it_again_on_rows_of_ones_own(rows: pa.Table, tmp_path: Path) -> None:
    table = tmp_path / "my rows.csv"
    rows.to_pandas().assign(score=[len(text) / 100 for text in rows["text"].to_pylist()]).to_csv(table, index=False)
    options = ("--axis", "gender", "--axis", "race", "--reference", "race=Anglo", "--score-range", "0", "2")
    done = eec("measure", table, *options, "--format", "csv", "--out", tmp_path / "out", "--overwrite")
    command = shlex.split(eec_bias.load_all(tmp_path / "out/result.json")[0].source.command)
    assert command == ["eec", "measure", str(table), *options]
    assert eec(*command[1:], "--format", "csv").stdout == done.stdout
    assert f"eec measure '{table}' --axis gender" in html.unescape(
        (tmp_path / "out/report.html").read_text().replace("<span>", "").replace("</span>", "")
    )


@pytest.mark.parametrize("source", ["--config", "--data"])
def test_two_tables_of_scores_are_compared_as_in_python(
    scores: Path, rows: pa.Table, tmp_path: Path, source: str
) -> None:
    after, other = tmp_path / "after.csv", [score / 2 for score in values(scores)]
    pd.DataFrame({"id": rows["id"], "score": other}).to_csv(after, index=False)
    pd.DataFrame({name: rows[name] for name in rows.column_names}).to_parquet(tmp_path / "rows.parquet")
    target = CONFIG if source == "--config" else ("--data", tmp_path / "rows.parquet")
    done = measured(after, "--against", scores, *target, "--margin", "20")
    assert done["plan"]["margin"] == 20
    assert done["facts"]["compared"] == ["after", "SCORES"]
    same(done, eec_bias.compare(other, values(scores), rows, names=(after.stem, scores.stem), margin=20))


def audited_scores(path: Path, rows: pa.Table, **columns: Sequence[float]) -> Path:
    """A file of scores from -1 to 1 as an audit saves it: a column for each prompt where there are several."""
    header = Header(path.stem, "", CONFIG[1], open_corpus(CONFIG[1]).data, -1.0, 1.0)
    path.write_text(to_text(header, rows["id"].to_pylist(), columns))
    return path


def test_systems_are_compared_under_the_same_prompts(rows: pa.Table, tmp_path: Path) -> None:
    after, before = np.random.default_rng(1).random((2, 2, len(rows)))
    first = audited_scores(tmp_path / "a.csv", rows, p1=after[0], p2=after[1])
    prompts: dict[str, Any] = {"runs": ("p1", "p2"), "score_range": (-1, 1)}
    for columns in ({"p1": before[0], "p2": before[1]}, {"p2": before[1], "p1": before[0]}):
        second = audited_scores(tmp_path / "b.csv", rows, **columns)
        done = measured(first, *CONFIG, "--against", second)
        same(done, eec_bias.compare(after, before, rows, **prompts))
    lone = audited_scores(tmp_path / "c.csv", rows, score=after[0])
    assert "do not have the same runs: p1, p2 and none" in refused("measure", first, *CONFIG, "--against", lone)


def test_tables_that_cannot_be_compared_are_refused(scores: Path, rows: pa.Table, tmp_path: Path) -> None:
    both, frame = tmp_path / "both.csv", pd.read_csv(scores, dtype={"score": str})
    pd.concat([frame.assign(system=name) for name in "ab"]).to_csv(both, index=False)
    wider = audited_scores(tmp_path / "wider.csv", rows, score=values(scores))
    for table, said in (
        (scores, "--against names the same file"),
        (both, f"{both}: a row per system; --against compares tables with a row per sentence"),
        (wider, "on different scales, -1 to 1 and 0 to 1"),
    ):
        assert said in refused("measure", table, *CONFIG, "--against", scores)
    # Where one of the tables says no system, both are called as their files are, or by their paths.
    named = measured(wider, *CONFIG, "--against", scores, "--score-range", "-1", "1")
    assert f"|compare:wider-{scores.stem}" in named["signature"]
    (tmp_path / "other").mkdir()
    same_name = shutil.copy(scores, tmp_path / "other")
    assert f"compare:{scores}-{same_name}" in measured(scores, *CONFIG, "--against", same_name)["signature"]


def test_one_option_writes_report_tables_and_figures(
    scores: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("matplotlib", reason="needs the extra plot")
    from eec_datasets.audit.report import folder

    out, figures, draw = tmp_path / "results", dict[str, bytes](), folder.draw_figures
    monkeypatch.setattr(folder, "draw_figures", lambda units: figures or figures.update(draw(units)) or figures)
    for _ in range(2):
        terms = measured(scores, *CONFIG, "--out", out)["terms"]
    files = {path.relative_to(out).as_posix() for path in out.rglob("*") if path.is_file()}
    drawn = {f"figures/{n:02d}-{kind}.{end}" for n, kind in enumerate(("forest", "persons"), 1)
             for end in ("svg", "png")}  # fmt: skip
    pages = {"report.html", "report.md", "result.json", "terms.csv", "tables.tex"}
    assert drawn | pages | {"figures/captions.txt"} <= files
    rows = csv_rows(out / "terms.csv")
    effects = [float(row["effect"]) if row["effect"] else None for row in rows]
    assert effects == [term["effect"] for term in terms]
    assert json.loads((out / "result.json").read_text())["terms"] == terms
    assert "95 \\% interval" in (out / "tables.tex").read_text()
    succeed("report", out / "result.json", "--out", tmp_path / "report")
    (out / "mine.txt").write_text("precious")
    said = refused("measure", scores, *CONFIG, "--out", out, "--overwrite")
    assert "something would be lost (eec did not write 'mine.txt')" in said
    assert (out / "mine.txt").read_text() == "precious"


@pytest.mark.parametrize("suffix", ["csv", "xlsx", "parquet"])
def test_sentences_are_written_filled_in_and_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str
) -> None:
    pytest.importorskip("openpyxl", reason="needs the extra tables")
    monkeypatch.setenv("EEC_LOCALES", str(few(tmp_path / "locales", "tr")))
    path, rows = tmp_path / f"sheet.{suffix}", corpora.table("tr-gender")
    succeed("sentences", "tr-gender", "--out", path)
    kind = "excel" if suffix == "xlsx" else suffix
    frame = getattr(pd, f"read_{kind}")(path)
    assert list(frame.columns) == ["id", "score", "text"]
    assert frame["text"].tolist() == rows["text"].to_pylist()
    assert frame["score"].isna().all()
    filled = np.random.default_rng(1).random(len(frame)).round(6)
    getattr(frame.assign(score=filled), f"to_{kind}")(path)
    same(measured(path, "--config", "tr-gender"), eec_bias.measure(filled, rows))


def test_a_part_of_a_corpus_is_measured_by_its_own_labels(tmp_path: Path) -> None:
    path, rows = tmp_path / "part.csv", corpora.table("en-black-white-100", names=3, items=8)
    told = succeed("sentences", "en-black-white-100", "--names", 3, "--items", 8, "--out", path).stdout
    assert told.endswith(f"then: eec measure {path}\n")
    frame = pd.read_csv(path, keep_default_na=False)
    assert frame["text"].tolist() == rows["text"].to_pylist()
    filled = np.random.default_rng(1).random(len(frame)).round(6)
    frame.assign(score=filled).to_csv(path, index=False)
    expected = eec_bias.measure(filled, rows)
    found = measured(path)
    assert [row["effect"] for row in found["terms"]] == pytest.approx([row.effect for row in expected.terms])


def test_a_file_that_does_not_fit_is_held_against_its_corpus_alone(
    scores: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rendered, render = [], corpora.render
    monkeypatch.setattr(corpora, "render", lambda each, **part: rendered.append(each.name) or render(each, **part))
    lines = scores.read_text().splitlines()
    path = tmp_path / "scores.csv"
    path.write_text("\n".join([*lines[:5], "t01/angry/nobody,0.5", *lines[7:]]))
    assert refused("measure", path, *CONFIG).splitlines()[:2] == [
        f"Error: {path} does not fit config es-anglo-latino:",
        "  unknown ids, once: 't01/angry/nobody' in line 6",
    ]
    # No other corpus has such a person.
    assert set(rendered) == {"es-anglo-latino"}


def test_logs_of_a_harness_are_measured_without_naming_the_corpus(log: Path) -> None:
    result = eec("measure", log, "--format", "json")
    assert result.exit_code == 0, result.output
    assert "|data:en-sample@" in json.loads(result.stdout)["signature"]
    assert result.stderr.startswith("some-model: 1 log on en-sample@")


def test_options_of_tables_are_refused_for_logs(log: Path) -> None:
    told = refused("measure", log, "--score-range", 0, 5, code=2)
    assert f"--score-range is for tables of scores, and {log} is a log of a harness." in told


def test_several_tables_are_refused(scores: Path, log: Path) -> None:
    assert "several files are taken where all of them are logs" in refused("measure", scores, log, *CONFIG, code=2)


def test_answers_of_a_table_are_never_left_out(scores: Path) -> None:
    assert "is for logs of a harness" in refused("measure", scores, *CONFIG, "--leave-out-unanswered", code=2)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A log of Inspect of one prompt of ``eval.yaml``, as JSON."""
    rows = open_corpus("en-sample").columns
    samples = [
        {"id": number, "input": text, "target": "0", "metadata": {"id": identifier},
         "output": {"completion": f"0.{len(text):02}", "choices": [{"stop_reason": "stop"}]}}
        for number, (identifier, text) in enumerate(zip(rows["id"], rows["text"], strict=True), 1)
    ]  # fmt: skip
    about = {"task": "hf/org/eec/en-sample--rater", "model": "some-model", "dataset": {"samples": len(samples)}}
    (task,) = (task for task in benchmark.tasks_of(corpora.usable()[0]) if task.id == "en-sample--rater")
    steps = [{"solver": solver, "params": {"template": template}} for solver, template in benchmark.asked(task)]
    content = {
        "status": "success", "eval": about, "plan": {"steps": steps},
        "results": {"completed_samples": len(samples)}, "samples": samples,
    }  # fmt: skip
    path = tmp_path / "rater.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


@pytest.mark.parametrize("kind", ["csv", "parquet", "xlsx"])
def test_the_output_of_a_pipeline_is_never_taken_for_scores(tmp_path: Path, kind: str) -> None:
    rows, config = corpora.table("en-sample"), ("--config", "en-sample")
    share = np.random.default_rng(3).random(len(rows)).round(6)
    positive = share >= 0.5
    frame = pd.DataFrame({"id": rows["id"].to_pylist(), "label": np.where(positive, "POSITIVE", "NEGATIVE")})
    frame["score"] = np.where(positive, share, 1 - share)
    path = tmp_path / f"emitted.{kind}"
    {"csv": frame.to_csv, "parquet": frame.to_parquet, "xlsx": frame.to_excel}[kind](path, index=False)
    said = refused("measure", path, *config)
    assert "the columns 'label' and 'score' are what a pipeline emits" in said
    found = measured(path, *config, "--classes", "NEGATIVE=0,POSITIVE=1")
    expected = eec_bias.measure(share, rows)
    assert [row["effect"] for row in found["terms"]] == pytest.approx([row["effect"] for row in expected.terms])


def test_scores_without_a_known_range_are_measured_without_beta(tmp_path: Path) -> None:
    rows = eec_datasets.load("en-sample").to_pandas()
    rows.assign(score=rows["text"].str.len() / 10)[["id", "score"]].to_csv(tmp_path / "scores.csv", index=False)
    found = measured(tmp_path / "scores.csv", "--config", "en-sample", "--no-score-range")
    assert found["race:gender_p"] is not None
    assert {row["beta"] for row in found["terms"]} == {None}
    told = refused("measure", tmp_path / "scores.csv", "--config", "en-sample")
    assert "with --score-range (score_range= in Python), or none with --no-score-range (None)" in told


def test_outcomes_are_told_as_rates(rows: pa.Table, tmp_path: Path) -> None:
    table, outcomes = tmp_path / "outcomes.csv", np.random.default_rng(0).integers(0, 2, len(rows))
    pd.DataFrame({"id": rows["id"], "score": outcomes}).to_csv(table, index=False)
    said = " ".join(succeed("measure", table, *CONFIG).stdout.split())
    assert "Sentences with the label “1”" in said
    assert "points" not in said
    (race, *_) = measured(table, *CONFIG)["rates"]
    assert 0.9 < race["ratio"] < 1.1
