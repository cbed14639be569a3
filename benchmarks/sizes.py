"""Write docs/sizes.md, how often the default test errs and what it finds: ``python -m benchmarks.sizes``.

Every design draws systems that treat no group differently (or, for power, by a stated amount) on the scale of the
scores, and counts how many the test rejects at .05. The test of items alone, our own first default, stands beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

import numpy as np

import eec_datasets
from eec_bias.assembly.rows import FEW, FEW_DF, FEW_ITEMS, few_facets
from eec_bias.options import Floats
from eec_bias.stats.analysis import analyse
from eec_bias.stats.contrasts import build_contrasts
from eec_bias.stats.facets import Facets, make_facets
from eec_bias.stats.layout import Axis, Table
from eec_bias.stats.simulation import draw_linear
from eec_bias.stats.sums import summarise
from eec_datasets.files import write_over

SYSTEMS = 4000
TARGET = Path(__file__).parent.parent / "docs" / "sizes.md"
AT_ONCE = 4_000_000
MOST = 0.07
Draw = Callable[[Floats, np.random.Generator], Floats]


@cache
def paper() -> Facets:
    """144 items: 11 templates, 40 words in four emotions, 4 neutral sentences."""
    data = eec_datasets.load("en-black-white").to_pandas().drop_duplicates("item").sort_values("item")
    return make_facets(len(data), {name: data[name].tolist() for name in ("template", "word", "emotion")})


def crossed(templates: int, words: int, emotions: int = 1) -> Facets:
    """Every template with every word, words shared out among emotions."""
    template, word = np.divmod(np.arange(templates * words), words)
    emotion = word % emotions
    labels = {"template": template, "word": word, "emotion": emotion}
    return make_facets(len(word), {name: [str(x) for x in codes] for name, codes in labels.items()})


def lattice(items: int = 40) -> Facets:
    """Every item with a template and a word of its own, in four emotions."""
    own = [str(j) for j in range(items)]
    return make_facets(items, {"template": own, "word": own, "emotion": [str(j % 4) for j in range(items)]})


def alone(items: int) -> Facets:
    """Items that share nothing, such as users' texts."""
    return make_facets(items, {})


def names(sizes: Sequence[int], facets: Facets, races: int = 2) -> Table:
    """A table of names: so many per race × gender cell."""
    axes = (
        Axis("race", tuple("abc"[:races]), "a" if races == 2 else None),
        Axis("gender", ("female", "male"), "male"),
    )
    cell = np.repeat(np.arange(2 * races), sizes)
    return _table("names", axes, cell, (), np.full(len(cell), -1), facets)


def pairs(bases: int, facets: Facets) -> Table:
    """A table of noun phrases, a female and a male one per base."""
    cell, base = np.repeat([0, 1], bases), np.tile(np.arange(bases), 2)
    named = tuple(f"b{k}" for k in range(bases))
    return _table("pairs", (Axis("gender", ("female", "male"), "male"),), cell, named, base, facets)


def _table(
    subset: str, axes: tuple[Axis, ...], cell: np.ndarray, bases: tuple[str, ...], base: np.ndarray, facets: Facets
) -> Table:
    items = len(facets.items.code)
    persons, texts = tuple(f"p{k}" for k in range(len(cell))), tuple(f"i{j}" for j in range(items))
    rows = np.broadcast_to(np.intp(-1), (len(cell), items))
    return Table(subset, axes, persons, cell, texts, rows, bases, base, facets)


@dataclass(frozen=True)
class Design:
    """Systems to be drawn.

    Attributes
    ----------
    table : Table
        Persons and items.
    sds : dict of str to float
        Standard deviations by source, residual .05 unless stated.
    runs : int
        Prompts or seeds.
    effects : dict of str to float
        True effects; none for a null.
    change : function, optional
        What is made of scores (S, P, J) that were drawn, in every run.
    """

    table: Table
    sds: dict[str, float] = field(default_factory=dict)
    runs: int = 1
    effects: dict[str, float] = field(default_factory=dict)
    change: Draw | None = None


def sds(
    names: float = 0.03, template: float = 0.0, word: float = 0.0, item: float = 0.0, run: float = 0.0
) -> dict[str, float]:
    """Standard deviations of names, of what groups do on templates, words, items and in runs, and of noise."""
    return {
        "persons": names,
        "groups × templates": template,
        "groups × words": word,
        "groups × items": item,
        "groups × runs": run,
        "residual": 0.05,
    }


def classes(scores: Floats, _: np.random.Generator) -> Floats:
    """Whether a score lies above 0, as the rate of a class."""
    return (scores > 0).astype(float)


def ratings(scores: Floats, _: np.random.Generator) -> Floats:
    """Whole numbers from 1 to 5, most of them low."""
    return np.clip(np.floor(np.exp(12 * scores)), 1, 5)


def heavy(scores: Floats, rng: np.random.Generator) -> Floats:
    """Names with the tails of Student's t with 3 degrees of freedom."""
    return scores + 0.03 * rng.standard_t(3, (*scores.shape[:2], 1))


def opposed(table: Table) -> Draw:
    """The first race is favoured by .06 on two emotions and harmed by .06 on two."""
    strata = table.facets.items.stratum
    emotions = [k for k in np.unique(strata) if (strata == k).sum() > 4]
    sign = np.select([np.isin(strata, emotions[:2]), np.isin(strata, emotions[2:])], [1.0, -1.0], 0.0)
    first = np.isin(table.cell, [0, 1])
    return lambda scores, _: scores + 0.06 * first[:, None] * sign


def per_run_items(table: Table) -> Draw:
    """Groups react to items differently in every run: more than the formula has."""

    def change(scores: Floats, rng: np.random.Generator) -> Floats:
        own = rng.standard_normal((len(scores), len(table.cells), len(table.items))) * 0.05
        return scores + own[:, table.cell]

    return change


TEN, FIFTY, PAPER = [10] * 4, [50] * 4, paper()
USUAL = names(TEN, PAPER)

NULLS: dict[str, Design] = {
    "names sd 0, 10 names": Design(USUAL, sds(0)),
    "names sd .01": Design(USUAL, sds(0.01)),
    "names sd .03": Design(USUAL, sds(0.03)),
    "names sd .1": Design(USUAL, sds(0.1)),
    "templates sd .02": Design(USUAL, sds(0.03, 0.02)),
    "templates sd .02, names sd .01": Design(USUAL, sds(0.01, 0.02)),
    "templates sd .05": Design(USUAL, sds(0.03, 0.05)),
    "templates sd .02, 50 names": Design(names(FIFTY, PAPER), sds(0.03, 0.02)),
    "templates sd .02, names sd .01, 50 names": Design(names(FIFTY, PAPER), sds(0.01, 0.02)),
    "words sd .05": Design(USUAL, sds(0.03, 0, 0.05)),
    "words sd .1": Design(USUAL, sds(0.03, 0, 0.1)),
    "words sd .05, 50 names": Design(names(FIFTY, PAPER), sds(0.03, 0, 0.05)),
    "templates sd .02, words sd .05": Design(USUAL, sds(0.03, 0.02, 0.05)),
    "templates sd .02, words sd .05, 50 names": Design(names(FIFTY, PAPER), sds(0.03, 0.02, 0.05)),
    "items sd .05": Design(USUAL, sds(0.03, 0, 0, 0.05)),
    "one emotion, templates sd .05, words sd .02": Design(names(TEN, crossed(7, 5)), sds(0.01, 0.05, 0.02)),
    "one emotion, no reaction": Design(names(TEN, crossed(7, 5)), sds(0.03)),
    "four templates, sd .02": Design(names(TEN, crossed(4, 8, 4)), sds(0.03, 0.02)),
    "lattice of 40, templates sd .02, words sd .05": Design(names(TEN, lattice()), sds(0.03, 0.02, 0.05, 0.05)),
    "lattice of 40, 100 names, items sd .05": Design(names([100] * 4, lattice()), sds(0.02, 0, 0, 0.05)),
    "emotions react by ±.06": Design(USUAL, sds(0.03), change=opposed(USUAL)),
    "emotions react by ±.06, templates sd .02": Design(USUAL, sds(0.03, 0.02), change=opposed(USUAL)),
    "800 texts, 5 names": Design(names([5] * 4, alone(800)), sds(0.03, 0, 0, 0.05)),
    "3 items": Design(names(TEN, alone(3)), sds(0.03, 0, 0, 0.05)),
    "8 texts, sd .05": Design(names(TEN, alone(8)), sds(0.03, 0, 0, 0.05)),
    "2 names": Design(names([2] * 4, PAPER), sds(0.03, 0.02)),
    "3 names": Design(names([3] * 4, PAPER), sds(0.03, 0.02)),
    "5 names, templates sd .02": Design(names([5] * 4, PAPER), sds(0.03, 0.02)),
    "15, 5, 5 and 15 names": Design(names([15, 5, 5, 15], PAPER), sds(0.03, 0.02)),
    "heavy tails of names": Design(USUAL, sds(0.01, 0.02), change=heavy),
    "three races, templates sd .02": Design(names([10] * 6, PAPER, 3), sds(0.03, 0.02)),
    "three races of 15, 10 and 5 names, words sd .05": Design(
        names([15, 15, 10, 10, 5, 5], PAPER, 3), sds(0.03, 0, 0.05)
    ),
    "10 pairs, templates sd .02": Design(pairs(10, PAPER), sds(0.03, 0.02)),
    "10 pairs, no reaction": Design(pairs(10, PAPER), sds(0.03)),
    "10 pairs, words sd .05": Design(pairs(10, PAPER), sds(0.03, 0, 0.05)),
    "rate of a class, templates sd .02": Design(USUAL, sds(0.03, 0.02), change=classes),
    "ratings from 1 to 5, templates sd .02": Design(USUAL, sds(0.03, 0.02), change=ratings),
    "4 prompts, sd .02": Design(USUAL, sds(0.03, run=0.02), runs=4),
    "8 prompts, sd .02": Design(USUAL, sds(0.03, run=0.02), runs=8),
    "8 prompts, sd .02, templates sd .02": Design(USUAL, sds(0.03, 0.02, run=0.02), runs=8),
    "8 prompts × items sd .05 beside sd .02": Design(USUAL, sds(0.03, run=0.02), runs=8, change=per_run_items(USUAL)),
    "ratings from 1 to 5 by 8 prompts, sd .02": Design(USUAL, sds(0.03, run=0.02), runs=8, change=ratings),
    "8 prompts, sd .02, 16 names, lattice of 12, items sd .02": Design(
        names([16] * 4, lattice(12)), sds(0.03, 0, 0, 0.02, run=0.02), runs=8
    ),
    "three races, 6 prompts, sd .02": Design(names([10] * 6, PAPER, 3), sds(0.03, run=0.02), runs=6),
    "10 pairs, 8 prompts, sd .02": Design(pairs(10, PAPER), sds(0.03, run=0.02), runs=8),
}


@dataclass(frozen=True)
class Found:
    """What a test did on every system and contrast: (S, R) arrays."""

    p: Floats
    items_alone: Floats
    names_only: Floats
    rough: Floats

    @property
    def size(self) -> Floats:
        """Share of nulls rejected, by contrast."""
        return np.asarray((self.p < 0.05).mean(axis=0))


def run(design: Design, systems: int = SYSTEMS, seed: int = 20) -> Found:
    """Draw systems and test them."""
    rng = np.random.default_rng(seed)
    table = design.table
    step = max(50, AT_ONCE // (len(table.cell) * len(table.items)))
    parts = [_test(design, min(step, systems - start), rng) for start in range(0, systems, step)]
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


def _test(design: Design, systems: int, rng: np.random.Generator) -> tuple[Floats, ...]:
    table = design.table
    if design.runs > 1 and design.change is not None:
        values, runs = run_by_run(design, design.change, systems, rng)
    else:
        values, runs = draw_linear(table, design.sds, design.effects, systems, design.runs, rng)
        if design.change is not None:
            values = design.change(values, rng)
    sums = replace(summarise(values, table.cell), runs=runs)
    plain = replace(table, facets=make_facets(len(table.items), {}))
    contrasts = build_contrasts(table.axes)
    tested = analyse(table, contrasts, sums, values).estimates
    old = analyse(plain, contrasts, replace(sums, runs=None), values).estimates
    persons = len(table.bases) if table.paired else min(np.bincount(table.cell))
    few = persons < FEW or 1 < len(table.items) < FEW_ITEMS or bool(few_facets(table.facets))
    return tested.p, old.p, tested.p_names_only, ((tested.df < FEW_DF) | few).astype(float)


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
    "one emotion, names sd .03": powered(NULLS["one emotion, no reaction"]),
    "emotions react by ±.06 beside the effect": powered(NULLS["emotions react by ±.06"]),
}

PAGE = """# How often the default test errs

This page is written by `python -m benchmarks.sizes`. Every row has {systems:,} simulated systems. Scores are drawn on
their own scale. Unless the row says otherwise, there are 10 names per race × gender cell with an sd of .03, the corpus
of the papers (11 templates, 40 words in four emotions, 4 neutral sentences) and noise of sd .05. "Templates sd .02"
means that the system reacts differently to the groups in different templates, with this sd; words, items and prompts
likewise.

## Where no group is treated differently

A test that holds its level finds a difference in about 5 % of these systems. *First* is the first row of a result
(race; for pairs, gender), and *worst* is the row with the largest share. *Items alone* is our first default test, which
took the items of a corpus to be independent. *Names only* is the column `p_names_only`, a statement about these
sentences. *Rough* is the share of rows that the result itself marks as rough.

| design | first | worst | first, items alone | first, names only | rough |
|---|--:|--:|--:|--:|--:|
{sizes}

{verdict}

## Where race has an effect

The effect is 2.8 standard errors of a test that allows for names and noise only. With many names such a test would find
it in 80 % of systems.

| design | the default test | items alone |
|---|--:|--:|
{power}
"""


def main() -> None:
    """Simulate every design and write the page."""
    sizes, held = [], []
    for name, design in NULLS.items():
        own, holds = line(name, design)
        sizes.append(own)
        held.append(holds)
        print(own, flush=True)
    power = []
    for name, design in POWER.items():
        power.append(power_line(name, design))
        print(power[-1], flush=True)
    above = [name for name, holds in zip(NULLS, held, strict=True) if not holds]
    verdict = f"{len(NULLS)} designs; none is above {MOST}."
    if above:
        verdict = f"{len(NULLS)} designs; above {MOST}: {', '.join(above)}."
    page = PAGE.format(systems=SYSTEMS, sizes="\n".join(sizes), power="\n".join(power), verdict=verdict)
    write_over({TARGET: page})


if __name__ == "__main__":
    main()
