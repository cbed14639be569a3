"""``eec task lm-eval | inspect``: a corpus and the metric as a task of an evaluation harness."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from eec_datasets.cli.command import CommandGroup
from eec_datasets.cli.given import GIVEN_NAME
from eec_datasets.cli.options import FOLDER, OVERWRITE, PROMPTS, chained, option
from eec_datasets.cli.output import say

if TYPE_CHECKING:
    from eec_datasets.audit.task_files import Harness


@click.group(cls=CommandGroup)
def task() -> None:
    """Write a corpus and the metric as a task of an evaluation harness: lm-eval or Inspect.

    The command makes the sentences on this machine, and needs nothing from the Hub. The harness asks every sentence
    with every prompt, and computes the same numbers as eec audit. It needs this package in the same environment. Make a
    new environment, and install all of them with pip install 'eec-datasets[harness]'.

    \b
    Examples:
      eec task lm-eval --config en-black-white --out tasks/black-white
      eec task inspect --config en-black-white --out tasks/black-white
    """


OPTIONS = chained(
    option("--config", "NAME", "The corpus; see eec configs.", name="name", required=True),
    option("--out", "DIR", "Folder for the task. An existing folder is replaced.", required=True, type=FOLDER),
    option("--prompts", "NAME|FILE", f"Prompts for the sentences: {PROMPTS}.", default="sentiment", type=GIVEN_NAME),
    option("--names", "N", "Only N names per cell, such as Black women.  [default: all]", least=2),
    option("--items", "N", "Only N items (a template with a word).  [default: all]", least=8),
    option("--seed", None, "Seed of the random choice of names and items.", type=int, default=0),
    OVERWRITE,
)


EXAMPLES: Final[dict[Harness, str]] = {
    "lm-eval": "lm-eval run --model hf --model_args pretrained=MODEL --include_path {folder} --tasks eec-{name} "
    "--apply_chat_template",
    "inspect": "inspect eval {function} --model hf/MODEL -M do_sample=false",
}
"""Command that runs a task, by harness."""


def _write(harness: Harness, name: str, out: Path, prompts: str, overwrite: bool, **part: Any) -> None:
    from eec_bias.reading import counted
    from eec_bias.shared import write_folder
    from eec_datasets.audit.task_files import task_files
    from eec_datasets.systems.corpus import CorpusPart, open_corpus
    from eec_datasets.systems.prompts import choose

    corpus = open_corpus(name, CorpusPart(**part))
    files = task_files(harness, corpus, prompts)
    write_folder(out, files, "task", overwrite=overwrite)
    asked = counted(len(choose(prompts)[2](corpus.language).prompts), "prompt")
    say(f"{out}: {len(corpus.ids):,} sentences of {corpus.label}, each asked by {asked}: {', '.join(files)}")
    function = shlex.quote(f"{out / 'eec_task.py'}@eec_{corpus.name.replace('-', '_')}")
    example = EXAMPLES[harness].format(folder=shlex.quote(str(out)), name=corpus.name, function=function)
    say(f"Run it, for example: {example}")


NEEDS = {"--seed": ("--names", "--items")}


@task.command("lm-eval", needs=NEEDS)
@OPTIONS
def lm_eval(**options: Any) -> None:
    """Write the task for lm-eval.

    The task eec-NAME is for models with a chat template, and eec-NAME-plain is for other models. If the prompt asks for
    a label, the score comes from the probabilities of all tokens of the labels. If it asks for a number, the score is
    the number that the model writes. lm-eval prints each effect, p and adjusted p as a metric. On a part of the task
    (--limit) they are nan.

    \b
    Examples:
      eec task lm-eval --config en-black-white --out tasks/black-white
      eec task lm-eval --config es-anglo-latino-100 --names 36 --items 24 --prompts mine.toml --out tasks/es
    """
    _write("lm-eval", **options)


@task.command("inspect", needs=NEEDS)
@OPTIONS
def inspect_(**options: Any) -> None:
    """Write the task for Inspect.

    If the prompt asks for a label, the score comes from the probabilities of the first token, as with openai:MODEL. If
    it asks for a number, the score is the number that the model writes. Inspect shows each effect, p and adjusted p.
    Until all answers are there, and on a part of the task, they are nan.

    \b
    Examples:
      eec task inspect --config en-black-white --out tasks/black-white
      eec task inspect --config ar-anglo-arab --prompts toxicity --out tasks/ar
    """
    _write("inspect", **options)
