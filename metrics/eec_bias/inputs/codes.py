"""Label columns as integer codes.

Everything after this module works on codes; strings are touched once per distinct value.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from eec_bias.errors import LabelsError
from eec_bias.options import UNMARKED, Ints


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
        """The levels that say something."""
        return tuple(level for level in self.levels if level != UNMARKED)

    def take(self, rows: Ints) -> "Coded":
        """Return some rows, with the levels that occur there."""
        present, codes = compact(self.codes[rows])
        return Coded(self.name, codes, tuple(self.levels[k] for k in present))

    def first(self, label: str) -> int | None:
        """First row of a label; None where it does not occur."""
        return int((self.codes == self.levels.index(label)).argmax()) if label in self.levels else None

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
    """``values`` as an arrow array, chunked if they came in chunks, without a copy where arrow allows it."""
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
    """Distinct integers, ascending, and each one's position among them; like ``np.unique``, mostly without sorting."""
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
        if not np.array_equal(column[first][key], column):
            # Compacted at every step, so that the product of many columns does not overflow.
            _, key = compact(key * (int(column.max()) + 2) + column + 1)
            first = first_rows(key, int(key.max()) + 1)
    return key, first


def first_rows(codes: Ints, count: int) -> Ints:
    """Return the first row of each code, all of which occur."""
    first = np.empty(count, dtype=np.intp)
    first[codes[::-1]] = np.arange(len(codes) - 1, -1, -1)
    return first
