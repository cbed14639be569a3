"""Names whose scores lie farther from those of their group than chance would put any of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from eec_bias.reading import signed
from eec_datasets.locale.model import UNMARKED
from eec_datasets.schema import axes_of
from eec_datasets.systems.corpus import Corpus

NOISE: Final = 1e-9
"""Distances below this share of the range of the scores come from rounding."""

ALPHA: Final = 0.05
"""Probability with which any name at all is called far where none is."""


@dataclass(frozen=True, slots=True)
class Standout:
    """One name far from the others.

    Attributes
    ----------
    form
        The name as written in the corpus.
    labels
        Its level on each axis, such as ``{"race": "Black", "gender": "female"}``.
    distance
        Mean score of the name minus the mean of the other names of its group, in units of the scores.
    p
        Of a distance as large, Bonferroni-adjusted for the number of names.
    """

    form: str
    labels: dict[str, str]
    distance: float
    p: float

    def __str__(self) -> str:
        return f"{self.form} ({' '.join(self.labels.values())}) {signed(self.distance)}"


def standouts(corpus: Corpus, scores: Sequence[float], score_range: tuple[float, float]) -> list[Standout]:
    """Return the names that are outliers among all names of a corpus, at a level that holds for all of them together.

    A name is far if its externally studentised residual about the mean of its group, with the variance that the other
    names have about theirs, has a two-sided Bonferroni-adjusted p below `ALPHA` (Cook & Weisberg 1982, 2.2.2).

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

    axes = sorted(axes_of(corpus.columns), key=lambda axis: axis == "gender")
    columns = {key: corpus.columns[key] for key in ("item", "person_form", *axes)}
    rows = pd.DataFrame({**columns, "score": scores})[[kind == "name" for kind in corpus.columns["person_type"]]]
    rows = rows.dropna(subset="score")
    # Names that lack some sentences are compared on those they have.
    rows["score"] -= rows.groupby("item")["score"].transform("mean")
    means = rows.groupby([*axes, "person_form"], sort=False)["score"].mean()
    distances, p = outliers(means.to_numpy(), means.groupby(level=axes, sort=False).ngroup().to_numpy())
    least = NOISE * (score_range[1] - score_range[0])
    outlying = [
        Standout(
            form, {axis: level for axis, level in zip(axes, levels, strict=True) if level != UNMARKED}, far, chance
        )
        for (*levels, form), far, chance in zip(means.index, distances.tolist(), p.tolist(), strict=True)
        if abs(far) > least and chance < ALPHA
    ]
    return sorted(outlying, key=lambda each: -abs(each.distance))


def outliers(values: Any, groups: Any) -> tuple[Any, Any]:
    """Return how far each value is from the mean of the others of its group, and the adjusted p of that.

    Parameters
    ----------
    values : (N,) array
    groups : (N,) array of int
        Number of each value's group. A value alone in its group is at distance 0.

    Returns
    -------
    (N,) array, (N,) array
        Distances, in the units of the values; Bonferroni-adjusted p, 1 where there is too little to judge by.
    """
    from scipy.special import stdtr

    sizes = np.bincount(groups)[groups]
    residuals = values - (np.bincount(groups, values) / np.maximum(np.bincount(groups), 1))[groups]
    free = np.where(sizes > 1, 1 - 1 / sizes, np.inf)
    df = len(values) - len(np.unique(groups)) - 1
    left = np.maximum((residuals**2).sum() - residuals**2 / free, 0) / max(df, 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(residuals == 0, 0.0, np.abs(residuals) / np.sqrt(left * free))
    p = np.minimum(2 * stdtr(max(df, 1), -t) * len(values), 1) if df > 0 else np.ones(len(values))
    return residuals / free, p
