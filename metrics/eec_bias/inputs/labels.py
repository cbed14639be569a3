"""Label columns checked against each other: axes, persons, items, and what each row is paired by."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from eec_bias.errors import LabelsError
from eec_bias.inputs.codes import Coded, compact
from eec_bias.inputs.sources import Source
from eec_bias.options import UNMARKED, Bools, Ints
from eec_bias.stats.contrasts import reference_of, resolve_references
from eec_bias.stats.layout import Axis

SPELLINGS = {
    "race": ("Black", "white", "Latino", "Anglo", "Arab"),
    "gender": ("female", "male", "neutral"),
}
"""How the corpora write their levels, by axis."""


@dataclass(frozen=True, slots=True)
class Labels:
    """Coded columns and the options every table needs.

    Attributes
    ----------
    axes : dict of str to Coded
        The identity axes.
    choice : dict
        Per axis the reference asked for, see `contrasts.resolve_references`.
    person, item : Coded
        Persons and items.
    base : (n,) integer array
        What each row is paired by, a position in ``bases``; −1: a name.
    bases : tuple of str
        The bases, sorted.
    shared : bool
        Whether incomplete tables are cut down to the items all persons share.
    """

    axes: dict[str, Coded]
    choice: dict[str, str | bool | None]
    person: Coded
    item: Coded
    base: Ints
    bases: tuple[str, ...]
    shared: bool

    def marked(self, axis: str) -> Bools:
        """Rows that carry a level of the axis."""
        column = self.axes[axis]
        if UNMARKED not in column.levels:
            return np.ones(len(column), dtype=bool)
        return np.asarray(column.codes != column.levels.index(UNMARKED))

    def items(self, codes: Ints) -> tuple[str, ...]:
        """Texts of item codes."""
        return tuple(self.item.levels[code] for code in codes.tolist())

    def cells(self, own: Sequence[str], rows: Ints) -> tuple[tuple[Axis, ...], Ints]:
        """Return the axes with the levels these rows carry, and each row's cell."""
        axes, cell = [], np.zeros(len(rows), dtype=np.intp)
        for name in own:
            column = self.axes[name]
            present, codes = compact(column.codes[rows])
            levels = tuple(column.levels[i] for i in present)
            axes.append(Axis(name, levels, reference_of(name, levels, self.choice[name])))
            cell = cell * len(levels) + codes
        return tuple(axes), cell


def read_labels(source: Source, axes: dict[str, Coded], *, reference: Any, shared: bool) -> Labels:
    """Code and check the columns a design is made of; parameters and errors as for `design.build_design`."""
    person, item = source.coded("person"), source.coded("item")
    for column in (*axes.values(), person, item):
        refuse_blank(column)
    for column in (*axes.values(), person):
        refuse_twins(column)
    for column in axes.values():
        refuse_other_spelling(column)
    marked = {name: tuple(x for x in column.levels if x != UNMARKED) for name, column in axes.items()}
    choice = resolve_references(reference, marked)
    base, bases = read_bases(source, item, axes)
    return Labels(axes, choice, person, item, base, bases, shared)


def refuse_blank(column: Coded) -> None:
    """Refuse labels without a letter.

    Raises
    ------
    LabelsError
        Naming the first such row.
    """
    for code, level in enumerate(column.levels):
        if not level.strip():
            rows = np.flatnonzero(column.codes == code)
            raise LabelsError(
                f"column {column.name!r} is blank in row {rows[0]} (rows count from 0; {len(rows)} such rows); every "
                f"row needs a label, {UNMARKED!r} on an axis it says nothing about"
            )


def refuse_other_spelling(column: Coded) -> None:
    """Refuse levels that differ from those of the corpora only by case, accents or surrounding space.

    ``Male`` would not be seen as the reference ``male``, nor ``Unmarked`` as no level at all.

    Raises
    ------
    LabelsError
        Naming the first row of the label, and the spelling expected.
    """
    known = {bare(label): label for label in (UNMARKED, *SPELLINGS.get(column.name, ()))}
    for code, level in enumerate(column.levels):
        expected = known.get(bare(level), level)
        if expected != level:
            row = int(np.flatnonzero(column.codes == code)[0])
            raise LabelsError(
                f"column {column.name!r} has the label {level!r} (first in row {row}; rows count from 0), which the "
                f"corpora write {expected!r}; write it so throughout: references and unmarked rows are known by it"
            )


def refuse_twins(column: Coded) -> None:
    """Refuse labels that differ only by case, accents or surrounding space.

    Raises
    ------
    LabelsError
        Naming both labels and the first row of each.
    """
    plain: dict[str, str] = {}
    for level in column.levels:
        twin = plain.setdefault(bare(level), level)
        if twin is not level:
            first, second = (
                int(np.flatnonzero(column.codes == column.levels.index(text))[0]) for text in (twin, level)
            )
            raise LabelsError(
                f"column {column.name!r} has the labels {twin!r} (first in row {first}) and {level!r} (first in row "
                f"{second}; rows count from 0), which differ only by case, accents or space; write one of them "
                "throughout, or names that can be told apart if two are meant"
            )


def bare(label: str) -> str:
    """Return a label without case, accents and surrounding space."""
    folded = label.strip().casefold()
    if folded.isascii():
        return folded
    return "".join(c for c in unicodedata.normalize("NFKD", folded) if not unicodedata.combining(c))


def read_bases(source: Source, item: Coded, axes: dict[str, Coded]) -> tuple[Ints, tuple[str, ...]]:
    """Read from ``pair`` what each row is paired by: its base (−1: a name), and the bases' names.

    Raises
    ------
    LabelsError
        If a pair is neither its row's item nor the item followed by ``/`` and a base; or if there is no
        column ``pair`` although some rows are unmarked on an axis.
    """
    if "pair" not in source.columns:
        _refuse_unmarked(axes)
        return np.full(source.rows, -1, dtype=np.intp), ()
    pair = source.coded("pair", ordered=False)
    first = np.full(len(pair.levels), -1, dtype=np.intp)
    first[pair.codes[::-1]] = np.arange(len(pair) - 1, -1, -1)
    of_pair = item.codes[first]
    items = [item.levels[code] for code in of_pair.tolist()]
    rest = [text.removeprefix(own) for text, own in zip(pair.levels, items, strict=True)]
    kinds = set(rest)
    # A rest that is a whole pair has lost no prefix: its item was not there.
    if any(kind and (kind[0] != "/" or len(kind) == 1) for kind in kinds) or not kinds.isdisjoint(pair.levels):
        fits = [_fits(text, own) for text, own in zip(pair.levels, items, strict=True)]
        if not all(fits):
            k = fits.index(False)
            _refuse_pair(int(first[k]), pair.levels[k], items[k])
    strayed = item.codes != of_pair[pair.codes]
    if strayed.any():
        row = int(np.flatnonzero(strayed)[0])
        _refuse_pair(row, pair.levels[pair.codes[row]], item.levels[item.codes[row]])
    kinds.discard("")
    bases = tuple(sorted(kind[1:] for kind in kinds))
    number = {"": -1} | {f"/{base}": i for i, base in enumerate(bases)}
    return np.array([number[kind] for kind in rest], dtype=np.intp)[pair.codes], bases


def _fits(pair: str, item: str) -> bool:
    return pair == item or (pair.startswith(item + "/") and len(pair) > len(item) + 1)


def _refuse_unmarked(axes: dict[str, Coded]) -> None:
    for column in axes.values():
        if UNMARKED in column.levels:
            row = int(np.flatnonzero(column.codes == column.levels.index(UNMARKED))[0])
            raise LabelsError(
                f"column 'pair' is missing, and row {row} (rows count from 0) is unmarked on {column.name!r}; "
                "pass pair=, which tells names from noun phrases"
            )


def _refuse_pair(row: int, pair: str, item: str) -> None:
    raise LabelsError(
        f"row {row} (rows count from 0) has pair {pair!r} and item {item!r}; a pair is the item itself (names) or the "
        "item followed by '/' and what the row is paired by, such as 'mother_father'"
    )
