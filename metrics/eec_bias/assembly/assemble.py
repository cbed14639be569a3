"""The one path from what was observed to a result: design, analysis, rows, system by system."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from eec_bias.assembly.cues import cue_rows
from eec_bias.assembly.details import describe_table
from eec_bias.assembly.rows import cell_rows, fit_rows, no_spread_rows, rate_rows, side_rows, term_rows
from eec_bias.errors import DesignError, OptionError
from eec_bias.inputs.outputs import Outputs
from eec_bias.inputs.scores import Scores
from eec_bias.inputs.strata import Stratum
from eec_bias.inputs.wording import find_reworded
from eec_bias.options import FUNCTIONS
from eec_bias.result.families import adjust_terms
from eec_bias.result.frame import BESIDE, ON_REQUEST, Row
from eec_bias.result.result import Result
from eec_bias.result.signature import Signature
from eec_bias.stats.analysis import Analysis, analyse
from eec_bias.stats.contrasts import estimand
from eec_bias.stats.cues import Agreement, compare_cues
from eec_bias.stats.flips import Flip, find_flips
from eec_bias.stats.inference import Inference, check_inference
from eec_bias.stats.layout import Table

RATES = "rows of a rate are in shares of sentences, between 0 and 1, not in the units of the scores"

DEFAULTS = {option.name: option.default for option in FUNCTIONS["default"]}


@dataclass(frozen=True, slots=True)
class Part:
    """One kind of output in one stratum, with an analysis per table, and how their effects agree."""

    stratum: Stratum
    output: str | None
    scores: Scores
    analyses: tuple[Analysis, ...]
    agreements: tuple[Agreement, ...]
    differ: tuple[str, ...]

    @property
    def place(self) -> Row:
        """The leading keys that name stratum and output."""
        given = {"stratum": self.stratum.label, "output": self.output}
        return {key: value for key, value in given.items() if value is not None}

    @property
    def notes(self) -> list[str]:
        """What could not be compared."""
        where = "" if self.stratum.label is None else f"{self.stratum.label}, "
        own = (note for analysis in self.analyses for note in analysis.notes)
        return [f"{where}{note}" for note in (*own, *self.differ)]


def assemble(
    strata: list[Stratum], outputs: Outputs, options: Mapping[str, Any], *, data: str, notes: tuple[str, ...] = ()
) -> Result:
    """Analyse what was observed and put the rows together.

    Parameters
    ----------
    strata : list of Stratum
        What was observed, with its design.
    outputs : Outputs
        The scores of what is in memory; of other rows what is known of the systems.
    options : mapping of str to object
        Options of `measure` that were given, checked by their declarations.
    data : str
        What the signature calls the data.
    notes : tuple of str
        What was noted about the data.

    Raises
    ------
    OptionError
        If options contradict each other or the scores.
    DesignError
        If no term can be estimated.
    """
    given = DEFAULTS | dict(options)
    scores = outputs.parts[0][1]
    check_threshold(given, scores.score_range)
    inference = check_inference(given, scores.score_range, scores.observed)
    parts = [_analyse(stratum, output, part, given, inference) for stratum in strata for output, part in outputs.parts]
    axes = tuple(dict.fromkeys(axis for stratum in strata for axis in stratum.design.axes))
    rows = _rows_of_systems(parts, axes, given["edge"], inference)
    notes = (*scores.notes, *notes, *dict.fromkeys(note for part in parts for note in part.notes))
    if not rows["terms"]:
        raise DesignError(f"no term can be estimated: {'; '.join(notes)}")
    if outputs.predicted is not None and scores.score_range != (0.0, 1.0):
        notes += (RATES,)
    terms = adjust_terms(rows.pop("terms"), given["adjust"])
    beside: dict[str, Any] = {kind: tuple(found) for kind, found in rows.items()}
    known = {axis.name: axis for part in parts for a in reversed(part.analyses) for axis in a.table.axes}
    return Result(
        terms=terms,
        **beside,
        notes=notes,
        axes=axes,
        score_range=scores.score_range,
        beta_estimand=estimand([known[name] for name in axes if name in known], pairwise=inference.pairwise),
        signature=_sign(strata, axes, scores, given, inference, data),
        rates=() if given["rate_above"] is None else _rates(strata, scores, given),
        flips=() if outputs.predicted is None else _flips(strata, scores, outputs),
        details=tuple(_details(parts)),
    )


def _analyse(
    stratum: Stratum, output: str | None, scores: Scores, given: Mapping[str, Any], inference: Inference
) -> Part:
    # A rate is 0 or 1 in every row, so an edge treatment would decide its beta regression.
    edge = given["edge"] if output in (None, "score") else "none"
    found = []
    for table, members in zip(stratum.design.tables, stratum.design.members, strict=True):
        sums, values = stratum.observed.sums(table, members, scores, edge)
        bounds = scores.score_range
        found.append(
            analyse(table, sums, score_range=bounds, values=values, simple=given["simple"], inference=inference)
        )
    low, high = scores.score_range
    return Part(stratum, output, scores, tuple(found), *compare_cues(found, high - low))


def _rows_of_systems(parts: list[Part], axes: tuple[str, ...], edge: str, inference: Inference) -> dict[str, list[Row]]:
    """Rows of every kind, system by system."""
    tables = []
    for part in parts:
        tables += [(part, _rows_of(part, analysis, axes, edge)) for analysis in part.analyses]
        tables += [(part, cue_rows(agreement, inference)) for agreement in part.agreements]
    found: dict[str, list[Row]] = {kind: [] for kind in ("terms", *BESIDE) if kind not in ON_REQUEST}
    for s in range(len(parts[0].scores.values)):
        for part, of_table in tables:
            who = part.scores.who(s) | part.place
            for kind in of_table:
                found[kind] += [who | row for row in of_table[kind][s]]
    return found


def _rows_of(part: Part, analysis: Analysis, axes: tuple[str, ...], edge: str) -> dict[str, list[list[Row]]]:
    """Rows of every kind, one list per system."""
    reworded = partial(find_reworded, analysis.table, analysis.contrasts, part.stratum.observed)
    return {
        "terms": term_rows(analysis),
        "cells": cell_rows(analysis, axes),
        "fits": fit_rows(analysis, edge),
        "no_spread": no_spread_rows(analysis, reworded),
        **side_rows(analysis),
    }


def _details(parts: list[Part]) -> Any:
    for part in parts:
        systems = [part.scores.who(s) for s in range(len(part.scores.values))]
        for analysis in part.analyses:
            yield describe_table(analysis, systems, part.place, part.stratum.observed)


def _rates(strata: list[Stratum], scores: Scores, given: Mapping[str, Any]) -> tuple[Row, ...]:
    """How often scores lie above the threshold, in every system and stratum."""
    above = scores.above(given["rate_above"])
    inference = Inference(contrasts=given["contrasts"])
    found: list[list[Row]] = [[] for _ in above.values]
    for stratum in strata:
        part = _analyse(stratum, "rate", above, given, inference)
        where = {} if stratum.label is None else {"stratum": stratum.label}
        for analysis in part.analyses:
            values = analysis.table.gather(above.values)
            for s, rows in enumerate(rate_rows(analysis, values, float(given["rate_above"]))):
                found[s] += [scores.who(s) | where | row for row in rows]
    return tuple(row for rows in found for row in rows)


def check_threshold(given: Mapping[str, Any], score_range: tuple[float, float]) -> None:
    """Refuse a threshold that all scores lie above, or none can, or that is for another kind of output.

    Parameters
    ----------
    given : mapping of str to object
        The options of `measure`.
    score_range : (float, float)
        Lowest and highest possible score.

    Raises
    ------
    OptionError
        If it is one of these.
    """
    threshold, (low, high) = given["rate_above"], score_range
    if threshold is None:
        return
    if given["outputs"] not in ("score", "ordinal"):
        raise OptionError(
            f"rate_above {threshold!r} is for scores, and outputs is {given['outputs']!r}, whose rate of each class is "
            "measured as it is: leave rate_above out"
        )
    if not low <= threshold < high:
        raise OptionError(
            f"rate_above is {threshold!r}, and scores run from {low:g} to {high:g}: all of them or none could lie "
            f"above it; expected a threshold from {low:g} to below {high:g}"
        )


def _flips(strata: list[Stratum], scores: Scores, outputs: Outputs) -> tuple[Row, ...]:
    """How often the class changes, in every system and stratum."""
    assert outputs.predicted is not None
    found: list[list[Row]] = [[] for _ in outputs.predicted]
    for stratum in strata:
        where = {} if stratum.label is None else {"stratum": stratum.label}
        for table in stratum.design.tables:
            flips = find_flips(table, outputs.predicted, len(outputs.classes))
            for s, rows in enumerate(found):
                rows += [scores.who(s) | where | _flip_row(table, flip, s) for flip in flips]
    return tuple(row for rows in found for row in rows)


def _flip_row(table: Table, flip: Flip, s: int) -> Row:
    items, within = len(table.items), None if flip.within is None else float(flip.within[s])
    return {
        "axis": flip.axis, "level": flip.level, "reference": flip.reference, "subset": table.subset,
        "flip_rate": float(flip.between[s]), "within_rate": within, "n_items": items,
        "n_sentences": flip.persons * items,
    }  # fmt: skip


def _sign(
    strata: list[Stratum], axes: tuple[str, ...], scores: Scores, given: Mapping[str, Any], inference: Inference,
    data: str,
) -> Signature:  # fmt: skip
    known: dict[str, str] = {}
    for stratum in reversed(strata):
        known |= dict(zip(stratum.design.axes, stratum.design.references, strict=True))
    classes = given["classes"]
    low, high = scores.score_range
    declared = (low, high) != (0.0, 1.0) and not isinstance(classes, Mapping)
    extras = [("range", f"{low:g}..{high:g}")] if declared else []
    extras += [(name, given[name]) for name in ("incomplete", "by", "outputs") if given[name] != DEFAULTS[name]]
    if classes is not None:
        values = classes.items() if isinstance(classes, Mapping) else ()
        listed = [f"{name}={float(value):g}" for name, value in values] or map(str, classes)
        extras.append(("classes", "+".join(listed)))
    references = tuple(known[axis] for axis in axes)
    test, column = _facets(strata)
    test += "+runs" if scores.runs is not None and scores.runs.shape[1] > 1 else ""
    extras += [] if given["rate_above"] is None else [("above", f"{given['rate_above']:g}")]
    asked = (*extras, *inference.extras)
    return Signature(data, axes, references, test, given["adjust"], given["edge"], asked, strata=column)


def _facets(strata: list[Stratum]) -> tuple[str, str]:
    """What the test takes as a sample, and the column its items are stratified by."""
    facets = [table.facets for stratum in strata for table in stratum.design.tables]
    names = max((own.names for own in facets), key=len)
    return "+".join(("names", *names)), next((own.strata for own in facets if own.strata), "")
