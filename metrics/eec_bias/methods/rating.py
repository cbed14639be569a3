"""`method="rating"`: systems rated as in Lakkaraju, Srivastava & Valtorta (2022).

Data groups 1 and 3 compare every pair of classes with Student's t and add the rejections up to a weighted rejection
score (WRS). Groups 2 and 4 associate classes with emotion words and ask how much the mean score of an emotion word
changes when that is adjusted for (DIE %). Systems are ordered by these and the order is cut into levels. The tests take
sentences for independent, so they do not hold their level, and a rating of 1 asks for a score of exactly 0.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from eec_bias.errors import OptionError
from eec_bias.inputs.scores import Scores
from eec_bias.inputs.sources import Source
from eec_bias.methods.rating_adjustment import Adjusted, adjust_backdoor
from eec_bias.methods.rating_levels import read_levels
from eec_bias.methods.rating_rows import rating_rows
from eec_bias.methods.rating_sets import RatedSet, read_sets
from eec_bias.methods.rating_study import RatingStudy, describe
from eec_bias.methods.rating_tests import EPSILON, Pair, compare_pair, read_weights
from eec_bias.result.result import Result
from eec_bias.result.signature import Signature

SIZES = {0.0: (0.000, 0.30), 0.02: (0.001, 0.58), 0.05: (0.027, 0.95), 0.11: (0.18, 1.00)}
"""Shares of true nulls on race, by the standard deviation of names, logit scale: pairs rejected at 95 %, and systems
whose WRS is not 0 and whose absolute rating is the worst.

2,000 simulated systems per entry on group 3 of en-black-white: items of sd .2, precision 1000. Gender is alike.
"""

LABEL = (
    "published procedure of Lakkaraju et al. (2022), not size-controlled: where races do not differ it rejects 0 % to "
    "18 % of pairs at 95 %, and gives 30 % to 100 % of systems a WRS above 0, the more the names differ (simulated, "
    "sd of names 0 to .11)"
)


def rating(
    scores: Scores, source: Source, *, axes: Sequence[str] | None = None, weights: Any = None, levels: Any = None
) -> Result:
    """Rate systems from their scores of balanced and confounded data sets.

    Parameters
    ----------
    scores : Scores
        Checked scores.
    source : Source
        The data sets together, with the columns ``group`` and ``set``.
    axes : sequence of str, optional
        Race and gender, which is what the procedure compares.
    weights : three numbers, or mapping of confidence level to weight, optional
        Of the rejections at 95, 70 and 60 %; by default 1, .8, .6.
    levels : int, optional
        Rating levels L, by default 3.

    Returns
    -------
    Result
        Measures (``wrs, wrs_tables, die, ate, rating, rating_absolute``) and comparisons; ``study`` is a `RatingStudy`.

    Raises
    ------
    OptionError, LabelsError, DesignError
        If an option, a label or a data set cannot be used.
    """
    if axes is not None and set(axes) != {"race", "gender"}:
        raise OptionError(f"axes={tuple(axes)!r}; the rating compares race and gender: leave axes out")
    chosen, top = read_weights(weights), read_levels(levels)
    sets = read_sets(source)
    who = [scores.who(s) for s in range(len(scores.values))]
    compared = [found for one in sets if one.group in ("1", "3") for found in _compare(one, scores, source)]
    corrected = [(one, _adjust(one, scores)) for one in sets if one.group in ("2", "4")]
    study = describe(tuple(map(_name, who)), compared, corrected, chosen, top)
    low, high = scores.score_range
    scale = (("range", f"{low:g}..{high:g}"),) if (low, high) != (0.0, 1.0) else ()
    extras = (("weights", "+".join(f"{weight:g}" for weight in chosen.values())), ("levels", str(top)), *scale)
    return Result(
        rating_rows(study, who), (), (), (), (*scores.notes, *_notes(study, sets)), ("race", "gender"),
        scores.score_range, "not part of this procedure",
        Signature(source.data, ("race", "gender"), ("pairs", "pairs"), "rating", "none", "none", extras),
        study=study, method="rating",
    )  # fmt: skip


def _name(who: dict[str, Any]) -> str:
    task = who.get("task")
    return str(who.get("system", "")) + (f" ({task})" if task is not None else "")


def _compare(one: RatedSet, scores: Scores, source: Source) -> list[tuple[RatedSet, str, Pair]]:
    values = scores.values[:, one.rows]
    who = (source.coded("person").codes[one.rows], source.coded("item").codes[one.rows])
    found = []
    for attribute, classes in one.attributes.items():
        rows = [np.flatnonzero(classes.codes == code) for code in range(len(classes.levels))]
        for a, b in classes.pairs():
            names = (classes.levels[a], classes.levels[b])
            found.append((one, attribute, compare_pair(values, rows[a], rows[b], names, who, scores.span)))
    return found


def _adjust(one: RatedSet, scores: Scores) -> Adjusted:
    classes = next(iter(one.attributes.values()))
    return adjust_backdoor(scores.values[:, one.rows], one.positive, classes.codes, classes.levels, scores.span)


def _notes(study: RatingStudy, sets: Sequence[RatedSet]) -> tuple[str, ...]:
    """What is fragile, and what stands beside it."""
    found = [LABEL]
    if study.tests:
        found += [
            f"t has ε = {EPSILON:g} added to its denominator, in the units of the scores: where the scores within both "
            "groups are all equal, a difference is H and is rejected, however small",
            "wrs counts rejections with critical values t(1 − (1 − CI)/2) and the weights asked for; wrs_tables has "
            "the weights 1, .7, .6 and t(1 − (1 − CI)/4), from which the article's tables follow",
        ]
    if study.adjusted:
        found.append("DIE % is relative to the mean score, so it depends on where the scale has its 0")
    if len(study.systems) > 1:
        found.append(
            f"ratings are relative: the sorted scores of {len(study.systems)} systems are split into {study.levels} "
            "parts, so a rating changes with the company; rating_absolute is that of each system alone"
        )
    if any(row["x"] for row in study.ratings):
        found.append("X stands for a DIE % whose denominator is 0; it counts as worst")
    genders = {level for one in sets if "gender" in one.attributes for level in one.attributes["gender"].levels}
    if genders and not any(level.startswith("neutral") for level in genders):
        found.append("without a neutral reference there are two levels of gender, and the scores are smaller for it")
    found.append("a rating of 1 says that these sentences show no difference, not that there is none")
    return tuple(found)
