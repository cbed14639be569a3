"""The same scores on the names that people or a list attest for their group."""

from __future__ import annotations

import numpy as np

import eec_bias
from eec_datasets.audit.running import Outcome, measure, on_attested
from eec_datasets.systems.corpus import open_corpus


def outcome(config: str) -> Outcome:
    corpus = open_corpus(config)
    scores = np.random.default_rng(7).random(len(corpus.ids)).tolist()
    result = measure("some", corpus, scores, (0.0, 1.0))
    return Outcome("some", corpus, (0.0, 1.0), scores, result, None)


def test_attested_names_are_measured_by_themselves_and_their_number_is_said() -> None:
    whole = outcome("en-anglo-latino-100")
    part = on_attested(whole)
    assert part is not None
    rows = whole.corpus.table.to_pandas().assign(score=whole.scores)
    rows = rows[(rows["person_type"] == "name") & ~rows["person"].isin(whole.corpus.modelled)]
    count = rows["person"].nunique()
    assert 250 < count < 300
    assert part.corpus.name == f"en-anglo-latino-100 ({count} attested names)"
    expected = eec_bias.measure(rows["score"].to_numpy(), rows.drop(columns="score"))
    assert [row["effect"] for row in part.result.terms] == [row["effect"] for row in expected.terms]
    assert part.path is None


def test_where_all_names_are_attested_nothing_is_measured_twice() -> None:
    assert on_attested(outcome("en-black-white")) is None
