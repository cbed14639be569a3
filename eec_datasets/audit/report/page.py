"""The report: one HTML file that needs nothing beside it, or Markdown for a model card."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal

from eec_datasets import __version__
from eec_datasets.audit.minimal_pairs import PER_AXIS, Piece
from eec_datasets.audit.report.document import Document, units
from eec_datasets.audit.report.figures import KINDS, FigureMaker, Figures, figure_maker
from eec_datasets.audit.report.language import Translator, available, direction, load_translator
from eec_datasets.audit.report.overview import MANY, Overview, overview
from eec_datasets.audit.report.sections import Section, sections
from eec_datasets.audit.report.sentences import symbol
from eec_datasets.audit.report.warnings import cautions, warnings

Form = Literal["html", "md"]

DRAWN: Final = 6
"""Systems whose figures of persons and items are drawn where there are many."""

OPEN: Final = 4
"""Systems times corpora up to which the means of all persons are shown open."""

HERE: Final = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Page:
    """What a template lays out beside the document itself.

    Attributes
    ----------
    translator
        Language of the report.
    sections
        One per system and task, in the order of the page.
    overview
        All systems side by side; None for one.
    figures
        By section and block; key ``(anchor, -1)`` for those of a whole section, ``("", -1)`` for all.
    maker
        What was left out, and what is missing for figures.
    warnings, cautions
        What to know of the results as wholes; what must stand beside the findings.
    """

    translator: Translator
    sections: Sequence[Section]
    overview: Overview | None
    figures: dict[tuple[str, int], Figures]
    maker: FigureMaker
    warnings: Sequence[str]
    cautions: Sequence[str]

    @property
    def count(self) -> int:
        """Systems times corpora, as many as there are tables of effects."""
        return sum(len(section.blocks) for section in self.sections)

    @property
    def single(self) -> bool:
        """Whether one system on one corpus is all there is, so that nothing need be folded."""
        return self.count == 1

    @property
    def few(self) -> bool:
        """Whether the means of all persons are shown open beside the effects."""
        return self.count <= OPEN

    @property
    def many(self) -> bool:
        """Whether there are so many systems that sections are folded."""
        return len(self.sections) > MANY


def render(document: Document, *, language: str = "en", form: Form = "html", figures: bool = True) -> str:
    """Return a report.

    Parameters
    ----------
    document
        What to report, see :func:`eec_datasets.audit.report.document.read`.
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
    translator = load_translator(language)
    page = _page(translator, document, KINDS if figures and form == "html" else None)
    text = _environment(language, form).get_template(f"page.{form}.j2").render(
        page=page, document=document, css=_read("page.css"), js=_read("page.js"),
        available=", ".join(translator.language(tag) for tag in available()),
        chosen=translator.language(str(translator.locale).replace("_", "-")),
        commands=_commands(document, language), drawn_first=DRAWN, version=__version__,
        made=", ".join(f"{name} {number}" for name, number in document.made.items()),
    )  # fmt: skip
    return re.sub(r"\n{3,}", "\n\n", text) if form == "md" else text


def render_sections(document: Document, *, most: int) -> str:
    """Return what a report says of its first systems, as a piece of English HTML to stand in another page."""
    page = _page(load_translator(), document, (), most)
    return str(_environment("en", "html").get_template("sections.html.j2").render(page=page, document=document))


def _page(translator: Translator, document: Document, kinds: Iterable[str] | None, most: int | None = None) -> Page:
    """Gather what is shown; ``kinds`` of figures beside the effects, None for no figures at all."""
    parts = list(units(document.entries))
    found = sections(translator, parts)[:most]
    if len(found) > MANY:
        found = sorted(found, key=lambda section: (not section.found, -section.strength))
    maker = FigureMaker(0) if kinds is None else figure_maker(len(found))
    return Page(
        translator,
        found,
        overview(translator, found) if len(found) > 1 else None,
        {} if kinds is None else _draw(maker, document, found, kinds),
        maker,
        warnings(translator, document.entries, parts),
        cautions(translator, document.entries),
    )


def _draw(
    maker: FigureMaker, document: Document, found: Sequence[Section], kinds: Iterable[str]
) -> dict[tuple[str, int], Figures]:
    drawn: dict[tuple[str, int], Figures] = {}
    for entry in document.entries if kinds else ():
        if len({row.get("system") for row in entry.result.terms}) > MANY:
            maker.all_systems(entry, drawn.setdefault(("", -1), Figures()))
    shown = found[:DRAWN] if len(found) > MANY else found
    for section in shown:
        maker.effects([block.unit for block in section.blocks], drawn.setdefault((section.anchor, -1), Figures()))
    # Kind by kind, so that what space there is goes to all systems alike.
    for kind in kinds:
        for section in shown:
            for index, block in enumerate(section.blocks):
                maker.of_unit(kind, block.unit, drawn.setdefault((section.anchor, index), Figures()))
    return drawn


def _commands(document: Document, language: str) -> list[str]:
    """Return the commands that make scores, numbers and this page again."""
    more = "" if language == "en" else f" --report-language {shlex.quote(language)}"
    files = " ".join(shlex.quote(file) for file in document.files) or "result.json"
    return [document.command, f"eec report {files}{more}"]


@cache
def _environment(language: str, form: Form) -> Any:
    """Read the templates once per language; what they say is the language's."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from markupsafe import Markup

    translator = load_translator(language)
    environment = Environment(
        loader=FileSystemLoader(HERE), autoescape=form == "html", undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True,
    )  # fmt: skip
    filters: dict[str, Callable[..., Any]] = {
        "direction": direction,
        "as_is": Markup,
        "md": _markdown,
        "bold": _bold,
        "count": translator.count,
        "signed": lambda value: translator.number(value, signed=True),
        "symbol": symbol,
        "value": translator.value,
        "group": translator.group,
    }
    environment.filters |= filters
    environment.globals |= {"say": translator.say, "per_axis": PER_AXIS}
    return environment


def _markdown(text: object) -> str:
    """Show a text as it is in Markdown: no markup, no HTML, no new column or line."""
    one_line = re.sub(r"[ \t\r\n\f\v\u2028\u2029\x85]+", " ", str(text))
    escaped = one_line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return re.sub(r"([\\`*_\[\]|#~])", r"\\\1", escaped)


def _bold(pieces: Sequence[Piece]) -> str:
    """Show a sentence in Markdown, its marked pieces bold; spaces stay outside, as Markdown wants them."""
    shown = []
    for text, changed in pieces:
        inner = text.strip()
        start, end = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
        shown.append(f"{start}**{_markdown(inner)}**{end}" if changed and inner else start + _markdown(inner) + end)
    return "".join(shown) if "".join(text for text, _ in pieces).strip() else ""


def _read(name: str) -> str:
    return (HERE / name).read_text(encoding="utf-8")
