"""The rating in the long frame and as flat scalars."""

from collections.abc import Mapping, Sequence
from typing import Any

from eec_bias.methods.published import row
from eec_bias.methods.rating_study import RatingStudy, by_keys
from eec_bias.result.frame import Row

MEASURES = ("wrs", "wrs_tables", "die", "ate", "rating", "rating_absolute")
"""Terms that are measures of their own and have no test."""

NOTE = "published procedure, not size-controlled"
"""What every row of a comparison says first."""

HIGH = "; H, only ε in the denominator"

AXES = {"gender": "gender", "race": "race", "rg": "race+gender"}

SOURCES = {"wrs": "wrs", "wrs_tables": "wrs_tables", "die": "die", "rating": "rating", "rating_absolute": "absolute"}
"""Terms by data group, and where the study has them."""


def rating_rows(study: RatingStudy, who: Sequence[Row]) -> tuple[Row, ...]:
    """Return the rows of terms, system by system: measures first, then comparisons.

    Parameters
    ----------
    study : RatingStudy
        The rating.
    who : sequence of dict
        The keys that name each system.
    """
    kinds = ((study.ratings, _measured), (study.effects, _effect), (study.adjusted, _changed), (study.tests, _compared))
    indexed = [(by_keys(rows, "system"), lay_out) for rows, lay_out in kinds]
    return tuple(
        line
        for system, named in zip(study.systems, who, strict=True)
        for rows, lay_out in indexed
        for one in rows.get((system,), ())
        for line in lay_out(one, named)
    )


def _measured(rated: Mapping[str, Any], named: Row) -> list[Row]:
    notes = {
        "wrs": f"{NOTE}; weighted rejection score",
        "wrs_tables": f"{NOTE}; weights and critical values that the article's tables follow from",
        "die": "largest deconfounding impact estimate, percent" + ("; X, a denominator is 0" if rated["x"] else ""),
        "rating": "published rating, relative to the other systems where there are any",
        "rating_absolute": "published rating of the system by itself",
    }
    return [
        row(named, term=term, subset=rated["group"], effect=None if rated[key] is None else float(rated[key]),
            note=notes[term])
        for term, key in SOURCES.items()
        if rated[key] is not None or (term == "die" and rated["x"])
    ]  # fmt: skip


def _effect(one: Mapping[str, Any], named: Row) -> list[Row]:
    note = "effect of a positive against a negative word, by propensity matching, in units of the scores"
    found = row(
        named, term="ate", axes="emotion", level="positive", reference="negative",
        subset=f"{one['group']}/{one['set']}", effect=one["ate"],
        note=note,
    )  # fmt: skip
    return [found]


def _changed(one: Mapping[str, Any], named: Row) -> list[Row]:
    x = "; X, the denominator is 0" if one["x"] else ""
    found = row(
        named, term="die", axes="emotion", level=one["words"], reference="observed",
        subset=f"{one['group']}/{one['set']}", effect=one["die"],
        note=f"percent; mean score {one['observed']:.4g}, adjusted {one['do']:.4g}{x}",
    )  # fmt: skip
    return [found]


def _compared(one: Mapping[str, Any], named: Row) -> list[Row]:
    high = HIGH if one["high"] else ""
    found = row(
        named, term=one["attribute"], axes=AXES[one["attribute"]], level=one["level"], reference=one["reference"],
        subset=f"{one['group']}/{one['set']}", effect=one["effect"], se=one["se"], df=float(one["df"]), t=one["t"],
        p=one["p"], p_names_only=one["p_names_only"], n_persons=one["persons"], n_items=one["items"],
        n_sentences=one["sentences"], note=f"{NOTE}{high}",
    )  # fmt: skip
    return [found]


def rating_scalars(terms: Sequence[Mapping[str, Any]]) -> dict[str, float | None]:
    """Return the measures by flat names: ``rating``, ``rating[1]``, ``wrs[3_RG]``, ``die[2]``, ``ate[2/E3]``."""
    return {
        line["term"] if line["subset"] == "overall" else f"{line['term']}[{line['subset']}]": line["effect"]
        for line in terms
        if line["term"] in MEASURES and not (line["term"] == "die" and line["level"])
    }


def of_rating(line: Mapping[str, Any]) -> bool:
    """Whether a row comes from the rating, whose tables show it better than a list does."""
    return line["term"] in MEASURES or line["note"] in (NOTE, NOTE + HIGH)
