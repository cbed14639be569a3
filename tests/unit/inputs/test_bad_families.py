"""Columns of families that say something impossible, or too little."""

import numpy as np
import pandas as pd
import pytest
from synthetic import names, row_of, scores

from eec_bias import LabelsError, OptionError, measure

DATA = pd.DataFrame(names(persons=8))
Y = scores(DATA)
NUMBER = DATA["person"].str.rpartition("-")[2].astype(int)
IN_TWOS = DATA["person"].str.rpartition("-")[0] + "-" + (NUMBER // 2).astype(str)


def test_a_family_column_that_splits_a_person_is_refused() -> None:
    split = DATA.assign(family=np.where(DATA.index == 1, "other", IN_TWOS))
    said = r"gives person 'anglo-female-0' the label 'anglo-female-0' in row 0 .* and 'other' in row 1"
    with pytest.raises(LabelsError, match=said):
        measure(Y, split)


def test_a_split_person_is_no_matter_where_families_are_left_out() -> None:
    split = DATA.assign(family=np.where(DATA.index == 1, "other", IN_TWOS))
    assert row_of(measure(Y, split, families=()), "race")["p"] == row_of(measure(Y, DATA), "race")["p"]


def test_a_family_that_holds_a_whole_cell_is_not_used() -> None:
    cell = (DATA["race"] == "Latino") & (DATA["gender"] == "female")
    one = measure(Y, DATA.assign(family=np.where(cell, "la", IN_TWOS)))
    assert row_of(one, "race")["p"] == row_of(measure(Y, DATA), "race")["p"]
    assert "test:names+" in one.signature


def test_a_family_that_holds_a_whole_cell_is_said() -> None:
    cell = (DATA["race"] == "Latino") & (DATA["gender"] == "female")
    notes = [str(note) for note in measure(Y, DATA.assign(family=np.where(cell, "la", IN_TWOS))).notes]
    assert (
        "names: we do not use the families of names in column family, because some group would have fewer than two"
        in notes[0]
    )


def test_families_of_single_names_are_no_facet() -> None:
    alone = measure(Y, DATA.assign(family=DATA["person"]))
    assert row_of(alone, "race")["p"] == row_of(measure(Y, DATA), "race")["p"]


def test_a_column_of_families_that_is_not_there_is_refused() -> None:
    with pytest.raises(OptionError, match="families names the column 'clan', which the data do not have"):
        measure(Y, DATA, families=("clan",))
