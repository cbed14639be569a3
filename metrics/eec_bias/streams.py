"""Rows that need not fit in memory: they come in chunks, or stay in a table whose engine reads them in batches."""

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from eec_bias.assembly.assemble import assemble
from eec_bias.errors import BiasError, OptionError, ScoresError, expect
from eec_bias.inputs.chunks import Chunks
from eec_bias.inputs.engines import STEPS, read_engine
from eec_bias.inputs.sources import read_source
from eec_bias.options import Incomplete, MeasureOptions, OutputKind, Tasks, checked, is_name, refuse_foreign
from eec_bias.result.result import Result

Progress = Callable[[int, int, str], Any]


class Accumulator:
    """Take in scored rows chunk by chunk; give the same result as ``measure`` on all of them.

    Of a row its scores are kept, 8 bytes each, and 8 bytes that say whom and what it is about; texts are not.

    Parameters
    ----------
    axes, score_range, incomplete, families, by, outputs, classes, positive_class, systems, tasks, runs
        As for ``measure``; by default axes are race, gender and the further text columns of the first chunk.
    edge : {"none", "squeeze", "clip:EPS"}
        What the beta regression does with scores at 0 and 1.

    Notes
    -----
    After an error the accumulator is closed: what the failed chunk left is not known.
    """

    @checked("default")
    def __init__(
        self,
        *,
        axes: Sequence[str] | None = None,
        score_range: tuple[float, float] | None = (0.0, 1.0),
        edge: str = "none",
        incomplete: Incomplete = "estimate",
        families: Sequence[str] | None = ("family", "ending"),
        by: str | None = None,
        outputs: OutputKind = "score",
        classes: Mapping[Any, float] | Sequence[Any] | None = None,
        positive_class: str | None = None,
        systems: Sequence[str] | None = None,
        tasks: Tasks = None,
        runs: Sequence[str] | None = None,
    ) -> None:
        self._start(
            MeasureOptions(
                axes=axes,
                score_range=score_range,
                edge=edge,
                incomplete=incomplete,
                families=families,
                by=by,
                outputs=outputs,
                classes=classes,
                positive_class=positive_class,
                systems=systems,
                tasks=tasks,
                runs=runs,
            )
        )

    def _start(self, options: MeasureOptions) -> None:
        self._options = options
        self._rows = Chunks(options)
        self._chunks = 0
        self._closed = ""

    @classmethod
    def of(cls, options: MeasureOptions) -> "Accumulator":
        """Return one that measures by options that are known as a whole."""
        made = cls.__new__(cls)
        made._start(options)
        return made

    def update(self, scores: Any, rows: Any) -> None:
        """Take in some rows.

        Parameters
        ----------
        scores : (n,) or (S, n) array, or mapping or frame of system name to (n,) scores
            One score per row; the same systems in every chunk.
        rows : datasets.Dataset, pandas.DataFrame, pyarrow.Table or mapping of columns
            Labels as for ``measure``; integer codes, categoricals or dictionary arrays spare the reading of texts.

        Raises
        ------
        BiasError
            As ``measure``; rows are counted from the beginning of the chunk, which the message names.
        """
        self._check_open()
        rows_before = self._rows.rows
        try:
            self._rows.take(scores, read_source(rows))
        except BaseException as error:
            chunk_name = f"chunk {self._chunks} (chunks count from 0; {rows_before} rows before it)"
            if not isinstance(error, BiasError):
                self._closed = f"{chunk_name} failed: {error!r}"
                raise
            self._closed = f"{chunk_name} was refused: {error}"
            raise type(error)(f"{chunk_name}: {error}") from None
        self._chunks += 1

    def result(self, **options: Any) -> Result:
        """Measure what has come so far; more may follow.

        Parameters
        ----------
        **options
            Further options of `measure`.

        Returns
        -------
        Result

        Raises
        ------
        BiasError
            If nothing came, or what came is no design in which the terms can be estimated.
        """
        self._check_open()
        for name in inspect.signature(Accumulator).parameters:
            if name in options:
                raise OptionError(f"the option {name} comes too late; give it to Accumulator, before the first chunk")
        refuse_foreign("default", options)
        settings = replace(self._options, **options)
        if not self._rows.rows:
            raise ScoresError("no rows have come; call update(scores, rows) for every chunk before result()")
        return assemble(*self._rows.whole(), settings)

    def _check_open(self) -> None:
        if self._closed:
            raise OptionError(f"the accumulator is closed, {self._closed}; start a new one")


@checked("default", "frame", "progress")
def measure_frame(
    frame: Any,
    scores: str | Sequence[str] = "score",
    *,
    progress: Progress | None = None,
    **options: Any,
) -> Result:
    """Measure a table of labels and scores that need not fit in memory; the same numbers as `measure` gives.

    The rows are read in batches. Of each its scores are kept, 8 bytes each, and 8 bytes that say whom and what it is
    about; texts are not.

    Parameters
    ----------
    frame : DuckDB relation, Spark or polars frame, pyarrow table, pandas frame, …
        Any frame that narwhals knows, lazy or not: one row per sentence with the columns ``person``, ``item``, one
        per axis, the scores and, where noun phrases take part, ``pair``. Rows may come in any order.
    scores : str or sequence of str
        Column of scores; several are several systems, called as their columns, or with ``outputs="probabilities"``
        the classes of one system.
    progress : callable, optional
        Called as ``progress(done, total, what)`` before each step, and once at the end.
    **options
        Of `measure`; ``systems`` are other names for the systems.

    Returns
    -------
    Result

    Raises
    ------
    ScoresError, LabelsError, DesignError, OptionError
        As `measure`; rows are named by their ``id`` or, without that column, by person and item.
    """
    refuse_foreign("default", options)
    settings = MeasureOptions(**options)
    columns: tuple[Any, ...] = ()
    if isinstance(scores, str):
        columns = (scores,)
    elif isinstance(scores, list | tuple):
        columns = tuple(scores)
    expect(columns and all(map(is_name, columns)), "scores", scores, "the name of a column, or one per system")
    expect(progress is None or callable(progress), "progress", progress, "a function of done, total and what is done")

    def tell(done: int) -> None:
        if progress is not None:
            progress(done, len(STEPS), STEPS[done] if done < len(STEPS) else "")

    result = assemble(*read_engine(frame, scores, settings, tell), settings)
    tell(len(STEPS))
    return result


def measure_chunks(chunks: Any, options: MeasureOptions) -> Result:
    """Measure an iterable of (scores, rows)."""
    whole = Accumulator.of(options)
    for pair in chunks if isinstance(chunks, Iterable) else [None]:
        if not (isinstance(pair, tuple) and len(pair) == 2):
            raise OptionError(
                "data is missing; pass the labelled rows as second argument, or chunks of rows as an iterable of "
                "(scores, rows)"
            )
        whole.update(*pair)
    return whole.result()
