"""Results in the metadata and the text of a model card."""

import huggingface_hub
import pytest
import yaml
from huggingface_hub import ModelCard, ModelCardData
from verdict_cases import DATA, female, scores

from eec_bias import OptionError, Result, eval_entries, eval_results, measure, model_card, model_index
from eec_bias.methods import camara2022


@pytest.fixture(scope="module")
def result() -> Result:
    return measure(scores(DATA, 3), DATA, data_name="en-anglo-black@1.0.0#1a2b3c4d")


def test_a_model_card_gives_back_what_was_put_in_as_its_metadata(result) -> None:
    found = eval_results(result, dataset="org/eec", source_url="https://example.org/run")
    card = ModelCard(f"---\n{ModelCardData(model_name='mine', eval_results=found).to_yaml()}\n---\n# mine\n")
    assert (card.data.model_name, card.data.eval_results) == ("mine", found)
    assert [one.metric_value for one in card.data.eval_results] == [row["effect"] for row in result.terms]
    assert (found[0].source_name, found[0].source_url) == ("eec_bias 0.1.0", "https://example.org/run")
    block = yaml.safe_load(model_index(result, model="mine", dataset="org/eec"))
    assert list(block) == ["model-index"]
    (entry,) = block["model-index"][0]["results"]
    assert entry["dataset"] == {
        "name": "Equity Evaluation Corpus en-anglo-black", "type": "org/eec", "config": "en-anglo-black",
        "split": "test", "revision": "v1.0.0",
    }  # fmt: skip
    race, row = entry["metrics"][0], result.terms[0]
    assert (race["type"], race["name"]) == ("eec_bias", "race, Black against Anglo (names)")
    assert race["args"] == {
        "level": "Black", "reference": "Anglo", "subset": "names", "ci": [row["ci_low"], row["ci_high"]], "p": row["p"],
        "p_adjusted": row["p_adjusted"], "smallest_detectable": row["mde"], "verdict": "no detectable difference",
        "score_range": [0.0, 1.0], "signature": str(result.signature),
    }  # fmt: skip


def test_entries_of_eval_results_survive_their_yaml_and_an_older_library_is_named(result, monkeypatch) -> None:
    if not hasattr(huggingface_hub, "EvalResultEntry"):
        pytest.skip("this huggingface_hub has no EvalResultEntry")
    found = eval_entries(result, dataset="org/eec", revision="0" * 40, date="2026-01-01")
    text = yaml.safe_dump(huggingface_hub.eval_result_entries_to_yaml(found))
    assert huggingface_hub.parse_eval_result_entries(yaml.safe_load(text)) == found
    rows = ("race[Black]", "gender[female]", "race:gender[Black:female]", "gender.pairs[female]")
    assert [entry.task_id for entry in found] == [f"en-anglo-black/{row}" for row in rows]
    monkeypatch.setattr(huggingface_hub, "EvalResultEntry", None)
    monkeypatch.setattr(huggingface_hub, "__version__", "1.0.0")
    with pytest.raises(OptionError, match="has no EvalResultEntry"):
        eval_entries(result, dataset="org/eec")


def test_one_system_is_chosen_of_several_and_what_does_not_exist_is_left_out() -> None:
    result = measure({"a": scores(DATA), "b": female(DATA)}, DATA)
    found = eval_results(result, dataset="org/eec", system="a")
    assert [each.metric_value for each in found] == [row["effect"] for row in measure(scores(DATA), DATA).terms]
    same = eval_results(result, dataset="org/eec", system="b")[1]
    assert (same.dataset_config, same.dataset_revision) == (None, None)
    known = {"level", "reference", "subset", "verdict", "score_range", "note", "signature"}
    assert set(same.metric_args) == known


def test_a_card_has_its_parts_and_a_size_and_several_models_where_there_are(result, snapshot) -> None:
    snapshot.check("result-model-card", model_card(result))
    assert "up to about the size given as detectable" in model_card(result)
    published = model_card(camara2022([scores(DATA), female(DATA)], DATA, systems=["a", "b"]))
    assert ("up to about the size" in published, "of these models move" in published) == (False, True)
