"""Words that say a group: the word is chosen, and another could have been, so it adds to the variance.

Neutral words (*tall*, *Danish*) stand on the same phrases in place of the word for the group. Each of them gives the
value that a contrast would have if this word stood for the level. The variance s² of these values over the words is
added once for each level that a word says. A level that several wordings say (*trans*, *transgender*) has their mean,
so it adds a part, of s² or of the variance over its own wordings, whichever is larger.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from eec_bias.options import Bools, Floats, Ints
from eec_bias.stats.default_test import Estimates, student_t

FEWEST_WORDS = 3
"""With fewer neutral words there are less than two degrees of freedom, and none are used."""

NEUTRAL = -1
"""The level of a neutral word."""


@dataclass(frozen=True, eq=False)
class Phrases:
    """Q phrases that have one word in the place of another, on the J items of a table.

    Attributes
    ----------
    rows : (Q, J) integer array
        Where each score stands; −1 where there is no row.
    word : (Q,) integer array
        The word of each, of ``words``.
    level : (Q,) integer array
        The level that the word says, `NEUTRAL` if it says none.
    group : (Q,) integer array
        The combination of levels of the other axes.
    base : (Q,) integer array
        The phrase without the word.
    words : tuple of str
        The words, in English.
    """

    rows: Ints
    word: Ints
    level: Ints
    group: Ints
    base: Ints
    words: tuple[str, ...]

    @cached_property
    def neutral(self) -> Ints:
        """Return which of the words are neutral."""
        return np.unique(self.word[self.level == NEUTRAL])

    @property
    def has_neutral(self) -> bool:
        """Return whether there are enough neutral words."""
        return len(self.neutral) >= FEWEST_WORDS

    def gather(self, scores: Floats) -> Floats:
        """Lay scores (…, n) of the data's rows out as (…, Q, J): NaN where there is no row."""
        values = np.take(scores, self.rows, axis=-1)
        values[..., self.rows < 0] = np.nan
        return values

    def wordings_of(self, level: int) -> Ints:
        """Return the words that say a level; empty unless there are several."""
        own = np.unique(self.word[self.level == level])
        return own if len(own) > 1 else own[:0]


class OfWords(NamedTuple):
    """The part of the choice of words in the variance of rows of contrasts.

    Attributes
    ----------
    variance, denominator : (S, R) arrays
        And what it adds to the denominator of the degrees of freedom.
    """

    variance: Floats
    denominator: Floats


@dataclass(frozen=True, eq=False)
class WordScores:
    """Scores of phrases with other words, which all contrasts of a table take.

    Attributes
    ----------
    phrases : Phrases
        The phrases.
    values : (S, Q, J) array
        Their scores.
    emotion : (J,) integer array
        The emotion of each item; −1 for an item without.
    emotions : int
        How many emotions there are.
    """

    phrases: Phrases
    values: Floats
    emotion: Ints
    emotions: int

    @cached_property
    def means(self) -> Floats:
        """Means (S, W, G, 1 + E) of each word in each group, off the mean of the words there.

        On all items, and on those of each emotion.
        """
        phrases, systems = self.phrases, len(self.values)
        known = ~np.isnan(self.values)
        off = np.where(known, self.values, 0.0)
        place = np.stack([phrases.level, phrases.group, phrases.base], axis=1)
        blocks = np.unique(place, axis=0, return_inverse=True)[1].reshape(-1)
        for block in range(int(blocks.max()) + 1):
            there = np.flatnonzero(blocks == block)
            count = known[:, there].sum(axis=1, keepdims=True)
            mean = off[:, there].sum(axis=1, keepdims=True) / np.maximum(count, 1)
            off[:, there] = np.where(known[:, there], off[:, there] - mean, 0.0)
        groups = int(phrases.group.max()) + 1
        of_word = phrases.word * groups + phrases.group
        member = np.equal.outer(np.arange(len(phrases.words) * groups), of_word).astype(float)
        every = np.ones((len(self.emotion), 1))
        items = np.hstack([every, np.equal.outer(self.emotion, np.arange(self.emotions)).astype(float)])
        total, number = member @ (off @ items), member @ (known.astype(float) @ items)
        with np.errstate(invalid="ignore"):
            means = np.where(number > 0, total / np.maximum(number, 1), np.nan)
        return means.reshape(systems, len(phrases.words), groups, -1)


@dataclass(frozen=True, eq=False)
class WordSpread:
    """The spread of a contrast over the words that say its levels.

    Attributes
    ----------
    scores : WordScores
        Of the phrases with other words.
    weights : (S, L, G) or (1, L, G) array
        The contrast, over the levels that words may say and the combinations of the other axes' levels.
    said : (L,) array of bool
        Whether a word says the level.
    """

    scores: WordScores
    weights: Floats
    said: Bools

    @property
    def phrases(self) -> Phrases:
        """The phrases with other words."""
        return self.scores.phrases

    def overall(self) -> OfWords:
        """Return what words add to the contrast over all items, (S, 1)."""
        return self._spread(self.scores.means[..., :1], np.ones((1, 1)))

    def by_emotion(self, coefficients: Floats) -> OfWords:
        """Return what words add to the contrast between emotions by coefficients (Q, E), (S, Q)."""
        return self._spread(self.scores.means[..., 1:], coefficients)

    def _spread(self, means: Floats, coefficients: Floats) -> OfWords:
        """Take means (S, W, G, C) on sets of items, which coefficients (Q, C) weigh."""
        of_neutral = self._variance_over(self.phrases.neutral, means, coefficients)
        free = len(self.phrases.neutral) - 1
        shape = of_neutral.shape[1:]
        neutral, variance, denominator = np.zeros(shape), np.zeros(shape), np.zeros(shape)
        for level in np.flatnonzero(self.said & (self.weights != 0).any(axis=(0, 2))).tolist():
            own = self.phrases.wordings_of(level)
            if not len(own):
                neutral += of_neutral[level]
                continue
            of_own = self._variance_over(own, means, coefficients)[level]
            larger = of_own > of_neutral[level]
            part = np.where(larger, of_own, of_neutral[level]) / len(own)
            variance += part
            denominator += part**2 / np.where(larger, len(own) - 1, free)
        return OfWords(neutral + variance, neutral**2 / free + denominator)

    def _variance_over(self, words: Ints, means: Floats, coefficients: Floats) -> Floats:
        """Return the variance (L, S, Q) over words of what a contrast would be if they stood for a level."""
        weights = np.broadcast_to(self.weights, (len(means), *self.weights.shape[1:]))
        values = np.einsum("slg,swgc,qc->lswq", weights, np.nan_to_num(means[:, words]), coefficients)
        lacks = np.einsum("slg,swgc,qc->lswq", weights != 0, np.isnan(means[:, words]), coefficients != 0) > 0
        count = np.maximum((~lacks).sum(axis=2), 1)
        mean = np.where(lacks, 0.0, values).sum(axis=2) / count
        squares = np.where(lacks, 0.0, values - mean[:, :, None]) ** 2
        return np.asarray(squares.sum(axis=2) / np.maximum(count - 1, 1))


def add_words(estimates: Estimates, of_words: OfWords) -> Estimates:
    """Return estimates with what the choice of words adds to their variance; degrees of freedom are Satterthwaite's."""
    variance = estimates.se**2 + of_words.variance
    se = np.sqrt(variance)
    with np.errstate(divide="ignore", invalid="ignore"):
        alone = np.where(estimates.se > 0, estimates.se**4 / estimates.df, 0.0)
        df = np.where(variance > 0, variance**2 / (alone + of_words.denominator), np.nan)
    t, p = student_t(estimates.effect, se, df)
    # Without spread of words a contrast stays what it is: also one that has no p as it only differs between emotions.
    same = of_words.variance == 0
    return estimates._replace(
        se=se,
        df=np.where(same, estimates.df, df),
        t=np.where(same, estimates.t, np.where(np.isnan(df), np.nan, t)),
        p=np.where(same, estimates.p, p),
        words=estimates.words + of_words.variance,
    )


def describe(estimates: Estimates) -> Estimates:
    """Return the test over sentences alone, V = V_S: nothing says how far the words for the groups matter."""
    se, df = np.sqrt(estimates.sentences), estimates.df_sentences
    t, p = student_t(estimates.effect, se, df)
    return estimates._replace(se=se, df=df, t=np.where(np.isnan(df), np.nan, t), p=p)


def spread_of(scores: WordScores, weights: Floats, said: Bools) -> WordSpread | None:
    """Return how far a contrast over levels × groups depends on words; None if no word enters it.

    A contrast that weighs all levels alike is over them, whatever words say them.
    """
    if (weights == weights[:, :1]).all() or not (said & (weights != 0).any(axis=(0, 2))).any():
        return None
    return WordSpread(scores, weights, said)
