"""The metric in a training run of transformers: a callback that scores a corpus itself after every evaluation."""

import importlib
import inspect
import math
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from eec_bias.api import measure
from eec_bias.errors import OptionError, expect
from eec_bias.integrations.corpora import named_corpus
from eec_bias.integrations.model_outputs import ScoreOf, check_one_score, choose_score, resolve_score, scores_of
from eec_bias.options import Floats, MeasureOptions, check_options, is_name, whole_number
from eec_bias.result.record import flat_scalars
from eec_bias.stats.resolution import Resolution, measure_resolution

RESCORED, OTHER_BATCH = 32, 7
"""So many sentences are scored again, one by one and so many at once, to see how far scores move."""

BATCH = 64
"""Sentences per call of the model, where the trainer's arguments say nothing."""


class EECCallback:
    """Score a corpus with the model in training after its evaluations, and log effects and p-values.

    The scalars ``race_effect``, ``race_p``, ``race_p_adjusted``, ``gender_effect`` and so on go to the log history of
    the trainer and to all that it reports to, as ``NAME/race_effect``. Nothing is asked of the trainer's own data: no
    labels, no order of rows. An error never ends a training: it is a warning, and the scalars are ``nan``.

    Parameters
    ----------
    corpus : str or datasets.Dataset
        Name of a corpus of eec_datasets, such as ``en-black-white``, or sentences in the column ``text`` beside the
        columns that `measure` reads.
    score : int, str, sequence of float, or function, optional
        Position or name of the class whose softmax probability is the score; or one value per class, of which the
        score is the mean; or a function of the (n, C) logits that returns n scores. None for a model with one output.
    positive_class : str, optional
        Name of the class whose probability is the score, as in `measure`.
    classes : mapping of class to number, optional
        What each class is worth, as in `measure`.
    score_range : (float, float), optional
        Range of the scores of a model with one output or of a function. Without it there is no beta regression.
    every : int
        Which evaluations: each (1), every second (2), and so on, the first always.
    name : str
        What the scalars begin with; a second callback needs another.
    batch_size : int, optional
        Sentences per call of the model; by default the trainer's ``per_device_eval_batch_size``.
    **options
        Of `measure`, such as ``axes`` or ``margin``.

    Raises
    ------
    OptionError
        If options do not fit each other.

    Notes
    -----
    In a run on several processes the main process scores and logs. A trainer calls its callbacks by the names of
    events, so that transformers is needed where one trains, and not to import this.
    """

    def __init__(
        self,
        corpus: Any,
        *,
        score: ScoreOf = None,
        positive_class: str | None = None,
        classes: Mapping[str, float] | None = None,
        score_range: tuple[float, float] | None = None,
        every: int = 1,
        name: str = "eec",
        batch_size: int | None = None,
        **options: Any,
    ) -> None:
        check_one_score(score, positive_class, classes)
        expect(whole_number(every) >= 1, "every", every, "a whole number of 1 or more, such as 2 for every second")
        expect(is_name(name), "name", name, "a text that is not blank, on one line")
        expect(batch_size is None or whole_number(batch_size) >= 1, "batch_size", batch_size, "a whole number from 1")
        if options.get("outputs") not in (None, "score"):
            raise OptionError(f"outputs {options['outputs']!r} was given; the callback measures scores")
        check_options("default", options)
        MeasureOptions(**options)
        self.corpus = _load(corpus)
        self.score = score
        self.positive_class = positive_class
        self.classes = classes
        self.score_range = score_range
        self.every = every
        self.name = name
        self.batch_size = batch_size
        self.options = options
        self._evaluations = 0
        self._known: tuple[str, ...] = ("race_effect", "race_p", "race_p_adjusted")

    def __getattr__(self, name: str) -> Any:
        """A handler that does nothing, for the other events of a training."""
        if name.startswith("on_"):
            return _ignore
        raise AttributeError(f"EECCallback has no attribute {name!r}")

    def on_init_end(self, *_: Any, **__: Any) -> None:
        """Refuse a second callback of the same name; the trainer calls this when it is created."""
        handler = self._handler()
        others = [each for each in getattr(handler, "callbacks", ()) if isinstance(each, EECCallback)]
        if sum(each.name == self.name for each in others) > 1:
            raise OptionError(
                f"two callbacks have the name {self.name!r}, so that one would write over the scalars of the other; "
                "give each its own, such as name='eec-es'"
            )

    def on_evaluate(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """Score, measure and log; the trainer calls this after an evaluation."""
        due = self._evaluations % self.every == 0
        self._evaluations += 1
        if not due or not state.is_world_process_zero:
            return
        try:
            scalars = self._measured(kwargs["model"], kwargs.get("processing_class"), args)
            self._known = tuple(scalars)
        except Exception as error:  # whatever it is, the training goes on
            warnings.warn(f"{self.name}: {type(error).__name__}: {error}; the training goes on", stacklevel=2)
            scalars = dict.fromkeys(self._known, math.nan)
        logs = {f"{self.name}/{name}": value for name, value in scalars.items()}
        state.log_history.append({**logs, "epoch": state.epoch, "step": state.global_step})
        metrics = kwargs.get("metrics")
        if isinstance(metrics, dict):
            metrics |= logs
        handler = self._handler()
        if handler is not None:
            handler.call_event("on_log", args, state, control, logs=logs)

    def _handler(self) -> Any:
        """The trainer's list of callbacks, which passes logs on to wherever it reports."""
        # A callback is given everything but the others, so that the caller must be asked.
        frame = inspect.currentframe()
        while frame is not None:
            caller = frame.f_locals.get("self")
            if caller is not self and any(each is self for each in getattr(caller, "callbacks", ())):
                return caller
            frame = frame.f_back
        return None

    def _measured(self, model: Any, tokenizer: Any, args: Any) -> dict[str, float]:
        if not callable(tokenizer):
            raise OptionError("the trainer has no tokenizer; give it as processing_class")
        size = self.batch_size or getattr(args, "per_device_eval_batch_size", None) or BATCH
        logits = score_texts(model, tokenizer, list(self.corpus["text"]), size)
        labels = _id2label(model)
        chosen = choose_score(self.score, self.positive_class, self.classes, labels)
        kind, limits = resolve_score(chosen, labels, self.score_range)
        scores = scores_of(logits, kind)
        options = self.options
        if options.get("resolution") is None:
            options = {**options, "resolution": _resolution(model, tokenizer, list(self.corpus["text"]), scores, kind)}
        found = measure(scores, self.corpus, score_range=limits, **options)
        return {name: math.nan if value is None else float(value) for name, value in flat_scalars(found.terms).items()}


def _resolution(model: Any, tokenizer: Any, texts: Sequence[str], scores: Floats, kind: ScoreOf) -> Resolution:
    """Return how far scores of a sample move where sentences are scored one by one, and in batches of another size."""
    rows = np.unique(np.linspace(0, len(texts) - 1, RESCORED).astype(int))
    sample = [texts[row] for row in rows]
    again = [scores_of(score_texts(model, tokenizer, sample, size), kind) for size in (1, OTHER_BATCH)]
    return measure_resolution(scores[rows], again, len(rows))


def _ignore(*_: Any, **__: Any) -> None:
    return None


def _load(corpus: Any) -> Any:
    corpus = named_corpus(corpus)
    if not hasattr(corpus, "column_names") or "text" not in corpus.column_names:
        raise OptionError(
            f"corpus is of type {type(corpus).__name__}; expected the name of a corpus, or a datasets.Dataset with the "
            "column text"
        )
    # A format for torch hides the columns that the model does not take.
    return corpus.with_format(None)


def _id2label(model: Any) -> dict[int, str]:
    config = getattr(model, "config", None)
    return {int(k): str(label) for k, label in (getattr(config, "id2label", None) or {}).items()}


def score_texts(model: Any, tokenizer: Callable[..., Any], texts: Sequence[str], batch_size: int) -> Floats:
    """Return the logits (n, C) of a model on texts; it is left in the mode it was in.

    Each text is scored once however often it stands there, and texts of the same length together.
    """
    torch = importlib.import_module("torch")
    distinct = sorted(set(texts), key=lambda text: (len(text), text))
    position = {text: number for number, text in enumerate(distinct)}
    training = bool(model.training)
    device = next(model.parameters()).device
    parts = []
    model.eval()
    try:
        with torch.no_grad():
            for start in range(0, len(distinct), batch_size):
                batch = tokenizer(
                    distinct[start : start + batch_size], padding=True, truncation=True, return_tensors="pt"
                )
                outputs = model(**{name: tensor.to(device) for name, tensor in batch.items()})
                parts.append(outputs.logits.double().cpu().numpy())
    finally:
        model.train(training)
    logits = np.concatenate(parts)
    return np.asarray(logits[[position[text] for text in texts]])
