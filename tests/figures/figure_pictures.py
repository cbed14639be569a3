"""The pictures kept in reference/: ``.venv/bin/python tests/figures/figure_pictures.py`` draws them anew.

Look at every one before it is kept.
"""

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from figure_cases import arabic, many, ordinary
from matplotlib.image import imread

from eec_bias.figures.style import save

FOLDER = Path(__file__).with_name("reference")
DPI = 50
NARROW = 3.4

PICTURES: dict[str, Callable[[], Any]] = {
    "forest-light": lambda: ordinary(margin=0.04).plot(),
    "forest-dark": lambda: ordinary(margin=0.04).plot(theme="dark"),
    "forest-narrow": lambda: ordinary().plot(width=NARROW),
    "persons-light": lambda: ordinary().plot("persons"),
    "persons-print": lambda: ordinary().plot("persons", theme="print"),
    "persons-arabic": lambda: arabic().plot("persons"),
    "persons-arabic-narrow": lambda: arabic().plot("persons", width=NARROW, theme="dark"),
    "persons-pairs": lambda: ordinary().plot("persons", subset="pairs"),
    "heatmap-light": lambda: ordinary().plot("heatmap"),
    "heatmap-print": lambda: ordinary().plot("heatmap", theme="print"),
    "items-light": lambda: ordinary().plot("items"),
    "items-emotion-dark": lambda: ordinary().plot("items", by="emotion", theme="dark"),
    "systems-light": lambda: many(40).plot("systems", term="gender"),
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


def main() -> None:
    """Draw all pictures."""
    FOLDER.mkdir(exist_ok=True)
    for name, make in PICTURES.items():
        path = save(make(), FOLDER / f"{name}.png", dpi=DPI)
        print(f"{path.name}: {path.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
