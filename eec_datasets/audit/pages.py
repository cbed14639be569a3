"""The page of measurements, as HTML or Markdown; `eec_datasets.report.terminal` makes lines of it."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from typing import Final, Literal

from eec_bias.measurement import Failure, Measurement
from eec_datasets.report import html, markdown
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
