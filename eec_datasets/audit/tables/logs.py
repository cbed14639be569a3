"""Logs of harnesses: the answers of a run of Inspect or lm-eval, each with the sentence and the prompt it is of.

Two kinds of tasks are read: those of ``eval.yaml``, which Inspect takes from the Hub, and those that ``eec task``
writes. A log does not say which release of the corpora was asked, so every sentence is compared with the corpus.
"""

from __future__ import annotations

import math
import os
import re
import zipfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from eec_datasets import corpora
from eec_datasets.audit.shapes import MisshapenError, check_shape
from eec_datasets.audit.tables.zipped import Zipped
from eec_datasets.errors import InputError
from eec_datasets.given_file import read_given
from eec_datasets.release import benchmark
from eec_datasets.systems.base import State
from eec_datasets.systems.reading import CUT, number
from eec_datasets.text_file import json_of

HEADER: Final = "header.json"
SAMPLE: Final = re.compile(r"samples/.+\.json")
OWN_TASK: Final = re.compile(r"eec[-_](?P<config>.+?)(?P<plain>-plain)?")
SAMPLES_FILE: Final = re.compile(r"samples_(?P<task>eec-.+)_(?P<date>\d{4}-\d\d-\d\dT[\d.-]+)\.jsonl")
RESUME: Final = "Finish it with inspect eval-retry, or run the task again."
SHOWN: Final = 3
PARTS: Final = ("row", "run", "score")
"""Values that our scorer returns for an answer in lm-eval."""


SHAPES: Final[Mapping[str, Any]] = {
    "log": {"eval": "evaluation", "plan?": "plan", "results?": "totals"},
    "evaluation": {
        "model": "text", "dataset": "dataset", "task?": "text", "config?": "settings", "task_args?": "arguments",
    },
    "dataset": {"name?": "text", "samples": "whole"},
    "settings": {"epochs?": "whole"},
    "arguments": {"revision?": "text"},
    "plan": {"steps?": ["step"]},
    "step": {"solver": "text", "params": "object"},
    "totals": {"completed_samples?": "whole"},
    "sample": {
        "input": "text", "target": "text", "output": "output", "error?": "failure", "metadata?": "object",
    },
    "own sample": {
        "id": "text", "input": ["message"], "output": "output", "error?": "failure", "metadata": "run",
        "scores": "scores",
    },
    "output": {"completion?": "text", "choices?": ["choice"]},
    "choice": {"stop_reason?": "text"},
    "failure": {"message?": "text"},
    "message": {"role": "text"},
    "run": {"run": "text"},
    "scores": {"score": "object"},
    "lm-eval sample": {"doc": "doc", "filtered_resps": ["text"]},
    "doc": {"id": "text", "row": "whole", "run": "text", "text": "text"},
    "lm-eval results": {"n-samples": "counts", "model_name?": "text"},
    "counts": {"*": "count"},
    "count": {"original": "whole", "effective": "whole"},
}  # fmt: skip
"""Parts that we read of the files of Inspect and lm-eval, see `check_shape`."""


@dataclass(frozen=True, slots=True)
class Said:
    """One answer.

    Attributes
    ----------
    id
        Of the row of the corpus.
    text
        What was asked, which holds the sentence.
    score
        The number that the answer holds, on the range of the scores; None where it holds none.
    state
        Why it holds none.
    answer
        What the model said.
    target
        The emotion that was to be named; empty where none was.
    """

    id: str
    text: str
    score: float | None
    state: State
    answer: str
    target: str = ""


@dataclass(frozen=True, slots=True)
class Log:
    """The content of one log.

    Attributes
    ----------
    source
        The file.
    model, config
        What was asked about what.
    asked
        The data set as the log names it, with its revision where that is known; empty where there is none.
    whole
        Whether every row of the config was to be asked about, and none is a part by design.
    answers
        By prompt, in the order of the log.
    """

    source: str
    model: str
    config: str
    asked: str
    whole: bool
    answers: Mapping[str, Sequence[Said]] = field(repr=False)


START: Final = 1 << 12

LOG_IN_JSON: Final = re.compile(rb'(\xef\xbb\xbf)?\s*\{\s*"(version|status|eval)"\s*:')
"""Start of a log of Inspect; other JSON is a table."""


def is_log(path: Path) -> bool:
    """Return whether a file is a log of a harness: ``.eval`` and ``.json`` of Inspect, ``samples_eec-….jsonl``."""
    if path.suffix == ".json" and path.is_file():
        with path.open("rb") as stream:
            return LOG_IN_JSON.match(stream.read(START)) is not None
    return path.suffix in (".eval", ".json") or SAMPLES_FILE.fullmatch(path.name) is not None


def read_logs(paths: Sequence[Path]) -> list[Log]:
    """Read logs; none is read to its end before it is known that all of them can be used.

    Raises
    ------
    InputError
        One is cut short, still running, was stopped, limited to a part, holds errors, or is of another task.
    """
    if twice := [path for path, count in Counter(map(os.path.realpath, paths)).items() if count > 1]:
        raise InputError(f"{twice[0]} is named twice; expected each log once.")
    opened = [_LmEval(path) if path.suffix == ".jsonl" else _Inspect(path) for path in paths]
    return [log.read() for log in opened]


class _Inspect:
    """A log of Inspect whose header says that it is complete."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.samples: list[Any] | None = None
        header = self._header()
        self.status = header.get("status")
        if self.status != "success":
            raise InputError(f"{self.path}: the run ended with the status {self.status!r}, not success. {RESUME}")
        _check(header, "log", path)
        self.evaluation = header["eval"]
        self._check_finished(header)
        task = str(self.evaluation.get("task", "")).rpartition("/")[2]
        own = OWN_TASK.fullmatch(task)
        self.config, self.prompt = benchmark.task_name(task)
        if self.prompt:
            known = {each.id: each for each in benchmark.tasks_of(corpora.usable()[0])}
            if task not in known:
                raise InputError(
                    f"{path}: the task {task!r} is not in eval.yaml; its tasks are {', '.join(sorted(known))}. "
                    "Another version of eec-datasets may have made it: measure the log with that one."
                )
            self._check_asked(header, known[task])
        elif own is not None:
            self.config = _config_of(own["config"])
        else:
            raise InputError(
                f"{path}: the task is {task!r}; expected one of eval.yaml (hf/ORG/NAME/CONFIG--PROMPT), or one that "
                "eec task inspect has written."
            )

    def _header(self) -> dict[str, Any]:
        """Read what the log says of itself; a JSON log is read as a whole."""
        try:
            if self.path.suffix == ".eval":
                with Zipped(self.path) as archive:
                    if HEADER not in archive.names:
                        raise InputError(f"{self.path}: the run has not ended, or was killed. {RESUME}")
                    header = json_of(archive.read(HEADER))
            else:
                header = json_of(read_given(self.path).decode("utf-8"))
                self.samples = header.get("samples") if isinstance(header, dict) else None
                if not isinstance(self.samples, list):
                    self.samples = []
        except OSError as error:
            raise InputError(f"Cannot read {self.path}: {error.strerror}.") from error
        except (zipfile.BadZipFile, ValueError) as error:
            raise InputError(f"{self.path}: the log is damaged or cut short ({error}). {RESUME}") from error
        if not isinstance(header, dict) or "eval" not in header:
            raise InputError(f"{self.path}: this is not a log of Inspect; expected the keys eval and status.")
        return header

    def _check_finished(self, header: Mapping[str, Any]) -> None:
        size = self.evaluation["dataset"]["samples"]
        epochs = (self.evaluation.get("config") or {}).get("epochs") or 1
        limit = (self.evaluation.get("config") or {}).get("limit")
        completed = (header.get("results") or {}).get("completed_samples")
        if limit is not None or completed != size * epochs:
            part = f"limited to {limit}" if limit is not None else "not complete"
            raise InputError(
                f"{self.path}: the run was {part}: {completed} of {size * epochs} answers. The first sentences are a "
                "few items, and groups are compared on all of them. Run the task without --limit."
            )
        self.expected = size * epochs

    def _check_asked(self, header: Mapping[str, Any], task: benchmark.Task) -> None:
        """Refuse answers to other words than those of the prompt, which ``eval.yaml`` may have had before a change."""
        steps = (header.get("plan") or {}).get("steps") or []
        found = [(step["solver"], step["params"].get("template", "")) for step in steps if step["solver"] != "generate"]
        expected = benchmark.asked(task)
        if found != expected:
            raise InputError(
                f"{self.path}: the task {task.id!r} was not asked as eval.yaml of this release asks it. The log has "
                f"{_in_words(found)}; expected {_in_words(expected)}. If someone edited eval.yaml, build it again and "
                "run the task again; where another version of eec-datasets made it, measure the log with that one."
            )

    def read(self) -> Log:
        """Read all samples."""
        samples = list(self._samples())
        if len(samples) != self.expected:
            raise InputError(f"{self.path}: {len(samples)} answers are in the log, {self.expected} were made. {RESUME}")
        answers: dict[str, list[Said]] = {}
        for position, sample in enumerate(samples, start=1):
            if isinstance(sample, dict) and isinstance(failure := sample.get("error"), dict):
                name = sample.get("id")
                raise InputError(f"{self.path}: sample {name} ended in an error: {failure.get('message')}. {RESUME}")
            _check(sample, "sample" if self.prompt else "own sample", path=self.path, part=f"sample {position}")
            prompt, said = self._benchmark(sample) if self.prompt else self._own(sample)
            answers.setdefault(prompt, []).append(said)
        revision = (self.evaluation.get("task_args") or {}).get("revision")
        asked = str((self.evaluation.get("dataset") or {}).get("name") or "")
        asked = f"{asked}@{revision}" if revision else asked
        return Log(str(self.path), self.evaluation["model"], self.config, asked, bool(self.prompt), answers)

    def _samples(self) -> Iterator[Any]:
        if self.samples is not None:
            yield from self.samples
            return
        try:
            with Zipped(self.path) as archive:
                for name in archive.names:
                    if SAMPLE.fullmatch(name):
                        yield json_of(archive.read(name))
        except (zipfile.BadZipFile, ValueError) as error:
            raise InputError(f"{self.path}: the log is damaged ({error}). {RESUME}") from error

    def _benchmark(self, sample: Mapping[str, Any]) -> tuple[str, Said]:
        """Read the answer to a task of ``eval.yaml``; its scorer only says whether it found something."""
        identifier = (sample.get("metadata") or {}).get("id")
        if not isinstance(identifier, str):
            raise InputError(
                f"{self.path}: sample {sample.get('id')} has no id of the corpus in its metadata. Expected metadata: "
                "[id] in eval.yaml, as eec build writes it; it was edited."
            )
        answer, state = _completion(sample)
        score, target = None, ""
        if self.prompt == benchmark.EMOTION:
            target = str(sample["target"])
        if not state:
            if target:
                score = float(benchmark.emotion_named(answer) == target)
            else:
                score = number(answer, (0.0, 1.0))
            state = "unreadable" if score is None else ""
        return self.prompt, Said(identifier, str(sample["input"]), score, state, answer, target)

    def _own(self, sample: Mapping[str, Any]) -> tuple[str, Said]:
        """Read the answer to a task that ``eec task`` has written, whose scorer is ours."""
        answer, state = _completion(sample)
        score = _finite(sample["scores"]["score"].get("value"))
        if score is None:
            state = state or "unreadable"
        run = sample["metadata"]["run"]
        texts = [str(message.get("content")) for message in sample["input"] if message["role"] == "user"]
        if not texts:
            raise InputError(f"{self.path}: sample {sample['id']} has no message of the user. {RESUME}")
        return run, Said(str(sample["id"]).removesuffix(f" {run}"), texts[-1], score, state, answer)


class _LmEval:
    """The samples of a task that ``eec task lm-eval`` has written."""

    def __init__(self, path: Path) -> None:
        match = SAMPLES_FILE.fullmatch(path.name)
        if match is None:
            raise InputError(f"{path}: expected samples of lm-eval as it names them, samples_eec-CONFIG_DATE.jsonl.")
        self.path, self.task = path, match["task"]
        own = OWN_TASK.fullmatch(self.task)
        assert own is not None
        self.config = _config_of(own["config"])
        results = path.with_name(f"results_{match['date']}.json")
        if not results.exists():
            raise InputError(
                f"{path}: {results.name} is not beside it, which says how many sentences were asked. Keep the files of "
                "a run of lm-eval together."
            )
        try:
            self.results = json_of(read_given(results).decode("utf-8"))
            check_shape(self.results, "lm-eval results", results.name, SHAPES)
            counts = self.results["n-samples"][self.task]
            self.expected = counts["effective"]
        except (OSError, ValueError, KeyError) as error:
            raise InputError(
                f"{results}: these are no results of lm-eval for the task {self.task} ({error})."
            ) from error
        if counts["effective"] != counts["original"]:
            raise InputError(
                f"{path}: the run was limited: {counts['effective']} of {counts['original']} answers. Run the task "
                "without --limit."
            )

    def read(self) -> Log:
        """Read all samples."""
        try:
            lines = read_given(self.path).decode("utf-8").splitlines()
            samples = [json_of(line) for line in lines]
        except (OSError, ValueError) as error:
            raise InputError(
                f"{self.path}: the samples are damaged or cut short ({error}). Run the task again."
            ) from error
        if len(samples) != self.expected:
            raise InputError(f"{self.path}: {len(samples)} answers are there, {self.expected} were made. Run it again.")
        answers: dict[str, list[Said]] = {}
        for position, sample in enumerate(samples, start=1):
            _check(sample, "lm-eval sample", self.path, f"sample {position}", "Run the task again.")
            doc = sample["doc"]
            values = [
                value for value in sample.values() if isinstance(value, list) and value[:2] == [doc["row"], doc["run"]]
            ]
            if not values or len(values[0]) != len(PARTS) or not sample["filtered_resps"]:
                raise InputError(
                    f"{self.path}: a sample contains no score of the task; expected a log of a task that eec task "
                    f"wrote."
                )
            score, answer = _finite(values[0][2]), sample["filtered_resps"][0]
            state: State = "unreadable" if score is None else ""
            identifier = str(doc["id"]).removesuffix(f" {doc['run']}")
            answers.setdefault(doc["run"], []).append(Said(identifier, doc["text"], score, state, answer))
        model = str(self.results.get("model_name") or self.path.parent.name)
        return Log(str(self.path), model, self.config, "", False, answers)


def _in_words(steps: Sequence[tuple[str, str]]) -> str:
    """Name solvers and their templates."""
    return ", ".join(f"{solver} {template!r}" for solver, template in steps) or "no prompt"


def _check(value: Any, shape: str, path: Path, part: str = "", advice: str = RESUME) -> None:
    """Refuse what is not as the harness writes it."""
    try:
        check_shape(value, shape, ", ".join(filter(None, [str(path), part])), SHAPES)
    except MisshapenError as error:
        raise InputError(f"{error} The log is damaged, or of another version of the harness. {advice}") from error


def _finite(value: Any) -> float | None:
    """Return a score; None for what is no finite number, by which scorers say that there is none."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        score = float(value)
    except OverflowError:
        return None
    return score if math.isfinite(score) else None


def _completion(sample: Mapping[str, Any]) -> tuple[str, State]:
    """Return what a model said, and whether it refused; an answer that was cut off ends in `CUT`."""
    output = sample["output"]
    answer = str(output.get("completion") or "")
    choices = output.get("choices") or [{}]
    reason = choices[0].get("stop_reason")
    if reason == "content_filter":
        return answer, "refused"
    if reason in ("max_tokens", "model_length"):
        return answer + CUT, ""
    return answer, ""


def _config_of(name: str) -> str:
    """Return the config that a task is named after; in names of functions a hyphen is an underscore."""
    for config in corpora.usable()[0]:
        if name in (config.name, config.name.replace("-", "_")):
            return config.name
    raise InputError(f"the task eec-{name} is of no config that there is; expected eec-CONFIG. See eec configs.")
