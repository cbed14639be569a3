"""The metric inside a training loop: ``compute_metrics`` for ``transformers.Trainer``."""

import math
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from scipy.special import softmax

from eec_bias.api import measure
from eec_bias.errors import LabelsError, OptionError, ScoresError, expect
from eec_bias.inputs.resolution import Resolution, of_type, type_of
from eec_bias.inputs.scores import check_range
from eec_bias.inputs.sources import LABELS
from eec_bias.options import DEFAULTS, Floats, Ints, check_options, is_number, is_sequence, one_of
from eec_bias.result.record import flat_scalars

ScoreOf: TypeAlias = int | str | Sequence[float] | Callable[[Floats], Any] | None
"""What of a model's outputs is the score, see `trainer_metrics`."""

Outside = Literal["refuse", "clip"]
MOST_CLIPPED = 0.01
"""Largest share of scores that are moved to the ends of the range."""

CLIPPED = "scores_clipped"
"""Scalar with the number of scores moved to the edge of the range."""


def trainer_metrics(
    dataset: Any,
    *,
    score: ScoreOf = None,
    positive_class: str | None = None,
    classes: Mapping[str, float] | None = None,
    id2label: Mapping[int, str] | None = None,
    score_range: tuple[float, float] | None = None,
    outside: Outside = "refuse",
    prefix: str = "",
    others: Callable[[Any], dict[str, Any]] | None = None,
    **options: Any,
) -> Callable[[Any], dict[str, Any]]:
    """Return a ``compute_metrics`` for ``transformers.Trainer`` that measures an EEC after every evaluation.

    Parameters
    ----------
    dataset : datasets.Dataset, or mapping of name to it
        The corpus the trainer evaluates, tokenised, with its columns ``race``, ``gender``, ``person`` and so on, which
        the trainer leaves out by itself. It needs a column of labels (``labels`` or ``label``), as the trainer calls
        ``compute_metrics`` for labelled data only; they enter its loss and nothing else. A mapping where
        ``eval_dataset`` is one.
    score : int, str, sequence of float, or function, optional
        Position or, with ``id2label``, name of the class whose softmax probability is the score; or one value per
        class, of which the score is the expectation; or a function of the (n, C) logits that returns n scores. None
        for a regression model, which has one output.
    positive_class : str, optional
        Name of the class whose probability is the score, as in `measure`; with ``id2label``.
    classes : mapping of class to number, optional
        What each class is worth, as in `measure`; with ``id2label``.
    id2label : mapping of int to str, optional
        ``model.config.id2label``.
    score_range : (float, float), optional
        Range of the scores of a regression model or of a function; by default none is known, and there is no beta
        regression. For the others it follows.
    outside : {"refuse", "clip"}
        What is done with scores outside a range that was given: an error, which ends the training, or moved to the edge
        and counted in the scalar ``scores_clipped``. Where this would move more than 1 % of them it is an error too.
    prefix : str
        What every name begins with, behind the ``eval_`` of the trainer.
    others : function, optional
        ``compute_metrics`` of evaluated data that are not these corpora.
    **options
        Of `measure`, such as ``axes`` or ``reference``.

    Returns
    -------
    callable
        From an ``EvalPrediction`` to the flat scalars of a result (``race_effect``, ``race_p``, ``race_p_adjusted``,
        ``gender_effect`` …), all of them ``float``. A number that does not exist is ``nan``, so that names stay the
        same from epoch to epoch: the p of a difference without any spread, for example.

    Raises
    ------
    OptionError
        If the options do not fit each other.

    Notes
    -----
    A trainer does not say which dataset it evaluated. Corpora are told apart by their number of rows, by their
    labels, and, with ``TrainingArguments(include_for_metrics=["inputs"])``, by their column ``input_ids``; corpora
    that cannot be told apart are an error. The same comparisons find rows in another order.
    """
    one_of("outside", outside, get_args(Outside))
    check_options("default", options)
    several = isinstance(dataset, Mapping) and all(hasattr(part, "column_names") for part in dataset.values())
    sets = dataset if several else {"": dataset}
    if not sets:
        raise OptionError("trainer_metrics was given no dataset; give the corpus the trainer evaluates")
    if options.get("outputs", "score") == "score":
        check_one_score(score, positive_class, classes)
        score = choose_score(score, positive_class, classes, id2label or {})
    else:
        # Of outputs that have classes they are what `measure` takes them for.
        options |= {"positive_class": positive_class, "classes": classes}
    kind, known = resolve_score(score, id2label, score_range)
    of_scores = options.get("outputs", "score") in ("score", "ordinal")
    if outside == "clip" and known is None and of_scores:
        raise OptionError("outside 'clip' moves scores to the ends of a range; give score_range, or leave outside out")
    # The scale of outputs that have classes follows from these.
    scale = known if of_scores else DEFAULTS.score_range
    for part in sets.values():
        if not hasattr(part, "with_format"):
            raise OptionError(
                "trainer_metrics needs the datasets.Dataset that is evaluated, or a mapping of them; this is of type "
                f"{type(part).__name__}"
            )
        if not {*LABELS} & {*part.column_names}:
            warnings.warn(
                f"the corpus has no column {' or '.join(LABELS)}, and a trainer calls compute_metrics for data with "
                "labels only: it may log nothing, and say nothing. Add a column of labels, or take EECCallback, which "
                "needs none",
                stacklevel=2,
            )
    # A format for torch hides the columns that the model does not take.
    corpora = [_Corpus(str(name), part.with_format(None)) for name, part in sets.items()]

    def compute_metrics(prediction: Any) -> dict[str, Any]:
        logits = prediction.predictions
        # A model that also returns hidden states gives a tuple, its logits first.
        logits = logits[0] if isinstance(logits, tuple | list) else logits
        corpus = _evaluated(corpora, prediction, len(logits), refuse=others is None)
        if others is not None and corpus is None:
            return others(prediction)
        raw = scores_of(logits, kind)
        # What is not finite is refused by `measure`, which also takes classes.
        clips = outside == "clip" and known is not None and raw.dtype.kind in "biuf"
        scores = _clipped(raw, known) if clips and known is not None else raw
        how = dict(options)
        if of_scores and how.get("resolution") is None:
            how["resolution"] = _resolution(logits, scores)
        found = flat_scalars(measure(scores, only_sentences(corpus.data), score_range=scale, **how).terms)
        scalars = {name: math.nan if value is None else float(value) for name, value in found.items()}
        if clips:
            scalars[CLIPPED] = float(np.count_nonzero(scores != raw))
        return {f"{prefix}{name}": value for name, value in scalars.items()}

    return compute_metrics


def _resolution(logits: Any, scores: Floats) -> Resolution | None:
    """How far apart equal scores may be, by the type of the outputs that they were computed from in doubles."""
    kind = type_of(logits)
    if kind == "float64" or scores.dtype.kind != "f" or not np.isfinite(scores).any():
        return None
    largest = float(np.abs(scores[np.isfinite(scores)]).max())
    return Resolution(of_type(kind, largest), "type", kind)


def _clipped(raw: Floats, limits: tuple[float, float]) -> Floats:
    """The scores, clipped to the range; refused where many lie outside, as the rest would say nothing."""
    scores = np.where(np.isfinite(raw), np.clip(raw, *limits), raw)
    outside = int(np.count_nonzero(np.isfinite(raw) & (scores != raw)))
    if outside > MOST_CLIPPED * len(raw):
        raise ScoresError(
            f"{outside} of {len(raw)} scores lie outside {limits[0]:g} to {limits[1]:g}, and outside='clip' moves at "
            f"most {MOST_CLIPPED:.0%}: leave score_range out, which needs no range, or give the one the model has"
        )
    return scores


@dataclass(frozen=True, slots=True)
class _Corpus:
    """One dataset, and what identifies it."""

    name: str
    data: Any

    def column(self, *names: str) -> Any:
        """The first of some columns that the dataset has; None where it has none of them."""
        return next((self.data[name][:] for name in names if name in self.data.column_names), None)

    def has_labels(self, prediction: Any, order: Callable[[Floats], Floats]) -> bool | None:
        """Whether the labels are those of the dataset, in whatever order; None where either has none."""
        labels, evaluated = self.column(*LABELS), prediction.label_ids
        if labels is None or not isinstance(evaluated, np.ndarray) or evaluated.ndim != 1:
            return None
        expected, actual = (order(np.asarray(column, dtype=np.float64)) for column in (labels, evaluated))
        # The trainer may hold labels in single precision.
        return np.allclose(expected, actual, rtol=1e-6, atol=1e-6, equal_nan=True)

    def refuses(self, prediction: Any) -> str | None:
        """Why these cannot be its predictions, row by row; None where nothing rules it out."""
        if self.has_labels(prediction, np.asarray) is False:
            return "labels"
        ids, inputs = self.column("input_ids"), getattr(prediction, "inputs", None)
        if ids is not None and isinstance(inputs, np.ndarray) and inputs.ndim == 2:
            return None if all(map(_holds, inputs, ids)) else "input_ids"
        return None


def _holds(line: Ints, ids: Sequence[int]) -> bool:
    """Whether a line of inputs holds the ids of a row, padded on either side, or with −100 where batches are joined."""
    line, row = line[line != -100], np.asarray(ids)[: len(line)]
    return np.array_equal(row, line[: len(row)]) or np.array_equal(row, line[len(line) - len(row) :])


def only_sentences(dataset: Any) -> Any:
    """The dataset without the columns added for the model, so that the signature names the corpus as it was."""
    import pyarrow as pa

    schema = dataset.features.arrow_schema
    added = {name for name in dataset.column_names if name in LABELS or pa.types.is_nested(schema.field(name).type)}
    return dataset.select_columns([name for name in dataset.column_names if name not in added])


def _evaluated(corpora: Sequence[_Corpus], prediction: Any, rows: int, *, refuse: bool) -> Any:
    """The corpus that was evaluated; for other data None, or an error where these are refused."""
    sized = [corpus for corpus in corpora if len(corpus.data) == rows]
    differences = [corpus.refuses(prediction) for corpus in sized]
    fitting = [corpus for corpus, difference in zip(sized, differences, strict=True) if difference is None]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        raise LabelsError(
            f"{' and '.join(corpus.name for corpus in fitting)} have the same number of rows and the same labels, "
            "so it is unknown which one was evaluated; let TrainingArguments include_for_metrics 'inputs', and keep "
            "their column input_ids"
        )
    if any(corpus.has_labels(prediction, np.sort) for corpus in sized):
        raise LabelsError(
            "the rows were evaluated in another order than the dataset's, so scores cannot be given to persons; give "
            "trainer_metrics the dataset as it is evaluated, and do not evaluate with the train_sampling_strategy "
            "'group_by_length', which reorders it"
        )
    if not refuse:
        return None
    if sized:
        raise ScoresError(
            f"{rows} rows were evaluated, with other {differences[0]} than the corpus has; give trainer_metrics the "
            "dataset that is evaluated"
        )
    raise ScoresError(
        f"{rows} rows were evaluated, the corpus has {', '.join(str(len(corpus.data)) for corpus in corpora)}; "
        "evaluate it whole, and give a function as others for other data"
    )


def scores_of(logits: Any, score: ScoreOf) -> Floats:
    """Turn the outputs of a model into one score per row.

    Parameters
    ----------
    logits : (n,), (n, 1) or (n, C) array
        Outputs.
    score : int, sequence of float, function or None
        As for `trainer_metrics`.

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
    """Which of the outputs is the score, in terms of the model's classes.

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
        raise OptionError("classes names classes of the model; give model.config.id2label as id2label")
    if set(labels.values()) != {str(label) for label in classes}:
        raise OptionError(
            f"classes says what {', '.join(map(str, classes))} are worth; the model's classes are "
            f"{', '.join(labels.values())}"
        )
    return [float(classes[labels[number]]) for number in sorted(labels)]


def resolve_score(
    score: ScoreOf, id2label: Mapping[int, str] | None, declared: tuple[float, float] | None
) -> tuple[ScoreOf, tuple[float, float] | None]:
    """Return the score, a class by its position, and its range: declared, of probabilities or of classes' values."""
    if score is None or callable(score):
        return score, None if declared is None else check_range(declared)
    if declared is not None:
        raise OptionError(f"score_range {declared!r} was given with score; the range follows from the probabilities")
    if isinstance(score, str):
        numbers = {str(label): int(i) for i, label in (id2label or {}).items()}
        if score not in numbers:
            remedy = f"its classes are {', '.join(numbers)}" if numbers else "give model.config.id2label as id2label"
            raise OptionError(f"score {score!r} is the name of a class; {remedy}")
        score = numbers[score]
    if isinstance(score, int | np.integer) and type(score) is not bool:
        return int(score), (0.0, 1.0)
    values = list(score) if is_sequence(score) else []
    fits = all(map(is_number, values)) and len(set(values)) > 1
    kinds = "the position or the name of a class, a finite number per class, not all the same, or a function"
    expect(fits, "score", score, kinds)
    return values, (min(values), max(values))
