"""The same scores on the names that people or a list attest for their group."""

from pathlib import Path

import eec_bias
from eec_datasets.audit.running import Outcome, run
from eec_datasets.systems.base import Batch, System
from eec_datasets.systems.corpus import WHOLE, Part, open_corpus
from eec_datasets.systems.registry import open_system
from eec_datasets.systems.store import Store


def outcomes(config: str, folder: Path, part: Part = WHOLE) -> list[Outcome]:
    with Store() as store:
        return list(run(open_system("random:7"), open_corpus(config, part), folder, store).outcomes)


def test_attested_names_are_measured_by_themselves_and_their_number_is_said(tmp_path: Path) -> None:
    whole, part = outcomes("en-anglo-latino-100", tmp_path, Part(items=8))
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


def test_attested_names_are_measured_too_where_items_without_a_score_are_left_out(tmp_path: Path) -> None:
    corpus = open_corpus("en-anglo-latino-100", Part(names=20, items=8))
    refused = corpus.columns["item"][corpus.columns["person_type"].index("name")]

    def score(batch: Batch) -> list[float | None]:
        rows = zip(batch["text"], batch["id"], strict=True)
        return [None if row.startswith(f"{refused}/") else len(text) / 100 for text, row in rows]

    with Store() as store:
        done = run(System("refusing", score), corpus, tmp_path, store, leave_out=True)
    whole, part, silent = done.outcomes
    assert (whole.system, silent.system) == ("refusing", "refusing: no answer")
    assert " attested names)" in part.corpus.name
    assert set(part.corpus.columns["person"]).isdisjoint(corpus.modelled)
    assert refused not in {*whole.corpus.columns["item"], *part.corpus.columns["item"]}
    names = whole.corpus.table.to_pandas().query("person_type == 'name'")
    names = names[~names["person"].isin(corpus.modelled)]
    expected = eec_bias.measure(names["text"].str.len().to_numpy() / 100, names)
    assert [row["effect"] for row in part.result.terms] == [row["effect"] for row in expected.terms]
