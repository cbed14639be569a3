"""Every message about options of the numbers that cannot be: asked of a test, a simulation, runs, rates, a budget."""

from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from snapshots import Snapshot
from synthetic import corpus, names, scores

from eec_bias import BiasError, measure, power, simulate
from eec_bias.options import MeasureOptions, check_options, parse_edge
from eec_bias.stats.contrasts import resolve_references
from eec_bias.stats.inference import Inference, check_inference

DATA = corpus(items=["t01/angry"])
THREE = {"race": ["a", "b", "c"] * 2, "item": ["i"] * 6, "person": list("uvwxyz")}
LEVELS = {"race": ("Anglo", "Latino"), "gender": ("female", "male")}
NAMES = pd.DataFrame(names(items=[f"t{t:02d}/{word}" for t in (1, 2, 3) for word in ("angry", "glad")]))
Y = scores(NAMES)
FOUR = np.stack([scores(NAMES, seed) for seed in range(4)])
RUNS = list("abcd")
KNOWN = {"persons": 0.1, "residual": 0.1}
STRAY = {(race, gender): 0.1 for race in ("Anglo", "Latino", "unmarked", "Latin") for gender in ("female", "male")}
TWO_TEMPLATES = NAMES.assign(template=NAMES["item"].str[:3].mask(NAMES.index == 7, "t09"))
LACKING = ~(NAMES["item"].str.startswith("t03") & (NAMES["race"] == "Latino"))
GAP = np.where((np.arange(4) == 1)[:, None] & (np.arange(len(Y)) == 3), np.nan, FOUR)
LONG = pd.concat([NAMES.assign(run=run, score=row) for run, row in zip(RUNS, FOUR, strict=True)]).iloc[1:]


def checked(**options: Any) -> Inference:
    check_options("default", options)
    return check_inference(MeasureOptions(**options), (0.0, 1.0))


def measured(scored: Any = FOUR, data: Any = NAMES, **options: Any) -> Any:
    options.pop("change", None)
    return measure(scored, data, **options)


simulated, powered = partial(simulate, DATA), partial(power, DATA, "race", [0.0], systems=2)

VALUES: list[tuple[Any, str, tuple[Any, ...]]] = [
    (checked, "margin", (0, -0.1, "small", float("nan"), 100, 200)),
    (partial(resolve_references, levels=LEVELS), "reference", ({"race": "x"}, {"age": "o"}, "male")),
    (parse_edge, "edge", ("clip", "clip:0", "clip:0.5", "clip:x", "trim", "trim:0.1", "")),
    (simulated, "name_sd", (-1.0, {("Anglo", "female"): 0.1}, STRAY)),
    (simulated, "item_sd", (-0.1, 1e6)),
    (simulated, "slope_sd", ({"race": float("nan")}, {"age": 0.1})),
    (simulated, "phi", (0,)),
    (simulated, "effects", ({"age": 0.1}, {"race": {"anglo": 0.1}}, {"race:gender": {"Anglo": 0.1}}, {"race": 1.1})),
    (partial(power, DATA, systems=2), "term", ("race:age", 3)),
    (partial(power, DATA, "race"), "effects", ([],)),
    (powered, "components", (0.1, {"persons": 0.1}, KNOWN | {"names": 1})),
    (powered, "components", tuple(KNOWN | {"persons": sd} for sd in (-0.1, "a", float("inf")))),
    (powered, "components", tuple({"persons": 0.0, "items": items, "residual": 0.0} for items in (0.0, 0.1))),
    (powered, "template_sd", ({"age": 0.1},)),
    (powered, "word_sd", ({"race": -1},)),
    (powered, "runs", (0,)),
    (measured, "runs", (["a", "b", "c", "c"], ["a", "b", "c"], "run", 4)),
    (partial(measured, Y), "rate_above", (1, -0.1)),
]
SEVERAL: list[tuple[Any, dict[str, Any]]] = [
    (partial(simulate, THREE), {"axes": ["race"], "effects": {"race": 0.1}}),
    (powered, {"components": KNOWN, "phi": 3}),
    (partial(measured, Y, TWO_TEMPLATES), {"change": "an item with two templates"}),
    (partial(measured, Y[LACKING], NAMES[LACKING]), {"change": "a group lacks a template", "incomplete": "refuse"}),
    (partial(measured, GAP), {"change": "a run lacks a score", "runs": RUNS, "incomplete": "refuse"}),
    (
        partial(measured, LONG["score"], LONG[[*NAMES, "run"]]),
        {"change": "a run lacks a row", "runs": "run", "incomplete": "refuse"},
    ),
    (partial(measured, Y > 0.5), {"outputs": "class", "rate_above": 0.5}),
]


def test_options_that_cannot_be_are_refused(snapshot: Snapshot) -> None:
    bad = [(call, {name: value}) for call, name, values in VALUES for value in values] + SEVERAL
    calls = {
        ", ".join(f"{name} {value!r}" for name, value in given.items()): partial(call, **given) for call, given in bad
    }
    assert len(calls) == len(bad)
    snapshot.check_refusals("stats-messages", calls, BiasError)
