"""From an analysis to rows of the result; every function returns one list of rows per system."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eec_bias.inputs.runs import FEWEST_RUNS
from eec_bias.options import ANY, Bools, Floats, Ints
from eec_bias.result.frame import BESIDE, FLIP_KEYS, TERM_KEYS, Row
from eec_bias.result.parts import listed
from eec_bias.result.verdict import judge_no_spread
from eec_bias.stats.analysis import Analysis, Tested
from eec_bias.stats.beta import AT_EDGE, BetaColumns
from eec_bias.stats.contrasts import Contrast
from eec_bias.stats.default_test import ZERO, Estimates
from eec_bias.stats.equivalence import equivalence
from eec_bias.stats.facets import Facets
from eec_bias.stats.flips import find_flips
from eec_bias.stats.layout import Table
from eec_bias.stats.rates import ratio_of

FEW, FEW_ITEMS, FEW_DF = 5, 6, 8
"""With fewer persons in a cell, items or degrees of freedom, intervals and smallest detectable effects are rough."""

FEW_OF_FACET = 3
"""With fewer degrees of freedom over a facet of sentences they are too: so few can look alike by chance."""

FEWER_DF = f"fewer than {FEW_DF} degrees of freedom"

OF_RATES = (
    "a rate rests on rows of 0 and 1, where the beta distribution has no density, and an edge treatment would decide "
    "the coefficient"
)

LISTED = 6
"""Items named in a note; the rest are counted."""


def term_rows(analysis: Analysis) -> list[list[Row]]:
    """Rows of terms of every system; with the adjusted p only where relabellings gave it."""
    beta = analysis.beta
    more = {
        "beta": beta.beta, "beta_se": beta.se, "beta_p": beta.p, "beta_se_person": beta.se_person, "logit": beta.logit,
        "p_permutation": analysis.permutation, "hedges_g": analysis.g, "superiority": analysis.superior,
    }  # fmt: skip
    if analysis.adjusted is not None:
        more["p_adjusted"] = analysis.adjusted
    rows = tested_rows(analysis, more, _notes(analysis))
    return [_with_any(analysis, s, terms) for s, terms in enumerate(rows)] if analysis.omnibus.groups else rows


def tested_rows(analysis: Tested, more: Mapping[str, Floats], notes: Mapping[tuple[int, int], str]) -> list[list[Row]]:
    """Rows of contrasts that were tested, with more numbers, and notes by system and contrast."""
    estimates, (low, high) = analysis.estimates, analysis.estimates.interval()
    arrays = {
        "effect": estimates.effect, "se": estimates.se, "df": estimates.df, "t": estimates.t, "p": estimates.p,
        "ci_low": low, "ci_high": high, "p_names_only": estimates.p_names_only, "mde": estimates.detectable(), **more,
    }  # fmt: skip
    names = name_rows(analysis.contrasts, analysis.subset)
    fixed = [
        dict.fromkeys(TERM_KEYS) | name | {"n_persons": persons, "n_items": analysis.items, "n_sentences": sentences}
        for name, (persons, sentences) in zip(names, analysis.sizes, strict=True)
    ]
    rows, rough = fill_rows(fixed, arrays, len(estimates.effect)), rough_rows(analysis)
    for s, system_rows in enumerate(rows):
        for r, row in enumerate(system_rows):
            row["rough"], row["note"] = rough.get((s, r), ""), notes.get((s, r), "")
    return rows


def _with_any(analysis: Analysis, system: int, rows: list[Row]) -> list[Row]:
    """Put the row of each term as a whole behind those of its levels."""
    last = {group.rows[-1]: g for g, group in enumerate(analysis.omnibus.groups)}
    with_any = []
    for r, row in enumerate(rows):
        with_any.append(row)
        if r in last:
            members = [rows[k] for k in analysis.omnibus.groups[last[r]].rows]
            with_any.append(_any_row(analysis, system, last[r], members))
    return with_any


def rough_rows(analysis: Tested) -> dict[tuple[int, int], str]:
    """Why interval and smallest detectable effect of rows (system, contrast) are rough; most are not."""
    estimates, runs = analysis.estimates, analysis.runs
    few = np.array([persons < FEW for persons in analysis.least_persons], dtype=bool)
    shape = estimates.p.shape
    all_rows, few_of = np.ones(shape, dtype=bool), few_facets(analysis.facets)
    reasons = {
        f"fewer than {FEW} persons in a group": np.broadcast_to(few, shape),
        f"fewer than {FEW_ITEMS} items": np.full(shape, 1 < analysis.items < FEW_ITEMS),
        FEWER_DF: estimates.df < FEW_DF,
        **{f"fewer than {FEW_OF_FACET} degrees of freedom over {name}": all_rows for name in few_of},
        f"fewer than {FEWEST_RUNS} runs": np.broadcast_to(((runs > 1) & (runs < FEWEST_RUNS))[:, None], shape),
    }
    testable = ~np.isnan(estimates.p) & (estimates.se > 0)
    some = testable & np.logical_or.reduce(list(reasons.values()))
    return {
        (s, r): "; ".join(reason for reason, applies in reasons.items() if applies[s, r])
        for s, r in np.argwhere(some).tolist()
    }


def few_facets(facets: Facets) -> list[str]:
    """Name the facets of sentences with several clusters, but few; of fewer than six items there is another reason."""
    clusterings = [*facets.above, *[facets.items] * (len(facets.items.code) >= FEW_ITEMS)]
    return [clusters.name for clusters in clusterings if 0 < clusters.df < FEW_OF_FACET - 1e-9]


def name_rows(contrasts: Sequence[Contrast], subset: str) -> list[Row]:
    """The leading keys of each row of terms."""
    return [
        {"term": c.term, "axes": "+".join(c.axes), "level": c.level, "reference": c.reference, "subset": subset}
        for c in contrasts
    ]


def _any_row(analysis: Analysis, system: int, number: int, members: list[Row]) -> Row:
    """Row of a term with several levels as a whole: has no effect of its own."""
    omnibus = analysis.omnibus
    group = omnibus.groups[number]
    numbers = np.array([x[system, number] for x in (omnibus.t, omnibus.p, omnibus.permutation)])
    t, p, permutation = _nested_lists(numbers)
    row = dict.fromkeys(members[0]) | {"term": group.term, "axes": "+".join(group.axes), "level": ANY}
    row |= {"reference": group.reference, "subset": analysis.table.subset, "t": t, "p": p, "p_permutation": permutation}
    for key in ("n_persons", "n_items", "n_sentences"):
        row[key] = max(member[key] for member in members)
    if analysis.adjusted is not None:
        adjusted = [member["p_adjusted"] for member in members if member["p_adjusted"] is not None]
        # Some level differs exactly where the single-step method finds one that does.
        row["p_adjusted"] = min(adjusted) if adjusted and p is not None else None
    row["rough"] = "; ".join(dict.fromkeys(why for member in members for why in member["rough"].split("; ") if why))
    largest = analysis.contrasts[int(omnibus.row[system, number])]
    against = f" against {largest.reference}" if group.reference == ANY else ""
    row["note"] = "" if not t else f"largest |t| of {len(members)}: {largest.level}{against}"
    return row


def _nested_lists(values: NDArray[Any]) -> list[Any]:
    """Nested lists of Python numbers, None for NaN."""
    objects = values.astype(object)
    objects[np.isnan(values)] = None
    nested: list[Any] = objects.tolist()
    return nested


def _notes(analysis: Analysis) -> dict[tuple[int, int], str]:
    """What a reader must know about rows (system, contrast)."""
    apart = np.ndenumerate(analysis.beta.disagrees)
    return {(s, r): _note(analysis, s, r, beta_apart=bool(differ)) for (s, r), differ in apart}


def _note(analysis: Analysis, system: int, row: int, *, beta_apart: bool) -> str:
    """What a reader must know about one row, whatever else is known of its texts; empty where there is nothing."""
    notes = untested(analysis.estimates, system, row)
    if analysis.persons_alike[system] and analysis.affected[system, row].any():
        notes.append(_note_following(analysis.table, analysis.affected[system, row]))
    if beta_apart:
        notes.append("beta and logit disagree: the beta regression depends on what is done with scores at the edges")
    if analysis.remarks and analysis.remarks[row]:
        notes.append(analysis.remarks[row])
    return "; ".join(notes)


def untested(estimates: Estimates, system: int, row: int) -> list[str]:
    """Why a row lacks a test, in a list that is empty where it has one."""
    effect, se = estimates.effect[system, row], estimates.se[system, row]
    if se == 0 and not estimates.uniform[system, row]:
        return ["the effect differs only between the emotions, which are fixed, so there is nothing to test it against"]
    if se == 0 and effect == 0:
        return ["standard error 0"]
    if se == 0:
        return ["standard error 0: there is nothing to test the difference against"]
    few = np.isnan(estimates.p[system, row])
    return [f"too few {estimates.scarce[system, row]} for a claim beyond them, so there is no p"] if few else []


def _note_following(table: Table, affected: Bools) -> str:
    items = [table.items[j] for j in np.flatnonzero(affected)]
    some = f"{len(items)} of {len(table.items)} items: {listed(items, LISTED)}"
    where = "every item" if len(items) == len(table.items) else some
    return (
        "all persons of the same groups have the same mean, so the difference follows the group or the wording; on "
        f"{where}"
    )


def no_spread_rows(analysis: Analysis, find: Callable[[], Bools]) -> list[list[Row]]:
    """Effects without a standard error, or that follow the wording, and the items on which groups differ.

    Parameters
    ----------
    analysis : Analysis
        The analysis.
    find : function
        Gives the (R, J) items on which the texts compared differ in more than the person.
    """
    estimates = analysis.estimates
    rows: list[list[Row]] = [[] for _ in analysis.persons_alike]
    special = np.argwhere((estimates.se == 0) | analysis.persons_alike[:, None]).tolist()
    reworded = find() if special else None
    for s, r in special:
        affected = analysis.affected[s, r]
        kind = judge_no_spread(
            float(estimates.effect[s, r]) if affected.any() else 0.0, float(estimates.se[s, r]),
            interaction=len(analysis.contrasts[r].axes) > 1, equal_scores=bool(analysis.equal_scores[s, r]),
            persons_alike=bool(analysis.persons_alike[s]), uniform=bool(estimates.uniform[s, r]),
            reworded=reworded is not None and bool(reworded[r][affected].all()),
        )  # fmt: skip
        if kind is not None:
            items = [analysis.table.items[j] for j in np.flatnonzero(affected)]
            rows[s].append(no_spread_row(analysis.contrasts[r], analysis.subset, kind, items))
    return rows


def no_spread_row(contrast: Contrast, subset: str, kind: str, items: list[str]) -> Row:
    """Row of an effect without a standard error, and the items on which groups differ."""
    keys = {"term": contrast.term, "level": contrast.level, "reference": contrast.reference, "subset": subset}
    return keys | {"verdict": kind, "items": items}


def cell_rows(analysis: Analysis, axes: tuple[str, ...]) -> list[list[Row]]:
    """Rows describing the cells of every system."""
    table, sums = analysis.table, analysis.sums
    fixed = []
    for count, levels in zip(sums.count.tolist(), (table.cells[c] for c in np.unique(table.cell)), strict=True):
        level_by_axis = dict(zip((axis.name for axis in table.axes), levels, strict=True))
        sizes = {"n_persons": int(count), "n_sentences": int(count) * len(table.items)}
        fixed.append({"subset": table.subset, **{axis: level_by_axis.get(axis) for axis in axes}, **sizes})
    spread = np.sqrt(np.where(sums.count > 1, sums.spread, np.nan))
    return fill_rows(fixed, {"mean": sums.cell, "sd_persons": spread}, len(sums.cell))


def fit_rows(beta: BetaColumns, subset: str, edge: str, *, rate: bool = False) -> list[list[Row]]:
    """Row describing the beta regression of every system; no edge treatment is applied to a ``rate``."""
    edge, reasons = ("none", {AT_EDGE: OF_RATES}) if rate else (edge, {})
    columns = {"phi": beta.phi, "loglik": beta.loglik, "touched": beta.touched}
    rows = fill_rows([{"subset": subset, "edge": edge}], {k: x[:, None] for k, x in columns.items()}, len(beta.phi))
    reason_by_system = [reasons.get(reason or "", reason or "") for reason in beta.reason]
    return [[row | {"reason": reason}] for (row,), reason in zip(rows, reason_by_system, strict=True)]


def side_rows(analysis: Analysis, margin: float | None) -> dict[str, list[list[Row]]]:
    """Rows beside the terms of every system; ``margin`` is that of an equivalence test.

    Returns
    -------
    dict
        ``equivalence``: one row per contrast where a margin was stated; ``bootstrap``: one per contrast and
        estimate where samples were drawn; ``variances``: one per source of variance within groups.
    """
    systems, names = len(analysis.persons_alike), name_rows(analysis.contrasts, analysis.subset)
    bootstrap: list[list[Row]] = [[] for _ in range(systems)]
    for estimate, drawn in analysis.bootstrap.items():
        named = [name | {"estimate": estimate} for name in names]
        for s, rows in enumerate(fill_rows(named, drawn._asdict(), systems)):
            bootstrap[s] += rows
    parts = analysis.components
    sources = [{"subset": analysis.table.subset, "source": source} for source in parts.sources]
    variances = fill_rows(sources, {"sd": np.sqrt(parts.variance), "share": parts.share}, systems)
    return {"equivalence": equivalence_rows(analysis, margin), "bootstrap": bootstrap, "variances": variances}


def equivalence_rows(analysis: Tested, margin: float | None) -> list[list[Row]]:
    """Rows of two one-sided tests, where a margin was stated."""
    if margin is None:
        return [[] for _ in analysis.estimates.effect]
    names = name_rows(analysis.contrasts, analysis.subset)
    return fill_rows(names, equivalence(analysis.estimates, margin), len(analysis.estimates.effect))


def rate_rows(analysis: Analysis, values: Floats, threshold: float) -> list[list[Row]]:
    """Rows of the rates above a threshold, from the analysis of scores that are 1 above it and 0 elsewhere.

    Parameters
    ----------
    analysis : Analysis
        Of these scores.
    values : (S, P, J) array
        The scores.
    threshold : float
        What they were compared with.
    """
    low, high = analysis.estimates.interval()
    # Equal shares, summed in another order, would be printed as a difference of 1e-17.
    effect = np.where(np.abs(analysis.estimates.effect) <= ZERO, 0.0, analysis.estimates.effect)
    rough = rough_rows(analysis)
    by_system: list[list[Row]] = [[] for _ in values]
    for r, name in enumerate(name_rows(analysis.contrasts, analysis.subset)):
        if len(analysis.contrasts[r].axes) > 1:
            continue
        arrays = {"effect": effect[:, r], "ci_low": low[:, r], "ci_high": high[:, r]}
        arrays |= ratio_of(analysis, r, values)
        few = arrays.pop("df") < FEW_DF
        fixed = [dict.fromkeys(BESIDE["rates"]) | name | {"threshold": threshold}]
        for s, rows in enumerate(fill_rows(fixed, {key: each[:, None] for key, each in arrays.items()}, len(values))):
            reasons = [*filter(None, rough.get((s, r), "").split("; ")), *([FEWER_DF] if few[s] else [])]
            by_system[s].append(rows[0] | {"rough": "; ".join(dict.fromkeys(reasons))})
    return by_system


def flip_rows(table: Table, predicted: Ints, classes: int) -> list[list[Row]]:
    """Rows of how often the class (S, n) changes with the person."""
    rows: list[list[Row]] = [[] for _ in predicted]
    for keys, between, within in find_flips(table, predicted, classes):
        fixed = dict.fromkeys(FLIP_KEYS) | keys | {"subset": table.subset, "n_items": len(table.items)}
        rates = {"flip_rate": between[:, None], "within_rate": within[:, None]}
        for s, system_rows in enumerate(fill_rows([fixed], rates, len(rows))):
            rows[s] += system_rows
    return rows


def fill_rows(fixed: Sequence[Row], arrays: Mapping[str, NDArray[Any]], systems: int) -> list[list[Row]]:
    """Per system one row per entry of ``fixed``, with a number of each array (S, R)."""
    lists = {key: _nested_lists(array) for key, array in arrays.items()}
    return [
        [{**same, **{key: values[s][r] for key, values in lists.items()}} for r, same in enumerate(fixed)]
        for s in range(systems)
    ]
