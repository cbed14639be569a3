"""Share of draws in which one of several normal names seems to make the spread: ``python -m benchmarks.one_name``.

The table in docs/statistics.md between the marks is replaced.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from eec_bias.options import Floats
from eec_bias.shared import write_over
from eec_bias.stats.families import cluster_names, most_of_one, name_variance

TARGET = Path(__file__).parent.parent / "docs" / "statistics.md"
BEGIN, END = "<!-- one name: python -m benchmarks.one_name -->", "<!-- end of one name -->"
DRAWS = 40_000
ODD = 10.0
"""Standard deviations by which the odd name lies apart."""

HEAD = """
| names per group, or pairs | .95 quantile | limit | rough | rough at .4 | rough with an outlier |
|---|--:|--:|--:|--:|--:|
"""

CELLS: tuple[tuple[int, ...], ...] = (
    (5,), (6,), (8,), (10,), (12,), (15,), (20,), (3, 3, 3, 3), (5, 5), (10, 10), (5, 50), (15, 5, 5, 15), (5, 5, 5, 5),
    (10, 10, 10, 10),
)  # fmt: skip
"""Units of each group; one group of pairs."""


def largest_shares(count: tuple[int, ...], odd: float = 0.0, draws: int = DRAWS, seed: int = 36) -> Floats:
    """Draw normal names, one of the smallest group so far apart, and return the largest share of the spread, (S,)."""
    cell, number = np.repeat(np.arange(len(count)), count), np.array(count, dtype=float)
    names = np.random.default_rng(seed).standard_normal((draws, len(cell)))
    names[:, int(np.flatnonzero(cell == np.argmin(count))[0])] += odd
    means = np.add.reduceat(names, np.flatnonzero(np.diff(cell, prepend=-1)), axis=1) / number
    scores = (names - means[:, cell]) / number[cell]
    return name_variance(scores[:, None], cluster_names(cell), np.ones((1, len(count)))).largest[:, 0]


def line(count: tuple[int, ...]) -> str:
    """A row of the table."""
    usual, odd = largest_shares(count), largest_shares(count, ODD)
    most = most_of_one(np.ones(len(count)), np.array(count, dtype=float))
    numbers = [np.quantile(usual, 0.95), most, (usual > most).mean(), (usual > 0.4).mean(), (odd > most).mean()]
    shares = [f"{number:.2f}".removeprefix("0") for number in numbers]
    return f"| {', '.join(map(str, count))} | {' | '.join(shares)} |"


def main() -> None:
    """Write the table."""
    before, _, rest = TARGET.read_text(encoding="utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    table = HEAD + "\n".join(map(line, CELLS))
    write_over({TARGET: f"{before}{BEGIN}\n{table}\n\n{END}{after}"})
    print(f"written: {TARGET}")


if __name__ == "__main__":
    main()
