"""The words for feelings that a system does not hear: its scores stay the same whichever of them a sentence has."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping

import numpy as np

from eec_datasets.report.measured import DetailLike, ResultLike

WORDS = 10
"""A list of fewer words for feelings does not tell if a system hears any."""

HALF = 0.5
"""A word is heard if it changes the score in at least this share of its templates."""

SAME = 1e-6
"""Scores that differ by less are the same."""

COLUMNS = ("emotion", "word", "template")


def feelings_of(result: ResultLike, system: str | None) -> dict[str, dict[str, bool]]:
    """Return the words for feelings by emotion, and if a system hears each; empty if the result does not tell.

    The sentences of a template differ in the word. The score that most words have there is that of a word that the
    system does not hear. Templates with fewer than `WORDS` words count as one.
    """
    for detail in result.details:
        if detail.where or not set(COLUMNS) <= set(detail.items):
            continue
        words = _words(detail)
        place = _place(detail, system)
        if place is not None and len(words) >= WORDS:
            return _heard(detail, place, words)
    return {}


def _words(detail: DetailLike) -> dict[str, str]:
    """Return the emotion of each word that has one."""
    pairs = zip(detail.items["word"], detail.items["emotion"], strict=True)
    return {word: emotion for word, emotion in pairs if emotion != "none"}


def _place(detail: DetailLike, system: str | None) -> int | None:
    named = [each.get("system") for each in detail.systems]
    return named.index(system) if system in named else None


def _heard(detail: DetailLike, place: int, words: Mapping[str, str]) -> dict[str, dict[str, bool]]:
    means = np.nanmean(detail.item_means[place], axis=0)
    sizes = Counter(detail.items["template"])
    by_template: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for template, word, mean in zip(detail.items["template"], detail.items["word"], means.tolist(), strict=True):
        if word in words and not np.isnan(mean):
            by_template[template if sizes[template] >= WORDS else ""].append((word, round(mean / SAME)))
    changed: dict[str, list[bool]] = defaultdict(list)
    for scored in by_template.values():
        silence = Counter(score for _, score in scored).most_common(1)[0][0]
        for word, score in scored:
            changed[word].append(score != silence)
    heard: dict[str, dict[str, bool]] = {}
    for word, emotion in words.items():
        if changed[word]:
            heard.setdefault(emotion, {})[word] = sum(changed[word]) >= HALF * len(changed[word])
    return heard
