"""Heard: which words move the score about one member of a pair only.

Some systems score many sentences exactly alike: a word list gives 0 to whatever it does not know. This level of silence
is the score of a filler that no grammar moves. Without a filler it is found from the scores of a pair in one template,
as the value that a positive and a negative word share. A word that scores otherwise is heard. Words that agree with the
person, and are heard about one member of the pair only, are counted, and their number is tested by the signs (exact
binomial): over words, and over pairs, the larger p of the two.

The words that a system hears about anyone are counted person by person, see `hear`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.special import bdtr

from eec_bias.grouping import grouped
from eec_bias.options import Bools, Floats, Ints

TIES = 4
"""Sorted scores are the same value while neighbours are no further apart than so many resolutions."""

FEWEST_KNOWN = 0.5
"""With a smaller share of its places known, a system's scores do not tie, and nothing is counted."""

FILLER = "filler"
"""The word of the item whose word no grammar moves, which shows the level of silence as it is."""


@dataclass(frozen=True, eq=False)
class HeardItems:
    """The items of a table, J of them, as they are counted.

    Attributes
    ----------
    template : (J,) integer array
        Each item's template.
    sign : (J,) integer array
        1 for an item of a positive emotion, −1 for one of a negative emotion, 0 for others.
    word : (J,) integer array
        Each item's word.
    agrees : (J,) array of bool
        Items whose word has another form for the other side of the pair.
    filler : (J,) array of bool
        Items that have a filler for a word.
    """

    template: Ints
    sign: Ints
    word: Ints
    agrees: Bools
    filler: Bools

    @cached_property
    def counted(self) -> Bools:
        """Items that agree."""
        counted: Bools = self.agrees & (self.sign != 0)
        return counted

    @cached_property
    def templates(self) -> list[tuple[Ints, int | None]]:
        """Of each template its items with an emotion, and its filler, if it has one."""
        found = []
        for items in grouped((code, j) for j, code in enumerate(self.template.tolist())).values():
            chosen = np.array([j for j in items if self.sign[j] != 0], dtype=np.intp)
            fillers = [j for j in items if self.filler[j]]
            if len(chosen):
                found.append((chosen, fillers[0] if fillers else None))
        return found


@dataclass(frozen=True, eq=False)
class Heard:
    """The words that one system hears about either side of the pairs.

    Attributes
    ----------
    items : HeardItems
        The items.
    known : (U, J) array of bool
        Where the level of silence is known.
    level, reference : (U, J) arrays of bool
        Where a word is heard about either side; False where that is not known.
    """

    items: HeardItems
    known: Bools
    level: Bools
    reference: Bools

    @property
    def applies(self) -> bool:
        """Return whether enough scores tie."""
        counted = self.items.counted
        return bool(counted.any()) and float(self.known[:, counted].mean()) >= FEWEST_KNOWN

    @cached_property
    def _difference(self) -> Ints:
        return np.where(self.known, self.level.astype(int) - self.reference.astype(int), 0)

    @cached_property
    def balance(self) -> dict[int, int]:
        """By word that agrees 1 if it is heard more about the level, −1 about the reference, 0 about neither more."""
        total = self._difference.sum(axis=0)
        return {word: int(np.sign(total[self._of(word)].sum())) for word in self.words}

    @cached_property
    def words(self) -> list[int]:
        """The words that agree, each once."""
        return list(dict.fromkeys(self.items.word[self.items.counted].tolist()))

    def sign_of(self, word: int) -> int:
        """Return whether a word is positive, 1, or negative, −1."""
        return int(self.items.sign[self._of(word)][0])

    @cached_property
    def both(self) -> list[int]:
        """The words heard as often about either side, and heard somewhere."""
        return [word for word, sign in self.balance.items() if sign == 0 and self._is_heard(word)]

    @cached_property
    def neither(self) -> list[int]:
        """The words heard about no one."""
        return [word for word, sign in self.balance.items() if sign == 0 and not self._is_heard(word)]

    def only(self, sign: int) -> list[int]:
        """Return the words heard more about the level, 1, or about the reference, −1."""
        return [word for word, balance in self.balance.items() if balance == sign]

    @cached_property
    def one_way(self) -> bool:
        """Return whether positive and negative words lean to the same side."""
        lean = {side: sum(b for word, b in self.balance.items() if self.sign_of(word) == side) for side in (1, -1)}
        return lean[1] * lean[-1] > 0

    @cached_property
    def by_base(self) -> tuple[int, int]:
        """Return how many bases lean to the level, and to the reference."""
        signs = np.zeros(len(self.known), dtype=int)
        for word in self.words:
            signs += np.sign(self._difference[:, self._of(word)].sum(axis=1))
        return int((signs > 0).sum()), int((signs < 0).sum())

    @property
    def p_words(self) -> float:
        """The chance of so uneven a number of words."""
        return binomial_p(len(self.only(1)), len(self.only(-1)))

    @property
    def p_bases(self) -> float:
        """The chance of so uneven a number of bases; 1 for a single base, which makes the whole sample."""
        return binomial_p(*self.by_base)

    @property
    def p(self) -> float:
        """The larger of the two; with one base that of the words."""
        return self.p_words if len(self.known) == 1 else max(self.p_words, self.p_bases)

    def _of(self, word: int) -> Bools:
        chosen: Bools = self.items.counted & (self.items.word == word)
        return chosen

    def _is_heard(self, word: int) -> bool:
        return bool((self.level | self.reference)[:, self._of(word)].any())


def binomial_p(first: int, second: int) -> float:
    """Return the exact p with two sides that as many of the signs differ; 1 without any."""
    return min(1.0, 2 * float(bdtr(min(first, second), first + second, 0.5))) if first + second else 1.0


def listen(level: Floats, reference: Floats, items: HeardItems, resolution: Floats) -> list[Heard]:
    """Find which words each system hears about either side of the pairs.

    Parameters
    ----------
    level, reference : (S, U, J) arrays
        Scores of the sides of U bases, NaN where there is none.
    items : HeardItems
        The items.
    resolution : (S,) array
        How far apart scores of a system may be and still be equal.
    """
    shape = level.shape
    flat = (-1, shape[2])
    level, reference = level.reshape(flat), reference.reshape(flat)
    near = np.repeat(TIES * resolution, shape[1])[:, None]
    known, heard_level, heard_reference = (np.zeros(level.shape, dtype=bool) for _ in range(3))
    for chosen, filler in items.templates:
        first, second = level[:, chosen], reference[:, chosen]
        if filler is None:
            own_first, own_second, here = _off_silence(first, second, items.sign[chosen], near)
        else:
            silence_first, silence_second = level[:, [filler]], reference[:, [filler]]
            own_first, own_second = np.abs(first - silence_first) > near, np.abs(second - silence_second) > near
            here = ~np.isnan(first - silence_first) & ~np.isnan(second - silence_second)
        known[:, chosen] = here
        heard_level[:, chosen], heard_reference[:, chosen] = own_first & here, own_second & here
    by_system = (each.reshape(shape) for each in (known, heard_level, heard_reference))
    return [Heard(items, *of_system) for of_system in zip(*by_system, strict=True)]


def hear(scores: Floats, template: Ints, sign: Ints, resolution: Floats) -> tuple[Bools, Bools]:
    """Find where the scores of each person are off the level of silence, and where this level is known.

    The level is the score that a positive and a negative word of a template share; of several the most frequent, of
    equally frequent ones the nearest to 0. If there is none, the system tells all positive words from all negative
    ones, and hears every word of the template.

    Parameters
    ----------
    scores : (S, P, J) array
        Scores of P persons, NaN where there is none.
    template, sign : (J,) integer arrays
        Each item's template, and 1 if its emotion is positive, −1 if it is negative.
    resolution : (S,) array
        How far apart scores of a system may be and still be equal.
    """
    flat = scores.reshape(-1, scores.shape[2])
    near = np.repeat(TIES * resolution, scores.shape[1])[:, None]
    heard, known = ~np.isnan(flat), np.zeros(flat.shape, dtype=bool)
    for code in np.unique(template).tolist():
        items = np.flatnonzero(template == code)
        values = flat[:, items]
        # Most systems tie nowhere, which a sort shows fastest.
        persons = np.flatnonzero((np.diff(np.sort(values, axis=1), axis=1) <= near).any(axis=1))
        tied = Ties(values[persons], near[persons])
        _, silent = tied.most_frequent(tied.holds(sign[items] > 0) & tied.holds(sign[items] < 0))
        own = np.ix_(persons, items)
        known[own] = (silent >= 0)[:, None] & (tied.code >= 0)
        heard[own] &= tied.code != silent[:, None]
    return heard.reshape(scores.shape), known.reshape(scores.shape)


def _off_silence(first: Floats, second: Floats, sign: Ints, near: Floats) -> tuple[Bools, Bools, Bools]:
    """Return where the sides (U, n) of bases in one template are off the level of silence, and where that is known."""
    number = first.shape[1]
    difference = first - second
    tied = Ties(difference, near)
    # A gap moves positive and negative words alike, and weaker reactions move them apart.
    gap, _ = tied.most_frequent(tied.holds(sign > 0) & tied.holds(sign < 0))
    moved = first - np.where(np.isnan(gap), 0.0, gap)[:, None]
    pooled = Ties(np.concatenate([moved, second], axis=1), near)
    positive, negative, none = sign > 0, sign < 0, np.zeros(number, dtype=bool)
    of_first = pooled.holds(np.r_[positive, none]) & pooled.holds(np.r_[negative, none])
    of_second = pooled.holds(np.r_[none, positive]) & pooled.holds(np.r_[none, negative])
    _, silent = pooled.most_frequent(of_first | of_second)
    heard = pooled.code != silent[:, None]
    here = (silent >= 0)[:, None] & ~np.isnan(difference)
    return heard[:, :number], heard[:, number:], here


class Ties:
    """Values (U, n) in groups, row by row: sorted neighbours no further apart than a distance are the same value.

    Attributes
    ----------
    code : (U, n) integer array
        The group of each value; −1 where there is none.
    """

    def __init__(self, values: Floats, near: Floats) -> None:
        order = np.argsort(values, axis=1, kind="stable")
        ordered = np.take_along_axis(values, order, axis=1)
        with np.errstate(invalid="ignore"):
            begins = np.diff(ordered, axis=1, prepend=ordered[:, :1]) > near
        code = np.where(np.isnan(ordered), -1, np.cumsum(begins, axis=1))
        self.code = np.empty(values.shape, dtype=np.intp)
        np.put_along_axis(self.code, order, code, axis=1)
        self.groups = values.shape[1]
        counted = np.where(self.code >= 0, values, 0.0)
        self.size = self._add_up(np.ones(values.shape))
        self.value = self._add_up(counted) / np.maximum(self.size, 1)

    def holds(self, columns: Bools) -> Bools:
        """Return which groups (U, n) have a value in one of some columns."""
        return np.asarray(self._add_up(np.broadcast_to(columns, self.code.shape).astype(float)) > 0)

    def most_frequent(self, allowed: Bools) -> tuple[Floats, Ints]:
        """Return the value and the group of the largest of the groups allowed, of equal ones the nearest to 0.

        NaN and −1 where none is allowed.
        """
        size = np.where(allowed, self.size, 0)
        largest = size.max(axis=1)
        distance = np.where(allowed & (size == largest[:, None]), np.abs(self.value), np.inf)
        chosen = distance.argmin(axis=1)
        rows = np.arange(len(chosen))
        return (
            np.where(largest > 0, self.value[rows, chosen], np.nan),
            np.where(largest > 0, chosen, -1).astype(np.intp),
        )

    def _add_up(self, values: Floats) -> Floats:
        rows = np.arange(len(self.code))[:, None] * self.groups
        there = self.code >= 0
        flat = (rows + self.code)[there]
        sums = np.bincount(flat, values[there], minlength=self.code.size).astype(np.float64)
        return sums.reshape(self.code.shape)


def same_words(word: Ints, forms: Sequence[frozenset[str]], counted: Bools) -> Ints:
    """Give words that share all their forms one number: they are one word.

    Parameters
    ----------
    word : (J,) integer array
        Each item's word.
    forms : sequence of J sets of str
        The forms of each item's word.
    counted : (J,) array of bool
        Items whose words are counted.
    """
    every: Mapping[int, frozenset[str]] = {
        code: frozenset().union(*(forms[j] for j in items))
        for code, items in grouped((code, j) for j, code in enumerate(word.tolist()) if counted[j]).items()
    }
    first: dict[frozenset[str], int] = {}
    merged = word.copy()
    for code, own in every.items():
        merged[word == code] = first.setdefault(own, code) if own else code
    return merged
