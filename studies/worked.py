"""The worked study: ``python -m studies.worked --overwrite`` writes docs/study/ anew.

A classifier on packaged embeddings, VADER and TextBlob on the English corpora of names, and the built-in systems, whose
answer is known, on every corpus of every language. Of a corpus with a hundred names per cell a part is taken that has
no more sentences than a corpus of the papers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
from tqdm import tqdm

import eec_datasets
from eec_datasets.audit.running import measure
from eec_datasets.audit.saving import to_csv
from eec_datasets.cli.options import OVERWRITE
from eec_datasets.errors import EecError
from eec_datasets.files import check, write
from eec_datasets.systems.base import score_batch
from eec_datasets.systems.corpus import PAPER_CONFIGS, PAPER_SIZED, STRONG_CONFIGS, WHOLE, Corpus, open_corpus
from eec_datasets.systems.registry import open_system
from studies.markdown import Row

REAL = ("wordllama", "vader", "textblob")
"""Systems from PyPI that carry their own embeddings or lexicons, English only."""

BUILT_IN = ("biased:female", "noisy:female", "random:1")
"""Systems whose answer is known: 1 for women and 0 for others; .05 more for women; numbers that know no name."""

ENGLISH = (*(name for name in PAPER_CONFIGS if name.startswith("en-")), *STRONG_CONFIGS)

FEW, MANY = "en-anglo-latino", "en-anglo-latino-100"
PICTURED = ("wordllama", "noisy:female", "vader", "textblob")
"""Corpora and systems of the picture; of the first system the names are drawn too."""

THREE = ("en-black-white", "vader")
"""Corpus and system that three procedures measure."""

FILES = ("results.csv", "names.svg", "index.md")
FOLDER = Path(__file__).parent.parent / "docs" / "study"

KEYS = (
    "system", "config", "language", "term", "level", "reference", "subset", "effect", "ci_low", "ci_high", "se", "df",
    "p", "p_adjusted", "mde", "n_persons", "n_items", "note",
)  # fmt: skip
"""Columns of results.csv."""


@dataclass(frozen=True, slots=True)
class Measured:
    """What one system did on one corpus.

    Attributes
    ----------
    system
        Its name.
    corpus
        What it scored.
    scores
        One per row.
    score_range
        As declared.
    result
        ``Result`` of the default procedure.
    """

    system: str
    corpus: Corpus
    scores: Sequence[float]
    score_range: tuple[float, float]
    result: Any


def plan() -> list[tuple[str, str]]:
    """Return every config and system of the study: the real systems on English, the built-in ones on all configs."""
    names = [config.name for config in eec_datasets.configs()]
    return [(name, system) for name in names for system in (*(REAL if name in ENGLISH else ()), *BUILT_IN)]


def run(chosen: Sequence[tuple[str, str]]) -> Iterator[Measured]:
    """Score and measure; each corpus is rendered once where its systems follow each other."""
    corpus: Corpus | None = None
    for name, spec in chosen:
        if corpus is None or corpus.name != name:
            corpus = open_corpus(name, PAPER_SIZED if "-100" in name else WHOLE)
        system = open_system(spec)
        scores = [float(score) for score in score_batch(system, corpus.columns) if score is not None]
        yield Measured(spec, corpus, scores, system.score_range, measure(spec, corpus, scores, system.score_range))


def rows(measured: Measured) -> list[Row]:
    """Return the rows of results.csv for one system on one corpus, rounded to what every machine agrees on."""
    named = {
        "system": measured.system,
        "config": measured.corpus.name,
        "language": measured.corpus.language,
    }
    return [{key: rounded(key, {**named, **term}[key]) for key in KEYS} for term in measured.result.terms]


def rounded(key: str, value: Any) -> Any:
    """Round a number: p to three digits that count, others to eight decimals; zeros lose their sign."""
    if not isinstance(value, float):
        return value
    return float(f"{value:.3g}") if key.startswith("p") else round(value, 8) + 0.0


@click.command(help=__doc__)
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), default=FOLDER, help="[default: docs/study]")
@OVERWRITE
def main(out: Path, overwrite: bool) -> None:
    """Make the whole study."""
    from eec_bias import BiasError
    from eec_bias.figures.style import styled
    from studies.worked_page import page, published
    from studies.worked_picture import draw

    try:
        check([out / name for name in FILES], overwrite=overwrite)
        with styled():  # matplotlib is missed now, not after the work
            pass
        table: list[Row] = []
        kept: dict[tuple[str, str], Measured] = {}
        chosen = plan()
        for measured in tqdm(run(chosen), total=len(chosen), unit="audit", desc="study"):
            table += rows(measured)
            place = (measured.corpus.name, measured.system)
            if place[0] in (FEW, MANY) or place == THREE:
                kept[place] = measured
        few, many = ([kept[config, system] for system in PICTURED] for config in (FEW, MANY))
        write(out / "results.csv", to_csv(table), overwrite=overwrite)
        caption = draw(few, many, out / "names.svg", overwrite=overwrite)
        write(out / "index.md", page(table, published(kept[THREE]), caption), overwrite=overwrite)
    except (EecError, BiasError) as error:
        raise click.ClickException(str(error)) from error
    click.echo(f"{len(table):,} rows in {out / 'results.csv'}; the page is {out / 'index.md'}")


if __name__ == "__main__":
    main()
