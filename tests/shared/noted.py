"""The English sentences of the notes of a result."""

from collections.abc import Iterable

from eec_bias.notes import Note


def noted(notes: Iterable[Note]) -> list[str]:
    return [str(note) for note in notes]
