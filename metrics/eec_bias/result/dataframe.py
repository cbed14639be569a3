"""Rows as a frame of a library."""

from collections.abc import Sequence
from typing import Any

from eec_bias.errors import OptionError
from eec_bias.options import one_of
from eec_bias.result.frame import Row

LIBRARIES: tuple[str, ...] = ("pandas", "polars")

_WORDS = ("term", "axes", "level", "reference", "subset", "note", "system", "task", "stratum", "output")
_COUNTS = ("n_persons", "n_items", "n_sentences")


def frame_of(rows: Sequence[Row], columns: Sequence[str], library: str) -> Any:
    """Return rows as a frame.

    Parameters
    ----------
    rows : sequence of dict
        With the keys ``columns``.
    columns : sequence of str
        In their order.
    library : {"pandas", "polars"}
        Whose frame. In polars columns have their types also where no row has a number.

    Raises
    ------
    OptionError
        If the library is unknown, or not installed.
    """
    one_of("library", library, LIBRARIES)
    try:
        if library == "pandas":
            import pandas as pd

            return pd.DataFrame(list(rows), columns=list(columns))
        import polars as pl
    except ImportError as error:
        raise OptionError(f"to_frame({library!r}) needs {library}: pip install {library}") from error
    kinds = {
        name: pl.String if name in _WORDS else pl.Int64 if name in _COUNTS else pl.Float64
        for name in columns
        if name in _WORDS or _numeric(rows, name)
    }
    return pl.DataFrame({name: [row[name] for row in rows] for name in columns}, schema_overrides=kinds, strict=False)


def _numeric(rows: Sequence[Row], name: str) -> bool:
    """Whether every value of a column is a number or missing."""
    return all(row[name] is None or isinstance(row[name], int | float) for row in rows)
