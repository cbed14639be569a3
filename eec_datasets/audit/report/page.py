"""The report: one HTML file that needs nothing beside it, or Markdown for a model card."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal

from eec_datasets import __version__
from eec_datasets.audit.minimal_pairs import PER_AXIS, Piece
from eec_datasets.audit.report.document import Document, Entry, together, units
from eec_datasets.audit.report.findings import Finding, Headline, findings, headline, say_findings
from eec_datasets.audit.report.language import Translator, available, direction, load_translator
from eec_datasets.audit.report.names import Names, carried
from eec_datasets.audit.report.other_names import Beside, beside, conclusions, heads, say_enough
from eec_datasets.audit.report.overview import MANY, Overview, overview
from eec_datasets.audit.report.picture import Picture, dots, mark, picture, scales
from eec_datasets.audit.report.sections import Section, sections
from eec_datasets.audit.report.sentences import symbol
from eec_datasets.audit.report.warnings import cautions, caveat, changes, warnings

Form = Literal["html", "md"]

HERE: Final = Path(__file__).parent

PICTURE: Final = (HERE / "picture.css").read_text(encoding="utf-8")
"""How verdicts and picture look, on this page and where `render_sections` stands."""


@dataclass(frozen=True, slots=True)
class Page:
    """What a template lays out beside the document itself.

    Attributes
    ----------
    translator
        Language of the report.
    sections
        One per system and task, in the order of the page.
    said
        What each system shows, in sentences, by anchor.
    headlines
        Of each system the verdict; of many none.
    picture
        All terms of all systems in all places; None of many.
    overview
        Many systems side by side; else None.
    names
        What the names of every corpus carry beside their group.
    beside, cleared
        What each system shows with several sets of names of the same groups; what becomes of its differences without
        the names that are weak signals, in sentences; by anchor.
    scales
        How far the scale of a system goes from 0, by anchor.
    adjusted
        Whether p is adjusted, and so is another thing than the interval.
    warnings, cautions, caveat
        What to know of the results as wholes; what must stand beside the findings; what no result shows.
    """

    translator: Translator
    sections: Sequence[Section]
    said: Mapping[str, Sequence[str]]
    headlines: Sequence[Headline]
    picture: Picture | None
    overview: Overview | None
    names: Sequence[Names]
    beside: Mapping[str, Sequence[Beside]]
    cleared: Mapping[str, Sequence[str]]
    scales: Mapping[str, float]
    adjusted: bool
    warnings: Sequence[str]
    cautions: Sequence[str]
    caveat: str

    @property
    def single(self) -> bool:
        """Whether one system on one corpus is all there is, so that nothing need be folded."""
        return sum(len(section.blocks) for section in self.sections) == 1

    @property
    def brief(self) -> Sequence[Section]:
        """The systems that are built in, where there are others: of these the appendix has tables and pairs."""
        return [] if all(section.demo for section in self.sections) else [each for each in self.sections if each.demo]

    @property
    def many(self) -> bool:
        """Whether there are so many systems that sections are folded."""
        return len(self.sections) > MANY


def render(document: Document, *, language: str = "en", form: Form = "html") -> str:
    """Return a report.

    Parameters
    ----------
    document
        What to report, see :func:`eec_datasets.audit.report.document.read`.
    language
        BCP 47 tag: language of the sentences where there are some, and of numbers and names.
    form
        ``html`` for one page that loads nothing, ``md`` for Markdown (without the picture).

    Raises
    ------
    UnknownReportLanguage
        CLDR does not know the language.
    """
    translator = load_translator(language)
    entries = together([_named(translator, entry) for entry in document.entries])
    document = replace(document, entries=entries)
    page = _page(translator, document)
    text = _environment(language, form).get_template(f"page.{form}.j2").render(
        page=page, document=document, css=PICTURE + _read("page.css"), js=_read("page.js"),
        available=", ".join(translator.language(tag) for tag in available()),
        chosen=translator.language(str(translator.locale).replace("_", "-")),
        commands=_commands(document, language), version=__version__,
        made=[f"{name} {number}" for name, number in document.made.items()],
        dates=translator.listed(map(translator.date, document.dates)),
        corpora=translator.listed(dict.fromkeys(each.whole for each in entries if each.whole)),
    )  # fmt: skip
    return re.sub(r"\n{3,}", "\n\n", text) if form == "md" else text


def render_sections(document: Document, *, most: int) -> str:
    """Return what a report says of its first systems, as a piece of English HTML to stand in another page."""
    page = _page(load_translator(), document, most)
    return str(_environment("en", "html").get_template("sections.html.j2").render(page=page, document=document))


def _page(translator: Translator, document: Document, most: int | None = None) -> Page:
    """Gather what is shown, of the first systems only where there are more than ``most``."""
    parts = list(units(document.entries))
    found = sections(translator, parts)[:most]
    if many := len(found) > MANY:
        found = sorted(found, key=lambda section: (section.demo, not section.found, -section.strength))
    shown = findings(translator, found)
    own = {section.anchor: [each for each in shown if each.section is section] for section in found}
    return Page(
        translator,
        found,
        said={anchor: say_findings(translator, each) for anchor, each in own.items()},
        headlines=[] if many else _headlines(translator, found, shown),
        picture=None if many else picture(translator, found, shown),
        overview=overview(translator, found, shown) if many else None,
        names=carried(translator, document.entries),
        beside={each.anchor: beside(translator, each) for each in found},
        cleared={each.anchor: conclusions(translator, each) for each in found},
        scales=scales(found, shown),
        adjusted=any(each.judged.verdict.adjusted for each in shown),
        warnings=[*_seals(translator, document), *warnings(translator, document.entries, parts)],
        cautions=[*changes(translator, document), *cautions(translator, document.entries)],
        caveat=caveat(translator, document.entries),
    )


def _named(translator: Translator, entry: Entry) -> Entry:
    """Say in words of which corpus these are the attested names."""
    if not entry.attested_of:
        return entry
    count = translator.count(entry.name_count)
    return replace(entry, config=translator.say("names.attested_part", config=entry.attested_of, count=count))


def _headlines(translator: Translator, found: Sequence[Section], shown: Sequence[Finding]) -> list[Headline]:
    """Return the verdicts; what is built in and differs has a short one beside systems that are not built in."""
    said = [headline(translator, each, shown) for each in found]
    if all(section.demo for section in found):
        return said
    enough = [list(filter(None, [say_enough(translator, each)])) for each in found]
    return [
        replace(one, texts=one.texts[:1] if one.section.demo and one.section.found else [*one.texts, *more])
        for one, more in zip(said, enough, strict=True)
    ]


def _seals(translator: Translator, document: Document) -> list[str]:
    """Say of which files it cannot be told whether they are as they were written."""
    return [translator.say("warning.unsealed", file=file) for file in document.unsealed]


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
        "mark": mark,
        "dots": dots,
        "note": translator.note,
        "review": lambda text: translator.note(text) or text,
        "bold": _bold,
        "count": translator.count,
        "signed": lambda value: translator.number(value, signed=True),
        "symbol": symbol,
        "short": translator.short,
        "date": translator.date,
        "value": translator.value,
        "groups": translator.groups,
    }
    environment.filters |= filters
    environment.globals |= {
        "say": translator.say, "per_axis": PER_AXIS, "beside_heads": lambda section: heads(translator, section)
    }  # fmt: skip
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
