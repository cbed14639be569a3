"""The files of a language's anchors, read and checked; every mistake is told with its file and line."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from eec_datasets.errors import LocaleError, Problems, UnknownConfig
from eec_datasets.locale.csv_file import CsvFile, read_csv
from eec_datasets.locale.reading import locales_folder
from eec_datasets.locale.toml_file import (
    FLAG,
    NUMBER,
    TABLE,
    TABLE_TABLE,
    TABLES,
    TEXT,
    TEXT_TABLE,
    TEXTS,
    TRUE,
    either,
    read_toml,
)
from eec_datasets.rewrite.anchors import BUILT_IN_REASONS, FILE, FORM, STEM, WORDS, Anchors, Reading, Rule
from eec_datasets.rewrite.lexicon import BUILT_IN, Affix, Fold, FormRow, Lexicon, WordClass
from eec_datasets.rewrite.patterns import ACTIONS, Element, PatternError, parse_element
from eec_datasets.rewrite.slots import Slot

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from eec_datasets.errors import Place
    from eec_datasets.locale.toml_file import TomlTable
    from eec_datasets.rewrite.patterns import Pattern

TOP: Final = {
    "schema": NUMBER, "notes": TEXTS, "agreement": TEXT_TABLE, "fold": TABLE, "roles": TEXT_TABLE, "joins": TABLES,
    "before": TEXT, "language": TEXT_TABLE, "tokens": TEXT_TABLE, "readings": TABLE_TABLE, "classes": TABLE,
    "affixes": TABLES, "rules": TABLES, "checks": TABLES, "guesses": TABLES, "tagger": TABLE_TABLE,
    "given": TEXT_TABLE, "titles": TEXT_TABLE, "reasons": TEXT_TABLE,
}  # fmt: skip
NEEDED: Final = ("agreement", "roles", "language", "readings", "rules")
FOLD: Final = {"remove": TEXT, "replace": TEXT_TABLE}
LANGUAGE: Final = {"words": TEXT}
PLACEHOLDERS: Final = ("mention", "hashtag", "url")
TOKENS: Final = {"abbreviations": TEXT, "elided": TEXT, **dict.fromkeys(PLACEHOLDERS, TEXT)}
JOIN: Final = {"before": TEXT, "after": TEXT}
CLASS: Final = {
    "words": TEXT, "starts": TEXT, "ends": TEXT, "has": TEXT, "except": TEXT, "classes": TEXT, "lacks": TEXT,
    "min": NUMBER, "pairs": TEXT_TABLE,
}  # fmt: skip
SHAPED: Final = frozenset(("starts", "ends", "has", "pairs"))
AFFIX: Final = {"class": TEXT, "prefix": TEXT, "stem": TEXT, "suffix": TEXT_TABLE, "anchor": FLAG}
BESIDE: Final = {"left": (-1, True), "right": (1, True), "not-left": (-1, False), "not-right": (1, False)}
ELSEWHERE: Final = ("before", "after", "anywhere", "not-before", "not-after", "not-anywhere", "between", "not-between")
ACTION: Final = {"reading": TEXT, "inflect": either(TRUE, TEXT_TABLE), "keep": either(TRUE, TEXT), "skip": TEXT}
RULE: Final = {
    **dict.fromkeys(("id", "at", "is", "is-not", *ELSEWHERE, "gender"), TEXT),
    **dict.fromkeys(BESIDE, either(TEXT, TEXTS)), **ACTION,
}  # fmt: skip
KINDS: Final = {
    "rules": RULE,
    "checks": {key: RULE[key] for key in RULE if key not in ACTION or key == "skip"},
    "guesses": {key: RULE[key] for key in RULE if key not in ACTION or key == "reading"},
}
"""Kinds of rules, and what an entry of each may hold."""

SLOT: Final = re.compile(r"\{(?:([^{}+]*)\+)?([a-z_]+)\}")


def tags_with_anchors(root: Path | None = None) -> list[str]:
    """The languages whose natural texts can be rewritten, sorted."""
    return sorted(path.parent.name for path in (root or locales_folder()).glob(f"*/{FILE}"))


def load_anchors(tag: str, root: Path | None = None) -> Anchors:
    """The grammar of a language's anchors.

    Parameters
    ----------
    tag
        Of a locale that has an ``anchors.toml``.
    root
        Folder of locales, if not the one that comes with the package.

    Raises
    ------
    UnknownConfig
        There is no such locale, or it has no ``anchors.toml``.
    LocaleError
        The files have problems; all of them are listed with file and line.
    """
    folder = (root or locales_folder()) / tag
    if not (folder / FILE).exists():
        available = ", ".join(tags_with_anchors(root)) or "none"
        raise UnknownConfig(
            f"The locale '{tag}' cannot rewrite natural text: there is no {FILE} in {folder}. Languages that can: "
            f"{available}. CONTRIBUTING.md says how to write one"
        )
    stamps = tuple((folder / name).stat().st_mtime_ns for name in (FILE, WORDS) if (folder / name).exists())
    return _load(folder, stamps)


@lru_cache(maxsize=8)
def _load(folder: Path, _stamps: tuple[int, ...]) -> Anchors:
    problems = Problems()
    file = read_toml(folder / FILE, problems)
    if not problems:
        file = file.checked(TOP)
        for key in [key for key in NEEDED if key not in file]:
            file.report(f"'{key}' is missing", f"Every {FILE} holds {', '.join(NEEDED)}")
    anchors = None if problems else _Reader(folder, file).anchors()
    if anchors is None or problems:
        raise LocaleError(folder.name, problems.found)
    return anchors


class _Reader:
    """What the parts of a file need of each other while they are read."""

    def __init__(self, folder: Path, file: TomlTable) -> None:
        self.folder, self.file, self.problems = folder, file, file.problems
        fold = file.table("fold").checked(FOLD)
        self.fold = Fold(frozenset(fold.get("remove", "")), fold.get("replace", {}))
        self.columns: Mapping[str, str] = file["agreement"]
        self.reasons = BUILT_IN_REASONS | file.get("reasons", {})
        self.words: dict[str, set[str]] = {}
        self.rows: dict[str, list[tuple[str, FormRow]]] = {}
        self.readings = {name: self._reading(file.table("readings", name), name) for name in file["readings"]}
        self.declared = {*BUILT_IN, *(f"anchor:{column}" for column in self.columns.values())}
        self.declared.update(name for name, reading in self.readings.items() if reading.every)
        self.marks = {*self.readings, *ACTIONS}
        self.uses: list[tuple[Element, TomlTable]] = []

    def anchors(self) -> Anchors:
        """Everything that the files say."""
        lexicon = self._lexicon()
        rules, checks, guesses = (
            tuple(rule for entry in self.file.tables(kind) if (rule := self._rule(entry.checked(KINDS[kind]), kind)))
            for kind in KINDS
        )
        tokens = self.file.table("tokens").checked(TOKENS)
        language = self.file.table("language").checked(LANGUAGE)
        tagged, patterns = self._tagged(), self._name_patterns()
        titles = self.file.table("titles").checked(dict.fromkeys(self.columns.values(), TEXT))
        joins = [table.checked(JOIN, JOIN) for table in self.file.tables("joins")]
        self._check_uses()
        return Anchors(
            tag=self.folder.name,
            columns=dict(self.columns),
            roles=dict(self.file["roles"]),
            joins=tuple((join.get("before", "?"), join.get("after", "")) for join in joins),
            before=frozenset(self._folded(self.file, "before")),
            language_words=frozenset(self._folded(language, "words")),
            abbreviations=frozenset(self._folded(tokens, "abbreviations")),
            elided=frozenset(self._folded(tokens, "elided")),
            placeholders={word: kind for kind in PLACEHOLDERS for word in tokens.get(kind, "").split()},
            readings=self.readings,
            lexicon=lexicon,
            rules=rules,
            checks=checks,
            guesses=guesses,
            tagged=tagged,
            name_patterns=patterns,
            titles={word: column for column in self.file.get("titles", {}) for word in self._folded(titles, column)},
            reasons=self.reasons,
            notes=tuple(self.file.get("notes", ())),
        )

    def _tagged(self) -> dict[str, Mapping[str, str]]:
        """What a tagger decides: reason → tag → reading."""
        tagged = {}
        for reason in self.file.get("tagger", {}):
            table = self.file.table("tagger", reason)
            tagged[reason] = table.checked(dict.fromkeys(table.data, TEXT)).data
            self._check_reason(reason, table)
            for reading in dict.fromkeys(tagged[reason].values()):
                self._check_reading(reading, table)
        return tagged

    def _check_reason(self, name: str, table: TomlTable) -> None:
        if name not in self.reasons:
            table.report(f"the reason '{name}' is not explained", "Write a sentence for it in [reasons]")

    def _check_reading(self, name: str, table: TomlTable, *keys: str) -> None:
        if name not in self.readings:
            table.report(f"there is no reading '{name}'", f"Readings: {', '.join(self.readings)}", *keys)

    def _name_patterns(self) -> dict[str, str]:
        """How a name is written: reading → pattern."""
        table = self.file.table("given")
        for reading, pattern in table.data.items():
            self._check_reading(reading, table, reading)
            if FORM not in pattern:
                table.report(f"'{pattern}' has no place for the name", f"Write it with {FORM}", reading)
        return dict(table.data)

    def _folded(self, table: TomlTable, key: str) -> tuple[str, ...]:
        """The words of an entry as they are looked up."""
        return tuple(map(self.fold, table.get(key, "").split()))

    def _reading(self, table: TomlTable, name: str) -> Reading:
        columns = dict.fromkeys(self.columns.values(), TEXT)
        entries = table.checked({"first": TEXT, "anchor": FLAG, "every": FLAG, "role": TEXT, **columns})
        forms = {column: entries[column] for column in columns if entries.get(column)}
        every = entries.get("every", False)
        if not every and (missing := [column for column in columns if column not in forms]):
            message = f"the reading '{name}' has no form in column {', '.join(missing)}"
            table.report(message, "Write one per value of [agreement]")
        role = entries.get("role") or name.partition("-")[0]
        return Reading(name, tuple(self._first(entries)), forms, entries.get("anchor", True), every, role)

    def _first(self, table: TomlTable) -> Iterator[str | Slot]:
        roles = self.file["roles"]
        for number, part in enumerate(re.split(r"(\{[^{}]*\})", table.get("first", ""))):
            slot = SLOT.fullmatch(part)
            if number % 2 == 0 or part == STEM:
                yield from [part] if part else []
            elif slot is None or slot[2] not in roles:
                mend = f"Roles are: {', '.join(roles)}; write {{role}}, {{prefix+role}} or {STEM}"
                table.report(f"'{part}' is no slot", mend, "first")
            else:
                yield Slot(slot[2], before=slot[1] or "")

    def _lexicon(self) -> Lexicon:
        self._read_words()
        self._read_emotion_words()
        self._read_names()
        classes = self.file.get("classes", {})
        tables = {name: self._class(name, value) for name, value in classes.items()}
        return Lexicon(
            self.fold,
            self.words,
            self.rows,
            shaped=[self._shape(name, table) for name, table in tables.items() if SHAPED & table.data.keys()],
            unions={name: union for name, table in tables.items() if any(union := self._union(name, table))},
            affixes=[affix for table in self.file.tables("affixes") if (affix := self._affix(table))],
            anchors=self._anchor_forms(),
        )

    def _anchor_forms(self) -> dict[str, str]:
        anchors: dict[str, str] = {}
        for reading in self.readings.values():
            for column, form in reading.forms.items() if reading.anchor else ():
                if STEM not in form and anchors.setdefault(self.fold(form), column) != column:
                    table = self.file.table("readings", reading.name)
                    table.report(f"'{form}' is an anchor in two columns", "Write anchor = false for one")
        return anchors

    def _csv(self, name: str, *columns: str) -> CsvFile:
        """A file of the locale; empty where there is none."""
        path = self.folder / name
        return read_csv(path, columns, self.problems) if path.exists() else CsvFile(name, (), (), self.problems)

    def _add(self, word: str, *classes: str) -> None:
        self.words.setdefault(self.fold(word), set()).update(classes)
        self.declared.update(classes)

    def _add_forms(self, classes: Sequence[str], forms: Mapping[str, str]) -> None:
        row = FormRow(frozenset(classes), forms)
        for column, form in forms.items():
            self.rows.setdefault(self.fold(form), []).append((column, row))
        self.declared.update(classes, *([f"{name}:{column}" for column in forms] for name in classes))

    def _read_words(self) -> None:
        file = self._csv(WORDS, "class")
        columns = [column for column in file.columns if column not in ("form", "class", "note")]
        for row in file.rows:
            classes = row["class"].split()
            forms = {column: row[column] for column in columns if row[column]}
            if not classes or bool(row["form"]) == bool(forms):
                message = "the row needs a class, and either a form or forms in columns"
                row.report(message, "Fill column form, or the columns of forms")
            elif forms:
                self._add_forms(classes, forms)
            else:
                self._add(row["form"], *classes)

    def _read_emotion_words(self) -> None:
        """The forms of ``words.csv``, singular and indefinite, in the classes ``state`` and ``situation``."""
        self.declared.update(f"{kind}{column}" for kind in ("state", "situation") for column in ("", ":f", ":m"))
        groups: dict[tuple[str, ...], dict[str, str]] = {}
        for row in self._csv("words.csv", "id", "kind", "form").rows:
            if row["number"] not in ("", "sg") or row["definite"] not in ("", "indef"):
                continue
            if row["gender"] in self.columns.values():
                key = tuple(row[column] for column in ("kind", "id", "lexicon", "shape", "wording"))
                groups.setdefault(key, {})[row["gender"]] = row["form"]
            else:
                self._add(row["form"], row["kind"])
        for (kind, *_), forms in groups.items():
            self._add_forms([kind], forms)

    def _read_names(self) -> None:
        """The names of ``persons.csv`` that are no other word, in the class ``person-name``."""
        self.declared.add("person-name")
        for row in self._csv("persons.csv", "type", "nom", "flags").rows:
            if row["type"] == "name":
                self._add(row["nom"], "person-name")

    def _class(self, name: str, value: Any) -> TomlTable:
        table = self.file.table("classes", name)
        if name in BUILT_IN:
            table.report(f"the class '{name}' is built in", "Give it another name")
        if not isinstance(value, str | dict):
            table.report(f"the class '{name}' is neither words nor a table", "Write a string of words or a table")
        if isinstance(value, str):
            table = replace(table, data={"words": value})
        entries = table.checked(CLASS)
        self.declared.add(name)
        for word in entries.get("words", "").split():
            self._add(word, name)
        return entries

    def _union(self, name: str, table: TomlTable) -> tuple[frozenset[str], frozenset[str]]:
        more, less = (frozenset(table.get(key, "").split()) for key in ("classes", "lacks"))
        if more or less:
            self.declared.update(f"{name}:{column}" for column in self.columns.values())
            self.uses += [(Element(labels=frozenset([label])), table) for label in sorted(more | less)]
        return more, less

    def _shape(self, name: str, table: TomlTable) -> WordClass:
        endings = table.table("pairs")
        pairs = {column: self._folded(endings, column) for column in endings.data}
        if len({len(ends) for ends in pairs.values()}) > 1:
            table.report(f"the pairs of '{name}' are not of the same number", "Write ending for ending")
            pairs = {}
        self.declared.update(f"{name}:{column}" for column in pairs)
        starts, ends, has, exceptions = (self._folded(table, key) for key in ("starts", "ends", "has", "except"))
        return WordClass(name, starts, ends, has, frozenset(exceptions), table.get("min", 1), pairs)

    def _affix(self, entry: TomlTable) -> Affix | None:
        table = entry.checked(AFFIX)
        stem = self._element(table, "stem")
        if stem is None or "class" not in table:
            table.report("an entry of [[affixes]] lacks class or stem", "Write both")
            return None
        name, suffixes = table["class"], {k: self.fold(v) for k, v in table.get("suffix", {}).items()}
        prefixes = self._folded(table, "prefix")
        self.declared.update((name, *(f"{name}:{column}" for column in (*suffixes, *self.columns.values()))))
        self.declared.update(f"prefix:{prefix}" for prefix in prefixes)
        longest_first = (*sorted(prefixes, key=len, reverse=True), "")
        return Affix(name, longest_first, stem.words, stem.labels, suffixes, table.get("anchor", False))

    def _rule(self, table: TomlTable, kind: str) -> Rule | None:
        at, actions = self._element(table, "at"), [name for name in ACTION if name in table]
        if at is None or len(actions) != 1:
            table.report(f"an entry of [[{kind}]] needs 'at' and one action", f"One of: {', '.join(ACTION)}")
            return None
        action, value, gender = actions[0], table[actions[0]], table.get("gender", "")
        if action == "keep" and isinstance(value, str):
            self.marks.add(value)
        if action == "reading":
            self._check_reading(value, table)
        if action == "skip":
            self._check_reason(value, table)
        if gender not in ("", *self.columns.values()):
            table.report(f"gender '{gender}'", f"One of: {', '.join(self.columns.values())}")
        also = [(self._element(table, key), expected) for key, expected in (("is", True), ("is-not", False))]
        beside = [(step, expected, self._patterns(table, key)) for key, (step, expected) in BESIDE.items()]
        return Rule(
            name=table.get("id", f"{table.name}:{table.first}"),
            at=at,
            also=tuple((part, expected) for part, expected in also if part is not None),
            beside=tuple(side for side in beside if side[2]),
            elsewhere={key: part for key in ELSEWHERE if (part := self._element(table, key))},
            gender=gender,
            action=action,
            value=value if isinstance(value, str) else "",
            columns=value if isinstance(value, dict) else {},
        )

    def _element(self, table: TomlTable, key: str) -> Element | None:
        """The element that an entry holds; None where there is none, or it cannot be read."""
        if len(table.get(key, "").split()) > 1:
            table.report(f"'{table[key]}' is more than one element", "Write alternatives with | between them", key)
        pattern = self._pattern(table, [table[key]]) if table.get(key) else None
        return pattern[0] if pattern else None

    def _patterns(self, table: TomlTable, key: str) -> tuple[Pattern, ...]:
        value = table.get(key, ())
        sources = [value] if isinstance(value, str) else value
        patterns = (self._pattern(table, source.split()) for source in sources)
        return tuple(pattern for pattern in patterns if pattern is not None)

    def _pattern(self, table: TomlTable, sources: Sequence[str]) -> Pattern | None:
        try:
            pattern = tuple(parse_element(source, self.fold) for source in sources)
        except PatternError as error:
            table.report(str(error), "See CONTRIBUTING.md, 'Rewrite natural text'")
            return None
        self.uses += [(part, table) for part in pattern]
        return pattern

    def _check_uses(self) -> None:
        """Every class and reading that a rule asks for must be there."""
        known = self.declared | {f"{name.partition(':')[0]}:{of}" for name in self.declared for of in ("own", "other")}
        missing: dict[tuple[str, Place], None] = {}
        for part, table in self.uses:
            labels, readings = sorted(part.labels - known), sorted(part.readings - self.marks)
            names = [f"<{label}>" for label in labels] + [f"@{reading}" for reading in readings]
            missing |= {(name, table.place()): None for name in names}
        for name, place in missing:
            self.problems.add(place, f"nothing is called {name}", "Declare it, or mend its spelling")
