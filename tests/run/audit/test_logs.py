"""Logs of Inspect and lm-eval are measured as an audit measures the same answers, and odd ones are refused by name."""

import hashlib
import json
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from eec_datasets import corpora
from eec_datasets.audit.answered import measure_logs
from eec_datasets.audit.running import run
from eec_datasets.audit.tables.logs import is_log
from eec_datasets.audit.tables.zipped import Zipped
from eec_datasets.errors import InputError
from eec_datasets.release import benchmark
from eec_datasets.systems.base import Batch, System
from eec_datasets.systems.corpus import Corpus, open_corpus
from eec_datasets.systems.store import Store

PROMPTS = ("rater", "form", "after", "ends")
Answer = Callable[[str, str], str]


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return open_corpus("en-sample")


def said(prompt: str, text: str) -> str:
    """An answer that depends on the prompt and the sentence."""
    return f"{hashlib.sha256(f'{prompt} {text}'.encode()).digest()[0] / 255:.2f}"


def samples(corpus: Corpus, prompt: str, answer: Answer) -> list[dict[str, Any]]:
    """Samples as Inspect 0.3.285 writes them, less what is not read."""
    found = []
    rows = zip(corpus.ids, corpus.columns["text"], corpus.columns["emotion"], strict=True)
    for number, (identifier, text, emotion) in enumerate(rows, 1):
        said_here = answer(prompt, text)
        found.append(
            {
                "id": number,
                "epoch": 1,
                "input": text,
                "target": emotion if prompt == "emotion" else "0",
                "metadata": {"id": identifier},
                "output": {"completion": said_here, "choices": [{"stop_reason": "stop"}]},
                "scores": {"pattern": {"value": "C", "answer": "0"}},
            }
        )
    return found


def header(task: str, size: int, **changes: Any) -> dict[str, Any]:
    """Return the header of a log of Inspect."""
    evaluation = {
        "task": f"hf/org/eec/{task}/{task}", "model": "openai/some-model", "task_args": {},
        "dataset": {"name": "org/eec", "samples": size}, "config": {"epochs": 1},
    }  # fmt: skip
    known = {each.id: each for each in benchmark.tasks_of(corpora.usable()[0])}
    asked = benchmark.asked(known[task]) if task in known else []
    steps = [{"solver": solver, "params": {"template": template}} for solver, template in asked]
    plan = {"steps": [*steps, {"solver": "generate", "params": {"temperature": 0, "max_tokens": 32}}]}
    results = {"completed_samples": size}
    return {"status": "success", "eval": evaluation, "plan": plan, "results": results, **changes}


def write_log(folder: Path, corpus: Corpus, prompt: str, answer: Answer = said, **changes: Any) -> Path:
    """Write a log as Inspect does, with some of its samples or parts of its header changed."""
    made = changes.pop("samples", samples(corpus, prompt, answer))
    path = folder / f"{prompt}-{len(list(folder.iterdir()))}.eval"
    about = header(f"{corpus.name}--{prompt}", len(corpus.ids), **changes)
    with zipfile.ZipFile(path, "w") as archive:
        for sample in made:
            archive.writestr(f"samples/{sample['id']}_epoch_{sample['epoch']}.json", json.dumps(sample))
        if about["status"]:
            archive.writestr("header.json", json.dumps(about))
    return path


@pytest.fixture
def logs(tmp_path: Path, corpus: Corpus) -> list[Path]:
    return [write_log(tmp_path, corpus, prompt) for prompt in PROMPTS]


def audited(corpus: Corpus, folder: Path, **how: Any) -> Any:
    """Measure a system that gives the same answers."""

    def prompted(prompt: str) -> System:
        def score(batch: Batch) -> list[float | None]:
            return [float(value) if (value := said(prompt, text)) else None for text in batch["text"]]

        return System(f"some-model {prompt}", score, fingerprint="1")

    system = System("some-model", runs=lambda _: {prompt: prompted(prompt) for prompt in PROMPTS})
    with Store(folder / "answers.db") as store:
        return run(system, corpus, folder, store, **how).measurements[0].result


def test_logs_give_the_numbers_of_an_audit_on_the_same_answers(
    logs: list[Path], corpus: Corpus, tmp_path: Path
) -> None:
    found, expected = measure_logs(logs).measurement.result, audited(corpus, tmp_path / "audit")
    assert found.signature == expected.signature
    for mine, theirs in zip(found.overall, expected.overall, strict=True):
        assert mine["effect"] == pytest.approx(theirs["effect"], abs=1e-12)
        assert mine["p"] == pytest.approx(theirs["p"], abs=1e-12)


def test_the_order_of_logs_and_of_their_samples_does_not_matter(
    logs: list[Path], corpus: Corpus, tmp_path: Path
) -> None:
    (tmp_path / "again").mkdir()
    turned = samples(corpus, "rater", said)[::-1]
    other = [write_log(tmp_path / "again", corpus, "rater", samples=turned), *logs[:0:-1]]
    effects = [[row["effect"] for row in measure_logs(paths).measurement.result.overall] for paths in (logs, other)]
    assert effects[0] == pytest.approx(effects[1], abs=1e-12)


def test_answers_in_words_are_measured_as_answers_without_a_score(corpus: Corpus, tmp_path: Path) -> None:
    def shy(prompt: str, text: str) -> str:
        return "I would rather not say." if "woman" in text else said(prompt, text)

    measured = measure_logs([write_log(tmp_path, corpus, prompt, shy) for prompt in PROMPTS])
    women = sum("woman" in text for text in corpus.columns["text"])
    assert measured.audit.scored.states == {"unreadable": 4 * women}
    systems = [(each.system, each.kind) for each in measured.audit.measurements]
    assert systems[-1] == ("openai/some-model", "no_answer")
    assert women > 0


def test_items_without_a_score_are_left_out_on_request(corpus: Corpus, tmp_path: Path) -> None:
    def shy(prompt: str, text: str) -> str:
        return "No." if text == corpus.columns["text"][0] else said(prompt, text)

    measured = measure_logs([write_log(tmp_path, corpus, prompt, shy) for prompt in PROMPTS], leave_out=True)
    assert measured.audit.left_out is not None
    assert measured.audit.left_out[0] == 1
    assert measured.audit.measurements[0].system == "openai/some-model"


def test_answers_that_were_filtered_or_cut_off_are_no_numbers(corpus: Corpus, tmp_path: Path) -> None:
    made = samples(corpus, "rater", said)
    made[0]["output"]["choices"] = [{"stop_reason": "content_filter"}]
    made[1]["output"] = {"completion": "It is 0.", "choices": [{"stop_reason": "max_tokens"}]}
    measured = measure_logs([write_log(tmp_path, corpus, "rater", samples=made)])
    assert measured.audit.scored.states == {"refused": 1, "unreadable": 1}


def test_epochs_are_averaged_as_repeats_of_an_audit_are(corpus: Corpus, tmp_path: Path) -> None:
    first, second = (samples(corpus, "rater", lambda _, text, k=k: said(f"r{k}", text)) for k in (1, 2))
    made = [*first, *({**sample, "epoch": 2} for sample in second)]
    about = header("en-sample--rater", len(corpus.ids))
    about["eval"]["config"]["epochs"], about["results"]["completed_samples"] = 2, len(made)
    measured = measure_logs([write_log(tmp_path, corpus, "rater", samples=made, **about)])
    text = corpus.columns["text"][5]
    mean = (float(said("r1", text)) + float(said("r2", text))) / 2
    assert measured.audit.scored.scores[5] == pytest.approx(mean)


def test_the_accuracy_of_the_emotion_is_the_share_that_is_named(corpus: Corpus, tmp_path: Path) -> None:
    measured = measure_logs([write_log(tmp_path, corpus, "emotion", lambda *_: "joy")])
    assert measured.accuracy == {"en-sample--emotion": 0.25}


def test_the_emotion_is_no_score_beside_other_prompts(logs: list[Path], corpus: Corpus, tmp_path: Path) -> None:
    emotion = write_log(tmp_path, corpus, "emotion", lambda *_: "joy")
    both, scores = measure_logs([*logs, emotion]), measure_logs(logs)
    assert both.measurement.result.overall == scores.measurement.result.overall
    assert both.accuracy == {"en-sample--emotion": 0.25}


def refused(paths: list[Path], *given: Any) -> str:
    with pytest.raises(InputError) as error:
        measure_logs(paths, *given)
    return str(error.value)


def test_a_run_limited_to_some_sentences_is_refused(corpus: Corpus, tmp_path: Path) -> None:
    about = header("en-sample--rater", len(corpus.ids))
    about["eval"]["config"]["limit"], about["results"]["completed_samples"] = 200, 200
    log = write_log(tmp_path, corpus, "rater", samples=samples(corpus, "rater", said)[:200], **about)
    assert refused([log]).startswith(f"{log}: the run was limited to 200: 200 of 416 answers.")


@pytest.mark.parametrize("status", ["started", "cancelled", "error"])
def test_a_run_that_did_not_succeed_is_refused_by_its_status(corpus: Corpus, tmp_path: Path, status: str) -> None:
    log = write_log(tmp_path, corpus, "rater", status=status)
    assert refused([log]).startswith(f"{log}: the run ended with the status '{status}', not success.")


def test_a_run_that_was_killed_is_refused(corpus: Corpus, tmp_path: Path) -> None:
    log = write_log(tmp_path, corpus, "rater", status="")
    assert refused([log]).startswith(f"{log}: the run has not ended, or was killed. Finish it with inspect eval-retry")


def test_a_log_that_was_cut_short_is_refused(corpus: Corpus, tmp_path: Path) -> None:
    log = write_log(tmp_path, corpus, "rater")
    log.write_bytes(log.read_bytes()[:5000])
    assert refused([log]).startswith(f"{log}: the log is damaged or cut short (File is not a zip file).")


def test_no_log_is_measured_where_one_of_them_is_refused(logs: list[Path], corpus: Corpus, tmp_path: Path) -> None:
    started = write_log(tmp_path, corpus, "reader", status="started")
    assert str(started) in refused([*logs, started])


def test_two_logs_of_one_prompt_are_refused_and_both_are_named(
    logs: list[Path], corpus: Corpus, tmp_path: Path
) -> None:
    again = write_log(tmp_path, corpus, "rater")
    assert refused([*logs, again]).startswith(f"{logs[0]} and {again} hold answers to the same prompt 'rater'")


def test_logs_of_two_models_are_refused_and_both_are_named(logs: list[Path], corpus: Corpus, tmp_path: Path) -> None:
    about = header("en-sample--reader", len(corpus.ids))
    about["eval"]["model"] = "another"
    other = write_log(tmp_path, corpus, "reader", **about)
    told = refused([*logs, other])
    assert f"another: {other}" in told
    assert "openai/some-model: " in told


def test_a_log_of_other_sentences_names_the_data_set_and_the_corpus(corpus: Corpus, tmp_path: Path) -> None:
    made = samples(corpus, "rater", said)
    made[7]["input"] = "A sentence of an earlier release."
    about = header("en-sample--rater", len(corpus.ids))
    about["eval"]["task_args"] = {"revision": "v0.9.0"}
    told = refused([write_log(tmp_path, corpus, "rater", samples=made, **about)])
    assert "(asked of org/eec@v0.9.0)" in told
    assert f"not those of {corpus.label}: 1 sentences are others, such as {corpus.ids[7]}" in told


def test_a_task_that_is_not_in_eval_yaml_is_refused(corpus: Corpus, tmp_path: Path) -> None:
    log = write_log(tmp_path, corpus, "mine")
    assert refused([log]).startswith(f"{log}: the task 'en-sample--mine' is not in eval.yaml;")


def test_a_log_without_our_ids_says_that_eval_yaml_was_edited(corpus: Corpus, tmp_path: Path) -> None:
    made = [{**sample, "metadata": {}} for sample in samples(corpus, "rater", said)]
    assert "it was edited" in refused([write_log(tmp_path, corpus, "rater", samples=made)])


def test_a_log_of_a_prompt_in_other_words_shows_both(corpus: Corpus, tmp_path: Path) -> None:
    about = header("en-sample--after", len(corpus.ids))
    about["plan"]["steps"][0]["params"]["template"] = "How nice is {prompt}?"
    told = refused([write_log(tmp_path, corpus, "after", **about)])
    assert "the task 'en-sample--after' was not asked as eval.yaml of this release asks it" in told
    assert "The log has prompt_template 'How nice is {prompt}?'; expected prompt_template '{prompt}" in told


def test_a_log_with_a_further_solver_is_refused(corpus: Corpus, tmp_path: Path) -> None:
    about = header("en-sample--after", len(corpus.ids))
    about["plan"]["steps"].insert(1, {"solver": "chain_of_thought", "params": {}})
    assert ", chain_of_thought ''; expected" in refused([write_log(tmp_path, corpus, "after", **about)])


def test_an_emotion_compared_with_something_else_is_refused(corpus: Corpus, tmp_path: Path) -> None:
    made = samples(corpus, "emotion", lambda *_: "joy")
    made[3]["target"] = "furious"
    told = refused([write_log(tmp_path, corpus, "emotion", samples=made)])
    emotion = corpus.columns["emotion"][3]
    assert f"{corpus.ids[3]} was compared with 'furious'; expected its emotion, '{emotion}'" in told


def test_logs_of_several_corpora_need_the_name_of_one(logs: list[Path], tmp_path: Path) -> None:
    spanish = write_log(tmp_path, open_corpus("es-sample"), "rater")
    assert (
        refused([*logs, spanish])
        == "The logs are about several corpora: en-sample, es-sample. Name the corpus to measure with --config."
    )
    measured = measure_logs([*logs, spanish], "es-sample")
    assert measured.corpus.name == "es-sample"
    assert len(measured.notes) == 4


def test_json_logs_of_inspect_are_read_too(logs: list[Path], corpus: Corpus, tmp_path: Path) -> None:
    whole = {**header("en-sample--rater", len(corpus.ids)), "samples": samples(corpus, "rater", said)}
    (tmp_path / "rater.json").write_text(json.dumps(whole), encoding="utf-8")
    found = [measure_logs([path]).measurement.result.overall for path in (logs[0], tmp_path / "rater.json")]
    assert found[0] == found[1]


def lm_eval(folder: Path, corpus: Corpus, effective: int | None = None) -> Path:
    """Samples as lm-eval 0.4.13 writes them of a task of ours, less what is not read."""
    lines = []
    for row, (identifier, text) in enumerate(zip(corpus.ids, corpus.columns["text"], strict=True)):
        for prompt in PROMPTS:
            doc = {"id": f"{identifier} {prompt}", "row": row, "run": prompt, "text": f"Rate this: {text}"}
            score = [row, prompt, float(said(prompt, text))]
            lines.append({"doc": doc, "filtered_resps": [said(prompt, text)], "gender_effect": score})
    counts = {"original": len(lines), "effective": effective or len(lines)}
    about = {"n-samples": {"eec-en-sample": counts}, "model_name": "some-model"}
    (folder / "results_2026-11-24T10-00-00.123.json").write_text(json.dumps(about), encoding="utf-8")
    path = folder / "samples_eec-en-sample_2026-11-24T10-00-00.123.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"eval": 1}, ", eval: 1; expected an object."),
        ({"eval": {"model": "m"}}, ", eval: has no dataset."),
        ({"eval": {"model": ["m"], "dataset": {"samples": 1}}}, ", eval, model: ['m']; expected a text."),
        (
            {"eval": {"model": "m", "dataset": {"samples": "9"}}},
            ", eval, dataset, samples: '9'; expected a whole number.",
        ),
        ({"plan": {"steps": [{"solver": "generate"}]}}, ", plan, steps[0]: has no params."),
        ({"results": [1]}, ", results: [1]; expected an object."),
    ],
)
def test_a_header_of_another_form_is_told(changes: dict[str, Any], told: str, corpus: Corpus, tmp_path: Path) -> None:
    path = write_log(tmp_path, corpus, "rater", **changes)
    assert refused([path]).startswith(f"{path}{told} The log is damaged, or of another version of the harness. ")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda _: 7, ": 7; expected an object."),
        (lambda sample: {**sample, "output": None}, ", output: None; expected an object."),
        (lambda sample: {**sample, "output": {"choices": [3]}}, ", output, choices[0]: 3; expected an object."),
        (lambda sample: {**sample, "input": {"a": 1}}, ", input: {'a': 1}; expected a text."),
        (lambda sample: {**sample, "metadata": "x"}, ", metadata: 'x'; expected an object."),
        (lambda sample: {key: sample[key] for key in sample if key != "target"}, ": has no target."),
    ],
)
def test_a_sample_of_another_form_is_told(
    change: Callable[[dict[str, Any]], Any], told: str, corpus: Corpus, tmp_path: Path
) -> None:
    rows = samples(corpus, "rater", said)
    path = tmp_path / "log.json"
    about = header("en-sample--rater", len(corpus.ids))
    path.write_text(json.dumps({**about, "samples": [*rows[:2], change(rows[2]), *rows[3:]]}), encoding="utf-8")
    assert refused([path]).startswith(f"{path}, sample 3{told} The log is damaged")


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"doc": None}, ", doc: None; expected an object."),
        ({"doc": {"id": "a", "run": "r", "text": "t"}}, ", doc: has no row."),
        ({"filtered_resps": {"0": "1"}}, ", filtered_resps: {'0': '1'}; expected a list."),
    ],
)
def test_a_sample_of_lm_eval_of_another_form_is_told(
    changes: dict[str, Any], told: str, corpus: Corpus, tmp_path: Path
) -> None:
    path = lm_eval(tmp_path, corpus)
    first, *rest = path.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join([json.dumps(json.loads(first) | changes), *rest]), encoding="utf-8")
    assert refused([path]).startswith(f"{path}, sample 1{told} The log is damaged")


def test_an_archive_packed_in_an_unknown_way_is_damaged(logs: list[Path]) -> None:
    raw = bytearray(logs[0].read_bytes())
    entry = raw.rindex(b"PK\x01\x02")
    raw[entry + 10 : entry + 12] = b"\x63\0"  # the number of a method that there is not
    logs[0].write_bytes(raw)
    assert refused([logs[0]]).startswith(f"{logs[0]}: the log is damaged")


def test_samples_of_lm_eval_give_the_numbers_of_the_same_answers(
    logs: list[Path], corpus: Corpus, tmp_path: Path
) -> None:
    found, expected = (
        measure_logs([lm_eval(tmp_path, corpus)]).measurement.result,
        measure_logs(logs).measurement.result,
    )
    effects = [[row["effect"] for row in result.overall] for result in (found, expected)]
    assert effects[0] == pytest.approx(effects[1], abs=1e-12)


def test_limited_samples_of_lm_eval_are_refused(corpus: Corpus, tmp_path: Path) -> None:
    path = lm_eval(tmp_path, corpus, effective=200)
    assert refused([path]).startswith(f"{path}: the run was limited: 200 of 1664 answers.")


def test_samples_of_lm_eval_cut_short_are_refused(corpus: Corpus, tmp_path: Path) -> None:
    path = lm_eval(tmp_path, corpus)
    path.write_bytes(path.read_bytes()[:4000])
    assert refused([path]).startswith(f"{path}: the samples are damaged or cut short")


@pytest.mark.parametrize(
    ("name", "log"),
    [("a.eval", True), ("a.json", True), ("samples_eec-es-sample_2026-11-24T10-00-00.1.jsonl", True),
     ("scores.jsonl", False), ("scores.csv", False)],
)  # fmt: skip
def test_logs_are_known_by_their_names(name: str, log: bool) -> None:
    assert is_log(Path(name)) == log


def test_an_archive_packed_with_zstandard_is_read(tmp_path: Path) -> None:
    content = json.dumps({"status": "success"}).encode() * 50
    packed = pa.compress(content, codec="zstd", asbytes=True)
    path = tmp_path / "log.eval"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("header.json", packed)
    raw = bytearray(path.read_bytes())
    directory = raw.index(b"PK\x01\x02")
    struct.pack_into("<H", raw, 8, 93)
    struct.pack_into("<H", raw, directory + 10, 93)
    struct.pack_into("<I", raw, directory + 24, len(content))
    path.write_bytes(raw)
    with Zipped(path) as archive:
        assert archive.read("header.json") == content
