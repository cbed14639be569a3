"""The files that make a corpus and the metric a task of an evaluation harness."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, Literal

from eec_datasets.audit.harness import FACTS, LARGEST, NO_ANSWER, PROMPTS, ROWS, make_task
from eec_datasets.documents import fill
from eec_datasets.errors import Unavailable
from eec_datasets.given_file import read_given
from eec_datasets.release.building import to_parquet
from eec_datasets.systems.corpus import Corpus
from eec_datasets.systems.endpoint import TOP
from eec_datasets.systems.prompts import Prompt, choose, file_of, short_name

Harness = Literal["lm-eval", "inspect"]

TEMPLATES: Final = Path(__file__).parent / "tasks"

FILES: Final[dict[Harness, dict[str, str]]] = {
    "lm-eval": {
        "{name}.yaml": "lm_eval.yaml.j2",
        "{name}-plain.yaml": "lm_eval_plain.yaml.j2",
        "eec_task.py": "lm_eval.py.j2",
    },
    "inspect": {"eec_task.py": "inspect.py.j2"},
}
"""Files that each harness reads: name of the file → its template."""


def task_files(harness: Harness, corpus: Corpus, prompts: str) -> dict[str, bytes]:
    """Return the files of a task by name.

    Parameters
    ----------
    harness
        Who is to run it.
    corpus
        Its sentences, all of which the files hold.
    prompts
        A ready set, or a TOML file.

    Raises
    ------
    FileProblems
        The prompts cannot be used.
    Unavailable
        A task cannot ask by these prompts together.
    InputError
        The metric refuses the corpus.
    """
    chosen = choose(prompts)[2](corpus.language)
    name, task = f"eec-{corpus.name}", make_task(corpus, chosen)
    facts = {key: getattr(corpus, key) for key in ("version", "language", "review", "data")}
    facts |= {"config": corpus.name, "numbers": list(task.names)}
    filling = {
        "name": name, "function": name.replace("-", "_"), "data": str(corpus.label), "version": corpus.version,
        "prompts": f"prompts {short_name(prompts)}", "numbers": [*task.names, NO_ANSWER], "top": TOP,
        "lower": [LARGEST, NO_ANSWER],
        **_reading(chosen.prompts),
    }  # fmt: skip
    texts = {file.format(name=name): fill(TEMPLATES / template, **filling) for file, template in FILES[harness].items()}
    return {file: text.encode() for file, text in texts.items()} | {
        ROWS: to_parquet(corpus.table),
        PROMPTS: read_given(file_of(prompts, corpus.language)),
        FACTS: json.dumps(facts, ensure_ascii=False).encode(),
    }


def _reading(prompts: Sequence[Prompt]) -> dict[str, Any]:
    """Return how answers are read and how long they are, which a task does in one way only."""
    first, length = prompts[0], {prompt.name: prompt.own_tokens() for prompt in prompts}
    for other in prompts[1:]:
        if bool(other.labels) != bool(first.labels):
            difference = "one is read from labels, the other as a number"
        elif not first.labels and length[other.name] != length[first.name]:
            difference = f"answers may have {length[first.name]} and {length[other.name]} tokens"
        else:
            continue
        raise Unavailable(
            f"prompts {first.name!r} and {other.name!r}: {difference}, and a task of a harness has one way of asking. "
            "Make a file of prompts for each."
        )
    return {"labels": bool(first.labels), "length": 1 if first.labels else length[first.name]}
