"""Write the table of docs/decisions.md, how often intervals of ratios cover the truth: ``python -m benchmarks.ratios``.

Every audit draws a system that decides 0 or 1 on names × sentences by a latent number: names, templates and words move
it, and move it differently for each group. The truth is the ratio of the rates over all such names, templates and
words. The interval of the sentences as independent draws (binomial, delta method on the logarithm) stands beside ours.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import numpy as np
from scipy.special import ndtr, ndtri

from benchmarks.size_designs import lattice, names, paper
from eec_bias.options import Floats
from eec_bias.shared import write_over
from eec_bias.stats.analysis import analyse
from eec_bias.stats.contrasts import build_contrasts
from eec_bias.stats.layout import Table
from eec_bias.stats.rates import ratio_of
from eec_bias.stats.simulation import draw_linear
from eec_bias.stats.sums import summarise
from eec_bias.stats.units import UnitScores

AUDITS = 2000
AT_ONCE = 50
TARGET = Path(__file__).parent.parent / "docs" / "decisions.md"
BEGIN, END = "<!-- made by python -m benchmarks.ratios -->", "<!-- end -->"
COMMON = {"templates": 0.3, "words": 0.5}
"""Standard deviations of what all groups share, on the scale of the latent number, whose noise has 1."""


@dataclass(frozen=True)
class Design:
    """Systems to be drawn.

    Attributes
    ----------
    table : Table
        Persons and items.
    rate, reference : float
        True rates of the first race and of its reference, the same for women and men.
    sds : dict of str to float
        Standard deviations of names, and of what groups do on templates and words.
    median : bool
        Whether scores above the median of the item are counted; the rates are then those above 0 without it.
    """

    table: Table
    rate: float
    reference: float
    sds: dict[str, float] = field(default_factory=dict)
    median: bool = False

    @property
    def spread(self) -> float:
        """Standard deviation of the latent number."""
        return float(np.sqrt(1 + sum(sd**2 for sd in (*self.sds.values(), *COMMON.values()))))

    @property
    def shifts(self) -> tuple[float, float]:
        """Mean of the latent number of the first race and of its reference."""
        return self.spread * float(ndtri(self.rate)), self.spread * float(ndtri(self.reference))


def sds(shape: str, names: float, groups: float = 0.0) -> dict[str, float]:
    """Standard deviations of names, and of groups on templates and on words, which on a lattice are items."""
    if shape == "papers":
        return {"persons": names, "groups × templates": groups, "groups × words": groups}
    return {"persons": names, "groups × items": float(np.sqrt(2)) * groups}


@cache
def table(persons: int, shape: str) -> Table:
    """So many names in each of four cells, on the papers' corpus or on a lattice of 40 items."""
    return names([persons] * 4, paper() if shape == "papers" else lattice())


DESIGNS: dict[str, Design] = {
    f"{persons} names, {title}": Design(table(persons, shape), *rates, sds(shape, *spread), median)
    for persons in (10, 100)
    for title, shape, rates, spread, median in (
        ("papers' corpus, rates .5 and .5, equal reactions", "papers", (0.5, 0.5), (0.3,), False),
        ("papers' corpus, rates .4 and .5", "papers", (0.4, 0.5), (0.3, 0.1), False),
        ("papers' corpus, rates .1 and .15", "papers", (0.1, 0.15), (0.3, 0.1), False),
        ("40 items, rates .4 and .5", "lattice", (0.4, 0.5), (0.3, 0.1), False),
        ("40 items, rates .08 and .1", "lattice", (0.08, 0.1), (0.3, 0.1), False),
        ("40 items, rates .4 and .5, strong reactions", "lattice", (0.4, 0.5), (0.3, 0.3), False),
        ("papers' corpus, above the median", "papers", (0.5, 0.5), (0.3, 0.1), True),
        ("40 items, above the median", "lattice", (0.4, 0.5), (0.3, 0.1), True),
    )
}


@dataclass(frozen=True)
class Coverage:
    """Shares of intervals that hold the truth, ours and the binomial one, and of audits that had ours."""

    ours: float
    binomial: float
    known: float


def draw(design: Design, audits: int, rng: np.random.Generator) -> Floats:
    """Draw the latent numbers (audits, P, J)."""
    above, below = design.shifts
    of_groups = {**design.sds, "residual": 1.0}
    latent, _ = draw_linear(design.table, of_groups, {"race": above - below}, audits, 1, rng)
    facets = {clusters.name: clusters.code for clusters in design.table.facets.above}
    for name, sd in COMMON.items():
        code = facets.get(name, design.table.facets.items.code)
        latent = latent + sd * rng.standard_normal((audits, 1, int(code.max()) + 1))[:, :, code]
    return latent + (above + below) / 2


def truth(design: Design) -> float:
    """The ratio of the rates over all names, templates and words."""
    if not design.median:
        return design.rate / design.reference
    # On an item every cell of names has a shift of its own; the median is that of the mixture of four normals.
    rng = np.random.default_rng(1)
    above, below = design.shifts
    own = np.sqrt(sum(sd**2 for source, sd in design.sds.items() if source != "persons"))
    shift = np.array([above, above, below, below]) + own * rng.standard_normal((100_000, 4))
    spread = np.sqrt(1 + design.sds["persons"] ** 2)
    low, high = shift.min(axis=1), shift.max(axis=1)
    for _ in range(50):
        middle = (low + high) / 2
        more = ndtr((shift - middle[:, None]) / spread).mean(axis=1) > 0.5
        low, high = np.where(more, middle, low), np.where(more, high, middle)
    share = ndtr((shift - low[:, None]) / spread).mean(axis=0)
    return float(share[:2].mean() / share[2:].mean())


def cover(design: Design, audits: int = AUDITS, seed: int = 20) -> Coverage:
    """Draw audits and count the intervals that hold the truth."""
    rng, wanted = np.random.default_rng(seed), np.log(truth(design))
    ours, binomial, known = [], [], []
    for start in range(0, audits, AT_ONCE):
        latent = draw(design, min(AT_ONCE, audits - start), rng)
        bound = np.median(latent, axis=-2, keepdims=True) if design.median else 0.0
        selected = np.asarray(latent > bound, dtype=float)
        contrasts = build_contrasts(design.table.axes)
        sums = summarise(selected, design.table.cell, facets=design.table.facets)
        analysis = analyse(design.table, contrasts, sums, UnitScores(selected))
        found = ratio_of(analysis, 0)
        known.append(~np.isnan(found["ratio_low"]))
        with np.errstate(divide="ignore", invalid="ignore"):
            ours.append((np.log(found["ratio_low"]) <= wanted) & (wanted <= np.log(found["ratio_high"])))
            binomial.append(np.abs(np.log(found["ratio"]) - wanted) <= 1.96 * _binomial_se(found, design.table))
    held = np.concatenate(known)
    return Coverage(np.concatenate(ours)[held].mean(), np.concatenate(binomial)[held].mean(), held.mean())


def _binomial_se(found: dict[str, Floats], table: Table) -> Floats:
    """Standard error of the log ratio if every sentence were a draw of its own."""
    sentences = len(table.cell) * len(table.items) / 2
    parts = [(1 - found[rate]) / (found[rate] * sentences) for rate in ("rate", "rate_reference")]
    return np.sqrt(parts[0] + parts[1])


def lines() -> Iterator[str]:
    """Yield the table, a row per design."""
    yield "| audits | true ratio | our interval | binomial interval |"
    yield "|---|--:|--:|--:|"
    for name, design in DESIGNS.items():
        found = cover(design)
        cells = [f"{truth(design):.3f}", f"{found.ours:.3f}", f"{found.binomial:.3f}"]
        row = " | ".join(cell.removeprefix("0") for cell in cells)
        print(name, row, f"{found.known:.3f}", flush=True)
        yield f"| {name} | {row} |"


def main() -> None:
    """Simulate, and put the table between the marks of the page."""
    page = TARGET.read_text(encoding="utf-8")
    before, _, rest = page.partition(BEGIN)
    after = rest.partition(END)[2]
    made = "\n".join(lines())
    write_over({TARGET: f"{before}{BEGIN}\n\n{made}\n\n{END}{after}"})


if __name__ == "__main__":
    main()
