"""Figures look as they did when they were last looked at."""

from pathlib import Path

import pytest
from figure_cases import corpus, ordinary, scores
from figure_pictures import DPI, FOLDER, PICTURES, distance, pixels

from eec_bias import measure
from eec_bias.figures.style import save

TOLERANCE = 0.25
"""Of the darkness of a 6 × 6 square: letters drawn by another version of FreeType stay below, moved marks do not."""


@pytest.mark.parametrize("name", PICTURES)
def test_a_figure_looks_as_it_did(name: str, tmp_path: Path) -> None:
    path = save(PICTURES[name](), tmp_path / "now.png", dpi=DPI)
    found = distance(pixels(path), pixels(FOLDER / f"{name}.png"))
    assert found <= TOLERANCE, f"{name} differs by {found:.2f}; look at it: tests/figures/figure_pictures.py draws it"


def test_the_references_are_those_of_the_pictures_and_small() -> None:
    kept = sorted(FOLDER.iterdir())
    assert sorted(path.stem for path in kept) == sorted(PICTURES)
    assert max(path.stat().st_size for path in kept) <= 30_000


def test_another_figure_is_told_from_the_reference(tmp_path: Path) -> None:
    data = corpus()
    other = measure(scores(data, female=-0.05), data).plot("persons")
    path = save(other, tmp_path / "other.png", dpi=DPI)
    assert distance(pixels(path), pixels(FOLDER / "persons-light.png")) > TOLERANCE
    dark = save(ordinary().plot("persons", theme="dark"), tmp_path / "dark.png", dpi=DPI)
    assert distance(pixels(dark), pixels(FOLDER / "persons-light.png")) > TOLERANCE
    small = save(ordinary().plot("persons", width=4), tmp_path / "small.png", dpi=DPI)
    assert distance(pixels(small), pixels(FOLDER / "persons-light.png")) == 1
