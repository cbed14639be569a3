"""Measurement of rows that come in chunks and need not fit in memory."""

from collections.abc import Sequence
from typing import Any, NoReturn

import numpy as np

from eec_bias.errors import BiasError, DesignError, OptionError, ScoresError
from eec_bias.inputs.chunk_labels import Levels, Seen
from eec_bias.inputs.chunk_result import Gathered, finish
from eec_bias.inputs.chunk_scores import ChunkScores
from eec_bias.inputs.chunk_sums import Names, Running, empty_sums
from eec_bias.inputs.labels import read_bases, refuse_blank, refuse_other_spelling, refuse_twins
from eec_bias.inputs.scores import Tasks, check_range
from eec_bias.inputs.sources import Source, axis_candidates, axis_names, read_source
from eec_bias.options import Adjust, Comparisons, Floats, Ints, Permutations
from eec_bias.result.result import Result
from eec_bias.stats.sums import at_edge, parse_edge, treat_edges


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
        parse_edge(edge)
        if edge == "squeeze":
            raise OptionError(
                "edge='squeeze' depends on the number of rows, which a stream does not know; use 'clip:EPS'"
            )
        self._axes = None if axes is None else axis_names(axes)
        self._asked = axes is not None
        self._scores = ChunkScores(check_range(score_range), systems, tasks)
        self._edge = edge
        self._data = data_name or "?"
        self._levels: dict[str, Levels] = {}
        self._seen = Seen({}, {}, [], np.zeros((0, 0), dtype=np.uint8))
        self._sums: Running | None = None
        self._paired: list[tuple[dict[str, Ints], Floats]] = []
        self._rows = self._chunks = 0
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
        try:
            self.take(scores, read_source(rows, self._data))
        except BiasError as error:
            where = f"chunk {self._chunks} (chunks count from 0; {self._rows} rows before it)"
            self._closed = f"{where} was refused: {error}"
            raise type(error)(f"{where}: {error}") from None
        self._chunks += 1

    def result(
        self,
        *,
        reference: Any = "default",
        adjust: Adjust = "holm",
        simple: bool = False,
        contrasts: Comparisons = "default",
        permutations: Permutations = 0,
        bootstrap: int = 0,
        seed: int = 0,
        margin: float | None = None,
    ) -> Result:
        """Measure what has come so far; more may follow.

        Parameters
        ----------
        reference, adjust, simple, contrasts, permutations, bootstrap, seed, margin
            As for ``measure``.

        Raises
        ------
        BiasError
            If nothing came, or what came is no design in which the terms can be estimated.
        """
        self._check_open()
        if self._sums is None or not self._seen.units:
            raise ScoresError("no rows have come; call update(scores, rows) for every chunk before result()")
        return finish(
            self.gathered(), reference=reference, adjust=adjust, simple=simple, contrasts=contrasts,
            permutations=permutations, bootstrap=bootstrap, seed=seed, margin=margin,
        )  # fmt: skip

    def take(self, scores: Any, source: Source) -> None:
        """Take in some rows like `update`, whose messages say more; after an error it must not be called again."""
        if not source.rows:
            return
        if self._axes is None:
            self._axes = tuple(axis_candidates(source))
        item, person = source.coded("item"), source.coded("person")
        axes = {name: source.coded(name) for name in self._axes}
        base, bases = read_bases(source, item, axes)
        for column in (person, *axes.values()):
            refuse_blank(column)
            refuse_twins(column)
        codes = {c.name: self._level(c.name).codes(c) for c in (person, item)}
        codes |= {f"axis {name}": self._level(f"axis {name}").codes(column) for name, column in axes.items()}
        for name in ("person", *codes):
            if name != "item":
                self._level(name).refuse_twins(name.removeprefix("axis "))
        for column in axes.values():
            refuse_other_spelling(column)
        own = np.array([self._level("base").one(text) for text in (*bases, "")], dtype=np.intp)
        codes["base"] = np.where(base < 0, -1, own[base])
        values = self._scores.read(scores, source.rows)
        if self._sums is None:
            self._sums = empty_sums(len(values), sum(self._scores.score_range) / 2)
        sides = [codes[f"axis {name}"] for name in self._axes]
        unit = self._seen.number([codes["person"], codes["base"], *sides])
        again = self._seen.add(unit, codes["item"])
        if again is not None:
            self._refuse_duplicate(*again, person.levels[person.codes[again[0]]], item.levels[item.codes[again[0]]])
        self._enter(values, unit, codes)
        self._rows += source.rows

    def know(self, levels: dict[str, Levels]) -> None:
        """Number labels that were seen elsewhere; ``person``, ``item`` and ``axis NAME``."""
        self._levels |= levels

    def gathered(self) -> Gathered:
        """What is known so far, for `streamed_result.finish`."""
        axes = tuple(self._axes or ())
        keys = np.array(list(self._seen.units), dtype=np.intp).reshape(-1, 2 + len(axes))
        units = np.flatnonzero(keys[:, 1] < 0)
        sums = self._sums or empty_sums(0, 0.0)
        return Gathered(
            axes, self._asked, self._scores, self._rows, self._edge, self._data, self._levels,
            np.delete(keys[units], 1, axis=1), units, Names(self._seen, sums.only(self._scores.kept)), self._paired,
        )  # fmt: skip

    def _check_open(self) -> None:
        if self._closed:
            raise OptionError(f"the accumulator is closed, {self._closed}; start a new one")

    def _level(self, name: str) -> Levels:
        return self._levels.setdefault(name, Levels({}))

    def _enter(self, values: Floats, unit: Ints, codes: dict[str, Ints]) -> None:
        assert self._sums is not None
        is_name = codes["base"] < 0
        if not is_name.all():
            kept = ("person", "item", "base", *(name for name in codes if name.startswith("axis ")))
            rows = ~is_name
            self._paired.append(({name: codes[name][rows].astype(np.int32) for name in kept}, values[:, rows]))
            if not is_name.any():
                return
            values, unit = values[:, is_name], unit[is_name]
        item = codes["item"] if is_name.all() else codes["item"][is_name]
        self._sums.add(values, unit, np.array(self._seen.cell, dtype=np.intp)[unit], item)
        low, high = self._scores.score_range
        y = values if (low, high) == (0.0, 1.0) else (values - low) / (high - low)
        self._sums.add_logs(treat_edges(y, self._edge, 0), at_edge(y, self._edge), unit)

    def _refuse_duplicate(self, row: int, earlier: int | None, person: str, item: str) -> NoReturn:
        before = "an earlier chunk" if earlier is None else f"row {earlier}"
        raise DesignError(
            f"row {row} (rows count from 0 in each chunk) gives person {person!r} on item {item!r}, as does {before}; "
            "each person meets each item once"
        )


def measure_chunks(chunks: Any, intake: dict[str, Any], outcome: dict[str, Any], others: dict[str, Any]) -> Result:
    """Run `measure` over an iterable of (scores, rows).

    Parameters
    ----------
    chunks : iterable of (scores, rows)
        As `Accumulator.update` takes them.
    intake, outcome : dict
        Options of `Accumulator` and of `Accumulator.result`.
    others : dict
        The other options of ``measure`` with their values, which must be the defaults.

    Raises
    ------
    OptionError
        If an option needs all rows at once, or ``chunks`` is no such iterable.
    """
    for name, (given, default) in others.items():
        if given != default:
            raise OptionError(f"{name}={given!r} needs all rows at once; give them as data, not in chunks")
    whole = Accumulator(**intake)
    try:
        pairs = iter(chunks)
    except TypeError:
        pairs = iter([None])
    for pair in pairs:
        if not (isinstance(pair, tuple) and len(pair) == 2):
            raise OptionError(
                "data is missing; pass the labelled rows as second argument, or chunks of rows as an iterable of "
                "(scores, rows)"
            )
        whole.update(*pair)
    return whole.result(**outcome)
