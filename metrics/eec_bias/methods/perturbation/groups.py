"""The default test, names × sentences, on the names and sentences of a perturbed corpus."""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from eec_bias.api import measure
from eec_bias.errors import BiasError, OptionError
from eec_bias.inputs.observed import OF_ITEMS
from eec_bias.inputs.scores import Scores
from eec_bias.inputs.wording import WORD_FORM
from eec_bias.methods.perturbation.layout import Perturbed
from eec_bias.notes import Note
from eec_bias.options import DEFAULTS
from eec_bias.result.adjusting import adjust
from eec_bias.result.plan import Plan
from eec_bias.result.result import Result
from eec_bias.result.term import Term


def compare_groups(scores: Scores, corpus: Perturbed, options: Mapping[str, Any]) -> tuple[list[Result], list[Note]]:
    """Test the groups, all columns together or else each alone, as far as possible; notes say where it is not.

    ``options`` are those of `measure` that the test takes: ``reference, confidence``.
    """
    columns = tuple(corpus.labels)
    of_groups = ["reference"] if options["reference"] != DEFAULTS.reference else []
    if of_groups and not columns:
        name = of_groups[0]
        raise OptionError(
            f"{name} {options[name]!r} is an option of the test of groups, and the names have no groups here: name a "
            "column in group"
        )
    results, notes = list[Result](), list[Note]()
    together = [columns] if len(columns) > 1 else []
    for some in (*together, *((column,) for column in columns)):
        try:
            results.append(_default_test(scores, corpus, options, some))
        except OptionError:
            raise
        except BiasError as error:
            key = "groups_tested_alone" if len(some) > 1 else "group_not_tested"
            notes.append(Note(key, {"columns": " and ".join(map(repr, some)), "error": str(error)}))
        if results and len(some) > 1:
            break
    of_tests = (note for result in results for note in result.notes if note not in corpus.notes)
    notes += [Note("test_of_groups", {"note": note}) for note in of_tests]
    return results, list(dict.fromkeys(notes))


def _default_test(scores: Scores, corpus: Perturbed, options: Mapping[str, Any], columns: tuple[str, ...]) -> Result:
    rows = corpus.rows[corpus.rows >= 0]
    needed = ("person", "item", "pair", WORD_FORM, *OF_ITEMS, *(DEFAULTS.families or ()), *columns)
    source = corpus.source.take(rows, [name for name in needed if name in corpus.source.columns])
    reference = options["reference"]
    if isinstance(reference, Mapping):
        reference = {axis: level for axis, level in reference.items() if axis in columns or axis not in corpus.labels}
    return measure(scores.only(rows), source, axes=columns, incomplete="shared", **{**options, "reference": reference})


def adjust_over(results: list[Result], plan: Plan) -> tuple[Term, ...]:
    """Return the rows of the tests of several columns, with p adjusted for the questions of all of them."""
    terms = [row for result in results for row in result.terms]
    p, se, df = (np.array([[row[key] for row in terms]], dtype=float) for key in ("p", "se", "df"))
    found = adjust([row.comparison for row in terms], p, se, df, plan)
    numbers = zip(terms, found["p_adjusted"][0].tolist(), found["mde"][0].tolist(), strict=True)
    return tuple(
        replace(row, p_adjusted=None if math.isnan(adjusted) else adjusted, mde=None if math.isnan(mde) else mde)
        for row, adjusted, mde in numbers
    )
