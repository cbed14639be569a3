"""The door for those who lay results out: findings, numbers, options and the signature.

What users call is in `eec_bias` itself. A report, a record or a command line takes what else it needs from here,
so that the rooms behind can change; `tests/run/project/test_boundaries.py` holds it.
"""

from eec_bias.assembly.assemble import check_threshold
from eec_bias.assembly.questions import FEWEST_ITEMS_FOR_MARGIN
from eec_bias.assembly.rows import FEW
from eec_bias.errors import OptionError
from eec_bias.figures.style import to_file
from eec_bias.inputs.axes import OF_SENTENCES, OF_SETS, SCHEMA
from eec_bias.inputs.containers import columns_by_key
from eec_bias.inputs.labels import refuse_lookalikes
from eec_bias.inputs.matrices import DATE, check_range, how_to_write
from eec_bias.inputs.pipelines import LABEL, PIPELINE, expected_scores, pairs_of, range_of, read_labelled
from eec_bias.inputs.reshape import are_checked_pairs
from eec_bias.inputs.scores import Scores, Systems
from eec_bias.methods import METHODS as PROCEDURES
from eec_bias.notes import Note
from eec_bias.options import ANY, CUE, FUNCTIONS, MEAN, METHODS, OF_TABLES, MeasureOptions, Option, refuse_foreign
from eec_bias.plan import plan_list
from eec_bias.result.comparison import OTHER_QUESTIONS, Comparison
from eec_bias.result.finding import FOUND, Finding, find
from eec_bias.result.frame import NO_UNIT, PAIRWISE, SENSITIVITY, compares
from eec_bias.result.gate import failures
from eec_bias.result.hearing import fewest_heard, is_heard
from eec_bias.result.numbers import WRITTEN_OUT, counted, interval, p_value, percent, rounded, signed
from eec_bias.result.plan import Plan, joined
from eec_bias.result.record import Record, flat_scalars
from eec_bias.result.term import LEADING, TERM_KEYS, Term
from eec_bias.result.words import caveat, is_interaction
from eec_bias.stats.inference import check_inference
from eec_bias.stats.resolution import Resolution, measure_resolution
from eec_bias.stats.variance_components import PERSONS

__all__ = [
    "ANY",
    "CUE",
    "DATE",
    "FEW",
    "FEWEST_ITEMS_FOR_MARGIN",
    "FOUND",
    "FUNCTIONS",
    "LABEL",
    "LEADING",
    "MEAN",
    "METHODS",
    "NO_UNIT",
    "OF_SENTENCES",
    "OF_SETS",
    "OF_TABLES",
    "OTHER_QUESTIONS",
    "PAIRWISE",
    "PERSONS",
    "PIPELINE",
    "PROCEDURES",
    "SCHEMA",
    "SENSITIVITY",
    "TERM_KEYS",
    "WRITTEN_OUT",
    "Comparison",
    "Finding",
    "MeasureOptions",
    "Note",
    "Option",
    "OptionError",
    "Plan",
    "Record",
    "Resolution",
    "Scores",
    "Systems",
    "Term",
    "are_checked_pairs",
    "caveat",
    "check_inference",
    "check_range",
    "check_threshold",
    "columns_by_key",
    "compares",
    "counted",
    "expected_scores",
    "failures",
    "fewest_heard",
    "find",
    "flat_scalars",
    "how_to_write",
    "interval",
    "is_heard",
    "is_interaction",
    "joined",
    "measure_resolution",
    "p_value",
    "pairs_of",
    "percent",
    "plan_list",
    "range_of",
    "read_labelled",
    "refuse_foreign",
    "refuse_lookalikes",
    "rounded",
    "signed",
    "to_file",
]
