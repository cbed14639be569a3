"""What the page does with a choice: sentences to score, a measurement, made-up scores; no widgets here."""

import csv
import io
import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from eec_bias.api import measure
from eec_bias.inputs.fingerprint import content_hash
from eec_bias.inputs.scores import check_range
from eec_bias.options import UNMARKED, Floats
from eec_bias.result.text import report
from eec_bias.space import fragments
from eec_bias.space.corpora import Corpora, Corpus, UploadError

LIMIT = 20 * 2**20
"""Bytes of the largest upload that is read."""
HARD_LIMIT = 5 * LIMIT
"""Bytes after which an upload is cut off; below it, and above `LIMIT`, the page itself says what to do."""
SHIFT = 0.05
"""What the made-up system adds for one group, on scores from 0 to 1."""

Example = Literal["biased", "random"]


@dataclass(frozen=True, slots=True)
class Answer:
    """A result for the page.

    Attributes
    ----------
    page
        HTML: reading, table, plots.
    files
        Name and text of what can be downloaded: JSON, CSV and plain text.
    """

    page: str
    files: tuple[tuple[str, str], ...]


def sentences_csv(corpus: Corpus) -> str:
    """Return the rows as CSV with an empty column ``score`` after ``id``, to be filled in and uploaded."""
    names = [name for name in corpus.table.column_names if name != "id"]
    columns = [corpus.column(name) for name in names]
    head = ["id", "score", *names]
    return _csv(head, zip(corpus.column("id"), [""] * corpus.table.num_rows, *columns, strict=True))


def measure_upload(corpora: Corpora, name: str, path: Path | None, low: Any, high: Any) -> Answer:
    """Measure an uploaded file.

    Parameters
    ----------
    corpora
        Where corpora come from.
    name
        Config that was scored.
    path
        The file; None where there is none yet.
    low, high
        Declared range, as typed.

    Raises
    ------
    BiasError
        The file, the range or the design is not as it should be; the message says how to mend it.
    """
    if path is None:
        raise UploadError(
            "There is no file yet. Choose a CSV file with the columns id,score in step 4. One of more than "
            f"{HARD_LIMIT / 2**20:.0f} MB is not even taken."
        )
    score_range = declared(low, high)
    size = path.stat().st_size
    if size > LIMIT:
        raise UploadError(
            f"{path.name} has {size / 2**20:.0f} MB; up to {LIMIT / 2**20:.0f} MB are read here. Leave out all columns "
            "but id and the scores, upload fewer systems at a time, or use `eec measure` on your own machine."
        )
    corpus = corpora.open(name)
    upload = corpora.read(path, corpus, score_range)
    one = next(iter(upload.scores.values())) if len(upload.scores) == 1 else upload.scores
    return _answer(corpus, one, upload.score_range, path.name)


def declared(low: Any, high: Any) -> tuple[float, float]:
    """Check the range as typed.

    Raises
    ------
    UploadError
        A field is empty, or the first number is not below the second.
    """
    if low is None or high is None:
        raise UploadError(
            "A limit of the scores is missing. Fill in the lowest and the highest possible score in step 3."
        )
    if not low < high:
        raise UploadError(
            f"The lowest possible score is {low:g}, the highest {high:g}; expected the lower one first. See step 3."
        )
    return check_range((low, high))


def measure_example(corpora: Corpora, name: str, kind: Example) -> Answer:
    """Measure made-up scores, to show what a result looks like."""
    corpus = corpora.open(name)
    axis, level = favoured(corpus)
    if kind == "random":
        scores = np.random.default_rng(2018).uniform(size=corpus.table.num_rows)
        return _answer(corpus, scores, (0.0, 1.0), "Example with random scores")
    what = f"Example with made-up scores that add {SHIFT:g} where {axis} is {level}"
    return _answer(corpus, biased_scores(corpus, axis, level), (0.0, 1.0), what)


def favoured(corpus: Corpus) -> tuple[str, str]:
    """Choose the group that the made-up system favours: women, or the first level of the first axis."""
    axes = corpus.axes
    axis = "gender" if "gender" in axes else next(iter(axes))
    return axis, "female" if "female" in axes[axis] else next(x for x in axes[axis] if x != UNMARKED)


def biased_scores(corpus: Corpus, axis: str, level: str) -> Floats:
    """Return scores in [0, 1]: one part of each item, one of each person, `SHIFT` for one group, and noise."""
    generator = np.random.default_rng(2018)
    items, persons = (np.unique(corpus.column(name), return_inverse=True)[1] for name in ("item", "person"))
    scores = generator.uniform(0.3, 0.6, items.max() + 1)[items]
    scores = scores + generator.normal(0, 0.015, persons.max() + 1)[persons]
    scores = scores + SHIFT * (np.array(corpus.column(axis)) == level)
    found: Floats = np.clip(scores + generator.normal(0, 0.05, len(scores)), 0, 1)
    return found


def _answer(corpus: Corpus, scores: Any, score_range: tuple[float, float], what: str) -> Answer:
    data = f"{corpus.name}@{corpus.version}#{content_hash(corpus.table)[:8]}"
    found = measure(scores, corpus.table, score_range=score_range, data_name=data)
    content = found.to_dict()
    heads = list(content["terms"][0])
    stem = f"eec-bias_{corpus.name}"
    files = (
        (f"{stem}.json", json.dumps(content, ensure_ascii=False, indent=1, allow_nan=False) + "\n"),
        (f"{stem}.csv", _csv(heads, ([row[head] for head in heads] for row in content["terms"]))),
        (f"{stem}.txt", f"{what}\n\n{report(content)}\n"),
    )
    return Answer(fragments.result(content, corpus, what), files)


def _csv(head: list[str], rows: Iterable[Iterable[Any]]) -> str:
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(rows)
    return stream.getvalue()
