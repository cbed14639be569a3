"""Bring rows in other layouts into one row per sentence: long data, and pairs of texts."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from eec_bias.errors import LabelsError, OptionError, ScoresError
from eec_bias.inputs.axes import FIRST_AXES, axis_candidates, axis_names
from eec_bias.inputs.containers import Source
from eec_bias.inputs.labels import Coded, encode, number_rows
from eec_bias.inputs.matrices import as_numbers, type_of
from eec_bias.inputs.outputs import Outputs, read_outputs
from eec_bias.inputs.scores import UNNAMED, Scores, Systems
from eec_bias.notes import Note
from eec_bias.options import Ints, MeasureOptions

KEYS = ("person", "item", "pair")
"""Columns that tell the sentences of one system apart, in addition to the axes."""

RUN_COLUMNS = ("sample", "run", "seed", "repeat", "repetition", "trial", "replicate")
"""Columns that tell several answers to one sentence apart."""

OF_PAIRS = ("original", "variant", "reason", "original_gender", "variant_gender")
"""Columns by which a table of pairs that ``eec perturb --check`` judged is recognised."""

PART = "pairs"
"""The column with the parts of the result on pairs."""

ALL, CLEAN = "all pairs", "pairs without a reason"

NONE = "none"
"""The reason of a pair with which nothing is wrong."""


def find_runs(source: Source, systems: Any) -> str | None:
    """Return the column that tells apart the rows of a sentence that was scored several times; None without one."""
    names = [name for name in RUN_COLUMNS if name in source.columns]
    if not names or not {"person", "item"} <= source.columns.keys():
        return None
    keys = [*KEYS, *FIRST_AXES, *([systems] if isinstance(systems, str) else [])]
    sentence = [source.coded(name, ordered=False).codes for name in keys if name in source.columns]
    if len(number_rows(sentence)[1]) == source.rows:
        return None
    for name in names:
        run = encode(name, source.columns[name], ordered=False, missing="none")
        if len(number_rows([*sentence, run.codes])[1]) == source.rows:
            return name
    return None


def read_long(source: Source, options: MeasureOptions) -> tuple[Source, Ints, Systems]:
    """Return the sentences of long data, in the same order for every system.

    Parameters
    ----------
    source : Source
        The long data.
    options : MeasureOptions
        The columns that name the systems, what they predict, and their runs; the same system in two tasks counts as
        two, and each run of a system has every sentence. Without ``axes`` every text column that the row schema does
        not know and that varies within a system tells sentences apart. Sentences will be cut by the column ``by``.

    Returns
    -------
    sentences, order, systems
        The rows of the first system, without the columns that say something about systems; where each system's
        scores stand (S, n); and the systems in the order in which they first appear.

    Raises
    ------
    LabelsError
        If a system lacks a sentence the first system has, has others, or has one twice.
    OptionError
        If a column is missing, or sentences cannot be cut by it.
    """
    import pandas as pd

    axes, by = axis_names(options.axes), options.by
    of_systems: dict[str, Any] = {"systems": options.systems, "tasks": options.tasks, "runs": options.runs}
    for option, column in of_systems.items():
        if not (column is None or isinstance(column, str)):
            other = next(f"{name} {value!r}" for name, value in of_systems.items() if isinstance(value, str))
            raise OptionError(f"{option} is {column!r}; with long data it is the name of a column, as {other} is")
        if column is not None and column not in source.columns:
            raise OptionError(f"{option} {column!r} is no column of the data, which have {', '.join(source.columns)}")
        if column is not None and column in (by, *(axes or ())):
            raise OptionError(
                f"{'by' if column == by else 'axes'} names the column {column!r}, and so does {option}: it says "
                "something about systems, not about sentences or persons; leave it out there"
            )
    coded = [None if column is None else source.coded(column) for column in of_systems.values()]
    number, rows = number_rows([column.codes for column in coded if column is not None])
    unit, appeared = pd.factorize(number)
    first = rows[appeared]
    names, tasks, runs = (None if column is None else column.texts(first) for column in coded)
    known = Systems(names, tasks, runs)
    others = [name for name in source.columns if name not in of_systems.values()]
    candidates = axes if axes is not None else (*FIRST_AXES, "emotion", *axis_candidates(source))
    codes = {
        name: source.coded(name, ordered=False).codes for name in dict.fromkeys((*candidates, *KEYS)) if name in others
    }
    # What does not vary within systems says something about them, not about sentences.
    varies = {name: name in KEYS or (column != column[first][unit]).any() for name, column in codes.items()}
    order = _sentences(unit, known, {name: column for name, column in codes.items() if varies[name]})
    if by in others:
        _check_cut(source.coded(by), order)
    kept = [name for name in others if varies.get(name, True)]
    return source.take(order[0], kept), order, replace(known, order=order)


def _check_cut(column: Coded, order: Ints) -> None:
    """Refuse to split by a column that differs between systems: the parts of the first would be taken for all."""
    codes = column.codes[order]
    for s, j in np.argwhere(codes != codes[0]):
        first, another = column.texts(order[[0, s], j])
        raise OptionError(
            f"by {column.name!r} is {first!r} in row {order[0, j]} and {another!r} in row {order[s, j]} (rows count "
            "from 0), which have the same sentence; a column to cut by says something about sentences, not about "
            "systems: measure its values apart"
        )


def _sentences(unit: Ints, systems: Systems, columns: Mapping[str, Ints]) -> Ints:
    """Return the rows of each system (S, rows), the same sentence in each column, in the first system's order."""
    key, _ = number_rows(list(columns.values()))
    count = np.bincount(unit)
    order = np.lexsort((key, unit))
    if (count != count[0]).any():
        s = int(np.flatnonzero(count != count[0])[0])
        raise LabelsError(
            f"{systems.subject(s)} has {count[s]} rows, {systems.subject(0)} has {count[0]}; every system and run "
            "needs the same sentences"
        )
    rows = order.reshape(len(count), -1)
    keys = key[rows]
    for s, j in np.argwhere(keys[:, 1:] == keys[:, :-1]):
        raise LabelsError(
            f"{systems.subject(s)} has the same sentence in rows {rows[s, j]} and {rows[s, j + 1]} (rows count from "
            "0): the same person, item and axes"
        )
    for s, j in np.argwhere(keys != keys[0]):
        raise LabelsError(
            f"{systems.subject(s)} does not have the sentences of {systems.subject(0)}: row {rows[s, j]} (rows count "
            f"from 0) has no counterpart with the same {', '.join(columns)}; if one of these columns says something "
            "about systems or scores, name the axes without it"
        )
    return np.asarray(rows[:, np.argsort(rows[0])])


def are_checked_pairs(columns: Iterable[str]) -> bool:
    """Return whether the columns of a table are those of pairs of texts that ``eec perturb --check`` wrote."""
    return set(OF_PAIRS) <= set(columns)


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
    if len(outputs.parts) != 1 or len(scores.values) != len(OF_PAIRS[:2]):
        raise ScoresError(
            f"the rows are pairs of texts, and there are {len(scores.values)} columns of scores; expected two, those "
            "of the originals and those of the variants, as in --score original_score --score variant_score"
        )
    every = np.arange(source.rows)
    texts, genders, reasons = (_texts(source, names, every) for names in (OF_PAIRS[:2], OF_PAIRS[3:], OF_PAIRS[2:3]))
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
        kinds=scores.kinds[:1],
        noise=None if scores.noise is None else scores.noise.max(keepdims=True),
    )
    listed = {name: column.tolist() for name, column in columns.items()}
    return Source(listed, rows.size, source.data), replace(outputs, parts=((None, unfolded),))


def _texts(source: Source, names: tuple[str, ...], rows: Any) -> Any:
    """Return columns of text (C, n)."""
    return np.array([source.texts(name, rows) for name in names], dtype=object).astype(str)


def read_by_system(scores: Any, order: Ints, systems: Systems, options: MeasureOptions) -> Outputs:
    """Check the outputs of long data, one per row, and lay them out by system."""
    if options.output_kind in ("score", "ordinal"):
        numbers = as_numbers(scores)
        if numbers.shape != (order.size,):
            raise ScoresError(
                f"the scores have the shape {numbers.shape} for {order.size} rows; long data need one score per row"
            )
        read = read_outputs(numbers[order], order.shape[1], options, systems)
        kind = type_of(scores)
        if kind == "float64":
            return read
        parts = ((label, replace(part, kinds=(kind,) * len(order))) for label, part in read.parts)
        return replace(read, parts=tuple(parts))
    read = read_outputs(scores, order.size, replace(options, systems=None, tasks=None, runs=None))
    by_rows = ((label, _by_rows(part, order, systems)) for label, part in read.parts)
    return replace(read, parts=tuple(by_rows), predicted=None if read.predicted is None else read.predicted[0][order])


def _by_rows(scores: Scores, order: Ints, systems: Systems) -> Scores:
    """Lay the scores of one system out as those of several, by their rows (S, n)."""
    count = len(order)
    noise = None if scores.noise is None else np.repeat(scores.noise, count)
    return replace(scores, values=scores.values[0][order], systems=systems, kinds=scores.kinds * count, noise=noise)
