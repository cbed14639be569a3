"""Scores that were made elsewhere, and audits that several tests look at."""

from pathlib import Path

import pyarrow as pa
import pytest
from commands import succeed

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
def audited(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an audit of two built-in systems, and what it printed beside."""
    out = tmp_path_factory.mktemp("my audits") / "audit"
    systems = ("--system", "biased:female", "--system", "random:0")
    printed = succeed("audit", *systems, "--config", "es-anglo-latino", "--out", out).output
    out.with_name("printed.txt").write_text(printed, encoding="utf-8")
    return out


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The test's own folder, in which it runs."""
    monkeypatch.chdir(tmp_path)
    return tmp_path
