"""Distance between scores of one sentence: a sample is scored again, in another order and other batches."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from eec_datasets.systems.base import Answer, System
from eec_datasets.systems.questions import ModelQuestion, ask
from eec_datasets.systems.scoring import stored_answers

if TYPE_CHECKING:
    from eec_bias.reading import Resolution
    from eec_datasets.systems.corpus import Corpus
    from eec_datasets.systems.scoring import CorpusScores
    from eec_datasets.systems.store import Store

SAMPLE: Final = 32
"""Sentences that are scored again."""

OTHER_BATCH: Final = 7
"""Sentences per batch in the second order, a size that few choose."""


def measured_resolution(
    system: System, corpus: Corpus, scored: CorpusScores, store: Store, *, fresh: bool = False
) -> Resolution | None:
    """Score a sample of a corpus again, one by one and in batches of mixed lengths, and say how far scores move.

    Parameters
    ----------
    scored
        The scores of the corpus.
    store
        Where these answers are kept too, so that a later run scores nothing.
    fresh
        Ask again for stored answers.

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
            other = replace(run, name=f"{run.name} (scored again, {size} at once)", batch_size=size)
            answers = _scores(other, list(dict.fromkeys(order)), store, fresh=fresh)
            column += [answers[text] for text in sample]
    if all(map(math.isnan, known)):
        return None
    return measure_resolution(known, again, len(sample))


def _scores(system: System, texts: Sequence[str], store: Store, *, fresh: bool) -> dict[str, float]:
    """Return the scores of some texts; NaN where there is none."""
    answers = {text: answer for (text, _), answer in stored_answers(system, store, texts, fresh=fresh).items()}

    def on_answers(answered: Sequence[tuple[ModelQuestion, Answer]]) -> None:
        answers.update((each.text, answer) for each, answer in answered)
        kept = [(each.text, each.repeat, answer) for each, answer in answered if answer.state != "failed"]
        store.write_all(system, kept, fresh)

    questions = [ModelQuestion("(scored again)", text, 0) for text in texts if text not in answers]
    ask(system, questions, on_answers, answered=True)
    found = {}
    for text, answer in answers.items():
        read = system.reader(answer) if system.reader and not answer.state else answer
        found[text] = math.nan if read.score is None else read.score
    return found
