"""Outputs of pipelines, if a user's function returns them for sentences instead of numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from eec_datasets.errors import SystemFailed
from eec_datasets.systems.base import UNIT, Range
from eec_datasets.text_file import all_digits

if TYPE_CHECKING:
    from eec_datasets.systems.base import SystemOptions


def is_output(answer: object) -> bool:
    """Return whether an answer is what a pipeline says of one sentence: a label with its score, or a list of them."""
    several = answer if isinstance(answer, list | tuple) else [answer]
    return bool(several) and all(isinstance(each, Mapping) and "label" in each and "score" in each for each in several)


def chosen_label(options: SystemOptions) -> str:
    """Return what is said of labels, as part of a system's name; empty where nothing is."""
    if options.classes:
        return ",".join(f"{label}={all_digits(value)}" for label, value in options.classes.items())
    return options.positive_class or ""


def range_of_labels(options: SystemOptions) -> Range | None:
    """Return the range of scores that are made of labels; ``None`` where nothing is said of labels."""
    if options.classes:
        return min(options.classes.values()), max(options.classes.values())
    return UNIT if options.positive_class else None


def scores_of(spec: str, answers: Sequence[Any], options: SystemOptions) -> list[Any]:
    """Return the scores of what a function returned of some sentences; numbers pass as they are.

    Parameters
    ----------
    spec
        The function, for messages.
    answers
        What it returned of each sentence.
    options
        ``positive_class`` or ``classes`` say what of labels is the score.

    Raises
    ------
    SystemFailed
        Nothing says what the labels are worth, they do not fit what is said, or there are none though it is said.
    """
    there = [answer for answer in answers if answer is not None]
    if not any(map(is_output, there)):
        if chosen_label(options) and there:
            raise SystemFailed(
                f"{spec} returned {there[0]!r:.80} for a sentence, and --positive-class and --classes are for what a "
                "pipeline emits, a label with its score. Leave them out, or return the output of the pipeline."
            )
        return list(answers)
    from eec_bias import BiasError
    from eec_bias.reading import expected_scores, read_labelled

    try:
        emitted = read_labelled(there)
        if emitted is None:
            raise SystemFailed(
                f"{spec} returned {there[0]!r:.80} for a sentence and the output of a pipeline for others."
            )
        scores = iter(expected_scores(emitted, options.classes or None, options.positive_class).tolist())
    except BiasError as error:
        raise SystemFailed(f"{spec}: {error}. On the command line: --positive-class, --classes.") from error
    return [None if answer is None else next(scores) for answer in answers]
