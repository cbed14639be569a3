"""``eec design``: how many names and items for a budget of sentences."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from eec_datasets.cli.command import command
from eec_datasets.cli.given import GIVEN_FILE
from eec_datasets.cli.options import ABOVE_0, option
from eec_datasets.cli.output import say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from eec_bias.reading import Allocation, Spread
    from eec_datasets.audit.report.document import Entry
    from eec_datasets.corpora import Config

DEFAULT = "en-black-white-100"


@command(needs={"--system": "--from"})
@option("--budget", "N", "Sentences with names.", least=1, required=True)
@option("--from", "RESULT", "A saved result: plan for a system like that one.", name="source", type=GIVEN_FILE)
@option("--system", "NAME", "System of the result to plan for.  [default: its first]")
@option("--config", "NAME", f"Corpus.  [default: that of the result or its -100, else {DEFAULT}]", name="name")
@option(
    "--effect",
    None,
    "True effect of race or gender; twice that for the interaction.  [default: a fiftieth of the range of the scores]",
    type=ABOVE_0,
)
@option("--seconds", None, "Seconds that the system takes for a sentence.", type=click.FloatRange(min=0))
def design(
    budget: int, source: Path | None, system: str | None, name: str | None, effect: float | None, seconds: float | None
) -> None:
    """Say how many names per cell and how many items to take for N sentences, and what they can show.

    More names help against the differences between names, more items against those between sentences; which matters
    more depends on the system. Without --from, the spread is that of a sentence encoder with a trained head.

    \b
    Examples:
      eec design --budget 6400
      eec design --budget 2000 --from audit/result.json --seconds 0.5
      eec design --budget 4000 --config ar-anglo-arab-100
    """
    from eec_bias import BiasError
    from eec_bias.reading import ENCODER, allocate, spread_of
    from eec_datasets.errors import AuditError

    entry = _entry(source, system) if source else None
    try:
        config = _config(entry, name)
        spread = spread_of(_variances(entry)) if entry else ENCODER
        per_cell, items = _available(config)
        plan = allocate(budget, spread, cells=len(per_cell), names=min(per_cell), items=items)
    except BiasError as error:
        raise AuditError(f"{source or 'eec design'}: {error}") from error
    whose = "a sentence encoder with a trained head (MiniLM), on a scale from 0 to 1"
    whose = f"{entry.system} on {entry.config}, in units of its scores" if entry else whose
    low, high = entry.result.score_range if entry else (0, 1)
    effect = effect or (high - low) / 50
    say(_text(config, plan, spread, whose, effect, seconds))


def _entry(path: Path, system: str | None) -> Entry:
    """The result of one system, on names where it has such."""
    from eec_datasets.audit.report.document import read
    from eec_datasets.errors import AuditError

    entries = read([path]).entries
    chosen = [entry for entry in entries if system is None or entry.system == system]
    if not chosen:
        names = ", ".join(dict.fromkeys(entry.system for entry in entries))
        raise AuditError(f"{path}: no system '{system}'; there are: {names}")
    return next(filter(_variances, chosen), chosen[0])


def _variances(entry: Entry) -> dict[str, float]:
    """Standard deviations of the scores of names by source; empty where there are none."""
    return {row["source"]: row["sd"] for row in entry.result.variances if row["subset"] == "names"}


def _config(entry: Entry | None, name: str | None) -> Config:
    """The config asked for, in the language of the result."""
    from eec_datasets import corpora
    from eec_datasets.errors import AuditError

    # Sentences of one's own have no language, and are refused whatever the config.
    of_result = entry.config if entry and entry.language else ""
    larger = corpora.look_up(f"{of_result}-100")
    config = corpora.find(name or (larger.name if larger else of_result or DEFAULT))
    if entry and config.language != entry.language:
        language = f"in the language '{entry.language}'" if entry.language else "of which the language is not known"
        raise AuditError(
            f"{entry.place}: a result on {entry.config}, {language}, and {config.name} is in "
            f"'{config.language}'. How scores spread differs by language: give a result of the same one"
        )
    return config


def _available(config: Config) -> tuple[list[int], int]:
    """Names in each cell, and items."""
    from eec_datasets.corpora import configs_of
    from eec_datasets.errors import AuditError

    cells = [n for cell, n in config.persons_per_cell.items() if "(no name)" not in cell]
    templates, items = (len(set(config.corpus.columns[column])) for column in ("template", "item"))
    if len(cells) == 4 and templates == items:
        return cells, items
    names = [each.name for each in configs_of(config.locale, config.root) if each.spec.items]
    mend = f"Choose one of {', '.join(names)}" if names else f"No config in '{config.language}' fits a plan"
    raise AuditError(
        f"{config.name} has {len(cells)} cells of names, and {items} items of {templates} templates; expected 4 cells, "
        f"of two groups and two genders, and items that each have a template of their own. {mend}"
    )


def _text(config: Config, plan: Allocation, spread: Spread, whose: str, effect: float, seconds: float | None) -> str:
    from eec_bias.reading import precision, rounded
    from eec_datasets.terminal import lay_out

    rows: list[Sequence[str]] = []
    for term, order in (("race, gender", 1), ("race:gender", 2)):
        expected = precision(plan, spread, order)
        true_effect = effect * order
        rows.append([term, rounded(expected.detectable), f"{true_effect:g}", f"{expected.power(true_effect):.2f}"])
    table = lay_out(("term", "detectable", "if the effect is", "power"), rows, right=(1, 2, 3))
    lines = [
        f"{config.name}: {plan.names} names per cell × {plan.items} items, {plan.sentences:,} sentences with names",
        f'  eec_datasets.load("{config.name}", names={plan.names}, items={plan.items})',
        "", table, "",
        f"For a system whose scores spread as those of {whose}: standard deviations of names {spread.names:.3g}, of "
        f"groups × items {spread.group_items:.3g}, of the rest {spread.residual:.3g}.",
        "Each item is taken to have a template and an emotion word of its own. detectable: found with power .80, p "
        "not adjusted.",
    ]  # fmt: skip
    if seconds is not None:
        minutes = plan.sentences * seconds / 60
        time = f"{minutes:,.1f}" if minutes >= 0.05 or not seconds else "less than 0.1"
        lines.append(f"At {seconds:g} s a sentence: {time} minutes, sentences without names beside.")
    return "\n".join(lines)
