"""Write the table of rejection rates in docs/statistics.md: ``python -m benchmarks.sizes``.

The designs are those on which tests/stats/test_simulation.py holds the default test to its level.
"""

from __future__ import annotations

from pathlib import Path

from eec_bias.power import replicate
from eec_datasets.files import put
from tests.stats.test_simulation import NULLS, corpus

REPLICATES = 10_000
TARGET = Path(__file__).parent.parent / "docs" / "statistics.md"
BEGIN, END = "<!-- sizes: python -m benchmarks.sizes -->", "<!-- end of sizes -->"
HEAD = "| design | race | gender | race:gender | race, names only |\n|---|--:|--:|--:|--:|"


def line(name: str) -> str:
    """Return the share of true nulls rejected at .05, by term."""
    counts, items, truth = NULLS[name]
    found = replicate(corpus(counts, items), systems=REPLICATES, seed=20, **truth)
    rates = [(one.p < 0.05).mean() for one in found.values()]
    rates.append((next(iter(found.values())).p_names_only < 0.05).mean())
    return f"| {name} | {' | '.join(f'{rate:.3f}'.removeprefix('0') for rate in rates)} |"


def main() -> None:
    """Simulate every design and replace the table."""
    before, _, rest = TARGET.read_text(encoding="utf-8").partition(BEGIN)
    lines = [HEAD]
    for name in NULLS:
        lines.append(line(name))
        print(lines[-1], flush=True)
    after = rest.partition(END)[2]
    put({TARGET: f"{before}{BEGIN}\n" + "\n".join(lines) + f"\n{END}{after}"})


if __name__ == "__main__":
    main()
