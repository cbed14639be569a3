"""Lay subsets of persons out as checked tables of persons × items."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from eec_bias.errors import DesignError
from eec_bias.grouping import grouped
from eec_bias.inputs.axes import SIGNAL
from eec_bias.inputs.coverage import Coverage
from eec_bias.inputs.labels import compact
from eec_bias.inputs.observed import (
    NONE,
    PLACEBO,
    SAID,
    WORDS_OF_NAMES,
    Observations,
)
from eec_bias.inputs.subsets import GENDER, Subset, find_subsets
from eec_bias.notes import Note
from eec_bias.options import Bools, Floats, Incomplete, Ints
from eec_bias.stats.contrasts import default_reference, reference_of, resolve_references
from eec_bias.stats.facets import NO_WORD, Facets, make_facets
from eec_bias.stats.families import NO_FAMILY, Families, make_families, usable
from eec_bias.stats.layout import Axis, Table
from eec_bias.stats.words import NEUTRAL, Phrases

MOST_COMBINATIONS, MOST_IF_RARE, RARE = 50_000_000, 8_000_000, 0.05
"""So many combinations of person and item a table with gaps may have, and so many if fewer than a share have a row.

Each takes up to 200 bytes: a small file could ask for more memory than there is.
"""

FEWEST_ITEMS = 2
"""Without several persons in a group its sentences are the only sample."""

LISTED = 4
"""Cells named in a note; the rest are counted."""

Choice = dict[str, str | bool | None]
"""Per axis the reference asked for, see `contrasts.resolve_references`."""

Found = dict[bytes, tuple[Facets, dict[str, int | str] | None]]
"""The facets of items, by the positions of these, and what must be noted of them."""


@dataclass(frozen=True, slots=True)
class Design:
    """The tables of a data set, and what a reader must know about them."""

    axes: tuple[str, ...]
    tables: tuple[Table, ...]
    notes: tuple[Note, ...]

    @property
    def references(self) -> tuple[str, ...]:
        """Return for each axis the level the others are compared with, ``mean`` for deviations."""
        first = {axis.name: axis.reference for table in reversed(self.tables) for axis in table.axes}
        return tuple(first.get(axis) or "mean" for axis in self.axes)


def build_design(observed: Observations, *, reference: Any = "default", incomplete: Incomplete = "refuse") -> Design:
    """Return the tables of what was observed.

    Parameters
    ----------
    observed : Observations
        The units and whom they met, on the axes that are measured.
    reference : "default", None or mapping
        See `contrasts.resolve_references`.
    incomplete : {"estimate", "refuse", "shared"}
        Whether incomplete tables are kept, refused, or cut down to the items all persons share.

    Raises
    ------
    OptionError
        If ``reference`` names an axis or level the data do not have.
    DesignError
        If a table has duplicated or, where they are refused, missing entries, or empty cells, or nothing is left to
        compare.
    """
    choice = choose_references(observed, reference)
    subsets, gaps = find_subsets(observed, incomplete)
    tables: list[Table] = []
    found: Found = {}
    for subset in subsets:
        table = _lay_out(subset, choice, incomplete, found)
        # Two tables of the same kind carry different axes.
        again = any(table.subset == other.subset for other in tables)
        name = f"{table.subset}:{'+'.join(axis.name for axis in table.axes)}" if again else table.subset
        tables.append(replace(table, subset=name))
    if not tables and gaps:
        more = f" … and {len(gaps) - 1} more" if len(gaps) > 1 else ""
        raise DesignError(f"nothing is left to compare: {gaps[0]}{more}")
    if not tables:
        raise DesignError(
            f"no rows can be compared on {', '.join(observed.axes)}: names need two marked levels, and noun phrases "
            "two levels of an axis in the same pair"
        )
    notes = [*gaps, *(note for table in tables for note in table.notes), *lone_item(tables)]
    groups_named = ~observed.neutral[observed.rows.unit]
    layers = (rows for table in tables for rows in (table.rows, *table.further))
    unused = int(groups_named.sum()) - sum(int((rows >= 0).sum()) for rows in layers)
    if unused and incomplete != "shared":
        key = "rows_without_part_or_left_out" if gaps else "rows_without_part"
        notes.append(Note(key, {"unused": unused, "rows": int(groups_named.sum())}))
    return Design(tuple(observed.axes), tuple(tables), tuple(notes))


def choose_references(observed: Observations, reference: Any) -> Choice:
    """Resolve the references asked for; errors as for `contrasts.resolve_references`."""
    return resolve_references(reference, {name: axis.marked for name, axis in observed.axes.items()})


def lone_item(tables: Sequence[Table]) -> tuple[Note, ...]:
    """Note where the test cannot generalise over sentences, templates or words because there is only one."""
    lone = [f"{table.subset} {table.items[0]!r}" for table in tables if len(table.items) == 1]
    if lone:
        return (Note("lone_item", {"items": ", ".join(lone)}),)
    subsets_of = grouped((cluster, table.subset) for table in tables for cluster in _lone_clusters(table.facets))
    notes = []
    for (name, alone, strata), subsets in subsets_of.items():
        if strata == 1:
            key = "lone_cluster"
        elif alone == strata:
            key = "lone_cluster_in_every_emotion"
        elif alone == 1:
            key = "lone_cluster_in_an_emotion"
        else:
            key = "lone_cluster_in_some_emotions"
        one = name.removesuffix("s")
        values = {"one": one, "facet": name, "lone": alone, "strata": strata, "subsets": ", ".join(subsets)}
        notes.append(Note(key, values))
    return tuple(notes)


def _lone_clusters(facets: Facets) -> Iterator[tuple[str, int, int]]:
    """Yield the facets that have a single cluster, and in how many of how many strata."""
    clusterings = [clusters for clusters in facets.above if clusters.lone]
    if facets.items.lone and not clusterings:
        clusterings.append(facets.items)
    for clusters in clusterings:
        yield clusters.name, clusters.lone, len(clusters.strata_sizes)


def _lay_out(subset: Subset, choice: Choice, incomplete: Incomplete, found: Found) -> Table:
    """Make the table of a subset; names and pairs mostly meet the same items, whose facets are ``found`` once."""
    observed, persons = subset.observed, subset.labels
    layers = _wordings(subset)
    first = subset.units[layers == 0], subset.person[layers == 0]
    coverage = observed.rows.coverage(*first)
    items, notes = _complete(subset, coverage, incomplete)
    names = [name for name in observed.families if not (subset.paired and name in WORDS_OF_NAMES)]
    families = tuple(_families(subset, name) for name in names)
    signals: dict[str, Floats] = {}
    worded, said, phrases = "", np.zeros(0, dtype=bool), None
    axes = tuple(replace(a, reference=reference_of(a.name, a.levels, choice[a.name])) for a in subset.axes)
    if subset.within_bases:
        bases, base = observed.bases, subset.within
        axes, more = _paired_references(subset, axes, choice)
        notes += more
        worded = next((axis.name for axis in axes if axis.name != GENDER), "")
    else:
        bases, base = (), np.full(len(persons), -1, dtype=np.intp)
        notes += [*_check_cells(subset, len(items)), *_same_labels(persons)]
        if subset.versions or subset.paired:
            families = ()
        else:
            signals = _signals(subset)
        notes += _note_families(subset, families)
    if worded:
        said, phrases = _said(subset, worded), _phrases(subset, worded, items, layers)
    rows, item_labels = coverage.table(items), observed.of_items(items)
    further = tuple(
        _rows_on(observed, items, subset.units[layers == k], subset.person[layers == k], len(persons))
        for k in range(1, int(layers.max()) + 1)
    )
    texts = item_labels.pop("item")
    key = items.tobytes()
    if key not in found:
        found[key] = find_facets(texts, item_labels)
    facets, unformed = found[key]
    if unformed:
        notes.append(Note("unformed_ids", {"subset": subset.name, **unformed}))
    if facets.lone_emotions:
        notes.append(Note("lone_emotions", {"subset": subset.name, "emotions": ", ".join(facets.lone_emotions)}))
    notes += _same_texts(subset, texts, observed.texts("text", rows[0]))
    return Table(
        subset=subset.name,
        axes=axes,
        persons=persons,
        cell=subset.cell,
        items=texts,
        rows=rows,
        bases=bases,
        base=base,
        facets=facets,
        notes=tuple(notes),
        units=subset.first_units,
        codes=items,
        families=families,
        signals=signals,
        versions=subset.versions,
        worded=worded,
        said=said,
        phrases=phrases,
        further=further,
    )


def _wordings(subset: Subset) -> Ints:
    """Return which of the wordings of its person each unit (U,) is, from 0; only phrases have several."""
    layers = np.zeros(len(subset.units), dtype=np.intp)
    words = subset.observed.of_persons.get(SAID)
    if not subset.paired or words is None or len(subset.units) == len(subset.labels):
        return layers
    of_person = grouped(zip(subset.person.tolist(), range(len(subset.units)), strict=True))
    for own in of_person.values():
        ranked = sorted({words[subset.units[u]] for u in own})
        for u in own:
            layers[u] = ranked.index(words[subset.units[u]])
    return layers


def _said(subset: Subset, axis: str) -> Bools:
    """Return whether a word says each level of an axis, (L,); without a column that tells, one does."""
    level, words = subset.level_of(axis), subset.observed.of_persons.get(SAID)
    said = np.zeros(int(level.max()) + 1, dtype=bool)
    for person, unit in zip(subset.person.tolist(), subset.units.tolist(), strict=True):
        said[level[person]] |= words is None or words[unit] not in NO_WORD
    return said


def _phrases(subset: Subset, axis: str, items: Ints, layers: Ints) -> Phrases | None:
    """Return the phrases with neutral words on the bases of a subset, and those of levels with several wordings."""
    observed = subset.observed
    units, words, level, group, base = [], [], [], [], []
    others = [each for each in subset.axes if each.name != axis]
    of_level, of_group = subset.level_of(axis), subset.group_of(others)
    if layers.any():
        for person, unit in zip(subset.person.tolist(), subset.units.tolist(), strict=True):
            units.append(unit)
            words.append((1, observed.of_persons[SAID][unit]))
            level.append(int(of_level[person]))
            group.append(int(of_group[person]))
            base.append(int(subset.within[person]))
    codes = {each.name: {label: code for code, label in enumerate(each.levels)} for each in others}
    bases = set(subset.within.tolist())
    for unit in np.flatnonzero(observed.neutral).tolist():
        own = [codes[each.name].get(observed.axes[each.name].texts(np.array([unit]))[0], -1) for each in others]
        if int(observed.base[unit]) not in bases or -1 in own:
            continue
        units.append(unit)
        words.append((0, observed.of_persons[PLACEBO][unit]))
        level.append(NEUTRAL)
        group.append(int(np.ravel_multi_index(own, [len(each.levels) for each in others])) if own else 0)
        base.append(int(observed.base[unit]))
    if not units:
        return None
    known = sorted(set(words))
    rows = _rows_on(observed, items, np.array(units), np.arange(len(units), dtype=np.intp), len(units))
    word = np.array([known.index(each) for each in words], dtype=np.intp)
    levels, groups, bases_of = (np.array(each, dtype=np.intp) for each in (level, group, base))
    return Phrases(rows, word, levels, groups, bases_of, tuple(text for _, text in known))


def _rows_on(observed: Observations, items: Ints, units: Ints, person: Ints, persons: int) -> Ints:
    """Return where the scores of some units stand on the items of a table, (P, J); −1 where there is none."""
    rows = np.full((persons, len(items)), -1, dtype=np.intp)
    own, compacted = compact(person)
    coverage = observed.rows.coverage(units, compacted)
    shared = np.flatnonzero(np.isin(items, coverage.items))
    rows[np.ix_(own, shared)] = coverage.table(items[shared])
    return rows


def _signals(subset: Subset) -> dict[str, Floats]:
    """Return by axis how strongly each person signals its group; NaN where the data do not say so."""
    found = {}
    for axis in subset.axes:
        column = axis.name + SIGNAL
        if column in subset.observed.of_persons:
            found[axis.name] = np.array([float(text or "nan") for text in subset.of_persons(column)])
    return found


def _families(subset: Subset, name: str) -> Families:
    """Return the families of persons; all persons of a base have the same, also where a column gives them several."""
    labels = subset.of_persons(name)
    if not subset.paired:
        return make_families(name, labels)
    of_base = grouped(zip(subset.within.tolist(), labels, strict=True))
    meanings = {base: sorted({*own} - {*NO_FAMILY}) for base, own in of_base.items()}
    # A base without a family is alone, and its persons are together.
    return make_families(name, [", ".join(meanings[base]) or f"\0{base}" for base in subset.within.tolist()])


def _note_families(subset: Subset, families: Sequence[Families]) -> Iterator[Note]:
    """Note columns of families that would leave a group with fewer than two of them, and families made of words."""
    used = usable(families, subset.cell)
    of_words = [each for each in used if each.name in WORDS_OF_NAMES]
    if of_words:
        words = " or the same ".join(each.name for each in of_words)
        yield Note("names_share_words", {"subset": subset.name, "words": words})
    for each in families:
        if each.says_something and each not in used and each.name not in WORDS_OF_NAMES:
            yield Note("families_not_used", {"subset": subset.name, "column": each.name})


def _same_labels(persons: Sequence[str]) -> Iterator[Note]:
    """Note labels that several cells have: their scores count as independent."""
    again = [person for person, count in Counter(persons).items() if count > 1]
    if again:
        yield Note("same_labels", {"count": len(again), "person": again[0]})


def _same_texts(subset: Subset, items: Sequence[str], texts: Sequence[str] | None) -> Iterator[Note]:
    """Note items that are the same sentence: each counts as a sentence of its own, and p can come out too small."""
    said = {item: text for item, text in zip(items, texts or (), strict=False) if text.strip() not in ("", "nan")}
    first = {text: item for item, text in reversed(said.items())}
    again = [(first[text], item) for item, text in said.items() if first[text] != item]
    if again:
        (kept, repeated), person = again[0], subset.labels[0]
        numbers = {"subset": subset.name, "count": len(again), "items": len(items)}
        yield Note("same_texts", {**numbers, "person": person, "repeated": repeated, "kept": kept})


def find_facets(
    items: Sequence[str], columns: Mapping[str, Sequence[str]]
) -> tuple[Facets, dict[str, int | str] | None]:
    """Find the facets of items, with template and word from ids such as ``template/word`` if no column has them.

    Parameters
    ----------
    items : sequence of str
        The ids.
    columns : mapping of str to sequence of str
        The labels known, one per item.

    Returns
    -------
    facets, unformed
        How many ids do not have the form, of how many, and the first, where others do: such an item stands for itself.
    """
    parts = [item.split("/") for item in items]
    plain = [item for item, fields in zip(items, parts, strict=True) if len(fields) < 2]
    if len(plain) == len(items) or {"template", "word"} <= columns.keys():
        return make_facets(len(items), columns), None
    template, word = zip(*((*fields, NONE)[:2] for fields in parts), strict=True)
    facets = make_facets(len(items), {"template": template, "word": word, **columns})
    return facets, {"count": len(plain), "items": len(items), "first": plain[0]} if plain else None


def _complete(subset: Subset, coverage: Coverage, incomplete: Incomplete) -> tuple[Ints, list[Note]]:
    """Return the items of a table, sorted by label, and notes.

    Raises
    ------
    DesignError
        If a person met an item twice, or not at all where that is refused.
    """
    labels = subset.observed.items
    if coverage.duplicate is not None:
        first, second, person, item, count = coverage.duplicate
        raise DesignError(
            f"{subset.name}: {subset.observed.name_rows(first, second)} both give {subset.name_person(person)} on item "
            f"{labels[item]!r}; each person meets each item once ({count} such)"
        )
    items = np.array(sorted(coverage.items.tolist(), key=labels.__getitem__), dtype=np.intp)
    if not coverage.missing:
        return items, []
    person, item = coverage.first_gap
    gap = (
        f"{subset.name}: {coverage.missing} of the {coverage.persons} × {len(items)} combinations of person and item "
        f"are missing, first {subset.name_person(person)} on item {labels[item]!r}"
    )
    if incomplete == "estimate":
        if len(coverage.entries[0]) == len(items):
            raise DesignError(f"{gap}; no item has two persons, so nothing compares them")
        combinations = coverage.persons * len(items)
        if combinations > MOST_COMBINATIONS:
            raise DesignError(
                f"{gap}; a table of more than {MOST_COMBINATIONS:,} combinations is not laid out: measure parts of the "
                "data, or choose incomplete 'shared'"
            )
        if combinations > MOST_IF_RARE and combinations - coverage.missing < RARE * combinations:
            raise DesignError(
                f"{gap}; a table of more than {MOST_IF_RARE:,} combinations is not laid out if fewer than {RARE:.0%} "
                "have a row: measure parts of the data, or choose incomplete 'shared'"
            )
        return items, []
    if incomplete == "refuse":
        remedy = "add the rows"
        if len(coverage.shared):
            remedy += f", or choose incomplete 'shared', which keeps the {len(coverage.shared)} items all persons share"
        raise DesignError(f"{gap}; every person needs every item: {remedy}")
    if not len(coverage.shared):
        raise DesignError(f"{gap}; no item is shared by all persons, so nothing is left to compare")
    kept = items[np.isin(items, coverage.shared)]
    return kept, [Note("cut_to_shared", {"subset": subset.name, "kept": len(kept), "items": len(items)})]


def _check_cells(subset: Subset, items: int) -> Iterator[Note]:
    """Refuse cells with too few persons to estimate their spread; note those in which the estimate is poor.

    Where every cell has one person, what is compared are these persons, or versions, on a sample of sentences.

    Raises
    ------
    DesignError
        If a cell has no person, or one where others have several, or one on a single sentence.
    """
    cells = subset.cells
    counts = np.bincount(subset.cell, minlength=len(cells))
    empty = [cells[k] for k in np.flatnonzero(counts == 0)]
    if empty:
        raise DesignError(
            f"{subset.name}: no person with {_list_some(empty, ' and none with ', ' and none')}; every combination of "
            "the axes' levels needs persons: leave an axis out of the axes, or filter the level away"
        )
    if (counts == 1).all():
        if items < FEWEST_ITEMS:
            raise DesignError(
                f"{subset.name}: every group has one person on one item, {subset.labels[0]!r} on "
                f"{subset.observed.items[int(subset.observed.rows.item[0])]!r}; give several persons of each group, or "
                "several items"
            )
        about = {"subset": subset.name, "items": items}
        yield Note("versions_of_items", about) if subset.versions else Note("one_term_per_group", about)
        return
    for k in np.flatnonzero(counts == 1):
        lone = subset.labels[int((subset.cell == k).argmax())]
        raise DesignError(
            f"{subset.name}: {lone!r} is the only person with {cells[k]}; how much "
            "persons differ needs two or more in every cell: add persons, or leave out the rows of this group"
        )
    few = [f"{cells[k]} ({counts[k]})" for k in np.flatnonzero(counts < 5)]
    if few:
        yield Note("few_persons", {"subset": subset.name, "cells": _list_some(few, "; ", " and")})


def _list_some(cells: Sequence[str], between: str, last: str) -> str:
    """List a few cells by name, and the number of the others."""
    rest = len(cells) - LISTED
    return between.join(cells[:LISTED]) + (f"{last} in {rest} more cells" if rest > 0 else "")


def _paired_references(subset: Subset, axes: tuple[Axis, ...], choice: Choice) -> tuple[tuple[Axis, ...], list[Note]]:
    """Compare with a reference where not every base has every level: deviations would need all of them."""
    bases, base = compact(subset.within)
    have: Bools = np.zeros((len(bases), len(subset.cells)), dtype=bool)
    have[base, subset.cell] = True
    if have.all():
        return axes, []
    count = int((~have.all(axis=1)).sum())
    lacking = Note("lacking_levels", {"subset": subset.name, "count": count, "rows": len(have)})
    changed = [
        replace(axis, reference=default_reference(axis.name, axis.levels))
        if axis.reference is None and choice[axis.name] is True
        else axis
        for axis in axes
    ]
    return tuple(changed), [lacking]
