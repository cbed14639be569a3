"""Inference on request: relabellings, bootstrap, equivalence, pairwise contrasts, checked and ready to use."""

from dataclasses import dataclass
from operator import index
from typing import Any, Literal

import numpy as np

from eec_bias.errors import OptionError
from eec_bias.inputs.scores import Scores
from eec_bias.options import one_of

Permutations = int | Literal["exact"]
Comparisons = Literal["default", "pairwise"]

RELABELLINGS = 9999
"""Relabellings drawn where ``adjust="maxt"`` needs some and no number was given."""

FEWEST = 99
"""Fewer draws than these cannot say anything at the 5 % level."""


@dataclass(frozen=True, slots=True)
class Inference:
    """What is computed beside the default test.

    Attributes
    ----------
    permutations : int or "exact"
        Relabellings of the names to draw, 0 for none; ``exact`` enumerates them for differences of two levels.
    seed : int
        Seed of every draw.
    bootstrap : int
        Bootstrap samples of persons to draw, 0 for none.
    refit : bool
        Whether the beta regression is fitted to every bootstrap sample.
    margin : float or None
        Half-width of the interval tested for equivalence, in the units of the scores.
    contrasts : {"default", "pairwise"}
        Whether axes with more than two levels are reported pair by pair.
    maxt : bool
        Whether p-values are adjusted by relabellings.
    """

    permutations: Permutations = 0
    seed: int = 0
    bootstrap: int = 0
    refit: bool = False
    margin: float | None = None
    contrasts: Comparisons = "default"
    maxt: bool = False

    @property
    def draws(self) -> int:
        """Relabellings to draw; 0 where none are, or all are enumerated."""
        return 0 if self.permutations == "exact" else int(self.permutations)

    @property
    def extras(self) -> tuple[tuple[str, str], ...]:
        """Return what differs from the defaults, for the signature."""
        found = []
        if self.permutations == "exact":
            found.append(("perm", "exact"))
        elif self.permutations:
            found.append(("perm", f"{self.permutations}@{self.seed}"))
        if self.bootstrap:
            found.append(("boot", f"{self.bootstrap}@{self.seed}{'+refit' if self.refit else ''}"))
        if self.margin is not None:
            found.append(("margin", f"{self.margin:g}"))
        if self.contrasts != "default":
            found.append(("contrasts", self.contrasts))
        return tuple(found)


NONE = Inference()
"""Nothing beside the default test."""


def check_inference(
    *,
    permutations: Any = 0,
    seed: Any = 0,
    bootstrap: Any = 0,
    refit: bool = False,
    margin: Any = None,
    contrasts: Any = "default",
    adjust: str = "holm",
    scores: Scores,
) -> Inference:
    """Check the options of resampling and equivalence against each other and against the scores.

    Parameters
    ----------
    permutations, seed, bootstrap, refit, margin, contrasts
        See `Inference`.
    adjust : str
        ``maxt`` asks for relabellings, 9,999 of them where no number is given.
    scores : Scores
        Their range bounds the margin.

    Raises
    ------
    OptionError
        If an option has a value it cannot take, or the margin contradicts the scores.
    """
    one_of("contrasts", contrasts, ("default", "pairwise"))
    maxt = adjust == "maxt"
    if permutations == "exact" and maxt:
        raise OptionError(
            "adjust='maxt' needs relabellings of all terms together, which are drawn, not enumerated; "
            "give permutations=9999 instead of 'exact'"
        )
    drawn: Permutations = "exact"
    if not (isinstance(permutations, str) and permutations == "exact"):
        drawn = _count("permutations", permutations, "relabellings, or 'exact'")
    drawn = RELABELLINGS if maxt and drawn == 0 else drawn
    samples = _count("bootstrap", bootstrap, "bootstrap samples")
    if refit and not samples:
        raise OptionError(
            "refit=True fits the beta regression to bootstrap samples, and bootstrap is 0; give bootstrap=1000"
        )
    checked = None if margin is None else _margin(margin, scores)
    return Inference(drawn, _seed(seed), samples, bool(refit), checked, contrasts, maxt)


def _count(name: str, given: Any, what: str) -> int:
    try:
        number = -1 if isinstance(given, bool) else index(given)
    except TypeError:
        number = -1
    if number == 0 or number >= FEWEST:
        return number
    raise OptionError(f"{name}={given!r}; expected 0 for none, or a number of {what}, {FEWEST} at least")


def _seed(given: Any) -> int:
    try:
        number = -1 if isinstance(given, bool) else index(given)
    except TypeError:
        number = -1
    if number < 0:
        raise OptionError(f"seed={given!r}; expected a whole number of 0 or more, which the signature can state")
    return number


def _margin(given: Any, scores: Scores) -> float:
    """Refuse a margin that no pair of scores could exceed."""
    try:
        margin = float(given)
    except (TypeError, ValueError):
        margin = float("nan")
    if not (np.isfinite(margin) and margin > 0):
        raise OptionError(f"margin={given!r}; expected a positive number in the units of the scores, such as 0.02")
    low, high = scores.score_range
    if margin >= high - low:
        raise OptionError(
            f"margin={given!r} is as wide as the scale of the scores, [{low:g}, {high:g}]; no difference could exceed "
            "it: state the margin in the units of the scores"
        )
    known = scores.values[np.isfinite(scores.values)]
    least, most = (float(known.min()), float(known.max())) if known.size else (0.0, 0.0)
    if most > least and margin >= most - least:
        raise OptionError(
            f"margin={given!r} is wider than the scores are apart, which run from {least:g} to {most:g}; no difference "
            "could exceed it: state a margin that could be exceeded"
        )
    return margin
