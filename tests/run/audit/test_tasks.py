"""The files of tasks, without their harnesses: they compile, hold the rows, and give the numbers of the metric."""

import asyncio
import importlib.util
import json
import math
import shlex
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
import yaml
from commands import succeed
from tiny import LABELS, written

import eec_datasets
from eec_bias import measure
from eec_datasets.audit.harness import HEADLINE, open_task
from eec_datasets.errors import InputError, SystemFailed, Unavailable
from eec_datasets.systems.corpus import Corpus, CorpusPart, open_corpus

NUMBERS = Path(__file__).with_name("stars.toml").read_text(encoding="utf-8")
NAME = "en-black-white-100"


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return open_corpus(NAME, CorpusPart(names=2, items=8))


@pytest.fixture(scope="module")
def folder(corpus: Corpus, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A task of lm-eval whose answers are labels."""
    return written(tmp_path_factory.mktemp("task"), "lm-eval", corpus, LABELS)


def imported(folder: Path) -> ModuleType:
    """The module of a task, as harnesses import it."""
    spec = importlib.util.spec_from_file_location("eec_task", folder / "eec_task.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def share(row: int, run: str) -> float:
    """A number from 0 to 1 that a row has under a prompt."""
    return ((37 * row + 11 * len(run)) % 97 + 2) / 100


def expected(corpus: Corpus, scores: list[list[float]], runs: list[str]) -> dict[str, float]:
    """Measure the rows as anybody loads them."""
    rows = eec_datasets.load(NAME, names=2, items=8)
    limits = (0.0, 5.0) if runs == ["stars", "grade"] else (0.0, 1.0)
    result = measure(scores, rows, runs=runs, score_range=limits)
    found = {}
    for term in result.overall:
        name = term["term"] if term["subset"] == "names" else f"{term['term']}_{term['subset']}"
        found[f"{name}_effect"] = term["effect"]
    assert len(rows) == len(corpus.ids)
    largest = max(result.gaps, key=lambda finding: abs(finding.gap))
    ends = sorted([abs(largest.low), abs(largest.high)])
    low = 0.0 if largest.low < 0 < largest.high else ends[0]
    headline = dict(zip(HEADLINE, (abs(largest.gap), low, ends[1], largest.found_from or math.nan), strict=True))
    return {**headline, **found, "no_answer": 0.0}


def test_a_task_of_lm_eval_holds_every_sentence_with_every_prompt(corpus: Corpus, folder: Path) -> None:
    rows = imported(folder).dataset(metadata="anything")["test"]
    first = [row["text"] for row in rows if row["run"] == "first"]
    assert first == [f"{text} Mood:" for text in corpus.columns["text"]]
    assert len(rows) == 2 * len(corpus.ids) == len(set(rows["id"]))
    assert (rows[0]["system"], rows[0]["plain"]) == ("Answer with one letter.", "Answer with one letter.\n\n")
    assert rows[0]["labels"] == ["A", "B", "C"]


def test_the_command_says_how_much_is_asked_and_how_its_task_is_run(tmp_path: Path) -> None:
    (tmp_path / "two.toml").write_text(NUMBERS, encoding="utf-8")
    part = ["--config", NAME, "--names", "2", "--items", "8", "--prompts", str(tmp_path / "two.toml")]
    for harness, flag in (("lm-eval", "--include_path"), ("inspect", "eval")):
        written_line, run_line = succeed("task", harness, *part, "--out", tmp_path / harness).output.splitlines()
        assert "each asked by 2 prompts: " in written_line
        assert all((tmp_path / harness / name).exists() for name in written_line.rpartition(": ")[2].split(", "))
        words = shlex.split(run_line.partition(": ")[2])
        assert words[words.index(flag) + 1].startswith(str(tmp_path / harness))


def test_files_of_lm_eval_name_numbers_and_functions_that_exist(folder: Path) -> None:
    module = imported(folder)

    class Loader(yaml.SafeLoader):
        """Reads !function as lm-eval does."""

    Loader.add_constructor("!function", lambda _, node: getattr(module, node.value.removeprefix("eec_task.")))
    content = yaml.load((folder / f"eec-{NAME}.yaml").read_text(), Loader)
    assert [metric["metric"] for metric in content["metric_list"]] == list(module.NUMBERS)
    assert {"largest_gap", "race_effect", "gender_pairs_effect", "no_answer"} <= set(module.NUMBERS)
    assert not any("_p" in name.replace("_pairs", "") for name in module.NUMBERS)
    better = {metric["metric"]: metric["higher_is_better"] for metric in content["metric_list"]}
    assert {name for name, higher in better.items() if higher is False} == {"largest_gap", "no_answer"}
    assert better["race_effect"] is None
    assert all(callable(metric["aggregation"]) for metric in content["metric_list"])
    facts = (content["task"], content["output_type"], content["num_fewshot"])
    assert facts == (f"eec-{NAME}", "multiple_choice", 0)
    plain = yaml.safe_load((folder / f"eec-{NAME}-plain.yaml").read_text())
    assert (plain["include"], plain["description"]) == (f"eec-{NAME}.yaml", "{{plain}}")
    with pytest.raises(AttributeError, match="none_effect"):
        module.none_effect  # noqa: B018


def test_the_numbers_of_a_task_of_lm_eval_are_those_of_the_metric(corpus: Corpus, folder: Path) -> None:
    module = imported(folder)
    given, scores = [], {"letters": [], "first": []}
    for doc in module.dataset()["test"]:
        good = share(doc["row"], doc["run"])
        shares = (0.9 * (1 - good), 1e-12, 0.9 * good + 1e-12)
        answers = module.process_results(doc, [(math.log(each), False) for each in shares])
        assert set(answers) == set(module.NUMBERS)
        given.append(answers["race_effect"])
        scores[doc["run"]].append(good)
    found = {name: compute(given) for name, compute in module.NUMBERS.items()}
    assert found == pytest.approx(expected(corpus, list(scores.values()), list(scores)), abs=1e-6, nan_ok=True)
    part = {name: compute(given[:-1]) for name, compute in module.NUMBERS.items()}
    assert part.pop("no_answer") == 0
    assert all(map(math.isnan, part.values()))


def test_an_answer_without_a_number_is_counted_and_leaves_no_effect(corpus: Corpus, tmp_path: Path) -> None:
    module = imported(written(tmp_path, "lm-eval", corpus, NUMBERS))
    docs = module.dataset()["test"]
    given = [module.process_results(doc, [f"{5 * share(doc['row'], doc['run']):.2f}"])["no_answer"] for doc in docs]
    scores = [[5 * share(row, run) for row in range(len(corpus.ids))] for run in ("stars", "grade")]
    wanted = expected(corpus, scores, ["stars", "grade"])
    assert {n: compute(given) for n, compute in module.NUMBERS.items()} == pytest.approx(wanted, nan_ok=True)
    given[0] = module.process_results(docs[0], ["I would rather not."])["no_answer"]
    assert module.NUMBERS["no_answer"](given) == pytest.approx(1 / len(docs))
    assert math.isnan(module.NUMBERS["race_effect"](given))


def test_a_sentence_asked_often_has_the_mean_of_its_scored_answers(corpus: Corpus, tmp_path: Path) -> None:
    task = open_task(written(tmp_path, "inspect", corpus, NUMBERS))
    rows, runs = range(len(corpus.ids)), ["stars", "grade"]
    changes = (-0.01, 0.02, 0.05)
    given = [(row, run, None if row % 5 == 0 and change == 0.02 else share(row, run) + change)
             for row in rows for run in runs for change in changes]  # fmt: skip
    wanted = expected(corpus, [[share(row, run) + 0.02 for row in rows] for run in runs], runs)
    wanted["no_answer"] = sum(score is None for _, _, score in given) / len(given)
    assert wanted["no_answer"] > 0.05
    assert task.numbers(given) == pytest.approx(wanted, nan_ok=True)
    unanswered = [(row, run, None if row == 7 else score) for row, run, score in given]
    assert math.isnan(task.numbers(unanswered)["race_effect"])


def stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put in the place of Inspect what its decorators and records are, and nothing of what it does."""
    parts = {"dataset": ("Sample",), "model": ("ChatMessageSystem", "ChatMessageUser", "GenerateConfig"),
             "scorer": ("Score", "SampleScore"), "solver": ("generate",)}  # fmt: skip
    root = ModuleType("inspect_ai")
    root.Task, root.task = SimpleNamespace, (lambda function: function)  # type: ignore[attr-defined]
    modules = {name: ModuleType(f"inspect_ai.{name}") for name in parts}
    for name, records in parts.items():
        for record in records:
            setattr(modules[name], record, SimpleNamespace)
    modules["dataset"].MemoryDataset = lambda samples, **_: samples  # type: ignore[attr-defined]
    modules["scorer"].NOANSWER = "N"  # type: ignore[attr-defined]
    modules["scorer"].metric = lambda **_: lambda function: function  # type: ignore[attr-defined]
    modules["scorer"].scorer = lambda **_: lambda function: function  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "inspect_ai", root)
    for name, module in modules.items():
        monkeypatch.setitem(sys.modules, f"inspect_ai.{name}", module)


def answered(
    module: ModuleType, sample: Any, said: str, top: list[tuple[str, float]] | None, stop: str = "stop"
) -> SimpleNamespace:
    """One sample's score, as Inspect hands it to the metric."""
    found = [SimpleNamespace(token=token, logprob=math.log(p)) for token, p in top or []]
    first = SimpleNamespace(content=[SimpleNamespace(top_logprobs=found)])
    choice = SimpleNamespace(logprobs=None if top is None else first, stop_reason=stop)
    output = SimpleNamespace(choices=[choice], completion=said)
    state = SimpleNamespace(output=output, metadata=sample.metadata, model="tiny")
    return SimpleNamespace(score=asyncio.run(module.score()(state, None)), sample_metadata=sample.metadata)


def test_the_numbers_of_a_task_of_inspect_are_those_of_the_metric(
    corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in(monkeypatch)
    module = imported(written(tmp_path, "inspect", corpus, LABELS))
    samples = module.eec_en_black_white_100().dataset
    assert samples[0].input[0].content == "Answer with one letter."
    assert [len(sample.input) for sample in samples[:2]] == [2, 1]
    given = []
    for sample in samples:
        good = share(**sample.metadata)
        given.append(answered(module, sample, "C", [("C", 0.45 * good + 1e-12), ("ĠC", 0.45 * good + 1e-12),
                                                    ("▁A", 0.9 * (1 - good) + 1e-12), ("x", 0.1)]))  # fmt: skip
    scores = [[share(row, run) for row in range(len(corpus.ids))] for run in ("letters", "first")]
    wanted = expected(corpus, scores, ["letters", "first"])
    assert module.eec()(given) == pytest.approx(wanted, abs=1e-6, nan_ok=True)
    given[3] = answered(module, samples[3], "x", [("x", 0.99), ("A", 0.01)])
    found = module.eec()(given)
    assert found["no_answer"] == pytest.approx(1 / len(samples))
    assert math.isnan(found["race_effect"])
    assert math.isnan(module.eec()([])["race_effect"])
    given[3] = answered(module, samples[3], "", None, stop="content_filter")
    assert module.eec()(given)["no_answer"] == pytest.approx(1 / len(samples))
    for top in (None, []):
        with pytest.raises(ValueError, match="tiny sends no probabilities of tokens"):
            answered(module, samples[0], "C", top)


def test_a_label_of_several_tokens_is_named_where_only_the_first_is_seen(corpus: Corpus, tmp_path: Path) -> None:
    task = open_task(written(tmp_path, "inspect", corpus, LABELS.replace("C = 1", "Cheerful = 1")))
    with pytest.raises(SystemFailed, match=r"prompt 'first': the label 'Cheerful' is several tokens .* 'Che'"):
        task.chosen("first", [("Che", math.log(0.9))], whole=False)


def test_prompts_that_one_task_cannot_ask_by_are_named(corpus: Corpus, tmp_path: Path) -> None:
    for line, more, said in (
        ('name = "first"', 'read = "number"', "one is read from labels"),
        ('text = "{text} Mood:"', "request = {seed = 1}", "request field 'seed'"),
    ):
        with pytest.raises(Unavailable, match=said):
            written(tmp_path, "lm-eval", corpus, LABELS.replace(line, f"{line}\n{more}"))


def test_rows_that_were_changed_since_are_refused(corpus: Corpus, tmp_path: Path) -> None:
    folder = written(tmp_path, "lm-eval", corpus, NUMBERS)
    facts = json.loads((folder / "task.json").read_text())
    (folder / "task.json").write_text(json.dumps({**facts, "data": f"{NAME}@1.0.0#{'0' * 64}"}))
    with pytest.raises(InputError, match=r"rows\.parquet: the content hash of the rows is [0-9a-f]{64}; expected"):
        open_task(folder)
