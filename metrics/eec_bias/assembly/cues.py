"""Rows that say whether the cues of a group agree; every function returns one list of rows per system."""

import numpy as np

from eec_bias.assembly.rows import equivalence_rows, no_spread_row, tested_rows, untested
from eec_bias.result.frame import Row
from eec_bias.result.verdict import judge_no_spread
from eec_bias.stats.analysis import Tested
from eec_bias.stats.inference import Inference
from eec_bias.stats.omnibus import single_step


def cue_rows(agreement: Tested, inference: Inference) -> dict[str, list[list[Row]]]:
    """Rows of terms, and beside them those without a standard error and those of equivalence."""
    estimates, more = agreement.estimates, {}
    if inference.maxt:
        # Differences of cues share persons; taken as unrelated, which errs on the safe side.
        more["p_adjusted"] = single_step(estimates.p)
    notes = {(s, r): "; ".join(untested(estimates, s, r)) for s, r in np.ndindex(estimates.p.shape)}
    return {
        "terms": tested_rows(agreement, more, notes),
        "no_spread": _no_spread(agreement),
        "equivalence": equivalence_rows(agreement, inference.margin),
    }


def _no_spread(agreement: Tested) -> list[list[Row]]:
    """Differences of effects without a standard error; persons and texts explain none of them."""
    estimates = agreement.estimates
    rows: list[list[Row]] = [[] for _ in estimates.se]
    for s, r in np.argwhere(estimates.se == 0).tolist():
        kind = judge_no_spread(
            float(estimates.effect[s, r]), 0.0, interaction=True, equal_scores=False, persons_alike=False,
            reworded=False, uniform=bool(estimates.uniform[s, r]),
        )  # fmt: skip
        rows[s].append(no_spread_row(agreement.contrasts[r], agreement.subset, str(kind), []))
    return rows
