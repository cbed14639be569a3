"""Choose the axes: the columns that say which groups a person belongs to."""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import pyarrow as pa

from eec_bias.errors import DesignError, OptionError
from eec_bias.inputs.containers import Source
from eec_bias.inputs.labels import Coded, first_change, first_rows, is_text, number_rows
from eec_bias.notes import Note
from eec_bias.options import RESERVED, UNMARKED, check_names

SCHEMA = (
    "id", "text", "language", "template", "emotion", "word", "word_form", "speaker", "person", "person_form",
    "person_type", "gender", "race", "item", "pair", "family", "ending", "word_status",
    "said", "placebo",
)  # fmt: skip
"""The columns every corpus has; any further text column is an identity axis."""

OF_SENTENCES = ("anchor",)
"""Columns of perturbed corpora that say something about the sentence, not about the person named in it."""

SIGNAL = "_signal"
"""At the end of a column's name, after that of an axis: how strongly a name signals its group on this axis."""

OF_SETS = ("rg", "group", "set", "case")
"""Columns of confounded data sets: race and gender in one, and the set a row belongs to."""

FIRST_AXES = ("race", "gender")

MARKS = frozenset("+:|=,")
"""Characters that separate axes and levels in the names of terms."""


def axis_names(axes: Sequence[str] | None, option: str = "axes") -> tuple[str, ...] | None:
    """Check the option ``axes``, or another that names columns of groups; None where it was not given.

    Raises
    ------
    OptionError
        If it is no sequence of names, or names an axis twice.
    """
    if axes is None:
        return None
    check_names(option, axes)
    names = tuple(axes)
    for name in names:
        if name in ("person", "item", "pair"):
            raise OptionError(
                f"{option} names {name!r}, which says who or what a row is about; an axis is a column of groups, such "
                "as 'race'"
            )
    if len(set(names)) != len(names):
        raise OptionError(f"{option} {names!r} names an axis twice")
    return names


def choose_axes(source: Source, requested: tuple[str, ...] | None) -> dict[str, Coded]:
    """Code the identity axes, in the order of the report.

    Parameters
    ----------
    source : Source
        The data.
    requested : tuple of str, optional
        Axes by name; by default race, gender and every further text column that has at least two marked levels.

    Raises
    ------
    LabelsError
        If an axis is missing.
    DesignError
        If an axis asked for, or every axis, has fewer than two marked levels.
    """
    names = axis_candidates(source) if requested is None else requested
    return keep_axes({name: source.coded(name) for name in names}, requested=requested is not None)


def keep_axes(axes: Mapping[str, Coded], *, requested: bool) -> dict[str, Coded]:
    """Keep the axes with two marked levels; where they were asked for, all must have them; errors as `choose_axes`."""
    chosen = {name: axis for name, axis in axes.items() if len(axis.marked) >= 2}
    for name, axis in axes.items():
        if requested and name not in chosen:
            level = f"one marked level ({axis.marked[0]})" if axis.marked else "no marked level"
            raise DesignError(f"axis {name!r} has {level}; a comparison needs two: leave the axis out, or add a level")
    if not chosen and requested:
        raise DesignError("axes names no axis; name at least one, such as 'gender'")
    if not chosen:
        found = [f"{name} ({', '.join(axis.marked) or UNMARKED})" for name, axis in axes.items()] or ["no axis column"]
        raise DesignError(f"no axis has two marked levels; found {', '.join(found)}; a comparison needs two")
    for name, axis in chosen.items():
        # They would be read as something else: another column, an interaction.
        if name in RESERVED or set(name) & MARKS:
            raise DesignError(
                f"column {name!r} cannot be an axis by this name: beside the axes results have {', '.join(RESERVED)}, "
                f"and {' '.join(sorted(MARKS))} stand in terms; rename the column, or choose the axes without it"
            )
        joined = [level for level in axis.levels if ":" in level]
        if joined and len(chosen) > 1:
            raise DesignError(
                f"axis {name!r} has the level {joined[0]!r}; a colon stands between the levels of crossed axes: write "
                "it otherwise"
            )
    return chosen


def lone_axes(axes: Mapping[str, Coded], kept: Iterable[str]) -> tuple[Note, ...]:
    """Note the axes that are not kept for having one marked level; those with none say nothing of anybody."""
    return tuple(
        Note("one_level", {"name": name, "level": axis.marked[0]})
        for name, axis in axes.items()
        if name not in kept and len(axis.marked) == 1
    )


def axis_candidates(source: Source) -> list[str]:
    """Race, gender and the text columns that the row schema does not know."""
    first = [name for name in FIRST_AXES if name in source.columns]
    # A lone column of such a name may well be an axis; with rg and another beside it, it is none.
    sets = [name for name in OF_SETS if name in source.columns]
    others = {*SCHEMA, *OF_SENTENCES, *(sets if "rg" in sets and len(sets) > 2 else ())}
    others.update(signal_columns(source.columns, source.columns))
    return first + [name for name, column in source.columns.items() if name not in others and _is_text(column)]


def candidate_axes(source: Source, person: Coded, by: str | None) -> tuple[dict[str, Coded], tuple[Note, ...]]:
    """Return the columns that may be axes, and what is noted of them.

    Race and gender are; any other column is one only if it says the same of a person in every row. What differs between
    the sentences about one person, such as their polarity, says something about sentences. A label that stands for
    another person in every group is the exception: one item then meets it once in each.
    """
    found: dict[str, Coded] = {}
    varying: dict[str, Coded] = {}
    first = first_rows(person.codes, len(person.levels))
    for name in axis_candidates(source):
        if name == by:
            continue
        axis = source.coded(name)
        if name in FIRST_AXES or first_change(axis.codes, person.codes, first) is None:
            found[name] = axis
        elif len(axis.marked) > 1:
            varying[name] = axis
    if varying and "item" in source.columns:
        item = source.coded("item", ordered=False)
        cells = [person.codes, item.codes, *(axis.codes for axis in found.values())]
        if len(number_rows(cells)[1]) < source.rows:
            first_of_item = first_rows(item.codes, len(item.levels))
            apart = {
                name: axis
                for name, axis in varying.items()
                if first_change(axis.codes, item.codes, first_of_item) is not None
            }
            if len(number_rows([*cells, *(axis.codes for axis in apart.values())])[1]) == source.rows:
                found |= apart
                varying = {name: axis for name, axis in varying.items() if name not in apart}
    own = [name for name, axis in found.items() if name not in FIRST_AXES and len(axis.marked) > 1]
    notes = []
    if not source.data.version and (own or varying):
        taken = [name for name, axis in found.items() if len(axis.marked) > 1]
        notes.append(Note("axes_taken", {"axes": ", ".join(taken) or "none"}))
    if varying:
        notes.append(Note("axes_vary_within_person", {"columns": ", ".join(varying)}))
    return found, tuple(notes)


def signal_columns(columns: Iterable[str], axes: Collection[str]) -> tuple[str, ...]:
    """Return the columns that say how strongly a name signals its group on one of the axes."""
    return tuple(name for name in columns if name.endswith(SIGNAL) and name.removesuffix(SIGNAL) in axes)


def _is_text(column: Any) -> bool:
    """Return whether a column is text, by its type or by its first value that is not missing."""
    kind = getattr(column, "type", None)
    if isinstance(kind, pa.DataType):
        return is_text(kind)
    values = column.dropna() if hasattr(column, "dropna") else column
    present = (value for value in values if not (value is None or (isinstance(value, float) and math.isnan(value))))
    return isinstance(next(present, None), str)
