"""Agreement of several variants of one system: a difference that changes sign between variants does not count."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from eec_bias.reading import Comparison, Note

if TYPE_CHECKING:
    from eec_bias import Result

LOWS: Final = ("ci_low", "joint_low", "in_emotion_low", "worst_low", "ci90_low")
HIGHS: Final = ("ci_high", "joint_high", "in_emotion_high", "worst_high", "ci90_high")
LARGEST: Final = ("mde", "mde_alone", "p_lower", "p_upper", "p_equivalence", "p_worst", "smallest_margin")
P: Final = ("p", "p_adjusted", "p_names_only", "p_permutation", "beta_p")

Row = Mapping[str, Any]


def agreed(whole: Result, variants: Sequence[Result]) -> Result:
    """Return a result that claims only what the results of all variants on the same rows show.

    Effects stay those of the whole system. Every p is the largest of all (an intersection-union test, Berger 1982), and
    1 where the effects have different signs; an interval reaches from the lowest to the highest limit; the smallest
    detectable effect is the largest.

    Parameters
    ----------
    whole
        Of the system itself.
    variants
        Of its variants, measured in the same way.
    """
    terms = [{row.comparison: row for row in each.terms} for each in variants]
    margins = [{Comparison.of(row): row for row in each.equivalence} for each in variants]
    count = len(variants) + 1
    note = Note("learned_again", {"count": count, "parts": len(variants)})
    return replace(
        whole,
        terms=tuple(replace(row, **_over(row, [of[row.comparison] for of in terms])) for row in whole.terms),
        equivalence=tuple(
            {**row, **_over(row, [of[Comparison.of(row)] for of in margins])} for row in whole.equivalence
        ),
        notes=(*whole.notes, note),
        facts=replace(whole.facts, settings=(*whole.facts.settings, ("learned", str(count)))),
    )


def _over(row: Row, others: Sequence[Row]) -> dict[str, Any]:
    """Return what holds for a row in every result; a number that one of them lacks is None."""
    rows, merged = [row, *others], dict[str, Any]()
    signs = {(each["effect"] > 0) - (each["effect"] < 0) for each in rows if each.get("effect") is not None}
    for keys, choose in ((LOWS, min), (HIGHS, max), ((*LARGEST, *P), max)):
        for key in keys:
            if key in row:
                values = [each[key] for each in rows]
                merged[key] = None if None in values else choose(values)
    if len(signs) > 1:
        for key in P:
            if merged.get(key) is not None:
                merged[key] = 1.0
    return merged
