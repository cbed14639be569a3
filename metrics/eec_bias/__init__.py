"""Bias coefficients of scored Equity Evaluation Corpora, with names, templates and words as samples.

``measure`` gives the same numbers as the `evaluate` module ``eec_bias.py``, without importing `evaluate`.
"""

from eec_bias import figures, methods
from eec_bias.api import measure
from eec_bias.compare import compare
from eec_bias.errors import BiasError, DesignError, LabelsError, OptionError, ResultError, ScoresError
from eec_bias.inputs.fingerprint import content_hash
from eec_bias.integrations.callback import EECCallback
from eec_bias.integrations.evaluator import bound
from eec_bias.integrations.trainer import trainer_metrics
from eec_bias.power import power, simulate
from eec_bias.result.badge import badge
from eec_bias.result.cards import eval_entries, eval_results, every_eval_ever, model_card, model_index
from eec_bias.result.gate import gate
from eec_bias.result.result import Result
from eec_bias.result.signature import VERSION as _VERSION
from eec_bias.result.signature import Signature
from eec_bias.result.term import TERM_KEYS as _TERM_KEYS
from eec_bias.result.text import report
from eec_bias.streams import Accumulator, measure_frame

TERM_KEYS = _TERM_KEYS
"""The keys of every row of ``terms``, in their order; the metric's page says what each means."""

VERSION = _VERSION
"""Version of this package."""

__version__ = VERSION

INTERFACE = 1
"""Of what the `evaluate` module takes from this package; it changes where an older module would fail."""

__all__ = [
    "INTERFACE",
    "TERM_KEYS",
    "VERSION",
    "Accumulator",
    "BiasError",
    "DesignError",
    "EECCallback",
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
    "every_eval_ever",
    "figures",
    "gate",
    "measure",
    "measure_frame",
    "methods",
    "model_card",
    "model_index",
    "power",
    "report",
    "simulate",
    "trainer_metrics",
]
