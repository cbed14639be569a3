"""Scores that come in chunks: the same systems every time, none with gaps."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from eec_bias.errors import ScoresError
from eec_bias.inputs.matrices import as_matrix
from eec_bias.inputs.scores import Scores, Tasks, check_values, name_systems, unused_range
from eec_bias.options import Bools, Floats, Ints


@dataclass(slots=True)
class ChunkScores:
    """What is known about the systems after some chunks.

    Attributes
    ----------
    score_range : (float, float)
        Lowest and highest possible score.
    systems, tasks
        The options of these names.
    names : tuple of str, or None
        Names of the systems.
    what : tuple of (str or None), or None
        Their tasks.
    given : tuple of str, or None
        Names that came with the scores of the first chunk.
    missing : (S,) bool array
        Systems without any score so far.
    lowest, highest : float
        Of the scores so far.
    """

    score_range: tuple[float, float]
    systems: Sequence[str] | None
    tasks: Tasks
    names: tuple[str, ...] | None = None
    what: tuple[str | None, ...] | None = None
    given: tuple[str, ...] | None = None
    missing: Bools = field(default_factory=lambda: np.zeros(0, dtype=bool))
    lowest: float = np.inf
    highest: float = -np.inf

    @property
    def kept(self) -> Ints:
        """Positions of the systems that have scores."""
        return np.flatnonzero(~self.missing)

    @property
    def kept_names(self) -> tuple[str, ...] | None:
        """Names of these systems."""
        return None if self.names is None else tuple(self.names[s] for s in self.kept.tolist())

    def read(self, scores: Any, rows: int) -> Floats:
        """Check the scores of a chunk.

        Returns
        -------
        (S, rows) array
            Systems without any score are filled with the lowest possible one, and left out in the end.

        Raises
        ------
        ScoresError
            If the systems are not those of the first chunk, or a score is missing or outside the range.
        """
        values, named, single = as_matrix(scores, rows)
        if not self.missing.size:
            self.names, self.what = name_systems(len(values), named, self.systems, self.tasks, single=single)
            self.given, self.missing = named, np.asarray(np.isnan(values).all(axis=1))
        if named != self.given or len(values) != len(self.missing):
            raise ScoresError(
                f"the systems are {_listed(named, len(values))}, those of the first chunk "
                f"{_listed(self.given, len(self.missing))}; give the same systems in the same order in every chunk"
            )
        if self.missing.any():
            back = self.missing & ~np.isnan(values).all(axis=1)
            if back.any():
                name = (self.names or ("0",))[int(back.argmax())]
                raise ScoresError(f"system {name!r} has scores here and none before; every row needs a finite score")
            values = np.where(self.missing[:, None], self.score_range[0], values)
        if self.kept.size:
            own = values if not self.missing.any() else values[self.kept]
            low, high = check_values(own, self.kept_names, self.score_range)
            self.lowest, self.highest = min(low, self.lowest), max(high, self.highest)
        return values

    def whole(self, values: Floats, rows: int) -> Scores:
        """Return scores (S, n) of the systems that have some, with what must be noted after a number of rows.

        Raises
        ------
        ScoresError
            If no system has scores.
        """
        kept = self.kept.tolist()
        if not kept:
            raise ScoresError(f"there are no scores: all {rows} of every system are NaN")
        tasks = None if self.what is None else tuple(self.what[s] for s in kept)
        gone = tuple(
            f"system {(self.names or ())[s]!r} is left out: all its {rows} scores are NaN"
            for s in np.flatnonzero(self.missing).tolist()
        )
        notes = gone + unused_range(self.lowest, self.highest, self.score_range)
        return Scores(values[kept], self.kept_names, self.score_range, tasks, notes)


def _listed(names: tuple[str, ...] | None, count: int) -> str:
    return ", ".join(names) if names else f"{count} without names"
