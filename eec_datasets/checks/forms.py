"""Every word has exactly one form for each controller it can meet, and every person every role."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from eec_datasets.checks.asking import asked_of, class_of, parts
from eec_datasets.checks.report import Finding
from eec_datasets.errors import RenderError
from eec_datasets.locale.agreement import matching
from eec_datasets.render.frames import role_form

if TYPE_CHECKING:
    from collections.abc import Sequence

    from eec_datasets.checks.asking import Asked
    from eec_datasets.checks.trials import Subject, Trial
    from eec_datasets.locale.model import Form, Person, Template, Word
    from eec_datasets.render.frames import Setting


@dataclass(slots=True)
class Forms:
    """What asking every template for every class of persons has shown.

    Attributes
    ----------
    used : identities of the forms that some sentence shows.
    roles : roles that some template asks for, after the redirects of options.
    """

    findings: list[Finding] = field(default_factory=list)
    used: set[int] = field(default_factory=set)
    roles: set[str] = field(default_factory=set)
    seen: set[object] = field(default_factory=set)


def examine(checked: Subject) -> Forms:
    """Ask every template, under every choice, for every class of persons."""
    forms = Forms()
    for trial in checked.trials:
        for template in trial.templates:
            _texts(checked, trial, template, forms)
            _refusals(trial, template, forms)
    return forms


def _texts(checked: Subject, trial: Trial, template: Template, forms: Forms) -> None:
    pattern = trial.choice.patterns[template.id]
    representatives = {class_of(person): person for person in reversed(trial.persons)}
    for person in reversed(representatives.values()):
        text = pattern.text(person.type)
        if text is None:
            if (template.id, person.type) in forms.seen:
                continue
            forms.seen.add((template.id, person.type))
            what = f"template {template.id} has no text for a {person.type} such as '{person.id}' ({trial.name})"
            forms.findings.append(
                Finding("error", "forms", template.place, what, f"Add text.{person.type}, or text.default")
            )
            continue
        for speaker in checked.speakers(text):
            key = (template.id, text, class_of(person), speaker, tuple(trial.choice.setting.features.items()))
            if key not in forms.seen:
                forms.seen.add(key)
                _slots(checked, trial, template, text, person, speaker, forms)
    _role_cells(checked, trial, template, forms)


def _slots(
    checked: Subject,
    trial: Trial,
    template: Template,
    text: str,
    person: Person,
    speaker: str | None,
    forms: Forms,
) -> None:
    locale = checked.locale
    for asked in asked_of(locale, template, text, person.gram, speaker, trial.choice.setting):
        if asked.features is None:
            continue
        words = locale.words_of(template.kind) if asked.word is None else (asked.word,)
        for word in words:
            key = (id(word), tuple(asked.features.items()), person.partial)
            if key not in forms.seen:
                forms.seen.add(key)
                _one_form(checked, word, asked, template, person, forms)


def _one_form(checked: Subject, word: Word, asked: Asked, template: Template, person: Person, forms: Forms) -> None:
    assert asked.features is not None
    found = matching(word, asked.features)
    forms.used.update(id(form) for form in found)
    if len(found) == 1 or (not found and (person.partial or checked.rows_lost)):
        return
    who = f"template {template.id} with '{person.id}'"
    needed = {name for form in word.forms for name in form.needs}
    shown = ", ".join(f"{name} {value}" for name, value in asked.features.items() if name in needed)
    if found:
        texts = " and ".join(f"'{form.text}' ({form.place})" for form in found)
        what = f"'{word.id}' has {len(found)} forms for {shown or 'no features'}, as {who} asks: {texts}"
        forms.findings.append(Finding("error", "forms", found[-1].place, what, "Leave one, or tell them apart"))
        return
    lacking = [name for name in _in_every(word.forms) if name not in asked.features]
    if lacking:
        forms.findings.append(_lacking(checked, word, lacking[0], asked, template, person))
        return
    what = f"'{word.id}' has no form for {shown or 'no features'}, as {who} asks"
    forms.findings.append(Finding("error", "forms", word.place, what, "Add one"))


def _in_every(forms: Sequence[Form]) -> list[str]:
    return [name for name in forms[0].needs if all(name in form.needs for form in forms)] if forms else []


def _lacking(checked: Subject, word: Word, feature: str, asked: Asked, template: Template, person: Person) -> Finding:
    """The finding for a controller that does not say what the word's forms depend on."""
    controller = asked.controller
    mend = f"Give it the feature {feature}"
    if controller == "person":
        what = f"'{person.id}' has no {feature}, on which '{word.id}' depends in template {template.id}"
        return Finding("error", "forms", person.place, what, f"Fill the column gram.{feature}")
    if controller == "speaker":
        what = f"[speaker] features has no {feature}, on which '{word.id}' depends in template {template.id}"
        return Finding("error", "forms", checked.locale_toml.place("speaker", "features"), what, mend)
    if controller is not None and controller.startswith("noun."):
        what = f"the noun '{controller[5:]}' has no {feature}, on which '{word.id}' depends in template {template.id}"
        return Finding("error", "forms", checked.locale_toml.place("nouns", controller[5:]), what, mend)
    if controller == template.kind:
        place = next((w.place for w in checked.locale.words_of(template.kind) if feature not in w.gram), word.place)
        what = f"the word on this line has no {feature}, on which '{word.id}' depends in template {template.id}"
        return Finding("error", "forms", place, what, f"Fill the column gram.{feature}")
    what = f"'{word.id}' depends on {feature}, and template {template.id} names nobody it agrees with"
    mend = f"Write {{{{ {asked.slot} | agree(person) }}}}, or who it agrees with"
    return Finding("error", "forms", template.place, what, mend)


def _role_cells(checked: Subject, trial: Trial, template: Template, forms: Forms) -> None:
    """Every person has the role its text asks for, by itself or by the role that serves for it."""
    setting, pattern = trial.choice.setting, trial.choice.patterns[template.id]
    redirects = tuple(setting.redirects.items())
    for (name, kind), persons in trial.groups.items():
        for role in roles_of(pattern.text(kind)):
            key = (name, kind, role, redirects)
            if key not in forms.seen:
                forms.seen.add(key)
                forms.roles |= {role, setting.redirects.get(role, role)}
                for person in persons:
                    _role_cell(checked, template, person, role, setting, forms)


def _role_cell(checked: Subject, template: Template, person: Person, role: str, setting: Setting, forms: Forms) -> None:
    try:
        role_form(checked.locale, person, role, setting)
    except RenderError:
        what = (
            f"'{person.id}' ({person.type}) has no form '{role}', for which template {template.id} asks, "
            "and none that may stand for it"
        )
        mend = f"Fill the column {role}, or give the template a text of its own for {person.type}"
        forms.findings.append(Finding("error", "forms", person.place, what, mend))


def roles_of(text: str | None) -> tuple[str, ...]:
    """The roles of the person that a template text asks for."""
    if text is None:
        return ()
    return tuple(part[1] for part in parts(text) if isinstance(part, tuple) and part[0] == "person")


def _refusals(trial: Trial, template: Template, forms: Forms) -> None:
    if template.id not in trial.choice.plain:
        return
    for person in trial.persons:
        for value, reason in template.refuses.get(person.type, {}).items():
            key = (trial.spec.key, template.id, person.type, value)
            if value in person.gram.values() and key not in forms.seen:
                forms.seen.add(key)
                what = f"{trial.name} puts '{person.id}' into template {template.id}, which refuses it: {reason}"
                forms.findings.append(
                    Finding("error", "forms", trial.spec.place, what, "Choose a variant, or leave the set out")
                )
