"""A result by itself in a terminal, a notebook or Markdown: the words of the page, without what only an audit knows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any

from eec_datasets.report import html, markdown, terminal
from eec_datasets.report.answers import answer, in_cell, mark
from eec_datasets.report.entries import entry_of
from eec_datasets.report.measured import FindingLike, MeasurementLike, PairLike, ResultLike
from eec_datasets.report.page import compose
from eec_datasets.report.say import Say
from eec_datasets.report.text import capital, plain
from eec_datasets.report.view import MarkKind, PageView


@dataclass(frozen=True, slots=True)
class ResultSource:
    """The facts about its origin that a result has by itself."""

    emotion_means: Mapping[str, float]
    sentences: int
    about: str = ""
    remarks: Mapping[str, str] = field(default_factory=dict)
    version: str = ""
    accuracy: None = None
    unanswered: Mapping[str, int] = field(default_factory=dict)
    readers: int | None = None
    part: str = ""
    pairs: tuple[PairLike, ...] = ()
    standouts: tuple[Any, ...] = ()
    demonstration: bool = False
    versions: tuple[MeasurementLike, MeasurementLike] | None = None


@dataclass(frozen=True, slots=True)
class ResultAlone:
    """A result that nobody named."""

    result: ResultLike
    source: ResultSource
    list: str
    kind: str = "scores"
    language: str = ""
    system: str = ""


def page_of(result: Any) -> PageView:
    """Return the page of a result by itself."""
    by_emotion: dict[str, list[float]] = {}
    for row in result.emotions:
        by_emotion.setdefault(row["emotion"], []).append(row["mean"])
    means = {emotion: fmean(some) for emotion, some in by_emotion.items()} if len(_systems(result)) < 2 else {}
    return compose([ResultAlone(result, ResultSource(means, 0), result.facts.data.name)], surface="python")


def _systems(result: Any) -> set[str | None]:
    return {row.system for row in result.terms}


def print_result(result: Any) -> str:
    """Return what ``print(result)`` shows."""
    return terminal.render(page_of(result))


def notebook_result(result: Any) -> str:
    """Return a result for a notebook: the first screen of its page."""
    return html.render_notebook(page_of(result))


def markdown_result(result: Any) -> str:
    """Return a result as Markdown."""
    return markdown.render(page_of(result))


@dataclass(frozen=True, slots=True)
class FigureRow:
    """A finding as a figure shows it.

    Attributes
    ----------
    question : str
        What is compared: *Women and men, by first name*.
    answer, brief : str
        The answer of the page, and the same in a few words.
    sides : (str, str)
        The groups on the left and on the right of 0.
    gap, low, high : float, optional
        In points, of 100, or in units of scores without a range.
    mark : str
        How it is drawn.
    """

    question: str
    answer: str
    brief: str
    sides: tuple[str, str]
    gap: float | None
    low: float | None
    high: float | None
    mark: MarkKind


def figure_rows(record: Any, findings: Sequence[FindingLike]) -> list[FigureRow]:
    """Return findings of a result in the words of the page, in English."""
    say, alone = Say("en", "python"), ResultAlone(record, ResultSource({}, 0), record.facts.data.name)
    rows = []
    for finding in findings:
        entry = entry_of(alone, finding)
        drawn, (first, second) = mark(entry), say.groups(finding.comparison)
        rows.append(
            FigureRow(
                question=plain(capital(say.question(finding.comparison))),
                answer=plain(answer(say, entry).whole),
                brief=plain(capital(in_cell(say, entry))),
                sides=(second.end, first.end),
                gap=drawn.at if drawn else None,
                low=drawn.low if drawn else None,
                high=drawn.high if drawn else None,
                mark=drawn.kind if drawn else "described",
            )
        )
    return rows
