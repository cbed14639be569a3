"""The notes of a result whose data have no emotions, which it says beside them."""

from collections.abc import Iterable

from eec_bias.notes import Note


def other_notes(notes: Iterable[Note]) -> list[Note]:
    return [note for note in notes if note.key != "reaction_without_emotions"]


def noted(notes: Iterable[Note]) -> list[str]:
    return [str(note) for note in other_notes(notes)]
