"""Write docs/sizes.md, how often the default test errs and what it finds: ``python -m benchmarks.sizes``.

Every design draws systems that treat no group differently (or, for power, by a stated amount) on the scale of the
scores, and counts how many the test rejects at .05. The test of items alone, our own first default, stands beside it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from benchmarks.dealt import TITLE
from benchmarks.size_designs import EMOTION_NULLS, NULLS, Design, Draw
from eec_bias.assembly.rows import roughness
from eec_bias.options import Floats
from eec_bias.shared import write_over
from eec_bias.stats.analysis import analyse
from eec_bias.stats.contrasts import build_contrasts
from eec_bias.stats.emotions import rows_that_count, sidak
from eec_bias.stats.facets import make_facets
from eec_bias.stats.simulation import draw_linear
from eec_bias.stats.units import UnitScores, sum_up

TARGET = Path(__file__).parent.parent / "docs" / "sizes.md"
AT_ONCE = 4_000_000
MOST = 0.07


@dataclass(frozen=True)
class Found:
    """The results of a test on every system and contrast: (S, R) arrays."""

    p: Floats
    items_alone: Floats
    names_only: Floats
    rough: Floats

    @property
    def size(self) -> Floats:
        """Share of nulls rejected, by contrast."""
        return np.asarray((self.p < 0.05).mean(axis=0))


def run(design: Design, seed: int = 20) -> Found:
    """Draw systems and test them."""
    rng = np.random.default_rng(seed)
    table = design.table
    step = max(50, AT_ONCE // (len(table.cell) * len(table.items)))
    starts = range(0, design.systems, step)
    parts = [_test(design, min(step, design.systems - start), rng) for start in starts]
    return Found(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def run_by_run(design: Design, change: Draw, systems: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Draw every run with noise of its own and change it; return means over runs, and person means by run."""
    table, own = design.table, dict(design.sds)
    noise, of_runs = own.pop("residual"), own.pop("groups × runs")
    base, _ = draw_linear(table, own, design.effects, systems, 1, rng)
    values, means = np.zeros_like(base), []
    for _ in range(design.runs):
        reaction = rng.standard_normal((systems, len(table.cells), 1))[:, table.cell] * of_runs
        run = change(base + reaction + noise * rng.standard_normal(base.shape), rng)
        values += run / design.runs
        means.append(run.mean(axis=2))
    return values, np.stack(means, axis=2)


def of_each_run(values: Floats, means: Floats) -> Floats:
    """The scores (S, K, P, J) of every run, from means over runs (S, P, J) and person means by run (S, P, K).

    What is drawn of a run is the same on all items.
    """
    deviations = means - values.mean(axis=2, keepdims=True)
    return values[:, None] + np.moveaxis(deviations, 2, 1)[..., None]


def _test(design: Design, systems: int, rng: np.random.Generator) -> tuple[Floats, ...]:
    table = design.table
    if design.runs > 1 and design.change is not None:
        values, runs = run_by_run(design, design.change, systems, rng)
    else:
        values, runs = draw_linear(table, design.sds, design.effects, systems, design.runs, rng)
        if design.change is not None:
            values = design.change(values, rng)
    scores = UnitScores(values, of_each_run(values, runs) if runs is not None and table.paired else None)
    sums = replace(sum_up(UnitScores(values), table.cell, table.facets), runs=runs)
    plain = replace(table, facets=make_facets(len(table.items), {}), families=())
    contrasts = build_contrasts(table.axes)
    analysis = analyse(table, contrasts, sums, scores)
    tested = analysis.estimates
    # Our first default refused tables with holes, and is shown on what a fit completes.
    whole = UnitScores(np.where(np.isnan(values), sums.item[:, table.cell], values))
    old = analyse(plain, contrasts, replace(sums, runs=None, crossed=()), whole).estimates
    rough = np.vectorize(bool, otypes=[float])(roughness(analysis, tested))
    return tested.p, old.p, tested.p_names_only, rough


def rate(value: float) -> str:
    """A share without its leading zero."""
    return f"{value:.3f}".removeprefix("0")


def line(name: str, design: Design) -> tuple[str, bool]:
    """A row of the table of sizes, and whether it holds the level where nothing is marked as rough."""
    found = run(design)
    sizes, rough = found.size, float(found.rough.mean())
    cells = [rate(sizes[0]), rate(sizes.max()), rate((found.items_alone < 0.05).mean(axis=0)[0])]
    cells += [rate((found.names_only < 0.05).mean(axis=0)[0]), f"{rough:.0%}"]
    return f"| {name} | {' | '.join(cells)} |", bool(sizes.max() <= MOST or rough == 1)


def power_line(name: str, design: Design) -> str:
    """A row of the table of power: the facets and, where no facet reacts, the test of items alone."""
    found = run(design)
    return f"| {name} | {rate(found.size[0])} | {rate((found.items_alone < 0.05).mean(axis=0)[0])} |"


def se(design: Design) -> float:
    """The standard error of the race effect that the names and the noise alone make."""
    table, own = design.table, design.sds
    per_name = own["persons"] ** 2 + own["residual"] ** 2 / len(table.items)
    return float(np.sqrt((0.25 * per_name / np.bincount(table.cell)).sum()))


def powered(design: Design, errors: float = 2.8) -> Design:
    """The same with a race effect of so many of these standard errors."""
    return replace(design, effects={"race": errors * se(design)})


POWER = {
    "names sd .1": powered(NULLS["names sd .1"]),
    "names sd .03": powered(NULLS["names sd .03"]),
    "names sd .01": powered(NULLS["names sd .01"]),
    "names sd 0": powered(NULLS["names sd 0, 10 names"]),
    "one emotion, names sd .03": powered(NULLS["one emotion, the same gap on all items"]),
    "a race gap, and +.06 in two emotions and −.06 in two": powered(
        NULLS["gap of +.06 in two emotions and −.06 in two"]
    ),
}


def emotion_line(name: str, design: Design) -> tuple[str, bool]:
    """A row of the table of emotions: the largest shares of single rows and of sums, and whether these hold."""
    rng, table = np.random.default_rng(20), design.table
    contrasts, p = build_contrasts(table.axes)[:2], []
    for _ in range(4):
        values, _none = draw_linear(table, design.sds, {}, 500, 1, rng)
        scores = UnitScores(values if design.change is None else design.change(values, rng))
        analysis = analyse(table, contrasts, sum_up(scores, table.cell, table.facets), scores)
        p.append(analysis.against_other_emotions.p.reshape(len(values), len(contrasts), -1))
    by_row = np.concatenate(p)
    rows = float((by_row < 0.05).mean(axis=0).max())
    whole = float((sidak(by_row.min(axis=2), rows_that_count(by_row.shape[2])) < 0.05).mean(axis=0).max())
    return f"| {name} | {rate(rows)} | {rate(whole)} |", whole <= MOST


PAGE = """# How often the default test errs

We simulate systems, and count in how many of them the default test finds a gap. `python -m benchmarks.sizes` writes the
first three tables. Each row comes from 4,000 simulated systems, or from 1,000 if some scores are missing. The column
*design* says how a row differs from our usual design:

- The systems score the corpus of the papers: 11 templates, 40 words for four emotions, and 4 sentences without an
  emotion. An *item* is a template with a word.
- Each combination of race and gender (a *cell*), such as Black women, has 10 names.
- Scores differ between names with a standard deviation (sd) of .03. Noise adds an sd of .05. The scores have no upper
  or lower limit.

*Templates sd .02* means that the gap differs between templates with an sd of .02. Read *words sd*, *items sd* and
*prompts sd* in the same way. *Names × templates sd .06* means that a name gets higher scores in some templates than in
others, with an sd of .06.

## If all groups are treated the same

In these systems the mean gap is 0, so a test at the level .05 should find a gap in at most about 5 % of them. The
columns have the share of systems in which a test finds a gap:

- *First*: the default test, for the first row of a result. This row is about race, or about gender if the design has
  pairs.
- *Worst*: the default test, for the row with the largest share.
- *First, items alone*: our earlier default test. It treated all items as independent.
- *First, names only*: the test with the p-value `p_names_only`. It asks if other names would show the same gap in
  exactly these sentences.

*Rough* is the share of rows that the result marks as rough, because they have too little data. *Families* are groups of
related names with similar scores. The test knows the families from the column `family`, unless the row says otherwise.

| design | first | worst | first, items alone | first, names only | rough |
|---|--:|--:|--:|--:|--:|
{sizes}

{verdict}

## If a gap is the same for all emotions

A result also says if a gap is larger for one emotion than for others. In these systems it is not, so the test at .05
should find such a difference in at most about 5 % of them. *Row* is the share for a row about a single emotion; we show
the row with the largest share. *Any* is the share for the test of all emotions together. Each design has 2,000 systems.

| design | row | any |
|---|--:|--:|
{emotions}

## If race has an effect

Here we add a race gap of 2.8 standard errors, and count the systems in which a test finds this gap. These standard
errors contain names and noise, but no differences between templates or words. With a normal distribution, a test at .05
would find a gap of this size in 80 % of the systems.

| design | the default test | items alone |
|---|--:|--:|
{power}
"""


WHY = """\
In the first of these designs, no column names the families, so the test treats related names as independent. In the
other two, one name in ten has a very different score. A sample of ten names often contains no such name, and then
the names look more similar than they are. If a single name of the sample causes most of the differences, the result
marks the row as rough. If the sample contains no such name, the result cannot show the problem. Use twenty names or
more if some names of a group may have very different scores."""


def main() -> None:
    """Simulate every design and write the page."""
    sizes, held = [], []
    for name, design in NULLS.items():
        own, holds = line(name, design)
        sizes.append(own)
        held.append(holds)
        print(own, flush=True)
    emotions = []
    for name, design in EMOTION_NULLS.items():
        emotions.append(emotion_line(name, design)[0])
        print(emotions[-1], flush=True)
    power = []
    for name, design in POWER.items():
        power.append(power_line(name, design))
        print(power[-1], flush=True)
    above = [name for name, holds in zip(NULLS, held, strict=True) if not holds]
    verdict = f"In none of the {len(NULLS)} designs is *worst* above {MOST}."
    if above:
        verdict = (
            f"In the table, *worst* is above {MOST} in {len(above)} of {len(NULLS)} designs: {'; '.join(above)}. {WHY}"
        )
    page = PAGE.format(emotions="\n".join(emotions), sizes="\n".join(sizes), power="\n".join(power), verdict=verdict)
    # The parts on real systems and on reactions are made by `benchmarks.dealt` and `benchmarks.reactions`.
    kept = TARGET.read_text(encoding="utf-8").partition(TITLE)
    write_over({TARGET: page + "".join(kept[1:])})


if __name__ == "__main__":
    main()
