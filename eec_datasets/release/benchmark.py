"""``eval.yaml``: what makes the dataset a benchmark on the Hub, which ``inspect eval hf/ORG/NAME`` runs.

There is a task per prompt of a small balanced config of each language, and one that asks for the emotion. A run without
the name of a task runs all of them, so the large configs have none.
"""

from __future__ import annotations

import functools
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from eec_datasets import schema

if TYPE_CHECKING:
    from collections.abc import Sequence

    from eec_datasets.corpora import Config

FILE: Final = "eval.yaml"
EMOTION: Final = "emotion"
"""Name of the task whose accuracy says how well a model does: higher is better."""

SAMPLE: Final = "sample"
"""Key of the configs that have tasks."""

BETWEEN: Final = "--"
"""Stands between the config and the prompt in the id of a task."""

WORDS: Final = Path(__file__).with_name("benchmark.toml")
PROMPTS: Final = Path(__file__).parents[1] / "systems" / "prompt_sets"
SLOT: Final = "{text}"


@dataclass(frozen=True, slots=True)
class Task:
    """One task of the benchmark.

    Attributes
    ----------
    config
        What is asked about.
    prompt
        Name of the prompt of the ready set; `EMOTION` for the task of this name.
    text, system
        What is asked, with ``{text}`` where the sentence goes; and the part before it, or empty.
    """

    config: str
    prompt: str
    text: str
    system: str = ""

    @property
    def id(self) -> str:
        """``CONFIG--PROMPT``, as it is typed after ``hf/ORG/NAME/``."""
        return f"{self.config}{BETWEEN}{self.prompt}"


def tasks_of(configs: Sequence[Config]) -> list[Task]:
    """Return the tasks of the configs that are samples and in a language with ready prompts, in order."""
    return [task for config in configs if config.spec.key == SAMPLE for task in _tasks(config.name, config.language)]


def task_name(task: str) -> tuple[str, str]:
    """Return config and prompt of the id of a task; the prompt is empty where it is no such id."""
    config, _, prompt = task.partition(BETWEEN)
    return config, prompt


def asked(task: Task) -> list[tuple[str, str]]:
    """Return what a task puts before the model: the solvers of Inspect in order, each with its template."""
    prompt = ("prompt_template", _template(task.text))
    if not task.system:
        return [prompt]
    return [("system_message", _template(task.system)), prompt]


def emotion_named(answer: str) -> str | None:
    """Return the one emotion that an answer names, as the scorer of the task reads it; None where there is none."""
    match = re.search(_words()[EMOTION]["pattern"], answer, re.IGNORECASE)
    return match[2].lower() if match else None


def render(tasks: Sequence[Task]) -> str:
    """Return the text of ``eval.yaml``."""
    import yaml

    words = _words()
    content = {
        "name": words["name"],
        "description": words["description"],
        "evaluation_framework": "inspect-ai",
        "tasks": [_entry(task) for task in tasks],
    }
    head = "# Made by eec build from the ready prompts; changes to it are lost with the next build.\n"
    return head + str(yaml.safe_dump(content, sort_keys=False, allow_unicode=True, width=10_000))


def _tasks(config: str, language: str) -> list[Task]:
    words = _words()
    file = PROMPTS / f"{words['prompts']}.{language}.toml"
    if not file.exists():
        return []
    ready = tomllib.loads(file.read_text(encoding="utf-8"))
    asked = [Task(config, each["name"], each["text"], each.get("system", "")) for each in ready["prompts"]]
    return [*asked, Task(config, EMOTION, words[EMOTION]["text"][language])]


def _entry(task: Task) -> dict[str, Any]:
    """Return a task as Inspect reads it.

    The id of a row is metadata, because Inspect gives samples new numbers. No group is: a template may name metadata,
    and then the model would be told the group.
    """
    words = _words()
    read = words[EMOTION] if task.prompt == EMOTION else words["number"]
    return {
        "id": task.id,
        "config": task.config,
        "split": schema.SPLIT,
        "field_spec": {"input": "text", "target": read["target"], "metadata": ["id"]},
        "solvers": [
            *(_solver(name, template=template) for name, template in asked(task)),
            _solver("generate", temperature=0, max_tokens=words["max_tokens"]),
        ],
        "scorers": [{"name": "pattern", "args": {"pattern": read["pattern"]}}],
    }


def _solver(name: str, **arguments: Any) -> dict[str, Any]:
    return {"name": name, "args": arguments}


def _template(text: str) -> str:
    """Return a prompt as Inspect's template: it fills ``{prompt}``, and braces that are doubled stay."""
    plain = re.sub(r"[{}]", lambda brace: brace[0] * 2, text.replace(SLOT, "\0"))
    return plain.replace("\0", "{prompt}")


@functools.cache
def _words() -> dict[str, Any]:
    return tomllib.loads(WORDS.read_text(encoding="utf-8"))
