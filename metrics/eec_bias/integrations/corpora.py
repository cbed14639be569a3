"""The corpus that a loop measures: the name of one of eec_datasets, or rows of one."""

import importlib
from typing import Any


def named_corpus(rows: Any) -> Any:
    """Return the corpus of a name, such as ``en-black-white``; rows pass as they are."""
    if not isinstance(rows, str):
        return rows
    return importlib.import_module("eec_datasets").load(rows)
