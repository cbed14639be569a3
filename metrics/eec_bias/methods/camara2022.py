"""The procedure of Câmara et al. (2022), as published: least squares over the name sentences of one emotion.

The article describes a beta regression y = β0 + β1·race + β2·gender + β3·race·gender; its released script
replaces the beta coefficients by those of ordinary least squares on the response scale and does not print
the intercept, and the published magnitudes are differences of means. So the coefficients here are those of
least squares with intercept, the treatment-coded differences of cell means; the beta coefficients stand beside
them. Sentences are taken for independent, which they are not: the test does not hold its level.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from scipy.special import stdtr, stdtrit

from eec_bias.errors import DesignError, OptionError
from eec_bias.methods.layouts import align, as_csv, escape, latex_note
from eec_bias.methods.published import Study, gather, keep_items, plain, read_study, row
from eec_bias.options import Floats, Layout, one_of
from eec_bias.result.frame import Row
from eec_bias.result.result import Result
from eec_bias.result.tables import LAYOUTS
from eec_bias.stats.contrasts import build_contrasts
from eec_bias.stats.fitting import estimand, fit_table
from eec_bias.stats.layout import Table
from eec_bias.stats.sums import parse_edge, summarise

SIZES = {0.0: 0.000, 0.02: 0.003, 0.05: 0.17, 0.11: 0.49}
"""Share of true nulls rejected at .05, by the standard deviation of names on the logit scale.

4,000 simulated systems per entry: 10 names per cell, 35 items of sd .2, precision 1000. The names of real
systems have sd .0 to .17, .11 on average.
"""

LABEL = (
    "published procedure of Câmara et al. (2022), not size-controlled: of true nulls it rejects 0 % to 49 % at .05, "
    "the more the names differ (simulated, sd of names 0 to .11)"
)
NOTE = "published procedure, not size-controlled: it rejects up to 49 % of true nulls at .05"
"""`LABEL` in short, for every row."""

EMOTIONS = ("anger", "fear", "joy", "sadness")
TERMS = ("Race/Ethnicity", "Gender", "Intersection")
STARS = "*** p ≤ .01, ** p ≤ .05, * p ≤ .10"


def camara2022(
    scores: Any,
    data: Any,
    *,
    tasks: str | Sequence[str | None] | None = None,
    axes: Sequence[str] | None = None,
    reference: Any = "default",
    score_range: tuple[float, float] = (0.0, 1.0),
    edge: str = "none",
    systems: Sequence[str] | None = None,
    data_name: str | None = None,
) -> Result:
    """Repeat the analysis of Câmara et al. (2022).

    Parameters
    ----------
    scores, data, axes, reference, score_range, edge, systems, data_name
        As for ``measure``.
    tasks : str or sequence of (str or None), optional
        The emotion each system predicts; its test uses the sentences of that emotion. ``valence`` or None:
        all name sentences.

    Returns
    -------
    Result
        ``effect`` is the least-squares coefficient in the units of the scores, ``se``, ``t``, ``df`` and ``p``
        those of least squares over sentences; ``beta`` and its columns the beta regression of their equation 1.

    Raises
    ------
    DesignError
        If the data have no names.
    """
    parse_edge(edge)
    study = read_study(
        scores, data, tasks=tasks, axes=axes, reference=reference, score_range=score_range, systems=systems,
        data_name=data_name,
    )  # fmt: skip
    names = study.table("names")
    if names is None:
        raise DesignError("the data have no names; the procedure of Câmara et al. (2022) compares name sentences")
    terms: dict[int, list[Row]] = {}
    fits: dict[int, Row] = {}
    for task in dict.fromkeys(study.tasks):
        members = np.array([s for s, other in enumerate(study.tasks) if other == task])
        _one_task(study, names, task, members, edge, terms, fits)
    order = range(len(study.tasks))
    return Result(
        tuple(found for s in order for found in terms[s]),
        (),
        tuple(fits[s] for s in order),
        (),
        (*study.design.notes, LABEL),
        study.design.axes,
        study.scores.score_range,
        estimand(names.axes),
        study.signature("camara2022", "none", edge),
    )


def _one_task(
    study: Study,
    names: Table,
    task: str | None,
    members: Any,
    edge: str,
    terms: dict[int, list[Row]],
    fits: dict[int, Row],
) -> None:
    """Fill in the rows of the systems that share a task."""
    if task is None or task == "valence":
        table, subset = names, "names"
    else:
        table = keep_items(names, np.array([emotion == task for emotion in study.emotions(names)]))
        subset = f"names:{task}"
    values, bounds = gather(study.scores.values[members], table), study.scores.score_range
    contrasts = build_contrasts(table.axes)
    fitted = fit_table(summarise(values, table.cell, edge=edge, score_range=bounds), table, contrasts, bounds)
    coding = np.array([contrast.coding for contrast in contrasts])
    coef, se, df = least_squares(values, table.cell, len(table.cells), coding)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(se > 0, coef / se, np.nan)
    p = np.where((se == 0) & (coef == 0), 1.0, 2 * stdtr(df, -np.abs(t)))
    reach = stdtrit(df, 0.975) * se
    persons, items = table.rows.shape
    for s, system in enumerate(members):
        terms[system] = [
            row(
                study.who(system), term=contrast.term, axes="+".join(contrast.axes), level=contrast.level,
                reference=contrast.reference, subset=subset, effect=coef[s, r], se=se[s, r], df=float(df), t=t[s, r],
                p=p[s, r], ci_low=coef[s, r] - reach[s, r], ci_high=coef[s, r] + reach[s, r],
                beta=fitted.beta[s, r], beta_se=fitted.se[s, r], beta_p=fitted.p[s, r],
                beta_se_person=fitted.se_person[s, r], logit=fitted.logit[s, r],
                n_persons=persons, n_items=items, n_sentences=persons * items, note=NOTE,
            )
            for r, contrast in enumerate(contrasts)
        ]  # fmt: skip
        fits[system] = study.who(system) | {
            "subset": subset,
            "phi": plain(fitted.phi[s]),
            "loglik": plain(fitted.loglik[s]),
            "edge": edge,
            "touched": int(fitted.touched[s]),
            "reason": fitted.reason[s] or "",
        }


def least_squares(values: Floats, cell: Any, cells: int, coding: Floats) -> tuple[Floats, Floats, int]:
    """Fit the saturated linear model over sentences.

    Parameters
    ----------
    values : (S, P, J) array
        Scores.
    cell : (P,) integer array
        Cell of each person.
    cells : int
        Number of cells K, each with a person.
    coding : (R, K) array
        Weights of the cell means in each coefficient.

    Returns
    -------
    coef, se : (S, R) arrays
        Coefficients and their standard errors from the pooled residual variance.
    df : int
        Sentences minus cells.
    """
    items = values.shape[2]
    count = np.bincount(cell, minlength=cells) * float(items)
    member = np.equal.outer(np.arange(cells), cell) / count[:, None]
    mean = values.sum(axis=2) @ member.T
    residual = values - mean[:, cell, None]
    df = int(count.sum()) - cells
    variance = np.einsum("spj,spj->s", residual, residual) / df
    se = np.sqrt(variance[:, None] * (coding**2 / count).sum(axis=1))
    # Residuals of rounding size are no residuals.
    se[se < 1e-12] = 0.0
    return mean @ coding.T, se, df


def stars(p: float | None) -> str:
    """Return the article's marks: three at .01, two at .05, one at .10."""
    return "" if p is None else "*" * ((p <= 0.01) + (p <= 0.05) + (p <= 0.10))


def camara_table(results: Mapping[str, Any], layout: Layout = "text") -> str:
    """Lay results out as Tables 3–5 of the article.

    Parameters
    ----------
    results : mapping of label to Result (or its dict), or to a sequence of these
        By language or corpus, as the article's first column. Systems are the models, by name; where a model
        has one system per emotion, give one result per emotion with the same names:
        ``{"English (Black-white)": [anger, fear, joy, sadness], …}``. Every system needs a task.
    layout : {"text", "csv", "latex"}
        Two blocks of two emotions as printed, or, as CSV, one line per model.

    Returns
    -------
    str
        Coefficients to three decimals, stars for p ≤ .10, .05 and .01, and the label that the tests do not hold
        their level.

    Raises
    ------
    OptionError
        If the layout is unknown, or a system has no task, or another than these four.
    """
    one_of("layout", layout, LAYOUTS)
    cells: dict[tuple[str, str], dict[str, list[str]]] = {}
    for label, given in results.items():
        for result in given if isinstance(given, list | tuple) else [given]:
            for term in (result if isinstance(result, Mapping) else result.to_dict())["terms"]:
                line = cells.setdefault((label, str(term.get("system", ""))), {})
                line.setdefault(_task(term), []).append(f"{round(term['effect'], 3)}{stars(term['p'])}")
    if layout == "csv":
        return _as_csv(cells)
    blocks = [_block(cells, pair) for pair in (EMOTIONS[:2], EMOTIONS[2:])]
    if layout == "latex":
        return _as_latex(blocks)
    return "\n\n".join(align(block) for block in blocks) + f"\n\n{STARS}\n{LABEL}"


def _task(term: Mapping[str, Any]) -> str:
    task = term.get("task")
    if task not in EMOTIONS:
        raise OptionError(
            f"a row of system {term.get('system')!r} has the task {task!r}; the tables of Câmara et al. (2022) have "
            f"columns for {', '.join(EMOTIONS)}: give camara2022 tasks="
        )
    return str(task)


def _block(cells: Mapping[tuple[str, str], Mapping[str, list[str]]], emotions: Sequence[str]) -> list[list[str]]:
    lines = [
        ["", "", *(x for e in emotions for x in (f"{e.capitalize()} Coefficients", "", ""))],
        ["Language", "Model", *TERMS * len(emotions)],
    ]
    before = None
    for (label, model), line in cells.items():
        values = [x for emotion in emotions for x in (*line.get(emotion, ()), "–", "–", "–")[:3]]
        lines.append(["" if label == before else label, model, *values])
        before = label
    return lines


def _as_csv(cells: Mapping[tuple[str, str], Mapping[str, list[str]]]) -> str:
    head = ["Language", "Model", *(f"{e.capitalize()} {term}" for e in EMOTIONS for term in TERMS), "Note"]
    lines = (
        [*key, *(x for e in EMOTIONS for x in (*line.get(e, ()), "", "", "")[:3]), LABEL] for key, line in cells.items()
    )
    return as_csv([head, *lines])


def _as_latex(blocks: Sequence[Sequence[Sequence[str]]]) -> str:
    lines = [r"\begin{tabular}{llrrrrrr}", r"\toprule"]
    for block in blocks:
        head = " & ".join(rf"\multicolumn{{3}}{{c}}{{{cell}}}" for cell in block[0] if cell)
        lines += [rf" & & {head} \\", " & ".join(block[1]) + r" \\", r"\midrule"]
        lines += [" & ".join(_latex_cell(cell) for cell in line) + r" \\" for line in block[2:]]
        lines.append(r"\bottomrule" if block is blocks[-1] else r"\midrule")
    return "\n".join([*lines, latex_note(f"{STARS}. {LABEL}", 8), r"\end{tabular}", ""])


def _latex_cell(cell: str) -> str:
    number = cell.rstrip("*")
    marks = cell[len(number) :]
    try:
        float(number)
    except ValueError:
        return escape(cell)
    return f"${number}^{{{marks}}}$" if marks else f"${number}$"
