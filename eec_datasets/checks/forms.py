"""Every word has exactly one form for each controller it can meet, and every person every role."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from eec_datasets.checks.agreement_request import class_of, requests
from eec_datasets.checks.report import SeenKeys, finding
from eec_datasets.checks.undivided import Undivided
from eec_datasets.errors import Place
from eec_datasets.grouping import grouped
from eec_datasets.locale.agreement import describe_features, describe_forms, matching
from eec_datasets.locale.model import GENDER
from eec_datasets.locale.templating import read_slots

if TYPE_CHECKING:
    from eec_datasets.checks.agreement_request import AgreementRequest, PersonClass
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
    seen: SeenKeys = field(default_factory=SeenKeys)
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

    def _texts(self, case: Case, template: Template, first_of_class: dict[PersonClass, Person]) -> Iterator[Finding]:
        features = tuple(case.choice.features.items())
        for key, person in reversed(first_of_class.items()):
            text = case.choice.patterns[template.id].text(person.type, person.gram.values())
            if text is None:
                if self.seen.is_new(template.id, person.type):
                    yield finding("forms.no-text", template.place, template=template, person=person, case=case)
                continue
            for speaker in self.checked.speakers(text):
                if self.seen.is_new(template.id, text, key, speaker, features):
                    for request in requests(case.choice, template, text, person, speaker):
                        yield from self._words(request)

    def _words(self, request: AgreementRequest) -> Iterator[Finding]:
        shown_forms: list[tuple[Word, Form]] = []
        partial = request.person.partial
        alone = request.template.id if request.controller is None else ""
        for word in request.words:
            if self.seen.is_new(id(word), *request.features.items(), partial, alone):
                forms = matching(word, request.features)
                self.used.update(id(form) for form in forms)
                shown_forms += ((word, form) for form in forms)
                if len(forms) > 1 or (not forms and not partial and not self.checked.rows_lost):
                    yield from self._unfit(word, forms, request)
        self.undivided.note(shown_forms, request.features.get(GENDER))

    def _unfit(self, word: Word, forms: Sequence[Form], request: AgreementRequest) -> Iterator[Finding]:
        """What is found of a word that has no form or several."""
        needed = {name for form in word.forms for name in form.needs}
        features = describe_features({name: value for name, value in request.features.items() if name in needed})
        values = {"word": word, "request": request, "features": features}
        if forms:
            yield finding("forms.ambiguous", forms[-1].place, **values, count=len(forms), texts=describe_forms(forms))
            return
        # Forms that would fit if the controller said more, such as its gender; else whatever forms there are.
        fitting = [form for form in word.forms if form.needs.items() <= {**form.needs, **request.features}.items()]
        near = fitting or word.forms
        for name in near[0].needs if near else ():
            if name not in request.features and all(name in form.needs for form in near):
                lacking = self._lacking(word, name, request)
                if self.seen.is_new("lacking", name, request.slot, lacking.place):  # once, not for every emotion word
                    yield lacking
                return
        yield finding("forms.no-form", word.place, **values)

    def _lacking(self, word: Word, feature: str, request: AgreementRequest) -> Finding:
        """The finding for a controller that does not say what the word's forms depend on."""
        template, controller, toml = request.template, request.controller, self.checked.locale_toml
        values = {"feature": feature, "word": word, "request": request}
        if controller == "person":
            if not any(feature in person.gram for person in self.checked.locale.persons):
                return finding("forms.no-person-has-feature", template.place, **values)
            return finding("forms.person-lacks-feature", request.person.place, **values)
        if controller == "speaker":
            return finding("forms.speaker-lacks-feature", toml.place("speaker", "features"), **values)
        if controller is not None and controller.startswith("noun."):
            noun = controller[5:]
            return finding("forms.noun-lacks-feature", toml.place("nouns", noun), noun=noun, **values)
        if controller == template.kind:
            emotion_words = self.checked.locale.words_of(template.kind)
            place = next((other.place for other in emotion_words if feature not in other.gram), word.place)
            return finding("forms.word-lacks-feature", place, **values)
        return finding("forms.no-controller", template.place, **values)

    def _role_cells(self, case: Case, template: Template, groups: Groups) -> Iterator[Finding]:
        """Persons without the role their text asks for, by itself or by the role that serves for it."""
        choice, pattern = case.choice, case.choice.patterns[template.id]
        for (name, kind, gram), persons in groups.items():
            for role in read_slots(pattern.text(kind, gram) or "").named("person"):
                if not self.seen.is_new(name, kind, gram, role, *choice.redirects.items()):
                    continue
                self.roles |= {role, choice.redirects.get(role, role)}
                for person in persons:
                    if choice.form(person, role) is None:
                        yield from self._no_role(case, person, role, template)

    def _no_role(self, case: Case, person: Person, role: str, template: Template) -> Iterator[Finding]:
        """A person without a role; told once where nobody in the file has it."""
        file = person.place.file
        if any(case.choice.form(other, role) is not None for other in case.persons if other.place.file == file):
            yield finding("forms.no-role", person.place, person=person, role=role, template=template)
        elif self.seen.is_new("no role", file, role):
            yield finding("forms.nobody-has-role", Place(file, 1), file=file, role=role, template=template)

    def _refusals(self, case: Case, template: Template) -> Iterator[Finding]:
        if not template.refuses or template.id not in case.choice.plain:
            return
        for person in case.persons:
            for value, reason in template.refuses.get(person.type, {}).items():
                if value in person.gram.values() and self.seen.is_new(case.spec.key, template.id, person.type, value):
                    values = {"case": case, "person": person, "template": template, "reason": reason}
                    yield finding("forms.refused", case.spec.place, **values)
