"""What is saved of results."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from statistics import fmean
from typing import Any, Final

from eec_bias.reading import Record
from eec_bias.shared import grouped
from eec_datasets import __version__
from eec_datasets.audit.covariates import corpus_covariates
from eec_datasets.audit.minimal_pairs import farthest_pairs
from eec_datasets.audit.running import Outcome
from eec_datasets.audit.typical import typical_pairs
from eec_datasets.names.covariates import Tokens
from eec_datasets.report.measured import Failure
from eec_datasets.systems.corpus import Corpus, sample
from eec_datasets.text_file import guarded_csv

Row = dict[str, Any]


def to_csv(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return rows as CSV, empty where a value is None; see `guarded` for what a spreadsheet would run."""
    import pandas as pd

    written = [{key: _in_a_cell(value) for key, value in row.items()} for row in rows]
    return guarded_csv(pd.DataFrame(written, dtype=object).to_csv(index=False, lineterminator="\n"))


def _in_a_cell(value: Any) -> Any:
    """Write a list of words with both their forms as one text: ``angry (enojada, enojado)``."""
    if not isinstance(value, list | tuple):
        return value
    return "; ".join(f"{word} ({', '.join(forms)})" for word, *forms in value)


FORMAT: Final = 4
"""Of the file of an audit. In the first, results had no form of their own; in the second, names were called far by
another rule; in the third, no plan was saved."""


SEAL: Final = "checksum"
"""Key of the checksum of all else that a file holds."""


def sealed(content: Row) -> Row:
    """Return content with its checksum, by which a file tells whether it is as it was written."""
    return {**content, SEAL: checksum(content)}


def checksum(content: Row) -> str:
    """Return the SHA-256 of content without its checksum, whatever its layout and the order of its keys."""
    rest = {key: value for key, value in content.items() if key != SEAL}
    text = json.dumps(rest, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def entry(outcome: Outcome, names: Row | None) -> Row:
    """Return what is saved of one system on one corpus: where it comes from, and ``Result.to_dict(details=True)``.

    A report is made from nothing else, so it can be made again from the file.

    Parameters
    ----------
    outcome
        What was measured.
    names
        What the names of the corpus carry beside their group, see `corpus_covariates`.
    """
    return {
        "system": outcome.system,
        "fingerprint": outcome.fingerprint,
        "config": outcome.corpus.name,
        **{key: getattr(outcome.corpus, key) for key in ("language", "data", "review", "part")},
        **outcome.prompting,
        "standouts": [asdict(standout) for standout in outcome.standouts],
        "moved": [asdict(pair) for pair in farthest_pairs(outcome.corpus, outcome.scores, outcome.score_range)],
        "typical": [asdict(pair) for pair in typical_pairs(outcome.corpus, outcome.scores, outcome.result.overall)],
        "emotion_means": emotion_means(outcome.corpus, outcome.scores),
        "names": names,
        "attested_of": outcome.corpus.attested_of or None,
        "checksums": dict(outcome.checksums),
        # What is said of the system is said over all its lists, and stands beside the results.
        "clear": outcome.clear and Record.to_dict(outcome.clear),
        "result": Record.to_dict(outcome.result, details=True),
    }


def emotion_means(corpus: Corpus, scores: Sequence[float]) -> dict[str, float]:
    """Return the mean score of the sentences of each emotion, for a human scale of differences."""
    pairs = zip(corpus.columns["emotion"], scores, strict=True)
    known = ((emotion, score) for emotion, score in pairs if not math.isnan(score))
    return {emotion: fmean(found) for emotion, found in grouped(known).items()}


def distinct_sentences(outcomes: Sequence[Outcome]) -> dict[str, dict[str, int]]:
    """Return how many different sentences each system scored, by system and language."""
    texts: dict[tuple[str, str], set[str]] = {}
    for outcome in outcomes:
        place = outcome.system, outcome.corpus.language
        texts.setdefault(place, set()).update(outcome.corpus.columns["text"])
    counted: dict[str, dict[str, int]] = {}
    for (system, language), distinct in texts.items():
        counted.setdefault(system, {})[language] = len(distinct)
    return counted


def content(
    outcomes: Sequence[Outcome],
    corpora: Sequence[Corpus] | None = None,
    command: str = "",
    tokens: Tokens | None = None,
    findings: Sequence[Row] = (),
    failures: Sequence[Failure] = (),
) -> Row:
    """Return everything measured, as it is saved in ``result.json``.

    Parameters
    ----------
    outcomes
        What was measured.
    corpora
        Those whose sentences are shown; by default those of the outcomes.
    command
        The command that measures the same again.
    tokens
        A tokeniser of the user's, by which the tokens of names are counted too.
    findings
        What is said of the systems, see `eec_datasets.audit.report.answers.findings_of`.
    failures
        Systems that could not be scored or measured.
    """
    measured = {outcome.corpus.name: outcome.corpus for outcome in outcomes}
    names = {name: corpus_covariates(corpus, tokens) for name, corpus in measured.items()}
    results = [entry(outcome, names[outcome.corpus.name]) for outcome in outcomes]
    shown = [examples(corpus) for corpus in corpora or measured.values()]
    return audit(results, shown, command, distinct_sentences(outcomes), findings, failures)


def audit(
    results: Sequence[Row],
    corpora: Sequence[Mapping[str, Any]],
    command: str = "",
    distinct: Mapping[str, Mapping[str, int]] | None = None,
    findings: Sequence[Row] = (),
    failures: Sequence[Failure] = (),
) -> Row:
    """Return entries and corpora as they are saved, with what made them."""
    import numpy
    import scipy

    import eec_bias

    made = {"eec-datasets": __version__} | {each.__name__: each.__version__ for each in (eec_bias, numpy, scipy)}
    date = datetime.now(UTC).date().isoformat()
    saved = {"format": FORMAT, "made": made, "date": date, "command": command}
    if distinct:
        saved["distinct"] = {system: dict(counts) for system, counts in distinct.items()}
    if findings:
        saved["findings"] = list(findings)
    if failures:
        saved["failures"] = [{"system": each.system, "lists": list(each.lists), "why": each.why} for each in failures]
    return sealed({**saved, "corpora": list(corpora), "results": list(results)})


def examples(corpus: Corpus) -> Row:
    """Return a corpus in brief, with some of its sentences."""
    return {
        **{key: getattr(corpus, key) for key in ("name", "language", "review", "part")},
        "about": f"{corpus.about} Of it, {corpus.part}." if corpus.part else corpus.about,
        "rows": len(corpus.ids),
        "sentences": [
            [{"text": row["text"], "labels": {axis: row[axis] for axis in corpus.groups}} for row in rows]
            for rows in sample(corpus)
        ],
    }


def to_json(value: Any, depth: int = 5) -> str:
    """Return `content`, or one result, as JSON: one row per line."""
    if depth == 0 or not isinstance(value, dict | list) or not value:
        return json.dumps(value, ensure_ascii=False, allow_nan=False)
    if isinstance(value, list):
        parts, (start, end) = [to_json(each, depth - 1) for each in value], "[]"
    else:
        keys = [json.dumps(key, ensure_ascii=False) for key in value]
        parts, (start, end) = (
            [f"{k}: {to_json(each, depth - 1)}" for k, each in zip(keys, value.values(), strict=True)],
            "{}",
        )
    return f"{start}\n" + ",\n".join(parts) + f"\n{end}"
