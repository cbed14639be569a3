"""Figures look as they did when they were last looked at: ``pytest --update-snapshots`` draws again what differs."""

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from figure_cases import arabic, corpus, many, ordinary, scores
from matplotlib.image import imread
from snapshots import Snapshot

from eec_bias import measure
from eec_bias.figures.style import to_file

FOLDER = Path(__file__).with_name("reference")
DPI = 50
NARROW = 3.4
TOLERANCE = 0.25
"""Of the darkness of a 6 × 6 square: letters drawn by another version of FreeType stay below, moved marks do not."""

PICTURES: dict[str, Callable[[], Any]] = {
    "forest-light": lambda: ordinary(margin=4).plot(),
    "forest-dark": lambda: ordinary(margin=4).plot(theme="dark"),
    "forest-narrow": lambda: ordinary().plot(width=NARROW),
    "persons-light": lambda: ordinary().plot("persons"),
    "persons-print": lambda: ordinary().plot("persons", theme="print"),
    "persons-arabic": lambda: arabic().plot("persons"),
    "persons-arabic-narrow": lambda: arabic().plot("persons", width=NARROW, theme="dark"),
    "persons-pairs": lambda: ordinary().plot("persons", subset="pairs"),
    "systems-print": lambda: many(8, "kiritchenko2018").plot("systems", term="gender", theme="print"),
}


def pixels(source: bytes | Path) -> Any:
    """Return a picture as (rows, columns, 3) numbers from 0 to 1."""
    return imread(io.BytesIO(source) if isinstance(source, bytes) else source, format="png")[..., :3]


def blurred(picture: Any, size: int = 6) -> Any:
    """Return the means of squares, so that an edge that moves by a pixel hardly counts."""
    rows, columns = (length // size for length in picture.shape[:2])
    return picture[: rows * size, : columns * size].reshape(rows, size, columns, size, 3).mean(axis=(1, 3))


def distance(one: Any, other: Any) -> float:
    """Return how far two pictures are apart: the largest difference of a square, 1 where their sizes differ."""
    if any(abs(a - b) > 3 for a, b in zip(one.shape, other.shape, strict=True)):
        return 1.0
    rows, columns = (min(a, b) for a, b in zip(one.shape[:2], other.shape[:2], strict=True))
    return float(np.abs(blurred(one[:rows, :columns]) - blurred(other[:rows, :columns])).max())


@pytest.mark.parametrize("name", PICTURES)
def test_a_figure_looks_as_it_did(name: str, snapshot: Snapshot) -> None:
    picture, kept = to_file(PICTURES[name](), "png", DPI), FOLDER / f"{name}.png"
    found = distance(pixels(picture), pixels(kept)) if kept.exists() else 1.0
    if snapshot.update and found > TOLERANCE:
        kept.write_bytes(picture)
    else:
        assert found <= TOLERANCE, f"{name} differs by {found:.2f}; --update-snapshots draws it again, to be looked at"


def test_the_references_are_those_of_the_pictures_and_small() -> None:
    kept = sorted(FOLDER.iterdir())
    assert sorted(path.stem for path in kept) == sorted(PICTURES)
    assert max(path.stat().st_size for path in kept) <= 30_000


def test_another_figure_is_told_from_the_reference() -> None:
    data, reference = corpus(), pixels(FOLDER / "persons-light.png")
    others = {
        "other": measure(scores(data, female=-0.05), data).plot("persons"),
        "dark": ordinary().plot("persons", theme="dark"),
        "small": ordinary().plot("persons", width=4),
    }
    apart = {name: distance(pixels(to_file(other, "png", DPI)), reference) for name, other in others.items()}
    assert min(apart.values()) > TOLERANCE
    assert apart["small"] == 1
