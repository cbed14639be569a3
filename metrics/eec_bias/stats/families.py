"""Families: names that share a form, such as their first letters, and are no independent draws of a group's names."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy.special import betaincinv

from eec_bias.options import Floats, Ints
from eec_bias.stats.clustered import Clustering, find_pieces, number_combinations, sum_by
from eec_bias.stats.rounding import exceeds, first_largest

FEWEST_FAMILIES = 2
"""A partition that leaves fewer effective families than these in some cell is not used."""

NO_FAMILY = ("none", "")
"""Entries in a column of families for a name without a family; such a name is alone."""


@dataclass(frozen=True, eq=False)
class Families:
    """A partition of P names.

    Attributes
    ----------
    name : str
        The column it is from, such as ``family`` or ``ending``.
    code : (P,) integer array
        The family of each name, which may have members in several cells.
    """

    name: str
    code: Ints

    @cached_property
    def says_something(self) -> bool:
        """Return whether any two names share a family."""
        return len(np.unique(self.code)) < len(self.code)


class NameVariance(NamedTuple):
    """The part of names in the variance of S × R contrasts; arrays are (S, R).

    Attributes
    ----------
    variance, denominator : arrays
        V_name, and what it adds to the denominator of the degrees of freedom.
    alone, df_alone : arrays
        V_N of names one by one, and Welch's degrees of freedom.
    families : array
        The largest variance over a partition into families; V_N where there is none.
    df_families : array
        The fewest degrees of freedom of a partition; NaN where there is none.
    least : array
        The fewest degrees of freedom of a partition that counts; infinite where none does.
    scarce : array of str
        The partition they belong to.
    deciding : array of str
        The partition with the largest variance of those that count; empty where none does.
    largest : array
        The share of V_N that the name furthest from its group has.
    furthest : integer array
        That name's position.
    """

    variance: Floats
    denominator: Floats
    alone: Floats
    df_alone: Floats
    families: Floats
    df_families: Floats
    least: Floats
    scarce: np.ndarray[tuple[int, ...], np.dtype[np.object_]]
    deciding: np.ndarray[tuple[int, ...], np.dtype[np.object_]]
    largest: Floats
    furthest: Ints


MOST_OF_ONE, BY_CHANCE = 0.4, 0.05
"""A name with a larger share of the spread makes it; of few names the furthest has more by chance, so often at most."""


def most_of_one(weights: Floats, count: Floats) -> float:
    """The share of the spread of a contrast above which one unit is said to make it.

    `MOST_OF_ONE` or, of fewer than 20 units, what the furthest of normal ones exceeds in one of 20 draws: the critical
    value of Grubbs (1950), as a share of the sum of squares. Units of a small cell count more, and so do others less:
    what counts are the units, and the cells, that would give as many degrees of freedom if all had the same part.

    Parameters
    ----------
    weights : (K,) array
        Of the cells.
    count : (K,) array
        Units of each.
    """
    used = (weights != 0) & (count > 1)
    if not used.any():
        return 1.0
    parts, free = weights[used] ** 2 / count[used], count[used] - 1
    cells = parts.sum() ** 2 / (parts**2).sum()
    left = parts.sum() ** 2 / (parts**2 / free).sum()
    if left <= 1:
        # Two units are as far from their mean, whatever they are.
        return 1.0
    units = left + cells
    furthest = left / units * betaincinv(0.5, (left - 1) / 2, 1 - BY_CHANCE / units)
    return max(MOST_OF_ONE, float(furthest))


def make_families(name: str, labels: Sequence[str]) -> Families:
    """Number the families of names; one without a family is alone."""
    own = [f"\0{p}" if label in NO_FAMILY else label for p, label in enumerate(labels)]
    return Families(name, np.unique(own, return_inverse=True)[1].astype(np.intp).reshape(-1))


def effective_families(families: Families, cell: Ints, leverage: Floats | None = None) -> Floats:
    """Effective number of families in each cell, (…, K): (Σ n)²/Σ n² of counts, or of leverages (…, P) where given.

    Infinite for a cell that takes no part.
    """
    cells = int(cell.max()) + 1
    pieces = find_pieces(families.code, cell, cells)
    size = sum_by(np.ones(len(cell)) if leverage is None else leverage, pieces.of_unit, len(pieces.cell))
    total, squares = (sum_by(each, pieces.cell, cells) for each in (size, size**2))
    return np.where(squares > 0, total**2 / np.where(squares > 0, squares, 1.0), np.inf)


def usable(families: Sequence[Families], cell: Ints, leverage: Floats | None = None) -> tuple[Families, ...]:
    """Return the partitions that the test can use: those with shared families, and two effective ones in every cell."""
    return tuple(
        each
        for each in families
        if each.says_something and not exceeds(FEWEST_FAMILIES, effective_families(each, cell, leverage)).any()
    )


def one_family(families: Sequence[Families], cell: Ints) -> str:
    """Return the partition of which some cell has fewer than two effective families; empty if there is none.

    Of names such a partition is not used. Phrases that repeat one noun say nothing beyond this noun.
    """
    used = usable(families, cell)
    return next((each.name for each in families if each.says_something and each not in used), "")


@dataclass(frozen=True, eq=False)
class NameClusters:
    """P names in K cells and in families, and what all tests of their contrasts take from that.

    Attributes
    ----------
    cell : (P,) integer array
        The cell of each name.
    leverage : (P,) or (R, P) array
        Its share of the cell's mean; with a leading dimension each contrast has its own.
    families : sequence of Families
        The partitions; such that say nothing are left out.
    """

    cell: Ints
    leverage: Floats
    families: Sequence[Families] = ()
    _known: dict[bytes, Clustering] = field(default_factory=dict, init=False, repr=False)

    @cached_property
    def cells(self) -> int:
        """K."""
        return int(self.cell.max()) + 1

    @cached_property
    def starts(self) -> Ints:
        """The first name of each cell, (K,); cells ascend, and none is empty."""
        return np.searchsorted(self.cell, np.arange(self.cells))

    @cached_property
    def count(self) -> Floats:
        """Names per cell, (K,)."""
        return np.bincount(self.cell).astype(float)

    def means(self, values: Floats) -> Floats:
        """Return means over the names of each cell: of values (…, P, J) those are (…, K, J)."""
        return np.asarray(np.add.reduceat(values, self.starts, axis=-2) / self.count[:, None])

    def centre(self, values: Floats) -> None:
        """Take the mean over the names of a cell from values (…, P, J), in place, as many systems have many values."""
        for cell in np.split(values, self.starts[1:], axis=-2):
            cell -= cell.mean(axis=-2, keepdims=True)  # noqa: PLW2901  # a view of the values

    @cached_property
    def used(self) -> tuple[Families, ...]:
        """The partitions that the test can use."""
        return usable(self.families, self.cell, self.leverage)

    @cached_property
    def both(self) -> Ints | None:
        """The intersection of two partitions; None where there are no two, or no names share both."""
        return intersection(self.used)

    def clustering(self, code: Ints) -> Clustering:
        """The names by their families (P,)."""
        key = code.tobytes()
        if key not in self._known:
            self._known[key] = Clustering(self.cell, code, self.leverage, self.cells)
        return self._known[key]


def intersection(families: Sequence[Families]) -> Ints | None:
    """The families (P,) of names that share all of several partitions; None where there is one, or no names do."""
    if len(families) <= 1:
        return None
    both = number_combinations(*(each.code for each in families))
    return both if int(both.max()) + 1 < len(both) else None


def cluster_names(cell: Ints, families: Sequence[Families] = ()) -> NameClusters:
    """Names of which those of a cell (P,) count alike."""
    return NameClusters(cell, (1 / np.bincount(cell))[cell], families)


def name_variance(scores: Floats, clusters: NameClusters, signs: Floats, tiny: float = 0.0) -> NameVariance:
    """Variance of contrasts over names and their families.

    V_name = V_∩ + Σ max(V_A − V_∩, 0) over the partitions A, with V_∩ that of names one by one or, of two partitions,
    of their intersection, if that is larger.

    Parameters
    ----------
    scores : (S, R, P) array
        What each name adds to each contrast: its weight times its distance from its cell.
    clusters : NameClusters
        The names in their K cells and families.
    signs : (R, K) or (S, R, K) array
        Signs of the weights of cells; 0 where a cell takes no part.
    tiny : float
        A standard error up to it is made of rounding errors, and 0.
    """
    cell, leverage, cells = clusters.cell, clusters.leverage, signs.shape[-1]
    with np.errstate(divide="ignore", invalid="ignore"):
        squares = np.where(leverage < 1, scores**2 / (1 - leverage), 0.0)
    spread = sum_by(squares, cell, cells)
    with np.errstate(divide="ignore"):
        # A cell that takes no part has no leverage.
        members = 1 / sum_by(leverage**2, cell, cells)
    alone = spread.sum(axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        df_alone = alone**2 / np.where(members > 1, spread**2 / (members - 1), 0.0).sum(axis=-1)
    df_alone = np.where(alone > tiny**2, df_alone, np.inf)
    furthest = first_largest(squares)
    largest = np.where(alone > tiny**2, squares.max(axis=-1) / np.where(alone > 0, alone, 1.0), 0.0)
    root = signs * np.sqrt(np.where(spread > tiny**2, spread, 0.0))

    def over(code: Ints) -> tuple[Floats, Floats]:
        clustering = clusters.clustering(code)
        variance = clustering.variance(scores)
        return np.where(variance > tiny**2, variance, 0.0), clustering.degrees_of_freedom(root)

    return combine_partitions(NamesAlone(alone, df_alone, largest, furthest), clusters.used, clusters.both, over)


@dataclass(frozen=True)
class NamesAlone:
    """The variance over names one by one, all (S, R) arrays.

    Attributes
    ----------
    variance, df : arrays
        And its degrees of freedom, infinite where it is 0.
    largest : array
        The share of the name that makes most of it.
    furthest : integer array
        Which name that is.
    """

    variance: Floats
    df: Floats
    largest: Floats
    furthest: Ints


def combine_partitions(
    names: NamesAlone, used: Sequence[Families], both: Ints | None, over: Callable[[Ints], tuple[Floats, Floats]]
) -> NameVariance:
    """Put the variance over names and those over families of names together, see `name_variance`.

    Parameters
    ----------
    names : NamesAlone
        Of names one by one.
    used : sequence of Families
        The partitions that the test can use.
    both : (P,) integer array, optional
        The intersection of two of them; None where no names share both.
    over : callable
        Takes a family per name, and returns the variance over these families with its degrees of freedom.
    """
    alone, df_alone = names.variance, names.df
    least, scarce = np.full(alone.shape, np.inf), np.full(alone.shape, "", dtype=object)
    deciding, most = np.full(alone.shape, "", dtype=object), np.zeros(alone.shape)
    base, df_base = alone, df_alone
    if both is not None:
        together, df_together = over(both)
        larger = exceeds(together, alone)
        base, df_base = np.where(larger, together, alone), np.where(larger, df_together, df_alone)
    variance, denominator = base.copy(), np.zeros(alone.shape)
    # Without families their variance is that of names.
    each_variance, each_df = ([], []) if used else ([alone], [np.full(alone.shape, np.nan)])
    for each in used:
        of_families, df = over(each.code)
        each_variance.append(of_families)
        each_df.append(df)
        counts = exceeds(of_families, base)
        variance += np.where(counts, of_families - base, 0.0)
        denominator += np.where(counts, of_families**2 / np.where(counts, df, 1.0), 0.0)
        scarce[counts & exceeds(least, df)] = each.name
        deciding[counts & exceeds(of_families, most)] = each.name
        most = np.where(counts, np.maximum(most, of_families), most)
        least = np.where(counts, np.fmin(least, df), least)
    return NameVariance(
        variance=variance,
        denominator=np.where(np.isinf(least), base**2 / df_base, denominator),
        alone=alone,
        df_alone=df_alone,
        families=np.max(each_variance, axis=0),
        df_families=np.min(each_df, axis=0),
        least=least,
        scarce=scarce,
        deciding=deciding,
        largest=names.largest,
        furthest=names.furthest,
    )
