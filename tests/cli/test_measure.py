"""``eec measure --config``: scores made elsewhere, with every option that the metric declares."""

import csv
import html
import json
import shlex
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from click.testing import Result
from commands import eec, succeed
from languages import few
from texts import csv_rows

import eec_bias
from eec_datasets import corpora
from eec_datasets.cli.options import flag, procedure
from eec_datasets.systems.corpus import open_corpus
from eec_datasets.systems.score_file import Header, to_text

CONFIG = ("--config", "es-anglo-latino")
in_json = partial(eec, "measure", "--format", "json")


def measured(result: Result) -> dict[str, Any]:
    assert result.exit_code == 0, result.output
    content: dict[str, Any] = json.loads(result.stdout)
    return content


def same(result: Result, expected: eec_bias.Result) -> None:
    assert measured(result)["terms"] == json.loads(json.dumps(expected.to_dict()["terms"]))


def values(path: Path) -> list[float]:
    return [float(row["score"]) for row in csv_rows(path)]


def test_scores_made_elsewhere_are_printed_in_three_forms(scores: Path) -> None:
    text = eec("measure", scores, *CONFIG)
    assert "eec_bias|v:" in text.output
    as_json = measured(in_json(scores, *CONFIG))
    assert 0.15 < as_json["gender_effect"] < 0.25
    other = measured(in_json(scores, *CONFIG, "--method", "kiritchenko2018", "--axis", "gender"))
    assert (other["method"], {row["term"] for row in other["terms"]}) == ("kiritchenko2018", {"gender"})
    as_csv = list(csv.DictReader(eec("measure", scores, *CONFIG, "--format", "csv").output.splitlines()))
    assert [float(row["effect"]) for row in as_csv] == [row["effect"] for row in as_json["terms"]]


def test_every_declared_option_is_on_the_command_line() -> None:
    from eec_bias.options import FUNCTIONS

    def command(**_: Any) -> None: ...

    params = procedure()(command).__click_params__  # type: ignore[attr-defined]
    names = {name for param in params for name in param.opts}
    declared = {flag(option) for options in FUNCTIONS.values() for option in options}
    assert names == declared | {"--method", "--no-reference"}


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        (["--by", "emotion", "--adjust", "bh"], {"by": "emotion", "adjust": "bh"}),
        (["--margin", "0.05", "--simple"], {"margin": 0.05, "simple": True}),
        (["--permutations", "99", "--seed", "3", "--axis", "race"], {"permutations": 99, "seed": 3, "axes": ("race",)}),
        (["--reference", "gender=female"], {"reference": {"gender": "female"}}),
        (["--no-reference", "--contrasts", "pairwise"], {"reference": None, "contrasts": "pairwise"}),
        (["--edge", "squeeze", "--bootstrap", "99"], {"edge": "squeeze", "bootstrap": 99}),
    ],
)  # fmt: skip
def test_options_mean_what_they_mean_in_python(
    scores: Path, rows: pa.Table, arguments: list[str], options: dict[str, Any]
) -> None:
    result = in_json(scores, *CONFIG, *arguments)
    same(result, eec_bias.measure(values(scores), rows, **options))


def test_outputs_of_every_form_are_measured_as_in_python(rows: pa.Table, tmp_path: Path) -> None:
    joy = np.random.default_rng(1).integers(0, 10, len(rows)) / 10
    runs = dict(zip("pqrs", np.random.default_rng(2).random((4, len(rows))).round(6), strict=True))
    frame = pd.DataFrame({"id": rows["id"], "joy": joy, "anger": 1 - joy, "label": np.where(joy > 0.5, "joy", "anger")})
    frame.assign(**runs).to_csv(tmp_path / "outputs.csv", sep=";", decimal=",", index=False)
    values, classes = ["--class", "joy=1", "--class", "anger=-1"], {"joy": 1.0, "anger": -1.0}
    both = {"joy": joy, "anger": 1 - joy}
    for arguments, given, options in (
        (["--score", "label", "--outputs", "class", *values], frame["label"], {"outputs": "class", "classes": classes}),
        (["--score", "joy", "--score", "anger", "--outputs", "probabilities", *values], both,
         {"outputs": "probabilities", "classes": classes}),
        ([word for run in runs for word in ("--run", run)], list(runs.values()), {"runs": list(runs)}),
    ):  # fmt: skip
        result = in_json(tmp_path / "outputs.csv", *CONFIG, *arguments)
        same(result, eec_bias.measure(given, rows, **options))
    assert "outputs.csv: numbers have a decimal comma" in result.stderr
    frame.melt("id", ["joy", "anger"], "model", "score").to_stata(tmp_path / "long.dta", write_index=False, version=118)
    long = in_json(tmp_path / "long.dta", *CONFIG, "--by", "emotion")
    same(long, eec_bias.measure(both, rows, by="emotion"))


def test_an_output_that_is_none_is_named_by_its_id_wherever_it_stands_in_the_file(
    rows: pa.Table, tmp_path: Path
) -> None:
    frame = pd.DataFrame({"id": rows["id"], "label": "joy", "anger": 0.5, "joy": 0.5})[::-1]
    frame.iloc[3, 1:] = "jog", 0.5, 0.9
    frame.to_csv(tmp_path / "outputs.csv", index=False)
    classes = ["--class", "joy", "--class", "anger"]
    for kind, columns in (("class", ["label"]), ("probabilities", ["joy", "anger"])):
        options = [word for name in columns for word in ("--score", name)]
        refused = eec("measure", tmp_path / "outputs.csv", *CONFIG, *options, "--outputs", kind, *classes)
        assert refused.exit_code == 1
        assert refused.stderr.endswith(f". That row is {frame['id'].iloc[3]}\n")


def test_a_saved_result_says_how_to_measure_it_again_on_rows_of_ones_own_too(
    rows: pa.Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("eec_datasets.audit.report.folder.draw_figures", lambda _: {})
    table = tmp_path / "my rows.csv"
    rows.to_pandas().assign(score=[len(text) / 100 for text in rows["text"].to_pylist()]).to_csv(table, index=False)
    options = ("--axis", "gender", "--axis", "race", "--reference", "race=Anglo", "--score-range", "0", "2", "--simple")
    done = eec("measure", "--data", table, *options, "--format", "csv", "--out", tmp_path / "out", "--overwrite")
    command = shlex.split(json.loads((tmp_path / "out/result.json").read_text())["command"])
    assert command == ["eec", "measure", "--data", str(table), *options]
    assert eec(*command[1:], "--format", "csv").stdout == done.stdout
    assert f"eec measure --data '{table}' --axis gender" in html.unescape((tmp_path / "out/report.html").read_text())


@pytest.mark.parametrize("source", ["--config", "--data"])
def test_two_tables_of_scores_are_compared_as_in_python(
    scores: Path, rows: pa.Table, tmp_path: Path, source: str
) -> None:
    after, other = tmp_path / "after.csv", [score / 2 for score in values(scores)]
    pd.DataFrame({"id": rows["id"], "score": other}).to_csv(after, index=False)
    pd.DataFrame({name: rows[name] for name in rows.column_names}).to_parquet(tmp_path / "rows.parquet")
    target = CONFIG if source == "--config" else ("--data", tmp_path / "rows.parquet")
    done = in_json(after, "--against", scores, *target, "--margin", "0.2")
    names = (after.stem, scores.stem)
    expected = eec_bias.compare(other, values(scores), rows, names=names, margin=0.2)
    assert measured(done)["signature"].endswith("|margin:0.2|compare:after-SCORES")
    same(done, expected)


def audited_scores(path: Path, rows: pa.Table, **columns: Sequence[float]) -> Path:
    """A file of scores from -1 to 1 as an audit saves it: a column for each prompt where there are several."""
    header = Header(path.stem, "", CONFIG[1], open_corpus(CONFIG[1]).data, -1.0, 1.0)
    path.write_text(to_text(header, rows["id"].to_pylist(), columns))
    return path


def test_systems_are_compared_under_the_same_prompts(rows: pa.Table, tmp_path: Path) -> None:
    after, before = np.random.default_rng(1).random((2, 2, len(rows)))
    first, second, lone = (
        audited_scores(tmp_path / name, rows, **columns)
        for name, columns in (
            ("a.csv", {"p1": after[0], "p2": after[1]}),
            ("b.csv", {"p1": before[0], "p2": before[1]}),
            ("c.csv", {"score": after[0]}),
        )
    )
    prompts: dict[str, Any] = {"runs": ("p1", "p2"), "few_runs": "rough", "score_range": (-1, 1)}
    done = in_json(first, *CONFIG, "--against", second)
    same(done, eec_bias.compare(after, before, rows, **prompts))
    refused = eec("measure", first, *CONFIG, "--against", lone)
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert "do not have the same runs: p1, p2 and none" in refused.stderr
    turned = audited_scores(tmp_path / "b.csv", rows, p2=before[1], p1=before[0])
    same(in_json(first, *CONFIG, "--against", turned), eec_bias.compare(after, before, rows, **prompts))
    named = measured(in_json(first, *CONFIG, "--against", turned, "--data-name", "mine"))
    assert "|data:mine|" in named["signature"]


def test_a_comparison_of_built_in_systems_is_neither_of_them(
    audited: tuple[Path, Result, tuple[str, ...]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("eec_datasets.audit.report.folder.draw_figures", lambda _: {})
    after, before = (audited[0] / "scores" / name / f"{CONFIG[1]}.csv" for name in ("biased-female", "random-0"))
    eec("measure", after, "--against", before, *CONFIG, "--out", tmp_path / "out", "--overwrite")
    saved = tmp_path / "out/result.json"
    assert "minus those of the second: biased:female-random:0." in (tmp_path / "out/tables.tex").read_text()
    succeed("report", saved, "--format", "md")
    report = (tmp_path / "out/report.md").read_text()
    assert "Audit of biased:female-random:0" in report
    assert "Built in, to compare with" not in report
    succeed("report", saved, "--record")
    (line,) = [
        line for line in (tmp_path / "out/record.md").read_text().splitlines() if "biased:female-random:0;" in line
    ]
    assert line.startswith("- Two systems, ")
    assert line.endswith("; differences of scores from -1 to 1.")


def test_what_is_said_of_a_comparison_of_unknown_making_holds_of_two_systems(
    scores: Path, rows: pa.Table, tmp_path: Path
) -> None:
    before, columns = tmp_path / "before.csv", np.random.default_rng(1).random((2, len(rows)))
    pd.DataFrame({"id": rows["id"], "B": columns[1], "A": columns[0]}).to_csv(before, index=False)
    after = tmp_path / "after.csv"
    pd.DataFrame({"id": rows["id"], "A": columns[0], "B": columns[0]}).to_csv(after, index=False)
    done = in_json(after, "--against", before, *CONFIG)
    assert {row["effect"] for row in measured(done)["terms"] if row["system"] == "A"} == {0}
    (tmp_path / "both.json").write_text(done.stdout)
    gated = eec("measure", after, "--against", before, *CONFIG, "--fail-if", "gender.effect > 0.5").stdout
    assert f"{CONFIG[1]}, after-before, system A: gender.effect" in gated
    (tmp_path / "lone.json").write_text(in_json(scores, *CONFIG).stdout)
    results = [tmp_path / "both.json", tmp_path / "lone.json"]
    for form in ("md", "html"):
        succeed("report", *results, "--format", form, "--out", tmp_path)
        report = (tmp_path / f"report.{form}").read_text()
        assert "eec measure SCORES.csv --against OTHERS.csv --config NAME" in report
        assert "eec measure SCORES.csv --config NAME" in report
        assert "every effect is that of the first minus that of the second" in report
    assert (report.count("<caption><span>Mean difference of the"), report.count("<caption><span>Mean score by")) == (
        2,
        1,
    )
    assert "says by how much the differences between groups of persons that two compared systems show" in report
    assert "says by how much its scores differ between groups of persons" in report
    succeed("report", results[0], "--record", "--out", tmp_path)
    assert (
        "the effects of the first minus those of the second (after-before): A; " in (tmp_path / "record.md").read_text()
    )


def test_tables_that_cannot_be_compared_are_refused(scores: Path, rows: pa.Table, tmp_path: Path) -> None:
    assert "--against names the same file" in eec("measure", scores, *CONFIG, "--against", scores).stderr
    both, frame = tmp_path / "both.csv", pd.read_csv(scores, dtype={"score": str})
    pd.concat([frame.assign(system=name) for name in "ab"]).to_csv(both, index=False)
    refused = eec("measure", both, *CONFIG, "--against", scores)
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert f"{both}: a row per system; --against compares tables with a row per sentence" in refused.stderr
    wider = audited_scores(tmp_path / "wider.csv", rows, score=values(scores))
    assert "on different scales, -1 to 1 and 0 to 1" in eec("measure", wider, *CONFIG, "--against", scores).stderr
    # Where one of the tables says no system, both are called as their files are.
    ranged = ("--score-range", "-1", "1", "--format", "json")
    named = measured(eec("measure", wider, *CONFIG, "--against", scores, *ranged))
    assert f"|compare:wider-{scores.stem}" in named["signature"]
    same_name = tmp_path / "other" / scores.name
    same_name.parent.mkdir()
    same_name.write_text(scores.read_text())
    compared = measured(in_json(scores, *CONFIG, "--against", same_name))
    assert f"compare:{scores}-{same_name}" in compared["signature"]


def test_one_option_writes_report_tables_and_figures(
    scores: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("matplotlib", reason="needs the extra plot")
    from eec_datasets.audit.report import folder

    out, figures, draw = tmp_path / "results", dict[str, bytes](), folder.draw_figures
    monkeypatch.setattr(folder, "draw_figures", lambda units: figures or figures.update(draw(units)) or figures)
    for _ in range(2):
        result = in_json(scores, *CONFIG, "--out", out)
        terms = measured(result)["terms"]
    files = {path.relative_to(out).as_posix() for path in out.rglob("*") if path.is_file()}
    drawn = {f"figures/{n:02d}-{kind}.{end}" for n, kind in enumerate(("forest", "persons", "heatmap", "items"), 1)
             for end in ("svg", "png")}  # fmt: skip
    assert drawn | {"report.html", "result.json", "terms.csv", "tables.tex", "figures/captions.txt"} <= files
    rows = [row for row in csv_rows(out / "terms.csv") if row["kind"] == "term"]
    assert [float(row["effect"]) for row in rows] == [term["effect"] for term in terms]
    assert json.loads((out / "result.json").read_text())["results"][0]["result"]["terms"] == terms
    assert "95 \\% interval" in (out / "tables.tex").read_text()
    succeed("report", out / "result.json", "--out", tmp_path)
    (out / "mine.txt").write_text("precious")
    refused = eec("measure", scores, *CONFIG, "--out", out, "--overwrite")
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert "holds what would be lost (eec is not known to have written 'mine.txt')" in refused.stderr
    assert (out / "mine.txt").read_text() == "precious"


@pytest.mark.parametrize("suffix", ["csv", "xlsx", "parquet"])
def test_sentences_are_written_filled_in_and_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str
) -> None:
    pytest.importorskip("openpyxl", reason="needs the extra tables")
    monkeypatch.setenv("EEC_LOCALES", str(few(tmp_path / "locales", "tr")))
    path, rows = tmp_path / f"sheet.{suffix}", corpora.table("tr-gender")
    bom = ["--bom"] if suffix == "csv" else []
    succeed("sentences", "tr-gender", "--out", path, *bom)
    assert path.read_bytes().startswith("\ufeff".encode()) == bool(bom)
    load, save = {"csv": (pd.read_csv, "to_csv"), "xlsx": (pd.read_excel, "to_excel")}.get(
        suffix, (pd.read_parquet, "to_parquet")
    )
    frame = load(path)
    assert list(frame.columns) == ["id", "score", "text"]
    assert frame["text"].tolist() == rows["text"].to_pylist()
    assert frame["score"].isna().all()
    filled = np.random.default_rng(1).random(len(frame)).round(6)
    getattr(frame.assign(score=filled), save)(path)
    same(in_json(path, "--config", "tr-gender"), eec_bias.measure(filled, rows))


def test_a_scores_file_that_does_not_fit_is_refused_and_no_corpus_without_its_persons_is_rendered(
    scores: Path, rows: pa.Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rendered, render = [], corpora.render
    monkeypatch.setattr(
        corpora, "render", lambda config, **part: rendered.append(config.name) or render(config, **part)
    )
    lines, ids = scores.read_text().splitlines(), rows["id"].to_pylist()
    path = tmp_path / "scores.csv"
    path.write_text("\n".join([*lines[:5], "t01/angry/nobody,0.5", *lines[7:]]))
    result = eec("measure", path, *CONFIG)
    assert (result.exit_code, result.output.splitlines()[:3]) == (1, [
        f"Error: {path} does not fit config es-anglo-latino:",
        "  1 unknown ids: 't01/angry/nobody' in line 6",
        f"  2 missing ids (of 8,640): {ids[4]}; {ids[5]}",
    ])  # fmt: skip
    # No other corpus has such a person.
    assert rendered == ["es-anglo-latino"]
