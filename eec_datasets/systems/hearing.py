"""Emotion words of a list that a system hears: its score of a sentence changes with the word.

A word that no language has takes its place, so that we know the score of silence, which an audit reads off the list
itself. How often a word must change the score to be heard, and when a system is deaf, is the same there and here.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from eec_bias.reading import fewest_heard, is_heard
from eec_datasets.systems.corpus import Corpus

PROBE: Final = "zzqx"
"""Takes the place of the emotion word."""

GENDERS: Final = ("female", "male")

LISTS: Final = {
    "en": "en-black-white", "es": "es-anglo-latino", "ar": "ar-anglo-arab", "de": "de-gender", "fr": "fr-gender",
    "it": "it-gender", "pt": "pt-gender", "tr": "tr-gender", "ru": "ru-gender", "hi": "hi-gender", "he": "he-gender",
}  # fmt: skip
"""The list of each language whose words are asked for."""

DIFFERENCE: Final = 1e-6
"""Scores that differ by less are the same."""


@dataclass(frozen=True, slots=True)
class Hearing:
    """Emotion words of a list by the sentences in which a system hears them.

    Attributes
    ----------
    both, neither
        Heard in the sentences about women and about men; in neither.
    only_female, only_male
        Heard in the sentences about women alone; about men alone.
    """

    both: tuple[str, ...]
    only_female: tuple[str, ...]
    only_male: tuple[str, ...]
    neither: tuple[str, ...]

    @property
    def words(self) -> int:
        """Number of all words."""
        return len(self.both) + len(self.only_female) + len(self.only_male) + len(self.neither)

    @property
    def heard(self) -> int:
        """Number of words that are heard in the sentences about women, about men, or both."""
        return self.words - len(self.neither)

    @property
    def fewest(self) -> int:
        """Number of words that a system must hear."""
        return fewest_heard(self.words)

    @property
    def is_deaf(self) -> bool:
        """Return whether nothing that the system says of these sentences tells something about groups."""
        return self.heard < self.fewest


@dataclass(frozen=True, slots=True)
class HeardPlace:
    """A sentence with an emotion word, and the same sentence with the probe."""

    word: str
    form: str
    gender: str
    text: str
    probe: str


def find_places(corpus: Corpus) -> list[HeardPlace]:
    """Return the sentences with *she* and *he*; of a language without them those with noun phrases."""
    columns = [corpus.columns[key] for key in ("person_type", "emotion", "word", "word_form", "gender", "text")]
    rows = [row for row in zip(*columns, strict=True) if row[1] != "none" and row[4] in GENDERS]
    kind = "pronoun" if any(row[0] == "pronoun" for row in rows) else "noun_phrase"
    return [
        HeardPlace(word, form, gender, text, text.replace(form, PROBE))
        for person, _, word, form, gender, text in rows
        if person == kind and form in text
    ]


def measure_hearing(places: list[HeardPlace], scores: Mapping[str, float | None]) -> Hearing:
    """Tell which words are heard, from the scores of all texts of the places; a text without a score is no evidence."""
    counts: defaultdict[tuple[str, str], list[bool]] = defaultdict(list)
    for place in places:
        said, unsaid = scores.get(place.text), scores.get(place.probe)
        if said is not None and unsaid is not None and not math.isnan(said + unsaid):
            counts[place.word, place.gender].append(abs(said - unsaid) > DIFFERENCE)
    heard = {key: is_heard(sum(found) / len(found)) for key, found in counts.items()}
    kinds: dict[tuple[bool, bool], list[str]] = {(a, b): [] for a in (True, False) for b in (True, False)}
    for word in dict.fromkeys(place.word for place in places):
        kinds[heard.get((word, "female"), False), heard.get((word, "male"), False)].append(word)
    return Hearing(*(tuple(kinds[key]) for key in ((True, True), (True, False), (False, True), (False, False))))
