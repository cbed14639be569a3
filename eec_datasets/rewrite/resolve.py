"""One text → its pieces per agreement class, or the reason why it is left out."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, groupby, islice
from typing import TYPE_CHECKING, Final

from eec_datasets.rewrite.anchors import FORM, STEM
from eec_datasets.rewrite.given_names import names_in_text
from eec_datasets.rewrite.lexicon import CACHE_SIZE, LISTED
from eec_datasets.rewrite.slots import Slot, cased
from eec_datasets.rewrite.tokens import UNCLOSED

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from eec_datasets.rewrite.anchors import Anchors, Rule
    from eec_datasets.rewrite.lexicon import Cut
    from eec_datasets.rewrite.patterns import Element
    from eec_datasets.rewrite.slots import Piece
    from eec_datasets.rewrite.tagger import Tagger
    from eec_datasets.rewrite.tokens import Token

NONE: Final = "none"
BOTH: Final = "both"
UNCLEAR: Final = "unclear"
"""Role of an anchor that could be one or another."""

CONTROL: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff]")
"""Control characters other than tabs and ends of lines, and halves of characters, which JSON can hold."""

TOKENS_PER_WORD: Final = 20
"""Tokens per word of the limit; punctuation and emoji are tokens, too."""

CHARACTERS_PER_WORD: Final = 100
"""Characters per word of the limit."""

LONGEST: Final = 5_000
"""Words beyond which a text is no comment, whatever the limit: it would take minutes."""

BETWEEN_REACH: Final = 200
"""Tokens behind a mention among which ``between`` looks."""


@dataclass(frozen=True, slots=True)
class Rewritable:
    """A text that can be said of others: gender of its anchors, its pieces by agreement class, role of the first."""

    anchor: str
    pieces: Mapping[str, tuple[Piece, ...]]
    role: str


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A text that is left out: why, the gender of its anchors (``none``, ``both``), the word and rule it hangs on.

    The role of the first anchor is empty where the text was not read: no single gender, or too long.
    """

    reason: str
    anchor: str
    word: str = ""
    rule: str = ""
    role: str = ""


@dataclass(frozen=True, slots=True)
class _Change:
    """What stands for a token: the first mention's pieces, the form per column, or the pieces of `every` mention."""

    first: tuple[Piece, ...]
    forms: Mapping[str, str]
    every: bool = False


class _Stop(Exception):
    """The text is left out: its arguments are the reason, and where it has them the word and the rule."""


def resolve(
    anchors: Anchors, text: str, max_words: int | None = None, tagger: Tagger | None = None
) -> Rewritable | LeftOut:
    """Find who the pronouns of a text stand for, and write the text as one about somebody else.

    Parameters
    ----------
    anchors
        Grammar of the text's language.
    text
        A comment of one or several sentences; it is rewritten as a whole or not at all.
    max_words
        Texts with more words are left out; None for the longest that are read at all (`LONGEST`).
    tagger
        Is asked what a word is that the rules cannot read, for the reasons that the language names.
    """
    if CONTROL.search(text):
        return LeftOut("control-characters", NONE)
    tokens = anchors.tokenize(text)
    for token in tokens:
        if token.kind in LISTED:
            token.entry = anchors.lexicon.look_up(token.text)
        token.word = token.entry.word or token.text
    columns = {token.entry.anchor for token in tokens if token.entry.anchor}
    columns.update(anchors.replaced_names[word][0] for word in names_in_text(anchors, tokens))
    if not columns:
        return LeftOut("no-anchor", NONE)
    if len(columns) > 1:
        return LeftOut("both-genders", BOTH)
    column = columns.pop()
    gender = next(gender for gender, name in anchors.columns.items() if name == column)
    words, limit = sum(token.kind in ("word", "number") for token in tokens), min(max_words or LONGEST, LONGEST)
    if words > limit or len(tokens) > TOKENS_PER_WORD * limit or len(text) > CHARACTERS_PER_WORD * limit:
        return LeftOut("too-long", gender)
    reader = _Text(anchors, text, tokens, column, tagger)
    try:
        pieces = reader.pieces()
    except _Stop as stop:
        reason, word, rule, *_ = (*stop.args, "", "")
        return LeftOut(reason, gender, word, rule, reader.role())
    return Rewritable(gender, pieces, reader.role())


class _Text:
    """A text while the rules go over it."""

    def __init__(
        self, anchors: Anchors, text: str, tokens: Sequence[Token], column: str, tagger: Tagger | None
    ) -> None:
        self.anchors, self.text, self.tokens, self.column, self.tagger = anchors, text, tokens, column, tagger
        self.spans: dict[Element, tuple[int, int]] = {}
        self.read: dict[str, tuple[int, int]] = {}
        self.changes: dict[int, _Change] = {}
        self.mentions: list[int] = []
        self.names: list[list[int]] = []
        spoken, columns = -1, tuple(anchors.columns.values())
        for token in tokens:
            initial = token.kind == "word" and token.sentence != spoken
            spoken = token.sentence if token.kind in ("word", "number") else spoken
            labels = anchors.lexicon.labels(token.text, token.kind, initial)
            token.labels = _with_owner(labels, column, columns)

    def pieces(self) -> Mapping[str, tuple[Piece, ...]]:
        """Apply rules and checks, and cut the text into pieces."""
        for token in self.tokens:
            self._decide(token)
        for token in self.tokens:
            if rule := next((check for check in self.anchors.rules["checks"] if self._applies(check, token)), None):
                raise _Stop(rule.value, token.text, rule.name)
        quotations = {self.tokens[number].quotation for number in self.mentions}
        if len(quotations) > 1 or UNCLOSED in quotations:
            raise _Stop("quoted")
        for parts in zip(*self._persons(), strict=True):
            if len({part for part in parts if part}) > 1:
                raise _Stop("several-names")
        if again := self._last_name_again():
            raise _Stop("several-names", again)
        slot = next((number for number in self.mentions if self.changes[number].first), None)
        if slot is None:
            raise _Stop("no-name-slot")
        return {column: tuple(_merged(self._cut(slot, column))) for column in self.anchors.columns.values()}

    def _persons(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Every first name of the text, and the words behind it that belong to it."""
        for name in self.names:
            words = [self.tokens[number].word for number in name]
            for place, number in enumerate(name):
                if self.changes[number].first:
                    yield self.anchors.replaced_names[words[place]][1], tuple(words[place + 1 :])

    def _last_name_again(self) -> str:
        """A last name that stands once more without the first name: Emma Smith … Smith's team; else nothing."""
        patterns = self.anchors.name_patterns.values()
        behind = {word for _, rest in self._persons() for word in rest if len(word) > 1}
        alone = {self.anchors.lexicon.fold(pattern.replace(FORM, word)) for pattern in patterns for word in behind}
        kept = (token for token in self.tokens if token.number not in self.changes)
        return next((token.text for token in kept if token.word in alone and "capital" in token.labels), "")

    def role(self) -> str:
        """What the first anchor is in its sentence: as the rules read it, or else as they would guess, or its form."""
        fold, names, readings = self.anchors.lexicon.fold, self.anchors.replaced_names, self.anchors.readings
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

    def _tagged(self, reason: str, token: Token) -> str:
        """The reading that the tagger gives to a word that would be left out for a reason; empty for none."""
        readings = self.anchors.tagged.get(reason)
        if self.tagger is None or readings is None:
            return ""
        tags = self.tagger.tags(self.text, token.start, token.end)
        matching = {readings[tag] for tag in tags & readings.keys()}
        return matching.pop() if len(matching) == 1 else ""

    def _decide(self, token: Token) -> None:
        for rule in self.anchors.candidates(token):
            if not self._applies(rule, token):
                continue
            value = self._tagged(rule.value, token) if rule.action == "skip" else rule.value
            if rule.action == "skip" and not value:
                raise _Stop(rule.value, token.text, rule.name)
            if rule.action == "inflect":
                change = self._inflected(rule, token)
                if change is None:
                    continue
                self.changes[token.number] = change
            if rule.action in ("reading", "skip"):
                self.changes[token.number] = self._read(value, rule, token)
                self.mentions.append(token.number)
            token.reading = value or rule.action
            first, _ = self.read.get(token.reading, (token.number, 0))
            self.read[token.reading] = (first, token.number)
            return
        if token.entry.anchor:
            raise _Stop("unresolved", token.text)

    def _applies(self, rule: Rule, token: Token) -> bool:
        return (
            rule.about(token)
            and (not rule.gender or rule.gender == self.column)
            and rule.stands(token)
            and all(self._elsewhere(condition, part, token.number) for condition, part in rule.elsewhere.items())
        )

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

    def _inflected(self, rule: Rule, token: Token) -> _Change | None:
        """The forms of a word that agrees with the person; None where it stands in no column of the anchor's."""
        own_column = rule.columns.get(self.column, "")
        rows = [
            (self._parts(token, cut), row)
            for cut in _cuts(rule, token)
            for row in cut.rows
            if row.column.partition("_")[0] == self.column and (not own_column or row.column == own_column)
        ]
        if not rows:
            return None
        forms = {self.column: token.text}
        for column in self.anchors.columns.values():
            if column == self.column:
                continue
            exact: set[str] = set()
            general: set[str] = set()
            for (prefix, stem, suffix), row in rows:
                specific = rule.columns.get(column) or column + row.column[len(self.column) :]
                for name, into in ((specific, exact), (column, general)):
                    if name in row.forms:
                        form = self.anchors.lexicon.fold.spelled(row.forms[name], row.forms[row.column], stem)
                        into.add(prefix + cased(form, token.text) + suffix)
            if len(exact or general) != 1:
                raise _Stop("unknown-agreement", token.text, rule.name)
            forms[column] = (exact or general).pop()
        return _Change((), forms)

    def _read(self, name: str, rule: Rule, token: Token) -> _Change:
        reading, text, fold = self.anchors.readings[name], token.text, self.anchors.lexicon.fold
        if reading.every:
            # A name begins anew where both this token and the word before stand for one.
            before = self.changes.get(token.number - 1)
            if before is None or not before.every or (reading.first and before.first):
                self.names.append([])
            self.names[-1].append(token.number)
            initial = "initial" in self.tokens[self.names[-1][0]].labels
            return _Change(reading.first_mention(self.text[token.start :], capital=initial), {}, every=True)
        cuts = [
            (cut, column)
            for cut in _cuts(rule, token)
            for column, form in reading.forms.items()
            if column == cut.suffix or (not cut.suffix and fold(form) == token.word[cut.prefix : cut.prefix + cut.stem])
        ]
        if len({(cut.prefix, cut.stem) for cut, _ in cuts}) != 1:
            raise _Stop("unresolved", text, rule.name)
        if self.column not in {column for _, column in cuts}:
            raise _Stop("both-genders", text, rule.name)
        prefix, stem, _ = self._parts(token, cuts[0][0])
        forms = {
            column: prefix + (form.replace(STEM, stem) if STEM in form else cased(form, text))
            for column, form in reading.forms.items()
        }
        return _Change(reading.first_mention(text, prefix, stem), forms | {self.column: text})

    def _parts(self, token: Token, cut: Cut) -> tuple[str, str, str]:
        """Prefix, stem and suffix of a token as they stand there."""
        text, fold = token.text, self.anchors.lexicon.fold
        first, second = fold.cut(text, cut.prefix), fold.cut(text, cut.prefix + cut.stem)
        return text[:first], text[first:second], text[second:]

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
        gender = label_column.partition("_")[0]
        if gender in columns:
            more.append(f"{name}:own" if gender == column else f"{name}:other")
    return labels.union(more)


def _cuts(rule: Rule, token: Token) -> list[Cut]:
    """The ways to cut a token that a rule means: those that have its class, or all where it names none of theirs."""
    every = rule.at.anything or rule.at.negated or token.word in rule.at.words
    meant = {label.partition(":")[0] if label.endswith((":own", ":other")) else label for label in rule.at.labels}
    labels = (cut.labels.union(("anchor", f"anchor:{cut.anchor}") if cut.anchor else ()) for cut in token.entry.cuts)
    return [cut for cut, of in zip(token.entry.cuts, labels, strict=True) if every or not meant.isdisjoint(of)]
