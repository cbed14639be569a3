"""Rows on hearing: which words move the scores about anyone, and which about one member of a pair only."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from eec_bias.assembly.rows import name_rows
from eec_bias.grouping import grouped
from eec_bias.inputs.observed import Observations
from eec_bias.inputs.strata import DataStratum
from eec_bias.inputs.wording import WORD_FORM
from eec_bias.notes import Note
from eec_bias.options import AGREES, MEAN, SAME, Floats, Ints
from eec_bias.result.columns import TermColumns
from eec_bias.result.comparison import HEARD, question_term
from eec_bias.result.frame import BESIDE, Row
from eec_bias.stats.contrasts import Contrast
from eec_bias.stats.heard import FEWEST_KNOWN, FILLER, Heard, HeardItems, hear, listen, same_words
from eec_bias.stats.layout import Table
from eec_bias.stats.tested import Analysis

FEWEST_WORDS = 10
"""A list of fewer words for feelings does not tell if a system hears any; templates with fewer count as one."""


class HeardPlaces(NamedTuple):
    """The pairs and the items of a table of pairs that are listened to.

    Attributes
    ----------
    contrast : Contrast
        The level and the reference.
    level, reference : (U,) integer arrays
        The persons of either side of each base.
    items : HeardItems
        The items.
    names : list of str
        Each item's word.
    forms : list of (list of str, list of str)
        The forms of each item's word about the level and about the reference.
    emotions : tuple of str
        Each item's emotion, empty where it has none that counts.
    """

    contrast: Contrast
    level: Ints
    reference: Ints
    items: HeardItems
    names: tuple[str, ...]
    forms: list[tuple[list[str], list[str]]]
    emotions: tuple[str, ...]


def pairs_to_hear(table: Table, contrasts: Sequence[Contrast], stratum: DataStratum) -> Contrast | None:
    """Return the two groups whose pairs are listened to, if some words have a form for each of them."""
    facets = table.facets
    if not table.paired or table.shape != (2,) or facets.template is None or facets.word is None:
        return None
    for contrast in contrasts:
        items = stratum.reaction_items(table, contrast)
        if contrast.reference != MEAN and items is not None and items.agrees[items.chosen].any():
            return contrast
    return None


def listen_to(table: Table, contrast: Contrast, stratum: DataStratum) -> HeardPlaces:
    """Return what is listened to."""
    facets, observed = table.facets, stratum.observed
    assert facets.template is not None
    assert facets.word is not None
    agrees = stratum.agreeing(table, contrast)
    cells = np.flatnonzero(contrast.weights)
    persons = table.within_bases(cells)
    up = contrast.weights[cells] > 0
    level, reference = persons[:, up][:, 0], persons[:, ~up][:, 0]
    labels = observed.of_items(table.codes)
    names = labels.get("word") or tuple(str(code) for code in facets.word.tolist())
    emotions = labels.get("emotion") or ("",) * len(table.items)
    sign = np.array([stratum.signs.get(emotion, 0) for emotion in emotions], dtype=np.intp)
    forms = list(zip(*(_forms_of(table, observed, persons) for persons in (level, reference)), strict=True))
    word = same_words(facets.word, [frozenset((*a, *b)) for a, b in forms], agrees & (sign != 0))
    filler = np.array([name == FILLER for name in names]) & (sign == 0)
    listened = HeardItems(facets.template, sign, word, agrees, filler)
    return HeardPlaces(contrast, level, reference, listened, names, forms, emotions)


def _forms_of(table: Table, observed: Observations, persons: Ints) -> list[list[str]]:
    """Return the forms of each item's word about some persons, each once."""
    rows = table.rows[persons]
    there = rows >= 0
    forms = np.full(rows.shape, None, dtype=object)
    forms[there] = observed.texts(WORD_FORM, rows[there])
    return [[form for form in dict.fromkeys(of_item) if form is not None] for of_item in forms.T.tolist()]


def heard_rows(analysis: Analysis, stratum: DataStratum) -> tuple[list[TermColumns], list[list[Row]]]:
    """Return the row that counts words, and a row per word with its scores, of each system whose scores tie."""
    systems = len(analysis.runs)
    words: list[list[Row]] = [[] for _ in range(systems)]
    contrast = pairs_to_hear(analysis.table, analysis.contrasts, stratum)
    if contrast is None:
        return [], words
    places = listen_to(analysis.table, contrast, stratum)
    (name,) = name_rows([contrast], analysis.subset)
    name = {**name, "term": question_term(name["term"], HEARD)}
    values = analysis.scores.values
    level, reference = values[:, places.level], values[:, places.reference]
    counts: list[Row | None] = [None] * systems
    for s, heard in enumerate(listen(level, reference, places.items, analysis.resolution)):
        if heard.applies:
            counts[s] = _heard_numbers(analysis, places, heard, s)
            words[s] = [
                dict.fromkeys(BESIDE["heard"]) | name | row for row in _word_rows(places, heard, level[s], reference[s])
            ]
    return [TermColumns.of_one(name, counts)], words


def _heard_numbers(analysis: Analysis, places: HeardPlaces, heard: Heard, s: int) -> Row:
    level, reference = heard.only(1), heard.only(-1)
    notes = []
    if len(places.level) == 1:
        notes.append(Note("two_words_only"))
    if len(level) != len(reference) and not heard.one_way:
        notes.append(Note("heard_in_one_sign"))
    counted = places.items.counted
    pairs = np.concatenate([places.level, places.reference])
    answered = ~np.isnan(analysis.scores.values[s][np.ix_(pairs, counted)])
    return {
        "p": heard.p, "p_words": heard.p_words, "p_bases": heard.p_bases,
        "only_level": len(level), "only_reference": len(reference), "both": len(heard.both),
        "neither": len(heard.neither), "words": len(heard.words),
        "words_level": _listed(places, level), "words_reference": _listed(places, reference),
        "agreeing_items": int(counted.sum()), "n_persons": len(places.level), "n_items": int(counted.sum()),
        "n_sentences": int(answered.sum()), "notes": tuple(notes),
    }  # fmt: skip


def _listed(places: HeardPlaces, words: Sequence[int]) -> tuple[tuple[str, str, str], ...]:
    """Return each word with its form about the level and that about the reference."""
    listed = []
    for word in words:
        items = np.flatnonzero(places.items.counted & (places.items.word == word)).tolist()
        listed.append((places.names[items[0]], *_forms_together(places, items)))
    return tuple(listed)


def _forms_together(places: HeardPlaces, items: Sequence[int]) -> tuple[str, str]:
    first, second = (dict.fromkeys(form for j in items for form in places.forms[j][side]) for side in (0, 1))
    return " / ".join(first), " / ".join(second)


def _word_rows(places: HeardPlaces, heard: Heard, level: Floats, reference: Floats) -> Iterator[Row]:
    """Yield a row per word with its scores about either side; words with one form are controls."""
    items = places.items
    for agreement, chosen in ((AGREES, items.counted), (SAME, ~items.agrees & (items.sign != 0))):
        for word in dict.fromkeys(items.word[chosen].tolist()):
            own = chosen & (items.word == word)
            if not own.any():
                continue
            positions = np.flatnonzero(own).tolist()
            there = ~np.isnan(level[:, own]) & ~np.isnan(reference[:, own])
            known = heard.known[:, own]
            if not there.any() or not known.any():
                continue
            first, second = _forms_together(places, positions)
            means = [float(side[:, own][there].mean()) for side in (level, reference)]
            shares = [float(side[:, own][known].mean()) for side in (heard.level, heard.reference)]
            yield {
                "word": places.names[positions[0]], "emotion": places.emotions[positions[0]], "agreement": agreement,
                "form": first, "form_reference": second, "mean": means[0], "mean_reference": means[1],
                "heard": shares[0], "heard_reference": shares[1],
            }  # fmt: skip


def feeling_rows(analysis: Analysis, stratum: DataStratum) -> list[list[Row]] | None:
    """Return a row per word for a feeling of each system whose scores tie: in what share of its sentences it is heard.

    The share is the largest over the groups, as a word may be heard about one of them only. None if the table has too
    few such words to tell.
    """
    table = analysis.table
    labels = stratum.observed.of_items(table.codes)
    if not {"template", "word", "emotion"} <= labels.keys():
        return None
    chosen = [j for j, emotion in enumerate(labels["emotion"]) if stratum.signs.get(emotion)]
    template, word, emotion = ([labels[name][j] for j in chosen] for name in ("template", "word", "emotion"))
    items = grouped((each, j) for j, each in enumerate(zip(emotion, word, strict=True)))
    if len(items) < FEWEST_WORDS:
        return None
    size = Counter(template)
    pooled = [name if size[name] >= FEWEST_WORDS else "" for name in template]
    sign = np.array([stratum.signs[each] for each in emotion], dtype=np.intp)
    scores = analysis.scores.values[:, :, chosen]
    answered = ~np.isnan(scores)
    heard, known = hear(scores, np.unique(pooled, return_inverse=True)[1], sign, analysis.resolution)
    groups = [table.cell == cell for cell in np.unique(table.cell)]
    off, n = (np.stack([each[:, group].sum(axis=1) for group in groups]) for each in (heard, answered))
    ties = known.sum(axis=(1, 2)) >= FEWEST_KNOWN * answered.sum(axis=(1, 2))
    rows: list[list[Row]] = [[] for _ in scores]
    for (of_word, name), own in items.items():
        there = n[:, :, own].sum(axis=2)
        share = (off[:, :, own].sum(axis=2) / np.maximum(there, 1)).max(axis=0)
        for s in np.flatnonzero(ties & (there > 0).any(axis=0)).tolist():
            rows[s].append({"emotion": of_word, "word": name, "heard": float(share[s])})
    return rows
