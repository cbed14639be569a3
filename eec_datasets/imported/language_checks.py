"""Checks that rest on a locale of ours: spelling, the case of the person, articles, agreement."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from functools import lru_cache
from typing import TYPE_CHECKING

from eec_datasets.checks.text import RowDefect
from eec_datasets.errors import NoForm
from eec_datasets.imported.folding import LETTERS, fold, holds, words
from eec_datasets.locale.agreement import select
from eec_datasets.locale.templating import parts_of, read_slots
from eec_datasets.render.choice import Choice, choose

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from eec_datasets.imported.folding import Words
    from eec_datasets.imported.matching import Match
    from eec_datasets.imported.reference import Reference
    from eec_datasets.locale.model import Person, Template, Word

ARTICLES = frozenset(("a", "an"))


def check_language(matches: Sequence[Match], reference: Reference) -> Iterator[RowDefect]:
    """Yield every defect that only who knows the language can see."""
    yield from _spelling(matches, reference)
    choice = choose(reference.locale)
    for row, match in enumerate(matches):
        if match.template and match.person:
            for check, detail in _person_form(match, match.template, match.person, choice):
                yield RowDefect(check, row, detail)
            for check, detail in _agreement(match, match.template, match.person, choice):
                yield RowDefect(check, row, detail)
    yield from _speaker(matches)


def _spelling(matches: Sequence[Match], reference: Reference) -> Iterator[RowDefect]:
    """Yield the sentences with words that lack marks which ours have."""

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
        found = [misspelling(word) for word in words(match.row.sentence)]
        misspellings = dict.fromkeys(said for said in found if said)
        if misspellings:
            yield RowDefect("spelling", row, ", ".join(misspellings))


def _marks(word: str) -> int:
    return sum(1 for letter in unicodedata.normalize("NFD", word) if unicodedata.combining(letter))


def _letters(word: str) -> str:
    """The word without marks, its letters otherwise as written."""
    bare = (letter for letter in unicodedata.normalize("NFD", word.lower()) if not unicodedata.combining(letter))
    return "".join(letter for letter in bare if ord(letter) in LETTERS)


def _person_form(match: Match, template: Template, person: Person, choice: Choice) -> Iterator[tuple[str, str]]:
    """Another form of the person, where no wording of the template finds those that it asks for."""
    sentence = match.sentence
    patterns = (template.pattern, *template.variants.values())
    texts = [pattern.text(person.type, person.gram.values()) or "" for pattern in patterns]
    wanted = [[(choice.form(person, role), attached) for role, attached in _roles(text)] for text in texts]
    for text, forms in zip(texts, wanted, strict=True):
        if text and all(form and _stands(sentence, form, attached) for form, attached in forms):
            return
    others = [form for form in person.roles.values() if form and holds(sentence, form)]
    if others:
        yield "person-form", f"{others[0]} for {' … '.join(form for form, _ in wanted[0] if form)}"


def _stands(sentence: Words, form: str, attached: bool) -> bool:
    return holds(sentence, form) or (attached and any(part.endswith(fold(form)) for part in sentence))


@lru_cache(maxsize=256)
def _roles(text: str) -> tuple[tuple[str, bool], ...]:
    """Roles of the person in a text, and whether each is written onto the word before it."""
    parts = parts_of(text)
    return tuple(
        (part[1], index > 0 and not str(parts[index - 1]).endswith(" "))
        for index, part in enumerate(parts)
        if isinstance(part, tuple) and part[0] == "person"
    )


def _agreement(match: Match, template: Template, person: Person, choice: Choice) -> Iterator[tuple[str, str]]:
    """Words that agree with the person, a noun or the emotion word, in another form than the wanted."""
    grams = {"person": person.gram} | {f"noun.{name}": noun.gram for name, noun in choice.locale.nouns.items()}
    if match.word:
        grams[template.kind] = match.word.gram
    for part in read_slots(template.pattern.text(person.type, person.gram.values()) or "").agreements:
        word, features = template.words.get(part.word, match.word), grams.get(part.controller or "")
        if word is None or features is None:
            continue
        try:
            expected = select(word, {**features, **part.fixed, **choice.features}).text
        except NoForm:
            continue
        if any(holds(match.sentence, form) for form in _under_other_options(word, {**features, **part.fixed}, choice)):
            continue
        other = _other_form(match.sentence, word, expected)
        if not other:
            continue
        check = "agreement"
        if {fold(other), fold(expected)} <= ARTICLES:
            check = "article"
        yield check, f"{other} for {expected}"


def _under_other_options(word: Word, features: Mapping[str, str], choice: Choice) -> Iterator[str]:
    """The forms that a word has with these features where another wording, or other words of a region, are chosen."""
    for name, option in choice.locale.options.items():
        for value in option.values:
            try:
                yield select(word, {**features, **choice.features, name: value}).text
            except NoForm:
                continue


def _other_form(sentence: Words, word: Word, expected: str = "") -> str:
    """A form of the word that stands in the sentence, where the wanted one does not."""
    if holds(sentence, expected):
        return ""
    return next((form.text for form in word.forms if holds(sentence, form.text)), "")


def _agrees_with_speaker(template: Template) -> bool:
    """Whether the emotion word of a template takes the form that fits the speaker."""
    for text in template.pattern.texts.values():
        for slot in read_slots(text).agreements:
            if slot.word == template.kind and slot.controller == "speaker":
                return True
    return False


def _speaker(matches: Sequence[Match]) -> Iterator[RowDefect]:
    """A word that agrees with the speaker must not change with the person: where it does, the whole item is wrong."""
    items: dict[tuple[str, str], dict[int, str]] = defaultdict(dict)
    for row, match in enumerate(matches):
        if match.template is None or match.word is None:
            continue
        form = _other_form(match.sentence, match.word)
        if form and _agrees_with_speaker(match.template):
            items[match.template.id, match.word.id][row] = form
    for form_by_row in items.values():
        forms = set(form_by_row.values())
        combinations = {(id(matches[row].person), form) for row, form in form_by_row.items()}
        # Where a person is met with both forms, the file has both speakers on purpose.
        if len(forms) > 1 and len(combinations) == len({person for person, _ in combinations}):
            for row, form in form_by_row.items():
                yield RowDefect("agreement", row, f"{form}: changes with the person, though the speaker feels it")
