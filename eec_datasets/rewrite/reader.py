"""A text while the rules go over it: what every word is read as, and what stands for it when another is meant."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, groupby, islice
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from eec_datasets.rewrite.anchors import FORM
from eec_datasets.rewrite.entities import NamedPerson, are_one
from eec_datasets.rewrite.lexicon import CACHE_SIZE, CLOSING, LISTED, OPENING, OWN_WORDS, fold
from eec_datasets.rewrite.slots import Slot, cased
from eec_datasets.rewrite.tokens import UNCLOSED

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from eec_datasets.rewrite.anchors import Anchors, Reading, Rule
    from eec_datasets.rewrite.patterns import Element
    from eec_datasets.rewrite.slots import Piece
    from eec_datasets.rewrite.tagger import Tagger
    from eec_datasets.rewrite.tokens import Token

UNCLEAR: Final = "unclear"
"""Role of an anchor that could be one or another."""

NOBODY: Final = "nobody"
"""Mark of a name that the tagger takes for a place, an organisation or a thing."""

BETWEEN_REACH: Final = 200
"""Tokens behind a mention among which ``between`` looks."""


@dataclass(frozen=True, slots=True)
class Change:
    """The replacement of a token: the first mention's pieces, the form per column, or the pieces of `every` mention."""

    first: tuple[Piece, ...]
    forms: Mapping[str, str]
    every: bool = False


class Stop(Exception):
    """The text is left out: its arguments are the reason, and where it has them the word and the rule."""


def looked_up(anchors: Anchors, text: str) -> list[Token]:
    """The tokens of a text with what the lists say of them."""
    tokens = anchors.tokenize(text)
    for token in tokens:
        if token.kind in LISTED:
            token.entry = anchors.lexicon.look_up(token.text)
        token.word = token.entry.word or token.text
    return tokens


class Reader:
    """Reads a text by the rules of its language.

    Parameters
    ----------
    anchors
        Grammar of the language.
    text, tokens
        The text, and its tokens as `looked_up`.
    column
        Column of the text's anchors.
    tagger
        Is asked where the rules cannot read a word; None for the rules alone.
    settled
        Tokens that are read already, by their number: the name of the reading and the change.
    known
        What the words of an ambiguous form are, by number: the reading that the text has been found to have.

    Attributes
    ----------
    changes
        Number of a token → what stands for it.
    mentions
        Numbers of the tokens that mention the person, in order.
    """

    def __init__(
        self,
        anchors: Anchors,
        text: str,
        tokens: Sequence[Token],
        column: str,
        tagger: Tagger | None,
        settled: Mapping[int, tuple[str, Change]] = MappingProxyType({}),
        known: Mapping[int, str] = MappingProxyType({}),
    ) -> None:
        self.anchors, self.text, self.tokens, self.column, self.tagger = anchors, text, tokens, column, tagger
        self.settled, self.known = settled, known
        self.spans: dict[Element, tuple[int, int]] = {}
        self.read: dict[str, tuple[int, int]] = {}
        self.changes: dict[int, Change] = {}
        self.mentions: list[int] = []
        self.names: list[list[int]] = []
        spoken, columns = -1, tuple(anchors.columns.values())
        for token in tokens:
            initial = token.kind == "word" and token.sentence != spoken
            if token.kind in ("word", "number"):
                spoken = token.sentence
            labels = anchors.lexicon.labels(token.text, token.kind, initial)
            token.labels = _with_owner(labels, column, columns)
        self._find_own_words()

    def apply_rules(self) -> None:
        """Read every token, then check what was read.

        Raises
        ------
        Stop
            A rule or a check leaves the text out.
        """
        for token in self.tokens:
            if token.number in self.settled:
                reading, change = self.settled[token.number]
                self.changes[token.number] = change
                self.mentions.append(token.number)
                self._mark(token, reading)
            else:
                self._decide(token)
        for token in self.tokens:
            for check in self.anchors.rules["checks"]:
                if self._is_settled(check) or self._is_said_by_the_person(check, token):
                    continue
                if self._applies(check, token):
                    raise Stop(check.value, token.text, check.name)

    def first_mention(self) -> int:
        """The number of the mention that becomes a slot.

        Raises
        ------
        Stop
            More than one person is mentioned, or no mention can be replaced by a name.
        """
        quotations = {self.tokens[number].quotation for number in self.mentions}
        if len(quotations) > 1 or UNCLOSED in quotations:
            raise Stop("quoted")
        if not are_one(list(self._persons())):
            raise Stop("several-names")
        if again := self._last_name_again():
            raise Stop("several-names", again)
        for number in self.mentions:
            if self.changes[number].first:
                return number
        raise Stop("no-name-slot")

    def pieces(self, slot: int, column: str) -> tuple[Piece, ...]:
        """The text with the person of a column in it, whose first mention is the slot."""
        return tuple(_merged(self._cut(slot, column)))

    def said(self, column: str) -> str:
        """Return the text with the words of a column, names and the first pronoun among them."""
        pieces, done = [], 0
        for number in sorted(self.changes):
            token, change = self.tokens[number], self.changes[number]
            pieces += [self.text[done : token.start], change.forms.get(column, token.text)]
            done = token.end
        return "".join([*pieces, self.text[done:]])

    def _persons(self) -> Iterator[NamedPerson]:
        """Every name of the text: the first name, and the words behind it that belong to it."""
        for name in self.names:
            words = [self.tokens[number].word for number in name]
            for place, number in enumerate(name):
                if self.changes[number].first:
                    first = self.anchors.replaced_names[words[place]][1]
                    yield NamedPerson(first, tuple(words[place + 1 :]), self.tokens[number].sentence)

    def _last_name_again(self) -> str:
        """A last name that stands once more without the first name: Emma Smith … Smith's team; else nothing."""
        patterns = self.anchors.name_patterns.values()
        behind = {word for person in self._persons() for word in person.last if len(word) > 1}
        alone = {fold(pattern.replace(FORM, word)) for pattern in patterns for word in behind}
        for token in self.tokens:
            if token.number not in self.changes and token.word in alone and "capital" in token.labels:
                return token.text
        return ""

    def role(self) -> str:
        """Return what the first anchor is in its sentence: as the rules read it, as they would guess, or its form."""
        names, readings = self.anchors.replaced_names, self.anchors.readings
        first = next(t for t in self.tokens if t.entry.anchor or (t.word in names and t.text[0].isupper()))
        if reading := readings.get(first.reading):
            return reading.role
        roles = {
            reading.role
            for reading in readings.values()
            if first.word in map(fold, reading.forms.values()) or (reading.every and first.word in names)
        }
        if len(roles) != 1:
            tagged = (name for reason in self.anchors.tagged if (name := self._tagged(reason, first)))
            guessed = (rule.value for rule in self.anchors.rules["guesses"] if self._applies(rule, first))
            roles = {readings[name].role for name in islice(chain(tagged, guessed), 1)}
        return roles.pop() if roles else UNCLEAR

    def reading_of(self, token: Token) -> Reading | None:
        """Return how a pronoun is read by itself: by the tagger, a rule, or as it most often is; None if by none."""
        tagged = (name for reason in self.anchors.tagged if (name := self._tagged(reason, token)))
        ruled = (
            rule.value
            for rule in (*self.anchors.candidates(token), *self.anchors.rules["guesses"])
            if rule.action == "reading" and self._applies(rule, token)
        )
        fitting = (self.anchors.readings[name] for name in chain(tagged, ruled))
        return next((each for each in fitting if token.word in map(fold, each.forms.values())), None)

    def _tagged(self, reason: str, token: Token) -> str:
        """The reading that the tagger gives to a word that would be left out for a reason; empty for none."""
        readings = self.anchors.tagged.get(reason)
        if self.tagger is None or readings is None:
            return ""
        tags = self.tagger.tags(self.text, token.start, token.end)
        matching = {readings[tag] for tag in tags & readings.keys()}
        return matching.pop() if len(matching) == 1 else ""

    def _is_nobody(self, reason: str, token: Token) -> bool:
        """Return whether the tagger says that the name for which a text would be left out is no person's.

        It is not asked of a name that may be whom the pronoun stands for, before the first mention or as a subject at
        the beginning of a sentence: there a wrong answer would put one person in the place of another.
        """
        kinds = self.anchors.nobody.get(reason)
        if self.tagger is None or kinds is None or token.kind != "word" or "capital" not in token.labels:
            return False
        if token.word in self.anchors.replaced_names or not self.mentions or "initial" in token.labels:
            return False
        found = self.tagger.entities(self.text, token.start, token.end)
        return bool(found) and found <= kinds

    def _decide(self, token: Token) -> None:
        for rule in self.anchors.candidates(token):
            if not self._applies(rule, token):
                continue
            if rule.action == "skip":
                self._skip(rule, token)
                return
            if rule.action == "inflect" and self.anchors.swaps:
                change = self._inflected(rule, token)
                if change is None:
                    continue
                self.changes[token.number] = change
            if rule.action == "reading":
                self._mention(rule.value, rule, token)
            else:
                self._mark(token, rule.value or rule.action)
            return
        if token.entry.anchor:
            raise Stop("unresolved", token.text)

    def _skip(self, rule: Rule, token: Token) -> None:
        """Leave the text out, unless it is known what the word is: to the caller, or to the tagger."""
        if rule.value in self.anchors.ambiguous and token.number in self.known:
            self._mention(self.known[token.number], rule, token)
        elif self._is_settled(rule) or self._is_said_by_the_person(rule, token):
            self._mark(token, "keep")
        elif reading := self._tagged(rule.value, token):
            self._mention(reading, rule, token)
        elif rule.value in self.anchors.guessed and (guess := self.reading_of(token)):
            self._mention(guess.name, rule, token)
        elif self._is_nobody(rule.value, token):
            self._mark(token, NOBODY)
        else:
            raise Stop(rule.value, token.text, rule.name)

    def _is_settled(self, rule: Rule) -> bool:
        """Return whether nothing hangs on what a rule is about: the gender stays, and the first mention is read."""
        if self.anchors.swaps or not self.mentions:
            return False
        return rule.value in self.anchors.ambiguous or rule.value in self.anchors.agreement_reasons

    def _is_said_by_the_person(self, rule: Rule, token: Token) -> bool:
        """Return whether a rule asks who is meant, and the word is the person's own: nobody calls himself *he*."""
        return OWN_WORDS in token.labels and rule.value in self.anchors.referent_reasons

    def _find_own_words(self) -> None:
        """Mark the words of quotations that the person says: *"…," he said*."""
        rules = self.anchors.rules["speakers"]
        if not rules:
            return
        spoken: dict[int, list[Token]] = {}
        for token in self.tokens:
            if token.quotation > 0:
                spoken.setdefault(token.quotation, []).append(token)
        for words in spoken.values():
            words[0].labels |= {OPENING}
            words[-1].labels |= {CLOSING}
            if any(self._applies(rule, mark) for mark in (words[0], words[-1]) for rule in rules):
                for token in words:
                    token.labels |= {OWN_WORDS}

    def _mention(self, reading: str, rule: Rule, token: Token) -> None:
        """Read a token as a mention of the person."""
        self.changes[token.number] = self._read(reading, rule, token)
        self.mentions.append(token.number)
        self._mark(token, reading)

    def _mark(self, token: Token, reading: str) -> None:
        """Note what a token is read as, for the rules of other tokens."""
        token.reading = reading
        first, _ = self.read.get(reading, (token.number, 0))
        self.read[reading] = (first, token.number)

    def _applies(self, rule: Rule, token: Token) -> bool:
        return (
            rule.about(token)
            and (not rule.gender or rule.gender == self.column)
            and rule.stands(token)
            and all(self._elsewhere(condition, part, token.number) for condition, part in rule.elsewhere.items())
            and self._is_tagged(rule, token)
        )

    def _is_tagged(self, rule: Rule, token: Token) -> bool:
        """Return whether the tagger says of a token what the rule wants it to say."""
        if not rule.tags and not rule.entities:
            return True
        if self.tagger is None:
            return False
        if rule.tags:
            tags = self.tagger.tags(self.text, token.start, token.end)
            if not tags or not tags <= rule.tags:
                return False
        if rule.entities:
            kinds = self.tagger.entities(self.text, token.start, token.end)
            return bool(kinds) and kinds <= rule.entities
        return True

    def _elsewhere(self, condition: str, part: Element, number: int) -> bool:
        region = condition.removeprefix("not-")
        if region == "between":
            since = max((mention for mention in self.mentions if mention < number), default=-1)
            between = self.tokens[max(since + 1, number - BETWEEN_REACH) : number]
            return any(map(part.fits, between)) is (region == condition)
        if part not in self.spans:
            # What is known of the tokens without the rules.
            without_readings = replace(part, readings=frozenset())
            fitting = [token.number for token in self.tokens if without_readings.fits(token)]
            self.spans[part] = (fitting[0], fitting[-1]) if fitting else (len(self.tokens), -1)
        spans = [self.spans[part], *(self.read[name] for name in part.readings if name in self.read)]
        holds = {
            "before": any(first < number for first, _ in spans),
            "after": any(last > number for _, last in spans),
            "anywhere": any(last >= 0 for _, last in spans),
        }
        return holds[region] is (region == condition)

    def _inflected(self, rule: Rule, token: Token) -> Change | None:
        """The forms of a word that agrees with the person; None where it stands in no column of the anchor's."""
        rows = [row for row in token.entry.rows if row.column == self.column]
        if not rows:
            return None
        forms = {self.column: token.text}
        for column in self.anchors.columns.values():
            if column == self.column:
                continue
            found = {row.forms[column] for row in rows if column in row.forms}
            if len(found) != 1:
                raise Stop("unknown-agreement", token.text, rule.name)
            forms[column] = cased(found.pop(), token.text)
        return Change((), forms)

    def _read(self, name: str, rule: Rule, token: Token) -> Change:
        reading, text = self.anchors.readings[name], token.text
        if reading.every:
            # A new name begins where both this token and the word before stand for one.
            before = self.changes.get(token.number - 1)
            if before is None or not before.every or (reading.first and before.first):
                self.names.append([])
            self.names[-1].append(token.number)
            initial = "initial" in self.tokens[self.names[-1][0]].labels
            return Change(reading.first_mention(self.text[token.start :], capital=initial), {}, every=True)
        columns = {column for column, form in reading.forms.items() if fold(form) == token.word}
        if not columns:
            raise Stop("unresolved", text, rule.name)
        if self.column not in columns:
            raise Stop("both-genders", text, rule.name)
        forms = {column: cased(form, text) for column, form in reading.forms.items()}
        return Change(reading.first_mention(text), forms | {self.column: text})

    def _cut(self, slot: int, column: str) -> Iterator[Piece]:
        done, within_names = 0, {number for name in self.names for number in name[1:]}
        for number, change in self.changes.items():
            token = self.tokens[number]
            text, new = "" if number in within_names else self.text[done : token.start], list(change.first)
            if number != slot and not change.every:
                new = [change.forms[column]]
            elif new and isinstance(new[0], Slot) and (word := self._fusing(number)):
                split = word.start - done
                new[0] = Slot(new[0].role, new[0].capital or text[split].isupper(), text[split:] + new[0].before)
                text = text[:split]
            yield from (text, *new)
            done = token.end
        yield self.text[done:]

    def _fusing(self, number: int) -> Token | None:
        """The word before a slot, where it may fuse with what is put there."""
        before, token = self.tokens[number - 1], self.tokens[number]
        apart = number == 0 or number - 1 in self.changes or self.text[before.end : token.start].strip(" ")
        return None if apart or before.word not in self.anchors.before else before


def _merged(pieces: Iterable[Piece]) -> Iterator[Piece]:
    """Neighbouring texts as one, and no empty ones."""
    for is_text, run in groupby((piece for piece in pieces if piece), lambda piece: isinstance(piece, str)):
        if is_text:
            yield "".join(map(str, run))
        else:
            yield from run


@lru_cache(CACHE_SIZE)
def _with_owner(labels: frozenset[str], column: str, columns: tuple[str, ...]) -> frozenset[str]:
    """Add ``class:own`` where a label's column is the anchors', and ``class:other`` where it is another."""
    more = []
    for label in labels:
        name, _, label_column = label.partition(":")
        if label_column in columns:
            more.append(f"{name}:own" if label_column == column else f"{name}:other")
    return labels.union(more)
