"""Logs of harnesses measured: the answers beside the corpus they are of, and then the numbers of an audit."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from eec_bias.shared import grouped
from eec_datasets.audit.running import CorpusAudit, measurements_of
from eec_datasets.audit.tables.logs import Log, Said, read_logs
from eec_datasets.errors import InputError
from eec_datasets.release.benchmark import BETWEEN, EMOTION
from eec_datasets.systems.base import System
from eec_datasets.systems.corpus import Corpus, open_corpus, part_of
from eec_datasets.systems.scoring import CorpusScores, examples_of, mean_of_answers

if TYPE_CHECKING:
    from eec_bias import Measurement

SHOWN: Final = 3


@dataclass(frozen=True, slots=True)
class MeasuredLogs:
    """The measured answers of one model.

    Attributes
    ----------
    model, corpus
        What was asked about what.
    audit
        What an audit says of the same answers.
    accuracy
        By the id of a task of ``eval.yaml``: the share of sentences of which the model names the emotion.
    notes
        What was left aside.
    """

    model: str
    corpus: Corpus
    audit: CorpusAudit
    accuracy: Mapping[str, float]
    notes: Sequence[str]

    @property
    def measurement(self) -> Measurement:
        """The gaps in scores; if too few sentences have one, those in the share that has none."""
        return self.audit.measurements[0]


def measure_logs(
    paths: Sequence[Path], config: str | None = None, *, leave_out: bool = False, measuring: Any = ()
) -> MeasuredLogs:
    """Measure logs of one model on one corpus; each prompt is a run, and epochs of a prompt are averaged.

    Where the emotion was asked beside a score, the scores are measured; where nothing else was asked, a score is 1
    where the emotion is named and 0 where another one is.

    Parameters
    ----------
    paths
        Logs of Inspect, or samples of lm-eval.
    config
        The corpus, where the logs are of several.
    leave_out
        Whether items are left out in which a sentence has no score, instead of estimating from the others.
    measuring
        Options of the metric.

    Raises
    ------
    InputError
        A log cannot be used, the logs do not go together, or the metric refuses the scores.
    """
    logs = read_logs(paths)
    configs = list(dict.fromkeys(log.config for log in logs))
    if config is None and len(configs) > 1:
        raise InputError(
            f"The logs are about several corpora: {', '.join(configs)}. Name the corpus to measure with --config."
        )
    chosen = [log for log in logs if log.config == (config or configs[0])]
    if not chosen:
        raise InputError(f"No log is about the corpus {config}; the logs are about {', '.join(configs)}.")
    notes = [f"{log.source}: is about {log.config} and is not measured here" for log in logs if log not in chosen]
    models = grouped((log.model, log.source) for log in chosen)
    if len(models) > 1:
        each = "; ".join(f"{model}: {', '.join(sources)}" for model, sources in models.items())
        raise InputError(f"The logs come from several models. Measure one model at a time. Logs of {each}")
    _refuse_doubles(chosen)
    corpus = _asked_part(open_corpus(chosen[0].config), chosen)
    for log in chosen:
        _check_rows(log, corpus)
    answers = {prompt: _by_row(said, corpus) for log in chosen for prompt, said in log.answers.items()}
    accuracy = {}
    if EMOTION in answers:
        named = [each.score or 0.0 for row in answers[EMOTION] for each in row]
        accuracy[f"{corpus.name}{BETWEEN}{EMOTION}"] = math.fsum(named) / len(named)
        if len(answers) > 1:
            notes.append(f"the answers to {EMOTION} are no scores and are not among those measured")
            del answers[EMOTION]
    system = System(chosen[0].model, runs=lambda _: {name: System(name) for name in answers})
    scored = _scores(answers)
    audit = measurements_of(system, corpus, scored, leave_out=leave_out, measuring=measuring)
    return MeasuredLogs(chosen[0].model, corpus, audit, accuracy, notes)


def _refuse_doubles(logs: Sequence[Log]) -> None:
    """Refuse two logs of the same prompt: it cannot be known which counts."""
    by_prompt = grouped((prompt, log.source) for log in logs for prompt in log.answers)
    for prompt, sources in by_prompt.items():
        if len(sources) > 1:
            raise InputError(
                f"{' and '.join(sources)} hold answers to the same prompt {prompt!r} about {logs[0].config}. Name one "
                "of them; to average several answers to a sentence, run the task with --epochs."
            )


def _asked_part(corpus: Corpus, logs: Sequence[Log]) -> Corpus:
    """Return the rows that a task of ours was about, which may be a part of the config; else all of them."""
    if any(log.whole for log in logs):
        return corpus
    asked = {said.id for log in logs for answers in log.answers.values() for said in answers}
    rows = [row for row, identifier in enumerate(corpus.ids) if identifier in asked]
    if len(rows) in (0, len(corpus.ids)):
        return corpus
    return part_of(corpus, rows)


def _check_rows(log: Log, corpus: Corpus) -> None:
    """Refuse answers to sentences that are not those of the corpus, or to only some of them."""
    texts = dict(zip(corpus.ids, corpus.columns["text"], strict=True))
    emotions = dict(zip(corpus.ids, corpus.columns["emotion"], strict=True))
    asked = f" (asked of {log.asked})" if log.asked else ""
    for prompt, answers in log.answers.items():
        given = Counter(said.id for said in answers)
        unknown = [identifier for identifier in given if identifier not in texts]
        missing = [identifier for identifier in texts if identifier not in given]
        other = [said for said in answers if said.id in texts and texts[said.id] not in said.text]
        if unknown or missing or other:
            found = [
                f"{len(other)} sentences are others, such as {other[0].id}: {other[0].text!r}, here "
                f"{texts[other[0].id]!r}" if other else "",
                f"{len(unknown)} ids are not in the corpus: {', '.join(unknown[:SHOWN])}" if unknown else "",
                f"{len(missing)} of {len(texts)} ids are missing: {', '.join(missing[:SHOWN])}" if missing else "",
            ]  # fmt: skip
            raise InputError(
                f"{log.source}{asked}, prompt {prompt!r}: the sentences are not those of {corpus.label}: "
                f"{'; '.join(filter(None, found))}. Measure the log with the release of eec-datasets that has the "
                "sentences it was asked, or run the task again."
            )
        for said in answers:
            if said.target and said.target != emotions[said.id]:
                raise InputError(
                    f"{log.source}, prompt {prompt!r}: the answer to {said.id} was compared with {said.target!r}; "
                    f"expected its emotion, {emotions[said.id]!r}. eval.yaml was edited: build it again, and run the "
                    "task again."
                )
        if len(set(given.values())) > 1:
            often = max(given, key=lambda identifier: given[identifier])
            raise InputError(f"{log.source}, prompt {prompt!r}: {often} has {given[often]} answers, others have fewer.")


def _by_row(answers: Sequence[Said], corpus: Corpus) -> list[list[Said]]:
    """Return the answers to each row in the order of the corpus."""
    by_id = grouped((said.id, said) for said in answers)
    return [by_id[identifier] for identifier in corpus.ids]


def _scores(answers: Mapping[str, Sequence[Sequence[Said]]]) -> CorpusScores:
    """Return the answers as an audit has them."""
    every = [said for rows in answers.values() for row in rows for said in row]
    return CorpusScores(
        {name: [mean_of_answers([said.score for said in row]) for row in rows] for name, rows in answers.items()},
        {name: [sum(said.score is None for said in row) / len(row) for row in rows] for name, rows in answers.items()},
        Counter(said.state for said in every if said.state),
        examples_of((said.state, said.answer) for said in every),
    )
