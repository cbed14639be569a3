"""Scores that cannot be used are refused in the same way through measure, compute, the command line and the page."""

import csv
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from commands import eec

import eec_bias
from eec_bias.errors import ScoresError
from eec_datasets import corpora
from eec_datasets.app import answers, sources
from eec_datasets.errors import BadScores

CONFIG = "tr-gender"
TABLE = corpora.table(CONFIG)
COLUMNS = {name: TABLE.column(name).to_pylist() for name in TABLE.column_names}
ROW = 17
ID = COLUMNS["id"][ROW]
LABELS = ("race", "gender", "person", "item", "pair")
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


def written(y: Any, path: Path) -> Path:
    cells = np.ma.filled(y.astype(object), "") if isinstance(y, np.ma.MaskedArray) else y
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("id", "score"), *zip(COLUMNS["id"], cells, strict=True)])
    return path


def through_measure(y: Any, _path: Path) -> str:
    with pytest.raises(ScoresError) as error:
        eec_bias.measure(y, TABLE)
    return str(error.value)


def through_compute(y: Any, path: Path) -> str:
    from eec_bias.integrations.evaluate_metric import BiasMetric

    metric = BiasMetric(cache_dir=str(path.parent))
    with pytest.raises(ScoresError) as error:
        metric.compute(predictions=y, **{name: COLUMNS[name] for name in LABELS})
    return str(error.value)


def through_the_command_line(y: Any, path: Path) -> str:
    done = eec("measure", written(y, path), "--config", CONFIG)
    assert done.exit_code == 1
    return done.output.removeprefix("Error: ")


def through_the_page(y: Any, path: Path) -> str:
    with pytest.raises(BadScores) as error:
        answers.measured(sources.rendered(), answers.Choice(CONFIG, (str(written(y, path)),), 0, 1))
    return f"{error.value}\n"


WAYS: tuple[Callable[[Any, Path], str], ...] = (
    through_measure, through_compute, through_the_command_line, through_the_page,
)  # fmt: skip


@pytest.mark.parametrize("title", BAD)
def test_a_bad_score_is_refused_by_its_value_and_place_everywhere(title: str, tmp_path: Path) -> None:
    y, in_python, in_file = BAD[title]
    by_measure, by_compute, by_command, by_page = (way(y, tmp_path / "scores.csv") for way in WAYS)
    assert by_compute == by_measure
    assert any(word in by_measure for word in in_python.split("|")), by_measure
    if "|" not in in_python:
        assert f"row {ROW}" in by_measure
    assert by_page.replace("score_range", "--score-range") == by_command.replace(f"{tmp_path}/", "")
    assert in_file in by_command
    assert ID in by_command


def test_scores_in_another_order_are_refused_by_index_and_joined_by_id(tmp_path: Path) -> None:
    turned = pd.Series(Y)[::-1]
    by_measure, by_compute = through_measure(turned, tmp_path), through_compute(turned, tmp_path / "x")
    assert by_compute == by_measure
    assert "in another order: row 0" in by_measure
    path = written(Y, tmp_path / "scores.csv")
    asked = ["--config", CONFIG, "--format", "csv"]
    in_order = eec("measure", path, *asked).output
    lines = path.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join([lines[0], *reversed(lines[1:]), ""]), encoding="utf-8")
    assert eec("measure", path, *asked).output == in_order
