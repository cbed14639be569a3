"""Every mistake in the input is answered with its place and its remedy."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from synthetic import ITEMS, corpus, names, scores

from eec_bias import BiasError, DesignError, LabelsError, OptionError, ScoresError, measure


def refusal(kind: type[BiasError], y: object, data: object, **options: object) -> str:
    with pytest.raises(kind) as caught:
        measure(y, data, **options)
    return str(caught.value)


@pytest.fixture
def data() -> pd.DataFrame:
    return corpus()


@pytest.fixture
def y(data: pd.DataFrame) -> np.ndarray:
    return scores(data)


def test_wrong_length(y, data) -> None:
    assert refusal(ScoresError, y[:-1], data) == (
        "191 scores for 192 rows; give one score per row of the data, in the data's order"
    )


def test_wrong_length_of_one_named_system(y, data) -> None:
    assert refusal(ScoresError, {"a": y, "b": y[:-1]}, data) == (
        "system 'b' has 191 scores for 192 rows; give one score per row of the data, in the data's order"
    )


def test_missing_score(y, data) -> None:
    y[17] = np.nan
    assert refusal(ScoresError, y, data) == (
        "score in row 17 (rows count from 0) is nan (1 such); every row needs a finite score"
    )


def test_score_out_of_range(y, data) -> None:
    y[[5, 9]] = 1.25, 7
    assert refusal(ScoresError, y, data) == (
        "score in row 5 (rows count from 0) is 1.25, outside [0, 1] (2 such); declare the scale of the scores with "
        "score_range=(low, high)"
    )


def test_score_out_of_range_names_its_system(y, data) -> None:
    bad = y.copy()
    bad[3] = -0.5
    assert refusal(ScoresError, {"good": y, "bad": bad}, data) == (
        "score in row 3 (rows count from 0) of system 'bad' is -0.5, outside [0, 1] (1 such); declare the scale of "
        "the "
        "scores with score_range=(low, high)"
    )


def test_scores_that_are_not_numbers(data) -> None:
    assert refusal(ScoresError, [{"label": "joy"}] * len(data), data) == (
        "scores cannot be read as numbers (float() argument must be a string or a real number, not 'dict')"
    )


@pytest.mark.parametrize("kind", [list, np.array, pa.array, lambda texts: np.array(texts, dtype=object)])
def test_scores_that_are_text(y, data, kind) -> None:
    assert refusal(ScoresError, kind([str(score) for score in y]), data) == (
        "scores are text; give every score as a real number"
    )


def test_complex_scores(y, data) -> None:
    assert refusal(ScoresError, y + 0j, data) == "scores are complex numbers; give every score as a real number"


def test_a_matrix_without_systems(data) -> None:
    assert refusal(ScoresError, np.zeros((0, len(data))), data) == (
        "scores is a matrix without rows; give one row of scores per system"
    )


def test_scores_whose_index_contradicts_that_of_the_data(y, data) -> None:
    series = pd.Series(y, index=data.index)
    assert refusal(ScoresError, series.sort_values(), data).startswith(
        "the scores' index has the labels of the data's in another order: row 0 (rows count from 0) is "
    )
    assert refusal(ScoresError, series[::-1], data) == (
        "the scores' index has the labels of the data's in another order: row 0 (rows count from 0) is 191 in the "
        "scores and 0 in the data; bring them into one order with scores.loc[data.index], or pass scores.to_numpy() if "
        "they are in the data's order already"
    )
    assert measure(series, data).terms == measure(series.set_axis(range(500, 692)), data).terms


def test_no_rows(data) -> None:
    assert refusal(LabelsError, [], data.iloc[:0]) == (
        "data has no rows; expected one row per sentence with race, gender, person and item"
    )


def test_three_dimensional_scores(data) -> None:
    assert refusal(ScoresError, np.zeros((2, 2, 2)), data) == (
        "scores has shape (2, 2, 2); expected (rows,) or (systems, rows)"
    )


@pytest.mark.parametrize("score_range", [(1, 0), (0, np.inf), (0, 0), "01x", 5])
def test_impossible_range(y, data, score_range) -> None:
    assert refusal(OptionError, y, data, score_range=score_range) == (
        f"score_range={score_range!r}; expected two finite numbers, the lower first, such as (-1, 1)"
    )


@pytest.mark.parametrize(("score_range", "width"), [((0, 1e300), "1e+300"), ((0, 1e-200), "1e-200")])
def test_a_range_whose_variance_cannot_be_computed(y, data, score_range, width) -> None:
    assert refusal(OptionError, y, data, score_range=score_range) == (
        f"score_range={score_range!r} is {width} wide; variances need a width between 1e-100 and 1e+100: rescale the "
        "scores"
    )


def test_missing_column(y, data) -> None:
    assert refusal(LabelsError, y, data.drop(columns="person")) == (
        "column 'person' is missing; the data have race, gender, item, pair"
    )


def test_missing_axis(y, data) -> None:
    assert refusal(LabelsError, y, data, axes=("race", "age")) == (
        "column 'age' is missing; the data have person, race, gender, item, pair"
    )


def test_missing_pair_with_unmarked_rows(y, data) -> None:
    assert refusal(LabelsError, y, data.drop(columns="pair")) == (
        "column 'pair' is missing, and row 120 (rows count from 0) is unmarked on 'race'; pass pair=, which tells "
        "names "
        "from noun phrases"
    )


def test_missing_label(y, data) -> None:
    data.loc[[4, 6], "gender"] = None
    assert refusal(LabelsError, y, data) == (
        "column 'gender' has no value in row 4 (rows count from 0; 2 such rows); every row needs a label"
    )


@pytest.mark.parametrize("column", ["race", "person", "item"])
def test_a_blank_label(y, data, column) -> None:
    data = data.drop(columns="pair").iloc[:120].assign(**{column: data[column].where(data.index != 4, " ")})
    assert refusal(LabelsError, y[:120], data) == (
        f"column '{column}' is blank in row 4 (rows count from 0; 1 such rows); every row needs a label, 'unmarked' on "
        "an axis it says nothing about"
    )


def test_labels_that_are_fractions(y, data) -> None:
    assert refusal(LabelsError, y, data.assign(person=y)) == (
        "column 'person' holds double values; labels must be text or integers"
    )


def test_columns_of_unequal_length(y, data) -> None:
    columns = {name: data[name].tolist() for name in data}
    columns["item"] = columns["item"][:-1]
    assert refusal(LabelsError, y, columns) == "column 'item' has 191 rows, column 'person' has 192"


def test_labels_that_differ_by_case_or_accents(y, data) -> None:
    data.loc[data["person"] == "latino-male-0", "race"] = "látino"
    assert refusal(LabelsError, y, data) == (
        "column 'race' has the labels 'Latino' (first in row 60) and 'látino' (first in row 90; rows count from 0), "
        "which differ only by case, accents or space; write one of them throughout, or names that can be told apart "
        "if two are meant"
    )


@pytest.mark.parametrize(
    ("column", "label", "written"),
    [
        ("race", "Latino", "latino"),
        ("race", "unmarked", "Unmarked"),
        ("gender", "male", "Male "),
        ("race", "Anglo", "Ánglo"),
    ],
)
def test_labels_that_differ_by_case_or_accents_from_those_of_the_corpora(y, data, column, label, written) -> None:
    row = int(np.flatnonzero(data[column] == label)[0])
    assert refusal(LabelsError, y, data.replace({column: {label: written}})) == (
        f"column '{column}' has the label '{written}' (first in row {row}; rows count from 0), which the corpora write "
        f"'{label}'; write it so throughout: references and unmarked rows are known by it"
    )


def test_persons_that_differ_by_accents(y, data) -> None:
    data.loc[data["person"] == "latino-male-0", "person"] = "José"
    data.loc[data["person"] == "latino-male-1", "person"] = "Jose"
    assert refusal(LabelsError, y, data) == (
        "column 'person' has the labels 'Jose' (first in row 96) and 'José' (first in row 90; rows count from 0), "
        "which differ only by case, accents or space; write one of them throughout, or names that can be told apart if "
        "two are meant"
    )


def test_unknown_reference_level(y, data) -> None:
    assert refusal(OptionError, y, data, reference={"gender": "Male"}) == (
        "reference='Male' is not a level of 'gender'; its levels are female, male"
    )


def test_a_pair_that_does_not_belong_to_its_item(y, data) -> None:
    data.loc[130, "pair"] = "t09/odd/mother_father"
    assert refusal(LabelsError, y, data) == (
        "row 130 (rows count from 0) has pair 't09/odd/mother_father' and item 't02/glad'; a pair is the item itself "
        "(names) or the item followed by '/' and what the row is paired by, such as 'mother_father'"
    ).replace("t02/glad", data.loc[130, "item"])


def test_a_pair_shared_by_two_items(y, data) -> None:
    data.loc[0, "item"] = ITEMS[1]
    message = refusal(LabelsError, y, data)
    assert message.startswith("row 0 (rows count from 0) has pair 't01/angry' and item 't01/glad'; a pair is the item")


def test_duplicated_person_on_an_item(y, data) -> None:
    twice = pd.concat([data, data.iloc[[7]]], ignore_index=True)
    assert refusal(DesignError, np.append(y, 0.5), twice) == (
        "names: rows 7 and 192 (rows count from 0) both give person 'anglo-female-1' (race=Anglo, gender=female) on "
        "item "
        "'t01/glad'; each person meets each item once (1 such)"
    )


def test_duplicated_noun_phrase_on_an_item(y, data) -> None:
    twice = pd.concat([data, data.iloc[[125]]], ignore_index=True)
    assert refusal(DesignError, np.append(y, 0.5), twice) == (
        "pairs: rows 125 and 192 (rows count from 0) both give person 'aunt' (pair 'aunt_uncle') on item "
        "'t03/glad'; each "
        "person meets each item once (1 such)"
    )


def test_missing_row_of_a_name(y, data) -> None:
    assert refusal(DesignError, y[1:], data.iloc[1:]) == (
        "names: 1 of the 20 × 6 combinations of person and item are missing, first person 'anglo-female-0' "
        "(race=Anglo, "
        "gender=female) on item 't01/angry'; every person needs every item: add the rows, or pass "
        "incomplete='shared' to "
        "keep the 5 items all persons share"
    )


def test_a_person_labelled_otherwise_in_one_row_is_shown_with_both_labels(y, data) -> None:
    data = data.copy()
    data.loc[(data["person"] == "anglo-female-2") & (data["item"] == "t01/angry"), "race"] = "Latino"
    assert refusal(DesignError, y, data) == (
        "names: 6 of the 21 × 6 combinations of person and item are missing, first person 'anglo-female-2' "
        "(race=Anglo, gender=female; also rows with race=Latino, gender=female) on item 't01/angry'; every person "
        "needs every item: add the rows"
    )


def test_missing_row_of_a_noun_phrase(y, data) -> None:
    assert refusal(DesignError, y[:-1], data.iloc[:-1]) == (
        "pairs: 1 of the 12 × 6 combinations of person and item are missing, first person 'husband' (pair "
        "'wife_husband') "
        "on item 't03/glad'; every person needs every item: add the rows, or pass incomplete='shared' to keep the 5 "
        "items "
        "all persons share"
    )


def test_an_incomplete_table_is_cut_to_shared_items_on_request(y, data) -> None:
    result = measure(y[1:], data.iloc[1:], incomplete="shared")
    assert {row["n_items"] for row in result.terms if row["subset"] == "names"} == {5}
    assert result.notes[0] == "names: incomplete table cut to the 5 of 6 items all persons share"
    assert str(result.signature).endswith("|edge:none|incomplete:shared")


def test_no_item_shared_by_all(y, data) -> None:
    names_only = data[data["race"] != "unmarked"]
    first, second = ITEMS[:3], ITEMS[3:]
    kept = names_only[names_only["item"].isin(first) == (names_only["person"] == "anglo-male-0")]
    assert set(kept["item"]) == {*first, *second}
    message = refusal(DesignError, y[kept.index], kept, incomplete="shared")
    assert message == (
        "names: 60 of the 20 × 6 combinations of person and item are missing, first person 'anglo-female-0' "
        "(race=Anglo, "
        "gender=female) on item 't01/angry'; no item is shared by all persons, so nothing is left to compare"
    )


def test_one_level_axis_asked_for(y, data) -> None:
    women = data["gender"] == "female"
    assert refusal(DesignError, y[women], data[women], axes=("race", "gender")) == (
        "axis 'gender' has one marked level (female); a comparison needs two: leave the axis out, or add a level"
    )


def test_one_level_axes_are_left_out_by_default(y, data) -> None:
    women = data["gender"] == "female"
    result = measure(y[women], data[women])
    assert [row["term"] for row in result.terms] == ["race"]
    assert result.notes == ("36 of 96 rows take no part: they carry no level, or no counterpart, on the axes measured",)


def test_no_axis_with_two_levels(y, data) -> None:
    few = (data["gender"] == "female") & (data["race"] == "Anglo")
    assert refusal(DesignError, y[few], data[few]) == (
        "no axis has two marked levels; found race (Anglo), gender (female); a comparison needs two"
    )


def test_empty_cell(y, data) -> None:
    kept = ~((data["race"] == "Latino") & (data["gender"] == "male"))
    assert refusal(DesignError, y[kept], data[kept]) == (
        "names: no person with race=Latino, gender=male; every combination of the axes' levels needs persons: leave "
        "an "
        "axis out with axes=, or filter the level away"
    )


def test_a_cell_with_one_person() -> None:
    data = pd.DataFrame(names(persons=2))
    kept = data["person"] != "anglo-male-1"
    assert refusal(DesignError, scores(data)[kept], data[kept]) == (
        "names: 'anglo-male-0' is the only person with race=Anglo, gender=male; how much persons differ needs two "
        "or more "
        "in every cell"
    )


def test_nothing_comparable(y, data) -> None:
    alone = data[data["race"] == "unmarked"].assign(pair=lambda d: d["item"] + "/" + d["person"])
    assert refusal(DesignError, y[alone.index], alone) == (
        "no rows can be compared on gender: names need two marked levels, and noun phrases two levels of an axis in "
        "the "
        "same pair"
    )


@pytest.mark.parametrize(
    ("option", "value", "allowed"),
    [
        ("adjust", "bonferroni", "'holm', 'bh', 'by', 'maxt', 'none'"),
        ("incomplete", "drop", "'refuse', 'shared'"),
    ],
)
def test_unknown_options(y, data, option, value, allowed) -> None:
    assert refusal(OptionError, y, data, **{option: value}) == f"{option}={value!r} is unknown; use one of {allowed}"


def test_axes_given_as_one_word(y, data) -> None:
    assert refusal(OptionError, y, data, axes="gender") == (
        "axes='gender'; expected a sequence of names such as ('gender',)"
    )


@pytest.mark.parametrize("name", ["person", "item", "pair"])
def test_axes_that_are_no_groups(y, data, name) -> None:
    assert refusal(OptionError, y, data, axes=("race", name)) == (
        f"axes=('race', '{name}'): '{name}' says who or what a row is about; an axis is a column of groups, such as "
        "'race'"
    )


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("by", ["emotion"], "by=['emotion']; expected the name of one column, such as 'emotion'"),
        (
            "edge",
            None,
            "edge=None is not an edge treatment: give 'none', 'squeeze' or 'clip:EPS' with 0 < EPS < 0.5, for example "
            "'clip:0.001'.",
        ),
        ("systems", 3, "systems=3; expected one name per row of scores, or the name of a column of the data"),
    ],
)
def test_options_of_the_wrong_type(y, data, option, value, message) -> None:
    assert refusal(BiasError, np.stack([y, y]), data, **{option: value}) == message


def test_axes_given_twice_or_not_at_all(y, data) -> None:
    assert refusal(OptionError, y, data, axes=("race", "race")) == "axes=('race', 'race') names an axis twice"
    assert refusal(DesignError, y, data, axes=()) == (
        "axes=() names no axis; name at least one, for example axes=('gender',)"
    )


def test_names_of_systems_that_do_not_fit(y, data) -> None:
    two = np.stack([y, y])
    assert refusal(OptionError, two, data, systems=["a"]) == "systems= has 1 names for 2 rows of scores"
    assert refusal(OptionError, two, data, systems=["a", "a"]) == "systems= has the same name twice: a"
    assert refusal(OptionError, {"a": y}, data, systems=["a"]) == (
        "systems= was given besides a mapping that already names the systems; give one of them"
    )
    assert refusal(ScoresError, {}, data) == "scores is an empty mapping; give one row of scores per system"


def test_data_that_are_no_table(y) -> None:
    assert refusal(LabelsError, y, 5) == (
        "data is a int; expected a datasets.Dataset, a pandas.DataFrame, a pyarrow.Table or a dict of columns"
    )
    assert refusal(LabelsError, y, {}) == (
        "data has no columns; expected one row per sentence with race, gender, person and item"
    )
