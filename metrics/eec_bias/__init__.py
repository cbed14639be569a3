"""Bias coefficients of scored Equity Evaluation Corpora, with two-way names × items inference.

``measure`` gives the same numbers as the `evaluate` module of this folder, without importing `evaluate`.
"""

from .comparing import compare
from .errors import BiasError, DesignError, LabelsError, OptionError, ScoresError
from .frame import TERM_KEYS
from .measuring import measure
from .report import report
from .result import Result
from .signature import VERSION, Signature, content_hash
from .simulating import power, simulate
from .streaming import Accumulator

__version__ = VERSION

__all__ = [
    "TERM_KEYS",
    "VERSION",
    "Accumulator",
    "BiasError",
    "DesignError",
    "LabelsError",
    "OptionError",
    "Result",
    "ScoresError",
    "Signature",
    "compare",
    "content_hash",
    "measure",
    "power",
    "report",
    "simulate",
]
