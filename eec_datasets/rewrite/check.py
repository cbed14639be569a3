"""Pairs of an original and a variant, as any tool makes them: what is wrong with a pair, by the words that differ."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

from eec_datasets.errors import InputError
from eec_datasets.locale.reading import locales_folder
from eec_datasets.rewrite.anchors import PRONOUNS, WIDE
from eec_datasets.rewrite.given_names import genders_of_names
from eec_datasets.rewrite.language import LanguageCheck
from eec_datasets.rewrite.lexicon import QUOTES, fold
from eec_datasets.rewrite.load import load_anchors
from eec_datasets.rewrite.reader import Reader, looked_up
from eec_datasets.rewrite.tagger import load_tagger

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    import pandas as pd

    from eec_datasets.rewrite.anchors import Anchors
    from eec_datasets.rewrite.tagger import Tagger
    from eec_datasets.rewrite.tokens import Token

NONE: Final = "none"
FORMAT: Final = "format"
NO_GENDER: Final = "no gender swapped"
OTHER: Final = "other words changed"
FORM: Final = "wrong form"
HALF: Final = "half swapped"
TWO: Final = "two people mixed"
AGREEMENT: Final = "agreement"
SOUND: Final = "a word with a sound of its own"
REASONS: Final = (NONE, NO_GENDER, FORM, HALF, TWO, AGREEMENT, OTHER, SOUND, FORMAT)

ATOM: Final = re.compile(r"[^\W_]+?(?=n['’]t)|[^\W_]+|[^\w\s]|_", re.IGNORECASE)
NAMING: Final = ("word", "mention", "hashtag")
"""Kinds of tokens that can name a person; if others alone differ, the format does."""

LONG: Final = 1_000
"""Words and signs beyond which those that are everywhere in a text are not used to line it up with its variant."""

PAIR_COLUMNS: Final = ("original", "variant")
CHECKED_COLUMNS: Final = ("reason", "original_gender", "variant_gender")
NOUNS: Final = ("her-word", "his-word", "female-kin", "male-kin", "title-f", "title-m", "pair:f", "pair:m")
"""Classes of words that go with one gender: those of women and of men by turns."""


NEEDED: Final = "they"
"""A class without which a language's files were not written for pairs."""


@dataclass(frozen=True)
class Words:
    """A language's files on words in pairs.

    Attributes
    ----------
    anchors
        Its grammar.
    names
        First names as they are looked up → column of their gender.
    tagger
        Is asked which form a pronoun has and what a name names; None for the files alone.
    """

    anchors: Anchors
    names: Mapping[str, str]
    tagger: Tagger | None

    def column(self, token: Token) -> str:
        """Return the column of a pronoun or a noun that goes with one gender; empty for any other word."""
        if token.entry.anchor:
            return token.entry.anchor
        labels = token.entry.labels | self.anchors.lexicon.look_up(token.word.removesuffix("'s")).labels
        columns = {("f", "m")[number % 2] for number, name in enumerate(NOUNS) if name in labels}
        return columns.pop() if len(columns) == 1 else ""

    def name_column(self, token: Token) -> str:
        """Return the column of a first name; empty for any other word."""
        return self.names.get(token.word.removesuffix("'s"), "")

    def has(self, token: Token, name: str) -> bool:
        """Tell if a word belongs to a class, with or without *'s*."""
        return name in token.entry.labels or name in self.anchors.lexicon.look_up(token.word.removesuffix("'s")).labels


@dataclass(frozen=True)
class Pair:
    """An original and a variant, word by word."""

    words: Words
    text: str
    original: Sequence[Token]
    variant: Sequence[Token]
    readers: dict[str, Reader] = field(default_factory=dict)

    @cached_property
    def changes(self) -> list[tuple[list[Token], list[Token]]]:
        """The words that differ: one against one, or several for a full name or if their numbers differ."""
        before, after = _atoms(self.original), _atoms(self.variant)
        found: list[tuple[list[Token], list[Token]]] = []
        for first, end, other, other_end in _differences([atom for atom, _ in before], [atom for atom, _ in after]):
            sides = before[first:end], after[other:other_end]
            one, another = ("".join(atom for atom, _ in side) for side in sides)
            old, new = (list({token.number: token for _, token in side}.values()) for side in sides)
            if one == another or not any(token.kind in NAMING for token in (*old, *new)):
                continue
            if len(old) == len(new) and not (len(old) > 1 and all(map(_is_capital, old))):
                found += [([one], [another]) for one, another in zip(old, new, strict=True)]
            else:
                found.append((old, new))
        return found

    @cached_property
    def kept(self) -> list[Token]:
        """The words of the original that stay."""
        changed = {token.number for old, _ in self.changes for token in old}
        return [token for token in self.original if token.number not in changed]

    @cached_property
    def genders(self) -> tuple[set[str], set[str]]:
        """The columns of the words that change, in the original and in the variant."""
        before = {self._gender(old) for old, _ in self.changes} - {""}
        after = {self._gender(new) for _, new in self.changes} - {""}
        return before, after

    def _gender(self, tokens: Sequence[Token]) -> str:
        """The gender of a word that changes, or of the first name of a full one."""
        found = (self.words.column(token) or self.words.name_column(token) for token in tokens)
        return next(filter(None, found), "")

    def reason(self) -> str:
        """Return what is wrong with the pair; `NONE` if nothing is found."""
        if not self.changes:
            same = [token.text for token in self.original] == [token.text for token in self.variant]
            return NO_GENDER if same else FORMAT
        for reason in self._reasons_of_words():
            return reason
        for reason in self._reasons_of_the_whole():
            return reason
        return NONE

    def _reasons_of_words(self) -> Iterator[str]:
        """Yield what is wrong with single changes."""
        for old, new in self.changes:
            single = len(old) == len(new) == 1
            if single and (self._has_a_sound(old[0]) or self._has_a_sound(new[0])):
                yield SOUND
            elif single and self.words.column(old[0]) and not old[0].entry.anchor and self._is_in_a_title(old[0]):
                yield OTHER
            elif single and self.words.column(old[0]):
                yield from self._of_a_gendered_word(old[0], new[0])
            elif not self._is_name(old):
                gendered = any(self.words.column(token) or self.words.name_column(token) for token in new)
                yield NO_GENDER if gendered else OTHER
            elif any(self.words.column(token) or not token.text[:1].isalpha() for token in new):
                yield OTHER

    def _of_a_gendered_word(self, old: Token, new: Token) -> Iterator[str]:
        before, after = self.words.column(old), self.words.column(new)
        if not after and self.words.has(new, "they"):
            yield AGREEMENT
        elif not after and not (self.words.name_column(new) and not old.entry.anchor):
            yield OTHER
        elif old.entry.anchor and self._form(old) not in ("", new.word):
            yield FORM
        elif before == after:
            yield NO_GENDER

    def _reader(self, column: str) -> Reader:
        if column not in self.readers:
            self.readers[column] = Reader(self.words.anchors, self.text, self.original, column, self.words.tagger)
        return self.readers[column]

    def _form(self, token: Token) -> str:
        """The other gender's form of a pronoun, as it is read in the original; empty if it cannot be read."""
        column = self.words.column(token)
        reading = self._reader(column).reading_of(token)
        other = next(name for name in self.words.anchors.columns.values() if name != column)
        return fold(reading.forms[other]) if reading else ""

    def _has_a_sound(self, token: Token) -> bool:
        """Tell if a noun says more than a gender: a god, a slur, *guys*, or *man* as an exclamation."""
        if self.words.has(token, "with-a-sound"):
            return True
        return self.words.has(token, "exclaimed") and self._is_exclaimed(token)

    def _is_exclaimed(self, token: Token) -> bool:
        """Tell if a noun is called out: no word stands before it, or *yeah* does and nothing behind."""
        before = _words_before(token)
        if not before:
            return True
        behind = _behind(token)
        return self.words.has(before[-1], "interjection") and (not behind or behind[0].kind == "punct")

    def _is_in_a_title(self, token: Token) -> bool:
        """Tell if a noun has a capital within the sentence and a word with a capital before it (*Lonely Boy*)."""
        before = _words_before(token)
        if len(before) < 2 or token.text.isupper() or not (_is_capital(token) and _is_capital(before[-1])):
            return False
        return not before[-1].entry.anchor and before[-1].text != "I"

    def _is_name(self, tokens: Sequence[Token]) -> bool:
        """Tell if words of the original are the name of a person."""
        first = tokens[0] if tokens else None
        if first is None or first.kind != "word" or not first.text[0].isupper():
            return False
        if self.words.has(first, "god-like"):
            return False
        if self.words.name_column(first) and not (len(tokens) == 1 and self._may_be_a_word(first)):
            return True
        if any(map(self._is_a_word, tokens)):
            return False
        tagger = self.words.tagger
        return tagger is None or "PERSON" in tagger.entities(self.text, first.start, first.end)

    def _may_be_a_word(self, token: Token) -> bool:
        """Tell if a first name is another word as well: at the beginning of a sentence, or in a name of a thing."""
        place = token.number - token.line[0].number
        if place == 0:
            return self._is_a_word(token)
        before = token.line[place - 1]
        return _is_capital(before) and self.words.has(before, "adj")

    def _is_a_word(self, token: Token) -> bool:
        """Tell if a word with a capital is another word than a name, or the name of a place."""
        return self.words.has(token, "known-listed") or self.words.has(token, "place") or token.kind != "word"

    def _reasons_of_the_whole(self) -> Iterator[str]:
        """Yield what is wrong with the words that stay, given those that change."""
        before, after = self.genders
        pronouns = {token.entry.anchor for token in self.original if token.entry.anchor}
        if not before and len(after) == len(pronouns) == 1 and after != pronouns:
            yield HALF
        if len(before) != 1 or len(after) != 1 or before == after:
            if self._stays_a_name():
                yield HALF
            return
        (column,) = before
        staying = [token for token in self.kept if self.words.column(token) == column]
        if any(token.entry.anchor for token in staying):
            yield HALF
        if len(pronouns) > 1 or self._are_two_now_one():
            yield TWO
        if self._stays_a_name() or any(self._may_be_meant(token) for token in staying):
            yield HALF
        if any(self.words.name_column(token) == column and self._is_a_first_name(token) for token in self.kept):
            yield HALF
        if any(map(self._is_somebody_named, self.kept)):
            yield HALF
        if any(self.words.has(token, "of-one-body") for token in self.kept):
            yield HALF

    def _are_two_now_one(self) -> bool:
        """Tell if *the man … the woman* became *the man … the man*."""
        the = {token.word for token in self.kept if not token.entry.anchor and self._is_definite(token)}
        return any(new[0].word in the and self._is_definite(new[0]) for _, new in self.changes if len(new) == 1)

    def _is_definite(self, token: Token) -> bool:
        return bool(self.words.column(token)) and [each.word for each in _words_before(token)[-1:]] == ["the"]

    def _is_a_first_name(self, token: Token) -> bool:
        """Tell if a name with a capital is no last name (*Mr. Clinton*), and not who says it (*, says Steven*)."""
        words = _words_before(token)
        if not _is_capital(token) or not words:
            return _is_capital(token)
        between = [each.text for each in token.line if words[-1].number < each.number < token.number]
        begins = len(words) == 1 and self.words.has(words[0], "stop-word")  # Is Sarah late?
        has_office = self.words.has(words[-1], "office") and any(map(_is_capital, _behind(token)[:1]))  # Mayor Ed Hill
        is_last = _is_capital(words[-1]) and not (begins or has_office) and set(between) <= {"."}
        return not is_last and not self.words.has(words[-1], "said-by")

    def _is_somebody_named(self, token: Token) -> bool:
        """Tell if a name without a known gender stays before a pronoun that changes: a listed one, or a full one."""
        if self.words.name_column(token) or self.words.column(token) or not self._is_a_first_name(token):
            return False
        changing = [old[0].number for old, _ in self.changes if old and old[0].entry.anchor]
        if not any(token.number < number for number in changing):
            return False
        return self.words.has(token, "name") or self._is_a_full_name(token)

    def _is_a_full_name(self, token: Token) -> bool:
        """Tell if a tagger takes a word and the one behind it, both with a capital, for a person."""
        behind, tagger = _behind(token), self.words.tagger
        if tagger is None or not behind or not _is_capital(behind[0]) or self._is_a_word(token):
            return False
        return "PERSON" in tagger.entities(self.text, token.start, token.end)

    def _stays_a_name(self) -> bool:
        """Tell if a name that changes in one place stays in another."""
        kept = {token.word for token in self.kept if token.text[0].isupper()}
        return any(token.word in kept for old, _ in self.changes for token in old if not token.entry.anchor)

    def _may_be_meant(self, token: Token) -> bool:
        """Tell if a noun that stays may be the person whose pronoun changes: one person, named before it."""
        if token.entry.anchor or self.words.has(token, "slur") or self.words.has(token, "many-people"):
            return False
        if self.words.has(token, "her-plural") or self.words.has(token, "his-plural"):
            return False
        return any(old[0].entry.anchor and token.number < old[0].number for old, _ in self.changes if old)


def check_pairs(
    originals: Iterable[str],
    variants: Iterable[str],
    language: str = "en",
    *,
    tagger: str | None = None,
    root: Path | None = None,
) -> pd.DataFrame:
    """Return a frame that says of each pair what is wrong with it, and which gender is swapped for which.

    Parameters
    ----------
    originals, variants
        Texts, and the same texts with another gender, as any tool makes them.
    language
        Tag of a language whose files hold the words for this: ``en``.
    tagger
        A spaCy model, by name or folder; with it more is found, without it the words alone decide.
    root
        Folder of locales, if not the one that comes with the package.

    Returns
    -------
    DataFrame
        ``original``, ``variant``, ``reason`` (one of `REASONS`), ``original_gender``, ``variant_gender`` (``female``,
        ``male``, or empty if the pair does not swap one gender for the other).

    Raises
    ------
    InputError
        There are more originals than variants or the other way round, none at all, or one is no text.
    InputError, Unavailable, InputError, FileProblems
        The texts are in another language; the tagger, the language or its files cannot be used.
    """
    import pandas as pd

    if isinstance(originals, str) or isinstance(variants, str):
        raise InputError("The originals or the variants are one string; expected several texts, such as two columns")
    originals, variants = list(originals), list(variants)
    if len(originals) != len(variants):
        raise InputError(
            f"There are {len(originals):,} originals and {len(variants):,} variants; expected one variant per "
            "original. Repeat an original that has several"
        )
    if not originals:
        raise InputError("There are no pairs. Give at least one original with its variant")
    for number, text in enumerate((*originals, *variants)):
        if not isinstance(text, str):
            raise InputError(
                f"{PAIR_COLUMNS[number >= len(originals)]} {number % len(originals) + 1} is of type "
                f"{type(text).__name__}; expected a text. Leave out pairs without one"
            )
    words = load_words(language, tagger, root)
    spoken = LanguageCheck(words.anchors, root or locales_folder())
    for text in originals:
        spoken.add(text)
    spoken.check()
    rows = [(*pair, *checked(words, *pair)) for pair in zip(originals, variants, strict=True)]
    return pd.DataFrame(rows, columns=[*PAIR_COLUMNS, *CHECKED_COLUMNS])


def add_check(
    rows: Iterable[tuple[str, Mapping[str, Any]]], language: str, *, tagger: str | None = None
) -> pd.DataFrame:
    """Return the rows of a file of pairs with three columns more; see `check_pairs`.

    Raises
    ------
    InputError
        A row has no original or no variant, or a column that is added is there already; or see `check_pairs`.
    """
    import pandas as pd

    found = []
    for place, row in rows:
        if missing := [column for column in PAIR_COLUMNS if not isinstance(row.get(column), str)]:
            raise InputError(
                f"{place}: no text in the column '{missing[0]}'; the row has: {', '.join(row)}. Name the columns of "
                "the two texts original and variant"
            )
        if there := [column for column in CHECKED_COLUMNS if column in row]:
            raise InputError(f"{place}: the column '{there[0]}' already exists. Rename or remove it")
        found.append(dict(row))
    pairs = pd.DataFrame(found, columns=None if found else [*PAIR_COLUMNS], dtype=object)
    checks = check_pairs(pairs["original"], pairs["variant"], language, tagger=tagger)
    return pairs.assign(**{column: checks[column] for column in CHECKED_COLUMNS})


def load_words(language: str, tagger: str | None = None, root: Path | None = None) -> Words:
    """Load what pairs of a language are checked by; raises as `check_pairs`."""
    folder = root or locales_folder()
    anchors = load_anchors(language, folder, question=PRONOUNS, level=WIDE)
    if NEEDED not in anchors.lexicon.classes:
        raise InputError(
            f"Pairs in the language '{language}' cannot be checked: its anchors.toml has no class {NEEDED}"
        )
    return Words(anchors, genders_of_names(anchors, folder), load_tagger(tagger, language) if tagger else None)


def checked(words: Words, original: str, variant: str) -> tuple[str, str, str]:
    """Return why a pair is wrong (`NONE` if it is not), and the genders before and after."""
    pair = Pair(words, original, looked_up(words.anchors, original), looked_up(words.anchors, variant))
    gender_of = {column: gender for gender, column in words.anchors.columns.items()}
    before, after = pair.genders
    if len(before) == len(after) == 1 and before != after:
        return pair.reason(), gender_of[before.pop()], gender_of[after.pop()]
    return pair.reason(), "", ""


def _atoms(tokens: Sequence[Token]) -> list[tuple[str, Token]]:
    """Cut tokens into letters and signs, so that it plays no part how a tool cuts and joins words."""
    return [
        ('"' if atom in QUOTES or atom == "`" else fold(atom), token)
        for token in tokens
        for atom in ATOM.findall(token.text)
    ]


def _differences(before: Sequence[str], after: Sequence[str]) -> Iterator[tuple[int, int, int, int]]:
    """Find the stretches that differ; texts of one length with few differences are compared place by place.

    That is what most swaps are, and it takes time in proportion to the length.
    """
    different = [number for number, (one, other) in enumerate(zip(before, after, strict=False)) if one != other]
    if len(before) == len(after) and len(different) <= max(3, len(before) / 3):
        for _, run in groupby(enumerate(different), key=lambda entry: entry[1] - entry[0]):
            places = [place for _, place in run]
            yield places[0], places[-1] + 1, places[0], places[-1] + 1
        return
    matcher = SequenceMatcher(None, before, after, autojunk=len(before) > LONG)
    yield from (places for tag, *places in matcher.get_opcodes() if tag != "equal")  # type: ignore[misc]


def _is_capital(token: Token) -> bool:
    return token.text[:1].isupper()


def _words_before(token: Token) -> Sequence[Token]:
    """The words of the sentence before a token."""
    before = token.line[: token.number - token.line[0].number]
    return [each for each in before if each.kind == "word" and each.word != "rt"]


def _behind(token: Token) -> Sequence[Token]:
    """The tokens of the sentence behind one."""
    return token.line[token.number - token.line[0].number + 1 :]
