"""Checks of the sentences against their own labels: is the person there, the word, and the rest as elsewhere."""

from __future__ import annotations

from collections import Counter, defaultdict
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from eec_bias.shared import counted, grouped
from eec_datasets.checks.text import RowDefect
from eec_datasets.errors import RenderError
from eec_datasets.imported.folding import find, fold, folded_words
from eec_datasets.locale.model import NO_WORD
from eec_datasets.locale.templating import parts_of
from eec_datasets.render.choice import choose
from eec_datasets.render.items import items_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from eec_datasets.checks.pair_evenness import ItemKey
    from eec_datasets.imported.folding import Words
    from eec_datasets.imported.matching import Match
    from eec_datasets.locale.model import Locale
    from eec_datasets.render.choice import Choice

STEM = 3
"""Letters that a word of the sentence must share at least with the label to count as another form of it."""


def take_apart(match: Match) -> tuple[bool, bool, Words | None]:
    """Return whether the person and the emotion word of the labels stand in the sentence; where both do, what is left.

    Words of the template that inflect are left in place of their forms.
    """
    without = _without_person(match)
    person = without is not None or _has_clitic(match) or _is_left_out(match)
    rest: Words | None = without or match.sentence
    if match.row.word:
        rest = _without_word(match, without or match.sentence)
    if rest is None or not person:
        return person, rest is not None, None
    names = {"a": "<a>", "an": "<a>"}
    if match.template:
        for word in match.template.words.values():
            names |= {part: f"<{word.id}>" for form in word.forms for part in folded_words(form.text)}
    return True, True, tuple(names.get(part, part) for part in rest)


def _without_person(match: Match) -> Words | None:
    """Return the sentence with a mark in place of the person; None where no form of the person stands in it."""
    forms: list[Words] = []
    if match.person:
        forms = _longest_first(match.person.roles.values())
    return _replaced(match.sentence, "<p>", [*forms, folded_words(match.row.person)])


def _without_word(match: Match, sentence: Words) -> Words | None:
    """Return the sentence with a mark in place of the emotion word; None where no form of it stands in it."""
    label = match.row.word
    forms = [label]
    if match.word:
        forms += [form.text for form in match.word.forms]
    alike = [(part,) for part in sentence if _same_stem(part, fold(label))]
    return _replaced(sentence, "<e>", [*_longest_first(forms), *alike])


def _longest_first(forms: Iterable[str]) -> list[Words]:
    return sorted(dict.fromkeys(folded_words(form) for form in forms if form), key=len, reverse=True)


def _replaced(sentence: Words, mark: str, parts: Iterable[Words]) -> Words | None:
    """The sentence with a mark in place of the first of these parts that stands in it."""
    for part in parts:
        start = find(sentence, part)
        if start is not None:
            return (*sentence[:start], mark, *sentence[start + len(part) :])
    return None


def _has_clitic(match: Match) -> bool:
    """Whether a pronoun is written onto a word, or elided (l'ho); there is then nothing to cut out."""
    if match.person is None or match.person.type != "pronoun":
        return False
    forms = tuple(fold(form) for form in match.person.roles.values() if form)
    elided = "'" in match.row.sentence or "’" in match.row.sentence
    return any(part.endswith(forms) or (elided and len(part) == 1) for part in match.sentence)


def _is_left_out(match: Match) -> bool:
    """Whether our template says nothing of such a person but by the forms of other words (كان يشعر)."""
    if match.person is None or match.template is None:
        return False
    text = match.template.pattern.text(match.person.type, match.person.gram.values())
    return text is not None and not any(isinstance(part, tuple) and part[0] == "person" for part in parts_of(text))


def _same_stem(part: str, label: str) -> bool:
    """Whether two words differ in their ending only (enojada, enojado)."""
    stem = max(STEM, min(len(part), len(label)) - 1)
    return abs(len(part) - len(label)) <= 1 and part[:stem] == label[:stem]


def check_labels(matches: Sequence[Match], locale: Locale | None, *, frames: bool) -> tuple[list[RowDefect], list[str]]:
    """Person, word and frame of every row.

    Parameters
    ----------
    locale : the locale of ours that the rows were matched with; a frame that it writes itself is no defect.
    frames : whether the labels tell what is said, so that frames can be compared (see `not_told_apart`).

    Returns
    -------
    (defects, notes) : a check that would fail on most rows is left out with a note, as the column then holds
        something else (a lemma, an English word).
    """
    rows = [match.row for match in matches]
    apart = [take_apart(match) for match in matches]
    no_person = [RowDefect("person-not-found", at, rows[at].person) for at, part in enumerate(apart) if not part[0]]
    no_word = [RowDefect("word-not-found", at, rows[at].word) for at, part in enumerate(apart) if not part[1]]
    notes = []
    with_word = sum(1 for row in rows if row.word)
    if 2 * len(no_word) > with_word:
        notes.append(
            f"the emotion word of the label stands in few sentences ({with_word - len(no_word)} of {with_word}): "
            "the sentences seem to spell it in another way, and it was not looked for"
        )
        no_word = []
    defects = [*no_person, *no_word]
    if frames:
        defects += _frames(matches, [rest for _, _, rest in apart], locale)
    return defects, notes


def _frames(matches: Sequence[Match], rests: Sequence[Words | None], locale: Locale | None) -> Iterator[RowDefect]:
    """Yield the sentences whose words are not those that most others of their template and gender have."""
    choice = choose(locale) if locale else None
    groups: dict[Words, list[int]] = defaultdict(list)
    for number, (match, rest) in enumerate(zip(matches, rests, strict=True)):
        if rest is not None:
            # A word that no column names is left among the others, and each emotion has its own.
            emotion = "" if match.row.word else match.row.emotion
            groups[match.row.template, match.row.gender, _person_type(match), emotion].append(number)
    everywhere = Counter((match.row.template, rest) for match, rest in zip(matches, rests, strict=True))
    for (template, *_), numbers in groups.items():
        counts = Counter(rests[number] for number in numbers)
        # Of two that are as frequent, that which the other gender has: not that of the first line.
        usual = max(counts, key=lambda rest: (counts[rest], everywhere[template, rest], rest or ()))
        for number in numbers:
            if rests[number] != usual and rests[number] != _own_frame(matches[number], choice):
                shown, others = (f"‘{' '.join(rest or ())}’" for rest in (rests[number], usual))
                yield RowDefect("frame", number, f"{shown} – others have {others}")


def _person_type(match: Match) -> str:
    """Return the type of the person, as far as it is known: of a race there are names only."""
    if match.person:
        return match.person.type
    if match.row.race:
        return "name"
    return ""


def _own_frame(match: Match, choice: Choice | None) -> Words | None:
    """The frame that our locale gives this person: its words may differ by the sound of the person (с, со)."""
    if choice is None or match.template is None or match.person is None:
        return None
    with suppress(RenderError):
        item = next(items_of(choice, [match.person], [], grid=[(match.template, match.word or NO_WORD)]))
        if item.texts:
            form = item.forms[0] if match.word else ""
            row = replace(match.row, sentence=item.texts[0], word=form)
            return take_apart(replace(match, row=row))[2]
    return None


def inflected(matches: Sequence[Match]) -> tuple[set[ItemKey], str]:
    """What is said with words that seem to be forms of each other, each with one gender alone, and a note on it.

    Such are words that none of ours is known for, where other words of the same template and emotion stand with another
    gender alone (enojada, enojado): nobody lacks the sentences with the form of others.
    """
    genders = grouped((match.item_key, match.row.gender) for match in matches if match.row.word and not match.word)
    alone = grouped((item[:2], (some[0], item)) for item, some in genders.items() if len(set(some)) == 1)
    forms = [grouped(some) for some in alone.values() if len({gender for gender, _ in some}) > 1]
    items = {item for by_gender in forms for some in by_gender.values() for item in some}
    if not items:
        return items, ""
    shown = ", ".join(f"{some[0][2]} ({gender})" for gender, some in forms[0].items())
    rows = counted(sum(match.item_key in items for match in matches), "row")
    return items, (
        f"{rows} with an emotion word that stands with one gender alone, as words do that agree in gender ({shown}): "
        "missing sentences and pairs of these were not looked for. Name the language, or a column with one form of each"
    )


def not_told_apart(matches: Sequence[Match]) -> str:
    """A note where labels do not say what a sentence says: without, say, a template most of a person share them.

    A speaker of two genders gives two sentences of a template with the same labels; more on average are too many.
    """
    sentences = len({match.row.sentence for match in matches})
    labels = len({(match.item_key, match.person_key) for match in matches})
    speakers = 1
    if any(match.item_key[0] for match in matches):
        speakers = 2
    if sentences <= labels * speakers:
        return ""
    return (
        f"the columns for template, emotion and word tell {labels} of {sentences} sentences apart: frames, missing "
        "sentences and pairs were not checked. Name more columns"
    )
