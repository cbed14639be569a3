"""The procedure of Câmara et al. (2022), as published: least squares over the name sentences of one emotion.

The article describes a beta regression y = β0 + β1·race + β2·gender + β3·race·gender; its released script
replaces the beta coefficients by those of ordinary least squares on the response scale and does not print
the intercept, and the published magnitudes are differences of means. So the coefficients here are those of
least squares with intercept, the treatment-coded differences of cell means; the beta coefficients stand beside
them. Sentences are taken for independent, which they are not: the test does not hold its level.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, product
from operator import itemgetter
from typing import Any

import numpy as np

from eec_bias.assembly.rows import fill_rows, fit_rows, name_rows
from eec_bias.errors import DesignError, OptionError
from eec_bias.methods.published import WORDS, PublishedStudy, keep_items, read_study, t_columns
from eec_bias.notes import Note
from eec_bias.options import Floats, Ints, Layout, MeasureOptions, Tasks, checked
from eec_bias.result.frame import BESIDE, Row
from eec_bias.result.numbers import p_value, rounded
from eec_bias.result.parts import by_keys
from eec_bias.result.result import Result
from eec_bias.result.tables import at_references, frame_of, lay_out
from eec_bias.result.term import LEADING, Term
from eec_bias.stats.beta import fit_table
from eec_bias.stats.contrasts import build_contrasts, estimand
from eec_bias.stats.layout import Table
from eec_bias.stats.rounding import ZERO
from eec_bias.stats.sums import summarise

SIZES = {0.0: 0.000, 0.02: 0.003, 0.05: 0.17, 0.11: 0.49}
"""Share of true nulls rejected at .05, by the standard deviation of names on the logit scale.

4,000 simulated systems per entry: 10 names per cell, 35 items of sd .2, precision 1000. The names of real
systems have sd .0 to .17, .11 on average.
"""

LABEL, NOTE = Note("camara2022"), Note("camara2022_row")

EMOTIONS = ("anger", "fear", "joy", "sadness")
TERMS = {"race": "Race/Ethnicity", "gender": "Gender", "race:gender": "Intersection"}
_STARRED = re.compile(r"(?<= )(-?\d+\.\d+(?:e-\d+)?)(\**)(?= [&\\])")
"""A coefficient in a cell of a LaTeX table."""


@dataclass(frozen=True, slots=True)
class CoefficientStudy:
    """The rows of one corpus, from which Tables 3–5 of the article are made."""

    corpus: str
    terms: tuple[Term, ...]

    def to_dict(self) -> dict[str, Any]:
        """An empty dict: the rows say everything."""
        return {}

    def tables(self, layout: Layout = "text") -> dict[str, str]:
        """Lay the coefficients out as the article does; without tasks, which its columns are, as a list."""
        if all(term.get("task") in EMOTIONS for term in self.terms):
            return {"coefficients": _table({self.corpus: self.terms}, layout)}
        return {"coefficients": _term_list(self.terms, layout)}


@checked("camara2022")
def camara2022(
    scores: Any,
    data: Any,
    *,
    tasks: Tasks = None,
    axes: Sequence[str] | None = None,
    reference: Any = "default",
    score_range: tuple[float, float] = (0.0, 1.0),
    confidence: float = 0.95,
    edge: str = "none",
    systems: Sequence[str] | str | None = None,
) -> Result:
    """Repeat the analysis of Câmara et al. (2022).

    Parameters
    ----------
    scores, data, axes, reference, score_range, confidence, edge, systems
        As for ``measure``.
    tasks : str, sequence or mapping of system to task, optional
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
    options = MeasureOptions(
        tasks=tasks,
        axes=axes,
        reference=reference,
        score_range=score_range,
        confidence=confidence,
        systems=systems,
    )
    study = read_study(scores, data, options)
    names = next((table for table in study.design.tables if table.subset == "names"), None)
    if names is None:
        raise DesignError("the data have no names; the procedure of Câmara et al. (2022) compares name sentences")
    by_task = [_rows_of_task(study, names, task, edge) for task in dict.fromkeys(study.tasks)]
    by_system = sorted(chain.from_iterable(by_task), key=itemgetter(0))
    terms = tuple(term for _, rows, _ in by_system for term in rows)
    return study.result(
        "camara2022",
        terms,
        LABEL,
        settings=() if edge == "none" else (("edge", edge),),
        fits=tuple(fit for *_, fit in by_system),
        beta_estimand=estimand(names.axes),
        study=CoefficientStudy(study.source.data.title or "?", terms),
    )


def _rows_of_task(
    study: PublishedStudy, names: Table, task: str | None, edge: str
) -> Iterator[tuple[int, list[Term], Row]]:
    """Give the systems that share a task, each with its rows and its fit."""
    members = np.flatnonzero([other == task for other in study.tasks])
    table, subset = names, "names"
    if task is not None and task != "valence":
        table, subset = keep_items(names, study.emotions(names) == task), f"names:{task}"
    values, bounds = table.gather(study.scores.values[members]), study.scores.score_range
    contrasts = build_contrasts(table.axes)
    fitted = fit_table(summarise(values, table.cell, edge=edge, score_range=bounds), table, contrasts, bounds)
    coding = np.array([contrast.coding for contrast in contrasts])
    coef, se, df = least_squares(values, table.cell, len(table.cells), coding, study.scores.span)
    persons, items = table.rows.shape
    numbers = {
        "beta": fitted.beta, "beta_se": fitted.se, "beta_p": fitted.p, "beta_se_person": fitted.se_person,
        "logit": fitted.logit, **t_columns(coef, se, df, study.confidence),
    }  # fmt: skip
    common = {"df": float(df), "n_persons": persons, "n_items": items, "n_sentences": persons * items}
    fixed = [name | common for name in name_rows(contrasts, subset)]
    rows, fits = fill_rows(fixed, numbers, len(members)), fit_rows(fitted, subset, edge)
    for s, system in enumerate(members.tolist()):
        keys = study.scores.systems.keys_of(system)
        yield (
            system,
            [Term(**keys, **term, notes=(NOTE,)) for term in rows[s]],
            keys | dict.fromkeys(BESIDE["fits"]) | fits[s][0],
        )


def least_squares(
    values: Floats, cell: Ints, cells: int, coding: Floats, scale: float = 1.0
) -> tuple[Floats, Floats, int]:
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
    scale : float
        Width of the score range, the unit of what counts as 0.

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
    # Residuals of rounding size are no residuals, and such coefficients no differences.
    se[se < ZERO * scale] = 0.0
    coef = mean @ coding.T
    coef[np.abs(coef) < ZERO * scale] = 0.0
    return coef, se, df


def stars(p: float | None) -> str:
    """Return the article's marks: three at .01, two at .05, one at .10."""
    return "" if p is None else "*" * ((p <= 0.01) + (p <= 0.05) + (p <= 0.10))


def camara_table(results: Mapping[str, Result | Sequence[Result]], layout: Layout = "text") -> str:
    """Lay results out as Tables 3–5 of the article.

    Parameters
    ----------
    results : mapping of label to Result, or to a sequence of these
        By language or corpus, as the article's first column. Systems are the models, by name; where a model
        has one system per emotion, give one result per emotion with the same names:
        ``{"English (Black-white)": [anger, fear, joy, sadness], …}``. Every system needs a task.
    layout : {"text", "csv", "latex"}
        The form.

    Returns
    -------
    str
        A line per model; coefficients to three decimals, stars for p ≤ .10, .05 and .01, and the label that the tests
        do not hold their level.

    Raises
    ------
    OptionError
        If the layout is unknown, or a system has no task, or another than these four.
    """
    several = {label: [part] if isinstance(part, Result) else part for label, part in results.items()}
    return _table({label: [term for part in parts for term in part.terms] for label, parts in several.items()}, layout)


def _table(corpora: Mapping[str, Sequence[Term]], layout: Layout) -> str:
    import pandas as pd

    counts = (by_keys(terms, "system", "task", "term") for terms in corpora.values())
    several = {term for groups in counts for (*_, term), rows in groups.items() if len(rows) > 1}
    cells = {}
    for label, term in ((label, term) for label, terms in corpora.items() for term in terms):
        name, task = str(TERMS.get(term["term"], term["term"])), term.get("task")
        if task not in EMOTIONS:
            raise OptionError(
                f"a row of system {term.get('system')!r} has the task {task!r}; the tables of Câmara et al. (2022) "
                f"have columns for {', '.join(EMOTIONS)}: name the emotion of each system in tasks"
            )
        name += f" {term['level']}" if term["term"] in several else ""
        cells[label, term.get("system", ""), task, name] = _starred(term)
    keys = ["Language", "Model", "emotion", "term"]
    wide = pd.Series(cells, dtype=object).rename_axis(keys).unstack(keys[2:], sort=False)
    places = list(product(EMOTIONS, dict.fromkeys(term for *_, term in cells)))
    wide = wide.reindex(columns=pd.MultiIndex.from_tuples(places))
    if layout == "csv":
        flat = wide.set_axis([f"{emotion.capitalize()} {term}" for emotion, term in places], axis="columns")
        return lay_out(flat.reset_index().assign(Note=str(LABEL)), layout)
    wide = wide.rename(columns={emotion: f"{emotion.capitalize()} Coefficients" for emotion in EMOTIONS}, level=0)
    half = len(places) // 2
    blocks = ((wide.iloc[:, :half], ""), (wide.iloc[:, half:], f"{WORDS['camara2022']['stars']}; {LABEL}"))
    texts = [lay_out(block.reset_index(col_level=1), layout, left=2, note=note) for block, note in blocks]
    return "\n\n".join(_STARRED.sub(r"$\1^{\2}$", text) if layout == "latex" else text for text in texts)


def _starred(term: Term) -> str:
    short, starred = round(term["effect"], 3), stars(term["p"])
    # As the article prints it; what is starred is not 0.
    return f"{short if short or not starred else rounded(term['effect'])}{starred}"


def _term_list(terms: Sequence[Term], layout: Layout) -> str:
    """The terms as a list: every column in CSV, those meant to be read in the other forms."""
    if layout == "csv":
        return lay_out(frame_of(terms), layout)
    frame = frame_of(at_references(terms)).assign(p=[p_value(term["p"]) for term in terms])
    words = [*(key for key in LEADING if key in terms[0]), "term", "level", "reference", "subset"]
    return lay_out(
        frame[[*words, "effect", "ci_low", "ci_high", "p", "beta"]], layout, left=len(words), note=str(LABEL)
    )
