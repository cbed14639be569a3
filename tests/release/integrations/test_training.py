"""The metric in a training loop: a tiny BERT with random weights, trained for two epochs on the spot."""

import json
import math
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import datasets
import numpy as np
import pytest
from snapshots import Snapshot
from synthetic import names
from tiny import Tiny, sentences

import eec_datasets
from eec_bias import BiasError, LabelsError, OptionError, ScoresError, bound, measure, trainer_metrics
from eec_bias.integrations.trainer import only_sentences, scores_of

SCALARS = {
    f"{term}_{number}"
    for term in ("race", "gender", "race:gender", "gender_pairs")
    for number in ("effect", "p", "p_adjusted")
}


DATA, OTHER = sentences(), sentences(races=("Anglo", "Black"))
Call = Callable[[], Any]


def prediction(predictions: Any, labels: Any = DATA["labels"], inputs: Any = None) -> SimpleNamespace:
    """What a trainer hands over."""
    label_ids = None if labels is None else np.array(labels)
    return SimpleNamespace(predictions=predictions, label_ids=label_ids, inputs=inputs)


def logits_of(classes: int = 2, rows: int = len(DATA)) -> np.ndarray:
    return np.random.default_rng(0).normal(size=(rows, classes))


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Tiny:
    return Tiny(tmp_path_factory.mktemp("tiny"), DATA, OTHER)


def logged(trainer, scalar: str) -> list[float]:
    """The values of one scalar, epoch by epoch."""
    return [entry[scalar] for entry in trainer.state.log_history if scalar in entry]


def test_a_training_run_logs_the_flat_scalars_each_epoch(tiny) -> None:
    tokenised = tiny.tokenised(DATA)
    trainer = tiny.train(tokenised, trainer_metrics(tokenised, score=1))
    evaluations = [entry for entry in trainer.state.log_history if "eval_race_effect" in entry]
    assert [entry["epoch"] for entry in evaluations] == [1, 2]
    for entry in evaluations:
        assert {f"eval_{name}" for name in SCALARS} <= set(entry)
        assert all(type(entry[f"eval_{name}"]) is float for name in SCALARS)
    # The last epoch's numbers are those of the model as it is now.
    scores = scores_of(trainer.predict(tokenised).predictions, 1)
    assert evaluations[-1]["eval_gender_effect"] == measure(scores, DATA).to_dict()["gender_effect"]
    assert json.loads(json.dumps(trainer.state.log_history)) == trainer.state.log_history


def test_several_corpora_and_other_data_are_told_apart_by_their_inputs(tiny) -> None:
    parts = {"one": DATA, "two": OTHER, "dev": DATA.select(range(20))}
    evaluated = {name: tiny.tokenised(part) for name, part in parts.items()}
    corpora = {name: evaluated[name] for name in ("one", "two")}
    metrics = trainer_metrics(corpora, score=1, prefix="eec/", others=lambda found: {"rows": len(found.predictions)})
    trainer = tiny.train(evaluated, metrics, include_for_metrics=["inputs"])
    for name in corpora:
        scores = scores_of(trainer.predict(evaluated[name]).predictions, 1)
        expected = measure(scores, parts[name]).to_dict()["race_effect"]
        assert logged(trainer, f"eval_{name}_eec/race_effect")[-1] == expected
    assert logged(trainer, "eval_dev_rows") == [20, 20]


def test_a_regression_run_needs_no_range(tiny) -> None:
    tokenised = tiny.tokenised(DATA.cast_column("labels", datasets.Value("float32")))
    trainer = tiny.train(tokenised, trainer_metrics(tokenised), outputs=1)
    assert len(logged(trainer, "eval_race_effect")) == 2


def outside_of_range(count: int) -> SimpleNamespace:
    """Scores of a regression model, some of which lie above 1."""
    scores = np.random.default_rng(0).random((len(DATA), 1))
    scores[:count] += 1
    return prediction(scores)


def test_a_corpus_that_a_trainer_would_not_measure_is_told() -> None:
    with pytest.warns(UserWarning, match="no column labels or label, .* may log nothing, .* EECCallback, which needs"):
        trainer_metrics(DATA.remove_columns("labels"), score=1)


def test_noise_of_single_precision_in_the_outputs_is_no_reaction() -> None:
    items = {item: number for number, item in enumerate(dict.fromkeys(DATA["item"]))}
    logits = np.array([[0.0, items[item] / 7] for item in DATA["item"]], dtype=np.float32)
    noise = np.random.default_rng(0).choice([-1e-7, 0, 1e-7], size=len(DATA)).astype(np.float32)
    logits[:, 0] += noise
    found = trainer_metrics(DATA, score=1)(prediction(logits))
    assert math.isnan(found["gender_p"])
    assert found["gender_effect"] != 0


def test_a_few_scores_outside_the_range_are_moved_to_its_end_and_counted() -> None:
    found = trainer_metrics(DATA, score_range=(0, 1), outside="clip")(outside_of_range(1))
    assert found["scores_clipped"] == 1
    assert found["race_effect"] == measure(np.clip(outside_of_range(1).predictions[:, 0], 0, 1), DATA)["race_effect"]


def test_scores_are_not_moved_where_more_than_one_in_a_hundred_would_be() -> None:
    assert len(DATA) < 200
    with pytest.raises(ScoresError, match=r"2 of 192 scores lie outside 0 to 1, .* at most 1%: leave score_range out"):
        trainer_metrics(DATA, score_range=(0, 1), outside="clip")(outside_of_range(2))


def test_scores_are_not_moved_without_a_range() -> None:
    with pytest.raises(OptionError, match="give score_range, or leave outside out"):
        trainer_metrics(DATA, outside="clip")


def test_rows_in_another_order_are_noticed(tiny) -> None:
    tokenised = tiny.tokenised(DATA)
    with pytest.raises(LabelsError, match=r"another order .*'group_by_length'"):
        tiny.train(tokenised, trainer_metrics(tokenised, score=1), train_sampling_strategy="group_by_length")


def test_probabilities_of_a_class_and_expected_values_are_scores() -> None:
    logits = logits_of(3)
    probabilities = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    given, certain = prediction(logits), np.column_stack([np.full(len(DATA), -1000.0), logits])
    labels, of_gender = np.array(["neg", "neu", "pos"]), "rate[pos]/gender_effect"
    options = {"outputs": "class", "classes": tuple(labels)}
    cases: list[tuple[dict[str, Any], Any, Any, dict[str, Any], str]] = [
        ({"score": "pos", "id2label": dict(enumerate(labels))}, given, probabilities[:, 2], {}, "race_effect"),
        ({"score": (-1, 0, 1)}, given, probabilities @ [-1, 0, 1], {"score_range": (-1, 1)}, "gender_p"),
        # A class that is as good as impossible: the others sum to 1 but for rounding, on either side.
        ({"score": (0, 1, 1, 1)}, prediction(certain), np.ones(len(DATA)), {}, "race_effect"),
        ({"score": lambda outputs: outputs[:, 0] > 0}, given, logits[:, 0] > 0, {}, "race_effect"),
        # A model that is measured by its classes gives their names.
        ({"score": lambda outputs: labels[outputs.argmax(axis=1)], "outside": "clip", **options}, given,
         labels[logits.argmax(axis=1)], options, of_gender),
        # Large logits and hidden states do no harm.
        ({"score": 1}, prediction((1e4 * logits[:, :2], np.zeros((3, 2)))),
         logits[:, 1] > logits[:, 0], {}, "race_effect"),
    ]  # fmt: skip
    for chosen, found, scores, of_scores, key in cases:
        expected = measure(scores, DATA, **of_scores).to_dict()[key]
        assert trainer_metrics(DATA, **chosen)(found)[key] == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_a_number_that_does_not_exist_is_nan() -> None:
    women = np.array([[float(gender == "female")] for gender in DATA["gender"]])
    found = trainer_metrics(DATA)(prediction(women))
    assert set(found) == SCALARS
    assert found["gender_effect"] == 1
    assert math.isnan(found["gender_p"])
    assert {type(value) for value in found.values()} == {float}


def test_other_data_go_to_a_function_of_their_own() -> None:
    few = prediction(logits_of()[:5], None)
    assert trainer_metrics(DATA, score=1, others=lambda _: {"accuracy": 1.0})(few) == {"accuracy": 1.0}


@pytest.mark.parametrize("kind", ["torch", "numpy"])
def test_a_format_hides_nothing(kind: str) -> None:
    pytest.importorskip(kind, reason="needs the extra hf (torch)")
    given = prediction(logits_of())
    formatted = trainer_metrics(DATA.with_format(kind, columns=["labels"]), score=1)(given)
    assert formatted == trainer_metrics(DATA, score=1)(given)


@pytest.mark.parametrize("side", ["left", "right"])
def test_rows_are_known_by_their_inputs_on_either_side_of_padding(side: str) -> None:
    ids = [[7] * (1 + row % 3) + [row] for row in range(len(DATA))]
    padded = [[0] * (4 - len(row)) + row if side == "left" else row + [0] * (4 - len(row)) for row in ids]
    inputs = np.array([[*row, -100] for row in padded])
    tokenised, logits = DATA.add_column("input_ids", ids), logits_of()
    metrics = trainer_metrics(tokenised, score=1)
    found = metrics(prediction(logits, inputs=inputs))
    assert found["race_effect"] == measure(scores_of(logits, 1), DATA).overall[0]["effect"]
    with pytest.raises(LabelsError, match="in another order"):
        metrics(prediction(logits, inputs=inputs[::-1]))


def test_what_is_added_for_the_model_changes_no_name_of_the_data() -> None:
    corpus = eec_datasets.load("es-anglo-latino").filter(lambda row: row["word"] == "angry")
    tokenised = corpus.map(lambda row: {"input_ids": [len(row["text"])], "labels": int(row["gender"] == "female")})
    zeros, logits = np.zeros(len(corpus)), logits_of(rows=len(corpus))
    assert measure(zeros, only_sentences(tokenised)).signature == measure(zeros, corpus).signature
    expected = measure(scores_of(logits, 1), corpus).to_dict()["race_effect"]
    assert trainer_metrics(tokenised, score=1)(prediction(logits, tokenised["labels"]))["race_effect"] == expected


def of(classes: int = 2, shift: float = 0, data: Any = DATA, rows: int | None = None, **options: Any) -> Call:
    given = prediction(logits_of(classes)[:rows] + shift, None if rows else DATA["labels"])
    return lambda: trainer_metrics(data, **options)(given)


def test_a_class_is_chosen_by_its_name_or_all_have_values() -> None:
    logits, names = logits_of(2), {0: "no", 1: "yes"}
    for chosen, expected in (({"positive_class": "yes"}, 1), ({"classes": {"yes": 3, "no": -1}}, (-1, 3))):
        found = trainer_metrics(DATA, id2label=names, **chosen)(prediction(logits))
        assert found == trainer_metrics(DATA, score=expected)(prediction(logits))


REFUSED: dict[str, Call] = {
    "no score": of(3),
    "a class too many": of(2, score=2),
    "a class of a regression": of(1, score=0),
    "values for other classes": of(3, score=(0, 1)),
    "a name without names": of(score="pos"),
    "values without names": lambda: trainer_metrics(DATA, classes={"no": 0, "yes": 1}),
    "values of other names": lambda: trainer_metrics(DATA, classes={"no": 0, "YES": 1}, id2label={0: "no", 1: "yes"}),
    "a class and a score": of(positive_class="yes", score=1, id2label={0: "no", 1: "yes"}),
    "another name": of(score="pos", id2label={0: "no", 1: "yes"}),
    "a range of probabilities": of(score=1, score_range=(0, 5)),
    "outside": of(1, outside="drop"),
    "other rows": of(rows=5, score=1),
    "names of classes as scores": of(score=lambda outputs: np.where(outputs[:, 0] > 0, "pos", "neg"), outside="clip"),
    "corpora alike": of(data={"a": DATA, "b": OTHER}, score=1),
    "no finite numbers": of(shift=np.nan, score=1),
    "an option of measure that there is not": lambda: trainer_metrics(DATA, score=1, refrence=None),
    "a choice that there is not": lambda: bound(DATA, adjust="fdr"),
    "no dataset": lambda: trainer_metrics(names()),
    "rows in another order": of(data=DATA.shuffle(seed=1), score=1),
}


def test_what_is_refused_is_named_with_its_values(snapshot: Snapshot) -> None:
    snapshot.check_refusals("trainer-messages", REFUSED, BiasError)
