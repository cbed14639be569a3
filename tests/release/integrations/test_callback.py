"""A callback that scores a corpus in a training run of a tiny BERT, whatever the trainer evaluates."""

import json
import math
from pathlib import Path
from typing import Any

import datasets
import numpy as np
import pytest
from tiny import Tiny, sentences

from eec_bias import EECCallback, OptionError, measure

DATA = sentences()
BARE = DATA.remove_columns("labels")


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Tiny:
    return Tiny(tmp_path_factory.mktemp("tiny"), DATA)


def train(tiny: Tiny, *callbacks: Any, outputs: int = 2, **arguments: Any) -> Any:
    """Train for two epochs on labels of a few rows, evaluating others, which are no corpus."""
    pytest.importorskip("accelerate", reason="transformers.Trainer needs accelerate")
    transformers = tiny.transformers
    tiny.torch.manual_seed(0)
    few = tiny.tokenised(DATA).select(range(32)).select_columns(["input_ids", "attention_mask", "labels"])
    if outputs == 1:
        few = few.cast_column("labels", datasets.Value("float32"))
    settings: dict[str, Any] = {"report_to": []} | arguments
    trainer = transformers.Trainer(
        model=tiny.model([f"LABEL_{i}" for i in range(outputs)]),
        args=transformers.TrainingArguments(
            output_dir=str(tiny.folder / "run"), num_train_epochs=2, per_device_train_batch_size=16,
            per_device_eval_batch_size=64, eval_strategy="epoch", save_strategy="no", disable_tqdm=True, use_cpu=True,
            dataloader_pin_memory=False, **settings,
        ),
        train_dataset=few,
        eval_dataset=few.select(range(8)),
        processing_class=tiny.tokenizer,
        callbacks=list(callbacks),
    )  # fmt: skip
    trainer.train()
    return trainer


def logged(trainer: Any, scalar: str) -> list[float]:
    return [entry[scalar] for entry in trainer.state.log_history if scalar in entry]


def logits(tiny: Tiny, trainer: Any) -> np.ndarray:
    """Return the model's outputs for the corpus sentence by sentence, without padding."""
    trainer.model.eval()
    with tiny.torch.no_grad():
        parts = [trainer.model(**tiny.tokenizer(text, return_tensors="pt")).logits for text in DATA["text"]]
    return np.concatenate([part.numpy() for part in parts]).astype(float)


def test_a_corpus_without_labels_is_measured_after_every_evaluation(tiny: Tiny) -> None:
    trainer = train(tiny, EECCallback(BARE, positive_class="LABEL_1"))
    effects = logged(trainer, "eec/gender_effect")
    assert len(effects) == 2
    outputs = logits(tiny, trainer)
    probability = 1 / (1 + np.exp(outputs[:, 0] - outputs[:, 1]))
    assert effects[-1] == pytest.approx(measure(probability, BARE).to_dict()["gender_effect"], abs=1e-6)
    # As text, for a number that does not exist is not equal to itself.
    history = json.dumps(trainer.state.log_history)
    assert json.dumps(json.loads(history)) == history


def test_a_regression_model_needs_no_range(tiny: Tiny) -> None:
    trainer = train(tiny, EECCallback(BARE), outputs=1)
    expected = measure(logits(tiny, trainer)[:, 0], BARE, score_range=None).to_dict()
    for scalar in ("race_effect", "race_p", "gender_p_adjusted"):
        assert logged(trainer, f"eec/{scalar}")[-1] == pytest.approx(expected[scalar], rel=1e-3, abs=1e-6)


def test_classes_that_are_worth_something_give_their_mean(tiny: Tiny) -> None:
    trainer = train(
        tiny, EECCallback(BARE, classes={"LABEL_0": -1, "LABEL_1": 1}), EECCallback(BARE, score=1, name="p")
    )
    twice = [2 * effect for effect in logged(trainer, "p/race_effect")]
    assert logged(trainer, "eec/race_effect") == pytest.approx(twice)


def test_every_second_evaluation_is_measured_where_asked_for(tiny: Tiny) -> None:
    trainer = train(tiny, EECCallback(BARE, score=1, every=2))
    assert [entry["epoch"] for entry in trainer.state.log_history if "eec/race_effect" in entry] == [1]


@pytest.mark.filterwarnings("ignore:eec:UserWarning")
def test_an_error_does_not_end_the_training(tiny: Tiny) -> None:
    trainer = train(tiny, EECCallback(BARE, positive_class="joy"))
    assert trainer.state.epoch == 2
    assert all(map(math.isnan, logged(trainer, "eec/race_effect")))


def test_an_error_is_told_in_a_warning(tiny: Tiny) -> None:
    with pytest.warns(UserWarning, match="eec: OptionError: .*'joy'.* the training goes on"):
        train(tiny, EECCallback(BARE, positive_class="joy"))


def test_the_model_goes_on_in_the_mode_it_was_in(tiny: Tiny) -> None:
    trainer = train(tiny, EECCallback(BARE, score=1))
    trainer.model.train()
    trainer.callback_handler.on_evaluate(trainer.args, trainer.state, trainer.control, {})
    assert trainer.model.training


def test_two_callbacks_of_one_name_are_refused_before_the_training(tiny: Tiny) -> None:
    with pytest.raises(OptionError, match="two callbacks have the name 'eec'"):
        train(tiny, EECCallback(BARE, score=1), EECCallback(BARE, score=0))


def test_training_is_the_same_with_and_without_the_callback(tiny: Tiny) -> None:
    with_it, without = train(tiny, EECCallback(BARE, score=1)), train(tiny)
    assert logged(with_it, "train_loss") == logged(without, "train_loss")


def test_tensorboard_has_the_scalars(tiny: Tiny, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("tensorboard")
    accumulator = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    monkeypatch.setenv("TENSORBOARD_LOGGING_DIR", str(tmp_path))
    trainer = train(tiny, EECCallback(BARE, score=1), report_to=["tensorboard"])
    events = accumulator.EventAccumulator(str(tmp_path))
    events.Reload()
    found = [event.value for event in events.Scalars("train/eec/race_effect")]
    assert found == pytest.approx(logged(trainer, "eec/race_effect"))


def test_weights_and_biases_has_the_scalars_of_an_offline_run(
    tiny: Tiny, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wandb = pytest.importorskip("wandb")
    for name, value in {"MODE": "offline", "DIR": str(tmp_path), "SILENT": "true", "PROJECT": "eec"}.items():
        monkeypatch.setenv(f"WANDB_{name}", value)
    trainer = train(tiny, EECCallback(BARE, score=1), report_to=["wandb"])
    try:
        found = wandb.run.summary["train/eec/race_effect"]
    finally:
        wandb.finish()
    assert found == pytest.approx(logged(trainer, "eec/race_effect")[-1])
    assert list(tmp_path.rglob("*.wandb"))


def test_mlflow_has_the_scalars_in_its_store_of_files(
    tiny: Tiny, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # It reports how it is used, unless told otherwise before it is imported.
    monkeypatch.setenv("MLFLOW_DISABLE_TELEMETRY", "true")
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    mlflow = pytest.importorskip("mlflow")
    store = (tmp_path / "mlruns").as_uri()
    monkeypatch.setenv("MLFLOW_TRACKING_URI", store)
    mlflow.set_tracking_uri(store)
    trainer = train(tiny, EECCallback(BARE, score=1), report_to=["mlflow"])
    mlflow.end_run()
    (path,) = tmp_path.rglob("race_effect")
    found = [float(line.split()[1]) for line in path.read_text().splitlines()]
    assert found == pytest.approx(logged(trainer, "eec/race_effect"))


def test_what_a_trainer_reports_to_is_handed_the_scalars(tiny: Tiny) -> None:
    seen: list[dict[str, float]] = []

    class Reporter(tiny.transformers.TrainerCallback):  # type: ignore[name-defined, misc]
        def on_log(self, *_: Any, logs: dict[str, float], **__: Any) -> None:
            seen.append(dict(logs))

    trainer = train(tiny, Reporter(), EECCallback(BARE, score=1))
    found = [logs["eec/race_effect"] for logs in seen if "eec/race_effect" in logs]
    assert found == logged(trainer, "eec/race_effect")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"score": 1, "positive_class": "joy"}, "score, positive_class and classes say the same; give one of them"),
        ({"every": 0}, "every is 0; expected a whole number of 1 or more"),
        ({"name": ""}, "name is ''; expected a text that is not blank"),
        ({"outputs": "class"}, "outputs 'class' was given; the callback measures scores"),
        ({"refrence": None}, "the method default has no option refrence"),
    ],
)
def test_options_that_do_not_fit_are_refused_before_the_training(options: dict[str, Any], said: str) -> None:
    with pytest.raises(OptionError, match=said):
        EECCallback(BARE, **options)


def test_what_is_no_corpus_is_refused() -> None:
    with pytest.raises(OptionError, match="corpus is of type list; expected the name of a corpus"):
        EECCallback(["a sentence"])
