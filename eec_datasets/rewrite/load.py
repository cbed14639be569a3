"""The files of a language's anchors, read and checked; every mistake is told with its file and line."""

from __future__ import annotations

import re
import tomllib
from dataclasses import replace
from functools import lru_cache, partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Final

from eec_datasets.errors import FileProblems, InputError, Problems
from eec_datasets.locale.csv_file import CsvFile, read_csv
from eec_datasets.locale.reading import locales_folder
from eec_datasets.locale.toml_file import FLAG, TABLE, TEXT, either, one_of, read_toml
from eec_datasets.rewrite import keys
from eec_datasets.rewrite.anchors import (
    FILE,
    FORM,
    QUESTIONS,
    STRICT,
    SWAPPED,
    WORDS,
    Anchors,
    Reading,
    Rule,
    for_question,
)
from eec_datasets.rewrite.lexicon import BUILT_IN, Affix, FormRow, Lexicon, WordClass, fold
from eec_datasets.rewrite.patterns import ACTIONS, Element, PatternError, parse_element
from eec_datasets.rewrite.slots import Slot
from eec_datasets.rewrite.tokens import tokenize

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from eec_datasets.locale.toml_file import TomlTable
    from eec_datasets.rewrite.patterns import Pattern

PLACEHOLDERS: Final = ("mention", "hashtag", "url")
SHAPED: Final = frozenset(("starts", "ends", "has", "pairs"))
BESIDE: Final = {"left": (-1, True), "right": (1, True), "not-left": (-1, False), "not-right": (1, False)}
ELSEWHERE: Final = ("before", "after", "anywhere", "not-before", "not-after", "not-anywhere", "between", "not-between")
KINDS: Final = {
    "rules": ("reading", "inflect", "keep", "skip"),
    "checks": ("skip",),
    "guesses": ("reading",),
    "speakers": ("keep",),
}
"""Kinds of rules, and what an entry of each may do."""


def tags_with_anchors(root: Path | None = None) -> list[str]:
    """The languages whose natural texts can be rewritten, sorted."""
    return sorted(path.parent.name for path in (root or locales_folder()).glob(f"*/{FILE}"))


def load_anchors(tag: str, root: Path | None = None, *, question: str = SWAPPED, level: str = STRICT) -> Anchors:
    """The grammar of a language's anchors.

    Parameters
    ----------
    tag
        Of a locale that has an ``anchors.toml``.
    root
        Folder of locales, if not the one that comes with the package.
    question, level
        What is done with the texts, one of `eec_datasets.rewrite.anchors.QUESTIONS`, and one of its `LEVELS`.

    Raises
    ------
    InputError
        There is no such locale, or it has no ``anchors.toml``.
    FileProblems
        The files have problems; all of them are listed with file and line.
    """
    folder = (root or locales_folder()) / tag
    if not (folder / FILE).exists():
        available = ", ".join(tags_with_anchors(root)) or "none"
        raise InputError(
            f"The locale '{tag}' cannot rewrite natural text: there is no {FILE} in {folder}. Languages that can: "
            f"{available}. CONTRIBUTING.md says how to write one"
        )
    stamps = tuple((folder / name).stat().st_mtime_ns for name in (FILE, WORDS) if (folder / name).exists())
    return _for_question(folder, stamps, question, level)


@lru_cache(maxsize=16)
def _for_question(folder: Path, stamps: tuple[int, ...], question: str, level: str) -> Anchors:
    return for_question(_load(folder, stamps), question, level)


@lru_cache(maxsize=8)
def _load(folder: Path, _stamps: tuple[int, ...]) -> Anchors:
    problems = Problems()
    file = read_toml(folder / FILE, problems)
    if not problems:
        file = file.laid_out(keys.ANCHORS)
    anchors = None if problems else _Reader(folder, file).anchors()
    if anchors is None or problems:
        raise FileProblems(f"locale '{folder.name}'", problems.found)
    return anchors


class _Reader:
    """The shared state of the parts of a file while they are read."""

    def __init__(self, folder: Path, file: TomlTable) -> None:
        self.folder, self.file = folder, file
        self.lexicon = Lexicon()
        self.columns: Mapping[str, str] = file["agreement"]
        self.texts = dict.fromkeys(self.columns.values(), TEXT)
        built_in = tomllib.loads(Path(__file__).with_name("reasons.toml").read_text(encoding="utf-8"))
        self.reasons: Mapping[str, str] = built_in | file.get("reasons", {})
        self.readings = {name: self._reading(file.table("readings", name), name) for name in file["readings"]}
        self.declared = {*BUILT_IN, *(f"anchor:{column}" for column in self.texts)}
        self.declared.update(name for name, reading in self.readings.items() if reading.every)
        self.marks = {*self.readings, *ACTIONS}
        self.uses: list[tuple[str, TomlTable]] = []

    def anchors(self) -> Anchors:
        """Everything that the files say."""
        file = self.file
        self._fill_lexicon()
        rules = {kind: tuple(filter(None, map(self._rule, file.tables(kind)))) for kind in KINDS}
        tokens = file.table("tokens").laid_out(keys.TOKENS)
        language = file.table("language").laid_out(keys.LANGUAGE)
        tagged = {reason: self._tagged(reason) for reason in file.get("tagger", {})}
        titles = file.table("titles").checked(self.texts)
        joins = [table.laid_out(keys.JOIN) for table in file.tables("joins")]
        given = file.table("given")
        for reading, pattern in given.data.items():
            self.uses.append((f"reading '{reading}'", replace(given, first=given.place(reading).line)))
            if FORM not in pattern:
                given.report(f"'{pattern}' has no place for the name", f"Write it with {FORM}", reading)
        nobody = self._nobody()
        kinds = file.table("kinds-of-reasons").laid_out(keys.KINDS_OF_REASONS)
        of_kind = {kind: frozenset(words.split()) for kind, words in kinds.data.items()}
        self.uses += [(f"reason '{reason}'", kinds) for reason in sorted(frozenset().union(*of_kind.values()))]
        self._check_uses()
        return Anchors(
            tag=self.folder.name,
            columns=self.columns,
            roles=file["roles"],
            joins=tuple((join.get("before", "?"), join.get("after", "")) for join in joins),
            before=frozenset(self._folded(file, "before")),
            language_words=frozenset(self._folded(language, "words")),
            tokenize=partial(
                tokenize,
                abbreviations=frozenset(self._folded(tokens, "abbreviations")),
                elided=frozenset(self._folded(tokens, "elided")),
                placeholders={word: kind for kind in PLACEHOLDERS for word in tokens.get(kind, "").split()},
            ),
            readings=self.readings,
            lexicon=self.lexicon,
            rules=rules,
            tagged=tagged,
            name_patterns=given.data,
            titles={word: column for column in titles.data for word in self._folded(titles, column)},
            reasons=self.reasons,
            notes=tuple(file.get("notes", ())),
            nobody=nobody,
            ambiguous=of_kind.get("ambiguous", frozenset()),
            agreement_reasons=of_kind.get("agreement", frozenset()),
            referent_reasons=of_kind.get("referent", frozenset()),
            name_reasons=of_kind.get("name", frozenset()),
            form_reasons=of_kind.get("form", frozenset()),
            wide_reasons=of_kind.get("wide", frozenset()),
            checked_reasons=of_kind.get("checked", frozenset()),
        )

    def _tagged(self, reason: str) -> Mapping[str, str]:
        """Return what a tagger decides where a text would be left out for a reason: tag → reading."""
        table = self.file.table("tagger", reason)
        readings = table.checked(dict.fromkeys(table.data, TEXT)).data
        self.uses += [
            (f"reason '{reason}'", table),
            *((f"reading '{reading}'", table) for reading in readings.values()),
        ]
        return readings

    def _nobody(self) -> Mapping[str, frozenset[str]]:
        """Reason → kinds of entities for which a text is not left out for it, where a tagger is asked."""
        table = self.file.table("nobody")
        kinds = table.checked(dict.fromkeys(table.data, TEXT)).data
        self.uses += [(f"reason '{reason}'", table) for reason in kinds]
        return {reason: frozenset(words.split()) for reason, words in kinds.items()}

    def _folded(self, table: TomlTable, key: str) -> tuple[str, ...]:
        """The words of an entry as they are looked up."""
        return tuple(map(fold, table.get(key, "").split()))

    def _reading(self, table: TomlTable, name: str) -> Reading:
        entries = table.checked({"first": TEXT, "anchor": FLAG, "every": FLAG, "role": TEXT, **self.texts})
        forms = {column: entries[column] for column in self.texts if entries.get(column)}
        anchor, every = entries.get("anchor", True), entries.get("every", False)
        if not every and (missing := [column for column in self.texts if column not in forms]):
            message = f"the reading '{name}' has no form in column {', '.join(missing)}"
            table.report(message, "Write one per value of [agreement]")
        for column, form in forms.items() if anchor else ():
            if self.lexicon.anchors.setdefault(fold(form), column) != column:
                table.report(f"'{form}' is an anchor in two columns", "Write anchor = false for one")
        role = entries.get("role") or name.partition("-")[0]
        return Reading(name, tuple(self._first(entries)), forms, every, role)

    def _first(self, table: TomlTable) -> Iterator[str | Slot]:
        roles = self.file["roles"]
        for part in filter(None, re.split(r"(\{[^{}]*\})", table.get("first", ""))):
            if part[1:-1] in roles:
                yield Slot(part[1:-1])
            elif not part.startswith("{"):
                yield part
            else:
                table.report(f"'{part}' is no slot", f"Roles are: {', '.join(roles)}; write {{role}}", "first")

    def _fill_lexicon(self) -> None:
        self._read_words()
        self._read_emotion_words()
        classes = self.file.table("classes")
        self.declared.update(("person-name", *classes.data))
        # The names of persons.csv that are no other word.
        for row in self._csv("persons.csv", "type", "nom", "flags").rows:
            if row["type"] == "name":
                self._add(["person-name"], row["nom"])
        for name in classes.checked(dict.fromkeys(classes.data, either(TEXT, TABLE))).data:
            self._class(name, self.file.table("classes", name))
        for entry in self.file.tables("affixes"):
            self._affix(entry.laid_out(keys.AFFIX))

    def _csv(self, name: str, *columns: str) -> CsvFile:
        """A file of the locale; empty where there is none."""
        path = self.folder / name
        exists = path.exists()
        return read_csv(path, columns, self.file.problems) if exists else CsvFile(name, (), (), self.file.problems)

    def _add(self, classes: Sequence[str], forms: str | Mapping[str, str]) -> None:
        """Take a word, or the forms of one by column, into classes."""
        self.declared.update(classes)
        if isinstance(forms, str):
            self.lexicon.words.setdefault(fold(forms), set()).update(classes)
            return
        self.declared.update(f"{name}:{column}" for name in classes for column in forms)
        names = frozenset(classes)
        for column, form in forms.items():
            self.lexicon.rows.setdefault(fold(form), []).append(FormRow(column, names, forms))

    def _read_words(self) -> None:
        file = self._csv(WORDS, "class")
        columns = [column for column in file.columns if column not in ("form", "class", "note")]
        for row in file.rows:
            classes, forms = row["class"].split(), {column: row[column] for column in columns if row[column]}
            if classes and bool(row["form"]) != bool(forms):
                self._add(classes, forms or row["form"])
            else:
                message = "the row needs a class, and either a form or forms in columns"
                row.report(message, "Fill column form, or the columns of forms")

    def _read_emotion_words(self) -> None:
        """The forms of ``words.csv``, singular and indefinite, in the classes ``state`` and ``situation``."""
        self.declared.update(f"{kind}{column}" for kind in ("state", "situation") for column in ("", ":f", ":m"))
        groups: dict[tuple[str, ...], dict[str, str]] = {}
        for row in self._csv("words.csv", "id", "kind", "form").rows:
            if row["number"] not in ("", "sg") or row["definite"] not in ("", "indef"):
                continue
            if row["gender"] in self.texts:
                key = tuple(row[column] for column in ("kind", "id", "topic", "lexicon", "shape", "wording"))
                groups.setdefault(key, {})[row["gender"]] = row["form"]
            else:
                self._add([row["kind"]], row["form"])
        for (kind, *_), forms in groups.items():
            self._add([kind], forms)

    def _class(self, name: str, table: TomlTable) -> None:
        if name in BUILT_IN:
            table.report(f"the class '{name}' is built in", "Give it another name")
        words = self.file["classes"][name]
        table = replace(table, data={"words": words}) if isinstance(words, str) else table.laid_out(keys.WORD_CLASS)
        for word in table.get("words", "").split():
            self._add([name], word)
        more, less = (frozenset(table.get(key, "").split()) for key in ("classes", "lacks"))
        if more or less:
            self.declared.update(f"{name}:{column}" for column in self.texts)
            self.uses += [(f"<{label}>", table) for label in sorted(more | less)]
            self.lexicon.unions[name] = (more, less)
        if SHAPED & table.data.keys():
            endings = table.table("pairs")
            pairs = {column: self._folded(endings, column) for column in endings.data}
            if len(set(map(len, pairs.values()))) > 1:
                table.report(f"the pairs of '{name}' are not of the same number", "Write ending for ending")
                pairs = {}
            self.declared.update(f"{name}:{column}" for column in pairs)
            starts, ends, has, exceptions = (self._folded(table, key) for key in ("starts", "ends", "has", "except"))
            shape = WordClass(name, starts, ends, has, frozenset(exceptions), table.get("min", 1), pairs)
            self.lexicon.shaped.append(shape)

    def _affix(self, table: TomlTable) -> None:
        stem, name = self._element(table, "stem"), table.get("class")
        if stem is None or name is None:
            return
        self.declared.add(name)
        prefixes = self._folded(table, "prefix") or ("",)
        self.lexicon.affixes.append(Affix(name, prefixes, stem.words, stem.labels, fold(table.get("suffix", ""))))

    def _rule(self, entry: TomlTable) -> Rule | None:
        table, kind = entry.laid_out(keys.RULE), entry.keys[-1]
        at, actions = self._element(table, "at"), [name for name in KINDS["rules"] if name in table]
        if at is None or len(actions) != 1 or actions[0] not in KINDS[kind]:
            table.report(f"an entry of [[{kind}]] needs 'at' and one action", one_of(KINDS[kind]))
            return None
        action, value, gender = actions[0], table[actions[0]], table.get("gender", "")
        only = frozenset(table.get("only", "").split())
        if action == "keep" and isinstance(value, str):
            self.marks.add(value)
        if action in ("reading", "skip"):
            self.uses.append((f"{'reason' if action == 'skip' else 'reading'} '{value}'", table))
        if gender not in ("", *self.texts):
            table.report(f"gender '{gender}'", one_of([*self.texts]))
        if not only <= set(QUESTIONS):
            table.report(f"only = '{table['only']}'", one_of(QUESTIONS))
        also = [(self._element(table, key), expected) for key, expected in (("is", True), ("is-not", False))]
        beside = [(step, expected, tuple(self._patterns(table, key))) for key, (step, expected) in BESIDE.items()]
        return Rule(
            name=table.get("id", f"{table.name}:{table.first}"),
            at=at,
            also=tuple((part, expected) for part, expected in also if part is not None),
            beside=tuple(side for side in beside if side[2]),
            elsewhere={key: part for key in ELSEWHERE if (part := self._element(table, key))},
            gender=gender,
            action=action,
            value=value if isinstance(value, str) else "",
            only=only,
            tags=frozenset(table.get("tags", "").split()),
            entities=frozenset(table.get("entities", "").split()),
        )

    def _element(self, table: TomlTable, key: str) -> Element | None:
        """The element that an entry holds; None where there is none, or it cannot be read."""
        patterns = self._patterns(table, key)
        if patterns and len(patterns[0]) != 1:
            table.report(f"'{table[key]}' is not one element", "Write alternatives with | between them", key)
        return patterns[0][0] if patterns and patterns[0] else None

    def _patterns(self, table: TomlTable, key: str) -> list[Pattern]:
        """The patterns that an entry holds, without those that cannot be read."""
        value, patterns = table.get(key, ()), []
        for source in [value] if isinstance(value, str) else value:
            try:
                patterns.append(tuple(parse_element(part) for part in source.split()))
            except PatternError as error:
                table.report(str(error), "See CONTRIBUTING.md, 'Rewrite natural text'", key)
        for part in chain.from_iterable(patterns):
            self.uses += [(f"<{label}>", table) for label in sorted(part.labels)]
            self.uses += [(f"@{mark}", table) for mark in sorted(part.readings)]
        return patterns

    def _check_uses(self) -> None:
        """Every class, reading and reason that a rule asks for must be there."""
        owned = (f"{name.partition(':')[0]}:{of}" for name in self.declared for of in ("own", "other"))
        known = {f"<{name}>" for name in chain(self.declared, owned)} | {f"@{mark}" for mark in self.marks}
        known |= {f"reading '{name}'" for name in self.readings} | {f"reason '{name}'" for name in self.reasons}
        unknown = dict.fromkeys((name, table.place()) for name, table in self.uses if name not in known)
        for name, place in unknown:
            fix = "Declare it, or fix its spelling"
            if name.startswith("reading"):
                fix += f"; readings: {', '.join(self.readings)}"
            self.file.problems.add(place, f"nothing is called {name}", fix)
