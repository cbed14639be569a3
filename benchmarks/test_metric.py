"""The metric's budgets, asserted loosely: a busy machine may be several times slower than the table says.

``pytest benchmarks --benchmark-only`` prints times; ``python -m benchmarks.table`` writes docs/benchmarks.md.
"""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.workloads import TREATMENT, fit_ours, fit_statsmodels, timing, workloads

WORKLOADS = {workload.name: workload for workload in workloads()}


@pytest.mark.parametrize("name", WORKLOADS)
def test_work(name, benchmark):
    benchmark.pedantic(WORKLOADS[name].work, rounds=3, warmup_rounds=1)


@pytest.mark.parametrize("name", [name for name, work in WORKLOADS.items() if work.ratio])
def test_fits_are_many_times_faster_than_statsmodels(name):
    found = timing(WORKLOADS[name], rounds=3)
    assert found.ratio > WORKLOADS[name].ratio / 3


@pytest.mark.parametrize("name", [name for name, work in WORKLOADS.items() if work.budget])
def test_work_stays_within_a_few_times_its_budget(name):
    assert timing(WORKLOADS[name], rounds=3).ours < 5 * WORKLOADS[name].budget


def test_the_rival_fits_the_same_model():
    ours, rival = fit_ours(8640, 219), fit_statsmodels(8640, "newton")
    assert np.linalg.solve(TREATMENT, ours.eta[0]) == pytest.approx(rival.params[:-1], rel=1e-6)
