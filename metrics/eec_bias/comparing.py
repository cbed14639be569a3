"""Do two systems, or two checkpoints of one, differ in bias?

Both score the same sentences, so the difference of their scores on each person × item is a score itself: a
contrast of differences is the difference of the contrasts. It goes through the same test; what the two
systems share, the names' and the items' own effects, cancels.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from eec_bias.api import measure
from eec_bias.errors import OptionError, ScoresError, expect
from eec_bias.grouping import grouped
from eec_bias.inputs.containers import read_source, refuse_other_order, unpack
from eec_bias.inputs.matrices import read_scores
from eec_bias.inputs.pipelines import scores_of_outputs
from eec_bias.inputs.scores import Scores
from eec_bias.integrations.tables import with_labels
from eec_bias.notes import Note
from eec_bias.options import DEFAULTS, MeasureOptions, checked, is_name
from eec_bias.result.comparison import HEARD, REACTION
from eec_bias.result.numbers import decimals, signed
from eec_bias.result.result import Result
from eec_bias.result.term import EQUAL_SCORES, LEADING, NORMAL, SAME_GAP, WORDING, ZERO, Term

BETA_KEYS = ("beta", "beta_se", "beta_p", "beta_se_person", "logit")

OF_READING = ("config", "text", "positive_class")
"""Options that say what rows and scores are."""

OF_TESTS = ("seed", "margin")
"""Options that neither decide which effects there are nor what they are."""

OF_WHOM = (*LEADING, "term", "axes", "level", "reference", "subset")
"""Columns of a row that say what it is about."""

NO_BETA = "differences between two systems' scores are not scores on a bounded scale"


@checked("default", "a", "b", "names", "method")
def compare(
    a: Any,
    b: Any,
    data: Any,
    *,
    names: Sequence[str] = ("a", "b"),
    score_range: tuple[float, float] | None = (0.0, 1.0),
    systems: Sequence[str] | None = None,
    runs: Sequence[str] | None = None,
    **options: Any,
) -> Result:
    """Test whether two systems differ in bias on the same persons and items.

    Parameters
    ----------
    a, b : (n,) or (S, n) array, or mapping of system name to (n,) scores
        Scores of the same rows. Of matrices, rows are compared one by one, such as systems before and after.
    data : as for `measure`
        The rows.
    names : (str, str)
        What the two are called in notes and in the signature.
    score_range, systems, runs
        As for `measure`; the range is that of each system's scores. Runs are compared one by one, such as two systems
        under each prompt, and are the runs of the differences.
    **options
        Further options of `measure`: ``axes``, ``reference``, ``confidence``, ``incomplete``, ``by``, ``margin`` and
        ``seed``; and ``config``, ``text`` and ``positive_class``, which say what rows and outputs are.

    Returns
    -------
    Result
        ``effect`` is the effect of ``a`` minus that of ``b``, each of which the note of the row states; the score
        range is that of differences. There is no beta regression. Rows on reactions describe those of both systems, and
        have no test.

    Raises
    ------
    OptionError
        If an option belongs to scores that are not compared.
    ScoresError
        If the two do not have the same systems and runs.
    """
    for option in ("method", "outputs", "classes", "tasks", "rate_above"):
        if option in options:
            raise OptionError(
                f"compare takes no option {option}: it tests differences of scores with the default method"
            )
    given = isinstance(names, list | tuple) and all(map(is_name, names)) and len(names) == 2 == len(set(names))
    expect(given, "names", names, "two different names, such as ('before', 'after')")
    first, second = names
    reading = MeasureOptions(
        score_range=score_range, axes=options.get("axes"), **{name: options.pop(name, None) for name in OF_READING}
    )
    a, data, reading, of_rows = with_labels(a, data, reading)
    source = read_source(data)
    (a, of_outputs), (b, _) = (scores_of_outputs(unpack(scores, data, source), reading) for scores in (a, b))
    for scores in (a, b):
        refuse_other_order(scores, data)
    incomplete = options.get("incomplete", DEFAULTS.incomplete)
    reading = replace(of_outputs, systems=systems, runs=runs, incomplete=incomplete)
    scores_a, scores_b = (read_scores(scores, source.rows, reading) for scores in (a, b))
    if scores_a.systems != scores_b.systems or scores_a.values.shape != scores_b.values.shape:
        what = "systems" if scores_a.systems.runs is None else "systems and runs"
        raise ScoresError(
            f"{first} and {second} do not have the same {what} in the same order: {_listed(scores_a)} and "
            f"{_listed(scores_b)}; compare those that both have, in the same order"
        )
    low, high = scores_a.score_range
    by_note = grouped((note, name) for name, each in ((first, scores_a), (second, scores_b)) for note in each.notes)
    notes = tuple(
        note if len(of) == 2 else Note("scores_of_one", {"name": of[0], "note": note}) for note, of in by_note.items()
    )
    missing = np.isnan(scores_a.values - scores_b.values)
    # Each system is measured on the sentences that both have scored, as their difference is.
    scores_a, scores_b = (replace(each, values=np.where(missing, np.nan, each.values)) for each in (scores_a, scores_b))
    gap = Scores(
        scores_a.values - scores_b.values,
        scores_a.systems,
        (low - high, high - low),
        notes,
        noise=scores_a.resolution + scores_b.resolution,
        differences=True,
    )
    result = measure(gap, source, **options)
    # Of each system by itself the effects are told, nothing else: a margin, say, is one for their difference.
    effect_options = {name: value for name, value in options.items() if name not in OF_TESTS}
    each = [measure(scores, source, **effect_options) for scores in (scores_a, scores_b)]
    terms_of_each = [[row for row in result.terms if row.asks not in (REACTION, HEARD)] for result in each]
    terms = tuple(
        replace(row, **dict.fromkeys(BETA_KEYS), state=_state(row), notes=_notes(row, (first, x), (second, y)))
        for row, x, y in zip(result.terms, *terms_of_each, strict=True)
    )
    reactions = tuple(_reactions((first, each[0]), (second, each[1])))
    fits = tuple(row | {"phi": None, "loglik": None, "touched": 0, "reason": NO_BETA} for row in result.fits)
    own_range = scores_a.score_range if scores_a.bounded else None
    facts = replace(result.facts, compared=(first, second), score_range=own_range)
    note = Note("differences_of_bias", {"first": first, "second": second})
    return replace(
        result,
        terms=(*terms, *reactions),
        fits=fits,
        notes=(note, *of_rows, *result.notes, *dict.fromkeys(note for row in reactions for note in row.notes)),
        beta_estimand=f"none: {NO_BETA}",
        facts=facts,
    )


def _listed(scores: Scores) -> str:
    names, runs = scores.systems.names or (), scores.systems.runs
    of_runs = [*names, f"runs {', '.join(runs)}"] if runs else names
    return ", ".join(dict.fromkeys(of_runs)) or "one unnamed system"


def _state(row: Term) -> str:
    """Return the state of a difference of two systems: equal scores of both are no lack of reaction."""
    if row.se != 0:
        return NORMAL
    return {EQUAL_SCORES: ZERO, WORDING: SAME_GAP}.get(row.state, row.state)


def _notes(row: Term, first: tuple[str, Term], second: tuple[str, Term]) -> tuple[Note, ...]:
    """The effect of each system, then what was noted about their difference."""
    (name, own), (other, theirs) = first, second
    if own.effect is None or theirs.effect is None:
        return row.notes
    effects = {"first": name, "x": signed(own.effect), "second": other, "y": signed(theirs.effect)}
    rough = (note for note in row.notes if note.is_rough)
    # Persons that differ in both systems' scores may be alike in their differences.
    remarks = (Note("of_differences", {"note": note}) for note in row.remarks)
    return (*rough, Note("effects_of_two", effects), *remarks)


def _reactions(first: tuple[str, Result], second: tuple[str, Result]) -> Iterator[Term]:
    """Yield a row per question on reactions that says how far feelings move the scores of each system.

    Nothing is tested. The difference of two reactions is no reaction: its own mean, by which it would be divided, is
    near 0 if the systems are alike, and depends on their scales if they are not.
    """
    (name, result), (other, others) = first, second
    theirs = {row.key: row for row in others.by_reaction}
    for row in result.by_reaction:
        their = theirs.get(row.key)
        if their is None or row.is_whole or row.emotion is not None or row.agreement is not None:
            continue
        values: dict[str, Any] = {"level": row.level, "reference": row.reference, "first": name, "second": other}
        if row.asks == HEARD:
            values |= {"a": row.only_level, "b": row.only_reference, "c": their.only_level, "d": their.only_reference}
            note = Note("words_of_two", values | {"words": row.words})
        else:
            note = Note("reactions_of_two", values | {"x": decimals(row.ratio, 2), "y": decimals(their.ratio, 2)})
        effect = None
        if row.effect is not None and their.effect is not None:
            effect = row.effect - their.effect
        yield Term(**{key: row[key] for key in OF_WHOM if key in row}, effect=effect, notes=(note,))
