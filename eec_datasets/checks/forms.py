"""Every word has exactly one form for each controller it can meet, and every person every role."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from eec_bias.shared import grouped
from eec_datasets.checks.agreement_request import class_of, requests
from eec_datasets.checks.report import SeenKeys, finding
from eec_datasets.errors import Place
from eec_datasets.locale.agreement import describe_features, describe_forms, matching
from eec_datasets.locale.model import GENDER

if TYPE_CHECKING:
    from eec_datasets.checks.agreement_request import AgreementRequest
    from eec_datasets.checks.report import LocaleFinding
    from eec_datasets.checks.subject import Case, Subject
    from eec_datasets.locale.model import Form, Person, Template, Word


def form_findings(checked: Subject) -> Iterator[LocaleFinding]:
    """Ask every template, under every choice, for every class of persons, and note what is asked for."""
    asked = _Requests(checked)
    for case in checked.cases:
        classes = grouped(((person.set, class_of(person)), person) for person in case.persons)
        for template in case.templates:
            for key, members in classes.items():
                for found in asked.findings(case, template, key, members):
                    checked.sound = checked.sound and found.level != "error"
                    yield found
    for word, form, genders in asked.served.values():
        if len(genders) > 1:
            yield finding("forms.undivided", form.place, form=form, word=word, genders=" and ".join(sorted(genders)))


@dataclass(slots=True)
class _Requests:
    """The requests of templates so far, for forms of words.

    Attributes
    ----------
    served : by identity, forms that do not say their gender, with their word and the genders that each serves, where
        another word in the same place has a form for each: perhaps only the language they were begun from has one form.
    """

    checked: Subject
    seen: SeenKeys = field(default_factory=SeenKeys)
    served: dict[int, tuple[Word, Form, set[str]]] = field(default_factory=dict)

    def findings(
        self, case: Case, template: Template, key: object, members: Sequence[Person]
    ) -> Iterator[LocaleFinding]:
        """Yield what is found when a template meets persons of one set and class."""
        person, choice, is_new = members[0], case.choice, self.seen.is_new
        text = choice.patterns[template.id].text(person.type, person.gram.values())
        if text is None and is_new(template.id, person.type):
            yield finding("forms.no-text", template.place, template=template, person=person, case=case)
        for speaker in self.checked.speakers(text) if text is not None else ():
            if is_new(template.id, text, key, speaker, *choice.features.items()):
                for request in requests(choice, template, str(text), person, speaker):
                    yield from self._role(request, case, key, members) if request.role else self._words(request)
        for value, reason in template.refuses.get(person.type, {}).items() if template.id in choice.plain else ():
            if value in person.gram.values() and is_new(case.spec.key, template.id, person.type, value):
                values = {"case": case, "person": person, "template": template, "reason": reason}
                yield finding("forms.refused", case.spec.place, **values)

    def _role(
        self, request: AgreementRequest, case: Case, key: object, members: Sequence[Person]
    ) -> Iterator[LocaleFinding]:
        """Persons without the role, or the one that serves for it; told once where nobody in a file has it."""
        choice, role, values = case.choice, str(request.role), {"role": request.role, "template": request.template}
        if not self.seen.is_new(key, role, *choice.redirects.items()):
            return
        self.checked.roles |= {role, choice.redirects.get(role, role)}
        for person in (person for person in members if choice.form(person, role) is None):
            file = person.place.file
            if any(choice.form(other, role) is not None for other in case.persons if other.place.file == file):
                yield finding("forms.no-role", person.place, person=person, **values)
            elif self.seen.is_new("no role", file, role):
                yield finding("forms.nobody-has-role", Place(file, 1), file=file, **values)

    def _words(self, request: AgreementRequest) -> Iterator[LocaleFinding]:
        shown: list[tuple[Word, Form]] = []
        partial, alone = request.person.partial, request.template.id if request.controller is None else ""
        for word in request.words:
            if self.seen.is_new(id(word), *request.features.items(), partial, alone):
                forms = matching(word, request.features)
                self.checked.used.update(map(id, forms))
                shown += ((word, form) for form in forms)
                if len(forms) > 1 or (not forms and not partial and not self.checked.rows_lost):
                    yield from self._unfit(word, forms, request)
        gender = request.features.get(GENDER)
        if gender and any(GENDER in form.needs for _, form in shown):
            for word, form in shown:
                if not _states_gender(form):
                    self.served.setdefault(id(form), (word, form, set()))[2].add(gender)

    def _unfit(self, word: Word, forms: Sequence[Form], request: AgreementRequest) -> Iterator[LocaleFinding]:
        """Yield what is found of a word that has no form or several."""
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

    def _lacking(self, word: Word, feature: str, request: AgreementRequest) -> LocaleFinding:
        """The finding for a controller that does not say what the word's forms depend on."""
        template, locale, toml = request.template, self.checked.locale, self.checked.locale_toml
        kind, _, noun = (request.controller or "").partition(".")
        without = (other.place for other in locale.words_of(template.kind) if feature not in other.gram)
        check, place = {
            "person": ("person-lacks-feature", request.person.place),
            "speaker": ("speaker-lacks-feature", toml.place("speaker", "features")),
            "noun": ("noun-lacks-feature", toml.place("nouns", noun)),
            template.kind: ("word-lacks-feature", next(without, word.place)),
        }.get(kind, ("no-controller", template.place))
        if kind == "person" and not any(feature in person.gram for person in locale.persons):
            check, place = "no-person-has-feature", template.place
        return finding(f"forms.{check}", place, feature=feature, word=word, request=request, noun=noun)


def level_findings(checked: Subject) -> Iterator[LocaleFinding]:
    """Forms of levels that persons of several genders show, in a language whose words agree in gender."""
    if not any(GENDER in form.needs for word in checked.locale.own_words for form in word.forms):
        return
    for axis, levels in checked.locale.levels.items():
        bases = (person for person in checked.locale.persons if axis in person.identity)
        genders = sorted({person.gram[GENDER] for person in bases if GENDER in person.gram})
        listing = " and ".join(genders)
        neutral = checked.locale.placebo_words.get(checked.locale.placebo_kinds.get(axis, ""), ())
        for word in (*levels.values(), *neutral) if len(genders) > 1 else ():
            for form in word.forms:
                if not _states_gender(form):
                    yield finding("forms.undivided-level", form.place, form=form, level=word.said, genders=listing)


def _states_gender(form: Form) -> bool:
    """Return whether a form says which gender it is for, or that it is for any."""
    return form.reserve or GENDER in form.needs or GENDER in form.shared
