"""Measuring systems on a real corpus: biased, noisy and blind ones."""

import math
from pathlib import Path

import pytest
from noted import noted
from smaller import smaller

import eec_bias
from eec_bias import Measurement
from eec_datasets.audit import pages
from eec_datasets.audit.running import CorpusAudit, measure, measurements_of, run
from eec_datasets.errors import InputError
from eec_datasets.systems.base import Batch, System
from eec_datasets.systems.corpus import Corpus, open_corpus
from eec_datasets.systems.registry import open_system
from eec_datasets.systems.scoring import CorpusScores
from eec_datasets.systems.store import Store


@pytest.fixture(scope="module")
def spanish() -> Corpus:
    return smaller(open_corpus)("es-anglo-latino")


@pytest.fixture(scope="module")
def measured(spanish: Corpus, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Measurement]:
    out = tmp_path_factory.mktemp("audit")
    specs = ("biased:female", "biased:female+Latino", "noisy:female")
    with Store(out / "answers.db") as store:
        return {spec: run(open_system(spec), spanish, out, store).measurements[0] for spec in specs}


def test_a_biased_system_gets_the_effects_it_was_given(measured: dict[str, Measurement]) -> None:
    terms = [("race", "names"), ("gender", "names"), ("race:gender", "names"), ("gender", "pairs")]
    for spec, effects in (("biased:female", [0, 1, 0, 1]), ("biased:female+Latino", [0.5, 0.5, 1, 0])):
        rows = [row for row in measured[spec].result.overall if "|" not in row["term"]]
        found = {(row["term"], row["subset"]): row["effect"] for row in rows}
        assert found == dict(zip(terms, effects, strict=True))


def test_women_and_men_within_each_group_are_asked_about_in_an_audit(measured: dict[str, Measurement]) -> None:
    asked = {question.term for question in measured["biased:female"].result.plan.main}
    assert {"gender|race=Anglo", "gender|race=Latino", "race|gender=female", "race|gender=male"} < asked


def test_an_audit_of_a_noisy_system_finds_its_difference(spanish: Corpus, measured: dict[str, Measurement]) -> None:
    found = measured["noisy:female"]
    race, gender, both, pairs = [row for row in found.result.overall if "|" not in row["term"]]
    assert all(0 < row["se"] < row["mde"] for row in (race, gender, both, pairs))
    assert gender["p"] < 0.01
    assert min(race["p"], both["p"]) > 0.05
    assert gender["ci_low"] < 0.05 < gender["ci_high"]
    assert (found.list, found.language, found.system) == ("es-anglo-latino", "es", "noisy:female")
    assert (found.source.version, found.source.demonstration) == ("built in, 1", True)
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
    assert [(each.system, each.kind) for each in told.measurements] == [("gapped", "scores"), ("gapped", "no_answer")]
    assert told.left_out is None
    gaps = {(axis, level): count for axis, level, _, count in told.gaps}
    assert gaps["gender", "male"] == 0 < gaps["gender", "female"]
    gender = next(row for row in told.measurements[1].result.overall if row["term"] == "gender")
    items = {
        item for item, text in zip(spanish.columns["item"], spanish.columns["text"], strict=True) if "enojada" in text
    }
    assert gender["effect"] == pytest.approx(len(items) / len(set(spanish.columns["item"])))
    whole = gapped(spanish, tmp_path, leave_out=True)
    pairs = {pair for item, pair in zip(spanish.columns["item"], spanish.columns["pair"], strict=True) if item in items}
    assert whole.left_out == (len(pairs), len(set(spanish.columns["pair"])))
    assert [each.kind for each in whole.measurements] == ["scores", "no_answer"]
    assert f"{len(pairs)} of {whole.left_out[1]} items or pairs are left out" in str(
        whole.measurements[0].result.notes[-1]
    )
    lines = whole.files[tmp_path / "scores" / "gapped" / "es-anglo-latino.csv"].splitlines()[2:]
    assert sum(line.endswith(",") for line in lines) == sum(gaps["gender", level] for level in ("female", "male"))


def test_a_system_that_leaves_out_one_feeling_is_not_deaf() -> None:
    corpus = open_corpus("de-gender")
    silent = [word == "angry" for word in corpus.columns["word"]]
    scores = [math.nan if each else len(text) / 1000 for each, text in zip(silent, corpus.columns["text"], strict=True)]
    scored = CorpusScores({"score": scores}, {"score": [float(each) for each in silent]})
    _, unanswered = measurements_of(System("gapped", lambda _: []), corpus, scored, leave_out=False).measurements
    assert unanswered.kind == "no_answer"
    assert {each.answer for each in unanswered.result.gaps} == {"no_reaction"}


def audited_scores(spanish: Corpus, scores: list[float]) -> CorpusAudit:
    scored = CorpusScores({"score": scores}, {"score": [float(math.isnan(score)) for score in scores]})
    return measurements_of(System("gapped", lambda _: []), spanish, scored, leave_out=True)


def test_a_word_heard_in_his_form_alone_is_among_the_pairs(spanish: Corpus) -> None:
    scores = [0.5 - 0.3 * ("enojado" in text) for text in spanish.columns["text"]]
    listed = audited_scores(spanish, scores).measurements[0].source.pairs
    apart = {pair.emotion for pair in listed if pair.id == "gender[female-male].pairs" and len(set(pair.scores)) > 1}
    assert apart == {"anger"}


def test_silence_on_one_name_is_a_reaction(spanish: Corpus) -> None:
    scores = [math.nan if person == "maria" else 0.5 for person in spanish.columns["person"]]
    audited = audited_scores(spanish, scores)
    text = " ".join(pages.render(audited.measurements, form="md").split())
    assert "the same score" in text
    assert text.count("items or pairs are left out, because they contain a sentence without a score") == 1


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
    found = [each for each in audited.measurements if each.kind == "scores"]
    assert {row["subset"] for each in found for row in each.result.overall} == compared
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
    (found,) = audited.measurements
    assert ("+runs|" in found.result.signature) == sampled
    assert {"fewer than 4 runs" in row["rough"] for row in found.result.overall} == {rough}
    assert any("prompt 0" in note for note in noted(found.result.notes))
    head = audited.files[tmp_path / "scores" / "model" / "es-anglo-latino.csv"].splitlines()[1]
    assert head == ",".join(["id", *runs])


def test_an_error_of_the_metric_names_system_and_corpus(spanish: Corpus) -> None:
    with pytest.raises(eec_bias.BiasError) as cause:
        eec_bias.measure([0.5], spanish.table)
    with pytest.raises(InputError) as error:
        measure("short", spanish, [0.5], (0.0, 1.0))
    assert str(error.value) == f"short on es-anglo-latino: {cause.value}"
