"""Bias coefficients of scored Equity Evaluation Corpora, with two-way names × items inference.

``measure`` gives the same numbers as the `evaluate` module of this folder, without importing `evaluate`.
"""

from .comparing import compare
from .errors import BiasError, DesignError, LabelsError, OptionError, ScoresError
from .measured import Measured, report
from .measuring import measure
from .result import TERM_KEYS, Result
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
    "Measured",
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
