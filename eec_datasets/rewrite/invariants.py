"""Conditions on a text that is rewritten for the other gender; it is left out if it breaks one.

The text is written with the other gender's words and read again. Every word must be read as it was, so that the way
back gives the same text (his best → her best → his best), and no word may be lost or added.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from eec_datasets.rewrite.lexicon import fold
from eec_datasets.rewrite.reader import Reader, Stop, looked_up

if TYPE_CHECKING:
    from eec_datasets.rewrite.reader import Change
    from eec_datasets.rewrite.tokens import Token

REASON: Final = "round-trip"
"""Why a text is left out of which a variant does not lead back to it."""


def check_variants(reader: Reader, slot: int | None = None) -> None:
    """Read the text as it is said of every other gender, and compare.

    Parameters
    ----------
    reader
        The text as the rules have read it.
    slot
        Number of the token that becomes a name; None if none does.

    Raises
    ------
    Stop
        A variant has another number of tokens, or is read in a way that does not lead back to the text.
    """
    for column in reader.anchors.columns.values():
        if column != reader.column:
            _check(reader, slot, column)


def _check(reader: Reader, slot: int | None, column: str) -> None:
    variant = reader.said(column)
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
    if fold(change.forms[reader.column]) != token.word:
        raise Stop(REASON, token.text)


def _role(reader: Reader, token: Token) -> str:
    """Return what a mention is in its sentence; for a word that agrees, its mark."""
    reading = reader.anchors.readings.get(token.reading)
    return reading.role if reading else token.reading


def _settled(reader: Reader, slot: int | None) -> dict[int, tuple[str, Change]]:
    """The mentions that become the name in every variant: what they are is known and not read again."""
    return {
        number: (reader.tokens[number].reading, change)
        for number, change in reader.changes.items()
        if number == slot or change.every
    }
