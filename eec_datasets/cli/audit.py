"""``eec audit``: score systems on the corpora, measure, report."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from eec_datasets.cli.options import check_range

if TYPE_CHECKING:
    from eec_datasets.audit.corpus import Corpus
    from eec_datasets.audit.running import Outcome
    from eec_datasets.audit.systems import System

DEFAULT_SYSTEMS = ("vader", "textblob", "biased:female", "noisy:female")


@click.command(short_help="Score systems on the corpora and report the differences.")
@click.option(
    "--system", "specs", multiple=True, metavar="SYSTEM", help="What to audit; may be repeated. See the forms above."
)
@click.option("--config", "names", multiple=True, metavar="NAME", help="Corpus to use; may be repeated.")
@click.option("--language", "languages", multiple=True, metavar="TAG", help="All corpora of a language, e.g. es.")
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("audit"),
    show_default=True,
    help="Folder of scores and report.",
)
@click.option(
    "--score-range",
    type=float,
    nargs=2,
    callback=check_range,
    metavar="LO HI",
    help="Range of hf: regression models and functions.  [default: 0 1]",
)
@click.option("--hf-class", metavar="LABEL", help="Class whose probability is the score of an hf: model.")
@click.option("--batch-size", type=click.IntRange(min=1), help="Sentences per call of a system.")
@click.option("--device", default="cpu", show_default=True, help="Where an hf: model runs.")
@click.option("--fresh", is_flag=True, help="Discard saved scores and score anew.")
@click.option("--no-report", is_flag=True, help="Leave out report.html (matplotlib is then not needed).")
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
    no_report: bool,
) -> None:
    """Score systems on the corpora, print the differences between groups, write OUT/report.html.

    \b
    A SYSTEM is one of
      vader, textblob           English lexicons (pip install 'eec-datasets[demo]'), scores -1 to 1
      hf:MODEL                  a transformers classifier or regression model: folder or Hub id,
                                hf:MODEL@REVISION for one version of it
      package.module:function   your own: takes a list of sentences and returns as many numbers,
                                or one sentence and one number; looked for in this folder first
      biased:GROUP              built in: 1 for a group, 0 for others (biased:female,
                                biased:female+Black), the plainest difference there is
      noisy:GROUP               built in: scores that vary by item, name and sentence, and are
                                .05 higher for a group, to see what a detected difference looks like
      random:SEED               built in: numbers from 0 to 1 that know nothing
    Without --system: vader, textblob, biased:female and noisy:female.

    Without --config or --language: the five corpora of the papers, of which vader and textblob score the
    English ones. Scores are saved as they come; the same command goes on where it was stopped. OUT also gets
    terms.csv and result.json with the same numbers.

    \b
    Examples:
      eec audit
      eec audit --system hf:org/model --hf-class positive --language en
      eec audit --system mymodel:score --score-range 1 5 --config es-anglo-latino
    """
    from eec_datasets.audit import plots, writing
    from eec_datasets.audit.systems import Options, open_system

    if not no_report:
        plots.check_library()
    writing.check_folder(out)
    options = Options(score_range, hf_class, batch_size, device, (str(Path.cwd()),))
    systems = [open_system(spec, options) for spec in dict.fromkeys(specs or DEFAULT_SYSTEMS)]
    corpora: dict[str, Corpus] = {}
    plan = _plan(systems, names, languages, corpora)
    _show_corpora(list(corpora.values()))
    outcomes = [outcome for system, chosen in plan for outcome in _run(system, chosen, out, fresh)]
    _write(outcomes, list(corpora.values()), out, report=not no_report)


def _plan(
    systems: Sequence[System], names: Sequence[str], languages: Sequence[str], corpora: dict[str, Corpus]
) -> list[tuple[System, list[Corpus]]]:
    """Pair every system with its corpora, rendered once each; refuse groups that a corpus does not have."""
    from eec_datasets.audit.builtin import check_group
    from eec_datasets.audit.corpus import choose_configs, open_corpus

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
    from eec_datasets.audit.corpus import sample

    for corpus in corpora:
        click.echo(click.style(corpus.name, bold=True) + f"  {len(corpus.ids):,} sentences, {corpus.review}")
        for rows in sample(corpus, per_item=4):
            click.echo("  " + " · ".join(row["text"] for row in rows))
    click.echo()


def _run(system: System, corpora: Sequence[Corpus], out: Path, fresh: bool) -> list[Outcome]:
    """Score and measure one system on its corpora, and print its table."""
    from tqdm import tqdm

    from eec_datasets.audit import running
    from eec_datasets.audit.builtin import about
    from eec_datasets.audit.table import summary

    outcomes = []
    for corpus in corpora:
        path = running.score_path(out, system.name, corpus.name)
        label = f"{system.name} on {corpus.name}"
        # disable=None: no bar where stderr is no terminal.
        with tqdm(total=len(corpus.ids), desc=label, unit=" sentences", disable=None, leave=False) as bar:
            scores = running.score_corpus(system, corpus, path, bar, fresh=fresh)
        result = running.measure(system.name, corpus, scores, system.score_range)
        outcomes.append(running.Outcome(system.name, corpus, system.score_range, scores, result, path))
    if outcomes:
        low, high = system.score_range
        rows = [{"config": o.corpus.name, **row} for o in outcomes for row in o.result.terms]
        click.echo(click.style(system.name, bold=True) + f"  scores from {low:g} to {high:g}")
        if told := about(system.name):
            click.echo(told)
        click.echo(summary(rows))
        for outcome in outcomes:
            if far := [str(found) for found in outcome.standouts]:
                click.echo(f"{outcome.corpus.name}: far from the other names of their group: {', '.join(far)}")
        click.echo()
    return outcomes


def _write(outcomes: Sequence[Outcome], corpora: Sequence[Corpus], out: Path, *, report: bool) -> None:
    from eec_datasets.audit import page, writing

    if not outcomes:
        raise click.UsageError("No system has a corpus to score. Choose others with --config or --language.")
    files = [
        writing.write(out / "terms.csv", writing.to_csv(writing.term_rows(outcomes))),
        writing.write(out / "result.json", writing.to_json(outcomes)),
    ]
    if report:
        files.insert(0, writing.write(out / "report.html", page.render(outcomes, corpora)))
    from eec_bias.report import CAVEAT

    click.echo(CAVEAT + "\n")
    click.echo("Written: " + ", ".join(os.fspath(file) for file in files) + f"; scores in {out / 'scores'}")
