"""Every word has exactly one form for each controller it can meet, and every person every role."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from eec_datasets.checks.agreement_request import class_of, requests
from eec_datasets.checks.report import Once, finding
from eec_datasets.checks.undivided import Undivided
from eec_datasets.grouping import grouped
from eec_datasets.locale.agreement import listed, matching
from eec_datasets.locale.model import GENDER
from eec_datasets.locale.templating import read_slots

if TYPE_CHECKING:
    from eec_datasets.checks.agreement_request import AgreementRequest
    from eec_datasets.checks.report import Finding
    from eec_datasets.checks.subject import Case, Subject
    from eec_datasets.locale.model import Form, Person, PersonType, Template, Word

Groups: TypeAlias = "dict[tuple[str, PersonType, tuple[str, ...]], list[Person]]"
"""Persons by set, type and the values of their features."""


@dataclass(slots=True)
class Forms:
    """Asks every template, under every choice, for every class of persons.

    Attributes
    ----------
    used : identities of the forms that some sentence shows.
    roles : roles that some template asks for, after the redirects of options.
    """

    checked: Subject
    findings: list[Finding] = field(default_factory=list)
    used: set[int] = field(default_factory=set)
    roles: set[str] = field(default_factory=set)
    seen: Once = field(default_factory=Once)
    undivided: Undivided = field(default_factory=Undivided)

    def __post_init__(self) -> None:
        for case in self.checked.cases:
            groups = grouped(((p.set, p.type, tuple(p.gram.values())), p) for p in case.persons)
            first_of_class = {class_of(person): person for person in reversed(case.persons)}
            for template in case.templates:
                self.findings += self._texts(case, template, first_of_class)
                self.findings += self._role_cells(case, template, groups)
                self.findings += self._refusals(case, template)
        self.findings += self.undivided.findings()

    def _texts(
        self, case: Case, template: Template, first_of_class: dict[tuple[object, ...], Person]
    ) -> Iterator[Finding]:
        features = tuple(case.choice.features.items())
        for key, person in reversed(first_of_class.items()):
            text = case.choice.patterns[template.id].text(person.type, person.gram.values())
            if text is None:
                if self.seen.first(template.id, person.type):
                    values = {"type": person.type, "person": person.id, "case": case.name}
                    yield finding("forms.no-text", template.place, template=template.id, **values)
                continue
            for speaker in self.checked.speakers(text):
                if self.seen.first(template.id, text, key, speaker, features):
                    for request in requests(case.choice, template, text, person.gram, speaker):
                        yield from self._words(request, template, person)

    def _words(self, request: AgreementRequest, template: Template, person: Person) -> Iterator[Finding]:
        found: list[tuple[Word, Form]] = []
        for word in request.words:
            if self.seen.first(id(word), *request.features.items(), person.partial):
                forms = matching(word, request.features)
                self.used.update(id(form) for form in forms)
                found += ((word, form) for form in forms)
                if len(forms) > 1 or (not forms and not person.partial and not self.checked.rows_lost):
                    yield self._unfit(word, forms, request, template, person)
        self.undivided.note(found, request.features.get(GENDER))

    def _unfit(
        self, word: Word, forms: Sequence[Form], request: AgreementRequest, template: Template, person: Person
    ) -> Finding:
        """The finding for a word that has no form or several."""
        features = request.features
        needed = {name for form in word.forms for name in form.needs}
        values = {
            "word": word.id,
            "who": f"template {template.id} with '{person.id}'",
            "features": listed({name: value for name, value in features.items() if name in needed}),
        }
        if forms:
            texts = " and ".join(f"'{form.text}' ({form.place})" for form in forms)
            return finding("forms.ambiguous", forms[-1].place, **values, count=len(forms), texts=texts)
        for name in word.forms[0].needs if word.forms else ():
            if name not in features and all(name in form.needs for form in word.forms):
                return self._lacking(word, name, request, template, person)
        return finding("forms.no-form", word.place, **values)

    def _lacking(
        self, word: Word, feature: str, request: AgreementRequest, template: Template, person: Person
    ) -> Finding:
        """The finding for a controller that does not say what the word's forms depend on."""
        controller, toml = request.controller, self.checked.locale_toml
        values = {"feature": feature, "word": word.id, "template": template.id}
        if controller == "person":
            return finding("forms.person-lacks-feature", person.place, person=person.id, **values)
        if controller == "speaker":
            return finding("forms.speaker-lacks-feature", toml.place("speaker", "features"), **values)
        if controller is not None and controller.startswith("noun."):
            noun = controller[5:]
            return finding("forms.noun-lacks-feature", toml.place("nouns", noun), noun=noun, **values)
        if controller == template.kind:
            emotion_words = self.checked.locale.words_of(template.kind)
            place = next((other.place for other in emotion_words if feature not in other.gram), word.place)
            return finding("forms.word-lacks-feature", place, **values)
        return finding("forms.no-controller", template.place, slot=request.slot, **values)

    def _role_cells(self, case: Case, template: Template, groups: Groups) -> Iterator[Finding]:
        """Persons without the role their text asks for, by itself or by the role that serves for it."""
        choice, pattern = case.choice, case.choice.patterns[template.id]
        for (name, kind, gram), persons in groups.items():
            for role in read_slots(pattern.text(kind, gram) or "").named("person"):
                if not self.seen.first(name, kind, gram, role, *choice.redirects.items()):
                    continue
                self.roles |= {role, choice.redirects.get(role, role)}
                for person in persons:
                    if choice.form(person, role) is None:
                        values = {"person": person.id, "type": kind, "role": role, "template": template.id}
                        yield finding("forms.no-role", person.place, **values)

    def _refusals(self, case: Case, template: Template) -> Iterator[Finding]:
        if not template.refuses or template.id not in case.choice.plain:
            return
        for person in case.persons:
            for value, reason in template.refuses.get(person.type, {}).items():
                if value in person.gram.values() and self.seen.first(case.spec.key, template.id, person.type, value):
                    values = {"case": case.name, "person": person.id, "template": template.id, "reason": reason}
                    yield finding("forms.refused", case.spec.place, **values)
