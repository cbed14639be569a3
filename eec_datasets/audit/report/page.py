"""The report: one HTML file that needs nothing beside it, or Markdown for a model card."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from eec_datasets import __version__
from eec_datasets.audit.minimal_pairs import PER_AXIS, Piece
from eec_datasets.audit.report.document import Document
from eec_datasets.audit.report.figures import KINDS, Drawn, Studio, studio
from eec_datasets.audit.report.language import Voice, available, direction, voice
from eec_datasets.audit.report.overview import MANY, Matrix, Overview, overview
from eec_datasets.audit.report.sections import Section, sections
from eec_datasets.audit.report.sentences import FOUND
from eec_datasets.audit.report.units import Unit, units
from eec_datasets.audit.report.warnings import cautions, warnings

Form = Literal["html", "md"]

DRAWN: Final = 6
"""Systems whose figures of persons and items are drawn where there are many."""

OPEN: Final = 4
"""Systems times corpora up to which the means of all persons are shown open."""

HERE: Final = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Page:
    """Everything a template lays out.

    Attributes
    ----------
    voice
        Language of the report.
    document
        What it is made from.
    sections
        One per system and task, in the order of the page.
    overview
        All systems side by side; None for one.
    figures
        Figures by section and block, see `_draw`.
    studio
        What was left out, and what is missing for figures.
    warnings
        What to know of the results as wholes.
    cautions
        What must stand beside the findings.
    """

    voice: Voice
    document: Document
    sections: Sequence[Section]
    overview: Overview | None
    figures: dict[tuple[str, int], Drawn]
    studio: Studio
    warnings: Sequence[str]
    cautions: Sequence[str]

    @property
    def units(self) -> int:
        """Systems times corpora, as many as there are tables of effects."""
        return sum(len(section.blocks) for section in self.sections)

    @property
    def single(self) -> bool:
        """Whether one system on one corpus is all there is, so that nothing need be folded."""
        return self.units == 1

    @property
    def few(self) -> bool:
        """Whether the means of all persons are shown open beside the effects."""
        return self.units <= OPEN

    @property
    def many(self) -> bool:
        """Whether there are so many systems that sections are folded."""
        return len(self.sections) > MANY


def render(document: Document, *, language: str = "en", form: Form = "html", figures: bool = True) -> str:
    """Return a report.

    Parameters
    ----------
    document
        What to report, see :func:`eec_datasets.audit.report.document.read` and
        :func:`eec_datasets.audit.saving.document`.
    language
        BCP 47 tag: language of the sentences where there are some, and of numbers and names.
    form
        ``html`` for one page that loads nothing, ``md`` for Markdown (without figures).
    figures
        Draw figures; needs matplotlib, and says so where it is not there.

    Raises
    ------
    UnknownReportLanguage
        CLDR does not know the language.
    """
    spoken = voice(language)
    page = _page(spoken, document, figures=figures and form == "html")
    text = _environment(spoken, form).get_template(f"page.{form}.j2").render(
        page=page, document=document, css=_read("page.css"), js=_read("page.js"),
        available=", ".join(spoken.language(tag) for tag in available()),
        chosen=spoken.language(str(spoken.locale).replace("_", "-")),
        commands=_commands(document, language), found=FOUND, per_axis=PER_AXIS, drawn_first=DRAWN, version=__version__,
        results=_results(document), made=", ".join(f"{name} {found}" for name, found in document.made.items()),
    )  # fmt: skip
    return re.sub(r"\n{3,}", "\n\n", text) if form == "md" else text


def _page(spoken: Voice, document: Document, *, figures: bool) -> Page:
    parts: list[Unit] = list(units(document.results))
    found = sections(spoken, parts)
    if len(found) > MANY:
        found = sorted(found, key=lambda section: (not section.found, -section.strength))
    work = studio(len(found)) if figures else Studio(0)
    drawn = _draw(work, document, found) if figures else {}
    return Page(
        spoken, document, found, overview(spoken, found) if len(found) > 1 else None, drawn, work,
        warnings(spoken, document.results, parts), cautions(spoken, document.results),
    )  # fmt: skip


def _draw(work: Studio, document: Document, found: Sequence[Section]) -> dict[tuple[str, int], Drawn]:
    """Draw figures by section and block; key ``(anchor, -1)`` for those of a whole section, ``("", -1)`` for all."""
    drawn: dict[tuple[str, int], Drawn] = {}
    many = len(found) > MANY
    for measured in document.results:
        if len({row.get("system") for row in measured.terms}) > MANY:
            work.all_systems(measured, drawn.setdefault(("", -1), Drawn()))
    shown = found[:DRAWN] if many else found
    for section in shown:
        work.effects([block.unit for block in section.blocks], drawn.setdefault((section.anchor, -1), Drawn()))
    # Kind by kind, so that what space there is goes to all systems alike.
    for kind in KINDS:
        for section in shown:
            for index, block in enumerate(section.blocks):
                work.of_unit(kind, block.unit, drawn.setdefault((section.anchor, index), Drawn()))
    return drawn


def _results(document: Document) -> list[dict[str, Any]]:
    """Return signatures, methods and published tables, one per result."""
    return [
        {
            "place": measured.config or measured.place, "system": measured.system, "signature": measured.signature,
            "fingerprint": measured.fingerprint, "method": measured.method,
            "tables": measured.result.get("tables") if isinstance(measured.result.get("tables"), dict) else {},
        }
        for measured in document.results
    ]  # fmt: skip


def _commands(document: Document, language: str) -> list[str]:
    """Return the commands that make scores, numbers and this page again."""
    more = "" if language == "en" else f" --report-language {shlex.quote(language)}"
    files = " ".join(shlex.quote(file) for file in document.files) or "result.json"
    return [document.command, f"eec report {files}{more}"]


def _environment(spoken: Voice, form: Form) -> Any:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from markupsafe import Markup

    environment = Environment(
        loader=FileSystemLoader(HERE), autoescape=form == "html", undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True,
    )  # fmt: skip
    filters: dict[str, Callable[..., Any]] = {
        "direction": direction,
        "svg": Markup,
        "as_is": Markup,
        "md": _markdown,
        "bold": _bold,
        "count": spoken.count,
        "number": spoken.number,
        "signed": lambda value: spoken.number(value, signed=True),
        "group": spoken.group,
    }
    environment.filters |= filters
    environment.globals |= {"say": spoken.say, "sorts": _sorts}
    return environment


def _sorts(matrix: Matrix) -> bool:
    return len(matrix.rows) > MANY


def _markdown(text: object) -> str:
    """Show a text as it is in Markdown: no markup, no HTML, no new column or line."""
    one_line = re.sub(r"[ \t\r\n\f\v\u2028\u2029\x85]+", " ", str(text))
    escaped = one_line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return re.sub(r"([\\`*_\[\]|#~])", r"\\\1", escaped)


def _bold(pieces: Sequence[Piece]) -> str:
    """Show a sentence in Markdown, its marked pieces bold; spaces stay outside, as Markdown wants them."""
    found = []
    for text, changed in pieces:
        inner = text.strip()
        start, end = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
        found.append(f"{start}**{_markdown(inner)}**{end}" if changed and inner else start + _markdown(inner) + end)
    return "".join(found) if "".join(text for text, _ in pieces).strip() else ""


def _read(name: str) -> str:
    return (HERE / name).read_text(encoding="utf-8")
