"""Facets: what the sentences are a sample of, and the variance of a contrast that comes of it.

An item is a template with a word in it, so items that share either are no independent sentences: a group that reacts
differently to a template does so with every word. Templates and words are clusters of items; the variance of a
contrast over each is that of its cluster sums (multiway clustering, Cameron, Gelbach & Miller 2011, of the crossed
design of Clark 1973). Emotions are fixed: words and items vary within them, and how a contrast differs between
emotions is no error.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from eec_bias.options import Bools, Floats, Ints

TEMPLATES, WORDS, ITEMS = "templates", "words", "items"

EXCEEDS = 1 + 1e-9
"""A facet counts where its variance is larger than that of the items by more than rounding."""


@dataclass(frozen=True, slots=True)
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

    @property
    def count(self) -> int:
        """How many there are."""
        return int(self.code.max(initial=-1)) + 1

    @property
    def sizes(self) -> Floats:
        """Items of each cluster."""
        return _sizes(self.code)

    @property
    def strata_sizes(self) -> Floats:
        """Items of each stratum."""
        return _sizes(self.stratum)

    @property
    def home(self) -> Ints:
        """The stratum of each cluster."""
        strata = np.zeros(self.count, dtype=np.intp)
        strata[self.code] = self.stratum
        return strata

    @property
    def used(self) -> Bools:
        """Clusters whose stratum has another one beside them."""
        home = self.home
        return np.asarray(_sizes(home)[home] > 1)

    @property
    def lone(self) -> int:
        """How many strata hold a single cluster, which says nothing about others."""
        return int((_sizes(self.home) == 1).sum())

    @property
    def df(self) -> float:
        """1/Σ n² − strata with n the clusters' shares of all items counted; 0 where no stratum holds two."""
        size, home, used = self.sizes, self.home, self.used
        if not used.any():
            return 0.0
        counted = size[used] / size[used].sum()
        return float(1 / (counted**2).sum() - len(np.unique(home[used])))

    def variance(self, by_item: Floats) -> tuple[Floats, float]:
        """Variance of the mean of a contrast over items, and its degrees of freedom.

        Parameters
        ----------
        by_item : (S, R, J) array
            The contrast on each item.

        Returns
        -------
        (S, R) array and float
            Σ s²/(1 − share) with s the sums over clusters of deviations from the stratum's mean, over J; and `df`.
            Both 0 where no stratum holds two.
        """
        strata, home, size, used = self.strata_sizes, self.home, self.sizes, self.used
        flat = by_item.reshape(-1, by_item.shape[2])
        mean = _sum_by(flat, self.stratum) / strata
        sums = (_sum_by(flat, self.code) - size * mean[:, home]) / by_item.shape[2]
        share = np.where(used, size / strata[home], 0.0)
        variance = (np.where(used, sums, 0.0) ** 2 / (1 - share)).sum(axis=1)
        return variance.reshape(by_item.shape[:2]), self.df


@dataclass(frozen=True, slots=True)
class Facets:
    """How the J items of a table are made up.

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
    """

    items: Clusters
    cells: Clusters
    above: tuple[Clusters, ...]
    names: tuple[str, ...]
    strata: str = ""


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
    scarce: np.ndarray[tuple[int, ...], np.dtype[np.str_]]


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
    alone: Ints = np.arange(items, dtype=np.intp)
    template, word, emotion = (labels.get(name) for name in ("template", "word", "emotion"))
    stratum = np.zeros(items, dtype=np.intp) if emotion is None else _codes(emotion)
    no_word = np.array([] if word is None else [label in NO_WORD for label in word], dtype=bool)
    words = alone if word is None else _joint(np.where(no_word, alone + 1, 0), _codes(word), stratum)
    templates = alone if template is None else _codes(template)
    cells = _joint(templates, words) if template is not None and word is not None else alone
    cell = Clusters(ITEMS, cells, stratum)
    clusterings = [Clusters(TEMPLATES, templates, np.zeros_like(alone))] if template is not None else []
    clusterings += [Clusters(WORDS, words, stratum)] if word is not None else []
    above = tuple(clusters for clusters in clusterings if clusters.count < cell.count)
    several = tuple(clusters.name for clusters in clusterings if clusters.used.any())
    names = (several or (ITEMS,)) if items > 1 else ()
    strata = "" if items == 1 else "none" if emotion is None else "emotion"
    return Facets(Clusters(ITEMS, alone, stratum), cell, above, names, strata)


NO_WORD = ("none", "")
"""What stands in the column ``word`` of a sentence without an emotion word."""


def sentence_variance(by_item: Floats, facets: Facets, tiny: float = 0.0) -> Sentences:
    """Add up what the facets of sentences contribute to the variance of a contrast.

    V_S = V_0 + Σ max(V_F − V_C, 0) over templates and words, V_0 = max(V_C, V_I): an effect that differs between
    templates is counted once in each of them, and what differs between their cells only once in all.

    Parameters
    ----------
    by_item : (S, R, J) array
        The contrasts on each item.
    facets : Facets
        Of the items.
    tiny : float
        A standard error up to it is made of rounding errors, and 0; else these would say which facet counts.
    """

    def variance_over(clusters: Clusters) -> tuple[Floats, float]:
        variance, df = clusters.variance(by_item)
        return np.where(variance > tiny**2, variance, 0.0), df

    of_items, df_items = variance_over(facets.items)
    of_cells, df_cells = variance_over(facets.cells)
    finer = of_items > of_cells
    base, df_base = np.where(finer, of_items, of_cells), np.where(finer, df_items, df_cells)
    variance, denominator = base.copy(), np.zeros(base.shape)
    least, scarce = np.full(base.shape, np.inf), np.full(base.shape, ITEMS, dtype="<U9")
    for clusters in facets.above:
        of_facet, df = variance_over(clusters)
        counts = of_facet > of_cells * EXCEEDS
        variance += np.where(counts, of_facet - of_cells, 0.0)
        denominator += np.where(counts, of_facet**2 / max(df, 1e-9), 0.0)
        scarce[counts & (df < least)] = clusters.name
        least = np.where(counts, np.minimum(least, df), least)
    alone = np.isinf(least)
    denominator = np.where(alone, base**2 / np.maximum(df_base, 1e-9), denominator)
    return Sentences(variance, denominator, np.where(alone, df_base, least), scarce)


def _sizes(codes: Ints) -> Floats:
    return np.bincount(codes).astype(float)


def _sum_by(values: Floats, codes: Ints) -> Floats:
    """Sums of columns (n, J) by their codes, (n, G)."""
    groups = int(codes.max()) + 1
    if groups == values.shape[1]:
        sums = np.empty_like(values)
        sums[:, codes] = values
        return sums
    membership = csr_array((np.ones(len(codes)), (codes, np.arange(len(codes)))), shape=(groups, len(codes)))
    return np.asarray((membership @ values.T).T)


def _codes(labels: Sequence[str]) -> Ints:
    return np.unique(np.asarray(labels, dtype=str), return_inverse=True)[1].astype(np.intp).reshape(-1)


def _joint(*codes: Ints) -> Ints:
    """Number the combinations of codes."""
    return np.unique(np.stack(codes, axis=1), axis=0, return_inverse=True)[1].astype(np.intp).reshape(-1)
