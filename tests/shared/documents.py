"""Rows and results made by hand, for what is rare."""

from typing import Any

from eec_bias import ResultError
from eec_bias.data_name import DataName
from eec_bias.result.facts import Facts
from eec_bias.result.frame import compares
from eec_bias.result.plan import Plan
from eec_bias.result.record import FORMAT
from eec_bias.result.term import LEADING, TERM_KEYS, Term

Row = dict[str, Any]


def term(**changes: Any) -> Row:
    """A row of terms: women against men, nothing detected."""
    base = dict.fromkeys(TERM_KEYS) | {
        "term": "gender", "axes": "gender", "level": "female", "reference": "male", "subset": "names",
        "effect": 0.012, "se": 0.01, "df": 30.0, "t": 1.2, "p": 0.2, "p_adjusted": 0.4, "ci_low": -0.008,
        "ci_high": 0.032, "beta": 0.05, "beta_se": 0.04, "beta_p": 0.2, "beta_se_person": 0.04, "logit": 0.05,
        "p_names_only": 0.2, "mde": 0.02, "hedges_g": 0.1, "superiority": 0.5,
        "n_persons": 40, "n_items": 144, "n_sentences": 5760, "rough": "", "note": "",
    }  # fmt: skip
    assert set(changes) <= {*base, *LEADING, "emotion"}
    if isinstance(changes.get("effect"), int | float):
        # The interval goes along with its effect, as no result has one without the other.
        base |= {"ci_low": round(changes["effect"] - 0.02, 9), "ci_high": round(changes["effect"] + 0.02, 9)}
    lead = {key: changes.pop(key) for key in LEADING if key in changes}
    return lead | base | changes


def cell(persons: int, **levels: str) -> Row:
    """A row of mean scores."""
    return levels | {
        "subset": "names", "n_persons": persons, "n_sentences": 10, "mean": 0.5, "sd_persons": 0.1
    }  # fmt: skip


def declared(changes: Row) -> tuple[float, float]:
    """The declared range of one system; a range that is none is refused where the document is read."""
    ends = changes.get("score_range", (0.0, 1.0))
    return (0.0, 1.0) if "compare" in changes or len(ends) != 2 else tuple(ends)


def data_name(text: str) -> DataName:
    """The name of data from ``mine@1.0.0#00ff00ff``, or ``?``."""
    named, _, digest = text.strip("?").partition("#")
    name, _, version = named.partition("@")
    return DataName(name, version, digest)


def result(*terms: Row, **changes: Any) -> Row:
    """A saved result of these terms; ``compare`` names two systems whose differences they are."""
    import eec_bias

    version, adjust = changes.pop("version", eec_bias.__version__), changes.pop("adjust", "")
    facts = Facts(
        data=data_name(changes.pop("data", "mine@1.0.0#00ff00ff")),
        axes=("race", "gender"),
        adjust=adjust,
        compared=tuple(changes["compare"].split("-")) if "compare" in changes else None,
        score_range=declared(changes),
        confidence=changes.pop("confidence", 0.95),
        version=version,
    )
    base = {
        "format": FORMAT, "terms": list(terms) or [term()], "cells": [], "fits": [],
        "equivalence": [], "variances": [], "notes": [], "axes": ["race", "gender"],
        "score_range": [0.0, 1.0], "beta_estimand": "", "version": version,
        "facts": facts.to_dict(), "signature": str(facts),
    }  # fmt: skip
    changes.pop("compare", None)
    return planned(base | changes)


def planned(saved: Row) -> Row:
    """A saved result with the plan that asks what its rows answer, named by its signature; none of a procedure."""
    if saved.get("method", "default") not in ("default", "perturbation"):
        return saved
    margins = [row["margin"] for row in saved["equivalence"]]
    confidence = saved["facts"]["confidence"]
    try:
        rows = [Term.from_dict(row, "terms") for row in saved["terms"]]
    except ResultError:
        # A row that no result has is refused before the plan is read.
        return saved
    asked = (row for row in rows if row.level != "any" and not row.is_of_emotion and compares(row))
    second = (row.comparison for row in rows if row.emotion == "any")
    plan = Plan(
        tuple(dict.fromkeys(row.comparison for row in asked)),
        tuple(dict.fromkeys(second)),
        float(confidence),
        max(margins, default=None),
    )
    return {**saved, "plan": plan.to_dict(), "facts": {**saved["facts"], "plan": plan.short}}
