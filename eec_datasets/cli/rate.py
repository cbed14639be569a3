"""``eec rate``: rate systems on balanced and confounded data sets (Lakkaraju et al. 2022)."""

from __future__ import annotations

import math
import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from eec_datasets.cli.options import scoring
from eec_datasets.cli.speaking import options_named

if TYPE_CHECKING:
    from eec_bias import Result
    from eec_datasets.systems.corpus import Corpus
    from eec_datasets.systems.base import Options, System

DEFAULT_CONFIG = "en-black-white"
DEFAULT_SYSTEMS = ("textblob", "textblob:discrete", "random:0", "random:0:discrete", "biased:female")
SCALE = (-1.0, 1.0)
"""All scores are moved to this range, as in the paper, since DIE % depends on where a scale has its 0."""


@click.command(short_help="Rate systems on confounded data sets.")
@click.option("--system", "specs", multiple=True, metavar="SYSTEM", help="What to rate; may be repeated.")
@click.option("--config", "name", metavar="NAME", help="Corpus whose persons and words are used.")
@click.option("--language", metavar="TAG", help="Instead of --config: the first corpus of a language, e.g. es.")
@click.option(
    "--case", type=click.IntRange(0, 6), default=1, show_default=True, metavar="0-6", help="Case k of data group 2."
)
@click.option("--seed", type=int, default=0, show_default=True, help="Which persons are drawn.")
@click.option(
    "--persons", type=click.IntRange(min=1), default=1, show_default=True, help="Names per race and gender in group 3."
)
@click.option("--neutral", metavar="LABEL", help="Neutral reference, such as neutral-elle; none leaves it out.")
@click.option("--levels", type=click.IntRange(min=2), default=3, show_default=True, help="Rating levels L.")
@click.option(
    "--weights",
    type=float,
    nargs=3,
    metavar="W W W",
    help="Of rejections at 95, 70 and 60 %.  [default: 1 .8 .6]",
)
@scoring(out="rating", holds="Folder of scores and tables.", ranges="Range of hf: regression models and functions.")
def rate(
    specs: tuple[str, ...],
    name: str | None,
    language: str | None,
    case: int,
    seed: int,
    persons: int,
    neutral: str | None,
    levels: int,
    weights: tuple[float, float, float] | None,
    out: Path,
    score_range: tuple[float, float] | None,
    hf_class: str | None,
    batch_size: int | None,
    device: str,
    fresh: bool,
) -> None:
    """Rate systems as Lakkaraju, Srivastava & Valtorta (2022): 1 is the best, the number of levels the worst.

    Makes the paper's sixteen data sets from the persons of a corpus, scores them, and prints the paper's tables: which
    differences between groups are rejected, how far confounding moves the scores, the order of the systems and their
    ratings. One system is rated by itself (1, or the worst level); several are rated against each other.

    A SYSTEM has one of the forms of eec audit; all scores are moved to the range -1 to 1. biased:GROUP is the paper's
    biased system. Without --system: textblob, textblob:discrete (English only), random:0, random:0:discrete and
    biased:female.

    The procedure does not hold its level. Its tables say how often it errs, and show the default test beside it.
    OUT gets rating.txt, rating.json, terms.csv, sentences.csv, and every table as CSV and LaTeX in OUT/tables.

    \b
    Examples:
      eec rate
      eec rate --system biased:female --weights 1 .7 .6
      eec rate --system mymodel:score --system random:1 --language es --neutral neutral-epicene
    """
    from eec_datasets.audit import saving as writing
    from eec_datasets.design import confounded
    from eec_datasets.systems.base import Options

    if name and language:
        raise click.UsageError("--config and --language exclude each other.")
    if weights and not all(0 <= weight < math.inf for weight in weights):
        raise click.UsageError(f"--weights {' '.join(f'{w:g}' for w in weights)}: expected three numbers from 0.")
    writing.check_folder(out)
    chosen = name or (_first(language) if language else DEFAULT_CONFIG)
    options = Options(score_range, hf_class, batch_size, device, (str(Path.cwd()),))
    data = confounded(chosen, case=case, seed=seed, persons=persons, neutral=neutral)
    corpus = _corpus(chosen, data.data.table)
    systems = _open(specs, options, corpus.language)
    click.echo(f"{data.info.description} {len(data):,} sentences, {corpus.review}.\n")
    scores = {system.name: _score(system, corpus, out, fresh=fresh) for system in systems}
    with options_named():
        result = _measure(corpus, scores, weights, levels)
    click.echo("\n\n".join(result.tables().values()) + "\n")
    for note in result.notes:
        click.echo(f"Note: {note}")
    files = _write(result, out)
    files.append(writing.write(out / "sentences.csv", writing.to_csv(corpus.table.to_pylist())))
    click.echo("\nWritten: " + ", ".join(os.fspath(file) for file in files))


def _first(language: str) -> str:
    """The config of a language: that of a paper where there is one."""
    from eec_datasets import corpora
    from eec_datasets.systems.corpus import PAPER_CONFIGS

    names = [config.name for config in corpora.usable((language,))[0]]
    return next((name for name in PAPER_CONFIGS if name in names), names[0])


def _open(specs: tuple[str, ...], options: Options, language: str) -> list[System]:
    """Open the systems; of the default ones those that know the language."""
    from eec_datasets.systems.registry import open_system

    found = []
    for spec in dict.fromkeys(specs or DEFAULT_SYSTEMS):
        # The paper's biased system gives 1 and -1; what is declared for another system is not meant for it.
        own = replace(options, score_range=SCALE) if spec.startswith("biased:") else options
        system = open_system(spec, own)
        if system.languages is None or language in system.languages:
            found.append(system)
        elif specs:
            spoken = ", ".join(system.languages)
            click.echo(f"Warning: {system.name} is made for {spoken}; the sentences are in {language}.", err=True)
            found.append(system)
    return found


def _corpus(name: str, table: object) -> Corpus:
    """The data sets as the audit takes a corpus, so that scores are saved as they come."""
    from eec_datasets import corpora, schema
    from eec_datasets.systems.corpus import Corpus
    from eec_datasets.locale.model import UNMARKED

    config = corpora.find(name)
    columns: dict[str, list[str]] = {column: table.column(column).to_pylist() for column in table.column_names}  # type: ignore[attr-defined]
    groups = {axis: [v for v in dict.fromkeys(columns[axis]) if v != UNMARKED] for axis in ("gender", "race")}
    label = f"{name}-confounded"
    return Corpus(
        label, config.language, config.about, config.review, f"{label}@{config.version}#{schema.content_hash(table)}",
        table, columns, {axis: levels for axis, levels in groups.items() if levels},
    )  # fmt: skip


def _score(system: System, corpus: Corpus, out: Path, *, fresh: bool) -> list[float]:
    """Scores on the range -1 to 1."""
    from tqdm import tqdm

    from eec_datasets.audit import running

    # The name of the file carries the content: another case or seed draws other sentences.
    path = running.score_path(out, system.name, corpus.label.replace("@", "-").replace("#", "-"))
    with tqdm(total=len(corpus.ids), desc=system.name, unit=" sentences", disable=None, leave=False) as bar:
        scores = running.score_corpus(system, corpus, path, bar, fresh=fresh)
    low, high = system.score_range
    if (low, high) == SCALE:
        return scores
    return [min(max(2 * (score - low) / (high - low) - 1, -1.0), 1.0) for score in scores]


def _measure(
    corpus: Corpus, scores: dict[str, list[float]], weights: tuple[float, float, float] | None, levels: int
) -> Result:
    from eec_datasets.audit import running

    return running.measure(
        ", ".join(scores), corpus, scores, SCALE, method="rating", weights=weights, levels=levels
    )  # fmt: skip


def _write(result: Result, out: Path) -> list[Path]:
    import json

    from eec_datasets.audit import saving as writing

    text = json.dumps(result.to_dict(details=True), ensure_ascii=False, indent=1, allow_nan=False)
    files = [
        writing.write(out / "rating.txt", str(result) + "\n"),
        writing.write(out / "rating.json", text),
        writing.write(out / "terms.csv", writing.to_csv(list(result.terms))),
    ]
    for layout, suffix in (("csv", ".csv"), ("latex", ".tex")):
        for table, content in result.tables(layout).items():  # type: ignore[arg-type]
            writing.write(out / "tables" / f"{table.replace(' ', '-')}{suffix}", content)
    return files
