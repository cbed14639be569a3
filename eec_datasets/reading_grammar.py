"""``locale.toml`` → the grammar of a locale: features, options, roles, finish, speaker, nouns, configs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import babel

from eec_datasets.model import PERSON_TYPES, ConfigSpec, Finish, Join, Noun, Option, Review, Role, Speaker
from eec_datasets.sources import TomlFile, read_toml

if TYPE_CHECKING:
    from pathlib import Path

    from eec_datasets.sources import Problems

SCHEMA = 1
TOP_KEYS: dict[str, type] = {
    "schema": int, "tag": str, "variety": str, "version": str, "review": dict, "features": dict, "options": dict,
    "roles": dict, "finish": dict, "speaker": dict, "nouns": dict, "neutral": dict, "configs": dict,
}  # fmt: skip
REQUIRED = ("schema", "tag", "variety", "version", "review", "features", "roles", "finish", "configs")
TABLE_KEYS: dict[str, dict[str, type]] = {
    "review": {"status": str, "reviewers": list, "notes": list},
    "finish": {"sentence_case": str, "final": str, "joins": list, "capitals": dict},
    "speaker": {"features": dict, "genders": dict, "default": str},
    "neutral": {"refused": str},
}
CONFIG_KEYS: dict[str, type] = {
    "sets": list,
    "optional": list,
    "variants": dict,
    "speaker": str,
    "about": str,
}
ROLE_KEYS: dict[str, type] = {"like": str, "types": list}
STATUSES = ("draft", "second-reading", "native")
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


Kinds = Mapping[str, type | tuple[type, ...]]


def check_keys(
    file: TomlFile, where: tuple[str, ...], table: Mapping[str, Any], known: Kinds, problems: Problems
) -> None:
    """Note every key of `table` that is unknown or holds the wrong kind of value."""
    for key, value in table.items():
        place = file.place(*where, key)
        spot = ".".join((*where, key))
        if key not in known:
            problems.add(place, f"unknown key '{spot}'", f"Known here: {', '.join(sorted(known))}")
        elif not isinstance(value, known[key]):
            kinds = known[key]
            want = " or ".join(kind.__name__ for kind in (kinds if isinstance(kinds, tuple) else (kinds,)))
            problems.add(place, f"'{spot}' is of type {type(value).__name__}", f"It must be of type {want}")


def read_grammar(folder: Path, problems: Problems) -> Grammar | None:
    """Read ``locale.toml``; None where too little of it can be used to go on."""
    file = read_toml(folder / "locale.toml", problems)
    data = file.data
    if not data:
        return None
    before = len(problems.found)
    check_keys(file, (), data, TOP_KEYS, problems)
    for key in REQUIRED:
        if key not in data:
            problems.add(file.place(), f"'{key}' is missing", "See locales/_template/locale.toml for what it holds")
    for table, known in TABLE_KEYS.items():
        if isinstance(data.get(table), dict):
            check_keys(file, (table,), data[table], known, problems)
    if len(problems.found) > before:
        return None
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
        neutral_refused=data.get("neutral", {}).get("refused"),
        configs=configs,
    )


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
    try:
        babel.Locale.parse(data["tag"], sep="-")
    except (babel.UnknownLocaleError, ValueError):
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
    for name, table in file.data.get("options", {}).items():
        place = file.place("options", name)
        values = tuple(table.get("values", ()))
        if not values or table.get("default") not in values:
            problems.add(
                place,
                f"option '{name}' has values {list(values)} and default {table.get('default')!r}",
                "List the values, and make one the default",
            )
            continue
        known: dict[str, type] = {"values": list, "default": str, "note": str} | dict.fromkeys(values, dict)
        check_keys(file, ("options", name), table, known, problems)
        effects = {value: table.get(value, {}) for value in values}
        for value, effect in effects.items():
            check_keys(file, ("options", name, value), effect, {"roles": dict, "strip": str}, problems)
        options[name] = Option(
            name=name,
            values=values,
            default=table["default"],
            roles={value: effect["roles"] for value, effect in effects.items() if "roles" in effect},
            strip={value: effect["strip"] for value, effect in effects.items() if "strip" in effect},
            note=table.get("note", ""),
        )
    return options


def _roles(file: TomlFile, problems: Problems) -> dict[str, Role]:
    roles = {}
    for name, table in file.data["roles"].items():
        place = file.place("roles", name)
        check_keys(file, ("roles", name), table, ROLE_KEYS, problems)
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
    if "nom" not in roles:
        problems.add(file.place("roles"), "the role 'nom' is missing", "Add [roles.nom]: the citation form of a person")
    return roles


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
    if status not in STATUSES:
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
    if case not in ("upper_first", "none"):
        problems.add(file.place("finish", "sentence_case"), f"sentence_case {case!r}", "One of: upper_first, none")
    if not table.get("final"):
        problems.add(file.place("finish"), "the final mark is missing", 'Write final = "." (or the mark of the script)')
    joins = []
    for join in table.get("joins", ()):
        if set(join) != {"from", "to"}:
            problems.add(
                file.place("finish", "joins"),
                f"a join has the keys {', '.join(sorted(join))}",
                'Write { from = "a el", to = "al" }',
            )
            continue
        joins.append(Join(join["from"].strip(), join["to"].strip()))
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
        if not isinstance(table, dict) or not table.get("form"):
            problems.add(
                file.place("nouns", name),
                f"the noun '{name}' has no form",
                'Write { form = "…", gender = "…" }',
            )
            continue
        gram = {key: value for key, value in table.items() if key != "form"}
        nouns[name] = Noun(table["form"], _gram(file, ("nouns", name), gram, features, problems))
    return nouns


def _configs(file: TomlFile, problems: Problems) -> dict[str, ConfigSpec]:
    configs = {}
    for key, table in file.data["configs"].items():
        place = file.place("configs", key)
        check_keys(file, ("configs", key), table, CONFIG_KEYS, problems)
        if not table.get("sets"):
            problems.add(place, f"config '{key}' names no sets of persons", 'Write sets = ["noun-phrases", "pronouns"]')
        if table.get("speaker") not in (None, *SPEAKERS):
            problems.add(place, f"config '{key}' has speaker {table['speaker']!r}", f"One of: {', '.join(SPEAKERS)}")
        configs[key] = ConfigSpec(
            key, tuple(table.get("sets", ())), tuple(table.get("optional", ())), table.get("variants", {}),
            table.get("speaker"), table.get("about", ""), place,
        )  # fmt: skip
    return configs
