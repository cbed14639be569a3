"""Ten million scored rows in chunks: labels as integer codes, drawn as they are needed."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator
from typing import Any

import numpy as np

from eec_bias import measure

CHUNK = 500_000


def chunks(persons: int, items: int, size: int = CHUNK) -> Iterator[tuple[Any, dict[str, Any]]]:
    """Yield scores and labels of persons × items, some rows at a time."""
    rng = np.random.default_rng(1)
    pool = rng.beta(5, 5, size)
    for start in range(0, persons * items, size):
        row = np.arange(start, min(start + size, persons * items))
        person = row // items
        labels = {"person": person, "item": row % items, "race": person % 2, "gender": person // 2 % 2}
        yield np.roll(pool, start // size)[: len(row)], labels


def stream(rows: int = 10_000_000) -> Any:
    """Measure 2,000 persons on as many items as the rows allow."""
    return measure(chunks(2000, rows // 2000))


def peak(rows: int) -> int:
    """Return the bytes allocated at most while a stream is measured."""
    tracemalloc.start()
    try:
        stream(rows)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
