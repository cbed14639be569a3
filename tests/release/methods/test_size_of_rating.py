"""The size of the rating that its label tells, in simulations."""

import numpy as np
import pandas as pd
import pytest

import eec_datasets
from eec_bias.methods import rating
from eec_bias.methods.rating import SIZES


@pytest.mark.parametrize("sd", [min(SIZES), max(SIZES)])
def test_the_size_of_the_procedure_is_what_its_label_says(sd: float) -> None:
    rows = eec_datasets.confounded("en-black-white", group=3).to_pandas()
    rng, systems = np.random.default_rng(11), 250
    logit = np.zeros((systems, len(rows)))
    for column, spread in (("person", sd), ("item", 0.2)):
        codes = pd.factorize(rows[column])[0]
        logit += rng.normal(0, spread, (systems, codes.max() + 1))[:, codes]
    mean = 1 / (1 + np.exp(-logit))
    study = rating(rng.beta(1000 * mean, 1000 * (1 - mean)), rows).study
    tests, rated = ([row for row in kind if row["group"] == "3_R"] for kind in (study.tests, study.ratings))
    pairs, worst = SIZES[sd]
    assert np.mean([row["mark"] == 1 for row in tests]) == pytest.approx(pairs, abs=0.02)
    assert np.mean([row["absolute"] == 3 for row in rated]) == pytest.approx(worst, abs=0.07)
    # The default test beside it, with two names per race: never above its level.
    assert np.mean([row["p_names_items"] < 0.05 for row in tests]) < 0.05
