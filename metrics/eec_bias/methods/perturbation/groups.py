"""The default test, names × sentences, on the names and sentences of a perturbed corpus."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from eec_bias.api import measure
from eec_bias.errors import BiasError, OptionError
from eec_bias.inputs.scores import Scores
from eec_bias.methods.perturbation.layout import Perturbed
from eec_bias.methods.published import build_result
from eec_bias.options import Adjust
from eec_bias.result.families import adjust_terms
from eec_bias.result.result import Result
from eec_bias.result.signature import Signature


def compare_groups(
    scores: Scores, corpus: Perturbed, reference: Any, adjust: Adjust, edge: str
) -> tuple[Result, tuple[str, ...]]:
    """Test the groups, all columns together or else each alone; a result without terms where that cannot be."""
    columns = tuple(corpus.labels)
    if not columns:
        _refuse_options({"reference": (reference, "default"), "adjust": (adjust, "holm"), "edge": (edge, "none")})
        return _join([], scores, (), adjust, edge), ()
    run = partial(_default_test, scores, corpus, reference, adjust, edge)
    tested, notes = [], []
    try:
        tested.append(run(columns))
    except OptionError:
        raise
    except BiasError as error:
        if len(columns) == 1:
            return _join([], scores, columns, adjust, edge), (f"the groups are not tested: {error}",)
        notes.append(f"{' and '.join(columns)} cannot be tested together, so each is tested alone: {error}")
    for column in () if tested else columns:
        try:
            tested.append(run((column,)))
        except BiasError as error:
            notes.append(f"the groups of {column!r} are not tested: {error}")
    notes += [f"test of the groups: {note}" for one in tested for note in one.notes if note not in corpus.notes]
    return _join(tested, scores, columns, adjust, edge), tuple(dict.fromkeys(notes))


def _refuse_options(options: Mapping[str, tuple[Any, Any]]) -> None:
    """Refuse options of a test that there is not."""
    for name, (given, default) in options.items():
        if given != default:
            raise OptionError(
                f"{name} {given!r} is an option of the test of groups, and the names have no groups here: name a "
                "column in group"
            )


def _default_test(
    scores: Scores, corpus: Perturbed, reference: Any, adjust: Adjust, edge: str, columns: tuple[str, ...]
) -> Result:
    rows = corpus.rows[corpus.rows >= 0]
    source = corpus.source.take(rows, [n for n in ("person", "item", "pair", *columns) if n in corpus.source.columns])
    if isinstance(reference, Mapping):
        own = {axis: level for axis, level in reference.items() if axis in columns or axis not in corpus.labels}
        reference = own or "default"
    return measure(
        scores.only(rows), source, axes=columns, incomplete="shared", reference=reference, adjust=adjust, edge=edge
    )


def _join(tested: Sequence[Result], scores: Scores, columns: tuple[str, ...], adjust: Adjust, edge: str) -> Result:
    """Results of some columns each as one result; p adjusted over all, but for max-T, which is over each."""
    kinds = ("terms", "cells", "fits", "no_spread", "variances", "details")
    joined: dict[str, Any] = {kind: tuple(row for one in tested for row in getattr(one, kind)) for kind in kinds}
    if adjust != "maxt" and len(tested) > 1:
        joined["terms"] = adjust_terms(joined["terms"], adjust)
    references = tuple(reference for one in tested for reference in one.signature.references)
    how = ("+names+items", adjust, edge) if tested else ("", "none", "none")
    if tested:
        joined["beta_estimand"] = tested[0].beta_estimand
    return build_result("perturbation", Signature("?", columns, references, *how), scores, notes=(), **joined)
