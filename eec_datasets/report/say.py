"""One voice: words for numbers, groups, questions and answers in one language."""

from __future__ import annotations

import datetime
import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from babel import Locale, UnknownLocaleError
from babel.dates import format_date

from eec_datasets.report import numbers
from eec_datasets.report.measured import ComparisonLike, NoteLike
from eec_datasets.report.numbers import Rounding, Unit
from eec_datasets.report.text import Text, fill, joined, of, plain
from eec_datasets.report.words import notes_in, words_of

Surface = Literal["audit", "measure", "python", "app"]
"""Places that make a page; the page names the settings that a reader has there."""

MEAN = "mean"
NAMED = ("names",)


@dataclass(frozen=True, slots=True)
class GroupPhrases:
    """A group of a comparison in the phrases that sentences need.

    Attributes
    ----------
    end : str
        At the end of an axis: *Black*, *women*.
    people : str
        *Black women*.
    names : str
        *Black women’s names*.
    who : str
        The subject of an answer: *women*, *Black names*.
    whose : str
        *women’s*, before an emotion in English and after it in Spanish.
    about, scope : Text
        *about women*; what a sentence is said to be with: *with she*, *with Black people’s names*.
    words, one : Text
        Words that stand for the group: *she, my mother*; one of them: *she*.
    """

    end: str
    people: str
    names: str
    who: str
    whose: str
    about: Text
    scope: Text
    words: Text
    one: Text


class Say:
    """Words of one language.

    Parameters
    ----------
    language : str
        A language with a file of words: ``en``, ``es``, ``ar``.
    surface : str
        Where the page is made.

    Raises
    ------
    ValueError
        If there is no such file.
    """

    def __init__(self, language: str = "en", surface: Surface = "audit") -> None:
        self.language = language
        self.surface = surface
        self.words = words_of(language)
        self.locale = Locale.parse(language)
        self.direction: Literal["ltr", "rtl"] = "rtl" if self.locale.text_direction == "rtl" else "ltr"

    def template(self, key: str) -> Any:
        """Return the words under a key such as ``headline.gap``."""
        found: Any = self.words
        for part in key.split("."):
            found = found[part]
        return found

    def __call__(self, key: str, **values: str | Text) -> Text:
        """Say the words under a key, with its fields filled in."""
        return fill(self.template(key), **values)

    def filled(self, template: str, **values: str | Text) -> Text:
        """Say a template that stands in a list of words, with its fields filled in."""
        return fill(template, **values)

    def text(self, key: str, **values: str | Text) -> str:
        """Say the words under a key as plain text."""
        return plain(self(key, **values))

    def hint(self, key: str) -> Text:
        """Say how a reader sets what a page does not know, such as ``high_means``; nothing if there is no way."""
        return self(f"hint.{self.surface}.{key}")

    # Numbers

    def number(self, value: float, decimals: int = 0) -> str:
        """Write a number without a sign, in the digits of the language."""
        words = self.words["language"]
        written = f"{abs(value):,.{decimals}f}"
        written = written.replace(",", "\0").replace(".", words["decimal"]).replace("\0", words["thousands"])
        return self._in_digits(written)

    def count(self, key: str, value: float, shown: str | None = None, **values: str) -> str:
        """Say a number of things, in the plural form that the number asks for: *1 point*, *8 points*."""
        forms = self.words["count"][key]
        form = self.locale.plural_form(abs(value)) if float(value).is_integer() else self.locale.plural_form(value)
        return self._fill(forms.get(form, forms["other"]), n=shown or self.number(value), **values)

    def _fill(self, template: str, **values: str) -> str:
        return plain(fill(template, **values))

    def bare(self, size: float, rounding: Rounding) -> str:
        """Say a size without its unit: *8*, *under 1*."""
        if rounding.is_under(size) and abs(size) > numbers.EXACT:
            return self.text("number.under", n=self.number(rounding.step, rounding.decimals))
        return self.number(rounding.near(size), rounding.decimals)

    def size(self, size: float, unit: Unit, rounding: Rounding) -> str:
        """Say a size with its unit: *8 points*, *19 of 100*, *under 1 point*."""
        shown = self.bare(size, rounding)
        value = rounding.near(size)
        if rounding.is_under(size) and abs(size) > numbers.EXACT:
            value = rounding.step
        return self.with_unit(shown, value, unit)

    def with_unit(self, shown: str, value: float, unit: Unit) -> str:
        """Put a unit to a number that is already written."""
        if unit == "points":
            return self.count("points", value, shown)
        return self.text("number.of_100" if unit == "of_100" else "number.units", n=shown)

    def ends(self, low: float, high: float, rounding: Rounding) -> tuple[str, str]:
        """Write the ends of the true gap, outwards; an end that would become 0 is rounded as usual."""
        near, far = numbers.ends(low, high)
        small = self.number(rounding.down(near), rounding.decimals)
        if rounding.down(near) < rounding.step / 2:
            rounded = rounding.near(near)
            small = self.number(rounded, rounding.decimals)
            if rounded < rounding.step / 2:
                small = self.text("number.under", n=self.number(rounding.step, rounding.decimals))
        large = self.number(rounding.up(far), rounding.decimals)
        if small == large:
            finer = rounding.decimals + 1
            return self.number(near, finer), self.number(far, finer)
        return small, large

    def range(self, low: float, high: float, rounding: Rounding) -> str:
        """Say the range of a true gap: *1 to 16*."""
        small, large = self.ends(low, high, rounding)
        if small == large:
            return small
        return self.text("number.range", low=small, high=large)

    def reach(self, low: float, high: float, rounding: Rounding) -> str:
        """Write how far a range reaches from 0, outwards: *7*, or *1* if it is less."""
        return self.number(max(rounding.up(numbers.reach(low, high)), rounding.step), rounding.decimals)

    def at_most(self, low: float, high: float, rounding: Rounding) -> str:
        """Say how large a gap may be that was not detected, in either direction: *at most 7*."""
        far = numbers.reach(low, high)
        key = "under" if rounding.is_under(far) else "at_most"
        return self.text(f"number.{key}", n=self.reach(low, high, rounding))

    def share(self, part: float, whole: float) -> str:
        """Say which share one printed number is of another: *more than a quarter*."""
        name, how = numbers.share_of(part, whole)
        if how == "longer":
            return self.text("share.longer")
        if name == "whole" and how == "less":
            return self.text("share.nearly")
        return self.text(f"share.{how}", share=self.template(f"share.{name}"))

    # Lists, languages, dates

    def listing(self, parts: Sequence[Text]) -> Text:
        """Join texts as a list: *anger, fear and sadness*."""
        if len(parts) < 2:
            return tuple(span for part in parts for span in part)
        first = joined(parts[:-1], self.words["language"]["listed"])
        return self("language.and", first=first, last=parts[-1])

    def quoted(self, words: str) -> str:
        """Put words in the quotation marks of the language."""
        return self.text("language.quote", text=words)

    def language_name(self, tag: str) -> str:
        """Name a language in the words of this one; a tag that nobody knows stays as it is."""
        try:
            name = Locale.parse(tag, sep="-").get_display_name(self.language)
        except (UnknownLocaleError, ValueError):
            return tag
        return str(name) if name else tag

    def date(self, day: datetime.date) -> str:
        """Write a date."""
        written = format_date(day, self.template("language.date"), locale=self.locale)
        return self._in_digits(str(written))

    # What a score means

    def more(self, meaning: str) -> str:
        """Say what more of a score is: *more positive*."""
        return self._of_meaning("more", meaning)

    def less(self, meaning: str) -> str:
        """Say what less of a score is: *less positive*."""
        return self._of_meaning("less", meaning)

    def high(self, meaning: str) -> Text:
        """Say what a high score means, or that nobody said."""
        if not meaning:
            return self("high.unknown", hint=self.hint("high_means"))
        known = meaning if meaning in self.words["high"] else "other"
        return self(f"high.{known}", **({"meaning": self.quoted(meaning)} if known == "other" else {}))

    def _of_meaning(self, section: str, meaning: str) -> str:
        if not meaning:
            return self.text(f"{section}.unknown")
        if meaning in self.words[section]:
            return self.text(f"{section}.{meaning}")
        return self.text(f"{section}.other", meaning=self.quoted(meaning))

    # Notes

    def note(self, note: NoteLike) -> str:
        """Say a note in the language of the page; in English if it has no sentence for it."""
        template = notes_in(self.language).get(note.key)
        if template is None:
            return str(note)
        values = {name: self._in_note(value) for name, value in note.values.items()}
        return self._in_digits(template).format(**values)

    def _in_note(self, value: Any) -> str:
        if isinstance(value, int | float):
            digits = 3 if isinstance(value, float) and abs(value) < 100 else 12
            return self._in_digits(f"{value:.{digits}g}".replace(".", self.words["language"]["decimal"]))
        return value if isinstance(value, str) else self.note(value)

    def _in_digits(self, text: str) -> str:
        return text.translate(str.maketrans("0123456789", self.words["language"]["digits"]))

    # Groups

    def group(self, levels: dict[str, str], subset: str) -> GroupPhrases:
        """Return the phrases for people of some levels, such as Black women.

        Parameters
        ----------
        levels : dict of str to str
            The level of each axis, the axis compared first.
        subset : str
            The kind of sentences: ``names``, ``pairs``, ``phrases``, ``mentions``.
        """
        axis, level = next(iter(levels.items()))
        if level == MEAN:
            mean = self.text("other_group.mean")
            return GroupPhrases(mean, mean, mean, mean, mean, of(mean), of(mean), of(mean), of(mean))
        known = self._known(axis, level)
        end = known.get("end", known["people"])
        kind, people = self._people(levels)
        named_gender = axis == "gender" and len(levels) == 1
        forms = self.words["forms"][kind]
        alone = known if len(levels) == 1 else {}
        names = self._fill(alone.get("names", forms["names"]), people=people)
        whose = self._fill(alone.get("whose", forms["whose"]), people=people)
        about = fill(forms["about"], people=people)
        if named_gender or subset != "names":
            who = people
        else:
            who = self._fill(forms["who_names"], people=people, end=end)
        if subset == "names":
            scope = self("with.names", names=names)
        elif subset == "pairs" and "with_pairs" in alone:
            scope = fill(alone["with_pairs"])
        else:
            scope = self("with.people", about=about)
        words = fill(alone["words"]) if "words" in alone else of(people)
        one = fill(alone["one"]) if "one" in alone else of(people)
        return GroupPhrases(end, people, names, who, whose, about, scope, words, one)

    def _known(self, axis: str, level: str) -> dict[str, str]:
        known: dict[str, str] | None = self.words["groups"].get(axis, {}).get(level)
        if known is not None:
            return known
        if axis == "country":
            name = _territory(level, self.language)
            return {"end": name, "people": self.text("other_group.country", label=name)}
        label = self.quoted(level)
        return {key: self.text(f"other_group.{key}", label=label) for key in ("people", "names")} | {"end": level}

    def _people(self, levels: dict[str, str]) -> tuple[str, str]:
        """Return the kind of people, and their phrase: *women*, *Black women*."""
        gender = levels.get("gender")
        others = {axis: level for axis, level in levels.items() if axis != "gender"}
        if not others:
            kind = {"female": "women", "male": "men"}.get(str(gender), "people")
            return kind, self._known("gender", str(gender))["people"]
        phrases = [self._known(axis, level) for axis, level in others.items()]
        people = plain(self.listing([of(phrase["people"]) for phrase in phrases]))
        kind = {"female": "women", "male": "men"}.get(str(gender), "people")
        if kind == "people":
            return kind, people
        if len(phrases) == 1 and kind in phrases[0]:
            return kind, phrases[0][kind]
        return kind, self.text(f"forms.among.{kind}", people=people)

    def groups(self, comparison: ComparisonLike, *, anywhere: bool = False) -> tuple[GroupPhrases, GroupPhrases]:
        """Return the two groups of a comparison; of an interaction those whose gaps are compared.

        Parameters
        ----------
        comparison : ComparisonLike
            The comparison.
        anywhere : bool
            If the groups among whom it is asked are left out.
        """
        levels, references = sides(comparison, within=not anywhere)
        return self.group(levels, comparison.subset), self.group(references, comparison.subset)

    def compared_gap(self, comparison: ComparisonLike) -> tuple[GroupPhrases, GroupPhrases]:
        """Return the two groups of an interaction between whom the gap is: women and men."""
        axes = comparison.axes.split("+")
        level, reference = _parts(comparison.level), _parts(comparison.reference)
        inner = axes[-1]
        second = reference[-1] if len(reference) == len(axes) else MEAN
        return (
            self.group({inner: level[-1]}, comparison.subset),
            self.group({inner: second}, comparison.subset),
        )

    # Questions

    def question(self, comparison: ComparisonLike, *, short: bool = False) -> Text:
        """Name what is compared: *Women and men, by first name*; short below a heading that says who."""
        first, second = self.groups(comparison, anywhere=True)
        if comparison.is_interaction:
            inner, outer = self.compared_gap(comparison)
            said = self("question.interaction", a=first.end, b=second.end, c=inner.end, d=outer.end)
        elif comparison.reference == MEAN:
            said = self("question.mean", people=first.people)
        elif comparison.axes == "gender" and {comparison.level, comparison.reference} == {"female", "male"}:
            key = f"question.gender_{comparison.subset}"
            key = key if comparison.subset in ("names", "pairs", "phrases", "mentions") else "question.gender_phrases"
            said = self(f"{key}_short" if short else key, a=first.words, b=second.words)
        elif comparison.axes == "gender":
            said = self("question.genders", a=first.people, b=second.people)
        elif comparison.subset == "names":
            said = self("question.names", a=first.end, b=second.end)
        elif comparison.subset == "mentions":
            said = self("question.mentions", a=first.people, b=second.people)
        else:
            said = self("question.people", a=first.people, b=second.people)
        within = within_of(comparison)
        if within:
            said = self("question.within", question=said, people=self._people(within)[1])
        if comparison.agreement:
            said = self(f"question.{comparison.agreement}", question=said)
        return self("question.part", question=said, part=comparison.stratum) if comparison.stratum else said

    def between(self, comparison: ComparisonLike, *, turned: bool = False) -> Text:
        """Name both groups after *the gap between*: *white and Black names*, *women and men*."""
        first, second = self.groups(comparison)
        if turned:
            first, second = second, first
        if comparison.subset == "names" and comparison.axes != "gender" and not comparison.within:
            return self("between.names", a=first.end, b=second.end)
        return self("between.people", a=first.people, b=second.people)

    def heading(self, comparison: ComparisonLike) -> Text:
        """Name the block of rows that a comparison belongs to."""
        if comparison.is_interaction:
            return self("axes.interactions")
        if comparison.subset == "mentions" and comparison.axes != "gender":
            return self("axes.mentions")
        return self.axis(comparison.axes)

    def axis(self, axis: str) -> Text:
        """Name the groups of an axis: *Women and men*."""
        if axis in self.words["axes"]:
            return self(f"axes.{axis}")
        return self("axes.other", axis=axis)

    def emotion(self, emotion: str, section: str = "emotion_of") -> str:
        """Name an emotion: *joy*, or *joyful sentences* in a row."""
        return str(self.words[section].get(emotion, emotion))


def _parts(level: str) -> list[str]:
    return str(level).split(":")


def within_of(comparison: ComparisonLike) -> dict[str, str]:
    """Return the groups among which a comparison is asked: ``{"gender": "female"}``."""
    return dict(part.split("=", 1) for part in comparison.within.split(",") if "=" in part)


def sides(comparison: ComparisonLike, *, within: bool) -> tuple[dict[str, str], dict[str, str]]:
    """Return the levels of both groups by axis, if asked with those of the groups among whom it is asked."""
    outer = comparison.axes.split("+")[0]
    level, reference = _parts(comparison.level)[0], _parts(comparison.reference)[0]
    among = within_of(comparison) if within else {}
    return {outer: level, **among}, {outer: reference, **({} if reference == MEAN else among)}


@functools.cache
def _territories() -> dict[str, str]:
    return {str(name): str(code) for code, name in Locale("en").territories.items()}


def _territory(label: str, language: str) -> str:
    """Return the name of a country in a language, by its English name."""
    code = _territories().get(label)
    name = Locale.parse(language).territories.get(code) if code else None
    return str(name or label)
