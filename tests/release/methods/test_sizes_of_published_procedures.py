"""The sizes that the papers' procedures print, in simulations."""

import numpy as np
import pytest
from eec2018 import corpus

from eec_bias import simulate
from eec_bias.methods import camara2022, kiritchenko2018
from eec_bias.methods.camara2022 import SIZES as CAMARA
from eec_bias.methods.kiritchenko2018 import SIZES as KIRITCHENKO


@pytest.mark.parametrize("sd", [0.0, 0.02, 0.05, 0.11])
def test_the_sizes_printed_are_those_measured(sd: float) -> None:
    data = corpus(pairs=0)
    scores = simulate(data, name_sd=sd, item_sd=0.2, phi=1000, systems=400, seed=12, axes=["race", "gender"])
    size = np.mean([row["p"] < 0.05 for row in camara2022(scores, data, tasks="anger").overall])
    assert size == pytest.approx(CAMARA[sd], abs=0.04)
    rows = kiritchenko2018(scores, data).overall
    p = np.array([row["p"] for row in rows if (row["term"], row["subset"]) == ("race", "all")])
    assert (p < 0.05).mean() == pytest.approx(KIRITCHENKO[sd][0], abs=0.06)
    assert (p < 0.05 / 438).mean() == pytest.approx(KIRITCHENKO[sd][1], abs=0.06)
