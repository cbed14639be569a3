"""Odd input that is allowed: no meaning of a high score, odd units, many systems, narrow terminals."""

import os
import pty
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from commands import succeed

from eec_datasets.systems.corpus import open_corpus
from eec_datasets.terminal import width

CONFIG = "en-sample"

UNITS: dict[str, tuple[float, float]] = {"tenths of a millionth": (0, 1e-7), "stars": (1, 5), "odd": (-3, 40)}


def rows() -> pd.DataFrame:
    return open_corpus(CONFIG).table.to_pandas()


def scores(seed: int = 1) -> np.ndarray:
    """Women by .05 higher, and a little of every sentence."""
    data = rows()
    return np.asarray(
        0.5 + 0.05 * (data["gender"] == "female") + np.random.default_rng(seed).normal(0, 0.02, len(data))
    )


def table(folder: Path, **columns: np.ndarray) -> Path:
    path = folder / "scores.csv"
    pd.DataFrame({"id": rows()["id"], **columns}).to_csv(path, index=False)
    return path


def measured(path: Path, *options: object) -> str:
    return " ".join(succeed("measure", path, "--config", CONFIG, *options).stdout.split())


def test_that_nobody_said_what_a_high_score_means_is_said(tmp_path: Path) -> None:
    said = measured(table(tmp_path, score=scores()))
    assert "We don’t know whether a high score is good or bad; say so with --high-means." in said
    assert "(more positive)" not in said


@pytest.mark.parametrize("unit", UNITS)
def test_a_gap_has_the_same_points_in_any_units(tmp_path: Path, unit: str) -> None:
    low, high = UNITS[unit]
    said = measured(table(tmp_path, score=low + (high - low) * scores()), "--score-range", low, high)
    assert "5 points" in said


def in_terminal(columns: int, *arguments: object, **environment: str) -> list[str]:
    """The lines that a command prints in a terminal of so many columns, as they come."""
    own, other = pty.openpty()
    known = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "COLUMNS")}
    shown = b""
    with subprocess.Popen(
        [sys.executable, "-m", "eec_datasets", *map(str, arguments)],
        stdout=other, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
        env={**known, "TERM": "xterm-256color", "COLUMNS": str(columns), **environment},
    ) as process:  # fmt: skip
        os.close(other)
        while True:
            try:
                part = os.read(own, 65536)
            except OSError:
                # Linux says so where the other end is closed.
                break
            if not part:
                break
            shown += part
        process.wait()
    os.close(own)
    assert process.returncode == 0, shown.decode()
    return shown.decode().replace("\r", "").splitlines()


def unbreakable(line: str, columns: int) -> bool:
    """Tell if a line is one word that is longer than a line."""
    return any(width(word) > columns - 4 for word in line.split())


@pytest.fixture(scope="module")
def narrow(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Return the output of measure in a terminal of forty columns."""
    path = table(tmp_path_factory.mktemp("narrow"), score=scores())
    return in_terminal(40, "measure", path, "--config", CONFIG, NO_COLOR="1")


def check_fits(lines: list[str]) -> None:
    assert [line for line in lines if width(line) > 40 and not unbreakable(line, 40)] == []
    assert "\x1b" not in "\n".join(lines)


def test_lines_of_configs_fit_a_terminal_of_forty_columns() -> None:
    check_fits(in_terminal(40, "configs", NO_COLOR="1"))


def test_what_is_no_terminal_gets_plain_lines_of_eighty_columns(tmp_path: Path) -> None:
    text = succeed("measure", table(tmp_path, score=scores()), "--config", CONFIG).stdout
    assert "\x1b" not in text
    assert max(width(line) for line in text.splitlines() if not line.startswith("eec_bias|")) <= 80
