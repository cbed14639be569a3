"""What is written for the repository of a model: entries for leaderboards, its card, a record to share."""

import json
from dataclasses import replace

import pytest
import yaml
from huggingface_hub import ModelCard
from verdict_cases import DATA, scores

from eec_bias import Result, measure
from eec_bias.reading import Term
from eec_datasets.audit.sharing import shared_files
from eec_datasets.errors import AuditError

ABOUT = {"model": "org/mine", "dataset": "org/eec", "timestamp": 0, "organization": "us"}
TASK = {"en-sample--emotion": 0.75}
CARD = """---
license: mit
model-index:
- name: mine
  results:
  - task:
      type: text-classification
    dataset:
      type: others/set
      name: A set
    metrics:
    - type: accuracy
      value: 0.9
---
# Mine

What it is.
"""


@pytest.fixture(scope="module")
def result() -> Result:
    return measure(scores(DATA, 3), DATA, data_name="en-sample@1.0.0#1a2b3c4d")


def test_a_leaderboard_gets_the_accuracy_under_the_id_of_a_task(result: Result) -> None:
    (entry,) = yaml.safe_load(shared_files(result, accuracy=TASK, **ABOUT)[".eval_results/eec.yaml"])
    assert (entry["dataset"], entry["value"]) == ({"id": "org/eec", "task_id": "en-sample--emotion"}, 0.75)


def test_without_an_accuracy_a_leaderboard_gets_nothing(result: Result) -> None:
    assert list(shared_files(result, accuracy={}, **ABOUT)) == ["README.md", "every_eval_ever.json"]


def test_the_record_holds_the_signed_effects(result: Result) -> None:
    record = json.loads(shared_files(result, accuracy={}, **ABOUT)["every_eval_ever.json"])
    told = [each["score_details"]["score"] for each in record["evaluation_results"]]
    assert told == [row["effect"] for row in result.overall]


def test_differences_in_one_emotion_are_not_given_back(result: Result) -> None:
    joy = Term.from_dict({**result.terms[0].to_dict(), "emotion": "joy"}, "terms[4]")
    more = replace(result, terms=(*result.terms, joy))
    told, expected = (shared_files(each, accuracy=TASK, **ABOUT) for each in (more, result))
    for files in (told, expected):
        files["README.md"] = ModelCard(files["README.md"]).data.to_dict()
    assert told == expected


def test_a_card_keeps_its_text_and_its_other_results(result: Result) -> None:
    card = ModelCard(shared_files(result, accuracy={}, card=CARD, **ABOUT)["README.md"])
    assert card.text.strip() == "# Mine\n\nWhat it is."
    assert card.data.license == "mit"
    assert [each.metric_type for each in card.data.eval_results] == ["accuracy", *["eec_bias"] * len(result.overall)]


def test_results_that_a_card_has_already_are_not_replaced_unasked(result: Result) -> None:
    card = shared_files(result, accuracy={}, card=CARD, **ABOUT)["README.md"]
    other = measure(scores(DATA, 4), DATA, data_name="en-sample@1.0.0#1a2b3c4d")
    with pytest.raises(AuditError, match=r"has 4 of these results already, such as 'race, Black against Anglo"):
        shared_files(other, accuracy={}, card=card, **ABOUT)
    replaced = ModelCard(shared_files(other, accuracy={}, card=card, overwrite=True, **ABOUT)["README.md"])
    values = [each.metric_value for each in replaced.data.eval_results]
    assert values == [0.9, *(row["effect"] for row in other.overall)]


def test_a_card_whose_metadata_cannot_be_read_is_refused(result: Result) -> None:
    with pytest.raises(AuditError, match=r"the metadata of the model card cannot be read"):
        shared_files(result, accuracy={}, card="---\nmodel-index: 3\n---\n", **ABOUT)
