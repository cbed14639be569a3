"""The procedure of Kiritchenko & Mohammad (2018), as published: paired t-tests over template-words.

Gender: per template-word (item) one pair for each noun-phrase pair and one pair of averages over all female and
all male names, 11 × 144 = 1,584 pairs on the English corpus; race: one pair of averages over the names of each
race, 144 pairs. A system is put in one of three groups by a t-test over pairs at .05 divided by the number of
assessments. The same few names stand behind every pair, so the pairs are not independent and the test
does not hold its level.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress
from typing import Any

import numpy as np
from scipy.special import stdtr, stdtrit

from eec_bias.errors import DesignError, OptionError
from eec_bias.methods.published import NEUTRAL, Study, gather, plain, read_study, row, two_levels
from eec_bias.options import Bools, Floats, Ints
from eec_bias.result.frame import Row
from eec_bias.result.result import Result
from eec_bias.stats.layout import Table
from eec_bias.stats.paired_contrasts import differences, members
from eec_bias.stats.two_way import ZERO

ALPHA = 0.05
SIZES = {0.0: (0.05, 0.000), 0.02: (0.61, 0.31), 0.05: (0.82, 0.66), 0.11: (0.92, 0.84)}
"""Share of true nulls on race rejected at .05 and at .05/438, by the standard deviation of names, logit scale.

4,000 simulated systems per entry: 10 names per cell, 144 items of sd .2, precision 1000. Gender is alike.
"""

LABEL = (
    "published procedure of Kiritchenko & Mohammad (2018), not size-controlled: of true nulls it rejects 5 % to 92 % "
    "at .05, and up to 84 % at .05/438, the more the names differ (simulated, sd of names 0 to .11)"
)

NOTE = "published procedure, not size-controlled: it rejects up to 92 % of true nulls at .05"
"""`LABEL` in short, for every row."""


@dataclass(frozen=True, slots=True)
class PairStudy:
    """Score differences Δ of sentence pairs, for many systems.

    Attributes
    ----------
    result : Result
        The long frame: one row per system, axis and subset, ``effect`` the mean Δ and ``p`` of the paired t-test,
        ``p_adjusted`` times the number of assessments (Bonferroni).
    details : tuple of dict
        What the article's tables and figures show, one row per system, axis and subset: ``term, subset, pairs,
        group, mean, up, down, spread, minimum, whisker_low, q1, median, q3, whisker_high, maximum``; ``up`` and
        ``down`` are the mean Δ of the pairs above and below zero (null where there is none), ``spread`` is the
        largest minus the smallest Δ, whiskers reach the last pair within 1.5 interquartile ranges.
    deltas : dict of (term, subset) to (S, pairs) array
        The differences; NaN where the subset does not apply to a system.
    assessments : int
        Divisor of the level.
    """

    result: Result
    details: tuple[Row, ...]
    deltas: dict[tuple[str, str], Floats]
    assessments: int

    def to_dict(self) -> dict[str, Any]:
        """Return what figures need, as plain JSON types: the details and the number of assessments."""
        return {"details": [dict(row) for row in self.details], "assessments": self.assessments}


@dataclass(frozen=True, slots=True)
class _Pairs:
    """Differences on all pairs of one axis; of each pair the emotion and item, and how many sentences it compares."""

    axis: str
    level: str
    reference: str
    delta: Floats
    emotion: tuple[str, ...]
    item: tuple[str, ...]
    sentences: Ints
    persons: int


def kiritchenko2018(
    scores: Any,
    data: Any,
    *,
    tasks: str | Sequence[str | None] | None = None,
    axes: Sequence[str] | None = None,
    reference: Any = "default",
    score_range: tuple[float, float] = (0.0, 1.0),
    assessments: int | None = None,
    systems: Sequence[str] | None = None,
    data_name: str | None = None,
) -> PairStudy:
    """Repeat the analysis of Kiritchenko & Mohammad (2018).

    Parameters
    ----------
    scores, data, axes, reference, score_range, systems, data_name
        As for ``measure``.
    tasks : str or sequence of (str or None), optional
        What each system predicts: an emotion, or ``valence``. A system with an emotion is also tested on the
        sentences of that emotion (subset ``matching``).
    assessments : int, optional
        Number of tests the level is divided by; by default systems × axes, 438 for the article's 219 systems.

    Returns
    -------
    PairStudy

    Raises
    ------
    DesignError
        If an axis has more than two levels, or the data carry no pairs.
    """
    study = read_study(
        scores, data, tasks=tasks, axes=axes, reference=reference, score_range=score_range, systems=systems,
        data_name=data_name,
    )  # fmt: skip
    found = [pairs for axis in study.design.axes for pairs in _axis_pairs(study, axis)]
    if not found:
        raise DesignError("the data have neither names nor pairs to compare on the axes measured")
    divisor = len(study.tasks) * len(found) if assessments is None else assessments
    if divisor < 1:
        raise OptionError(f"assessments={assessments!r}; expected the number of tests, 1 or more")
    terms: list[Row] = []
    details: list[Row] = []
    deltas: dict[tuple[str, str], Floats] = {}
    per_system: list[tuple[list[Row], list[Row]]] = [([], []) for _ in study.tasks]
    for pairs in found:
        for subset, keep in _subsets(study, pairs).items():
            deltas[pairs.axis, subset] = _test(study, pairs, subset, keep, divisor, per_system)
    for rows, described in per_system:
        terms += rows
        details += described
    result = Result(
        tuple(terms), (), (), (), (*study.design.notes, LABEL), study.design.axes, study.scores.score_range,
        "not part of this procedure", study.signature("kiritchenko2018", f"bonferroni/{divisor}", "none"),
    )  # fmt: skip
    return PairStudy(result, tuple(details), deltas, divisor)


def _axis_pairs(study: Study, axis: str) -> list[_Pairs]:
    """Collect the pairs of one axis from names and noun phrases; empty where the axis has none."""
    parts, sentences = [], []
    emotion: list[str] = []
    item: list[str] = []
    persons = 0
    sides = None
    for table in study.design.tables:
        if axis not in (a.name for a in table.axes):
            continue
        sides = two_levels(table, axis)
        values = gather(study.scores.values, table)
        delta = _base_differences(table, values, axis, sides) if table.paired else _average(table, values, axis, sides)
        parts.append(delta.reshape(len(values), -1))
        item += list(table.items) * delta.shape[1]
        sentences.append(np.full(parts[-1].shape[1], 2 if table.paired else len(table.persons)))
        if "emotion" in study.source.columns:
            emotion += list(study.emotions(table)) * delta.shape[1]
        persons += len(table.persons)
    if sides is None:
        return []
    delta, compared = np.concatenate(parts, axis=1), np.concatenate(sentences)
    return [_Pairs(axis, *sides, delta, tuple(emotion), tuple(item), compared, persons)]


def _side(table: Table, axis: str, level: str) -> Bools:
    """Cells of a table that carry a level."""
    at = [a.name for a in table.axes].index(axis)
    return np.array([cell[at] == level for cell in table.cells])


def _average(table: Table, values: Floats, axis: str, sides: tuple[str, str]) -> Floats:
    """Difference of the averages over all names of each level, (S, 1, J)."""
    first, second = (_side(table, axis, level)[table.cell] for level in sides)
    return np.asarray(values[:, first].mean(axis=1, keepdims=True) - values[:, second].mean(axis=1, keepdims=True))


def _base_differences(table: Table, values: Floats, axis: str, sides: tuple[str, str]) -> Floats:
    """Difference within each noun-phrase pair, (S, bases, J)."""
    if len(table.axes) > 1:
        raise DesignError(
            f"the pairs carry the axes {', '.join(a.name for a in table.axes)}; the procedure of Kiritchenko & "
            "Mohammad (2018) knows pairs that differ in one: choose it with axes="
        )
    weights = np.where(_side(table, axis, sides[0]), 1.0, -1.0)
    return differences(values, members(table, weights), weights)


def _subsets(study: Study, pairs: _Pairs) -> dict[str, Bools]:
    """Pairs of each subset, (S, pairs) where it depends on the system."""
    everywhere = np.ones((len(study.tasks), pairs.delta.shape[1]), dtype=bool)
    found = {"all": everywhere}
    if pairs.emotion:
        emotion = np.array(pairs.emotion)
        if (emotion == NEUTRAL).any():
            found["neutral"] = everywhere & (emotion == NEUTRAL)
        matching = np.array([emotion == task for task in study.tasks])
        if matching.any():
            found["matching"] = matching
    return found


def _test(
    study: Study,
    pairs: _Pairs,
    subset: str,
    keep: Bools,
    divisor: int,
    per_system: list[tuple[list[Row], list[Row]]],
) -> Floats:
    """Test one subset of the pairs; add each system's rows and return its differences."""
    tiny = ZERO * study.scores.span
    for s, (rows, described) in enumerate(per_system):
        delta = pairs.delta[s, keep[s]]
        if delta.size < 2:
            continue
        n, mean = delta.size, float(delta.mean())
        se = float(delta.std(ddof=1)) / np.sqrt(n)
        se, mean = (0.0 if abs(x) <= tiny else x for x in (se, mean))
        t = mean / se if se else np.nan
        p = 2 * float(stdtr(n - 1, -abs(t))) if se else (np.nan if mean else 1.0)
        reach = stdtrit(n - 1, 0.975) * se
        rows.append(
            row(
                study.who(s), term=pairs.axis, axes=pairs.axis, level=pairs.level, reference=pairs.reference,
                subset=subset, effect=mean, se=se, df=n - 1.0, t=t, p=p, p_adjusted=min(p * divisor, 1.0),
                ci_low=mean - reach, ci_high=mean + reach, n_persons=pairs.persons,
                n_items=len(set(compress(pairs.item, keep[s]))), n_sentences=int(pairs.sentences[keep[s]].sum()),
                note=f"{n} pairs; {NOTE}",
            )
        )  # fmt: skip
        described.append(
            study.who(s)
            | {"term": pairs.axis, "level": pairs.level, "reference": pairs.reference, "subset": subset, "pairs": n}
            | {"group": _group(mean, p, divisor)}
            | _describe(delta, tiny)
        )
    if keep[0].sum() and (keep == keep[0]).all():
        return pairs.delta[:, keep[0]]
    return np.where(keep, pairs.delta, np.nan)


def _group(mean: float, p: float, divisor: int) -> str:
    """``up``: the level scores higher; ``down``: lower; ``none``: not significant."""
    if mean == 0 or p >= ALPHA / divisor:
        return "none"
    return "up" if mean > 0 else "down"


def _describe(delta: Floats, tiny: float) -> Row:
    above, below = delta[delta > tiny], delta[delta < -tiny]
    q1, median, q3 = np.quantile(delta, [0.25, 0.5, 0.75])
    inside = delta[(delta >= q1 - 1.5 * (q3 - q1)) & (delta <= q3 + 1.5 * (q3 - q1))]
    values = {
        "mean": delta.mean(),
        "up": above.mean() if above.size else np.nan,
        "down": below.mean() if below.size else np.nan,
        "spread": np.ptp(delta),
        "minimum": delta.min(),
        "whisker_low": inside.min(),
        "q1": q1,
        "median": median,
        "q3": q3,
        "whisker_high": inside.max(),
        "maximum": delta.max(),
    }
    return {key: plain(value) for key, value in values.items()}
