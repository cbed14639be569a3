"""``eval.yaml``: the tasks of the benchmark, made from the ready prompts and the samples of each language."""

import hashlib
import json
import re
import tomllib
from pathlib import Path

import pytest
import yaml

from eec_datasets import corpora, release
from eec_datasets.errors import OutputError
from eec_datasets.release import benchmark, manifest
from eec_datasets.systems.prompts import READY, file_of, read

SAMPLES = ["en-sample", "es-sample", "ar-sample"]


@pytest.fixture(scope="module")
def sampled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("sampled") / "eec"
    release.build(out, configs=[*SAMPLES, "es-religion"])
    return out


@pytest.fixture(scope="module")
def tasks(sampled: Path) -> dict[str, dict]:
    content = yaml.safe_load((sampled / "eval.yaml").read_text(encoding="utf-8"))
    return {task["id"]: task for task in content["tasks"]}


def test_there_is_a_task_for_every_ready_prompt_of_each_sample(tasks: dict[str, dict]) -> None:
    expected = []
    for config in SAMPLES:
        prompts = read(file_of("sentiment", config.partition("-")[0])).prompts
        expected += [f"{config}--{prompt.name}" for prompt in prompts] + [f"{config}--emotion"]
    assert list(tasks) == expected
    assert len(tasks) == 27


@pytest.mark.parametrize("config", SAMPLES)
def test_a_sample_is_small_and_has_as_many_sentences_of_each_emotion(config: str) -> None:
    rows = corpora.render(config).columns
    assert len(rows["id"]) == 416
    assert {emotion: rows["emotion"].count(emotion) for emotion in set(rows["emotion"])} == dict.fromkeys(
        ["anger", "fear", "joy", "sadness"], 104
    )


@pytest.mark.parametrize("config", SAMPLES)
def test_a_task_says_to_the_model_what_the_ready_prompt_says(tasks: dict[str, dict], config: str) -> None:
    for prompt in read(file_of("sentiment", config.partition("-")[0])).prompts:
        solvers = {solver["name"]: solver["args"] for solver in tasks[f"{config}--{prompt.name}"]["solvers"]}
        assert solvers["prompt_template"]["template"].replace("{prompt}", "{text}") == prompt.text
        assert solvers.get("system_message", {}).get("template", "") == prompt.system
        assert solvers["generate"] == {"temperature": 0, "max_tokens": 32}


def test_no_group_reaches_the_prompt_as_metadata_is_the_id_alone(tasks: dict[str, dict]) -> None:
    assert {tuple(task["field_spec"]["metadata"]) for task in tasks.values()} == {("id",)}


def test_braces_of_a_prompt_stay_as_they_are_written() -> None:
    task = benchmark.Task("en-sample", "json", 'Say {"score": 0.5} of {text}')
    (first, *_) = yaml.safe_load(benchmark.render([task]))["tasks"][0]["solvers"]
    assert first["args"]["template"].format(prompt="it") == 'Say {"score": 0.5} of it'


def captured(pattern: str, answer: str) -> str | None:
    """Return what Inspect takes from an answer: the group of the first match that is there."""
    match = re.search(pattern, answer, re.IGNORECASE)
    return next(filter(None, match.groups()), None) if match else None


@pytest.mark.parametrize("answer", ["0", "0.42", "0,42", "1.0", "1.00", "Score: 0.5", "**0.9**", "0.50."])
def test_a_number_from_0_to_1_counts_as_an_answer(tasks: dict[str, dict], answer: str) -> None:
    (scorer,) = tasks["en-sample--rater"]["scorers"]
    assert captured(scorer["args"]["pattern"], answer) == "0"


@pytest.mark.parametrize("answer", ["I cannot say.", "10", "50", "7.05", "2.0", "0%", "-0.5", ""])
def test_other_answers_do_not(tasks: dict[str, dict], answer: str) -> None:
    (scorer,) = tasks["en-sample--rater"]["scorers"]
    assert captured(scorer["args"]["pattern"], answer) is None


@pytest.mark.parametrize(
    ("answer", "named"),
    [
        ("joy", "joy"),
        ("Anger.", "Anger"),
        ("The text expresses sadness: sadness.", "sadness"),
        ("sadness (tristeza)", "sadness"),
        ("anger or fear", None),
        ("joyful", None),
        ("I cannot say.", None),
    ],
)
def test_an_answer_names_one_emotion(tasks: dict[str, dict], answer: str, named: str | None) -> None:
    task = tasks["es-sample--emotion"]
    assert captured(task["scorers"][0]["args"]["pattern"], answer) == named
    assert task["field_spec"]["target"] == "emotion"


def test_the_description_says_what_the_accuracy_is_not() -> None:
    content = yaml.safe_load(benchmark.render([]))
    assert "higher is better" in content["description"]
    assert "says nothing about bias" in content["description"]


def test_the_manifest_names_the_tasks_and_the_file(sampled: Path, tasks: dict[str, dict]) -> None:
    made = manifest.read(sampled)
    assert made.tasks == tuple(tasks)
    assert made.tasks_sha256 == hashlib.sha256((sampled / "eval.yaml").read_bytes()).hexdigest()


def test_a_build_without_samples_is_no_benchmark(built: Path) -> None:
    assert not (built / "eval.yaml").exists()
    assert manifest.read(built).tasks == ()


def test_a_manifest_of_before_there_were_tasks_is_read(sampled: Path) -> None:
    facts = json.loads((sampled / "manifest.json").read_text(encoding="utf-8"))
    del facts["tasks"], facts["tasks_sha256"]
    assert manifest.from_json(json.dumps(facts), "here").tasks == ()


def test_a_benchmark_edited_by_hand_is_never_replaced(tmp_path: Path) -> None:
    release.build(tmp_path / "eec", configs=["en-sample"])
    file = tmp_path / "eec" / "eval.yaml"
    file.write_text(file.read_text(encoding="utf-8").replace("max_tokens: 32", "max_tokens: 8"), encoding="utf-8")
    for overwrite in (False, True):
        with pytest.raises(OutputError, match=r"eval\.yaml"):
            release.build(tmp_path / "eec", configs=["en-sample"], overwrite=overwrite)
    assert "max_tokens: 8" in file.read_text(encoding="utf-8")


def test_every_ready_set_the_benchmark_takes_reads_numbers_from_0_to_1() -> None:
    name = tomllib.loads(benchmark.WORDS.read_text(encoding="utf-8"))["prompts"]
    assert benchmark.PROMPTS == READY
    for file in READY.glob(f"{name}.*.toml"):
        prompts = read(file)
        assert prompts.score_range == (0.0, 1.0)
        assert all(prompt.limits == (0.0, 1.0) and not prompt.labels for prompt in prompts.prompts)
