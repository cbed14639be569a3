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
    data, reference = corpus(), pixels(FOLDER / "persons-light.png")
    others = {
        "other": measure(scores(data, female=-0.05), data).plot("persons"),
        "dark": ordinary().plot("persons", theme="dark"),
        "small": ordinary().plot("persons", width=4),
    }
    apart = {name: distance(pixels(save(other, tmp_path / f"{name}.png", dpi=DPI)), reference)
             for name, other in others.items()}  # fmt: skip
    assert min(apart.values()) > TOLERANCE
    assert apart["small"] == 1
