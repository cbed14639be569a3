"""What a measurement record holds, made from saved results: findings, and the rows of numbers behind them."""

from __future__ import annotations

import json
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from eec_bias.reading import (
    MEAN,
    RATES,
    UNCONTROLLED,
    Judged,
    as_row,
    caveat,
    compares,
    part_of,
    place_of,
    say_equivalence,
    say_rates,
    say_verdict,
    sentence,
    units,
)
from eec_datasets.audit.report.answers import SystemAnswers, gather_answers
from eec_datasets.audit.report.document import Document, Entry, Unit, corpus_key
from eec_datasets.audit.report.document import units as units_of
from eec_datasets.audit.report.finding_words import FindingWords
from eec_datasets.audit.report.language import load_translator
from eec_datasets.audit.report.sentences import SIDES
from eec_datasets.audit.report.validation import BadResult
from eec_datasets.audit.report.warnings import changes
from eec_datasets.audit.running import UNANSWERED
from eec_datasets.checks.axes import FILE as AXES_FILE
from eec_datasets.locale.reading import locales_folder

Row = dict[str, Any]

SCHEMA_FILE: Final = Path(__file__).with_name("schema.json")
FORMAT: Final = "eec measurement record 2"

WITHIN: Final = ("stratum", "output")
COMPARED: Final = (*WITHIN, "term", "level", "reference", "subset")
NUMBERS: Final = {
    "effect": "effect", "ci_low": "ci_low", "ci_high": "ci_high", "p": "p", "p_adjusted": "p_adjusted",
    "mde": "smallest_detectable", "n_persons": "persons", "n_items": "items", "n_sentences": "sentences",
}  # fmt: skip
"""Columns of a row of terms, and what the record calls them."""

EQUIVALENCE: Final = ("margin", "p_equivalence", "ci90_low", "ci90_high")

SAID: Final = tomllib.loads(Path(__file__).with_name("limits.toml").read_text(encoding="utf-8"))
"""What the numbers do not say, by what it is about."""


def schema() -> Row:
    """Return the JSON Schema (2020-12) of `content`."""
    schema: Row = json.loads(SCHEMA_FILE.read_text(encoding="utf-8"))
    return schema


def content(document: Document, *, margin_reason: str | None = None, reviewers: Sequence[str] = ()) -> Row:
    """Return the record of saved results, as its JSON holds it; see `schema`.

    Parameters
    ----------
    document
        What `eec_datasets.audit.report.document.read` gives.
    margin_reason
        Why the margin of the results is what it is.
    reviewers
        Who reviewed the measurement.

    Raises
    ------
    BadResult
        There is a reason for a margin, and no result has one.
    """
    measured = list(units_of(document.entries))
    if margin_reason and not any(unit.others("equivalence") for unit in measured):
        raise BadResult(
            f"the margin has the reason {margin_reason!r}, and no result has a margin. Measure with a margin, or leave "
            "the reason out."
        )
    corpora = {corpus_key(corpus): corpus for corpus in document.corpora}
    changed = changes(load_translator(), document)
    return {
        "format": FORMAT,
        "made": dict(document.versions),
        "command": document.command,
        "reviewers": list(reviewers),
        "systems": [_system(each) for each in gather_answers(measured)],
        "measurements": [
            _measurement(unit, corpora.get((unit.entry.config, unit.entry.part), {}), margin_reason, changed)
            for unit in measured
        ],
    }


def _system(answers: SystemAnswers) -> Row:
    """What is said of a system in a language: its plan, what is said first, and its findings."""
    words = FindingWords(load_translator(), answers)
    plan, first = answers.plan, answers.headline
    return {
        "name": answers.system,
        "task": answers.task or None,
        "language": answers.language or None,
        "high_means": answers.high_means or None,
        "range_known": answers.range_known,
        "plan": plan.to_dict() if plan else None,
        "headline": words.headline,
        "sure": (words.sure(first) if first else "") or None,
        "findings": [as_row(finding, answers.margin, systems=answers.systems_compared) for finding in answers.findings],
    }


def _measurement(unit: Unit, about: Mapping[str, Any], reason: str | None, changed: Sequence[str]) -> Row:
    entry, result = unit.entry, unit.entry.result
    margins = [row["margin"] for row in unit.others("equivalence")]
    compared = [] if result.method == "rating" else [each for each in unit.rows if compares(each.row)]
    data = entry.data or part_of(result.signature, "data") or ""
    name, _, version = data.partition("#")[0].partition("@")
    return {
        "has_plan": result.plan is not None,
        "system": {
            "name": unit.system,
            "task": unit.task or None,
            "version": entry.fingerprint or None,
            "models": list(entry.models),
            "score_range": list(result.score_range),
            "prompts": [dict(prompt) for prompt in entry.prompts],
            "unanswered": dict(entry.unanswered),
        },
        "corpus": {
            "name": entry.config or name.strip("?") or None,
            "version": version or None,
            "data": data.strip("?") or None,
            "language": entry.language or None,
            "about": about.get("about"),
            "part": entry.part or None,
            "review": entry.review or None,
        },
        "groups": _groups(unit),
        "margin": {"value": margins[0], "reason": reason} if margins else None,
        "results": [_result(entry, judged) for judged in compared],
        "equivalence": [_row(row, EQUIVALENCE, say_equivalence(result, row)) for row in unit.others("equivalence")],
        "rates": [_row(row, RATES, say_rates(result, row)) for row in unit.others("rates")],
        "confidence": result.confidence,
        "notes": list(map(str, result.notes)),
        "limits": [*changed, *_limits(unit, margin=bool(margins), reason=reason)],
        "signature": str(result.signature),
    }


def _groups(unit: Unit) -> Row:
    """Levels measured with their persons, and levels that our corpora know and this measurement lacks."""
    result = unit.entry.result
    # Axis, level, subset → the persons by where they were measured.
    covered: dict[tuple[str, str, str], Counter[tuple[Any, ...]]] = defaultdict(Counter)
    for row in unit.others("cells"):
        for axis in [axis for axis in result.axes if row.get(axis) is not None]:
            within = tuple(row.get(key) for key in WITHIN)
            covered[axis, str(row[axis]), row["subset"]][within] += row["n_persons"]
    persons: dict[tuple[str, str, str], int | None] = {group: max(counts.values()) for group, counts in covered.items()}
    # Procedures of papers have no cells; their rows name the groups, and not how many persons are in each.
    of_axis = [each.row for each in unit.rows if compares(each.row) and each.row["axes"] in result.axes]
    for row in () if persons else of_axis:
        persons |= dict.fromkeys((row["axes"], row[side], row["subset"]) for side in SIDES if row[side] != MEAN)
    axes = tomllib.loads((locales_folder() / AXES_FILE).read_text(encoding="utf-8"))
    seen = {(axis, level) for axis, level, _ in persons}
    lacking = {axis: [level for level in facts["levels"] if (axis, level) not in seen] for axis, facts in axes.items()}
    return {
        "covered": [
            {"axis": axis, "level": level, "subset": subset, "persons": number}
            for (axis, level, subset), number in persons.items()
        ],
        "not_covered": [{"axis": axis, "levels": levels} for axis, levels in lacking.items() if levels],
    }


def _result(entry: Entry, judged: Judged) -> Row:
    """One row: numbers, and of a published procedure, which has no findings, what it says."""
    row, verdict = judged.row, judged.verdict
    numbers = {name: row[key] for key, name in NUMBERS.items()}
    if entry.result.plan is not None:
        return {key: row.get(key) for key in COMPARED} | numbers | {"verdict": None, "reading": None, "says": None}
    says = sentence(entry.result, dict(row), verdict)
    return _row(row, (), says, **numbers, verdict=verdict.kind, reading=say_verdict(row, verdict))


def _row(row: Mapping[str, Any], keys: Sequence[str], says: str, **more: Any) -> Row:
    place = place_of({key: row.get(key) for key in WITHIN})
    return {key: row.get(key) for key in (*COMPARED, *keys)} | more | {"says": f"{place}: {says}" if place else says}


def _limits(unit: Unit, *, margin: bool, reason: str | None) -> Iterator[str]:
    """What the numbers do not say."""
    result, review = unit.entry.result, unit.entry.review
    yield caveat(result)
    yield SAID["shares"] if unit.system.endswith(UNANSWERED) else f"{units(result)}."
    about = {
        "templates": bool(review),
        "uncontrolled": result.method in UNCONTROLLED,
        "no_margin": not margin,
        "no_reason": margin and not reason,
        "rates_only": bool(unit.others("rates")),
        "no_assessment": True,
    }
    yield from (SAID[key].format(review=review, method=result.method) for key, holds in about.items() if holds)
