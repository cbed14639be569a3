"""``eec locale new``: the files of a new language, with the English beside every empty cell.

Structure (features, roles, slots, rows) is taken from a locale that exists; the words are left to be written.
"""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from eec_datasets.checks.forms import form_findings
from eec_datasets.checks.subject import Subject
from eec_datasets.corpora import render
from eec_datasets.documents import fill
from eec_datasets.errors import EecError
from eec_datasets.files import start_folder
from eec_datasets.locale.grammar import cldr
from eec_datasets.locale.model import GENDER, KINDS, WANTED
from eec_datasets.locale.reading import corpus_facts, load_locale, locales_folder
from eec_datasets.locale.templating import nouns_in
from eec_datasets.text_file import csv_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from eec_datasets.locale.model import Locale, Role, Word

SHARED_SETS = ("noun-phrases", "pronouns")
SIGNED = ("translator", "checker", "note")
NAMES = 10
"""Names of each gender for which a scaffold has rows."""


class ScaffoldError(EecError):
    """A locale cannot be started: it is there already, or its tag is not one."""


def scaffold(tag: str, like: str, root: Path | None = None) -> Path:
    """Write the five files of a new locale.

    Parameters
    ----------
    tag : BCP 47 tag of the new language.
    like : tag of the locale whose structure is taken over.

    Raises
    ------
    ScaffoldError : the folder exists, or CLDR does not know the tag.
    OutputUnwritable : it cannot be written.
    UnknownConfig : there is no locale `like`.
    """
    folder = (root or locales_folder()) / tag
    language = cldr(tag)
    if language is None:
        raise ScaffoldError(
            f"CLDR does not know the language tag '{tag}'; a BCP 47 tag such as 'sv' or 'pt-BR' was expected. "
            "Look it up in the IANA language subtag registry"
        )
    written = str(language).replace("_", "-")
    if written != tag and written.lower() == tag.lower():
        raise ScaffoldError(f"the language tag '{tag}' is written '{written}'. Write it so")
    if folder.exists():
        raise ScaffoldError(f"{folder} is there already and was left alone. Edit its files, or choose another tag")
    source, english = _without_further_templates(load_locale(like, root), folder.parent / like), load_locale("en", root)
    name = str(language.get_display_name("en"))
    sentences = {template.id: template.pattern.text("name") for template in english.templates}
    sets = ["names", *(shared for shared in SHARED_SETS if any(person.set == shared for person in source.persons))]
    files = {
        "locale.toml": _filled("locale.toml", tag=tag, name=name, source=source, roles=_roles(source), sets=sets),
        "templates.toml": _filled("templates.toml", source=source, english=sentences),
        "words.csv": _words_csv(source, english),
        "persons.csv": _persons_csv(source, set(corpus_facts(root).get("own_flags", ()))),
        "expected.csv": _expected_csv(tag, source, root),
    }
    start_folder(folder, {file: text.encode() for file, text in files.items()})
    return folder


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
    elsewhere = _values_of_other_sets(source)

    def fewer_forms(word: Word) -> Word:
        shared = (form for form in word.forms if id(form) in asked.used and not _optional(form.needs, source))
        return replace(word, forms=tuple(form for form in shared if not elsewhere & set(form.needs.values())))

    templates = tuple(
        replace(template, words={name: fewer_forms(word) for name, word in template.words.items()})
        for template in templates
    )
    features = {
        feature: tuple(value for value in values if value not in elsewhere)
        for feature, values in source.features.items()
        if feature not in source.options
    }
    return replace(fewer, features=features, templates=templates, words=tuple(map(fewer_forms, source.words)))


def _filled(file: str, **values: object) -> str:
    """A TOML file from its Jinja source."""
    return fill(Path(__file__).with_name(f"{file}.jinja"), FILTERS, wanted=WANTED, **values)


def _pairs(table: Mapping[str, str]) -> str:
    return ", ".join(f'{name} = "{value}"' for name, value in table.items())


def _key(values: Iterable[str]) -> str:
    key = ".".join(values)
    return f'"{key}"' if "." in key else key


FILTERS: Final = {"toml": partial(json.dumps, ensure_ascii=False), "pairs": _pairs, "key": _key}
"""What sources do to values."""


def _values_of_other_sets(source: Locale) -> set[str]:
    """Feature values that only persons outside the shared sets have (the Spanish -e, say)."""
    of_set: dict[bool, set[str]] = {True: set(), False: set()}
    for person in source.persons:
        of_set[person.type == "name" or person.set in SHARED_SETS].update(person.gram.values())
    nouns = {value for noun in source.nouns.values() for value in noun.gram.values()}
    return of_set[False] - of_set[True] - nouns


def _roles(source: Locale) -> list[Role]:
    return [role for role in source.roles.values() if role.name not in source.stand_ins]


def _csv(columns: Sequence[str], notes: Iterable[str], rows: Iterable[Mapping[str, str]]) -> str:
    cells = ([row.get(column, "") for column in columns] for row in rows)
    return csv_text([columns, *([note] for note in notes), *cells])


def _words_csv(source: Locale, english: Locale) -> str:
    used = [name for name in source.features if any(name in form.needs for word in source.words for form in word.forms)]
    by_gender = GENDER in used
    own_columns = [f"gram.{name}" for name in source.features if any(name in word.gram for word in source.words)]
    columns = ["id", "kind", "emotion", "english", *used, "form", *own_columns, "status", "source", "use", *SIGNED]
    note = (
        f"# One form per line. The features say who the form agrees with ({', '.join(used) or 'none'}); "
        "an empty one is not asked. Remove rows your language does not need, add those it does"
        + (": a row for each gender where forms differ, any under gender where one form is right for all." * by_gender)
    )
    meaning = {word.id: word.forms[0].text for word in english.words}
    rows = [
        {
            "id": word.id, "kind": word.kind, "emotion": word.emotion, "english": meaning.get(word.id, word.id),
            **{name: form.needs.get(name, "") for name in used}, **_to_write(source, form.text),
        }
        for word in source.words for form in word.forms
    ]  # fmt: skip
    return _csv(columns, [note], rows)


def _to_write(source: Locale, text: str) -> dict[str, str]:
    """The cells of a row that is still to be written, with what stands there in the locale it is taken from."""
    return {"status": "added", "note": f"{source.tag}: {text}" if source.tag != "en" else ""}


def _optional(needs: Mapping[str, str], source: Locale) -> bool:
    return any(needs.get(name, option.default) != option.default for name, option in source.options.items())


def _persons_csv(source: Locale, own_flags: set[str]) -> str:
    gram = [name for name in source.features if any(name in person.gram for person in source.persons)]
    columns = ["id", "set", "type", "pair", "id.gender", "english", *(f"gram.{name}" for name in gram)]
    columns += [*(role.name for role in _roles(source)), "status", "source", "flags", *SIGNED]
    notes = (
        "# Names: ten women's and ten men's, everyday and unambiguous, each with the list it is from (column source). "
        "Change female-1 … into the name in plain lower-case ASCII, and the grammar where a name differs.",
        "# Noun phrases and pronouns: gram.* is grammar (das Mädchen is neuter), id.gender is who is meant. "
        "A column of a form may stay empty only where its role has like in locale.toml, and the form is that one.",
    )
    rows = [*_names(source)] + [
        {
            "id": person.id, "set": person.set, "type": person.type, "pair": person.pair,
            "id.gender": person.identity["gender"], "english": person.english,
            **{f"gram.{name}": value for name, value in person.gram.items()}, **_to_write(source, person.roles["nom"]),
            "flags": " ".join(flag for flag in person.flags if flag not in own_flags),
        }
        for person in source.persons if person.set in SHARED_SETS
    ]  # fmt: skip
    return _csv(columns, notes, rows)


def _names(source: Locale) -> Iterator[dict[str, str]]:
    """Rows for ten names of each gender, with the grammar that all names of the gender share in the source."""
    for gender in ("female", "male"):
        persons = [person for person in source.persons if person.type == "name" and person.identity["gender"] == gender]
        shared = dict(set.intersection(*(set(person.gram.items()) for person in persons))) if persons else {}
        fixed = {"set": "names", "type": "name", "id.gender": gender, "status": "added"}
        fixed |= {f"gram.{name}": value for name, value in shared.items()}
        yield from ({"id": f"{gender}-{number}", **fixed} for number in range(1, NAMES + 1))


def _expected_csv(tag: str, source: Locale, root: Path | None) -> str:
    note = (
        "# The answer key: for each template, type of person and gender at least one sentence, written by hand, "
        "never copied from the output. The note gives the English."
    )
    english = render("en-gender", root=root).columns
    sentences = dict(zip(english["id"], english["text"], strict=True))
    first = {kind: next((word.id for word in source.words if word.kind == kind), "none") for kind in KINDS}
    there = {person.id for person in source.persons if person.set in SHARED_SETS}
    ids = [
        f"{template.id}/{first[template.kind]}/{person}"
        for template in source.templates
        for person in ("woman", "man", "she", "he")
        if person in there
    ]
    rows = [{"config": f"{tag}-gender", "id": row, "note": f"English: {sentences.get(row, '')}"} for row in ids]
    return _csv(["config", "id", "speaker", "variants", "sentence", "note"], [note], rows)
