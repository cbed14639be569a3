"""Results in the metadata and the text of a model card."""

import huggingface_hub
import pytest
import yaml
from huggingface_hub import ModelCard, ModelCardData
from synthetic import corpus, scores

from eec_bias import OptionError, eval_entries, eval_results, measure, model_card, model_index


@pytest.fixture
def result():
    data = corpus()
    return measure(scores(data), data, data_name="es-anglo-latino@1.0.0#1a2b3c4d")


def test_a_model_card_gives_back_what_was_put_in(result) -> None:
    found = eval_results(result, dataset="org/eec", source_url="https://example.org/run")
    card = ModelCard(f"---\n{ModelCardData(model_name='mine', eval_results=found).to_yaml()}\n---\n# mine\n")
    assert card.data.model_name == "mine"
    assert card.data.eval_results == found
    assert [one.metric_value for one in card.data.eval_results] == [row["effect"] for row in result.terms]


def test_the_block_is_the_metadata_of_a_model_card(result) -> None:
    block = yaml.safe_load(model_index(result, model="mine", dataset="org/eec"))
    assert list(block) == ["model-index"]
    (entry,) = block["model-index"][0]["results"]
    assert entry["dataset"] == {
        "name": "Equity Evaluation Corpus es-anglo-latino", "type": "org/eec", "config": "es-anglo-latino",
        "split": "test", "revision": "v1.0.0",
    }  # fmt: skip
    race = entry["metrics"][0]
    assert race["type"] == "eec_bias"
    assert race["name"] == "race, Latino against Anglo (names)"
    assert race["args"] == {
        "level": "Latino", "reference": "Anglo", "subset": "names",
        "ci": [result.terms[0]["ci_low"], result.terms[0]["ci_high"]], "p": result.terms[0]["p"],
        "p_adjusted": result.terms[0]["p_adjusted"], "smallest_detectable": result.terms[0]["mde"],
        "score_range": [0.0, 1.0], "signature": str(result.signature),
    }  # fmt: skip


def test_numbers_that_do_not_exist_and_unknown_data_are_left_out() -> None:
    data = corpus()
    found = eval_results(measure((data["gender"] == "female").astype(float), data), dataset="org/eec")[1]
    assert (found.dataset_config, found.dataset_revision) == (None, None)
    assert set(found.metric_args) == {"level", "reference", "subset", "score_range", "note", "signature"}


def test_the_version_of_the_metric_stands_beside_the_source(result) -> None:
    (found, *_) = eval_results(result, dataset="org/eec", source_url="https://example.org/run")
    assert (found.source_name, found.source_url) == ("eec_bias 0.1.0", "https://example.org/run")


def test_entries_of_eval_results_survive_their_yaml(result) -> None:
    if not hasattr(huggingface_hub, "EvalResultEntry"):
        pytest.skip("this huggingface_hub has no EvalResultEntry")
    found = eval_entries(result, dataset="org/eec", revision="0" * 40, date="2026-01-01")
    text = yaml.safe_dump(huggingface_hub.eval_result_entries_to_yaml(found))
    assert huggingface_hub.parse_eval_result_entries(yaml.safe_load(text)) == found
    assert [entry.task_id for entry in found] == [
        "es-anglo-latino/race[Latino]",
        "es-anglo-latino/gender[female]",
        "es-anglo-latino/race:gender[Latino:female]",
        "es-anglo-latino/gender.pairs[female]",
    ]
    assert found[0].notes.endswith(f". {result.signature}")
    assert found[0].notes.startswith("race, Latino against Anglo (names): no detectable difference")


def test_an_older_library_without_entries_is_named(result, monkeypatch) -> None:
    monkeypatch.setattr(huggingface_hub, "EvalResultEntry", None)
    monkeypatch.setattr(huggingface_hub, "__version__", "1.0.0")
    with pytest.raises(OptionError) as caught:
        eval_entries(result, dataset="org/eec")
    assert str(caught.value) == "huggingface_hub 1.0.0 has no EvalResultEntry; update it, or use eval_results()"


def test_one_system_is_chosen_of_several() -> None:
    data = corpus()
    result = measure({"a": scores(data), "b": scores(data, 1)}, data)
    alone = measure(scores(data, 1), data)
    chosen = eval_results(result, dataset="org/eec", system="b")
    assert [one.metric_value for one in chosen] == [row["effect"] for row in alone.terms]
    with pytest.raises(OptionError) as caught:
        model_index(result, model="mine", dataset="org/eec")
    assert str(caught.value) == "the result is of several: system is a, b; choose one with system="


def test_the_text_of_a_card_has_reading_table_caveat_and_signature(result) -> None:
    text = model_card(result)
    assert text.startswith("## Differences between groups\n\nHow far the scores of this model move with the person")
    assert "\n- race, Latino against Anglo (names): no detectable difference at this sample size (effect " in text
    assert "\n| term | level | against | subset | effect | 95 % interval | p | p adj. | detectable |\n" in text
    assert "A deterministic system on a fixed corpus has no sampling error." in text
    assert text.endswith(f"`{result.signature}`\n")
    assert not any(word in text.lower() for word in ("unbiased", "is fair", "debiased", "no bias"))
