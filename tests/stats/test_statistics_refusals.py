"""Every message about options of the numbers that cannot be: asked of a test, a simulation, runs, rates, a budget."""

from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from snapshots import Snapshot
from synthetic import corpus, names, scores

from eec_bias import BiasError, measure, power, simulate
from eec_bias.allocation import ENCODER, allocate, spread_of
from eec_bias.options import DEFAULTS, check_options, parse_edge
from eec_bias.stats.contrasts import resolve_references
from eec_bias.stats.inference import Inference, check_inference

DATA = corpus(items=["t01/angry"])
THREE = {"race": ["a", "b", "c"] * 2, "item": ["i"] * 6, "person": list("uvwxyz")}
LEVELS = {"race": ("Anglo", "Latino"), "gender": ("female", "male")}
NAMES = pd.DataFrame(names(items=[f"t{t:02d}/{word}" for t in (1, 2, 3) for word in ("angry", "glad")]))
Y = scores(NAMES)
FOUR = np.stack([scores(NAMES, seed) for seed in range(4)])
KNOWN = {"persons": 0.1, "residual": 0.1}
STRAY = {(race, gender): 0.1 for race in ("Anglo", "Latino", "unmarked", "Latin") for gender in ("female", "male")}


def checked(**options: Any) -> Inference:
    check_options("default", options)
    return check_inference(DEFAULTS | options, (0.0, 1.0))


def powered(**options: Any) -> Any:
    return power(DATA, "race", [0.0], systems=2, **options)


def measured(scored: Any = FOUR, **options: Any) -> Any:
    return measure(scored, NAMES, **options)


def facets(change: str) -> Any:
    if change == "an item with two templates":
        return measure(Y, NAMES.assign(template=NAMES["item"].str[:3].mask(NAMES.index == 7, "t09")))
    kept = ~(NAMES["item"].str.startswith("t03") & (NAMES["race"] == "Latino"))
    return measure(Y[kept], NAMES[kept])


def long_runs(rows: slice) -> Any:
    long = pd.concat([NAMES.assign(run=run, score=row) for run, row in zip("abcd", FOUR, strict=True)]).iloc[rows]
    return measure(long["score"], long.drop(columns="score"), runs="run")


def gap(column: int) -> Any:
    scored = FOUR.copy()
    scored[1, column] = np.nan
    return measured(scored, runs=list("abcd"))


BAD: list[tuple[Any, dict[str, Any]]] = [
    *((checked, {"permutations": given}) for given in (5, True)),
    (checked, {"bootstrap": 1.5}),
    (checked, {"permutations": "exact", "adjust": "maxt"}),
    (checked, {"refit": True}),
    (checked, {"contrasts": "all"}),
    *((checked, {"margin": given}) for given in (0, -0.1, "small", float("nan"), 1, 2)),
    *((resolve_references, {"reference": given, "levels": LEVELS}) for given in ({"race": "x"}, {"age": "o"}, "male")),
    *((parse_edge, {"edge": given}) for given in ("clip", "clip:0", "clip:0.5", "clip:x", "trim", "trim:0.1", "")),
    *((simulate, {"data": DATA, "name_sd": given}) for given in (-1.0, {("Anglo", "female"): 0.1}, STRAY)),
    *((simulate, {"data": DATA, "item_sd": given}) for given in (-0.1, 1e6)),
    *((simulate, {"data": DATA, "slope_sd": given}) for given in ({"race": float("nan")}, {"age": 0.1})),
    (simulate, {"data": DATA, "phi": 0}),
    *(
        (simulate, {"data": DATA, "effects": given})
        for given in ({"age": 0.1}, {"race": {"anglo": 0.1}}, {"race:gender": {"Anglo": 0.1}}, {"race": 1.1})
    ),
    (simulate, {"data": THREE, "axes": ["race"], "effects": {"race": 0.1}}),
    *((power, {"data": DATA, "term": given, "systems": 2}) for given in ("race:age", 3)),
    (power, {"data": DATA, "term": "race", "effects": []}),
    *(
        (powered, {"components": given})
        for given in (
            0.1,
            {"persons": 0.1},
            KNOWN | {"names": 1},
            *(KNOWN | {"persons": sd} for sd in (-0.1, "a", float("inf"))),
            {"persons": 0.0, "items": 0.1, "residual": 0.0},
        )
    ),
    (powered, {"components": KNOWN, "phi": 3}),
    (powered, {"template_sd": {"age": 0.1}}),
    (powered, {"word_sd": {"race": -1}}),
    (powered, {"runs": 0}),
    *((facets, {"change": given}) for given in ("an item with two templates", "a group lacks a template")),
    *((measured, {"runs": given}) for given in (["a", "b", "c", "c"], ["a", "b", "c"], "run", 4)),
    (measured, {"runs": list("abcd"), "systems": ["x", "x", "y", "y"]}),
    (measured, {"scored": FOUR[:2], "runs": ["a", "b"]}),
    (gap, {"column": 3}),
    (long_runs, {"rows": slice(1, None)}),
    *((measured, {"scored": Y, "rate_above": given}) for given in (1, -0.1)),
    (measured, {"scored": Y > 0.5, "outputs": "class", "rate_above": 0.5}),
    (allocate, {"budget": 159, "spread": ENCODER, "cells": 4, "names": 100, "items": 48}),
    (allocate, {"budget": 1000, "spread": ENCODER, "cells": 4, "names": 100, "items": 7}),
    (spread_of, {"variances": {"items": 0.1}}),
    *((spread_of, {"variances": {"persons": 0.0, "items": given, "residual": 0.0}}) for given in (0.0, 0.1)),
]


def title(options: dict[str, Any]) -> str:
    shown = {name: value for name, value in options.items() if name not in ("data", "levels", "scored", "spread")}
    return ", ".join(f"{name} {value!r}" for name, value in shown.items())


def test_options_that_cannot_be_are_refused(snapshot: Snapshot) -> None:
    calls = {title(options): partial(call, **options) for call, options in BAD}
    assert len(calls) == len(BAD)
    snapshot.check_refusals("stats-messages", calls, BiasError)
