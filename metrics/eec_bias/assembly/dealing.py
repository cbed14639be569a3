"""The negative control of a measurement: its labels dealt at random, table by table, for each system."""

from collections.abc import Collection, Sequence

import numpy as np

from eec_bias.options import Bools, MeasureOptions
from eec_bias.result.comparison import EMOTION, Comparison, question_term
from eec_bias.result.control import MOST_SYSTEMS, Control
from eec_bias.result.frame import Row
from eec_bias.result.plan import Plan
from eec_bias.stats.deals import Asked, deal, join_deals
from eec_bias.stats.tested import Analysis

NOT_EXCEEDED = 0.95
"""The share of deals whose largest gap is not above the one that is told."""

Place = tuple[Row, str | None, Analysis]
"""The keys that name stratum and output, the class of its items if words agree, and the analysis of a table there."""

Key = tuple[str | None, str | None]
"""System and task."""


def deal_all(
    places: Sequence[Place], systems: Sequence[Row], plan: Plan, options: MeasureOptions, found: Collection[Key]
) -> tuple[Control, ...]:
    """Deal the labels of every table, for each system.

    Parameters
    ----------
    places : sequence of Place
        All analyses.
    systems : sequence of dict
        The keys that name each system.
    plan : Plan
        The questions.
    options : MeasureOptions
        How often labels are dealt, and the seed.
    found : collection of Key
        Systems with a gap found; of more than `MOST_SYSTEMS` only these are dealt.
    """
    if not options.control:
        return ()
    keys = [(system.get("system"), system.get("task")) for system in systems]
    chosen = list(range(len(keys)))
    if len(keys) > MOST_SYSTEMS:
        chosen = [s for s, key in enumerate(keys) if key in found]
    controls = (_deal_system(places, s, keys[s], plan, options) for s in chosen)
    return tuple(control for control in controls if control is not None)


def _deal_system(places: Sequence[Place], system: int, key: Key, plan: Plan, options: MeasureOptions) -> Control | None:
    alpha = round(1 - plan.confidence, 12)
    tables: dict[tuple[str | None, str], int] = {}
    for place, _, analysis in places:
        # All outputs and items of a table are dealt alike.
        tables.setdefault((place.get("stratum"), analysis.subset), len(tables))
    # Coins are taken in every way if nothing else is dealt with them.
    whole = len(tables) == 1 and not any(analysis.worded.any() for _, _, analysis in places)
    found = []
    for place, agreement, analysis in places:
        number = tables[place.get("stratum"), analysis.subset]
        asked = questions_of({**place, "agreement": agreement}, analysis, plan, alpha)
        dealt = deal(analysis, system, asked, options.control, (options.seed, number), whole=whole)
        if dealt is not None:
            found.append(dealt)
    deals = join_deals(found)
    if deals is None:
        return None
    clear = np.sort(deals.smallest[deals.smallest < alpha])
    gap = float(np.quantile(deals.largest, NOT_EXCEEDED, method="higher"))
    number = len(deals.smallest)
    return Control(*key, number, deals.complete, deals.kind, len(clear), gap, tuple(clear.tolist()))


def questions_of(place: Row, analysis: Analysis, plan: Plan, alpha: float) -> Asked:
    """Return which rows of an analysis are questions of the plan."""
    where = {"stratum": place.get("stratum"), "output": place.get("output")}
    of_class = {**where, "agreement": place["agreement"]}
    main, second = set(plan.main), {(each.term, each.subset, each.stratum, each.output) for each in plan.second}

    def chosen(is_asked: Sequence[bool]) -> Bools:
        return np.array(is_asked, dtype=bool)

    contrasts, subset = analysis.contrasts, analysis.subset
    asked = [Comparison(c.term, "+".join(c.axes), c.level, c.reference, subset, **of_class) in main for c in contrasts]
    whole = place["agreement"] is None
    of_emotions = [whole and (question_term(c.term, EMOTION), subset, *where.values()) in second for c in contrasts]
    return Asked(chosen(asked), chosen(of_emotions), plan.main_tests, plan.second_tests, alpha)
