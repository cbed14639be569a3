"""Label columns checked against each other: axes, persons, items, and what each row is paired by."""

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from eec_bias.errors import LabelsError
from eec_bias.inputs.codes import Coded, encode, number_rows
from eec_bias.inputs.lookalikes import as_seen, refuse_lookalikes
from eec_bias.inputs.sources import Source
from eec_bias.options import ANY, MEAN, UNMARKED, Ints

SPELLINGS = {
    "race": ("Black", "white", "Latino", "Anglo", "Arab", "Spanish"),
    "gender": ("female", "male", "neutral"),
}
"""How the corpora write their levels, by axis."""

CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f]")


@dataclass(frozen=True, slots=True)
class Labels:
    """The columns that say whom n rows are about, and what they are about.

    Attributes
    ----------
    axes : dict of str to Coded
        The identity axes.
    person, item : Coded
        Persons and items.
    base : (n,) integer array
        What each row is paired by, a position in ``bases``; −1: a name.
    bases : tuple of str
        The bases, sorted.
    """

    axes: dict[str, Coded]
    person: Coded
    item: Coded
    base: Ints
    bases: tuple[str, ...]


def read_labels(source: Source, axes: Mapping[str, Coded]) -> Labels:
    """Code and check the columns ``person``, ``item`` and ``pair`` beside the axes.

    Parameters
    ----------
    source : Source
        The data.
    axes : mapping of str to Coded
        Its identity axes.

    Raises
    ------
    LabelsError
        Naming the first row that is wrong.
    """
    person, item = source.coded("person"), source.coded("item")
    for column in (*axes.values(), person, item):
        kind = "axis" if column.name in axes else column.name
        check_column(column, kind, _rows_of(column, source))
    base, bases = read_bases(source, item, axes)
    return Labels(dict(axes), person, item, base, bases)


def _rows_of(column: Coded, source: Source) -> Callable[[str], str]:
    def where(label: str) -> str:
        row = column.first(label)
        return "no row" if row is None else source.place(row)

    return where


def check_column(column: Coded, kind: str, where: Callable[[str], str] | None = None) -> None:
    """Refuse blank labels, labels that look alike, and levels that the corpora spell differently.

    ``Male`` would not be seen as the reference ``male``, nor ``Unmarked`` as no level at all.

    Parameters
    ----------
    column : Coded
        Labels.
    kind : str
        ``axis``, ``person`` or ``item``; items and strata may differ by case and accents.
    where : function of a label, optional
        Says in words where it stands first; by default its row.

    Raises
    ------
    LabelsError
        Naming the label and where it stands.
    """
    name = column.name
    if CONTROLS.search(name):
        raise LabelsError(
            f"the name of the column {name!r} holds a control character; call it otherwise, as no table or terminal "
            "shows it"
        )
    if kind == "item":
        refuse_lookalikes(column.levels, f"labels of the column {name!r}", LabelsError)
    where = where or _rows_of(column, Source({}, len(column)))
    spellings: dict[str, str] = {}
    published = {fold_label(label): label for label in (UNMARKED, *SPELLINGS.get(name, ()))} if kind == "axis" else {}
    for label in column.levels:
        folded = fold_label(label)
        if not folded:
            raise LabelsError(
                f"column {name!r} is blank in {where(label)}; every row needs a label, {UNMARKED!r} on an axis it "
                "says nothing about"
            )
        if CONTROLS.search(label):
            raise LabelsError(
                f"column {name!r} has {label!r} in {where(label)}, which holds a control character; take it out, as "
                "no table or terminal shows it"
            )
        if kind == "axis" and label in (ANY, MEAN):
            raise LabelsError(
                f"column {name!r} has the label {label!r} in {where(label)}, which in a result stands for all levels; "
                "call it otherwise"
            )
        twin = label if kind == "item" else spellings.setdefault(folded, label)
        if twin != label:
            raise LabelsError(
                f"column {name!r} has the labels {twin!r}, first in {where(twin)}, and {label!r}, first in "
                f"{where(label)}, which differ only by case, accents, space or characters that are not seen; write "
                "one of them throughout, or names that can be told apart if two are meant"
            )
        if published.get(folded, label) != label:
            raise LabelsError(
                f"column {name!r} has the label {label!r}, first in {where(label)}, which the corpora write "
                f"{published[folded]!r}; write it so throughout: references and unmarked rows are known by it"
            )


def fold_label(label: str) -> str:
    """A label without case, accents, surrounding space and invisible characters."""
    folded = as_seen(label).casefold()
    if folded.isascii():
        return folded
    return "".join(c for c in unicodedata.normalize("NFKD", folded) if not unicodedata.combining(c)).strip()


def read_bases(source: Source, item: Coded, axes: Mapping[str, Coded]) -> tuple[Ints, tuple[str, ...]]:
    """Return what each row is paired by, from the column ``pair``: its base (−1: a name), and the sorted bases.

    Raises
    ------
    LabelsError
        If a pair is neither its row's item nor the item followed by ``/`` and a base; or if there is no
        column ``pair`` although some rows are unmarked on an axis.
    """
    if "pair" not in source.columns:
        for column in axes.values():
            refuse_unmarked(column.name, column.levels, _rows_of(column, source))
        return np.full(source.rows, -1, dtype=np.intp), ()
    pair = source.coded("pair", ordered=False)
    key, first = number_rows([pair.codes, item.codes])
    kinds = []
    for row, whole, start in zip(first.tolist(), pair.texts(first), item.texts(first), strict=True):
        kind = whole.removeprefix(start)
        if not whole.startswith(start) or kind[:1] not in ("", "/") or kind == "/":
            raise LabelsError(
                f"{source.place(row)} has pair {whole!r} and item {start!r}; a pair is the item itself (names) or the "
                "item followed by '/' and what the row is paired by, such as 'mother_father'"
            )
        kinds.append(kind[1:])
    base, bases = number_bases(kinds)
    return base[key], bases


def pairs_as_items(labels: Labels) -> Labels:
    """Return pairs that each belong to one item, and have persons of their own, as items: the pair is the sample.

    So are the versions of a text that someone wrote for two groups, with names of their own. The item is the template
    of its pairs, which the test allows for.
    """
    paired = labels.base >= 0
    if not paired.all() or not len(paired):
        return labels
    pair, first = number_rows([labels.base])
    person, first_of_person = number_rows([labels.person.codes])
    own_item = np.array_equal(labels.item.codes[first][pair], labels.item.codes)
    own_persons = np.array_equal(labels.base[first_of_person][person], labels.base)
    if not own_item or not own_persons or len(first) < 2:
        return labels
    names = [f"{labels.item.levels[labels.item.codes[row]]}/{labels.bases[labels.base[row]]}" for row in first.tolist()]
    item = encode("pair", [names[k] for k in pair.tolist()])
    return replace(labels, item=item, base=np.full(len(pair), -1), bases=())


def number_bases(kinds: Sequence[str]) -> tuple[Ints, tuple[str, ...]]:
    """Number bases in the order of their names; the empty text, of names, is −1."""
    coded = encode("pair", ["", *kinds])
    return coded.codes[1:] - 1, coded.levels[1:]


def refuse_unmarked(axis: str, levels: tuple[str, ...], where: Callable[[str], str]) -> None:
    """Refuse rows that are unmarked on an axis where no column ``pair`` says whether they are noun phrases."""
    if UNMARKED in levels:
        raise LabelsError(
            f"column 'pair' is missing, and {where(UNMARKED)} is unmarked on {axis!r}; give the column 'pair', which "
            "tells names from noun phrases"
        )
