"""The metric for ``evaluate.evaluator`` and ``EvaluationSuite``, which hand over predictions and nothing else."""

import importlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from numbers import Real
from typing import Any

from eec_bias.api import measure
from eec_bias.errors import LabelsError, OptionError, ScoresError
from eec_bias.inputs.emitted import read_labelled
from eec_bias.integrations.corpora import named_corpus
from eec_bias.options import check_options

PLAIN = ("string", "large_string", "int")


@dataclass(frozen=True, slots=True)
class BoundMetric:
    """The metric with its corpus; what `bound` returns."""

    dataset: Any
    options: dict[str, Any]

    def compute(self, *, predictions: Any, references: Any = None) -> dict[str, Any]:
        """Measure predictions, one per row of the corpus, in its order.

        Parameters
        ----------
        predictions : sequence
            Outputs of a system: what `probability_evaluator` hands over, or predicted classes.
        references : sequence, optional
            What an evaluator takes for the right answers: a column of the data it evaluated. An EEC has no right
            answers; whether they are in the order of the corpus is all that is looked at.

        Returns
        -------
        dict
            As `Result.to_dict`.

        Raises
        ------
        LabelsError
            If the rows were evaluated in another order.
        ScoresError
            If every prediction is the same class.
        """
        _refuse_one_class(predictions)
        answers = [] if references is None else [str(value) for value in references]
        features = (getattr(self.dataset, "features", None) or {}) if answers else {}
        # Those that hold one value per row.
        plain = [name for name, kind in features.items() if str(getattr(kind, "dtype", "")).startswith(PLAIN)]
        columns = [[str(value) for value in self.dataset[name]] for name in plain]
        if answers not in columns and any(Counter(answers) == Counter(column) for column in columns):
            raise LabelsError(
                "the rows were evaluated in another order than the dataset's, so scores cannot be given to persons; "
                "give bound the dataset that is evaluated"
            )
        return measure(predictions, self.dataset, **self.options).to_dict()


def _refuse_one_class(predictions: Any) -> None:
    """Refuse predictions that are all one class: they say nothing about the scores behind them."""
    if hasattr(predictions, "columns") or read_labelled(predictions) is not None:
        return
    listed = list(predictions)
    distinct = set(listed) if all(map(_is_class, listed)) else set()
    if len(distinct) == 1:
        raise ScoresError(
            f"the predictions are all of one class, {listed[0]!r}, so no difference between groups can be seen in "
            "them; measure probabilities: probability_evaluator() in the place of evaluate.evaluator(…), and "
            "positive_class in bound(…)"
        )


def _is_class(value: Any) -> bool:
    """Whether a prediction is a label, or the number that stands for one."""
    return isinstance(value, str) or (isinstance(value, Real) and float(value).is_integer())


def probability_evaluator() -> Any:
    """Return an evaluator of `evaluate` for text classification that hands over probabilities, not classes.

    ``probability_evaluator().compute(model_or_pipeline=…, tokenizer=…, data=corpus, label_column="gender",
    metric=bound(corpus, positive_class="POSITIVE"))`` measures a model.

    Returns
    -------
    evaluate.Evaluator

    Raises
    ------
    ImportError
        If transformers is not installed, which `evaluate` needs for this.
    """
    kind = importlib.import_module("evaluate.evaluator.text_classification").TextClassificationEvaluator

    class ProbabilityEvaluator(kind):  # type: ignore[misc, valid-type]  # evaluate carries no types
        """An evaluator that hands over the probability of every label."""

        PIPELINE_KWARGS = kind.PIPELINE_KWARGS | {"top_k": None}

        def prepare_pipeline(self, model_or_pipeline: Any, **further: Any) -> Any:
            """The pipeline of a model, or the one given, which evaluate itself takes only with transformers 4."""
            if hasattr(model_or_pipeline, "task"):
                return model_or_pipeline
            return super().prepare_pipeline(model_or_pipeline, **further)

        def predictions_processor(self, predictions: Iterable[Any], label_mapping: Any) -> dict[str, Any]:
            """The outputs as they are."""
            if label_mapping is not None:
                raise OptionError(
                    f"label_mapping is {label_mapping!r}, which would make classes of probabilities; leave it out, and "
                    "give bound(…) positive_class or classes"
                )
            return {"predictions": list(predictions)}

    return ProbabilityEvaluator()


def bound(dataset: Any, **options: Any) -> BoundMetric:
    """Bind the metric to a corpus, for an evaluator of `evaluate`, as ``metric``.

    Parameters
    ----------
    dataset : datasets.Dataset, or str
        The corpus that is evaluated, or its name.
    **options
        Of `measure`.

    Returns
    -------
    BoundMetric
        With the ``compute(predictions=…, references=…)`` that an evaluator calls.

    Notes
    -----
    `probability_evaluator` hands over the probabilities of the labels, and ``positive_class`` or ``classes`` here say
    what of them is the score. ``evaluate.evaluator("text-classification")`` hands over the predicted class alone, in
    which small differences are lost: as a number (``label_mapping={"NEGATIVE": 0, "POSITIVE": 1}``), or as a label with
    ``outputs="class"`` here. Both ask for a column of labels, for which any column of the corpus serves
    (``label_column="gender"``). ``strategy="bootstrap"``
    resamples sentences without their persons and cannot be used. With evaluate 0.4.6 and transformers 5 it takes a
    model by its path or as an object with ``tokenizer=``, no pipeline and no function.
    """
    check_options("default", options)
    return BoundMetric(named_corpus(dataset), options)
