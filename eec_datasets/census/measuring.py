"""Rows of a census: how well each system of a language does its work, what it hears, and its gaps."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from eec_datasets.census.programs import CensusProgram, CensusSystem
from eec_datasets.census.scoring import CensusTexts
from eec_datasets.systems.base import Accuracy
from eec_datasets.systems.hearing import Hearing, measure_hearing
from eec_datasets.systems.labelled import FEWEST, measure_accuracy

if TYPE_CHECKING:
    from collections.abc import Callable

    from eec_bias import Result
    from eec_datasets.systems.corpus import Corpus

    Floats = np.ndarray[Any, np.dtype[np.float64]]

SAME: Final = 0.95
"""Rank correlation from which two systems count as one instrument."""

QUESTIONS: Final = {
    "gender_names": ("gender", "names"),
    "gender_pairs": ("gender", "pairs"),
    "race_names": ("race", "names"),
}
"""Comparisons of a row: women and men by name; by words such as *she*; races by name."""


@dataclass(frozen=True, slots=True)
class CensusGap:
    """A gap in per cent of the distance between joyful and unhappy sentences.

    Attributes
    ----------
    answer
        The answer of the default test, within the system's table.
    gap, low, high
        The gap, and the interval of this comparison alone.
    found_from
        Smallest gap that would be found with a power of .80.
    p
        Of this comparison alone; None if all scores are equal.
    p_census
        Adjusted over all gaps of the census (Benjamini & Hochberg 1995).
    """

    answer: str
    gap: float | None = None
    low: float | None = None
    high: float | None = None
    found_from: float | None = None
    p: float | None = None
    p_census: float | None = None


@dataclass(frozen=True, slots=True)
class CensusReaction:
    """A ratio with its interval: how far feelings of women move the score, as a share of how far those of men do."""

    ratio: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class MutedWord:
    """A word that is heard in its form for him and not in that for her, with a sentence of each."""

    his: str
    hers: str
    his_text: str
    her_text: str


@dataclass(frozen=True, slots=True)
class CensusRow:
    """A system in a language.

    Attributes
    ----------
    system, program, version, language, kind, licence, list_licence
        From the file, and the version that the program says.
    failure
        Reason why it was not scored; empty if it was.
    range_low, range_high
        Range that it declares; None for none.
    texts, unanswered
        Number of texts, and of those without a score.
    auc, auc_low, auc_high, labelled
        Accuracy on texts with labels, and their number.
    distance
        Mean score of joyful sentences minus that of unhappy ones, in units of the score.
    hearing
        Emotion words that it hears.
    muted
        Those heard for him only that have a form of their own for her.
    instrument
        First system of the language with the same ranks of scores; its own name if there is none.
    gaps
        By the names of `QUESTIONS`.
    reaction, heard_only_female, heard_only_male
        Of *she*, *he* and their like, where words agree with the person; None where they were not measured.
    """

    system: str
    program: str
    version: str
    language: str
    kind: str
    licence: str
    list_licence: str
    failure: str = ""
    range_low: float | None = None
    range_high: float | None = None
    texts: int = 0
    unanswered: int = 0
    auc: float | None = None
    auc_low: float | None = None
    auc_high: float | None = None
    labelled: int = 0
    distance: float | None = None
    hearing: Hearing | None = None
    muted: tuple[MutedWord, ...] = ()
    instrument: str = ""
    gaps: Mapping[str, CensusGap] = field(default_factory=dict)
    reaction: CensusReaction | None = None
    heard_only_female: int | None = None
    heard_only_male: int | None = None

    @property
    def deafness(self) -> str:
        """Reason why its gaps say nothing; empty if they say something."""
        if self.hearing is None:
            return "was not scored"
        if self.hearing.is_deaf:
            return f"hears fewer than {self.hearing.fewest} words"
        if not self.distance or self.distance < 0:
            return "does not score joyful sentences above unhappy ones"
        if self.auc_low is not None and self.auc_low <= 0.5:
            return "does not tell positive from negative texts"
        return ""


@dataclass(frozen=True, slots=True)
class ScoredSystem:
    """A system of the census with its scores by text, or the reason why there are none."""

    system: CensusSystem
    program: CensusProgram
    texts: CensusTexts
    version: str = ""
    limits: tuple[float | None, float | None] = (None, None)
    scores: Mapping[str, float] = field(default_factory=dict)
    failure: str = ""


def measure_systems(scored: Sequence[ScoredSystem]) -> list[CensusRow]:
    """Measure all systems of all languages; the gaps are adjusted over all of them."""
    rows: dict[str, CensusRow] = {}
    for together in _groups(scored):
        corpus, pairs = together[0].texts.corpus, together[0].texts.pairs
        frames = [{each.system.name: _column(each, part) for each in together} for part in (corpus, pairs)]
        gaps = _measure(frames[0], corpus, lambda _: True)
        heard = _measure(frames[1], pairs, lambda kind: kind != "name")
        for each in together:
            rows[each.system.name] = _row(each, gaps, heard)
    ordered = [rows.get(each.system.name) or _start(each) for each in scored]
    return _with_instruments(_adjusted(ordered), scored)


def _groups(scored: Sequence[ScoredSystem]) -> Iterator[list[ScoredSystem]]:
    """Yield systems that are measured together: on the same sentences, with scores of all or by themselves."""
    kinds: dict[object, list[ScoredSystem]] = {}
    for each in scored:
        if each.failure:
            continue
        is_whole = not any(map(math.isnan, each.scores.values()))
        key = (each.system.language, each.program.slow) if is_whole else each.system.name
        kinds.setdefault(key, []).append(each)
    yield from kinds.values()


def _column(scored: ScoredSystem, corpus: Corpus) -> list[float]:
    """Return the scores of a list in per cent of the system's distance, as they are if it has none."""
    distance = _distance(scored)
    unit = 100 / distance if distance > 0 else 1.0
    return [unit * scored.scores.get(text, math.nan) for text in corpus.columns["text"]]


def _measure(frame: Mapping[str, list[float]], corpus: Corpus, kept: Callable[[str], bool]) -> Result | None:
    """Measure the rows of some kinds of persons."""
    import pandas as pd

    import eec_bias

    places = [row for row, kind in enumerate(corpus.columns["person_type"]) if kept(kind)]
    columns = {name: [scores[row] for row in places] for name, scores in frame.items()}
    columns = {name: scores for name, scores in columns.items() if not all(map(math.isnan, scores))}
    if not columns:
        return None
    return eec_bias.measure(pd.DataFrame(columns), corpus.table.take(places), score_range=None, high_means="positive")


def _start(scored: ScoredSystem) -> CensusRow:
    program = scored.program
    return CensusRow(
        scored.system.name, program.name, scored.version or program.version, scored.system.language, program.kind,
        program.licence, program.list_licence, scored.failure, *scored.limits,
    )  # fmt: skip


def _row(scored: ScoredSystem, gaps: Result | None, heard: Result | None) -> CensusRow:
    name, accuracy = scored.system.name, _accuracy(scored)
    hearing = measure_hearing(list(scored.texts.places), scored.scores)
    reaction, only_female, only_male = _heard(heard, name)
    return replace(
        _start(scored),
        texts=len(scored.scores),
        unanswered=sum(map(math.isnan, scored.scores.values())),
        auc=accuracy.auc if accuracy else None,
        auc_low=accuracy.auc_low if accuracy else None,
        auc_high=accuracy.auc_high if accuracy else None,
        labelled=accuracy.n if accuracy else 0,
        distance=_distance(scored),
        hearing=hearing,
        muted=_muted(scored, hearing),
        gaps=_gaps(gaps, name),
        reaction=reaction,
        heard_only_female=only_female,
        heard_only_male=only_male,
    )


def _muted(scored: ScoredSystem, hearing: Hearing) -> tuple[MutedWord, ...]:
    """Return the words heard for him only whose forms differ, each with the first sentences that score otherwise."""
    found = []
    for word in hearing.only_male:
        his, hers = (
            [place for place in scored.texts.places if (place.word, place.gender) == (word, gender)]
            for gender in ("male", "female")
        )
        pairs = [
            MutedWord(him.form, her.form, him.text, her.text)
            for him, her in zip(his, hers, strict=False)
            if him.form != her.form and scored.scores[him.text] != scored.scores[her.text]
        ]
        found += pairs[:1]
    return tuple(found)


def _distance(scored: ScoredSystem) -> float:
    """Return the mean score of joyful sentences minus that of the sentences with other emotions, over all words."""
    columns = scored.texts.pairs.columns
    kinds: dict[bool, list[float]] = {True: [], False: []}
    for emotion, text in zip(columns["emotion"], columns["text"], strict=True):
        score = scored.scores.get(text, math.nan)
        if emotion != "none" and not math.isnan(score):
            kinds[emotion == "joy"].append(score)
    if not all(kinds.values()):
        return 0.0
    return math.fsum(kinds[True]) / len(kinds[True]) - math.fsum(kinds[False]) / len(kinds[False])


def _gaps(result: Result | None, name: str) -> dict[str, CensusGap]:
    """Return the answers to the questions; of two, as of words that agree and others, one with a gap."""
    found = {}
    for finding in sorted(result.gaps if result else (), key=lambda each: each.found):
        comparison = finding.comparison
        for question, (axes, subset) in QUESTIONS.items():
            asked = (comparison.axes, comparison.subset, comparison.within) == (axes, subset, "")
            if not asked or comparison.is_interaction or finding.system not in (name, None):
                continue
            found[question] = _gap(result, finding, name)
    return found


def _gap(result: Any, finding: Any, name: str) -> CensusGap:
    comparison = finding.comparison
    term = next(
        term
        for term in result.terms
        if term["term"] == comparison.axes
        and (term.system in (name, None))
        and (term.subset, term.level, term.emotion) == (comparison.subset, comparison.level, None)
    )
    return CensusGap(finding.answer, term.effect, term.ci_low, term.ci_high, finding.found_from, term.p)


def _heard(result: Result | None, name: str) -> tuple[CensusReaction | None, int | None, int | None]:
    """Return how the feelings of women move the score, and the numbers of words heard for her only and for him only."""
    reaction, only_female, only_male = None, None, None
    for term in result.terms if result else ():
        if term.system not in (name, None) or term.subset != "pairs" or term.emotion is not None:
            continue
        if term.term == "gender:reaction" and term.agreement is None:
            reaction = CensusReaction(term.ratio, term.ratio_low, term.ratio_high)
        if term.term == "gender:heard":
            only_female, only_male = term.only_level, term.only_reference
    return reaction, only_female, only_male


def _accuracy(scored: ScoredSystem) -> Accuracy | None:
    """Return how well a system tells positive from negative texts; None if too few texts have a label and a score."""
    labelled = scored.texts.labelled
    if labelled is None:
        return None
    scores = np.array([scored.scores.get(text, math.nan) for text in labelled.corpus.columns["text"]])
    there, positive = ~np.isnan(scores), np.array(labelled.positive)
    if min((positive & there).sum(), (~positive & there).sum()) < FEWEST:
        return None
    return measure_accuracy(scored.system.language, labelled.corpus.name, scores[there], positive[there])


def _adjusted(rows: Sequence[CensusRow]) -> list[CensusRow]:
    """Adjust the p of all gaps of rows that are not deaf, over the whole census."""
    keys = [
        (place, question)
        for place, row in enumerate(rows)
        for question, gap in row.gaps.items()
        if not row.deafness and gap.p is not None
    ]
    adjusted = dict(zip(keys, adjust([_p(rows, *key) for key in keys]), strict=True))
    found = []
    for place, row in enumerate(rows):
        gaps = {question: replace(gap, p_census=adjusted.get((place, question))) for question, gap in row.gaps.items()}
        found.append(replace(row, gaps=gaps))
    return found


def _p(rows: Sequence[CensusRow], place: int, question: str) -> float:
    value = rows[place].gaps[question].p
    assert value is not None
    return value


def adjust(values: Sequence[float]) -> list[float]:
    """Return the adjusted p-values of Benjamini & Hochberg (1995)."""
    order = sorted(range(len(values)), key=lambda place: values[place], reverse=True)
    adjusted, least = [0.0] * len(values), 1.0
    for number, place in enumerate(order):
        least = min(least, values[place] * len(values) / (len(values) - number))
        adjusted[place] = least
    return adjusted


def _with_instruments(rows: Sequence[CensusRow], scored: Sequence[ScoredSystem]) -> list[CensusRow]:
    """Name for each row the first system of its language whose scores have the same ranks."""
    from scipy.stats import spearmanr

    firsts: dict[str, list[tuple[str, Mapping[str, float]]]] = {}
    found = []
    for row, each in zip(rows, scored, strict=True):
        instrument = ""
        if not row.failure:
            instrument = row.system
            compared = each.texts.labelled.corpus if each.texts.labelled else each.texts.pairs
            texts = list(dict.fromkeys(compared.columns["text"]))
            for name, scores in firsts.setdefault(row.language, []):
                known = [
                    (scores[text], each.scores[text])
                    for text in texts
                    if not math.isnan(scores.get(text, math.nan) + each.scores.get(text, math.nan))
                ]
                if _vary(known) and spearmanr(known).statistic > SAME:
                    instrument = name
                    break
            else:
                firsts[row.language].append((row.system, each.scores))
        found.append(replace(row, instrument=instrument))
    return found


def _vary(known: Sequence[tuple[float, float]]) -> bool:
    return all(len(set(values)) > 1 for values in zip(*known, strict=True)) if known else False
