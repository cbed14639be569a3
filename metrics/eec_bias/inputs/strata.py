"""The data cut by the values of a column, each part with its own design."""

from dataclasses import dataclass

import numpy as np

from eec_bias.errors import DesignError, OptionError
from eec_bias.inputs.codes import Coded
from eec_bias.inputs.design import Design, build_design, lone_item
from eec_bias.inputs.sources import Source, choose_axes
from eec_bias.options import Ints

SHOWN = 3
"""So many parts in which nothing can be compared are told in an error."""

ONE_ITEM = (
    "by='item': each part has one item, so how an effect differs between sentences cannot be seen, and p-values and "
    "intervals are over persons alone"
)


@dataclass(frozen=True, slots=True)
class Stratum:
    """A part of the data.

    Attributes
    ----------
    label : str or None
        The value of the column; None for all data.
    rows : (n,) integer array, or None
        Which rows; None for all.
    design : Design
        Its tables, positions counted within ``rows``.
    """

    label: str | None
    rows: Ints | None
    design: Design


def cut(
    source: Source, by: str | None, axes: tuple[str, ...] | None, *, reference: object, shared: bool
) -> tuple[list[Stratum], tuple[str, ...]]:
    """Cut the data by a column; without one, all data are one stratum.

    Parameters
    ----------
    source : Source
        The data.
    by : str, optional
        A column, such as ``emotion`` or ``template``.
    axes : tuple of str, optional
        Axes asked for.
    reference, shared
        As for `design.build_design`.

    Returns
    -------
    strata, notes
        A stratum in which nothing can be compared is named in the notes.

    Raises
    ------
    OptionError
        If ``by`` is one of the axes asked for.
    DesignError
        If nothing can be compared in any stratum.
    """
    if not (by is None or isinstance(by, str)):
        raise OptionError(f"by={by!r}; expected the name of one column, such as 'emotion'")
    if by is None:
        design = build_design(source, choose_axes(source, axes), reference=reference, shared=shared)
        return [Stratum(None, None, design)], design.notes
    if axes is not None and by in axes:
        raise OptionError(
            f"by={by!r} is one of the axes measured; take it out of axes=, or ask for simple=True: the effects of each "
            "axis within the levels of the others"
        )
    column = source.coded(by)
    # A table needs its items, also where each is looked at alone.
    names = [name for name in source.labels() if name != by or name == "item"]
    whole = source.take(np.arange(source.rows), names)
    asked = axes or tuple(choose_axes(whole, None))
    strata: list[Stratum] = []
    notes: list[str] = []
    lost: list[str] = []
    for code, label in enumerate(column.levels):
        rows = np.flatnonzero(column.codes == code)
        part = whole.take(rows, names)
        try:
            chosen = choose_axes(part, tuple(axis for axis in asked if _varies(part, axis)) or asked)
            design = build_design(part, chosen, reference=_within(reference, chosen), shared=shared)
        except DesignError as error:
            lost.append(f"{by} {label} is left out: {error}")
            continue
        strata.append(Stratum(label, rows, design))
        alone = lone_item(design.tables) if by == "item" else ()
        notes += [f"{by} {label}: {note}" for note in design.notes if note not in alone]
    if not strata:
        more = f"; and {len(lost) - SHOWN} more" if len(lost) > SHOWN else ""
        raise DesignError(f"no value of by={by!r} leaves anything to compare: {'; '.join(lost[:SHOWN])}{more}")
    return strata, (*lost, *notes, *((ONE_ITEM,) if by == "item" else ()))


def _varies(part: Source, axis: str) -> bool:
    """Tell whether an axis has two marked levels here."""
    try:
        choose_axes(part, (axis,))
    except DesignError:
        return False
    return True


def _within(reference: object, axes: dict[str, Coded]) -> object:
    """Keep the references of axes that a stratum has."""
    if not isinstance(reference, dict):
        return reference
    return {axis: level for axis, level in reference.items() if axis in axes}
