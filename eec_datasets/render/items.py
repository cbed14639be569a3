"""Items: the sentences of a template and an emotion word, which differ only in the person."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from eec_datasets.errors import NoForm
from eec_datasets.locale.agreement import select
from eec_datasets.locale.apart import apart_from
from eec_datasets.locale.finishing import finished
from eec_datasets.locale.model import NONE
from eec_datasets.render.frames import Frame, classes_of, make_frame, word_gram
from eec_datasets.render.grid import item_id

if TYPE_CHECKING:
    from eec_datasets.locale.model import Person, Template, Word
    from eec_datasets.render.choice import Choice
    from eec_datasets.render.grid import Cell


@dataclass(frozen=True, slots=True)
class Item:
    """Template × word, and the speaker's gender where both are rendered: persons, texts and word forms in step."""

    id: str
    template: Template
    word: Word
    speaker: str
    persons: Sequence[Person]
    texts: Sequence[str]
    forms: Sequence[str]


@dataclass(frozen=True, slots=True)
class Dropped:
    """Sentences left out, and why: they would be the same, or a word has no form for the person."""

    item: str
    pair: str
    persons: tuple[str, ...]
    reason: str


def items_of(
    choice: Choice,
    persons: Sequence[Person],
    dropped: list[Dropped],
    *,
    only: Sequence[Person] | None = None,
    grid: Iterable[Cell] | None = None,
) -> Iterator[Item]:
    """Render every item; what makes no pair is noted in `dropped` and left out.

    Parameters
    ----------
    only : render these of the persons; default all.
    grid : templates and words that meet; default those of the choice.
    """
    frames: dict[tuple[object, ...], Frame] = {}
    chosen = persons if only is None else only
    everyone = classes_of(chosen)
    for template, word in choice.grid if grid is None else grid:
        gram = word_gram(choice, template, word)
        why_not = apart_from(choice.locale.apart, template.id)
        absent = [person for person in chosen if person.base in why_not]
        present = [person for person in chosen if person.base not in why_not] if absent else chosen
        classes = classes_of(present) if absent else everyone
        for name, speaker, gender in _speakers(choice, template, word, persons[:1]):
            dropped += (Dropped(name, person.pair, (person.id,), why_not[person.base]) for person in absent)
            key = (template.id, gender, *gram.items())
            if key not in frames:
                frames[key] = make_frame(choice, template, gender, gram, present, classes)
                for person, error in frames[key].lost:
                    _leave_out(name, person, error, dropped)
            frame = frames[key]
            texts, forms, missing = _sentences(choice, frame, word)
            item = Item(name, template, word, speaker, frame.persons, texts, forms)
            if missing:
                for person, demand in zip(frame.persons, frame.demand_of, strict=True):
                    if demand in missing:
                        _leave_out(name, person, missing[demand], dropped)
                item = _only(item, [place for place, demand in enumerate(frame.demand_of) if demand not in missing])
            yield _paired(item, dropped)


def _speakers(
    choice: Choice, template: Template, word: Word, first: Sequence[Person]
) -> Iterator[tuple[str, str, str | None]]:
    """Id, label of the speaker and their gender for each item that a template and a word give."""
    name = item_id(template, word)
    genders = list(choice.locale.speaker.genders)
    if not genders or not any("speaker" in text for text in choice.patterns[template.id].texts.values()):
        yield name, NONE, None
        return
    gram = word_gram(choice, template, word)
    frames = [make_frame(choice, template, gender, gram, first, classes_of(first)) for gender in genders]
    if len({tuple(_sentences(choice, frame, word)[0]) for frame in frames}) == 1:
        yield name, "any", genders[0]
    elif choice.speaker == "crossed":
        yield from ((f"{name}/speaker-{gender}", gender, gender) for gender in genders)
    else:
        yield name, str(choice.speaker), choice.speaker


def _sentences(choice: Choice, frame: Frame, word: Word) -> tuple[list[str], list[str], dict[int, NoForm]]:
    """Texts and word forms of a frame, and for each demand that the word has no form for why."""
    forms_of, missing = [], {}
    for number, asks in enumerate(frame.demands):
        try:
            forms_of.append(choice.bare(select(word, dict(asks)).text))
        except NoForm as error:
            missing[number] = error
            forms_of.append("")
    forms = [forms_of[number] for number in frame.demand_of]
    rows = zip(frame.before, forms, frame.after, strict=True)
    texts = finished([f"{left}{form}{right}" for left, form, right in rows], choice.locale.finish, frame.final)
    return texts, [form or NONE for form in forms], missing


def _leave_out(item: str, person: Person, error: NoForm, dropped: list[Dropped]) -> None:
    if not person.partial:
        raise error
    dropped.append(Dropped(item, person.pair, (person.id,), str(error)))


def _paired(item: Item, dropped: list[Dropped]) -> Item:
    """The item without the sentences that come out the same as their partner's: they are no pair."""
    if len(set(item.texts)) == len(item.texts):
        return item
    keys = [(person.pair, text) for person, text in zip(item.persons, item.texts, strict=True)]
    twins = {key for key, count in Counter(keys).items() if count > 1 and key[0]}
    for twin in sorted(twins):
        same = tuple(person.id for person, key in zip(item.persons, keys, strict=True) if key == twin)
        dropped.append(Dropped(item.id, twin[0], same, f"identical sentences are no pair: {twin[1]}"))
    return _only(item, [index for index, key in enumerate(keys) if key not in twins])


def _only(item: Item, indices: Sequence[int]) -> Item:
    return replace(
        item,
        persons=[item.persons[index] for index in indices],
        texts=[item.texts[index] for index in indices],
        forms=[item.forms[index] for index in indices],
    )
