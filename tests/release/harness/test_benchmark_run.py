"""``eval.yaml`` in Inspect itself, from a Hub on loopback with a model that follows a rule; the log is read back."""

import hashlib
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from loopback import Hub

from eec_datasets import corpora, release
from eec_datasets.audit.answered import measure_logs
from eec_datasets.audit.running import measure
from eec_datasets.errors import InputError
from eec_datasets.release import benchmark
from eec_datasets.systems.corpus import open_corpus

pytestmark = pytest.mark.harness

CONFIG = "en-sample"
ASK = """
import hashlib, json, sys
from inspect_ai import eval
from inspect_ai.model import ModelOutput, ModelUsage, get_model

def answer(messages, *_):
    asked = " ".join(message.text for message in messages)
    number = hashlib.sha256(asked.encode()).digest()[0] / 255
    said = "joy" if "emotion" in asked else f"{number:.2f}"
    made = ModelOutput.from_content(model="fake", content=said)
    made.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    return made

folder, limit, *tasks = sys.argv[1:]
model = get_model("mockllm/fake", custom_outputs=answer)
eval(tasks, model=model, log_dir=folder, display="none", limit=int(limit) or None)
"""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A Hub that holds a release with two samples, under a tag."""
    pytest.importorskip("inspect_ai", reason="needs the extra harness (inspect-ai)")
    folder = tmp_path_factory.mktemp("built") / "eec"
    release.build(folder, configs=[CONFIG, "es-sample"])
    files = {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    with Hub() as hub:
        repository = hub.create("org/eec", files=files)
        repository.tags["v1.0.0"] = repository.head
        yield hub


def ask(hub: Hub, folder: Path, *tasks: str, limit: int = 0) -> list[Path]:
    """Run tasks in Inspect; the logs."""
    settings = {"HF_ENDPOINT": hub.url, "HF_HOME": str(folder / "hf"), "HF_HUB_DISABLE_XET": "1", "HF_TOKEN": "good"}
    done = subprocess.run(
        [sys.executable, "-c", ASK, str(folder / "logs"), str(limit), *tasks],
        env=os.environ | settings, capture_output=True, text=True, check=False, cwd=folder,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return sorted((folder / "logs").glob("*.eval"))


def expected(text: str, prompt: benchmark.Task) -> float:
    """Return the model's answer to a sentence under a prompt."""
    asked = " ".join(part for part in (prompt.system, prompt.text.replace("{text}", text)) if part)
    return float(f"{hashlib.sha256(asked.encode()).digest()[0] / 255:.2f}")


def name_of(row: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return the subject of a row of terms."""
    return tuple(row.get(key) for key in ("emotion", "term", "level", "reference", "subset"))


def told_by_inspect(logs: list[Path]) -> dict[str, float]:
    """The accuracy that Inspect prints, by prompt."""
    from inspect_ai.log import read_eval_log

    found = {}
    for path in logs:
        log = read_eval_log(str(path), header_only=True)
        assert log.results is not None
        found[log.eval.task.rpartition("--")[2]] = log.results.scores[0].metrics["accuracy"].value
    return found


def test_a_log_gives_the_effects_of_direct_scoring(served: Hub, tmp_path: Path) -> None:
    names = ("rater", "form", "after", "estimate")
    logs = ask(served, tmp_path, *(f"hf/org/eec/{CONFIG}--{name}" for name in names), f"hf/org/eec/{CONFIG}--emotion")
    measured, corpus = measure_logs(logs), open_corpus(CONFIG)
    prompts = {task.prompt: task for task in benchmark.tasks_of([corpora.find(CONFIG)])}
    direct = {name: [expected(text, prompts[name]) for text in corpus.columns["text"]] for name in sorted(names)}
    result = measure("direct", corpus, list(direct.values()), (0.0, 1.0), runs=list(direct))
    # An audit, and so a log, has the differences within each group beside these.
    found = {name_of(row): row for row in measured.measurement.result.terms}
    for theirs in result.terms:
        mine = found[name_of(theirs)]
        assert mine["effect"] == pytest.approx(theirs["effect"], abs=1e-12)
        assert mine["p"] == pytest.approx(theirs["p"], abs=1e-9)
    assert measured.accuracy == {f"{CONFIG}--emotion": 0.25}
    assert told_by_inspect(logs) == {"emotion": 0.25, "rater": 1.0, "form": 1.0, "after": 1.0, "estimate": 1.0}


def test_a_limited_run_is_refused(served: Hub, tmp_path: Path) -> None:
    logs = ask(served, tmp_path, f"hf/org/eec/{CONFIG}--rater", limit=200)
    with pytest.raises(InputError, match="the run was limited to 200: 200 of 416 answers"):
        measure_logs(logs)


def test_inspect_accepts_every_task() -> None:
    tasks = pytest.importorskip("inspect_ai._eval.task.hf", reason="needs the extra harness (inspect-ai)")
    written = yaml.safe_load(benchmark.render(benchmark.tasks_of(corpora.configs())))["tasks"]
    assert [tasks.HFTask.model_validate(task).id for task in written] == [task["id"] for task in written]
