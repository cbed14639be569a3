"""Measuring systems on a real corpus: biased, noisy and blind ones."""

import math
from pathlib import Path

import pytest
from noted import noted
from smaller import smaller

import eec_bias
from eec_datasets.audit import pages, saving
from eec_datasets.audit.report.document import from_content
from eec_datasets.audit.running import CorpusAudit, Outcome, measure, outcomes_of, run
from eec_datasets.errors import AuditError
from eec_datasets.systems.base import Batch, System
from eec_datasets.systems.corpus import WHOLE, Corpus, CorpusPart, open_corpus
from eec_datasets.systems.registry import open_system
from eec_datasets.systems.scoring import CorpusScores
from eec_datasets.systems.store import Store


@pytest.fixture(scope="module")
def spanish() -> Corpus:
    return smaller(open_corpus)("es-anglo-latino")


@pytest.fixture(scope="module")
def outcomes(spanish: Corpus, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Outcome]:
    out = tmp_path_factory.mktemp("audit")
    specs = ("biased:female", "biased:female+Latino", "noisy:female")
    with Store(out / "answers.db") as store:
        return {spec: run(open_system(spec), spanish, out, store).outcomes[0] for spec in specs}


def test_a_biased_system_gets_the_effects_it_was_given(outcomes: dict[str, Outcome]) -> None:
    terms = [("race", "names"), ("gender", "names"), ("race:gender", "names"), ("gender", "pairs")]
    for spec, effects in (("biased:female", [0, 1, 0, 1]), ("biased:female+Latino", [0.5, 0.5, 1, 0])):
        rows = [row for row in outcomes[spec].result.overall if "|" not in row["term"]]
        found = {(row["term"], row["subset"]): row["effect"] for row in rows}
        assert found == dict(zip(terms, effects, strict=True))


def test_women_and_men_within_each_group_are_asked_about_in_an_audit(outcomes: dict[str, Outcome]) -> None:
    asked = {question.term for question in outcomes["biased:female"].result.plan.main}
    assert {"gender|race=Anglo", "gender|race=Latino", "race|gender=female", "race|gender=male"} < asked


def test_an_audit_of_a_noisy_system_finds_its_difference(spanish: Corpus, outcomes: dict[str, Outcome]) -> None:
    found = outcomes["noisy:female"]
    race, gender, both, pairs = [row for row in found.result.overall if "|" not in row["term"]]
    assert all(0 < row["se"] < row["mde"] for row in (race, gender, both, pairs))
    assert gender["p"] < 0.01
    assert min(race["p"], both["p"]) > 0.05
    assert gender["ci_low"] < 0.05 < gender["ci_high"]
    assert found.path is not None
    assert found.path.parts[-3:] == ("scores", "noisy-female", "es-anglo-latino.csv")
    assert (found.fingerprint, found.score_range, len(found.scores)) == ("built in, 1", (0.0, 1.0), 480)
    assert f"|data:{spanish.label}|" in found.result.signature
    assert eec_bias.content_hash(spanish.table) == spanish.data.partition("#")[2]


def gapped(spanish: Corpus, tmp_path: Path, *, leave_out: bool) -> CorpusAudit:
    """Audit a system that says nothing of women in two items."""

    def score(batch: Batch) -> list[float | None]:
        return [None if "enojada" in text else len(text) / 100 for text in batch["text"]]

    system = System("gapped", score)
    with Store(tmp_path / "answers.db") as store:
        return run(system, spanish, tmp_path, store, leave_out=leave_out)


def test_missing_scores_are_measured_in_place_of_the_scores(spanish: Corpus, tmp_path: Path) -> None:
    told = gapped(spanish, tmp_path, leave_out=False)
    assert [outcome.system for outcome in told.outcomes] == ["gapped", "gapped: no answer"]
    assert told.left_out is None
    gaps = {(axis, level): count for axis, level, _, count in told.gaps}
    assert gaps["gender", "male"] == 0 < gaps["gender", "female"]
    gender = next(row for row in told.outcomes[1].result.overall if row["term"] == "gender")
    items = {
        item for item, text in zip(spanish.columns["item"], spanish.columns["text"], strict=True) if "enojada" in text
    }
    assert gender["effect"] == pytest.approx(len(items) / len(set(spanish.columns["item"])))
    whole = gapped(spanish, tmp_path, leave_out=True)
    pairs = {pair for item, pair in zip(spanish.columns["item"], spanish.columns["pair"], strict=True) if item in items}
    assert whole.left_out == (len(pairs), len(set(spanish.columns["pair"])))
    assert [outcome.system for outcome in whole.outcomes] == ["gapped", "gapped: no answer"]
    assert pairs.isdisjoint(whole.outcomes[0].corpus.columns["pair"])
    assert f"{len(pairs)} of {whole.left_out[1]} items or pairs hold" in str(whole.outcomes[0].result.notes[-1])
    lines = whole.files[tmp_path / "scores" / "gapped" / "es-anglo-latino.csv"].splitlines()[2:]
    assert sum(line.endswith(",") for line in lines) == sum(gaps["gender", level] for level in ("female", "male"))


def audited_scores(spanish: Corpus, scores: list[float]) -> CorpusAudit:
    scored = CorpusScores({"score": scores}, {"score": [float(math.isnan(score)) for score in scores]})
    return outcomes_of(System("gapped", lambda _: []), spanish, scored, None, leave_out=True)


def test_silence_on_one_name_is_a_reaction(spanish: Corpus) -> None:
    scores = [math.nan if person == "maria" else 0.5 for person in spanish.columns["person"]]
    audited = audited_scores(spanish, scores)
    document = from_content(saving.content(audited.outcomes), "result.json", "")
    text = pages.render(document, form="md")
    assert "the same score" in text
    assert text.count("items or pairs hold a sentence without a score") == 1


@pytest.mark.parametrize(("spared", "compared"), [("name", {"names", "pairs"}), ("", {"pairs"})])
def test_what_can_be_estimated_is_measured_where_no_item_is_whole(
    spared: str, compared: set[str], spanish: Corpus
) -> None:
    columns = [spanish.columns[key] for key in ("item", "person", "person_type")]
    items, persons = list(dict.fromkeys(columns[0])), list(dict.fromkeys(columns[1]))
    silent = {(items[3 * number % len(items)], person) for number, person in enumerate(persons)}
    silent |= {(item, persons[0]) for item in items}
    scores = [
        math.nan if (item, person) in silent and kind != spared else row % 7 / 10
        for row, (item, person, kind) in enumerate(zip(*columns, strict=True))
    ]
    audited = audited_scores(spanish, scores)
    found = [outcome for outcome in audited.outcomes if outcome.system == "gapped"]
    assert {row["subset"] for outcome in found for row in outcome.result.overall} == compared
    assert not audited.refusal


@pytest.mark.parametrize(("count", "sampled", "rough"), [(1, False, False), (3, True, True), (8, True, False)])
def test_prompts_are_runs_that_the_intervals_count(
    count: int, sampled: bool, rough: bool, spanish: Corpus, tmp_path: Path
) -> None:
    def prompt(number: int) -> System:
        def score(batch: Batch) -> list[float]:
            return [(len(text) + number * (len(text) % 7)) / 1000 for text in batch["text"]]

        return System("model", score, fingerprint=f"prompt {number}")

    runs = {f"prompt {number}": prompt(number) for number in range(count)}
    system = System("model", lambda _: [], runs=lambda _: runs)
    with Store(tmp_path / "answers.db") as store:
        audited = run(system, spanish, tmp_path, store)
    (found,) = audited.outcomes
    assert ("+runs|" in found.result.signature) == sampled
    assert {"fewer than 4 runs" in row["rough"] for row in found.result.overall} == {rough}
    assert any("prompt 0" in note for note in noted(found.result.notes))
    head = audited.files[tmp_path / "scores" / "model" / "es-anglo-latino.csv"].splitlines()[1]
    assert head == ",".join(["id", *runs])


def test_an_error_of_the_metric_names_system_and_corpus(spanish: Corpus) -> None:
    with pytest.raises(eec_bias.BiasError) as cause:
        eec_bias.measure([0.5], spanish.table)
    with pytest.raises(AuditError) as error:
        measure("short", spanish, [0.5], (0.0, 1.0))
    assert str(error.value) == f"short on es-anglo-latino: {cause.value}"


def found_of(config: str, folder: Path, part: CorpusPart = WHOLE) -> list[Outcome]:
    with Store() as store:
        return list(run(open_system("random:7"), open_corpus(config, part), folder, store).outcomes)


def test_attested_names_are_counted_and_measured_by_themselves(tmp_path: Path) -> None:
    whole, part = found_of("en-anglo-latino-100", tmp_path, CorpusPart(items=8))
    rows = whole.corpus.table.to_pandas().assign(score=whole.scores)
    rows = rows[(rows["person_type"] == "name") & ~rows["person"].isin(whole.corpus.modelled)]
    count = rows["person"].nunique()
    assert 250 < count < 300
    assert part.corpus.name == f"en-anglo-latino-100 ({count} attested names)"
    expected = eec_bias.measure(rows["score"].to_numpy(), rows.drop(columns="score"))
    assert [row["effect"] for row in part.result.overall] == [row["effect"] for row in expected.overall]
    assert part.path is None


def test_where_all_names_are_attested_nothing_is_measured_twice(tmp_path: Path) -> None:
    assert len(found_of("en-black-white", tmp_path)) == 1


def test_attested_names_are_measured_with_items_left_out_too(tmp_path: Path) -> None:
    corpus = open_corpus("en-anglo-latino-100", CorpusPart(names=20, items=8))
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
    assert [row["effect"] for row in part.result.overall] == [row["effect"] for row in expected.overall]
