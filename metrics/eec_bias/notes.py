"""Notes that a reader of a result must know, as values; `str` of a note is its English sentence.

A note is found where scores, labels and designs are looked at, and said on pages, in figures and in terminals. What is
passed between them is its key and the values in it, never the sentence: `notes.toml` has the English sentences by key,
and each language of reports its own.
"""

import functools
import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from eec_bias.errors import ResultError

LEFT_OUT = frozenset(
    {
        "no_scores_of_system", "base_left_out", "person_left_out", "rows_without_part_or_left_out", "no_pair_left",
        "one_pair_left", "part_left_out", "mentions_left_out", "items_left_out", "run_left_out", "levels_left_out",
    }
)  # fmt: skip
"""Keys of the notes that say that something given is not measured; figures say these below what they show."""

ROUGH = frozenset(
    {
        "one_term", "few_persons_in_group", "few_items", "few_degrees_of_freedom", "few_degrees_of_freedom_over",
        "few_runs", "few_families", "few_degrees_of_freedom_over_families", "one_name_decides", "many_missing",
        "many_missing_shared", "many_missing_none_shared", "rough_as_saved",
    }
)  # fmt: skip
"""Keys of the notes that say why an interval and a smallest detectable effect are rough."""

AS_SAVED = "as_saved"
"""Key of a note of which only the sentence is known."""


@dataclass(frozen=True, slots=True)
class Note:
    """Something a reader must know, by its key.

    Attributes
    ----------
    key : str
        Which note it is: a key of `notes.toml`.
    values : mapping of str to (str, int, float or Note)
        What stands in the places of its sentence; not to be changed.
    saved : str
        The English sentence that a file gives. It is said where this version does not know the key.
    """

    key: str
    values: Mapping[str, Any] = field(default_factory=dict)
    saved: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        values = {name: value.item() if isinstance(value, np.generic) else value for name, value in self.values.items()}
        object.__setattr__(self, "values", values)

    def __hash__(self) -> int:
        return hash((self.key, tuple(sorted((name, str(value)) for name, value in self.values.items()))))

    def __str__(self) -> str:
        sentence = english_notes().get(self.key)
        return self.saved if sentence is None else sentence.format(**self.values)

    @property
    def subject(self) -> "Note":
        """The note itself, where this one only says what part, system or test it is about."""
        note = self.values.get("note")
        return note.subject if isinstance(note, Note) else self

    @property
    def is_rough(self) -> bool:
        """Return whether it says why an interval and a smallest detectable effect are rough."""
        return self.key in ROUGH

    def to_dict(self) -> dict[str, Any]:
        """Return key, values and English text as plain JSON types."""
        values = {name: value.to_dict() if isinstance(value, Note) else value for name, value in self.values.items()}
        return {"key": self.key, "values": values, "text": str(self)}

    @classmethod
    def from_dict(cls, content: Any, path: str = "note") -> "Note":
        """Read a note as `to_dict` gave it, or one that was saved as a sentence.

        Parameters
        ----------
        content : mapping or str
            The note.
        path : str
            Where it stands, for messages.

        Raises
        ------
        ResultError
            If the content is neither, or lacks what its sentence needs.
        """
        if isinstance(content, str):
            return cls(AS_SAVED, {"text": content})
        if not isinstance(content, Mapping):
            raise ResultError(f"{path} is {content!r:.60}; expected a note: an object with key, values and text")
        key, values, text = content.get("key"), content.get("values", {}), content.get("text", "")
        if not isinstance(key, str):
            raise ResultError(f"{path}.key is {key!r:.60}; expected the key of a note")
        if not isinstance(values, Mapping):
            raise ResultError(f"{path}.values is {values!r:.60}; expected an object")
        if not isinstance(text, str):
            raise ResultError(f"{path}.text is {text!r:.60}; expected a text")
        read: dict[str, Any] = {}
        for name, value in values.items():
            if isinstance(value, Mapping):
                read[name] = cls.from_dict(value, f"{path}.values.{name}")
            elif isinstance(value, str) or _is_finite(value):
                read[name] = value
            else:
                raise ResultError(f"{path}.values.{name} is {value!r:.60}; expected a text, a finite number or a note")
        note = cls(key, read, text)
        try:
            str(note)
        except (KeyError, ValueError, IndexError, OverflowError) as error:
            raise ResultError(
                f"{path}.values lacks a value that the sentence of {key!r} needs, or has one of a wrong kind: {error}"
            ) from error
        return note


def _is_finite(value: Any) -> bool:
    try:
        return isinstance(value, int | float) and math.isfinite(value)
    except OverflowError:
        return False


@functools.cache
def english_notes() -> Mapping[str, str]:
    """Return the English sentences by key."""
    notes: dict[str, str] = tomllib.loads(Path(__file__).with_name("notes.toml").read_text(encoding="utf-8"))
    return notes
