"""Which columns of a user's table are what, by their names and by what they hold."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from eec_datasets.audit.tables.cells import (
    LABEL,
    SCORE,
    WORDY,
    Kind,
    kind_of,
    scores_of_pipeline,
    with_points,
)
from eec_datasets.audit.tables.files import Files
from eec_datasets.errors import InputError
from eec_datasets.text_file import number

if TYPE_CHECKING:
    import pyarrow as pa

    from eec_datasets.systems.base import Range

PERSONS: Final = ("person", "name", "person_form", "term", "identity term", "identity", "target", "full name")
ITEMS: Final = ("item", "template", "frame", "prompt id", "sentence id", "pair id", "pair", "item id")
WORDS: Final = ("word", "emotion word", "word_form")
TEXTS: Final = ("text", "sentence", "tweet", "prompt", "input", "sentences", "texts", "content", "question")
"""Names of columns, in any case, as people call them."""

LABELS: Final = ("person", "item")
"""Columns for the person and the item of a row, as the metric calls them."""

LAYOUT: Final = frozenset({"template", "person", "gender", "race", "emotion word"})
"""Columns of the file of 2018, except its sentences, in lower case."""

RUN_COLUMNS: Final = ("sample", "run", "seed", "repeat", "repetition", "trial", "replicate")
"""Columns that tell several answers to one sentence apart."""


@dataclass(frozen=True, slots=True)
class ScoreColumns:
    """A table of scores, and which of its columns are what.

    Attributes
    ----------
    table
        Its rows, with numbers as Python writes them.
    scores
        Columns of scores: one per system, or per run of one system.
    outputs
        Those that hold what pipelines emit.
    limits
        Lowest and highest possible score.
    facets
        The columns by which a sentence has several rows.
    options
        What `measure` must be told of them: the columns by which a sentence has several rows (``systems``, ``tasks``,
        ``runs``), or the columns of scores that are runs of one system.
    left_out
        Columns that are no labels.
    written
        How the numbers are written.
    notes
        What else was guessed.
    """

    table: pa.Table
    scores: Sequence[str]
    outputs: Collection[str]
    limits: Range
    facets: Sequence[str] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    left_out: Sequence[str] = ()
    written: Sequence[str] = ()
    notes: Sequence[str] = ()


def in_layout(columns: Collection[str]) -> bool:
    """Return whether a table has the columns of the file of 2018."""
    return {name.casefold() for name in columns} >= LAYOUT


def find_column(columns: Sequence[str], names: Sequence[str]) -> str | None:
    """Return the first of the columns that is called like one of the names, in any case, with spaces or underscores."""
    by_name = {name.strip().casefold().replace("_", " "): name for name in reversed(columns)}
    return next((by_name[name] for name in (each.replace("_", " ") for each in names) if name in by_name), None)


def key_of(path: str, columns: Sequence[str], others: Sequence[str]) -> str:
    """Return the column by which rows are matched: ``id``, or ``text`` where one of the tables has no ids.

    Raises
    ------
    InputError
        Neither is in both.
    """
    shared = [name for name in ("id", "text") if name in columns and name in others]
    if not shared:
        also = " or 'text'" if "text" in others else ""
        raise InputError(
            f"{path}: there is no column 'id'{also} among {', '.join(columns) or 'none'}; scores and rows are matched "
            "by it. Name a column so, and leave nothing above the names."
        )
    return shared[0]


def refuse_nested(table: pa.Table, others: Collection[str], place: str) -> None:
    """Refuse columns of lists or objects, which JSON and parquet may hold, where rows are matched or compared by them.

    Raises
    ------
    InputError
        Naming the first.
    """
    import pyarrow as pa

    for each in table.schema:
        if each.name in others and pa.types.is_nested(each.type):
            raise InputError(
                f"{place}: the column {each.name!r} contains {each.type}; expected a text or number in each row."
            )


def choose_scores(files: Files, names: Sequence[str], labels: Sequence[str] = ()) -> list[str]:
    """Return the columns of scores by their names: those asked for, else what they are called.

    Parameters
    ----------
    files
        What holds the scores.
    names
        Its columns.
    labels
        Columns that hold no scores, if the labels are in another table; empty if they are in this one.

    Raises
    ------
    InputError
        A column asked for is missing, or none can be told from the labels.
    """
    requested = files.options.columns or files.options.run_columns
    if missing := [name for name in requested if name not in names]:
        raise InputError(f"{files.source}: there is no column {missing[0]!r} among {', '.join(names)}.")
    if labels:
        usable = [name for name in names if name not in (*labels, "id")]
    else:
        usable = [SCORE] if SCORE in names else []
    if not (requested or usable):
        hint = f"the data have {SCORE!r} as well" if SCORE in names else f"expected a column {SCORE!r}"
        raise InputError(
            f"{files.source}: which column has the scores? The columns are {', '.join(names)}; {hint}. "
            "Rename a column to 'score', or name one or several columns with the option score."
        )
    return list(dict.fromkeys(requested or usable))


def scores_of_own(files: Files, table: pa.Table) -> list[str]:
    """Return the columns of scores: those asked for, else ``score``, else all that hold numbers and label nothing."""
    if files.options.columns or files.options.run_columns or SCORE in table.column_names:
        return choose_scores(files, table.column_names)
    known = (*LAYOUT, "emotion", *TEXTS, *LABELS, "id", "pair")
    labels = [name for name in table.column_names if name.casefold() in known]
    table, _ = with_points(files, table, [name for name in table.column_names if name not in labels])
    kinds = _kinds(files, table, choose_scores(files, table.column_names, [*labels, "id"]))
    return _pick(files, kinds)[0]


def own_columns(files: Files, table: pa.Table, scores: Sequence[str]) -> ScoreColumns:
    """Return which columns of a table are what, if it has labels itself and its columns of scores are known."""
    table, written = with_points(files, table, scores)
    table, files, of_pipeline = scores_of_pipeline(files, table, scores)
    no_labels = [*scores, "id", "text", *([LABEL] if of_pipeline else [])]
    others = [name for name in table.column_names if name not in no_labels]
    numbers, of_numbers = number_columns(files, others, lambda name: table[name].unique().to_pylist())
    return ScoreColumns(
        table,
        scores,
        _outputs(_kinds(files, table, scores)),
        files.limits,
        options=runs_of(files, table.column_names, scores) | ({"classes": None} if of_pipeline else {}),
        left_out=[*no_labels, *numbers],
        written=written,
        notes=[*of_pipeline, *of_numbers],
    )


def joined_columns(files: Files, table: pa.Table, key: str, labels: Sequence[str]) -> ScoreColumns:
    """Return which columns of a table are what, if its rows are joined to others, by what they hold.

    Parameters
    ----------
    files
        Where the table is from.
    table
        Its rows.
    key
        The column by which they are matched.
    labels
        Columns of the rows that they are matched with, which hold no scores.

    Raises
    ------
    InputError
        Several columns could be meant, or what was named is no column.
    """
    table, written = with_points(files, table, table.column_names)
    refuse_nested(table, labels, files.source)
    asked = files.options.columns or table.column_names
    table, files, of_pipeline = scores_of_pipeline(files, table, [name for name in asked if name not in labels])
    facets = _facets(files, table, key, labels)
    told = list(facets.values())
    emitted = [LABEL] if of_pipeline else []
    systems = choose_scores(files, table.column_names, [*labels, *told, *emitted, "id"])
    kinds = _kinds(files, table, systems)
    scores, notes = _pick(files, kinds)
    if facets and len(scores) > 1:
        raise InputError(
            f"{files.source}: a row per system has one score, and there are {', '.join(scores)}. Name one as score."
        )
    if facets:
        count = table.select(told).group_by(told).aggregate([]).num_rows
        notes.append(f"a row per {' and '.join(told)}: {count} for every sentence{_taken(files, facets)}")
    return ScoreColumns(
        table,
        scores,
        _outputs(kinds),
        files.limits,
        told,
        (facets or runs_of(files, table.column_names, scores)) | ({"classes": None} if of_pipeline else {}),
        written=written,
        notes=[*of_pipeline, *notes],
    )


def _kinds(files: Files, table: pa.Table, columns: Sequence[str]) -> dict[str, Kind]:
    """Return what columns that may be scores hold; texts that are classes are scores as numbers are."""
    kinds = {name: kind_of(table[name], files.options) for name in columns}
    if files.options.classes:
        return {name: "numbers" if kind in WORDY else kind for name, kind in kinds.items()}
    return kinds


def _outputs(kinds: Mapping[str, Kind]) -> list[str]:
    return [name for name, kind in kinds.items() if kind == "outputs"]


def _taken(files: Files, facets: Mapping[str, str]) -> str:
    """Say what was made of the columns by which a sentence has several rows, if nobody said so."""
    if "runs" in facets and not files.options.facets:
        return ", taken as runs of one system"
    said = facets.items() <= files.options.facets.items()
    if said or re.search("system|model", next(iter(facets.values())), re.IGNORECASE):
        return ""
    return ", taken as systems and not as runs of one"


def _pick(files: Files, kinds: Mapping[str, Kind]) -> tuple[list[str], list[str]]:
    """Return the columns of scores among those that may be, by what they hold, and what was guessed.

    Raises
    ------
    InputError
        ``score`` has numbers, and another column too.
    """
    systems = list(kinds)
    if files.options.columns or files.options.run_columns:
        return systems, []
    counts = [name for name in systems if len(systems) > 1 and kinds[name] == "counts"]
    textual = [name for name in systems if kinds[name] == "texts"]
    chosen = [name for name in systems if name not in (*counts, *textual)] or systems
    others = [name for name in chosen if name != SCORE and kinds[name] != "nothing"]
    if SCORE in chosen and others:
        raise InputError(
            f"{files.source}: which column has the scores? Not only 'score' has numbers, but also {', '.join(others)}. "
            "Leave out columns that are no scores, or name the columns of scores, one per system, with the option "
            "score."
        )
    notes = [f"the column {name!r} only counts the rows and is left out" for name in counts]
    notes += [f"the column {name!r} contains no numbers and is left out" for name in textual if name not in chosen]
    if len(chosen) == 1 and chosen != [SCORE]:
        notes.append(f"the column {chosen[0]!r} is read as the scores")
    return chosen, notes


def runs_of(files: Files, names: Sequence[str], systems: Sequence[str]) -> dict[str, Any]:
    """Return the columns that are runs of one system: those named as such, or all of a file of an audit of prompts.

    Raises
    ------
    InputError
        Runs are named by columns that are not those of the scores.
    """
    runs = files.options.run_columns
    if set(runs) & {*names}:
        if sorted(runs) != sorted(systems):
            raise InputError(
                f"{files.source}: the option score names the columns {', '.join(systems)}, the option run "
                f"{', '.join(runs)}. Name the columns of one system's runs with the option run alone."
            )
        return {"runs": tuple(systems)}
    if files.header and len(systems) > 1 and not files.options.columns:
        return {"runs": tuple(systems)}
    return {}


def _facets(files: Files, table: pa.Table, key: str, labels: Sequence[str]) -> dict[str, str]:
    """Return the columns by which a sentence has several rows, by option of the metric; empty where it has one.

    Raises
    ------
    InputError
        Several columns could be the one that names the system, or what was named as that is no column.
    """
    facets = files.options.facets
    declared = {name: column for name, column in facets.items() if column in table.column_names}
    if declared:
        return declared

    def unique(*names: str) -> bool:
        return bool(table.group_by(list(names)).aggregate([]).num_rows == len(table))

    if unique(key):
        return {}
    runs = [name for name in table.column_names if name in RUN_COLUMNS and name not in labels and unique(key, name)]
    if runs and not facets:
        return {"runs": runs[0]}
    others = [name for name in table.column_names if name not in (*labels, key)]
    textual = [name for name in others if kind_of(table[name], files.options) in WORDY]
    candidates = [name for name in textual if unique(key, name)]
    named = facets.get("systems")
    if candidates and (named or len(candidates) > 1):
        told = f", and systems is {named!r}" if named else ""
        raise InputError(
            f"{files.source}: every {key} has several rows{told}. Which column names the system? It could be "
            f"{' or '.join(candidates)}. Name it with the option systems, or with the option run where it tells "
            "prompts or seeds of one system apart."
        )
    return {"systems": candidates[0]} if candidates else {}


def number_columns(
    files: Files, columns: Sequence[str], values_of: Callable[[str], Collection[str]]
) -> tuple[list[str], list[str]]:
    """Return the columns of a text file that are numbers and that nobody knows or named: they are no groups.

    A note names them. In other files columns have types, and those of numbers are no axes unless they are named.
    """
    from eec_bias.reading import OF_SENTENCES, OF_SETS, SCHEMA

    known = {*SCHEMA, *OF_SENTENCES, *OF_SETS, *files.options.named}
    unknown = [name for name in columns if name not in known] if files.kind == "csv" else []
    filled = {name: [value.replace(",", ".") for value in values_of(name) if value] for name in unknown}
    names = [name for name, values in filled.items() if values and not any(math.isnan(number(v)) for v in values)]
    note = f"columns of numbers are no groups unless an option names them: {', '.join(names)}"
    return names, [note] if names else []
