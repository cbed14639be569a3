"""What commands print of systems: the finding first, about twenty lines each, fitted to the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from eec_bias.shared import fitted, wrapped
from eec_datasets.audit.report.answers import FindingWords, SystemAnswers, gather_answers
from eec_datasets.audit.report.document import Unit
from eec_datasets.audit.report.language import load_translator

MOST, MOST_OF_NOTHING = 7, 3
"""So many comparisons are printed at most where a difference is found, and where none is; those that must be said are
printed in any case."""

SYSTEMS = 20
"""Of so many systems at most the findings are printed."""


def compact(units: Iterable[Unit], columns: int) -> str:
    """Lay out what is found of each system and language, in English, in lines of so many columns."""
    gathered = gather_answers(units)
    blocks = ["\n".join(_lines(each, columns)) for each in gathered[:SYSTEMS]]
    if len(gathered) > SYSTEMS:
        blocks.append(f"and {len(gathered) - SYSTEMS} other systems; the report has them.")
    return "\n\n".join(blocks)


def key(units: Iterable[Unit], columns: int) -> str:
    """Say once what the columns of the tables mean; empty where there is none."""
    gathered = [each for each in gather_answers(units) if each.findings and not each.reacts_to_nothing]
    if not gathered:
        return ""
    level = load_translator().percent(gathered[0].plan.confidence if gathered[0].plan else 0.95)
    text = (
        f"Points: hundredths of the range of the scores. Between: where the true gap plausibly lies; those of a "
        f"system in a language hold together ({level}). Seen from: a gap this large would probably have been found. "
        "By name: people mentioned by a first name; by words: by words such as “she” or “my mother”. The report and "
        "terms.csv have every comparison."
    )
    return wrapped(text, columns)


def _lines(answers: SystemAnswers, columns: int) -> Iterator[str]:
    translator = load_translator()
    words = FindingWords(translator, answers)
    language = translator.language(answers.language) if answers.language else ""
    yield " · ".join(part for part in (words.title, language) if part)
    yield wrapped(words.headline, columns, "  ")
    first = answers.headline
    if first is None:
        return
    if answers.reacts_to_nothing:
        if far := words.standouts():
            yield wrapped(far, columns, "  ")
        return
    if how_sure := words.sure(first):
        yield wrapped(how_sure, columns, "  ")
    if not answers.is_about_answers:
        low, high = map(translator.short, answers.score_range)
        scale = f"Scores {low} to {high}"
        if not answers.range_known:
            scale = f"No range was declared; scores lie between {low} and {high}, which are the 100 points"
        means = f"high means {answers.high_means}"
        if not answers.high_means:
            means = "nobody said what a high score means (--high-means WORD)"
        yield wrapped(f"{scale}; {means}.", columns, "  ")
    lines, others = words.told(MOST if first.found else MOST_OF_NOTHING)
    rows = [(line.name, line.gap, line.between, line.seen_from, line.verdict) for line in lines]
    yield ""
    yield fitted(("points out of 100", "gap", "between", "seen from", "answer"), rows, (1, 2, 3), columns)
    if others:
        yield words.counted(others)
    if far := words.standouts():
        yield wrapped(far, columns)
