"""Bad calls of functions: what is called, the error, and the words that its message must hold."""

from collections.abc import Callable
from typing import Any

import numpy as np
from synthetic import corpus, scores

import eec_bias
import eec_datasets
from eec_bias import methods
from eec_bias.errors import LabelsError, OptionError, ScoresError
from eec_datasets import errors

DATA = corpus()
Y = scores(DATA)
Row = tuple[Callable[[], Any], type[Exception], *tuple[str, ...]]


def measured(kind: type[Exception], *words: str, data: Any = DATA, **options: Any) -> Row:
    return lambda: eec_bias.measure(Y, data, **options), kind, *words


def refused(call: Callable[..., Any], *given: Any, **option: Any) -> Row:
    """A call with one option that cannot be, which its message names with its value."""
    ((name, value),) = option.items()
    return lambda: call(*given, **option), OptionError, name, repr(value)


def columns(**others: Any) -> dict[str, Any]:
    return {name: list(DATA[name]) for name in ("race", "gender", "person", "item", "pair")} | others


OPTIONS = {
    "axes": (3, {"race"}, [None], [["race"]], ""),
    "reference": ("male", 3, {"gender": 3}, {"age": "old"}),
    "score_range": ("01", 5, (1, 0), (0, float("nan")), (0, 1, 2)),
    "adjust": ("bonferroni", None, True),
    "edge": ("round", None, np.array([1, 2]), "clip:0.0_1"),
    "incomplete": ("drop", None),
    "simple": ("no", None, 1, "False"),
    "contrasts": ("all", None),
    "by": (3, "", ["emotion"]),
    "outputs": ("logits", None),
    "systems": (3, [1], [None], b"x"),
    "tasks": (3, [["joy"]], "", {}),
    "runs": (3, [1], b"x"),
    "few_runs": ("yes", None),
    "permutations": (5, "all", 1.5, True, 10**30),
    "bootstrap": (5, "99", -1, 10**30),
    "refit": ("yes", 1),
    "seed": (-1, 1.5, "0", None),
    "margin": (0, "0.1", True, float("inf"), [0.1]),
    "rate_above": ("0.5", True, float("nan"), [0.5]),
    "data_name": (3, "", ["a"]),
}
"""Values that the options of `measure` cannot have; each message begins with the option and shows the value."""

CALLS: dict[str, Row] = {
    f"measure, {name}={value!r}": measured(OptionError, name, **{name: value})
    for name, values in OPTIONS.items() for value in values
}  # fmt: skip
CALLS |= {
    "measure, an option of another method": measured(OptionError, "group", "perturbation", group="race"),
    "measure, an option of none": measured(OptionError, "colour", "axes", colour="red"),
    "measure, labels as options": measured(OptionError, "race", race=None),
    "measure, a column that is None": measured(LabelsError, "'race'", "None", data=columns(race=None)),
    "measure, a column that is a text": measured(LabelsError, "'race'", "Anglo", data=columns(race="Anglo")),
    "measure, a control character": measured(
        LabelsError, "person", "x1b", "control", data=DATA.replace({"person": {"anglo-male-0": "\x1b[2J"}})
    ),
    "measure, no data": measured(OptionError, "data is missing", data=None),
    "camara2022, an axis": refused(methods.camara2022, Y, DATA, axes=3),
    "camara2022, data_name": refused(methods.camara2022, Y, DATA, data_name=3),
    "kiritchenko2018, assessments": refused(methods.kiritchenko2018, Y, DATA, assessments="2"),
    "rating, levels": refused(methods.rating, Y, DATA, levels=1),
    "perturbation, group": refused(methods.perturbation, Y, DATA, group=3),
    "compare, names": refused(eec_bias.compare, Y, Y, DATA, names=None),
    "compare, simple": refused(eec_bias.compare, Y, Y, DATA, simple="no"),
    "simulate, mean": refused(eec_bias.simulate, DATA, mean="half"),
    "simulate, name_sd": refused(eec_bias.simulate, DATA, name_sd=None),
    "simulate, systems": refused(eec_bias.simulate, DATA, systems=0),
    "simulate, effects": refused(eec_bias.simulate, DATA, effects=0.1),
    "simulate, seed": refused(eec_bias.simulate, DATA, seed="now"),
    "power, effects": refused(eec_bias.power, DATA, "race", effects=0.1),
    "power, alpha": refused(eec_bias.power, DATA, "race", alpha=5),
    "power, a term": (lambda: eec_bias.power(DATA, "age", systems=2), OptionError, "age", "race"),
    "Accumulator, axes": refused(eec_bias.Accumulator, axes=3),
    "Accumulator, nothing": (lambda: eec_bias.Accumulator().result(), ScoresError, "update"),
    "measure_frame, scores": refused(eec_bias.measure_frame, DATA, scores=3),
    "measure_frame, progress": refused(eec_bias.measure_frame, DATA.assign(score=Y), progress=3),
    "load, an empty name": (lambda: eec_datasets.load(""), errors.UnknownConfig, "''", "en-gender"),
}  # fmt: skip
