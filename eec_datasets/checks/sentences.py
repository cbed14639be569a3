"""The sentences themselves: every one is there once, and what makes no pair is told.

Two words give the same sentence whoever the person is, and two persons only where they share a form: so the words are
rendered with a few persons. (Rendering a config for use looks at every sentence, see `corpora`.)
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from eec_datasets.checks.asking import class_of
from eec_datasets.checks.report import Finding
from eec_datasets.errors import RenderError
from eec_datasets.locale.model import Place
from eec_datasets.render.blocks import blocks_of
from eec_datasets.render.items import items_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from eec_datasets.checks.trials import Subject, Trial
    from eec_datasets.locale.model import Person
    from eec_datasets.render.blocks import Block, Dropped
    from eec_datasets.render.frames import Setting

Combination = tuple[str, str, str]
"""Template, type of person, gender."""


@dataclass(slots=True)
class Sentences:
    """What rendering every config has shown.

    Attributes
    ----------
    present : the template × type of person × gender that some sentence has.
    """

    findings: list[Finding] = field(default_factory=list)
    present: dict[Combination, None] = field(default_factory=dict)


def render_all(checked: Subject) -> Sentences:
    """Render every config as it is, with its optional persons, and under every option."""
    found = Sentences()
    told: set[object] = set()
    for trial in checked.trials:
        if trial.templates is not checked.locale.templates:
            continue
        dropped: list[Dropped] = []
        few = _few(trial.persons, trial.choice.setting)
        try:
            items = items_of(checked.locale, trial.choice, trial.persons)
            blocks = list(blocks_of(checked.locale, items, few, trial.choice, dropped))
        except RenderError as error:
            what = f"{trial.name} cannot be rendered: {str(error).rstrip('.')}"
            found.findings.append(Finding("error", "sentences", trial.spec.place, what, "Mend it there"))
            continue
        if trial.plain or trial.adds_persons:
            _combinations(blocks, found)
        _duplicates(trial, blocks, found, told)
        _spaces(trial, blocks, found, told)
        _left_out(trial, dropped, found, told)
    return found


def _few(persons: Sequence[Person], setting: Setting) -> list[Person]:
    """One person of each class and gender, and all who share a form with another: nobody else can coincide."""
    forms = [{setting.bare(form).casefold() for form in person.roles.values()} for person in persons]
    shared = Counter(form for some in forms for form in some)
    few: list[Person] = []
    classes: set[object] = set()
    for person, own in zip(persons, forms, strict=True):
        kind = (class_of(person), person.identity["gender"])
        if kind not in classes or any(shared[form] > 1 for form in own):
            few.append(person)
        classes.add(kind)
    return few


def _combinations(blocks: Sequence[Block], found: Sentences) -> None:
    last: tuple[str, Sequence[Person]] | None = None
    for block in blocks:
        if last is not None and last[0] == block.item.template.id and last[1] is block.persons:
            continue
        last = (block.item.template.id, block.persons)
        for person in block.persons:
            found.present[(block.item.template.id, person.type, person.identity["gender"])] = None


def _spaces(trial: Trial, blocks: Sequence[Block], found: Sentences, told: set[object]) -> None:
    """Spaces that the parts of a template leave where they meet."""
    for block in blocks:
        template = block.item.template
        for person, text in zip(block.persons, block.texts, strict=True):
            if ("  " in text or text != text.strip()) and template.id not in told:
                told.add(template.id)
                what = f"template {template.id} leaves a space too many with '{person.id}' in {trial.name}: '{text}'"
                found.findings.append(Finding("error", "sentences", template.place, what, "Leave single spaces"))


@dataclass(frozen=True, slots=True)
class _Row:
    """Where a sentence comes from."""

    block: Block
    person: Person


def _duplicates(trial: Trial, blocks: Sequence[Block], found: Sentences, told: set[object]) -> None:
    texts = [text for block in blocks for text in block.texts]
    if len(set(texts)) == len(texts):
        return
    rows: dict[str, list[_Row]] = defaultdict(list)
    for block in blocks:
        for person, text in zip(block.persons, block.texts, strict=True):
            rows[text].append(_Row(block, person))
    for text, same in rows.items():
        for other in same[1:]:
            first, second, place = _cause(same[0], other)
            if (first, second) not in told:
                told.add((first, second))
                what = f"{first} and {second} give the same sentence in {trial.name}: '{text}'"
                mend = "Each must be distinct: change one of the two"
                found.findings.append(Finding("error", "sentences", place, what, mend))


def _cause(one: _Row, other: _Row) -> tuple[str, str, Place]:
    """What differs between two identical sentences, and where it stands."""
    first, second = one.block.item, other.block.item
    if first.template is not second.template:
        return f"template {first.template.id}", f"template {second.template.id}", second.template.place
    if first.word is not None and second.word is not None and first.word is not second.word:
        return f"the word '{first.word.id}'", f"'{second.word.id}'", second.word.place
    return f"'{one.person.id}'", f"'{other.person.id}'", other.person.place


def _left_out(trial: Trial, dropped: Sequence[Dropped], found: Sentences, told: set[object]) -> None:
    """A note for each pair whose sentences are identical, and for each person some word has no form for."""
    places = {person.id: person.place for person in trial.persons}
    identical: dict[tuple[str, ...], list[Dropped]] = defaultdict(list)
    formless: dict[str, list[Dropped]] = defaultdict(list)
    for entry in dropped:
        if len(entry.persons) > 1:
            identical[entry.persons].append(entry)
        else:
            formless[entry.persons[0]].append(entry)
    for persons, entries in identical.items():
        if persons not in told:
            told.add(persons)
            text = entries[0].why.partition(": ")[2]
            what = (
                f"{' and '.join(persons)} are no pair in {_items(entries)} of {trial.name}, "
                f"where their sentences are identical: '{text}'"
            )
            found.findings.append(Finding("note", "sentences", places[persons[0]], what, "They are left out"))
    for name, entries in formless.items():
        if name not in told:
            told.add(name)
            what = f"'{name}' is left out of {_items(entries)} of {trial.name}, where a word would have to choose"
            found.findings.append(Finding("note", "sentences", places[name], what, "The row says partial=yes"))


def _items(entries: Sequence[Dropped]) -> str:
    count = len(entries)
    return f"{count} item{'s' if count != 1 else ''} ({entries[0].item}{' …' if count > 1 else ''})"


def refused_findings(checked: Subject) -> Iterator[Finding]:
    """A locale that refuses neutral reference and has neutral persons in a config all the same."""
    if checked.locale.neutral_refused is None:
        return
    for spec in checked.locale.configs.values():
        neutral = [
            p for p in checked.locale.persons if p.set in spec.sets and p.identity["gender"].startswith("neutral")
        ]
        if neutral:
            what = f"'{neutral[0].id}' is neutral, config '{spec.key}' has it, and [neutral] refused says there is none"
            yield Finding("error", "configs", neutral[0].place, what, "Make its set optional, or remove the refusal")
