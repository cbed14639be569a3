"""Pairs of texts that ``eec perturb --check`` judged: a row per pair, with a score of either text."""

from dataclasses import replace
from typing import Any

import numpy as np

from eec_bias.errors import LabelsError, ScoresError
from eec_bias.inputs.outputs import Outputs
from eec_bias.inputs.sources import Source
from eec_bias.inputs.systems import UNNAMED
from eec_bias.notes import Note

COLUMNS = ("original", "variant", "reason", "original_gender", "variant_gender")
"""Columns by which such a table is recognised."""

PART = "pairs"
"""The column with the parts of the result."""

ALL, CLEAN = "all pairs", "pairs without a reason"
NONE = "none"
"""The reason of a pair with which nothing is wrong."""


def holds_pairs(source: Source) -> bool:
    """Return whether the rows of a table are pairs of texts that were checked."""
    return source.columns.keys() >= set(COLUMNS)


def unfold_pairs(source: Source, outputs: Outputs) -> tuple[Source, Outputs]:
    """Return a row per text: an item per pair, once in the part of all pairs, and again if nothing is wrong with it.

    A pair has a direction if one text is about a woman and the other about a man; other pairs are left out.

    Parameters
    ----------
    source : Source
        A row per pair.
    outputs : Outputs
        The scores (2, n) of the originals and the variants, in this order.

    Raises
    ------
    ScoresError
        If there is no score for each of both texts.
    LabelsError
        If no pair has a direction.
    """
    scores = outputs.scores
    if len(outputs.parts) != 1 or len(scores.values) != len(COLUMNS[:2]):
        raise ScoresError(
            f"the rows are pairs of texts, and there are {len(scores.values)} columns of scores; expected two, those "
            "of the originals and those of the variants, as in --score original_score --score variant_score"
        )
    every = np.arange(source.rows)
    texts, genders, reasons = (_texts(source, names, every) for names in (COLUMNS[:2], COLUMNS[3:], COLUMNS[2:3]))
    directed = np.flatnonzero((np.sort(genders, axis=0) == np.array([["female"], ["male"]])).all(axis=0))
    if not directed.size:
        raise LabelsError(
            "no pair has a direction: original_gender and variant_gender are never female and male. Check the pairs "
            "with eec perturb PAIRS.csv --check"
        )
    clean = directed[reasons[0, directed] == NONE]
    rows = np.repeat(np.concatenate([directed, clean]), 2)
    side = np.tile([0, 1], rows.size // 2)
    item = np.char.add("pair ", rows.astype(str))
    columns = {
        "item": item,
        "pair": np.char.add(item, "/she"),
        "person": genders[side, rows],
        "person_type": np.full(rows.size, "pronoun"),
        "gender": genders[side, rows],
        "text": texts[side, rows],
        PART: np.repeat([ALL, CLEAN], [2 * directed.size, 2 * clean.size]),
    }
    notes = scores.notes
    if left := source.rows - directed.size:
        notes = (*notes, Note("pairs_without_direction", {"count": left, "pairs": source.rows}))
    unfolded = replace(
        scores,
        values=scores.values[side, rows][np.newaxis],
        systems=UNNAMED,
        notes=notes,
        extent=None,
        kinds=scores.kinds[:1],
        noise=None if scores.noise is None else scores.noise.max(keepdims=True),
    )
    listed = {name: column.tolist() for name, column in columns.items()}
    return Source(listed, rows.size, source.data), replace(outputs, parts=((None, unfolded),))


def _texts(source: Source, names: tuple[str, ...], rows: Any) -> Any:
    """Return columns of text (C, n)."""
    return np.array([source.texts(name, rows) for name in names], dtype=object).astype(str)
