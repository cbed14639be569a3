"""One text → its pieces per agreement class, or the reason why it is left out."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from eec_datasets.rewrite.anchors import PRONOUNS
from eec_datasets.rewrite.given_names import names_in_text
from eec_datasets.rewrite.invariants import check_variants
from eec_datasets.rewrite.reader import Reader, Stop, looked_up

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from eec_datasets.rewrite.anchors import Anchors
    from eec_datasets.rewrite.slots import Piece
    from eec_datasets.rewrite.tagger import Tagger
    from eec_datasets.rewrite.tokens import Token

NONE: Final = "none"
BOTH: Final = "both"

CONTROL: Final = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff]|(?<=\w)[\u00ad\u200b\u2060\ufeff](?=\w)"
)
"""Control characters other than tabs and ends of lines, halves of characters, which JSON can hold, and characters of no
width within a word, of which a part looks like another word."""

TOKENS_PER_WORD: Final = 20
"""Tokens per word of the limit; punctuation and emoji are tokens, too."""

CHARACTERS_PER_WORD: Final = 100
"""Characters per word of the limit."""

LONGEST: Final = 5_000
"""Words beyond which a text is no comment, whatever the limit: it would take minutes."""


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


def resolve(
    anchors: Anchors, text: str, max_words: int | None = None, tagger: Tagger | None = None
) -> Rewritable | LeftOut:
    """Find who the pronouns of a text stand for, and write the text as one about someone else.

    Parameters
    ----------
    anchors
        Grammar of the text's language. As it is loaded, persons of every gender are put in; of
        `eec_datasets.rewrite.anchors.same_gender` those of the gender that the text is about.
    text
        A comment of one or several sentences; it is rewritten as a whole or not at all.
    max_words
        Texts with more words are left out; None for the longest that are read at all (`LONGEST`).
    tagger
        Is asked what a word is that the rules cannot read, for the reasons that the language names.
    """
    if CONTROL.search(text):
        return LeftOut("control-characters", NONE)
    tokens = looked_up(anchors, text)
    columns = _columns(anchors, tokens)
    if not columns:
        return LeftOut("no-anchor", NONE)
    if len(columns) > 1:
        return LeftOut("both-genders", BOTH)
    column = columns.pop()
    gender = next(gender for gender, name in anchors.columns.items() if name == column)
    words, limit = sum(token.kind in ("word", "number") for token in tokens), min(max_words or LONGEST, LONGEST)
    if words > limit or len(tokens) > TOKENS_PER_WORD * limit or len(text) > CHARACTERS_PER_WORD * limit:
        return LeftOut("too-long", gender)
    reader = Reader(anchors, text, tokens, column, tagger)
    try:
        reader.apply_rules()
        slot = None
        if anchors.question != PRONOUNS:
            slot = reader.first_mention()
        if anchors.swaps:
            check_variants(reader, slot)
    except Stop as stop:
        reason, word, rule, *_ = (*stop.args, "", "")
        return LeftOut(reason, gender, word, rule, reader.role())
    written = anchors.columns.values() if anchors.swaps else [column]
    pieces = {each: (reader.said(each),) if slot is None else reader.pieces(slot, each) for each in written}
    return Rewritable(gender, pieces, reader.role())


def _columns(anchors: Anchors, tokens: Sequence[Token]) -> set[str]:
    """The columns of the pronouns of a text, and of the names in it that are replaced."""
    columns = {token.entry.anchor for token in tokens if token.entry.anchor}
    return columns.union(anchors.replaced_names[word][0] for word in names_in_text(anchors, tokens))
