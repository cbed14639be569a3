"""``eec design``: a plan for a budget, also from a saved result."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Eec = Callable[..., Result]


@pytest.fixture(scope="module")
def saved(eec: Eec, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A saved result of a system that varies by name, item and sentence."""
    out = tmp_path_factory.mktemp("audit")
    result = eec("audit", "--system", "noisy:female", "--config", "es-anglo-latino", "--out", out, "--no-report")
    assert result.exit_code == 0, result.output
    return out / "result.json"


def test_a_plan_says_names_items_power_and_how_to_load_it(eec: Eec) -> None:
    result = eec("design", "--budget", 6400, "--seconds", 3)
    assert result.exit_code == 0, result.output
    assert 'eec_datasets.load("en-black-white-100", names=100, items=16)' in result.output
    assert "320.0 minutes" in result.output


def test_a_result_gives_the_spread_and_the_larger_corpus_of_its_language(eec: Eec, saved: Path) -> None:
    result = eec("design", "--budget", 2000, "--from", saved)
    assert result.exit_code == 0, result.output
    assert result.output.startswith("es-anglo-latino-100: ")
    assert "noisy:female on es-anglo-latino" in result.output
