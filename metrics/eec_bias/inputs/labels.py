"""Columns of labels: as integer codes, and refused where they are blank or look alike.

Everything after this module works on codes; strings are touched once per distinct value.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from eec_bias.errors import LabelsError
from eec_bias.options import ANY, MEAN, UNMARKED, Ints

UNSEEN = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Characters that nobody sees, although they count as letters or marks."""

SPELLINGS = {
    "race": ("Black", "white", "Latino", "Anglo", "Arab", "Spanish"),
    "gender": ("female", "male", "neutral"),
}
"""The corpora's spellings of their levels, by axis."""

CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f]")


@dataclass(frozen=True, slots=True)
class Coded:
    """A column of labels: ``levels[codes[i]]`` is the label of row ``i``.

    Attributes
    ----------
    name : str
        The column's name, for messages.
    codes : (n,) integer array
        Position of each row's label in ``levels``.
    levels : tuple of str
        The distinct labels that occur, sorted (integers by value), so that row order does not matter.
    """

    name: str
    codes: Ints
    levels: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.codes)

    @property
    def marked(self) -> tuple[str, ...]:
        """Return the levels that say something."""
        return tuple(level for level in self.levels if level != UNMARKED)

    def take(self, rows: Ints) -> "Coded":
        """Return some rows, with the levels that occur there."""
        present, codes = compact(self.codes[rows])
        return Coded(self.name, codes, tuple(self.levels[k] for k in present))

    def first(self, label: str) -> int:
        """Return the first row of a label."""
        return int((self.codes == self.levels.index(label)).argmax())

    def texts(self, rows: Ints) -> tuple[str, ...]:
        """Return the labels of some rows."""
        return tuple(map(self.levels.__getitem__, self.codes[rows].tolist()))


def encode(name: str, values: Any, *, ordered: bool = True, missing: str | None = None) -> Coded:
    """Code a column of strings, integers or booleans.

    Parameters
    ----------
    name : str
        The column's name, for messages.
    values : numpy, pandas, pyarrow or any sequence
        ``pandas.Categorical`` and arrow dictionary arrays are taken by their codes.
    ordered : bool
        Whether the levels are sorted; where nothing depends on their order, False saves the work.
    missing : str, optional
        What a missing value stands for; without it every row needs a label.

    Raises
    ------
    LabelsError
        If a value is missing, or the values are neither text nor integers.
    """
    plain = isinstance(values, np.ndarray) and not isinstance(values, np.ma.MaskedArray)
    if plain and values.ndim == 1 and values.dtype.kind in "iu" and values.size:
        values_found, codes = compact(values)
        return Coded(name, codes, tuple(map(str, values_found.tolist())))
    array = _as_arrow(name, values)
    if missing is not None and array.null_count == len(array):
        array = pa.repeat(missing, len(array))
    elif missing is not None and array.null_count and not pa.types.is_floating(array.type):
        array = pc.fill_null(array.cast(pa.string()), missing)
    elif array.null_count:
        row = int(np.flatnonzero(array.is_null().to_numpy(zero_copy_only=False))[0])
        raise LabelsError(
            f"column {name!r} has no value in row {row} (rows count from 0; {array.null_count} such rows); every row "
            "needs a label"
        )
    is_dictionary = pa.types.is_dictionary(array.type)
    kind = array.type.value_type if is_dictionary else array.type
    if not (is_text(kind) or pa.types.is_integer(kind) or pa.types.is_boolean(kind)):
        raise LabelsError(f"column {name!r} holds {kind} values; labels must be text or integers")
    coded = array if is_dictionary else array.dictionary_encode()
    if isinstance(coded, pa.ChunkedArray):
        # Codes are copied, texts are not.
        coded = coded.unify_dictionaries().combine_chunks()
    codes = coded.indices.to_numpy(zero_copy_only=False).astype(np.intp, copy=False)
    levels = coded.dictionary.to_pylist()
    if ordered or is_dictionary:
        return _tidy(name, codes, levels)
    return Coded(name, codes, tuple(map(str, levels)))


def is_text(kind: Any) -> bool:
    """Return whether an arrow type is text, plain or as a dictionary."""
    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind))


def _as_arrow(name: str, values: Any) -> Any:
    """Return values as an arrow array, chunked if they came in chunks, without a copy where arrow allows it."""
    if isinstance(values, pa.Array | pa.ChunkedArray):
        return values
    if isinstance(values, np.ndarray):
        if values.dtype.kind in "USO" or isinstance(values, np.ma.MaskedArray):
            values = values.tolist()
    elif not (isinstance(values, list) or hasattr(values, "__arrow_array__") or hasattr(values, "__array__")):
        # A lazy column, or what arrow does not know.
        values = list(values[:] if isinstance(values, Sequence) and not isinstance(values, str) else values)
    try:
        return pa.array(values, from_pandas=True)
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError, UnicodeError) as error:
        raise LabelsError(
            f"column {name!r} cannot be read as labels ({error}); labels must be text or integers"
        ) from None


def _tidy(name: str, codes: Ints, levels: list[Any]) -> Coded:
    """Drop levels that do not occur and sort the rest: text by code point, integers by value."""
    present = np.flatnonzero(np.bincount(codes, minlength=len(levels))).tolist()
    order = sorted(present, key=levels.__getitem__)
    texts = tuple(str(levels[i]) for i in order)
    if order == list(range(len(levels))):
        return Coded(name, codes, texts)
    new = np.empty(len(levels), dtype=np.intp)
    new[order] = np.arange(len(order))
    return Coded(name, new[codes], texts)


def compact(values: Any) -> tuple[Any, Ints]:
    """Return the distinct integers, ascending, and each one's position; like ``np.unique``, mostly without sorting."""
    low, high = (int(values.min()), int(values.max())) if len(values) else (0, -1)
    if low >= 0 and high <= 8 * len(values) + 1024:
        present = np.bincount(values, minlength=high + 1) > 0
        if present.all():
            # They are positions already, which spares a look-up of every one.
            return np.arange(high + 1), values.astype(np.intp, copy=False)
        return np.flatnonzero(present), (np.cumsum(present) - 1)[values]
    return np.unique(values, return_inverse=True)


def number_rows(columns: Sequence[Ints]) -> tuple[Ints, Ints]:
    """Number the combinations of codes of several columns.

    Parameters
    ----------
    columns : sequence of (n,) integer arrays
        Codes from −1, n > 0.

    Returns
    -------
    (n,) numbers, (U,) first row of each combination
    """
    _, key = compact(columns[0] + 1)
    first = first_rows(key, int(key.max()) + 1)
    for column in columns[1:]:
        # A column that says nothing new, as the gender of a person, is passed over.
        if first_change(column, key, first) is not None:
            # Compacted at every step, so that the product of many columns does not overflow.
            _, key = compact(key * (int(column.max()) + 2) + column + 1)
            first = first_rows(key, int(key.max()) + 1)
    return key, first


def first_rows(codes: Ints, count: int) -> Ints:
    """Return the first row of each code, all of which occur."""
    first = np.empty(count, dtype=np.intp)
    first[codes[::-1]] = np.arange(len(codes) - 1, -1, -1)
    return first


def first_change(values: Any, groups: Ints, first: Ints) -> int | None:
    """Return the first row whose value is not that of the first row of its group; None if each group has one value."""
    changes = np.flatnonzero(values != values[first][groups])
    return int(changes[0]) if changes.size else None


def as_seen(name: object) -> str:
    """Return a name as a reader sees it: numbers as text, one space for any space, and nothing invisible."""
    text = str(name)
    if not (text.isascii() and text.isprintable()):
        text = "".join(character for character in unicodedata.normalize("NFC", text) if not _is_unseen(character))
    return " ".join(text.split())


def _is_unseen(character: str) -> bool:
    if character.isspace():
        return False
    # Marks that choose a variant of the letter before them are "Mn", as accents are.
    variant = "\ufe00" <= character <= "\ufe0f" or "\U000e0100" <= character <= "\U000e01ef"
    return variant or character in UNSEEN or unicodedata.category(character) in ("Cf", "Cc")


def refuse_lookalikes(names: Iterable[object], what: str, error: type[Exception], where: str = "") -> None:
    """Refuse two different names that look alike, such as ``joy`` and ``joy `` or ``1`` and ``"1"``.

    Parameters
    ----------
    names : iterable
        The names; a name may come several times.
    what : str
        What they name, in the plural.
    error : type
        What is raised; its message names both.
    where : str
        Begins the message.
    """
    first: dict[str, object] = {}
    for name in names:
        other = first.setdefault(as_seen(name), name)
        if type(other) is not type(name) or other != name:
            both = " and ".join(_quoted(each, beside) for each, beside in ((other, name), (name, other)))
            raise error(
                f"{where}the {what} {both} look alike: they differ only in spaces, in characters that nobody sees, or "
                "in type. Write them in one way if they are the same, else rename one"
            )


def _quoted(name: object, beside: object) -> str:
    """Return a name in quotes, written so that the difference is seen."""
    text = str(name)
    if not isinstance(name, str):
        return f"{text!r} ({type(name).__name__})"
    return ascii(text) if as_seen(repr(text)) == as_seen(repr(beside)) else repr(text)


def name_row(row: int) -> str:
    """Name a row in a message by where it stands."""
    return f"row {row} (rows count from 0)"


def check_column(column: Coded, kind: str, place: Callable[[int], str] = name_row) -> None:
    """Refuse blank labels, labels that look alike, and levels that the corpora spell differently.

    ``Male`` would not be seen as the reference ``male``, nor ``Unmarked`` as no level at all.

    Parameters
    ----------
    column : Coded
        Labels.
    kind : str
        ``axis``, ``person`` or ``item``; items and strata may differ by case and accents.
    place : function of a row
        Says in words which row it is.

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

    def where(label: str) -> str:
        return place(column.first(label))

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
    """Return a label without case, accents, surrounding space and invisible characters."""
    folded = as_seen(label).casefold()
    if folded.isascii():
        return folded
    return "".join(c for c in unicodedata.normalize("NFKD", folded) if not unicodedata.combining(c)).strip()
