"""The budget of rendering, as ratios in the same run; the times are for reading.

``pytest benchmarks/test_rendering_speed.py -p no:cacheprovider --benchmark-only`` prints the times.
"""

from __future__ import annotations

import pytest

from benchmarks.rendering import BULK, PAPERS, bare, one_by_one, ready, sentences, words_of
from benchmarks.workloads import best


@pytest.mark.parametrize("name", [*PAPERS, BULK])
def test_frames_render_a_config(name, benchmark):
    assert len(benchmark(sentences, name)) == len(words_of(name)[0])


@pytest.mark.parametrize("name", [*PAPERS, BULK])
def test_the_rival_renders_the_same_sentences(name):
    assert list(one_by_one(*ready(name)).values()) == sentences(name)


@pytest.mark.parametrize("name", [*PAPERS, BULK])
def test_frames_are_eight_times_faster_than_a_template_per_sentence(name):
    ready(name)
    assert best(lambda: one_by_one(*ready(name)), 3) / best(lambda: sentences(name), 20) > 8


def test_frames_stay_within_twenty_times_bare_f_strings_where_a_corpus_is_big():
    words_of(BULK)
    assert best(lambda: sentences(BULK), 20) / best(lambda: bare(BULK), 20) < 20
