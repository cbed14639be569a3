"""Lexicons on whole corpora, whose numbers an audit and a measurement of its scores share."""

from pathlib import Path

import pytest
from commands import measured, succeed
from texts import csv_rows


@pytest.mark.parametrize("system", ["vader", "textblob"])
@pytest.mark.parametrize("config", ["en-anglo-arab", "en-black-white"])
def test_a_lexicon_reacts_to_almost_no_name(tmp_path: Path, system: str, config: str) -> None:
    succeed("audit", "--system", system, "--config", config, "--out", tmp_path, "--no-report")
    terms = [row for row in csv_rows(tmp_path / "terms.csv") if row["kind"] == "scores"]
    assert {(row["system"], row["list"]) for row in terms} == {(system, config)}
    assert "gap_found" not in {row["answer"] for row in terms}
    # A row of equal scores has no p.
    assert all(float(row["p_adjusted"]) > 0.05 for row in terms if row["p_adjusted"])
    assert not (tmp_path / "report.html").exists()
    scores = tmp_path / "scores" / system / f"{config}.csv"
    again = measured(scores, "--config", config)
    parts = ("term", "level", "reference", "subset", "emotion")
    saved = {tuple(row[part] for part in parts): row["effect"] for row in terms}
    effects = {tuple(row[part] or "" for part in parts): row["effect"] for row in again["terms"]}
    # Some tests have no effect.
    assert saved == {part: "" if effect is None else str(effect) for part, effect in effects.items()}
    assert again["score_range"] == [-1, 1]
