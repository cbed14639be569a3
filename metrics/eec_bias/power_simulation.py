"""Scores drawn under a known truth, and the power they reveal: `simulate` and `power`."""

import reprlib
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from eec_bias.errors import OptionError, expect
from eec_bias.inputs.axes import axis_names, choose_axes
from eec_bias.inputs.containers import read_source
from eec_bias.inputs.design import build_design, find_facets
from eec_bias.inputs.observed import label_rows, read_item_labels
from eec_bias.options import DEFAULTS, Floats, is_name, is_number, whole_number
from eec_bias.plan import plan_list
from eec_bias.stats.analysis import analyse
from eec_bias.stats.contrasts import Contrast, build_contrasts
from eec_bias.stats.facets import ITEMS
from eec_bias.stats.layout import Table
from eec_bias.stats.simulation import Effect, NameSd, Rows, Truth, check_counts, draw, draw_linear
from eec_bias.stats.sums import summarise
from eec_bias.stats.units import UnitScores, means_by_run
from eec_bias.stats.variance_components import EMOTIONS, SOURCES

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
    template_sd: Mapping[str, float] | None = None,
    word_sd: Mapping[str, float] | None = None,
    run_sd: Mapping[str, float] | None = None,
    runs: int = 1,
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
    slope_sd, template_sd, word_sd : mapping of axis to float, optional
        Standard deviation of effects of level × item, level × template and level × word, logit scale: how much each
        group's reaction differs by item, by template and by word. Template and word are those that ``measure`` finds.
    run_sd : mapping of axis to float, optional
        Standard deviation of effects of level × run, logit scale.
    runs : int
        Runs (prompts, seeds) of each system.
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
    (systems, rows) array, or (systems, runs, rows) with more than one run
        Scores in [0, 1].

    Raises
    ------
    OptionError
        If an option is out of range or names an axis, level or cell the data do not have.
    """
    given = dict(locals())
    source = read_source(data)
    columns = choose_axes(source, axis_names(axes))
    item = source.coded("item")
    facets = find_facets(item.levels, read_item_labels(source, item))[0]
    facet_codes = {"template": item.codes, "word": item.codes} | {
        clusters.name.removesuffix("s"): clusters.code[item.codes] for clusters in facets.above
    }
    levels = {name: column.levels for name, column in columns.items()}
    codes = {name: column.codes for name, column in columns.items()}
    rows = Rows(levels, codes, source.coded("person").codes, item.codes, facet_codes)
    truth = Truth(**{field.name: given[field.name] for field in fields(Truth)})
    return draw(rows, truth, systems, _generator(seed))


def power(
    data: Any,
    term: str,
    effects: Sequence[float] = (0.0, 0.01, 0.02, 0.05),
    *,
    alpha: float = 0.05,
    systems: int = 1000,
    seed: int | np.random.Generator = 0,
    axes: Sequence[str] | None = None,
    components: Any = None,
    families: float | None = None,
    runs: int = 1,
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
    components : Result, or mapping of source to float, optional
        Standard deviations of names as ``result.variances`` has them (``persons``, ``groups × templates``, …,
        ``residual``), in the units of the scores: a result of one system that was measured, or stated ones. Scores
        are then drawn on their own scale, of names alone.
    families : float, optional
        How many times as large the variance over names is if names of a family count together, V_name/V_N, with
        components. By default that of the result they are from, else 1.
    runs : int
        Runs (prompts, seeds) of each system, whose mean is tested.
    **truth
        Passed to `simulate`, where there are no components: ``name_sd``, ``item_sd``, ``slope_sd``, ``template_sd``,
        ``word_sd``, ``run_sd``, ``phi``, ``residual_sd``, ``mean``.

    Returns
    -------
    pandas.DataFrame
        One row per subset and effect: ``term, subset, effect, power, power_low, power_high`` (Wilson's
        95 % interval for the simulation), ``power_adjusted`` (at the level of a main question of the plan, α over twice
        their number), ``power_names_only, mean_estimate``, ``mde`` and ``mde_alone`` (median smallest detectable
        effects as ``measure`` reports them), ``systems``.

    Raises
    ------
    OptionError
        If the term is not one of the data, or an option is out of range.
    """
    import pandas as pd

    expect(is_name(term), "term", term, "the name of a term, such as race or race:gender")
    several = not isinstance(effects, str) and np.ndim(effects) == 1 and len(effects) and all(map(is_number, effects))
    expect(several, "effects", effects, "several numbers, such as (0.0, 0.02)")
    expect(is_number(alpha) and 0 < alpha < 1, "alpha", alpha, "a level between 0 and 1, such as 0.05")
    rng = _generator(seed)
    rows = []
    if components is not None:
        components = _with_families(components, term, families, truth)
    for effect in effects:
        truth["effects"] = {term: effect}
        tests = replicate(data, systems=systems, seed=rng, axes=axes, components=components, runs=runs, **truth)
        hits = {key: values for key, values in tests.items() if key[1] == term}
        if not hits:
            terms = ", ".join(sorted({key[1] for key in tests}))
            raise OptionError(f"term {term!r} is not a term of the data; these are {terms}")
        rows += [_power_row(key, effect, values, alpha) for key, values in hits.items()]
    return pd.DataFrame(rows)


def _generator(seed: int | np.random.Generator) -> np.random.Generator:
    fits = isinstance(seed, np.random.Generator) or whole_number(seed) >= 0
    expect(fits, "seed", seed, "a whole number of 0 or more, or a numpy.random.Generator")
    return np.random.default_rng(seed)


def replicate(
    data: Any, *, systems: int, seed: int | np.random.Generator = 0, axes: Sequence[str] | None = None,
    components: Any = None, runs: int = 1, **truth: Any,
) -> "dict[tuple[str, str, str], pd.DataFrame]":  # fmt: skip
    """Run the default test on many drawn systems; parameters as for `power`.

    Returns
    -------
    dict of (subset, term, level) to pandas.DataFrame
        One row per system: ``estimate``, the estimated effect; ``p`` and ``p_names_only``, of the default test, and of
        its part over names (or bases) alone; ``mde`` and ``mde_alone``, the smallest detectable effects, as ``measure``
        reports them; ``tests``, by how many p is multiplied; ``signal``, V_N/V_E, the variance of name means over what
        the residual alone would give; ``df``, NaN where there is no test.
    """
    import pandas as pd

    source, rng = read_source(data), _generator(seed)
    check_counts(systems, runs)
    stated = None if components is None else _components(components, truth)
    options = replace(DEFAULTS, axes=axes)
    plan = plan_list(source, options)
    # With their families, as a measurement has them.
    design = build_design(label_rows(source, options))
    tables = [table for table in design.tables if stated is None or not table.paired]
    parts: dict[tuple[str, str, str], list[pd.DataFrame]] = {}
    step = max(1, _CHUNK // (source.rows * (runs if stated is None else 1)))
    for start in range(0, systems, step):
        count = min(step, systems - start)
        if stated is None:
            scores = simulate(source, systems=count, seed=rng, axes=axes, runs=runs, **truth)
        for table in tables:
            if stated is not None:
                values, of_runs = draw_linear(table, stated, truth.get("effects") or {}, count, runs, rng)
                units = UnitScores(values)
            elif scores.ndim == 3:
                by_run = table.gather(scores)
                of_runs = means_by_run(by_run)
                units = UnitScores(by_run.mean(axis=1), by_run)
            else:
                of_runs = None
                units = UnitScores(table.gather(scores))
            sums = summarise(units.values, table.cell, runs=of_runs, facets=table.facets)
            test = analyse(table, _contrasts(table), sums, units)
            estimates = test.estimates
            with np.errstate(divide="ignore", invalid="ignore"):
                signal = estimates.names / estimates.residual
            numbers = {
                "estimate": estimates.effect, "p": estimates.p, "p_names_only": estimates.p_names_only,
                "mde": estimates.detectable(plan.main_alpha), "mde_alone": estimates.detectable(),
                "tests": np.full(estimates.p.shape, plan.main_tests), "signal": signal, "df": estimates.df,
            }  # fmt: skip
            for r, contrast in enumerate(test.contrasts):
                columns = pd.DataFrame({name: array[:, r] for name, array in numbers.items()})
                parts.setdefault((table.subset, contrast.term, contrast.level), []).append(columns)
    return {key: pd.concat(frames, ignore_index=True) for key, frames in parts.items()}


def _contrasts(table: Table) -> list[Contrast]:
    """The contrast of two levels, as `simulate` takes effects, even where neither is a usual reference."""
    axes = [
        replace(axis, reference=axis.reference or axis.levels[0]) if len(axis.levels) == 2 else axis
        for axis in table.axes
    ]
    return build_contrasts(axes)


def _components(components: Any, truth: Mapping[str, Any]) -> dict[str, float]:
    """Standard deviations by source, from a result of one system or as they were stated.

    Raises
    ------
    OptionError
        If they do not say how names vary, or stand beside a stated truth.
    """
    beside = [name for name in truth if name != "effects"]
    if beside:
        raise OptionError(f"{beside[0]} and components both say how scores vary; give one of them")
    if hasattr(components, "variances"):
        rows = [row for row in components.variances if row["subset"] == "names"]
        components = {row["source"]: row["sd"] for row in rows}
        if len(components) < len(rows):
            raise OptionError(
                "components is a result of several systems, strata or outputs; give that of one, or the standard "
                "deviations as a mapping"
            )
    known = isinstance(components, Mapping)
    wrong = {x: sd for x, sd in components.items() if x not in SOURCES or not is_number(sd) or sd < 0} if known else {}
    if not known or wrong or not components.keys() >= {"persons", "residual"}:
        expected = (
            "a result with names, or a mapping of source to standard deviation of 0 or more: 'persons' and 'residual', "
            f"and beside them {', '.join(map(repr, SOURCES[1:-1]))}"
        )
        given = f"has {reprlib.repr(wrong)}" if wrong else f"is {reprlib.repr(components)}"
        raise OptionError(f"components {given}; expected {expected}")
    if not any(sd for source, sd in components.items() if source not in (ITEMS, EMOTIONS)):
        raise OptionError(
            "components has no spread within the groups, so any gap shows with any number of names and items; give the "
            "standard deviations of another system"
        )
    return dict(components)


def _with_families(components: Any, term: str, families: float | None, truth: Mapping[str, Any]) -> dict[str, float]:
    """Return standard deviations by source, with that of names as large as the variance with their families says."""
    stated = _components(components, {name: value for name, value in truth.items() if name != "effects"})
    if families is None:
        families = _ratio_of_families(components, term) if hasattr(components, "variances") else 1.0
    expect(
        is_number(families) and families >= 1, "families", families, "a ratio of variances of 1 or more, such as 1.5"
    )
    return stated | {"persons": stated["persons"] * float(np.sqrt(families))}


def _ratio_of_families(result: Any, term: str) -> float:
    """Return V_name/V_N of a term by name; 1 if names vary as much one by one."""
    for row in result.overall:
        if (row.term, row.subset) == (term, "names") and row.family_facet and row.se_names:
            return max(1.0, float(row.se_families / row.se_names) ** 2)
    return 1.0


def _power_row(key: tuple[str, str, str], effect: float, drawn: "pd.DataFrame", alpha: float) -> dict[str, Any]:
    from statsmodels.stats.proportion import proportion_confint

    rejected = drawn.p < alpha
    low, high = proportion_confint(rejected.sum(), rejected.size, method="wilson")
    shares = {"power": rejected.mean(), "power_low": low, "power_high": high}
    shares["power_adjusted"] = (drawn.p < alpha / drawn.tests).mean()
    shares["power_names_only"] = (drawn.p_names_only < alpha).mean()
    sizes = {"mde": np.median(drawn.mde), "mde_alone": np.median(drawn.mde_alone)}
    numbers = shares | {"mean_estimate": drawn.estimate.mean()} | sizes
    named = {"term": key[1], "subset": key[0], "effect": effect}
    return named | {name: float(number) for name, number in numbers.items()} | {"systems": rejected.size}
