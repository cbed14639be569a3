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
SHAPES: Final = ("capital", "caps", "lower", "latin", "initial", "listed", "anchor", "quote", "prefixed")
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


@dataclass(frozen=True)
class Fold:
    """How words are compared: in small letters, without some signs, some letters alike."""

    remove: frozenset[str] = frozenset()
    replace: Mapping[str, str] = field(default_factory=dict)

    def __call__(self, text: str) -> str:
        """The text as it is looked up."""
        lowered = unicodedata.normalize("NFC", unescaped(text)).translate(APOSTROPHES).lower()
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
        """Whether a word is long enough, and no exception."""
        return len(word) >= self.least and word not in self.exceptions

    def takes(self, word: str) -> bool:
        """Whether a word belongs to it by its shape."""
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
        Forms of its stem.
    prefix, stem
        How many characters of what is looked up they have; the rest is the suffix.
    suffix
        Column of the suffix, or empty.
    anchor
        Column of an anchor, or empty.
    """

    labels: frozenset[str]
    rows: tuple[FormRow, ...] = ()
    prefix: int = 0
    stem: int = 0
    suffix: str = ""
    anchor: str = ""


@dataclass(frozen=True, slots=True)
class LexiconEntry:
    """What is known of a word: how it is looked up, all ways to cut it, and the classes of all of them."""

    word: str = ""
    labels: frozenset[str] = frozenset()
    cuts: tuple[Cut, ...] = ()
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

    fold: Fold
    words: dict[str, set[str]] = field(default_factory=dict)
    rows: dict[str, list[FormRow]] = field(default_factory=dict)
    shaped: list[WordClass] = field(default_factory=list)
    unions: dict[str, tuple[frozenset[str], frozenset[str]]] = field(default_factory=dict)
    affixes: list[Affix] = field(default_factory=list)
    anchors: dict[str, str] = field(default_factory=dict)

    @cached_property
    def look_up(self) -> Callable[[str], LexiconEntry]:
        """What looks a word up and remembers it."""
        return lru_cache(CACHE_SIZE)(self._entry)

    @cached_property
    def labels(self) -> Callable[[str, str, bool], frozenset[str]]:
        """What tells all classes of a token, by text, kind and whether it begins a sentence, and remembers them."""
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
        return self._united(Cut(frozenset(labels))).labels

    def _entry(self, text: str) -> LexiconEntry:
        word = self.fold(text)
        if len(word) > LONGEST:
            return LexiconEntry(word)
        cuts = [self._listed(word)]
        if not cuts[0].labels and not cuts[0].anchor:
            cuts = [cut for affix in self.affixes for cut in self._cuts(word, affix)]
            cuts = cuts or [_whole(word, [row for each in self.shaped if (row := each.row(word))])]
        shapes = [word_class.name for word_class in self.shaped if word_class.takes(word)]
        cuts = [self._united(replace(cut, labels=cut.labels.union(shapes))) for cut in cuts]
        anchor = next((cut.anchor for cut in cuts if cut.anchor), "")
        return LexiconEntry(word, frozenset(label for cut in cuts for label in cut.labels), tuple(cuts), anchor)

    def _listed(self, word: str) -> Cut:
        return _whole(word, self.rows.get(word, ()), self.words.get(word, ()), self.anchors.get(word, ""))

    def _cuts(self, word: str, affix: Affix) -> Iterator[Cut]:
        for prefix in filter(word.startswith, affix.prefixes):
            for column, suffix in affix.suffixes.items() or [("", "")]:
                stem = word[len(prefix) : len(word) - len(suffix)]
                if not stem or not word.endswith(suffix) or not (prefix or suffix):
                    continue
                inner = self._united(self._listed(stem))
                anchor = {"anchor"} if inner.anchor else set()
                if stem not in affix.words and affix.classes.isdisjoint(inner.labels | anchor):
                    continue
                labels = {affix.name} | ({"prefixed", f"prefix:{prefix}"} if prefix else set())
                if column:
                    labels.add(f"{affix.name}:{column}")
                    inner = Cut(frozenset(), (), 0, len(stem), column, column if affix.anchor else "")
                labels.update(f"{affix.name}:{row.column}" for row in inner.rows)
                yield replace(inner, labels=inner.labels | labels, prefix=len(prefix))

    def _united(self, cut: Cut) -> Cut:
        labels = set(cut.labels)
        for name, (more, less) in self.unions.items():
            if not labels.isdisjoint(more):
                labels.add(name)
                labels.update(f"{name}:{row.column}" for row in cut.rows if not row.classes.isdisjoint(more))
            if not labels.isdisjoint(less):
                labels.difference_update([label for label in labels if label.partition(":")[0] == name])
        return replace(cut, labels=frozenset(labels))


def _is_latin(text: str) -> bool:
    return text.isascii() or all(not sign.isalpha() or "LATIN" in unicodedata.name(sign, "") for sign in text)


def _whole(word: str, rows: Iterable[FormRow], classes: Iterable[str] = (), anchor: str = "") -> Cut:
    """A word without affixes."""
    labels = (label for row in rows for name in row.classes for label in (name, f"{name}:{row.column}"))
    return Cut(frozenset(labels).union(classes), tuple(rows), 0, len(word), "", anchor)
