"""The verdicts of one table of constructed results, in every output that stands around a result."""

from __future__ import annotations

import re
from html import unescape
from types import SimpleNamespace
from typing import Any

import pytest
from verdict_cases import CASES, SHORT, Case, says

from eec_bias.result.verdict import Kind
from eec_datasets.audit.report import page
from eec_datasets.audit.report.document import Document, Entry, units
from eec_datasets.audit.report.language import load_translator
from eec_datasets.audit.report.sentences import say_row
from eec_datasets.audit.summary import summary

ALL = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)

SENTENCES: dict[Kind, str] = {
    "difference": r"Distinguishable from 0 \(|Some of them differ",
    "same_difference": "The difference is the same for all of them",
    "wording": "an effect of the wording",
    "not_detectable": "Not distinguishable from 0",
    "zero": "The difference is 0 for all of them",
    "no_reaction": "All the scores compared are equal",
    "not_estimable": "not estimated|Without a test",
    "described": "Described, not tested",
}
"""What the report's sentence on a row says, by verdict."""


def document(case: Case) -> Document:
    return Document([Entry("mine", case.result, "mine", "mine")])


def by_unit(case: Case) -> list[Kind]:
    """The verdicts expected, in the order in which a report has the rows: system by system."""
    rows = [((row.get("system"), row.get("task")), kind) for row, _, kind in case.rows]
    found = [kind for place in dict.fromkeys(place for place, _ in rows) for own, kind in rows if own == place]
    assert None not in found
    return found  # type: ignore[return-value]


def check(cells: list[str], case: Case) -> None:
    kinds, judged = by_unit(case), [row for unit in units(document(case).entries) for row in unit.rows]
    assert len(cells) == len(kinds)
    for cell, kind, row in zip(cells, kinds, judged, strict=True):
        words = re.sub(r" \[\d+\]$", "", cell.strip())
        assert says(words, kind, SHORT), (words, kind)
        assert words.endswith(", rough") == row.verdict.rough


@ALL
def test_the_page_and_the_report_say_the_verdict_on_every_row(case: Case) -> None:
    systems: dict[Any, list[Kind | None]] = {}
    for row, _, kind in case.rows:
        if ":" not in row["term"] and row["level"] != "any":
            systems.setdefault(row.get("system"), []).append(kind)
    silent = any(set(kinds) == {"no_reaction"} for kinds in systems.values())
    for html in (page.render(document(case)), page.render_sections(document(case), most=20)):
        # Systems that show nothing come after those that do: the tables are put back into the order of the result.
        tables = dict(re.findall(r'aria-label="([^"]*): Table"><table class="effects">(.*?)</table>', html, re.DOTALL))
        shown = "".join(tables[title] for title in dict.fromkeys(unit.title for unit in units(document(case).entries)))
        check([unescape(cell) for cell in re.findall(r'<td [^>]*class="word[^"]*">([^<]*)</td>', shown)], case)
        found = re.findall(r'<td [^>]*class="word( found)?">', shown)
        assert [bool(mark) for mark in found] == [
            kind in ("difference", "same_difference", "wording") for kind in by_unit(case)
        ]
        assert ("does not react to these persons at all" in html) == silent


@ALL
def test_markdown_says_the_verdict_on_every_row(case: Case) -> None:
    lines = page.render(document(case), form="md").splitlines()
    rows = [re.split(r"(?<!\\)\|", line) for line in lines if line.startswith("| ")]
    cells = [re.sub(r"\\(.)", r"\1", row[7].strip()) for row in rows if len(row) == 9]
    check([cell for cell in cells if cell not in ("reading", "---")], case)


@pytest.mark.parametrize(
    "case", [case for case in CASES if "system" not in case.result.terms[0]], ids=lambda case: case.name
)
def test_the_terminal_says_the_verdict_on_every_row(case: Case) -> None:
    corpus = SimpleNamespace(name="mine", language="", attested_of="")
    outcomes: list[Any] = [SimpleNamespace(result=case.result, system="mine", corpus=corpus, clear=None)]
    _, rule, *lines = summary(outcomes).splitlines()
    start = len(rule) - len(rule.split("  ")[-1])
    check([line[start:] for line in lines[: len(case.rows)]], case)


@ALL
def test_the_sentence_of_the_report_says_the_verdict_and_no_other(case: Case) -> None:
    translator = load_translator()
    judged = [row for unit in units(document(case).entries) for row in unit.rows]
    for row, kind in zip(judged, by_unit(case), strict=True):
        said = say_row(translator, row)
        assert says(said, kind, SENTENCES), said
        assert ("This is rough" in said) == row.verdict.rough
        assert ("no reaction" in said or "does not react" in said) == (kind == "no_reaction")
