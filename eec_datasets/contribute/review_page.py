"""``eec locale review``: one page on which a native reader judges sentences, and which saves what they said."""

from __future__ import annotations

import tomllib
from dataclasses import asdict, dataclass
from datetime import date
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import babel
from babel.core import get_global
from babel.dates import format_date

from eec_datasets.contribute.review_choice import choose_sentences
from eec_datasets.contribute.saved_reviews import LONGEST_NAME, LONGEST_TEXT
from eec_datasets.documents import fill
from eec_datasets.errors import InputError
from eec_datasets.locale.grammar import cldr
from eec_datasets.locale.reading import corpus_facts, load_locale, locales_folder
from eec_datasets.locale.reviews import LICENCE, VERDICTS, hash_of
from eec_datasets.locale.words import countries

if TYPE_CHECKING:
    from collections.abc import Mapping

    from eec_datasets.contribute.review_choice import ReviewChoice, ToJudge

HERE: Final = Path(__file__).parent
TEXTS: Final = HERE / "review_texts"
FALLBACK: Final = "en"
SENTENCES: Final = 88
"""So many show each of 75 templates, and a question after every seven."""
SENDING: Final = ("https://", "mailto:")
"""Beginnings of an address that a review may be sent to."""


@dataclass(frozen=True, slots=True)
class ReviewPage:
    """The content of the page.

    Attributes
    ----------
    ui : language of everything but the sentences.
    language : the name of the language in `ui`.
    countries : code and name, those where the language is spoken first.
    address, address_shown : where a review may be sent; empty where the project names no place.
    parts : how many pages there are, of which this is one.
    names : how many names it shows.
    """

    tag: str
    direction: str
    ui: str
    ui_direction: str
    language: str
    countries: list[tuple[str, str]]
    address: str
    address_shown: str
    parts: int
    names: int
    sentences: tuple[ToJudge, ...]


@cache
def page_texts(ui: str) -> Mapping[str, Any]:
    """Return what the page says in a language."""
    return tomllib.loads((TEXTS / f"{ui}.toml").read_text(encoding="utf-8"))


def page_languages() -> list[str]:
    """The languages that the page itself speaks."""
    return sorted(path.stem for path in TEXTS.glob("*.toml"))


def review_page(
    tag: str,
    *,
    count: int = SENTENCES,
    part: int = 1,
    region: str | None = None,
    today: date | None = None,
    root: Path | None = None,
) -> tuple[str, ReviewChoice]:
    """A page that stands alone, and what is on it.

    Parameters
    ----------
    tag : of a language; the page speaks it where its own words are there in it, else English.
    count, part, region : see `choose_sentences`.
    today : date of the page.

    Raises
    ------
    InputError
        There is no such language, it has no config, there is no such part, or the address in ``corpus.toml`` is none.
    FileProblems
        The language cannot be read.
    """
    root = root or locales_folder()
    if not load_locale(tag, root).configs:
        raise InputError(f"the language '{tag}' has no config yet. Write one into its locale.toml")
    choice = choose_sentences(tag, count, part, region, root)
    if not choice.sentences:
        raise InputError(
            f"the language '{tag}' has no part {part} of {count} sentences: fewer show everything. Choose a lower part"
        )
    today = today or date.today()
    base = tag.partition("-")[0]
    ui = base if base in page_languages() else FALLBACK
    language, speaking = _known(choice.variety), _known(ui)
    version = str(corpus_facts(root)["version"])
    name = language.get_display_name(speaking) or tag
    forms, all_forms = choice.shown["form"]
    say = _filled(
        page_texts(ui),
        language=name,
        licence=LICENCE,
        version=version,
        date=format_date(today, "long", locale=speaking).removesuffix("."),
        part=str(part),
        parts=str(choice.parts),
        forms=str(forms),
        all_forms=str(all_forms),
        names=str(choice.shown["name"][0]),
        all_names=str(choice.shown["name"][1]),
    )
    address = review_address(root)
    page = ReviewPage(
        tag=tag,
        direction=language.text_direction,
        ui=ui,
        ui_direction=speaking.text_direction,
        language=name,
        countries=_countries(base, ui),
        address=address,
        address_shown=address.removeprefix("mailto:").removeprefix("https://"),
        parts=choice.parts,
        names=choice.shown["name"][0],
        sentences=choice.sentences,
    )
    sentences = [
        {**asdict(each.key), "text": each.text, "hash": hash_of(each.text), "question": each.question}
        for each in choice.sentences
    ]
    data = {
        "language": tag, "version": version, "page": hash_of("\n".join(each.text for each in choice.sentences)),
        "licence": LICENCE, "say": say, "sentences": sentences,
    }  # fmt: skip
    html = fill(
        HERE / "review.html.jinja",
        page=page,
        say=say,
        data=data,
        verdicts=VERDICTS,
        longest=LONGEST_TEXT,
        longest_name=LONGEST_NAME,
        style=_raw("review.css"),
        script=_raw("review.js"),
    )
    return html, choice


def review_address(root: Path) -> str:
    """Return where readers may send what they saved (``corpus.toml``, ``[reviews] address``); empty without a place.

    Raises
    ------
    InputError
        The address is neither an https address nor a mailto address.
    """
    address = str(corpus_facts(root).get("reviews", {}).get("address", ""))
    if address and (not address.startswith(SENDING) or any(c.isspace() or c in "<>\"'" for c in address)):
        raise InputError(
            f"the address for reviews in {root / 'corpus.toml'} is {address!r}; expected one that begins with "
            f"{' or '.join(SENDING)}, such as mailto:reviews@example.org. Mend it, or take it out: readers then hand "
            "their file to whoever gave them the page"
        )
    return address


def _known(tag: str) -> babel.Locale:
    language = cldr(tag)
    if language is None:
        raise InputError(f"CLDR does not know the language tag '{tag}', so a page cannot name it")
    return language


def _filled(texts: Mapping[str, Any], **values: str) -> dict[str, Any]:
    """The texts with values in them; what a browser fills in stays."""

    def filled(text: str) -> str:
        for key, value in values.items():
            text = text.replace(f"{{{key}}}", value)
        return text

    return {key: list(map(filled, text)) if isinstance(text, list) else filled(text) for key, text in texts.items()}


def _countries(base: str, ui: str) -> list[tuple[str, str]]:
    """Countries by their names in the language of the page, those where the language is spoken first."""
    names = countries(ui)
    spoken = {code for code, languages in get_global("territory_languages").items() if base in languages}
    official = {
        code
        for code in spoken
        if get_global("territory_languages")[code][base].get("official_status") in ("official", "de_facto_official")
    }
    return sorted(names.items(), key=lambda entry: (entry[0] not in official, entry[0] not in spoken, entry[1]))


@cache
def _raw(name: str) -> Any:
    """A file of the page's own, which is not escaped."""
    from markupsafe import Markup

    return Markup((HERE / name).read_text(encoding="utf-8").strip())
