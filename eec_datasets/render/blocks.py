"""The sentences of one item: the block in which only the person differs."""

from __future__ import annotations

import dataclasses
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from eec_datasets.errors import NoForm, RenderError
from eec_datasets.locale.model import NONE
from eec_datasets.render.filling import classes_of, fill
from eec_datasets.render.items import frame_of, word_gram

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from eec_datasets.locale.model import Finish, Locale, Person, Template, Word
    from eec_datasets.render.filling import Alike, Sides
    from eec_datasets.render.frames import Asks, Frame
    from eec_datasets.render.items import Choice, Item


@dataclass(frozen=True, slots=True)
class Dropped:
    """Sentences left out, and why: they would be the same, or a word has no form for the person."""

    item: str
    pair: str
    persons: tuple[str, ...]
    why: str


@dataclass(frozen=True, slots=True)
class Cast:
    """The persons of a template, filled into their frames.

    Attributes
    ----------
    persons : who is left.
    sides : what stands around the emotion word, one of each per person.
    asks : the different demands on the emotion word.
    asks_at : which of them each person makes.
    distinct : whether one form of the word for all makes sentences that all differ.
    """

    persons: Sequence[Person]
    sides: Sides
    asks: tuple[Asks, ...]
    asks_at: Sequence[int]
    distinct: bool


@dataclass(frozen=True, slots=True)
class Block:
    """One item's sentences: persons, texts and word forms, in step."""

    item: Item
    persons: Sequence[Person]
    texts: Sequence[str]
    forms: Sequence[str]


def blocks_of(
    locale: Locale, items: Iterator[Item], persons: Sequence[Person], choice: Choice, dropped: list[Dropped]
) -> Iterator[Block]:
    """Render every item; what makes no pair is noted in `dropped` and left out."""
    casts: dict[tuple[object, ...], Cast] = {}
    classes = classes_of(persons)
    for item in items:
        gram = tuple(word_gram(locale, item, choice).items())
        key = (item.template.id, item.speaker_gender, gram)
        if key not in casts:
            casts[key] = _cast(locale, item, persons, classes, choice, dropped)
        if item.word is None:
            cast = casts[key]
            yield _paired(Block(item, cast.persons, cast.sides.before, [NONE] * len(cast.persons)), dropped)
        else:
            yield _block(item, item.word, casts[key], choice, locale.finish, dropped)


def _cast(
    locale: Locale,
    item: Item,
    persons: Sequence[Person],
    classes: Sequence[Alike],
    choice: Choice,
    dropped: list[Dropped],
) -> Cast:
    parts: list[tuple[Frame, Alike]] = []
    asks: dict[Asks, int] = {}
    asks_at = [0] * len(persons)
    lost: dict[int, str] = {}
    for alike in classes:
        _refuse(item.template, alike.persons[0], choice)
        frame = frame_of(locale, item, alike.persons[0], choice)
        if isinstance(frame, str):
            lost |= dict.fromkeys(alike.at, frame)
            continue
        parts.append((frame, alike))
        number = asks.setdefault(frame.asks or (), len(asks))
        for at in alike.at:
            asks_at[at] = number
    sides = fill(locale, parts, len(persons), choice.setting)
    for at in sorted(lost):
        _leave_out(item, persons[at], lost[at], dropped)
    if lost:
        keep = [at for at in range(len(persons)) if at not in lost]
        before, after = ([side[at] for at in keep] for side in (sides.before, sides.after))
        sides = dataclasses.replace(sides, before=before, after=after)
        persons, asks_at = [persons[at] for at in keep], [asks_at[at] for at in keep]
    distinct = sides.plain and len(set(sides.after)) == 1 and len(set(sides.before)) == len(persons)
    return Cast(persons, sides, tuple(asks), asks_at, distinct)


def _block(item: Item, word: Word, cast: Cast, choice: Choice, finish: Finish, dropped: list[Dropped]) -> Block:
    found, missing = _forms(word, cast.asks, choice)
    one = len(found) == 1
    forms = found * len(cast.persons) if one else [found[at] for at in cast.asks_at]
    block = Block(item, cast.persons, cast.sides.texts(forms, finish), forms)
    if missing:
        lost = [missing.get(at) for at in cast.asks_at]
        for person, why in zip(cast.persons, lost, strict=True):
            if why is not None:
                _leave_out(item, person, why, dropped)
        block = _kept(block, [at for at, why in enumerate(lost) if why is None])
    return block if one and cast.distinct else _paired(block, dropped)


def _forms(word: Word, asks: Sequence[Asks], choice: Choice) -> tuple[list[str], dict[int, str]]:
    forms: list[str] = []
    missing: dict[int, str] = {}
    for at, wanted in enumerate(asks):
        try:
            forms.append(choice.form(word, wanted))
        except NoForm as error:
            missing[at] = str(error)
            forms.append("")
    return forms, missing


def _leave_out(item: Item, person: Person, why: str, dropped: list[Dropped]) -> None:
    if not person.partial:
        raise NoForm(why)
    dropped.append(Dropped(item.id, person.pair, (person.id,), why))


def _refuse(template: Template, person: Person, choice: Choice) -> None:
    reasons = template.refuses.get(person.type) if template.id in choice.plain else None
    for value, reason in (reasons or {}).items():
        if value in person.gram.values():
            raise RenderError(f"{template.place}: template {template.id} refuses '{person.id}': {reason}")


def _paired(block: Block, dropped: list[Dropped]) -> Block:
    """The block without the sentences that come out the same as their partner's: they are no pair."""
    if len(set(block.texts)) == len(block.texts):
        return block
    keys = [(person.pair, text) for person, text in zip(block.persons, block.texts, strict=True)]
    twins = {key for key, count in Counter(keys).items() if count > 1 and key[0]}
    for pair, text in sorted(twins):
        same = tuple(person.id for person, key in zip(block.persons, keys, strict=True) if key == (pair, text))
        dropped.append(Dropped(block.item.id, pair, same, f"identical sentences are no pair: {text}"))
    return _kept(block, [at for at, key in enumerate(keys) if key not in twins])


def _kept(block: Block, keep: Sequence[int]) -> Block:
    persons, texts, forms = block.persons, block.texts, block.forms
    return Block(block.item, [persons[at] for at in keep], [texts[at] for at in keep], [forms[at] for at in keep])
