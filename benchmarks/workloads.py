"""The work the metric is timed on, and what it is compared with in the same run.

Every row of the table is a `Workload`: our work, optionally a rival, and the budget. `timings` runs them;
`python -m benchmarks.table` writes ``docs/benchmarks.md`` and ``test_metric.py`` asserts the ratios loosely.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from statsmodels.othermod.betareg import BetaModel

from eec_bias import measure
from eec_bias.methods import kiritchenko2018
from eec_bias.power_simulation import replicate, simulate
from eec_bias.stats.beta import Fit, fit_logs
from eec_bias.stats.sums import take_logs
from eec_datasets import corpora

TREATMENT = np.array([[1, 0, 0, 0], [1, 1, 0, 0], [1, 0, 1, 0], [1, 1, 1, 1]], dtype=float)
SYSTEMS = 219
ONE_CONFIG = 8640
"""Rows of a corpus of the papers."""

AGREEING = "es-anglo-latino"
"""A config whose words agree with the person, so that classes of words are measured apart."""

R_SCRIPT = Path(__file__).with_name("betareg_time.R")


@dataclass(frozen=True, slots=True)
class Workload:
    """Something to time.

    Attributes
    ----------
    name : str
        What is done.
    work : callable
        Ours.
    budget : float or None
        Seconds it may take on an ordinary machine.
    rival_name, rival, rival_share : str, callable, float
        What it is compared with, and how much of the same work the rival does (1: all of it).
    ratio : float or None
        How many times faster than the rival it must be.
    """

    name: str
    work: Callable[[], Any]
    budget: float | None = None
    rival_name: str = ""
    rival: Callable[[], Any] | None = None
    rival_share: float = 1.0
    ratio: float | None = None


@dataclass(frozen=True, slots=True)
class Timing:
    """Shortest times of the processor in seconds; ``rival`` is scaled to the same work."""

    workload: Workload
    ours: float
    rival: float | None

    @property
    def ratio(self) -> float | None:
        """Return how many times faster than the rival; None without one."""
        if self.rival is None:
            return None
        return self.rival / self.ours


def best(work: Callable[[], Any], rounds: int) -> float:
    """Return the shortest of several times of the processor, in seconds, which other work disturbs least."""
    times = []
    for _ in range(rounds):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def timing(workload: Workload, rounds: int = 5) -> Timing:
    """Time a workload and its rival, the quick one more often."""
    quick = best(workload.work, 1)
    ours = min(quick, best(workload.work, max(rounds, min(200, int(0.5 / quick)))))
    if workload.rival is None:
        return Timing(workload, ours, None)
    if quick >= 1:
        rounds = 1
    return Timing(workload, ours, best(workload.rival, rounds) / workload.rival_share)


@cache
def config(name: str = "en-black-white") -> Any:
    """Return the rows of one config."""
    return corpora.table(name)


@cache
def scores(systems: int, name: str = "en-black-white") -> Any:
    """Return simulated scores of the config's rows."""
    return simulate(config(name), name_sd=0.1, item_sd=0.3, phi=200, systems=systems, seed=1)


@cache
def rows(n: int, systems: int = 1) -> tuple[Any, Any, Any]:
    """Return scores (systems, n) in no order, the cell of each row, and where each person × item stands."""
    rng = np.random.default_rng(n)
    positions = rng.permutation(n).reshape(40, -1)
    cell = np.empty(n, dtype=np.intp)
    cell[positions] = np.repeat(np.arange(4), 10)[:, None]
    mean = np.array([0.5, 0.52, 0.47, 0.55])[cell]
    return rng.beta(mean * 20, (1 - mean) * 20, size=(systems, n)), cell, positions


def systems_of(n: int) -> int:
    """Return how many systems there are scores of, of so many rows: many of one config, one of a table."""
    if n == ONE_CONFIG:
        return SYSTEMS
    return 1


def fit_ours(n: int, systems: int = 1) -> Fit:
    """Fit from raw scores as `measure` does: laid out as persons × items, logarithms summed, cells fitted."""
    y, _, positions = rows(n, systems)
    table = y[:, positions.ravel()].reshape(systems, *positions.shape)
    return fit_logs(take_logs(table, "none"), np.repeat(np.arange(4), 10), positions.shape[1])


def fit_statsmodels(n: int, method: str = "bfgs") -> Any:
    """Fit the first system with statsmodels."""
    y, cell, _ = rows(n, systems_of(n))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return BetaModel(y[0], TREATMENT[cell]).fit(method=method, disp=0)


def betareg(n: int) -> float | None:
    """Return seconds R betareg takes per fit; None where R or betareg is missing."""
    command = shutil.which("Rscript")
    if command is None:
        return None
    y, cell, _ = rows(n, systems_of(n))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.csv"
        columns = np.column_stack([y[0], TREATMENT[cell, 1], TREATMENT[cell, 2]])
        np.savetxt(path, columns, delimiter=",", header="y,race,gender", comments="", fmt="%.17g")
        run = subprocess.run([command, str(R_SCRIPT), str(path)], capture_output=True, text=True, check=False)
    if run.returncode or not run.stdout.strip():
        return None
    return float(run.stdout)


def workloads() -> list[Workload]:
    """Return every row of the table."""
    many, one, spanish = scores(SYSTEMS), scores(1)[0], scores(1, AGREEING)[0]
    return [
        Workload(
            "beta regression of one corpus, 8,640 rows",
            lambda: fit_ours(8640),
            rival_name="statsmodels",
            rival=lambda: fit_statsmodels(8640),
            ratio=30,
        ),
        Workload(
            "beta regression of 10⁶ rows",
            lambda: fit_ours(1_000_000),
            rival_name="statsmodels",
            rival=lambda: fit_statsmodels(1_000_000),
            ratio=200,
        ),
        Workload(
            "beta regressions of 219 systems × 8,640 rows",
            lambda: fit_ours(8640, SYSTEMS),
            budget=1.0,
            rival_name="statsmodels, 219 fits",
            rival=lambda: fit_statsmodels(8640),
            rival_share=1 / SYSTEMS,
            ratio=100,
        ),
        Workload("default test (`measure`), one system on one corpus", lambda: measure(one, config()), budget=0.05),
        Workload(
            f"default test, one system on `{AGREEING}`, which has words with two forms",
            lambda: measure(spanish, config(AGREEING)),
            budget=0.05,
        ),
        Workload("default test, 219 systems × 8,640 rows", lambda: measure(many, config()), budget=1.0),
        Workload(
            "test of the paper of 2018 (`kiritchenko2018`), 219 systems × 8,640 rows",
            lambda: kiritchenko2018(many, config(), tasks="anger"),
            budget=1.0,
        ),
        Workload(
            "simulated scores and default test, 1,000 systems × 8,640 rows",
            lambda: replicate(config(), systems=1000, seed=1),
        ),
    ]
