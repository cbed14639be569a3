"""Sentences and the persons named in them, laid out as names × sentences beside the originals."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from eec_bias.errors import DesignError, LabelsError, OptionError, expect
from eec_bias.inputs.axes import axis_candidates
from eec_bias.inputs.containers import Source
from eec_bias.inputs.coverage import Coverage, LabelledRows
from eec_bias.inputs.labels import Coded, check_column, compact, first_rows
from eec_bias.inputs.observed import read_bases
from eec_bias.notes import Note
from eec_bias.options import UNMARKED, Bools, Incomplete, Ints
from eec_bias.result.parts import listed

ORIGINAL, PRONOUN = "original", "pronoun"
"""Values of ``person`` (``person_type``) in the rows from which a perturbed corpus, or an EEC, starts."""


LISTED = 5
"""Names given in a message; the rest are counted."""

_listed = partial(listed, most=LISTED)


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
        The data.
    notes : tuple of Note
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
    notes: tuple[Note, ...] = ()

    @property
    def reference(self) -> str:
        """The originals, as the column ``reference`` names them."""
        return "+".join(self.baseline)

    @property
    def templates(self) -> int:
        """Return how many templates the sentences have; each its own where the data do not say."""
        if "template" not in self.source.columns:
            return len(self.sentences)
        return len(np.unique(self.source.coded("template").codes[self.rows.max(axis=0)]))

    @property
    def groups(self) -> list[tuple[str, str, Bools]]:
        """Column and label of each group, and which names (N,) it has."""
        return [
            (column, level, np.array(labels) == level)
            for column, labels in self.labels.items()
            for level in sorted(set(labels) - {UNMARKED})
        ]


def lay_out_perturbed(
    source: Source, *, baseline: Any, group: tuple[str, ...] | None, incomplete: Incomplete
) -> Perturbed:
    """Check the labels and lay the rows out; ``shared`` leaves out the sentences that lack a name.

    Raises
    ------
    LabelsError
        If a column is missing, a name carries two labels of a column, or there is no baseline row.
    DesignError
        If a name stands in a sentence twice, or in none where that is refused, or fewer than two sentences are left.
    OptionError
        If ``baseline`` names no person of the data.
    """
    person, item, notes = source.coded("person"), source.coded("item"), list[Note]()
    check_column(person, "person")
    check_column(item, "item")
    based = _baseline(source, person, baseline)
    first, others = _split(source, person, item, based, notes)
    codes, name = compact(person.codes[others])
    names, originals_of = (tuple(person.levels[k] for k in positions) for positions in (codes, based))
    of_names, of_originals = _coverage(person, item, others, codes), _coverage(person, item, first, based)
    lacking = np.setdiff1d(of_names.items, of_originals.items)
    if lacking.size:
        raise DesignError(
            f"{lacking.size} of {len(item.levels)} sentences have no baseline row, first {item.levels[lacking[0]]!r}; "
            "a name is compared with the row of the same sentence whose person is "
            f"{_listed(originals_of, between=' or ')}"
        )
    kept = _choose(of_names, of_originals, item, notes, shared=incomplete == "shared")
    rows, originals = of_names.table(kept), of_originals.table(kept)
    missing = (rows < 0).sum(axis=1)
    if missing.any():
        which = _listed([f"{names[n]} ({missing[n]})" for n in np.flatnonzero(missing)])
        if incomplete == "refuse":
            raise DesignError(
                f"{missing.sum()} of the {len(names)} × {len(kept)} combinations of name and sentence are missing: "
                f"{which}; add the rows, or choose incomplete 'estimate', by which each mean is over the sentences "
                "that a name has"
            )
        gaps = {"missing": missing.sum(), "names": len(names), "sentences": len(kept), "which": which}
        notes.append(Note("perturbation_gaps", gaps))
    labels = _labels(source, group, others, name, names, notes)
    forms = source.texts("person_form", rows.max(axis=1))
    sentences = tuple(item.levels[k] for k in kept)
    return Perturbed(names, forms or names, sentences, originals_of, rows, originals, labels, source, tuple(notes))


def _baseline(source: Source, person: Coded, baseline: Any) -> Ints:
    """Codes of the persons whose rows are the originals, ascending."""
    if baseline is not None:
        requested = [baseline] if isinstance(baseline, str) or not isinstance(baseline, Iterable) else list(baseline)
        for name in requested:
            if name not in person.levels:
                raise OptionError(f"baseline: no row has the person {name!r}; the persons are {_listed(person.levels)}")
        different = requested and len(set(requested)) == len(requested)
        expect(different, "baseline", baseline, "a person, or several different ones")
        return np.array(sorted(map(person.levels.index, requested)), dtype=np.intp)
    if ORIGINAL in person.levels:
        return np.array([person.levels.index(ORIGINAL)], dtype=np.intp)
    if "person_type" in source.columns:
        kinds = source.coded("person_type", ordered=False)
        if PRONOUN in kinds.levels:
            return np.unique(person.codes[kinds.codes == kinds.levels.index(PRONOUN)])
    raise LabelsError(
        f"there is no baseline row, the sentence a name is put into: no row has {ORIGINAL!r} in the column 'person', "
        f"or {PRONOUN!r} in a column 'person_type'; keep the originals that eec perturb writes, or name the persons to "
        f"compare with in baseline, such as she and he; the persons are {_listed(person.levels)}"
    )


def _split(source: Source, person: Coded, item: Coded, baseline: Ints, notes: list[Note]) -> tuple[Ints, Ints]:
    """Rows of the originals and of the names; where there are names, noun phrases are left out."""
    original = np.isin(person.codes, baseline)
    # A sentence as it was found is said of nobody of that name, whatever else is compared with.
    as_found = np.array([name == ORIGINAL for name in person.levels])[person.codes] & ~original
    first, others = np.flatnonzero(original), np.flatnonzero(~original & ~as_found)
    if not others.size:
        originals = _listed([person.levels[k] for k in baseline])
        raise LabelsError(f"every row is an original ({originals}); there is no name to compare it with")
    if as_found.any():
        notes.append(Note("perturbation_as_found", {"unused": as_found.sum(), "rows": source.rows}))
    base, _ = read_bases(source, item, {})
    name_rows = others[base[others] < 0]
    if name_rows.size in (0, others.size):
        return first, others
    unused = others.size - name_rows.size
    notes.append(Note("perturbation_no_names", {"unused": unused, "rows": source.rows}))
    return first, name_rows


def _coverage(person: Coded, item: Coded, rows: Ints, persons: Ints) -> Coverage:
    """Say which sentences some persons stand in; refuse one that stands in a sentence twice."""
    met = LabelledRows(person.codes[rows], item.codes[rows], rows).coverage(persons, np.arange(len(persons)))
    if met.duplicate is not None:
        row, again, name, sentence, count = met.duplicate
        raise DesignError(
            f"rows {row} and {again} (rows count from 0) both give {person.levels[persons[name]]!r} in sentence "
            f"{item.levels[sentence]!r}; each person stands in each sentence once ({count} such)"
        )
    return met


def _choose(of_names: Coverage, of_originals: Coverage, item: Coded, notes: list[Note], *, shared: bool) -> Ints:
    """Sentences with a name, or with all names."""
    alone, kept = np.setdiff1d(of_originals.items, of_names.items), of_names.items
    if alone.size:
        first, sentences = item.levels[alone[0]], len(of_originals.items)
        numbers = {"alone": alone.size, "sentences": sentences, "first": first}
        notes.append(Note("perturbation_no_name_in", numbers))
    if shared and of_names.missing:
        notes.append(Note("perturbation_shared", {"shared": len(of_names.shared), "sentences": len(kept)}))
        kept = of_names.shared
    if len(kept) < 2:
        have = "all names" if shared else "a name"
        raise DesignError(
            f"{len(kept)} of {len(of_originals.items)} sentences have {have}; the measures are means over sentences "
            "and their intervals resample them: give two such sentences or more"
        )
    return kept


def _labels(
    source: Source, group: tuple[str, ...] | None, rows: Ints, name: Ints, names: tuple[str, ...], notes: list[Note]
) -> dict[str, tuple[str, ...]]:
    """By column the label of each name; columns that nobody named and that make no groups are passed over."""
    labels: dict[str, tuple[str, ...]] = {}
    first = first_rows(name, len(names))
    for column in axis_candidates(source) if group is None else group:
        whole = source.coded(column)
        codes = whole.codes[rows]
        strayed = np.flatnonzero(codes != codes[first][name])
        if strayed.size:
            at, since = strayed[0], first[name[strayed[0]]]
            stray, own, other = names[name[at]], whole.levels[codes[since]], whole.levels[codes[at]]
            if group is not None:
                raise LabelsError(
                    f"column {column!r} gives {stray!r} the label {own!r} in row {rows[since]} and {other!r} in row "
                    f"{rows[at]} (rows count from 0); a group is made of names, so each needs one label"
                )
            places = {"row": rows[since], "again": rows[at]}
            labels_of = {"column": column, "name": stray, "first": own, "other": other}
            notes.append(Note("perturbation_stray_label", labels_of | places))
            continue
        check_column(whole, "axis")
        own = whole.texts(rows[first])
        marked = sorted(set(own) - {UNMARKED})
        if len(marked) >= 2:
            labels[column] = own
        elif group is not None:
            marked_labels = f"one marked label ({marked[0]})" if marked else "no marked label"
            raise DesignError(f"group {column!r} has {marked_labels} among the names; a comparison needs two")
    return labels
