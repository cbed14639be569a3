"""The advice in messages about tables is followed on the command line: it works, or leads to another message."""

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from commands import eec

import eec_datasets

LIST = "tr-gender"
ROWS = eec_datasets.load(LIST).to_pandas()[["id", "text"]]
Y = np.random.default_rng(0).uniform(0.2, 0.8, len(ROWS)).round(4)
TABLE = ROWS.assign(score=Y)
WON = [{"label": ("no", "yes")[int(y >= 0.5)], "score": max(y, 1 - y)} for y in Y]
ALL = [[{"label": "no", "score": 1 - y}, {"label": "yes", "score": y}] for y in Y]

Given = tuple[pd.DataFrame, list[str]]

ADVICE: dict[str, tuple[Given, str, Given]] = {
    "percentages as text": (
        (TABLE.assign(score=[f"{100 * y:.1f}%" for y in Y]), []),
        "write them without %",
        (TABLE.assign(score=100 * Y), ["--score-range", "0", "100"]),
    ),
    "percentages": (
        (TABLE.assign(score=100 * Y), []),
        "with --score-range .*, 0 and 100 for percentages",
        (TABLE.assign(score=100 * Y), ["--score-range", "0", "100"]),
    ),
    "logits": (
        (TABLE.assign(score=10 * Y - 5), []),
        "or none with --no-score-range",
        (TABLE.assign(score=10 * Y - 5), ["--no-score-range"]),
    ),
    "grades out of ten": (
        (TABLE.assign(score=[f"{10 * y:.1f}/10" for y in Y]), []),
        "write the number alone",
        (TABLE.assign(score=10 * Y), ["--score-range", "0", "10"]),
    ),
    "a word among numbers": (
        (TABLE.assign(score=["n/a", *Y[1:]]), []),
        "leave it empty",
        (TABLE.assign(score=["", *Y[1:]]), []),
    ),
    "labels": (
        (TABLE.assign(score=np.where(Y < 0.5, "no", "yes")), []),
        "name the label that counts as 1, such as yes, with --positive-class",
        (TABLE.assign(score=np.where(Y < 0.5, "no", "yes")), ["--positive-class", "yes"]),
    ),
    "the label that won": (
        (TABLE.assign(score=WON), []),
        "such as {'no': 0, 'yes': 1}",
        (TABLE.assign(score=WON), ["--classes", "no=0,yes=1"]),
    ),
    "all labels": (
        (TABLE.assign(score=ALL), []),
        "with positive_class, such as 'yes'",
        (TABLE.assign(score=ALL), ["--positive-class", "yes"]),
    ),
    "texts in a column of another name": (
        (TABLE.drop(columns="id").rename(columns={"text": "what was said"}), []),
        "Name the column of sentences with --text",
        (TABLE.drop(columns="id").rename(columns={"text": "what was said"}), ["--text", "what was said"]),
    ),
    "two columns of numbers beside a score": (
        (TABLE.assign(points=Y), []),
        "name the columns of scores, one per system, with the option score",
        (TABLE.assign(points=Y), ["--score", "points"]),
    ),
    "a row per sentence twice": (
        (pd.concat([TABLE.assign(a="x", b="u"), TABLE.assign(a="y", b="v")]), []),
        "Name it with the option systems",
        (pd.concat([TABLE.assign(a="x", b="u"), TABLE.assign(a="y", b="v")]), ["--systems", "a"]),
    ),
    "an id twice": (
        (pd.concat([TABLE, TABLE[:1]]), []),
        "duplicate ids, once: .* and line",
        (TABLE, []),
    ),
    "ids that a spreadsheet changed": (
        (TABLE.drop(columns="text").assign(id=["2026-04-01", *TABLE["id"][1:]]), []),
        "format the column as text first",
        (TABLE.drop(columns="text"), []),
    ),
    "no score at all": (
        (TABLE.assign(score=""), []),
        "Fill it in",
        (TABLE, []),
    ),
}


def measured(folder: Path, given: Given) -> tuple[int, str]:
    table, options = given
    nested = isinstance(table["score"].iloc[0], dict | list) if "score" in table else False
    path = folder / ("mine.jsonl" if nested else "mine.csv")
    write: Callable[..., object] = table.to_json if nested else table.to_csv
    write(path, **({"orient": "records", "lines": True} if nested else {"index": False}))
    done = eec("measure", path, "--config", LIST, *options, "--format", "csv")
    return done.exit_code, done.output


@pytest.mark.parametrize("what", ADVICE)
def test_the_advice_of_a_message_works(what: str, tmp_path: Path) -> None:
    given, said, followed = ADVICE[what]
    code, output = measured(tmp_path, given)
    assert code == 1, output
    assert re.search(said, output.replace("\n", " ")), output
    code, output = measured(tmp_path, followed)
    assert code == 0, output
