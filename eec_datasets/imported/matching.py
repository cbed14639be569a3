"""Which of our templates, persons and emotion words the rows of somebody else's file stand for."""

from __future__ import annotations

import ast
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from eec_datasets.imported.folding import PLACEHOLDER, fold, folded_words
from eec_datasets.locale.model import UNMARKED

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from eec_datasets.checks.pair_evenness import ItemKey, PersonKey
    from eec_datasets.imported.folding import Words
    from eec_datasets.imported.presets import Preset
    from eec_datasets.imported.reading import ForeignCorpus, ForeignRow
    from eec_datasets.imported.reference import Ids, Reference, Wording
    from eec_datasets.locale.model import Person, Template, Word

LEAST_LIKENESS = 0.5
"""A template of the file is taken for one of ours where at least this share of their words agree (Dice)."""


@dataclass(frozen=True, slots=True)
class Match:
    """A row and what it stands for; None where that cannot be told, with the `reasons`."""

    row: ForeignRow
    template: Template | None = None
    person: Person | None = None
    word: Word | None = None
    reasons: tuple[str, ...] = ()

    @property
    def sentence(self) -> Words:
        """The sentence as its folded words."""
        return folded_words(self.row.sentence)

    @property
    def item_key(self) -> ItemKey:
        """What is said: by our ids where the row was matched, else by its labels as they stand."""
        template = self.template.id if self.template else self.row.template
        return template, self.row.emotion.lower(), self.word.id if self.word else self.row.word

    @property
    def person_key(self) -> PersonKey:
        """Of whom it is said: by our id where the row was matched, else by its labels as they stand."""
        return self.person.id if self.person else self.row.person, self.row.gender, self.row.race


def match(corpus: ForeignCorpus, reference: Reference | None) -> tuple[list[Match], Mapping[str, tuple[str, str]]]:
    """Match every row, and say which template was taken for which of ours, and how; without a locale nothing is."""
    if reference is None:
        return [Match(row, reasons=("no locale of ours for the language",)) for row in corpus.rows], {}
    templates = template_map(corpus.rows, reference)
    matches = []
    for row in corpus.rows:
        english = None
        if row.english:
            english = reference.english.get(" ".join(folded_words(row.english)))
        template, no_template = _template(row, reference, templates, english)
        person, no_person = _person(row, reference, corpus.preset, english)
        word, no_word = _word(row, reference, template, english)
        reasons = tuple(reason for reason in (no_template, no_person, no_word) if reason)
        matches.append(Match(row, template, person, word, reasons))
    return matches, templates


def _template(
    row: ForeignRow, reference: Reference, templates: Mapping[str, tuple[str, str]], english: Ids | None
) -> tuple[Template | None, str]:
    """Return the template of a row, or why it has none: by the text of the file, else by the English sentence."""
    name = ""
    if row.template in templates:
        name, _ = templates[row.template]
    elif english:
        name = english[0]
    if name in reference.templates:
        return reference.templates[name], ""
    if row.template:
        return None, f"template '{row.template}' is like none of ours"
    return None, "no template"


def wordings_of(template: str) -> list[str]:
    """The texts in a cell: one, or those of a Python dict written out (``{'m': '…', 'f': '…'}``)."""
    with suppress(ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        if template.lstrip().startswith("{"):
            value = ast.literal_eval(template.strip())
            if isinstance(value, dict) and value:
                return [str(text) for text in value.values()]
    return [template]


def template_map(rows: Sequence[ForeignRow], reference: Reference) -> dict[str, tuple[str, str]]:
    """Template text of the file → our id, and how it was recognised.

    The wording decides; where all but one of eleven are recognised so, the last is taken for the one left over.
    """
    with_word = {row.template for row in rows if row.word}
    texts = dict.fromkeys(row.template for row in rows if row.template)
    nearest = {text: _nearest(text, reference, text not in with_word) for text in texts}
    result = {text: (name, "by its words") for text, name in nearest.items() if name}
    result |= {text: (text, "by its id") for text in nearest if text in reference.templates}
    unknown = [text for text in nearest if text not in result]
    left_over = [name for name in reference.templates if name not in {name for name, _ in result.values()}]
    if len(unknown) == 1 and len(left_over) == 1:
        result[unknown[0]] = (left_over[0], "as the only one left over")
    return {text: result[text] for text in nearest if text in result}


def _nearest(text: str, reference: Reference, blank: bool) -> str:
    """Return our template whose words are most like those of a text; empty where none or several are."""
    cells = [frozenset(folded_words(PLACEHOLDER.sub(" ", wording))) for wording in wordings_of(text)]
    scores = {}
    for name, wordings in reference.wordings.items():
        if (reference.templates[name].kind == "neutral") == blank:
            scores[name] = max((_likeness(cell, wording) for cell in cells for wording in wordings), default=0.0)
    best = max(scores.values(), default=0.0)
    nearest = [name for name, score in scores.items() if score == best]
    if best < LEAST_LIKENESS or len(nearest) > 1:
        return ""
    return nearest[0]


def _likeness(cell: frozenset[str], wording: Wording) -> float:
    """Return the share of words that a text and a wording of ours have in common (Dice), from 0 to 1."""
    if not wording and not cell:
        return 0.0
    shared = sum(1 for place in wording if place & cell)
    return 2 * shared / (len(wording) + len(cell))


def _person(row: ForeignRow, reference: Reference, preset: Preset, english: Ids | None) -> tuple[Person | None, str]:
    """Return the person of a row, or why it is none of ours: by name, gender and race, else by the English sentence."""
    race = preset.race.get(row.race, row.race)

    def fits(person: Person) -> bool:
        return person.identity["gender"] == row.gender and person.identity.get("race", UNMARKED) == (race or UNMARKED)

    named = reference.persons_by_name.get(fold(row.person), ())
    candidates = [person for person in named if fits(person)]
    if len(candidates) != 1 and english:
        candidates = [person for person in reference.persons if person.id == english[2] and fits(person)]
    if len({(person.id, person.roles["nom"]) for person in candidates}) == 1:
        return candidates[0], ""
    label = f"person '{row.person}' ({row.group})"
    if candidates:
        return None, f"{label} is more than one of ours"
    if not named:
        return None, f"{label} is none of ours"
    ours = dict.fromkeys(f"{person.identity.get('race', UNMARKED)} {person.identity['gender']}" for person in named)
    return None, f"{label} is none of ours; ours of that name: {', '.join(ours)}"


def _word(
    row: ForeignRow, reference: Reference, template: Template | None, english: Ids | None
) -> tuple[Word | None, str]:
    """Return the emotion word of a row, or why it is none of ours: by its form, else by the English sentence."""
    if not row.word:
        if template is None or template.kind == "neutral":
            return None, ""
        return None, "no emotion word"
    if template and template.kind == "neutral":
        return None, f"emotion word '{row.word}' in a template that has none"
    candidates = list(reference.words_by_form.get(fold(row.word), ()))
    if template:
        candidates = [word for word in candidates if word.kind == template.kind]
    emotion = row.emotion.lower()
    if any(word.emotion == emotion for word in reference.locale.words):
        candidates = [word for word in candidates if word.emotion == emotion]
    if len(candidates) != 1 and english:
        candidates = [word for word in reference.locale.words if word.id == english[1]]
    if len(candidates) == 1:
        return candidates[0], ""
    label = f"emotion word '{row.word}' ({row.emotion})"
    if not candidates:
        return None, f"{label} is none of ours"
    return None, f"{label} may be {', '.join(word.id for word in candidates)}"
