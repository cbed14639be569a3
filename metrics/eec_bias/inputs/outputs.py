"""What a system puts out: scores, ordinal levels, classes, or a probability per class.

Everything becomes one or several matrices of numbers on which the same test runs: the score (expected value
over the classes where they have values), and for each class its rate, 1 where the class was predicted.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from eec_bias.errors import LabelsError, OptionError, ScoresError
from eec_bias.inputs.codes import encode
from eec_bias.inputs.matrices import check_columns, columns_of
from eec_bias.inputs.scores import Scores, Tasks, check_range, name_systems, read_scores
from eec_bias.options import Floats, Ints, OutputKind

SUM_TOLERANCE = 1e-3
"""How far the probabilities of one sentence may sum from 1: rounding of printed or half-precision numbers."""

MOST_LEVELS = 20
"""An ordinal scale with more levels is a score."""


@dataclass(frozen=True, slots=True)
class Outputs:
    """Outputs as numbers.

    Attributes
    ----------
    parts : tuple of (str or None, Scores)
        What the rows of the result are about: None for plain scores, otherwise ``score`` and ``rate[CLASS]``.
    predicted : (S, n) integer array, or None
        The class of each sentence, a position in ``classes``.
    classes : tuple of str
        The classes in the order given, or sorted.
    """

    parts: tuple[tuple[str | None, Scores], ...]
    predicted: Ints | None = None
    classes: tuple[str, ...] = ()


def read_outputs(
    scores: Any,
    rows: int,
    *,
    outputs: OutputKind = "score",
    classes: Mapping[Any, float] | Sequence[Any] | None = None,
    score_range: Any = (0.0, 1.0),
    systems: Sequence[str] | None = None,
    tasks: Tasks = None,
) -> Outputs:
    """Check outputs of any kind.

    Parameters
    ----------
    scores : array, or mapping of system name to array
        Scores and ordinal levels: (n,) or (S, n) numbers. Classes: (n,) or (S, n) labels. Probabilities:
        (n, C) or (S, n, C), or a frame with one column per class.
    rows : int
        Number of sentences n.
    outputs : {"score", "ordinal", "class", "probabilities"}
        The kind.
    classes : mapping of class to value, or sequence of classes, optional
        With values there is an expected score besides the rates. By default the classes that occur, sorted.
    score_range, systems, tasks
        As for `scoring.read_scores`; the range of an expected score is that of the classes' values.

    Raises
    ------
    ScoresError
        If an output is missing, is no class or level that was declared, or probabilities do not sum to 1.
    OptionError
        If ``classes`` is missing, has too few classes or equal values, or goes with scores.
    """
    if outputs in ("score", "ordinal"):
        if classes is not None:
            raise OptionError(f"classes= goes with outputs='class' or 'probabilities', not with outputs={outputs!r}")
        checked = read_scores(scores, rows, score_range, systems, tasks)
        return Outputs(((None, checked),)) if outputs == "score" else _ordinal(checked)
    if check_range(score_range) != (0.0, 1.0):
        raise OptionError(
            f"score_range={score_range!r} was given with outputs={outputs!r}; the scale follows from the values in "
            "classes="
        )
    names, values = _classes(classes)
    if outputs == "class":
        names, predicted, expected, who = _labelled(scores, rows, names, values, systems, tasks)
    else:
        names, predicted, expected, who = _probabilities(scores, rows, names, values, systems, tasks)
    parts: list[tuple[str | None, Scores]] = []
    if values is not None and expected is not None:
        parts.append(("score", Scores(expected, who[0], (float(values.min()), float(values.max())), who[1])))
    parts += _rates(predicted, names, who)
    return Outputs(tuple(parts), predicted, names)


_Who = tuple[tuple[str, ...] | None, tuple[str | None, ...] | None]


def _rates(predicted: Ints, names: Sequence[str], who: _Who) -> list[tuple[str | None, Scores]]:
    return [
        (f"rate[{name}]", Scores((predicted == k).astype(float), who[0], (0.0, 1.0), who[1]))
        for k, name in enumerate(names)
    ]


def _ordinal(checked: Scores) -> Outputs:
    whole = checked.values == np.rint(checked.values)
    if not whole.all():
        s, row = (int(i) for i in np.argwhere(~whole)[0])
        of = f" of system {checked.systems[s]!r}" if checked.systems else ""
        raise ScoresError(
            f"output in row {row} (rows count from 0){of} is {float(checked.values[s, row])!r}; ordinal outputs are "
            "whole numbers within score_range: use outputs='score' for numbers in between"
        )
    levels, predicted = np.unique(checked.values, return_inverse=True)
    if len(levels) > MOST_LEVELS:
        raise ScoresError(
            f"the outputs have {len(levels)} levels, from {levels[0]:g} to {levels[-1]:g}; more than {MOST_LEVELS} are "
            "a scale of scores: use outputs='score'"
        )
    names = tuple(f"{level:g}" for level in levels)
    predicted = predicted.reshape(checked.values.shape)
    who = (checked.systems, checked.tasks)
    return Outputs((("score", checked), *_rates(predicted, names, who)), predicted, names)


def _classes(classes: Any) -> tuple[tuple[str, ...] | None, Floats | None]:
    """Return class names and, where a mapping gives them, their values."""
    if classes is None:
        return None, None
    if isinstance(classes, str) or not isinstance(classes, Mapping | Sequence):
        raise OptionError(
            f"classes={classes!r}; expected the classes' values, such as {{'negative': -1, 'positive': 1}}, or their "
            "names"
        )
    names = tuple(map(str, classes))
    if len(set(names)) != len(names) or len(names) < 2:
        raise OptionError(f"classes={classes!r}; expected two or more different classes")
    if not isinstance(classes, Mapping):
        return names, None
    try:
        values = np.array([float(value) for value in classes.values()])
    except (TypeError, ValueError):
        values = np.array([np.nan])
    if not np.isfinite(values).all() or values.min() == values.max():
        raise OptionError(f"classes={classes!r}; expected a finite number per class, not all equal")
    return names, values


def _labelled(
    scores: Any,
    rows: int,
    names: tuple[str, ...] | None,
    values: Floats | None,
    systems: Sequence[str] | None,
    tasks: Tasks,
) -> tuple[tuple[str, ...], Ints, Floats | None, _Who]:
    """Read predicted classes."""
    columns = columns_of(scores)
    if columns is not None:
        check_columns(columns, rows)
        lines, single = list(columns.values()), False
    else:
        single = not _nested(scores)
        lines = [scores] if single else list(scores)
    who = name_systems(len(lines), None if columns is None else tuple(map(str, columns)), systems, tasks, single=single)
    coded = []
    for s, line in enumerate(lines):
        of = f" of system {who[0][s]!r}" if who[0] else ""
        if len(line) != rows:
            raise ScoresError(f"{len(line)} classes{of} for {rows} rows; give one class per row of the data")
        try:
            coded.append(encode("predictions", line))
        except LabelsError as error:
            raise ScoresError(f"classes{of} cannot be read: {error}") from None
    found = sorted({level for column in coded for level in column.levels}, key=_by_value)
    names = names or tuple(found)
    number = {name: k for k, name in enumerate(names)}
    for s, column in enumerate(coded):
        for level in column.levels:
            if level not in number:
                row = int(np.flatnonzero(column.codes == column.levels.index(level))[0])
                of = f" of system {who[0][s]!r}" if who[0] else ""
                raise ScoresError(
                    f"output in row {row} (rows count from 0){of} is {level!r}, which is not among the classes "
                    f"{', '.join(names)}; name every class in classes="
                )
    if len(names) < 2:
        raise ScoresError(f"every output is {names[0]!r}; name the classes there can be in classes=")
    predicted = np.stack([np.array([number[x] for x in c.levels], dtype=np.intp)[c.codes] for c in coded])
    return names, predicted, None if values is None else values[predicted], who


def _by_value(label: str) -> tuple[float, str]:
    """Sort numbers by value, before texts."""
    try:
        return float(label), label
    except ValueError:
        return float("inf"), label


def _nested(scores: Any) -> bool:
    """Tell rows of classes, one per system, from one row."""
    if hasattr(scores, "ndim"):
        return bool(scores.ndim > 1)
    first = next(iter(scores), None)
    return first is not None and not isinstance(first, str) and hasattr(first, "__len__")


def _probabilities(
    scores: Any,
    rows: int,
    names: tuple[str, ...] | None,
    values: Floats | None,
    systems: Sequence[str] | None,
    tasks: Tasks,
) -> tuple[tuple[str, ...], Ints, Floats | None, _Who]:
    """Read probabilities per class."""
    columns = columns_of(scores)
    named, own = None, None
    if columns is not None and all(np.ndim(column) == 1 for column in columns.values()):
        # One column per class: a single system.
        own = tuple(map(str, columns))
        if names is not None and set(own) != set(names):
            raise ScoresError(f"the columns of probabilities are {', '.join(own)}; classes= names {', '.join(names)}")
        scores = np.stack([np.asarray(columns[k], dtype=float) for k in columns], axis=1)
        scores = scores if names is None else scores[:, [own.index(name) for name in names]]
        names = names or own
    elif columns is not None:
        named = tuple(map(str, columns))
        check_columns(columns, rows)
        scores = list(columns.values())
    try:
        cube = np.asarray(scores, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ScoresError(f"probabilities cannot be read as numbers ({error})") from None
    single = cube.ndim == 2 and named is None
    cube = cube[None] if cube.ndim == 2 else cube
    if cube.ndim != 3 or cube.shape[1] != rows:
        raise ScoresError(
            f"probabilities have shape {np.shape(scores)} for {rows} rows; expected (rows, classes) or (systems, rows, "
            "classes)"
        )
    if names is None:
        raise OptionError(
            "outputs='probabilities' needs classes=: the classes in the order of the columns, or their values"
        )
    if cube.shape[2] != len(names):
        raise ScoresError(
            f"there are {cube.shape[2]} probabilities per row and {len(names)} classes: {', '.join(names)}"
        )
    who = name_systems(len(cube), named, systems, tasks, single=single)
    _check_probabilities(cube, who[0])
    expected = None
    if values is not None:
        # Rounded sums may leave the range of the values by as little.
        expected = np.clip(cube @ values / cube.sum(axis=2), values.min(), values.max())
    return names, cube.argmax(axis=2), expected, who


def _check_probabilities(cube: Floats, systems: tuple[str, ...] | None) -> None:
    total = cube.sum(axis=2)
    with np.errstate(invalid="ignore"):
        wrong = ~((cube >= 0) & (cube <= 1)).all(axis=2) | ~(np.abs(total - 1) <= SUM_TOLERANCE)
    if not wrong.any():
        return
    s, row = (int(i) for i in np.argwhere(wrong)[0])
    of = f" of system {systems[s]!r}" if systems else ""
    where = f"row {row} (rows count from 0){of}"
    given = ", ".join(f"{p:.4g}" for p in cube[s, row].tolist())
    raise ScoresError(
        f"the probabilities in {where} are {given}, with the sum {float(total[s, row]):.4g} "
        f"({int(wrong[s].sum())} such); they must lie in [0, 1] and sum to 1: pass the output of a softmax, not logits"
    )
