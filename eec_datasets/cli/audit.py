"""``eec audit``: score systems on the corpora, measure, report."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from eec_datasets.cli import gate
from eec_datasets.cli.options import scoring

if TYPE_CHECKING:
    from eec_datasets.audit.running import Outcome
    from eec_datasets.systems.base import System
    from eec_datasets.systems.corpus import Corpus

DEFAULT_SYSTEMS = ("vader", "textblob", "biased:female", "noisy:female")


@click.command(short_help="Score systems on the corpora and report the differences.")
@click.option(
    "--system", "specs", multiple=True, metavar="SYSTEM", help="What to audit; may be repeated. See the forms above."
)
@click.option("--config", "names", multiple=True, metavar="NAME", help="Corpus to use; may be repeated.")
@click.option("--language", "languages", multiple=True, metavar="TAG", help="All corpora of a language, e.g. es.")
@scoring(
    out="audit",
    holds="Folder of scores and report.",
    ranges="Range of hf: regression models, functions and biased:GROUP.",
)
@click.option(
    "--report-language",
    "report_language",
    default="en",
    show_default=True,
    metavar="TAG",
    help="Language of the report's sentences, numbers and names, such as es or ar.",
)
@click.option("--no-report", is_flag=True, help="Leave out the reports (matplotlib is then not needed).")
@gate.options
def audit(
    specs: tuple[str, ...],
    names: tuple[str, ...],
    languages: tuple[str, ...],
    out: Path,
    score_range: tuple[float, float] | None,
    hf_class: str | None,
    batch_size: int | None,
    device: str,
    fresh: bool,
    report_language: str,
    no_report: bool,
    fail_if: tuple[str, ...],
    junit: Path | None,
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
    from eec_datasets.audit import saving as writing
    from eec_datasets.audit.report import figures as page_figures
    from eec_datasets.audit.report.language import load_translator
    from eec_datasets.systems.base import Options
    from eec_datasets.systems.registry import open_system

    asked = gate.read(fail_if, junit)
    if not no_report:
        load_translator(report_language)
        page_figures.check_library()
    writing.check_folder(out)
    options = Options(score_range, hf_class, batch_size, device, (str(Path.cwd()),))
    systems = [open_system(spec, options) for spec in dict.fromkeys(specs or DEFAULT_SYSTEMS)]
    corpora: dict[str, Corpus] = {}
    plan = _plan(systems, names, languages, corpora)
    gate.check_corpora(asked, corpora.values())
    _show_corpora(list(corpora.values()))
    outcomes = [outcome for system, chosen in plan for outcome in _run(system, chosen, out, fresh)]
    command = _command(specs or DEFAULT_SYSTEMS, names, languages, score_range, hf_class)
    _write(outcomes, list(corpora.values()), out, command, None if no_report else report_language)
    gate.judge_outcomes(asked, outcomes)


def _plan(
    systems: Sequence[System], names: Sequence[str], languages: Sequence[str], corpora: dict[str, Corpus]
) -> list[tuple[System, list[Corpus]]]:
    """Pair every system with its corpora, rendered once each; refuse groups that a corpus does not have."""
    from eec_datasets.systems.builtin import check_group
    from eec_datasets.systems.corpus import choose_configs, open_corpus

    plan = []
    for system in systems:
        chosen = choose_configs(names, languages, system.languages)
        spoken = ", ".join(system.languages or ())
        if not chosen:
            click.echo(
                f"{system.name} is made for {spoken}; no corpus asked for is in it, so it is left out.", err=True
            )
        for name in chosen:
            corpora.setdefault(name, open_corpus(name))
            if system.languages is not None and corpora[name].language not in system.languages:
                click.echo(f"Warning: {system.name} is made for {spoken}; {name} is in another language.", err=True)
            check_group(system.name, name, corpora[name].groups)
        plan.append((system, [corpora[name] for name in chosen]))
    return plan


def _show_corpora(corpora: Sequence[Corpus]) -> None:
    from eec_datasets.systems.corpus import sample

    for corpus in corpora:
        click.echo(click.style(corpus.name, bold=True) + f"  {len(corpus.ids):,} sentences, {corpus.review}")
        for rows in sample(corpus, per_item=4):
            click.echo("  " + " · ".join(row["text"] for row in rows))
    click.echo()


def _run(system: System, corpora: Sequence[Corpus], out: Path, fresh: bool) -> list[Outcome]:
    """Score and measure one system on its corpora, and print its table."""
    from tqdm import tqdm

    from eec_datasets.audit import running
    from eec_datasets.audit.summary import summary
    from eec_datasets.systems.builtin import about

    outcomes = []
    for corpus in corpora:
        path = running.score_path(out, system.name, corpus.name)
        label = f"{system.name} on {corpus.name}"
        # disable=None: no bar where stderr is no terminal.
        with tqdm(total=len(corpus.ids), desc=label, unit=" sentences", disable=None, leave=False) as bar:
            scores = running.score_corpus(system, corpus, path, bar, fresh=fresh)
        result = running.measure(system.name, corpus, scores, system.score_range)
        outcomes.append(
            running.Outcome(system.name, corpus, system.score_range, scores, result, path, system.fingerprint)
        )
    if outcomes:
        low, high = system.score_range
        click.echo(click.style(system.name, bold=True) + f"  scores from {low:g} to {high:g}")
        if told := about(system.name, system.score_range):
            click.echo(told)
        click.echo(summary(outcomes))
        for outcome in outcomes:
            if far := [str(found) for found in outcome.standouts]:
                click.echo(f"{outcome.corpus.name}: far from the other names of their group: {', '.join(far)}")
        click.echo()
    return outcomes


def _command(
    specs: Sequence[str],
    names: Sequence[str],
    languages: Sequence[str],
    score_range: tuple[float, float] | None,
    hf_class: str | None,
) -> str:
    """Return the command line that gives the same numbers again."""
    import shlex

    parts = ["eec", "audit"]
    for option, values in (("--system", specs), ("--config", names), ("--language", languages)):
        parts += [part for value in dict.fromkeys(values) for part in (option, value)]
    parts += ["--score-range", *(f"{end:g}" for end in score_range)] if score_range else []
    parts += ["--hf-class", hf_class] if hf_class else []
    return shlex.join(parts)


def _write(
    outcomes: Sequence[Outcome], corpora: Sequence[Corpus], out: Path, command: str, language: str | None
) -> None:
    """Write the numbers, and the reports in a language where one is wanted."""
    from eec_datasets.audit import saving as writing
    from eec_datasets.audit.report import page
    from eec_datasets.audit.report.document import from_content

    if not outcomes:
        raise click.UsageError("No system has a corpus to score. Choose others with --config or --language.")
    content = writing.content(outcomes, corpora, command)
    files = [
        writing.write(out / "terms.csv", writing.to_csv(writing.term_rows(outcomes))),
        writing.write(out / "result.json", writing.to_json(content)),
    ]
    if language is not None:
        document = from_content(content, "result.json", "")
        for form in ("md", "html"):
            text = page.render(document, language=language, form=form)
            files.insert(0, writing.write(out / f"report.{form}", text))
    from eec_bias.result.text import CAVEAT

    click.echo(CAVEAT + "\n")
    click.echo("Written: " + ", ".join(os.fspath(file) for file in files) + f"; scores in {out / 'scores'}")
