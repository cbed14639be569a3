"""The door for what both packages need and what knows nothing of scores: files, things by a key, words.

It loads no numbers: `eec_datasets` imports it where sentences are rendered and files are checked.
"""

from eec_bias.data_name import DataName
from eec_bias.errors import FileError
from eec_bias.files import (
    OVERWRITE,
    REGISTER,
    as_file_error,
    check,
    check_folder,
    not_ours,
    own_place,
    registered,
    replacing,
    start_folder,
    write,
    write_all,
    write_folder,
    write_over,
)
from eec_bias.grouping import grouped
from eec_bias.result.numbers import counted
from eec_bias.widths import fitted, padded, width, wrapped

__all__ = [
    "OVERWRITE",
    "REGISTER",
    "DataName",
    "FileError",
    "as_file_error",
    "check",
    "check_folder",
    "counted",
    "fitted",
    "grouped",
    "not_ours",
    "own_place",
    "padded",
    "registered",
    "replacing",
    "start_folder",
    "width",
    "wrapped",
    "write",
    "write_all",
    "write_folder",
    "write_over",
]
