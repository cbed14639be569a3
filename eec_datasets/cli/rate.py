"""``eec rate``: rate systems on balanced and confounded data sets (Lakkaraju et al. 2022)."""

from __future__ import annotations

import importlib.util
import json
import math
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import click

from eec_datasets.cli import costs
from eec_datasets.cli.command import command
from eec_datasets.cli.deconfounding import NEEDING_DATA, OWN_TABLE, OwnTable, compare
from eec_datasets.cli.options import (
    APART,
    CONFOUNDED,
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
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from eec_bias import Result
    from eec_datasets.systems.base import System
    from eec_datasets.systems.corpus import Corpus
    from eec_datasets.systems.store import Store

DEFAULT_CONFIG: Final = "en-black-white"
DEFAULT_SYSTEMS: Final = ("textblob", "textblob:discrete", "random:0", "random:0:discrete", "biased:female")
FILES: Final = ("rating.txt", "rating.json", "terms.csv", "sentences.csv")
UNSAFE: Final = re.compile(r"[^\w.-]+")
"""What no name of a file should have."""

SUFFIX: Final = ":discrete"
OWN_DISCRETE: Final = ("textblob", "random")
"""Kinds of systems that have a discrete form of their own."""

OF_SETS: Final = (
    "--system",
    "--config",
    "--language",
    "--case",
    "--seed",
    "--persons",
    "--neutral",
    "--share",
    "--levels",
    "--weights",
    "--discrete",
    "--hf-class",
    "--classes",
    "--batch-size",
    "--device",
    "--fresh",
    "--base-url",
    "--prompts",
    "--repeats",
    "--concurrency",
    "--timeout",
    "--budget",
    "--dry-run",
    "--yes",
)
"""Options of scoring the paper's data sets, which a table of scores does not need."""

SCALE: Final = (-1.0, 1.0)
"""All scores are moved to this range, as in the paper, since DIE % depends on where a scale has its 0."""


@command(
    apart=[("--config", "--language"), *APART, *(("--data", flag) for flag in OF_SETS)],
    needs=dict.fromkeys(NEEDING_DATA, "--data"),
)
@SYSTEMS
@option("--config", "NAME", f"Corpus whose persons and words are used.  [default: {DEFAULT_CONFIG}]")
@option("--language", "TAG", "Instead of --config: the first corpus of a language, e.g. es.")
@CONFOUNDED
@option("--levels", None, "Rating levels L.", least=2, default=3)
@option("--weights", "W W W", "Weights of rejections at 95, 70 and 60 %.  [default: 1 .8 .6]", type=float, nargs=3)
@click.option("--discrete", is_flag=True, help="Also rate every system by -1, 0 and 1, as NAME:discrete.")
@OWN_TABLE
@scoring(out="rating", holds="Folder of scores and tables.", ranges="Range of hf: regression models and functions.")
def rate(
    specs: tuple[str, ...],
    config: str | None,
    language: str | None,
    discrete: bool,
    table: OwnTable,
    scoring: Scoring,
    sets: Asked,
    **how: Any,
) -> None:
    """Rate systems as Lakkaraju, Srivastava & Valtorta (2022) do: 1 is the best, the number of levels the worst.

    Makes the paper's sixteen data sets from the persons of a corpus, scores them, and prints the paper's tables: which
    differences between groups are rejected, how far confounding moves the scores, the order of the systems and their
    ratings. One system is rated by itself (1, or the worst level); several are rated against each other.

    A SYSTEM has one of the forms of eec audit; all scores are moved to the range -1 to 1. With :discrete behind it
    (vader:discrete) they are then -1, 0 or 1, for below, at and above 0; --discrete rates every system both ways.
    biased:GROUP is the paper's biased system. Without --system: textblob, textblob:discrete (English only), random:0,
    random:0:discrete and biased:female.

    With --data the groups of your own table are compared, in which they may go with other words than others do:
    means and differences as they are, and adjusted for what --given names (word, topic, …; the adjustment of the
    paper), with intervals. A group that lacks a value of these is named, as nothing can be said of it there. OUT
    gets deconfounded.txt, deconfounded.json, differences.csv and overlap.csv.

    The procedure does not hold its level. Its tables say how often it errs, and show the default test beside it.
    OUT gets rating.txt, rating.json, terms.csv, sentences.csv, every table as CSV and LaTeX in OUT/tables, and the
    causal diagrams of each system in OUT/causal.

    \b
    Examples:
      eec rate
      eec rate --system biased:female --weights 1 .7 .6
      eec rate --system mymodel:score --system random:1 --language es --neutral neutral-epicene
      eec rate --system vader --system vader:discrete
      eec rate --system vader --share 'Black female=90' --share 'white male=10'
      eec rate --data reviews.csv --group gender --given topic --unit author
    """
    if table.data is not None:
        compare(table, scoring)
        return
    refuse_unused(specs or DEFAULT_SYSTEMS, scoring, ("biased",))
    weights = how["weights"]
    if weights and min(weights) < 0:
        raise click.UsageError(f"--weights {' '.join(f'{w:g}' for w in weights)}: expected three numbers from 0.")
    rate_sets(specs, find_config(config, language), discrete, scoring, sets, how)


def find_config(config: str | None, language: str | None) -> str:
    """Return the config that was asked for: by name, else the first of a language, that of a paper where there is one.

    Raises
    ------
    UnknownConfig
        The language has none.
    """
    from eec_datasets.corpora import usable
    from eec_datasets.systems.corpus import PAPER_CONFIGS

    if not language:
        return config or DEFAULT_CONFIG
    names = [each.name for each in usable((language,))[0]]
    if not names:
        raise UnknownConfig(f"the language '{language}' has no config yet. Write one into its locale.toml")
    return next((each for each in PAPER_CONFIGS if each in names), names[0])


def rate_sets(
    specs: Sequence[str], config: str, discrete: bool, scoring: Scoring, sets: Asked, how: Mapping[str, Any]
) -> None:
    """Make the paper's data sets, score them, print the tables of the rating, and write them to ``--out``."""
    from eec_bias.reading import discretised
    from eec_datasets.corpora import find
    from eec_datasets.design import confounded
    from eec_datasets.files import check, write_all
    from eec_datasets.systems.corpus import corpus_of
    from eec_datasets.systems.scoring import check_distinct
    from eec_datasets.systems.store import Store

    check([scoring.out / name for name in FILES], overwrite=scoring.overwrite)
    rows, source = confounded(config, **sets), find(config)
    about = (source.version, source.language, source.about, source.review)
    corpus = corpus_of(rows.data.table, f"{config}-confounded", *about, axes=("gender", "race"))
    asked = read_specs(specs or DEFAULT_SYSTEMS, discrete=discrete)
    opened = {spec: open_one(spec, scoring) for spec in asked}
    if not specs:
        # Of the default ones those that know the language.
        opened = {spec: system for spec, system in opened.items() if system.knows(corpus.language)}
    systems = list(opened.values())
    for system in systems:
        warn_of_language(system, corpus)
    check_distinct(systems, scoring.out)
    check([_scores_file(system, corpus, scoring) for system in systems], overwrite=scoring.overwrite)
    say(f"{rows.info.description} {len(rows):,} sentences, {corpus.review}.\n")
    scores: dict[str, Any] = {}
    written: dict[Path, str | bytes] = {}
    with Store() as store:
        if not costs.ask_consent([(system, [corpus]) for system in systems], scoring, store):
            return
        for spec, system in opened.items():
            own, text = _score(system, corpus, scoring, store)
            written[_scores_file(system, corpus, scoring)] = text
            if asked[spec].as_is:
                scores[system.name] = own
            if asked[spec].discrete:
                scores[f"{system.name}{SUFFIX}"] = discretised(own, SCALE)
    # Where all were moved to the scale from a declared one, it is no question whether the scale is theirs.
    moved = all(system.score_range != SCALE for system in systems)
    result = _measured(scores, moved, corpus, how)
    written |= {scoring.out / name: text for name, text in _texts(result, corpus).items()}
    written |= {scoring.out / name: text for name, text in _diagrams(result, list(scores)).items()}
    write_all(written, overwrite=scoring.overwrite)
    say("\n\n".join(result.tables().values()) + "\n")
    for note in result.notes:
        say(f"Note: {note}")
    say(f"\nWritten: {', '.join(str(scoring.out / name) for name in FILES)}")


def open_one(spec: str, scoring: Scoring) -> System:
    """Open a system; what is declared for others is not meant for the paper's biased one, which gives 1 and -1."""
    from eec_datasets.systems.registry import open_system

    options = scoring.options
    if spec.startswith("biased:"):
        options = replace(options, score_range=SCALE)
    return open_system(spec, options)


def _measured(scores: dict[str, Any], moved: bool, corpus: Corpus, how: Mapping[str, Any]) -> Result:
    """Rate the systems by their scores."""
    import numpy as np

    from eec_bias.reading import Scores, Systems
    from eec_datasets.audit import running

    measured: Any = scores
    if moved:
        measured = Scores(np.array([*scores.values()]), Systems((*scores,)), SCALE)
    return running.measure(", ".join(scores), corpus, measured, SCALE, method="rating", **how)


def _texts(result: Result, corpus: Corpus) -> dict[str, str]:
    """Return the files of a rating but for the scores, by their paths within the folder."""
    from eec_bias import report
    from eec_datasets.audit import saving
    from eec_datasets.text_file import guarded_csv

    numbers = json.dumps(result.to_dict(details=True), ensure_ascii=False, indent=1, allow_nan=False)
    texts = (f"{report(result)}\n", numbers, saving.to_csv(list(result.terms)), saving.to_csv(corpus.table.to_pylist()))
    contents = dict(zip(FILES, texts, strict=True))
    for name, text in result.tables("csv").items():
        contents[f"tables/{name.replace(' ', '-')}.csv"] = guarded_csv(text)
    for name, text in result.tables("latex").items():
        contents[f"tables/{name.replace(' ', '-')}.tex"] = text
    return contents


def _diagrams(result: Result, systems: Sequence[str]) -> dict[str, bytes]:
    """Return the causal diagrams of every system by their path; none, and a word, where matplotlib is missing."""
    from eec_bias.reading import to_file

    if importlib.util.find_spec("matplotlib") is None:
        say("Without causal diagrams, which need matplotlib: pip install 'eec-datasets[plot]'\n", err=True)
        return {}
    drawn = {}
    for number, system in enumerate(systems, start=1):
        figure = result.plot("causal", theme="page", system=system)
        drawn[f"causal/{number}-{UNSAFE.sub('-', system)}.svg"] = to_file(figure, "svg")
    return drawn


@dataclass(frozen=True, slots=True)
class Forms:
    """Which scores of a system are rated: as they are, and as -1, 0 and 1."""

    as_is: bool = False
    discrete: bool = False


def read_specs(specs: Sequence[str], *, discrete: bool) -> dict[str, Forms]:
    """Return the systems to score, and which forms of their scores are rated.

    Parameters
    ----------
    specs
        As typed. ``vader:discrete`` is the discrete form of ``vader``; a system that has such a form itself
        (``textblob:discrete``, ``random:0:discrete``) is scored in it.
    discrete
        Whether every system is also rated in its discrete form.
    """
    found: dict[str, Forms] = {}
    for spec in dict.fromkeys(specs):
        base = spec.removesuffix(SUFFIX)
        if spec == base:
            found[spec] = replace(found.get(spec, Forms()), as_is=True)
        elif base.partition(":")[0] in OWN_DISCRETE:
            found[spec] = Forms(as_is=True)
        else:
            found[base] = replace(found.get(base, Forms()), discrete=True)
    if discrete:
        for spec, forms in found.items():
            own = f"{spec}{SUFFIX}"
            if not spec.endswith(SUFFIX) and own not in found:
                found[spec] = replace(forms, discrete=True)
    return found


def _scores_file(system: System, corpus: Corpus, scoring: Scoring) -> Path:
    from eec_datasets.systems.scoring import score_path

    # The name of the file carries the content: another case or seed draws other sentences.
    return score_path(scoring.out, system.name, str(corpus.label).replace("@", "-").replace("#", "-"))


def _score(system: System, corpus: Corpus, scoring: Scoring, store: Store) -> tuple[list[float], str]:
    """Return the scores of a system on the scale of the rating, and the file of its own."""
    from eec_datasets.audit.running import score_text
    from eec_datasets.systems.scoring import score_corpus, size

    with progress(system.name, size(system, corpus)) as bar:
        scored = score_corpus(system, corpus, store, bar, fresh=scoring.fresh)
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
