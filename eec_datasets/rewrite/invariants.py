"""What must hold of a text that is said of the other gender, or else it is left out.

The text is written with the other gender's words and read again. Every word must be read as it was, so that the way
back gives the same text (his best → her best → his best), and no word may be lost or added.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from eec_datasets.rewrite.reader import Reader, Stop, looked_up

if TYPE_CHECKING:
    from eec_datasets.rewrite.reader import Change
    from eec_datasets.rewrite.tokens import Token

REASON: Final = "round-trip"
"""Why a text is left out of which a variant does not lead back to it."""


def check_variants(reader: Reader, slot: int) -> None:
    """Read the text as it is said of every other gender, and compare.

    Parameters
    ----------
    reader
        The text as the rules have read it.
    slot
        Number of the token that becomes the name.

    Raises
    ------
    Stop
        A variant has another number of tokens, or is read in a way that does not lead back to the text.
    """
    for column in reader.anchors.columns.values():
        if column != reader.column:
            _check(reader, slot, column)


def _check(reader: Reader, slot: int, column: str) -> None:
    variant = _said(reader, column)
    tokens = looked_up(reader.anchors, variant)
    if len(tokens) != len(reader.tokens):
        raise Stop(REASON)
    known = {number: reader.tokens[number].reading for number in reader.mentions}
    back = Reader(reader.anchors, variant, tokens, column, reader.tagger, _settled(reader, slot), known)
    try:
        back.apply_rules()
    except Stop:
        # The variant may be read in several ways, of which the text shows the one meant. What was read must agree.
        pass
    else:
        if back.changes.keys() != reader.changes.keys():
            different = min(back.changes.keys() ^ reader.changes.keys())
            raise Stop(REASON, reader.tokens[different].text)
    for number, change in back.changes.items():
        if number in reader.changes and number not in back.settled:
            _compare(reader, reader.tokens[number], tokens[number], change)


def _compare(reader: Reader, token: Token, other: Token, change: Change) -> None:
    """Refuse a word whose counterpart is read as something else, or does not lead back to it."""
    if _role(reader, token) != _role(reader, other):
        raise Stop(REASON, token.text)
    if reader.anchors.lexicon.fold(change.forms[reader.column]) != token.word and not _share_a_row(token, other):
        raise Stop(REASON, token.text)


def _role(reader: Reader, token: Token) -> str:
    """What a mention is in its sentence; for a word that agrees, its mark."""
    reading = reader.anchors.readings.get(token.reading)
    return reading.role if reading else token.reading


def _share_a_row(token: Token, other: Token) -> bool:
    """Whether two tokens are forms of one word, such as the two spellings of an Arabic accusative."""
    rows = [row.forms for cut in token.entry.cuts for row in cut.rows]
    return any(row.forms in rows for cut in other.entry.cuts for row in cut.rows)


def _said(reader: Reader, column: str) -> str:
    """The text with the words of another column; names and the first pronoun of the text among them."""
    pieces, done = [], 0
    for number in sorted(reader.changes):
        token, change = reader.tokens[number], reader.changes[number]
        pieces += [reader.text[done : token.start], change.forms.get(column, token.text)]
        done = token.end
    return "".join([*pieces, reader.text[done:]])


def _settled(reader: Reader, slot: int) -> dict[int, tuple[str, Change]]:
    """The mentions that become the name in every variant: what they are is known and not read again."""
    return {
        number: (reader.tokens[number].reading, change)
        for number, change in reader.changes.items()
        if number == slot or change.every
    }
