"""Bias coefficients of scored Equity Evaluation Corpora, with two-way names × items inference.

``measure`` gives the same numbers as the `evaluate` module of this folder, without importing `evaluate`.
"""

from . import figures
from .aggregating import measure_frame
from .badges import badge
from .comparing import compare
from .errors import BiasError, DesignError, LabelsError, OptionError, ResultError, ScoresError
from .evaluating import bound
from .frame import TERM_KEYS
from .gating import gate
from .measuring import measure
from .model_cards import eval_entries, eval_results, model_card, model_index
from .report import report
from .result import Result
from .signature import VERSION, Signature, content_hash
from .simulating import power, simulate
from .streaming import Accumulator
from .training import trainer_metrics

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
    "ResultError",
    "ScoresError",
    "Signature",
    "badge",
    "bound",
    "compare",
    "content_hash",
    "eval_entries",
    "eval_results",
    "figures",
    "gate",
    "measure",
    "measure_frame",
    "model_card",
    "model_index",
    "power",
    "report",
    "simulate",
    "trainer_metrics",
]
