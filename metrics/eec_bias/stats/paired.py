"""Pairs and phrases: each contrast within the bases that have both its sides."""

from collections.abc import Sequence

import numpy as np

from eec_bias.inputs.table import Table
from eec_bias.options import Floats
from eec_bias.stats.analysis import Analysis, Units
from eec_bias.stats.bootstrap import Intervals, bootstrap_bases, bootstrap_beta, stack
from eec_bias.stats.contrasts import Contrast
from eec_bias.stats.effect_sizes import hedges_g, paired_superiority
from eec_bias.stats.equivalence import equivalence
from eec_bias.stats.fitting import BetaColumns, coding_lines, person_sums
from eec_bias.stats.inference import Inference
from eec_bias.stats.names import summarise_groups
from eec_bias.stats.omnibus import Group, any_p, correlate_alike, find_groups, single_step
from eec_bias.stats.paired_contrasts import EXACT_LIMIT, differences, members, sign_flip
from eec_bias.stats.resampling import resamples, signs
from eec_bias.stats.sign_flip import choose_signs, flip_any, flip_p
from eec_bias.stats.two_way import Means, Tested, blind, moved_items, summarise, two_way
from eec_bias.stats.variance_components import components


def analyse_pairs(
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
    """Test contrasts taken within bases; parameters as for `crossed.analyse_names`."""
    systems, items = len(values), values.shape[2]
    kept: list[int] = []
    found: list[Units] = []
    sizes, notes = [], []
    for number, contrast in enumerate(contrasts):
        chosen = members(table, contrast.weights)
        if len(chosen) < 5:
            notes.append(_few(table, contrast, len(chosen)))
        if len(chosen) < 2:
            continue
        one = summarise(differences(values, chosen, contrast.weights), np.zeros(len(chosen), dtype=np.intp), 1)
        kept.append(number)
        found.append(Units(table.base[chosen[:, 0]], one))
        sizes.append((len(chosen), chosen.size * items))
    rows = [contrasts[k] for k in kept]
    tested = _stack([two_way(unit_of.means, np.ones((1, 1)), scale) for unit_of in found], systems)
    none = np.full(systems, np.nan)
    superior = [
        paired_superiority(each.means.person, scale) if len(row.axes) == 1 else none
        for each, row in zip(found, rows, strict=True)
    ]
    groups = [g for g in find_groups(rows, pairwise=inference.contrasts == "pairwise") if _same_bases(g, found)]
    p = [any_p(tested.p[:, list(g.rows)], _correlation([rows[r] for r in g.rows], systems)) for g in groups]
    return Analysis(
        table,
        rows,
        means,
        tested,
        hedges_g(tested.effect, means, scale),
        _columns(superior, systems),
        _columns([_sign_p(each.means.person, scale, inference) for each in found], systems),
        sizes,
        _select(beta, kept),
        [moved_items(each.means, np.ones((1, 1)), scale)[:, 0] for each in found],
        blind(means, scale),
        summarise_groups(groups, tested, p, _columns([_flipped(g, found, inference) for g in groups], systems)),
        components(means),
        _adjusted(tested, rows, found, inference),
        None if inference.margin is None else equivalence(tested, inference.margin),
        _bootstrap(table, contrasts, kept, found, unit, beta, edge, inference),
        (),
        tuple(notes),
        tuple(found),
    )


def _few(table: Table, contrast: Contrast, bases: int) -> str:
    what = f"{table.subset}: {contrast.term} ({contrast.level} against {contrast.reference})"
    if bases < 2:
        return (
            f"{what} is left out: {bases} row{'' if bases == 1 else 's'} of the corpus with both sides, two are needed"
        )
    return f"{what} rests on {bases} rows, fewer than 5: its p-value and interval are rough"


def _columns(parts: Sequence[Floats], systems: int) -> Floats:
    return np.stack(parts, axis=1) if parts else np.zeros((systems, 0))


def _stack(tests: Sequence[Tested], systems: int) -> Tested:
    none = np.zeros((systems, 0))
    names = Tested.__dataclass_fields__
    return Tested(**{name: np.concatenate([none, *(getattr(test, name) for test in tests)], axis=1) for name in names})


def _select(beta: BetaColumns, kept: list[int]) -> BetaColumns:
    return BetaColumns(
        beta.beta[:, kept], beta.se[:, kept], beta.p[:, kept], beta.se_person[:, kept], beta.logit[:, kept],
        beta.phi, beta.loglik, beta.touched, beta.reason,
    )  # fmt: skip


def _sign_p(unit: Floats, scale: float, inference: Inference) -> Floats:
    """Permutation p of one contrast: exact where all changes of sign can be enumerated."""
    bases = unit.shape[1]
    if bases > EXACT_LIMIT and inference.draws:
        return flip_p(unit, signs(bases, inference.draws, inference.seed), scale)
    return sign_flip(unit, scale)


def _flipped(group: Group, found: Sequence[Units], inference: Inference) -> Floats:
    units = [found[r].means.person for r in group.rows]
    flips = choose_signs(units[0].shape[1], inference.draws, inference.seed)
    return np.full(len(units[0]), np.nan) if flips is None else flip_any(units, flips)


def _same_bases(group: Group, found: Sequence[Units]) -> bool:
    first = found[group.rows[0]].bases
    return all(np.array_equal(found[r].bases, first) for r in group.rows)


def _correlation(rows: Sequence[Contrast], systems: int) -> Floats:
    return correlate_alike(np.array([row.weights for row in rows]), systems)


def _adjusted(tested: Tested, rows: Sequence[Contrast], found: Sequence[Units], inference: Inference) -> Floats | None:
    """Single-step adjustment; contrasts on different bases count as unrelated, which errs on the safe side."""
    if not inference.maxt or not found:
        return None
    if all(np.array_equal(each.bases, found[0].bases) for each in found):
        return single_step(tested.p, _correlation(rows, len(tested.p)))
    return single_step(tested.p, np.broadcast_to(np.eye(len(found)), (len(tested.p), len(found), len(found))))


def _bootstrap(
    table: Table,
    contrasts: list[Contrast],
    kept: list[int],
    found: Sequence[Units],
    unit: Floats,
    beta: BetaColumns,
    edge: str,
    inference: Inference,
) -> dict[str, Intervals]:
    if not inference.bootstrap or not kept:
        return {}
    bases, base = np.unique(table.base, return_inverse=True)
    counts = resamples((len(bases),), inference.bootstrap, inference.seed)
    parts = [bootstrap_bases(each.means.person, counts[:, np.searchsorted(bases, each.bases)]) for each in found]
    intervals = {"effect": stack(parts)}
    if inference.refit:
        cell, lines, _ = coding_lines(table, contrasts)
        one = np.zeros(len(bases), dtype=np.intp)
        sums = person_sums(unit, edge)
        intervals["beta"] = bootstrap_beta(sums, cell, lines[kept], beta.beta[:, kept], counts, base, one)
    return intervals
