"""Write docs/benchmarks.md: ``python -m benchmarks.table``."""

from __future__ import annotations

import platform
from importlib.metadata import version
from pathlib import Path

from benchmarks import perturbation, rendering
from benchmarks.machine import load, machine
from benchmarks.scale import section
from benchmarks.workloads import Timing, betareg, timing, workloads
from eec_bias.shared import write_over

TARGET = Path(__file__).parent.parent / "docs" / "benchmarks.md"

HEAD = """\
# Benchmarks

This page says how long our work takes, and how long other programs take for the same work. We measured on this
machine: {machine}, Python {python}, numpy {numpy}, statsmodels {statsmodels}. {load} On another machine the times
differ, but the ratios stay about the same. `python -m benchmarks.table` measures again and writes the first table.

Each time in this table is the shortest processor time of several runs. *Budget* is the longest time that we accept. We
chose the budgets for a machine on which statsmodels needs 15 ms for the beta regression of one corpus. A slower
machine can exceed a budget. *Compared with* names another way to do the same work. *Ratio* says how many times as fast
we are, and *wanted* is the ratio that we aim for.

| work | time | budget | compared with | its time | ratio | wanted |
|---|--:|--:|---|--:|--:|--:|
"""

ONE_CONFIG = "beta regression of one corpus, 8,640 rows"
A_MILLION = "beta regression of 10⁶ rows"

FOOT = """
Rendering means making all sentences of a corpus, from files that are already in memory. Jinja (`template.render`) gets
the words of each sentence and only puts them together. The f-strings of Python make simpler sentences.

The default test compares groups of names. Perturbation measures say how far the score of a sentence moves if it names
another person. A beta regression is a model of scores between 0 and 1. statsmodels runs `BetaModel.fit()` with its
default optimiser. We ran statsmodels on one system, and multiplied the time by 219.
"""


def duration(seconds: float | None) -> str:
    """Return seconds in a readable unit; a dash for none."""
    if seconds is None:
        return "–"
    for unit, scale in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= scale:
            return f"{seconds / scale:.3g} {unit}"
    return f"{seconds / 1e-6:.3g} µs"


def times_as_fast(ratio: float) -> str:
    """Return a ratio without decimals if it is at least 1."""
    if ratio >= 1:
        return f"{ratio:.0f} ×"
    return f"{ratio:.2f} ×"


def line(found: Timing) -> str:
    """Return one row of the table."""
    work = found.workload
    ratio = "–" if found.ratio is None else times_as_fast(found.ratio)
    wanted = "–" if work.ratio is None else f"≥ {times_as_fast(work.ratio)}"
    times = [duration(found.ours), duration(work.budget), work.rival_name or "–", duration(found.rival)]
    return f"| {' | '.join([work.name, *times, ratio, wanted])} |"


def betareg_line(n: int, ours: float) -> str:
    """Return the row that compares with R betareg, or says that R is missing."""
    seconds = betareg(n)
    name = f"beta regression, {n:,} rows"
    if seconds is None:
        return f"| {name} | {duration(ours)} | – | R betareg (not installed here) | – | – | – |"
    return f"| {name} | {duration(ours)} | – | R betareg | {duration(seconds)} | {seconds / ours:.0f} × | – |"


def main() -> None:
    """Run every workload and write the table."""
    found = []
    for work in [*rendering.workloads(), *workloads(), *perturbation.workloads()]:
        found.append(timing(work))
        print(line(found[-1]), flush=True)
    lines = [line(each) for each in found]
    ours = {each.workload.name: each.ours for each in found}
    lines += [betareg_line(8640, ours[ONE_CONFIG]), betareg_line(1_000_000, ours[A_MILLION])]
    head = HEAD.format(
        machine=machine(),
        load=load(),
        python=platform.python_version(),
        numpy=version("numpy"),
        statsmodels=version("statsmodels"),
    )
    kept = section() if TARGET.exists() else ""
    write_over({TARGET: head + "\n".join(lines) + "\n" + FOOT + kept})
    print(f"written: {TARGET}")


if __name__ == "__main__":
    main()
