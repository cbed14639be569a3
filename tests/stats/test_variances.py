"""Variance within groups, by source."""

import numpy as np
import pandas as pd
import pytest
from synthetic import corpus, names, scores

from eec_bias import measure
from eec_bias.stats.facets import make_facets
from eec_bias.stats.sums import summarise
from eec_bias.stats.variance_components import components


def test_persons_and_items_that_add_up_leave_no_residual() -> None:
    rng = np.random.default_rng(0)
    person, item = rng.normal(size=(1, 12, 1)), rng.normal(size=(1, 1, 7))
    cell = np.repeat([0, 1], 6)
    found = components(summarise(person + item + cell[:, None], cell), make_facets(7, {})).variance[0]
    within = np.mean([person[0, cell == k, 0].var(ddof=1) for k in (0, 1)])
    assert found == pytest.approx([within, item.var(ddof=1), 0, 0])


def test_effects_of_groups_on_items_are_told_from_items() -> None:
    item = np.array([0.0, 2.0, 4.0])
    slope = np.array([1.0, -2.0, 1.0])
    values = np.stack([item + slope, item + slope, item - slope, item - slope])[None]
    found = components(summarise(values, np.array([0, 0, 1, 1])), make_facets(3, {})).variance[0]
    # Mean square of cells × items over its 2 degrees of freedom; half of it is in the variance of item means.
    assert found == pytest.approx([0, 4 - 6 / 2, 2 * 6 / 2, 0])


def test_components_are_recovered_on_average() -> None:
    rng = np.random.default_rng(1)
    cell = np.repeat(np.arange(4), 20)
    values = (
        rng.normal(0, 0.3, (100, 80, 1))
        + rng.normal(0, 0.5, (100, 1, 60))
        + rng.normal(0, 0.2, (100, 4, 60))[:, cell]
        + rng.normal(0, 0.7, (100, 80, 60))
    )
    found = components(summarise(values, cell), make_facets(60, {}))
    assert found.variance.mean(axis=0) == pytest.approx([0.09, 0.25, 0.04, 0.49], rel=0.08)
    assert found.share.sum(axis=1) == pytest.approx(np.ones(100))


def test_reactions_of_groups_to_templates_and_words_are_told_apart() -> None:
    rng = np.random.default_rng(2)
    template, word = np.divmod(np.arange(144), 12)
    labels = {"template": template.astype(str), "word": word.astype(str), "emotion": (word // 3).astype(str)}
    cell = np.repeat(np.arange(4), 10)
    values = (
        rng.normal(0, 0.3, (400, 40, 1))
        + rng.normal(0, 0.2, (400, 4, 12))[:, cell][:, :, template]
        + rng.normal(0, 0.1, (400, 4, 12))[:, cell][:, :, word]
        # What differs between emotions is fixed, and no component.
        + rng.normal(0, 5, (400, 4, 4))[:, cell][:, :, word // 3]
        + rng.normal(0, 0.15, (400, 4, 144))[:, cell]
        + rng.normal(0, 0.4, (400, 40, 144))
    )
    found = components(summarise(values, cell), make_facets(144, labels))
    assert found.sources[2:5] == ("groups × templates", "groups × words", "groups × items")
    assert found.variance[:, 2:5].mean(axis=0) == pytest.approx([0.04, 0.01, 0.0225], rel=0.08)


def test_shares_stand_in_the_result() -> None:
    data = corpus()
    result = measure(scores(data), data)
    assert [(row["subset"], row["source"]) for row in result.variances] == [
        (subset, source)
        for subset in ("names", "pairs")
        for source in ("persons", "items", "groups × items", "residual")
    ]
    assert sum(row["share"] for row in result.variances[:4]) == pytest.approx(1)


@pytest.mark.parametrize("width", [1.0, 200.0])
def test_rounding_errors_are_not_shared_out(width: float) -> None:
    data = pd.DataFrame(names())
    noise = np.random.default_rng(0).choice([0, 1.1e-16, -1.1e-16], len(data))
    result = measure(width * (0.3 + noise), data, score_range=(0, width))
    assert {(row["sd"], row["share"]) for row in result.variances} == {(0.0, None)}
