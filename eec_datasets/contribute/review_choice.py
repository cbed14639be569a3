"""Which sentences native readers are asked about: few that show much.

Every template, form of a word, person and level of an identity axis should be seen, and ten names of each group; each
sentence is the one that shows most of what no sentence before it has shown. The weightiest questions come in between.
What one page has no room for stands on the pages after it: all parts together show everything.
"""

from __future__ import annotations

import heapq
import math
import random
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

from eec_datasets.contribute.questions import questions
from eec_datasets.corpora import configs_of
from eec_datasets.locale.model import NONE, UNMARKED
from eec_datasets.locale.reading import load_locale, locales_folder
from eec_datasets.locale.reviews import SentenceKey

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from pathlib import Path

    from eec_datasets.corpora import RenderedCorpus
    from eec_datasets.locale.model import Locale

NAMES_PER_GROUP: Final = 10
QUESTIONS: Final = 8
"""Of so many sentences one has a question, while there are any."""
WEIGHTS: Final = {"template": 8, "name": 3, "form": 3, "person": 2, "level": 1}
"""How much it is worth to show something of a kind."""

Shown: TypeAlias = tuple[str, ...]
"""A kind of `WEIGHTS`, and which of that kind."""


@dataclass(frozen=True, slots=True)
class ToJudge:
    """A sentence to be judged, and the question about it, in the language `question_language`."""

    key: SentenceKey
    text: str
    question: str = ""
    question_language: str = "en"


@dataclass(frozen=True, slots=True)
class ReviewChoice:
    """Sentences to be judged, and of each kind of `WEIGHTS` how many they show of how many there are.

    Attributes
    ----------
    parts : how many pages of so many sentences it takes to show everything.
    """

    sentences: tuple[ToJudge, ...]
    shown: Mapping[str, tuple[int, int]]
    questions: tuple[int, int]
    parts: int


@dataclass(frozen=True, slots=True)
class _Candidate:
    key: SentenceKey
    text: str
    shows: frozenset[Shown]


def choose_sentences(tag: str, count: int, part: int = 1, root: Path | None = None) -> ReviewChoice:
    """The sentences of a language that a reader is asked about.

    Parameters
    ----------
    count : how many; fewer where fewer show everything.
    part : 1 for the first so many, 2 for those that come after them, for another reader. No sentence is in two parts.

    Raises
    ------
    UnknownConfig, LocaleError
    """
    root = root or locales_folder()
    locale = load_locale(tag, root)
    candidates = list(_candidates(locale, root))
    asked = [
        ToJudge(
            SentenceKey(question.config, question.id, question.speaker, question.variants),
            question.sentence,
            question.asked or question.question,
            tag if question.asked else "en",
        )
        for question in questions(tag, root)
    ]
    ordered = list(_ordered(candidates, asked, count))
    chosen = ordered[count * (part - 1) : count * part]
    counts = _counts_of(candidates, {sentence.key for sentence in chosen})
    questioned = sum(bool(sentence.question) for sentence in chosen)
    return ReviewChoice(tuple(chosen), counts, (questioned, len(asked)), math.ceil(len(ordered) / count))


def shown_by(tag: str, keys: Collection[SentenceKey], root: Path | None = None) -> Mapping[str, tuple[int, int]]:
    """Of each kind of `WEIGHTS`, how many some sentences of a language show of those that readers are asked about.

    Raises
    ------
    UnknownConfig, LocaleError
    """
    root = root or locales_folder()
    return _counts_of(list(_candidates(load_locale(tag, root), root)), keys)


def _counts_of(candidates: Sequence[_Candidate], keys: Collection[SentenceKey]) -> Mapping[str, tuple[int, int]]:
    """Of each kind of `WEIGHTS`, how many the sentences with these keys show, of how many all candidates do."""
    everything = {each for candidate in candidates for each in candidate.shows}
    seen = {each for candidate in candidates if candidate.key in keys for each in candidate.shows}
    return {
        kind: (sum(each[0] == kind for each in seen), sum(each[0] == kind for each in everything)) for kind in WEIGHTS
    }


def _candidates(locale: Locale, root: Path) -> Iterator[_Candidate]:
    """The sentences of all configs, each once, that are about the persons who are shown."""
    texts: set[str] = set()
    names = _names([config.corpus for config in configs_of(locale, root)])
    for config in configs_of(locale, root):
        columns = config.corpus.columns
        persons = _persons(config.corpus, names)
        rows = zip(
            columns["id"],
            columns["text"],
            columns["template"],
            columns["word"],
            columns["word_form"],
            columns["person"],
            strict=True,
        )
        for row_id, text, template, word, form, person in rows:
            if person not in persons or text in texts:
                continue
            texts.add(text)
            shows = {("template", template), persons[person]}
            if word != NONE:
                shows.add(("form", word, form))
            yield _Candidate(SentenceKey(config.name, row_id), text, frozenset(shows))


def _names(corpora: Sequence[RenderedCorpus]) -> Mapping[tuple[str, ...], list[str]]:
    """The names that readers are shown of each group and gender.

    Corpora that share a group give one name each where they can, and those of the most templates give the others: what
    stands in few templates would leave no room for all names beside all templates.
    """
    widest = sorted(corpora, key=lambda corpus: len(set(corpus.columns["template"])), reverse=True)
    shown: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for of_each_corpus in (1, NAMES_PER_GROUP):
        for corpus in widest:
            most = NAMES_PER_GROUP / _genders(corpus)
            taken: Counter[tuple[str, ...]] = Counter()
            for cell, form in _names_of(corpus):
                if form not in shown[cell] and taken[cell] < of_each_corpus and len(shown[cell]) < most:
                    shown[cell].append(form)
                    taken[cell] += 1
    return shown


def _names_of(corpus: RenderedCorpus) -> Iterator[tuple[tuple[str, ...], str]]:
    """Each name of a corpus, after its group and gender."""
    columns = corpus.columns
    for place, _ in _firsts(columns["person"]):
        if columns["person_type"][place] == "name":
            yield _cell(corpus, place), columns["person_form"][place]


def _cell(corpus: RenderedCorpus, place: int) -> tuple[str, ...]:
    """Group and gender of a row."""
    groups = [corpus.columns[axis][place] for axis in corpus.axes if axis != "gender"]
    return (*groups, corpus.columns["gender"][place])


def _genders(corpus: RenderedCorpus) -> int:
    return len({gender for gender in corpus.columns["gender"] if gender in ("female", "male")})


def _persons(corpus: RenderedCorpus, names: Mapping[tuple[str, ...], list[str]]) -> dict[str, Shown]:
    """The persons of a corpus whom readers are shown, and what each shows.

    Parameters
    ----------
    names : those of each group and gender that are shown.
    """
    columns = corpus.columns
    shown: dict[str, Shown] = {}
    levels: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for place, person in _firsts(columns["person"]):
        cell, form = _cell(corpus, place), columns["person_form"][place]
        if columns["person_type"][place] == "name":
            if form in names[cell]:
                shown[person] = ("name", form)
        elif set(cell[:-1]) <= {UNMARKED}:
            shown[person] = ("person", form)
        else:
            levels[cell].append(person)
    # Of the phrases that name a level one each, another for the next level.
    for number, (cell, persons) in enumerate(levels.items()):
        shown[persons[number // 2 % len(persons)]] = ("level", *cell)
    return shown


def _firsts(values: Sequence[str]) -> list[tuple[int, str]]:
    """Each value with the place where it first stands."""
    firsts: dict[str, int] = {}
    for place, value in enumerate(values):
        firsts.setdefault(value, place)
    return [(place, value) for value, place in firsts.items()]


def _ordered(candidates: Sequence[_Candidate], asked: Sequence[ToJudge], first: int) -> Iterator[ToJudge]:
    """Each sentence that shows most of what those before it have not shown, with the questions in between.

    Parameters
    ----------
    first : how many the first page has, on which no question takes the place of a template.
    """
    order = list(range(len(candidates)))
    random.Random(0).shuffle(order)  # so that what is worth the same is not all of one corpus
    shows = {candidate.key: candidate.shows for candidate in candidates}
    left = {each for candidate in candidates for each in candidate.shows}
    templates = {each for each in left if each[0] == "template"}
    waiting = {question.text: question for question in reversed(asked)}  # last in, first out: popitem takes the first
    texts: set[str] = set()

    def worth(candidate: _Candidate) -> int:
        return sum(WEIGHTS[each[0]] for each in candidate.shows & left)

    heap = [(-worth(candidates[place]), rank, place) for rank, place in enumerate(order)]
    heapq.heapify(heap)
    while waiting or (heap and left):
        has_room = len(texts) >= first or first - len(texts) > len(templates & left)
        is_next = len(texts) % QUESTIONS == 0 and has_room
        if waiting and (is_next or not (heap and left)):
            _, question = waiting.popitem()
            left -= shows.get(question.key, frozenset())
            texts.add(question.text)
            yield question
            continue
        value, rank, place = heapq.heappop(heap)
        candidate = candidates[place]
        now = worth(candidate)
        if now and now < -value:  # what it shows has been shown since it was put there; what it is worth never grows
            heapq.heappush(heap, (-now, rank, place))
        elif now and candidate.text not in texts:
            left -= candidate.shows
            texts.add(candidate.text)
            yield waiting.pop(candidate.text, ToJudge(candidate.key, candidate.text))
