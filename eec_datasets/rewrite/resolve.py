"""One text → its pieces per agreement class, or the reason why it is left out."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from eec_datasets.rewrite.anchors import STEM
from eec_datasets.rewrite.forms import cased, first_mention, merged
from eec_datasets.rewrite.given import names_said
from eec_datasets.rewrite.patterns import Seen
from eec_datasets.rewrite.slots import Slot
from eec_datasets.rewrite.tokens import UNCLOSED, tokenize

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

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

LISTED: Final = frozenset(("word", "hashtag", "mention", "punct", "emoji"))
"""Kinds of tokens that are looked up."""

SIGNS: Final = 20
"""Tokens per word of the limit; punctuation and emoji are tokens, too."""

CHARACTERS: Final = 100
"""Characters per word of the limit."""

LONGEST: Final = 5_000
"""Words beyond which a text is no comment, whatever the limit: it would take minutes."""

FAR: Final = 200
"""Tokens behind a mention among which ``between`` looks."""


@dataclass(frozen=True, slots=True)
class Found:
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


def resolve(anchors: Anchors, text: str, max_words: int | None = None, tagger: Tagger | None = None) -> Found | LeftOut:
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
    known = [anchors.lexicon.look_up(t.text) if t.kind in LISTED else ("", None) for t in tokens]
    columns = {entry.anchor for _, entry in known if entry is not None and entry.anchor}
    columns |= {anchors.given[word][0] for word in names_said(anchors, tokens, known)}
    if not columns:
        return LeftOut("no-anchor", NONE)
    if len(columns) > 1:
        return LeftOut("both-genders", BOTH)
    column = columns.pop()
    gender = next(gender for gender, name in anchors.columns.items() if name == column)
    if _too_long(text, tokens, min(max_words or LONGEST, LONGEST)):
        return LeftOut("too-long", gender)
    reader = _Text(anchors, text, _seen(anchors, tokens, known, column), column, tagger)
    try:
        pieces = reader.pieces()
    except _Stop as stop:
        return LeftOut(stop.reason, gender, stop.word, stop.rule, reader.role())
    return Found(gender, pieces, reader.role())


def _too_long(text: str, tokens: Sequence[Token], max_words: int) -> bool:
    """Whether there are too many words, or so many signs or characters that it is no comment either."""
    words = sum(token.kind in ("word", "number") for token in tokens)
    return words > max_words or len(tokens) > SIGNS * max_words or len(text) > CHARACTERS * max_words


class _Text:
    """A text while the rules go over it."""

    def __init__(self, anchors: Anchors, text: str, seen: Sequence[Seen], column: str, tagger: Tagger | None) -> None:
        self.anchors, self.text, self.seen, self.column, self.tagger = anchors, text, seen, column, tagger
        self.spans: dict[Element, tuple[int, int]] = {}
        self.read: dict[str, tuple[int, int]] = {}
        self.changes: dict[int, _Change] = {}
        self.mentions: list[int] = []

    def pieces(self) -> Mapping[str, tuple[Piece, ...]]:
        """Apply rules and checks, and cut the text into pieces."""
        for seen in self.seen:
            self._decide(seen)
        for seen in self.seen:
            rule = next((one for one in self.anchors.checks if self._applies(one, seen)), None)
            if rule is not None:
                raise _Stop(rule.value, seen.token.text, rule.name)
        quotations = {self.seen[number].token.quotation for number in self.mentions}
        if len(quotations) > 1 or UNCLOSED in quotations:
            raise _Stop("quoted")
        for told in zip(*map(self._named, filter(self._heads, self.changes)), strict=True):
            if len({one for one in told if one}) > 1:
                raise _Stop("several-names")
        slot = next((number for number in self.mentions if self.changes[number].first), None)
        if slot is None:
            raise _Stop("no-name-slot")
        return {column: tuple(self._cut(slot, column)) for column in self.anchors.columns.values()}

    def _heads(self, number: int) -> bool:
        """Whether a token is a name, or the one of its words that the name is put for."""
        change = self.changes[number]
        return change.every and bool(change.first)

    def _goes_with(self, number: int) -> bool:
        """Whether a token and the one before it are words of one name."""
        pair = [self.changes.get(at) for at in (number - 1, number)]
        return all(one and one.every for one in pair) and not all(one and one.first for one in pair)

    def _named(self, number: int) -> tuple[str, tuple[str, ...]]:
        """The first name at a token, and the words behind it that belong to it."""
        last = number
        while self._goes_with(last + 1):
            last += 1
        return self.anchors.given[self.seen[number].word][1], tuple(
            one.word for one in self.seen[number + 1 : last + 1]
        )

    def role(self) -> str:
        """What the first anchor is in its sentence: as the rules read it, or else as they would guess, or its form."""
        first = next(seen for seen in self.seen if self._is_person(seen))
        roles = self.anchors.roles_of(first.word)
        if reading := self.anchors.readings.get(first.reading):
            roles = {reading.role}
        elif len(roles) != 1:
            tagged = (name for reason in self.anchors.tagged if (name := self._tagged(reason, first)))
            guessed = (rule.value for rule in self.anchors.guesses if self._applies(rule, first))
            roles = {self.anchors.readings[name].role for name in (next(tagged, "") or next(guessed, ""),) if name}
        return roles.pop() if len(roles) == 1 else UNCLEAR

    def _is_person(self, seen: Seen) -> bool:
        given = seen.word in self.anchors.given and seen.token.text[0].isupper()
        return given or (seen.entry is not None and bool(seen.entry.anchor))

    def _tagged(self, reason: str, seen: Seen) -> str:
        """The reading that the tagger gives to a word that would be left out for a reason; empty for none."""
        readings = self.anchors.tagged.get(reason)
        if self.tagger is None or readings is None:
            return ""
        tags = self.tagger.tags(self.text, seen.token.start, seen.token.end)
        found = {readings[tag] for tag in tags & readings.keys()}
        return found.pop() if len(found) == 1 else ""

    def _decide(self, seen: Seen) -> None:
        for rule in self.anchors.candidates(seen):
            if not self._applies(rule, seen):
                continue
            value = self._tagged(rule.value, seen) if rule.action == "skip" else rule.value
            if rule.action == "skip" and not value:
                raise _Stop(rule.value, seen.token.text, rule.name)
            if rule.action == "inflect":
                change = self._inflected(rule, seen)
                if change is None:
                    continue
                self.changes[seen.number] = change
            if rule.action in ("reading", "skip"):
                self.changes[seen.number] = self._read(value, rule, seen)
                self.mentions.append(seen.number)
            seen.reading = value or rule.action
            self.read[seen.reading] = (self.read.get(seen.reading, (seen.number, 0))[0], seen.number)
            return
        if seen.entry is not None and seen.entry.anchor:
            raise _Stop("unresolved", seen.token.text)

    def _applies(self, rule: Rule, seen: Seen) -> bool:
        return (
            rule.about(seen)
            and (not rule.gender or rule.gender == self.column)
            and rule.stands(seen)
            and all(self._elsewhere(where, one, seen.number) for where, one in rule.elsewhere.items())
        )

    def _elsewhere(self, where: str, one: Element, number: int) -> bool:
        place = where.removeprefix("not-")
        if place == "between":
            since = max((mention for mention in self.mentions if mention < number), default=-1)
            return any(map(one.fits, self.seen[max(since + 1, number - FAR) : number])) is (place == where)
        spans = [self._span(one), *(self.read[name] for name in one.readings if name in self.read)]
        holds = {
            "before": any(first < number for first, _ in spans),
            "after": any(last > number for _, last in spans),
            "anywhere": any(last >= 0 for _, last in spans),
        }
        return holds[place] is (place == where)

    def _span(self, one: Element) -> tuple[int, int]:
        """The first and the last token that fits by what is known of it without the rules."""
        if one not in self.spans:
            plain = replace(one, readings=frozenset())
            fitting = [seen.number for seen in self.seen if plain.fits(seen)]
            self.spans[one] = (fitting[0], fitting[-1]) if fitting else (len(self.seen), -1)
        return self.spans[one]

    def _inflected(self, rule: Rule, seen: Seen) -> _Change | None:
        """The forms of a word that agrees with the person; None where it stands in no column of the anchor's."""
        own = rule.columns.get(self.column, "")
        rows = [
            (cut, at, row)
            for cut in _cuts(rule, seen)
            for at, row in cut.rows
            if at.partition("_")[0] == self.column and (not own or at == own)
        ]
        if not rows:
            return None
        forms = {self.column: seen.token.text}
        for column in self.anchors.columns.values():
            if column == self.column:
                continue
            exact: set[str] = set()
            plain: set[str] = set()
            for cut, at, row in rows:
                prefix, stem, suffix = self._parts(seen, cut)
                wanted = rule.columns.get(column) or column + at[len(self.column) :]
                for name, into in ((wanted, exact), (column, plain)):
                    if name in row.forms:
                        form = self.anchors.lexicon.fold.spelled(row.forms[name], row.forms[at], stem)
                        into.add(prefix + cased(form, seen.token.text) + suffix)
            if len(exact or plain) != 1:
                raise _Stop("unknown-agreement", seen.token.text, rule.name)
            forms[column] = (exact or plain).pop()
        return _Change((), forms)

    def _read(self, name: str, rule: Rule, seen: Seen) -> _Change:
        reading, text = self.anchors.readings[name], seen.token.text
        if reading.every:
            at = seen.number
            while at - 1 in self.changes and not self.changes[at - 1].first and self.changes[at - 1].every:
                at -= 1
            initial = "initial" in self.seen[at].labels
            return _Change(
                first_mention(reading, self.text[seen.token.start :], "", "", capital=initial), {}, every=True
            )
        cuts = [(cut, column) for cut in _cuts(rule, seen) for column in self._columns(reading, seen, cut)]
        if len({(cut.prefix, cut.stem) for cut, _ in cuts}) != 1:
            raise _Stop("unresolved", text, rule.name)
        if self.column not in {column for _, column in cuts}:
            raise _Stop("both-genders", text, rule.name)
        prefix, stem, _ = self._parts(seen, cuts[0][0])
        forms = {
            column: prefix + (form.replace(STEM, stem) if STEM in form else cased(form, text))
            for column, form in reading.forms.items()
        }
        return _Change(first_mention(reading, text, prefix, stem), forms | {self.column: text})

    def _columns(self, reading: Reading, seen: Seen, cut: Cut) -> list[str]:
        """The columns of a reading in which a token stands."""
        if cut.suffix:
            return [cut.suffix]
        word = seen.word[cut.prefix : cut.prefix + cut.stem]
        return [column for column, form in reading.forms.items() if self.anchors.lexicon.fold(form) == word]

    def _parts(self, seen: Seen, cut: Cut) -> tuple[str, str, str]:
        """Prefix, stem and suffix of a token as they stand there."""
        text, fold = seen.token.text, self.anchors.lexicon.fold
        first, second = fold.cut(text, cut.prefix), fold.cut(text, cut.prefix + cut.stem)
        return text[:first], text[first:second], text[second:]

    def _cut(self, slot: int, column: str) -> list[Piece]:
        pieces: list[Piece] = []
        done = 0
        for number in sorted(self.changes):
            token, change = self.seen[number].token, self.changes[number]
            text, new = self.text[done : token.start], list(change.first)
            if self._goes_with(number):
                text = ""
            if number != slot and not change.every:
                new = [change.forms[column]]
            elif new and isinstance(new[0], Slot) and self._takes(number):
                word = self.seen[number - 1].token
                at = max(word.start - done, 0)
                new[0] = Slot(new[0].role, new[0].capital or text[at].isupper(), text[at:] + new[0].before)
                text = text[:at]
            pieces += [text, *new]
            done = token.end
        return merged([*pieces, self.text[done:]])

    def _takes(self, number: int) -> bool:
        """Whether the word before a slot may fuse with what is put there."""
        return (
            number > 0
            and self.seen[number - 1].word in self.anchors.before
            and number - 1 not in self.changes
            and not self.text[self.seen[number - 1].token.end : self.seen[number].token.start].strip(" ")
        )


def _seen(anchors: Anchors, tokens: Sequence[Token], known: Sequence[LookedUp], column: str) -> list[Seen]:
    found: list[Seen] = []
    lines: dict[int, list[Seen]] = {}
    sentence = -1
    for token, (word, entry) in zip(tokens, known, strict=True):
        initial = token.kind == "word" and token.sentence != sentence
        sentence = token.sentence if token.kind in ("word", "number") else sentence
        labels = anchors.lexicon.labels(token, entry, initial=initial)
        labels = _with_owner(labels, column, anchors.columns.values())
        line = lines.setdefault(token.sentence, [])
        found.append(Seen(token, word or token.text, entry, labels, len(found), line, len(line)))
        line.append(found[-1])
    return found


def _with_owner(labels: frozenset[str], column: str, columns: Collection[str]) -> frozenset[str]:
    """Add ``class:own`` where a label's column is the anchors', and ``class:other`` where it is another."""
    more = []
    for label in labels:
        name, _, of = label.partition(":")
        if of and of.partition("_")[0] in columns:
            more.append(f"{name}:own" if of.partition("_")[0] == column else f"{name}:other")
    return labels.union(more) if more else labels


def _cuts(rule: Rule, seen: Seen) -> list[Cut]:
    """The ways to cut a token that a rule means: those that have its class, or all where it names none of theirs."""
    cuts = list(seen.entry.cuts) if seen.entry is not None else []
    if rule.at.anything or rule.at.negated or seen.word in rule.at.words:
        return cuts
    wanted = {label.partition(":")[0] if label.endswith((":own", ":other")) else label for label in rule.at.labels}
    return [cut for cut in cuts if not wanted.isdisjoint(cut.labels.union(_anchor(cut)))]


def _anchor(cut: Cut) -> tuple[str, ...]:
    return ("anchor", f"anchor:{cut.anchor}") if cut.anchor else ()
