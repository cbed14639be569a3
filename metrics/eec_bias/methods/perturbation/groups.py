"""The default test, names × sentences, on the names and sentences of a perturbed corpus."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from eec_bias.api import measure
from eec_bias.errors import BiasError, OptionError
from eec_bias.inputs.item_labels import COLUMNS as OF_ITEMS
from eec_bias.inputs.scores import Scores
from eec_bias.methods.perturbation.layout import Perturbed
from eec_bias.methods.published import build_result
from eec_bias.options import DEFAULTS
from eec_bias.result.families import adjust_terms
from eec_bias.result.result import Result
from eec_bias.result.signature import Signature


def compare_groups(scores: Scores, corpus: Perturbed, options: Mapping[str, Any]) -> tuple[Result, tuple[str, ...]]:
    """Test the groups, all columns together or else each alone; a result without terms where that cannot be.

    ``options`` are those of `measure` that the test takes: ``reference, adjust, edge``.
    """
    columns = tuple(corpus.labels)
    if not columns:
        _refuse_options(options)
    run, join = partial(_default_test, scores, corpus, options), partial(_join, scores, options)
    results, notes = [], []
    try:
        results += [run(columns)] if columns else []
    except OptionError:
        raise
    except BiasError as error:
        if len(columns) == 1:
            return join(columns, []), (f"the groups are not tested: {error}",)
        notes.append(f"{' and '.join(columns)} cannot be tested together, so each is tested alone: {error}")
    for column in () if results else columns:
        try:
            results.append(run((column,)))
        except BiasError as error:
            notes.append(f"the groups of {column!r} are not tested: {error}")
    notes += [f"test of the groups: {note}" for result in results for note in result.notes if note not in corpus.notes]
    return join(columns, results), tuple(dict.fromkeys(notes))


def _refuse_options(options: Mapping[str, Any]) -> None:
    """Refuse options of a test that there is not."""
    for name, value in options.items():
        if value != DEFAULTS[name]:
            raise OptionError(
                f"{name} {value!r} is an option of the test of groups, and the names have no groups here: name a "
                "column in group"
            )


def _default_test(scores: Scores, corpus: Perturbed, options: Mapping[str, Any], columns: tuple[str, ...]) -> Result:
    rows = corpus.rows[corpus.rows >= 0]
    needed = ("person", "item", "pair", *OF_ITEMS, *columns)
    source = corpus.source.take(rows, [name for name in needed if name in corpus.source.columns])
    reference = options["reference"]
    if isinstance(reference, Mapping):
        references = {axis: level for axis, level in reference.items() if axis in columns or axis not in corpus.labels}
        options = {**options, "reference": references}
    return measure(scores.only(rows), source, axes=columns, incomplete="shared", **options)


def _join(scores: Scores, options: Mapping[str, Any], columns: tuple[str, ...], results: Sequence[Result]) -> Result:
    """Results of some columns each as one result; p adjusted over all, of max-T times how many columns these are."""
    kinds = ("terms", "cells", "fits", "no_spread", "variances", "details")
    joined: dict[str, Any] = {kind: tuple(row for result in results for row in getattr(result, kind)) for kind in kinds}
    if options["adjust"] == "maxt":
        # No relabelling spans several columns.
        joined["terms"] = tuple(
            row if row["p_adjusted"] is None else row | {"p_adjusted": min(row["p_adjusted"] * len(results), 1.0)}
            for row in joined["terms"]
        )
    elif len(results) > 1:
        joined["terms"] = adjust_terms(joined["terms"], options["adjust"])
    signature = Signature("?", columns, (), "", "none", "none")
    if results:
        joined["beta_estimand"], first = results[0].beta_estimand, results[0].signature
        references = tuple(reference for result in results for reference in result.signature.references)
        how = (f"+{first.test}", options["adjust"], options["edge"])
        signature = Signature("?", columns, references, *how, strata=first.strata)
    return build_result("perturbation", signature, scores, notes=(), **joined)
