"""The perturbation measures on a thousand names in a thousand sentences."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pandas as pd

from benchmarks.workloads import Workload
from eec_bias.inputs.containers import read_source
from eec_bias.methods import perturbation
from eec_bias.methods.perturbation.layout import lay_out_perturbed
from eec_bias.methods.perturbation.measures import evaluate, profile

NAMES = SENTENCES = 1000
THRESHOLDS = np.arange(1, 10) / 10


@cache
def data() -> Any:
    """Return rows as a perturbed corpus has them: each sentence as it was found and with every name."""
    persons = np.array(["original", *(f"name{i:04d}" for i in range(NAMES))])
    gender = np.array(["unmarked", *("female", "male") * (NAMES // 2)])
    item = np.repeat([f"s{j:07d}" for j in range(SENTENCES)], NAMES + 1)
    columns = {"person": np.tile(persons, SENTENCES), "gender": np.tile(gender, SENTENCES), "item": item, "pair": item}
    return pd.DataFrame(columns)


@cache
def scores() -> Any:
    """Return a score per row."""
    return np.random.default_rng(1).beta(2, 3, len(data()))


@cache
def rows() -> Any:
    """Return where the scores stand."""
    return lay_out_perturbed(read_source(data()), baseline=None, group=(), incomplete="refuse")


def evaluate_all() -> Any:
    """Evaluate all measures, nine thresholds, from scores whose places are known."""
    return evaluate(profile(scores(), rows().rows, rows().originals), THRESHOLDS, np.zeros((0, NAMES), dtype=bool))


def workloads() -> list[Workload]:
    """Return the rows of the table."""
    return [
        Workload("perturbation measures, 1,000 sentences × 1,000 names", evaluate_all, budget=1.0),
        Workload(
            "the same from a pandas frame, with a test of groups (`methods.perturbation`)",
            lambda: perturbation(scores(), data()),
            budget=1.0,
        ),
        Workload(
            "the same from a frame, with 1,000 resamples of the sentences",
            lambda: perturbation(scores(), data(), bootstrap=1000),
        ),
    ]
