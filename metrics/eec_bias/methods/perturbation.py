"""`method="perturbation"`: how far scores move when another name is put into the same sentences.

Prabhakaran, Hutchinson & Mitchell (2019), *Perturbation Sensitivity Analysis to Detect Unintended Model Biases*. The
names are those of the corpus, so the measures describe; they test nothing. Whether groups of names differ is asked of
the default test, names × sentences, whose rows stand beside.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from eec_bias.errors import BiasError, OptionError
from eec_bias.inputs.scores import Scores
from eec_bias.inputs.sources import Source
from eec_bias.methods.perturbation_layout import Perturbed, lay_out_perturbed
from eec_bias.methods.perturbation_rows import measure_rows, study_notes, threshold_label
from eec_bias.methods.perturbation_study import PerturbationStudy, study_perturbed
from eec_bias.options import Adjust, Floats
from eec_bias.result.frame import Row
from eec_bias.result.result import Result
from eec_bias.result.signature import Signature
from eec_bias.stats.adjust import adjust_terms

TEST: dict[str, tuple[Any, Any]] = {
    "reference": ("default", "default"), "adjust": ("holm", "holm"), "edge": ("none", "none"),
}  # fmt: skip
"""Options of the test of groups, each with its default."""

LABEL = (
    "perturbation measures of Prabhakaran et al. (2019): the names are those of the corpus, so these numbers describe "
    "them and test nothing; whether groups of names differ beyond what single names do is tested in the rows of the "
    "groups (names × sentences), where there are such rows"
)


def perturbation(
    scores: Scores,
    source: Source,
    *,
    group: Any = None,
    thresholds: Any = None,
    baseline: Any = None,
    bootstrap: int = 0,
    seed: int = 0,
    incomplete: str = "refuse",
    test: dict[str, tuple[Any, Any]] | None = None,
) -> Result:
    """Measure how scores move with the name put into a sentence.

    Parameters
    ----------
    scores : Scores
        Checked scores.
    source : Source
        Rows of ``eec perturb``, or of an EEC.
    group : None, str or sequence of str
        Columns of labels of the names; by default the identity axes with two marked levels, ``()`` for none.
    thresholds : None, float or sequence of float
        Thresholds of LabelDist, on the scale of the scores; by default nine, a tenth of it apart.
    baseline : None, str or sequence of str
        Persons whose sentences are the originals; by default ``original``, else the pronouns, each an x of its own.
    bootstrap, seed : int
        How often the sentences are resampled for the intervals, and the seed.
    incomplete : {"refuse", "shared"}
        ``shared`` leaves out the sentences that lack a name; otherwise every mean is over what is there.
    test : dict of str to (value, default), optional
        Options ``reference``, ``adjust`` and ``edge`` of the default test of the groups.

    Returns
    -------
    Result
        With a `PerturbationStudy`.

    Raises
    ------
    LabelsError, DesignError, OptionError
        See `perturbation_layout.lay_out_perturbed`; also if a threshold lies outside the scale of the scores.
    """
    test = TEST if test is None else test
    at = _thresholds(thresholds, scores.score_range)
    data = lay_out_perturbed(source, baseline=baseline, group=group, shared=incomplete == "shared")
    study = study_perturbed(scores, data, at, bootstrap, seed)
    tested, notes = _test(scores, data, test)
    terms = measure_rows(scores, data, study)
    if tested is not None:
        terms = [[*own, *_of(tested, scores.who(s))] for s, own in enumerate(terms)]
    return replace(
        tested or _untested(tuple(data.labels), scores),
        terms=tuple(row for own in terms for row in own),
        notes=(*scores.notes, *data.notes, *study_notes(data, study), *notes, LABEL),
        signature=_signature(source, tested, data, scores, study, seed, incomplete, test),
        study=study,
        method="perturbation",
    )


def _thresholds(given: Any, bounds: tuple[float, float]) -> Floats:
    """Check thresholds, or choose nine.

    Raises
    ------
    OptionError
        If one is no number, outside the range, or there twice.
    """
    low, high = bounds
    if given is None:
        return np.round(low + (high - low) * np.arange(1, 10) / 10, 12)
    try:
        found = np.atleast_1d(np.asarray(given))
        # Neither text nor truth values become numbers unasked.
        found = found.astype(float) if found.dtype.kind in "iuf" else np.array([np.nan])
    except (TypeError, ValueError):
        found = np.array([np.nan])
    if found.ndim != 1 or not found.size or np.isnan(found).any():
        raise OptionError(f"thresholds={given!r}; expected a number or several, such as (0.3, 0.5, 0.7)")
    outside = found[(found < low) | (found > high)]
    if outside.size:
        raise OptionError(
            f"threshold {outside[0]:g} lies outside the scale of the scores, [{low:g}, {high:g}]; give thresholds on "
            "that scale, or declare another with score_range="
        )
    if len(np.unique(found)) < found.size:
        raise OptionError(f"thresholds={given!r} has the same threshold twice")
    return np.sort(found)


def _test(scores: Scores, data: Perturbed, options: dict[str, Any]) -> tuple[Result | None, tuple[str, ...]]:
    """Run the default test on the same names and sentences; say why where it cannot be run."""
    if not data.labels:
        given = [name for name, (value, default) in options.items() if value != default]
        if given:
            raise OptionError(
                f"{given[0]}={options[given[0]][0]!r} is an option of the test of groups, and the names have no groups "
                "here: name a column with group="
            )
        return None, ()
    columns = tuple(data.labels)
    run = partial(_default, scores, data, {name: value for name, (value, _) in options.items()})
    try:
        found = run(columns)
        return found, _about(found, data)
    except OptionError:
        raise
    except BiasError as error:
        if len(columns) == 1:
            return None, (f"the groups are not tested: {error}",)
        together = f"{' and '.join(columns)} cannot be tested together, so each is tested alone: {error}"
    alone, notes = [], [together]
    for column in columns:
        try:
            alone.append(run((column,)))
        except BiasError as error:
            notes.append(f"the groups of {column!r} are not tested: {error}")
    if not alone:
        return None, tuple(notes)
    notes += [note for found in alone for note in _about(found, data)]
    return _side_by_side(alone, columns, options["adjust"][0]), tuple(dict.fromkeys(notes))


def _default(scores: Scores, data: Perturbed, options: dict[str, Any], columns: tuple[str, ...]) -> Result:
    # `measure` knows the procedures, not the other way round.
    from eec_bias.api import measure

    rows = data.rows[data.rows >= 0]
    kept = [name for name in ("person", "item", "pair", *columns) if name in data.source.columns]
    reference = options["reference"]
    if isinstance(reference, Mapping):
        own = {axis: level for axis, level in reference.items() if axis in columns or axis not in data.labels}
        options = options | {"reference": own or "default"}
    return measure(scores.only(rows), data.source.take(rows, kept), axes=columns, incomplete="shared", **options)


def _about(found: Result, data: Perturbed) -> tuple[str, ...]:
    return tuple(f"test of the groups: {note}" for note in found.notes if note not in data.notes)


def _side_by_side(found: Sequence[Result], columns: tuple[str, ...], adjust: Adjust) -> Result:
    """Results of one column each as one result; p adjusted over all, but for max-T, which is over each."""
    kinds = ("terms", "cells", "fits", "no_spread", "variances", "details")
    joined: dict[str, Any] = {kind: tuple(row for each in found for row in getattr(each, kind)) for kind in kinds}
    if adjust != "maxt":
        joined["terms"] = adjust_terms(joined["terms"], adjust)
    references = tuple(reference for each in found for reference in each.signature.references)
    signature = replace(found[0].signature, axes=columns, references=references)
    return replace(found[0], **joined, axes=columns, signature=signature)


def _of(result: Result, who: Row) -> list[Row]:
    """Rows of one system."""
    return [found for found in result.terms if {key: found.get(key) for key in who} == who]


def _untested(axes: tuple[str, ...], scores: Scores) -> Result:
    signature = Signature("?", axes, (), "", "none", "none")
    return Result((), (), (), (), (), axes, scores.score_range, "not part of this procedure", signature)


def _signature(
    source: Source, tested: Result | None, data: Perturbed, scores: Scores, study: PerturbationStudy, seed: int,
    incomplete: str, test: dict[str, tuple[Any, Any]],
) -> Signature:  # fmt: skip
    low, high = scores.score_range
    extras = [("range", f"{low:g}..{high:g}")] if (low, high) != (0.0, 1.0) else []
    thresholds = "+".join(threshold_label(each) for each in study.thresholds.tolist())
    extras += [("base", data.reference), ("thresholds", thresholds)]
    extras += [("incomplete", incomplete)] if incomplete != "refuse" else []
    extras += [("boot", f"{study.resamples}@{seed}/sentences")] if study.resamples else []
    axes = tuple(data.labels)
    if tested is None or not isinstance(tested.signature, Signature):
        return Signature(source.data, axes, (), "perturbation", "none", "none", tuple(extras))
    adjust, edge = (test[key][0] for key in ("adjust", "edge"))
    references = tested.signature.references
    return Signature(source.data, axes, references, "perturbation+names+items", adjust, edge, tuple(extras))
