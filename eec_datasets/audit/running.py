"""Score and measure: one system on one corpus, or scores that were made elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from eec_datasets.audit.standouts import Standout, standouts
from eec_datasets.errors import AuditError
from eec_datasets.systems.base import Range, System
from eec_datasets.systems.corpus import Corpus, attested
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


def on_attested(outcome: Outcome) -> Outcome | None:
    """Measure the same scores on the names that are attested for their group; None where that is no other question."""
    found = attested(outcome.corpus)
    if found is None:
        return None
    corpus, rows = found
    scores = [outcome.scores[row] for row in rows]
    result = measure(outcome.system, corpus, scores, outcome.score_range)
    return replace(outcome, corpus=corpus, scores=scores, result=result, path=None)


def measure(
    system: str, corpus: Corpus, scores: Any, score_range: Range, *, method: str = "default", **options: Any
) -> Result:
    """Measure the scores of one system or several on a corpus.

    Parameters
    ----------
    method
        ``default``, or the name of a function of :mod:`eec_bias.methods`.
    options
        Passed on to it.

    Raises
    ------
    AuditError
        The metric refuses scores or options.
    """
    options = {"score_range": score_range, "data_name": corpus.label} | options
    return call(f"{system} on {corpus.name}", function(method), scores, corpus.table, **options)


def function(method: str) -> Callable[..., Result]:
    """Return what measures by a method."""
    if method == "default":
        from eec_bias import measure

        return measure
    from eec_bias.methods import METHODS

    return METHODS[method]


def call(place: str, function: Callable[..., Result], *arguments: Any, **options: Any) -> Result:
    """Call the metric; its errors become errors of the audit that say of what.

    Raises
    ------
    AuditError
        The metric refuses scores, labels or options.
    """
    from eec_bias import BiasError

    try:
        return function(*arguments, **options)
    except BiasError as error:
        raise AuditError(f"{place}: {error}") from error
