"""Sentences to be scored elsewhere: a table with a column to fill in, which `scores` reads back."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Final

from eec_datasets.audit.tables.cells import SCORE
from eec_datasets.audit.tables.sheets import EXTRA
from eec_datasets.errors import Unavailable
from eec_datasets.text_file import guarded_csv

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyarrow import Table

ENDINGS: Final = (".csv", ".xlsx", ".parquet")


def blank_table(rows: Table, ending: str, labels: Sequence[str] = ()) -> bytes:
    """Return ids, an empty column of scores and the sentences as a file.

    Parameters
    ----------
    rows
        A corpus.
    ending
        One of `ENDINGS`.
    labels
        Further columns of the corpus to write.

    Raises
    ------
    Unavailable
        What writes Excel files is not installed.
    """
    columns = dict.fromkeys(("id", "text", *labels))
    frame = rows.select([*columns]).to_pandas()
    frame.insert(1, SCORE, float("nan"))
    if ending == ".csv":
        return guarded_csv(frame.to_csv(index=False, lineterminator="\n")).encode()
    stream = io.BytesIO()
    if ending == ".parquet":
        frame.to_parquet(stream, index=False)
        return stream.getvalue()
    try:
        frame.to_excel(stream, index=False, sheet_name="sentences", engine="openpyxl")
    except ImportError as error:
        raise Unavailable(f"An Excel file needs {error.name}, which is not installed: {EXTRA}") from error
    return stream.getvalue()
