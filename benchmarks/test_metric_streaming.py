"""The budget of a stream of ten million rows: time, and memory that does not grow."""

from __future__ import annotations

from benchmarks.streaming import peak, stream
from benchmarks.workloads import best

BUDGET = 5.0


def test_ten_million_rows_take_seconds(benchmark):
    benchmark.pedantic(stream, rounds=1)


def test_ten_million_rows_stay_within_a_few_times_their_budget():
    assert best(stream, 1) < 3 * BUDGET


def test_time_is_linear_in_the_rows():
    assert best(stream, 1) / best(lambda: stream(2_000_000), 2) < 3 * 5


def test_memory_is_that_of_the_names_and_items():
    assert peak(10_000_000) < 1.3 * peak(2_000_000)
