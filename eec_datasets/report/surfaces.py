"""A result by itself in a terminal, a notebook or Markdown: the words of the page, without what only an audit knows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any

from eec_datasets.report import html, markdown, terminal
from eec_datasets.report.measured import MeasurementLike, PairLike, ResultLike
from eec_datasets.report.page import compose
from eec_datasets.report.view import PageView


@dataclass(frozen=True, slots=True)
class ResultSource:
    """What a result by itself knows of where it comes from."""

    emotion_means: Mapping[str, float]
    sentences: int
    about: str = ""
    remarks: Mapping[str, str] = field(default_factory=dict)
    version: str = ""
    accuracy: None = None
    unanswered: Mapping[str, int] = field(default_factory=dict)
    review: str = ""
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
