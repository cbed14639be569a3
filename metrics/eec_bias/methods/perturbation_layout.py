"""Sentences and the persons named in them, laid out as names × sentences beside the originals."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from eec_bias.errors import DesignError, LabelsError, OptionError
from eec_bias.inputs.codes import Coded, compact
from eec_bias.inputs.labels import read_bases, refuse_blank, refuse_other_spelling, refuse_twins
from eec_bias.inputs.sources import Source, axis_candidates, axis_names
from eec_bias.options import UNMARKED, Bools, Ints

ORIGINAL, PRONOUN = "original", "pronoun"
"""What stands in ``person`` (``person_type``) in the rows a perturbed corpus, or an EEC, starts from."""

LISTED = 5
"""Names given in a message; the rest are counted."""


@dataclass(frozen=True, slots=True)
class Perturbed:
    """A perturbed corpus: N names in J sentences, and B originals of each.

    Attributes
    ----------
    names : tuple of str, length N
        Persons put into the sentences, sorted.
    forms : tuple of str, length N
        Their citation forms, the names themselves where the data have none.
    sentences : tuple of str, length J
        Items, sorted.
    baseline : tuple of str, length B
        Persons of the rows that count as originals: ``("original",)``, or ``("he", "she")``.
    rows : (N, J) integer array
        Where the score of each name in each sentence stands; −1: there is no such row.
    originals : (B, J) integer array
        Where the score of each original stands; −1: there is no such row.
    labels : dict of str to tuple of str, each of length N
        By group column the label of each name.
    source : Source
        The columns used, coded.
    notes : tuple of str
        What a reader must know about the data.
    """

    names: tuple[str, ...]
    forms: tuple[str, ...]
    sentences: tuple[str, ...]
    baseline: tuple[str, ...]
    rows: Ints
    originals: Ints
    labels: dict[str, tuple[str, ...]]
    source: Source
    notes: tuple[str, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether every name stands in every sentence."""
        return bool((self.rows >= 0).all())

    @property
    def reference(self) -> str:
        """The originals, as the column ``reference`` names them."""
        return "+".join(self.baseline)

    def levels(self, column: str) -> tuple[str, ...]:
        """Return the marked labels of a group column, sorted."""
        return tuple(sorted(set(self.labels[column]) - {UNMARKED}))


def lay_out_perturbed(source: Source, *, baseline: Any, group: Any, shared: bool) -> Perturbed:
    """Check the labels and lay the rows out.

    Parameters
    ----------
    source : Source
        Holds ``person``, ``item``, the group columns, and where there are noun phrases ``pair``.
    baseline : None, str or sequence of str
        Persons whose rows are the originals; by default ``original``, else those of the type ``pronoun``.
    group : None, str or sequence of str
        Columns of labels of the names; by default the identity axes with two marked levels.
    shared : bool
        Whether sentences that lack a name are left out.

    Raises
    ------
    LabelsError
        If a column is missing, a name carries two labels of a column, or there is no baseline row.
    DesignError
        If a name stands in a sentence twice, or fewer than two sentences are left.
    OptionError
        If ``baseline`` names no person of the data.
    """
    person, item = source.coded("person"), source.coded("item")
    refuse_blank(person)
    refuse_blank(item)
    refuse_twins(person)
    based = _baseline(source, person, baseline)
    first, others, notes = _split(source, person, item, based)
    names, name = compact(person.codes[others])
    at = _sentences(item, item.codes[first], item.codes[others], tuple(person.levels[k] for k in based))
    of_name, of_first = at[item.codes[others]], at[item.codes[first]]
    rows = _grid(others, name, of_name, (len(names), int(at.max()) + 1), person, item)
    slot = np.searchsorted(based, person.codes[first])
    originals = _grid(first, slot, of_first, (len(based), rows.shape[1]), person, item)
    keep = np.bincount(of_name, minlength=rows.shape[1]) > 0
    notes += _without_names(keep, item, at)
    if shared:
        keep, more = _shared(rows, keep)
        notes += more
    notes += _gaps(rows[:, keep], tuple(person.levels[k] for k in names))
    sentences = np.flatnonzero(at >= 0)[keep]
    if len(sentences) < 2:
        raise DesignError(
            f"one sentence only ({item.levels[sentences[0]]!r}); the measures are means over sentences and their "
            "intervals resample them: give two sentences or more"
        )
    labels, coded, further = _labels(source, group, others, name, tuple(person.levels[k] for k in names))
    columns = {"person": person, "item": item, **coded}
    if "pair" in source.columns:
        columns["pair"] = source.coded("pair", ordered=False)
    return Perturbed(
        names=tuple(person.levels[k] for k in names),
        forms=_forms(source, rows, tuple(person.levels[k] for k in names)),
        sentences=tuple(item.levels[k] for k in sentences),
        baseline=tuple(person.levels[k] for k in based),
        rows=rows[:, keep],
        originals=originals[:, keep],
        labels=labels,
        source=Source(columns, source.rows, source.data),
        notes=(*notes, *further),
    )


def _baseline(source: Source, person: Coded, asked: Any) -> Ints:
    """Return the codes of the persons whose rows are the originals, ascending."""
    if asked is not None:
        wanted = (asked,) if isinstance(asked, str) or not isinstance(asked, Iterable) else tuple(asked)
        for name in wanted:
            if name not in person.levels:
                raise OptionError(
                    f"baseline={asked!r}: no row has the person {name!r}; the persons are {_listed(person.levels)}"
                )
        if not wanted or len(set(wanted)) != len(wanted):
            raise OptionError(f"baseline={asked!r}; expected a person, or several different ones")
        return np.array(sorted(person.levels.index(name) for name in wanted), dtype=np.intp)
    if ORIGINAL in person.levels:
        return np.array([person.levels.index(ORIGINAL)], dtype=np.intp)
    kinds = source.coded("person_type", ordered=False) if "person_type" in source.columns else None
    if kinds is not None and PRONOUN in kinds.levels:
        return np.unique(person.codes[kinds.codes == kinds.levels.index(PRONOUN)])
    seen = f"the types {', '.join(sorted(kinds.levels))}" if kinds is not None else "no column 'person_type'"
    raise LabelsError(
        f"there is no baseline row, the sentence a name is put into: no row has the person {ORIGINAL!r}, and the data "
        f"have {seen}, in which {PRONOUN!r} would be taken; keep the originals that eec perturb writes, or name the "
        f"person to compare with, such as baseline=('she', 'he'); the persons are {_listed(person.levels)}"
    )


def _split(source: Source, person: Coded, item: Coded, based: Ints) -> tuple[Ints, Ints, tuple[str, ...]]:
    """Return the rows of the originals and of the names; where there are names, noun phrases are left out."""
    original = np.zeros(len(person.levels), dtype=bool)
    original[based] = True
    original = original[person.codes]
    first, others = np.flatnonzero(original), np.flatnonzero(~original)
    if not others.size:
        raise LabelsError(
            f"every row is an original ({_listed([person.levels[k] for k in based])}); there is no name to compare it "
            "with"
        )
    base, _ = read_bases(source, item, {})
    named = others[base[others] < 0]
    if not named.size or named.size == others.size:
        return first, others, ()
    left = (
        f"{others.size - named.size} of {source.rows} rows take no part: they are neither originals nor names; filter "
        "the names away to measure noun phrases"
    )
    return first, named, (left,)


def _sentences(item: Coded, first: Ints, others: Ints, baseline: tuple[str, ...]) -> Ints:
    """Number the items that have an original (J of them), −1 elsewhere; refuse items without one."""
    at = np.full(len(item.levels), -1, dtype=np.intp)
    found, _ = compact(first)
    at[found] = np.arange(len(found))
    lacking = np.flatnonzero((at < 0) & (np.bincount(others, minlength=len(at)) > 0))
    if lacking.size:
        raise DesignError(
            f"{lacking.size} of {len(at)} sentences have no baseline row, first {item.levels[lacking[0]]!r}; a name is "
            f"compared with the row of the same sentence whose person is {_listed(baseline, ' or ')}"
        )
    return at


def _grid(rows: Ints, unit: Ints, sentence: Ints, shape: tuple[int, int], person: Coded, item: Coded) -> Ints:
    """Lay rows out as units × sentences, −1 where there is none.

    Raises
    ------
    DesignError
        Naming the first two rows of a unit that meets a sentence twice.
    """
    flat = unit * shape[1] + sentence
    grid = np.full(shape[0] * shape[1], -1, dtype=np.intp)
    grid[flat] = rows
    twice = np.flatnonzero(np.bincount(flat, minlength=1) > 1)
    if twice.size:
        one, other = (int(row) for row in rows[np.flatnonzero(flat == twice[0])[:2]])
        raise DesignError(
            f"rows {one} and {other} (rows count from 0) both give {person.levels[person.codes[one]]!r} in sentence "
            f"{item.levels[item.codes[one]]!r}; each person stands in each sentence once ({twice.size} such)"
        )
    return grid.reshape(shape)


def _without_names(keep: Bools, item: Coded, at: Ints) -> tuple[str, ...]:
    alone = np.flatnonzero(~keep)
    if not alone.size:
        return ()
    if alone.size == keep.size:
        raise DesignError("no sentence has both a baseline row and a name: the items of the two differ")
    first = item.levels[int(np.flatnonzero(at == alone[0])[0])]
    return (f"{alone.size} of {keep.size} sentences take no part: no name stands in them (first {first!r})",)


def _shared(rows: Ints, keep: Bools) -> tuple[Bools, tuple[str, ...]]:
    complete = keep & (rows >= 0).all(axis=0)
    if not complete.any():
        raise DesignError("incomplete='shared': no sentence has all names, so nothing is left to compare")
    if complete.sum() == keep.sum():
        return keep, ()
    return complete, (f"cut to the {int(complete.sum())} of {int(keep.sum())} sentences that have all names",)


def _gaps(rows: Ints, names: tuple[str, ...]) -> tuple[str, ...]:
    missing = (rows < 0).sum(axis=1)
    short = np.flatnonzero(missing)
    if not short.size:
        return ()
    listed = _listed([f"{names[n]} ({missing[n]})" for n in short])
    return (
        f"{int(missing.sum())} of {rows.shape[0]} × {rows.shape[1]} combinations of name and sentence are missing: "
        f"{listed}; every mean is over the sentences a name has, or the names a sentence has (n_items says how many; "
        "incomplete='shared' keeps the sentences that have all names)",
    )


def _labels(
    source: Source, group: Any, rows: Ints, name: Ints, names: tuple[str, ...]
) -> tuple[dict[str, tuple[str, ...]], dict[str, Coded], list[str]]:
    """Return by column the label of each name, the coded columns, and which columns were passed over."""
    asked = None if group is None else axis_names((group,) if isinstance(group, str) else group, "group")
    labels: dict[str, tuple[str, ...]] = {}
    coded: dict[str, Coded] = {}
    notes: list[str] = []
    for column in axis_candidates(source) if asked is None else asked:
        found = source.coded(column)
        refuse_blank(found)
        own = np.zeros(len(names), dtype=np.intp)
        own[name[::-1]] = found.codes[rows[::-1]]
        strayed = np.flatnonzero(found.codes[rows] != own[name])
        if strayed.size:
            row, who = int(rows[strayed[0]]), int(name[strayed[0]])
            other = int(rows[np.flatnonzero(name == who)[0]])
            text = (
                f"column {column!r} gives {names[who]!r} the label {found.levels[found.codes[other]]!r} in row {other} "
                f"and {found.levels[found.codes[row]]!r} in row {row} (rows count from 0)"
            )
            if asked is not None:
                raise LabelsError(f"{text}; a group is made of names, so each needs one label")
            notes.append(f"{text}, so it makes no groups of names")
            continue
        refuse_twins(found)
        refuse_other_spelling(found)
        given = tuple(found.levels[k] for k in own.tolist())
        marked = sorted(set(given) - {UNMARKED})
        if len(marked) >= 2:
            labels[column], coded[column] = given, found
        elif asked is not None:
            what = f"one marked label ({marked[0]})" if marked else "no marked label"
            raise DesignError(f"group {column!r} has {what} among the names; a comparison needs two")
    return labels, coded, notes


def _forms(source: Source, rows: Ints, names: tuple[str, ...]) -> tuple[str, ...]:
    if "person_form" not in source.columns:
        return names
    forms = source.coded("person_form", ordered=False)
    return tuple(forms.levels[code] for code in forms.codes[rows.max(axis=1)].tolist())


def _listed(names: Sequence[str], word: str = ", ") -> str:
    """Name the first few of several."""
    more = f" and {len(names) - LISTED} more" if len(names) > LISTED else ""
    return word.join(names[:LISTED]) + more
