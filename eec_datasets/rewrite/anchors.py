"""The grammar of a language's anchors, as ``anchors.toml`` and ``anchor-words.csv`` hold it.

The files say how a text about one person is said of another: CONTRIBUTING.md, "Rewrite natural text".
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from eec_datasets.rewrite.lexicon import CACHE_SIZE
from eec_datasets.rewrite.patterns import stands_beside
from eec_datasets.rewrite.slots import Slot

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from eec_datasets.rewrite.lexicon import Lexicon
    from eec_datasets.rewrite.patterns import Element, Pattern
    from eec_datasets.rewrite.slots import Piece
    from eec_datasets.rewrite.tokens import Token

FILE: Final = "anchors.toml"
WORDS: Final = "anchor-words.csv"
STEM: Final = "{stem}"
FORM: Final = "{form}"
SWAPPED: Final = "swapped"
"""Persons of every gender are put into each text, and what agrees with the person changes."""

SAME: Final = "same"
"""Persons of the gender that the text is about are put in, and nothing else changes."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a mention of the person can be.

    Attributes
    ----------
    first
        What stands for the first mention: text, slots, and `STEM`; empty where it cannot be the first.
    forms
        By column what stands for a further mention; may hold `STEM`.
    every
        Whether every mention is replaced, not the first alone: names. Without `first` it is part of the name beside it.
    role
        What texts are counted by: several readings may have one, such as ``subject``.
    """

    name: str
    first: tuple[str | Slot, ...]
    forms: Mapping[str, str]
    every: bool
    role: str

    def first_mention(self, text: str, prefix: str = "", stem: str = "", *, capital: bool = True) -> tuple[Piece, ...]:
        """What stands for a token that is the first mention; nothing where the reading cannot be the first.

        Where the token has a capital, the form gets one, unless the token has it as a name (`capital` False).
        """
        pieces: list[Piece] = [prefix] if prefix else []
        for piece in self.first:
            if isinstance(piece, Slot):
                pieces.append(Slot(piece.role, capital and not any(pieces) and text[0].isupper(), piece.before))
            else:
                pieces.append((piece.replace("'", "’") if "’" in text else piece).replace(STEM, stem))
        return tuple(pieces) if self.first else ()


@dataclass(frozen=True, slots=True)
class Rule:
    """What is done with a token that stands as the patterns say.

    Attributes
    ----------
    at
        The tokens it is about.
    also
        Further elements, and whether the token must fit each.
    beside
        What may stand beside it: the direction, whether some pattern must fit or none may, the patterns.
    elsewhere
        What else the text must hold or lack, by where (``before``, ``not-anywhere``).
    only
        The question that the rule is for (`SWAPPED` or `SAME`); empty for both.
    tags, entities, features
        Tags of which the tagger gives one to the token, kinds of names as one of which it knows the token, and
        features that it gives the token, all of them (``Person=3``); empty where it is not asked. Without a tagger a
        rule that asks it never holds.
    """

    name: str
    at: Element
    also: tuple[tuple[Element, bool], ...]
    beside: tuple[tuple[int, bool, tuple[Pattern, ...]], ...]
    elsewhere: Mapping[str, Element]
    gender: str
    action: str
    value: str
    columns: Mapping[str, str]
    only: str = ""
    tags: frozenset[str] = frozenset()
    entities: frozenset[str] = frozenset()
    features: frozenset[str] = frozenset()

    def about(self, token: Token) -> bool:
        """Whether a token is one that the rule is about."""
        return self.at.fits(token) and all(element.fits(token) is expected for element, expected in self.also)

    def stands(self, token: Token) -> bool:
        """Whether the neighbours of a token in its sentence are as the rule wants them."""
        return all(
            any(stands_beside(pattern, token, step) for pattern in patterns) is expected
            for step, expected, patterns in self.beside
        )


@dataclass(frozen=True)
class Anchors:
    """The grammar of a language's anchors.

    Attributes
    ----------
    columns
        Gender of an anchor or a name → column of forms, such as ``female`` → ``f``.
    roles
        Role of a filler → how it is made from the citation form.
    joins
        What stands before a form and its beginning → both in one (``a el `` → ``al ``).
    before
        Folded words that are taken into a slot.
    behind_subject
        Folded words that stand between a subject and its verb, such as a negation.
    language_words
        Common words of the language.
    tokenize
        Cuts a text into tokens, with the language's abbreviations, elided words and placeholders.
    rules
        The ``rules``, the ``checks``, ``guesses``, which say for the count alone what the first pronoun of a text
        that is left out may be, ``unsaid``, which find a verb whose subject is a person who is not said, and
        ``speakers``, which find the marks of a quotation that the person says.
    tagged
        Reason to leave a text out → tag of the word → reading it has then, where a tagger is asked.
    nobody
        Reason to leave a text out → kinds of entities (``ORG``) that are not the person that the reason is afraid of.
    ambiguous
        Reasons that say of a form that it may be one word or another (*her*).
    agreement_reasons
        Reasons that are about the other gender's words alone. Where the gender stays, they hold only of words before
        the first mention, which may say who is meant.
    referent_reasons
        Reasons that are about words that may say who is meant. They do not hold of what the person says: nobody
        speaks of himself as *he*.
    swaps
        Whether persons of every gender are put in, and not only those of the gender that the text is about.
    name_patterns
        Reading → how a name is written where it has that reading (``{form}'s``).
    titles
        Folded titles that go with one gender → column; with a last name they are a name that is replaced.
    replaced_names
        Names of persons that are replaced, as they are looked up → column, and the name; a title has an empty one.
    """

    tag: str
    columns: Mapping[str, str]
    roles: Mapping[str, str]
    joins: tuple[tuple[str, str], ...]
    before: frozenset[str]
    behind_subject: frozenset[str]
    language_words: frozenset[str]
    tokenize: Callable[[str], list[Token]]
    readings: Mapping[str, Reading]
    lexicon: Lexicon
    rules: Mapping[str, tuple[Rule, ...]]
    tagged: Mapping[str, Mapping[str, str]]
    name_patterns: Mapping[str, str]
    titles: Mapping[str, str]
    reasons: Mapping[str, str]
    notes: tuple[str, ...]
    nobody: Mapping[str, frozenset[str]] = field(default_factory=dict)
    ambiguous: frozenset[str] = frozenset()
    agreement_reasons: frozenset[str] = frozenset()
    referent_reasons: frozenset[str] = frozenset()
    experimental: str = ""
    swaps: bool = True
    replaced_names: Mapping[str, tuple[str, str]] = field(default_factory=dict, repr=False)
    _candidates: dict[tuple[str, frozenset[str]], tuple[Rule, ...]] = field(default_factory=dict, repr=False)

    @property
    def asks_a_tagger(self) -> bool:
        """Whether the language has a use for a tagger."""
        rules = (rule for of_kind in self.rules.values() for rule in of_kind)
        return bool(self.tagged) or any(rule.tags or rule.entities or rule.features for rule in rules)

    def candidates(self, token: Token) -> tuple[Rule, ...]:
        """The rules that are about such a token, in order."""
        key = (token.word, token.labels)
        rules = self._candidates.get(key)
        if rules is None:
            if len(self._candidates) >= CACHE_SIZE:
                self._candidates.clear()
            rules = self._candidates[key] = tuple(rule for rule in self.rules["rules"] if rule.about(token))
        return rules

    def fuse(self, before: str, form: str) -> str:
        """The word before a slot and the form, as they are written together."""
        text = before + form
        for apart, together in self.joins:
            if text[:1].lower() + text[1 : len(apart)] == apart:
                first = together[:1].upper() if text[0].isupper() else together[:1]
                return first + together[1:] + text[len(apart) :]
        return text


def for_question(anchors: Anchors, question: str) -> Anchors:
    """The grammar with the rules that a question needs: `SWAPPED` or `SAME`."""
    rules = {
        kind: tuple(rule for rule in of_kind if rule.only in ("", question)) for kind, of_kind in anchors.rules.items()
    }
    return replace(anchors, rules=rules, swaps=question == SWAPPED, _candidates={})
