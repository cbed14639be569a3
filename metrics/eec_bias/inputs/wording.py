"""Texts that differ in more than the person, as *enojada* and *enojado* do: a gap can come from the form alone."""

import re
from collections.abc import Iterator, Sequence
from itertools import combinations, islice, product

import numpy as np

from eec_bias.inputs.labels import encode
from eec_bias.inputs.observed import FORM, NONE, Observations
from eec_bias.options import Bools, Ints
from eec_bias.stats.contrasts import Contrast
from eec_bias.stats.layout import Table

TEXT = "text"

WORD_FORM = "word_form"
"""The column with the emotion word as the sentence has it."""

VOWEL_MARKS = re.compile("[\u0591-\u05c7\u064b-\u0652\u0670]")
"""Marks of Hebrew and Arabic that most texts leave out."""

FEWEST_ITEMS = 2
"""A class of items that is compared by itself has so many."""


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
    """Yield two persons per pair of groups that the contrast compares, the same on other axes."""
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
    """Return the words that are left after those of the person at the end are cut off."""
    left = list(words)
    for word in reversed(form.split()):
        if left and left[-1].rstrip(".,!?;:").casefold() == word.casefold():
            left.pop()
    return left


def _are_contracted(first: list[str], other: list[str]) -> bool:
    """Return whether all that is left is a preposition, with the article on one side: *de la señora*, *del señor*."""
    return len(first) == len(other) == 1 and first[0][0].casefold() == other[0][0].casefold()


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
