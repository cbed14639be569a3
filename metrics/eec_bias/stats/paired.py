"""Pairs and phrases: each contrast within the bases that have both its sides."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from eec_bias.notes import Note
from eec_bias.options import Floats, Ints
from eec_bias.stats.contrasts import Contrast
from eec_bias.stats.effect_sizes import paired_superiority
from eec_bias.stats.equal import furthest_apart
from eec_bias.stats.families import one_family
from eec_bias.stats.inference import Inference
from eec_bias.stats.layout import Table, units_of
from eec_bias.stats.omnibus import Group, correlate_alike, find_groups
from eec_bias.stats.sign_flips import differences, flip_p
from eec_bias.stats.sums import Sums
from eec_bias.stats.tested import Analysis, Part
from eec_bias.stats.units import UnitScores, sum_up
from eec_bias.stats.words import WordScores, WordSpread, spread_of


@dataclass(frozen=True)
class Pairs(Analysis):
    """Contrasts within bases: each is a part of its own, with the differences within its bases as one cell."""

    def unit_name(self, contrast: int, unit: int) -> str:
        """Name a base."""
        person = int(self.persons[contrast][unit, 0])
        return self.table.bases[int(self.table.base[person])]

    @property
    def differences(self) -> list[Floats]:
        """Of each contrast its mean over items within each base, (S, U)."""
        return [part.sums.person for part, _ in self.rows]

    @cached_property
    def groups(self) -> list[Group]:
        """Terms tested as a whole, where all their contrasts rest on the same bases."""
        groups = find_groups(self.contrasts)
        return [group for group in groups if self._same_bases(group.rows)]

    def _same_bases(self, rows: Sequence[int]) -> bool:
        first, *others = (self.table.base[self.persons[r][:, 0]] for r in rows)
        return all(np.array_equal(bases, first) for bases in others)

    def _superiority(self, row: int) -> Floats:
        return paired_superiority(self.differences[row], self.scale)

    def correlation(self, rows: list[int]) -> Floats:
        """Of some contrasts, (S, r, r)."""
        return correlate_alike(self.weights[rows], len(self.sums.cell))

    def permutation(self) -> tuple[Floats, Floats]:
        """Return the exact p from changes of sign, of rows and groups."""
        of_rows = [(r,) for r in range(len(self.contrasts))]
        rows, whole = (
            np.array([self._flip(members) for members in chosen]).reshape(len(chosen), len(self.sums.cell)).T
            for chosen in (of_rows, [group.rows for group in self.groups])
        )
        return rows, whole

    def _flip(self, rows: Sequence[int]) -> Floats:
        chosen = [self.differences[r] for r in rows]
        return flip_p(chosen, self.scale)


def pair_up(
    table: Table, contrasts: Sequence[Contrast], scores: UnitScores, sums: Sums, score_range: tuple[float, float],
    inference: Inference, resolution: Floats,
) -> Pairs:  # fmt: skip
    """Take each contrast within the bases that have both its sides; one with a single base is left out."""
    comparable, parts, notes, compared = [], [], [], []
    of_words = _score_words(table, scores)
    for contrast in contrasts:
        persons = table.within_bases(np.flatnonzero(contrast.weights))
        bases, sides = persons.shape
        if bases < 5:
            if bases == 0:
                key = "no_pair_left"
            elif bases == 1:
                key = "one_pair_left"
            else:
                key = "few_pairs"
            units = units_of(table.subset)
            compared_groups = {"term": contrast.term, "level": contrast.level, "reference": contrast.reference}
            number = {"count": bases, "unit": units.removesuffix("s"), "units": units}
            notes.append(Note(key, {"subset": table.subset, **compared_groups, **number}))
        if bases > 1:
            gaps = _within_bases(scores, persons, contrast)
            one_cell = np.zeros(bases, dtype=np.intp)
            gap_sums = sum_up(gaps, one_cell, table.facets)
            families = table.families_of(persons[:, 0])
            refused = one_family(families, one_cell)
            words, described = _words_of(table, contrast, of_words)
            comparable.append(contrast)
            whole = np.ones((1, 1))
            parts.append(Part(gap_sums, whole, np.array([sides]), gaps, families, refused, words, described))
            compared.append(persons)
    parts = parts or [Part(sums, np.zeros((0, len(sums.count))), np.ones(len(sums.count), dtype=np.intp), scores)]
    tested = table.subset, tuple(comparable), tuple(parts), table.facets, score_range, inference
    apart = furthest_apart(scores, compared, resolution)
    equal = apart <= resolution[:, None]
    return Pairs(*tested, table, sums, tuple(notes), tuple(compared), scores, resolution, equal=equal, apart=apart)


def _score_words(table: Table, scores: UnitScores) -> WordScores | None:
    """Return the scores of phrases with neutral words; None without enough of these."""
    phrases = table.phrases
    if phrases is None or scores.of_phrases is None or not phrases.has_neutral:
        return None
    return WordScores(phrases, scores.of_phrases, table.facets.emotion, len(table.facets.emotions))


def _words_of(table: Table, contrast: Contrast, of_words: WordScores | None) -> tuple[tuple[WordSpread, ...], bool]:
    """Return how far a contrast depends on the words for its levels, and whether nothing says it although it does."""
    if not table.worded:
        return (), False
    if of_words is None:
        return (), table.worded in contrast.axes and bool(table.said.any())
    spread = spread_of(of_words, table.by_level(contrast.weights[None]), table.said)
    return (() if spread is None else (spread,)), False


def _within_bases(scores: UnitScores, persons: Ints, contrast: Contrast) -> UnitScores:
    """The differences within bases: of each run, and their mean."""
    gaps = differences(scores.values, persons, contrast.weights)
    if scores.runs is None:
        return UnitScores(gaps, within_bases=True)
    of_runs = np.stack([differences(run, persons, contrast.weights) for run in np.moveaxis(scores.runs, 1, 0)], axis=1)
    return UnitScores(gaps, of_runs, within_bases=True)
