"""Scores from the outputs of a model in training."""

from typing import Any

import numpy as np
import pytest

from eec_bias import OptionError
from eec_bias.integrations.model_outputs import check_one_score, choose_score, resolve_score, scores_of

LOGITS = np.random.default_rng(0).normal(size=(50, 3))
SHARES = np.exp(LOGITS) / np.exp(LOGITS).sum(axis=1, keepdims=True)
NAMES = {0: "neg", 1: "neu", 2: "pos"}


@pytest.mark.parametrize(
    ("score", "expected", "limits"),
    [
        ("pos", SHARES[:, 2], (0, 1)),
        (2, SHARES[:, 2], (0, 1)),
        ((-1, 0, 1), SHARES @ [-1, 0, 1], (-1, 1)),
        (lambda outputs: outputs[:, 0] > 0, LOGITS[:, 0] > 0, None),
    ],
)
def test_a_class_values_or_a_function_make_a_score(score: Any, expected: Any, limits: Any) -> None:
    kind, found = resolve_score(score, NAMES, None)
    assert found == limits
    assert scores_of(LOGITS, kind) == pytest.approx(expected, rel=1e-9)


def test_rounding_leaves_no_range() -> None:
    certain = np.column_stack([np.full(50, -1000.0), LOGITS])
    assert scores_of(certain, (0, 1, 1, 1)).max() == 1


def test_one_output_is_the_score_as_it_is() -> None:
    assert resolve_score(None, {}, (0, 5)) == (None, (0, 5))
    assert scores_of(LOGITS[:, :1], None).tolist() == LOGITS[:, 0].tolist()


def test_a_class_is_chosen_by_its_name_or_all_have_values() -> None:
    assert choose_score(None, "pos", None, NAMES) == "pos"
    assert choose_score(None, None, {"pos": 3, "neg": -1, "neu": 0}, NAMES) == [-1, 0, 3]


REFUSED = {
    "say the same": lambda: check_one_score(1, "pos", None),
    "has no id2label": lambda: choose_score(None, None, {"pos": 1, "neg": 0}, {}),
    "classes are neg, neu, pos": lambda: choose_score(None, None, {"pos": 1, "NEG": 0}, NAMES),
    "its classes are neg, neu": lambda: resolve_score("positive", NAMES, None),
    "give a position": lambda: resolve_score("pos", {}, None),
    "follows from the probabilities": lambda: resolve_score(1, NAMES, (0, 5)),
    "not all the same": lambda: resolve_score([1, 1], NAMES, None),
    "the model has 3 outputs": lambda: scores_of(LOGITS, None),
    "score 3 is no class of a model with 3 outputs": lambda: scores_of(LOGITS, 3),
    "score 0 is no class of a model with 1 output": lambda: scores_of(LOGITS[:, :1], 0),
    "2 values, the model 3 classes": lambda: scores_of(LOGITS, (0, 1)),
}


@pytest.mark.parametrize("said", REFUSED)
def test_what_is_refused_is_named(said: str) -> None:
    with pytest.raises(OptionError, match=said):
        REFUSED[said]()
