"""Scores from the outputs of a model in training: which class, or what each class is worth."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from scipy.special import softmax

from eec_bias.errors import OptionError, expect
from eec_bias.inputs.matrices import check_range
from eec_bias.options import Floats, is_number, is_sequence

ScoreOf: TypeAlias = int | str | Sequence[float] | Callable[[Floats], Any] | None
"""Choice of the score among a model's outputs, as `EECCallback` takes it."""


def scores_of(logits: Any, score: ScoreOf) -> Floats:
    """Turn the outputs of a model into one score per row.

    Parameters
    ----------
    logits : (n,), (n, 1) or (n, C) array
        Outputs.
    score : int, sequence of float, function or None
        As for `EECCallback`.

    Returns
    -------
    (n,) array

    Raises
    ------
    OptionError
        If ``score`` does not fit the number of outputs.
    """
    outputs = np.asarray(logits, dtype=np.float64)
    outputs = outputs[:, None] if outputs.ndim == 1 else outputs
    if callable(score):
        return np.asarray(score(outputs))
    if outputs.ndim != 2:
        raise OptionError(f"the model's outputs have the shape {outputs.shape}; give score as a function of them")
    classes = outputs.shape[1]
    if score is None:
        if classes == 1:
            return outputs[:, 0]
        raise OptionError(
            f"the model has {classes} outputs; say in score which class' probability is the score, or give one value "
            "per class"
        )
    probabilities: Floats = softmax(outputs, axis=1)
    if isinstance(score, int):
        if not 0 <= score < classes or classes == 1:
            outputs_of_it = "1 output" if classes == 1 else f"{classes} outputs"
            raise OptionError(f"score {score} is no class of a model with {outputs_of_it}")
        return probabilities[:, score]
    if len(score) != classes:
        raise OptionError(f"score has {len(score)} values, the model {classes} classes; give one value per class")
    # Rounded sums may leave the range of the values by as little.
    return np.asarray(np.clip(probabilities @ np.asarray(score), min(score), max(score)))


def check_one_score(score: ScoreOf, positive_class: str | None, classes: Any) -> None:
    """Refuse more than one of the options that say which output of a model is the score."""
    if sum(each is not None for each in (score, positive_class, classes)) > 1:
        raise OptionError("score, positive_class and classes say the same; give one of them")


def choose_score(score: ScoreOf, positive_class: str | None, classes: Any, id2label: Mapping[int, str]) -> ScoreOf:
    """Return which of the outputs is the score, in terms of the model's classes.

    Raises
    ------
    OptionError
        If ``classes`` lacks one of them.
    """
    if positive_class is not None:
        return positive_class
    if classes is None:
        return score
    if not isinstance(classes, Mapping):
        raise OptionError(f"classes is {classes!r}; expected what each class is worth, such as {{'NO': 0, 'YES': 1}}")
    labels = {int(number): str(label) for number, label in id2label.items()}
    if not labels:
        raise OptionError(
            "classes names classes, and the configuration of the model has no id2label; give score=, a value per output"
        )
    if set(labels.values()) != {str(label) for label in classes}:
        raise OptionError(
            f"classes says what {', '.join(map(str, classes))} are worth; the model's classes are "
            f"{', '.join(labels.values())}"
        )
    return [float(classes[labels[number]]) for number in sorted(labels)]


def resolve_score(
    score: ScoreOf, id2label: Mapping[int, str], declared: tuple[float, float] | None
) -> tuple[ScoreOf, tuple[float, float] | None]:
    """Return the score, a class by its position, and its range: declared, of probabilities or of classes' values."""
    if score is None or callable(score):
        return score, None if declared is None else check_range(declared)
    if declared is not None:
        raise OptionError(f"score_range {declared!r} was given with score; the range follows from the probabilities")
    if isinstance(score, str):
        numbers = {str(label): int(i) for i, label in id2label.items()}
        if score not in numbers:
            known = "the model names no classes; give a position"
            if numbers:
                known = f"its classes are {', '.join(numbers)}"
            raise OptionError(f"score {score!r} is the name of a class; {known}")
        score = numbers[score]
    if isinstance(score, int | np.integer) and type(score) is not bool:
        return int(score), (0.0, 1.0)
    values = list(score) if is_sequence(score) else []
    fits = all(map(is_number, values)) and len(set(values)) > 1
    kinds = "the position or the name of a class, a finite number per class, not all the same, or a function"
    expect(fits, "score", score, kinds)
    return values, (min(values), max(values))
