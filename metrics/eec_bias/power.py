"""Scores drawn under a known truth, and the power they reveal: `simulate` and `power`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from eec_bias.errors import OptionError
from eec_bias.inputs.design import read_design
from eec_bias.inputs.sources import choose_axes, read_source
from eec_bias.options import Floats
from eec_bias.stats.analysis import choose_test
from eec_bias.stats.contrasts import Contrast, build_contrasts
from eec_bias.stats.inference import NONE
from eec_bias.stats.layout import Table
from eec_bias.stats.simulation import Effect, NameSd, Rows, Truth, draw
from eec_bias.stats.sums import summarise

if TYPE_CHECKING:
    import pandas as pd

_CHUNK = 4_000_000
"""Scores drawn at a time: bounds the memory."""


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
    source = read_source(data)
    columns = choose_axes(source, None if axes is None else tuple(axes))
    rows = Rows(
        {name: column.levels for name, column in columns.items()},
        {name: column.codes for name, column in columns.items()},
        source.coded("person").codes,
        source.coded("item").codes,
    )
    truth = Truth(name_sd, item_sd, slope_sd, phi, residual_sd, mean, effects)
    return draw(rows, truth, systems, np.random.default_rng(seed))


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
        tests = replicate(data, effects={term: effect}, systems=systems, seed=rng, axes=axes, **truth)
        hits = {key: values for key, values in tests.items() if key[1] == term}
        if not hits:
            terms = ", ".join(sorted({key[1] for key in tests}))
            raise OptionError(f"term {term!r} is not a term of the data; these are {terms}")
        rows += [_power_row(key, effect, values, alpha) for key, values in hits.items()]
    return pd.DataFrame(rows)


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


def replicate(
    data: Any, *, systems: int, seed: int | np.random.Generator = 0, axes: Sequence[str] | None = None, **truth: Any
) -> dict[tuple[str, str, str], Replicates]:
    """Run the default test on many drawn systems, by (subset, term, level); parameters as for `power`."""
    source, rng = read_source(data), np.random.default_rng(seed)
    tables = read_design(source, None if axes is None else tuple(axes)).tables
    parts: dict[tuple[str, str, str], list[Floats]] = {}
    step = max(1, _CHUNK // source.rows)
    for start in range(0, systems, step):
        scores = simulate(source, systems=min(step, systems - start), seed=rng, axes=axes, **truth)
        for table in tables:
            contrasts, numbers = _test(table, table.gather(scores))
            for r, contrast in enumerate(contrasts):
                parts.setdefault((table.subset, contrast.term, contrast.level), []).append(numbers[:, :, r])
    return {key: Replicates(*np.concatenate(numbers, axis=1)) for key, numbers in parts.items()}


def _test(table: Table, values: Floats) -> tuple[Sequence[Contrast], Floats]:
    """Test the contrasts of a table as ``measure`` does; the numbers (5, S, R) are those of `Replicates`."""
    contrasts, sums = build_contrasts(table.axes), summarise(values, table.cell)
    test = choose_test(table, contrasts, sums, values, 1.0, NONE)
    tested = test.test()
    with np.errstate(divide="ignore", invalid="ignore"):
        signal = tested.names / tested.residual
    return test.contrasts, np.stack([tested.effect, tested.p, tested.p_names_only, tested.detectable(), signal])


def _power_row(key: tuple[str, str, str], effect: float, drawn: Replicates, alpha: float) -> dict[str, Any]:
    from statsmodels.stats.proportion import proportion_confint

    rejected = drawn.p < alpha
    low, high = proportion_confint(rejected.sum(), rejected.size, method="wilson")
    return {
        "term": key[1],
        "subset": key[0],
        "effect": effect,
        "power": float(rejected.mean()),
        "power_low": float(low),
        "power_high": float(high),
        "power_names_only": float((drawn.p_names_only < alpha).mean()),
        "mean_estimate": float(drawn.estimate.mean()),
        "mde": float(np.median(drawn.mde)),
        "systems": drawn.p.size,
    }
