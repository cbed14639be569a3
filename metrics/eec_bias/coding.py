"""Label columns as integer codes.

Everything after this module works on codes; strings are touched once per distinct value.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from .errors import LabelsError
from .options import Ints


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


def encode(name: str, values: Any) -> Coded:
    """Code a column of strings, integers or booleans.

    Parameters
    ----------
    name : str
        The column's name, for messages.
    values : Coded, numpy, pandas, pyarrow or any sequence
        ``pandas.Categorical`` and arrow dictionary arrays are taken by their codes.

    Raises
    ------
    LabelsError
        If a value is missing, or the values are neither text nor integers.
    """
    if isinstance(values, Coded):
        return _tidy(name, values.codes, list(values.levels), numeric=False)
    array = _as_arrow(name, values)
    if array.null_count:
        row = int(np.flatnonzero(array.is_null().to_numpy(zero_copy_only=False))[0])
        raise LabelsError(
            f"column {name!r} has no value in row {row} (rows count from 0; {array.null_count} such rows); "
            "every row needs a label"
        )
    kind = array.type.value_type if pa.types.is_dictionary(array.type) else array.type
    if pa.types.is_integer(kind) or pa.types.is_boolean(kind):
        numeric = True
    elif pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind):
        numeric = False
    else:
        raise LabelsError(f"column {name!r} holds {kind} values; labels must be text or integers")
    coded = array if pa.types.is_dictionary(array.type) else array.dictionary_encode()
    codes = coded.indices.to_numpy(zero_copy_only=False).astype(np.intp, copy=False)
    return _tidy(name, codes, coded.dictionary.to_pylist(), numeric=numeric)


def _as_arrow(name: str, values: Any) -> Any:
    """Return ``values`` as one arrow array, without copying where arrow can."""
    if not isinstance(values, pa.Array | pa.ChunkedArray):
        values = _plain(values)
        try:
            values = pa.array(values, from_pandas=True)
        except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError) as error:
            raise LabelsError(
                f"column {name!r} cannot be read as labels ({error}); labels must be text or integers"
            ) from None
    if isinstance(values, pa.ChunkedArray):
        values = values.unify_dictionaries().combine_chunks()
    return values


def _plain(values: Any) -> Any:
    """Turn lazy columns and containers arrow does not know into lists; leave arrays as they are."""
    if isinstance(values, np.ndarray):
        return values.tolist() if values.dtype.kind in "USO" else values
    if hasattr(values, "__arrow_array__") or hasattr(values, "__array__"):
        return values
    if isinstance(values, list):
        return values
    whole = values[:] if isinstance(values, Sequence) and not isinstance(values, str) else values
    return list(whole)


def _tidy(name: str, codes: Ints, levels: list[Any], *, numeric: bool) -> Coded:
    """Drop levels that no row has and sort the rest."""
    present = np.bincount(codes, minlength=len(levels)) > 0
    levels = levels if numeric else [str(level) for level in levels]
    kept = [i for i in sorted(range(len(levels)), key=levels.__getitem__) if present[i]]
    if kept == list(range(len(levels))):
        return Coded(name, codes, tuple(map(str, levels)))
    new = np.full(len(levels), -1, dtype=np.intp)
    new[kept] = np.arange(len(kept))
    return Coded(name, new[codes], tuple(str(levels[i]) for i in kept))


def compact(codes: Ints) -> tuple[Ints, Ints]:
    """Distinct codes and each code's position among them, like ``np.unique``, without sorting.

    Parameters
    ----------
    codes : (n,) array of integers from 0

    Returns
    -------
    (u,) ascending distinct codes, (n,) positions
    """
    top = int(codes.max(initial=-1)) + 1
    if top > 8 * len(codes) + 1024:
        found, position = np.unique(codes, return_inverse=True)
        return found, position
    present = np.bincount(codes, minlength=top) > 0
    return np.flatnonzero(present), (np.cumsum(present) - 1)[codes]
