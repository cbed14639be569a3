"""From an analysis to rows of the result."""

from typing import Any

import numpy as np

from .analysis import Analysis
from .bootstrapping import Intervals
from .contrasts import ANY, Contrast
from .crossing import Table
from .fitting import disagreement
from .options import Bools, Floats
from .variances import SOURCES

LISTED = 6
"""Items named in a note; the rest are counted."""

Row = dict[str, Any]


def term_rows(analysis: Analysis, system: int) -> list[Row]:
    """Rows of terms of one system; with the adjusted p only where relabellings gave it."""
    tested, beta = analysis.tested, analysis.beta
    low, high = tested.interval()
    arrays = {
        "effect": tested.effect, "se": tested.se, "df": tested.df, "t": tested.t, "p": tested.p,
        "ci_low": low, "ci_high": high,
        "beta": beta.beta, "beta_se": beta.se, "beta_p": beta.p, "beta_se_person": beta.se_person, "logit": beta.logit,
        "p_names_only": tested.p_names_only, "p_permutation": analysis.permutation,
        "mde": tested.detectable(), "hedges_g": analysis.g, "superiority": analysis.superior,
    }  # fmt: skip
    if analysis.adjusted is not None:
        arrays["p_adjusted"] = analysis.adjusted
    apart = disagreement(beta)[system]
    columns = {key: _plain(array[system]) for key, array in arrays.items()}
    last = {group.rows[-1]: g for g, group in enumerate(analysis.omnibus.groups)}
    rows = []
    for r, contrast in enumerate(analysis.contrasts):
        persons, sentences = analysis.sizes[r]
        rows.append(
            {
                **_names(analysis, contrast),
                **{key: column[r] for key, column in columns.items()},
                "n_persons": persons,
                "n_items": len(analysis.table.items),
                "n_sentences": sentences,
                "note": _note(analysis, system, r, beta_apart=bool(apart[r])),
            }
        )
        if r in last:
            rows.append(_any_row(analysis, system, last[r], rows[-len(analysis.omnibus.groups[last[r]].rows) :]))
    return rows


def _names(analysis: Analysis, contrast: Contrast) -> Row:
    return {
        "term": contrast.term,
        "axes": "+".join(contrast.axes),
        "level": contrast.level,
        "reference": contrast.reference,
        "subset": analysis.table.subset,
    }


def _any_row(analysis: Analysis, system: int, number: int, members: list[Row]) -> Row:
    """Row of a term with several levels as a whole: has no effect of its own."""
    omnibus = analysis.omnibus
    group = omnibus.groups[number]
    t, p, permutation = (_plain(x[system, number : number + 1])[0] for x in (omnibus.t, omnibus.p, omnibus.permutation))
    row = dict.fromkeys(members[0]) | {"term": group.term, "axes": "+".join(group.axes), "level": ANY}
    row |= {"reference": group.reference, "subset": analysis.table.subset, "t": t, "p": p, "p_permutation": permutation}
    for key in ("n_persons", "n_items", "n_sentences"):
        row[key] = max(member[key] for member in members)
    if analysis.adjusted is not None:
        known = [member["p_adjusted"] for member in members if member["p_adjusted"] is not None]
        # Some level differs exactly where the single-step method finds one that does.
        row["p_adjusted"] = min(known) if known and p is not None else None
    largest = analysis.contrasts[int(omnibus.at[system, number])]
    against = f" against {largest.reference}" if group.reference == ANY else ""
    row["note"] = "" if not t else f"largest |t| of {len(members)}: {largest.level}{against}"
    return row


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
    if analysis.remarks and analysis.remarks[row]:
        notes.append(analysis.remarks[row])
    return "; ".join(notes)


def _wording(table: Table, moved: Bools) -> str:
    which = [table.items[j] for j in np.flatnonzero(moved)]
    listed = ", ".join(which[:LISTED]) + (f" and {len(which) - LISTED} more" if len(which) > LISTED else "")
    where = "every item" if len(which) == len(table.items) else f"{len(which)} of {len(table.items)} items: {listed}"
    return (
        "wording effect: within each group every person gets the same mean score, so the difference follows the "
        f"wording or the label, not the persons; on {where}"
    )


def wording_rows(analysis: Analysis, system: int) -> list[Row]:
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


def cell_rows(analysis: Analysis, system: int, axes: tuple[str, ...]) -> list[Row]:
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


def fit_row(analysis: Analysis, system: int, edge: str) -> Row:
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


def side_rows(analysis: Analysis, system: int) -> dict[str, list[Row]]:
    """Rows beside the terms of one system.

    Returns
    -------
    dict
        ``equivalence``: one row per contrast where a margin was stated; ``bootstrap``: one per contrast and
        estimate where samples were drawn; ``variances``: one per source of variance within groups.
    """
    return {
        "equivalence": _equivalence_rows(analysis, system),
        "bootstrap": [
            row for name, found in analysis.bootstrap.items() for row in _bootstrap_rows(analysis, system, name, found)
        ],
        "variances": _variance_rows(analysis, system),
    }


def _equivalence_rows(analysis: Analysis, system: int) -> list[Row]:
    found = analysis.equivalence
    if found is None:
        return []
    arrays = {
        "p_lower": found.p_lower, "p_upper": found.p_upper, "p_equivalence": found.p,
        "ci90_low": found.low, "ci90_high": found.high,
    }  # fmt: skip
    columns = {key: _plain(array[system]) for key, array in arrays.items()}
    effects = analysis.tested.effect[system].tolist()
    return [
        _names(analysis, contrast)
        | {"effect": effects[r], "margin": found.margin}
        | {key: column[r] for key, column in columns.items()}
        for r, contrast in enumerate(analysis.contrasts)
    ]


def _bootstrap_rows(analysis: Analysis, system: int, estimate: str, found: Intervals) -> list[Row]:
    arrays = {
        "value": found.value, "se": found.se, "ci_low": found.low, "ci_high": found.high,
        "bca_low": found.bca_low, "bca_high": found.bca_high,
    }  # fmt: skip
    columns = {key: _plain(array[system]) for key, array in arrays.items()}
    return [
        _names(analysis, contrast)
        | {"estimate": estimate}
        | {key: column[r] for key, column in columns.items()}
        | {"replicates": int(found.replicates[system, r])}
        for r, contrast in enumerate(analysis.contrasts)
    ]


def _variance_rows(analysis: Analysis, system: int) -> list[Row]:
    variance = analysis.components.variance[system].tolist()
    shares = _plain(analysis.components.share[system])
    return [
        {"subset": analysis.table.subset, "source": source, "sd": value**0.5, "share": share}
        for source, value, share in zip(SOURCES, variance, shares, strict=True)
    ]
