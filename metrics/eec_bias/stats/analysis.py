"""The one way into the numbers: from a table and its sums to everything the result says about it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from eec_bias.options import Bools, Floats, Ints
from eec_bias.stats.beta import BetaColumns, fit_table
from eec_bias.stats.bootstrap import Intervals
from eec_bias.stats.contrasts import Contrast, build_contrasts
from eec_bias.stats.default_test import ZERO, Estimates, persons_alike, span_of
from eec_bias.stats.effect_sizes import hedges_g
from eec_bias.stats.facets import Facets
from eec_bias.stats.inference import NONE, Inference
from eec_bias.stats.layout import Table
from eec_bias.stats.names import Names
from eec_bias.stats.omnibus import Group, any_p
from eec_bias.stats.paired import Pairs, Units, pair_up
from eec_bias.stats.sums import Sums
from eec_bias.stats.variance_components import Components, components


@dataclass(frozen=True, slots=True)
class Omnibus:
    """Tests of the largest |t| of G groups of rows; arrays are (S, G).

    Attributes
    ----------
    groups : tuple of Group
        The groups.
    t, row : arrays
        Largest |t| of the group, and the row it belongs to.
    p, permutation : arrays
        From the rows' correlation, and from relabellings.
    """

    groups: tuple[Group, ...]
    t: Floats
    row: Ints
    p: Floats
    permutation: Floats


@dataclass(frozen=True, slots=True)
class Tested:
    """Contrasts that were tested, of one table or between two; arrays of `estimates` are (S, R).

    Attributes
    ----------
    subset : str
        The table's; of two cues both, ``names-mentions``.
    contrasts : tuple of Contrast
        The R rows.
    estimates : Estimates
        The default test.
    least_persons : tuple of int
        Per contrast the persons of the smallest cell, or the bases.
    sizes : tuple of (int, int)
        Per contrast the number of units of inference (persons, bases) and of sentences.
    items : int
        Items that all met.
    facets : Facets
        Of these.
    runs : (S,) array
        Runs of each system.
    """

    subset: str
    contrasts: tuple[Contrast, ...]
    estimates: Estimates
    least_persons: tuple[int, ...]
    sizes: tuple[tuple[int, int], ...]
    items: int
    facets: Facets
    runs: Floats


@dataclass(frozen=True, slots=True)
class Analysis(Tested):
    """Everything the result says about one table; arrays are (S, R).

    Attributes
    ----------
    table : Table
        The table analysed.
    sums : Sums
        Over the table's cells that have persons.
    g, superior, permutation : (S, R) arrays
        Hedges' g, probability of superiority, permutation p (on pairs: the exact sign-flip).
    beta : BetaColumns
        The beta regression.
    affected : (S, R, J) bool array
        Items on which a contrast is not 0.
    persons_alike : (S,) bool array
        Systems that give all persons of each cell the same mean score.
    equal_scores : (S, R) bool array
        Contrasts that compare equal scores: on every item all persons compared get the same.
    omnibus : Omnibus
        Tests of terms with several levels.
    components : Components
        Variance within groups.
    adjusted : (S, R) array or None
        p-values adjusted by relabellings, where asked for.
    bootstrap : dict of str to Intervals
        By estimate (``effect``, ``beta``), where asked for.
    remarks : tuple of str
        Per contrast what its permutation p lacks.
    notes : tuple of str
        What could not be compared.
    units : tuple of Units
        On pairs, each contrast within its bases.
    """

    table: Table
    sums: Sums
    g: Floats
    superior: Floats
    permutation: Floats
    beta: BetaColumns
    affected: Bools
    persons_alike: Bools
    equal_scores: Bools
    omnibus: Omnibus
    components: Components
    adjusted: Floats | None
    bootstrap: dict[str, Intervals]
    remarks: tuple[str, ...]
    notes: tuple[str, ...]
    units: tuple[Units, ...]


def analyse(
    table: Table,
    sums: Sums,
    *,
    score_range: tuple[float, float] = (0.0, 1.0),
    values: Floats | None = None,
    simple: bool = False,
    inference: Inference = NONE,
) -> Analysis:
    """Run the default test and its companions on one table.

    Parameters
    ----------
    table : Table
        Which persons and items, in which cells and bases.
    sums : Sums
        Of all systems, over the table's cells that have persons, with logarithms.
    score_range : (float, float)
        Lowest and highest possible score.
    values : (S, P, J) array, optional
        The scores themselves, which contrasts within bases need; a table of names does without.
    simple : bool
        Whether simple effects are added.
    inference : Inference
        What is computed beside the default test.
    """
    contrasts = build_contrasts(table.axes, simple=simple, pairwise=inference.pairwise)
    scale = span_of(score_range)
    test = choose_test(table, contrasts, sums, values, scale, inference)
    estimates = test.test()
    groups = test.groups()
    permutation, permuted, remarks = test.permute(estimates, groups)
    beta = fit_table(sums, table, test.contrasts, score_range)
    return Analysis(
        subset=table.subset,
        contrasts=test.contrasts,
        estimates=estimates,
        least_persons=test.least_persons(),
        sizes=test.sizes(),
        items=sums.items,
        facets=table.facets,
        runs=sums.run_counts,
        table=table,
        sums=sums,
        g=hedges_g(estimates.effect, sums, scale),
        superior=test.superiority(),
        permutation=permutation,
        beta=beta,
        affected=np.abs(estimates.by_item) > ZERO * scale,
        persons_alike=persons_alike(sums, scale),
        equal_scores=test.equal_scores(estimates),
        omnibus=_omnibus(test, groups, estimates, permuted),
        components=components(sums, table.facets, scale),
        adjusted=test.adjust(estimates),
        bootstrap=test.resample(beta) if inference.bootstrap and test.contrasts else {},
        remarks=remarks,
        notes=test.notes,
        units=test.units,
    )


def choose_test(
    table: Table, contrasts: Sequence[Contrast], sums: Sums, values: Floats | None, scale: float, inference: Inference
) -> Names | Pairs:
    """Contrasts of independent cells, or within bases, which need the scores."""
    if not table.paired:
        return Names(table, tuple(contrasts), sums, scale, inference)
    assert values is not None, "contrasts within bases need the scores"
    return pair_up(table, contrasts, values, sums, scale, inference)


def _omnibus(test: Names | Pairs, groups: list[Group], estimates: Estimates, permuted: Floats) -> Omnibus:
    """Test the largest |t| of each group of rows."""
    t, p = np.full(permuted.shape, np.nan), np.full(permuted.shape, np.nan)
    largest: Ints = np.zeros(permuted.shape, dtype=np.intp)
    for g, group in enumerate(groups):
        rows = list(group.rows)
        size = np.abs(np.where(estimates.p[:, rows] >= 1, 0.0, estimates.t[:, rows]))
        complete = ~np.isnan(size).any(axis=1)
        largest[:, g] = np.array(rows)[np.where(complete, size.argmax(axis=1), 0)]
        t[complete, g] = size[complete].max(axis=1)
        p[:, g] = any_p(estimates.p[:, rows], test.correlation(estimates, rows))
    return Omnibus(tuple(groups), t, largest, p, permuted)
