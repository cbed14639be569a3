"""Results in the metadata and the text of a model card."""

import json
from importlib.util import find_spec
from pathlib import Path

import huggingface_hub
import pytest
import yaml
from huggingface_hub import ModelCard, ModelCardData
from verdict_cases import DATA, female, scores

from eec_bias import OptionError, Result, eval_entries, eval_results, every_eval_ever, measure, model_card, model_index
from eec_bias.methods import camara2022


@pytest.fixture(scope="module")
def result() -> Result:
    return measure(scores(DATA, 3), DATA, data_name="en-anglo-black@1.0.0#1a2b3c4d")


def test_a_model_card_gives_back_what_was_put_in_as_its_metadata(result) -> None:
    found = eval_results(result, dataset="org/eec", source_url="https://example.org/run")
    card = ModelCard(f"---\n{ModelCardData(model_name='mine', eval_results=found).to_yaml()}\n---\n# mine\n")
    assert (card.data.model_name, card.data.eval_results) == ("mine", found)
    assert [one.metric_value for one in card.data.eval_results] == [row["effect"] for row in result.overall]
    findings = {finding.question.id: finding for finding in result.findings}
    assert (found[0].source_name, found[0].source_url) == ("eec_bias 0.1.0", "https://example.org/run")
    block = yaml.safe_load(model_index(result, model="mine", dataset="org/eec"))
    assert list(block) == ["model-index"]
    (entry,) = block["model-index"][0]["results"]
    assert entry["dataset"] == {
        "name": "Equity Evaluation Corpus en-anglo-black", "type": "org/eec", "config": "en-anglo-black",
        "split": "test", "revision": "v1.0.0",
    }  # fmt: skip
    race, row, finding = entry["metrics"][0], result.overall[0], findings["race[Black-Anglo].names"]
    assert (race["type"], race["name"]) == ("eec_bias", "race, Black against Anglo (names)")
    assert race["args"] == {
        "level": "Black", "reference": "Anglo", "subset": "names", "ci": [finding.low, finding.high], "p": row["p"],
        "ci_confidence": 0.9875, "p_joint": finding.p, "comparisons": 4,
        "p_adjusted": result.overall[0].p_adjusted, "smallest_detectable": finding.found_from,
        "verdict": "not found; 4 points would have been (out of 100)",
        "score_range": [0.0, 1.0], "signature": str(result.signature),
    }  # fmt: skip


TASK = {"en-sample--emotion": 0.8125001234}


def test_entries_of_eval_results_survive_their_yaml(result) -> None:
    found = eval_entries(result, dataset="org/eec", accuracy=TASK, revision="0" * 40, date="2026-01-01")
    text = yaml.safe_dump(huggingface_hub.eval_result_entries_to_yaml(found))
    assert huggingface_hub.parse_eval_result_entries(yaml.safe_load(text)) == found


def test_the_value_of_an_entry_is_an_accuracy_and_never_an_effect(result) -> None:
    (entry,) = eval_entries(result, dataset="org/eec", accuracy=TASK)
    assert (entry.task_id, entry.value) == ("en-sample--emotion", 0.8125)
    assert entry.notes.startswith("Differences between groups, which do not rank models: ")
    assert str(result.signature) in entry.notes


def test_without_an_accuracy_there_is_no_entry(result) -> None:
    with pytest.raises(OptionError, match="an effect is no value for a leaderboard"):
        eval_entries(result, dataset="org/eec", accuracy={})


def test_an_accuracy_is_a_share(result) -> None:
    with pytest.raises(OptionError, match=r"the accuracy of 'a' is 81; expected a share from 0 to 1"):
        eval_entries(result, dataset="org/eec", accuracy={"a": 81})


def test_an_older_library_is_named(result, monkeypatch) -> None:
    monkeypatch.setattr(huggingface_hub, "EvalResultEntry", None)
    monkeypatch.setattr(huggingface_hub, "__version__", "1.0.0")
    with pytest.raises(OptionError, match=r"huggingface_hub 1\.0\.0 has no EvalResultEntry"):
        eval_entries(result, dataset="org/eec", accuracy=TASK)


ABOUT = {"model": "org/mine", "dataset": "org/eec", "timestamp": 1_790_000_000, "organization": "us"}


def test_a_shared_record_has_an_effect_per_row_with_its_interval(result) -> None:
    made = every_eval_ever(result, **ABOUT)
    assert made["evaluation_id"] == "eec/org/mine/1790000000"
    effects = [each["score_details"]["score"] for each in made["evaluation_results"]]
    assert effects == [row["effect"] for row in result.overall]
    race = made["evaluation_results"][0]
    (finding,) = [finding for finding in result.findings if finding.question.id == "race[Black-Anglo].names"]
    interval = race["score_details"]["uncertainty"]["confidence_interval"]
    assert interval == {"lower": finding.low, "upper": finding.high, "confidence_level": 0.9875}


def test_a_shared_record_says_that_an_effect_near_0_is_best(result) -> None:
    (race, *_) = every_eval_ever(result, **ABOUT)["evaluation_results"]
    config = race["metric_config"]
    assert (config["min_score"], config["max_score"], config["lower_is_better"]) == (-1.0, 1.0, False)
    assert config["additional_details"]["direction"].startswith("nearest to 0 is best")


def test_a_shared_record_fits_the_schema_of_its_package(result) -> None:
    found = find_spec("every_eval_ever")
    if found is None or found.origin is None:
        pytest.skip("needs the package every-eval-ever, which is for Python from 3.12 on")
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads((Path(found.origin).parent / "schemas" / "eval.schema.json").read_text(encoding="utf-8"))
    made = json.loads(json.dumps(every_eval_ever(result, **ABOUT)))
    assert list(jsonschema.Draft7Validator(schema).iter_errors(made)) == []


def test_a_card_is_of_the_system_asked_for() -> None:
    result = measure({"a": scores(DATA), "b": female(DATA)}, DATA)
    found = eval_results(result, dataset="org/eec", system="a")
    assert [each.metric_value for each in found] == [row["effect"] for row in measure(scores(DATA), DATA).overall]


def test_what_does_not_exist_is_left_out_of_the_results_of_a_card() -> None:
    result = measure({"a": scores(DATA), "b": female(DATA)}, DATA)
    same = eval_results(result, dataset="org/eec", system="b")[1]
    assert (same.dataset_config, same.dataset_revision) == (None, None)
    known = {"level", "reference", "subset", "comparisons", "verdict", "score_range", "note", "signature"}
    assert same.metric_args["verdict"].startswith("difference: female 100 higher")
    assert set(same.metric_args) == known


def test_a_card_says_the_finding_first_and_has_its_parts(result, snapshot) -> None:
    snapshot.check("result-model-card", model_card(result))


def test_a_card_has_at_most_40_lines_however_many_rows_and_systems() -> None:
    for count in (1, 2, 5, 30):
        systems = {f"s{i}": scores(DATA, i) for i in range(count)}
        card = model_card(measure(systems, DATA, simple=True, high_means="positive"))
        assert len(card.splitlines()) <= 40, count
        assert card.count("**") == 2 * min(count, 8)


def test_a_card_of_a_published_procedure_has_its_rows_and_no_finding() -> None:
    published = model_card(camara2022([scores(DATA), female(DATA)], DATA, systems=["a", "b"]))
    assert "points out of 100" not in published
    assert "not size-controlled" in published
