"""`measure`: scores and data in, a result out."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from eec_bias.assembly.assemble import assemble
from eec_bias.inputs.engines import is_engine_table, read_engine
from eec_bias.inputs.reading import read_rows
from eec_bias.integrations.tables import with_labels
from eec_bias.options import (
    Incomplete,
    MeasureOptions,
    OutputKind,
    Tasks,
    Threshold,
    checked,
)
from eec_bias.result.result import Result


@checked("default")
def measure(
    scores: Any,
    data: Any = None,
    *,
    config: str | None = None,
    text: str | None = None,
    score: Sequence[str] | str | None = None,
    axes: Sequence[str] | None = None,
    reference: Any = "default",
    score_range: tuple[float, float] | None = (0.0, 1.0),
    confidence: float = 0.95,
    incomplete: Incomplete = "estimate",
    families: Sequence[str] | None = ("family", "ending"),
    by: str | None = None,
    outputs: OutputKind | None = None,
    classes: Mapping[Any, float] | Sequence[Any] | None = None,
    positive_class: str | None = None,
    systems: Sequence[str] | str | None = None,
    tasks: Tasks = None,
    runs: Sequence[str] | str | None = None,
    control: int = 1000,
    seed: int = 0,
    resolution: float | None = None,
    margin: float | None = None,
    rate_above: Threshold | None = None,
    valence: Mapping[str, int] | None = None,
    reaction_margin: float | None = None,
    high_means: str | None = None,
) -> Result:
    """Measure how scores differ between groups; names, templates, words and runs are samples.

    Parameters
    ----------
    scores : (n,) or (S, n) array, or mapping or frame of system name to (n,) scores
        One score per row of ``data``, in its order. A system without any score is left out with a note. Also what a
        pipeline of transformers emits, ``pipe(texts)`` or ``pipe(texts, top_k=None)``, as a list or as a frame of it,
        with ``positive_class`` or ``classes``. Of a table in an engine, the name of its column of scores, or one name
        per system. Or one table with sentences, groups and scores: a path, a frame or a dataset, without ``data``.
    data : datasets.Dataset, pandas.DataFrame, pyarrow.Table or mapping of columns
        The columns ``person``, ``item``, one per axis and, where noun phrases take part, ``pair``. Labels are
        text, integers, categoricals or dictionary arrays. Or a table that stays in its engine: a relation of DuckDB,
        a frame of Spark, or a lazy frame of polars, whose rows are read in batches. Rows without these columns are
        labelled by the corpus that holds all their ids or texts, such as those of the file of 2018.
    config : str, optional
        The corpus that was scored, if the rows have no labels. By default the one that has all of them.
    text : str, optional
        The column of sentences of such rows, if it is not called ``text``, ``sentence``, ``tweet`` or ``prompt``.
    score : str or sequence of str, optional
        The columns of scores of a table, one per system. By default ``score``, or all that hold numbers.
    axes : sequence of str, optional
        Identity axes; by default ``race``, ``gender`` and every further axis with two marked levels.
    reference : "default", None or mapping of axis to level or None
        What levels are compared with. By default, on axes with two levels, ``male``, and ``white``, ``Anglo`` or
        ``Spanish``, and else the first by name; other axes report each level's deviation from their mean, as all do
        with None.
    score_range : (float, float) or None
        Lowest and highest possible score. Effects are in these units. None where it is not known, as of a regression
        model: all but the beta regression is as ever, which needs the bounds.
    confidence : float
        Confidence of all intervals, between 0 and 1. Differences are tested at 1 minus it, and ``mde`` is what such a
        test finds. Equivalence has a level of its own, .05, and an interval of .90 that belongs to it.
    incomplete : {"estimate", "refuse", "shared"}
        Whether a person × item table with gaps is an error, is cut down to the items all persons share, or is used
        as it is, by least squares.
    families : sequence of str, optional
        At most two columns of what names share, such as their first letters: such names are no independent draws. By
        default ``family`` and ``ending``, which the corpora have, as far as the data have them; ``()`` for none.
    by : str, optional
        A column, such as ``emotion``: terms for each of its values, in the column ``stratum``.
    outputs : {"score", "ordinal", "class", "probabilities"}, optional
        What ``scores`` are: numbers; whole numbers on a scale; predicted classes; (n, C) or (S, n, C)
        probabilities. All but the first add rates of each class, in the column ``output``, and `flips`. By default
        numbers, which are outcomes if all of them are 0 or 1: then the result has ``rates``. ``score`` says that such
        numbers are scores.
    classes : mapping of class to value, or sequence of classes, optional
        The classes; with values, terms of the expected score too. For the output of a pipeline what each label is
        worth; the score is the mean of these under the probabilities.
    positive_class : str, optional
        The label whose probability is the score, for the output of a pipeline and other outputs that have classes.
    systems : sequence of str, or str, optional
        Names of the rows of a matrix of scores; or the column of long data that names each row's system.
    tasks : str, sequence or mapping of system to task, optional
        What the systems predict (for long data, the name of a column). Shown in the column ``task``.
    runs : sequence of str, or str, optional
        Prompts, seeds or fine-tunes of a system, each of which scored every sentence: the run of each row of a matrix
        of scores, whose systems may then repeat; or the column of long data. Their mean is measured. Rows of two or
        three runs are rough.
    seed : int
        Of everything that is drawn.
    control : int
        How often names and words are dealt to the groups at random, so that every gap is chance: the negative control,
        ``result.control``, which is computed when you look at it or print the result. 0 switches it off.
    resolution : float, optional
        How far apart raw scores may be and still be equal, as those of one sentence in another batch are. Groups whose
        scores are equal on every item show no reaction, and no p. By default 8 units in the last place of the scores'
        type, at the largest of them. Effects are never rounded to it.
    margin : float, optional
        The gap that you call close, in points: hundredths of the declared range, or units of the scores without one.
    rate_above : float or "median", optional
        Threshold, or the median of all persons on the same item: ``rates`` of the result say how often scores of each
        group lie above it, and their difference and ratio with intervals. It decides no verdict, and changes no other
        row.
    valence : mapping of emotion to 1 or -1, optional
        Which emotions are positive, and which are negative, for rows on reaction; emotions without a sign take no part
        in these. By default joy is positive, and anger, fear and sadness are negative.
    reaction_margin : float, optional
        The ratio of reactions, such as .8, from which on you call them close.
    high_means : str, optional
        What a high score means, as the end of "more …": ``positive``, ``toxic``. Findings say it; no number changes.

    Returns
    -------
    Result

    Raises
    ------
    ScoresError, LabelsError, DesignError, OptionError
        All of them `BiasError`, a ``ValueError``; the message says what was given, where, and how to fix it.
    """
    options = MeasureOptions(
        config=config,
        text=text,
        score=score,
        axes=axes,
        reference=reference,
        score_range=score_range,
        confidence=confidence,
        incomplete=incomplete,
        families=families,
        by=by,
        outputs=outputs,
        classes=classes,
        positive_class=positive_class,
        systems=systems,
        tasks=tasks,
        runs=runs,
        seed=seed,
        resolution=resolution,
        margin=margin,
        rate_above=rate_above,
        valence=valence,
        reaction_margin=reaction_margin,
        high_means=high_means,
        control=control,
    )
    scores, data, options, notes = with_labels(scores, data, options)
    read = read_engine(data, scores, options) if is_engine_table(data) else read_rows(scores, data, options)
    result = assemble(*read, options)
    return replace(result, high_means=high_means or "", notes=(*notes, *result.notes))
