"""``locale.toml`` → a locale without its words: features, options, roles, finish, speaker, nouns, configs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import babel

from eec_datasets.locale.endings import read_endings
from eec_datasets.locale.families import USUAL, NameFamilies
from eec_datasets.locale.model import (
    ANY,
    PERSON_TYPES,
    WANTED,
    WORD_FILES,
    ConfigSpec,
    Finish,
    LanguageOption,
    Locale,
    Noun,
    Review,
    Role,
    Speaker,
)
from eec_datasets.locale.toml_file import (
    NUMBER,
    PAIR,
    TABLE,
    TABLE_TABLE,
    TEXT,
    TEXT_TABLE,
    TEXT_TABLES,
    TEXTS,
    TableKeys,
    read_toml,
    word_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from eec_datasets.errors import Problems
    from eec_datasets.locale.toml_file import TomlTable

SCHEMA = 1
CONFIG_KEY = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
SEE = "See locales/en/locale.toml for what it holds"

LOCALE = TableKeys(
    needed={
        "schema": NUMBER,
        "tag": TEXT,
        "variety": TEXT,
        "version": TEXT,
        "review": TABLE,
        "features": TABLE,
        "roles": TABLE_TABLE,
        "finish": TABLE,
        "configs": TABLE_TABLE,
    },
    allowed={
        "options": TABLE_TABLE,
        "speaker": TABLE,
        "nouns": TABLE,
        "neutral": TABLE,
        "families": TABLE,
        "endings": TABLE,
        "placebo": TEXT_TABLE,
    },
)
REVIEW = TableKeys(
    needed={"status": word_of("draft", "second-reading")},
    allowed={"reviewers": TEXTS, "notes": TEXTS},
)
FINISH = TableKeys(
    needed={"sentence_case": word_of("upper_first", "none"), "final": TEXT},
    allowed={"joins": TEXT_TABLES, "capitals": TEXT_TABLE},
)
SPEAKER = TableKeys(allowed={"features": TEXT_TABLE, "genders": TEXT_TABLE, "default": TEXT})
NEUTRAL = TableKeys(allowed={"refused": TEXT})
FAMILIES = TableKeys(allowed={"first": NUMBER, "last": NUMBER, "articles": TEXTS, "kept": TEXTS})
OPTION = TableKeys(allowed={"values": TEXTS, "default": TEXT, "note": TEXT, "regions": TEXT_TABLE})
CHARACTER = r"(?:\\u[0-9A-Fa-f]{4}|[^\\\[\]^&~|-])"
CHARACTER_CLASS = re.compile(rf"\[(?:{CHARACTER}(?:-{CHARACTER})?)+\]")
"""A class of characters as regular expressions write it, without a negation, a set in a set, or a name of a set."""

OPTION_VALUE = TableKeys(allowed={"roles": TEXT_TABLE, "strip": TEXT})
ROLE = TableKeys(allowed={"like": TEXT, "types": TEXTS})
CONFIG = TableKeys(
    allowed={
        "sets": TEXTS,
        "templates": TEXTS,
        "words": TEXTS,
        "items": TEXT,
        "part": PAIR,
        "optional": TEXTS,
        "variants": TEXT_TABLE,
        "speaker": word_of("female", "male", "crossed"),
        "about": TEXT,
    }
)


def read_grammar(folder: Path, problems: Problems) -> Locale | None:
    """Read ``locale.toml``; None where too little of it can be used to go on."""
    file = read_toml(folder / "locale.toml", problems)
    if not file.data:
        if not problems:
            file.report("the file is empty", SEE)
        return None
    problem_count = len(problems)
    top = file.laid_out(LOCALE, SEE)
    tables = {}
    for name, keys in {"review": REVIEW, "finish": FINISH, "speaker": SPEAKER, "neutral": NEUTRAL}.items():
        tables[name] = top.table(name)
        if name in top:
            tables[name] = tables[name].laid_out(keys)
    if any(key not in top for key in ("schema", "tag", "variety", "version", "features", "roles", "configs")):
        return None
    _check_head(top, folder)
    options = _options(top)
    features = _features(top, options)
    roles = _roles(top, options)
    configs = {key: _config(top.table("configs", key).laid_out(CONFIG), key) for key in top["configs"]}
    if len(problems) > problem_count and (not features or not roles):
        return None
    return Locale(
        tag=top["tag"],
        variety=top["variety"],
        version=top["version"],
        review=_review(tables["review"]),
        features=features,
        options=options,
        roles=roles,
        finish=_finish(tables["finish"]),
        speaker=_speaker(tables["speaker"], features),
        nouns=dict(_nouns(top, features)),
        neutral_refused=tables["neutral"].get("refused"),
        families=read_families(top),
        endings=read_endings(top.table("endings"), features),
        placebo_kinds=dict(top.get("placebo", {})),
        configs=configs,
    )


def read_families(top: TomlTable) -> NameFamilies:
    """Return which letters names share by ``[families]`` of ``locale.toml``; the usual rule if it has no such table."""
    if "families" not in top:
        return USUAL
    table = top.table("families").laid_out(FAMILIES)
    for key in ("first", "last"):
        if table.get(key, 1) < 1:
            table.report(f"{key} is {table[key]}", "Write how many letters names have in common, 1 or more", key)
    if not all(table.get("articles", ())):
        table.report("an article is empty", 'Write articles = ["la", "l\'"], or leave it out', "articles")
    return NameFamilies(
        table.get("first", USUAL.first),
        table.get("last", USUAL.last),
        tuple(table.get("articles", ())),
        tuple(table.get("kept", ())),
    )


def cldr(tag: str) -> babel.Locale | None:
    """Return what CLDR knows of a language, or None where it does not know the tag."""
    try:
        language = babel.Locale.parse(tag, sep="-")
    except (babel.UnknownLocaleError, ValueError):
        return None
    # CLDR has entries for what all languages share, and takes English for a language that is not known.
    return None if tag.partition("-")[0] in ("root", "und") else language


def _check_head(top: TomlTable, folder: Path) -> None:
    tag = top["tag"]
    if top["schema"] != SCHEMA:
        top.report(f"schema is {top['schema']}", f"This version reads schema {SCHEMA}", "schema")
    if tag != folder.name:
        top.report(f"tag '{tag}' in a folder named '{folder.name}'", "The two must be the same", "tag")
    if cldr(tag) is None:
        top.report(f"CLDR does not know the language tag '{tag}'", "Use a BCP 47 tag such as 'es' or 'pt-BR'", "tag")
    if not re.fullmatch(r"\d+\.\d+\.\d+", top["version"]):
        top.report(f"version '{top['version']}'", "Write it as MAJOR.MINOR.PATCH", "version")


def _features(top: TomlTable, options: Mapping[str, LanguageOption]) -> dict[str, tuple[str, ...]]:
    features: dict[str, tuple[str, ...]] = {}
    owner: dict[str, str] = {}
    for name in options:
        if name in top["features"]:
            top.report(f"'{name}' is a feature and an option", "Give the option another name", "options", name)
    for name, values in {**top["features"], **{name: [*option.values] for name, option in options.items()}}.items():
        keys = ("options" if name in options else "features", name)
        if not TEXTS.fits(values) or not all(values):
            top.report(f"the values of '{name}' are not a list of words", f'Write {name} = ["…", "…"]', *keys)
            continue
        features[name] = tuple(values)
        if ANY in values:
            fix = "This name means all values of a feature: choose another name"
            top.report(f"'{name}' has the value '{ANY}'", fix, *keys)
        for value in values:
            if value in owner:
                message = f"the value '{value}' belongs to '{owner[value]}' and to '{name}'"
                twice = (f"'{name}' has the value '{value}' twice", "Leave one")
                top.report(*twice if owner[value] == name else (message, "Give each value one feature only"), *keys)
            owner[value] = name
    return features


def _options(top: TomlTable) -> dict[str, LanguageOption]:
    options = {}
    for name, entry in top.get("options", {}).items():
        stated = entry.get("values", ())
        values = tuple(value for value in stated if isinstance(value, str)) if isinstance(stated, list) else ()
        table = top.table("options", name).laid_out(OPTION, further=values)
        if not values or table.get("default") not in values:
            message = f"option '{name}' has values {list(values)} and default {table.get('default')!r}"
            table.report(message, "List the values, and make one the default")
            continue
        effects = {value: table.table(value).laid_out(OPTION_VALUE) for value in values if value in table}
        redirects = {value: effect["roles"] for value, effect in effects.items() if "roles" in effect}
        strips = {value: effect["strip"] for value, effect in effects.items() if "strip" in effect}
        for value, strip in [*strips.items()]:
            if not is_character_class(strip):
                message = f"strip '{strip}' is no class of characters"
                fix = "List the characters to take away in brackets, such as '[\\u064B-\\u0652]'"
                effects[value].report(message, fix, "strip")
                del strips[value]
        regions = dict(table.get("regions", {}))
        if regions and (regions.keys() != {*values} or not all(map(cldr, regions.values()))):
            fix = 'Give a language tag for each value: regions = { spain = "es-ES", … }'
            table.report(f"the regions of option '{name}' are {regions}", fix, "regions")
        options[name] = LanguageOption(name, values, table["default"], redirects, strips, regions)
    return options


def is_character_class(text: str) -> bool:
    """Return whether a text lists characters and ranges in brackets, such as ``[\\u064B-\\u0652]``, and no more.

    Other regular expressions are refused: some take hours on a short sentence.
    """
    if not CHARACTER_CLASS.fullmatch(text):
        return False
    try:
        re.compile(text)
    except re.error:  # a range that ends before it begins
        return False
    return True


def _roles(top: TomlTable, options: Mapping[str, LanguageOption]) -> dict[str, Role]:
    tables = {name: top.table("roles", name).laid_out(ROLE) for name in top["roles"]}
    roles = {name: Role(name, **table.values) for name, table in tables.items()}
    for name, role in roles.items():
        _check_name(tables[name], "role", name)
        for person_type in role.types:
            tables[name].expect(person_type, PERSON_TYPES, f"role '{name}' names the person type")
        if role.like is not None:
            tables[name].expect(role.like, roles, f"role '{name}' is like the role")
        serving, passed = role.like, set[str]()
        while serving is not None and serving in roles and serving not in passed:
            passed.add(serving)
            serving = roles[serving].like
        if name in passed:
            tables[name].report(f"role '{name}' is like itself by way of others", "Break the circle: drop one like")
    if "nom" not in roles:
        top.report("the role 'nom' is missing", "Add [roles.nom]: the citation form of a person", "roles")
    for option in options.values():
        for value, redirect in option.roles.items():
            for name in (*redirect, *redirect.values()):
                top.expect(name, roles, f"option '{option.name}' redirects the role", "options", option.name, value)
    return roles


def _check_name(table: TomlTable, what: str, name: str) -> None:
    """Note a name that no template could ask for: to a template, `acc-prep` is a subtraction."""
    if not name.isidentifier():
        table.report(f"a {what} cannot be called '{name}'", "Use letters, digits and _: templates ask for it")


def _review(table: TomlTable) -> Review:
    """Return what the project says of its own reading; what readers said is in files of their own."""
    if table.get("reviewers"):
        named = ", ".join(table["reviewers"])
        fix = "Have them judge sentences (eec locale review --html), and store what they saved (--take)"
        table.report(f"the reviewers {named} are declared", fix, "reviewers")
    return Review(table.get("status", "draft"), tuple(table.get("notes", ())))


def _finish(table: TomlTable) -> Finish:
    if table.get("final") == "":
        table.report("the final mark is empty", 'Write "." or the mark of the script', "final")
    joins = {}
    for join in table.get("joins", ()):
        before, after = join.get("from", "").strip(), join.get("to", "").strip()
        if set(join) == {"from", "to"} and before and after:
            joins[before] = after
        else:
            keys = ", ".join(f"{key} = {value!r}" for key, value in sorted(join.items()))
            table.report(f"a join has {keys or 'no keys'}", 'Write { from = "a el", to = "al" }', "joins")
    return Finish(table.get("sentence_case", "none"), table.get("final", ""), joins, table.get("capitals", {}))


def checked_gram(table: TomlTable, gram: Mapping[str, str], features: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    """The features of a controller; what the locale does not know is noted."""
    for name, value in gram.items():
        what = f"'{'.'.join(table.keys)}' has"
        if name in features:
            table.expect(value, features[name], f"{what} {name} =")
        else:
            table.expect(name, features, f"{what} the feature")
    return dict(gram)


def _speaker(table: TomlTable, features: Mapping[str, tuple[str, ...]]) -> Speaker:
    genders, default = dict(table.get("genders", {})), table.get("default")
    for label, value in genders.items():
        if label not in ("female", "male") or value not in features.get("gender", ()):
            fix = "Map female and male to values of the feature gender"
            table.report(f"speaker gender {label} = {value!r}", fix, "genders")
    if genders:
        table.expect(default, genders, "the speaker's default is")
    speaker_features = table.table("features")
    return Speaker(checked_gram(speaker_features, speaker_features.data, features), genders, default)


def _nouns(top: TomlTable, features: Mapping[str, tuple[str, ...]]) -> Iterator[tuple[str, Noun]]:
    for name, entry in top.get("nouns", {}).items():
        table = top.table("nouns", name)
        _check_name(table, "noun", name)
        if not TEXT_TABLE.fits(entry) or not entry.get("form"):
            message = f"the noun '{name}' has no form or holds something other than strings"
            table.report(message, 'Write { form = "…", gender = "…" }')
            continue
        if entry["form"] == WANTED:
            table.report(f"the noun '{name}' is still to be written", f"Put it for '{WANTED}'")
        gram = {key: value for key, value in entry.items() if key not in ("form", "translator", "checker", "note")}
        yield name, Noun(entry["form"], checked_gram(table, gram, features))


def _config(table: TomlTable, key: str) -> ConfigSpec:
    if not CONFIG_KEY.fullmatch(key):
        table.report(f"config '{key}'", "Name it in lower-case ASCII, words joined by '-'")
    if not table.get("sets"):
        table.report(f"config '{key}' names no sets of persons", 'Write sets = ["noun-phrases", "pronouns"]')
    for name in table.get("words", ()):
        table.expect(name, WORD_FILES, f"config '{key}' has the words of", "words")
    return ConfigSpec(key, table.place(), **table.values)
