"""The language of a report: its sentences, and how it writes numbers, groups and languages."""

from __future__ import annotations

import datetime
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, Final

import babel
from babel.dates import format_date
from babel.lists import format_list
from babel.numbers import parse_pattern

from eec_bias.reading import (
    BY,
    GROUP,
    GROUP_NAME,
    GROUP_NAME_WITHIN,
    GROUP_WITHIN,
    MEAN,
    MEANING,
    WRITTEN_OUT,
    Note,
    p_value,
    rounded,
)
from eec_datasets.errors import AuditError, FileProblems, Problems
from eec_datasets.locale.grammar import cldr
from eec_datasets.locale.reading import locales_folder, tags
from eec_datasets.locale.toml_file import TABLE, TEXT, TomlTable, read_toml
from eec_datasets.locale.words import TERRITORY
from eec_datasets.terminal import DASH

FOLDER: Final = Path(__file__).with_name("prose")
FALLBACK: Final = "en"
OF_THE_LANGUAGE: Final = ("groups", "notes", "reviews")
"""Tables in which a language has entries of its own; all else is as in English."""
SLOT: Final = re.compile(r"\{(\w*)\}")
POWER: Final = 0.8
"""Chance that a difference as large as what is called detectable is found."""
PAIR_WORDS: Final = {"female": ("she", "mother"), "male": ("he", "father")}
"""Ids of the pronoun and the noun by which a gender is quoted, in every language."""
ISOLATE, LEFT_TO_RIGHT, RIGHT_TO_LEFT, END = "\u2068", "\u2066", "\u2067", "\u2069"
"""Keep a word of another script, or a number, from turning the sentence around it."""

SIGNS: Final[dict[int, str | None]] = dict.fromkeys(map(ord, "\u061c\u200e\u200f")) | {ord("-"): "−"}
"""Direction marks that CLDR puts before signs go, as numbers are isolated here; a hyphen is no minus."""

ZEROS: Final = {
    "latn": "0", "arab": "٠", "arabext": "۰", "beng": "০", "deva": "०", "gujr": "૦", "guru": "੦", "khmr": "០",
    "mymr": "၀", "thai": "๐", "tibt": "༠",
}  # fmt: skip
"""The digit 0 of numbering systems; the other digits follow it in Unicode. babel writes signs only."""


class UnknownReportLanguage(AuditError):
    """CLDR does not know the language asked for."""


class BadProse(FileProblems, AuditError):
    """A file of a report's sentences cannot be used as it is."""


def available() -> list[str]:
    """Return the languages whose sentences there are."""
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


@dataclass(frozen=True, slots=True)
class Translator:
    """One language of reports.

    Attributes
    ----------
    locale
        What CLDR knows: numbers, names of languages and territories.
    prose
        Language of the sentences: the locale's where there are some, else English.
    texts
        The sentences, by table and key.
    reading
        The locale, where the sentences are its own; else theirs.
    system, digits
        Numbering system: the locale's, where its digits are known here; and these in place of 0 to 9.
    confidence
        Of the intervals that are written about; every sentence may name it.
    tested
        BCP 47 tag of the language of the sentences that were scored, whose own words are quoted; empty where not known.
    """

    locale: babel.Locale
    prose: str
    texts: Mapping[str, Any]
    reading: babel.Locale
    system: str
    digits: Mapping[int, int]
    confidence: float = 0.95
    tested: str = ""

    @property
    def tag(self) -> str:
        """BCP 47 tag of the sentences, with the territory where the locale has one and they are its own."""
        return str(self.reading).replace("_", "-")

    @property
    def direction(self) -> str:
        """``ltr`` or ``rtl``."""
        return direction(self.prose)

    def say(self, key: str, **values: object) -> str:
        """Return a sentence, ``table.key``, with its places filled; whole numbers are written as in its language."""
        table, _, name = key.partition(".")
        text: str = self.texts[table][name].translate(self.digits)
        named = {"level": self.confidence, "power": POWER, "alpha": round(1 - self.confidence, 12)}
        shares = {name: self.percent(share) for name, share in named.items() if f"{{{name}}}" in text}
        counts = {slot: self.count(value) for slot, value in values.items() if isinstance(value, int)}
        return text.format(**shares, **{slot: self.isolated(value) for slot, value in (values | counts).items()})

    def isolated(self, value: object) -> str:
        """Return a value as text, kept apart from the text around it where one of them runs from right to left."""
        text = str(value)
        directions = {unicodedata.bidirectional(letter) for letter in text}
        if self.direction == "ltr" and directions.isdisjoint(("R", "AL")):
            return text
        if ISOLATE in text:
            # What is only made of isolated parts has no direction of its own.
            return f"{LEFT_TO_RIGHT if self.direction == 'ltr' else RIGHT_TO_LEFT}{text}{END}"
        letters = not directions.isdisjoint(("L", "R", "AL"))
        return f"{ISOLATE if letters else LEFT_TO_RIGHT}{text}{END}"

    def number(self, value: float | None, *, signed: bool = False) -> str:
        """Write a number of the scores' own units with three significant digits; a dash where there is none."""
        if value is None:
            return DASH
        if not value:
            return self.count(0)
        pattern = "@@@" if WRITTEN_OUT[0] <= abs(value) < WRITTEN_OUT[1] else "0.00E0"
        # Rounded before, as babel counts the digits of 0.0999 in what it rounds to 0.100.
        return self._decimal(float(rounded(value)), f"+{pattern};-{pattern}" if signed else pattern)

    def points(self, value: float | None) -> str:
        """Write points of 100 with their sign: one digit after the point, small ones with one digit that counts."""
        if value is None:
            return DASH
        if value == 0:
            return self.count(0)
        if abs(value) < WRITTEN_OUT[0]:
            return self._decimal(float(f"{value:.0e}"), "+0E0;-0E0")
        pattern = "0.0" if abs(value) >= 0.05 else "@"
        return self._decimal(value, f"+{pattern};-{pattern}")

    def tick(self, value: float) -> str:
        """Write a number at an axis, with its sign and no more digits than it needs."""
        return f"+{self.short(value)}" if value > 0 else self.short(value)

    def percent(self, share: float) -> str:
        """Write a share in per cent with at most two significant digits."""
        pattern = self.locale.percent_formats[None].pattern.replace("#,##0", "@#" if share < 0.995 else "0")
        return self._decimal(float(f"{share:.1e}") if share < 0.995 else share, pattern)

    def date(self, iso: str) -> str:
        """Write a day that is given as ``2026-01-31``."""
        try:
            day = datetime.date.fromisoformat(iso)
        except ValueError:
            return iso
        return str(format_date(day, "long", locale=self.locale)).translate(self.digits)

    def year(self, value: float) -> str:
        """Write a year, which has no signs between its digits."""
        return self._decimal(value, "0")

    def short(self, value: float) -> str:
        """Write a number with no more digits than it needs, at most six decimals."""
        if value and not WRITTEN_OUT[0] <= abs(value) < WRITTEN_OUT[1]:
            return self._decimal(float(rounded(value)), "0.##E0")
        return self._decimal(value, "#,##0.######")

    def count(self, value: int) -> str:
        """Write a whole number."""
        return self._decimal(value, None)

    def value(self, value: Any) -> str:
        """Write any value of a table."""
        if isinstance(value, bool | str):
            return str(value)
        return self.count(value) if isinstance(value, int) else self.number(value)

    def probability(self, value: float | None) -> str:
        """Write a p-value: three decimals, ``< .001`` and ``> .999`` beyond; English leaves the zero out."""
        text = p_value(value)
        if self.locale.language == FALLBACK:
            return text
        return re.sub(r"\.\d+", lambda found: self._decimal(float(found[0]), "0.000"), text).translate(self.digits)

    def p_is(self, value: float | None, *, adjusted: bool = False) -> str:
        """Write a p-value for running text: ``p = .012``, ``p < .001``, ``p adj. = .012``."""
        text = self.probability(value)
        relation = text if text[0] in "<>" else f"= {text}"
        return self.say("reading.p_adj" if adjusted else "reading.p", relation=relation)

    def listed(self, parts: Iterable[str]) -> str:
        """Write several things in a row of running text."""
        return str(format_list([self.isolated(part) for part in parts], locale=self.reading))

    def note(self, note: Note) -> str:
        """Say a note in the language of the prose; in English where it has no sentence of that key."""
        if note.key in self._GROUPS:
            return self._GROUPS[note.key](self, note.values)
        if self.prose == FALLBACK or note.key not in self.texts["notes"]:
            if not any(isinstance(value, Note) for value in note.values.values()):
                return str(note)
            inside = {name: self.note(each) if isinstance(each, Note) else each for name, each in note.values.items()}
            return str(Note(note.key, inside, note.saved))
        text: str = self.texts["notes"][note.key].translate(self.digits)
        return text.format(**{name: self.isolated(self._in_note(value)) for name, value in note.values.items()})

    def sentence(self, note: Note) -> str:
        """Say a note as a sentence by itself."""
        text = self.note(note)
        return f"{text[:1].upper()}{text[1:]}."

    def _people(self, about: Mapping[str, Any]) -> str:
        """End the words "sentences …" with a group, or with a group within another."""
        axes, level, subset, own = about["axes"], about["level"], about["subset"], about.get("own")
        within = str(about.get("within", ""))
        if own:
            text = self.labelled(axes, level)
        elif within and (crossed := self._crossed(axes, level, within, f".{subset}", "sentences")):
            return crossed
        else:
            text = self.sentences(axes, level, subset)
        return f"{text} ({self.condition(within)})" if within else text

    def _group_name(self, about: Mapping[str, Any]) -> str:
        """Name a group in the plural, or a group within another."""
        axes, level, within = about["axes"], about["level"], str(about.get("within", ""))
        if within and (crossed := self._crossed(axes, level, within, "", "people")):
            return crossed
        name = self.texts["people"].get(f"{axes}.{level}") or self.group(axes, level)
        return self.say("people.within", group=name, within=self._condition_names(within)) if within else name

    def _condition_names(self, within: str) -> str:
        """Name the groups that a comparison is made within: ``gender=female`` as ``women``."""
        parts = [part.partition("=") for part in within.split(",")]
        return " · ".join(self._group_name({"axes": axis, "level": level}) for axis, _, level in parts)

    def _crossed(self, axis: str, level: str, within: str, ending: str, table: str) -> str:
        """Find words for a group within one other, such as Latinas; empty without such words."""
        other, _, label = within.partition("=")
        names = f"{other}+{axis}.{label}:{level}{ending}", f"{axis}+{other}.{level}:{label}{ending}"
        return next((self.texts[table][name] for name in names if name in self.texts[table]), "")

    def _by(self, about: Mapping[str, Any]) -> str:
        """Say how persons are mentioned."""
        return str(self.texts["by"].get(about["subset"]) or self.subset(about["subset"]))

    def _meaning(self, about: Mapping[str, Any]) -> str:
        """Say what a higher score means, in parentheses."""
        meaning = about["meaning"]
        text: str = self.texts["meaning"].get(meaning) or self.texts["meaning"]["other"]
        return f" {text.format(meaning=self.isolated(meaning))}"

    _GROUPS: ClassVar[dict[str, Callable[[Translator, Mapping[str, Any]], str]]] = {
        GROUP: _people,
        GROUP_WITHIN: _people,
        GROUP_NAME: _group_name,
        GROUP_NAME_WITHIN: _group_name,
        BY: _by,
        MEANING: _meaning,
    }
    """The notes that a report says better than their own sentence, which knows labels only."""

    def notes(self, notes: Iterable[Note]) -> str:
        """Say several notes in a row."""
        return f"{self.say('page.semicolon')} ".join(map(self.note, notes))

    def review(self, text: str) -> str:
        """Say how far readers have checked a corpus, as far as the prose knows the words."""
        parts = (self._reviewed(part) for part in text.split("; "))
        return f"{self.say('page.semicolon')} ".join(parts)

    def _reviewed(self, part: str) -> str:
        for pattern, translation in _reviews(self.prose):
            if match := pattern.fullmatch(part):
                values = {place: self.isolated(value) for place, value in match.groupdict().items()}
                return translation.format(**values).translate(self.digits)
        return part

    def _in_note(self, value: Any) -> str:
        """Write what stands in a place of a note: a note, a number, or a label by its name."""
        if isinstance(value, Note):
            return self.note(value)
        if isinstance(value, int):
            return self.count(value)
        return self.short(value) if isinstance(value, float) else self._label(value)

    def interval(self, row: Mapping[str, Any]) -> str:
        """Write the interval of a row of terms."""
        if row["ci_low"] is None or row["ci_high"] is None:
            return DASH
        low, high = (self.number(row[key], signed=True) for key in ("ci_low", "ci_high"))
        # Commas part decimals in many languages.
        between = "," if self.locale.language == FALLBACK else self.locale.number_symbols[self.system]["list"]
        return f"[{self.isolated(low)}{between} {self.isolated(high)}]"

    def language(self, tag: str) -> str:
        """Name a language in the language of the report; its tag where CLDR has no name."""
        locale = cldr(tag)
        return (locale.get_display_name(self.locale) if locale else None) or tag

    def axis(self, name: str) -> str:
        """Name an axis or a term: several axes, or one at a level of another (``race|gender=female``)."""
        term, _, condition = name.partition("|")
        written = ":".join(str(self.texts["axes"].get(part, part)) for part in term.split(":"))
        return f"{written} | {self.condition(condition)}" if condition else written

    def condition(self, text: str) -> str:
        """Write the levels that a simple effect is held at, ``gender=female``."""
        parts = [part.partition("=") for part in text.split(",")]
        return " · ".join(f"{self.axis(axis)} = {self.group(axis, level)}" for axis, _, level in parts)

    def subset(self, name: str) -> str:
        """Name the sentences a row was measured on."""
        return str(self.texts["subsets"].get(name, name))

    def group(self, axes: str, level: str) -> str:
        """Name a group: by the prose, CLDR or the locale's words where they have a name; else its label.

        Parameters
        ----------
        axes
            One axis, or several joined by ``+``; then the levels are joined by ``:``.
        level
            Label as in the data.
        """
        names, levels = axes.split("+"), level.split(":")
        if len(names) != len(levels):
            return level
        return ":".join(self._one_group(axis, label) for axis, label in zip(names, levels, strict=True))

    def groups(self, labels: Mapping[str, str]) -> str:
        """Name a person's groups, by axis; gender last, as people say it."""
        ordered = sorted(labels.items(), key=lambda label: label[0] == "gender")
        return " · ".join(self.group(axis, level) for axis, level in ordered)

    def people(self, labels: Mapping[str, str]) -> str:
        """Name the persons of several groups at once, such as Black women; the groups, where there is no such name."""
        ordered = sorted(labels.items(), key=lambda label: label[0] == "gender")
        key = f"{'+'.join(axis for axis, _ in ordered)}.{':'.join(level for _, level in ordered)}"
        return str(self.texts["people"].get(key) or self.groups(labels))

    def any_group(self, label: str) -> str:
        """Name a group of which only the label is known; several levels joined by ``+``."""
        name_of = {level: name for names in self.texts["groups"].values() for level, name in names.items()}
        return " · ".join(str(name_of.get(level, level)) for level in label.split("+"))

    def sentences(self, axis: str, level: str, subset: str) -> str:
        """Complete “scores for sentences …” for a group."""
        text = self.phrase(axis, level, subset) or self.texts["sentences"].get(f"{axis}.{level}", "")
        text = text or self.texts["sentences"].get(axis, "")
        return text.format(label=self.isolated(self._one_group(axis, level))) or self.labelled(axis, level)

    def labelled(self, axis: str, level: str) -> str:
        """Complete “scores for sentences …” for a group of which nothing but its label is known."""
        return self.say("sentences.generic", label=self._one_group(axis, level), axis=self.axis(axis))

    def phrase(self, axes: str, level: str, subset: str) -> str:
        """Complete “scores for sentences …” for a group of one axis or two, on these sentences; empty without words."""
        text = str(self.texts["sentences"].get(f"{axes}.{level}.{subset.partition(':')[0]}", ""))
        if "{pronoun}" not in text:
            return text
        words = pair_words(self.tested).get(level, {})
        return text.format(**{name: self.isolated(word) for name, word in words.items()}) if words else ""

    def _one_group(self, axis: str, label: str) -> str:
        names: dict[str, str] = self.texts["groups"].get(axis, {})
        if label in names:
            return names[label]
        if self.prose == FALLBACK and self.locale.language == FALLBACK:
            return label
        if axis == "country" and (code := _territories().get(label)) and code in self.locale.territories:
            return str(self.locale.territories[code])
        return label

    def _label(self, part: str) -> str:
        """Name a word of results, an axis or a group; as it is where it has no name."""
        terms = self.texts["facets"] | self.texts["subsets"] | self.texts["axes"]
        terms |= {MEAN: self.texts["head"]["mean_of_all"]}
        name: str | None = terms.get(part)
        return name or (part if part.startswith("+") else self.any_group(part))

    def _decimal(self, value: float, pattern: str | None) -> str:
        parsed = self.locale.decimal_formats[None] if pattern is None else _parsed(pattern)
        text: str = parsed.apply(value, self.locale, numbering_system=self.system)
        return text.translate(SIGNS).translate(self.digits)


_parsed = cache(parse_pattern)


def direction(tag: str) -> str:
    """Return ``rtl`` for languages written from right to left, else ``ltr``."""
    locale = cldr(tag) if tag else None
    return str(locale.text_direction) if locale else "ltr"


def load_translator(tag: str = FALLBACK) -> Translator:
    """Return the language of a report.

    Parameters
    ----------
    tag
        BCP 47 tag such as ``es`` or ``ar-EG``. Languages without sentences of their own get English ones.

    Raises
    ------
    UnknownReportLanguage
        CLDR does not know it.
    BadProse
        Its sentences lack some of the English ones, or have others.
    """
    locale = cldr(tag.replace("_", "-"))
    if locale is None:
        raise UnknownReportLanguage(
            f"report language {tag}: CLDR knows no such language. Give a tag such as en, es or ar-EG; "
            f"sentences are there in: {', '.join(available())}."
        )
    prose = locale.language if locale.language in available() else FALLBACK
    system = locale.default_numbering_system if locale.default_numbering_system in ZEROS else "latn"
    digits = {ord("0") + digit: ord(ZEROS[system]) + digit for digit in range(10)}
    reading = locale if locale.language == prose else babel.Locale(prose)
    return Translator(locale, prose, _texts(prose), reading, system, digits)


@cache
def _texts(language: str) -> Mapping[str, Any]:
    problems = Problems()
    path = FOLDER / f"{language}.toml"
    file = read_toml(path, problems)
    if file.data and language != FALLBACK:
        _compare(file, _texts(FALLBACK))
    if problems:
        raise BadProse(f"sentences of reports in {path}", problems.found)
    return file.data


def _compare(table: TomlTable, english: Mapping[str, Any]) -> None:
    """Note where the sentences of a table are not those of the English one, or have other places."""
    known = {key: TABLE if isinstance(value, dict) else TEXT for key, value in english.items()}
    for key, value in table.checked(known, known, f"Write it as in {FALLBACK}.toml").data.items():
        if isinstance(value, str):
            if unknown := set(SLOT.findall(value)) - set(SLOT.findall(english[key])):
                slots = ", ".join(f"{{{slot}}}" for slot in sorted(unknown))
                table.report(
                    f"'{'.'.join((*table.keys, key))}' has the places {slots}", f"Keep to those in {FALLBACK}.toml", key
                )
        elif key not in OF_THE_LANGUAGE:
            _compare(table.table(key), english[key])


@cache
def _reviews(language: str) -> list[tuple[re.Pattern[str], str]]:
    translations: Mapping[str, str] = _texts(language)["reviews"]
    patterns = {text: re.sub(r"\\{(\w+)\\}", r"(?P<\1>.+)", re.escape(text)) for text in translations}
    return [(re.compile(pattern), translations[text]) for text, pattern in patterns.items()]


@cache
def pair_words(tag: str) -> Mapping[str, Mapping[str, str]]:
    """Return by gender a ``pronoun`` and a ``noun`` of a language, such as *she* and *my mother*; none if not known."""
    import csv

    path = locales_folder() / tag / "persons.csv"
    if tag not in tags() or not path.is_file():
        return {}
    rows = csv.DictReader(path.read_text(encoding="utf-8").splitlines())
    forms = {row.get("id"): row.get("nom") for row in rows if row.get("set") in ("pronouns", "noun-phrases")}
    known: dict[str, Mapping[str, str]] = {}
    for gender, (pronoun, noun) in PAIR_WORDS.items():
        words = {"pronoun": forms.get(pronoun) or "", "noun": forms.get(noun) or ""}
        if all(words.values()):
            known[gender] = words
    return known


@cache
def _territories() -> Mapping[str, str]:
    """Return code by label of the axis country, from the locales' own lists."""
    import csv

    files = (path.read_text(encoding="utf-8") for path in locales_folder().glob("*/country.csv"))
    rows = [row for text in files for row in csv.DictReader(text.splitlines())]
    return {row["level"]: code[1] for row in rows if (code := TERRITORY.search(row["form"]))}
