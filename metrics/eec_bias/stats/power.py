"""Scores drawn under a known truth, and the power they reveal.

A score is y ~ Beta(μφ, (1 − μ)φ) with logit μ = α_cell + name + item + slopes, every random effect normal.
The intercept of each cell is solved for, so that the cell's mean over the populations of names and items is
exactly what was asked for on the response scale: with equal means the null is true there, also where
variances differ between cells.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from eec_bias.errors import OptionError
from eec_bias.inputs.design import build_design
from eec_bias.inputs.sources import choose_axes, read_source
from eec_bias.options import Floats
from eec_bias.stats.contrasts import Contrast, build_contrasts
from eec_bias.stats.layout import Table
from eec_bias.stats.paired_contrasts import differences, members
from eec_bias.stats.simulation import Effect, NameSd, plan
from eec_bias.stats.sums import summarise
from eec_bias.stats.two_way import Tested, two_way

if TYPE_CHECKING:
    import pandas as pd

_CHUNK = 4_000_000
"""Scores drawn at a time: bounds the memory of `power`."""


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


def simulate(
    data: Any,
    *,
    name_sd: NameSd = 0.05,
    item_sd: float = 0.5,
    slope_sd: Mapping[str, float] | None = None,
    phi: float | None = 50.0,
    residual_sd: float = 0.0,
    mean: float = 0.5,
    effects: Mapping[str, Effect] | None = None,
    systems: int = 1,
    seed: int | np.random.Generator = 0,
    axes: Sequence[str] | None = None,
) -> Floats:
    """Draw scores for the rows of a dataset under a stated truth.

    Parameters
    ----------
    data : datasets.Dataset, pandas.DataFrame, pyarrow.Table or mapping of columns
        The rows, as for ``measure``.
    name_sd : float, or mapping of cell to float
        Standard deviation of person effects on the logit scale; by cell with the levels of all axes as
        key, for example ``{("Black", "female"): 0.2, …}``.
    item_sd : float
        Standard deviation of item effects, logit scale.
    slope_sd : mapping of axis to float, optional
        Standard deviation of effects of level × item: how much each group's reaction differs by item.
    phi : float or None
        Precision of the beta distribution around the mean; None for no noise.
    residual_sd : float
        Standard deviation of noise on the logit scale, besides or instead of ``phi``.
    mean : float
        Mean score over all cells, in (0, 1).
    effects : mapping of term to float or to mapping of level to float, optional
        True effects on the response scale, as ``measure`` reports them: for a term of two-level axes the level
        minus the reference (for an interaction the difference in differences), otherwise per level what is added
        to its mean. Everything not named is 0: the null.
    systems : int
        Rows of the result.
    seed : int or numpy.random.Generator
        Source of randomness.
    axes : sequence of str, optional
        Identity axes; by default those ``measure`` takes.

    Returns
    -------
    (systems, rows) array
        Scores in [0, 1].

    Raises
    ------
    OptionError
        If an option is out of range or names an axis, level or cell the data do not have.
    """
    truth = plan(
        data, name_sd=name_sd, item_sd=item_sd, slope_sd=slope_sd, phi=phi, residual_sd=residual_sd,
        mean=mean, effects=effects, axes=axes,
    )  # fmt: skip
    return truth.draw(systems, np.random.default_rng(seed))


def power(
    data: Any,
    term: str,
    effects: Sequence[float] = (0.0, 0.01, 0.02, 0.05),
    *,
    alpha: float = 0.05,
    systems: int = 1000,
    seed: int | np.random.Generator = 0,
    axes: Sequence[str] | None = None,
    **truth: Any,
) -> "pd.DataFrame":
    """Simulate how often the default test finds an effect of a given size.

    Parameters
    ----------
    data : as for `simulate`
        The rows.
    term : str
        A term of two-level axes, such as ``race`` or ``race:gender``.
    effects : sequence of float
        True effects on the response scale; 0 gives the size of the test.
    alpha : float
        Level at which p is compared, unadjusted.
    systems : int
        Systems drawn per effect.
    seed : int or numpy.random.Generator
        Source of randomness.
    axes : sequence of str, optional
        Identity axes.
    **truth
        Passed to `simulate`: ``name_sd``, ``item_sd``, ``slope_sd``, ``phi``, ``residual_sd``, ``mean``.

    Returns
    -------
    pandas.DataFrame
        One row per subset and effect: ``term, subset, effect, power, power_low, power_high`` (Wilson's
        95 % interval for the simulation), ``power_names_only, mean_estimate, mde`` (median smallest detectable
        effect at 80 % power as ``measure`` reports it), ``systems``.

    Raises
    ------
    OptionError
        If the term is not one of the data, or an option is out of range.
    """
    import pandas as pd

    rng = np.random.default_rng(seed)
    rows = []
    for effect in effects:
        found = replicate(data, effects={term: effect}, systems=systems, seed=rng, axes=axes, **truth)
        hits = {key: values for key, values in found.items() if key[1] == term}
        if not hits:
            terms = ", ".join(sorted({key[1] for key in found}))
            raise OptionError(f"term={term!r} is not a term of the data; these are {terms}")
        rows += [_power_row(key, effect, values, alpha) for key, values in hits.items()]
    return pd.DataFrame(rows)


def replicate(
    data: Any,
    *,
    systems: int,
    seed: int | np.random.Generator = 0,
    axes: Sequence[str] | None = None,
    **truth: Any,
) -> dict[tuple[str, str, str], Replicates]:
    """Draw many systems and run the default test on each, in chunks of bounded memory.

    Parameters
    ----------
    data : as for `simulate`
        The rows.
    systems : int
        How many.
    seed : int or numpy.random.Generator
        Source of randomness.
    axes : sequence of str, optional
        Identity axes.
    **truth
        Passed to `simulate`.

    Returns
    -------
    dict of (subset, term, level) to Replicates
    """
    source = read_source(data)
    drawn = plan(source, axes=axes, **truth)
    chosen = choose_axes(source, None if axes is None else tuple(axes))
    tables = build_design(source, chosen).tables
    rng = np.random.default_rng(seed)
    parts: dict[tuple[str, str, str], list[Floats]] = {}
    step = max(1, _CHUNK // drawn.item.size)
    for start in range(0, systems, step):
        scores = drawn.draw(min(step, systems - start), rng)
        for table in tables:
            values = scores[:, table.rows.ravel()].reshape(-1, *table.rows.shape)
            for contrast, tested in _tests(table, values):
                key = (table.subset, contrast.term, contrast.level)
                with np.errstate(divide="ignore", invalid="ignore"):
                    signal = tested.person_variance / tested.residual_variance
                columns = (tested.effect, tested.p, tested.p_names_only, tested.detectable(), signal)
                parts.setdefault(key, []).append(np.concatenate(columns, axis=1).T)
    return {key: Replicates(*np.concatenate(found, axis=1)) for key, found in parts.items()}


def _tests(table: Table, values: Floats) -> Iterator[tuple[Contrast, Tested]]:
    """Yield the default test of every contrast of a table, as ``measure`` computes it."""
    contrasts = build_contrasts(table.axes)
    sums = None if table.paired else summarise(values, table.cell)
    for contrast in contrasts:
        if sums is not None:
            yield contrast, two_way(sums, contrast.weights[None])
            continue
        chosen = members(table, contrast.weights)
        if len(chosen) > 1:
            units = differences(values, chosen, contrast.weights)
            yield contrast, two_way(summarise(units, np.zeros(len(chosen), dtype=np.intp)), np.ones((1, 1)))


def _power_row(key: tuple[str, str, str], effect: float, found: Replicates, alpha: float) -> dict[str, Any]:
    n = found.p.size
    share = float((found.p < alpha).mean())
    low, high = _wilson(share, n)
    return {
        "term": key[1],
        "subset": key[0],
        "effect": effect,
        "power": share,
        "power_low": low,
        "power_high": high,
        "power_names_only": float((found.p_names_only < alpha).mean()),
        "mean_estimate": float(found.estimate.mean()),
        "mde": float(np.median(found.mde)),
        "systems": n,
    }


def _wilson(share: float, n: int) -> tuple[float, float]:
    z = 1.959963984540054
    centre = (share + z * z / (2 * n)) / (1 + z * z / n)
    reach = z / (1 + z * z / n) * np.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return float(max(centre - reach, 0.0)), float(min(centre + reach, 1.0))
