"""Bad calls of functions: what is called, the error, and the words that its message must hold."""

from collections.abc import Callable
from typing import Any

import duckdb
import numpy as np
from synthetic import corpus, scores

import eec_bias
import eec_datasets
from eec_bias import methods
from eec_bias.errors import LabelsError, OptionError
from eec_bias.methods.rating.comparisons import read_weights
from eec_datasets.errors import InputError

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


def result() -> Any:
    return eec_bias.measure({"a": Y, "b": Y[::-1]}, DATA)


def of_2018() -> Any:
    return eec_bias.methods.kiritchenko2018({"a": Y, "b": Y[::-1]}, DATA)


def plotted(name: str = "forest", **options: Any) -> Any:
    return result().plot(name, **options)


def loaded(**options: Any) -> Any:
    from eec_bias.integrations.evaluate_metric import BiasMetric

    return BiasMetric(**options)


OPTIONS = {
    "axes": (3, {"race"}, [None], [["race"]], "", np.array("race")),
    "reference": ("male", 3, {"gender": 3}, {"age": "old"}),
    "score_range": ("01", 5, (1, 0), {0, 1}, {0: 1, 1: 2}, (0, float("nan")), (0, 1, 2)),
    "incomplete": ("drop", None),
    "by": (3, "", ["emotion"]),
    "outputs": ("logits", 1),
    "systems": (3, [1], [None], b"x"),
    "tasks": (3, [["joy"]], "", {}),
    "runs": (3, [1], b"x"),
    "families": (3, "family", ["family", "ending", "word"], ["nothing"], ["family", "family"]),
    "positive_class": (3, "", ["joy"]),
    "seed": (-1, 1.5, "0", None),
    "confidence": (95, 0, 1, "95%", True),
    "margin": (0, "0.1", True, float("inf"), [0.1]),
    "rate_above": ("0.5", "mean", True, float("nan"), [0.5]),
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
    "measure, a control character in a name": measured(
        LabelsError, "name of the column", data=DATA.rename(columns={"race": "ra\x1bce"}), axes=("ra\x1bce",)
    ),
    "measure, a margin beyond all floats": measured(OptionError, "margin", "1000000", margin=10**400),
    "measure, a range beyond all floats": measured(OptionError, "score_range", score_range=(0, 10**400)),
    "measure, no data": measured(OptionError, "data is missing", data=None),
    "camara2022, an axis": refused(methods.camara2022, Y, DATA, axes=3),
    "kiritchenko2018, assessments": refused(methods.kiritchenko2018, Y, DATA, assessments="2"),
    "rating, levels": refused(methods.rating, Y, DATA, levels=1),
    "perturbation, group": refused(methods.perturbation, Y, DATA, group=3),
    "compare, names": refused(eec_bias.compare, Y, Y, DATA, names=None),
    "simulate, mean": refused(eec_bias.simulate, DATA, mean="half"),
    "simulate, name_sd": refused(eec_bias.simulate, DATA, name_sd=None),
    "simulate, systems": refused(eec_bias.simulate, DATA, systems=0),
    "simulate, effects": refused(eec_bias.simulate, DATA, effects=0.1),
    "simulate, seed": refused(eec_bias.simulate, DATA, seed="now"),
    "power, effects": refused(eec_bias.power, DATA, "race", effects=0.1),
    "power, alpha": refused(eec_bias.power, DATA, "race", alpha=5),
    "power, a term": (lambda: eec_bias.power(DATA, "age", systems=2), OptionError, "age", "race"),
    "measure, a table in an engine": (
        lambda: eec_bias.measure(3, duckdb.from_df(DATA.assign(score=Y))), OptionError, "scores", "name of a column"
    ),
    **{f"plot, width {given!r}": refused(plotted, width=given) for given in ("7", None, float("nan"), 1)},
    **{
        f"plot, accuracy {given!r}": (
            lambda given=given: of_2018().plot("systems", accuracy={"a": given, "b": 0.5}),
            OptionError, "'a'", repr(given),
        )
        for given in ("good", None, float("nan"))
    },
    **{f"rating, weights {given!r}": refused(read_weights, weights=given) for given in ("123", {1, 2, 3}, 5)},
    **{f"evaluate, axes {given!r}": refused(loaded, axes=given) for given in (5, {"race"})},
    "measure, a task of a system": refused(lambda tasks: eec_bias.measure({"a": Y}, DATA, tasks=tasks), tasks={"a": 5}),
    "evaluate, columns": refused(loaded, columns=None),
    "load, an empty name": (lambda: eec_datasets.load(""), InputError, "''", "en-gender"),
}  # fmt: skip
