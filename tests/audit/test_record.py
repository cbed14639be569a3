"""The measurement record: its schema, its sentences, and what it says is missing."""

import json
import math
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from noted import noted
from snapshots import Snapshot

from eec_datasets.audit import saving
from eec_datasets.audit.record.content import content, schema
from eec_datasets.audit.record.markdown import as_markdown
from eec_datasets.audit.report.document import Document, from_content
from eec_datasets.audit.report.validation import BadResult
from eec_datasets.audit.running import measure, outcomes_of
from eec_datasets.systems.base import Endpoint, Options, System
from eec_datasets.systems.corpus import CorpusPart, open_corpus
from eec_datasets.systems.registry import open_system
from eec_datasets.systems.scoring import CorpusScores

SMALL = cache(lambda: open_corpus("en-black-white-100", CorpusPart(names=5, items=8)))
PROMPTS = '[[prompts]]\nname = "p{}"\nsystem = "Answer with `a number`."\ntext = "{}. Rate: {{text}}"\n'


def prompted(folder: Path, count: int) -> System:
    file = folder / "mine.toml"
    file.write_text("\n".join(PROMPTS.format(k, k) for k in range(count)))
    return open_system("openai:tiny", Options(endpoint=Endpoint(base_url="http://localhost:1/v1", prompts=str(file))))


def audited(system: System, runs: Mapping[str, list[float]], **measuring: Any) -> Document:
    """What an audit of a part of a corpus saves, read back."""
    none = {name: [0.0] * len(own) for name, own in runs.items()}
    scored = CorpusScores(runs, none, {"refused": 2}, {}, None, ("tiny-1",))
    outcomes = outcomes_of(system, SMALL(), scored, None, leave_out=False, measuring=measuring).outcomes
    return from_content(json.loads(saving.to_json(saving.content(outcomes, None, "eec audit …"))), "result.json", "")


def scores(count: int = 1) -> dict[str, list[float]]:
    """Those of a system that favours women, by name and sentence; runs are shifted against each other."""
    first = [float(score) for score in open_system("noisy:female").scorer(SMALL().columns)]
    return {f"p{k}": [max(score - k / 100, 0) for score in first] for k in range(count)}


def checked(record: dict[str, Any]) -> dict[str, Any]:
    """Check a record, as JSON has it, against the schema that comes along."""
    read: dict[str, Any] = json.loads(saving.to_json(record))
    Draft202012Validator.check_schema(schema())
    assert [error.message for error in Draft202012Validator(schema()).iter_errors(read)] == []
    return read


def test_a_record_says_what_its_markdown_says(tmp_path: Path, snapshot: Snapshot) -> None:
    document = audited(prompted(tmp_path, 1), scores(), margin=0.05, rate_above=0.6)
    record = checked(content(document, margin_reason="Half of what moves a decision.", reviewers=["A. Reader"]))
    made = record | {"made": {"eec-datasets": "0"}}
    assert str(tmp_path) not in str(record)
    snapshot.check("measurement-record", as_markdown(made))
    (one,) = record["measurements"]
    (entry,) = document.entries
    assert {row["says"] for row in one["results"]} == {None}
    (system,) = record["systems"]
    assert system["plan"] == entry.result.plan.to_dict()
    assert [finding["verdict"] for finding in system["findings"]] == [each.verdict for each in entry.result.findings]
    assert [row["smallest_detectable"] for row in one["results"]] == [row["mde"] for row in entry.result.overall]
    (prompt,) = one["system"]["prompts"]
    assert prompt["request"]["messages"][1]["content"] == "0. Rate: {text}"
    assert one["system"]["models"] == ["tiny-1"]
    assert any("about this prompt only" in note for note in one["notes"])
    assert "runs" not in one["signature"]


def test_prompts_are_a_sample_where_there_are_several(tmp_path: Path) -> None:
    system, runs = prompted(tmp_path, 8), scores(8)
    document = audited(system, runs)
    (entry,) = document.entries
    expected = measure("x", SMALL(), list(runs.values()), (0.0, 1.0), runs=list(runs), simple=True)
    assert entry.result.overall == expected.overall
    assert "+runs" in str(entry.result.signature)
    assert not any("prompt only" in note for note in noted(entry.result.notes))
    (one,) = checked(content(document))["measurements"]
    assert [prompt["name"] for prompt in one["system"]["prompts"]] == list(runs)


def test_a_prompt_that_got_no_score_leaves_the_scores_to_the_others(tmp_path: Path) -> None:
    system, runs = prompted(tmp_path, 3), scores(3)
    corpus = SMALL()
    rows = len(corpus.ids)
    silent = runs | {"p1": [math.nan] * rows}
    refused = {name: [float(name == "p1")] * rows for name in runs}
    done = outcomes_of(system, corpus, CorpusScores(silent, refused), None, leave_out=False)
    scored, *_, unanswered = done.outcomes
    others = [runs["p0"], runs["p2"]]
    expected = measure("x", corpus, others, (0.0, 1.0), runs=["p0", "p2"], few_runs="rough", simple=True)
    assert scored.result.overall == expected.overall
    assert noted(scored.result.notes)[-1].endswith("the scores are those of the others: p1")
    assert not any("those of the others" in note for note in noted(unanswered.result.notes))
    assert list(unanswered.scores) == pytest.approx([1 / 3] * rows)
    two = [{name: each[name] for name in ("p0", "p1")} for each in (silent, refused)]
    lone, *_ = outcomes_of(system, corpus, CorpusScores(*two), None, leave_out=False).outcomes
    assert any(note.startswith("only one prompt has scores (p0): ") for note in noted(lone.result.notes))


def test_what_is_not_known_or_not_covered_is_said(tmp_path: Path) -> None:
    document = audited(prompted(tmp_path, 1), scores())
    alone = from_content(document.entries[0].result.to_dict(), "mine.json", "mine")
    (one,) = checked(content(alone))["measurements"]
    assert one["system"]["version"] is None
    assert one["margin"] is None
    assert any(text.startswith("No margin was stated") for text in one["limits"])
    lacking = {group["axis"]: group["levels"] for group in one["groups"]["not_covered"]}
    assert lacking["race"] == ["Anglo", "Arab", "Latino", "Asian", "Spanish"]
    assert "Muslim" in lacking["religion"]
    covered = {(g["axis"], g["level"], g["subset"]): g["persons"] for g in one["groups"]["covered"]}
    assert (covered["race", "Black", "names"], covered["gender", "male", "pairs"]) == (10, 10)
    assert "version: not known" in as_markdown(content(alone))
    assert "Nobody is named as reviewer" in as_markdown(content(alone))


def test_a_margin_has_its_reason_or_says_that_there_is_none(tmp_path: Path) -> None:
    system = prompted(tmp_path, 1)
    (one,) = content(audited(system, scores(), margin=0.05))["measurements"]
    assert "A margin was stated without its reason." in one["limits"]
    with pytest.raises(BadResult, match="the margin has the reason 'because', and no result has a margin"):
        content(audited(system, scores()), margin_reason="because")


@pytest.mark.parametrize("method", ["kiritchenko2018", "camara2022"])
def test_a_published_procedure_is_said_not_to_hold_its_level(method: str) -> None:
    corpus = open_corpus("en-black-white")
    some = [float(score) for score in open_system("noisy:female").scorer(corpus.columns)]
    result = measure("noisy", corpus, some, (0.0, 1.0), method=method)
    (one,) = checked(content(from_content(result.to_dict(), "mine.json", "mine")))["measurements"]
    assert any("does not hold its level" in text for text in one["limits"])
    # The rows compare these groups.
    assert {(group["axis"], group["level"]) for group in one["groups"]["covered"]} == {
        ("race", "Black"), ("race", "white"), ("gender", "female"), ("gender", "male"),
    }  # fmt: skip
    (lacking,) = [each["levels"] for each in one["groups"]["not_covered"] if each["axis"] == "race"]
    assert not {"Black", "white"} & set(lacking)
