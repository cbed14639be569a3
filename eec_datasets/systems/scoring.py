"""One system on one corpus: what is stored is read, the rest is asked for."""

from __future__ import annotations

import math
import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, Protocol, get_args

from eec_datasets.errors import BudgetSpent, InputError, Interrupted, SystemFailed
from eec_datasets.systems.base import Answer, State, System, check_score, score_batch
from eec_datasets.systems.builtin import check_group
from eec_datasets.systems.corpus import Corpus
from eec_datasets.systems.questions import ModelQuestion, ask
from eec_datasets.systems.store import Store

EXAMPLES: Final = 3
"""Answers without a score that are shown for each reason."""

UNREADABLE: Final = (ValueError, TypeError, OverflowError, LookupError, RecursionError)
"""Errors that reading an answer may raise."""


class Progress(Protocol):
    """Shows the user how far a run is, such as a ``tqdm`` bar."""

    def update(self, n: int) -> Any:
        """Report that ``n`` more answers have arrived."""


@dataclass(slots=True)
class Cost:
    """The cost of a run: answers that were asked for, those that failed, and those that were stored already.

    Stored answers that no longer read were set aside, and are among those that were asked for.
    """

    stored: int = 0
    new: int = 0
    failed: int = 0
    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    seconds: float = 0.0
    set_aside: int = 0

    def add(self, answer: Answer) -> None:
        """Count one answer that was asked for."""
        self.new += 1
        self.failed += answer.state == "failed"
        self.calls += answer.calls
        self.tokens_in += answer.tokens_in
        self.tokens_out += answer.tokens_out


@dataclass(frozen=True, slots=True)
class CorpusScores:
    """A system's answers to a corpus.

    Attributes
    ----------
    runs
        One score per row by the name of the run; NaN where there is none.
    no_answer
        Likewise the share of a row's answers that are no score: 0 or 1 where each sentence is asked once.
    states
        How many answers are no score, by the reason.
    examples
        Up to `EXAMPLES` such answers by the reason, from `examples_of`.
    mass
        Mean share of the probability that lies on labels; ``None`` where scores are not read from it.
    models
        Versions of the model that the answers name.
    cost
        What it took.
    """

    runs: Mapping[str, list[float]]
    no_answer: Mapping[str, list[float]]
    states: Counter[str] = field(default_factory=Counter)
    examples: Mapping[str, Sequence[str]] = field(default_factory=dict)
    mass: float | None = None
    models: tuple[str, ...] = ()
    cost: Cost = field(default_factory=Cost)

    @property
    def answered(self) -> Mapping[str, list[float]]:
        """The runs that have a score somewhere; all of them where none has."""
        return {name: run for name, run in self.runs.items() if not all(map(math.isnan, run))} or self.runs

    @property
    def silent(self) -> list[str]:
        """The names of the runs left out of the scores, since others answered and they never did."""
        return [name for name in self.runs if name not in self.answered]

    @property
    def scores(self) -> list[float]:
        """The mean of the runs that answered per row; NaN where one of them has no score."""
        return mean_of_runs(self.answered)


def score_path(out: Path, system: str, config: str) -> Path:
    """Return where the scores of a system on a config are written: ``OUT/scores/SYSTEM/CONFIG.csv``."""
    return out / "scores" / re.sub(r"[^\w.+-]+", "-", system).strip("-.") / f"{config}.csv"


def check_distinct(systems: Sequence[System], out: Path) -> None:
    """Refuse systems that would overwrite each other: with the same name, or the same folder of scores.

    Raises
    ------
    InputError
        Naming both.
    """
    owners: dict[Path, System] = {}
    for system in systems:
        folder = score_path(out, system.name, "").parent
        if (other := owners.setdefault(folder, system)) is not system:
            specs = " and ".join(each.spec or each.name for each in (other, system))
            raise InputError(
                f"systems {specs} are called {other.name!r} and {system.name!r}, and the scores of both would go to "
                f"{folder}. Give them different names, or audit them separately into different folders."
            )


def score_corpus(
    system: System, corpus: Corpus, store: Store, progress: Progress | None = None, fresh: bool = False
) -> CorpusScores:
    """Score a corpus; no text is asked for that the store has.

    Parameters
    ----------
    system, corpus
        What scores what.
    store
        Answers that were given before; new ones are added as they come.
    progress
        Told of every answer; those that are stored count as its first.
    fresh
        Ask again for stored answers; the new ones replace them.

    Raises
    ------
    Interrupted
        The user stopped the run; the message says how to go on.
    SystemFailed, StoreUnusable
        The system fails, or the store cannot be used.
    """
    check_group(system.name, corpus.name, corpus.groups)
    tell = progress.update if progress else lambda _: None
    runs = system.runs_in(corpus.language)
    if not system.stored:
        # Its numbers follow from the rows and are worth no place in the store.
        scores = [math.nan if score is None else score for score in score_batch(system, corpus.columns)]
        tell(len(scores))
        return CorpusScores({"score": scores}, {"score": [float(math.isnan(score)) for score in scores]})
    cost, started = Cost(), time.monotonic()
    try:
        answers = {name: _answers(run, corpus, store, tell, cost, fresh) for name, run in runs.items()}
    except (KeyboardInterrupt, BudgetSpent) as error:
        raise _stopped(error, system, corpus, store, cost, fresh=fresh) from error
    cost.seconds = time.monotonic() - started
    cost.set_aside = sum(store.count_set_aside(run) for run in runs.values())
    return _gather(runs, corpus, answers, cost)


def size(system: System, corpus: Corpus) -> int:
    """Return how many answers a corpus takes."""
    if not system.stored:
        return len(corpus.ids)
    return sum(run.repeats for run in system.runs_in(corpus.language).values()) * len(set(corpus.columns["text"]))


def missing(
    system: System, corpus: Corpus, store: Store, *, fresh: bool = False
) -> tuple[list[ModelQuestion], dict[tuple[str, int], Answer]]:
    """Return what has to be asked, each text once and what failed before at the end, and what is stored."""
    rows = dict(zip(reversed(corpus.columns["text"]), reversed(corpus.ids), strict=True))
    keys = [(text, repeat) for repeat in range(system.repeats) for text in dict.fromkeys(corpus.columns["text"])]
    answers, failed = stored_answers(system, store, list(rows), fresh=fresh), store.failed(system)
    questions = [ModelQuestion(rows[key[0]], *key, key in failed) for key in keys if key not in answers]
    stored = {key: answers[key] for key in keys if key in answers}
    return sorted(questions, key=lambda each: each.failed), stored


def stored_answers(system: System, store: Store, texts: Sequence[str], *, fresh: bool) -> dict[tuple[str, int], Answer]:
    """Return the answers that are stored and read; those that no longer read are set aside."""
    answers = store.read(system, texts, renewed=fresh)
    odd = [key for key, answer in answers.items() if not _reads(system, answer)]
    if odd:
        store.set_aside(system, odd)
    for key in odd:
        del answers[key]
    return answers


def _reads(system: System, answer: Answer) -> bool:
    """Tell if an entry of the store is an answer; it may be damaged, or of an earlier version that checked less."""
    try:
        is_whole = (answer.score is None or math.isfinite(answer.score)) and _are_facts(*answer[1:8])
        if is_whole and system.reader and not answer.state:
            system.reader(answer)
    except UNREADABLE:
        return False
    except SystemFailed:
        return True  # it reads, and what it says does not fit the prompt
    return is_whole


@lru_cache(maxsize=4096, typed=True)
def _are_facts(state: Any, said: Any, model: Any, calls: Any, tokens_in: Any, tokens_out: Any, reply: Any) -> bool:
    """Tell if an entry says of an answer what `Answer` does, except its score; most entries of a system say the same.

    Raises
    ------
    UnicodeEncodeError
        A text is damaged.
    """
    return (
        state in get_args(State)
        and all(isinstance(text, str) and text.encode() is not None for text in (said, model, reply))
        and all(type(count) is int and count >= 0 for count in (calls, tokens_in, tokens_out))
    )


def _answers(
    system: System, corpus: Corpus, store: Store, tell: Callable[[int], Any], cost: Cost, fresh: bool
) -> dict[tuple[str, int], Answer]:
    questions, stored = missing(system, corpus, store, fresh=fresh)
    answers = {key: _read(system, key[0], answer) for key, answer in stored.items()}
    cost.stored += len(answers)
    tell(len(answers))
    if not questions:
        return answers
    recorded: list[tuple[str, int]] = []
    mixed: list[SystemFailed] = []

    def on_answers(answered: Sequence[tuple[ModelQuestion, Answer]]) -> None:
        if mixed:  # a reply that was on its way may be another sentence's too
            raise mixed[0]
        keep: list[tuple[str, int, Answer]] = []
        try:
            for each, answer in answered:
                # What does not read is not stored.
                answers[each.text, each.repeat] = _read(system, each.text, answer)
                if first := store.first_with(system, each.text, each.repeat, answer):
                    mixed.append(_mixed(system, store, recorded, each, first))
                    raise mixed[0]
                if answer.state == "failed":
                    store.write_failure(system, each.text, each.repeat)
                else:
                    keep.append((each.text, each.repeat, answer))
                cost.add(answer)
        finally:
            if keep:
                store.write_all(system, keep, fresh)
            recorded.extend((text, repeat) for text, repeat, _ in keep)
        tell(len(answered))

    # A batch of like lengths needs no padding, which takes as long as words do.
    if system.by_length:
        questions.sort(key=lambda each: (each.failed, -len(each.text)))
    ask(system, questions, on_answers, answered=bool(stored))
    # Where another process has asked the same meanwhile, the first answer stands, and both report it.
    standing = stored_answers(system, store, [each.text for each in questions], fresh=fresh)
    return {key: _read(system, key[0], standing[key]) if key in standing else answers[key] for key in answers}


def _mixed(
    system: System, store: Store, recorded: Sequence[tuple[str, int]], question: ModelQuestion, first: tuple[str, int]
) -> SystemFailed:
    """Set aside the answers that came after a reply which came twice; return the error that stops the run."""
    suspect = recorded[recorded.index(first) + 1 :] if first in recorded else recorded
    store.set_aside(system, suspect)
    both = f"two sentences: {first[0]!r} and {question.text!r}"
    if first[0] == question.text:
        both = f"two repeats of one sentence: {question.text!r}"
    return SystemFailed(
        f"{system.name} sent one reply (same id, same words) for {both}. Something between you and the model mixes "
        "answers up, such as a proxy, or a cache that takes similar sentences for the same. The "
        f"{len(suspect):,} answers since the first of them were set aside. Switch the cache or proxy off and run the "
        "same again. A server of your own that gives all replies one id should leave the id out."
    )


def _read(system: System, text: str, answer: Answer) -> Answer:
    """Read the score from what was said; one that was stored may be outside a range declared since."""
    if system.reader and not answer.state:
        try:
            return system.reader(answer)
        except UNREADABLE as error:
            raise SystemFailed(f"{system.name} said what cannot be read: {answer.said[:80]!r} ({error}).") from error
    check_score(system, answer.score, "(stored)", text)
    return answer


def _gather(
    runs: Mapping[str, System], corpus: Corpus, answers_by_run: Mapping[str, dict[tuple[str, int], Answer]], cost: Cost
) -> CorpusScores:
    texts = corpus.columns["text"]
    columns, no_answer = {}, {}
    for name, run in runs.items():
        own, repeats = answers_by_run[name], range(run.repeats)
        means: dict[str, float] = {}
        shares: dict[str, float] = {}
        for text in dict.fromkeys(texts):
            scores = [own[text, repeat].score for repeat in repeats]
            means[text] = mean_of_answers(scores)
            shares[text] = scores.count(None) / run.repeats
        columns[name], no_answer[name] = [means[text] for text in texts], [shares[text] for text in texts]
    answers = [answer for each in answers_by_run.values() for answer in each.values()]
    unscored = [answer for answer in answers if answer.state]
    masses = [answer.mass for answer in answers if answer.mass is not None]
    return CorpusScores(
        columns,
        no_answer,
        Counter(answer.state for answer in unscored),
        examples_of((answer.state, answer.said) for answer in unscored),
        sum(masses) / len(masses) if masses else None,
        tuple(sorted({answer.model for answer in answers} - {""})),
        cost,
    )


def examples_of(answers: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """Return the first different answers without a score, by the reason, from the reasons and what was said."""
    examples: dict[str, list[str]] = {}
    for state, said in answers:
        if not state:
            continue
        known = examples.setdefault(state, [])
        if said not in known and len(known) < EXAMPLES:
            known.append(said)
    return examples


def mean_of_answers(scores: Sequence[float | None]) -> float:
    """Return the mean of the answers that hold a score; NaN where none does."""
    numbers = [score for score in scores if score is not None]
    return math.fsum(numbers) / len(numbers) if numbers else math.nan


def mean_of_runs(runs: Mapping[str, Sequence[float]]) -> list[float]:
    """Return the mean per row; NaN where a run has no score."""
    return [math.fsum(row) / len(row) for row in zip(*runs.values(), strict=True)]


def _stopped(
    error: BaseException, system: System, corpus: Corpus, store: Store, cost: Cost, *, fresh: bool
) -> BudgetSpent | Interrupted:
    """Return the error of a run that ended early: what is stored, and how to go on."""
    kind, reason = (BudgetSpent, str(error)) if isinstance(error, BudgetSpent) else (Interrupted, "Interrupted:")
    stored = sum(len(missing(run, corpus, store)[1]) for run in system.runs_in(corpus.language).values())
    done = f"{stored:,} of {size(system, corpus):,} answers of {system.name} on {corpus.name}"
    fix = (
        f"{cost.new - cost.failed:,} of them are new. Leave out fresh to use the stored answers and ask only for the "
        f"others; with fresh we ask for all answers again."
        if fresh
        else "Run the same command again to go on."
    )
    return kind(f"{reason} {done} are stored in {store.path}. {fix}")
