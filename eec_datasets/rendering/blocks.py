"""The sentences of one item: the block in which only the person differs."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from eec_datasets.errors import NoForm, RenderError
from eec_datasets.locale.model import NONE
from eec_datasets.rendering.frames import fill
from eec_datasets.rendering.items import frame_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from eec_datasets.locale.model import Locale, Person, Template
    from eec_datasets.rendering.frames import Filled, Frame
    from eec_datasets.rendering.items import Choice, Item


@dataclass(frozen=True, slots=True)
class Dropped:
    """Sentences left out, and why: they would be the same, or a word has no form for the person."""

    item: str
    pair: str
    persons: tuple[str, ...]
    why: str


@dataclass(frozen=True, slots=True)
class Cast:
    """The persons of a template, each filled into its frame; `frame_at[i]` is the frame of person i.

    `sides` are what stands before and after the emotion word, where every sentence is a plain join of the three.
    """

    persons: tuple[Person, ...]
    frames: tuple[Frame, ...]
    frame_at: tuple[int, ...]
    filled: tuple[Filled, ...]
    sides: tuple[tuple[str, ...], tuple[str, ...]] | None


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
    for item in items:
        gram = tuple(item.word.gram.items()) if item.word else ()
        key = (item.template.id, item.speaker_gender, gram)
        if key not in casts:
            casts[key] = _cast(locale, item, persons, choice, dropped)
        yield _block(item, casts[key], choice, dropped)


def _cast(locale: Locale, item: Item, persons: Sequence[Person], choice: Choice, dropped: list[Dropped]) -> Cast:
    classes: dict[tuple[object, ...], Frame | str] = {}
    order: dict[int, int] = {}
    frames: list[Frame] = []
    kept: list[Person] = []
    at: list[int] = []
    for person in persons:
        key = (person.type, *person.gram.values())
        if key not in classes:
            _refuse(item.template, person, choice)
            classes[key] = frame_of(locale, item, person, choice)
        frame = classes[key]
        if isinstance(frame, str):
            _leave_out(item, person, frame, dropped)
            continue
        if id(frame) not in order:
            order[id(frame)] = len(frames)
            frames.append(frame)
        kept.append(person)
        at.append(order[id(frame)])
    filled = tuple(fill(locale, frames[i], person, choice.setting) for i, person in zip(at, kept, strict=True))
    plain = all(entry.plain for entry in filled)
    sides = (tuple(entry.before for entry in filled), tuple(entry.after for entry in filled)) if plain else None
    return Cast(tuple(kept), tuple(frames), tuple(at), filled, sides)


def _block(item: Item, cast: Cast, choice: Choice, dropped: list[Dropped]) -> Block:
    persons: Sequence[Person] = cast.persons
    if item.word is None:
        return _paired(Block(item, persons, [entry.before for entry in cast.filled], [NONE] * len(persons)), dropped)
    by_frame, missing = _forms(item, cast.frames, choice)
    forms = [by_frame[at] for at in cast.frame_at]
    if cast.sides is not None:
        texts = [
            f"{before}{form}{after}" for before, form, after in zip(cast.sides[0], forms, cast.sides[1], strict=True)
        ]
    else:
        texts = [entry.text(form) for entry, form in zip(cast.filled, forms, strict=True)]
    if missing:
        lost = [missing.get(at) for at in cast.frame_at]
        for person, why in zip(persons, lost, strict=True):
            if why is not None:
                _leave_out(item, person, why, dropped)
        keep = [at for at, why in enumerate(lost) if why is None]
        persons, texts, forms = ([row[at] for at in keep] for row in (persons, texts, forms))  # type: ignore[assignment]
    return _paired(Block(item, persons, texts, forms), dropped)


def _forms(item: Item, frames: Sequence[Frame], choice: Choice) -> tuple[list[str], dict[int, str]]:
    forms: list[str] = []
    missing: dict[int, str] = {}
    for at, frame in enumerate(frames):
        assert item.word is not None
        try:
            forms.append(choice.form(item.word, frame))
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
    keep = [at for at, key in enumerate(keys) if key not in twins]
    return Block(
        block.item,
        [block.persons[at] for at in keep],
        [block.texts[at] for at in keep],
        [block.forms[at] for at in keep],
    )
