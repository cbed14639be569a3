"""Score and measure: one system on one corpus, or scores that were made elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from eec_datasets.audit.standouts import Standout, standouts
from eec_datasets.errors import AuditError
from eec_datasets.systems.base import Range, System
from eec_datasets.systems.corpus import Corpus
from eec_datasets.systems.scoring import Progress, score_corpus, score_path

if TYPE_CHECKING:
    from eec_bias import Result


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one system did on one corpus.

    Attributes
    ----------
    system
        Name of the system.
    corpus
        The corpus it scored.
    score_range
        Declared range of its scores.
    scores
        One score per row of the corpus.
    result
        What the metric says.
    path
        Where the scores are saved, or ``None``.
    fingerprint
        Version of the system, where it is known.
    """

    system: str
    corpus: Corpus
    score_range: Range
    scores: Sequence[float]
    result: Result
    path: Path | None
    fingerprint: str = ""

    @property
    def standouts(self) -> list[Standout]:
        """Names far from the others of their group, the farthest first."""
        return standouts(self.corpus, self.scores, self.score_range)


def run(system: System, corpus: Corpus, out: Path, progress: Progress | None = None, *, fresh: bool = False) -> Outcome:
    """Score a corpus, going on from what is saved in a folder, and measure.

    Raises
    ------
    AuditError
        As `score_corpus` and `measure`.
    """
    path = score_path(out, system.name, corpus.name)
    scores = score_corpus(system, corpus, path, progress, fresh=fresh)
    result = measure(system.name, corpus, scores, system.score_range)
    return Outcome(system.name, corpus, system.score_range, scores, result, path, system.fingerprint)


def measure(system: str, corpus: Corpus, scores: Any, score_range: Range, **options: Any) -> Result:
    """Measure the scores of one system or several on a corpus.

    Parameters
    ----------
    options
        As in `call`.
    """
    return call(
        f"{system} on {corpus.name}", scores, corpus.table, score_range=score_range, data_name=corpus.label, **options
    )


def call(place: str, scores: Any, rows: Any, *, method: str = "default", **options: Any) -> Result:
    """Call the metric; its errors become errors of the audit that say where.

    Parameters
    ----------
    place
        What was measured, for messages.
    scores, rows
        As :func:`eec_bias.measure` takes them.
    method
        ``default``, or the name of a function of :mod:`eec_bias.methods`.
    options
        Passed on.

    Raises
    ------
    AuditError
        The metric refuses scores, labels or options.
    """
    import eec_bias

    function: Callable[..., Result] = partial(eec_bias.measure, method=method)  # type: ignore[arg-type]
    try:
        return function(scores, rows, **options)
    except eec_bias.BiasError as error:
        raise AuditError(f"{place}: {error}") from error
