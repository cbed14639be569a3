"""The same scores on the names that people or a list attest for their group."""

from __future__ import annotations

from pathlib import Path

import eec_bias
from eec_datasets.audit.running import Outcome, run
from eec_datasets.systems.corpus import open_corpus
from eec_datasets.systems.registry import open_system
from eec_datasets.systems.store import Store


def outcomes(config: str, folder: Path) -> list[Outcome]:
    with Store() as store:
        return list(run(open_system("random:7"), open_corpus(config), folder, store).outcomes)


def test_attested_names_are_measured_by_themselves_and_their_number_is_said(tmp_path: Path) -> None:
    whole, part = outcomes("en-anglo-latino-100", tmp_path)
    rows = whole.corpus.table.to_pandas().assign(score=whole.scores)
    rows = rows[(rows["person_type"] == "name") & ~rows["person"].isin(whole.corpus.modelled)]
    count = rows["person"].nunique()
    assert 250 < count < 300
    assert part.corpus.name == f"en-anglo-latino-100 ({count} attested names)"
    expected = eec_bias.measure(rows["score"].to_numpy(), rows.drop(columns="score"))
    assert [row["effect"] for row in part.result.terms] == [row["effect"] for row in expected.terms]
    assert part.path is None


def test_where_all_names_are_attested_nothing_is_measured_twice(tmp_path: Path) -> None:
    assert len(outcomes("en-black-white", tmp_path)) == 1
