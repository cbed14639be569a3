"""The default test beside mixed models of lmerTest, whose numbers `tests/oracles/lmer.R` wrote.

Effects agree to rounding wherever every word stands in every template. There the model's variances are those of the
test, pooled over groups and estimated by REML, so standard errors agree to .2 % where items are the only facet, and to
7 % where there are templates and words; degrees of freedom differ by a few, and p by .02 at most. Where words are not
crossed with templates (`facets_2x2`) the model weighs items by their variance: its effect is another weighted mean, by
less than a tenth of its standard error.
"""

import json
from typing import Any

import pandas as pd
import pytest
from places import ORACLES
from synthetic import main_rows

from eec_bias import measure

LMER: dict[str, Any] = json.loads((ORACLES / "lmer.json").read_text(encoding="utf-8"))

AGREEING = {
    "syn_crossed_balanced": {"effect": 1e-9, "se": 0.002, "p": 0.001},
    "syn_crossed_slope": {"effect": 1e-9, "se": 0.002, "p": 0.001},
    "facets_balanced": {"effect": 1e-9, "se": 0.07, "p": 0.02},
    "facets_2x2": {"effect": 0.1, "se": 0.005, "p": 0.05},
}
"""Largest distances of numbers: effects in standard errors, standard errors as a share, p as it is."""


def both(name: str) -> list[tuple[dict, dict]]:
    """Each term by the default test, and by the mixed model."""
    data = pd.read_csv(ORACLES / f"{name}.csv")
    scores = data["y" if "y" in data else "score"]
    reference = {"race": 0, "gender": 0} if "y" in data else {"race": "Anglo", "gender": "male"}
    result = measure(scores, data.drop(columns=scores.name), reference=reference)
    return [(row.to_dict(), LMER[name]["terms"][row.term]) for row in main_rows(result)]


@pytest.mark.parametrize("name", AGREEING)
def test_every_term_has_a_mixed_model_beside_it(name: str) -> None:
    assert len(both(name)) == 3


@pytest.mark.parametrize("name", AGREEING)
def test_effects_are_those_of_the_mixed_model(name: str) -> None:
    for row, model in both(name):
        assert row["effect"] == pytest.approx(model["effect"], rel=0, abs=AGREEING[name]["effect"] * model["se"])


@pytest.mark.parametrize("name", AGREEING)
def test_standard_errors_are_those_of_the_mixed_model(name: str) -> None:
    for row, model in both(name):
        assert row["se"] == pytest.approx(model["se"], rel=AGREEING[name]["se"])


@pytest.mark.parametrize("name", AGREEING)
def test_p_is_that_of_the_mixed_model(name: str) -> None:
    for row, model in both(name):
        assert row["p"] == pytest.approx(model["p"], rel=0, abs=AGREEING[name]["p"])
