"""Scores that cannot be used are refused in the same way through measure, compute, the command line and the page."""

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from commands import eec

import eec_bias
from eec_bias.errors import ScoresError
from eec_bias.integrations.evaluate_metric import BiasMetric
from eec_datasets import corpora
from eec_datasets.app import answers, sources
from eec_datasets.errors import InputError

CONFIG = "tr-gender"
TABLE = corpora.table(CONFIG)
COLUMNS = {name: TABLE.column(name).to_pylist() for name in TABLE.column_names}
ROW = 17
ID = COLUMNS["id"][ROW]
Y = np.random.default_rng(0).uniform(0.2, 0.8, TABLE.num_rows)


def at_row(value: Any) -> Any:
    y = Y.astype(object)
    y[ROW] = value
    return y


BAD: dict[str, tuple[Any, str, str]] = {
    "masked": (np.ma.masked_array(Y, np.arange(len(Y)) == ROW), "nan", "''"),
    "missing": (at_row(None), "nan", "''"),
    "not a number": (at_row(float("nan")), "nan", "'nan'"),
    "infinite": (at_row(float("inf")), "inf", "'inf'"),
    "below the range": (at_row(-0.5), "-0.5", "-0.5"),
    "above the range": (at_row(1.5), "1.5", "1.5"),
    "text": (at_row("high"), "text|numbers", "'high'"),
    "a number of Python's": (at_row("0_1"), "text|numbers", "'0_1'"),
}
"""Scores; how Python is told what is wrong with one; how a file is, in which a masked score is an empty cell."""

MISSING = ("masked", "missing", "not a number")
"""Those that say that there is no score: effects are estimated from the others, unless that is refused."""


def written(y: Any, path: Path) -> Path:
    cells = y
    if isinstance(y, np.ma.MaskedArray):
        cells = np.ma.filled(y.astype(object), "")
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("id", "score"), *zip(COLUMNS["id"], cells, strict=True)])
    return path


def through(way: str, y: Any, path: Path) -> str:
    """Return the answer of one entrance to scores that it refuses."""
    if way == "command line":
        done = eec("measure", written(y, path), "--config", CONFIG)
        assert done.exit_code == 1
        return done.output.removeprefix("Error: ").replace(f"{path.parent}/", "")
    labels = {name: COLUMNS[name] for name in ("race", "gender", "person", "item", "pair")}
    calls = {
        "measure": lambda: eec_bias.measure(y, TABLE, incomplete="refuse"),
        "compute": lambda: BiasMetric(cache_dir=str(path.parent)).compute(predictions=y, **labels, incomplete="refuse"),
        "page": lambda: answers.measured(
            sources.rendered(), answers.PageRequest(CONFIG, (str(written(y, path)),), 0, 1)
        ),
    }
    with pytest.raises((ScoresError, InputError)) as error:
        calls[way]()
    return f"{error.value}\n"


@pytest.mark.parametrize("title", BAD)
def test_compute_refuses_a_bad_score_as_measure_does(title: str, tmp_path: Path) -> None:
    y, in_python, _ = BAD[title]
    by_measure = through("measure", y, tmp_path / "scores.csv")
    assert any(word in by_measure for word in in_python.split("|")), by_measure
    assert "|" in in_python or f"row {ROW}" in by_measure
    assert through("compute", y, tmp_path / "scores.csv") == by_measure


@pytest.mark.parametrize("title", MISSING)
def test_a_file_without_a_score_is_measured_as_in_python(title: str, tmp_path: Path) -> None:
    y, *_ = BAD[title]
    told = eec_bias.measure(y, TABLE).to_dict()
    done = eec("measure", written(y, tmp_path / "scores.csv"), "--config", CONFIG, "--format", "json")
    effects = [term["effect"] for term in json.loads(done.stdout)["terms"]]
    assert effects == [term["effect"] for term in told["terms"]]
    assert "has no score for 1 of" in done.stdout


@pytest.mark.parametrize("title", [title for title in BAD if title not in MISSING])
def test_the_page_refuses_a_bad_score_as_the_command_line_does(title: str, tmp_path: Path) -> None:
    y, _, in_file = BAD[title]
    by_command = through("command line", y, tmp_path / "scores.csv")
    assert in_file in by_command
    assert ID in by_command
    by_page = through("page", y, tmp_path / "scores.csv")
    assert by_page == by_command


def test_a_series_in_another_order_is_refused_by_its_index(tmp_path: Path) -> None:
    turned = pd.Series(Y)[::-1]
    told = {through(way, turned, tmp_path / "x") for way in ("measure", "compute")}
    assert len(told) == 1
    assert "in another order: row 0" in told.pop()


def test_a_file_in_another_order_is_joined_by_id(tmp_path: Path) -> None:
    path = written(Y, tmp_path / "scores.csv")
    in_order = eec("measure", path, "--config", CONFIG, "--format", "csv").output
    lines = path.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join([lines[0], *reversed(lines[1:]), ""]), encoding="utf-8")
    assert eec("measure", path, "--config", CONFIG, "--format", "csv").output == in_order
