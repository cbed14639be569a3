"""``eec audit --method rating``: systems scored and rated on the data sets of Lakkaraju et al. (2022)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from eec_datasets.cli import costs
from eec_datasets.cli.failures import Failures
from eec_datasets.cli.metric_options import Procedure
from eec_datasets.cli.output import progress, say, warn_of_language
from eec_datasets.cli.scoring import Scoring
from eec_datasets.errors import EecError, InputError, SystemFailed

if TYPE_CHECKING:
    from eec_bias import Result
    from eec_datasets.systems.base import Range, System
    from eec_datasets.systems.corpus import Corpus
    from eec_datasets.systems.store import Store

SCALE: Final[Range] = (-1.0, 1.0)
"""All scores are moved to this range, as in the paper, since DIE % depends on where a scale has its 0."""


def rate(
    systems: Sequence[System],
    names: Sequence[str],
    procedure: Procedure,
    scoring: Scoring,
    language: str,
    failures: Failures,
) -> None:
    """Score the data sets of each config, rate the systems against each other, print the tables, and write OUT.

    A system that fails, or gives a sentence no score, is not rated on that config.
    """
    from eec_bias.shared import check_folder, write_folder
    from eec_datasets.cli.command import typed_again
    from eec_datasets.systems.corpus import open_confounded
    from eec_datasets.systems.scoring import score_path
    from eec_datasets.systems.store import Store

    corpora = [open_confounded(name) for name in names]
    plan = [(system, [corpus for corpus in corpora if system.knows(corpus.language)]) for system in systems]
    for system, chosen in plan:
        for corpus in chosen:
            warn_of_language(system, corpus)
    check_folder(scoring.out, "audit", overwrite=scoring.overwrite)
    files: dict[str, str] = {}
    results: list[tuple[str, Corpus, Result]] = []
    with Store() as store:
        if not costs.ask_consent(plan, scoring, store):
            return
        for corpus in corpora:
            scores: dict[str, Sequence[float]] = {}
            for system, chosen in plan:
                if corpus in chosen:
                    try:
                        measured, text = _score(system, corpus, scoring, store)
                    except EecError as error:
                        failures.add(system.name, [corpus.name], error)
                        continue
                    path = score_path(scoring.out, system.name, corpus.name)
                    scores[system.name], files[path.relative_to(scoring.out).as_posix()] = measured, text
            if scores:
                results.append((", ".join(scores), corpus, _rated(scores, corpus, procedure)))
    if not results:
        failures.refuse_nothing()
    for _, corpus, result in results:
        say(f"{corpus.about} {len(corpus.ids):,} sentences, {corpus.review}.\n")
        say("\n\n".join(result.tables().values()) + "\n")
        for note in result.notes:
            say(f"Note: {note}")
    texts = _texts(results, typed_again(), language, failures)
    contents = {name: text.encode() for name, text in (files | texts).items()}
    write_folder(scoring.out, contents, "audit", overwrite=scoring.overwrite)
    say(f"\nWritten: {', '.join(str(scoring.out / name) for name in texts)}; scores in {scoring.out / 'scores'}")


def _score(system: System, corpus: Corpus, scoring: Scoring, store: Store) -> tuple[Sequence[float], str]:
    """Return the scores of a system on the scale of the rating, and the text of its file."""
    from eec_datasets.audit.running import score_text
    from eec_datasets.systems.scoring import score_corpus, size

    with progress(f"{system.name} on {corpus.name}", size(system, corpus)) as bar:
        scored = score_corpus(system, corpus, store, bar, fresh=scoring.fresh)
    if gaps := sum(map(math.isnan, scored.scores)):
        raise SystemFailed(
            f"{system.name}: {gaps:,} of {len(scored.scores):,} sentences have no score, and a rating needs them all. "
            "Measure this system with the default test, which estimates from the others"
        )
    low, high = system.score_range
    text = score_text(system, corpus, scored)
    if (low, high) == SCALE:
        return scored.scores, text
    return [min(max(2 * (score - low) / (high - low) - 1, -1.0), 1.0) for score in scored.scores], text


def _rated(scores: Mapping[str, Sequence[float]], corpus: Corpus, procedure: Mapping[str, Any]) -> Result:
    """Rate the systems by their scores."""
    import numpy as np

    from eec_bias.reading import Scores, Systems
    from eec_datasets.audit import running

    # The scale is declared, so nothing is said of scores that fill a part of it.
    measured = Scores(np.array([*scores.values()]), Systems((*scores,)), SCALE)
    return running.measure(", ".join(scores), corpus, measured, SCALE, **procedure)


def _texts(
    results: Sequence[tuple[str, Corpus, Result]], command: str, language: str, failures: Failures
) -> dict[str, str]:
    """Return the files of a rating but for the scores, by name; the pages only if a language is asked for."""
    from eec_bias.measurement import Measurement, Origin, to_document
    from eec_datasets.audit import pages
    from eec_datasets.audit.rows import rows_of
    from eec_datasets.audit.saving import to_csv, to_json

    measurements = [
        Measurement("scores", corpus.name, corpus.language, names, result, Origin(command=command))
        for names, corpus, result in results
    ]
    latex = [
        f"% {corpus.name}, {name}\n{text}"
        for _, corpus, result in results
        for name, text in result.tables("latex").items()
    ]
    texts = {
        "result.json": to_json(to_document(measurements, failures.found)),
        "terms.csv": to_csv(rows_of(measurements)),
        "tables.tex": "\n".join(["% These tables need \\usepackage{booktabs}.\n", *latex]),
    }
    if language:
        page = pages.page_of(measurements, language, failures.found)
        texts |= {f"report.{form}": render(page) for form, render in pages.FORMS.items()}
    return texts


def configs_to_rate(names: Sequence[str], languages: Sequence[str]) -> Sequence[str]:
    """Return the configs that were named, else one of each language, of a paper if there is one; English by default.

    Raises
    ------
    InputError
        A language has no config.
    """
    from eec_datasets.corpora import usable
    from eec_datasets.systems.corpus import PAPER_CONFIGS

    if names:
        return list(dict.fromkeys(names))
    chosen = []
    for language in dict.fromkeys(languages or ("en",)):
        known = [config.name for config in usable((language,))[0]]
        if not known:
            raise InputError(f"the language '{language}' has no config yet. Write one into its locale.toml")
        chosen.append(next((name for name in PAPER_CONFIGS if name in known), known[0]))
    return chosen
