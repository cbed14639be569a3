"""What is rendered: the choice of variants, and the items (template × emotion word × speaker) of a corpus."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from eec_datasets.errors import NoForm, RenderError, UnknownVariant
from eec_datasets.locale.model import NONE, Pattern
from eec_datasets.render.filling import whole
from eec_datasets.render.frames import Setting, make_frame, make_mould, setting_for, word_form

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from eec_datasets.locale.model import ConfigSpec, Locale, Person, Template, Word
    from eec_datasets.render.frames import Asks, Frame, Mould

SPEAKERS = ("female", "male", "crossed")


@dataclass(slots=True)
class Choice:
    """What a rendering was asked for, resolved; keeps the frames and forms it has made."""

    sets: tuple[str, ...]
    patterns: Mapping[str, Pattern]
    plain: frozenset[str]
    setting: Setting
    speaker: str | None
    moulds: dict[tuple[str, str | None], Mould] = field(default_factory=dict)
    frames: dict[tuple[object, ...], Frame | str] = field(default_factory=dict)
    forms: dict[tuple[int, Asks], str] = field(default_factory=dict)

    def form(self, word: Word, asks: Asks) -> str:
        """The form of an emotion word that a frame asks for (kept, as few differ)."""
        key = (id(word), asks)
        if key not in self.forms:
            self.forms[key] = word_form(word, asks, self.setting)
        return self.forms[key]

    def mould(self, locale: Locale, template: Template, speaker_gender: str | None) -> Mould:
        """What the frames of a template share."""
        key = (template.id, speaker_gender)
        if key not in self.moulds:
            pattern = self.patterns[template.id]
            self.moulds[key] = make_mould(locale, pattern, template, speaker_gender, self.setting)
        return self.moulds[key]


@dataclass(frozen=True, slots=True)
class Item:
    """Template × word, and the speaker's gender where both are rendered."""

    id: str
    template: Template
    word: Word | None
    speaker: str
    speaker_gender: str | None

    @property
    def word_id(self) -> str:
        """English id of the word, or none."""
        return self.word.id if self.word else NONE

    @property
    def emotion(self) -> str:
        """Emotion of the word, or none."""
        return self.word.emotion if self.word else NONE

    @property
    def status(self) -> str:
        """Status of the word, or none."""
        return self.word.status if self.word else NONE


def choose(locale: Locale, spec: ConfigSpec, variants: Mapping[str, str], speaker: str | None) -> Choice:
    """Resolve what was asked for against what the locale has.

    Raises
    ------
    UnknownVariant : a key or value of `variants`, or the speaker, that the locale does not have.
    """
    wanted = {**spec.variants, **variants}
    templates = {template.id: template for template in locale.templates}
    sets = list(spec.sets)
    patterns = {name: template.pattern for name, template in templates.items()}
    options = {}
    for key, value in wanted.items():
        if key in templates:
            patterns[key] = _variant(templates[key], value, patterns[key])
        elif key in locale.options:
            options[key] = _one_of(f"option '{key}'", value, locale.options[key].values)
        elif key == "persons":
            sets.append(_persons(locale, spec, value))
        else:
            known = [
                *(name for name, template in templates.items() if template.variants),
                *locale.options,
                *(["persons"] if spec.optional else []),
            ]
            raise UnknownVariant(
                f"no variant '{key}' in locale '{locale.tag}'; there are: {', '.join(known) or 'none'}"
            )
    asked = speaker or spec.speaker or locale.speaker.default
    if asked is not None:
        _one_of("speaker", asked, SPEAKERS)
    plain = frozenset(name for name in templates if patterns[name] is templates[name].pattern)
    return Choice(tuple(sets), patterns, plain, setting_for(locale, options), asked)


def _persons(locale: Locale, spec: ConfigSpec, value: str) -> str:
    if value not in spec.optional and value.startswith("neutral") and locale.neutral_refused:
        raise UnknownVariant(f"persons is '{value}': {locale.neutral_refused}")
    return _one_of("persons", value, spec.optional)


def _one_of(what: str, value: str, known: Sequence[str]) -> str:
    if value not in known:
        raise UnknownVariant(f"{what} is '{value}'; it can be: {', '.join(known) or 'nothing else here'}")
    return value


def _variant(template: Template, value: str, base: Pattern) -> Pattern:
    if value == "default":
        return base
    _one_of(f"the variant of template {template.id}", value, ["default", *template.variants])
    texts = template.variants[value].texts
    return Pattern(texts if "default" in texts else {**base.texts, **texts})


def items_of(locale: Locale, choice: Choice, persons: Sequence[Person]) -> Iterator[Item]:
    """Every item in order: templates in file order, words in file order, speakers female then male."""
    for template in locale.templates:
        words: Sequence[Word | None] = [None] if template.kind == "neutral" else locale.words_of(template.kind)
        for word in words:
            yield from _spoken(locale, template, word, choice, persons)


def _spoken(
    locale: Locale, template: Template, word: Word | None, choice: Choice, persons: Sequence[Person]
) -> Iterator[Item]:
    base = f"{template.id}/{word.id if word else NONE}"
    text = choice.patterns[template.id]
    if not locale.speaker.genders or not any("speaker" in source for source in text.texts.values()):
        yield Item(base, template, word, NONE, None)
        return
    genders = list(locale.speaker.genders)
    if _same_for_all(locale, template, word, choice, persons[0], genders):
        yield Item(base, template, word, "any", genders[0])
    elif choice.speaker == "crossed":
        for gender in genders:
            yield Item(f"{base}/speaker-{gender}", template, word, gender, gender)
    else:
        yield Item(base, template, word, str(choice.speaker), choice.speaker)


def _same_for_all(
    locale: Locale,
    template: Template,
    word: Word | None,
    choice: Choice,
    person: Person,
    genders: Sequence[str],
) -> bool:
    texts = set()
    for gender in genders:
        frame = frame_of(locale, Item("", template, word, gender, gender), person, choice)
        if isinstance(frame, str):
            raise RenderError(frame)
        form = choice.form(word, frame.asks or ()) if word else ""
        texts.add(whole(locale, frame, person, form, choice.setting))
    return len(texts) == 1


def word_gram(locale: Locale, item: Item, choice: Choice) -> Mapping[str, str]:
    """The grammar of the item's emotion word where anything in the template agrees with it, else nothing."""
    if item.word is None or not choice.mould(locale, item.template, item.speaker_gender).governs:
        return {}
    return item.word.gram


def frame_of(locale: Locale, item: Item, person: Person, choice: Choice) -> Frame | str:
    """The frame of an item for the person's class; a string says why there is none."""
    gram = word_gram(locale, item, choice)
    key = (
        item.template.id,
        item.speaker_gender,
        person.type,
        tuple(person.gram.items()),
        tuple(gram.items()),
    )
    if key not in choice.frames:
        mould = choice.mould(locale, item.template, item.speaker_gender)
        try:
            choice.frames[key] = make_frame(mould, person.type, person.gram, gram)
        except NoForm as error:
            choice.frames[key] = str(error)
    return choice.frames[key]
