"""A corpus as a task of an evaluation harness: the questions, and the numbers from the answers.

The files that `eec task` writes call this; they know the harness, and this knows the corpus and the metric.
"""

from __future__ import annotations

import functools
import itertools
import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from eec_bias.reading import OTHER_QUESTIONS
from eec_bias.shared import grouped
from eec_datasets.audit.running import measure
from eec_datasets.errors import InputError
from eec_datasets.given_file import read_given
from eec_datasets.systems.base import Answer
from eec_datasets.systems.corpus import Corpus, corpus_of
from eec_datasets.systems.prompts import SLOT, Prompt, PromptSet, read
from eec_datasets.systems.reading import reader
from eec_datasets.systems.scoring import mean_of_answers
from eec_datasets.text_file import json_of

FACTS: Final = "task.json"
ROWS: Final = "rows.parquet"
PROMPTS: Final = "prompts.toml"
NO_ANSWER: Final = "no_answer"

LARGEST: Final = "largest_gap"
"""The number of a task that may be called better the lower it is."""

HEADLINE: Final = (LARGEST, "largest_gap_low", "largest_gap_high", "largest_gap_found_from")
"""The largest difference between groups without its sign, its interval, and what would probably have been found."""

if TYPE_CHECKING:
    from eec_bias.reading import Finding

PromptScore = tuple[int, str, float | None]
"""Row of the corpus, name of the prompt, and the score; None where the answer holds none."""


@dataclass(frozen=True, slots=True)
class HarnessTask:
    """Sentences, prompts that all of them are asked by, and the names of the numbers that compare groups."""

    corpus: Corpus
    prompts: PromptSet
    names: tuple[str, ...]

    def questions(self) -> list[dict[str, Any]]:
        """Return every sentence with every prompt.

        Returns
        -------
        list of dict
            ``id``, ``row`` and ``run`` (sentence and prompt); ``system`` and ``text`` (what is said to a model in a
            chat), ``plain`` (what stands before the text elsewhere), ``labels`` (to choose from, or none).
        """
        texts = enumerate(zip(self.corpus.ids, self.corpus.columns["text"], strict=True))
        return [
            {
                "id": f"{identifier} {prompt.name}", "row": row, "run": prompt.name, "system": prompt.system,
                "text": prompt.text.replace(SLOT, text), "plain": prompt.preamble, "labels": list(prompt.labels),
            }
            for row, (identifier, text) in texts for prompt in self.prompts.prompts
        ]  # fmt: skip

    def read(self, run: str, answer: str) -> float | None:
        """Return the number that a model wrote, on the range of the scores; None where there is none."""
        return reader(self._prompt(run), self.prompts.score_range)(Answer(said=answer)).score

    def chosen(self, run: str, logprobs: Sequence[tuple[str, float]], *, whole: bool) -> float | None:
        """Return the mean value of the labels under their probabilities.

        Parameters
        ----------
        run
            Name of the prompt.
        logprobs
            Labels, or first tokens of an answer, with the natural logarithms of their probabilities.
        whole
            Whether they are the labels.

        Returns
        -------
        float or None
            None where the model hardly ever says one of the labels.

        Raises
        ------
        SystemFailed
            Labels are several tokens for the model, and only first tokens are given.
        """
        prompt = self._prompt(run)
        answer = Answer(said=json.dumps([(label, float(logprob)) for label, logprob in logprobs]))
        return reader(prompt, self.prompts.score_range, whole=whole)(answer).score

    def numbers(self, answers: Iterable[PromptScore]) -> dict[str, float]:
        """Return the largest difference, effects by name, and the share of answers without a score.

        Harnesses ask for this while answers come and for parts of a task. Groups are compared on the whole corpus
        only: where a sentence has no answer yet, or none that holds a score, they are NaN. Of a sentence
        that was asked several times, the score is the mean of the answers that hold one, as in an audit.

        Raises
        ------
        InputError
            The metric refuses the scores.
        """
        scores = grouped(((run, row), score) for row, run, score in answers)
        every = list(itertools.chain(*scores.values()))
        share = every.count(None) / len(every) if every else math.nan
        rows = range(len(self.corpus.ids))
        whole = [[mean_of_answers(scores.get((each.name, row), [])) for row in rows] for each in self.prompts.prompts]
        incomplete = any(map(math.isnan, itertools.chain(*whole)))
        numbers = dict.fromkeys(self.names, math.nan) if incomplete else _flat_numbers(self.corpus, self.prompts, whole)
        return numbers | {NO_ANSWER: share}

    def _prompt(self, run: str) -> Prompt:
        return next(prompt for prompt in self.prompts.prompts if prompt.name == run)


@functools.cache
def open_task(folder: Path) -> HarnessTask:
    """Read a folder that `eec task` has written.

    Raises
    ------
    InputError
        The rows are not those that were written.
    FileProblems
        The prompts cannot be used.
    """
    import pyarrow.parquet as pq

    facts = json_of(read_given(folder / FACTS).decode("utf-8"))
    table = pq.read_table(folder / ROWS)
    corpus = corpus_of(table, facts["config"], facts["version"], facts["language"], "", facts["review"])
    if corpus.data != facts["data"]:
        raise InputError(
            f"{folder / ROWS}: the content hash of the rows is {corpus.data.partition('#')[2]}; expected that of "
            f"{facts['data']}. Someone changed the rows after they were written: write the task again"
        )
    return HarnessTask(corpus, read(folder / PROMPTS), tuple(facts["numbers"]))


def make_task(corpus: Corpus, prompts: PromptSet) -> HarnessTask:
    """Return a task; which numbers there are is found by measuring scores that mean nothing.

    Raises
    ------
    InputError
        The metric refuses the corpus.
    """
    low, high = prompts.score_range
    spread = [low + (high - low) * (7 * row % 11) / 10 for row in range(len(corpus.ids))]
    numbers = _flat_numbers(corpus, prompts, [spread] * len(prompts.prompts))
    return HarnessTask(corpus, prompts, tuple(numbers))


def _flat_numbers(corpus: Corpus, prompts: PromptSet, scores: Sequence[Sequence[float]]) -> dict[str, float]:
    """Return what a harness prints of a result as flat numbers, prompts being a sample of prompts as in an audit.

    The first is the largest difference between groups, without a sign, so that a table of a harness may call a lower
    number better; then its interval and the smallest difference that is found. The effects behind it have their signs.
    """
    names = [prompt.name for prompt in prompts.prompts]
    result = measure("a task", corpus, scores, prompts.score_range, runs=names)
    effects = {
        name: number
        for name, number in result.scalars.items()
        if name.endswith("_effect") and not any(f":{asked}" in name for asked in OTHER_QUESTIONS)
    }
    numbers = _largest(result.gaps) | effects
    return {name: math.nan if number is None else float(number) for name, number in numbers.items()}


def _largest(findings: Sequence[Finding]) -> dict[str, float | None]:
    """Return the largest difference, where its size lies, and the smallest that is found of its kind."""
    known = [finding for finding in findings if finding.gap is not None]
    if not known:
        return dict.fromkeys(HEADLINE)
    largest = max(known, key=lambda finding: abs(finding.gap or 0.0))
    low, high = largest.low, largest.high
    if low is not None and high is not None:
        # Of an interval on both sides of 0 the size may be 0.
        low, high = max(low, -high, 0.0), max(-low, high)
    return dict(zip(HEADLINE, (abs(largest.gap or 0.0), low, high, largest.found_from), strict=True))
