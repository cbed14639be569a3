"""Which classes a word belongs to and how it inflects: lists, suffixes, and words with affixes."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence, Set

    from eec_datasets.rewrite.tokens import Token

APOSTROPHES: Final = str.maketrans("’ʼ‘`‐‑", "''''--")
KINDS: Final = ("word", "number", "punct", "mention", "hashtag", "url", "emoji")
SHAPES: Final = ("capital", "caps", "lower", "latin", "initial", "listed", "anchor", "quote", "prefixed")
LISTED: Final = frozenset(("word", "hashtag", "mention", "punct", "emoji"))
"""Kinds of tokens that are looked up."""
BUILT_IN: Final = frozenset((*KINDS, *SHAPES))
QUOTES: Final = frozenset("\"'“”„«»‘’")
CACHE_SIZE: Final = 1 << 16
LONGEST: Final = 40
"""Characters of a word that is looked for in the lists; a longer one is in none."""


@dataclass(frozen=True)
class Fold:
    """How words are compared: in small letters, without some signs, some letters alike."""

    remove: frozenset[str] = frozenset()
    replace: Mapping[str, str] = field(default_factory=dict)

    def __call__(self, text: str) -> str:
        """The text as it is looked up."""
        lowered = unicodedata.normalize("NFC", text).translate(APOSTROPHES).lower()
        return "".join(self.replace.get(sign, sign) for sign in lowered if sign not in self.remove)

    def spelled(self, form: str, listed: str, text: str) -> str:
        """A form with plain letters where a text writes the other form of the word, `listed`, with plain ones (اخذ)."""
        if any(sign in listed and sign not in text for sign in self.replace):
            return "".join(self.replace.get(sign, sign) for sign in form)
        return form

    def cut(self, text: str, count: int) -> int:
        """Where `text` is to be cut so that `count` characters of what is looked up stand before."""
        length = 0
        for position, sign in enumerate(text):
            size = len(self(sign))
            if size and length == count:
                return position
            length += size
        return len(text)


@dataclass(frozen=True, slots=True)
class FormRow:
    """One row of forms: column → form."""

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

    def takes(self, word: str) -> bool:
        """Whether a word belongs to it by its shape."""
        return (
            len(word) >= self.least
            and word not in self.exceptions
            and any((word.startswith(self.starts), word.endswith(self.ends), any(part in word for part in self.has)))
        )

    def row(self, word: str) -> tuple[str, FormRow] | None:
        """The column of a word that inflects by its ending, and its forms."""
        if len(word) < self.least or word in self.exceptions:
            return None
        for column, endings in self.pairs.items():
            for number, ending in enumerate(endings):
                if word.endswith(ending):
                    stem = word[: len(word) - len(ending)]
                    forms = {name: stem + others[number] for name, others in self.pairs.items()}
                    return column, FormRow(frozenset([self.name]), forms)
        return None


@dataclass(frozen=True, slots=True)
class Affix:
    """Words made of a prefix, a stem that is one of some words or in one of some classes, and a suffix."""

    name: str
    prefixes: tuple[str, ...]
    words: frozenset[str]
    classes: frozenset[str]
    suffixes: Mapping[str, str]
    anchor: bool


@dataclass(frozen=True, slots=True)
class Cut:
    """A way to see a word as prefix, stem and suffix.

    Attributes
    ----------
    labels
        Classes, and ``class:column``.
    rows
        Forms of its stem, each with the column in which it was found.
    prefix, stem
        How many characters of what is looked up they have; the rest is the suffix.
    suffix
        Column of the suffix, or empty.
    anchor
        Column of an anchor, or empty.
    """

    labels: frozenset[str]
    rows: tuple[tuple[str, FormRow], ...] = ()
    prefix: int = 0
    stem: int = 0
    suffix: str = ""
    anchor: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """What is known of a word: all ways to cut it, and the classes of all of them."""

    labels: frozenset[str]
    cuts: tuple[Cut, ...] = ()
    anchor: str = ""


LookedUp: TypeAlias = tuple[str, Entry]
"""A word as it is looked up, and what is known of it."""

NOTHING: Final = Entry(frozenset())


@dataclass(frozen=True)
class Lexicon:
    """All words of a language's anchor files.

    Attributes
    ----------
    words
        Folded word → classes.
    rows
        Folded form → rows with their column.
    unions
        Class → (classes it holds as well, classes it leaves out), in the order in which they are worked out.
    anchors
        Folded form → column.
    """

    fold: Fold
    words: Mapping[str, Set[str]]
    rows: Mapping[str, Sequence[tuple[str, FormRow]]]
    shaped: Sequence[WordClass]
    unions: Mapping[str, tuple[frozenset[str], frozenset[str]]]
    affixes: Sequence[Affix]
    anchors: Mapping[str, str]

    @cached_property
    def look_up(self) -> Callable[[str], LookedUp]:
        """What looks a word up and remembers it."""
        return lru_cache(CACHE_SIZE)(self._looked_up)

    def _looked_up(self, text: str) -> LookedUp:
        word = self.fold(text)
        return word, self._entry(word) if len(word) <= LONGEST else NOTHING

    def labels(self, token: Token, *, initial: bool) -> frozenset[str]:
        """All classes of a token: its kind, its shape, its lists."""
        return self._labels(token.text, token.kind, initial)

    @cached_property
    def _labels(self) -> Callable[[str, str, bool], frozenset[str]]:
        return lru_cache(CACHE_SIZE)(self._shape_and_lists)

    def _shape_and_lists(self, text: str, kind: str, initial: bool) -> frozenset[str]:
        entry = self.look_up(text)[1] if kind in LISTED else NOTHING
        more = {kind: True, "quote": text in QUOTES}
        if kind == "word":
            more |= {
                "capital": text[0].isupper(), "lower": not text[0].isupper(),
                "caps": len(text) > 1 and text.isupper(), "latin": _is_latin(text), "listed": bool(entry.labels),
                "initial": initial, "anchor": bool(entry.anchor), f"anchor:{entry.anchor}": bool(entry.anchor),
            }  # fmt: skip
        return frozenset(self._unite({name for name, holds in more.items() if holds} | entry.labels, ()))

    def _entry(self, word: str) -> Entry:
        cuts = [self._listed(word)]
        if not cuts[0].labels and not cuts[0].anchor:
            cuts = [cut for affix in self.affixes for cut in self._cuts(word, affix)] or [self._paired(word)]
        shapes = [word_class.name for word_class in self.shaped if word_class.takes(word)]
        cuts = [self._united(replace(cut, labels=cut.labels.union(shapes))) for cut in cuts]
        labels = frozenset(label for cut in cuts for label in cut.labels)
        return Entry(labels, tuple(cuts), next((cut.anchor for cut in cuts if cut.anchor), ""))

    def _listed(self, word: str) -> Cut:
        rows = tuple(self.rows.get(word, ()))
        labels = _labels(rows).union(self.words.get(word, ()))
        return Cut(labels, rows, 0, len(word), "", self.anchors.get(word, ""))

    def _paired(self, word: str) -> Cut:
        rows = tuple(row for row in (word_class.row(word) for word_class in self.shaped) if row)
        return Cut(_labels(rows), rows, 0, len(word))

    def _cuts(self, word: str, affix: Affix) -> Iterator[Cut]:
        for prefix in affix.prefixes:
            if not word.startswith(prefix):
                continue
            for column, suffix in affix.suffixes.items() or [("", "")]:
                stem = word[len(prefix) : len(word) - len(suffix)]
                if not stem or not word.endswith(suffix) or not (prefix or suffix):
                    continue
                inner = self._united(self._listed(stem))
                anchor = {"anchor"} if inner.anchor else set()
                if stem in affix.words or not affix.classes.isdisjoint(inner.labels | anchor):
                    yield _joined(affix, prefix, stem, column, inner)

    def _united(self, cut: Cut) -> Cut:
        return replace(cut, labels=frozenset(self._unite(set(cut.labels), cut.rows)))

    def _unite(self, labels: set[str], rows: Sequence[tuple[str, FormRow]]) -> set[str]:
        for name, (more, less) in self.unions.items():
            if not labels.isdisjoint(more):
                labels.add(name)
                labels.update(f"{name}:{column}" for column, row in rows if not row.classes.isdisjoint(more))
            if not labels.isdisjoint(less):
                labels.difference_update([label for label in labels if label.partition(":")[0] == name])
        return labels


def _is_latin(text: str) -> bool:
    return text.isascii() or all(not sign.isalpha() or "LATIN" in unicodedata.name(sign, "") for sign in text)


def _joined(affix: Affix, prefix: str, stem: str, column: str, inner: Cut) -> Cut:
    labels = {affix.name} | ({"prefixed", f"prefix:{prefix}"} if prefix else set())
    if column:
        labels.add(f"{affix.name}:{column}")
        return Cut(frozenset(labels), (), len(prefix), len(stem), column, column if affix.anchor else "")
    labels |= {f"{affix.name}:{stem_column}" for stem_column, _ in inner.rows}
    return Cut(inner.labels | labels, inner.rows, len(prefix), len(stem), "", inner.anchor)


def _labels(rows: Iterable[tuple[str, FormRow]]) -> frozenset[str]:
    return frozenset(label for column, row in rows for name in row.classes for label in (name, f"{name}:{column}"))
