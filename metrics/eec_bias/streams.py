"""Rows that need not fit in memory: they come in chunks, or stay in a table whose engine sums them up."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields, replace
from typing import Any

from eec_bias.assembly.assemble import assemble
from eec_bias.errors import BiasError, OptionError, ScoresError, expect
from eec_bias.inputs.chunks import Chunks, Units
from eec_bias.inputs.engines import STEPS, observe_frame
from eec_bias.inputs.observed import Observations
from eec_bias.inputs.outputs import Outputs
from eec_bias.inputs.scores import ScoreReader, Scores, check_range
from eec_bias.inputs.sources import axis_names, read_source
from eec_bias.inputs.strata import one_stratum
from eec_bias.inputs.systems import Naming
from eec_bias.options import DEFAULTS, IN_MEMORY, MeasureOptions, Tasks, checked, is_name, refuse_foreign
from eec_bias.result.result import Result

Progress = Callable[[int, int, str], Any]


OF_ROWS = frozenset({"axes", "score_range", "systems", "tasks", "edge", "data_name"})
"""Options that must be known before the first row."""


class Accumulator:
    """Take in scored rows chunk by chunk; give the same result as ``measure`` on all of them.

    Of names only sums are kept, per person and per cell × item, and one bit per person × item; so memory is that
    of the names and items, not of the rows. Rows of noun phrases and pronouns are kept, 8 bytes per system and 4
    per label: their differences need both sides of a pair, which may come in different chunks.

    Parameters
    ----------
    axes, score_range, systems, tasks, data_name
        As for ``measure``; by default axes are race, gender and the further text columns of the first chunk.
    edge : {"none", "clip:EPS"}
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
        score_range: tuple[float, float] = (0.0, 1.0),
        systems: Sequence[str] | None = None,
        tasks: Tasks = None,
        edge: str = "none",
        data_name: str | None = None,
    ) -> None:
        if edge == "squeeze":
            raise OptionError(
                "edge 'squeeze' depends on the number of rows, which is not known while chunks come; choose 'clip:EPS'"
            )
        self._axes_given = axes is not None
        self._rows = Chunks(
            ScoreReader(check_range(score_range), Naming(systems, tasks)), edge, Units(axis_names(axes))
        )
        self._data = data_name or "?"
        self._chunks = 0
        self._closed = ""

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
            self._rows.take(scores, read_source(rows, self._data))
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
            ``reference``, ``confidence``, ``adjust``, ``simple``, ``contrasts``, ``permutations``, ``bootstrap``,
            ``seed`` and ``margin`` as for `measure`.

        Returns
        -------
        Result

        Raises
        ------
        BiasError
            If nothing came, or what came is no design in which the terms can be estimated, or an option needs all rows
            at once.
        """
        self._check_open()
        for name in OF_ROWS & options.keys():
            raise OptionError(f"the option {name} comes too late; give it to Accumulator, before the first chunk")
        refuse_foreign("default", options)
        settings = replace(MeasureOptions(**options), edge=self._rows.edge)
        _refuse_of_rows(settings, ("incomplete", *IN_MEMORY), "in chunks")
        if not self._rows.rows:
            raise ScoresError("no rows have come; call update(scores, rows) for every chunk before result()")
        return _conclude(*self._rows.observed(), settings, self._data, requested=self._axes_given)

    def _check_open(self) -> None:
        if self._closed:
            raise OptionError(f"the accumulator is closed, {self._closed}; start a new one")


@checked("default", "frame", "progress")
def measure_frame(
    frame: Any,
    scores: str | Sequence[str] = "score",
    *,
    axes: Sequence[str] | None = None,
    score_range: tuple[float, float] = (0.0, 1.0),
    systems: Sequence[str] | None = None,
    tasks: Tasks = None,
    data_name: str | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> Result:
    """Measure a table of labels and scores that need not fit in memory; the same numbers as `measure` gives.

    Of names only sums leave the engine, per person and per group × item. Rows of noun phrases and pronouns (whose
    ``pair`` is not their ``item``) are brought to memory, as in `Accumulator`.

    Parameters
    ----------
    frame : DuckDB relation, Spark or polars frame, pyarrow table, pandas frame, …
        Any frame that narwhals knows, lazy or not: one row per sentence with the columns ``person``, ``item``, one
        per axis, the scores and, where noun phrases take part, ``pair``. Rows may come in any order.
    scores : str or sequence of str
        Column of scores; several are several systems, called as their columns.
    axes, score_range, tasks, data_name
        As for `measure`.
    systems : sequence of str, optional
        Other names for the systems.
    progress : callable, optional
        Called as ``progress(done, total, what)`` before each step, and once at the end.
    **options
        ``reference``, ``confidence``, ``adjust``, ``edge``, ``incomplete``, ``simple``, ``contrasts``,
        ``permutations``, ``bootstrap``, ``seed`` and ``margin`` as for `measure`.

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
    _refuse_of_rows(settings, IN_MEMORY, "in a table")
    columns = (scores,) if isinstance(scores, str) else tuple(scores) if isinstance(scores, list | tuple) else ()
    expect(columns and all(map(is_name, columns)), "scores", scores, "the name of a column, or one per system")
    expect(progress is None or callable(progress), "progress", progress, "a function of done, total and what is done")

    def tell(done: int) -> None:
        if progress is not None:
            progress(done, len(STEPS), STEPS[done] if done < len(STEPS) else "")

    given_names = columns if not isinstance(scores, str) and systems is None else None
    reader = ScoreReader(check_range(score_range), Naming(systems, tasks), names=given_names)
    observed, scores_known = observe_frame(frame, columns, axis_names(axes), reader, tell)
    result = _conclude(observed, scores_known, settings, data_name or "?", requested=axes is not None)
    tell(len(STEPS))
    return result


def measure_chunks(chunks: Any, options: MeasureOptions) -> Result:
    """Measure an iterable of (scores, rows)."""
    given = {each.name: getattr(options, each.name) for each in fields(options)}
    whole = Accumulator(**{name: given.pop(name) for name in OF_ROWS})
    for pair in chunks if isinstance(chunks, Iterable) else [None]:
        if not (isinstance(pair, tuple) and len(pair) == 2):
            raise OptionError(
                "data is missing; pass the labelled rows as second argument, or chunks of rows as an iterable of "
                "(scores, rows)"
            )
        whole.update(*pair)
    return whole.result(**given)


def _refuse_of_rows(options: MeasureOptions, not_taken: tuple[str, ...], source: str) -> None:
    """Refuse options that need all rows at once; they may have their defaults."""
    for name in not_taken:
        value = getattr(options, name)
        if value != getattr(DEFAULTS, name):
            raise OptionError(f"{name} {value!r} needs all rows at once; give them as data, not {source}")


def _conclude(observed: Observations, scores: Scores, options: MeasureOptions, data: str, *, requested: bool) -> Result:
    every, observed = observed.axes, observed.on_axes(requested=requested)
    shared = options.incomplete == "shared"
    strata, notes = one_stratum(observed, every, reference=options.reference, shared=shared)
    return assemble(strata, Outputs(((None, scores),)), options, data=data, notes=notes)
