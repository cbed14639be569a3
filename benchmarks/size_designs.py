"""The systems that `benchmarks.sizes` draws: names and items, what varies how much, and what becomes of scores."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache

import numpy as np

import eec_datasets
from eec_bias.options import Floats, Ints
from eec_bias.stats.facets import Facets, make_facets
from eec_bias.stats.families import Families
from eec_bias.stats.layout import Axis, Table

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
    systems : int
        How many are drawn.
    """

    table: Table
    sds: dict[str, float] = field(default_factory=dict)
    runs: int = 1
    effects: dict[str, float] = field(default_factory=dict)
    change: Draw | None = None
    systems: int = 4000


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
    """Return 1 for each score above 0, else 0, as the rate of a class."""
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
    "one emotion, the same gap on all items": Design(names(TEN, crossed(7, 5)), sds(0.03)),
    "four templates, sd .02": Design(names(TEN, crossed(4, 8, 4)), sds(0.03, 0.02)),
    "40 items with their own templates and words, templates sd .02, words and items sd .05": Design(
        names(TEN, lattice()), sds(0.03, 0.02, 0.05, 0.05)
    ),
    "40 items with their own templates and words, 100 names, items sd .05": Design(
        names([100] * 4, lattice()), sds(0.02, 0, 0, 0.05)
    ),
    "gap of +.06 in two emotions and −.06 in two": Design(USUAL, sds(0.03), change=opposed(USUAL)),
    "gap of +.06 in two emotions and −.06 in two, templates sd .02": Design(
        USUAL, sds(0.03, 0.02), change=opposed(USUAL)
    ),
    "800 texts, 5 names": Design(names([5] * 4, alone(800)), sds(0.03, 0, 0, 0.05)),
    "3 items": Design(names(TEN, alone(3)), sds(0.03, 0, 0, 0.05)),
    "8 texts, sd .05": Design(names(TEN, alone(8)), sds(0.03, 0, 0, 0.05)),
    "2 names, templates sd .02": Design(names([2] * 4, PAPER), sds(0.03, 0.02)),
    "3 names, templates sd .02": Design(names([3] * 4, PAPER), sds(0.03, 0.02)),
    "5 names, templates sd .02": Design(names([5] * 4, PAPER), sds(0.03, 0.02)),
    "15, 5, 5 and 15 names, templates sd .02": Design(names([15, 5, 5, 15], PAPER), sds(0.03, 0.02)),
    "names with some extreme scores (t₃)": Design(USUAL, sds(0.01, 0.02), change=heavy),
    "three races, templates sd .02": Design(names([10] * 6, PAPER, 3), sds(0.03, 0.02)),
    "three races of 15, 10 and 5 names, words sd .05": Design(
        names([15, 15, 10, 10, 5, 5], PAPER, 3), sds(0.03, 0, 0.05)
    ),
    "10 pairs, templates sd .02": Design(pairs(10, PAPER), sds(0.03, 0.02)),
    "10 pairs, the same gap on all items": Design(pairs(10, PAPER), sds(0.03)),
    "10 pairs, words sd .05": Design(pairs(10, PAPER), sds(0.03, 0, 0.05)),
    "rate of a class, templates sd .02": Design(USUAL, sds(0.03, 0.02), change=classes),
    "ratings from 1 to 5, templates sd .02": Design(USUAL, sds(0.03, 0.02), change=ratings),
    "4 prompts sd .02": Design(USUAL, sds(0.03, run=0.02), runs=4),
    "8 prompts sd .02": Design(USUAL, sds(0.03, run=0.02), runs=8),
    "8 prompts sd .02, templates sd .02": Design(USUAL, sds(0.03, 0.02, run=0.02), runs=8),
    "8 prompts sd .02, and prompts × items sd .05": Design(
        USUAL, sds(0.03, run=0.02), runs=8, change=per_run_items(USUAL)
    ),
    "ratings from 1 to 5 by 8 prompts sd .02": Design(USUAL, sds(0.03, run=0.02), runs=8, change=ratings),
    "8 prompts sd .02, 16 names, 12 items with their own templates and words, items sd .02": Design(
        names([16] * 4, lattice(12)), sds(0.03, 0, 0, 0.02, run=0.02), runs=8
    ),
    "three races, 6 prompts sd .02": Design(names([10] * 6, PAPER, 3), sds(0.03, run=0.02), runs=6),
    "10 pairs, 8 prompts sd .02": Design(pairs(10, PAPER), sds(0.03, run=0.02), runs=8),
}


def in_families(table: Table, codes: Ints) -> Table:
    """The same names in families."""
    return replace(table, families=(Families("family", codes),))


def apart(table: Table, size: int) -> Ints:
    """Families of so many names, each within one cell."""
    return np.arange(len(table.cell)) // size


def crossing(table: Table, size: int) -> Ints:
    """Families of so many names of each cell, with members in every cell."""
    own = np.arange(len(table.cell)) - np.searchsorted(table.cell, table.cell)
    return own // size


def alike(codes: Ints, sd: float, cell: Ints | None = None) -> Draw:
    """Names of a family share a reaction; one of its own in each cell where these are given."""
    shared = codes if cell is None else codes * (int(cell.max()) + 1) + cell
    which = np.unique(shared, return_inverse=True)[1]

    def change(scores: Floats, rng: np.random.Generator) -> Floats:
        return scores + sd * rng.standard_normal((len(scores), int(which.max()) + 1, 1))[:, which]

    return change


def by_facet(facet: Ints, sd: float) -> Draw:
    """Every name reacts to the templates, or words, in its own way."""

    def change(scores: Floats, rng: np.random.Generator) -> Floats:
        reactions = rng.standard_normal((*scores.shape[:2], int(facet.max()) + 1))
        return scores + sd * reactions[:, :, facet]

    return change


def one_skewed(table: Table, others: float = 0.03) -> Draw:
    """The names of one race vary by .03 as an exponential variable does, those of the other as a normal one."""
    first = np.isin(table.cell, [0, 1])

    def change(scores: Floats, rng: np.random.Generator) -> Floats:
        skewed = rng.exponential(0.03, (*scores.shape[:2], 1)) - 0.03
        normal = others * rng.standard_normal((*scores.shape[:2], 1))
        return scores + np.where(first[:, None], skewed, normal)

    return change


def contaminated(table: Table, above: float = 0.09) -> Draw:
    """One name in ten of the first race lies so far above the others of it, which make up for it."""
    first = np.isin(table.cell, [0, 1])

    def change(scores: Floats, rng: np.random.Generator) -> Floats:
        odd = rng.random((*scores.shape[:2], 1)) < 0.1
        return scores + first[:, None] * above * (odd - 0.1)

    return change


def missing(share: float, who: Ints | None = None) -> Draw:
    """Scores are missing at random, of all names or of some."""

    def change(scores: Floats, rng: np.random.Generator) -> Floats:
        lacking = rng.random(scores.shape) < share
        if who is not None:
            lacking &= who[:, None] > 0
        return np.where(lacking, np.nan, scores)

    return change


def after(*changes: Draw) -> Draw:
    """One change after the other."""

    def change(scores: Floats, rng: np.random.Generator) -> Floats:
        for each in changes:
            scores = each(scores, rng)
        return scores

    return change


HUNDRED = names([100] * 4, PAPER)
TWENTY = names([20] * 4, PAPER)
TEMPLATE, WORD = PAPER.template, PAPER.word
assert TEMPLATE is not None
assert WORD is not None
FIVE_APART, FIVE_CROSSING = apart(USUAL, 2), crossing(USUAL, 2)
SEVENTEEN_APART, SEVENTEEN_CROSSING = apart(HUNDRED, 6), crossing(HUNDRED, 6)

NULLS |= {
    "names × templates sd .03": Design(USUAL, sds(0.03), change=by_facet(TEMPLATE, 0.03)),
    "names × templates sd .06, names sd .01": Design(USUAL, sds(0.01), change=by_facet(TEMPLATE, 0.06)),
    "names × words sd .06, names sd .01": Design(USUAL, sds(0.01), change=by_facet(WORD, 0.06)),
    "names × templates sd .06, templates sd .02": Design(USUAL, sds(0.01, 0.02), change=by_facet(TEMPLATE, 0.06)),
    "5 families sd .03 within cells": Design(in_families(USUAL, FIVE_APART), sds(0.03), change=alike(FIVE_APART, 0.03)),
    "5 families sd .06 within cells": Design(in_families(USUAL, FIVE_APART), sds(0.03), change=alike(FIVE_APART, 0.06)),
    "5 families sd .03 across cells, other scores in each cell": Design(
        in_families(USUAL, FIVE_CROSSING), sds(0.03), change=alike(FIVE_CROSSING, 0.03, USUAL.cell)
    ),
    "5 families sd .06 across cells, the same score in all cells": Design(
        in_families(USUAL, FIVE_CROSSING), sds(0.03), change=alike(FIVE_CROSSING, 0.06)
    ),
    "5 families with unrelated scores": Design(in_families(USUAL, FIVE_APART), sds(0.03)),
    "5 families sd .06, without a column that names them": Design(USUAL, sds(0.03), change=alike(FIVE_APART, 0.06)),
    "100 names, 17 families sd .03 within cells": Design(
        in_families(HUNDRED, SEVENTEEN_APART), sds(0.03), change=alike(SEVENTEEN_APART, 0.03)
    ),
    "100 names, 17 families sd .03 across cells": Design(
        in_families(HUNDRED, SEVENTEEN_CROSSING), sds(0.03), change=alike(SEVENTEEN_CROSSING, 0.03, HUNDRED.cell)
    ),
    "100 names, 17 families with unrelated scores": Design(in_families(HUNDRED, SEVENTEEN_APART), sds(0.03)),
    "scores of one race skewed": Design(USUAL, sds(0), change=one_skewed(USUAL)),
    "scores of one race skewed, 20 names": Design(TWENTY, sds(0), change=one_skewed(TWENTY)),
    "scores of one race skewed, names of the other sd .01": Design(
        USUAL, sds(0), change=one_skewed(USUAL, others=0.01)
    ),
    "one name in ten of a race 3 sd higher": Design(USUAL, sds(0.03), change=contaminated(USUAL)),
    "one name in ten of a race 3 sd higher, 20 names": Design(TWENTY, sds(0.03), change=contaminated(TWENTY)),
    "one name in ten of a race 10 sd higher": Design(USUAL, sds(0.03), change=contaminated(USUAL, 0.3)),
    "one name in ten of a race 10 sd higher, 20 names": Design(TWENTY, sds(0.03), change=contaminated(TWENTY, 0.3)),
    "one name in ten of a race 10 sd higher, 100 names": Design(HUNDRED, sds(0.03), change=contaminated(HUNDRED, 0.3)),
    "1 % of the scores missing, templates sd .02": Design(USUAL, sds(0.03, 0.02), change=missing(0.01), systems=1000),
    "10 % missing, templates sd .02, words sd .05": Design(
        USUAL, sds(0.03, 0.02, 0.05), change=missing(0.1), systems=1000
    ),
    "30 % missing, templates sd .02, words sd .05": Design(
        USUAL, sds(0.03, 0.02, 0.05), change=missing(0.3), systems=1000
    ),
    "10 % missing in one group": Design(
        USUAL, sds(0.03, 0.02), change=missing(0.1, (USUAL.cell == 0).astype(np.intp)), systems=1000
    ),
    "10 % missing, names × templates sd .06": Design(
        USUAL, sds(0.01), change=after(by_facet(TEMPLATE, 0.06), missing(0.1)), systems=1000
    ),
}

EMOTION = PAPER.emotion + 1

EMOTION_NULLS: dict[str, Design] = {
    "names sd .03": Design(USUAL, sds(0.03)),
    "names × emotions sd .02": Design(USUAL, sds(0.03), change=by_facet(EMOTION, 0.02)),
    "templates sd .02, words sd .05": Design(USUAL, sds(0.03, 0.02, 0.05)),
    "names × emotions sd .02, templates sd .02, words sd .05": Design(
        USUAL, sds(0.03, 0.02, 0.05), change=by_facet(EMOTION, 0.02)
    ),
    "names × templates sd .06": Design(USUAL, sds(0.03), change=by_facet(TEMPLATE, 0.06)),
    "40 items with their own templates and words, words sd .05": Design(names(TEN, lattice()), sds(0.03, 0, 0.05)),
}
"""Systems whose differences are the same for all emotions."""
