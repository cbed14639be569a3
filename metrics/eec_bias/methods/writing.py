"""Systems that write: replies, summaries and letters, scored by scorers that the user names.

Nothing is scored here. Every scorer (a lexicon, a classifier, a model as judge) is an outcome of its own, as each
measures something else, and the differences between groups go through the default test, with the answers as runs.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, get_args

import numpy as np

from eec_bias.api import measure
from eec_bias.errors import DesignError, OptionError, ScoresError
from eec_bias.inputs.sources import read_source
from eec_bias.options import Bools, Floats, Incomplete, one_of
from eec_bias.result.numbers import counted, interval, p_value, percent, rounded, signed
from eec_bias.result.result import Result
from eec_bias.result.words import short_label

if TYPE_CHECKING:
    import pandas as pd

Scorer = Callable[[list[str]], Iterable[float | None]]
"""Takes a list of texts and returns as many numbers, in their order; None where it has none."""

LENGTH, REFUSED, UNSCORED = "length", "refused", "no score"
"""Outcomes that stand beside those of the scorers."""

OWN = ("runs", "few_runs", "outputs", "score_range", "systems", "rate_above")
"""Options of `measure` that follow from the answers."""

SHOWN = 60
"""Characters of a text in a message."""


@dataclass(frozen=True, slots=True)
class Written:
    """What a system wrote, and how the groups differ in it.

    Attributes
    ----------
    outcomes : dict of str to Result
        The name of a scorer, ``length`` (words) or ``refused`` (share of answers) → its result; and ``NAME: no score``
        where a scorer had none.
    scores : dict of str to (K, n) array
        By scorer the scores of every answer; NaN where there is none.
    texts : tuple of tuple of str
        The K answers to each of the n rows.
    notes : tuple of str
        What a reader must know.
    """

    outcomes: dict[str, Result]
    scores: dict[str, Floats]
    texts: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...]

    def to_frame(self) -> "pd.DataFrame":
        """Return the answers, a row each, with all their scores."""
        import pandas as pd

        rows = len(self.texts[0])
        columns: dict[str, Any] = {
            "answer": np.repeat(np.arange(1, len(self.texts) + 1), rows),
            "row": np.tile(np.arange(rows), len(self.texts)),
            "text": [text for answer in self.texts for text in answer],
        }
        return pd.DataFrame(columns | {name: scores.ravel() for name, scores in self.scores.items()})

    def to_dict(self) -> dict[str, Any]:
        """Return the results, the scores and the texts as plain JSON types."""
        return {
            "outcomes": {name: result.to_dict() for name, result in self.outcomes.items()},
            "scores": {name: _without_nan(scores) for name, scores in self.scores.items()},
            "texts": [list(answer) for answer in self.texts],
            "notes": list(self.notes),
        }

    def __str__(self) -> str:
        import pandas as pd

        lines = []
        for name, result in self.outcomes.items():
            rows = [
                {
                    "difference": short_label(term),
                    "on": term.subset,
                    "effect": signed(term.effect),
                    percent(result.confidence): interval(term.ci_low, term.ci_high),
                    "p adj.": p_value(term.p_adjusted),
                    "detectable": rounded(term.mde),
                }
                for term in result.terms
                if term.get("emotion") is None and term.effect is not None
            ]
            lines += [f"Outcome: {name}", str(pd.DataFrame(rows).to_string(index=False)), ""]
        return "\n".join([*lines, *(f"Note: {note}" for note in self.notes)])


def written(
    texts: Sequence[str] | Sequence[Sequence[str]],
    data: Any,
    *,
    scorers: Mapping[str, Scorer],
    refused: Callable[[str], bool] | None = None,
    ranges: Mapping[str, tuple[float, float]] | None = None,
    incomplete: Incomplete = "estimate",
    **measuring: Any,
) -> Written:
    """Compare what a system writes about groups: by every scorer, by length, and by how often it refuses.

    Parameters
    ----------
    texts : (n,) or (K, n) texts
        One answer, or K answers, to every row of ``data``, in its order. Four answers or more show how answers to one
        sentence differ; six are better.
    data : Dataset, frame, table or mapping of columns
        As for ``measure``: one row per sentence that was put to the system.
    scorers : mapping of str to callable
        What the answers are scored by, each under the name of its outcome: takes a list of texts, returns a number for
        each. Different texts are scored once.
    refused : callable, optional
        Says whether an answer is a refusal; by default one without a word is.
    ranges : mapping of str to (float, float), optional
        Lowest and highest possible score of a scorer, where it has such.
    incomplete : {"estimate", "refuse", "shared"}
        What becomes of answers that a scorer returns None for, as a judge does that gives no number: differences are
        estimated from the other answers; it is an error; or their sentences are left out for that scorer, for all
        persons. How often a group has no score is then an outcome of its own.
    **measuring
        Further options of ``measure``, such as ``axes``, ``reference``, ``confidence``. A ``margin`` holds for the
        scorers alone.

    Returns
    -------
    Written
        A result per outcome. Each measures something else, and none is the true one.

    Raises
    ------
    OptionError, ScoresError
        If the texts do not fit the rows, or a scorer fails on a text or, where that is refused, has no score for it;
        the message shows the text.
    """
    source = read_source(data, measuring.pop("data_name", None))
    answers = _read_texts(texts, source.rows)
    _check_options(scorers, ranges, incomplete, measuring)
    notes = [_note_answers(len(answers))]
    measuring["incomplete"] = incomplete
    # A margin is stated in the units of scores, and says nothing of words or shares.
    beside = {option: value for option, value in measuring.items() if option != "margin"}
    scores: dict[str, Floats] = {}
    outcomes: dict[str, Result] = {}
    for name, scorer in scorers.items():
        scores[name] = _score(name, scorer, answers)
        bounds = (ranges or {}).get(name)
        missing = np.isnan(scores[name])
        if not missing.any():
            outcomes[name] = _measure(scores[name], source, bounds, measuring)
            continue
        if incomplete == "refuse":
            raise ScoresError(_locate(name, missing, answers))
        outcomes[f"{name}: {UNSCORED}"] = _measure(missing.astype(float), source, (0.0, 1.0), beside)
        kept = scores[name]
        if incomplete == "shared":
            kept = np.where(missing.any(axis=0), np.nan, kept)
        try:
            outcomes[name] = _measure(kept, source, bounds, measuring)
            notes.append(_note_unscored(name, missing, incomplete))
        except (DesignError, ScoresError) as error:
            notes.append(f"{_say_unscored(name, missing)}, and it is not measured: {error}")
    length = np.array([[len(text.split()) for text in answer] for answer in answers], dtype=float)
    says_no = refused or _is_blank
    refusals = np.array([[bool(says_no(text)) for text in answer] for answer in answers], dtype=float)
    outcomes[LENGTH] = _measure(length, source, None, beside)
    outcomes[REFUSED] = _measure(refusals, source, (0.0, 1.0), beside)
    scores |= {LENGTH: length, REFUSED: refusals}
    notes.append(
        f"{counted(len(scorers), 'scorer')}: each is an outcome of its own, with p adjusted within it alone; a scorer "
        "may react to the names in an answer itself, which looks like a difference in what was written"
    )
    return Written(outcomes, scores, answers, tuple(notes))


def _read_texts(texts: Any, rows: int) -> tuple[tuple[str, ...], ...]:
    """Return the answers as K × n texts."""
    listed = list(texts)
    several = bool(listed) and not isinstance(listed[0], str)
    answers = [list(answer) for answer in listed] if several else [listed]
    for number, answer in enumerate(answers, start=1):
        if len(answer) != rows:
            raise ScoresError(
                f"answer {number} has {len(answer)} texts for {rows} rows; expected a list of one text per row, or K "
                "such lists of the K answers"
            )
        for row, text in enumerate(answer):
            if not isinstance(text, str):
                raise ScoresError(
                    f"answer {number} to row {row} (rows count from 0) is {text!r}; expected a text, an empty one "
                    "where the system wrote nothing"
                )
    return tuple(map(tuple, answers))


def _check_options(scorers: Any, ranges: Any, incomplete: Any, measuring: Mapping[str, Any]) -> None:
    if not isinstance(scorers, Mapping) or not scorers or not all(map(callable, scorers.values())):
        raise OptionError(f"scorers is {scorers!r}; expected names and functions, such as {{'vader': score}}")
    for name in scorers:
        if name in (LENGTH, REFUSED) or UNSCORED in str(name):
            raise OptionError(f"a scorer is called {name!r}, as an outcome beside it is; give it another name")
    for name in ranges or {}:
        if name not in scorers:
            raise OptionError(f"ranges has {name!r}; the scorers are {', '.join(map(repr, scorers))}")
    one_of("incomplete", incomplete, get_args(Incomplete))
    for name in measuring:
        if name in OWN:
            raise OptionError(f"{name} follows from the answers and cannot be given; leave it out")


def _note_answers(number: int) -> str:
    """Say what the number of answers allows."""
    if number == 1:
        return "one answer per sentence: how answers to the same sentence differ is not known, and no part of the test"
    if number < 4:
        return f"{number} answers per sentence: rows are rough, as fewer than four say little about how answers differ"
    return f"{number} answers per sentence, which are a sample as names, templates and words are"


def _say_unscored(name: str, missing: Bools) -> str:
    return f"{name} has no score for {int(missing.sum()):,} of {missing.size:,} answers"


def _note_unscored(name: str, missing: Bools, incomplete: Incomplete) -> str:
    """Say what becomes of the answers without a score."""
    lacking = _say_unscored(name, missing)
    of_whom = f"'{name}: {UNSCORED}' says of whom they are"
    if incomplete == "shared":
        return (
            f"{lacking}: their sentences are left out for all persons; what is left says nothing of them, and {of_whom}"
        )
    return (
        f"{lacking}: differences are estimated from the others, which holds as far as an answer is not left without a "
        f"score because of the score it would have got; {of_whom}"
    )


def _locate(name: str, missing: Bools, answers: Sequence[Sequence[str]]) -> str:
    """Say which answer has no score."""
    answer, row = np.argwhere(missing)[0]
    place = f"answer {answer + 1} to row {row} (rows count from 0; {int(missing.sum())} such)"
    return (
        f"the scorer {name} has no score for {place}: {_short(answers[answer][row])}; mend the scorer, or choose "
        "incomplete 'estimate', which takes the other answers, or 'shared', which leaves these sentences out for all "
        "persons; both say of whom they are"
    )


def _score(name: str, scorer: Scorer, answers: Sequence[Sequence[str]]) -> Floats:
    """Scores of every answer (K, n) by one scorer, NaN where it has none; every different text is scored once."""
    distinct = list(dict.fromkeys(text for answer in answers for text in answer))
    try:
        values = list(scorer(list(distinct)))
    except Exception as error:
        raise ScoresError(_explain(name, scorer, distinct, error)) from error
    if len(values) != len(distinct):
        raise ScoresError(
            f"the scorer {name} returned {len(values)} scores for {len(distinct)} texts; expected one each"
        )
    by_text = {text: _number(name, text, each) for text, each in zip(distinct, values, strict=True)}
    return np.array([[by_text[text] for text in answer] for answer in answers])


def _explain(name: str, scorer: Scorer, texts: Sequence[str], error: Exception) -> str:
    """Find the first text on which a scorer fails by itself, and say so."""
    for text in texts:
        try:
            list(scorer([text]))
        except Exception as own:
            return (
                f"the scorer {name} failed on the text {_short(text)} with {type(own).__name__}: {own}; let it return "
                "None where it has no score"
            )
    return (
        f"the scorer {name} failed on {len(texts)} texts together, on none alone, with {type(error).__name__}: {error}"
    )


def _number(name: str, text: str, value: Any) -> float:
    """Return a score; NaN where there is none."""
    if value is None:
        return math.nan
    try:
        number = float(value)
    except (TypeError, ValueError) as error:
        raise ScoresError(f"the scorer {name} gave {value!r} for {_short(text)}; expected a number or None") from error
    if math.isinf(number):
        raise ScoresError(f"the scorer {name} gave {number} for {_short(text)}; expected a finite number or None")
    return number


def _short(text: str) -> str:
    return repr(text if len(text) <= SHOWN else f"{text[:SHOWN]}…")


def _is_blank(text: str) -> bool:
    return not text.strip()


def _measure(
    scores: Floats,
    source: Any,
    bounds: tuple[float, float] | None,
    measuring: Mapping[str, Any],
) -> Result:
    """Measure the scores (K, n) of one outcome, with the answers as runs."""
    runs = [f"answer {number}" for number in range(1, len(scores) + 1)]
    return measure(scores, source, runs=runs, few_runs="rough", score_range=bounds, **measuring)


def _without_nan(scores: Floats) -> list[list[float | None]]:
    return [[None if math.isnan(score) else score for score in answer] for answer in scores.tolist()]
