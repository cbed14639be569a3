"""Settings in addition to the default test: confidence, a margin of equivalence."""

import math
from dataclasses import dataclass

from eec_bias.errors import OptionError
from eec_bias.options import MeasureOptions


@dataclass(frozen=True, slots=True)
class Inference:
    """The settings of intervals and tests.

    Attributes
    ----------
    confidence : float
        Of the intervals; differences are tested at 1 minus it.
    margin : float or None
        Half-width of the interval tested for equivalence: in points where the options are checked, in the units of
        the scores where it is used.
    """

    confidence: float = 0.95
    margin: float | None = None

    @property
    def alpha(self) -> float:
        """The level at which differences are tested."""
        return round(1 - self.confidence, 12)

    @property
    def settings(self) -> tuple[tuple[str, str], ...]:
        """The options that differ from their defaults, as the signature prints them."""
        return () if self.margin is None else (("margin", f"{self.margin:.12g}"),)


NONE = Inference()
"""Nothing beside the default test."""


def check_inference(options: MeasureOptions, score_range: tuple[float, float]) -> Inference:
    """Check the margin against the scale of the scores.

    Parameters
    ----------
    options : MeasureOptions
        ``confidence, margin``, see `Inference`.
    score_range : (float, float)
        Lowest and highest possible score; they bound the margin.

    Raises
    ------
    OptionError
        If no two possible scores are as far apart as the margin.
    """
    margin = options.margin
    if margin is not None and math.isfinite(score_range[1]) and margin >= 100:
        raise OptionError(
            f"margin {margin!r} is not narrower than the scale of the scores, which has 100 points; no gap could "
            "exceed it: state the margin in points, such as 5"
        )
    return Inference(
        confidence=float(options.confidence),
        margin=None if margin is None else float(margin),
    )
