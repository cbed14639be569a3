"""How far apart scores of one sentence can be: a sample is scored again, in another order and other batches."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from eec_datasets.systems.base import Answer, System
from eec_datasets.systems.questions import ModelQuestion, ask

if TYPE_CHECKING:
    from eec_bias.reading import Resolution
    from eec_datasets.systems.corpus import Corpus
    from eec_datasets.systems.scoring import CorpusScores

SAMPLE: Final = 32
"""Sentences that are scored again."""

OTHER_BATCH: Final = 7
"""Sentences per batch in the second order, a size that few choose."""


def measured_resolution(system: System, corpus: Corpus, scored: CorpusScores) -> Resolution | None:
    """Score a sample of a corpus again, one by one and in batches of mixed lengths, and say how far scores move.

    Returns
    -------
    Resolution or None
        None of a system whose scores do not depend on what else is in a batch, or that answered too little.
    """
    runs = system.runs_in(corpus.language)
    if not all(run.rescored for run in runs.values()):
        return None
    from eec_bias.reading import measure_resolution

    texts = sorted(set(corpus.columns["text"]))
    sample = texts[:: max(1, len(texts) // SAMPLE)][:SAMPLE]
    row_of = {text: row for row, text in enumerate(corpus.columns["text"])}
    known: list[float] = []
    again: list[list[float]] = [[], []]
    for name, run in runs.items():
        known += [scored.runs[name][row_of[text]] for text in sample]
        for column, size in zip(again, (1, OTHER_BATCH), strict=True):
            # From both ends in turn, so that short and long sentences are padded to one length.
            order = [text for pair in zip(sample, reversed(sample), strict=True) for text in pair]
            answers = _scores(replace(run, batch_size=size), list(dict.fromkeys(order)))
            column += [answers[text] for text in sample]
    if all(map(math.isnan, known)):
        return None
    return measure_resolution(known, again, len(sample))


def _scores(system: System, texts: Sequence[str]) -> dict[str, float]:
    """Return the scores of some texts; NaN where there is none. Nothing is stored."""
    found: dict[str, float] = {}

    def on_answers(answered: Sequence[tuple[ModelQuestion, Answer]]) -> None:
        for each, answer in answered:
            read = system.reader(answer) if system.reader and not answer.state else answer
            found[each.text] = math.nan if read.score is None else read.score

    ask(system, [ModelQuestion("(scored again)", text, 0) for text in texts], on_answers, answered=True)
    return found
