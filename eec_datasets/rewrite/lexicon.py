"""Which classes a word belongs to and how it inflects: lists, suffixes, and words with affixes."""

from __future__ import annotations

import html
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

APOSTROPHES: Final = str.maketrans("’ʼ‘`‐‑", "''''--")
KINDS: Final = ("word", "number", "punct", "mention", "hashtag", "url", "emoji")
SHAPES: Final = ("capital", "caps", "lower", "latin", "initial", "listed", "anchor", "quote")
LISTED: Final = frozenset(("word", "hashtag", "mention", "punct", "emoji"))
"""Kinds of tokens that are looked up."""
OPENING: Final = "opening"
"""Class of the first token of a quotation, which is its mark or a word; `CLOSING` is that of the last."""

CLOSING: Final = "closing"
OWN_WORDS: Final = "own-words"
"""Class of the words of a quotation that the person says."""

BUILT_IN: Final = frozenset((*KINDS, *SHAPES, OPENING, CLOSING, OWN_WORDS))
QUOTES: Final = frozenset("\"'“”„«»‘’")
CACHE_SIZE: Final = 1 << 16
LONGEST: Final = 40
"""Characters of a word that is looked for in the lists; a longer one is in none."""


def unescaped(text: str) -> str:
    """A sign that is written as of a web page (``&amp;``) as the sign itself; any other text as it is."""
    return html.unescape(text) if text[:1] == "&" and text[-1:] == ";" else text


def fold(text: str) -> str:
    """Return a text as it is looked up: in small letters, with one kind of apostrophe and hyphen."""
    return unicodedata.normalize("NFC", unescaped(text)).translate(APOSTROPHES).lower()


@dataclass(frozen=True, slots=True)
class FormRow:
    """A word in the row of its forms: the column in which it stands, the classes of the row, column → form."""

    column: str
    classes: frozenset[str]
    forms: Mapping[str, str]


@dataclass(frozen=True)
class WordClass:
    """A named set of words of a shape."""

    name: str
    starts: tuple[str, ...] = ()
    ends: tuple[str, ...] = ()
    has: tuple[str, ...] = ()
    exceptions: frozenset[str] = frozenset()
    least: int = 1
    pairs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def may_hold(self, word: str) -> bool:
        """Return whether a word is long enough, and no exception."""
        return len(word) >= self.least and word not in self.exceptions

    def takes(self, word: str) -> bool:
        """Return whether a word belongs to it by its shape."""
        shapes = word.startswith(self.starts), word.endswith(self.ends), any(part in word for part in self.has)
        return any(shapes) and self.may_hold(word)

    def row(self, word: str) -> FormRow | None:
        """The forms of a word that inflects by its ending."""
        for column, endings in self.pairs.items() if self.may_hold(word) else ():
            for number, ending in enumerate(endings):
                if word.endswith(ending):
                    stem = word[: len(word) - len(ending)]
                    forms = {name: stem + others[number] for name, others in self.pairs.items()}
                    return FormRow(column, frozenset([self.name]), forms)
        return None


@dataclass(frozen=True, slots=True)
class Affix:
    """A class of words made of a prefix, a stem that is one of some words or in one of some classes, and a suffix."""

    name: str
    prefixes: tuple[str, ...]
    words: frozenset[str]
    classes: frozenset[str]
    suffix: str

    def stems(self, word: str) -> Iterator[str]:
        """Cut a word in every way that leaves a stem."""
        for prefix in filter(word.startswith, self.prefixes):
            stem = word[len(prefix) : len(word) - len(self.suffix)]
            if stem and word.endswith(self.suffix):
                yield stem


@dataclass(frozen=True, slots=True)
class LexiconEntry:
    """A word as it is looked up, its classes (and ``class:column``), its forms, the column of an anchor or nothing."""

    word: str = ""
    labels: frozenset[str] = frozenset()
    rows: tuple[FormRow, ...] = ()
    anchor: str = ""


NOTHING: Final = LexiconEntry()


@dataclass(frozen=True)
class Lexicon:
    """All words of a language's anchor files.

    Attributes
    ----------
    words
        Folded word → classes.
    rows
        Folded form → where it stands in rows of forms.
    unions
        Class → (classes it holds as well, classes it leaves out), in the order in which they are worked out.
    anchors
        Folded form → column.
    """

    words: dict[str, set[str]] = field(default_factory=dict)
    rows: dict[str, list[FormRow]] = field(default_factory=dict)
    shaped: list[WordClass] = field(default_factory=list)
    unions: dict[str, tuple[frozenset[str], frozenset[str]]] = field(default_factory=dict)
    affixes: list[Affix] = field(default_factory=list)
    anchors: dict[str, str] = field(default_factory=dict)

    @property
    def classes(self) -> set[str]:
        """The classes that words are listed in."""
        return set().union(*self.words.values())

    @cached_property
    def look_up(self) -> Callable[[str], LexiconEntry]:
        """Return the function that looks a word up and remembers it."""
        return lru_cache(CACHE_SIZE)(self._entry)

    @cached_property
    def labels(self) -> Callable[[str, str, bool], frozenset[str]]:
        """Return the function that tells all classes of a token, by text, kind and whether it begins a sentence."""
        return lru_cache(CACHE_SIZE)(self._labels)

    def _labels(self, text: str, kind: str, initial: bool) -> frozenset[str]:
        entry = self.look_up(text) if kind in LISTED else NOTHING
        labels = {kind, *entry.labels}
        if unescaped(text) in QUOTES:
            labels.add("quote")
        if kind == "word":
            labels.add("capital" if text[0].isupper() else "lower")
            if len(text) > 1 and text.isupper():
                labels.add("caps")
            if _is_latin(text):
                labels.add("latin")
            if entry.labels:
                labels.add("listed")
            if initial:
                labels.add("initial")
            if entry.anchor:
                labels.update(("anchor", f"anchor:{entry.anchor}"))
        return self._united(labels)

    def _entry(self, text: str) -> LexiconEntry:
        word = fold(text)
        if len(word) > LONGEST:
            return LexiconEntry(word)
        rows, classes = tuple(self.rows.get(word, ())), set(self.words.get(word, ()))
        anchor = self.anchors.get(word, "")
        if not rows and not classes and not anchor:
            classes = {affix.name for affix in self.affixes if self._has_affix(word, affix)}
            rows = tuple(row for shape in self.shaped if (row := shape.row(word)))
        rows = rows or tuple(self._rows_with_suffix(word))
        classes |= {each.name for each in self.shaped if each.takes(word)}
        classes |= {label for row in rows for name in row.classes for label in (name, f"{name}:{row.column}")}
        return LexiconEntry(word, self._united(classes, rows), rows, anchor)

    def _rows_with_suffix(self, word: str) -> Iterator[FormRow]:
        """Find the forms of a word that is a listed one with a suffix (*sister's*)."""
        for affix in self.affixes:
            stem = word.removesuffix(affix.suffix)
            for row in self.rows.get(stem, ()) if stem != word else ():
                yield replace(row, forms={column: form + affix.suffix for column, form in row.forms.items()})

    def _has_affix(self, word: str, affix: Affix) -> bool:
        return any(
            stem in affix.words or not affix.classes.isdisjoint(self._united(self.words.get(stem, ())))
            for stem in affix.stems(word)
        )

    def _united(self, classes: Iterable[str], rows: Iterable[FormRow] = ()) -> frozenset[str]:
        """Add the classes that hold others, and take away those that leave some out."""
        labels = set(classes)
        for name, (more, less) in self.unions.items():
            if not labels.isdisjoint(more):
                labels.add(name)
                labels.update(f"{name}:{row.column}" for row in rows if not row.classes.isdisjoint(more))
            if not labels.isdisjoint(less):
                labels.difference_update([label for label in labels if label.partition(":")[0] == name])
        return frozenset(labels)


def _is_latin(text: str) -> bool:
    return text.isascii() or all(not sign.isalpha() or "LATIN" in unicodedata.name(sign, "") for sign in text)
