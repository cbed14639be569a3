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


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--budget", 90], "a budget of 90 sentences is too small"),
        (["--budget", 900, "--from", "SAVED", "--config", "en-black-white-100"], "in the language 'es'"),
        (["--budget", 900, "--from", "SAVED", "--system", "vader"], "no system 'vader'; there are: noisy:female"),
        (["--budget", 900, "--config", "en-country"], "en-country has 0 cells of names"),
    ],
)
def test_what_cannot_be_planned_is_refused(eec: Eec, saved: Path, options: list[object], told: str) -> None:
    result = eec("design", *(saved if option == "SAVED" else option for option in options))
    assert result.exit_code == 1
    assert told in result.output
