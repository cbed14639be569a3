"""The page of a census, from the records of its table."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol

TEMPLATE: Final = Path(__file__).with_name("census.html.j2")

LEVEL: Final = 0.05
"""Share of tables in which a test finds a gap by chance."""

QUESTIONS: Final = {
    "gender_names": "women − men, by name",
    "gender_pairs": "women − men, by she, my mother …",
    "race_names": "races, by name",
}

FOUND: Final = ("gap_found", "turns")

ANSWERS: Final = {
    "gap_found": "gap found",
    "none_detected": "none detected",
    "inconclusive": "inconclusive",
    "no_reaction": "same score",
    "deaf": "same score",
    "close": "close",
    "turns": "turns",
    "described": "one pair of words only",
    "not_estimable": "cannot be estimated",
    "unanswered": "no answers",
}


@dataclass(frozen=True, slots=True)
class CensusCounts:
    """Numbers at the top of a census page.

    Attributes
    ----------
    rows, programs, languages, instruments
        Systems by language that were scored, their programs and languages, and how many differ in their scores.
    tables, found, chance, after
        Tables of gaps of systems that hear the sentences; those with a gap found; how many chance gives; and gaps
        below `LEVEL` once they are adjusted over the census.
    gendered, muted, reversed_
        Lexical systems of languages whose feelings have a form for her that hear anything; those that hear more words
        of him; those that hear more of her.
    reacting, weaker, stronger, reacting_chance
        Systems that hear the sentences whose reaction has an interval; those whose interval lies below 1; above 1; and
        how many chance puts on either side.
    deaf, failed
        Systems that do not hear the sentences; that were not scored.
    """

    rows: int
    programs: int
    languages: int
    instruments: int
    tables: int
    found: int
    chance: float
    after: int
    gendered: int
    muted: int
    reversed_: int
    reacting: int
    weaker: int
    stronger: int
    reacting_chance: float
    deaf: int
    failed: int


class MutedLike(Protocol):
    """A word in its form for him and in its form for her, with a sentence of each."""

    @property
    def his(self) -> str: ...  # noqa: D102
    @property
    def hers(self) -> str: ...  # noqa: D102
    @property
    def his_text(self) -> str: ...  # noqa: D102
    @property
    def her_text(self) -> str: ...  # noqa: D102


GENDERED: Final = ("es", "fr", "it", "pt", "he", "ru", "hi")
"""Languages in which the word of a feeling has a form of its own for her."""


def count_census(records: Sequence[Mapping[str, Any]]) -> CensusCounts:
    """Count what the top of the page says."""
    scored = [record for record in records if not record["failure"]]
    heard = [record for record in scored if not record["deaf"]]
    asked = [[record for question in QUESTIONS if record[f"{question}_answer"]] for record in heard]
    lexical = [
        record
        for record in scored
        if record["kind"] != "embedding" and record["language"] in GENDERED and record["words_heard"]
    ]
    reacting = [record for record in heard if record["reaction_low"] is not None]
    adjusted = [record[f"{question}_p_census"] for record in heard for question in QUESTIONS]
    tables = sum(map(bool, asked))
    return CensusCounts(
        len(scored),
        len({record["program"] for record in scored}),
        len({record["language"] for record in scored}),
        len({(record["language"], record["instrument"]) for record in scored}),
        tables,
        sum(any(record[f"{question}_answer"] in FOUND for question in QUESTIONS) for record in heard),
        LEVEL * tables,
        sum(p is not None and p <= LEVEL for p in adjusted),
        len(lexical),
        sum(record["words_only_him"] > record["words_only_her"] for record in lexical),
        sum(record["words_only_her"] > record["words_only_him"] for record in lexical),
        len(reacting),
        sum(record["reaction_high"] is not None and record["reaction_high"] < 1 for record in reacting),
        sum(record["reaction_low"] > 1 for record in reacting),
        LEVEL / 2 * len(reacting),
        len(scored) - len(heard),
        len(records) - len(scored),
    )


def render_census(records: Sequence[Mapping[str, Any]], date: str) -> str:
    """Return the page: a row per system and language, in the order of language and name.

    Parameters
    ----------
    records
        Of the table.
    date
        Day of the scores.
    """
    ordered = sorted(records, key=lambda record: (record["language"], record["system"]))
    counts = count_census(records)
    page: str = _template().render(records=ordered, counts=counts, questions=QUESTIONS, answers=ANSWERS, date=date)
    return page


ISSUE: Final = """# {program}: no feminine form for {count}

This is the draft of a letter to the maintainers of {program}. Someone who reads the language should check it and send
it. Nobody has sent it yet, and **no native speaker has read it**.

---

**{version} scores {count} only in the masculine form**

Thank you for this package. We scored pairs of sentences that differ only in the person. Some words for feelings change
the score only in their masculine form. With the feminine form, the sentence gets the same score as a sentence without
a feeling.

{tables}

To check a row, score its two sentences. If your word list has several forms of a word, you can add the feminine form
with the value of the masculine form. If your list has only dictionary forms, you can use a stemmer or a lemmatizer
before you look up a word.

We found these words in the census of eec-datasets. The folder docs/census explains the method and has the results.
"""


def write_issue(program: str, version: str, muted: Mapping[str, Sequence[MutedLike]]) -> str:
    """Return a text for the maintainers of a program.

    Parameters
    ----------
    program, version
        Its name, and its name with the version.
    muted
        By system, the words that are heard for him only.
    """
    tables = []
    for system, words in muted.items():
        lines = [f"| {word.his} | {word.hers} | {word.his_text} | {word.her_text} |" for word in words]
        head = ["| masculine | feminine | sentence about him | same sentence about her |", "|---|---|---|---|"]
        tables.append("\n".join([f"The system `{system}` of our census:", "", *head, *lines]))
    number = len({word.hers for words in muted.values() for word in words})
    count = "1 word" if number == 1 else f"{number} words"
    return ISSUE.format(program=program, version=version, count=count, tables="\n\n".join(tables))


@functools.cache
def _template() -> Any:
    from jinja2 import Environment, StrictUndefined

    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters["number"] = _number
    return environment.from_string(TEMPLATE.read_text(encoding="utf-8"))


def _number(value: float | None, digits: int = 0, sign: bool = False) -> str:
    """Write a number with a minus sign, and a plus sign if it is a difference."""
    if value is None:
        return "–"
    written = f"{value:+.{digits}f}" if sign else f"{value:.{digits}f}"
    if float(written) == 0:
        written = written.lstrip("+-")
    return written.replace("-", "−")
