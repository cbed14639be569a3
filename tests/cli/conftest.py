"""Scores that were made elsewhere, and audits that several tests look at."""

from pathlib import Path

import pyarrow as pa
import pytest
from click.testing import Result
from commands import eec

from eec_datasets import corpora


@pytest.fixture(scope="session")
def rows() -> pa.Table:
    return corpora.table("es-anglo-latino")


def write_scores(path: Path, rows: pa.Table) -> Path:
    """Scores: women .6, men .4, by name one more hundredth."""
    lines = [
        f"{row['id']},{(0.6 if row['gender'] == 'female' else 0.4) + len(row['person']) / 100}"
        for row in rows.select(["id", "gender", "person"]).to_pylist()
    ]
    path.write_text("\n".join(["id,score", *lines, ""]))
    return path


@pytest.fixture(scope="session")
def scores(tmp_path_factory: pytest.TempPathFactory, rows: pa.Table) -> Path:
    return write_scores(tmp_path_factory.mktemp("made elsewhere") / "SCORES.csv", rows)


@pytest.fixture(scope="session")
def audited(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Result, tuple[str, ...]]:
    """An audit of two built-in systems: its folder, what it printed, its command."""
    out = tmp_path_factory.mktemp("my audits") / "audit"
    command = ("audit", "--system", "biased:female", "--system", "random:0", "--config", "es-anglo-latino")
    return out, eec(*command, "--out", out), command
