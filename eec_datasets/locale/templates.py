"""``templates.toml`` → templates with their function words, variants and refusals."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Any

from eec_datasets.locale.model import EMOTION_KINDS, KINDS, PERSON_TYPES, WANTED, Form, Pattern, Template, Word
from eec_datasets.locale.templating import TAKEN, slots_of
from eec_datasets.locale.toml_file import (
    TABLE_TABLE,
    TEXT,
    TEXT_OR_TABLE,
    TEXT_TABLE,
    TEXT_TABLE_TABLE,
    TEXTS,
    TableKeys,
    one_of,
    read_toml,
    table_of,
    word_of,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping
    from pathlib import Path

    from eec_datasets.errors import Problems
    from eec_datasets.locale.model import Locale
    from eec_datasets.locale.toml_file import TomlTable

TEXT_KEYS = ("default", *PERSON_TYPES)

TEMPLATE = TableKeys(
    needed={"kind": word_of(*KINDS)},
    allowed={
        "text": TEXT_OR_TABLE,
        "forms": table_of(TEXT_TABLE, 'a table of tables of strings, such as forms.feel = { m = "…", f = "…" }'),
        "changes": TEXTS,
        "changes_neutral": TEXTS,
        "variants": TABLE_TABLE,
        "refuses": TEXT_TABLE_TABLE,
        "final": TEXT,
        "translator": TEXT,
        "checker": TEXT,
        "note": TEXT,
    },
)
VARIANT = TableKeys(allowed={"text": TEXT_OR_TABLE, "note": TEXT})


def read_templates(folder: Path, locale: Locale, problems: Problems) -> tuple[Template, ...]:
    """The templates of a locale in file order."""
    problem_count = len(problems)
    file = read_toml(folder / "templates.toml", problems)
    if not file.data and len(problems) == problem_count:
        file.report("the file has no templates", "Write them as tables [t01], [t02], …")
    return tuple(_templates(file, locale))


def _templates(file: TomlTable, locale: Locale) -> Iterator[Template]:
    for name, entry in file.data.items():
        if not re.fullmatch(r"t[0-9][0-9]", name) or not isinstance(entry, dict):
            file.report(f"'{name}' is no template", "Name templates t01, t02, …, each a table [t01]", name)
            continue
        problem_count = len(file.problems)
        table = file.table(name).laid_out(TEMPLATE)
        if not table.get("text"):
            table.report(f"template {name} has no text", "Write text = '… {{ person.nom }} …'")
        if not table.get("changes"):
            fix = 'Write changes = ["person", …]: the slots that differ in a minimal pair'
            table.report(f"template {name} does not say what changes", fix)
        if len(file.problems) == problem_count:
            yield _template(table, name, locale)


def _template(table: TomlTable, name: str, locale: Locale) -> Template:
    words = {word: _function_word(table, word, locale) for word in table.get("forms", {})}
    emotion_words = () if table["kind"] == "neutral" else (table["kind"],)
    allowed = {*words, *emotion_words}
    pattern = _pattern(table, allowed, locale)
    variants = {
        label: _pattern(table.table("variants", label).laid_out(VARIANT), allowed, locale)
        for label in table.get("variants", {})
    }
    for key in ("changes", "changes_neutral"):
        for slot in table.get(key, ()):
            table.expect(slot, sorted({"person", *allowed}), f"template {name} has in {key} the slot", key)
    for person_type, reasons in table.get("refuses", {}).items():
        keys = ("refuses", person_type)
        table.expect(person_type, PERSON_TYPES, f"template {name} refuses the person type", *keys)
        for value in reasons:
            table.expect(value, locale.feature_of, f"template {name} refuses the feature value", *keys, value)
    return Template(
        name, table["kind"], pattern, variants, words, tuple(table["changes"]),
        tuple(table.get("changes_neutral", table["changes"])), table.get("refuses", {}), table.place(),
        table.get("final"),
    )  # fmt: skip


def _pattern(table: TomlTable, words: Collection[str], locale: Locale) -> Pattern:
    text_or_table = table.get("text", "")
    texts = text_or_table if isinstance(text_or_table, dict) else {"default": text_or_table}
    for key, text in texts.items():
        keys = ("text", key) if isinstance(text_or_table, dict) else ("text",)
        if key not in TEXT_KEYS and key not in locale.feature_of:
            fix = f"{one_of(TEXT_KEYS)}, or a value of a feature"
            table.report(f"'{key}' is no type of person and no value of a feature", fix, *keys)
        if WANTED in text:
            message = f"the text of {'.'.join(table.keys)} is still to be written"
            table.report(message, f"Put your words for '{WANTED}'", *keys)
        slots = slots_of(text, words, locale)
        for message, fix in slots.problems:
            table.report(message, fix, *keys)
        if slots.problems or WANTED in text:
            continue
        if not slots.named("person") and all(agreement.controller != "person" for agreement in slots.agreements):
            table.report("the text does not show the person", "Put {{ person.nom }} (or another role) into it", *keys)
        shown = Counter(agreement.word for agreement in slots.agreements)
        for word in set(EMOTION_KINDS) & set(words):
            if shown[word] != 1:
                message = f"the text shows the emotion word {shown[word]} times"
                table.report(message, f"Show it once: {{{{ {word} }}}}", *keys)
    return Pattern(texts)


def _function_word(table: TomlTable, name: str, locale: Locale) -> Word:
    """A word of a template; the key of each form holds the feature values that it is for, such as `f.sg`."""
    forms = table.table("forms", name)
    taken = [*TAKEN, *EMOTION_KINDS]
    if name in taken or not name.isidentifier():
        fix = f"Choose another, of letters, digits and _; taken: {', '.join(taken)}"
        forms.report(f"a word cannot be called '{name}'", fix)
    feature_of = locale.feature_of
    for key, text in forms.data.items():
        if text == WANTED:
            forms.report(f"the form '{key}' is still to be written", f"Put your word for '{WANTED}'")
        for value in key.split("."):
            forms.expect(value, feature_of, f"the key '{key}' has the feature value")
    needs = {key: {feature_of[value]: value for value in key.split(".") if value in feature_of} for key in forms.data}
    return Word(name, tuple(Form(forms[key], needs[key], forms.place()) for key in needs), forms.place())


def texts_of(grammar: TomlTable, templates: TomlTable) -> Iterator[tuple[TomlTable, tuple[str, ...], str]]:
    """The texts in the TOML files of a language: each noun or template, the keys that lead to one, the text."""
    nouns = grammar.table("nouns")
    for table in map(nouns.table, nouns.data):
        if isinstance(table.get("form"), str):  # `eec locale check` tells what is wrong with others
            yield table, ("form",), table["form"]
    for table in map(templates.table, templates.data):
        for keys, text in _strings(table.data):
            match keys:
                case ("text",) | ("text", _) | ("forms", _, _) | ("variants", _, "text") | ("variants", _, "text", _):
                    yield table, keys, text


def _strings(table: Mapping[str, Any]) -> Iterator[tuple[tuple[str, ...], str]]:
    for key, value in table.items():
        if isinstance(value, str):
            yield (key,), value
        elif isinstance(value, dict):
            yield from (((key, *keys), text) for keys, text in _strings(value))
