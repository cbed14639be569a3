"""The metric for ``evaluate.evaluator`` and ``EvaluationSuite``, which hand over predictions and nothing else."""

from collections import Counter
from dataclasses import dataclass
from numbers import Real
from typing import Any

from eec_bias.api import measure
from eec_bias.errors import LabelsError, ScoresError
from eec_bias.inputs.pipelines import read_labelled
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
            Outputs of a system, such as predicted classes.
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
            "them; measure the probabilities: eec_bias.measure(pipe(texts, top_k=None), dataset, positive_class=…)"
        )


def _is_class(value: Any) -> bool:
    """Return whether a prediction is a label, or the number that stands for one."""
    return isinstance(value, str) or (isinstance(value, Real) and float(value).is_integer())


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
    ``evaluate.evaluator("text-classification")`` hands over the predicted class alone, which loses small gaps, as a
    number (``label_mapping={"NEGATIVE": 0, "POSITIVE": 1}``), or as a label with ``outputs="class"`` here. It
    asks for a column of labels, and any column of the corpus will do (``label_column="gender"``).
    ``strategy="bootstrap"`` resamples sentences without their persons and cannot be used. With evaluate 0.4.6 and
    transformers 5 it takes a model by its path or as an object with ``tokenizer=``, no pipeline and no function.
    """
    check_options("default", options)
    return BoundMetric(named_corpus(dataset), options)
