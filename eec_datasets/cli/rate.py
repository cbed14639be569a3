"""``eec rate``: rate systems on balanced and confounded data sets (Lakkaraju et al. 2022)."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import click

from eec_datasets.cli import costs
from eec_datasets.cli.command import command
from eec_datasets.cli.options import (
    APART,
    CONFOUNDED,
    OWN_RANGE,
    SYSTEMS,
    Asked,
    Scoring,
    option,
    refuse_unused,
    scoring,
)
from eec_datasets.cli.output import progress, say, warn_of_language
from eec_datasets.errors import SystemFailed, UnknownConfig

if TYPE_CHECKING:
    from pathlib import Path

    from eec_bias import Result
    from eec_datasets.systems.base import System
    from eec_datasets.systems.corpus import Corpus
    from eec_datasets.systems.store import Store

DEFAULT_CONFIG: Final = "en-black-white"
DEFAULT_SYSTEMS: Final = ("textblob", "textblob:discrete", "random:0", "random:0:discrete", "biased:female")
FILES: Final = ("rating.txt", "rating.json", "terms.csv", "sentences.csv")
SCALE: Final = (-1.0, 1.0)
"""All scores are moved to this range, as in the paper, since DIE % depends on where a scale has its 0."""


@command(apart=[("--config", "--language"), *APART])
@SYSTEMS
@option("--config", "NAME", f"Corpus whose persons and words are used.  [default: {DEFAULT_CONFIG}]")
@option("--language", "TAG", "Instead of --config: the first corpus of a language, e.g. es.")
@CONFOUNDED
@option("--levels", None, "Rating levels L.", least=2, default=3)
@option("--weights", "W W W", "Weights of rejections at 95, 70 and 60 %.  [default: 1 .8 .6]", type=float, nargs=3)
@scoring(out="rating", holds="Folder of scores and tables.", ranges="Range of hf: regression models and functions.")
def rate(
    specs: tuple[str, ...], config: str | None, language: str | None, scoring: Scoring, sets: Asked, **how: Any
) -> None:
    """Rate systems as Lakkaraju, Srivastava & Valtorta (2022) do: 1 is the best, the number of levels the worst.

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
    import numpy as np

    from eec_bias.inputs.scores import Scores
    from eec_bias.inputs.systems import Systems
    from eec_datasets.audit import running
    from eec_datasets.corpora import find, usable
    from eec_datasets.design import confounded
    from eec_datasets.files import check, write_all
    from eec_datasets.systems.corpus import PAPER_CONFIGS, corpus_of
    from eec_datasets.systems.registry import open_system
    from eec_datasets.systems.scoring import check_distinct
    from eec_datasets.systems.store import Store

    refuse_unused(specs or DEFAULT_SYSTEMS, scoring, (*OWN_RANGE, "biased"))
    weights = how["weights"]
    if weights and min(weights) < 0:
        raise click.UsageError(f"--weights {' '.join(f'{w:g}' for w in weights)}: expected three numbers from 0.")
    check([scoring.out / name for name in FILES], overwrite=scoring.overwrite)
    name = config or DEFAULT_CONFIG
    if language:
        names = [each.name for each in usable((language,))[0]]
        if not names:
            raise UnknownConfig(f"the language '{language}' has no config yet. Write one into its locale.toml")
        # That of a paper where there is one.
        name = next((each for each in PAPER_CONFIGS if each in names), names[0])
    rows, source = confounded(name, **sets), find(name)
    corpus = corpus_of(
        rows.data.table, f"{name}-confounded", source.version, source.language, source.about, source.review,
        axes=("gender", "race"),
    )  # fmt: skip
    # The paper's biased system gives 1 and -1; what is declared for another system is not meant for it.
    options = {True: replace(scoring.options, score_range=SCALE), False: scoring.options}
    opened = [
        open_system(spec, options[spec.startswith("biased:")]) for spec in dict.fromkeys(specs or DEFAULT_SYSTEMS)
    ]
    # Of the default ones those that know the language.
    systems = [system for system in opened if specs or system.knows(corpus.language)]
    for system in systems:
        warn_of_language(system, corpus)
    check_distinct(systems, scoring.out)
    check([_scores_file(system, corpus, scoring) for system in systems], overwrite=scoring.overwrite)
    say(f"{rows.info.description} {len(rows):,} sentences, {corpus.review}.\n")
    with Store() as store:
        if not costs.ask_consent([(system, [corpus]) for system in systems], scoring, store):
            return
        scores: dict[str, list[float]] = {}
        written: dict[Path, str] = {}
        for system in systems:
            scores[system.name], text = _score(system, corpus, scoring, store)
            written[_scores_file(system, corpus, scoring)] = text
    # Where all were moved to the scale from a declared one, it is no question whether the scale is theirs.
    moved = all(system.score_range != SCALE for system in systems)
    measured = Scores(np.array([*scores.values()]), Systems((*scores,)), SCALE) if moved else scores
    place = ", ".join(scores)
    result = running.measure(place, corpus, measured, SCALE, method="rating", **how)
    written |= {scoring.out / name: text for name, text in _texts(result, corpus).items()}
    write_all(written, overwrite=scoring.overwrite)
    say("\n\n".join(result.tables().values()) + "\n")
    for note in result.notes:
        say(f"Note: {note}")
    say(f"\nWritten: {', '.join(str(scoring.out / name) for name in FILES)}")


def _texts(result: Result, corpus: Corpus) -> dict[str, str]:
    """Return the files of a rating but for the scores, by their paths within the folder."""
    from eec_datasets.audit import saving
    from eec_datasets.text_file import guarded_csv

    numbers = json.dumps(result.to_dict(details=True), ensure_ascii=False, indent=1, allow_nan=False)
    texts = (f"{result}\n", numbers, saving.to_csv(list(result.terms)), saving.to_csv(corpus.table.to_pylist()))
    contents = dict(zip(FILES, texts, strict=True))
    for table, text in result.tables("csv").items():
        contents[f"tables/{table.replace(' ', '-')}.csv"] = guarded_csv(text)
    for table, text in result.tables("latex").items():
        contents[f"tables/{table.replace(' ', '-')}.tex"] = text
    return contents


def _scores_file(system: System, corpus: Corpus, scoring: Scoring) -> Path:
    from eec_datasets.systems.scoring import score_path

    # The name of the file carries the content: another case or seed draws other sentences.
    return score_path(scoring.out, system.name, corpus.label.replace("@", "-").replace("#", "-"))


def _score(system: System, corpus: Corpus, scoring: Scoring, store: Store) -> tuple[list[float], str]:
    """Return the scores of a system on the scale of the rating, and the file of its own."""
    from eec_datasets.audit.running import score_text
    from eec_datasets.systems.scoring import score_corpus, size

    with progress(system.name, size(system, corpus)) as bar:
        scored = score_corpus(system, corpus, store, bar, scoring.use)
    if gaps := sum(map(math.isnan, scored.scores)):
        raise SystemFailed(
            f"{system.name}: {gaps:,} of {len(scored.scores):,} sentences have no score; a rating needs them all."
        )
    low, high = system.score_range
    text = score_text(system, corpus, scored)
    if (low, high) == SCALE:
        return scored.scores, text
    on_scale = [min(max(2 * (score - low) / (high - low) - 1, -1.0), 1.0) for score in scored.scores]
    return on_scale, text
