"""The door for those who lay results out: verdicts, findings, words, numbers, options and the signature.

What users call is in `eec_bias` itself. A report, a record or a command line takes what else it needs from here,
so that the rooms behind can change; `tests/run/project/test_boundaries.py` holds it.
"""

from eec_bias.assembly.assemble import check_threshold
from eec_bias.assembly.rows import FEW
from eec_bias.errors import OptionError
from eec_bias.figures.style import to_file
from eec_bias.inputs.emitted import LABEL, PIPELINE, expected_scores, pairs_of, range_of, read_labelled
from eec_bias.inputs.lookalikes import refuse_lookalikes
from eec_bias.inputs.resolution import Resolution, measure_resolution
from eec_bias.inputs.scores import Scores, check_range
from eec_bias.inputs.sources import OF_SENTENCES, OF_SETS, SCHEMA
from eec_bias.inputs.systems import Systems
from eec_bias.methods import METHODS as PROCEDURES
from eec_bias.notes import Note
from eec_bias.options import ANY, CUE, FUNCTIONS, MEAN, METHODS, MeasureOptions, Option, refuse_foreign
from eec_bias.plan import plan_list
from eec_bias.result.brief import ROOM, signed_points, without_room
from eec_bias.result.comparison import Comparison
from eec_bias.result.finding import FOUND, Finding, find
from eec_bias.result.frame import NO_UNIT, PAIRWISE, SENSITIVITY, compares
from eec_bias.result.gate import failures
from eec_bias.result.numbers import WRITTEN_OUT, counted, interval, p_value, percent, rounded, signed
from eec_bias.result.plan import Plan, joined
from eec_bias.result.record import Record, flat_scalars
from eec_bias.result.telling import (
    BY,
    GROUP,
    GROUP_NAME,
    GROUP_NAME_WITHIN,
    GROUP_WITHIN,
    MEANING,
    also,
    answer,
    as_row,
    lists_agree,
    lower,
    opening,
    points_of,
    say,
    sides,
    sure,
    topic,
    up_to,
    verdict,
)
from eec_bias.result.telling import name as question_name
from eec_bias.result.term import LEADING, TERM_KEYS, Term
from eec_bias.result.text import emotion_table
from eec_bias.result.told import Told, headline, order, rank, tell
from eec_bias.result.verdict import Judged, Verdict, judge_terms
from eec_bias.result.words import (
    adjustment,
    adjusts_across,
    by_each_cue,
    caveat,
    is_interaction,
    label,
    sampled_facets,
    say_equivalence,
    say_rates,
    sentence,
    units,
)
from eec_bias.stats.inference import check_inference
from eec_bias.stats.variance_components import PERSONS

__all__ = [
    "ANY",
    "BY",
    "CUE",
    "FEW",
    "FOUND",
    "FUNCTIONS",
    "GROUP",
    "GROUP_NAME",
    "GROUP_NAME_WITHIN",
    "GROUP_WITHIN",
    "LABEL",
    "LEADING",
    "MEAN",
    "MEANING",
    "METHODS",
    "NO_UNIT",
    "OF_SENTENCES",
    "OF_SETS",
    "PAIRWISE",
    "PERSONS",
    "PIPELINE",
    "PROCEDURES",
    "ROOM",
    "SCHEMA",
    "SENSITIVITY",
    "TERM_KEYS",
    "WRITTEN_OUT",
    "Comparison",
    "Finding",
    "Judged",
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
    "Told",
    "Verdict",
    "adjustment",
    "adjusts_across",
    "also",
    "answer",
    "as_row",
    "by_each_cue",
    "caveat",
    "check_inference",
    "check_range",
    "check_threshold",
    "compares",
    "counted",
    "emotion_table",
    "expected_scores",
    "failures",
    "find",
    "flat_scalars",
    "headline",
    "interval",
    "is_interaction",
    "joined",
    "judge_terms",
    "label",
    "lists_agree",
    "lower",
    "measure_resolution",
    "opening",
    "order",
    "p_value",
    "pairs_of",
    "percent",
    "plan_list",
    "points_of",
    "question_name",
    "range_of",
    "rank",
    "read_labelled",
    "refuse_foreign",
    "refuse_lookalikes",
    "rounded",
    "sampled_facets",
    "say",
    "say_equivalence",
    "say_rates",
    "sentence",
    "sides",
    "signed",
    "signed_points",
    "sure",
    "tell",
    "to_file",
    "topic",
    "units",
    "up_to",
    "verdict",
    "without_room",
]
