"""Facets: what the sentences are a sample of, and the variance of a contrast that comes of it.

An item is a template with a word in it, so items that share either are no independent sentences: a group that reacts
differently to a template does so with every word. Templates and words are clusters of items; the variance of a
contrast over each is that of its cluster sums (multiway clustering, Cameron, Gelbach & Miller 2011, of the crossed
design of Clark 1973). Emotions are fixed: words and items vary within them, and how a contrast differs between
emotions is no error.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from eec_bias.options import Bools, Floats, Ints
from eec_bias.stats.clustered import number_combinations, sum_by
from eec_bias.stats.rounding import exceeds

TEMPLATES, WORDS, ITEMS = "templates", "words", "items"


@dataclass(frozen=True)
class Clusters:
    """A partition of J items, as far as it says something: clusters within strata that hold at least two of them.

    Attributes
    ----------
    name : str
        What a cluster is, in the plural.
    code : (J,) integer array
        Each item's cluster.
    stratum : (J,) integer array
        Each item's stratum; a cluster lies within one.
    """

    name: str
    code: Ints
    stratum: Ints

    @cached_property
    def count(self) -> int:
        """Return how many there are."""
        return int(self.code.max(initial=-1)) + 1

    @cached_property
    def sizes(self) -> Floats:
        """Items of each cluster."""
        return _sizes(self.code)

    @cached_property
    def strata_sizes(self) -> Floats:
        """Items of each stratum."""
        return _sizes(self.stratum)

    @cached_property
    def home(self) -> Ints:
        """The stratum of each cluster."""
        strata = np.zeros(self.count, dtype=np.intp)
        strata[self.code] = self.stratum
        return strata

    @cached_property
    def used(self) -> Bools:
        """Clusters whose stratum has another one beside them."""
        home = self.home
        return np.asarray(_sizes(home)[home] > 1)

    @cached_property
    def lone(self) -> int:
        """Return how many strata hold a single cluster, which says nothing about others."""
        return int((_sizes(self.home) == 1).sum())

    @cached_property
    def factor(self) -> Floats:
        """Return what makes up for a cluster's pull on its stratum's mean, 1/(1 − share); 0 of one that is not used."""
        share = np.where(self.used, self.sizes / self.strata_sizes[self.home], 0.0)
        return np.where(self.used, 1 / (1 - share), 0.0)

    @cached_property
    def df(self) -> float:
        """1/Σ n² − strata with n the clusters' shares of all items counted; 0 where no stratum holds two."""
        size, home, used = self.sizes, self.home, self.used
        if not used.any():
            return 0.0
        counted = size[used] / size[used].sum()
        strata = np.count_nonzero(np.bincount(home[used]))
        return float(1 / (counted**2).sum() - strata)

    def variance(self, by_item: Floats) -> Floats:
        """Variance of the mean of a contrast over items.

        Parameters
        ----------
        by_item : (S, R, J) array
            The contrast on each item.

        Returns
        -------
        (S, R) array
            Σ s²/(1 − share) with s the sums over clusters of deviations from the stratum's mean, over J. 0 where no
            stratum holds two.
        """
        home, items = self.home, by_item.shape[2]
        flat = by_item.reshape(-1, items)
        mean = sum_by(flat, self.stratum, len(self.strata_sizes)) / self.strata_sizes
        # Off the mean of the stratum, in place: of persons × items this is much.
        off = np.take(mean, home, axis=1)
        off *= -self.sizes
        off += sum_by(flat, self.code, self.count)
        variance = np.einsum("ng,ng,g->n", off, off, self.factor / items**2)
        return np.asarray(variance.reshape(by_item.shape[:2]))


@dataclass(frozen=True)
class Facets:
    """The facets of the J items of a table.

    Attributes
    ----------
    items, cells : Clusters
        Every item by itself; and the cells of template × word, which an item is unless it is finer (two speakers).
    above : tuple of Clusters
        The facets that are coarser than the cells: templates, words.
    names : tuple of str
        What is a sample, in the order it is told: ``templates``, ``words``, or ``items`` alone. What there is one of
        (of words: one in every emotion) is no sample.
    strata : str
        The column that items and words are stratified by, ``none`` where the data have none; empty with one item.
    emotions : tuple of str
        The emotions that can be compared, with two items or more each; none where there are fewer than two of them.
    emotion : (J,) integer array
        Each item's emotion among these; −1 for an item of another, or of none.
    lone_emotions : tuple of str
        Emotions with one item, which take no part in the comparison.
    template, word : (J,) integer array, optional
        Each item's template and word, where they are known.
    """

    items: Clusters
    cells: Clusters
    above: tuple[Clusters, ...]
    names: tuple[str, ...]
    strata: str = ""
    emotions: tuple[str, ...] = ()
    emotion: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.intp))
    lone_emotions: tuple[str, ...] = ()
    template: Ints | None = None
    word: Ints | None = None

    @cached_property
    def cells_within(self) -> tuple[Clusters, ...]:
        """The cells in the strata of each facet above them."""
        return tuple(Clusters(ITEMS, self.cells.code, clusters.stratum) for clusters in self.above)

    def beyond_cells(self, by_item: Floats) -> list[Floats]:
        """Variances (S, R) of contrasts (S, R, J) over each facet above the cells, minus those over the cells."""
        pairs = zip(self.above, self.cells_within, strict=True)
        return [clusters.variance(by_item) - cells.variance(by_item) for clusters, cells in pairs]


@dataclass(frozen=True, slots=True)
class Sentences:
    """Variance of S × R contrasts over sentences.

    Attributes
    ----------
    variance : (S, R) array
        V_S.
    denominator : (S, R) array
        D_S, what V_S adds to the denominator of the degrees of freedom.
    least : (S, R) array
        The smallest degrees of freedom among the facets that count.
    scarce : (S, R) array of str
        The facet these belong to.
    """

    variance: Floats
    denominator: Floats
    least: Floats
    scarce: np.ndarray[tuple[int, ...], np.dtype[np.object_]]


def with_classes(facets: Facets, agrees: Bools) -> Facets:
    """Stratify templates by whether words in them agree with the persons, if each class has two templates.

    A system may score one of two forms otherwise, which is no reason to doubt the templates whose words have one form.

    Parameters
    ----------
    facets : Facets
        Of the items.
    agrees : (J,) array of bool
        Items whose words have another form for another group.
    """
    above = []
    for clusters in facets.above:
        if clusters.name == TEMPLATES:
            of_template = np.bincount(clusters.code, agrees) > 0
            if min(int(of_template.sum()), int((~of_template).sum())) >= FEWEST_OF_CLASS:
                clusters = replace(clusters, stratum=of_template[clusters.code].astype(np.intp))  # noqa: PLW2901
        above.append(clusters)
    return replace(facets, above=tuple(above))


FEWEST_OF_CLASS = 2
"""A class of templates that is a stratum has so many."""


Comparable = tuple[tuple[str, ...], Ints, tuple[str, ...]]
"""The emotions that are compared, each item's position among them or −1, and the emotions with one item."""


def make_facets(items: int, labels: Mapping[str, Sequence[str] | None]) -> Facets:
    """Find the facets of J items.

    Parameters
    ----------
    items : int
        J.
    labels : mapping of str to sequence of str, optional
        ``template``, ``word`` and ``emotion`` of each item, as far as they are known. An item whose word is ``none``
        is a word of its own.
    """
    template, word, emotion = (labels.get(name) for name in ("template", "word", "emotion"))
    stratum = None if emotion is None else _codes(emotion)
    templates = None if template is None else _codes(template)
    words = None if word is None else _word_codes(word, templates, stratum)
    return _cluster_items(items, templates, words, stratum, _comparable_emotions(items, emotion))


def only_items(facets: Facets, items: Ints) -> Facets:
    """Return the facets of some of the items."""
    templates, words = (
        None if code is None else number_combinations(code[items]) for code in (facets.template, facets.word)
    )
    if facets.strata != "emotion":
        return _cluster_items(len(items), templates, words, None, _comparable_emotions(len(items), None))
    stratum = number_combinations(facets.items.stratum[items])
    labels = [facets.emotions[code] if code >= 0 else "none" for code in facets.emotion[items].tolist()]
    return _cluster_items(len(items), templates, words, stratum, _comparable_emotions(len(items), labels))


def _cluster_items(
    items: int, templates: Ints | None, words: Ints | None, emotion: Ints | None, comparable: Comparable
) -> Facets:
    """Return the facets of J items from the codes of their templates, words and emotions, as far as they are known."""
    alone: Ints = np.arange(items, dtype=np.intp)
    stratum = np.zeros_like(alone) if emotion is None else emotion
    cells = alone if templates is None or words is None else number_combinations(templates, words)
    cell = Clusters(ITEMS, cells, stratum)
    clusterings = []
    if templates is not None:
        clusterings.append(Clusters(TEMPLATES, templates, np.zeros_like(alone)))
    if words is not None:
        clusterings.append(Clusters(WORDS, words, stratum))
    above = tuple(clusters for clusters in clusterings if clusters.count < cell.count)
    several = tuple(clusters.name for clusters in clusterings if clusters.used.any())
    names = (several or (ITEMS,)) if items > 1 else ()
    if items == 1:
        strata = ""
    elif emotion is None:
        strata = "none"
    else:
        strata = "emotion"
    return Facets(Clusters(ITEMS, alone, stratum), cell, above, names, strata, *comparable, templates, words)


def _word_codes(word: Sequence[str], templates: Ints | None, emotion: Ints | None) -> Ints:
    """Number words within emotions; an item without a word has one of its own, or that of its template."""
    home = np.arange(len(word), dtype=np.intp) if templates is None else templates
    no_word = np.array([label in NO_WORD for label in word], dtype=bool)
    stratum = np.zeros_like(home) if emotion is None else emotion
    return number_combinations(np.where(no_word, home + 1, 0), _codes(word), stratum)


def _comparable_emotions(items: int, emotion: Sequence[str] | None) -> Comparable:
    """Name the emotions with two items or more, number them on the items, and name those with one item."""
    none = np.full(items, -1, dtype=np.intp)
    if emotion is None:
        return (), none, ()
    count = Counter(label for label in emotion if label not in NO_WORD)
    comparable = tuple(sorted(label for label, number in count.items() if number >= FEWEST_ITEMS_OF_EMOTION))
    lone = tuple(sorted(label for label in count if label not in comparable))
    if len(comparable) < FEWEST_EMOTIONS:
        return (), none, lone
    code = {label: k for k, label in enumerate(comparable)}
    return comparable, np.array([code.get(label, -1) for label in emotion], dtype=np.intp), lone


FEWEST_EMOTIONS = FEWEST_ITEMS_OF_EMOTION = 2
"""With fewer emotions, or items of an emotion, what differs between emotions cannot be told."""

NO_WORD = ("none", "")
"""Entries in the column ``word`` for a sentence without an emotion word."""


def sentence_variance(by_item: Floats, facets: Facets, tiny: float = 0.0, crossed: Sequence[Floats] = ()) -> Sentences:
    """Add up what the facets of sentences contribute to the variance of a contrast.

    Parameters
    ----------
    by_item : (S, R, J) array
        The contrasts on each item.
    facets : Facets
        Of the items.
    tiny : float
        A standard error up to it is made of rounding errors, and 0; else these would say which facet counts.
    crossed : sequence of (S, R) array, optional
        X_F of each facet in ``facets.above``: what names × facet puts into both the names and the facet.
    """

    def variance_over(clusters: Clusters) -> FacetVariance:
        variance = clusters.variance(by_item)
        return FacetVariance(clusters.name, variance, np.full(variance.shape, clusters.df))

    above = [variance_over(clusters) for clusters in facets.above]
    return add_facets(variance_over(facets.items), variance_over(facets.cells), above, crossed, tiny)


class FacetVariance(NamedTuple):
    """Variance of S × R contrasts over one facet, its degrees of freedom, and the facet's name."""

    name: str
    variance: Floats
    df: Floats


def add_facets(
    of_items: FacetVariance,
    of_cells: FacetVariance,
    above: Sequence[FacetVariance],
    crossed: Sequence[Floats] = (),
    tiny: float = 0.0,
) -> Sentences:
    """Add variances over facets up.

    V_S = V_0 + Σ max(V_F − V_C − X_F, 0) over templates and words, V_0 = max(V_C, V_I): an effect that differs between
    templates is counted once in each of them, what differs between their cells only once in all, and what a name does
    to a whole template not at all, as it is in the variance of the names.

    Parameters
    ----------
    of_items, of_cells : FacetVariance
        V_I and V_C.
    above : sequence of FacetVariance
        V_F of templates and words.
    crossed : sequence of (S, R) array, optional
        X_F of each of these; none counts as 0.
    tiny : float
        A standard error up to it is made of rounding errors, and 0.
    """

    def told(variance: Floats) -> Floats:
        return np.where(variance > tiny**2, variance, 0.0)

    items, cells = told(of_items.variance), told(of_cells.variance)
    finer = exceeds(items, cells)
    base, df_base = np.where(finer, items, cells), np.where(finer, of_items.df, of_cells.df)
    variance, denominator = base.copy(), np.zeros(base.shape)
    least, scarce = np.full(base.shape, np.inf), np.full(base.shape, ITEMS, dtype=object)
    for f, facet in enumerate(above):
        of_facet = told(facet.variance)
        twice = crossed[f] if len(crossed) else np.zeros(base.shape)
        counts = exceeds(of_facet, cells + twice)
        variance += np.where(counts, of_facet - cells - twice, 0.0)
        denominator += np.where(counts, of_facet**2 / np.maximum(np.nan_to_num(facet.df), 1e-9), 0.0)
        scarce[counts & exceeds(least, facet.df)] = facet.name
        least = np.where(counts, np.fmin(least, facet.df), least)
    alone = np.isinf(least)
    with np.errstate(invalid="ignore"):
        denominator = np.where(alone, base**2 / np.maximum(np.nan_to_num(df_base), 1e-9), denominator)
    return Sentences(variance, denominator, np.where(alone, np.nan_to_num(df_base), least), scarce)


def names_by_facet(deviation: Floats, cell: Ints, facets: Facets) -> tuple[Floats, ...]:
    """Return what names do to whole templates and words beyond their cells, of each cell of names.

    Parameters
    ----------
    deviation : (S, P, J) array
        Scores minus their cell's mean on the item.
    cell : (P,) integer array
        Each person's cell, of K, ascending.
    facets : Facets
        Of the items.

    Returns
    -------
    per facet in ``facets.above`` an (S, K) array
        V_NF − V_NC of a contrast with weight 1 on the cell; 0 for a cell of one person.
    """
    starts = np.flatnonzero(np.diff(cell, prepend=-1))
    members = np.diff(starts, append=len(cell)).astype(float)
    pairs = np.where(members > 1, members * (members - 1), np.inf)
    return tuple(np.add.reduceat(excess, starts, axis=1) / pairs for excess in facets.beyond_cells(deviation))


def _sizes(codes: Ints) -> Floats:
    return np.bincount(codes).astype(float)


def _codes(labels: Sequence[str]) -> Ints:
    return np.unique(np.asarray(labels, dtype=str), return_inverse=True)[1].astype(np.intp).reshape(-1)
