"""Rows that say whether the cues of a group agree; every function returns one list of rows per system."""

import numpy as np

from eec_bias.assembly.rows import equivalence_rows, fill_rows, name_row, rough_rows, untested
from eec_bias.result.frame import TERM_KEYS, Row
from eec_bias.result.verdict import judge_no_spread
from eec_bias.stats.cues import Agreement
from eec_bias.stats.equivalence import equivalence
from eec_bias.stats.inference import Inference
from eec_bias.stats.omnibus import single_step


def cue_rows(found: Agreement, inference: Inference) -> dict[str, list[list[Row]]]:
    """Rows of terms, and beside them those without a standard error and those of equivalence."""
    names = [name_row(contrast, found.subset) for contrast in found.contrasts]
    margin = inference.margin
    return {
        "terms": _terms(found, names, inference),
        "no_spread": _no_spread(found, names),
        "equivalence": equivalence_rows(
            names, found.tested, None if margin is None else equivalence(found.tested, margin)
        ),
    }


def _terms(found: Agreement, names: list[Row], inference: Inference) -> list[list[Row]]:
    tested = found.tested
    low, high = tested.interval()
    arrays = {
        "effect": tested.effect, "se": tested.se, "df": tested.df, "t": tested.t, "p": tested.p,
        "ci_low": low, "ci_high": high, "p_names_only": tested.p_names_only, "mde": tested.detectable(),
    }  # fmt: skip
    if inference.maxt:
        # Differences of cues share persons; taken as unrelated, which errs on the safe side.
        size = len(found.contrasts)
        arrays["p_adjusted"] = single_step(tested.p, np.broadcast_to(np.eye(size), (len(tested.p), size, size)))
    blank = dict.fromkeys(key for key in TERM_KEYS if key != "p_adjusted")
    fixed = [
        blank | name | {"n_persons": persons, "n_items": found.items, "n_sentences": sentences}
        for name, (persons, sentences) in zip(names, found.sizes, strict=True)
    ]
    rows = fill_rows(fixed, arrays, len(tested.effect))
    rough = rough_rows(tested, found.least_persons, found.items, found.runs)
    for s, own in enumerate(rows):
        for r, row in enumerate(own):
            row["rough"], row["note"] = rough.get((s, r), ""), "; ".join(untested(tested, s, r))
    return rows


def _no_spread(found: Agreement, names: list[Row]) -> list[list[Row]]:
    """Differences of effects without a standard error; persons and texts explain none of them."""
    tested = found.tested
    rows: list[list[Row]] = [[] for _ in tested.se]
    for s, r in np.argwhere(tested.se == 0).tolist():
        kind = judge_no_spread(
            float(tested.effect[s, r]), 0.0, interaction=True, unmoved=False, still=False, reworded=False,
            uniform=bool(tested.uniform[s, r]),
        )  # fmt: skip
        named = {key: names[r][key] for key in ("term", "level", "reference", "subset")}
        rows[s].append({**named, "verdict": kind, "items": []})
    return rows
