"""What is asked for beside the default test, and every message about options that cannot be."""

from functools import partial
from typing import Any

import numpy as np
import pytest
from snapshots import Snapshot
from synthetic import corpus

from eec_bias import OptionError, power, simulate
from eec_bias.assembly.assemble import DEFAULTS
from eec_bias.options import check_options, parse_edge
from eec_bias.stats.contrasts import resolve_references
from eec_bias.stats.inference import NONE, Inference, check_inference

DATA = corpus(items=["t01/angry"])
THREE = {"race": ["a", "b", "c"] * 2, "item": ["i"] * 6, "person": list("uvwxyz")}
LEVELS = {"race": ("Anglo", "Latino"), "gender": ("female", "male")}


def checked(**options: Any) -> Inference:
    check_options("default", options)
    return check_inference(DEFAULTS | options, (0.0, 1.0), (0.5, 0.6))


def drawn(**options: Any) -> np.ndarray:
    return simulate(DATA, **options)


BAD: list[tuple[Any, dict[str, Any]]] = [
    *((checked, {"permutations": given}) for given in (5, "all", True)),
    (checked, {"bootstrap": 1.5}),
    (checked, {"seed": -1}),
    (checked, {"permutations": "exact", "adjust": "maxt"}),
    (checked, {"refit": True}),
    (checked, {"contrasts": "all"}),
    *((checked, {"margin": given}) for given in (0, -0.1, "small", float("nan"), 2, 0.2)),
    *((resolve_references, {"reference": given, "levels": LEVELS}) for given in ({"race": "x"}, {"age": "o"}, "male")),
    *((parse_edge, {"edge": given}) for given in ("clip", "clip:0", "clip:0.5", "clip:x", "trim", "")),
    *((drawn, {"name_sd": given}) for given in (-1.0, {("Anglo", "female"): 0.1})),
    (drawn, {"item_sd": -0.1}),
    *((drawn, {"slope_sd": given}) for given in ({"race": float("nan")}, {"age": 0.1})),
    (drawn, {"phi": 0}),
    *(
        (drawn, {"effects": given})
        for given in ({"age": 0.1}, {"race": {"anglo": 0.1}}, {"race:gender": {"Anglo": 0.1}}, {"race": 1.1})
    ),
    (simulate, {"data": THREE, "axes": ["race"], "effects": {"race": 0.1}}),
    (power, {"data": DATA, "term": "race:age", "systems": 2}),
]


def title(options: dict[str, Any]) -> str:
    return ", ".join(f"{name} {value!r}" for name, value in options.items() if name not in ("data", "levels"))


def test_options_that_cannot_be_are_refused(snapshot: Snapshot) -> None:
    calls = {title(options): partial(call, **options) for call, options in BAD}
    snapshot.check_refusals("stats-messages", calls, OptionError)


@pytest.mark.parametrize(
    ("options", "extras"),
    [
        ({}, ()),
        ({"permutations": "exact", "seed": 3}, (("perm", "exact"),)),
        ({"permutations": 999, "seed": 3}, (("perm", "999@3"),)),
        ({"adjust": "maxt"}, (("perm", "9999@0"),)),
        ({"bootstrap": 99, "refit": True, "margin": 0.05}, (("boot", "99@0+refit"), ("margin", "0.05"))),
        ({"contrasts": "pairwise"}, (("contrasts", "pairwise"),)),
    ],
)
def test_what_differs_from_the_defaults_goes_into_the_signature(
    options: dict[str, Any], extras: tuple[tuple[str, str], ...]
) -> None:
    assert checked(**options).extras == extras
    assert NONE.extras == ()
