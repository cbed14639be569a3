"""Scores made from the outputs of systems: one layer for every way in.

A pipeline of transformers says of each sentence which label won and how sure it was of it, or says it of every label.
Neither number is a score yet: the first is the confidence of whichever class won. It becomes one by being told which
class is meant (``positive_class``), or what each class is worth (``classes``).
"""

import ast
import json
import re
import reprlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from eec_bias.errors import OptionError, ScoresError
from eec_bias.inputs.containers import columns_of, is_missing, values_of
from eec_bias.inputs.labels import refuse_lookalikes
from eec_bias.inputs.matrices import STARS
from eec_bias.options import DEFAULTS, Floats, MeasureOptions, is_number
from eec_bias.stats.resolution import Resolution, resolution_of_shares, type_of_doubles

LABEL, SCORE = "label", "score"
"""Keys of what a pipeline says of a label."""

NUMPY = re.compile(r"np\.float\d+\(([^()]*)\)")
"""A number as NumPy prints it."""

LABELS, SCORES = "labels", "scores"
"""Keys of what a zero-shot pipeline says of all labels."""

PIPELINE = (
    "the columns 'label' and 'score' are what a pipeline emits: the score is how sure it was of the label of that row, "
    "whichever it was. If there are two labels, say what both are worth with classes, such as NEGATIVE=0 and "
    "POSITIVE=1; if there are more, call the pipeline with top_k=None and keep the column of one label. If the labels "
    "are something else, call the column otherwise, or name it as an axis"
)
"""Message about a table with both columns if nothing says what the labels are worth."""

OFF = 0.02
"""So far the probabilities of all labels of a sentence may be from 1 together: they were printed, or are bfloat16."""

LISTED = 6
"""So many labels are named in a message."""


@dataclass(frozen=True, slots=True)
class Labelled:
    """Labels with the probability of each, of n sentences.

    Attributes
    ----------
    labels : (n,) list of tuple of str
        Per sentence the label that won, or all labels; none where a sentence has no output.
    shares : (n,) list of tuple of float
        Their probabilities.
    whole : bool
        Whether each sentence has every label.
    """

    labels: list[tuple[str, ...]]
    shares: list[tuple[float, ...]]
    whole: bool

    def __post_init__(self) -> None:
        """Refuse labels that look alike."""
        refuse_lookalikes({label: None for labels in self.labels for label in labels}, "labels", ScoresError)

    @property
    def known(self) -> list[str]:
        """Return the labels that occur, sorted."""
        return sorted({label for labels in self.labels for label in labels})


def scores_of_outputs(scores: Any, options: MeasureOptions) -> tuple[Any, MeasureOptions]:
    """Turn what a pipeline emitted into scores; numbers pass as they are.

    Parameters
    ----------
    scores : as for `measure`, or the output of a pipeline
        A list with a dict of ``label`` and ``score``, or a list of these, or the ``labels`` and ``scores`` of a
        zero-shot pipeline, per sentence; the same as a column of a dataset, Series or array; a frame or mapping of
        the columns ``label`` and ``score``; or a mapping of systems to such lists. Or labels alone.
    options : MeasureOptions
        ``classes`` and ``positive_class`` say what is the score.

    Returns
    -------
    scores, options
        Numbers, labels or probabilities, and the options by which `measure` reads these.

    Raises
    ------
    ScoresError, OptionError
        Naming the option that is missing.
    """
    _refuse_callable(scores)
    by_system = _by_system(scores)
    if by_system is None:
        return _scores_of_labels(scores, options)
    if options.score_range != DEFAULTS.score_range:
        raise OptionError(
            f"score_range {options.score_range!r} was given with the output of a pipeline, whose range follows from "
            "classes or positive_class: leave it out"
        )
    if options.output_kind == "class":
        labels = {name: _winners(emitted) for name, emitted in by_system}
        return _unnamed(labels), _options_of_numbers(options)
    if options.output_kind == "probabilities":
        columns = {name: probabilities_by_class(emitted) for name, emitted in by_system}
        (of_one, *others) = columns.values()
        if others:
            raise OptionError("outputs 'probabilities' takes the output of one pipeline; measure each system by itself")
        return of_one, _options_of_numbers(options)
    if options.output_kind != "score":
        raise OptionError(
            f"outputs {options.output_kind!r} was given with the output of a pipeline; choose 'score', 'class' or "
            "'probabilities'"
        )
    values = {name: expected_scores(emitted, options.classes, options.positive_class) for name, emitted in by_system}
    limits = range_of(options.classes)
    resolution = options.resolution
    if resolution is None:
        resolution = _resolution_of([emitted for _, emitted in by_system], limits)
    read = replace(options, score_range=limits, classes=None, positive_class=None, resolution=resolution)
    return _unnamed(values), read


def _resolution_of(several: Sequence[Labelled], limits: tuple[float, float]) -> Resolution | None:
    """Return how far apart scores may be that are made of probabilities of one type, and not of doubles."""
    kinds, resolutions = set(), []
    for emitted in several:
        shares = np.array([share for row in emitted.shares for share in row])
        kind = type_of_doubles(shares)
        kinds.add(kind)
        resolutions.append(resolution_of_shares(kind, shares, limits))
    (kind, *others) = kinds
    return None if others or kind == "float64" else max(resolutions)


def _scores_of_labels(scores: Any, options: MeasureOptions) -> tuple[Any, MeasureOptions]:
    """Read labels without probabilities, such as Yes and No, by what the options say of them; numbers pass."""
    if options.output_kind != "score" or (options.positive_class is None and options.classes is None):
        return scores, _options_of_numbers(options)
    columns = columns_of(scores)
    by_system = {name: labels_of(column) for name, column in ({"": scores} if columns is None else columns).items()}
    found = {name: labels for name, labels in by_system.items() if labels is not None}
    if not found or len(found) < len(by_system):
        return scores, _options_of_numbers(options)
    if options.positive_class is None:
        return scores, replace(options, outputs="class")
    known = sorted({label for labels in found.values() for label in labels if label is not None})
    if options.positive_class not in known:
        some = ", ".join(map(repr, known[:LISTED])) + (", …" if len(known) > LISTED else "")
        raise OptionError(f"positive_class is {options.positive_class!r}; the labels are {some}")
    refuse_lookalikes(known, "labels", ScoresError)
    values = {
        name: [np.nan if label is None else float(label == options.positive_class) for label in labels]
        for name, labels in found.items()
    }
    return values if columns is not None else values[""], replace(options, positive_class=None)


def labels_of(column: Any) -> list[str | None] | None:
    """Return a column of text, with None where a label is missing; None if it holds anything else, or no text."""
    if not hasattr(column, "__iter__") or isinstance(column, str | bytes) or np.ndim(column) > 1:
        return None
    values = values_of(column)
    there = [value for value in values if not is_missing(value)]
    if not there or not all(isinstance(value, str) for value in there):
        return None
    return [None if is_missing(value) else str(value) for value in values]


def _options_of_numbers(options: MeasureOptions) -> MeasureOptions:
    """Return the options, with ``positive_class`` turned into the class that is worth 1."""
    if options.positive_class is None:
        return options
    if options.output_kind not in ("class", "probabilities"):
        raise OptionError(
            f"positive_class {options.positive_class!r} names a label, and the outputs are numbers; leave it out if "
            "they are scores already, or give the labels, the output of the pipeline, or outputs 'probabilities'"
        )
    if options.classes is None or isinstance(options.classes, Mapping):
        raise OptionError(
            f"positive_class {options.positive_class!r} needs the names of all classes; give them as classes, such as "
            f"['negative', {options.positive_class!r}]"
        )
    if options.positive_class not in options.classes:
        raise OptionError(
            f"positive_class {options.positive_class!r} is none of the classes {', '.join(map(str, options.classes))}"
        )
    worth = {str(name): float(name == options.positive_class) for name in options.classes}
    return replace(options, classes=worth, positive_class=None)


def _refuse_callable(scores: Any) -> None:
    """Refuse a function that gives scores where scores are expected."""
    if hasattr(scores, "task") and callable(scores):
        raise ScoresError(
            "scores is a pipeline; call it on the sentences, scores = pipe(list(ds['text']), top_k=None), and say "
            "which label's probability is the score with positive_class, or what each is worth with classes"
        )
    if callable(scores) and not hasattr(scores, "__array__") and not hasattr(scores, "__len__"):
        raise ScoresError(
            f"scores is {scores!r}, which can be called; give what it returns, one score per row of the data"
        )


def _by_system(scores: Any) -> list[tuple[str, Labelled]] | None:
    """Return the output of one pipeline, or of several by name, as labels; None for anything else."""
    emitted = read_labelled(scores)
    if emitted is not None:
        return [("", emitted)]
    if isinstance(scores, Mapping) and scores:
        several = [(str(name), read_labelled(each)) for name, each in scores.items()]
        found = [(name, each) for name, each in several if each is not None]
        if len(found) == len(several):
            return found
    return None


def _unnamed(by_system: dict[str, Any]) -> Any:
    return by_system[""] if by_system.keys() == {""} else by_system


def read_labelled(outputs: Any) -> Labelled | None:
    """Return labels with their probabilities, as a pipeline emits them in any container; None for anything else."""
    columns = columns_of(outputs) if isinstance(outputs, Mapping) or hasattr(outputs, "columns") else None
    if columns is not None:
        if columns.keys() != {LABEL, SCORE}:
            return None
        if not any(isinstance(label, str) for label in values_of(columns[LABEL])[:LISTED]):
            return None
        return pairs_of(values_of(columns[LABEL]), values_of(columns[SCORE]))
    if not _may_hold_outputs(outputs):
        return None
    listed = values_of(outputs)
    first = next((output for output in listed if not is_missing(output)), None)
    if _labels_and_shares(first) is None:
        return None
    rows = [() if is_missing(output) else _labels_and_shares(output) for output in listed]
    for row, pairs in enumerate(rows):
        if pairs is None:
            raise ScoresError(
                f"output in row {row} (rows count from 0) is {reprlib.repr(listed[row])}, and that of others is "
                f"{reprlib.repr(first)}; give the output of one call of a pipeline",
                row=row,
            )
    found = [pairs or () for pairs in rows]
    return Labelled(
        [tuple(label for label, _ in pairs) for pairs in found],
        [tuple(share for _, share in pairs) for pairs in found],
        whole=max(map(len, found)) > 1,
    )


def _labels_and_shares(output: Any) -> tuple[tuple[str, float], ...] | None:
    """Return the labels of one sentence with their probabilities; None for what no pipeline of labels emits."""
    output = _parsed(output)
    if isinstance(output, Mapping) and LABELS in output and SCORES in output:
        return tuple((str(label), _share(share)) for label, share in zip(output[LABELS], output[SCORES], strict=True))
    if isinstance(output, Mapping):
        output = [output]
    is_list = isinstance(output, list | tuple) or (isinstance(output, np.ndarray) and output.ndim == 1)
    several = list(output) if is_list else []
    if not several or not all(isinstance(each, Mapping) and LABEL in each and SCORE in each for each in several):
        return None
    return tuple((str(each[LABEL]), _share(each[SCORE])) for each in several)


def _may_hold_outputs(outputs: Any) -> bool:
    """Return whether a container can hold objects; arrays, Series and tensors of numbers cannot."""
    kind = str(getattr(outputs, "dtype", getattr(outputs, "type", "")))
    numbers = kind.startswith(
        ("float", "int", "uint", "complex", "double", "bool", "Float", "Int", "UInt", "torch", "<U")
    )
    return hasattr(outputs, "__iter__") and not isinstance(outputs, str | bytes) and not numbers


def _parsed(output: Any) -> Any:
    """Return what a cell of JSON, or of what Python prints, holds; anything else as it is."""
    if not (isinstance(output, str) and output.lstrip()[:1] in ("[", "{")):
        return output
    for read in (json.loads, ast.literal_eval):
        try:
            return read(NUMPY.sub(r"\1", output).strip())
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
    return output


def _share(value: Any) -> float:
    if not hasattr(value, "__float__"):
        return np.nan
    try:
        return float(value)
    except (TypeError, OverflowError):  # an array, or a number beyond all floats
        return np.nan


def _winners(emitted: Labelled) -> list[str | None]:
    """Return the most probable label of each sentence; None where it has no output."""
    rows = zip(emitted.labels, emitted.shares, strict=True)
    return [labels[int(np.argmax(shares))] if shares else None for labels, shares in rows]


def probabilities_by_class(emitted: Labelled) -> dict[str, Floats]:
    """Return the probabilities of each label, from outputs that have every label.

    Raises
    ------
    ScoresError
        If a sentence has one label only, or others than the first.
    """
    names = emitted.known
    if not emitted.whole:
        raise ScoresError(
            "the output of the pipeline has the label that won only; call it with top_k=None, which gives the "
            "probability of every label"
        )
    columns = {name: np.full(len(emitted.labels), np.nan) for name in names}
    for row, (labels, shares) in enumerate(zip(emitted.labels, emitted.shares, strict=True)):
        if labels and sorted(labels) != names:
            raise ScoresError(
                f"output in row {row} (rows count from 0) has the labels {', '.join(labels)}, expected "
                f"{', '.join(names)}; call the pipeline with top_k=None, which gives every label",
                row=row,
            )
        for label, share in zip(labels, shares, strict=True):
            columns[label][row] = share
    return columns


def range_of(classes: Any) -> tuple[float, float]:
    """Return the lowest and highest score that classes can have; 0 and 1 of a probability."""
    if not isinstance(classes, Mapping):
        return 0.0, 1.0
    values = [float(value) for value in classes.values()]
    return min(values), max(values)


def expected_scores(emitted: Labelled, classes: Any, positive_class: str | None) -> Floats:
    """Return one score per sentence: the probability of a label, or the mean of what the labels are worth.

    Parameters
    ----------
    emitted : Labelled
        Labels with their probabilities.
    classes : mapping of label to number, optional
        What each is worth.
    positive_class : str, optional
        The label whose probability is the score.

    Raises
    ------
    OptionError
        If neither option was given, or both, or they do not name the labels.
    ScoresError
        If the probabilities are none, or those of a label are missing.
    """
    names = emitted.known
    if (classes is None) == (positive_class is None):
        raise OptionError(_ask(emitted))
    if classes is not None and not isinstance(classes, Mapping):
        raise OptionError(f"classes is {classes!r}; {_ask(emitted)}")
    worth: dict[str, float]
    if isinstance(classes, Mapping):
        if not all(map(is_number, classes.values())) or len(set(classes.values())) < 2:
            raise OptionError(f"classes is {classes!r}; expected a finite number per class, not all equal")
        refuse_lookalikes(classes, "classes", OptionError)
        worth = {str(name): float(value) for name, value in classes.items()}
        lacking = [name for name in names if name not in worth]
        if lacking:
            raise OptionError(
                f"classes says what {', '.join(worth)} are worth, and the pipeline emitted {lacking[0]!r}; name every "
                "label"
            )
    else:
        if positive_class not in names and emitted.whole:
            raise OptionError(
                f"positive_class is {positive_class!r}; the labels of the pipeline are {', '.join(names[:LISTED])}"
            )
        worth = {}
    if names == [positive_class]:
        # Of a single label the probability is known, whatever the others have.
        share = np.array([shares[0] if shares else np.nan for shares in emitted.shares])
        _check_shares(share[None, :], emitted)
        return share
    if emitted.whole:
        columns = probabilities_by_class(emitted)
        _check_shares(np.stack(list(columns.values())), emitted)
        if positive_class is not None:
            return columns[positive_class]
        total = np.sum(list(columns.values()), axis=0)
        off = np.flatnonzero(np.abs(total - 1) > OFF)
        if off.size:
            raise ScoresError(
                f"the probabilities in row {off[0]} (rows count from 0) sum to {total[off[0]]:.4g} ({off.size} such); "
                "labels that do not exclude each other have no mean: choose one with positive_class",
                row=int(off[0]),
            )
        low, high = range_of(classes)
        return np.asarray(np.clip(sum(worth[name] * share for name, share in columns.items()) / total, low, high))
    return _of_winners(emitted, worth, positive_class)


def _of_winners(emitted: Labelled, worth: Mapping[str, float], positive_class: str | None) -> Floats:
    """Return scores from winning labels: of two classes, the other has the rest of the probability."""
    if len(worth) != 2:
        told = f"of {len(worth)} classes" if worth else f"beside {positive_class!r}"
        other = next((name for name in emitted.known if name != positive_class), "OTHER")
        both = {other: 0, positive_class or "POSITIVE": 1}
        raise ScoresError(
            "the output of the pipeline has the label that won only, and how probable the others are "
            f"({told}) is not known; call it with top_k=None, or, if there are two classes, give what both are worth "
            f"instead, such as classes={both}"
        )
    won = np.array([worth[labels[0]] if labels else np.nan for labels in emitted.labels])
    share = np.array([shares[0] if shares else np.nan for shares in emitted.shares])
    _check_shares(share[None, :], emitted)
    below = np.flatnonzero(share < 0.5 - OFF)
    if below.size:
        raise ScoresError(
            f"the label in row {below[0]} (rows count from 0) won with {share[below[0]]:.4g}, so there are more than "
            "two classes; call the pipeline with top_k=None",
            row=int(below[0]),
        )
    return np.asarray(share * won + (1 - share) * (sum(worth.values()) - won))


def _check_shares(shares: Floats, emitted: Labelled) -> None:
    """Refuse shares (C, n) that are no probabilities; a sentence without an output has none."""
    there = np.array([len(labels) > 0 for labels in emitted.labels])
    wrong = np.flatnonzero(there & ~((shares >= 0) & (shares <= 1)).all(axis=0))
    if wrong.size:
        row = int(wrong[0])
        raise ScoresError(
            f"output in row {row} (rows count from 0) has the probability {shares[:, row].min():.4g} or "
            f"{shares[:, row].max():.4g} ({wrong.size} such); probabilities lie in [0, 1]: logits need a softmax, "
            "percentages a division by 100",
            row=row,
        )


def _ask(emitted: Labelled) -> str:
    """Return a message that asks for the option to give, with the labels that occur."""
    names = emitted.known
    some = ", ".join(map(repr, names[:LISTED])) + (", …" if len(names) > LISTED else "")
    if names and all(map(STARS.fullmatch, names)):
        stars = {name: int(STARS.fullmatch(name)[1]) for name in names}  # type: ignore[index]
        told = ", ".join(f"{name!r}: {value}" for name, value in sorted(stars.items(), key=lambda pair: pair[1]))
        return (
            f"the output of the pipeline has the labels {some}; say what each is worth with classes, such as {{{told}}}"
        )
    worth = ", ".join(f"{name!r}: {value}" for value, name in enumerate(names[:LISTED]))
    if len(names) == 1:
        return (
            f"the output of the pipeline has the one label {names[0]!r}, whose probability is the score if you say so "
            f"with positive_class {names[0]!r}"
        )
    if not emitted.whole:
        return (
            f"the output of the pipeline has the labels {some}, and its score is how sure it was of the label of that "
            "sentence, whichever it was; call it with top_k=None and say which label's probability is the score with "
            f"positive_class, such as {names[-1]!r}; or, if there are two labels, say what each is worth with classes, "
            f"such as {{{worth}}}"
        )
    return (
        f"the output of the pipeline has the probabilities of the labels {some}; say which of them is the score with "
        f"positive_class, such as {names[-1]!r}, or what each label is worth with classes, such as {{{worth}}}"
    )


def pairs_of(labels: Iterable[Any], shares: Iterable[Any]) -> Labelled:
    """Return two columns, the winning labels and their probabilities, as labels with probabilities."""
    known: list[tuple[str, ...]] = [() if is_missing(label) else (str(label),) for label in labels]
    told: list[tuple[float, ...]] = [
        (_share(share),) if label else () for label, share in zip(known, shares, strict=True)
    ]
    return Labelled(known, told, whole=False)
