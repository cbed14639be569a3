"""Every mistake in the input is answered by its type, its place and its remedy; whole sentences stand in snapshots."""

import re
from collections.abc import Callable
from typing import Any

import datasets
import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from synthetic import ITEMS, corpus, names, scores

from eec_bias import (
    Accumulator,
    BiasError,
    DesignError,
    LabelsError,
    OptionError,
    ScoresError,
    compare,
    measure,
    measure_frame,
)

DATA = corpus()
Y = scores(DATA)
WOMEN = DATA["gender"] == "female"
VALUES = {"negative": -1, "neutral": 0, "positive": 1}
CUBE = np.random.default_rng(3).dirichlet([1, 2, 3], size=len(DATA))
CLASSES = np.array(list(VALUES), dtype=object)[np.digitize(Y, [0.4, 0.6])]
LONG = pd.concat([DATA.assign(system=name, task="joy") for name in ("zeta", "alpha")], ignore_index=True)
Case = tuple[type[BiasError], str, Callable[[], Any]]


def at(rows: Any, value: Any, column: str | None = None) -> Any:
    """Scores, or a column of the data, with other values in some rows."""
    if column is None:
        y = Y.copy()
        y[rows] = value
        return y
    data = DATA.copy()
    data.loc[rows, column] = value
    return data


def of(y: Any = Y, data: Any = DATA, **options: Any) -> Callable[[], Any]:
    return lambda: measure(y, data, **options)


def part(kept: Any, **options: Any) -> Callable[[], Any]:
    return of(Y[kept], DATA[kept], **options)


def twice(row: int) -> tuple[Any, pd.DataFrame]:
    return np.append(Y, 0.5), pd.concat([DATA, DATA.iloc[[row]]], ignore_index=True)


def chunks(y: Any = Y, data: pd.DataFrame = DATA, size: int = 50, **options: Any) -> Callable[[], Any]:
    parts = [(y[..., k : k + size], data.iloc[k : k + size]) for k in range(0, len(data), size)]
    return lambda: measure(parts, **options)


def changing_systems() -> Any:
    whole = Accumulator()
    whole.update({"a": Y[:50]}, DATA.iloc[:50])
    try:
        whole.update({"b": Y[50:]}, DATA.iloc[50:])
    except ScoresError:
        whole.result()


FRAME = DATA.assign(id=DATA["item"] + "/" + DATA["person"], score=Y)
PAIRED = (FRAME["pair"] != FRAME["item"]).to_numpy()


def frame(data: Any = FRAME, score: Any = "score", **options: Any) -> Callable[[], Any]:
    given = duckdb.from_df(data) if isinstance(data, pd.DataFrame) and len(data) else data
    given = pl.from_pandas(data) if isinstance(data, pd.DataFrame) and not len(data) else given
    return lambda: measure_frame(given, score, **options)


def framed(row: int, value: Any, column: str, base: pd.DataFrame = FRAME) -> pd.DataFrame:
    data = base.copy()
    data.loc[row, column] = value
    return data


GAPS = FRAME[~PAIRED].drop(index=[2, 4, 41])
LONELY = names(persons=2)

SCORES: dict[str, Case] = {
    "too few": (ScoresError, "191 .* 192", of(Y[:-1])),
    "too few of one system": (ScoresError, "'b'.* 191 .* 192", of({"a": Y, "b": Y[:-1]})),
    "the matrix turned": (ScoresError, "transpose", of(np.stack([Y, Y, Y], axis=1))),
    "missing": (ScoresError, "row 17 .* nan", of(at(17, np.nan))),
    "missing in one system": (ScoresError, "row 20 .*'b' is nan .2 such", of({"a": Y, "b": at([20, 30], np.nan)})),
    "all missing": (ScoresError, "all 192", of(np.full((2, 192), np.nan))),
    "outside the range": (ScoresError, "row 5 .* 1.25.*2 such", of(at([5, 9], [1.25, 7]))),
    "outside the range, one system": (ScoresError, "row 3 .*'bad' is -0.5", of({"good": Y, "bad": at(3, -0.5)})),
    "another scale": (ScoresError, "1 to 5 .* from 1 to 5", of(np.append(4 * Y[:-2] + 1, [1, 5]))),
    "no numbers": (ScoresError, "dict", of([{"label": "joy"}] * 192)),
    "text": (ScoresError, "text", of([str(y) for y in Y])),
    "complex": (ScoresError, "complex", of(Y + 0j)),
    "no rows": (ScoresError, "matrix without rows", of(np.zeros((0, 192)))),
    "three dimensions": (ScoresError, r"\(2, 2, 2\)", of(np.zeros((2, 2, 2)))),
    "an index in another order": (ScoresError, "row 0 .* 191 .* 0 ", of(pd.Series(Y)[::-1])),
    "no systems": (ScoresError, "empty mapping", of({})),
    "a range that is none": (OptionError, r"score_range is \(1, 0\)", of(score_range=(1, 0))),
    "a range of one number": (OptionError, "score_range is 5", of(score_range=5)),
    "a range too wide": (OptionError, r"1e\+300 wide", of(score_range=(0, 1e300))),
    "too few names": (OptionError, "systems has 1 names for 2", of(np.stack([Y, Y]), systems=["a"])),
    "a name twice": (OptionError, "twice: a$", of(np.stack([Y, Y]), systems=["a", "a"])),
    "a name twice in a task": (OptionError, "task joy", of(np.stack([Y, Y]), systems=["a", "a"], tasks="joy")),
    "names twice over": (OptionError, "systems", of({"a": Y}, systems=["a"])),
    "names of the wrong type": (OptionError, "systems is 3", of(np.stack([Y, Y]), systems=3)),
    "too few tasks": (OptionError, "1 entries for 2", of({"a": Y, "b": Y}, tasks=["joy"])),
    "a task of nobody": (OptionError, "'beta'.* a, b", of({"a": Y, "b": Y}, tasks={"beta": "joy"})),
}  # fmt: skip
"""Scores and who gave them."""

LABELS: dict[str, Case] = {
    "no table": (LabelsError, "int", of(data=5)),
    "no columns": (LabelsError, "no columns", of(data={})),
    "no rows": (LabelsError, "no rows", of([], DATA.iloc[:0])),
    "several splits": (LabelsError, "train", of(data=datasets.DatasetDict(train=datasets.Dataset.from_pandas(DATA)))),
    "a stream": (LabelsError, "streamed", of(data=datasets.Dataset.from_pandas(DATA).to_iterable_dataset())),
    "a column is missing": (LabelsError, "'person'.*race, gender, item", of(data=DATA.drop(columns="person"))),
    "an axis is missing": (LabelsError, "'age'", of(axes=("race", "age"))),
    "a stratum is missing": (LabelsError, "'topic'", of(by="topic")),
    "no pair": (LabelsError, "'pair'.* row 120 .*'race'", of(data=DATA.drop(columns="pair"))),
    "a label is missing": (LabelsError, "'gender'.* row 4 .*2 such", of(data=at([4, 6], None, "gender"))),
    "a blank label": (LabelsError, "'race' is blank in row 4 ", of(data=at(4, " ", "race"))),
    "a blank item": (LabelsError, "'item' is blank in row 4 ", of(data=at(4, "", "item").drop(columns="pair"))),
    "fractions": (LabelsError, "'person' holds double", of(data=DATA.assign(person=Y))),
    "columns of unequal length": (LabelsError, "'item' has 191 rows, .*'person' has 192",
        of(data={c: DATA[c].tolist()[: 192 - (c == "item")] for c in DATA})),
    "accents": (LabelsError, "'Latino'.*row 60.*'látino'.*row 90",
        of(data=at(DATA["person"] == "latino-male-0", "látino", "race"))),
    "persons alike": (LabelsError, "'Jose'.*row 96.*'José'.*row 90",
        of(data=DATA.replace({"person": {"latino-male-0": "José", "latino-male-1": "Jose"}}))),
    "another spelling": (LabelsError, "'Male '.*row 30 .*'male'", of(data=DATA.replace({"gender": {"male": "Male "}}))),
    "another unmarked": (LabelsError, "'Unmarked'.*row 120", of(data=DATA.replace({"race": {"unmarked": "Unmarked"}}))),
    "a pair of another item": (LabelsError, "row 130 .*'t09/odd/mother_father'",
        of(data=at(130, "t09/odd/mother_father", "pair"))),
    "a pair of two items": (LabelsError, "row 0 .*'t01/angry'.*'t01/glad'", of(data=at(0, ITEMS[1], "item"))),
}  # fmt: skip
"""Data and their labels."""

DESIGNS: dict[str, Case] = {
    "a name twice": (DesignError, "rows 7 and 192 .*'anglo-female-1' .*'t01/glad'.*1 such", of(*twice(7))),
    "a noun phrase twice": (DesignError, "rows 125 and 192 .*'aunt' .*'t03/glad'", of(*twice(125))),
    "a name's row is missing": (DesignError, "1 of the 20 × 6 .*'anglo-female-0'.*'t01/angry'.* 5 items",
        part(DATA.index > 0)),
    "a noun phrase's row is missing": (DesignError, "1 of the 12 × 6 .*'husband' .*'t03/glad'", part(DATA.index < 191)),
    "a person labelled otherwise once": (DesignError, "6 of the 21 × 6 .*also rows with race=Latino",
        of(data=at((DATA["person"] == "anglo-female-2") & (DATA["item"] == "t01/angry"), "Latino", "race"))),
    "no item shared": (DesignError, "no item is shared",
        part((DATA["race"] != "unmarked") & (DATA["item"].isin(ITEMS[:3]) == (DATA["person"] == "anglo-male-0")),
        incomplete="shared")),
    "an axis of one level": (DesignError, "'gender' .*female", part(WOMEN, axes=("race", "gender"))),
    "no axis of two levels": (DesignError, r"race \(Anglo\), gender \(female\)",
        part(WOMEN & (DATA["race"] == "Anglo"))),
    "an empty cell": (DesignError, "race=Latino, gender=male", part(~((DATA["race"] == "Latino") & ~WOMEN))),
    "a lonely person": (DesignError, "'anglo-male-0' .*race=Anglo, gender=male",
        of(np.full(42, 0.5), pd.DataFrame([row for row in LONELY if row["person"] != "anglo-male-1"]))),
    "nothing to compare": (DesignError, "gender",
        of(Y[120:], DATA[120:].assign(pair=lambda d: d["item"] + "/" + d["person"]))),
    "no stratum with a comparison": (DesignError, "'person'.*anglo-female-0.*Anglo.*and 29 more", of(by="person")),
    "no axes": (DesignError, "axes", of(axes=())),
}  # fmt: skip
"""Labels that make no design."""

OPTIONS: dict[str, Case] = {
    "an adjustment": (OptionError, "adjust 'bonferroni' .*'holm'", of(adjust="bonferroni")),
    "incomplete": (OptionError, "incomplete 'drop' .*'shared'", of(incomplete="drop")),
    "a flag": (OptionError, "simple 'no'", of(simple="no")),
    "draws": (OptionError, "bootstrap is 5.*99", of(bootstrap=5)),
    "a word for draws": (OptionError, "permutations is 'all'.*'exact'", of(permutations="all")),
    "a seed": (OptionError, "seed is -1", of(seed=-1)),
    "an edge": (BiasError, "None", of(edge=None)),
    "strata": (OptionError, r"by is \['emotion'\]", of(by=["emotion"])),
    "a stratum that is an axis": (OptionError, "by 'gender'", of(by="gender", axes=("race", "gender"))),
    "an axis as a word": (OptionError, "axes is the text 'gender'", of(axes="gender")),
    "an axis that is no group": (OptionError, "'person'", of(axes=("race", "person"))),
    "an axis twice": (OptionError, r"\('race', 'race'\)", of(axes=("race", "race"))),
    "a level for a reference": (OptionError, "'Male'.*'gender'.*female, male", of(reference={"gender": "Male"})),
    "compare, an option": (OptionError, "edge", lambda: compare(Y, Y, DATA, edge="none")),
    "compare, names": (OptionError, "'ab'", lambda: compare(Y, Y, DATA, names="ab")),
    "compare, systems": (ScoresError, "a and b .* m and n", lambda: compare({"m": Y}, {"n": Y}, DATA)),
}  # fmt: skip
"""Options with values that they cannot take."""

OUTPUTS: dict[str, Case] = {
    "a kind": (OptionError, "outputs 'logits'", of(outputs="logits")),
    "classes of scores": (OptionError, "'score'", of(classes=VALUES)),
    "a range of classes": (OptionError, "score_range .*'class'", of(CLASSES, outputs="class", score_range=(0, 2))),
    "classes as a word": (OptionError, "classes is 'yes'", of(CLASSES, outputs="class", classes="yes")),
    "one class": (OptionError, r"\['yes'\]", of(CLASSES, outputs="class", classes=["yes"])),
    "values alike": (OptionError, "equal", of(CLASSES, outputs="class", classes={"a": 1, "b": 1})),
    "an unknown class": (ScoresError, "row 11 .*'m' is 'Positive'",
        of({"m": np.where(np.arange(192) == 11, "Positive", CLASSES)}, outputs="class", classes=VALUES)),
    "a class is missing": (ScoresError, "row 4 ", of([*CLASSES[:4], None, *CLASSES[5:]], outputs="class")),
    "too few classes": (ScoresError, "191 .* 192", of(CLASSES[1:], outputs="class")),
    "one class everywhere": (ScoresError, "'same'", of(["same"] * 192, outputs="class")),
    "probabilities that sum to less": (ScoresError, "row 7 .*0.6 .1 such",
        of(np.where(np.arange(192)[:, None] == 7, 0.2, CUBE), outputs="probabilities", classes=VALUES)),
    "logits": (ScoresError, "row 3 .*-0.5, 0.5, 1, .*2 such",
        of(np.concatenate([CUBE[:3], [[-0.5, 0.5, 1], [1.5, -0.25, -0.25]], CUBE[5:]]), outputs="probabilities",
        classes=VALUES)),
    "probabilities of nothing": (OptionError, "classes", of(CUBE, outputs="probabilities")),
    "two classes for three": (ScoresError, "3 .* 2 classes", of(CUBE, outputs="probabilities", classes=["no", "yes"])),
    "probabilities of other rows": (ScoresError, r"\(191, 3\) for 192",
        of(CUBE[1:], outputs="probabilities", classes=VALUES)),
    "columns of other classes": (ScoresError, "a, b, c.*neutral",
        of(pd.DataFrame(CUBE, columns=list("abc")), outputs="probabilities", classes=VALUES)),
    "ordinal in between": (ScoresError, "row 9 .* 2.5",
        of(np.where(np.arange(192) == 9, 2.5, np.rint(1 + 4 * Y)), outputs="ordinal", score_range=(1, 5))),
    "too many levels": (ScoresError, "levels.*20", of(np.rint(100 * Y), outputs="ordinal", score_range=(0, 100))),
}  # fmt: skip
"""Classes, probabilities and ordinal levels."""

TWO = np.tile(Y, 2)

LONG_DATA: dict[str, Case] = {
    "a score is missing": (ScoresError, "row 200 ",
        of(np.where(np.arange(384) == 200, np.nan, TWO), LONG, systems="system")),
    "a sentence is missing": (LabelsError, "'alpha' has 192.*'zeta' has 191",
        of(TWO[1:], LONG.iloc[1:], systems="system")),
    "another sentence": (LabelsError, "'alpha'.*'zeta': row 193",
        of(TWO, LONG.assign(person=LONG["person"].where(LONG.index != 192, "somebody")), systems="system")),
    "a sentence twice": (LabelsError, "'zeta'.*rows 5 and 192",
        of(np.append(Y, 0.5), pd.concat([LONG[:192], LONG.iloc[[5]]], ignore_index=True), systems="system")),
    "no such column": (OptionError, "systems 'model'", of(TWO, LONG, systems="model")),
    "tasks that are no column": (OptionError, r"\['joy'\]", of(TWO, LONG, systems="system", tasks=["joy"])),
}  # fmt: skip
"""Rows of several systems, one below the other."""

CHUNKS: dict[str, Case] = {
    "a row again": (DesignError, "chunk 3 .*150 rows.* row 42 .*'anglo-female-1' .*earlier", chunks(*twice(7))),
    "a row again at once": (DesignError, "chunk 0 .* row 192 .* row 7", chunks(*twice(7), size=500)),
    "a row is missing": (DesignError, "1 of the 20 × 6 .*'anglo-female-0'.*'t01/angry'", chunks(Y[1:], DATA.iloc[1:])),
    "outside the range": (ScoresError, "chunk 1 .*50 rows.* row 10 .* 1.5", chunks(at(60, 1.5))),
    "a score is missing": (ScoresError, "chunk 1 .* row 10 .* nan", chunks(at(60, np.nan))),
    "another case later": (LabelsError, "chunk 3 .*'female', .*earlier.*'Female', .*row ",
        chunks(data=DATA.assign(gender=DATA["gender"].where(DATA.index < 150, DATA["gender"].str.title())))),
    "other systems, and closed": (OptionError, "closed, chunk 1 .* b, .* a", changing_systems),
    "a system that comes late": (ScoresError, "chunk 1 .*'system1'", chunks(np.stack([Y, at(range(50), np.nan)]))),
    "nothing": (ScoresError, "no rows", lambda: measure([])),
    "no scores": (ScoresError, "all 192", chunks(np.full(192, np.nan))),
    "strata": (OptionError, "by 'item'", chunks(by="item")),
    "shared items": (OptionError, "incomplete 'shared'", chunks(incomplete="shared")),
    "classes": (OptionError, "outputs 'class'", chunks(outputs="class")),
    "refit": (OptionError, "refit True", chunks(refit=True, bootstrap=99)),
    "the squeeze": (OptionError, "edge 'squeeze'", chunks(edge="squeeze")),
    "forgotten data": (OptionError, "data is missing", lambda: measure(Y)),
}  # fmt: skip
"""Rows that come in chunks."""

FRAMES: dict[str, Case] = {
    "a score is missing": (ScoresError, "'t01/angry/anglo-female-1' is nan .1 such",
        frame(framed(6, None, "score"))),
    "outside the range": (ScoresError, "'t01/angry/anglo-female-1' is 1.5, outside", frame(framed(6, 1.5, "score"))),
    "infinite": (ScoresError, "'t01/angry/anglo-female-1' is inf .1 such", frame(framed(6, np.inf, "score"))),
    "no ids, two systems": (ScoresError, "person 'anglo-female-1' on item 't01/angry' of system 'b'",
        frame(framed(6, -1, "b", FRAME.assign(b=Y)).drop(columns="id"), ["score", "b"])),
    "a label is missing": (LabelsError, "'gender'.*'t01/angry/anglo-female-1' .1 such",
        frame(framed(6, None, "gender"))),
    "a blank label": (LabelsError, "'gender' is blank in row 't01/angry/anglo-female-1'",
        frame(framed(6, " ", "gender"))),
    "another spelling": (LabelsError, "'Male'.*'t01/angry/anglo-female-1'.*'male'",
        frame(framed(6, "Male", "gender", FRAME.replace({"gender": {"male": "men"}})))),
    "persons alike": (LabelsError, "'Anglo-Female-1'.*and 'anglo-female-1'",
        frame(framed(6, "Anglo-Female-1", "person"))),
    "a person twice": (DesignError, "2 rows .*'anglo-female-1' .*gender=female.*'t01/glad'",
        frame(pd.concat([FRAME[~PAIRED], FRAME.iloc[[7]]]))),
    "a noun phrase twice": (DesignError, "73 rows .*'aunt' .*'t03/glad'", frame(pd.concat([FRAME, FRAME.iloc[[125]]]))),
    "gaps": (DesignError, "3 of the 20 × 6 .*'anglo-female-0'.*'t02/angry'.* 3 items", frame(GAPS)),
    "no item shared": (
        DesignError, "no item is shared", frame(
            FRAME[
                (FRAME["race"] != "unmarked") & (FRAME["item"].isin(ITEMS[:3]) == (FRAME["person"] == "anglo-male-0"))
            ],
            incomplete="shared",
        ),
    ),
    "a wrong pair": (LabelsError, "72 rows .* row 0 .*'t99'", frame(framed(120, "t99", "pair"))),
    "no pair": (LabelsError, "'pair'.*'t01/angry/aunt'.*'race'", frame(FRAME.drop(columns="pair"))),
    "no scores": (LabelsError, "'points'.*person, race", frame(score="points")),
    "no item": (LabelsError, "'item'", frame(FRAME.drop(columns="item"))),
    "scores that are text": (ScoresError, "'score' holds String", frame(FRAME.assign(score="high"))),
    "labels that are fractions": (LabelsError, "'gender' holds Float64", frame(FRAME.assign(gender=0.5))),
    "no rows": (LabelsError, "no rows", frame(FRAME.head(0).astype({"score": float}))),
    "no frame": (LabelsError, "int", frame(5)),
    "a range": (OptionError, "score_range", frame(None, score_range=(1, 0))),
    "an adjustment": (OptionError, "adjust 'sidak'", frame(None, adjust="sidak")),
    "no column": (OptionError, r"\[\]", frame(None, [])),
}  # fmt: skip
"""Tables that stay in their engine: rows are named by their id, or by person and item."""

TABLES = {
    "scores": SCORES,
    "labels": LABELS,
    "designs": DESIGNS,
    "options": OPTIONS,
    "outputs": OUTPUTS,
    "long": LONG_DATA,
    "chunks": CHUNKS,
    "frames": FRAMES,
}


@pytest.mark.parametrize("table", TABLES)
def test_what_is_refused_is_named_with_its_place_and_its_values(table: str, snapshot) -> None:
    messages = []
    for name, (kind, match, call) in TABLES[table].items():
        with pytest.raises(BiasError) as caught:
            call()
        message = str(caught.value)
        assert isinstance(caught.value, kind), (name, message)
        assert re.search(match, message), (name, message)
        # Values and names are said as they are; how a surface spells an option is no part of a sentence.
        assert not re.search(r"--\w|(?<![\w'])\w+=(?![\w ])", message), message
        messages.append(f"{name}\n  {type(caught.value).__name__}: {message}")
    snapshot.check(f"inputs-{table}", "\n".join(messages))


def test_scores_are_taken_by_position_where_no_index_contradicts_it() -> None:
    series = pd.Series(Y, index=DATA.index)
    assert measure(series, DATA).terms == measure(series.set_axis(range(500, 692)), DATA).terms


@pytest.mark.parametrize("kind", [list, np.array, pa.array, lambda texts: np.array(texts, dtype=object)])
def test_scores_that_are_text_are_refused_in_any_container(kind) -> None:
    with pytest.raises(ScoresError, match="scores are text"):
        measure(kind([str(score) for score in Y]), DATA)


def test_an_incomplete_table_is_cut_to_shared_items_on_request() -> None:
    result = measure(Y[1:], DATA.iloc[1:], incomplete="shared")
    assert {row["n_items"] for row in result.terms if row["subset"] == "names"} == {5}
    assert re.search("cut to the 5 of 6 items", result.notes[0])
    assert str(result.signature).endswith("|edge:none|incomplete:shared")


def test_axes_of_one_level_are_left_out_by_default() -> None:
    result = measure(Y[WOMEN], DATA[WOMEN])
    assert [row["term"] for row in result.terms] == ["race"]
    assert result.notes[0].startswith("36 of 96 rows take no part")


def test_one_class_everywhere_differs_in_nothing_once_the_classes_are_named() -> None:
    result = measure(["yes"] * 192, DATA, outputs="class", classes=["no", "yes"])
    assert {(row["effect"], row["p"]) for row in result.terms} == {(0.0, 1.0)}
