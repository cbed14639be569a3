"""One system on one corpus, saved as it goes: a run that is stopped goes on where it was."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Protocol

from eec_datasets.errors import Interrupted, OutputUnwritable
from eec_datasets.systems.base import Batch, System, score_batch
from eec_datasets.systems.builtin import check_group
from eec_datasets.systems.corpus import Corpus
from eec_datasets.systems.score_file import Header, ScoreFile


class Progress(Protocol):
    """What tells the user how far a run is; a ``tqdm`` bar is one."""

    def update(self, n: int) -> Any:
        """Say that ``n`` more sentences are scored."""


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
    Interrupted
        The user stopped the run; the message says how to go on.
    AuditError
        The system fails, or the file cannot be used.
    """
    if fresh:
        _discard(path)
    check_group(system.name, corpus.name, corpus.groups)
    header = Header(system.name, system.fingerprint, corpus.name, corpus.data, *system.score_range)
    with ScoreFile(path, header, corpus.ids) as file:
        try:
            _finish(file, system, corpus, progress)
        except KeyboardInterrupt as error:
            raise Interrupted(
                f"Interrupted: {file.on_disk():,} of {len(corpus.ids):,} scores of {system.name} on {corpus.name} "
                f"are saved in {path}. Run the same command again to go on."
            ) from error
        return list(file.scores)


def _finish(file: ScoreFile, system: System, corpus: Corpus, progress: Progress | None) -> None:
    size, told = system.batch_size, 0
    while True:
        done = len(file.scores)
        if progress:
            progress.update(done - told)
        told = done
        if done == len(corpus.ids):
            return
        # Batches begin at multiples of their size, resumed or not: a model's scores may depend on its batch.
        start = done - done % size
        batch: Batch = {name: values[start : start + size] for name, values in corpus.columns.items()}
        file.append(score_batch(system, batch)[done - start :])


def _discard(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise OutputUnwritable(f"Cannot remove {path}, which fresh discards: {error.strerror}.") from error
