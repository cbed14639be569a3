"""``eec locale new``: the files of a new language, with the English beside every empty cell.

Structure (features, roles, slots, rows) is taken from a locale that exists; the words are left to be written.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from eec_bias.shared import start_folder
from eec_datasets.checks.forms import form_findings
from eec_datasets.checks.subject import Subject
from eec_datasets.corpora import render
from eec_datasets.documents import fill
from eec_datasets.errors import InputError
from eec_datasets.locale.grammar import cldr
from eec_datasets.locale.model import KINDS, WANTED
from eec_datasets.locale.reading import corpus_facts, load_locale, locales_folder
from eec_datasets.locale.templating import nouns_in
from eec_datasets.text_file import csv_text

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from eec_datasets.locale.model import Form, Locale, Word

SHARED_SETS = ("noun-phrases", "pronouns")
SLOT = re.compile(r"\{\{.*?\}\}")
FILES = ("locale.toml", "templates.toml", "words.csv", "persons.csv", "expected.csv")


def scaffold(tag: str, like: str, root: Path | None = None) -> Path:
    """Write the five files of a new locale.

    Parameters
    ----------
    tag : BCP 47 tag of the new language.
    like : tag of the locale whose structure is taken over.

    Raises
    ------
    InputError : the folder exists, or CLDR does not know the tag.
    OutputError : it cannot be written.
    InputError : there is no locale `like`.
    """
    folder = (root or locales_folder()) / tag
    language = cldr(tag)
    if language is None:
        raise InputError(
            f"CLDR does not know the language tag '{tag}'; a BCP 47 tag such as 'sv' or 'pt-BR' was expected. "
            "Look it up in the IANA language subtag registry"
        )
    written = str(language).replace("_", "-")
    if written != tag and written.lower() == tag.lower():
        raise InputError(f"the language tag '{tag}' is written '{written}'. Write it so")
    if folder.exists():
        raise InputError(f"{folder} already exists, and nothing was changed. Edit its files, or choose another tag")
    source = _without_further_templates(load_locale(like, root), folder.parent / like)
    values = {"tag": tag, "name": str(language.get_display_name("en")), **_values(source, root)}
    sources = {file: Path(__file__).with_name(f"{file}.jinja") for file in FILES}
    start_folder(folder, {file: fill(path, FILTERS, **values).encode() for file, path in sources.items()})
    return folder


def _values(source: Locale, root: Path | None) -> dict[str, object]:
    """Return what the files of a scaffold take from the locale that it is like, and from the English one."""
    english, sentences = load_locale("en", root), render("en-gender", root=root).columns
    sets = dict.fromkeys(person.set for person in source.persons if person.set in SHARED_SETS)
    gram = [name for name in source.features if any(name in person.gram for person in source.persons)]
    return {
        "source": source,
        "wanted": WANTED,
        "english": {template.id: template.pattern.text("name") for template in english.templates},
        "meanings": {word.id: word.forms[0].text for word in english.words},
        "sentences": dict(zip(sentences["id"], sentences["text"], strict=True)),
        "key_names": {f"{gender}-1": _first_name(sentences, gender) for gender in ("female", "male")},
        "roles": [role for role in source.roles.values() if role.name not in source.stand_ins],
        "sets": ["names", *sorted(sets)],
        "shared_sets": SHARED_SETS,
        "asked": [
            name for name in source.features if any(name in form.needs for word in source.words for form in word.forms)
        ],
        "own_columns": [f"gram.{name}" for name in source.features if any(name in word.gram for word in source.words)],
        "gram": gram,
        "gram_columns": [f"gram.{name}" for name in gram],
        "grammar_of_names": {gender: _grammar_of_names(source, gender) for gender in ("female", "male")},
        "first_words": {kind: next((word.id for word in source.words if word.kind == kind), "none") for kind in KINDS},
        "own_flags": corpus_facts(root).get("own_flags", ()),
    }


def _first_name(columns: Mapping[str, Sequence[str]], gender: str) -> str:
    """The first person of a corpus who has a name of this gender; empty where there is none."""
    rows = zip(columns["person"], columns["person_type"], columns["gender"], strict=True)
    return next((person for person, kind, whose in rows if (kind, whose) == ("name", gender)), "")


def _grammar_of_names(source: Locale, gender: str) -> dict[str, str]:
    """The grammar that all names of a gender share."""
    persons = [person for person in source.persons if person.type == "name" and person.identity["gender"] == gender]
    return dict(set.intersection(*(set(person.gram.items()) for person in persons))) if persons else {}


def _without_further_templates(source: Locale, folder: Path) -> Locale:
    """The locale with the templates of a config that names none, and the nouns, forms and features they ask for."""
    default = source.item_sets.default
    templates = tuple(template for template in source.templates if not default or template.id in default)
    nouns = nouns_in(text for template in templates for text in template.texts)
    nouns_kept = {name: noun for name, noun in source.nouns.items() if name in nouns}
    configs = {key: spec for key, spec in source.configs.items() if not (spec.templates or spec.items)}
    fewer = replace(source, templates=templates, nouns=nouns_kept, configs=configs)
    asked = Subject(fewer, whole=True, folder=folder)
    list(form_findings(asked))
    # Values that only persons outside the shared sets have (the Spanish -e, say), or that an option asks for.
    of_set: dict[bool, set[str]] = {True: set(), False: set()}
    for person in source.persons:
        of_set[person.type == "name" or person.set in SHARED_SETS].update(person.gram.values())
    elsewhere = of_set[False] - of_set[True] - {value for noun in source.nouns.values() for value in noun.gram.values()}
    optional = {value for option in source.options.values() for value in option.values if value != option.default}

    def fewer_forms(word: Word) -> Word:
        left = {*elsewhere, *optional}
        return replace(
            word, forms=tuple(f for f in word.forms if id(f) in asked.used and not left & {*f.needs.values()})
        )

    templates = tuple(
        replace(template, words={name: fewer_forms(word) for name, word in template.words.items()})
        for template in templates
    )
    features = {
        feature: tuple(value for value in values if value not in elsewhere)
        for feature, values in source.features.items()
        if feature not in source.options
    }
    words = _with_forms_of_their_kind(list(map(fewer_forms, source.words)), source.options)
    kept = replace(fewer, features=features, templates=templates, words=tuple(words))
    return _without_features(kept, _asked_features(source) - _asked_features(kept))


def _asked_features(source: Locale) -> set[str]:
    """Return the features that forms of words, or texts of templates, depend on."""
    words = (*source.words, *(word for template in source.templates for word in template.words.values()))
    keys = {key for template in source.templates for key in template.pattern.texts}
    by_text = {feature for feature, values in source.features.items() if keys & {*values}}
    return by_text | {feature for word in words for form in word.forms for feature in form.needs}


def _without_features(source: Locale, idle: Collection[str]) -> Locale:
    """Return the locale without some features, such as one that only an option asked for."""
    features = {feature: values for feature, values in source.features.items() if feature not in idle}

    def kept(gram: Mapping[str, str]) -> dict[str, str]:
        return {feature: value for feature, value in gram.items() if feature in features}

    return replace(
        source,
        features=features,
        nouns={name: replace(noun, gram=kept(noun.gram)) for name, noun in source.nouns.items()},
        persons=tuple(replace(person, gram=kept(person.gram)) for person in source.persons),
        speaker=replace(source.speaker, gram=kept(source.speaker.gram)),
    )


def _with_forms_of_their_kind(words: Sequence[Word], options: Collection[str]) -> list[Word]:
    """The words with a form for all that others of their kind tell apart: *triste* is one form, *trist, trista* two.

    Parameters
    ----------
    options : what forms depend on beside the features that words agree in; a new language has none of it.
    """

    def agreeing(form: Form) -> dict[str, str]:
        return {feature: value for feature, value in form.needs.items() if feature not in options}

    asked: dict[str, list[dict[str, str]]] = {kind: [] for kind in KINDS}
    for word in words:
        for form in word.forms:
            if agreeing(form) not in asked[word.kind]:
                asked[word.kind].append(agreeing(form))

    def told_apart(form: Form, kind: str) -> list[Form]:
        needs = agreeing(form)
        finer = [other for other in asked[kind] if other.items() > needs.items()]
        return [replace(form, needs=other) for other in finer or [needs]]

    return [
        replace(word, forms=tuple(finer for form in word.forms for finer in told_apart(form, word.kind)))
        for word in words
    ]


def _pairs(table: Mapping[str, str]) -> str:
    return ", ".join(f'{name} = "{value}"' for name, value in table.items())


def _key(values: Iterable[str]) -> str:
    key = ".".join(values)
    return f'"{key}"' if "." in key else key


def _cells(columns: Iterable[str], values: Mapping[str, str]) -> list[str]:
    return [values.get(column, "") for column in columns]


def _skeleton(text: str) -> str:
    """The slots of a text, with the mark of what is still to be written between them."""
    return f" {WANTED} ".join(SLOT.findall(text)) + f" {WANTED}"


def _row(cells: Iterable[str]) -> str:
    return csv_text([cells]).removesuffix("\n")


FILTERS: Final = {
    "toml": partial(json.dumps, ensure_ascii=False), "pairs": _pairs, "key": _key, "cells": _cells, "row": _row,
    "skeleton": _skeleton,
}  # fmt: skip
