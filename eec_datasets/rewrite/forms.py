"""What is put in the place of a word, as the text writes it: slots, letter case, apostrophes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from eec_datasets.rewrite.anchors import STEM
from eec_datasets.rewrite.slots import Slot

if TYPE_CHECKING:
    from collections.abc import Sequence

    from eec_datasets.rewrite.anchors import Reading
    from eec_datasets.rewrite.slots import Piece


def first_mention(reading: Reading, text: str, prefix: str, stem: str, *, capital: bool = True) -> tuple[Piece, ...]:
    """What stands for a token that is the first mention; nothing where the reading cannot be the first.

    Where the token has a capital, the form gets one, unless the token has it as a name (`capital` False).
    """
    pieces: list[Piece] = [prefix] if prefix else []
    for piece in reading.first:
        if isinstance(piece, Slot):
            pieces.append(Slot(piece.role, capital and not any(pieces) and text[0].isupper(), piece.before))
        else:
            typed = piece.replace("'", "’") if "’" in text else piece
            pieces.append(typed.replace(STEM, stem))
    return tuple(pieces) if reading.first else ()


def cased(form: str, like: str) -> str:
    """A form in the letter case of the word it stands for, and with its apostrophe."""
    if "’" in like:
        form = form.replace("'", "’")
    if len(like) > 1 and like.isupper():
        return form.upper()
    return form[:1].upper() + form[1:] if like[:1].isupper() else form


def merged(pieces: Sequence[Piece]) -> list[Piece]:
    """Neighbouring texts as one, and no empty ones."""
    merged: list[Piece] = []
    for piece in pieces:
        if isinstance(piece, str) and merged and isinstance(merged[-1], str):
            merged[-1] += piece
        elif piece:
            merged.append(piece)
    return merged
