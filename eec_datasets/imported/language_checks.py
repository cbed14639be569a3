"""Checks that rest on a locale of ours: spelling, the case of the person, articles, agreement."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from functools import lru_cache
from typing import TYPE_CHECKING

from eec_datasets.checks.text import RowDefect
from eec_datasets.errors import NoForm
from eec_datasets.imported.folding import LETTERS, fold, folded_words, holds, words
from eec_datasets.locale.agreement import select
from eec_datasets.locale.templating import parts_of, read_slots
from eec_datasets.render.choice import Choice, choose

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from eec_datasets.imported.folding import Words
    from eec_datasets.imported.matching import Match
    from eec_datasets.imported.reference import Reference
    from eec_datasets.locale.model import Person, Template, Word
    from eec_datasets.locale.templating import Agreement

ARTICLES = frozenset(("a", "an"))


def check_language(matches: Sequence[Match], reference: Reference) -> Iterator[RowDefect]:
    """Everything that needs to know the language."""
    yield from _spelling(matches, reference)
    choice = choose(reference.locale)
    for row, match in enumerate(matches):
        if match.template and match.person:
            sentence = folded_words(match.row.sentence)
            yield from _person_form(row, sentence, match.template, match.person, choice)
            yield from _agreement(row, sentence, match, match.template, match.person, choice)
    yield from _speaker(matches)


def _spelling(matches: Sequence[Match], reference: Reference) -> Iterator[RowDefect]:
    @lru_cache(maxsize=1 << 14)
    def misspelling(word: str) -> str:
        spellings = reference.vocabulary.get(fold(word), {})
        if not spellings or word.lower() in spellings:
            return ""
        # A word with more marks than ours may be another word (está, esta); one that lacks some is misspelt.
        if all(_marks(ours) > _marks(word) or _letters(ours) != _letters(word) for ours in spellings):
            return f"{word} for {next(iter(spellings.values()))}"
        return ""

    for row, match in enumerate(matches):
        misspellings = list(dict.fromkeys(filter(None, map(misspelling, words(match.row.sentence)))))
        if misspellings:
            yield RowDefect("spelling", row, ", ".join(misspellings))


def _marks(word: str) -> int:
    return sum(1 for letter in unicodedata.normalize("NFD", word) if unicodedata.combining(letter))


def _letters(word: str) -> str:
    """The word without marks, its letters otherwise as written."""
    bare = (letter for letter in unicodedata.normalize("NFD", word.lower()) if not unicodedata.combining(letter))
    return "".join(letter for letter in bare if ord(letter) in LETTERS)


def _person_form(row: int, sentence: Words, template: Template, person: Person, choice: Choice) -> Iterator[RowDefect]:
    patterns = (template.pattern, *template.variants.values())
    texts = [pattern.text(person.type, person.gram.values()) for pattern in patterns]
    if any(_has_roles(sentence, text, person, choice) for text in texts if text):
        return
    others = [form for form in person.roles.values() if form and holds(sentence, form)]
    if others:
        expected = [choice.form(person, role) for role, _ in _roles(texts[0] or "")]
        yield RowDefect("person-form", row, f"{others[0]} for {' … '.join(form for form in expected if form)}")


def _has_roles(sentence: Words, text: str, person: Person, choice: Choice) -> bool:
    for role, attached in _roles(text):
        form = choice.form(person, role)
        if not form:
            return False
        there = holds(sentence, form)
        if not there and not (attached and any(part.endswith(fold(form)) for part in sentence)):
            return False
    return True


@lru_cache(maxsize=256)
def _roles(text: str) -> tuple[tuple[str, bool], ...]:
    """Roles of the person in a text, and whether each is written onto the word before it."""
    parts = parts_of(text)
    return tuple(
        (part[1], index > 0 and not str(parts[index - 1]).endswith(" "))
        for index, part in enumerate(parts)
        if isinstance(part, tuple) and part[0] == "person"
    )


def _agreement(
    row: int, sentence: Words, match: Match, template: Template, person: Person, choice: Choice
) -> Iterator[RowDefect]:
    text = template.pattern.text(person.type, person.gram.values()) or ""
    for part in read_slots(text).agreements:
        word = template.words.get(part.word, match.word)
        features = _features(part, match, template, choice)
        if word is None or features is None:
            continue
        try:
            expected = select(word, {**features, **part.fixed, **choice.features}).text
        except NoForm:
            continue
        other = _other_form(sentence, word, expected)
        if other:
            article = {fold(other), fold(expected)} <= ARTICLES
            yield RowDefect("article" if article else "agreement", row, f"{other} for {expected}")


def _features(part: Agreement, match: Match, template: Template, choice: Choice) -> Mapping[str, str] | None:
    """The features of what a word agrees with; None where it agrees with nothing in the file, or with the speaker."""
    if part.controller == "person" and match.person:
        return match.person.gram
    if part.controller and part.controller.startswith("noun."):
        return choice.locale.nouns[part.controller[5:]].gram
    if part.controller == template.kind and match.word:
        return match.word.gram
    return None


def _other_form(sentence: Words, word: Word, expected: str) -> str:
    """A form of the word that stands in the sentence, where the wanted one does not."""
    if holds(sentence, expected):
        return ""
    return next((form.text for form in word.forms if holds(sentence, form.text)), "")


def _speakers(template: Template) -> bool:
    """Whether the emotion word of a template agrees with the speaker."""
    slots = (slot for text in template.pattern.texts.values() for slot in read_slots(text).agreements)
    return any(slot.word == template.kind and slot.controller == "speaker" for slot in slots)


def _speaker(matches: Sequence[Match]) -> Iterator[RowDefect]:
    """A word that agrees with the speaker must not change with the person: where it does, the whole item is wrong."""
    items: dict[tuple[str, str], dict[int, str]] = defaultdict(dict)
    for row, match in enumerate(matches):
        if match.template and match.word and _speakers(match.template):
            form = _other_form(folded_words(match.row.sentence), match.word, "")
            if form:
                items[match.template.id, match.word.id][row] = form
    for form_by_row in items.values():
        forms = set(form_by_row.values())
        combinations = {(id(matches[row].person), form) for row, form in form_by_row.items()}
        # Where a person is met with both forms, the file has both speakers on purpose.
        if len(forms) > 1 and len(combinations) == len({person for person, _ in combinations}):
            for row, form in form_by_row.items():
                yield RowDefect("agreement", row, f"{form}: changes with the person, though the speaker feels it")
