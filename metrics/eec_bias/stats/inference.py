"""Inference on request: relabellings, bootstrap, equivalence, pairwise contrasts, checked and ready to use."""

from dataclasses import dataclass

from eec_bias.errors import OptionError
from eec_bias.options import MeasureOptions, Permutations

RELABELLINGS = 9999
"""Relabellings drawn where max-T adjustment needs some and no number was given."""


@dataclass(frozen=True, slots=True)
class Inference:
    """What is computed beside the default test.

    Attributes
    ----------
    confidence : float
        Of the intervals; differences are tested at 1 minus it.
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

    confidence: float = 0.95
    permutations: Permutations = 0
    seed: int = 0
    bootstrap: int = 0
    refit: bool = False
    margin: float | None = None
    pairwise: bool = False
    maxt: bool = False

    @property
    def alpha(self) -> float:
        """The level at which differences are tested."""
        return round(1 - self.confidence, 12)

    @property
    def draws(self) -> int:
        """Relabellings to draw; 0 where none are, or all are enumerated."""
        return 0 if self.permutations == "exact" else int(self.permutations)

    @property
    def settings(self) -> tuple[tuple[str, str], ...]:
        """The options that differ from their defaults, as the signature prints them."""
        settings = []
        if self.permutations == "exact":
            settings.append(("perm", "exact"))
        elif self.permutations:
            settings.append(("perm", f"{self.permutations}@{self.seed}"))
        if self.bootstrap:
            refitted = "+refit" if self.refit else ""
            settings.append(("boot", f"{self.bootstrap}@{self.seed}{refitted}"))
        if self.margin is not None:
            settings.append(("margin", f"{self.margin:.12g}"))
        return tuple(settings)


NONE = Inference()
"""Nothing beside the default test."""


def check_inference(options: MeasureOptions, score_range: tuple[float, float]) -> Inference:
    """Check the options of resampling and equivalence against each other and against the scale of the scores.

    Parameters
    ----------
    options : MeasureOptions
        ``confidence, permutations, seed, bootstrap, refit, margin, contrasts``, see `Inference`; ``adjust`` of ``maxt``
        asks for relabellings, 9,999 of them where no number is given.
    score_range : (float, float)
        Lowest and highest possible score; they bound the margin.

    Raises
    ------
    OptionError
        If options contradict each other, or no two possible scores are as far apart as the margin.
    """
    permutations, margin = options.permutations, options.margin
    maxt = options.adjust == "maxt"
    if permutations == "exact" and maxt:
        raise OptionError(
            "permutations 'exact' does not go with adjust 'maxt', which relabels the names for all terms together, at "
            f"random; give a number of permutations, such as {RELABELLINGS}"
        )
    if options.refit and not options.bootstrap:
        raise OptionError(
            "refit fits the beta regression to bootstrap samples, and bootstrap is 0; give a bootstrap of 1000"
        )
    low, high = score_range
    if margin is not None and margin >= high - low:
        raise OptionError(
            f"margin {margin!r} is not narrower than the scale of the scores, {low:g} to {high:g}; no difference could "
            "exceed it: state the margin in the units of the scores"
        )
    draws: Permutations
    if permutations == "exact":
        draws = "exact"
    elif permutations:
        draws = int(permutations)
    else:
        draws = RELABELLINGS if maxt else 0
    return Inference(
        confidence=float(options.confidence),
        permutations=draws,
        seed=int(options.seed),
        bootstrap=int(options.bootstrap),
        refit=bool(options.refit),
        margin=None if margin is None else float(margin),
        pairwise=options.contrasts == "pairwise",
        maxt=maxt,
    )
