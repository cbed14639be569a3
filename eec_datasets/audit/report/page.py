"""The report: one HTML file that needs nothing beside it, or Markdown for a model card."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from dataclasses import replace
from operator import attrgetter
from pathlib import Path
from typing import Any, Final, Literal

from eec_bias.reading import adjustment, adjusts_across, marked
from eec_bias.shared import grouped
from eec_datasets import __version__
from eec_datasets.audit.minimal_pairs import PAIRS_PER_AXIS, Piece
from eec_datasets.audit.report.document import Document, Unit, units
from eec_datasets.audit.report.finding_words import FindingLine
from eec_datasets.audit.report.language import Translator, available, direction, load_translator
from eec_datasets.audit.report.names import carried
from eec_datasets.audit.report.other_names import compare_names, conclusions
from eec_datasets.audit.report.sections import Block, Section, count_systems, gather_sections
from eec_datasets.audit.report.shown import MANY, SystemCard, dots, emotions_of, gather_cards, marks_of
from eec_datasets.audit.report.validation import BadResult
from eec_datasets.audit.report.warnings import cautions, caveat, changes, warnings
from eec_datasets.audit.running import UNANSWERED
from eec_datasets.documents import fill

Form = Literal["html", "md"]

ALSO: Final = 3
"""So many further differences stand below the headline."""

UNTESTED: Final = 6
"""So many systems that were not tested in a language are named at most."""

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
    page = ReportPage(translator, document)
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


def render_sections(document: Document, *, most: int, language: str = "en") -> str:
    """Return what a report says of its first systems, as a piece of HTML to stand in another page."""
    translator = replace(load_translator(language), confidence=_confidence(document))
    return _fill("sections.html.j2", translator, page=ReportPage(translator, document, most), document=document)


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


class ReportPage:
    """What a template lays out beside the document.

    Parameters
    ----------
    translator
        The language.
    document
        What to report.
    most
        At most so many systems.
    """

    def __init__(self, translator: Translator, document: Document, most: int | None = None) -> None:
        parts = list(units(document.entries))
        sections = gather_sections(translator, parts)
        cards = gather_cards(translator, parts)
        real = [card for card in cards if not card.answers.is_demonstration]
        self._translator, self._document = translator, document
        self._languages = list(dict.fromkeys(card.answers.language for card in cards))
        self.cards = (real or cards) if most is None else cards[:most]
        self.demonstrations = [card for card in cards if card not in self.cards] if most is None else []
        self.many = len(self.cards) > MANY
        self.sections = sections
        self.emotions = emotions_of(cards)
        self.marks = frozenset[str]().union(*map(self._marks, self.cards))
        self.names = carried(translator, document.entries)
        self.beside = {each.anchor: compare_names(translator, each) for each in sections}
        self.cleared = {each.anchor: conclusions(translator, each) for each in sections}
        self.adjusted = _adjusted(document, parts)
        self.compared = any(each.compared for each in parts)
        self.published = not any(card.every for card in cards)
        self.warnings = [
            *(translator.say("warning.unsealed", file=file) for file in document.unsealed),
            *warnings(translator, document.entries, parts),
        ]
        self.cautions = [*changes(translator, document), *cautions(translator, document.entries, parts)]
        self.caveat = caveat(translator, document.entries)

    @property
    def corpora(self) -> list[tuple[str, list[tuple[Section, Block]]]]:
        """Each corpus with the systems that scored it."""
        blocks = ((block.heading, (section, block)) for section in self.sections for block in section.blocks)
        return list(grouped(blocks).items())

    @property
    def corpora_shown(self) -> list[tuple[str, list[tuple[Section, Block]]]]:
        """The same for the systems that have a card."""
        shown = {card.title for card in self.cards}
        kept = ((head, [each for each in blocks if each[0].title in shown]) for head, blocks in self.corpora)
        return [(heading, blocks) for heading, blocks in kept if blocks]

    @property
    def title(self) -> str:
        """What the page is."""
        if self._one_system:
            return self._translator.say("said.title_one", system=self.cards[0].title)
        return self._translator.say("said.title_several", count=count_systems(self.sections))

    @property
    def facts(self) -> list[str]:
        """The title, languages, and days of what was measured."""
        translator = self._translator
        languages = [translator.language(tag) for tag in self._languages if tag]
        dates = [translator.date(date) for date in self._document.dates]
        return [self.title, *languages, *dates]

    @property
    def headline(self) -> str:
        """What is said first: of the one system, or in how many of several a difference was found and the largest."""
        translator, first = self._translator, self.cards[0]
        said = translator.say("said.headline", system=self.title_of(first), sentence=first.words.headline)
        if len(self._tests) == 1:
            return said
        if not any(card.answers.findings for card in self.cards):
            return translator.say("said.no_finding")
        some, count = sum(self._tests.values()), len(self._tests)
        what = "tests" if self.by_language else "systems"
        if not some:
            return translator.say(f"said.none_of_{what}", count=count)
        key = f"said.found_in_{what}_one" if some == 1 else f"said.found_in_{what}"
        return f"{translator.say(key, some=some, count=count)} {said}"

    @property
    def _tests(self) -> dict[tuple[str, str], bool]:
        """Each system in each language with whether a difference was found, in its scores or in what it answers."""
        tests: dict[tuple[str, str], bool] = {}
        for card in self.cards:
            test = card.title.removesuffix(UNANSWERED), card.answers.language
            tests[test] = tests.get(test, False) or card.found
        return tests

    @property
    def by_language(self) -> bool:
        """Whether a system was tested in several languages, so that it has several cards."""
        return len(self._tests) > len({system for system, _ in self._tests})

    @property
    def about_cards(self) -> str:
        """Say what a card is, and whether the systems can be compared."""
        translator = self._translator
        texts = [translator.say("said.all_tested")]
        if self.by_language:
            texts.append(translator.say("said.card_each"))
        if len(self._tests) > 1 and (asked := self._asked):
            texts.append(translator.say(f"said.asked_{asked}"))
        return " ".join([*texts, translator.say("said.points_mean"), translator.say("said.order")])

    @property
    def _asked(self) -> Literal["alike", "by_language", "apart", ""]:
        """Whether all systems scored the same sentences, or all in one language did; empty where that is not known."""
        asked = {card.answers.asked for card in self.cards}
        if len(self._document.entries) == 1:
            return "alike"
        # Sentences without a checksum may differ under one name.
        known = all("#" in corpus for corpora in asked for corpus in corpora)
        if len(asked) == 1:
            return "alike" if known else ""
        places = {(card.answers.language, card.answers.asked) for card in self.cards}
        languages = {card.answers.language for card in self.cards}
        return "by_language" if known and len(places) == len(languages) < len(self._tests) else "apart"

    @property
    def wider(self) -> str:
        """Say of one system why a gap is not found while a smaller one is; empty where there is none."""
        return next(filter(None, (card.words.wider(card.lines) for card in self.cards)), "")

    @property
    def limits(self) -> list[str]:
        """What the findings of all systems do not show, each once."""
        texts = dict.fromkeys(text for card in self.cards for text in card.words.limits())
        return [*texts, *self._untested]

    @property
    def _untested(self) -> list[str]:
        """Say which system was not tested in which of the languages of the page."""
        translator, systems = self._translator, dict.fromkeys(system for system, _ in self._tests)
        languages = [tag for tag in dict.fromkeys(card.answers.language for card in self.cards) if tag]
        pairs = [(system, tag) for system in systems for tag in languages if (system, tag) not in self._tests]
        if not pairs or len(languages) < 2:
            return []
        if len(pairs) > UNTESTED:
            return [translator.say("said.untested_many", count=len(pairs))]
        named = translator.listed(f"{system} · {translator.language(tag)}" for system, tag in pairs)
        return [translator.say("said.untested", pairs=named)]

    @property
    def _one_system(self) -> bool:
        """Whether all cards are about one system, perhaps in several languages."""
        return len({card.title for card in self.cards}) == 1

    @property
    def also(self) -> str:
        """The other differences of the system whose headline is said; empty where there are none."""
        card, translator = self.cards[0], self._translator
        others = [line for line in card.every if line.finding.found and line.finding is not card.first]
        if not others or not card.found:
            return ""
        parts = [card.words.also(line.finding) for line in others[:ALSO]]
        listed = f"{translator.say('page.semicolon')} ".join(parts)
        if len(others) > ALSO:
            listed += f" {translator.say('headline.more', count=len(others) - ALSO)}"
        return translator.say("said.also", parts=listed)

    @property
    def single_signature(self) -> str:
        """The signature, where there is one result; others stand in the result file."""
        entries = self._document.entries
        return entries[0].result.signature if len(entries) == 1 else ""

    @property
    def first_drawn(self) -> SystemCard | None:
        """The first system whose comparisons are drawn: the marks are explained below these."""
        return next((card for card in self.cards if card.lines), None)

    def title_of(self, card: SystemCard) -> str:
        """Name a card, with its language where the page has several."""
        language = self._translator.language(card.answers.language) if card.answers.language else ""
        return f"{card.title} · {language}" if len(self._languages) > 1 and language else card.title

    def _marks(self, card: SystemCard) -> frozenset[str]:
        """Return the marks that are drawn of a system: of many only what is said first is."""
        first = self.first_line(card)
        if self.many:
            return marks_of([first] if first else [])
        return card.marks

    def first_line(self, card: SystemCard) -> FindingLine | None:
        """Return the line of what is said first."""
        return next((line for line in card.every if line.finding is card.first), None)

    def distinct(self, card: SystemCard) -> int | None:
        """Return how many different sentences a system scored, where that is known."""
        counts = self._document.distinct.get(card.answers.system, {})
        return counts.get(card.answers.language)


def _adjusted(document: Document, parts: Sequence[Unit]) -> str:
    """What to say of p in the tables of rows where it is adjusted, and so another thing than the interval."""
    if not any(judged.verdict.adjusted for unit in parts for judged in unit.rows):
        return ""
    default = (entry.result for entry in document.entries if entry.result.method == "default")
    ways = {bool(adjustment(result)) + adjusts_across(result) for result in default}
    if len(ways) > 1:
        return "method.adjusted_apart"
    return "method.adjusted_across" if ways == {2} else "method.adjusted"


def _fill(name: str, translator: Translator, **values: Any) -> str:
    """Fill a template; what it says is the language's."""
    functions = {"say": translator.say, "per_axis": PAIRS_PER_AXIS}
    return fill(HERE / name, FILTERS, translator=translator, **functions, **values)


def _bold(pieces: Sequence[Piece]) -> str:
    """Show a sentence in Markdown, its marked pieces bold; spaces stay outside, as Markdown wants them."""
    parts = []
    for text, changed in pieces:
        inner = text.strip()
        start, end = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
        parts.append(f"{start}**{marked(inner)}**{end}" if changed and inner else start + marked(inner) + end)
    return "".join(parts) if "".join(text for text, _ in pieces).strip() else ""


FILTERS: Final = {"direction": direction, "md": marked, "dots": dots, "bold": _bold}
"""What templates do to values, whatever the language."""
