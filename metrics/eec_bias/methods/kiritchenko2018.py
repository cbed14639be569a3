"""The procedure of Kiritchenko & Mohammad (2018), as published: paired t-tests over template-words.

Gender: per template-word (item) one pair for each noun-phrase pair and one pair of averages over all female and
all male names, 11 × 144 = 1,584 pairs on the English corpus; race: one pair of averages over the names of each
race, 144 pairs. A system is put in one of three groups by a t-test over pairs at .05 divided by the number of
assessments. The same few names stand behind every pair, so the pairs are not independent and the test
does not hold its level.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from eec_bias.errors import DesignError, OptionError
from eec_bias.inputs.observed import NONE
from eec_bias.methods.published import PublishedStudy, read_study, row, t_columns
from eec_bias.notes import Note
from eec_bias.options import Bools, Floats, Ints, Layout, MeasureOptions, Tasks, checked
from eec_bias.result.details import box_of
from eec_bias.result.frame import Row, plain
from eec_bias.result.numbers import decimals
from eec_bias.result.parts import by_keys
from eec_bias.result.result import Result
from eec_bias.result.tables import lay_out
from eec_bias.result.term import Term
from eec_bias.stats.layout import Table
from eec_bias.stats.rounding import ZERO
from eec_bias.stats.sign_flips import differences

ALPHA = 0.05
SIZES = {0.0: (0.05, 0.000), 0.02: (0.61, 0.31), 0.05: (0.82, 0.66), 0.11: (0.92, 0.84)}
"""Share of true nulls on race rejected at .05 and at .05/438, by the standard deviation of names, logit scale.

4,000 simulated systems per entry: 10 names per cell, 144 items of sd .2, precision 1000. Gender is alike.
"""

LABEL, NOTE = Note("kiritchenko2018"), Note("kiritchenko2018_row")

SHORT = {"female": "F", "male": "M", "Black": "AA", "white": "EA"}
"""The article's abbreviations; other levels are written out."""


@dataclass(frozen=True, slots=True)
class PairStudy:
    """Score differences Δ of sentence pairs, for many systems.

    Attributes
    ----------
    details : tuple of dict
        What the article's tables and figures show, one row per system, axis and subset: ``term, subset, pairs,
        group, mean, up, down, spread, minimum, whisker_low, q1, median, q3, whisker_high, maximum``; ``up`` and
        ``down`` are the mean Δ of the pairs above and below zero (null where there is none), ``spread`` is the
        largest minus the smallest Δ, whiskers reach the last pair within 1.5 interquartile ranges.
    assessments : int
        Divisor of the level.
    deltas : dict of (term, subset) to (S, pairs) array
        The differences; NaN where the subset does not apply to a system. Not saved.
    """

    details: tuple[Row, ...]
    assessments: int
    deltas: dict[tuple[str, str], Floats] = field(default_factory=dict, repr=False, compare=False)

    def to_dict(self) -> dict[str, Any]:
        """Return what tables and figures need, as plain JSON types."""
        return {"details": plain(self.details), "assessments": self.assessments}

    def tables(self, layout: Layout = "text") -> dict[str, str]:
        """Lay every term and subset out as Tables 5–7, with the mean Δ-spread."""
        parts = by_keys(self.details, "term", "subset")
        tables = {f"{term}, {subset}": self._table(term, subset, layout) for term, subset in parts}
        return tables | {"biased systems": self._biased_table(layout)}

    def biased(self, term: str, subset: str = "all") -> list[Row]:
        """For each task how many systems differ, and by how much at most, as the article's text says it.

        Parameters
        ----------
        term, subset : str
            As for `summary`.

        Returns
        -------
        list of dict
            ``task, systems, differing`` (systems in the groups ``up`` and ``down``), their ``share``, and over all
            systems of the task the ``largest`` |Δ| of a pair and the largest ``spread``.
        """
        rows = []
        for (task,), of_task in by_keys(self._details(term, subset), "task").items():
            differing = sum(detail["group"] != "none" for detail in of_task)
            rows.append(
                {
                    "task": task,
                    "systems": len(of_task),
                    "differing": differing,
                    "share": differing / len(of_task),
                    "largest": max(max(abs(detail[end]) for end in ("minimum", "maximum")) for detail in of_task),
                    "spread": max(detail["spread"] for detail in of_task),
                }
            )
        return rows

    def summary(self, term: str, subset: str = "all") -> list[Row]:
        """Count systems by group and average their differences, as Tables 5–7.

        Parameters
        ----------
        term : str
            ``gender`` or ``race``.
        subset : {"all", "neutral", "matching"}
            Which sentences.

        Returns
        -------
        list of dict
            Per task four rows (groups ``none``, ``up``, ``down``, ``all``) with the number of systems and the
            means over systems of ``up``, ``down`` and ``spread``; null where a group is empty.

        Raises
        ------
        OptionError
            If the study has no such term or subset.
        """
        rows = []
        for (task,), of_task in by_keys(self._details(term, subset), "task").items():
            for group in ("none", "up", "down", "all"):
                systems = [detail for detail in of_task if group in ("all", detail["group"])]
                rows.append({"task": task, "group": group, "systems": len(systems)})
                for key in ("up", "down", "spread"):
                    known = [detail[key] for detail in systems if detail[key] is not None]
                    rows[-1][key] = float(np.mean(known)) if known else None
        return rows

    def _table(self, term: str, subset: str, layout: Layout) -> str:
        import pandas as pd

        detail = self._details(term, subset)[0]
        first, second = (SHORT.get(detail[key], detail[key]) for key in ("level", "reference"))
        up, down = f"{first}↑–{second}↓", f"{first}↓–{second}↑"
        names = {"none": f"{first}={second} not significant", "up": f"{up} significant", "down": f"{down} significant"}
        head = {"up": f"Avg. score diff. {up}", "down": f"Avg. score diff. {down}", "spread": "Δ-spread"}
        frame = pd.DataFrame(
            {
                "Task": name_task(group_row["task"]),
                "Bias group": names.get(group_row["group"], "All"),
                "#Subm.": group_row["systems"],
                **{name: decimals(group_row[key]) for key, name in head.items()},
            }
            for group_row in self.summary(term, subset)
        )
        if layout == "csv":
            return lay_out(frame.assign(Note=str(LABEL)), layout)
        frame["Task"] = frame["Task"].mask(frame["Task"].duplicated(), "")
        return lay_out(frame, layout, left=2, note=str(LABEL))

    def _biased_table(self, layout: Layout) -> str:
        """Lay out the shares of systems that differ, and the largest differences, of every term and subset."""
        import pandas as pd

        frame = pd.DataFrame(
            {
                "Term": term,
                "Sentences": subset,
                "Task": name_task(row["task"]),
                "#Subm.": row["systems"],
                "Different": f"{row['differing']} ({100 * row['share']:.0f} %)",
                "Largest |Δ|": decimals(row["largest"]),
                "Largest Δ-spread": decimals(row["spread"]),
            }
            for term, subset in by_keys(self.details, "term", "subset")
            for row in self.biased(term, subset)
        )
        if layout == "csv":
            return lay_out(frame.assign(Note=str(LABEL)), layout)
        return lay_out(frame, layout, left=3, note=str(LABEL))

    def _details(self, term: str, subset: str) -> list[Row]:
        parts = by_keys(self.details, "term", "subset")
        if (term, subset) not in parts:
            have = ", ".join(f"{t} on {s}" for t, s in parts)
            raise OptionError(f"the study has no {term!r} on {subset!r} sentences; it has {have}")
        return parts[term, subset]


def name_task(task: str | None) -> str:
    """Name a task as the article's tables do."""
    if task is None:
        return "All systems"
    if task == "valence":
        return "Valence prediction"
    return f"{task.capitalize()} intensity prediction"


@dataclass(frozen=True, slots=True)
class _Pairs:
    """Differences (S, pairs) on all pairs of one axis; of each pair its emotion and item, and how many sentences."""

    axis: str
    level: str
    reference: str
    delta: Floats
    emotion: Any
    item: Any
    sentences: Ints
    persons: int

    def subsets(self, tasks: Sequence[str | None]) -> dict[str, Bools]:
        """Pairs of each subset, (S, pairs)."""
        everywhere = np.ones(self.delta.shape, dtype=bool)
        if (self.emotion == NONE).all():  # without emotions, nothing is known to be neutral
            return {"all": everywhere}
        matching = np.array([self.emotion == task for task in tasks])
        parts = {"all": everywhere, "neutral": everywhere & (self.emotion == NONE), "matching": matching}
        return {subset: keep for subset, keep in parts.items() if keep.any()}


@checked("kiritchenko2018")
def kiritchenko2018(
    scores: Any,
    data: Any,
    *,
    tasks: Tasks = None,
    axes: Sequence[str] | None = None,
    reference: Any = "default",
    score_range: tuple[float, float] = (0.0, 1.0),
    confidence: float = 0.95,
    assessments: int | None = None,
    systems: Sequence[str] | str | None = None,
) -> Result:
    """Repeat the analysis of Kiritchenko & Mohammad (2018).

    Parameters
    ----------
    scores, data, axes, reference, score_range, systems
        As for ``measure``.
    tasks : str, sequence or mapping of system to task, optional
        What each system predicts: an emotion, or ``valence``. A system with an emotion is also tested on the
        sentences of that emotion (subset ``matching``).
    confidence : float
        Of the intervals. The groups in which systems are counted are the article's, at .05.
    assessments : int, optional
        Number of tests the level is divided by; by default systems × axes, 438 for the article's 219 systems.

    Returns
    -------
    Result
        One row per system, axis and subset, ``effect`` the mean Δ and ``p`` of the paired t-test, ``p_adjusted``
        times the number of assessments (Bonferroni); ``study`` is a `PairStudy`.

    Raises
    ------
    DesignError
        If an axis has more than two levels, or the data carry no pairs.
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
    by_axis = [pairs for axis in study.design.axes if (pairs := _pairs_of(study, axis)) is not None]
    divisor = len(study.tasks) * len(by_axis) if assessments is None else assessments
    parts = [(pairs, subset, keep) for pairs in by_axis for subset, keep in pairs.subsets(study.tasks).items()]
    tests = [
        _test(study, pairs, subset, keep[s], s, divisor)
        for s in range(len(study.tasks))
        for pairs, subset, keep in parts
        if keep[s].sum() >= 2
    ]
    if not tests:
        names = " and ".join(pairs.axis for pairs in by_axis)
        raise DesignError(f"fewer than two pairs of scores to compare on {names}; a paired t-test needs two")
    # Where systems have different pairs, the others of each are NaN.
    deltas = {
        (pairs.axis, subset): pairs.delta[:, keep[0]]
        if (keep == keep[0]).all()
        else np.where(keep, pairs.delta, np.nan)
        for pairs, subset, keep in parts
    }
    details = tuple(detail for _, detail in tests)
    return study.result(
        "kiritchenko2018", [term for term, _ in tests], LABEL, f"bonferroni/{divisor}",
        study=PairStudy(details, divisor, deltas),
    )  # fmt: skip


def _pairs_of(study: PublishedStudy, axis: str) -> _Pairs | None:
    """Collect the pairs of one axis from names and noun phrases; None where the axis has none."""
    tables = [table for table in study.design.tables if axis in (a.name for a in table.axes)]
    if not tables:
        return None
    groups = []
    for found in (next(a for a in table.axes if a.name == axis) for table in tables):
        if len(found.levels) != 2:
            raise DesignError(
                f"axis {axis!r} has the levels {', '.join(found.levels)}; the procedure compares two groups: filter "
                "the others away"
            )
        reference = found.reference or found.levels[1]
        groups.append((next(level for level in found.levels if level != reference), reference))
    if len(set(groups)) > 1:
        compared = [f"{table.subset} {' and '.join(pair)}" for table, pair in zip(tables, groups, strict=True)]
        raise DesignError(
            f"{axis!r} has other levels in each part of the data ({', '.join(compared)}), and the procedure pools "
            "their pairs; measure one part, or filter the others away"
        )
    parts = [_differences(table, study.scores.values, axis, pair) for table, pair in zip(tables, groups, strict=True)]

    def of_pairs(of_items: Callable[[Table], Any]) -> Any:
        return np.concatenate([np.tile(of_items(t), delta.shape[1]) for t, delta in zip(tables, parts, strict=True)])

    return _Pairs(
        axis, *groups[0], np.concatenate([delta.reshape(len(delta), -1) for delta in parts], axis=1),
        of_pairs(study.emotions), of_pairs(lambda table: table.items),
        of_pairs(lambda table: [2 if table.paired else len(table.persons)] * len(table.items)),
        sum(len(table.persons) for table in tables),
    )  # fmt: skip


def _differences(table: Table, scores: Floats, axis: str, groups: tuple[str, str]) -> Floats:
    """Differences (S, pairs per item, J): of the averages over all names, or within each noun-phrase pair."""
    axis_names = [a.name for a in table.axes]
    first, second = (np.array([cell[axis_names.index(axis)] == level for cell in table.cells]) for level in groups)
    values = table.gather(scores)
    if not table.paired:
        average = [values[:, members[table.cell]].mean(axis=1, keepdims=True) for members in (first, second)]
        return np.asarray(average[0] - average[1])
    if len(table.axes) > 1:
        raise DesignError(
            f"the pairs carry the axes {', '.join(axis_names)}; the procedure of Kiritchenko & "
            "Mohammad (2018) knows pairs that differ in one: name it in axes"
        )
    weights = np.where(first, 1.0, -1.0)
    return differences(values, table.within_bases(np.flatnonzero(weights)), weights)


def _test(
    study: PublishedStudy, pairs: _Pairs, subset: str, keep: Bools, system: int, divisor: int
) -> tuple[Term, Row]:
    """Test one subset of the pairs; return its row, and what tables and figures show of it."""
    tiny = ZERO * study.scores.span
    delta = pairs.delta[system, keep]
    n = delta.size
    moments = np.array([delta.mean(), delta.std(ddof=1) / np.sqrt(n)])
    mean, se = np.where(np.abs(moments) <= tiny, 0.0, moments)
    test = t_columns(mean, se, n - 1, study.confidence)
    p = test["p"]
    keys = study.scores.systems.keys_of(system)
    about = {"term": pairs.axis, "level": pairs.level, "reference": pairs.reference, "subset": subset}
    term = row(
        keys, Note("pairs_tested", {"count": n}), NOTE, **about, **test, axes=pairs.axis, df=n - 1.0,
        p_adjusted=np.minimum(p * divisor, 1.0), n_persons=pairs.persons, n_items=len(set(pairs.item[keep])),
        n_sentences=int(pairs.sentences[keep].sum()),
    )  # fmt: skip
    # A constant difference has no p, and is one all the same.
    if p >= ALPHA / divisor:
        group = "none"
    else:
        group = "up" if mean > 0 else "down"
    detail = keys | about | {"group": group} | box_of(delta)
    for name, deltas in (("up", delta[delta > tiny]), ("down", delta[delta < -tiny])):
        detail[name] = float(deltas.mean()) if deltas.size else None
    return term, detail | {"spread": spread if (spread := float(np.ptp(delta))) > tiny else 0.0}
