"""``templates.toml`` → templates with their function words, variants and refusals."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from eec_datasets.locale.model import KINDS, PERSON_TYPES, WANTED, Form, Pattern, Template, Word
from eec_datasets.locale.shapes import (
    TABLE_TABLE,
    TEXT,
    TEXT_OR_TABLE,
    TEXT_TABLE_TABLE,
    TEXTS,
    kept,
)
from eec_datasets.locale.sources import read_toml
from eec_datasets.locale.templating import Slots, slots_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from eec_datasets.locale.grammar import Grammar
    from eec_datasets.locale.model import Place
    from eec_datasets.locale.shapes import Shapes
    from eec_datasets.locale.sources import Problems, TomlFile

KEYS: Shapes = {
    "kind": TEXT, "text": TEXT_OR_TABLE, "forms": TEXT_TABLE_TABLE, "changes": TEXTS, "changes_neutral": TEXTS,
    "variants": TABLE_TABLE, "refuses": TEXT_TABLE_TABLE, "translator": TEXT, "checker": TEXT,
}  # fmt: skip
VARIANT: Shapes = {"text": TEXT_OR_TABLE, "note": TEXT}
RESERVED = (
    "person",
    "speaker",
    "noun",
    "state",
    "situation",
    "self",
    "super",
    "loop",
    "caller",
    "true",
    "false",
    "none",
)
TEXT_KEYS = ("default", *PERSON_TYPES)


def read_templates(folder: Path, grammar: Grammar, problems: Problems) -> tuple[Template, ...]:
    """The templates of a locale in file order."""
    file = read_toml(folder / "templates.toml", problems)
    templates = []
    if not file.data and not any(problem.place.file == file.name for problem in problems.found):
        problems.add(file.place(), "the file has no templates", "Write them as tables [t01], [t02], …")
    for name, table in file.data.items():
        place = file.place(name)
        if not re.fullmatch(r"t[0-9][0-9]", name) or not isinstance(table, dict):
            problems.add(place, f"'{name}' is no template", "Name templates t01, t02, …, each a table [t01]")
            continue
        if (template := _template(file, name, table, grammar, problems)) is not None:
            templates.append(template)
    return tuple(templates)


def _template(
    file: TomlFile, name: str, given: Mapping[str, Any], grammar: Grammar, problems: Problems
) -> Template | None:
    place = file.place(name)
    before = len(problems.found)
    table = kept(file, (name,), given, KEYS, problems)
    if table.get("kind") not in KINDS:
        problems.add(
            file.place(name, "kind"),
            f"template {name} has kind {table.get('kind')!r}",
            f"One of: {', '.join(KINDS)}",
        )
    if not table.get("text"):
        problems.add(place, f"template {name} has no text", "Write text = '… {{ person.nom }} …'")
    if not table.get("changes"):
        problems.add(
            place,
            f"template {name} does not say what changes",
            'Write changes = ["person", …]: the slots that differ in a minimal pair',
        )
    if len(problems.found) > before:
        return None
    words = {
        word: _function_word(file, name, word, forms, grammar, problems)
        for word, forms in table.get("forms", {}).items()
    }
    allowed = {*words, *(() if table["kind"] == "neutral" else (table["kind"],))}
    pattern = _pattern(file, (name,), table, allowed, grammar, problems)
    variants = {}
    for label, variant in table.get("variants", {}).items():
        where = (name, "variants", label)
        variants[label] = _pattern(
            file, where, kept(file, where, variant, VARIANT, problems), allowed, grammar, problems
        )
    known = {"person", *allowed}
    for key in ("changes", "changes_neutral"):
        for slot in table.get(key, ()):
            if slot not in known:
                problems.add(
                    file.place(name, key),
                    f"template {name} lists '{slot}' in {key}",
                    f"Slots: {', '.join(sorted(known))}",
                )
    return Template(
        name, table["kind"], pattern, variants, words, tuple(table["changes"]),
        tuple(table.get("changes_neutral", table["changes"])), table.get("refuses", {}), place,
    )  # fmt: skip


def _pattern(
    file: TomlFile,
    where: tuple[str, ...],
    table: Mapping[str, Any],
    allowed: set[str],
    grammar: Grammar,
    problems: Problems,
) -> Pattern:
    texts = table["text"] if isinstance(table.get("text"), dict) else {"default": table.get("text", "")}
    for key, text in texts.items():
        place = file.place(*where, "text", key) if isinstance(table.get("text"), dict) else file.place(*where, "text")
        if key not in TEXT_KEYS:
            problems.add(place, f"'{key}' is no type of person", f"One of: {', '.join(TEXT_KEYS)}")
        if WANTED in text:
            problems.add(
                place, f"the text of {'.'.join(where)} is still to be written", f"Put your words for '{WANTED}'"
            )
        slots = slots_of(text, allowed, grammar)
        for what, mend in slots.problems or (() if WANTED in text else _shown(slots, allowed)):
            problems.add(place, what, mend)
    return Pattern(texts, table.get("note", ""))


def _shown(slots: Slots, allowed: set[str]) -> list[tuple[str, str]]:
    """What a text must show: the person, and once the emotion word where the template has one."""
    problems = []
    if not slots.roles and all(agreement.controller != "person" for agreement in slots.agreements):
        problems.append(("the text does not show the person", "Put {{ person.nom }} (or another role) into it"))
    for word in allowed & {"state", "situation"}:
        count = sum(agreement.word == word for agreement in slots.agreements)
        if count != 1:
            problems.append((f"the text shows the emotion word {count} times", f"Show it once: {{{{ {word} }}}}"))
    return problems


def _function_word(file: TomlFile, template: str, name: str, forms: Any, grammar: Grammar, problems: Problems) -> Word:
    place = file.place(template, "forms", name)
    if name in RESERVED or not name.isidentifier():
        problems.add(place, f"a word cannot be called '{name}'", f"Choose another name; taken: {', '.join(RESERVED)}")
    if not isinstance(forms, dict):
        problems.add(
            place,
            f"the forms of '{name}' are not a table",
            'Write { f = "…", m = "…" }: feature values, then the form',
        )
        return Word(name, (), place)
    return Word(name, tuple(_keyed_form(key, text, place, grammar, problems) for key, text in forms.items()), place)


def _keyed_form(key: str, text: str, place: Place, grammar: Grammar, problems: Problems) -> Form:
    needs = {}
    if text == WANTED:
        problems.add(place, f"the form '{key}' is still to be written", f"Put your word for '{WANTED}'")
    for value in key.split("."):
        feature = grammar.feature_of.get(value)
        if feature is None:
            problems.add(
                place,
                f"'{value}' in the key '{key}' is no feature value",
                f"Values: {', '.join(grammar.feature_of)}",
            )
            continue
        needs[feature] = value
    return Form(text, needs, place)
