"""Inference on request: relabellings, bootstrap, equivalence, pairwise contrasts, checked and ready to use."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from eec_bias.errors import OptionError
from eec_bias.options import Permutations

RELABELLINGS = 9999
"""Relabellings drawn where max-T adjustment needs some and no number was given."""


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
    pairwise : bool
        Whether axes with more than two levels are reported pair by pair.
    maxt : bool
        Whether p-values are adjusted by relabellings.
    """

    permutations: Permutations = 0
    seed: int = 0
    bootstrap: int = 0
    refit: bool = False
    margin: float | None = None
    pairwise: bool = False
    maxt: bool = False

    @property
    def draws(self) -> int:
        """Relabellings to draw; 0 where none are, or all are enumerated."""
        return 0 if self.permutations == "exact" else int(self.permutations)

    @property
    def extras(self) -> tuple[tuple[str, str], ...]:
        """What differs from the defaults, for the signature."""
        drawn = f"{self.permutations}" + ("" if self.permutations == "exact" else f"@{self.seed}")
        refitted = "+refit" if self.refit else ""
        extras = (
            ("perm", drawn if self.permutations else ""),
            ("boot", f"{self.bootstrap}@{self.seed}{refitted}" if self.bootstrap else ""),
            ("margin", "" if self.margin is None else f"{self.margin:.12g}"),
            ("contrasts", "pairwise" * self.pairwise),
        )
        return tuple((name, text) for name, text in extras if text)


NONE = Inference()
"""Nothing beside the default test."""


def check_inference(options: Mapping[str, Any], score_range: tuple[float, float]) -> Inference:
    """Check the options of resampling and equivalence against each other and against the scale of the scores.

    Parameters
    ----------
    options : mapping of str to object
        ``permutations, seed, bootstrap, refit, margin, contrasts``, see `Inference`, each checked by its declaration;
        ``adjust`` of ``maxt`` asks for relabellings, 9,999 of them where no number is given.
    score_range : (float, float)
        Lowest and highest possible score; they bound the margin.

    Raises
    ------
    OptionError
        If options contradict each other, or no two possible scores are as far apart as the margin.
    """
    permutations, bootstrap, margin = options["permutations"], options["bootstrap"], options["margin"]
    maxt = options["adjust"] == "maxt"
    if permutations == "exact" and maxt:
        raise OptionError(
            "permutations 'exact' does not go with adjust 'maxt', which relabels the names for all terms together, at "
            f"random; give a number of permutations, such as {RELABELLINGS}"
        )
    if options["refit"] and not bootstrap:
        raise OptionError(
            "refit fits the beta regression to bootstrap samples, and bootstrap is 0; give a bootstrap of 1000"
        )
    low, high = score_range
    if margin is not None and margin >= high - low:
        raise OptionError(
            f"margin {margin!r} is not narrower than the scale of the scores, {low:g} to {high:g}; no difference could "
            "exceed it: state the margin in the units of the scores"
        )
    drawn = permutations if permutations == "exact" else int(permutations) or RELABELLINGS * maxt
    checked = None if margin is None else float(margin)
    seed, refit = int(options["seed"]), bool(options["refit"])
    return Inference(drawn, seed, int(bootstrap), refit, checked, options["contrasts"] == "pairwise", maxt)
