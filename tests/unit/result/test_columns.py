"""Rows of terms as columns: what a system lacks, the order of rows, and terms as a sequence."""

import numpy as np

from eec_bias.notes import Note
from eec_bias.result.columns import TermColumns, Terms, joined

RACE = {"term": "race", "axes": "race", "level": "Black", "reference": "white", "subset": "names"}
GENDER = {"term": "gender", "axes": "gender", "level": "female", "reference": "male", "subset": "names"}
SYSTEMS = [{"system": "a"}, {"system": "b"}]


def terms(*tables: TermColumns) -> Terms:
    return Terms(joined(tables), SYSTEMS)


def test_rows_stand_system_by_system_in_the_order_of_their_tables() -> None:
    first = TermColumns.of([RACE], {"effect": np.array([[0.1], [0.2]])}, 2)
    second = TermColumns.of([GENDER], {"effect": np.array([[0.3], [0.4]])}, 2)
    found = [(row.system, row.term, row.effect) for row in terms(first, second)]
    assert found == [("a", "race", 0.1), ("a", "gender", 0.3), ("b", "race", 0.2), ("b", "gender", 0.4)]


def test_a_column_that_a_table_does_not_fill_is_null_normal_and_without_notes() -> None:
    with_all = {"p": np.array([[0.5], [np.nan]]), "n_items": np.array([[3], [4]]), "notes": _notes("few_runs")}
    rows = terms(TermColumns.of([RACE], with_all, 2), TermColumns.of([GENDER], {}, 2))
    assert [row.p for row in rows] == [0.5, None, None, None]
    assert [row.n_items for row in rows] == [3, None, 4, None]
    assert type(rows[0].n_items) is int
    assert [len(row.notes) for row in rows] == [1, 0, 0, 0]
    assert {row.state for row in rows} == {"normal"}


def test_a_system_can_lack_a_row() -> None:
    only_b = TermColumns.of_one(GENDER, [None, {"only_level": 2, "words_level": (("angry", "furiosa", "furioso"),)}])
    rows = terms(TermColumns.of([RACE], {}, 2), only_b)
    assert [(row.system, row.term) for row in rows] == [("a", "race"), ("b", "race"), ("b", "gender")]
    assert len(rows) == 3
    assert rows[-1].words_level == (("angry", "furiosa", "furioso"),)


def test_terms_equal_a_tuple_of_the_same_rows() -> None:
    rows = terms(TermColumns.of([RACE], {"effect": np.array([[0.1], [0.2]])}, 2))
    assert rows == tuple(rows)
    assert tuple(rows) == rows
    assert rows != tuple(rows)[1:]
    assert repr(rows) == repr(tuple(rows))


def _notes(*keys: str) -> np.ndarray:
    notes = np.empty((2, 1), dtype=object)
    notes.fill(())
    notes[0, 0] = tuple(Note(key, {"fewest": 5}) for key in keys)
    return notes
