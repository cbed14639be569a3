"""The default test on many drawn systems: its power, and under the null its size."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from eec_bias.options import Floats
from eec_bias.stats.contrasts import Contrast, build_contrasts
from eec_bias.stats.inference import NONE
from eec_bias.stats.layout import Table
from eec_bias.stats.names import Names
from eec_bias.stats.paired import Pairs, pair_up
from eec_bias.stats.simulation import Truth
from eec_bias.stats.sums import summarise

_CHUNK = 4_000_000
"""Scores drawn at a time: bounds the memory."""


@dataclass(frozen=True, slots=True)
class Replicates:
    """The default test of one term on S simulated systems; every array is (S,).

    Attributes
    ----------
    estimate : array
        Estimated effects.
    p, p_names_only : arrays
        Of the default test, and of its part over names (or bases) alone.
    mde : array
        Smallest detectable effect at 80 % power, as ``measure`` reports it.
    signal : array
        Vp/Ve, the variance of name means over what the residual alone would give.
    """

    estimate: Floats
    p: Floats
    p_names_only: Floats
    mde: Floats
    signal: Floats

    def rejected(self, alpha: float) -> tuple[float, float, float]:
        """Share of systems in which the test finds the term, with Wilson's 95 % interval for the simulation."""
        share, n, z = float((self.p < alpha).mean()), self.p.size, 1.959963984540054
        centre = (share + z * z / (2 * n)) / (1 + z * z / n)
        reach = z / (1 + z * z / n) * float(np.sqrt(share * (1 - share) / n + z * z / (4 * n * n)))
        return share, max(centre - reach, 0.0), min(centre + reach, 1.0)


def run_tests(
    truth: Truth, tables: Sequence[Table], systems: int, rng: np.random.Generator
) -> dict[tuple[str, str, str], Replicates]:
    """Draw many systems and run the default test on each, in chunks of bounded memory.

    Returns
    -------
    dict of (subset, term, level) to Replicates
    """
    parts: dict[tuple[str, str, str], list[Floats]] = {}
    step = max(1, _CHUNK // truth.item.size)
    for start in range(0, systems, step):
        scores = truth.draw(min(step, systems - start), rng)
        for table in tables:
            contrasts, numbers = _test(table, table.gather(scores))
            for r, contrast in enumerate(contrasts):
                parts.setdefault((table.subset, contrast.term, contrast.level), []).append(numbers[:, :, r])
    return {key: Replicates(*np.concatenate(numbers, axis=1)) for key, numbers in parts.items()}


def _test(table: Table, values: Floats) -> tuple[Sequence[Contrast], Floats]:
    """Test the contrasts of a table as ``measure`` does; the numbers (5, S, R) are those of `Replicates`."""
    contrasts, sums = build_contrasts(table.axes), summarise(values, table.cell)
    test: Names | Pairs = Names(table, tuple(contrasts), sums, 1.0, NONE)
    if table.paired:
        test = pair_up(table, contrasts, values, sums, 1.0, NONE)
    tested = test.test()
    with np.errstate(divide="ignore", invalid="ignore"):
        signal = tested.person_variance / tested.residual_variance
    return test.contrasts, np.stack([tested.effect, tested.p, tested.p_names_only, tested.detectable(), signal])
