"""From what was observed to checked tables of persons × items.

Units of names (``pair`` equal to ``item``) form the table ``names``: persons nested in cells. Those of noun phrases
and pronouns (``pair`` is ``item/base``) form tables in which every base meets the levels it carries: ``pairs`` where
only gender varies, ``phrases`` where another axis does, ``mentions`` where that is one that names carry too.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np

from eec_bias.errors import DesignError
from eec_bias.grouping import grouped
from eec_bias.inputs.codes import compact
from eec_bias.inputs.item_labels import complete_labels
from eec_bias.inputs.labels import read_labels
from eec_bias.inputs.observed import Coverage, Observations, observe
from eec_bias.inputs.person_labels import PLACEBO, SAID, WORDS_OF_NAMES
from eec_bias.inputs.sources import SIGNAL, Source, choose_axes
from eec_bias.notes import Note
from eec_bias.options import Bools, Floats, Incomplete, Ints
from eec_bias.stats.contrasts import default_reference, reference_of, resolve_references
from eec_bias.stats.facets import NO_WORD, Facets, make_facets
from eec_bias.stats.families import NO_FAMILY, Families, make_families, usable
from eec_bias.stats.layout import MENTIONS, Axis, Table
from eec_bias.stats.words import NEUTRAL, Phrases

MOST_COMBINATIONS, MOST_IF_RARE, RARE = 50_000_000, 8_000_000, 0.05
"""So many combinations of person and item a table with gaps may have, and so many if fewer than a share have a row.

Each takes up to 200 bytes: a small file could ask for more memory than there is.
"""

FEWEST_ITEMS = 2
"""Without several persons in a group its sentences are the only sample."""

GENDER = "gender"
"""The axis that noun phrases say by the noun: several nouns, and no one word."""

LISTED = 4
"""Cells named in a note; the rest are counted."""

Choice = dict[str, str | bool | None]
"""Per axis the reference asked for, see `contrasts.resolve_references`."""


@dataclass(frozen=True, slots=True)
class Design:
    """The tables of a data set, and what a reader must know about them."""

    axes: tuple[str, ...]
    tables: tuple[Table, ...]
    notes: tuple[Note, ...]

    @property
    def references(self) -> tuple[str, ...]:
        """For each axis the level the others are compared with, ``mean`` for deviations."""
        first = {axis.name: axis.reference for table in reversed(self.tables) for axis in table.axes}
        return tuple(first.get(axis) or "mean" for axis in self.axes)


def build_design(observed: Observations, *, reference: Any = "default", incomplete: Incomplete = "refuse") -> Design:
    """The tables of what was observed.

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
    tables: list[Table] = []
    gaps: list[Note] = []
    found: Found = {}
    for paired, axes, units in (*_by_axes(observed, paired=False), *_by_axes(observed, paired=True)):
        of_names = {axis.name for table in tables if not table.paired for axis in table.axes}
        if not paired:
            subset = "names"
        elif axes == ["gender"]:
            subset = "pairs"
        else:
            # Phrases that say outright what names stand for are told from others.
            subset = MENTIONS if of_names.intersection(axes) - {"gender"} else "phrases"
        whole: Ints = units
        if paired and incomplete == "refuse":
            whole, dropped = _drop_gaps(_part(observed, subset, axes, units))
            gaps += dropped
        if not whole.size:
            continue
        if not paired:
            whole, dropped = _with_whole_levels(_part(observed, subset, axes, whole))
            gaps += dropped
        part = _part(observed, subset, axes, whole)
        table = _lay_out(part if paired else _by_version(part), choice, incomplete, found)
        # Two tables of the same kind carry different axes.
        again = any(table.subset == other.subset for other in tables)
        subset = f"{table.subset}:{'+'.join(axis.name for axis in table.axes)}" if again else table.subset
        tables.append(replace(table, subset=subset))
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


def read_design(source: Source, axes: tuple[str, ...] | None = None, *, reference: Any = "default") -> Design:
    """The tables of rows in memory; parameters and errors as for `choose_axes` and `build_design`."""
    labels = read_labels(source, choose_axes(source, axes))
    return build_design(observe(source, labels), reference=reference)


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
    """The facets that have a single cluster, and in how many of how many strata."""
    clusterings = [clusters for clusters in facets.above if clusters.lone]
    if facets.items.lone and not clusterings:
        clusterings.append(facets.items)
    for clusters in clusterings:
        yield clusters.name, clusters.lone, len(clusters.strata_sizes)


def _by_axes(observed: Observations, *, paired: bool) -> Iterator[tuple[bool, list[str], Ints]]:
    """Units that carry the same axes: names that are marked on them, noun phrases whose base varies on them."""
    units = np.flatnonzero(((observed.base >= 0) == paired) & ~observed.neutral)
    within = observed.base[units] if paired else np.zeros(len(units), dtype=np.intp)
    codes = {axis: column.codes[units] for axis, column in observed.axes.items()}
    marked = {axis: observed.marked(axis)[units] for axis in observed.axes}
    pattern = np.zeros(len(units), dtype=np.intp)
    for bit, (axis, column) in enumerate(observed.axes.items()):
        occurs = np.zeros((max(len(observed.bases), 1), len(column.levels)), dtype=bool)
        occurs[within[marked[axis]], codes[axis][marked[axis]]] = True
        carried = (occurs.sum(axis=1) >= 2)[within]
        pattern += (carried if paired else carried & marked[axis]).astype(np.intp) << bit
    for mask in sorted(set(pattern.tolist()) - {0}, reverse=not paired):
        carried_here = [axis for bit, axis in enumerate(observed.axes) if mask >> bit & 1]
        here = np.logical_and.reduce([pattern == mask, *(marked[axis] for axis in carried_here)])
        varying = [axis for axis in carried_here if len(set(codes[axis][here].tolist())) >= 2]
        if varying:
            yield paired, varying, units[here]


@dataclass(frozen=True, slots=True)
class _Part:
    """Units of P persons that carry the same axes, sorted by person.

    Attributes
    ----------
    observed : Observations
        What they were observed among.
    subset : str
        As in `Table`.
    axes : tuple of Axis
        The axes they carry, without references.
    units, person : (U,) integer arrays
        The units, and the person of each.
    cell, within : (P,) integer arrays
        Each person's cell, and what tells it apart there: the label of a name, the base of a noun phrase.
    labels : tuple of str, length P
        Their names.
    versions : bool
        Whether each item has one person of every cell, whom no other item has: what is compared are its versions.
    """

    observed: Observations
    subset: str
    axes: tuple[Axis, ...]
    units: Ints
    person: Ints
    cell: Ints
    within: Ints
    labels: tuple[str, ...]
    versions: bool = False

    @property
    def paired(self) -> bool:
        """Return whether these are noun phrases."""
        return self.subset != "names"

    @property
    def within_bases(self) -> bool:
        """Return whether persons are compared within bases; a single base that has every group is a sample of none."""
        return self.paired and (len(np.unique(self.within)) > 1 or len(self.cell) < len(self.cells))

    @property
    def first_units(self) -> Ints:
        """The first unit of each person, (P,)."""
        return self.units[np.unique(self.person, return_index=True)[1]]

    def of_persons(self, name: str) -> list[str]:
        """Return what is known of each person in a column."""
        labels = self.observed.of_persons[name]
        return [labels[unit] for unit in self.first_units.tolist()]

    def level_of(self, axis: str) -> Ints:
        """The level of each person on an axis, (P,)."""
        return self.group_of([each for each in self.axes if each.name == axis])

    def group_of(self, axes: Sequence[Axis]) -> Ints:
        """The combination of levels of some of the axes that each person has, (P,)."""
        shape = [len(each.levels) for each in self.axes]
        code = np.zeros(len(self.cell), dtype=np.intp)
        for each, levels in zip(self.axes, np.unravel_index(self.cell, shape), strict=True):
            if each in axes:
                code = code * len(each.levels) + levels
        return code

    @property
    def cells(self) -> list[str]:
        """The name of each cell: ``race=Latino, gender=female``."""
        levels = product(*(axis.levels for axis in self.axes))
        names = [axis.name for axis in self.axes]
        return [", ".join(map("{}={}".format, names, each)) for each in levels]

    def name(self, p: int) -> str:
        """Name a person in a message."""
        cells, label = self.cells, self.labels[p]
        if not self.paired:
            # A wrong label in one row makes a second person of the same name, whose gaps would else seem a riddle.
            others = [other for other, name in enumerate(self.labels) if name == label and other != p]
            return f"person {label!r} ({'; also rows with '.join(cells[self.cell[k]] for k in [p, *others])})"
        pair = f"pair {self.observed.bases[self.within[p]]!r}"
        alike = list(dict.fromkeys(self.observed.person.texts(self.units[self.person == p])))
        if len(alike) == 1:
            return f"person {label!r} ({pair})"
        some = ", ".join(map(repr, alike[:2])) + (", …" if len(alike) > 2 else "")
        return f"{cells[self.cell[p]]} ({pair}; the persons {some} differ in no axis that is measured)"


def _part(observed: Observations, subset: str, axis_names: Sequence[str], units: Ints) -> _Part:
    """Tell persons of names apart by their label, those of noun phrases by their base."""
    paired = subset != "names"
    axes, cell = [], np.zeros(len(units), dtype=np.intp)
    for name in axis_names:
        column = observed.axes[name].take(units)
        axes.append(Axis(name, column.levels, None))
        cell = cell * len(column.levels) + column.codes
    within = observed.base if paired else observed.person.codes
    width = len(observed.bases if paired else observed.person.levels)
    keys, person = compact(cell * width + within[units])
    order = np.argsort(person, kind="stable")
    last = np.empty(len(keys), dtype=np.intp)
    last[person] = units
    labels = observed.person.texts(last)
    return _Part(observed, subset, tuple(axes), units[order], person[order], keys // width, keys % width, labels)


def _with_whole_levels(part: _Part) -> tuple[Ints, list[Note]]:
    """Return the units without levels of which a group has fewer than two persons, if that leaves a whole table.

    Somebody who adds one name of another group to a list still has the list.
    """
    counts = np.bincount(part.cell, minlength=len(part.cells)).reshape([len(axis.levels) for axis in part.axes])
    if not (counts < 2).any() or counts.max() < 2:
        return part.units, []
    found: list[tuple[int, int, Ints]] = []
    for number, axis in enumerate(part.axes):
        other = tuple(each for each in range(counts.ndim) if each != number)
        few = np.flatnonzero((counts < 2).any(axis=other))
        whole = np.delete(np.arange(len(axis.levels)), few)
        if len(few) and len(whole) > 1:
            found.append((int(counts.take(few, axis=number).sum()), number, few))
    if not found:
        return part.units, []
    persons, number, few = min(found, key=lambda each: each[:2])
    axis = part.axes[number]
    names = [axis.levels[level] for level in few.tolist()]
    level = np.unravel_index(part.cell, counts.shape)[number]
    kept = part.units[~np.isin(level[part.person], few)]
    about = {"subset": part.subset, "axis": axis.name, "levels": ", ".join(names), "persons": persons}
    return kept, [Note("levels_left_out", about)]


def _by_version(part: _Part) -> _Part:
    """Return the versions of each item in place of its persons, if it has one of every cell that no other item has.

    Then items and persons are drawn together, as pairs of texts with names of their own are: the test over items is
    the test over pairs.
    """
    if np.bincount(part.observed.rows.unit, minlength=int(part.units.max()) + 1)[part.units].max() > 1:
        return part
    coverage = part.observed.rows.coverage(part.units, part.person)
    cells, items = len(part.cells), len(coverage.items)
    person, item = np.divmod(coverage.entries[0], max(items, 1))
    versions = part.cell[person] * items + item
    if len(versions) != cells * items or len(np.unique(versions)) != len(versions) or coverage.persons <= cells:
        return part
    return replace(
        part,
        person=part.cell[part.person],
        cell=np.arange(cells),
        within=np.zeros(cells, dtype=np.intp),
        labels=tuple(part.cells),
        versions=True,
    )


Found = dict[bytes, tuple[Facets, dict[str, int | str] | None]]
"""The facets of items, by the positions of these, and what must be noted of them."""


def _lay_out(part: _Part, choice: Choice, incomplete: Incomplete, found: Found) -> Table:
    """Make the table of a part; names and pairs mostly meet the same items, whose facets are ``found`` once."""
    observed, persons = part.observed, part.labels
    layers = _wordings(part)
    first = part.units[layers == 0], part.person[layers == 0]
    coverage = observed.rows.coverage(*first)
    items, notes = _complete(part, coverage, incomplete)
    names = [name for name in observed.families if not (part.paired and name in WORDS_OF_NAMES)]
    families = tuple(_families(part, name) for name in names)
    signals: dict[str, Floats] = {}
    worded, said, phrases = "", np.zeros(0, dtype=bool), None
    axes = tuple(replace(a, reference=reference_of(a.name, a.levels, choice[a.name])) for a in part.axes)
    if part.within_bases:
        bases, base = observed.bases, part.within
        axes, more = _paired_references(part, axes, choice)
        notes += more
        worded = next((axis.name for axis in axes if axis.name != GENDER), "")
        said = _said(part, worded)
    else:
        bases, base = (), np.full(len(persons), -1, dtype=np.intp)
        notes += [*_check_cells(part, len(items)), *_same_labels(persons)]
        if part.versions or part.paired:
            families = ()
        else:
            signals = _signals(part)
        notes += _note_families(part, families)
    if worded:
        phrases = _phrases(part, worded, items, layers)
    rows, item_labels = coverage.table(items), observed.of_items(items)
    further = tuple(
        _rows_on(observed, items, part.units[layers == k], part.person[layers == k], len(persons))
        for k in range(1, int(layers.max()) + 1)
    )
    texts = item_labels.pop("item")
    key = items.tobytes()
    if key not in found:
        found[key] = find_facets(texts, item_labels)
    facets, unformed = found[key]
    if unformed:
        notes.append(Note("unformed_ids", {"subset": part.subset, **unformed}))
    if facets.lone_emotions:
        notes.append(Note("lone_emotions", {"subset": part.subset, "emotions": ", ".join(facets.lone_emotions)}))
    notes += _same_texts(part, texts, observed.texts("text", rows[0]))
    return Table(
        subset=part.subset,
        axes=axes,
        persons=persons,
        cell=part.cell,
        items=texts,
        rows=rows,
        bases=bases,
        base=base,
        facets=facets,
        notes=tuple(notes),
        units=part.first_units,
        codes=items,
        families=families,
        signals=signals,
        versions=part.versions,
        worded=worded,
        said=said,
        phrases=phrases,
        further=further,
    )


def _wordings(part: _Part) -> Ints:
    """Return which of the wordings of its person each unit (U,) is, from 0; only phrases have several."""
    layers = np.zeros(len(part.units), dtype=np.intp)
    words = part.observed.of_persons.get(SAID)
    if not part.paired or words is None or len(part.units) == len(part.labels):
        return layers
    of_person = grouped(zip(part.person.tolist(), range(len(part.units)), strict=True))
    for own in of_person.values():
        ranked = sorted({words[part.units[u]] for u in own})
        for u in own:
            layers[u] = ranked.index(words[part.units[u]])
    return layers


def _said(part: _Part, axis: str) -> Bools:
    """Return whether a word says each level of an axis, (L,); without a column that tells, one does."""
    level = part.level_of(axis) if axis else np.zeros(0, dtype=np.intp)
    words = part.observed.of_persons.get(SAID)
    said = np.zeros(int(level.max(initial=-1)) + 1, dtype=bool)
    for person, unit in zip(part.person.tolist(), part.units.tolist(), strict=True) if axis else ():
        said[level[person]] |= words is None or words[unit] not in NO_WORD
    return said


def _phrases(part: _Part, axis: str, items: Ints, layers: Ints) -> Phrases | None:
    """Return the phrases with neutral words on the bases of a part, and those of levels with several wordings."""
    observed = part.observed
    units, words, level, group, base = [], [], [], [], []
    others = [each for each in part.axes if each.name != axis]
    of_level, of_group = part.level_of(axis), part.group_of(others)
    if layers.any():
        for person, unit in zip(part.person.tolist(), part.units.tolist(), strict=True):
            units.append(unit)
            words.append((1, observed.of_persons[SAID][unit]))
            level.append(int(of_level[person]))
            group.append(int(of_group[person]))
            base.append(int(part.within[person]))
    codes = {each.name: {label: code for code, label in enumerate(each.levels)} for each in others}
    bases = set(part.within.tolist())
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


def _signals(part: _Part) -> dict[str, Floats]:
    """By axis how strongly each person signals its group, where the data say so; NaN where they do not."""
    found = {}
    for axis in part.axes:
        column = axis.name + SIGNAL
        if column in part.observed.of_persons:
            found[axis.name] = np.array([float(text or "nan") for text in part.of_persons(column)])
    return found


def _families(part: _Part, name: str) -> Families:
    """Return the families of persons; all persons of a base have the same, also where a column gives them several."""
    labels = part.of_persons(name)
    if not part.paired:
        return make_families(name, labels)
    of_base = grouped(zip(part.within.tolist(), labels, strict=True))
    meanings = {base: sorted({*own} - {*NO_FAMILY}) for base, own in of_base.items()}
    # A base without a family is alone, and its persons are together.
    return make_families(name, [", ".join(meanings[base]) or f"\0{base}" for base in part.within.tolist()])


def _note_families(part: _Part, families: Sequence[Families]) -> Iterator[Note]:
    """Note columns of families that would leave a group with fewer than two of them, and families made of words."""
    used = usable(families, part.cell)
    of_words = [each for each in used if each.name in WORDS_OF_NAMES]
    if of_words:
        words = " or the same ".join(each.name for each in of_words)
        yield Note("names_share_words", {"subset": part.subset, "words": words})
    for each in families:
        if each.says_something and each not in used and each.name not in WORDS_OF_NAMES:
            yield Note("families_not_used", {"subset": part.subset, "column": each.name})


def _same_labels(persons: Sequence[str]) -> Iterator[Note]:
    """Note labels that several cells have: their scores count as independent."""
    again = [person for person, count in Counter(persons).items() if count > 1]
    if again:
        yield Note("same_labels", {"count": len(again), "person": again[0]})


def _same_texts(part: _Part, items: Sequence[str], texts: Sequence[str] | None) -> Iterator[Note]:
    """Note items that are the same sentence: each counts as a sentence of its own, and p can come out too small."""
    said = {item: text for item, text in zip(items, texts or (), strict=False) if text.strip() not in ("", "nan")}
    first = {text: item for item, text in reversed(said.items())}
    again = [(first[text], item) for item, text in said.items() if first[text] != item]
    if again:
        (kept, repeated), person = again[0], part.labels[0]
        numbers = {"subset": part.subset, "count": len(again), "items": len(items)}
        yield Note("same_texts", {**numbers, "person": person, "repeated": repeated, "kept": kept})


def find_facets(
    items: Sequence[str], columns: Mapping[str, Sequence[str]]
) -> tuple[Facets, dict[str, int | str] | None]:
    """Find the facets of items, from columns or their ids, and what must be noted, see `complete_labels`."""
    labels, unformed = complete_labels(items, columns)
    return make_facets(len(items), labels), unformed


def _complete(part: _Part, coverage: Coverage, incomplete: Incomplete) -> tuple[Ints, list[Note]]:
    """Return the items of a table, sorted by label, and notes.

    Raises
    ------
    DesignError
        If a person met an item twice, or not at all where that cannot be mended.
    """
    subset, labels = part.subset, part.observed.items
    if coverage.duplicate is not None:
        first, second, person, item, count = coverage.duplicate
        raise DesignError(
            f"{subset}: {part.observed.name_rows(first, second)} both give {part.name(person)} on item "
            f"{labels[item]!r}; each person meets each item once ({count} such)"
        )
    items = np.array(sorted(coverage.items.tolist(), key=labels.__getitem__), dtype=np.intp)
    if not coverage.missing:
        return items, []
    person, item = coverage.first_gap
    gap = (
        f"{subset}: {coverage.missing} of the {coverage.persons} × {len(items)} combinations of person and item are "
        f"missing, first {part.name(person)} on item {labels[item]!r}"
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
    return kept, [Note("cut_to_shared", {"subset": subset, "kept": len(kept), "items": len(items)})]


def _check_cells(part: _Part, items: int) -> Iterator[Note]:
    """Refuse cells with too few persons to estimate their spread; note those in which the estimate is poor.

    Where every cell has one person, what is compared are these persons, or versions, on a sample of sentences.

    Raises
    ------
    DesignError
        If a cell has no person, or one where others have several, or one on a single sentence.
    """
    cells, subset = part.cells, part.subset
    counts = np.bincount(part.cell, minlength=len(cells))
    empty = [cells[k] for k in np.flatnonzero(counts == 0)]
    if empty:
        raise DesignError(
            f"{subset}: no person with {_list_some(empty, ' and none with ', ' and none')}; every combination of the "
            "axes' levels needs persons: leave an axis out of the axes, or filter the level away"
        )
    if (counts == 1).all():
        if items < FEWEST_ITEMS:
            raise DesignError(
                f"{subset}: every group has one person on one item, {part.labels[0]!r} on "
                f"{part.observed.items[int(part.observed.rows.item[0])]!r}; give several persons of each group, or "
                "several items"
            )
        about = {"subset": subset, "items": items}
        yield Note("versions_of_items", about) if part.versions else Note("one_term_per_group", about)
        return
    for k in np.flatnonzero(counts == 1):
        raise DesignError(
            f"{subset}: {part.labels[int((part.cell == k).argmax())]!r} is the only person with {cells[k]}; how much "
            "persons differ needs two or more in every cell: add persons, or leave out the rows of this group"
        )
    few = [f"{cells[k]} ({counts[k]})" for k in np.flatnonzero(counts < 5)]
    if few:
        yield Note("few_persons", {"subset": subset, "cells": _list_some(few, "; ", " and")})


def _list_some(cells: Sequence[str], between: str, last: str) -> str:
    """A few cells by name, and the number of the others."""
    rest = len(cells) - LISTED
    return between.join(cells[:LISTED]) + (f"{last} in {rest} more cells" if rest > 0 else "")


def _drop_gaps(part: _Part) -> tuple[Ints, Sequence[Note]]:
    """Leave out what has gaps by design, and note it; other gaps are mistakes, which are refused later.

    Where two forms coincide the corpus holds no pair. So an item may be missing for all persons of a base, and
    forms that not every base has (neutral ones) may lack items on their own.
    """
    bases, cell, within = part.observed.bases, part.cell, part.within
    coverage = part.observed.rows.coverage(part.units, part.person)
    items = len(coverage.items)
    have = np.zeros((int(cell.max()) + 1, len(bases), items), dtype=bool)
    have[cell, within] = coverage.table(coverage.items) >= 0
    counts, paired = have.sum(axis=2), np.any(have, axis=0)
    lacking = items - paired.sum(axis=1)
    partial = (lacking > 0) & paired.any(axis=1)
    optional = (counts > 0).sum(axis=1) < paired.any(axis=1).sum()
    gaps = (optional[:, None] & (counts > 0) & (counts < items) & ~partial)[cell, within]
    notes = []
    for k in np.flatnonzero(partial):
        about = {"subset": part.subset, "label": bases[k], "missing": lacking[k], "items": items}
        notes.append(Note("base_left_out", about))
    for p in np.flatnonzero(gaps):
        missing = items - counts[cell[p], within[p]]
        about = {"subset": part.subset, "label": part.labels[p], "missing": missing, "items": items}
        notes.append(Note("person_left_out", about))
    return part.units[~(partial[within] | gaps)[part.person]], notes


def _paired_references(part: _Part, axes: tuple[Axis, ...], choice: Choice) -> tuple[tuple[Axis, ...], list[Note]]:
    """Compare with a reference where not every base has every level: deviations would need all of them."""
    bases, base = compact(part.within)
    have: Bools = np.zeros((len(bases), len(part.cells)), dtype=bool)
    have[base, part.cell] = True
    if have.all():
        return axes, []
    count = int((~have.all(axis=1)).sum())
    lacking = Note("lacking_levels", {"subset": part.subset, "count": count, "rows": len(have)})
    changed = [
        replace(axis, reference=default_reference(axis.name, axis.levels))
        if axis.reference is None and choice[axis.name] is True
        else axis
        for axis in axes
    ]
    return tuple(changed), [lacking]
