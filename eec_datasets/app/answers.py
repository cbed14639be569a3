"""What the page does with a choice: sentences to score, a measurement, made-up scores; no widgets here."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import eec_bias
from eec_datasets.app import fragments
from eec_datasets.app.sources import Source
from eec_datasets.audit.saving import to_csv
from eec_datasets.audit.score_tables import read_scores
from eec_datasets.errors import EecError
from eec_datasets.systems.corpus import Corpus
from eec_datasets.systems.registry import open_system

LIMIT: Final = 20 * 2**20
"""Bytes of the largest upload that is read."""
HARD_LIMIT: Final = 5 * LIMIT
"""Bytes after which an upload is cut off; below it, and above `LIMIT`, the page itself says what to do."""
DEFAULT: Final = (0.0, 1.0)
"""The range that the fields of the page hold at first."""

Range = tuple[float, float]


class UploadError(EecError):
    """There is no file, it is too large, or the range typed is none."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A result for the page: its HTML, and name and text of what can be downloaded (JSON, CSV and plain text)."""

    page: str
    files: tuple[tuple[str, str], ...]


def sentences_csv(corpus: Corpus) -> str:
    """Return the rows as CSV with an empty column ``score`` after ``id``, to be filled in and uploaded."""
    rows = ({"id": "", "score": "", **dict(zip(corpus.columns, values, strict=True))}
            for values in zip(*corpus.columns.values(), strict=True))  # fmt: skip
    return to_csv(list(rows))


def measure_upload(source: Source, name: str, path: str | None, low: Any, high: Any) -> Answer:
    """Measure an uploaded file.

    Parameters
    ----------
    source
        Where corpora come from.
    name
        Config that was scored.
    path
        The file; None where there is none yet.
    low, high
        Declared range, as typed.

    Raises
    ------
    EecError, BiasError
        The file, the range or the design is not as it should be; the message says how to mend it.
    """
    if path is None:
        raise UploadError(
            "There is no file yet. Choose a CSV file with the columns id,score in step 4. One of more than "
            f"{HARD_LIMIT / 2**20:.0f} MB is not even taken."
        )
    file, declared = Path(path), declared_range(low, high)
    size = file.stat().st_size
    if size > LIMIT:
        raise UploadError(
            f"{file.name} has {size / 2**20:.0f} MB; up to {LIMIT / 2**20:.0f} MB are read here. Leave out all columns "
            "but id and the scores, upload fewer systems at a time, or use `eec measure` on your own machine."
        )
    corpus = source.open(name)
    # None: the file's own declaration counts, if it has one, where the page was left at its default.
    table = read_scores(file, corpus.table, None if declared == DEFAULT else declared, corpus.data, name=file.name)
    return _answer(corpus, table.measured, table.score_range, file.name)


def declared_range(low: Any, high: Any) -> Range:
    """Check the range as typed."""
    if low is None or high is None:
        raise UploadError(
            "A limit of the scores is missing. Fill in the lowest and the highest possible score in step 3."
        )
    if not low < high:
        raise UploadError(
            f"The lowest possible score is {low:g}, the highest {high:g}; expected the lower one first. See step 3."
        )
    return float(low), float(high)


def measure_example(source: Source, name: str, kind: str) -> Answer:
    """Measure a built-in system, to show what a result looks like: ``noisy`` favours a group, ``random`` nobody."""
    corpus = source.open(name)
    spec = f"noisy:{favoured(corpus)}" if kind == "noisy" else f"{kind}:0"
    system = open_system(spec)
    return _answer(corpus, list(system.scorer(corpus.columns)), system.score_range, spec)


def favoured(corpus: Corpus) -> str:
    """Choose the group that the example favours: women, or the first level of the first axis."""
    axes = fragments.compared(corpus)
    levels = axes.get("gender") or next(iter(axes.values()))
    return "female" if "female" in levels else levels[0]


def _answer(corpus: Corpus, scores: Any, score_range: Range, what: str) -> Answer:
    result = eec_bias.measure(scores, corpus.table, score_range=score_range, data_name=corpus.label)
    stem = f"eec-bias_{corpus.name}"
    files = (
        (f"{stem}.json", json.dumps(result.to_dict(), ensure_ascii=False, indent=1, allow_nan=False) + "\n"),
        (f"{stem}.csv", to_csv(result.terms)),
        (f"{stem}.txt", f"{what}\n\n{result}\n"),
    )
    return Answer(fragments.result(result, corpus, what), files)
