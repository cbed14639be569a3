"""Bias coefficients of scored Equity Evaluation Corpora, with two-way names × items inference.

``measure`` gives the same numbers as the `evaluate` module of this folder, without importing `evaluate`.
"""

from .errors import BiasError, DesignError, LabelsError, OptionError, ScoresError
from .measuring import measure
from .report import report
from .result import TERM_KEYS, Result
from .signature import VERSION, Signature, content_hash

__version__ = VERSION

__all__ = [
    "TERM_KEYS",
    "VERSION",
    "BiasError",
    "DesignError",
    "LabelsError",
    "OptionError",
    "Result",
    "ScoresError",
    "Signature",
    "content_hash",
    "measure",
    "report",
]
