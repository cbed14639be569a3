"""The pages of measurements, as HTML, Markdown and lines of a terminal."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from typing import Final, Literal

from eec_bias.measurement import Failure, Measurement
from eec_datasets.report import html, markdown, terminal
from eec_datasets.report.page import compose
from eec_datasets.report.say import Surface
from eec_datasets.report.view import PageView

Form = Literal["html", "md"]
FORMS: Final = {"html": html.render, "md": markdown.render}


def page_of(
    measurements: Sequence[Measurement],
    language: str = "en",
    failures: Sequence[Failure] = (),
    surface: Surface | None = None,
) -> PageView:
    """Return the page of what was measured, with the systems that failed, by default for the command that measured it.

    Raises
    ------
    ValueError
        If the language has no file of words.
    """
    commands = dict.fromkeys(each.source.command for each in measurements if each.source.command)
    dates = [each.source.date for each in measurements if each.source.date]
    date = datetime.date.fromisoformat(max(dates)) if dates else None
    if surface is None:
        surface = "audit" if any(each.startswith("eec audit") for each in commands) else "measure"
    command = " && ".join(commands)
    return compose(measurements, language, command=command, surface=surface, date=date, failures=failures)


def render(
    measurements: Sequence[Measurement],
    failures: Sequence[Failure] = (),
    *,
    language: str = "en",
    form: Form = "html",
    surface: Surface | None = None,
) -> str:
    """Return the page of what was measured as one HTML file, or as a section for a model card."""
    return FORMS[form](page_of(measurements, language, failures, surface))


def render_lines(measurements: Sequence[Measurement], failures: Sequence[Failure] = (), *, path: str = "") -> str:
    """Return the page of what was measured for a terminal, in English; `path` is where all of it was written."""
    return terminal.render(page_of(measurements, failures=failures), path=path)


def render_all(
    measurements: Sequence[Measurement], failures: Sequence[Failure], language: str, forms: Mapping[str, Form]
) -> dict[str, str]:
    """Return the page of what was measured in several forms, by the names of their files."""
    page = page_of(measurements, language, failures)
    return {name: FORMS[form](page) for name, form in forms.items()}
