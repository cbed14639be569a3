"""Names: contrasts of independent cells of persons."""

from collections.abc import Sequence

import numpy as np

from eec_bias.inputs.table import Table
from eec_bias.options import Floats, Ints
from eec_bias.stats.analysis import Analysis, Omnibus
from eec_bias.stats.bootstrap import Intervals, bootstrap_beta, bootstrap_cells
from eec_bias.stats.contrasts import Contrast
from eec_bias.stats.effect_sizes import hedges_g, superiority
from eec_bias.stats.equivalence import equivalence
from eec_bias.stats.exact_permutation import exact_p
from eec_bias.stats.fitting import BetaColumns, coding_lines, person_sums
from eec_bias.stats.inference import Inference
from eec_bias.stats.omnibus import Group, any_p, correlate, find_groups
from eec_bias.stats.permutation import joint_min_p, observed_t, permute, strata_of
from eec_bias.stats.resampling import resamples
from eec_bias.stats.two_way import Means, Tested, blind, moved_items, two_way
from eec_bias.stats.variance_components import components


def analyse_names(
    table: Table,
    contrasts: list[Contrast],
    values: Floats,
    unit: Floats,
    means: Means,
    beta: BetaColumns,
    scale: float,
    edge: str,
    inference: Inference,
) -> Analysis:
    """Test contrasts of cells whose persons are different.

    Parameters
    ----------
    table : Table
        Of names; no cell is empty.
    contrasts : list of Contrast
        The R rows.
    values, unit : (S, P, J) arrays
        Scores in their own units, and in [0, 1].
    means : Means
        Of ``values``.
    beta : BetaColumns
        The beta regression.
    scale : float
        Width of the score range.
    edge : str
        Edge treatment of the beta regression.
    inference : Inference
        What is computed beside the default test.
    """
    weights = np.array([c.weights for c in contrasts])
    tested = two_way(means, weights, scale)
    moved = moved_items(means, weights, scale)
    superior = np.full(tested.effect.shape, np.nan)
    sizes = []
    for r, contrast in enumerate(contrasts):
        of_person = contrast.weights[table.cell]
        persons = int((of_person != 0).sum())
        sizes.append((persons, persons * values.shape[2]))
        if len(contrast.axes) == 1:
            superior[:, r] = superiority(means.person[:, of_person > 0], means.person[:, of_person < 0], scale)
    groups = find_groups(contrasts, pairwise=inference.contrasts == "pairwise")
    permutation, permuted_any, remarks = _permutation(table, contrasts, groups, means, tested, scale, inference)
    return Analysis(
        table,
        contrasts,
        means,
        tested,
        hedges_g(tested.effect, means, scale),
        superior,
        permutation,
        sizes,
        beta,
        [moved[:, r] for r in range(len(contrasts))],
        blind(means, scale),
        _omnibus(groups, means, weights, tested, permuted_any),
        components(means),
        _adjusted(table, means, weights, tested, scale, inference),
        None if inference.margin is None else equivalence(tested, inference.margin),
        _bootstrap(table, contrasts, unit, means, beta, edge, inference),
        remarks,
    )


def _permutation(
    table: Table,
    contrasts: list[Contrast],
    groups: list[Group],
    means: Means,
    tested: Tested,
    scale: float,
    inference: Inference,
) -> tuple[Floats, Floats, tuple[str, ...]]:
    """Permutation p of rows and groups, and what rows lack."""
    none = np.full(tested.effect.shape, np.nan)
    no_group = np.full((len(none), len(groups)), np.nan)
    shape = tuple(len(axis.levels) for axis in table.axes)
    names = [axis.name for axis in table.axes]
    chosen = [tuple(names.index(axis) for axis in contrast.axes) for contrast in contrasts]
    if inference.draws:
        found = permute(
            means, table.cell, shape, list(zip(chosen, contrasts, strict=True)), [group.rows for group in groups],
            tested, inference.draws, inference.seed, scale,
        )  # fmt: skip
        return *found, ()
    if inference.permutations != "exact":
        return none, no_group, ()
    known = ~np.isnan(observed_t(tested, scale))
    remarks = []
    for r, (axes, contrast) in enumerate(zip(chosen, contrasts, strict=True)):
        one = exact_p(means.person, table.cell, contrast, strata_of(table.cell, shape, axes), scale)
        none[:, r] = np.where(known[:, r], one.p, np.nan)
        remarks.append(f"no p_permutation: {one.reason}" if one.reason else "")
    return none, no_group, tuple(remarks)


def _omnibus(groups: list[Group], means: Means, weights: Floats, tested: Tested, permuted: Floats) -> Omnibus:
    p = [any_p(tested.p[:, list(g.rows)], correlate(means, weights[list(g.rows)])) for g in groups]
    return summarise_groups(groups, tested, p, permuted)


def summarise_groups(groups: Sequence[Group], tested: Tested, p: Sequence[Floats], permuted: Floats) -> Omnibus:
    """Collect the tests of groups of rows.

    Parameters
    ----------
    groups : sequence of Group
        G of them.
    tested : Tested
        The rows' tests.
    p : sequence of G (S,) arrays
        Their p.
    permuted : (S, G) array
        Their permutation p.
    """
    t = np.full(permuted.shape, np.nan)
    at: Ints = np.zeros(permuted.shape, dtype=np.intp)
    for g, group in enumerate(groups):
        size = np.abs(np.where(tested.p[:, list(group.rows)] >= 1, 0.0, tested.t[:, list(group.rows)]))
        known = ~np.isnan(size).any(axis=1)
        at[:, g] = np.array(group.rows)[np.where(known, size.argmax(axis=1), 0)]
        t[known, g] = size[known].max(axis=1)
    return Omnibus(tuple(groups), t, at, np.stack(p, axis=1) if p else permuted, permuted)


def _adjusted(
    table: Table, means: Means, weights: Floats, tested: Tested, scale: float, inference: Inference
) -> Floats | None:
    if not inference.maxt:
        return None
    return joint_min_p(means, table.cell, weights, tested.p, inference.draws, inference.seed, scale)


def _bootstrap(
    table: Table,
    contrasts: list[Contrast],
    unit: Floats,
    means: Means,
    beta: BetaColumns,
    edge: str,
    inference: Inference,
) -> dict[str, Intervals]:
    if not inference.bootstrap:
        return {}
    sizes = tuple(int(m) for m in means.count)
    counts = resamples(sizes, inference.bootstrap, inference.seed)
    weights = np.array([c.weights for c in contrasts])
    found = {"effect": bootstrap_cells(means.person, table.cell, weights, counts)}
    if inference.refit:
        cell, lines, _ = coding_lines(table, contrasts)
        everyone = np.arange(len(cell))
        found["beta"] = bootstrap_beta(person_sums(unit, edge), cell, lines, beta.beta, counts, everyone, cell)
    return found
