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
from eec_datasets.corpora import configs_of, render
from eec_datasets.errors import InputError
from eec_datasets.locale.apart import templates_without
from eec_datasets.locale.model import NONE, UNMARKED
from eec_datasets.locale.reading import load_locale, locales_folder
from eec_datasets.locale.reviews import SentenceKey

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from pathlib import Path

    from eec_datasets.corpora import Config, RenderedCorpus
    from eec_datasets.locale.model import LanguageOption, Locale

NAMES_PER_GROUP: Final = 10
QUESTIONS: Final = 8
"""Of so many sentences one has a question, while there are any."""
WEIGHTS: Final = {"template": 8, "name": 3, "form": 3, "person": 2, "level": 1}
"""Worth of showing something, by kind."""

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
    variety : tag of the language, and of the region if it has configs for several.
    """

    sentences: tuple[ToJudge, ...]
    shown: Mapping[str, tuple[int, int]]
    questions: tuple[int, int]
    parts: int
    variety: str


@dataclass(frozen=True, slots=True)
class _Candidate:
    key: SentenceKey
    text: str
    shows: frozenset[Shown]


@dataclass(frozen=True, slots=True)
class _Pool:
    """The sentences that readers of a region may be asked about, and how many names its corpora have."""

    candidates: Sequence[_Candidate]
    names: int

    def shown_by(self, keys: Collection[SentenceKey]) -> Mapping[str, tuple[int, int]]:
        """Return of each kind of `WEIGHTS` how many the sentences with these keys show, and of how many."""
        everything = {each for candidate in self.candidates for each in candidate.shows}
        seen = {each for candidate in self.candidates if candidate.key in keys for each in candidate.shows}
        counts = {
            kind: (sum(each[0] == kind for each in seen), sum(each[0] == kind for each in everything))
            for kind in WEIGHTS
        }
        return {**counts, "name": (counts["name"][0], self.names)}


def choose_sentences(
    tag: str, count: int, part: int = 1, region: str | None = None, root: Path | None = None
) -> ReviewChoice:
    """Return the sentences of a language that a reader is asked about.

    Parameters
    ----------
    count : how many; fewer where fewer show everything.
    part : 1 for the first so many, 2 for those that come after them, for another reader. No sentence is in two parts.
    region : value of the option that tells regions of the language apart; default: that of most of its configs.

    Raises
    ------
    InputError, FileProblems
    """
    root = root or locales_folder()
    locale = load_locale(tag, root)
    region = _checked_region(locale, region)
    pool = _pool(locale, root, region)
    names = {config.name for config in _configs_of_region(locale, root, region)}
    asked = [
        ToJudge(
            SentenceKey(question.config, question.id, question.speaker, question.variants),
            question.sentence,
            question.asked or question.question,
            tag if question.asked else "en",
        )
        for question in questions(tag, root)
        if question.config in names
    ]
    ordered = list(_ordered(pool.candidates, asked, count))
    chosen = ordered[count * (part - 1) : count * part]
    questioned = sum(bool(sentence.question) for sentence in chosen)
    return ReviewChoice(
        tuple(chosen),
        pool.shown_by({sentence.key for sentence in chosen}),
        (questioned, len(asked)),
        math.ceil(len(ordered) / count),
        next((option.regions[region] for option in _regional(locale) if region), tag),
    )


def shown_by(tag: str, keys: Collection[SentenceKey], root: Path | None = None) -> Mapping[str, tuple[int, int]]:
    """Return of each kind of `WEIGHTS` how many some sentences of a language show, of those readers are asked about.

    Raises
    ------
    InputError, FileProblems
    """
    root = root or locales_folder()
    return _pool(load_locale(tag, root), root, None).shown_by(keys)


def _regional(locale: Locale) -> list[LanguageOption]:
    """Return the option that tells regions of a language apart, if it has one."""
    return [option for option in locale.options.values() if option.regions][:1]


def _checked_region(locale: Locale, region: str | None) -> str | None:
    """Return the region of a page: the one asked for, else the default of the language; None if it has no regions."""
    option = next(iter(_regional(locale)), None)
    values = option.values if option else ()
    if region is not None and region not in values:
        there = f"there are: {', '.join(values)}" if values else "it has none"
        raise InputError(f"the language '{locale.tag}' has no region '{region}'; {there}")
    return region or (option.default if option else None)


def _configs_of_region(locale: Locale, root: Path, region: str | None) -> list[Config]:
    """Return the configs of a region; all of the language for None."""
    return [
        config
        for config in configs_of(locale, root)
        if region is None
        or all(config.spec.variants.get(option.name, option.default) == region for option in _regional(locale))
    ]


def _pool(locale: Locale, root: Path, region: str | None) -> _Pool:
    configs = _configs_of_region(locale, root, region)
    corpora = [config.corpus for config in configs]
    names = _names(corpora, locale.tag)
    candidates: dict[str, _Candidate] = {}
    for config in configs:
        _add_candidates(candidates, config.name, config.corpus, names)
    seen = {each for candidate in candidates.values() for each in candidate.shows}
    # Templates that no config has by default, such as those of decisions, are shown by the smallest that may have them.
    for items, templates in locale.item_sets.templates.items():
        lacking = {template for template in templates if ("template", template) not in seen}
        if lacking and {*templates} <= {template.id for template in locale.templates}:
            apart = {config.name: lacking & templates_without(locale.apart, config.spec.key) for config in configs}
            smallest = min(configs, key=lambda config: (len(apart[config.name]), len(config.persons)))
            corpus = render(smallest, items=items)
            _add_candidates(candidates, smallest.name, corpus, names, f"items={items}", lacking)
    return _Pool(tuple(candidates.values()), len({form for corpus in corpora for _, form in _names_of(corpus)}))


def _add_candidates(
    candidates: dict[str, _Candidate],
    config: str,
    corpus: RenderedCorpus,
    names: Mapping[tuple[str, ...], list[str]],
    variants: str = "",
    templates: Collection[str] = (),
) -> None:
    """Add the sentences of a corpus that are about the persons who are shown, each text once.

    Parameters
    ----------
    templates : only sentences of these; default all.
    """
    columns = corpus.columns
    persons = _persons(corpus, names)
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
        if person not in persons or text in candidates or (templates and template not in templates):
            continue
        shows = {("template", template), persons[person]}
        if word != NONE:
            shows.add(("form", word, form))
        candidates[text] = _Candidate(SentenceKey(config, row_id, "", variants), text, frozenset(shows))


def _names(corpora: Sequence[RenderedCorpus], tag: str) -> Mapping[tuple[str, ...], list[str]]:
    """Return the names that readers are shown of each group and gender, drawn at random.

    Corpora that share a group give one name each where they can, and those of the most templates give the others: what
    stands in few templates would leave no room for all names beside all templates.
    """
    widest = sorted(corpora, key=lambda corpus: len(set(corpus.columns["template"])), reverse=True)
    shown: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for of_each_corpus in (1, NAMES_PER_GROUP):
        for corpus in widest:
            most = NAMES_PER_GROUP / _genders(corpus)
            taken: Counter[tuple[str, ...]] = Counter()
            for cell, form in random.Random(tag).sample(of_corpus := list(_names_of(corpus)), len(of_corpus)):
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
