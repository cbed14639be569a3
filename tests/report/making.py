"""Rows and results made by hand, for what is rare."""

from __future__ import annotations

from typing import Any

Row = dict[str, Any]


def term(**changes: Any) -> Row:
    """A row of terms: women against men, nothing detected."""
    base = {
        "term": "gender", "axes": "gender", "level": "female", "reference": "male", "subset": "names",
        "effect": 0.012, "se": 0.01, "df": 30.0, "t": 1.2, "p": 0.2, "p_adjusted": 0.4, "ci_low": -0.008,
        "ci_high": 0.032, "beta": 0.05, "beta_se": 0.04, "beta_p": 0.2, "beta_se_person": 0.04, "logit": 0.05,
        "p_names_only": 0.2, "p_permutation": None, "mde": 0.02, "hedges_g": 0.1, "superiority": 0.5,
        "n_persons": 40, "n_items": 144, "n_sentences": 5760, "note": "",
    }  # fmt: skip
    assert set(changes) <= set(base) | {"system", "task", "stratum", "output"}
    lead = {key: changes.pop(key) for key in ("system", "task", "stratum", "output") if key in changes}
    return lead | base | changes


def result(*terms: Row, **changes: Any) -> Row:
    """A saved result of these terms."""
    import eec_bias

    base = {
        "terms": list(terms) or [term()], "cells": [], "fits": [], "wording": [], "equivalence": [], "bootstrap": [],
        "variances": [], "notes": [], "axes": ["race", "gender"], "score_range": [0.0, 1.0],
        "version": eec_bias.__version__,
        "signature": f"eec_bias|v:{eec_bias.__version__}|data:mine@1.0.0#00ff00ff|axes:race+gender|adj:holm|edge:none",
    }  # fmt: skip
    return {key: value for key, value in (base | changes).items() if value is not ...}
