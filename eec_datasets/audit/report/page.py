"""The report: one HTML file that needs nothing beside it, or Markdown for a model card."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import Any, Final, Literal

from eec_bias.reading import adjustment, adjusts_across, marked
from eec_datasets import __version__
from eec_datasets.audit.minimal_pairs import PAIRS_PER_AXIS, Piece
from eec_datasets.audit.report.document import Document, units
from eec_datasets.audit.report.headlines import headline, say_findings
from eec_datasets.audit.report.language import Translator, available, direction, load_translator
from eec_datasets.audit.report.names import carried
from eec_datasets.audit.report.other_names import compare_names, conclusions, say_enough
from eec_datasets.audit.report.overview import MANY, overview
from eec_datasets.audit.report.picture import dots, mark, picture, scales
from eec_datasets.audit.report.sections import Section, count_systems, gather_sections
from eec_datasets.audit.report.sentences import label, symbol
from eec_datasets.audit.report.validation import BadResult
from eec_datasets.audit.report.warnings import cautions, caveat, changes, warnings
from eec_datasets.documents import fill

Form = Literal["html", "md"]

HERE: Final = Path(__file__).parent

PICTURE: Final = (HERE / "picture.css").read_text(encoding="utf-8")
"""How verdicts and picture look, on this page and where `render_sections` stands."""


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
    translator = replace(load_translator(language), confidence=_confidence(document))
    entries = []
    for entry in document.entries:
        # In words, of which corpus these are the attested names.
        whole, count = entry.attested_of, entry.name_count
        config = translator.say("names.attested_part", config=whole, count=count) if whole else entry.config
        entries.append(replace(entry, config=config))
    # The corpora of a system that are about the same groups stand one after another.
    systems, groups = ([*dict.fromkeys(map(attrgetter(key), entries))] for key in ("system", "groups"))
    entries.sort(key=lambda entry: (systems.index(entry.system), groups.index(entry.groups)))
    document = replace(document, entries=entries)
    page = _page(translator, document)
    more = "" if language == "en" else f" --report-language {shlex.quote(language)}"
    files = " ".join(map(shlex.quote, document.files)) or "result.json"
    text = _fill(
        f"page.{form}.j2", translator, page=page, document=document,
        available=", ".join(translator.language(tag) for tag in available()),
        chosen=translator.language(str(translator.locale).replace("_", "-")),
        commands=[document.command, f"eec report {files}{more}"], version=__version__,
        made=[f"{name} {number}" for name, number in document.versions.items()],
        dates=translator.listed(map(translator.date, document.dates)),
        corpora=translator.listed(dict.fromkeys(each.whole for each in entries if each.whole)),
    )  # fmt: skip
    return re.sub(r"\n{3,}", "\n\n", text) if form == "md" else text


def render_sections(document: Document, *, most: int) -> str:
    """Return what a report says of its first systems, as a piece of English HTML to stand in another page."""
    translator = replace(load_translator(), confidence=_confidence(document))
    return _fill("sections.html.j2", translator, page=_page(translator, document, most), document=document)


def _confidence(document: Document) -> float:
    """Return the confidence that all intervals of a report have.

    Raises
    ------
    BadResult
        If they have several, as a sentence could not say which one it means.
    """
    found = sorted({entry.result.confidence for entry in document.entries})
    if len(found) > 1:
        listed = " and ".join(f"{100 * confidence:.6g} %" for confidence in found)
        raise BadResult(
            f"The results have intervals of {listed}, and one report can speak of one confidence only. Report them "
            "apart, or measure them again with the same confidence."
        )
    return found[0]


def _page(translator: Translator, document: Document, most: int | None = None) -> dict[str, Any]:
    """Gather what a template lays out beside the document, of at most so many systems.

    ``sections`` has one per system and task, in the order of the page; ``said``, ``beside``, ``cleared`` and ``scales``
    are by its anchor. Of ``many`` systems there is an ``overview``; of few there are ``headlines`` and a ``picture``.
    """
    parts = list(units(document.entries))
    sections = gather_sections(translator, parts)[:most]
    if many := len(sections) > MANY:
        sections = sorted(sections, key=lambda section: (section.demo, not section.found, -section.strength))
    built_in = [section for section in sections if section.demo]
    return {
        "sections": sections,
        "systems": count_systems(sections),
        "many": many,
        # One system on one corpus is all there is, so that nothing need be folded.
        "single": sum(len(section.blocks) for section in sections) == 1,
        # Of what is built in beside systems that are not, the appendix has tables and pairs.
        "brief": built_in if len(built_in) < len(sections) else [],
        "said": {each.anchor: say_findings(translator, each) for each in sections},
        "headlines": [] if many else list(_headlines(translator, sections)),
        "picture": None if many else picture(translator, sections),
        "overview": overview(translator, sections) if many else None,
        "names": carried(translator, document.entries),
        "beside": {each.anchor: compare_names(translator, each) for each in sections},
        "cleared": {each.anchor: conclusions(translator, each) for each in sections},
        "scales": scales(sections),
        "adjusted": _adjusted(document, sections),
        "kinds": list(dict.fromkeys((each.entry.sentences, each.compared) for each in parts)),
        "warnings": [
            *(translator.say("warning.unsealed", file=file) for file in document.unsealed),
            *warnings(translator, document.entries, parts),
        ],
        "cautions": [*changes(translator, document), *cautions(translator, document.entries, parts)],
        "caveat": caveat(translator, document.entries),
    }


def _adjusted(document: Document, sections: Sequence[Section]) -> str:
    """What to say of p where it is adjusted, and so another thing than the interval."""
    if not any(each.judged.verdict.adjusted for section in sections for each in section.findings):
        return ""
    default = (entry.result for entry in document.entries if entry.result.method == "default")
    ways = {(bool(adjustment(result)), adjusts_across(result)) for result in default}
    if len(ways) > 1:
        return "method.adjusted_apart"
    return "method.adjusted_across" if ways == {(True, True)} else "method.adjusted"


def _headlines(translator: Translator, sections: Sequence[Section]) -> Iterator[tuple[Section, list[str]]]:
    """Give the verdict on each system; what is built in and differs has a short one beside those that are not."""
    others = any(not section.demo for section in sections)
    for section in sections:
        texts = headline(translator, section)
        if others and section.demo and section.found:
            texts = texts[:1]
        elif others:
            texts += filter(None, [say_enough(translator, section)])
        yield section, texts


def _fill(name: str, translator: Translator, **values: Any) -> str:
    """Fill a template; what it says is the language's."""
    functions = {"say": translator.say, "per_axis": PAIRS_PER_AXIS, "verdict": partial(label, translator)}
    return fill(HERE / name, FILTERS, translator=translator, **functions, **values)


def _bold(pieces: Sequence[Piece]) -> str:
    """Show a sentence in Markdown, its marked pieces bold; spaces stay outside, as Markdown wants them."""
    parts = []
    for text, changed in pieces:
        inner = text.strip()
        start, end = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
        parts.append(f"{start}**{marked(inner)}**{end}" if changed and inner else start + marked(inner) + end)
    return "".join(parts) if "".join(text for text, _ in pieces).strip() else ""


FILTERS: Final = {"direction": direction, "md": marked, "mark": mark, "dots": dots, "bold": _bold, "symbol": symbol}
"""What templates do to values, whatever the language."""
