"""The tasks in lm-eval and Inspect themselves, offline, on a tiny model: their numbers are those of an audit."""

import json
import math
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from local_model import LocalModel, open_local, transformers
from tiny import LABELS, NUMBERS, causal_model, written

from eec_datasets.audit.harness import HarnessTask, make_task
from eec_datasets.systems.corpus import Corpus, CorpusPart, open_corpus, part_of
from eec_datasets.systems.prompts import read
from eec_datasets.systems.scoring import score_corpus
from eec_datasets.systems.store import Store

pytestmark = pytest.mark.harness

LONG = LABELS.replace("A = 0, B = 0.5, C = 1", '"AB" = 0, "so so" = 0.5, "C" = 1')


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    whole = open_corpus("en-black-white-100", CorpusPart(names=2, items=8))
    return part_of(whole, [row for row, kind in enumerate(whole.columns["person_type"]) if kind == "name"])


@pytest.fixture(scope="module")
def models(corpus: Corpus, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A model that is likely to say what the prompts ask for, by prompts."""
    texts, folder = list(corpus.columns["text"]), tmp_path_factory.mktemp("gpt")
    letters = causal_model(folder / "letters", texts, list("ABC"))
    # With this seed the digits differ from sentence to sentence, so that equal numbers mean something.
    digits = causal_model(folder / "digits", texts, list("0123456789"), seed=7)
    return {LABELS: letters, LONG: letters, NUMBERS: digits}


def audited(model: Path, corpus: Corpus, folder: Path, chat: bool) -> dict[str, float]:
    """The numbers of eec audit."""
    prompts = folder / "mine.toml"
    with Store(folder / "answers.db") as store:
        scored = score_corpus(open_local(model, prompts, chat=chat), corpus, store)
    rows = range(len(corpus.ids))
    task: HarnessTask = make_task(corpus, read(prompts))
    given = [(row, run, scores[row]) for run, scores in scored.runs.items() for row in rows]
    return task.numbers((row, run, None if math.isnan(score) else score) for row, run, score in given)


def run(folder: Path, *command: str) -> None:
    """Run a harness of this environment, without a network."""
    environment = os.environ | {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "HF_HOME": str(folder / "hf")}
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]


def lm_eval(folder: Path, model: Path, name: str, *more: str) -> tuple[dict[str, float], list[dict[str, Any]]]:
    """The numbers and the samples of a run of lm-eval."""
    pytest.importorskip("lm_eval", reason="needs the extra harness (lm-eval)")
    run(
        folder, "lm_eval", "run", "--model", "hf", "--model_args", f"pretrained={model}", "--device", "cpu",
        "--batch_size", "32", "--include_path", "task", "--tasks", name, "--output_path", "out", "--log_samples", *more,
    )  # fmt: skip
    (results,) = (folder / "out").rglob("results_*.json")
    (samples,) = (folder / "out").rglob("samples_*.jsonl")
    found = json.loads(results.read_text())["results"][name]
    numbers = {key.removesuffix(",none"): value for key, value in found.items() if key.endswith(",none")}
    numbers = {key: value for key, value in numbers.items() if not key.endswith("_stderr")}
    return numbers, [json.loads(line) for line in samples.read_text().splitlines()]


@pytest.mark.parametrize(("prompts", "chat"), [(LABELS, True), (LONG, False), (NUMBERS, True)])
def test_lm_eval_gives_numbers_and_probabilities_of_an_audit(
    models: dict[str, Path], corpus: Corpus, tmp_path: Path, prompts: str, chat: bool
) -> None:
    model = models[prompts]
    written(tmp_path, "lm-eval", corpus, prompts)
    name = "eec-en-black-white-100"
    how = [name, "--apply_chat_template"] if chat else [f"{name}-plain", "--num_fewshot", "2"]
    numbers, samples = lm_eval(tmp_path, model, *how)
    assert len(samples) <= 200
    expected = audited(model, corpus, tmp_path, chat)
    assert numbers == pytest.approx(expected, abs=1e-4, nan_ok=True)
    if prompts == LONG:
        # The model hardly ever says labels of several tokens: that is no answer, for both.
        assert expected["no_answer"] > 0.5
    else:
        assert abs(expected["gender_effect"]) > 1e-3
    if prompts == NUMBERS:
        return
    opened = (transformers.AutoTokenizer, transformers.AutoModelForCausalLM)
    local = LocalModel(*(kind.from_pretrained(model) for kind in opened), chat)
    known = {prompt.name: prompt for prompt in read(tmp_path / "mine.toml").prompts}
    for sample in samples[:40]:
        doc = sample["doc"]
        context = local.context(known[doc["run"]], corpus.columns["text"][doc["row"]])
        theirs = [float(answer[0]) for answer in sample["filtered_resps"]]
        assert local.logprobs([context], doc["labels"])[0] == pytest.approx(theirs, abs=1e-4)


def test_a_part_of_a_task_of_lm_eval_has_no_effects(models: dict[str, Path], corpus: Corpus, tmp_path: Path) -> None:
    written(tmp_path, "lm-eval", corpus, LABELS)
    how = ["eec-en-black-white-100", "--apply_chat_template", "--limit", "20"]
    numbers, _ = lm_eval(tmp_path, models[LABELS], *how)
    assert numbers.pop("no_answer") == 0
    assert numbers
    assert all(map(math.isnan, numbers.values()))


def inspected(folder: Path, model: Path, *more: str) -> dict[str, float]:
    """The numbers of a run of Inspect."""
    pytest.importorskip("inspect_ai", reason="needs the extra harness (inspect-ai)")
    run(
        folder, "inspect_ai", "eval", "task/eec_task.py", "--model", "hf/local", "-M", f"model_path={model}",
        "-M", "do_sample=false", "-M", "device=cpu", "--log-dir", "logs", "--log-format", "json", "--display", "none",
        *more,
    )  # fmt: skip
    (log,) = (folder / "logs").glob("*.json")
    content = json.loads(log.read_text())
    assert content["status"] == "success"
    (scores,) = content["results"]["scores"]
    return {name: metric["value"] for name, metric in scores["metrics"].items()}


@pytest.mark.parametrize("prompts", [LABELS, NUMBERS])
def test_inspect_gives_the_numbers_of_an_audit(
    models: dict[str, Path], corpus: Corpus, tmp_path: Path, prompts: str
) -> None:
    model = models[prompts]
    written(tmp_path, "inspect", corpus, prompts)
    numbers = inspected(tmp_path, model)
    expected = audited(model, corpus, tmp_path, chat=True)
    assert numbers == pytest.approx(expected, abs=1e-4)
    assert abs(expected["gender_effect"]) > 1e-3


def test_inspect_takes_no_answer_for_a_score_of_zero(models: dict[str, Path], corpus: Corpus, tmp_path: Path) -> None:
    few = NUMBERS.replace("[0, 9]", "[0, 3]")  # the model also says 4, 6 and 8
    written(tmp_path, "inspect", corpus, few)
    numbers = inspected(tmp_path, models[NUMBERS], "--epochs", "2")
    expected = audited(models[NUMBERS], corpus, tmp_path, chat=True)
    assert numbers == pytest.approx(expected, nan_ok=True)
    assert 0.5 < expected["no_answer"] < 1
    assert math.isnan(expected["gender_effect"])
