"""Outputs of a system: scores, ordinal levels, classes, or a probability per class.

Everything becomes one or several matrices of numbers on which the same test runs: the score (expected value
over the classes where they have values), and for each class its rate, 1 where the class was predicted.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from eec_bias.errors import LabelsError, OptionError, ScoresError, expect
from eec_bias.grouping import grouped
from eec_bias.inputs.containers import columns_of
from eec_bias.inputs.labels import encode, refuse_lookalikes
from eec_bias.inputs.matrices import (
    as_numbers,
    by_system,
    check_range,
    is_one_line,
    read_scores,
    refuse_labelled,
    types_of,
    unmask,
)
from eec_bias.inputs.scores import Names, Scores, Systems, mean_over_runs, name_systems, not_finite
from eec_bias.notes import Note
from eec_bias.options import Floats, Ints, MeasureOptions, is_number, is_sequence
from eec_bias.stats.resolution import coarsest, resolution_of_shares, type_of_doubles

ROUNDED = 0.005 * (1 + 1e-9)
"""Most that each probability of a sentence may move the sum from 1: as numbers printed with two decimals do."""

FARTHEST = 0.2
"""Largest distance of the sum from 1, for any number of classes."""

MOST_LEVELS = 20
"""An ordinal scale with more levels is a score."""

LISTED = 9
"""So many probabilities of a sentence are told in an error."""

FEWEST_RUNS = 4
"""With two or three runs a true null is rejected in up to 12 % of cases."""


@dataclass(frozen=True, slots=True)
class Outputs:
    """Outputs as numbers.

    Attributes
    ----------
    parts : tuple of (str or None, Scores)
        What the rows of the result are about: None for plain scores, otherwise ``score`` and ``rate[CLASS]``.
    predicted : (S, n) integer array, or None
        The class of each sentence, a position in ``classes``; −1 where it is not known.
    classes : tuple of str
        The classes in the order given, or sorted.
    """

    parts: tuple[tuple[str | None, Scores], ...]
    predicted: Ints | None = None
    classes: tuple[str, ...] = ()

    @property
    def scores(self) -> Scores:
        """Return the scores, or the first numbers that stand for the outputs."""
        return self.parts[0][1]


def read_outputs(scores: Any, rows: int, options: MeasureOptions, systems: Systems | None = None) -> Outputs:
    """Check outputs of the kind that was asked for.

    Parameters
    ----------
    scores : array, or mapping of system name to array
        Scores and ordinal levels: (n,) or (S, n) numbers. Classes: (n,) or (S, n) labels. Probabilities:
        (n, C) or (S, n, C), or a frame with one column per class.
    rows : int
        Number of sentences n.
    options : MeasureOptions
        What was asked for; the range of an expected score is that of the classes' values.
    systems : Systems, optional
        The systems, if they are known already.

    Raises
    ------
    ScoresError
        If an output is missing, is no class or level that was declared, or probabilities do not sum to 1.
    OptionError
        If ``classes`` is missing, has too few classes or equal values, or goes with scores.
    """
    outputs, classes = options.output_kind, options.classes
    if outputs in ("score", "ordinal"):
        if classes is not None:
            raise OptionError(f"classes go with the outputs 'class' or 'probabilities', not with {outputs!r}")
        checked = read_scores(scores, rows, options, systems)
        return Outputs(((None, checked),)) if outputs == "score" else _read_ordinal(checked)
    if check_range(options.score_range) != (0.0, 1.0):
        raise OptionError(
            f"a score range was declared, and the scale of the outputs {outputs!r} follows from the values of the "
            "classes"
        )
    declared, values = _read_classes(classes)
    read = _read_predicted if outputs == "class" else _read_probabilities
    names, cube, systems = read(scores, rows, declared, options)
    score, known = None, np.asarray(~np.isnan(cube).all(axis=2))
    if not known.any():
        raise ScoresError(f"there are no outputs: all {rows} of every system are missing")
    if options.incomplete == "refuse" and not known.all():
        s, row = np.argwhere(~known)[0].tolist()
        raise not_finite(systems.place(s, row), np.nan, int((~known[s]).sum()))
    if values is not None:
        low, high = float(values.min()), float(values.max())
        # Rounded sums may leave the range of the values by as little.
        expected = np.clip(cube @ values / cube.sum(axis=2), low, high)
        noise, kinds = _noise_of_shares(scores, cube, (low, high))
        score = Scores(expected, systems, (low, high), kinds=kinds, noise=noise)
    predicted = np.where(known, np.where(known[:, :, None], cube, 0.0).argmax(axis=2), -1)
    return _with_rates(names, predicted, systems, score)


def _noise_of_shares(scores: Any, cube: Floats, limits: tuple[float, float]) -> tuple[Floats, tuple[str, ...]]:
    """Return how far apart scores may be that are made of probabilities (S, n, C), and the type of each system's."""
    kinds = types_of(scores, len(cube))
    if len(kinds) != len(cube):
        # A column per class, of one system.
        kinds = [coarsest(kinds)]
    kinds = [
        type_of_doubles(each.ravel()) if kind == "float64" else kind for kind, each in zip(kinds, cube, strict=True)
    ]
    noise = [resolution_of_shares(kind, each, limits) for kind, each in zip(kinds, cube, strict=True)]
    return np.array(noise, dtype=float), tuple(kinds)


def _with_rates(names: tuple[str, ...], predicted: Ints, systems: Systems, score: Scores | None) -> Outputs:
    """Return the score, where there is one, and the rate of each class, NaN where no class is known."""
    known = predicted >= 0
    rates = (Scores(np.where(known, predicted == k, np.nan), systems, (0.0, 1.0)) for k in range(len(names)))
    parts = ((f"rate[{name}]", rate) for name, rate in zip(names, rates, strict=True))
    return Outputs((*([("score", score)] if score else []), *parts), predicted, names)


def _read_ordinal(checked: Scores) -> Outputs:
    for s, row in np.argwhere(np.abs(checked.values - np.rint(checked.values)) > 0):
        whose, output = checked.systems.of(s), float(checked.values[s, row])
        raise ScoresError(
            f"output in row {checked.systems.row(s, row)} (rows count from 0){whose} is {output!r}; ordinal outputs "
            "are whole numbers within the score range: numbers in between are outputs 'score'",
            row=checked.systems.row(s, row),
        )
    known = ~np.isnan(checked.values)
    levels = np.unique(checked.values[known])
    predicted = np.where(known, np.searchsorted(levels, checked.values), -1)
    if len(levels) > MOST_LEVELS:
        raise ScoresError(
            f"the outputs have {len(levels)} levels, from {levels[0]:g} to {levels[-1]:g}; more than {MOST_LEVELS} "
            "are a scale of scores: choose outputs 'score'"
        )
    names = tuple(f"{level:g}" for level in levels)
    return _with_rates(names, predicted, checked.systems, checked)


def _read_classes(classes: Any) -> tuple[Names, Floats | None]:
    """Return class names and, where a mapping gives them, their values."""
    if classes is None:
        return None, None
    several = isinstance(classes, Mapping) or is_sequence(classes)
    expect(several, "classes", classes, "the classes' values, such as {'negative': -1, 'positive': 1}, or their names")
    refuse_lookalikes(classes, "classes", OptionError)
    names = tuple(map(str, classes))
    expect(len(set(names)) == len(names) > 1, "classes", classes, "two or more different classes")
    if not isinstance(classes, Mapping):
        return names, None
    unequal = all(map(is_number, classes.values())) and len(set(classes.values())) > 1
    expect(unequal, "classes", classes, "a finite number per class, not all equal")
    return names, np.array(list(classes.values()), dtype=float)


def _read_predicted(
    scores: Any, rows: int, names: Names, options: MeasureOptions
) -> tuple[tuple[str, ...], Floats, Systems]:
    """Read predicted classes, as probabilities of 0 and 1."""
    lines, given_names = by_system(scores, rows)
    if given_names is None:
        refuse_labelled(lines)
    single = given_names is None and is_one_line(lines)
    lines = [lines] if single else list(lines)
    systems = name_systems(options, len(lines), given_names, single=single)
    coded = []
    for s, line in enumerate(lines):
        if len(line) != rows:
            raise ScoresError(f"{len(line)} classes{systems.of(s)} for {rows} rows; give one class per row of the data")
        try:
            # A missing class is the empty text.
            coded.append(encode("predictions", line, missing=""))
        except LabelsError as error:
            raise ScoresError(f"classes{systems.of(s)} cannot be read: {error}") from None
    levels = [level for column in coded for level in column.levels if level]
    refuse_lookalikes((*(names or ()), *levels), "classes", ScoresError)
    names = names or tuple(sorted(set(levels), key=_by_value))
    for s, column in enumerate(coded):
        for level in column.levels:
            if level and level not in names:
                row, classes = column.first(level), ", ".join(names)
                raise ScoresError(
                    f"output in row {row} (rows count from 0){systems.of(s)} is {level!r}, which is not among the "
                    f"classes {classes}; name every class in classes",
                    row=row,
                )
    if len(names) < 2:
        raise ScoresError(f"every output is {names[0]!r}; name in classes the classes there can be")
    place = {name: k for k, name in enumerate(names)}
    predicted = np.stack([np.array([place.get(x, -1) for x in c.levels], dtype=np.intp)[c.codes] for c in coded])
    # Of a sentence without a class, the last row, nothing is known.
    return names, np.vstack([np.eye(len(names)), np.full(len(names), np.nan)])[predicted], systems


def _by_value(label: str) -> tuple[float, str]:
    """Sort numbers by value, before texts."""
    try:
        return float(label), label
    except ValueError:
        return float("inf"), label


def _read_probabilities(
    scores: Any, rows: int, names: Names, options: MeasureOptions
) -> tuple[tuple[str, ...], Floats, Systems]:  # fmt: skip
    """Read probabilities per class: the classes, (S, n, C) numbers, and whose they are."""
    columns, given_names = columns_of(scores), None
    if columns is not None and all(np.ndim(column) == 1 for column in columns.values()):
        # One column per class: a single system.
        headings = tuple(map(str, columns))
        if names is not None and set(headings) != set(names):
            raise ScoresError(f"the columns of probabilities are {', '.join(headings)}, the classes {', '.join(names)}")
        names, by_class = names or headings, dict(zip(headings, columns.values(), strict=True))
        scores = as_numbers([unmask(by_class[name]) for name in names]).T
    else:
        scores, given_names = by_system(scores, rows)
    cube = as_numbers(scores)
    single = cube.ndim == 2 and given_names is None
    cube = cube[None] if cube.ndim == 2 else cube
    if cube.ndim != 3 or cube.shape[1] != rows:
        raise ScoresError(
            f"probabilities have shape {np.shape(scores)} for {rows} rows; expected (rows, classes) or (systems, "
            "rows, classes)"
        )
    if names is None:
        raise OptionError("probabilities need classes: these in the order of the columns, or their values")
    if cube.shape[2] != len(names):
        raise ScoresError(
            f"there are {cube.shape[2]} probabilities per row and {len(names)} classes: {', '.join(names)}"
        )
    systems = name_systems(options, len(cube), given_names, single=single)
    _check_probabilities(cube, systems)
    return names, cube, systems


def _check_probabilities(cube: Floats, systems: Systems) -> None:
    total, tolerance = cube.sum(axis=2), min(ROUNDED * cube.shape[2], FARTHEST)
    with np.errstate(invalid="ignore"):
        wrong = ~((cube >= 0) & (cube <= 1)).all(axis=2) | ~(np.abs(total - 1) <= tolerance)
    wrong &= ~np.isnan(cube).all(axis=2)
    for s, row in np.argwhere(wrong):
        listing = ", ".join(f"{p:.4g}" for p in cube[s, row, :LISTED].tolist())
        if cube.shape[2] > LISTED:
            listing += ", …"
        whose, summed, such = systems.of(s), float(total[s, row]), int(wrong[s].sum())
        if abs(summed - 100) <= 100 * tolerance and (cube[s, row] >= 0).all():
            raise ScoresError(
                f"the probabilities in row {int(row)} (rows count from 0){whose} are {listing}, with the sum "
                f"{summed:.4g} ({such} such): they are percentages; divide them by 100",
                row=int(row),
            )
        raise ScoresError(
            f"the probabilities in row {int(row)} (rows count from 0){whose} are {listing}, with the sum {summed:.4g} "
            f"({such} such); they must lie in [0, 1] and sum to 1: pass the output of a softmax, not logits; measure "
            "labels that do not exclude each other as scores, each by itself",
            row=int(row),
        )


def fold_runs(outputs: Outputs) -> Outputs:
    """Turn one row of scores per run into one per system.

    Parameters
    ----------
    outputs : Outputs
        One row per system, task and run; unchanged where there are no runs.

    Returns
    -------
    Outputs
        Scores are means over runs; classes, which have no mean, are left to their rates.
    """
    systems = outputs.scores.systems
    if systems.runs is None:
        return outputs
    rows = grouped((tuple(systems.keys_of(s).values()), s) for s in range(len(systems.runs)))
    groups: list[Ints] = [np.array(group, dtype=np.intp) for group in rows.values()]
    notes = tuple(_note_of_number(systems.only(group)) for group in groups)
    if outputs.predicted is not None:
        notes += (Note("no_flips_of_runs"),)
    # The notes are said once, with the first part.
    parts = [(label, _fold(part, groups, () if k else notes)) for k, (label, part) in enumerate(outputs.parts)]
    return Outputs(tuple(parts), None, outputs.classes)


def _note_of_number(of_system: Systems) -> Note:
    """Say how many runs of a system are measured."""
    runs, system = of_system.runs or (), replace(of_system, runs=None)
    subject = system.subject_note(0)
    if len(runs) == 1:
        return Note("one_run", {"subject": subject, "run": runs[0]})
    return Note("mean_of_runs", {"subject": subject, "count": len(runs), "runs": ", ".join(runs)})


def _fold(scores: Scores, groups: Sequence[Ints], notes: tuple[Note, ...]) -> Scores:
    widest = max(map(len, groups))
    runs = np.full((len(groups), widest, scores.values.shape[1]), np.nan)
    for s, rows in enumerate(groups):
        runs[s, : len(rows)] = scores.values[rows]
    firsts = np.array([rows[0] for rows in groups], dtype=np.intp)
    systems = replace(scores.systems.only(firsts), runs=None)
    names = scores.systems.runs or ()
    run_names = tuple(tuple(names[row] for row in rows) for rows in groups)
    more = (*scores.notes, *notes)
    kinds = tuple(coarsest(scores.kind(row) for row in rows.tolist()) for rows in groups)
    noise = None if scores.noise is None else np.array([scores.noise[rows].max() for rows in groups])
    folded = replace(scores, values=mean_over_runs(runs), systems=systems, notes=more, runs=runs, run_names=run_names)
    return replace(folded, kinds=kinds, noise=noise)
