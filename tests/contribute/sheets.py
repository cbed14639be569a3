"""Sheets as a translator saves them, and the command that takes them."""

import csv
import io

from eec_datasets.text_file import csv_text


def rewritten(sheet, cells_of):
    """The sheet with cells of its rows changed, as a function says."""
    rows = [row | cells_of(row) for row in csv.DictReader(io.StringIO(sheet))]
    return csv_text([rows[0], *(row.values() for row in rows)])


def edited(sheet, key, **cells):
    """The sheet with some cells of the row `key` changed."""
    return rewritten(sheet, lambda row: cells if row["key"] == key else {})
