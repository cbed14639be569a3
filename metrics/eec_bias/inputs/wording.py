"""Whether the texts that a contrast compares differ in more than the person."""

from collections.abc import Iterator, Sequence
from itertools import islice, product

import numpy as np

from eec_bias.inputs.observed import Observations
from eec_bias.inputs.person_labels import FORM
from eec_bias.options import Bools, Ints
from eec_bias.stats.contrasts import Contrast
from eec_bias.stats.layout import Table

TEXT = "text"


def find_reworded(
    table: Table, contrasts: Sequence[Contrast], observed: Observations, items: Ints | None = None
) -> Bools:
    """Return whether texts differ in more than the person, per contrast and item, as where adjectives agree in gender.

    Parameters
    ----------
    table : Table
        P persons × J items.
    contrasts : sequence of Contrast
        The R rows.
    observed : Observations
        Where the texts are; without the columns ``text`` and ``person_form`` nothing is known to differ.
    items : integer array, optional
        The items whose texts are compared; by default all.

    Returns
    -------
    (R, J) bool array
    """
    reworded = np.zeros((len(contrasts), len(table.items)), dtype=bool)
    chosen = np.arange(len(table.items)) if items is None else items
    for r, contrast in enumerate(contrasts):
        for pair in _compared_persons(table, contrast) if len(contrast.axes) == 1 else ():
            texts, forms = ([observed.texts(name, table.rows[p, chosen]) for p in pair] for name in (TEXT, FORM))
            if None in (*texts, *forms):
                return reworded
            reworded[r, chosen] |= list(map(_reworded, texts[0], forms[0], texts[1], forms[1]))  # type: ignore[arg-type]
    return reworded


def _compared_persons(table: Table, contrast: Contrast) -> Iterator[tuple[int, int]]:
    """One pair of persons per pair of groups that the contrast weighs against each other, alike on other axes."""
    for cells in table.strata(contrast.axes):
        weights = contrast.weights[cells]
        for k, m in product(cells[weights > 0], cells[weights < 0]):
            first, second = (np.flatnonzero(table.cell == cell).tolist() for cell in (k, m))
            pairs = ((p, q) for p in first for q in second if not table.paired or table.base[p] == table.base[q])
            yield from islice(pairs, 1)


def _reworded(first: str, form: str, other: str, other_form: str) -> bool:
    """Return whether more words differ than those of the person, counted from the first to the last that does."""
    a, b = first.split(), other.split()
    shorter = min(len(a), len(b))
    start = next((i for i in range(shorter) if a[i] != b[i]), shorter)
    end = next((i for i in range(shorter - start) if a[-1 - i] != b[-1 - i]), shorter - start)
    a, b = a[start : len(a) - end], b[start : len(b) - end]
    if len(a) <= len(form.split()) and len(b) <= len(other_form.split()):
        return False
    return not _are_contracted(_before_person(a, form), _before_person(b, other_form))


def _before_person(words: list[str], form: str) -> list[str]:
    """The words that are left after those of the person at the end are cut off."""
    left = list(words)
    for word in reversed(form.split()):
        if left and left[-1].rstrip(".,!?;:").casefold() == word.casefold():
            left.pop()
    return left


def _are_contracted(first: list[str], other: list[str]) -> bool:
    """Return whether all that is left is a preposition, with the article on one side: *de la señora*, *del señor*."""
    return len(first) == len(other) == 1 and first[0][0].casefold() == other[0][0].casefold()
