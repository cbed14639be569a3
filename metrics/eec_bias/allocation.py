"""How many names and items for a budget of sentences: the precision of the default test, by formula.

With m names per cell and J items, each with a template and a word of its own, a contrast with weights w over the cells
has the variance V = Σw² (N/m + R/(mJ) + G/J), where N, G and R are the variances of names, of groups × items and of
the rest. For B sentences in C cells m = B/(CJ), and V is least near J = √(G/N · B/C) (Judd, Westfall & Kenny 2012 for
crossed names and items).
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from eec_bias.errors import OptionError

LEAST_NAMES, LEAST_ITEMS, USUAL_ITEMS = 5, 8, 12
"""Below five names per cell intervals are rough; below eight items little is said of sentences; twelve are usual."""


@dataclass(frozen=True, slots=True)
class Spread:
    """Standard deviations of a system's scores, in their units: of names, groups × items, and the rest."""

    names: float
    group_items: float
    residual: float


ENCODER = Spread(names=0.27 * 0.23, group_items=0.035 * 0.23, residual=0.11 * 0.23)
"""A sentence encoder with a trained head (MiniLM), the most variable of three systems that were measured: on the logit
scale .27, .035 and .11, times .23, the mean slope of the logistic curve where items differ by .59 about one half."""


@dataclass(frozen=True, slots=True)
class Allocation:
    """So many names per cell and so many items."""

    cells: int
    names: int
    items: int

    @property
    def sentences(self) -> int:
        """Sentences with names."""
        return self.cells * self.names * self.items


@dataclass(frozen=True, slots=True)
class Precision:
    """What an allocation can show of one term.

    Attributes
    ----------
    se, df : of its estimate.
    detectable : effect found with power .80 at α = .05, two-sided.
    """

    se: float
    df: float
    detectable: float

    def power(self, effect: float, alpha: float = 0.05) -> float:
        """Probability that a true effect of this size is found (noncentral t, two-sided)."""
        from scipy.stats import nct, t

        critical = float(t.isf(alpha / 2, self.df))
        # Beyond it the power is 1, and the noncentral t is not computed.
        shift = min(abs(effect) / self.se, 1000.0)
        return float(nct.sf(critical, self.df, shift) + nct.sf(critical, self.df, -shift))


def precision(plan: Allocation, spread: Spread, order: int) -> Precision:
    """What an allocation can show of a main effect (order 1) or of an interaction of two axes (order 2).

    Cells are those of two axes of two levels, so that Σw² is 1 for a main effect and 4 for an interaction.
    """
    from scipy.stats import t

    weight = 1.0 if order == 1 else 4.0
    names = weight * (spread.names**2 + spread.residual**2 / plan.items) / plan.names
    items = weight * (spread.group_items**2 + spread.residual**2 / plan.names) / plan.items
    both = weight * spread.residual**2 / (plan.names * plan.items)
    variance = max(names + items - both, names, items)
    per_names, per_items = plan.cells * (plan.names - 1), plan.items - 1
    parts = names**2 / per_names + items**2 / per_items
    df = variance**2 / parts if parts else float(per_names)
    se = math.sqrt(variance)
    return Precision(se, df, se * float(t.isf(0.025, df) + t.isf(0.2, df)))


def allocate(budget: int, spread: Spread, *, cells: int, names: int, items: int) -> Allocation:
    """Choose names and items for a budget.

    Parameters
    ----------
    budget : int
        Sentences with names.
    spread : Spread
        Of the system.
    cells, names, items : int
        How many cells there are, and at most so many names in each and so many items.

    Returns
    -------
    Allocation
        Within the budget; at least `USUAL_ITEMS` items where that leaves enough names, never fewer than `LEAST_ITEMS`.

    Raises
    ------
    OptionError
        The budget is too small for a test, or there are too few items.
    """
    least = cells * LEAST_NAMES * LEAST_ITEMS
    if budget < least:
        raise OptionError(
            f"a budget of {budget} is too small for a test: {cells} cells × {LEAST_NAMES} names × {LEAST_ITEMS} items "
            f"are {least} sentences. Give as many or more"
        )
    possible = [
        Allocation(cells, min(names, budget // (cells * count)), count)
        for count in range(LEAST_ITEMS, items + 1)
        if budget // (cells * count) >= LEAST_NAMES
    ]
    if not possible:
        raise OptionError(f"{items} items are too few for a test; at least {LEAST_ITEMS} are needed")
    usual = [plan for plan in possible if plan.items >= USUAL_ITEMS] or possible
    return min(usual, key=lambda plan: precision(plan, spread, 1).se)


NO_ERROR_OF_ITEMS = ("groups × runs", "groups × emotions")
"""Sources that other items do not average out, or that are no error."""


def spread_of(variances: Mapping[str, float]) -> Spread:
    """The spread of a measured system from the standard deviations that a result lists by source.

    What groups do on templates, words and items adds up, as every item has a template and a word of its own.

    Raises
    ------
    OptionError
        The result does not list them, or none that a test meets is above 0.
    """
    if "persons" not in variances or "residual" not in variances:
        listed_sources = ", ".join(variances) or "nothing"
        raise OptionError(
            f"the result lists the variances of {listed_sources}; expected at least persons and residual. Give a "
            "result on a corpus of names"
        )
    groups = [
        sd for source, sd in variances.items() if source.startswith("groups × ") and source not in NO_ERROR_OF_ITEMS
    ]
    spread = Spread(variances["persons"], math.sqrt(sum(sd**2 for sd in groups)), variances["residual"])
    if not (spread.names or spread.group_items or spread.residual):
        raise OptionError(
            "the scores of the result do not vary within the groups: whatever difference there is shows with any "
            "number of names and items. Give the result of another system"
        )
    return spread
