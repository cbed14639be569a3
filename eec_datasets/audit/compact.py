"""What commands print of systems: the finding first, about twenty lines each, fitted to the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from eec_bias.reading import ROOM, tell, without_room
from eec_bias.shared import fitted, wrapped
from eec_datasets.audit.report.answers import SystemAnswers, gather_answers
from eec_datasets.audit.report.document import Unit
from eec_datasets.audit.report.finding_words import FindingWords
from eec_datasets.audit.report.language import END, ISOLATE, LEFT_TO_RIGHT, RIGHT_TO_LEFT, load_translator

MOST, MOST_OF_NOTHING = 7, 3
"""So many comparisons are printed at most where a difference is found, and where none is; those that must be said are
printed in any case."""

APART = 8
"""So many systems and languages at most have a table of their own; of more, what is said first of each is one line."""

SYSTEMS = 20
"""So many lines that table has at most; the other systems are counted."""

HEADS = ("points out of 100", "gap", "between", "found from", "answer")
"""Of the tables."""


MARKS: Final = dict.fromkeys(map(ord, (ISOLATE, LEFT_TO_RIGHT, RIGHT_TO_LEFT, END)))
"""Marks of direction, which a terminal prints as codes: none is left in a line."""


def compact(units: Iterable[Unit], columns: int) -> str:
    """Lay out what is found of each system and language, in English, in lines of so many columns."""
    gathered = gather_answers(units)
    if len(gathered) > APART:
        return "\n".join(_lines_of_many(gathered, columns))
    return "\n\n".join("\n".join(_lines(each, columns)) for each in gathered)


def key(units: Iterable[Unit], columns: int) -> str:
    """Say once what the columns of the tables mean; empty where there is none."""
    gathered = [each for each in gather_answers(units) if each.findings and not each.reacts_to_nothing]
    if not gathered:
        return ""
    plan = gathered[0].plan
    share = load_translator().short(100 * (plan.confidence if plan else 0.95))
    text = (
        "Points: hundredths of the range of the scores. Between: where the true gap may lie; a gap can be not found "
        f"where that is wide, and a smaller one found where it is narrow. In about {share} of 100 such audits (with "
        "other names and sentences of the same kind) all ranges of a system in a language hold their true gaps. Found "
        "from: a true gap that large is found in about 80 of 100. By name: people mentioned by a first name; by words: "
        "without a name, such as “she” or “my mother”. The report and terms.csv have every comparison."
    )
    return wrapped(text, columns)


def _title(words: FindingWords) -> str:
    """Return the system, its task and the language of the sentences."""
    tag = words.answers.language
    return " · ".join(filter(None, [words.title, words.translator.language(tag) if tag else ""]))


def _lines_of_many(gathered: Sequence[SystemAnswers], columns: int) -> Iterator[str]:
    """Lay out what is said first of each of many systems, the plainest differences first."""
    found = sum(each.headline is not None and each.headline.found for each in gathered)
    if len({(each.system, each.task) for each in gathered}) == len(gathered):
        things = "systems"
    elif len({each.language for each in gathered}) == len(gathered):
        things = "languages"
    else:
        things = "systems, counted in each language"
    yield wrapped(f"A difference was found in {found} of {len(gathered)} {things}.", columns)
    first = FindingWords(load_translator(), gathered[0])
    if all(_meaning_of(each) == _meaning_of(gathered[0]) for each in gathered):
        yield wrapped(first.scale_in_short(), columns)
    yield ""
    rows = []
    for each in gathered[:SYSTEMS]:
        words = FindingWords(load_translator(), each)
        if each.headline is None:
            rows.append((_title(words), "", "", "", "no finding"))
            continue
        line = words.line(each.headline)
        rows.append((f"{_title(words)}: {line.name}", line.gap, line.between, line.found_from, line.verdict))
    yield fitted(HEADS, rows, (1, 2, 3), columns)
    if len(gathered) > SYSTEMS:
        yield wrapped(f"and {len(gathered) - SYSTEMS} others. A report (--out FOLDER) has all of them.", columns)


def _meaning_of(answers: SystemAnswers) -> tuple[object, ...]:
    return answers.score_range, answers.range_known, answers.high_means, answers.is_about_answers


def _lines(answers: SystemAnswers, columns: int) -> Iterator[str]:
    translator = load_translator()
    words = FindingWords(translator, answers)
    yield _title(words)
    yield wrapped(words.headline, columns, "  ")
    first = answers.headline
    if first is None:
        return
    if answers.reacts_to_nothing:
        if far := words.standouts():
            yield wrapped(far.translate(MARKS), columns, "  ")
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
    told = tell(answers.findings, MOST if first.found else MOST_OF_NOTHING, ROOM)
    lines = [words.line(finding) for finding in told.said]
    rows = [(line.name, line.gap, line.between, line.found_from, line.verdict) for line in lines]
    yield ""
    yield fitted(HEADS, rows, (1, 2, 3), columns)
    yield from (wrapped(line, columns) for line in without_room(told))
    if told.counted:
        yield words.counted(len(told.counted))
    if far := words.standouts():
        yield wrapped(far.translate(MARKS), columns)
