"""Scores that were made elsewhere, and audits that several tests look at."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from commands import succeed

from eec_datasets import corpora


@pytest.fixture(scope="session")
def rows() -> pa.Table:
    return corpora.table("es-anglo-latino")


@pytest.fixture(scope="session")
def scores(tmp_path_factory: pytest.TempPathFactory, rows: pa.Table) -> Path:
    """Scores: women .6, all others .4, by name one more hundredth."""
    path, frame = tmp_path_factory.mktemp("made elsewhere") / "SCORES.csv", rows.to_pandas()
    scores = np.where(frame["gender"] == "female", 0.6, 0.4) + frame["person"].str.len() / 100
    frame[["id"]].assign(score=scores).to_csv(path, index=False)
    return path


@pytest.fixture(scope="session")
def audited(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an audit of two built-in systems, and what it printed beside."""
    out = tmp_path_factory.mktemp("my audits") / "audit"
    systems = ("--system", "biased:female", "--system", "random:0")
    printed = succeed("audit", *systems, "--config", "es-anglo-latino", "--out", out).output
    out.with_name("printed.txt").write_text(printed, encoding="utf-8")
    return out
