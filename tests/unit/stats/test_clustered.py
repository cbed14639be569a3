"""The closed forms of clustered variances against the matrices that they stand for."""

import numpy as np
import pytest

from eec_bias.stats.clustered import Clustering


def by_definition(clustering: Clustering, scores: np.ndarray, root: np.ndarray) -> tuple[float, float]:
    """Variance and degrees of freedom from Q = ½ Q0 + ½ L L′, of one contrast."""
    cells, clusters = clustering.cells, clustering.count
    share, common, sums = np.zeros((3, cells, clusters))
    at = clustering.cell, clustering.cluster
    for total, values in ((share, clustering.leverage), (common, np.sqrt(clustering.leverage)), (sums, scores)):
        np.add.at(total, at, values)
    factor = np.where(share < 1, 1 / np.sqrt(np.where(share < 1, 1 - share, 1)), 0)
    independent, shared = np.zeros((2, clusters, clusters))
    for k in range(cells):
        pulls = np.outer(factor[k], factor[k])
        independent += root[k] ** 2 * pulls * (np.diag(share[k]) - np.outer(share[k], share[k]))
        shared += root[k] * factor[k][:, None] * (np.eye(clusters) - share[k][:, None]) * common[k]
    q = independent / 2 + shared @ shared.T / 2
    return float(((factor * sums).sum(axis=0) ** 2).sum()), float(np.trace(q) ** 2 / (q**2).sum())


def drawn(cells: int, clusters: int, *, nested: bool, seed: int) -> Clustering:
    rng = np.random.default_rng(seed)
    cell = np.sort(np.concatenate([np.tile(np.arange(cells), 3), rng.integers(cells, size=6 * cells)]))
    cluster = rng.integers(clusters, size=len(cell))
    if nested:
        cluster = np.unique(cluster * cells + cell, return_inverse=True)[1]
    weight = rng.uniform(0.2, 1, len(cell))
    return Clustering(cell, cluster, weight / np.bincount(cell, weight)[cell], cells)


@pytest.mark.parametrize("nested", [True, False])
@pytest.mark.parametrize(("cells", "clusters"), [(1, 4), (4, 5), (4, 30), (12, 6), (12, 60)])
def test_variance_and_degrees_of_freedom_equal_the_matrices(cells: int, clusters: int, *, nested: bool) -> None:
    rng = np.random.default_rng(cells * clusters)
    clustering = drawn(cells, clusters, nested=nested, seed=clusters)
    scores, root = rng.normal(size=(3, len(clustering.cell))), rng.normal(size=(3, cells))
    expected = [by_definition(clustering, *each) for each in zip(scores, root, strict=True)]
    variance, df = clustering.variance(scores), clustering.degrees_of_freedom(root)
    np.testing.assert_allclose(np.array([variance, df]).T, expected, rtol=1e-12)
    # With weights on the cells it is the variance of the scores times these.
    weights = rng.normal(size=(2, cells))
    weighted = clustering.variance(scores[0] * weights[:, clustering.cell])
    assert clustering.variance(scores[0], weights) == pytest.approx(weighted, rel=1e-12)
    gram = clustering.gram_by_block(scores[None], np.array([0, 2]))[0]
    assert [block.sum() for block in gram] == pytest.approx([variance[:2].sum(), variance[2]], rel=1e-12)


@pytest.mark.parametrize("nested", [True, False])
@pytest.mark.parametrize("cells", [4, 12])
def test_contrasts_can_have_leverages_of_their_own(cells: int, *, nested: bool) -> None:
    rng = np.random.default_rng(cells)
    first = drawn(cells, 9, nested=nested, seed=1)
    weight = rng.uniform(0.2, 1, len(first.cell))
    other = weight / np.bincount(first.cell, weight)[first.cell]
    both = Clustering(first.cell, first.cluster, np.stack([first.leverage, other]), cells)
    scores, root = rng.normal(size=(2, len(first.cell))), rng.normal(size=(2, cells))
    alone = [first, Clustering(first.cell, first.cluster, other, cells)]
    expected = np.array([by_definition(*each) for each in zip(alone, scores, root, strict=True)])
    found = np.array([both.variance(scores), both.degrees_of_freedom(root)]).T
    np.testing.assert_allclose(found, expected, rtol=1e-12)
