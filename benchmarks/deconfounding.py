"""Count how often the interval of `methods.deconfound` holds the truth: ``python -m benchmarks.deconfounding``.

Tables of 400 rows are drawn by a known graph: the word changes who is written about and the score, and the group
changes the score. Prints the lines of a table in docs/papers.md.
"""

from itertools import product

import numpy as np

from eec_bias.errors import DesignError
from eec_bias.methods import deconfound
from eec_bias.options import Floats

TABLES, ROWS = 2_000, 400

SHARES = {
    "20, 40, 60, 80 %": (0.2, 0.4, 0.6, 0.8),
    "5, 20, 80, 95 %": (0.05, 0.2, 0.8, 0.95),
    "3, 20, 80, 97 %": (0.03, 0.2, 0.8, 0.97),
}
"""The share of women among the rows of each word; words are equally frequent."""

GAPS = {".05": (0.05, 0.05, 0.05, 0.05), "−.10, 0, .10, .20": (-0.1, 0.0, 0.1, 0.2)}
"""The gap on each word."""


def draw(shares: Floats, gaps: Floats, rng: np.random.Generator) -> tuple[Floats, dict[str, np.ndarray]]:
    """Draw a table: scores and labels."""
    word = rng.integers(0, len(shares), ROWS)
    female = rng.random(ROWS) < shares[word]
    scores = 0.5 + 0.1 * word + gaps[word] * female + rng.normal(0, 0.15 * (1 + word / 3))
    return scores, {"word": np.array(list("wxyz"))[word], "gender": np.where(female, "female", "male")}


def line(name: str, shares: Floats, gaps: Floats) -> str:
    """Return the shares of tables whose interval holds the truth, adjusted and as it is."""
    rng, adjusted, plain, refused = np.random.default_rng(20), [], [], 0
    truth = gaps.mean()
    for _ in range(TABLES):
        scores, labels = draw(shares, gaps, rng)
        try:
            (row,) = deconfound(scores, labels, group="gender", given="word").differences
        except DesignError:
            # A group has no row of some word.
            refused += 1
            continue
        adjusted.append(row.ci_low <= truth <= row.ci_high)
        plain.append(row.unadjusted_low <= truth <= row.unadjusted_high)
    return f"| {name} | {np.mean(adjusted):.3f} | {np.mean(plain):.3f} | {refused / TABLES:.3f} |".replace(" 0.", " .")


def main() -> None:
    """Print the lines."""
    for (shared, shares), (gapped, gaps) in product(SHARES.items(), GAPS.items()):
        print(line(f"{shared} | {gapped}", np.array(shares), np.array(gaps)), flush=True)


if __name__ == "__main__":
    main()
