"""The pages of audited or saved results, as HTML, Markdown and lines of a terminal."""

from __future__ import annotations

import datetime
from typing import Final, Literal

from eec_datasets.audit.measurements import measurements_of
from eec_datasets.audit.report.document import Document
from eec_datasets.report import html, markdown, terminal
from eec_datasets.report.page import compose
from eec_datasets.report.view import PageView

Form = Literal["html", "md"]
FORMS: Final = {"html": html.render, "md": markdown.render}


def page_of(document: Document, language: str = "en") -> PageView:
    """Return the page of what was measured.

    Raises
    ------
    ValueError
        If the language has no file of words.
    """
    date = datetime.date.fromisoformat(document.dates[-1]) if document.dates else None
    measured = measurements_of(document)
    return compose(measured, language, command=document.command, date=date, failures=document.failures)


def render(document: Document, *, language: str = "en", form: Form = "html") -> str:
    """Return the page of what was measured as one HTML file, or as a section for a model card."""
    return FORMS[form](page_of(document, language))


def render_lines(document: Document, *, path: str = "") -> str:
    """Return the page of what was measured for a terminal, in English; `path` is where all of it was written."""
    return terminal.render(page_of(document), path=path)
