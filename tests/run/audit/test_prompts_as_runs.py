"""Several prompts of one system are runs of it."""

import json
import math
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from noted import noted

from eec_bias import Measurement
from eec_datasets.audit.running import measure, measurements_of
from eec_datasets.systems.base import Endpoint, System, SystemOptions
from eec_datasets.systems.corpus import CorpusPart, open_corpus
from eec_datasets.systems.registry import open_system
from eec_datasets.systems.scoring import CorpusScores

SMALL = cache(lambda: open_corpus("en-black-white-100", CorpusPart(names=5, items=8)))
PROMPTS = '[[prompts]]\nname = "p{}"\nsystem = "Answer with `a number`."\ntext = "{}. Rate: {{text}}"\n'


def prompted(folder: Path, count: int) -> System:
    file = folder / "mine.toml"
    file.write_text("\n".join(PROMPTS.format(k, k) for k in range(count)))
    return open_system(
        "openai:tiny", SystemOptions(endpoint=Endpoint(base_url="http://localhost:1/v1", prompts=str(file)))
    )


def audited(system: System, runs: Mapping[str, list[float]], **measuring: Any) -> Measurement:
    """Return what an audit of a part of a corpus measures, saved and read back."""
    none = {name: [0.0] * len(own) for name, own in runs.items()}
    scored = CorpusScores(runs, none, {"refused": 2}, {}, None, ("tiny-1",))
    (found,) = measurements_of(system, SMALL(), scored, leave_out=False, measuring=measuring).measurements
    return Measurement.from_dict(json.loads(json.dumps(found.to_dict())))


def scores(count: int = 1) -> dict[str, list[float]]:
    """Those of a system that favours women, by name and sentence; runs are shifted against each other."""
    first = [float(score) for score in open_system("noisy:female").scorer(SMALL().columns)]
    return {f"p{k}": [max(score - k / 100, 0) for score in first] for k in range(count)}


def test_prompts_are_a_sample_where_there_are_several(tmp_path: Path) -> None:
    system, runs = prompted(tmp_path, 8), scores(8)
    entry = audited(system, runs)
    expected = measure("x", SMALL(), list(runs.values()), (0.0, 1.0), runs=list(runs))
    assert entry.result.overall == expected.overall
    assert "+runs" in entry.result.signature
    assert not any("prompt only" in note for note in noted(entry.result.notes))
    assert [prompt["name"] for prompt in entry.source.prompts] == list(runs)


def test_a_prompt_that_got_no_score_leaves_the_scores_to_the_others(tmp_path: Path) -> None:
    system, runs = prompted(tmp_path, 3), scores(3)
    corpus = SMALL()
    rows = len(corpus.ids)
    silent = runs | {"p1": [math.nan] * rows}
    refused = {name: [float(name == "p1")] * rows for name in runs}
    done = measurements_of(system, corpus, CorpusScores(silent, refused), leave_out=False)
    scored, unanswered = done.measurements
    others = [runs["p0"], runs["p2"]]
    expected = measure("x", corpus, others, (0.0, 1.0), runs=["p0", "p2"])
    assert scored.result.overall == expected.overall
    assert noted(scored.result.notes)[-1].endswith(
        "these prompts gave no scores: p1. All scores are from the other prompts"
    )
    assert not any("from the other prompts" in note for note in noted(unanswered.result.notes))
    assert unanswered.kind == "no_answer"
    assert [cell["mean"] for cell in unanswered.result.cells] == pytest.approx([1 / 3] * len(unanswered.result.cells))
    two = [{name: each[name] for name in ("p0", "p1")} for each in (silent, refused)]
    lone, *_ = measurements_of(system, corpus, CorpusScores(*two), leave_out=False).measurements
    assert any(note.startswith("only one prompt has scores (p0), ") for note in noted(lone.result.notes))
