"""Items whose words agree with the person, as *enojada* and *enojado* do: there a gap can come from the form alone."""

import re
from collections.abc import Iterator
from itertools import combinations

import numpy as np

from eec_bias.inputs.codes import encode
from eec_bias.inputs.item_labels import NONE
from eec_bias.inputs.observed import Observations
from eec_bias.inputs.wording import find_reworded
from eec_bias.options import Bools, Ints
from eec_bias.stats.contrasts import Contrast
from eec_bias.stats.layout import Table

WORD_FORM = "word_form"
"""The column with the emotion word as the sentence has it."""

VOWEL_MARKS = re.compile("[\u0591-\u05c7\u064b-\u0652\u0670]")
"""Marks of Hebrew and Arabic that most texts leave out."""

FEWEST_ITEMS = 2
"""A class of items that is compared by itself has so many."""


def find_agreeing(table: Table, contrast: Contrast, observed: Observations, forms: Ints | None) -> Bools:
    """Return the items (J,) whose words agree with the persons that a contrast compares.

    An item with an emotion word agrees if the forms of this word differ between two groups that the axes of the
    contrast tell apart and that are the same on the other axes; of pairs, between both sides of a pair. An item without
    an emotion word agrees if its texts differ in more than the person.

    Parameters
    ----------
    table : Table
        P persons × J items.
    contrast : Contrast
        Of its cells.
    observed : Observations
        Where the texts are.
    forms : (n,) integer array, optional
        What `read_forms` gives for its rows. Without it no item is known to agree.
    """
    agrees = find_agreeing_words(table, contrast, forms)
    words = observed.of_items(table.codes).get("word")
    if forms is None or words is None:
        return agrees
    wordless = np.flatnonzero(np.array(words) == NONE)
    agrees[wordless] = find_reworded(table, [contrast], observed, wordless)[0, wordless]
    return agrees


def find_agreeing_words(table: Table, contrast: Contrast, forms: Ints | None) -> Bools:
    """Return the items (J,) whose emotion word has another form for another group, from the forms of rows (n,)."""
    agrees = np.zeros(len(table.items), dtype=bool)
    if forms is None:
        return agrees
    laid_out = np.where(table.holes, -1, forms[table.rows])
    for first, second in _compared_cells(table, contrast):
        agrees |= _forms_differ(table, laid_out, first, second)
    return agrees


def words_agree(agrees: Bools, table: Table, observed: Observations) -> bool:
    """Return whether the language has emotion words that agree, and enough items of either class to compare apart."""
    words = observed.of_items(table.codes).get("word")
    with_word = agrees if words is None else agrees & (np.array(words) != NONE)
    return bool(with_word.any()) and min(int(agrees.sum()), int((~agrees).sum())) >= FEWEST_ITEMS


def read_forms(observed: Observations) -> Ints | None:
    """Return a code (n,) for the form of the word in each row, −1 if it has none; None without ``word_form``."""
    if observed.source is None or WORD_FORM not in observed.source.columns:
        return None
    column = encode(WORD_FORM, observed.source.columns[WORD_FORM], ordered=False, missing=NONE)
    # A capital or a vowel mark makes no other form.
    written = [VOWEL_MARKS.sub("", level).casefold() for level in column.levels]
    first: dict[str, int] = {}
    same = np.array([first.setdefault(form, k) for k, form in enumerate(written)], dtype=np.intp)
    return np.where(column.codes < 0, -1, same[column.codes])


def _compared_cells(table: Table, contrast: Contrast) -> Iterator[tuple[int, int]]:
    """Yield two cells at a time that differ on one axis of the contrast alone."""
    for axis in contrast.axes:
        for cells in table.strata([axis]).tolist():
            yield from combinations(cells, 2)


def _forms_differ(table: Table, forms: Ints, first: int, second: int) -> Bools:
    """Return the items on which two cells have other forms, of pairs within a base."""
    if table.paired:
        persons = table.within_bases(np.array([first, second]))
        one, other = forms[persons[:, 0]], forms[persons[:, 1]]
        return np.asarray(((one != other) & (one >= 0) & (other >= 0)).any(axis=0))
    one, other = forms[table.cell == first], forms[table.cell == second]
    if (one == one[:1]).all() and (other == other[:1]).all():
        # As almost everywhere, a group has one form on each item.
        return np.asarray((one[0] != other[0]) & (one[0] >= 0) & (other[0] >= 0))
    sets = ([set(items[items >= 0].tolist()) for items in cell.T] for cell in (one, other))
    return np.array([bool(a and b) and a != b for a, b in zip(*sets, strict=True)], dtype=bool)
