"""The sentences themselves: every one is there once, and what makes no pair is told.

Two words give the same sentence whoever the person is, and two persons only where they share a form: so the words are
rendered with a few persons. (Rendering a config for use looks at every sentence, see `corpora`.)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from eec_datasets.checks.agreement_request import kind_of
from eec_datasets.checks.report import SeenKeys, counted, finding
from eec_datasets.errors import RenderError
from eec_datasets.grouping import grouped
from eec_datasets.render.items import items_of

if TYPE_CHECKING:
    from eec_datasets.checks.report import Finding
    from eec_datasets.checks.subject import Case, Subject
    from eec_datasets.errors import Place
    from eec_datasets.locale.model import Person
    from eec_datasets.render.items import Dropped, Item

Combination: TypeAlias = tuple[str, str, str]
"""Template, type of person, gender."""


@dataclass(slots=True)
class Sentences:
    """Renders every config as it is, with its optional persons, and under every option.

    Attributes
    ----------
    present : the template × type of person × gender that some sentence has.
    """

    checked: Subject
    findings: list[Finding] = field(default_factory=list)
    present: dict[Combination, None] = field(default_factory=dict)
    reported: SeenKeys = field(default_factory=SeenKeys)

    def __post_init__(self) -> None:
        for case in self.checked.cases:
            if case.templates is self.checked.locale.templates:
                self._render(case)

    def _render(self, case: Case) -> None:
        dropped: list[Dropped] = []
        try:
            items = list(items_of(case.choice, case.persons, dropped, only=_representatives(case)))
        except RenderError as error:
            problem = finding("sentences.not-rendered", case.spec.place, case=case, error=str(error).rstrip("."))
            self.findings.append(problem)
            return
        if case.plain or "persons" in case.variants:
            by_template = {(item.template.id, id(item.persons)): item for item in reversed(items)}
            for item in reversed(by_template.values()):
                for person in item.persons:
                    self.present[item.template.id, person.type, person.identity["gender"]] = None
        self.findings += [*self._duplicates(case, items), *self._spaces(case, items), *self._left_out(case, dropped)]

    def _spaces(self, case: Case, items: Sequence[Item]) -> Iterator[Finding]:
        """Spaces that the parts of a template leave where they meet."""
        for item in items:
            place = item.template.place
            for person, text in zip(item.persons, item.texts, strict=True):
                if ("  " in text or text != text.strip()) and self.reported.is_new(item.template.id):
                    yield finding("sentences.stray-space", place, item=item, person=person, case=case, text=text)

    def _duplicates(self, case: Case, items: Sequence[Item]) -> Iterator[Finding]:
        texts = [text for item in items for text in item.texts]
        if len(set(texts)) == len(texts):
            return
        rows = ((text, (i, person)) for i in items for person, text in zip(i.persons, i.texts, strict=True))
        for text, same in grouped(rows).items():
            for other in same[1:]:
                first, second, place = _cause(same[0], other)
                if self.reported.is_new(first, second):
                    yield finding("sentences.same", place, first=first, second=second, case=case, text=text)

    def _left_out(self, case: Case, dropped: Sequence[Dropped]) -> Iterator[Finding]:
        """A note for each pair whose sentences are identical, and for each person some word has no form for."""
        places = {person.id: person.place for person in case.persons}
        for persons, entries in grouped((entry.persons, entry) for entry in dropped).items():
            if not self.reported.is_new(*persons):
                continue
            items = f"{counted(len(entries), 'item')} ({entries[0].item}{' …' if len(entries) > 1 else ''})"
            values = {"case": case, "items": items, "text": entries[0].reason.partition(": ")[2]}
            check = "sentences.no-pair" if len(persons) > 1 else "sentences.left-out"
            yield finding(check, places[persons[0]], persons=" and ".join(persons), **values)


def _representatives(case: Case) -> list[Person]:
    """One person of each class and gender, and all who share a form with another: nobody else can coincide."""
    forms = [{case.choice.bare(form).casefold() for form in person.roles.values()} for person in case.persons]
    shared = Counter(form for some in forms for form in some)
    kinds = SeenKeys()
    return [
        person
        for person, person_forms in zip(case.persons, forms, strict=True)
        if kinds.is_new(kind_of(person)) or any(shared[form] > 1 for form in person_forms)
    ]


def _cause(cause: tuple[Item, Person], other: tuple[Item, Person]) -> tuple[str, str, Place]:
    """What differs between two identical sentences, and where it stands."""
    first, second = cause[0], other[0]
    if first.template is not second.template:
        return f"template {first.template.id}", f"template {second.template.id}", second.template.place
    if first.word.id != second.word.id:
        return f"the word '{first.word.id}'", f"'{second.word.id}'", second.word.place
    return f"'{cause[1].id}'", f"'{other[1].id}'", other[1].place
