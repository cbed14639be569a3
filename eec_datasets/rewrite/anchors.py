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
FORM: Final = "{form}"
SWAPPED: Final = "swapped"
"""Persons of every gender are put into each text, and what agrees with the person changes."""

SAME: Final = "same"
"""Persons of the gender that the text is about are put in, and nothing else changes."""

PRONOUNS: Final = "pronouns"
"""Every pronoun becomes the other gender's, and the nouns that go with it; nobody is named."""

QUESTIONS: Final = (SWAPPED, SAME, PRONOUNS)
STRICT: Final = "strict"
"""A text is left out if anything in it is unclear."""

WIDE: Final = "wide"
"""The reasons that a language lists as ``wide`` do not hold, and an unclear pronoun is read as it most often is."""

LEVELS: Final = (STRICT, WIDE)


@dataclass(frozen=True, slots=True)
class Reading:
    """A possible meaning of a mention of the person.

    Attributes
    ----------
    first
        What stands for the first mention: text and slots; empty where it cannot be the first.
    forms
        By column what stands for a further mention.
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

    def first_mention(self, text: str, *, capital: bool = True) -> tuple[Piece, ...]:
        """Return what stands for a token that is the first mention; nothing where the reading cannot be the first.

        Where the token has a capital, the form gets one, unless the token has it as a name (`capital` False).
        """
        pieces: list[Piece] = []
        for piece in self.first:
            if isinstance(piece, Slot):
                pieces.append(Slot(piece.role, capital and not pieces and text[0].isupper()))
            else:
                pieces.append(piece.replace("'", "’") if "’" in text else piece)
        return tuple(pieces)


@dataclass(frozen=True, slots=True)
class Rule:
    """An action on a token whose surroundings fit the patterns.

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
        The questions that the rule is for (`QUESTIONS`); empty for all.
    tags, entities
        Tags of which the tagger gives one to the token, and kinds of names as one of which it knows the token; empty if
        it is not asked. Without a tagger a rule that asks it never holds.
    """

    name: str
    at: Element
    also: tuple[tuple[Element, bool], ...]
    beside: tuple[tuple[int, bool, tuple[Pattern, ...]], ...]
    elsewhere: Mapping[str, Element]
    gender: str
    action: str
    value: str
    only: frozenset[str] = frozenset()
    tags: frozenset[str] = frozenset()
    entities: frozenset[str] = frozenset()

    def about(self, token: Token) -> bool:
        """Return whether a token is one that the rule is about."""
        return self.at.fits(token) and all(element.fits(token) is expected for element, expected in self.also)

    def stands(self, token: Token) -> bool:
        """Return whether the neighbours of a token in its sentence are as the rule wants them."""
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
    language_words
        Common words of the language.
    tokenize
        Cuts a text into tokens, with the language's abbreviations, elided words and placeholders.
    rules
        The ``rules``, the ``checks``, ``guesses``, which say for the count alone what the first pronoun of a text
        that is left out may be, and ``speakers``, which find the marks of a quotation that the person says.
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
    name_reasons
        Reasons that do not hold where a pronoun stays a pronoun: they are about who is meant, or whether a name fits.
    form_reasons
        Reasons that do not hold where the gender stays: they are about which form a word would have.
    wide_reasons
        Reasons that do not hold at the level `WIDE`.
    checked_reasons
        Further ones that do not hold there for pronouns, because the pair is checked (`eec_datasets.rewrite.check`).
    question, level
        What is done with the texts, one of `QUESTIONS`, and at which of the `LEVELS`.
    guessed
        Reasons for which a pronoun is read as it most often is.
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
    name_reasons: frozenset[str] = frozenset()
    form_reasons: frozenset[str] = frozenset()
    wide_reasons: frozenset[str] = frozenset()
    checked_reasons: frozenset[str] = frozenset()
    question: str = SWAPPED
    level: str = STRICT
    guessed: frozenset[str] = frozenset()
    replaced_names: Mapping[str, tuple[str, str]] = field(default_factory=dict, repr=False)
    _candidates: dict[tuple[str, frozenset[str]], tuple[Rule, ...]] = field(default_factory=dict, repr=False)

    @property
    def swaps(self) -> bool:
        """Return whether a text about a woman is also said of a man, and the other way round."""
        return self.question != SAME

    @property
    def asks_a_tagger(self) -> bool:
        """Return whether the language has a use for a tagger."""
        rules = (rule for of_kind in self.rules.values() for rule in of_kind)
        return bool(self.tagged) or any(rule.tags or rule.entities for rule in rules)

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


def for_question(anchors: Anchors, question: str, level: str = STRICT) -> Anchors:
    """Return the grammar with the rules that a question (`QUESTIONS`) and a level (`LEVELS`) need."""
    without: frozenset[str] = frozenset()
    if question == PRONOUNS:
        without |= anchors.name_reasons
    if question == SAME:
        without |= anchors.form_reasons
    if level == WIDE:
        without |= anchors.wide_reasons - anchors.ambiguous
    if level == WIDE and question == PRONOUNS:
        without |= anchors.checked_reasons
    rules = {
        kind: tuple(
            rule
            for rule in of_kind
            if (not rule.only or question in rule.only) and not (rule.action == "skip" and rule.value in without)
        )
        for kind, of_kind in anchors.rules.items()
    }
    guessed = anchors.ambiguous & anchors.wide_reasons if level == WIDE else frozenset()
    return replace(anchors, rules=rules, question=question, level=level, guessed=guessed, _candidates={})
