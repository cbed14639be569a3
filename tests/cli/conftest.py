"""Scores that were made elsewhere."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from eec_datasets import corpora


@pytest.fixture(scope="session")
def rows() -> dict[str, list[str]]:
    found = corpora.table("es-anglo-latino")
    return {name: found.column(name).to_pylist() for name in found.column_names}


@pytest.fixture
def scores(tmp_path: Path, rows: dict[str, list[str]]) -> Path:
    """A file of scores: women .6, men .4, by name one more hundredth."""
    path = tmp_path / "SCORES.csv"
    with path.open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(["id", "score"])
        for identifier, gender, person in zip(rows["id"], rows["gender"], rows["person"], strict=True):
            writer.writerow([identifier, (0.6 if gender == "female" else 0.4) + len(person) / 100])
    return path
