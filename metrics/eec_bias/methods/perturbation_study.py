"""The perturbation measures of many systems, with intervals, as arrays."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from eec_bias.inputs.scores import Scores
from eec_bias.methods.perturbation_layout import Perturbed
from eec_bias.methods.perturbation_measures import (
    BLOCK,
    Redrawn,
    empty_sets,
    group_means,
    measures,
    percentiles,
    profile,
)
from eec_bias.options import Bools, Floats, Ints

MEASURES = ("sens", "dev", "sample", "spread", "distance", "correlation")

Arrays = dict[str, Floats]


@dataclass(frozen=True, slots=True)
class PerturbationStudy:
    """The measures for S systems, N names, K groups and C thresholds; NaN where there is no value.

    Attributes
    ----------
    names, forms : tuple of str, length N
        Persons put into the sentences, and how they are written.
    labels : dict of str to tuple of str
        By group column the label of each name.
    groups : tuple of (str, str), length K
        Column and label.
    baseline : tuple of str
        Persons of the originals.
    sentences : int
        Sentences, each with one original or more.
    thresholds : (C,) array
        On the scale of the scores.
    systems : tuple of str
        Names of the systems; ``""`` for one unnamed.
    value : dict of str to array
        ``sens`` (S, N), ScoreSens; ``group_sens`` (S, K), its mean over the names of each group; ``dev`` and ``sample``
        (S, 1), ScoreDev with N and with N − 1 in the denominator of the standard deviation; ``spread`` (S, 1),
        ScoreRange; ``distance`` (S, C), LabelDist; ``correlation`` (S, 1), of |f(x_n) − f(x)|, averaged over names,
        with f(x).
    empty : (S, C) integer array
        Names for which neither an original nor a version with the name reaches the threshold.
    se, low, high : dict of str to array
        Standard error and interval from the resamples, arranged as ``value``; empty without resamples.
    resamples : int
        How often the sentences were resampled.
    """

    names: tuple[str, ...]
    forms: tuple[str, ...]
    labels: dict[str, tuple[str, ...]]
    groups: tuple[tuple[str, str], ...]
    baseline: tuple[str, ...]
    sentences: int
    thresholds: Floats
    systems: tuple[str, ...]
    value: Arrays
    empty: Ints
    se: Arrays = field(default_factory=dict)
    low: Arrays = field(default_factory=dict)
    high: Arrays = field(default_factory=dict)
    resamples: int = 0

    def to_dict(self) -> dict[str, Any]:
        """Return what the figures need beside the rows, as plain JSON types."""
        return {
            "names": list(self.names),
            "forms": list(self.forms),
            "labels": {column: list(labels) for column, labels in self.labels.items()},
            "baseline": list(self.baseline),
            "sentences": self.sentences,
            "resamples": self.resamples,
        }


def study_perturbed(
    scores: Scores, data: Perturbed, thresholds: Floats, resamples: int, seed: int
) -> PerturbationStudy:
    """Evaluate the measures for every system.

    Parameters
    ----------
    scores : Scores
        Of S systems.
    data : Perturbed
        Where the scores stand.
    thresholds : (C,) array
        On the scale of the scores.
    resamples, seed : int
        How often the sentences are drawn with replacement, the same draws for every system, and the seed.
    """
    groups = tuple((column, level) for column in data.labels for level in data.levels(column))
    members = membership(data, groups)
    blocks: Iterable[Floats] = Redrawn(len(data.sentences), resamples, seed)
    if len(data.sentences) * resamples <= BLOCK:
        blocks = list(blocks)
    found = [_one(each, data, thresholds, members, blocks, scores.span) for each in scores.values]
    value, se, low, high = (
        {name: np.stack([parts[at][name] for parts, _ in found]) for name in found[0][0][at]} for at in range(4)
    )
    return PerturbationStudy(
        data.names, data.forms, data.labels, groups, data.baseline, len(data.sentences), thresholds,
        scores.systems or ("",), value, np.stack([empty for _, empty in found]), se, low, high, resamples,
    )  # fmt: skip


def membership(data: Perturbed, groups: tuple[tuple[str, str], ...]) -> Bools:
    """Tell which names each group has, (K, N)."""
    members = np.array([[own == level for own in data.labels[column]] for column, level in groups], dtype=bool)
    return members.reshape(len(groups), len(data.names))


def _one(
    scores: Floats, data: Perturbed, thresholds: Floats, members: Bools, blocks: Iterable[Floats], scale: float
) -> tuple[tuple[Arrays, ...], Ints]:
    """Value, standard error and ends of every measure of one system, each (…,); names with two empty sets."""
    found = profile(scores, data.rows, data.originals)

    def evaluate(weights: Floats | None = None) -> Arrays:
        got = measures(found, thresholds, weights, scale)
        wide = {name: getattr(got, name).reshape(len(got.dev), -1) for name in MEASURES}
        return wide | {"group_sens": group_means(got.sens, members)}

    value = {name: values[0] for name, values in evaluate().items()}
    se, low, high = Arrays(), Arrays(), Arrays()
    drawn = [evaluate(weights) for weights in blocks]
    for name in value if drawn else ():
        se[name], low[name], high[name] = percentiles(np.concatenate([block[name] for block in drawn]))
    return (value, se, low, high), empty_sets(found, thresholds)
