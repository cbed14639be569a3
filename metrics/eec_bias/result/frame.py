"""The long frame: which columns its rows have."""

from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np

from eec_bias.result.term import LEADING

Row = dict[str, Any]

AnyRow: TypeAlias = Mapping[str, Any]
"""A row of terms or of a list beside them, to be read."""

_CONTRAST = ("term", "axes", "level", "reference", "subset")

RATES = (
    "id", "threshold", "n", "n_reference", "rate", "rate_reference", "effect", "ci_low", "ci_high", "ratio",
    "ratio_low", "ratio_high", "rough",
)  # fmt: skip
"""Keys of a row of rates, after those of its contrast."""

FLIP_KEYS = ("axis", "level", "reference", "subset", "flip_rate", "within_rate", "n_items", "n_sentences")
"""Keys of a row of flips, after those that name the system."""


BESIDE: dict[str, tuple[str, ...]] = {
    "cells": ("subset", "n_persons", "n_sentences", "mean", "sd_persons"),
    "fits": ("subset", "phi", "loglik", "edge", "touched", "reason"),
    "equivalence": (
        *_CONTRAST,
        "effect",
        "margin",
        "p_lower",
        "p_upper",
        "p_equivalence",
        "ci90_low",
        "ci90_high",
        "p_worst",
        "worst_emotion",
    ),
    "emotions": ("emotion", "mean", "n_sentences"),
    "variances": ("subset", "source", "sd", "share"),
    "families": ("subset", "facet", "n_persons", "n_families"),
    "signals": (
        "axis",
        "level",
        "subset",
        "n_persons",
        "effect",
        "se",
        "df",
        "t",
        "p",
        "p_adjusted",
        "ci_low",
        "ci_high",
        "mde",
        "rough",
    ),
    "heard": (
        *_CONTRAST,
        "emotion",
        "word",
        "agreement",
        "form",
        "form_reference",
        "mean",
        "mean_reference",
        "heard",
        "heard_reference",
    ),
    "feelings": ("emotion", "word", "heard"),
    "missing": ("subset", "emotion", "n_missing", "n_sentences"),
    "rates": (*_CONTRAST, *RATES),
    "flips": FLIP_KEYS,
}
"""Lists of rows beside the terms, and the keys of their rows but for those of the groups."""

ON_REQUEST = ("signals", "heard", "feelings", "missing", "rates", "flips")
"""Lists that a saved result has only where they hold something."""

WORDS = (
    "id", "term", "axes", "axis", "level", "reference", "subset", "rough", "note", "estimate", "source", "edge",
    "reason", "facet", "family_facet", "emotion", "worst_emotion", "kind", "without", "word",
    "agreement", "form", "form_reference",
    *LEADING,
)  # fmt: skip
"""Columns that hold text, or null; other named columns hold numbers, or null."""

GIVEN = ("term", "subset", "note", "margin", "mean", "replicates")
"""Columns that are never null, in whichever list of rows."""

SENSITIVITY, DISTANCE = "score_sens", "label_dist"
"""Terms of the perturbation measures that figures show: the change of score with a name, the change of labels."""

NO_UNIT = ("correlation", DISTANCE)
"""Terms whose effects are no scores and no differences of scores."""

NAME = "person"
"""Entry of ``axes`` in rows of single names; in rows of groups it is their column."""

PAIRWISE = "pairwise"
"""Key that rows have, where they are told, if levels are compared pair by pair: a level alone does not name a row."""


def compares(row: Mapping[str, Any]) -> bool:
    """Return whether a row compares groups; some procedures give numbers of one name, range or rating."""
    return row["p"] is not None or row["term"].partition("|")[0] == str(row["axes"]).replace("+", ":")


def level_name(row: Mapping[str, Any]) -> str:
    """Return the level of a row as part of a name; with what it is compared with where that is needed."""
    return f"{row['level']}-{row['reference']}" if row.get(PAIRWISE) else str(row["level"])


def leading(row: Mapping[str, Any]) -> Row:
    """Return system, task, stratum and output of a row, those it has."""
    return {key: row[key] for key in LEADING if row.get(key) is not None}


def part_key(row: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return system, task, stratum, output and subset of a row, by which parts of a result are told apart."""
    return tuple(row.get(key) for key in (*LEADING, "subset"))


def plain(value: Any) -> Any:
    """Return plain JSON types: lists for arrays and tuples, inside dicts too."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, Mapping):
        return {key: plain(inside) for key, inside in value.items()}
    return list(map(plain, value)) if isinstance(value, tuple | list) else value
