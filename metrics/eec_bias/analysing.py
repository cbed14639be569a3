"""From a table and its scores to rows of the result."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .contrasts import Contrast, build_contrasts
from .crossing import Table
from .fitting import BetaColumns, disagreement, fit_table
from .options import Bools, Floats
from .pairs import differences, members, sign_flip
from .persons import Means, Tested, blind, moved_items, summarise, two_way
from .scoring import Scores
from .sizes import hedges_g, paired_superiority, superiority

LISTED = 6
"""Items named in a note; the rest are counted."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """Everything the result says about one table; arrays are (S, R).

    Attributes
    ----------
    table : Table
        The table analysed.
    contrasts : list of Contrast
        The R rows.
    means : Means
        Means over the table's non-empty cells.
    tested : Tested
        The default test.
    g, superior, permutation : (S, R) arrays
        Hedges' g, probability of superiority, permutation p (on pairs: the exact sign-flip).
    sizes : list of (int, int)
        Per contrast the number of units of inference and of sentences.
    beta : BetaColumns
        The beta regression.
    moved : list of (S, J) bool arrays
        Per contrast the items on which it is not 0.
    blind : (S,) bool array
        Systems that give all persons of each cell the same mean score.
    notes : tuple of str
        What could not be compared.
    """

    table: Table
    contrasts: list[Contrast]
    means: Means
    tested: Tested
    g: Floats
    superior: Floats
    permutation: Floats
    sizes: list[tuple[int, int]]
    beta: BetaColumns
    moved: list[Bools]
    blind: Bools
    notes: tuple[str, ...] = ()


def analyse(table: Table, scores: Scores, *, simple: bool, edge: str) -> Analysis:
    """Run the default test and its companions on one table.

    Parameters
    ----------
    table : Table
        From `design.build_design`.
    scores : Scores
        All systems' scores.
    simple : bool
        Whether simple effects are added.
    edge : str
        Edge treatment of the beta regression.
    """
    contrasts = build_contrasts(table.axes, simple=simple)
    values = _gather(scores.values, table)
    filled, cell = np.unique(table.cell, return_inverse=True)
    means = summarise(values, cell, len(filled))
    beta = fit_table(scores.to_unit(values), table, contrasts, edge)
    numbers = _paired if table.paired else _crossed
    return numbers(table, contrasts, values, means, beta, scores.span)


def _gather(values: Floats, table: Table) -> Floats:
    return values[:, table.rows.ravel()].reshape(len(values), *table.rows.shape)


def _crossed(
    table: Table, contrasts: list[Contrast], values: Floats, means: Means, beta: BetaColumns, scale: float
) -> Analysis:
    """Names: contrasts of independent cells."""
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
    none = np.full(tested.effect.shape, np.nan)
    g = hedges_g(tested.effect, means, scale)
    by_contrast = [moved[:, r] for r in range(len(contrasts))]
    return Analysis(table, contrasts, means, tested, g, superior, none, sizes, beta, by_contrast, blind(means, scale))


def _paired(
    table: Table, contrasts: list[Contrast], values: Floats, means: Means, beta: BetaColumns, scale: float
) -> Analysis:
    """Pairs and phrases: each contrast on the bases that have both its sides."""
    systems = len(values)
    kept, tests, superior, flips, sizes, moved, notes = [], [], [], [], [], [], []
    for number, contrast in enumerate(contrasts):
        chosen = members(table, contrast.weights)
        if len(chosen) < 5:
            notes.append(_few(table, contrast, len(chosen)))
        if len(chosen) < 2:
            continue
        table_of_differences = differences(values, chosen, contrast.weights)
        one = summarise(table_of_differences, np.zeros(len(chosen), dtype=np.intp), 1)
        kept.append(number)
        tests.append(two_way(one, np.ones((1, 1)), scale))
        single = len(contrast.axes) == 1
        superior.append(paired_superiority(one.person, scale) if single else np.full(systems, np.nan))
        flips.append(sign_flip(one.person, scale))
        sizes.append((len(chosen), chosen.size * values.shape[2]))
        moved.append(moved_items(one, np.ones((1, 1)), scale)[:, 0])
    tested = _stack(tests, systems)
    return Analysis(
        table,
        [contrasts[k] for k in kept],
        means,
        tested,
        hedges_g(tested.effect, means, scale),
        _columns(superior, systems),
        _columns(flips, systems),
        sizes,
        _select(beta, kept),
        moved,
        blind(means, scale),
        tuple(notes),
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


def term_rows(analysis: Analysis, system: int) -> list[dict[str, Any]]:
    """Rows of terms of one system, without the adjusted p."""
    tested, beta = analysis.tested, analysis.beta
    low, high = tested.interval()
    arrays = {
        "effect": tested.effect, "se": tested.se, "df": tested.df, "t": tested.t, "p": tested.p,
        "ci_low": low, "ci_high": high,
        "beta": beta.beta, "beta_se": beta.se, "beta_p": beta.p, "beta_se_person": beta.se_person, "logit": beta.logit,
        "p_names_only": tested.p_names_only, "p_permutation": analysis.permutation,
        "mde": tested.detectable(), "hedges_g": analysis.g, "superiority": analysis.superior,
    }  # fmt: skip
    apart = disagreement(beta)[system]
    columns = {key: _plain(array[system]) for key, array in arrays.items()}
    rows = []
    for r, contrast in enumerate(analysis.contrasts):
        persons, sentences = analysis.sizes[r]
        rows.append(
            {
                "term": contrast.term,
                "axes": "+".join(contrast.axes),
                "level": contrast.level,
                "reference": contrast.reference,
                "subset": analysis.table.subset,
                **{key: column[r] for key, column in columns.items()},
                "n_persons": persons,
                "n_items": len(analysis.table.items),
                "n_sentences": sentences,
                "note": _note(analysis, system, r, beta_apart=bool(apart[r])),
            }
        )
    return rows


def _plain(values: Floats) -> list[float | None]:
    return [x if x == x else None for x in values.tolist()]  # noqa: PLR0124  NaN is the only x != x


def _note(analysis: Analysis, system: int, row: int, *, beta_apart: bool) -> str:
    """What a reader must know about one row; empty where there is nothing."""
    effect, se = analysis.tested.effect[system, row], analysis.tested.se[system, row]
    notes = []
    if se == 0 and effect == 0:
        notes.append("no reaction: on every item all groups compared get the same score")
    elif se == 0:
        notes.append("standard error 0: the difference is the same throughout, so there is nothing to test it against")
    if effect != 0 and analysis.blind[system]:
        notes.append(_wording(analysis.table, analysis.moved[row][system]))
    if beta_apart:
        notes.append("beta and logit disagree: the beta regression depends on what is done with scores at the edges")
    return "; ".join(notes)


def _wording(table: Table, moved: Bools) -> str:
    which = [table.items[j] for j in np.flatnonzero(moved)]
    listed = ", ".join(which[:LISTED]) + (f" and {len(which) - LISTED} more" if len(which) > LISTED else "")
    where = "every item" if len(which) == len(table.items) else f"{len(which)} of {len(table.items)} items: {listed}"
    return (
        "wording effect: within each group every person gets the same mean score, so the difference follows the "
        f"wording or the label, not the persons; on {where}"
    )


def wording_rows(analysis: Analysis, system: int) -> list[dict[str, Any]]:
    """For a system that does not react to persons, the items each non-zero effect comes from."""
    if not analysis.blind[system]:
        return []
    return [
        {
            "term": contrast.term,
            "level": contrast.level,
            "subset": analysis.table.subset,
            "items": [analysis.table.items[j] for j in np.flatnonzero(analysis.moved[r][system])],
        }
        for r, contrast in enumerate(analysis.contrasts)
        if analysis.tested.effect[system, r] != 0
    ]


def cell_rows(analysis: Analysis, system: int, axes: tuple[str, ...]) -> list[dict[str, Any]]:
    """Rows describing the cells of one system."""
    table, means = analysis.table, analysis.means
    filled = np.unique(table.cell)
    rows = []
    for k, levels in enumerate(table.cells[c] for c in filled):
        own = dict(zip((axis.name for axis in table.axes), levels, strict=True))
        count = int(means.count[k])
        spread = float(means.spread[system, k])
        rows.append(
            {
                "subset": table.subset,
                **{axis: own.get(axis) for axis in axes},
                "n_persons": count,
                "n_sentences": count * len(table.items),
                "mean": float(means.cell[system, k]),
                "sd_persons": spread**0.5 if count > 1 else None,
            }
        )
    return rows


def fit_row(analysis: Analysis, system: int, edge: str) -> dict[str, Any]:
    """Row describing the beta regression of one system."""
    beta = analysis.beta
    phi, loglik = _plain(np.array([beta.phi[system], beta.loglik[system]]))
    return {
        "subset": analysis.table.subset,
        "phi": phi,
        "loglik": loglik,
        "edge": edge,
        "touched": int(beta.touched[system]),
        "reason": beta.reason[system] or "",
    }
