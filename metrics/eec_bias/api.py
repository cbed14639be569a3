"""`measure`: scores and data in, a result out."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from eec_bias.errors import LabelsError, OptionError
from eec_bias.inputs.chunks import measure_chunks
from eec_bias.inputs.long import read_long, widen
from eec_bias.inputs.matrices import refuse_other_order
from eec_bias.inputs.outputs import Outputs, read_outputs
from eec_bias.inputs.scores import Tasks
from eec_bias.inputs.sources import Source, axis_names, read_source
from eec_bias.inputs.strata import Stratum, cut
from eec_bias.options import (
    ADJUST,
    INCOMPLETE,
    OUTPUTS,
    Adjust,
    Comparisons,
    Incomplete,
    OutputKind,
    Permutations,
    one_of,
)
from eec_bias.result.assemble import Part, all_flips, assemble
from eec_bias.result.result import Result
from eec_bias.result.signature import Signature
from eec_bias.stats.analysis import analyse
from eec_bias.stats.inference import Inference, check_inference
from eec_bias.stats.sums import parse_edge, summarise


def measure(
    scores: Any,
    data: Any = None,
    *,
    axes: Sequence[str] | None = None,
    reference: Any = "default",
    score_range: tuple[float, float] = (0.0, 1.0),
    adjust: Adjust = "holm",
    edge: str = "none",
    incomplete: Incomplete = "refuse",
    simple: bool = False,
    contrasts: Comparisons = "default",
    by: str | None = None,
    outputs: OutputKind = "score",
    classes: Mapping[Any, float] | Sequence[Any] | None = None,
    systems: Sequence[str] | str | None = None,
    tasks: Tasks = None,
    permutations: Permutations = 0,
    bootstrap: int = 0,
    refit: bool = False,
    seed: int = 0,
    margin: float | None = None,
    data_name: str | None = None,
) -> Result:
    """Measure how scores differ between groups, with two-way names × items inference.

    Parameters
    ----------
    scores : (n,) or (S, n) array, or mapping or frame of system name to (n,) scores
        One score per row of ``data``, in its order. A system without any score is left out with a note.
    data : datasets.Dataset, pandas.DataFrame, pyarrow.Table or mapping of columns
        The columns ``person``, ``item``, one per axis and, where noun phrases take part, ``pair``. Labels are
        text, integers, categoricals or dictionary arrays. None where ``scores`` is an iterable of (scores, rows)
        chunks, see `streaming.Accumulator`.
    axes : sequence of str, optional
        Identity axes; by default ``race``, ``gender`` and every further axis with two marked levels.
    reference : "default", None or mapping of axis to level
        What levels are compared with. By default ``male``, and ``white`` or ``Anglo``, on axes with two levels;
        other axes report each level's deviation from their mean, as all do with None.
    score_range : (float, float)
        Lowest and highest possible score. Effects are in these units.
    adjust : {"holm", "bh", "by", "maxt", "none"}
        Adjustment of p: Holm within the rows of one system, task and subset (all strata and outputs together);
        Benjamini–Hochberg and Benjamini–Yekutieli within a subset over all systems; max-T by relabellings within
        each stratum and output, times their number.
    edge : {"none", "squeeze", "clip:EPS"}
        What the beta regression does with scores at 0 and 1. Means are never changed.
    incomplete : {"refuse", "shared"}
        Whether a person × item table with gaps is an error or is cut down to the items all persons share.
    simple : bool
        Whether to add each axis' effects within the levels of the others.
    contrasts : {"default", "pairwise"}
        Whether axes with more than two levels are reported pair by pair.
    by : str, optional
        A column, such as ``emotion``: terms for each of its values, in the column ``stratum``.
    outputs : {"score", "ordinal", "class", "probabilities"}
        What ``scores`` are: numbers; whole numbers on a scale; predicted classes; (n, C) or (S, n, C)
        probabilities. All but the first add rates of each class, in the column ``output``, and `flips`.
    classes : mapping of class to value, or sequence of classes, optional
        The classes; with values, terms of the expected score too.
    systems : sequence of str, or str, optional
        Names of the rows of a matrix of scores; or the column of long data that names each row's system.
    tasks : str, sequence or mapping of system to task, optional
        What the systems predict (for long data, also the name of a column). Shown in the column ``task``; the
        methods of the papers take the sentences of the matching emotion.
    permutations, bootstrap, refit, seed, margin
        Inference on request, see `inference.Inference`.
    data_name : str, optional
        What the signature calls the data; by default taken from a ``Dataset`` or a table of eec_datasets.

    Returns
    -------
    Result

    Raises
    ------
    ScoresError, LabelsError, DesignError, OptionError
        All of them `BiasError`, a ``ValueError``; the message says what was given, where, and how to mend it.
    """
    for name, given, allowed in (
        ("adjust", adjust, ADJUST.choices),
        ("incomplete", incomplete, INCOMPLETE.choices),
        ("outputs", outputs, OUTPUTS.choices),
    ):
        one_of(name, given, allowed)
    parse_edge(edge)
    if data is None:
        return measure_chunks(
            scores,
            {"axes": axes, "score_range": score_range, "systems": systems, "tasks": tasks, "edge": edge,
             "data_name": data_name},
            {"reference": reference, "adjust": adjust, "simple": simple, "contrasts": contrasts,
             "permutations": permutations, "bootstrap": bootstrap, "seed": seed, "margin": margin},
            {"incomplete": (incomplete, "refuse"), "by": (by, None),
             "outputs": (outputs, "score"), "classes": (classes, None), "refit": (refit, False)},
        )  # fmt: skip
    source = read_source(data, data_name)
    if not source.rows:
        raise LabelsError("data has no rows; expected one row per sentence with race, gender, person and item")
    refuse_other_order(scores, data)
    asked = None if axes is None else axis_names(axes)
    kind = {"outputs": outputs, "classes": classes, "score_range": score_range}
    source, read = _read(scores, source, systems, tasks, asked, by, kind)
    plain = read.parts[0][1]
    inference = check_inference(
        permutations=permutations, seed=seed, bootstrap=bootstrap, refit=refit, margin=margin, contrasts=contrasts,
        adjust=adjust, score_range=plain.score_range, observed=plain.observed,
    )  # fmt: skip
    strata, notes = cut(source, by, asked, reference=reference, shared=incomplete == "shared")
    parts = [
        _analyse(stratum, output, scores_of, simple=simple, edge=edge, inference=inference)
        for stratum in strata
        for output, scores_of in read.parts
    ]
    names = tuple(dict.fromkeys(axis for stratum in strata for axis in stratum.design.axes))
    extras = (*_extras(plain.score_range, incomplete, by, outputs, classes), *inference.extras)
    signature = Signature(source.data, names, _references(strata, names), "names+items", adjust, edge, extras)
    result = assemble(parts, names, (*plain.notes, *notes), adjust, edge, signature, source)
    return result if read.predicted is None else _with_flips(result, parts, read)


def _read(
    scores: Any,
    source: Source,
    systems: Any,
    tasks: Any,
    axes: tuple[str, ...] | None,
    by: str | None,
    kind: dict[str, Any],
) -> tuple[Source, Outputs]:
    """Check the outputs; long data become wide."""
    if not isinstance(systems, str):
        return source, read_outputs(scores, source.rows, systems=systems, tasks=tasks, **kind)
    if not (tasks is None or isinstance(tasks, str)):
        raise OptionError(f"tasks={tasks!r}; with systems={systems!r} it is the name of a column of the data as well")
    rows = source.rows
    order, wide, names, what = widen(source, systems, tasks, axes, by)
    return wide, read_long(scores, rows, order, names, what, **kind)


def _analyse(
    stratum: Stratum, output: str | None, scores: Any, *, simple: bool, edge: str, inference: Inference
) -> Part:
    if stratum.rows is not None:
        scores = scores.only(stratum.rows)
    # A rate is 0 or 1 in every row, so an edge treatment would decide its beta regression.
    treatment = "none" if output is not None and output != "score" else edge
    found = []
    for table in stratum.design.tables:
        values = table.gather(scores.values)
        sums = summarise(values, table.cell, edge=treatment, score_range=scores.score_range)
        found.append(
            analyse(table, sums, score_range=scores.score_range, values=values, simple=simple, inference=inference)
        )
    return Part(stratum, output, scores, found)


def _with_flips(result: Result, parts: list[Part], read: Outputs) -> Result:
    """Add how often the class changes, and what the rates are in."""
    notes = result.notes
    if result.score_range != (0.0, 1.0):
        notes += ("rows of a rate are in shares of sentences, between 0 and 1, not in the units of the scores",)
    return replace(result, notes=notes, flips=all_flips(parts, read.predicted, len(read.classes)))


def _references(strata: list[Stratum], axes: tuple[str, ...]) -> tuple[str, ...]:
    known: dict[str, str] = {}
    for stratum in reversed(strata):
        known |= dict(zip(stratum.design.axes, stratum.design.references, strict=True))
    return tuple(known[axis] for axis in axes)


def _extras(
    score_range: tuple[float, float], incomplete: Incomplete, by: str | None, outputs: OutputKind, classes: Any
) -> tuple[tuple[str, str], ...]:
    """Options that differ from their defaults, for the signature."""
    low, high = score_range
    found = []
    if (low, high) != (0.0, 1.0) and not isinstance(classes, Mapping):
        found.append(("range", f"{low:g}..{high:g}"))
    if incomplete != "refuse":
        found.append(("incomplete", incomplete))
    if by is not None:
        found.append(("by", by))
    if outputs != "score":
        found.append(("outputs", outputs))
    if isinstance(classes, Mapping):
        found.append(("classes", "+".join(f"{name}={float(value):g}" for name, value in classes.items())))
    elif classes is not None:
        found.append(("classes", "+".join(map(str, classes))))
    return tuple(found)
