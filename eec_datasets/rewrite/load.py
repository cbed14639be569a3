"""The files of a language's anchors, read and checked; every mistake is told with its file and line."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from eec_datasets.errors import LocaleError, Place, Problems, UnknownConfig
from eec_datasets.locale.csv_file import read_csv
from eec_datasets.locale.reading import locales_folder
from eec_datasets.locale.toml_file import (
    NUMBER,
    TABLE,
    TABLE_TABLE,
    TEXT,
    TEXT_OR_TABLE,
    TEXT_TABLE,
    TEXTS,
    Shape,
    read_toml,
)
from eec_datasets.rewrite.anchors import BUILT_IN_REASONS, FILE, STEM, WORDS, Anchors, Reading, Rule
from eec_datasets.rewrite.lexicon import BUILT_IN, Affix, Fold, Inflecting, Lexicon, WordClass
from eec_datasets.rewrite.patterns import ACTIONS, Element, PatternError, element, parse
from eec_datasets.rewrite.slots import Slot

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from eec_datasets.locale.toml_file import TomlTable
    from eec_datasets.rewrite.patterns import Pattern

FLAG: Final = Shape("true or false", lambda value: isinstance(value, bool))
TABLES: Final = Shape(
    "a list of tables", lambda value: isinstance(value, list) and all(isinstance(x, dict) for x in value)
)
TEXT_OR_TEXTS: Final = Shape("a string or a list of strings", lambda v: TEXT.fits(v) or TEXTS.fits(v))
FLAG_OR_TABLE: Final = Shape("true or a table of strings", lambda v: v is True or TEXT_TABLE.fits(v))

FLAG_OR_TEXT: Final = Shape("true or a string", lambda v: v is True or TEXT.fits(v))

TOP: Final = {
    "schema": NUMBER, "notes": TEXTS, "agreement": TEXT_TABLE, "fold": TABLE, "roles": TEXT_TABLE, "joins": TABLES,
    "before": TEXT, "language": TEXT_TABLE, "tokens": TEXT_TABLE, "readings": TABLE_TABLE, "classes": TABLE,
    "affixes": TABLES, "rules": TABLES, "checks": TABLES, "reasons": TEXT_TABLE,
}  # fmt: skip
NEEDED: Final = ("agreement", "roles", "language", "readings", "rules")
FOLD: Final = {"remove": TEXT, "replace": TEXT_TABLE}
LANGUAGE: Final = {"words": TEXT}
TOKENS: Final = {"abbreviations": TEXT, "elided": TEXT}
JOIN: Final = {"before": TEXT, "after": TEXT}
CLASS: Final = {
    "words": TEXT, "starts": TEXT, "ends": TEXT, "has": TEXT, "except": TEXT, "classes": TEXT, "lacks": TEXT,
    "min": NUMBER, "pairs": TEXT_TABLE,
}  # fmt: skip
AFFIX: Final = {"class": TEXT, "prefix": TEXT, "stem": TEXT, "suffix": TEXT_TABLE, "anchor": FLAG}
PATTERNS: Final = ("left", "right", "not-left", "not-right")
ELSEWHERE: Final = ("before", "after", "anywhere", "not-before", "not-after", "not-anywhere", "between", "not-between")
ACTION: Final = {"reading": TEXT, "inflect": FLAG_OR_TABLE, "keep": FLAG_OR_TEXT, "skip": TEXT}
RULE: Final = {
    **dict.fromkeys(("id", "at", "is", "is-not", *ELSEWHERE, "gender"), TEXT),
    **dict.fromkeys(PATTERNS, TEXT_OR_TEXTS), **ACTION,
}  # fmt: skip
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
        there = ", ".join(tags_with_anchors(root)) or "none"
        raise UnknownConfig(
            f"The locale '{tag}' cannot rewrite natural text: there is no {FILE} in {folder}. Languages that can: "
            f"{there}. CONTRIBUTING.md says how to write one"
        )
    stamps = tuple((folder / name).stat().st_mtime_ns for name in (FILE, WORDS) if (folder / name).exists())
    return _load(folder, stamps)


@lru_cache(maxsize=8)
def _load(folder: Path, _stamps: tuple[int, ...]) -> Anchors:
    problems = Problems()
    anchors = read_anchors(folder, problems)
    if anchors is None or problems:
        raise LocaleError(folder.name, problems.found)
    return anchors


def read_anchors(folder: Path, problems: Problems) -> Anchors | None:
    """Read the grammar of a locale's anchors; None where the problems leave nothing to go on with."""
    file = read_toml(folder / FILE, problems)
    if problems:
        return None
    file = file.kept(TOP)
    for key in NEEDED:
        if key not in file:
            problems.add(file.place(), f"'{key}' is missing", f"Every {FILE} holds {', '.join(NEEDED)}")
    if problems:
        return None
    return _Reader(folder, file).anchors()


class _Reader:
    """What the parts of a file need of each other while they are read."""

    def __init__(self, folder: Path, file: TomlTable) -> None:
        self.folder, self.file, self.data, self.problems = folder, file, file.data, file.problems
        table = self.file.table("fold").kept(FOLD)
        self.fold = Fold(frozenset(table.get("remove", "")), table.get("replace", {}))
        self.columns: Mapping[str, str] = file["agreement"]
        self.known: set[str] = set()
        self.marks: set[str] = set(ACTIONS)
        self.asked: list[tuple[Element, Place]] = []

    def anchors(self) -> Anchors | None:
        """Everything, or None where a part cannot be read."""
        readings = {name: self.reading(name) for name in self.data["readings"]}
        lexicon = self.lexicon(readings)
        rules, checks = self.rules("rules", readings), self.rules("checks", readings)
        tokens = self.file.table("tokens").kept(TOKENS)
        language = self.file.table("language").kept(LANGUAGE)
        self.check_asked(readings)
        return Anchors(
            tag=self.folder.name,
            columns=dict(self.columns),
            roles=dict(self.data["roles"]),
            joins=self.joins(),
            before=self.words(self.data.get("before", "")),
            language_words=self.words(language.get("words", "")),
            abbreviations=self.words(tokens.get("abbreviations", "")),
            elided=self.words(tokens.get("elided", "")),
            readings=readings,
            lexicon=lexicon,
            rules=rules,
            checks=checks,
            reasons={**BUILT_IN_REASONS, **self.data.get("reasons", {})},
            notes=tuple(self.data.get("notes", ())),
        )

    def words(self, text: str) -> frozenset[str]:
        return frozenset(self.fold(word) for word in text.split())

    def joins(self) -> tuple[tuple[str, str], ...]:
        tables = [table.kept(JOIN) for table in self.file.tables("joins")]
        return tuple((table.get("before", "?"), table.get("after", "")) for table in tables)

    def reading(self, name: str) -> Reading:
        where = ("readings", name)
        columns = dict.fromkeys(self.columns.values(), TEXT)
        entries = self.file.table(*where).kept({"first": TEXT, "anchor": FLAG, **columns})
        forms = {column: _nfc(entries[column]) for column in columns if entries.get(column)}
        if missing := [column for column in columns if column not in forms]:
            what = f"the reading '{name}' has no form in column {', '.join(missing)}"
            self.problems.add(self.file.place(*where), what, "Write one per value of [agreement]")
        return Reading(name, self.first(name, _nfc(entries.get("first", ""))), forms, entries.get("anchor", True))

    def first(self, name: str, text: str) -> tuple[str | Slot, ...]:
        pieces: list[str | Slot] = []
        for number, part in enumerate(re.split(r"(\{[^{}]*\})", text)):
            if number % 2 == 0 or part == STEM:
                pieces += [part] if part else []
                continue
            found = SLOT.fullmatch(part)
            if found is None or found[2] not in self.data["roles"]:
                mend = f"Roles are: {', '.join(self.data['roles'])}; write {{role}}, {{prefix+role}} or {STEM}"
                self.problems.add(self.file.place("readings", name, "first"), f"'{part}' is no slot", mend)
                continue
            pieces.append(Slot(found[2], before=found[1] or ""))
        return tuple(pieces)

    def lexicon(self, readings: Mapping[str, Reading]) -> Lexicon:
        words: dict[str, set[str]] = {}
        rows: dict[str, list[tuple[str, Inflecting]]] = {}
        self._read_table(words, rows)
        self._emotion_words(words, rows)
        self._person_names(words)
        shaped, unions = self._classes(words)
        affixes = self._affixes()
        anchors: dict[str, str] = {}
        for reading in readings.values():
            for column, form in reading.forms.items() if reading.anchor else ():
                folded = self.fold(form)
                if STEM not in form and anchors.setdefault(folded, column) != column:
                    what = f"'{form}' is an anchor in two columns"
                    self.problems.add(self.file.place("readings", reading.name), what, "Write anchor = false for one")
        folded_words = {word: frozenset(names) for word, names in words.items()}
        return Lexicon(self.fold, folded_words, rows, shaped, unions, affixes, anchors)

    def _read_table(self, words: dict[str, set[str]], rows: dict[str, list[tuple[str, Inflecting]]]) -> None:
        if not (self.folder / WORDS).exists():
            return
        file = read_csv(self.folder / WORDS, ("class",), self.problems)
        columns = [column for column in file.columns if column not in ("form", "class", "note")]
        for row in file.rows:
            names = row["class"].split()
            self.known.update(names)
            forms = {column: row[column] for column in columns if row[column]}
            if not names or bool(row["form"]) == bool(forms):
                what = "the row needs a class, and either a form or forms in columns"
                self.problems.add(row.place, what, "Fill column form, or the columns of forms")
                continue
            self.known.update(f"{name}:{column}" for name in names for column in forms)
            if row["form"]:
                words.setdefault(self.fold(row["form"]), set()).update(names)
            self._add(Inflecting(frozenset(names), forms), rows)

    def _add(self, row: Inflecting, rows: dict[str, list[tuple[str, Inflecting]]]) -> None:
        for column, form in row.forms.items():
            rows.setdefault(self.fold(form), []).append((column, row))

    def _emotion_words(self, words: dict[str, set[str]], rows: dict[str, list[tuple[str, Inflecting]]]) -> None:
        """The forms of ``words.csv``, singular and indefinite, in the classes ``state`` and ``situation``."""
        self.known.update(("state", "situation", *(f"{k}:{c}" for k in ("state", "situation") for c in ("f", "m"))))
        if not (self.folder / "words.csv").exists():
            return
        file = read_csv(self.folder / "words.csv", ("id", "kind", "form"), self.problems)
        groups: dict[tuple[str, ...], dict[str, str]] = {}
        for row in file.rows:
            if row["number"] not in ("", "sg") or row["definite"] not in ("", "indef"):
                continue
            if row["gender"] not in self.columns.values():
                words.setdefault(self.fold(row["form"]), set()).add(row["kind"])
                continue
            key = tuple(row[column] for column in ("kind", "id", "lexicon", "shape"))
            groups.setdefault(key, {})[row["gender"]] = row["form"]
        for key, forms in groups.items():
            self._add(Inflecting(frozenset([key[0]]), forms), rows)

    def _person_names(self, words: dict[str, set[str]]) -> None:
        """The names of ``persons.csv`` that are no other word, in the class ``person-name``."""
        self.known.add("person-name")
        if (self.folder / "persons.csv").exists():
            file = read_csv(self.folder / "persons.csv", ("type", "nom", "flags"), self.problems)
            for row in file.rows:
                if row["type"] == "name":
                    words.setdefault(self.fold(row["nom"]), set()).add("person-name")

    def _classes(
        self, words: dict[str, set[str]]
    ) -> tuple[list[WordClass], dict[str, tuple[frozenset[str], frozenset[str]]]]:
        shaped, unions = [], {}
        for name, given in self.data.get("classes", {}).items():
            place = self.file.place("classes", name)
            if not TEXT_OR_TABLE.fits(given) and not isinstance(given, dict):
                self.problems.add(place, f"the class '{name}' is neither", "Write a string of words or a table")
                continue
            if name in BUILT_IN:
                self.problems.add(place, f"the class '{name}' is built in", "Give it another name")
            table = {"words": given} if isinstance(given, str) else given
            table = replace(self.file.table("classes", name), data=table).kept(CLASS)
            for word in self.words(table.get("words", "")):
                words.setdefault(word, set()).add(name)
            self.known.add(name)
            one = self._shape(name, table)
            self.known.update(f"{name}:{column}" for column in one.pairs)
            if one.shaped:
                shaped.append(one)
            more, less = frozenset(table.get("classes", "").split()), frozenset(table.get("lacks", "").split())
            if more or less:
                unions[name] = (more, less)
                self.known.update(f"{name}:{column}" for column in self.columns.values())
                self.asked += [(Element(labels=frozenset([label])), place) for label in sorted(more | less)]
        return shaped, unions

    def _shape(self, name: str, table: TomlTable) -> WordClass:
        def parts(key: str) -> tuple[str, ...]:
            return tuple(self.fold(part) for part in table.get(key, "").split())

        pairs = {c: tuple(self.fold(end) for end in ends.split()) for c, ends in table.get("pairs", {}).items()}
        if len({len(ends) for ends in pairs.values()}) > 1:
            place = self.file.place("classes", name)
            self.problems.add(place, f"the pairs of '{name}' are not of the same number", "Write ending for ending")
            pairs = {}
        exceptions, least = self.words(table.get("except", "")), table.get("min", 1)
        return WordClass(name, frozenset(), parts("starts"), parts("ends"), parts("has"), exceptions, least, pairs)

    def _affixes(self) -> list[Affix]:
        found = []
        for given in self.file.tables("affixes"):
            table = given.kept(AFFIX)
            place = self.file.place("affixes")
            stem = self._element(table.get("stem", ""), place)
            if stem is None or "class" not in table:
                self.problems.add(place, "an entry of [[affixes]] lacks class or stem", "Write both")
                continue
            self.asked.append((stem, place))
            name, suffixes = table["class"], {k: self.fold(v) for k, v in table.get("suffix", {}).items()}
            prefixes = tuple(self.fold(prefix) for prefix in table.get("prefix", "").split())
            self.known.update((name, *(f"{name}:{column}" for column in (*suffixes, *self.columns.values()))))
            self.known.update(f"prefix:{prefix}" for prefix in prefixes)
            longest_first = (*sorted(prefixes, key=len, reverse=True), "")
            found.append(Affix(name, longest_first, stem, suffixes, table.get("anchor", False)))
        return found

    def _element(self, source: str, place: Place) -> Element | None:
        try:
            return element(source, self.fold)
        except PatternError as error:
            self.problems.add(place, str(error), "See CONTRIBUTING.md, 'Rewrite natural text'")
            return None

    def rules(self, kind: str, readings: Mapping[str, Reading]) -> tuple[Rule, ...]:
        places = _table_lines(self.file, kind)
        found = []
        for place, given in zip(places, self.data.get(kind, ()), strict=False):
            before = len(self.problems.found)
            table = {k: v for k, v in given.items() if self._allowed(k, v, kind, place)}
            rule = self.rule(table, kind, place, readings)
            if rule is not None and len(self.problems.found) == before:
                found.append(rule)
        return tuple(found)

    def _allowed(self, key: str, value: Any, kind: str, place: Place) -> bool:
        known = {k: v for k, v in RULE.items() if kind == "rules" or k not in ("reading", "inflect", "keep")}
        if key not in known:
            self.problems.add(place, f"unknown key '{key}' in [[{kind}]]", f"Known here: {', '.join(known)}")
        elif not known[key].fits(value):
            self.problems.add(place, f"'{key}' in [[{kind}]] is of another kind", f"It must be {known[key].name}")
        else:
            return True
        return False

    def rule(self, table: Mapping[str, Any], kind: str, place: Place, readings: Mapping[str, Reading]) -> Rule | None:
        at = self._element(table.get("at", ""), place) if table.get("at") else None
        actions = [name for name in ACTION if name in table]
        if at is None or len(actions) != 1:
            self.problems.add(
                place, f"an entry of [[{kind}]] needs 'at' and one action", f"One of: {', '.join(ACTION)}"
            )
            return None
        self.asked.append((at, place))
        action, value = actions[0], table[actions[0]]
        if action == "keep" and isinstance(value, str):
            self.marks.add(value)
        if action == "reading" and value not in readings:
            self.problems.add(place, f"there is no reading '{value}'", f"Readings: {', '.join(readings)}")
        if action == "skip" and value not in {**BUILT_IN_REASONS, **self.data.get("reasons", {})}:
            self.problems.add(place, f"the reason '{value}' is not explained", "Write a sentence for it in [reasons]")
        gender = table.get("gender", "")
        if gender and gender not in self.columns.values():
            self.problems.add(place, f"gender '{gender}'", f"One of: {', '.join(self.columns.values())}")
        sides = {name: self.patterns(table.get(name, ()), place) for name in PATTERNS}
        elsewhere = {name: one for name in ELSEWHERE if name in table and (one := self._element(table[name], place))}
        same = {name: one for name in ("is", "is-not") if name in table and (one := self._element(table[name], place))}
        self.asked += [(one, place) for one in (*elsewhere.values(), *same.values())]
        return Rule(
            name=table.get("id", str(place)), at=at, also=same.get("is"),
            never=same.get("is-not"), left=sides["left"], right=sides["right"],
            not_left=sides["not-left"], not_right=sides["not-right"], elsewhere=elsewhere, gender=gender,
            action=action, value=value if isinstance(value, str) else "",
            columns=value if isinstance(value, dict) else {},
        )  # fmt: skip

    def patterns(self, given: str | Sequence[str], place: Place) -> tuple[Pattern, ...]:
        found = []
        for source in [given] if isinstance(given, str) else given:
            try:
                pattern = parse(source, self.fold)
            except PatternError as error:
                self.problems.add(place, str(error), "See CONTRIBUTING.md, 'Rewrite natural text'")
                continue
            self.asked += [(one, place) for one in pattern.elements]
            found.append(pattern)
        return tuple(found)

    def check_asked(self, readings: Mapping[str, Reading]) -> None:
        """Every class and reading that a rule asks for must be there."""
        owned = {f"{name.partition(':')[0]}:{whose}" for name in self.known for whose in ("own", "other")}
        known = self.known | BUILT_IN | owned | {f"anchor:{column}" for column in self.columns.values()}
        missing: dict[tuple[str, Place], None] = {}
        for one, place in self.asked:
            missing |= dict.fromkeys((f"<{label}>", place) for label in one.labels - known)
            missing |= dict.fromkeys((f"@{name}", place) for name in one.readings - {*readings, *self.marks})
        for name, place in missing:
            self.problems.add(place, f"nothing is called {name}", "Declare it, or mend its spelling")


def _table_lines(file: TomlTable, kind: str) -> list[Place]:
    lines: Iterable[tuple[int, str]] = enumerate(file.text.splitlines(), start=1)
    return [Place(file.name, number) for number, line in lines if line.split("#")[0].strip() == f"[[{kind}]]"]


def _nfc(text: str) -> str:
    return unicodedata.normalize("NFC", text)
