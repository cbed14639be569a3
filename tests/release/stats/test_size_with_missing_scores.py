"""The level of the default test where scores are missing, in simulations."""

import numpy as np
import pandas as pd
from synthetic import names

from eec_bias import measure


def test_thirty_percent_missing_keep_the_level() -> None:
    rng = np.random.default_rng(5)
    data = pd.DataFrame(names(persons=8, items=[f"t{t}/w{w}" for t in range(4) for w in range(6)]))
    person, item = (pd.factorize(data[column])[0] for column in ("person", "item"))
    drawn = 0.5 + rng.normal(0, 0.03, (150, 32))[:, person] + rng.normal(0, 0.05, (150, 24))[:, item]
    drawn += rng.normal(0, 0.05, drawn.shape)
    drawn[rng.random(drawn.shape) < 0.3] = np.nan
    found = measure(drawn, data, score_range=(-1, 2), systems=[f"s{n}" for n in range(150)])
    p = np.array([row["p"] for row in found.overall])
    # 450 tests: a true size of .05 gives a share above .075 in less than one of a hundred.
    assert (p < 0.05).mean() <= 0.075
