"""Persons whose scores lie far from those of the others of their group: one name can make a group's effect."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from eec_bias.result.numbers import signed
from eec_datasets.locale.model import UNMARKED
from eec_datasets.schema import axes_of
from eec_datasets.systems.corpus import Corpus

FAR: Final = 3.5
"""Distances in normal standard deviations, estimated by the median distance (Iglewicz & Hoaglin 1993)."""

NOISE: Final = 1e-9
"""Distances below this share of the range of the scores come from rounding."""


@dataclass(frozen=True, slots=True)
class Standout:
    """One person far from the others.

    Attributes
    ----------
    form
        The person as written in the corpus.
    group
        Its labels, such as ``Black female``.
    distance
        Mean score of the person minus the median of the mean scores of its group, in units of the scores.
    """

    form: str
    group: str
    distance: float

    def __str__(self) -> str:
        return f"{self.form} ({self.group}) {signed(self.distance)}"


def standouts(corpus: Corpus, scores: Sequence[float], score_range: tuple[float, float]) -> list[Standout]:
    """Return the names whose distance from the median of their group is unusual among all names.

    Parameters
    ----------
    corpus
        What was scored; noun phrases and pronouns take no part, as they differ in more than their group.
    scores
        One per row.
    score_range
        Declared range.

    Returns
    -------
    list of Standout
        The farthest first.
    """
    import pandas as pd

    columns = corpus.columns
    axes = sorted(axes_of(columns), key=lambda axis: axis == "gender")
    labels = zip(*(columns[axis] for axis in axes), strict=True)
    groups = [" ".join(label for label in row if label != UNMARKED) for row in labels]
    rows = pd.DataFrame({"form": columns["person_form"], "group": groups, "score": scores})
    names = rows[[kind == "name" for kind in columns["person_type"]]]
    means = names.groupby(["group", "form"], sort=False)["score"].mean()
    distances = means - means.groupby("group").transform("median")
    # 1.4826 turns the median distance into the standard deviation of a normal distribution.
    spread = 1.4826 * distances.abs().median()
    far = distances[distances.abs() > max(FAR * spread, NOISE * (score_range[1] - score_range[0]))]
    ordered = far.sort_values(key=lambda each: -each.abs(), kind="stable").reset_index(name="distance")
    return [Standout(form, group, distance) for group, form, distance in ordered.to_numpy().tolist()]
