"""The options of ``eec audit`` that say which systems are asked, and how."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final

import click

from eec_datasets.cli.command import typed
from eec_datasets.cli.given import GIVEN_NAME
from eec_datasets.cli.options import (
    FOLDER,
    NO_RANGE_OPTION,
    OVERWRITE,
    PROMPTS,
    as_one_argument,
    no_score_range,
    numbers,
    option,
    score_range,
    switch,
)
from eec_datasets.systems.base import NO_RANGE, Endpoint, SystemOptions


@dataclass(frozen=True, slots=True)
class Scoring:
    """A user's options for opening and asking systems, and for saving their scores.

    Attributes
    ----------
    out
        Where scores go.
    fresh
        Ask again for stored answers.
    overwrite
        Whether files may be replaced that we did not write.
    options
        What systems are opened with.
    dry_run, yes
        Whether calls are only counted; whether they are made unasked.
    """

    out: Path
    fresh: bool
    overwrite: bool
    options: SystemOptions
    dry_run: bool
    yes: bool


def _classes(_context: click.Context, _option: click.Parameter, text: str | None) -> dict[str, float]:
    """The values of ``negative=-1,neutral=0,positive=1``, by label."""
    shape = "LABEL=VALUE with numbers, at least two of them different, such as negative=-1,neutral=0,positive=1"
    values = numbers("--classes", text.split(","), shape) if text else {}
    if len(set(values.values())) == 1:
        raise click.UsageError(f"--classes {text}: expected {shape}.")
    return values


LOCAL: Final = "Models on this machine"
REMOTE: Final = "Models behind an address (openai:MODEL)"
"""Headings of options."""

ENDPOINT: Final = (
    option("--base-url", "URL", "Address of openai: models.  [default: https://api.openai.com/v1]", heading=REMOTE),
    option(
        "--prompts",
        "NAME|FILE",
        f"Prompts of openai: models: {PROMPTS}.  [default: sentiment]",
        type=GIVEN_NAME,
        heading=REMOTE,
    ),
    option(
        "--repeats", None, "How often to ask each sentence with each prompt.  [default: 1]", least=1, heading=REMOTE
    ),
    option(
        "--concurrency",
        None,
        "Calls at the same time.  [default: 16]",
        type=click.IntRange(1, 1000),
        heading=REMOTE,
        numbers=False,
    ),
    option(
        "--timeout",
        "SECONDS",
        "Time limit of a call of openai:, or of a batch of a cmd: program.  [default: 60]",
        type=click.FloatRange(min=0, min_open=True),
        heading=REMOTE,
        numbers=False,
    ),
    option(
        "--budget",
        "CALLS",
        "Largest number of calls to all openai: models together.",
        least=1,
        heading=REMOTE,
        numbers=False,
    ),
)
"""Options for asking ``openai:MODEL``; each overrides a default of `Endpoint`."""


ASKED: Final = tuple(field.name for field in fields(Endpoint) if field.init)

FUNCTION: Final = "package.module:function"
"""Stands for the kind of a user's functions, whose specifications begin with their modules."""

FORM_OF: Final = {FUNCTION: FUNCTION, "cmd": "cmd:PROGRAM"}
"""Forms that a message shows, of kinds that do not have models."""

HEEDED: Final = {
    "positive_class": ("hf", FUNCTION), "classes": ("hf", FUNCTION),
    **dict.fromkeys((*ASKED, "yes"), ("openai",)), "timeout": ("openai", "cmd"),
}  # fmt: skip
"""Kinds of systems that heed an option, if not all do."""

APART: Final = (("--classes", "--positive-class"), ("--score-range", NO_RANGE_OPTION))
"""Options that exclude each other."""


def _scoring(out: Path, fresh: bool, overwrite: bool, dry_run: bool, yes: bool, **others: Any) -> Scoring:
    if others.pop("no_score_range", False):
        others["score_range"] = NO_RANGE
    endpoint = {name: value for name in ASKED if (value := others.pop(name)) is not None}
    # A module of the user's is looked for in the folder they are in.
    options = SystemOptions(path=(str(Path.cwd()),), endpoint=Endpoint(**endpoint), **others)
    return Scoring(out, fresh, overwrite, options, dry_run, yes)


SCORING = as_one_argument(
    "scoring",
    _scoring,
    option("--out", None, "Folder for the scores and the report.", type=FOLDER, default=Path("audit"), numbers=False),
    score_range("Lowest and highest possible score of hf: regression models, functions and biased:GROUP."),
    no_score_range(),
    option("--positive-class", "LABEL",
           "Class whose probability is the score, if the system returns probabilities of classes.",
           heading="What the scores are"),
    option("--classes", "LABEL=VALUE,…",
           "A number for every class. The score is the mean of these numbers, weighted by the probabilities.",
           callback=_classes, heading="What the scores are"),
    option("--batch-size", None, "Number of sentences in one call of a system.", least=1, heading=LOCAL, numbers=False),
    option("--device", None, "Where an hf: model runs.", default="cpu", heading=LOCAL, numbers=False),
    switch("--fresh", "Ask the system again; the new answers replace the stored ones.", heading=LOCAL, numbers=False),
    *ENDPOINT,
    switch("--dry-run", "Show the plan and the number of calls to openai: models, and score nothing.", numbers=False),
    switch("--yes", "Make the calls of openai: models without asking.", heading=REMOTE, numbers=False),
    OVERWRITE,
)  # fmt: skip
"""Adds the options of `Scoring`, which reach the command as ``scoring``."""


def refuse_unused(specs: Sequence[str], scoring: Scoring) -> None:
    """Refuse options that no system asked for heeds.

    Raises
    ------
    click.UsageError
        Naming the option and the systems that heed it.
    """
    from eec_datasets.systems.registry import heeds_range, is_function

    options = scoring.options
    kind_of = {spec: FUNCTION if is_function(spec) else spec.partition(":")[0] for spec in specs}
    kinds = set(kind_of.values())
    # The score of a class is a probability, or the mean of what the classes are given.
    of_class = {"hf", FUNCTION} if options.positive_class or options.classes else set()
    heeding = {kind_of[spec] for spec in specs if heeds_range(spec)}
    if options.score_range and heeding <= of_class:
        given = NO_RANGE_OPTION if options.score_range == NO_RANGE else "--score-range"
        raise click.UsageError(f"{given} is not for {', '.join(specs)}, with a range of their own. Leave it out.")
    for param in click.get_current_context().command.params:
        owners = HEEDED.get(str(param.name), ())
        if owners and kinds.isdisjoint(owners) and typed(str(param.name)):
            forms = " or ".join(FORM_OF.get(kind, f"{kind}:MODEL") for kind in owners)
            raise click.UsageError(f"{param.opts[0]} is for --system {forms}. Add one, or leave it out.")
