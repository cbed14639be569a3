"""Score and measure: every system on every corpus, saved as it goes."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from eec_datasets.audit.corpus import Corpus
from eec_datasets.audit.errors import AuditError, AuditInterrupted, OutputUnwritable
from eec_datasets.audit.standouts import Standout, standouts
from eec_datasets.systems.base import Batch, Range, System, score_batch
from eec_datasets.systems.builtin import check_group
from eec_datasets.systems.score_file import Header, ScoreFile

if TYPE_CHECKING:
    from eec_bias import Result


class Progress(Protocol):
    """What tells the user how far a run is; a ``tqdm`` bar is one."""

    def update(self, n: int) -> Any:
        """Say that ``n`` more sentences are scored."""


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


def score_path(out: Path, system: str, config: str) -> Path:
    """Return where the scores of a system on a config are kept: ``OUT/scores/SYSTEM/CONFIG.csv``."""
    return out / "scores" / re.sub(r"[^A-Za-z0-9._+-]+", "-", system).strip("-.") / f"{config}.csv"


def score_corpus(
    system: System, corpus: Corpus, path: Path, progress: Progress | None = None, *, fresh: bool = False
) -> list[float]:
    """Score a corpus, going on from what is saved at ``path``.

    Parameters
    ----------
    system, corpus
        What scores what.
    path
        File of scores; made where missing.
    progress
        Told of every batch; what is already on disk counts as its first.
    fresh
        Discard what is saved.

    Returns
    -------
    list of float
        One score per row.

    Raises
    ------
    AuditInterrupted
        The user stopped the run; the message says how to go on.
    AuditError
        The system fails, or the file cannot be used.
    """
    if fresh:
        _discard(path)
    check_group(system.name, corpus.name, corpus.groups)
    header = Header(system.name, system.fingerprint, corpus.name, corpus.data, *system.score_range)
    with ScoreFile(path, header, corpus.ids) as file:
        update = progress.update if progress else _ignore
        update(len(file.scores))
        try:
            _finish(file, system, corpus, update)
        except KeyboardInterrupt as error:
            raise AuditInterrupted(
                f"Interrupted: {file.on_disk():,} of {len(corpus.ids):,} scores of {system.name} on {corpus.name} "
                f"are saved in {path}. Run the same command again to go on."
            ) from error
        return list(file.scores)


def _finish(file: ScoreFile, system: System, corpus: Corpus, update: Callable[[int], Any]) -> None:
    size = system.batch_size
    while len(file.scores) < len(corpus.ids):
        done = len(file.scores)
        # Batches begin at multiples of their size, resumed or not: a model's scores may depend on its batch.
        start = done - done % size
        batch: Batch = {name: values[start : start + size] for name, values in corpus.columns.items()}
        file.append(score_batch(system, batch)[done - start :])
        update(len(file.scores) - done)


def measure(system: str, corpus: Corpus, scores: Any, score_range: Range, **options: Any) -> Result:
    """Measure the scores of one system; errors of the metric become errors of the audit.

    Parameters
    ----------
    options
        Passed on to :func:`eec_bias.measure`.
    """
    import eec_bias

    try:
        return eec_bias.measure(scores, corpus.table, score_range=score_range, data_name=corpus.label, **options)
    except eec_bias.BiasError as error:
        raise AuditError(f"{system} on {corpus.name}: {error}") from error


def _discard(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise OutputUnwritable(f"Cannot remove {path} for --fresh: {error.strerror}.") from error


def _ignore(_: int) -> None:
    return None
