"""Rows and notes of a perturbation study."""

from functools import partial
from typing import Any

import numpy as np

from eec_bias.inputs.scores import Scores
from eec_bias.methods.perturbation_layout import Perturbed
from eec_bias.methods.perturbation_study import PerturbationStudy, membership
from eec_bias.methods.perturbation_tables import CONVENTION, CORRELATION, DEV, DISTANCE, NAME, RANGE, SAMPLE, SENS
from eec_bias.methods.published import row
from eec_bias.options import UNMARKED
from eec_bias.result.frame import Row

NOTE = "describes these names; no test of zero"
"""What every row of the measures says."""


def measure_rows(scores: Scores, data: Perturbed, study: PerturbationStudy) -> list[list[Row]]:
    """Return the rows of the measures, one list per system: of all names, of groups, of single names."""
    about = _about(data, study)
    return [
        [
            _row(scores.who(s), study, s, key, at, more=more(study, s) if more else "", **keys)
            for key, at, more, keys in about
        ]
        for s in range(len(scores.values))
    ]


def _about(data: Perturbed, study: PerturbationStudy) -> list[tuple[str, int, Any, Row]]:
    """What each row is about: its measure, the place in the arrays, a function for its note, if any, and its keys."""
    there, given = data.rows >= 0, (data.originals >= 0).sum(axis=0)
    names, sentences = there.shape
    whole = {"n_persons": names, "n_items": sentences, "n_sentences": int(there.sum() + given.sum())}
    found: list[tuple[str, int, Any, Row]] = [
        ("dev", 0, None, {"term": DEV, **whole}),
        ("sample", 0, None, {"term": SAMPLE, **whole}),
        ("spread", 0, None, {"term": RANGE, **whole}),
    ]
    for c, threshold in enumerate(study.thresholds.tolist()):
        keys = {"term": DISTANCE, "level": threshold_label(threshold), "reference": data.reference}
        found.append(("distance", c, partial(_empty, c), keys | whole))
    found.append(("correlation", 0, _constant, {"term": CORRELATION, **whole}))
    members = membership(data, study.groups)
    for k, (column, level) in enumerate(study.groups):
        own = there[members[k]]
        keys = {"term": SENS, "axes": column, "level": level, "reference": data.reference}
        found.append(("group_sens", k, None, keys | _sizes(own, given)))
    for n, name in enumerate(data.names):
        keys = {"term": SENS, "axes": NAME, "level": name, "reference": data.reference}
        found.append(("sens", n, None, keys | _sizes(there[n : n + 1], given)))
    return found


def _sizes(there: Any, given: Any) -> Row:
    met = there.any(axis=0)
    return {
        "n_persons": len(there),
        "n_items": int(met.sum()),
        "n_sentences": int(np.count_nonzero(there) + given[met].sum()),
    }


def _row(who: Row, study: PerturbationStudy, s: int, key: str, at: int, *, more: str, **keys: Any) -> Row:
    value = study.value[key][s, at]
    ends = [part[key][s, at] if part else np.nan for part in (study.se, study.low, study.high)]
    return row(who, subset="names", effect=value, se=ends[0], ci_low=ends[1], ci_high=ends[2], note=NOTE + more, **keys)


def _constant(study: PerturbationStudy, s: int) -> str:
    known = np.isfinite(study.value["correlation"][s, 0])
    return "" if known else "; no value: the scores, or their changes, are all equal"


def _empty(c: int, study: PerturbationStudy, s: int) -> str:
    empty, names = int(study.empty[s, c]), len(study.names)
    if not empty:
        return ""
    who = "any name" if empty == names else f"{empty} of {names} names"
    return f"; no sentence of {who} reaches the threshold, nor the original: {CONVENTION}"


def threshold_label(threshold: float) -> str:
    """Write a threshold as briefly as it can be read back."""
    short = f"{threshold:g}"
    return short if float(short) == threshold else repr(threshold)


FEW = 30
"""Of fewer sentences, percentile intervals are too narrow to pass without a word."""


def study_notes(data: Perturbed, study: PerturbationStudy) -> tuple[str, ...]:
    """Say what is compared with what, which standard deviation is meant, and what the intervals are of."""
    originals = int((data.originals >= 0).sum())
    each = f", each an original of its own ({originals} in all)" if len(data.baseline) > 1 else ""
    said = [
        f"f(x) is the score of the row of the same sentence whose person is {' or '.join(data.baseline)}{each}; "
        f"{len(data.names)} names, {len(data.sentences)} sentences",
        "score_dev divides by the number of names, which are all there are in the corpus; score_dev_sample by one less",
    ]
    if study.resamples:
        said.append(
            f"se and interval of the measures: {study.resamples} resamples of the sentences, 95 % percentile interval; "
            "names held fixed"
        )
        fewest = int((data.rows >= 0).sum(axis=1).min())
        if fewest < FEW:
            said.append(
                f"fewer than {FEW} sentences of a name ({fewest}): such intervals are too narrow; simulated, those of "
                "10 sentences held the true value about 90 times in a hundred, of 5 about 80 times, not 95"
            )
    if len(data.names) == 1:
        said.append("one name only: score_dev and score_range are 0, as nothing deviates from it")
    for column, labels in data.labels.items():
        left = labels.count(UNMARKED)
        if left:
            said.append(f"{left} of {len(labels)} names are unmarked on {column!r} and belong to no group of it")
    return tuple(said)
