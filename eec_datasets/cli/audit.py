"""``eec audit``: score systems on the corpora, measure, report."""

from __future__ import annotations

import functools
import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, Literal

import click

from eec_datasets.cli import gate as gates
from eec_datasets.cli.options import SYSTEMS, Scoring, repeated, report_language, scoring
from eec_datasets.cli.output import bar, warn_of_language

if TYPE_CHECKING:
    from eec_datasets.audit.running import Outcome
    from eec_datasets.systems.base import System
    from eec_datasets.systems.corpus import Corpus

NUMBERS: Final = ("terms.csv", "result.json")
REPORTS: Final[dict[str, Literal["html", "md"]]] = {"report.html": "html", "report.md": "md"}
DEFAULT_SYSTEMS: Final = ("vader", "textblob", "biased:female", "noisy:female")


@click.command()
@SYSTEMS
@repeated("--config", "names", "NAME", "Corpus to use; may be repeated.")
@repeated("--language", "languages", "TAG", "All corpora of a language, e.g. es.")
@scoring(
    out="audit",
    holds="Folder of scores and report.",
    ranges="Range of hf: regression models, functions and biased:GROUP.",
)
@report_language("Language of the report's sentences, numbers and names, such as es or ar.")
@click.option("--no-report", is_flag=True, help="Leave out the reports.")
@gates.OPTIONS
def audit(
    specs: tuple[str, ...],
    names: tuple[str, ...],
    languages: tuple[str, ...],
    scoring: Scoring,
    language: str,
    no_report: bool,
    gate: gates.Gate,
) -> None:
    """Score systems on the corpora, print the differences between groups, write OUT/report.html and report.md.

    \b
    A SYSTEM is one of
      vader, textblob           English lexicons (pip install 'eec-datasets[demo]'), scores -1 to 1
      hf:MODEL                  a transformers classifier or regression model: folder or Hub id,
                                hf:MODEL@REVISION for one version of it
      package.module:function   your own: takes a list of sentences and returns as many numbers,
                                or one sentence and one number; looked for in this folder first
      textblob:discrete         the sign of textblob's score: -1, 0, 1
      biased:GROUP              built in: 1 for a group, 0 for others (biased:female,
                                biased:female+Black), the plainest difference there is; with
                                --score-range -1 1 it gives 1 and -1
      noisy:GROUP               built in: scores that vary by item, name and sentence, and are
                                .05 higher for a group, to see what a detected difference looks like
      random:SEED               built in: numbers from 0 to 1 that know nothing;
                                random:SEED:discrete gives -1, 0 or 1
    Without --system: vader, textblob, biased:female and noisy:female.

    Without --config or --language: the five corpora of the papers, of which vader and textblob score the
    English ones. Scores are saved as they come; the same command goes on where it was stopped. OUT also gets
    terms.csv and result.json with the same numbers; eec report makes other reports from result.json.

    With --fail-if the command ends with exit code 4 where a condition holds: TERM[.SUBSET][[LEVEL]].FIELD, or
    abs(of that), then outside ±X, outside [LOW, HIGH], > X, >= X, < X or <= X. FIELD is ci, effect, p_adjusted,
    mde or another column. 'race.ci outside ±0.02' fails where any part of the 95 % interval lies outside, so
    also where the sample is too small to exclude such a difference. A number that does not exist does not pass.

    \b
    Examples:
      eec audit
      eec audit --system hf:org/model --hf-class positive --language en
      eec audit --system mymodel:score --score-range 1 5 --config es-anglo-latino
      eec audit --system mymodel:score --fail-if 'race.ci outside ±0.02' --junit gate.xml
    """
    from eec_datasets.audit.report.language import load_translator
    from eec_datasets.files import check
    from eec_datasets.systems.registry import open_system

    if not no_report:
        load_translator(language)
    places = [scoring.out / name for name in (*NUMBERS, *(() if no_report else REPORTS))]
    check([*places, *([gate.junit] if gate.junit else [])], overwrite=scoring.overwrite)
    specs = specs or DEFAULT_SYSTEMS
    systems = [open_system(spec, scoring.options) for spec in dict.fromkeys(specs)]
    plan = _plan(systems, names, languages)
    corpora = list({corpus.name: corpus for _, chosen in plan for corpus in chosen}.values())
    if corpora:
        gates.check_corpora(gate, corpora)
    _show_corpora(corpora)
    outcomes = [outcome for system, chosen in plan for outcome in _run(system, chosen, scoring)]
    command = _command(specs, names, languages, scoring)
    _write(outcomes, corpora, scoring, command, None if no_report else language)
    gates.judge(
        gate,
        [(f"{outcome.system} on {outcome.corpus.name}", outcome.result) for outcome in outcomes],
        overwrite=scoring.overwrite,
    )


def _plan(
    systems: Sequence[System], names: Sequence[str], languages: Sequence[str]
) -> list[tuple[System, list[Corpus]]]:
    """Pair every system with its corpora, rendered once each; refuse groups that a corpus does not have."""
    from eec_datasets.systems.builtin import check_group
    from eec_datasets.systems.corpus import choose_configs, open_corpus

    opened = functools.cache(open_corpus)
    plan = []
    for system in systems:
        chosen = [opened(name) for name in choose_configs(names, languages, system)]
        if not chosen:
            made_for = ", ".join(system.languages or ())
            click.echo(
                f"{system.name} is made for {made_for}; no corpus asked for is in it, so it is left out.", err=True
            )
        for corpus in chosen:
            warn_of_language(system, corpus)
            check_group(system.name, corpus.name, corpus.groups)
        plan.append((system, chosen))
    return plan


def _show_corpora(corpora: Sequence[Corpus]) -> None:
    from eec_datasets.systems.corpus import sample

    for corpus in corpora:
        click.echo(click.style(corpus.name, bold=True) + f"  {len(corpus.ids):,} sentences, {corpus.review}")
        for rows in sample(corpus, per_item=4):
            click.echo("  " + " · ".join(row["text"] for row in rows))
    click.echo()


def _run(system: System, corpora: Sequence[Corpus], scoring: Scoring) -> list[Outcome]:
    """Score and measure one system on its corpora, and print its table."""
    from eec_datasets.audit.report.language import load_translator
    from eec_datasets.audit.report.sections import about
    from eec_datasets.audit.running import run
    from eec_datasets.audit.summary import summary

    outcomes = []
    for corpus in corpora:
        with bar(f"{system.name} on {corpus.name}", len(corpus.ids)) as shown:
            outcomes.append(run(system, corpus, scoring.out, shown, fresh=scoring.fresh))
    if not outcomes:
        return []
    low, high = system.score_range
    click.echo(click.style(system.name, bold=True) + f"  scores from {low:g} to {high:g}")
    if told := about(load_translator(), system.name, system.score_range):
        click.echo(told)
    click.echo(summary(outcomes))
    for outcome in outcomes:
        if far := [str(standout) for standout in outcome.standouts]:
            click.echo(f"{outcome.corpus.name}: far from the other names of their group: {', '.join(far)}")
    click.echo()
    return outcomes


def _command(specs: Sequence[str], names: Sequence[str], languages: Sequence[str], scoring: Scoring) -> str:
    """Return the command line that gives the same numbers again."""
    parts = ["eec", "audit"]
    for option, values in (("--system", specs), ("--config", names), ("--language", languages)):
        parts += [part for value in dict.fromkeys(values) for part in (option, value)]
    parts += (
        ["--score-range", *(f"{end:g}" for end in scoring.options.score_range)] if scoring.options.score_range else []
    )
    parts += ["--hf-class", scoring.options.hf_class] if scoring.options.hf_class else []
    return shlex.join(parts)


def _write(
    outcomes: Sequence[Outcome], corpora: Sequence[Corpus], scoring: Scoring, command: str, language: str | None
) -> None:
    """Write the numbers, and the reports in a language where one is wanted."""
    from eec_bias.result.words import caveat
    from eec_datasets.audit import saving
    from eec_datasets.audit.report import page
    from eec_datasets.audit.report.document import from_content
    from eec_datasets.files import write_all

    if not outcomes:
        raise click.UsageError("No system has a corpus to score. Choose others with --config or --language.")
    content = saving.content(outcomes, corpora, command)
    saved = from_content(content, "result.json", "")
    forms = REPORTS if language is not None else {}
    texts = {name: page.render(saved, language=str(language), form=form) for name, form in forms.items()}
    texts |= zip(NUMBERS, (saving.to_csv(saving.term_rows(outcomes)), saving.to_json(content)), strict=True)
    paths = write_all({scoring.out / name: text for name, text in texts.items()}, overwrite=scoring.overwrite)
    said = caveat(*(outcome.result for outcome in outcomes))
    click.echo(f"{said}\n\nWritten: {', '.join(map(str, paths))}; scores in {scoring.out / 'scores'}")
