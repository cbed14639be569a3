"""A score that is missing is missing in every engine, however the table writes it."""

from pathlib import Path

import numpy as np
import pytest
from commands import eec
from synthetic import corpus, scores

DATA = corpus()
Y = scores(DATA)


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
@pytest.mark.parametrize("written", ["", "nan", "NaN"])
def test_a_missing_score_of_a_text_is_missing_in_every_engine(engine: str, written: str, tmp_path: Path) -> None:
    file, whole = tmp_path / "mine.csv", tmp_path / "other.csv"
    rows = DATA.assign(id=DATA["item"] + "/" + DATA["person"], score=[f"{y:.4f}" for y in Y])
    rows.assign(score=np.where(np.arange(len(Y)) == 3, "", rows["score"])).to_csv(whole, index=False)
    rows.assign(score=np.where(np.arange(len(Y)) == 3, written, rows["score"])).to_csv(file, index=False)
    found, expected = (
        eec("measure", "--data", path, "--engine", how, "--format", "csv")
        for path, how in ((file, engine), (whole, "memory"))
    )
    assert (found.exit_code, expected.exit_code) == (0, 0), found.output
    assert numbers(found.stdout) == pytest.approx(numbers(expected.stdout), nan_ok=True)


def numbers(csv: str) -> list[float]:
    cells = [cell for line in csv.splitlines()[1:] for cell in line.split(",")]
    return [float(cell) for cell in cells if cell.replace(".", "").replace("-", "").replace("e", "").isdigit()]
