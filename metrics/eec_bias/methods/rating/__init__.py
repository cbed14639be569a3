"""Systems rated as in Lakkaraju, Srivastava & Valtorta (2022).

Data groups 1 and 3 compare every pair of classes with Student's t and add the rejections up to a weighted rejection
score (WRS). Groups 2 and 4 associate classes with emotion words and ask how much the mean score of an emotion word
changes when that is adjusted for (DIE %). Systems are ordered by these and the order is cut into levels. The tests take
sentences for independent, so they do not hold their level, and by itself a system gets 1 only for a score of 0.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from eec_bias.errors import OptionError
from eec_bias.inputs.axes import FIRST_AXES
from eec_bias.inputs.reading import read_scored
from eec_bias.inputs.scores import Scores
from eec_bias.methods.published import WORDS, build_result, name_system, row, to_json
from eec_bias.methods.rating.adjustment import ENDS, adjust_backdoor
from eec_bias.methods.rating.comparisons import EPSILON, TEXT, column_of, compare_classes, read_weights
from eec_bias.methods.rating.deconfounded import Deconfounded
from eec_bias.methods.rating.deconfounding import deconfound, discretised
from eec_bias.methods.rating.ratings import rate
from eec_bias.methods.rating.resampling import Resampled, resample_die, resample_marks, weighted_draws
from eec_bias.methods.rating.sets import RatedSet, read_sets
from eec_bias.methods.rating.study import RatingStudy
from eec_bias.notes import Note
from eec_bias.options import Floats, MeasureOptions, Tasks, checked
from eec_bias.result.facts import Facts
from eec_bias.result.frame import Row
from eec_bias.result.parts import by_keys
from eec_bias.result.record import scalars_by_system
from eec_bias.result.result import Result
from eec_bias.result.term import Term

__all__ = ["Deconfounded", "RatingStudy", "deconfound", "discretised", "rating"]

SIZES = {0.0: (0.000, 0.30), 0.02: (0.001, 0.58), 0.05: (0.027, 0.95), 0.11: (0.18, 1.00)}
"""Shares of true nulls on race, by the standard deviation of names, logit scale: pairs rejected at 95 %, and systems
whose WRS is not 0 and whose absolute rating is the worst.

2,000 simulated systems per entry on group 3 of en-black-white: items of sd .2, precision 1000. Gender is alike.
"""

SAYS = WORDS["rating"]
NOTE = Note("rating_row")
MEASURES = ("wrs", "wrs_tables", "die", "rating", "rating_absolute")
MEASURE_NOTES = {
    "wrs": Note("rating_wrs_row"),
    "wrs_tables": Note("rating_wrs_tables_row"),
    "die": Note("rating_die_row"),
    "rating": Note("rating_rating_row"),
    "rating_absolute": Note("rating_rating_absolute_row"),
}

OF_ATTRIBUTE = {"gender": "gender", "race": "race", "rg": "race+gender"}


@checked("rating")
def rating(
    scores: Any,
    data: Any,
    *,
    weights: Mapping[float, float] | Sequence[float] | None = None,
    levels: int | None = None,
    score_range: tuple[float, float] = (0.0, 1.0),
    systems: Sequence[str] | None = None,
    tasks: Tasks = None,
) -> Result:
    """Rate systems from their scores of balanced and confounded data sets, as Lakkaraju et al. (2022).

    Parameters
    ----------
    scores, score_range, systems, tasks
        As for ``measure``; scores as systems × rows.
    data : Dataset, frame, table or mapping of columns
        The data sets together, with the columns ``group`` and ``set``, as ``eec_datasets.confounded`` makes them.
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
    if isinstance(systems, str):
        raise OptionError(
            f"systems is {systems!r}: the rating takes scores as systems × rows, as its data sets share persons and "
            "items"
        )
    chosen, top = read_weights(weights), 3 if levels is None else int(levels)
    options = MeasureOptions(score_range=score_range, systems=systems, tasks=tasks)
    source, outputs = read_scored(scores, data, options)
    checked = outputs.scores
    sets = read_sets(source)
    keys_by_name = {name_system(keys): keys for keys in map(checked.systems.keys_of, range(len(checked.values)))}
    study = _study(sets, checked, tuple(keys_by_name), chosen, top)
    terms = tuple(_rows(study, keys_by_name))
    usual = list(chosen) == list(TEXT)
    listed = "+".join(f"{weight:g}" if usual else f"{level:g}={weight:g}" for level, weight in chosen.items())
    facts = Facts(
        data=source.data,
        axes=FIRST_AXES,
        references=("pairs", "pairs"),
        samples=("rating",),
        score_range=checked.score_range,
        settings=(("weights", listed), ("levels", str(top))),
    )
    return build_result(
        "rating", facts, checked, terms=terms, notes=(*checked.notes, *_notes(study, sets)), study=study,
        own_scalars=scalars_by_system(terms, rating_scalars),
    )  # fmt: skip


def _study(
    sets: Sequence[RatedSet], scores: Scores, systems: tuple[str, ...], weights: dict[float, float], levels: int
) -> RatingStudy:
    """Compare, adjust and rate."""
    several = len({rated_set.case for rated_set in sets if rated_set.group == "2"}) > 1
    tests, adjusted, effects, shares = (list[Row]() for _ in range(4))
    resampled: dict[str, Resampled] = {}
    rng = np.random.default_rng(0)
    for rated_set in sets:
        values = scores.values[:, rated_set.rows]
        if rated_set.group in ("1", "3"):
            tests += compare_classes(rated_set, values, scores.span, list(weights), systems)
            marked = resample_marks(rated_set, values, scores.span, list(weights), rng)
            for attribute, marks in marked.items():
                column = column_of(rated_set.group, attribute)
                _add_up(resampled.setdefault(column, {}), systems, weighted_draws(marks, weights))
            continue
        label = rated_set.label
        if several and rated_set.group == "2":
            label = f"{rated_set.label} k={rated_set.case}"
        place = {"group": rated_set.group, "set": label}
        (classes,) = rated_set.attributes.values()
        after = adjust_backdoor(values, rated_set.positive, classes.codes, classes.levels, scores.span)
        shares += [
            place | {"case": rated_set.case, "class": name, "positive": 100 * share}
            for name, share in zip(classes.levels, after.shares.tolist(), strict=True)
        ]
        _keep_largest(
            resampled.setdefault(rated_set.group, {}), systems, resample_die(rated_set, values, scores.span, rng)
        )
        for s, system in enumerate(systems):
            effects.append({"system": system, **place, "ate": float(after.ate[s])})
            changes = np.stack([after.observed[s], after.do[s], after.die[s]], axis=1).tolist()
            for words, (observed, do, die) in zip(ENDS, changes, strict=True):
                change = {"system": system, **place, "words": words, "observed": observed, "do": do}
                adjusted.append(change | {"die": to_json(die), "x": die == math.inf})
    ratings = rate(tests, adjusted, weights, levels, resampled)
    return RatingStudy(systems, levels, weights, tuple(tests), tuple(adjusted), tuple(effects), tuple(shares), ratings)


def _add_up(found: Resampled, systems: Sequence[str], draws: Floats) -> None:
    """Add the WRS of a data set to those of the others of its data group, in every resample."""
    for system, own in zip(systems, draws.T, strict=True):
        found[system] = found[system] + own if system in found else own


def _keep_largest(found: Resampled, systems: Sequence[str], draws: Floats) -> None:
    """Keep the largest DIE % of every system and resample over the sets of a data group."""
    for system, own in zip(systems, draws.T, strict=True):
        found[system] = np.maximum(found[system], own) if system in found else own


def _rows(study: RatingStudy, keys_by_name: Mapping[str, Row]) -> Iterator[Term]:
    """Rows of terms, system by system: measures first, then comparisons."""
    kinds = (study.ratings, study.effects, study.adjusted, study.tests)
    ratings, effects, adjusted, tests = (by_keys(rows, "system") for rows in kinds)
    for name, keys in keys_by_name.items():
        for rated in ratings.get((name,), []):
            for term in MEASURES:
                value = rated["absolute" if term == "rating_absolute" else term]
                notes = [MEASURE_NOTES[term]]
                x = term == "die" and rated["x"]
                if value is None and not x:
                    continue
                if x:
                    notes.append(Note("rating_x_of_measure"))
                if term == "rating" and rated["unranked"]:
                    notes.append(Note("rating_not_ordered", {"systems": ", ".join(rated["unranked"])}))
                yield row(keys, *notes, term=term, subset=rated["group"], effect=value and float(value))
        for effect in effects.get((name,), []):
            yield row(
                keys, Note("rating_ate_row"), **_place(effect), axes="emotion", term="ate", level="positive",
                reference="negative", effect=effect["ate"],
            )  # fmt: skip
        for change in adjusted.get((name,), []):
            notes = [Note("rating_change_row", {"observed": change["observed"], "adjusted": change["do"]})]
            if change["x"]:
                notes.append(Note("rating_x_of_change"))
            yield row(
                keys, *notes, **_place(change), axes="emotion", term="die", level=change["words"],
                reference="observed", effect=change["die"],
            )  # fmt: skip
        for test in tests.get((name,), []):
            sizes = {f"n_{kind}": test[kind] for kind in ("persons", "items", "sentences")}
            about = _place(test) | {"term": test["attribute"], "axes": OF_ATTRIBUTE[test["attribute"]]}
            notes = [NOTE, Note("rating_h")] if test["high"] else [NOTE]
            yield row(keys, *notes, **test | about | sizes | {"df": float(test["df"])})


def _place(each: Row) -> Row:
    return {"subset": f"{each['group']}/{each['set']}"}


def rating_scalars(terms: Sequence[Term]) -> dict[str, float | None]:
    """Return the measures by flat names: ``rating``, ``rating[1]``, ``wrs[3_RG]``, ``die[2]``, ``ate[2/E3]``."""
    return {
        line["term"] if line["subset"] == "overall" else f"{line['term']}[{line['subset']}]": line["effect"]
        for line in terms
        if line["term"] in (*MEASURES, "ate") and not (line["term"] == "die" and line["level"])
    }


def _notes(study: RatingStudy, sets: Sequence[RatedSet]) -> tuple[Note, ...]:
    """Notes on what is fragile in the ratings, and what is shown beside them."""
    notes = [Note("rating")]
    if study.tests:
        notes.append(Note("rating_epsilon", {"epsilon": EPSILON}))
        if any(rated["wrs_tables"] is not None for rated in study.ratings):
            notes.append(Note("rating_rejections_as_tables"))
        else:
            notes.append(Note("rating_rejections"))
    if study.adjusted:
        notes.append(Note("rating_adjusted"))
    if len(study.systems) > 1:
        notes.append(Note("rating_relative", {"systems": len(study.systems), "levels": study.levels}))
    if any(rated["x"] for rated in study.ratings):
        notes.append(Note("rating_x"))
    if any(rated["unranked"] for rated in study.ratings):
        notes.append(Note("rating_unranked"))
    genders = {level for data in sets if "gender" in data.attributes for level in data.attributes["gender"].levels}
    if len(genders) == 2 and not any(level.startswith("neutral") for level in genders):
        notes.append(Note("rating_two_genders"))
    notes.append(Note("rating_alone", {"rating": "rating_absolute" if len(study.systems) > 1 else "rating"}))
    return tuple(notes)
