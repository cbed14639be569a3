"""One text → its pieces per agreement class, or the reason why it is left out."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, islice
from typing import TYPE_CHECKING, Final

from eec_datasets.rewrite.anchors import FORM, STEM
from eec_datasets.rewrite.forms import cased, first_mention, merged
from eec_datasets.rewrite.given_names import names_in_text
from eec_datasets.rewrite.lexicon import CACHE_SIZE, LISTED, NOTHING
from eec_datasets.rewrite.patterns import AnnotatedToken
from eec_datasets.rewrite.slots import Slot
from eec_datasets.rewrite.tokens import UNCLOSED, tokenize

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from eec_datasets.rewrite.anchors import Anchors, Reading, Rule
    from eec_datasets.rewrite.lexicon import Cut, LookedUp
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
    """The text is left out: the reason, and where it has them the word and the rule."""

    def __init__(self, reason: str, word: str = "", rule: str = "") -> None:
        super().__init__(reason)
        self.reason, self.word, self.rule = reason, word, rule


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
    tokens = tokenize(text, anchors.abbreviations, anchors.elided, anchors.placeholders)
    looked_up = [anchors.lexicon.look_up(t.text) if t.kind in LISTED else ("", NOTHING) for t in tokens]
    columns = {entry.anchor for _, entry in looked_up if entry.anchor}
    columns |= {anchors.replaced_names[word][0] for word in names_in_text(anchors, tokens, looked_up)}
    if not columns:
        return LeftOut("no-anchor", NONE)
    if len(columns) > 1:
        return LeftOut("both-genders", BOTH)
    column = columns.pop()
    gender = next(gender for gender, name in anchors.columns.items() if name == column)
    if _too_long(text, tokens, min(max_words or LONGEST, LONGEST)):
        return LeftOut("too-long", gender)
    reader = _Text(anchors, text, _annotate(anchors, tokens, looked_up, column), column, tagger)
    try:
        pieces = reader.pieces()
    except _Stop as stop:
        return LeftOut(stop.reason, gender, stop.word, stop.rule, reader.role())
    return Rewritable(gender, pieces, reader.role())


def _too_long(text: str, tokens: Sequence[Token], max_words: int) -> bool:
    """Whether there are too many words, or so many signs or characters that it is no comment either."""
    words = sum(token.kind in ("word", "number") for token in tokens)
    return words > max_words or len(tokens) > TOKENS_PER_WORD * max_words or len(text) > CHARACTERS_PER_WORD * max_words


class _Text:
    """A text while the rules go over it."""

    def __init__(
        self, anchors: Anchors, text: str, tokens: Sequence[AnnotatedToken], column: str, tagger: Tagger | None
    ) -> None:
        self.anchors, self.text, self.tokens, self.column, self.tagger = anchors, text, tokens, column, tagger
        self.spans: dict[Element, tuple[int, int]] = {}
        self.read: dict[str, tuple[int, int]] = {}
        self.changes: dict[int, _Change] = {}
        self.mentions: list[int] = []
        self.names: list[list[int]] = []

    def pieces(self) -> Mapping[str, tuple[Piece, ...]]:
        """Apply rules and checks, and cut the text into pieces."""
        for annotated in self.tokens:
            self._decide(annotated)
        for annotated in self.tokens:
            rule = next((check for check in self.anchors.checks if self._applies(check, annotated)), None)
            if rule is not None:
                raise _Stop(rule.value, annotated.token.text, rule.name)
        quotations = {self.tokens[number].token.quotation for number in self.mentions}
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
        return {column: tuple(self._cut(slot, column)) for column in self.anchors.columns.values()}

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
        return next((each.token.text for each in kept if each.word in alone and "capital" in each.labels), "")

    def _name_with(self, number: int, reading: Reading) -> list[int]:
        """The name so far that a token is a word of, begun anew where both it and the word before stand for one."""
        before = self.changes.get(number - 1)
        if before is None or not before.every or (reading.first and before.first):
            self.names.append([])
        self.names[-1].append(number)
        return self.names[-1]

    def role(self) -> str:
        """What the first anchor is in its sentence: as the rules read it, or else as they would guess, or its form."""
        first = next(annotated for annotated in self.tokens if self._is_person(annotated))
        roles = self.anchors.roles_of(first.word)
        if reading := self.anchors.readings.get(first.reading):
            roles = {reading.role}
        elif len(roles) != 1:
            tagged = (name for reason in self.anchors.tagged if (name := self._tagged(reason, first)))
            guessed = (rule.value for rule in self.anchors.guesses if self._applies(rule, first))
            roles = {self.anchors.readings[name].role for name in islice(chain(tagged, guessed), 1)}
        return roles.pop() if len(roles) == 1 else UNCLEAR

    def _is_person(self, annotated: AnnotatedToken) -> bool:
        replaced = annotated.word in self.anchors.replaced_names and annotated.token.text[0].isupper()
        return replaced or bool(annotated.entry.anchor)

    def _tagged(self, reason: str, annotated: AnnotatedToken) -> str:
        """The reading that the tagger gives to a word that would be left out for a reason; empty for none."""
        readings = self.anchors.tagged.get(reason)
        if self.tagger is None or readings is None:
            return ""
        tags = self.tagger.tags(self.text, annotated.token.start, annotated.token.end)
        matching = {readings[tag] for tag in tags & readings.keys()}
        return matching.pop() if len(matching) == 1 else ""

    def _decide(self, annotated: AnnotatedToken) -> None:
        for rule in self.anchors.candidates(annotated):
            if not self._applies(rule, annotated):
                continue
            value = self._tagged(rule.value, annotated) if rule.action == "skip" else rule.value
            if rule.action == "skip" and not value:
                raise _Stop(rule.value, annotated.token.text, rule.name)
            if rule.action == "inflect":
                change = self._inflected(rule, annotated)
                if change is None:
                    continue
                self.changes[annotated.number] = change
            if rule.action in ("reading", "skip"):
                self.changes[annotated.number] = self._read(value, rule, annotated)
                self.mentions.append(annotated.number)
            annotated.reading = value or rule.action
            first, _ = self.read.get(annotated.reading, (annotated.number, 0))
            self.read[annotated.reading] = (first, annotated.number)
            return
        if annotated.entry.anchor:
            raise _Stop("unresolved", annotated.token.text)

    def _applies(self, rule: Rule, annotated: AnnotatedToken) -> bool:
        return (
            rule.about(annotated)
            and (not rule.gender or rule.gender == self.column)
            and rule.stands(annotated)
            and all(self._elsewhere(condition, part, annotated.number) for condition, part in rule.elsewhere.items())
        )

    def _elsewhere(self, condition: str, part: Element, number: int) -> bool:
        region = condition.removeprefix("not-")
        if region == "between":
            since = max((mention for mention in self.mentions if mention < number), default=-1)
            between = self.tokens[max(since + 1, number - BETWEEN_REACH) : number]
            return any(map(part.fits, between)) is (region == condition)
        spans = [self._span(part), *(self.read[name] for name in part.readings if name in self.read)]
        holds = {
            "before": any(first < number for first, _ in spans),
            "after": any(last > number for _, last in spans),
            "anywhere": any(last >= 0 for _, last in spans),
        }
        return holds[region] is (region == condition)

    def _span(self, part: Element) -> tuple[int, int]:
        """The first and the last token that fits by what is known of it without the rules."""
        if part not in self.spans:
            without_readings = replace(part, readings=frozenset())
            fitting = [annotated.number for annotated in self.tokens if without_readings.fits(annotated)]
            self.spans[part] = (fitting[0], fitting[-1]) if fitting else (len(self.tokens), -1)
        return self.spans[part]

    def _inflected(self, rule: Rule, annotated: AnnotatedToken) -> _Change | None:
        """The forms of a word that agrees with the person; None where it stands in no column of the anchor's."""
        own_column = rule.columns.get(self.column, "")
        rows = [
            (cut, row_column, row)
            for cut in _cuts(rule, annotated)
            for row_column, row in cut.rows
            if row_column.partition("_")[0] == self.column and (not own_column or row_column == own_column)
        ]
        if not rows:
            return None
        forms = {self.column: annotated.token.text}
        for column in self.anchors.columns.values():
            if column == self.column:
                continue
            exact: set[str] = set()
            general: set[str] = set()
            for cut, row_column, row in rows:
                prefix, stem, suffix = self._parts(annotated, cut)
                specific = rule.columns.get(column) or column + row_column[len(self.column) :]
                for name, into in ((specific, exact), (column, general)):
                    if name in row.forms:
                        form = self.anchors.lexicon.fold.spelled(row.forms[name], row.forms[row_column], stem)
                        into.add(prefix + cased(form, annotated.token.text) + suffix)
            if len(exact or general) != 1:
                raise _Stop("unknown-agreement", annotated.token.text, rule.name)
            forms[column] = (exact or general).pop()
        return _Change((), forms)

    def _read(self, name: str, rule: Rule, annotated: AnnotatedToken) -> _Change:
        reading, text = self.anchors.readings[name], annotated.token.text
        if reading.every:
            initial = "initial" in self.tokens[self._name_with(annotated.number, reading)[0]].labels
            pieces = first_mention(reading, self.text[annotated.token.start :], "", "", capital=initial)
            return _Change(pieces, {}, every=True)
        cuts = [(cut, column) for cut in _cuts(rule, annotated) for column in self._columns(reading, annotated, cut)]
        if len({(cut.prefix, cut.stem) for cut, _ in cuts}) != 1:
            raise _Stop("unresolved", text, rule.name)
        if self.column not in {column for _, column in cuts}:
            raise _Stop("both-genders", text, rule.name)
        prefix, stem, _ = self._parts(annotated, cuts[0][0])
        forms = {
            column: prefix + (form.replace(STEM, stem) if STEM in form else cased(form, text))
            for column, form in reading.forms.items()
        }
        return _Change(first_mention(reading, text, prefix, stem), forms | {self.column: text})

    def _columns(self, reading: Reading, annotated: AnnotatedToken, cut: Cut) -> list[str]:
        """The columns of a reading in which a token stands."""
        if cut.suffix:
            return [cut.suffix]
        word = annotated.word[cut.prefix : cut.prefix + cut.stem]
        return [column for column, form in reading.forms.items() if self.anchors.lexicon.fold(form) == word]

    def _parts(self, annotated: AnnotatedToken, cut: Cut) -> tuple[str, str, str]:
        """Prefix, stem and suffix of a token as they stand there."""
        text, fold = annotated.token.text, self.anchors.lexicon.fold
        first, second = fold.cut(text, cut.prefix), fold.cut(text, cut.prefix + cut.stem)
        return text[:first], text[first:second], text[second:]

    def _cut(self, slot: int, column: str) -> list[Piece]:
        pieces: list[Piece] = []
        done = 0
        within_names = {number for name in self.names for number in name[1:]}
        for number in sorted(self.changes):
            token, change = self.tokens[number].token, self.changes[number]
            text, new = self.text[done : token.start], list(change.first)
            if number in within_names:
                text = ""
            if number != slot and not change.every:
                new = [change.forms[column]]
            elif new and isinstance(new[0], Slot) and self._may_fuse(number):
                word = self.tokens[number - 1].token
                split = max(word.start - done, 0)
                new[0] = Slot(new[0].role, new[0].capital or text[split].isupper(), text[split:] + new[0].before)
                text = text[:split]
            pieces += [text, *new]
            done = token.end
        return merged([*pieces, self.text[done:]])

    def _may_fuse(self, number: int) -> bool:
        """Whether the word before a slot may fuse with what is put there."""
        return (
            number > 0
            and self.tokens[number - 1].word in self.anchors.before
            and number - 1 not in self.changes
            and not self.text[self.tokens[number - 1].token.end : self.tokens[number].token.start].strip(" ")
        )


def _annotate(
    anchors: Anchors, tokens: Sequence[Token], looked_up: Sequence[LookedUp], column: str
) -> list[AnnotatedToken]:
    result: list[AnnotatedToken] = []
    lines: dict[int, list[AnnotatedToken]] = {}
    sentence, columns = -1, tuple(anchors.columns.values())
    for token, (word, entry) in zip(tokens, looked_up, strict=True):
        initial = token.kind == "word" and token.sentence != sentence
        sentence = token.sentence if token.kind in ("word", "number") else sentence
        labels = _with_owner(anchors.lexicon.labels(token, initial=initial), column, columns)
        sentence_tokens = lines.setdefault(token.sentence, [])
        place = len(result), sentence_tokens, len(sentence_tokens)
        result.append(AnnotatedToken(token, word or token.text, entry, labels, *place))
        sentence_tokens.append(result[-1])
    return result


@lru_cache(CACHE_SIZE)
def _with_owner(labels: frozenset[str], column: str, columns: tuple[str, ...]) -> frozenset[str]:
    """Add ``class:own`` where a label's column is the anchors', and ``class:other`` where it is another."""
    more = []
    for label in labels:
        name, _, label_column = label.partition(":")
        if label_column and label_column.partition("_")[0] in columns:
            more.append(f"{name}:own" if label_column.partition("_")[0] == column else f"{name}:other")
    return labels.union(more) if more else labels


def _cuts(rule: Rule, annotated: AnnotatedToken) -> list[Cut]:
    """The ways to cut a token that a rule means: those that have its class, or all where it names none of theirs."""
    cuts = list(annotated.entry.cuts)
    if rule.at.anything or rule.at.negated or annotated.word in rule.at.words:
        return cuts
    meant = {label.partition(":")[0] if label.endswith((":own", ":other")) else label for label in rule.at.labels}
    anchors = (("anchor", f"anchor:{cut.anchor}") if cut.anchor else () for cut in cuts)
    return [cut for cut, anchor in zip(cuts, anchors, strict=True) if not meant.isdisjoint(cut.labels.union(anchor))]
