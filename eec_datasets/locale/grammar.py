"""``locale.toml`` → the grammar of a locale: features, options, roles, finish, speaker, nouns, configs."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import babel

from eec_datasets.locale.model import (
    PERSON_TYPES,
    WANTED,
    ConfigSpec,
    Finish,
    Join,
    Noun,
    Option,
    Review,
    Role,
    Speaker,
)
from eec_datasets.locale.shapes import NUMBER, TABLE, TABLE_TABLE, TABLES, TEXT, TEXT_TABLE, TEXTS, kept
from eec_datasets.locale.sources import read_toml

if TYPE_CHECKING:
    from pathlib import Path

    from eec_datasets.locale.shapes import Shapes
    from eec_datasets.locale.sources import Problems, TomlFile

SCHEMA = 1
TOP: Shapes = {
    "schema": NUMBER, "tag": TEXT, "variety": TEXT, "version": TEXT, "review": TABLE, "features": TABLE,
    "options": TABLE_TABLE, "roles": TABLE_TABLE, "finish": TABLE, "speaker": TABLE, "nouns": TABLE, "neutral": TABLE,
    "configs": TABLE_TABLE,
}  # fmt: skip
REQUIRED = ("schema", "tag", "variety", "version", "review", "features", "roles", "finish", "configs")
TABLES_OF: dict[str, Shapes] = {
    "review": {"status": TEXT, "reviewers": TEXTS, "notes": TEXTS},
    "finish": {"sentence_case": TEXT, "final": TEXT, "joins": TABLES, "capitals": TEXT_TABLE},
    "speaker": {"features": TEXT_TABLE, "genders": TEXT_TABLE, "default": TEXT},
    "neutral": {"refused": TEXT},
}
NEEDED = (("review", "status"), ("finish", "sentence_case"), ("finish", "final"))
OPTION: Shapes = {"values": TEXTS, "default": TEXT, "note": TEXT}
EFFECT: Shapes = {"roles": TEXT_TABLE, "strip": TEXT}
CONFIG: Shapes = {"sets": TEXTS, "optional": TEXTS, "variants": TEXT_TABLE, "speaker": TEXT, "about": TEXT}
ROLE: Shapes = {"like": TEXT, "types": TEXTS}
STATUSES = ("draft", "second-reading", "native")
CONFIG_KEY = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
SPEAKERS = ("female", "male", "crossed")


@dataclass(frozen=True, slots=True)
class Grammar:
    """The part of a locale that ``locale.toml`` holds."""

    tag: str
    variety: str
    version: str
    review: Review
    features: Mapping[str, tuple[str, ...]]
    feature_of: Mapping[str, str]
    options: Mapping[str, Option]
    roles: Mapping[str, Role]
    finish: Finish
    speaker: Speaker
    nouns: Mapping[str, Noun]
    neutral_refused: str | None
    configs: Mapping[str, ConfigSpec]


def read_grammar(folder: Path, problems: Problems) -> Grammar | None:
    """Read ``locale.toml``; None where too little of it can be used to go on."""
    file = read_toml(folder / "locale.toml", problems)
    if not file.data:
        if not problems:
            problems.add(file.place(), "the file is empty", "See locales/en/locale.toml for what it holds")
        return None
    before = len(problems.found)
    data = kept(file, (), file.data, TOP, problems)
    for key in REQUIRED:
        if key not in file.data:
            problems.add(file.place(), f"'{key}' is missing", "See locales/en/locale.toml for what it holds")
    for table, key in NEEDED:
        if isinstance(data.get(table), dict) and key not in data[table]:
            problems.add(
                file.place(table), f"'{table}.{key}' is missing", f"Known there: {', '.join(TABLES_OF[table])}"
            )
    for table, known in TABLES_OF.items():
        data[table] = kept(file, (table,), data.get(table, {}), known, problems)
    if any(key not in data for key in REQUIRED):
        return None
    file = dataclasses.replace(file, data=data)
    _check_head(file, folder, problems)
    options = _options(file, problems)
    features, feature_of = _features(file, options, problems)
    roles = _roles(file, problems)
    _check_redirects(file, options, roles, problems)
    configs = _configs(file, problems)
    if len(problems.found) > before and (not features or not roles):
        return None
    return Grammar(
        tag=data["tag"],
        variety=data["variety"],
        version=data["version"],
        review=_review(file, problems),
        features=features,
        feature_of=feature_of,
        options=options,
        roles=roles,
        finish=_finish(file, problems),
        speaker=_speaker(file, features, problems),
        nouns=_nouns(file, features, problems),
        neutral_refused=data["neutral"].get("refused"),
        configs=configs,
    )


def cldr(tag: str) -> babel.Locale | None:
    """What CLDR knows of a language, or None where it does not know the tag."""
    try:
        return babel.Locale.parse(tag, sep="-")
    except (babel.UnknownLocaleError, ValueError):
        return None


def _check_head(file: TomlFile, folder: Path, problems: Problems) -> None:
    data = file.data
    if data["schema"] != SCHEMA:
        problems.add(file.place("schema"), f"schema is {data['schema']}", f"This version reads schema {SCHEMA}")
    if data["tag"] != folder.name:
        problems.add(
            file.place("tag"),
            f"tag '{data['tag']}' in a folder named '{folder.name}'",
            "The two must be the same",
        )
    if cldr(data["tag"]) is None:
        problems.add(
            file.place("tag"),
            f"CLDR does not know the language tag '{data['tag']}'",
            "Use a BCP 47 tag such as 'es' or 'pt-BR'",
        )
    if not re.fullmatch(r"\d+\.\d+\.\d+", data["version"]):
        problems.add(file.place("version"), f"version '{data['version']}'", "Write it as MAJOR.MINOR.PATCH")


def _features(
    file: TomlFile, options: Mapping[str, Option], problems: Problems
) -> tuple[dict[str, tuple[str, ...]], dict[str, str]]:
    features: dict[str, tuple[str, ...]] = {}
    owner: dict[str, str] = {}
    for name in options:
        if name in file.data["features"]:
            problems.add(
                file.place("options", name), f"'{name}' is a feature and an option", "Give the option another name"
            )
    stated = {**file.data["features"], **{name: list(option.values) for name, option in options.items()}}
    for name, values in stated.items():
        place = file.place("options" if name in options else "features", name)
        if not isinstance(values, list) or not all(isinstance(value, str) and value for value in values):
            problems.add(place, f"the values of '{name}' are not a list of words", f'Write {name} = ["…", "…"]')
            continue
        features[name] = tuple(values)
        for value in values:
            if value in owner:
                problems.add(
                    place,
                    f"the value '{value}' belongs to '{owner[value]}' and to '{name}'",
                    "Give each value one feature only",
                )
            owner[value] = name
    return features, owner


def _options(file: TomlFile, problems: Problems) -> dict[str, Option]:
    options = {}
    for name, given in file.data.get("options", {}).items():
        stated = given.get("values", ())
        values = tuple(value for value in stated if isinstance(value, str)) if isinstance(stated, list) else ()
        table = kept(file, ("options", name), given, {**OPTION, **dict.fromkeys(values, TABLE)}, problems)
        if not values or table.get("default") not in values:
            problems.add(
                file.place("options", name),
                f"option '{name}' has values {list(values)} and default {table.get('default')!r}",
                "List the values, and make one the default",
            )
            continue
        effects = {
            value: kept(file, ("options", name, value), table[value], EFFECT, problems)
            for value in values
            if value in table
        }
        options[name] = Option(
            name=name,
            values=values,
            default=table["default"],
            roles={value: effect["roles"] for value, effect in effects.items() if "roles" in effect},
            strip=_strips(file, name, effects, problems),
            note=table.get("note", ""),
        )
    return options


def _strips(
    file: TomlFile, option: str, effects: Mapping[str, Mapping[str, Any]], problems: Problems
) -> dict[str, str]:
    strips = {}
    for value, effect in effects.items():
        if "strip" not in effect:
            continue
        try:
            re.compile(effect["strip"])
        except re.error as error:
            problems.add(
                file.place("options", option, value, "strip"),
                f"strip '{effect['strip']}' is no regular expression: {error.msg}",
                "List the characters to take away, such as '[\\u064B-\\u0652]'",
            )
            continue
        strips[value] = effect["strip"]
    return strips


def _roles(file: TomlFile, problems: Problems) -> dict[str, Role]:
    roles = {}
    for name, given in file.data["roles"].items():
        place = file.place("roles", name)
        table = kept(file, ("roles", name), given, ROLE, problems)
        types = tuple(table.get("types", PERSON_TYPES))
        if unknown := sorted(set(types) - set(PERSON_TYPES)):
            problems.add(
                place,
                f"role '{name}' names the person type {', '.join(unknown)}",
                f"Known: {', '.join(PERSON_TYPES)}",
            )
        roles[name] = Role(name, table.get("like"), types)
    for role in roles.values():
        if role.like is not None and role.like not in roles:
            problems.add(
                file.place("roles", role.name),
                f"role '{role.name}' is like '{role.like}', which is no role",
                f"Roles: {', '.join(roles)}",
            )
    for name in _circular(roles):
        problems.add(
            file.place("roles", name),
            f"role '{name}' is like itself by way of others",
            "Break the circle: drop one like",
        )
    if "nom" not in roles:
        problems.add(file.place("roles"), "the role 'nom' is missing", "Add [roles.nom]: the citation form of a person")
    return roles


def _circular(roles: Mapping[str, Role]) -> list[str]:
    found = []
    for name in roles:
        role = roles[name].like
        for _ in roles:
            if role == name:
                found.append(name)
                break
            role = roles[role].like if role is not None and role in roles else None
    return found


def _check_redirects(
    file: TomlFile, options: Mapping[str, Option], roles: Mapping[str, Role], problems: Problems
) -> None:
    for option in options.values():
        for value, redirect in option.roles.items():
            for role in (*redirect, *redirect.values()):
                if role not in roles:
                    place = file.place("options", option.name, value)
                    problems.add(
                        place,
                        f"option '{option.name}' redirects the role '{role}', which is no role",
                        f"Roles: {', '.join(roles)}",
                    )


def _review(file: TomlFile, problems: Problems) -> Review:
    table = file.data["review"]
    status = table.get("status")
    reviewers = tuple(table.get("reviewers", ()))
    if status not in (None, *STATUSES):
        problems.add(file.place("review", "status"), f"review status {status!r}", f"One of: {', '.join(STATUSES)}")
    if status == "native" and not reviewers:
        problems.add(
            file.place("review", "reviewers"),
            "status is 'native' but no reviewer is named",
            "Name the native speakers who read the sentences",
        )
    return Review(status if status in STATUSES else "draft", reviewers, tuple(table.get("notes", ())))


def _finish(file: TomlFile, problems: Problems) -> Finish:
    table = file.data["finish"]
    case = table.get("sentence_case")
    if case not in (None, "upper_first", "none"):
        problems.add(file.place("finish", "sentence_case"), f"sentence_case {case!r}", "One of: upper_first, none")
    if table.get("final") == "":
        problems.add(file.place("finish", "final"), "the final mark is empty", 'Write "." or the mark of the script')
    joins = []
    for join in table.get("joins", ()):
        before, after = join.get("from", "").strip(), join.get("to", "").strip()
        if set(join) != {"from", "to"} or not before or not after:
            problems.add(
                file.place("finish", "joins"),
                f"a join has {', '.join(f'{key} = {value!r}' for key, value in sorted(join.items())) or 'no keys'}",
                'Write { from = "a el", to = "al" }',
            )
            continue
        joins.append(Join(before, after))
    return Finish(case or "none", table.get("final", ""), tuple(joins), table.get("capitals", {}))


def _gram(
    file: TomlFile,
    where: tuple[str, ...],
    table: Mapping[str, str],
    features: Mapping[str, tuple[str, ...]],
    problems: Problems,
) -> dict[str, str]:
    for name, value in table.items():
        if value not in features.get(name, ()):
            known = ", ".join(features.get(name, ())) or f"no such feature; features: {', '.join(features)}"
            problems.add(file.place(*where), f"'{'.'.join(where)}' has {name} = {value!r}", f"Known: {known}")
    return dict(table)


def _speaker(file: TomlFile, features: Mapping[str, tuple[str, ...]], problems: Problems) -> Speaker:
    table = file.data.get("speaker", {})
    genders = dict(table.get("genders", {}))
    default = table.get("default")
    for label, value in genders.items():
        if label not in ("female", "male") or value not in features.get("gender", ()):
            problems.add(
                file.place("speaker", "genders"),
                f"speaker gender {label} = {value!r}",
                "Map female and male to values of the feature gender",
            )
    if genders and default not in genders:
        problems.add(file.place("speaker"), f"the speaker's default is {default!r}", f"One of: {', '.join(genders)}")
    return Speaker(
        _gram(file, ("speaker", "features"), table.get("features", {}), features, problems), genders, default
    )


def _nouns(file: TomlFile, features: Mapping[str, tuple[str, ...]], problems: Problems) -> dict[str, Noun]:
    nouns = {}
    for name, table in file.data.get("nouns", {}).items():
        if not TEXT_TABLE.fits(table) or not table.get("form"):
            problems.add(
                file.place("nouns", name),
                f"the noun '{name}' has no form or holds something other than strings",
                'Write { form = "…", gender = "…" }',
            )
            continue
        if table["form"] == WANTED:
            problems.add(
                file.place("nouns", name), f"the noun '{name}' is still to be written", f"Put it for '{WANTED}'"
            )
        gram = {key: value for key, value in table.items() if key not in ("form", "translator", "checker")}
        nouns[name] = Noun(table["form"], _gram(file, ("nouns", name), gram, features, problems))
    return nouns


def _configs(file: TomlFile, problems: Problems) -> dict[str, ConfigSpec]:
    configs = {}
    for key, given in file.data["configs"].items():
        place = file.place("configs", key)
        table = kept(file, ("configs", key), given, CONFIG, problems)
        if not CONFIG_KEY.fullmatch(key):
            problems.add(place, f"config '{key}'", "Name it in lower-case ASCII, words joined by '-'")
        if not table.get("sets"):
            problems.add(place, f"config '{key}' names no sets of persons", 'Write sets = ["noun-phrases", "pronouns"]')
        if table.get("speaker") not in (None, *SPEAKERS):
            problems.add(place, f"config '{key}' has speaker {table['speaker']!r}", f"One of: {', '.join(SPEAKERS)}")
        configs[key] = ConfigSpec(
            key, tuple(table.get("sets", ())), tuple(table.get("optional", ())), table.get("variants", {}),
            table.get("speaker"), table.get("about", ""), place,
        )  # fmt: skip
    return configs
