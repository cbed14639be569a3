"""The door for what both packages need and what knows nothing of scores: files, things by a key, words.

It loads no numbers: `eec_datasets` imports it where sentences are rendered and files are checked.
"""

from eec_bias.data_name import DataName
from eec_bias.errors import EecError, InputError, OutputError, did_you_mean
from eec_bias.files import (
    ADVICE,
    MANIFEST,
    OVERWRITE,
    as_output_error,
    check,
    check_folder,
    first_foreign,
    listed_in,
    replacing,
    start_folder,
    with_manifest,
    write,
    write_folder,
    write_over,
)
from eec_bias.grouping import grouped
from eec_bias.result.numbers import counted
from eec_bias.widths import fitted, padded, width, wrapped

__all__ = [
    "ADVICE",
    "MANIFEST",
    "OVERWRITE",
    "DataName",
    "EecError",
    "InputError",
    "OutputError",
    "as_output_error",
    "check",
    "check_folder",
    "counted",
    "did_you_mean",
    "first_foreign",
    "fitted",
    "grouped",
    "listed_in",
    "padded",
    "replacing",
    "start_folder",
    "width",
    "with_manifest",
    "wrapped",
    "write",
    "write_folder",
    "write_over",
]
