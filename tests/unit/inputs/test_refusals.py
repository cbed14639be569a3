"""Messages about bad input, with its place and its remedy, and notes on odd input, in whole sentences."""

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
from snapshots import FOLDER, Snapshot
from synthetic import BASES, ITEMS, corpus, names, phrases, scores

from eec_bias import BiasError, compare, measure

DATA = corpus()
Y = scores(DATA)
DATASET, COUNTRIES = datasets.Dataset.from_pandas(DATA), datasets.ClassLabel(names=["Chile", "Peru"])
IDS = (DATA["item"] + "/" + DATA["person"]).tolist()
WOMEN = DATA["gender"] == "female"
VALUES = {"negative": -1, "neutral": 0, "positive": 1}
CUBE = np.random.default_rng(3).dirichlet([1, 2, 3], size=len(DATA))
SHARES = {"outputs": "probabilities", "classes": VALUES}
CLASSES = np.array(list(VALUES), dtype=object)[np.digitize(Y, [0.4, 0.6])]
LONG = pd.concat([DATA.assign(system=name, task="joy") for name in ("zeta", "alpha")], ignore_index=True)
COLUMNS = {name: list(DATA[name]) for name in DATA}
CONTAINERS = {"list": list, "numpy": np.array, "arrow": pa.array, "objects": lambda y: np.array(y, dtype=object)}
Call = Callable[[], Any]


def at(rows: Any, value: Any, column: str | None = None, base: pd.DataFrame = DATA) -> Any:
    """Scores, or a column of data, with other values in some rows."""
    changed = Y.copy() if column is None else base.copy()
    if column is None:
        changed[rows] = value
    else:
        changed.loc[rows, column] = value
    return changed


REFUSED = {"incomplete": "refuse"}
"""Gaps are estimated by default."""


def of(y: Any = Y, data: Any = DATA, **options: Any) -> Call:
    return lambda: measure(y, data, **REFUSED | options)


def long(y: Any, data: pd.DataFrame = LONG, **options: Any) -> Call:
    return of(y, data, systems="system", **options)


def part(kept: Any, **options: Any) -> Call:
    return of(Y[kept], DATA[kept], **options)


def twice(row: int) -> tuple[Any, pd.DataFrame]:
    return np.append(Y, 0.5), pd.concat([DATA, DATA.iloc[[row]]], ignore_index=True)


class Broken:
    """Stands for scores that cannot be read: a tensor of torch that requires a gradient, a file that is gone."""

    def __init__(self, error: Exception) -> None:
        self.error = error

    def __array__(self, *_: object, **__: object) -> np.ndarray:
        raise self.error


AGED = pd.concat(
    [phrases().assign(age=age, person=lambda d, age=age: f"{age}-" + d["person"]) for age in ("old", "young")]
)
FRAME = DATA.assign(id=DATA["item"] + "/" + DATA["person"], score=Y)
PAIRED = (FRAME["pair"] != FRAME["item"]).to_numpy()


def frame(data: Any = FRAME, score: Any = "score", **options: Any) -> Call:
    if isinstance(data, pd.DataFrame):
        data = duckdb.from_df(data) if len(data) else pl.from_pandas(data).lazy()
    return lambda: measure(score, data, **REFUSED | options)


APART = (DATA["race"] != "unmarked") & (DATA["item"].isin(ITEMS[:3]) == (DATA["person"] == "anglo-male-0"))
GAPS = FRAME[~PAIRED].drop(index=[2, 4, 41])
LONELY = pd.DataFrame(names(persons=2))
TWO = np.tile(Y, 2)
SWAPPED = at(8, "t01-angry", "item", at(0, "t02-angry", "item", FRAME[~PAIRED]))

TABLES: dict[str, dict[str, Call]] = {
    # Scores and who gave them.
    "scores": {
        "too few": of(Y[:-1]),
        "too few of one system": of({"a": Y, "b": Y[:-1]}),
        "the matrix turned": of(np.stack([Y, Y, Y], axis=1)),
        "missing": of(at(17, np.nan)),
        "missing in one system": of({"a": Y, "b": at([20, 30], np.nan)}),
        "all missing": of(np.full((2, 192), np.nan)),
        "outside the range": of(at([5, 9], [1.25, 7])),
        "outside the range, one system": of({"good": Y, "bad": at(3, -0.5)}),
        "percentages": of(100 * Y),
        "grades as text": of([f"{1 + row % 5} stars" for row in range(len(Y))]),
        "another scale": of(np.append(4 * Y[:-2] + 1, [1, 5])),
        "no numbers": of([{"label": "joy"}] * 192),
        **{f"text, {kind}": of(make([str(y) for y in Y])) for kind, make in CONTAINERS.items()},
        "complex": of(Y + 0j),
        "a tensor with a gradient": of(Broken(RuntimeError("Can't call numpy() on Tensor that requires grad."))),
        "beyond all floats": of([10**400, *Y[1:].tolist()]),
        "no rows": of(np.zeros((0, 192))),
        "three dimensions": of(np.zeros((2, 2, 2))),
        "an index in another order": of(pd.Series(Y)[::-1]),
        "an index in another order, data without one": of(pd.Series(Y)[::-1], COLUMNS),
        **{
            f"an index of ids in another order, {kind}": of(pd.Series(Y, IDS)[::-1], data)
            for kind, data in {
                "frame": DATA.assign(id=IDS),
                "table": pa.table({**dict(DATA), "id": IDS}),
                "dataset": datasets.Dataset.from_dict(COLUMNS | {"id": IDS}),
            }.items()
        },
        "an index in another order, in one of several systems": of({"a": pd.Series(Y), "b": pd.Series(Y)[::-1]}),
        "masked": of(np.ma.masked_array(Y, np.arange(192) == 17)),
        "masked in one system": of({"a": Y, "b": np.ma.masked_array(Y, np.arange(192) == 17)}),
        "a range of texts": of(score_range="01"),
        "no systems": of({}),
        "columns of the same name": of(pa.table([Y, Y], names=["a", "a"])),
        "a range that is none": of(score_range=(1, 0)),
        "a range of one number": of(score_range=5),
        "a range of text": of(score_range="01x"),
        "a range without width": of(score_range=(0, 0)),
        "a range without end": of(score_range=(0, np.inf)),
        "a range too narrow": of(score_range=(0, 1e-200)),
        "a range too wide": of(score_range=(0, 1e300)),
        "too few names": of(np.stack([Y, Y]), systems=["a"]),
        "a name twice": of(np.stack([Y, Y]), systems=["a", "a"]),
        "a name twice in a task": of(np.stack([Y, Y]), systems=["a", "a"], tasks="joy"),
        "names twice over": of({"a": Y}, systems=["a"]),
        "names of the wrong type": of(np.stack([Y, Y]), systems=3),
        "too few tasks": of({"a": Y, "b": Y}, tasks=["joy"]),
        **{f"of one system, {given!r}": of({"a": given}) for given in (None, 3)},
        "times": of(pd.to_timedelta(range(192))),
        "two columns of a name": of(pd.DataFrame(np.stack([Y, Y], axis=1), columns=["a", "a"])),
        "a name on two lines": of({"a\nb": Y}),
        "a task of nobody": of({"a": Y, "b": Y}, tasks={"beta": "joy"}),
    },
    # Data and their labels.
    "labels": {
        "no table": of(data=5),
        "no columns": of(data={}),
        "no rows": of([], DATA.iloc[:0]),
        "a lone column": of(data=DATA["race"]),
        "several splits": of(data=datasets.DatasetDict(train=DATASET)),
        "a stream": of(data=DATASET.to_iterable_dataset()),
        "a column is missing": of(data=DATA.drop(columns="person")),
        "an axis is missing": of(axes=("race", "age")),
        "a stratum is missing": of(by="topic"),
        "a stratum that clears the terminal": of(data=DATA.assign(topic=at(3, "\x1b[2J", "race")["race"]), by="topic"),
        "no pair": of(data=DATA.drop(columns="pair")),
        "a label is missing": of(data=at([4, 6], None, "gender")),
        "a label under a mask": of(data=COLUMNS | {"race": np.ma.array(np.arange(192) % 2, mask=np.arange(192) == 4)}),
        "a blank label": of(data=at(4, " ", "race")),
        "a blank item": of(data=at(4, "", "item").drop(columns="pair")),
        "fractions": of(data=DATA.assign(person=Y)),
        "columns of unequal length": of(data=COLUMNS | {"item": list(DATA["item"][:191])}),
        "accents": of(data=at(DATA["person"] == "latino-male-0", "látino", "race")),
        "persons alike": of(data=DATA.replace({"person": {"latino-male-0": "José", "latino-male-1": "Jose"}})),
        "another spelling": of(data=DATA.replace({"gender": {"male": "Male "}})),
        "a character that is not seen": of(data=at(DATA["person"] == "latino-male-0", "\ufeffLatino", "race")),
        "nothing that is seen": of(data=at(4, "\u200b", "race")),
        "half a character": of(data={c: [x + "\ud800" for x in DATA[c]] for c in DATA}),
        "a level that stands for all": of(data=DATA.replace({"race": {"Anglo": "any"}})),
        "two columns of a name": of(data=pd.concat([DATA, DATA["race"]], axis=1)),
        "two columns of a name in a table": of(data=pa.table([DATA["race"], DATA["race"]], names=["race", "race"])),
        "words of two kinds": of(data=COLUMNS | {"word": [3, *DATA["item"].str[4:][1:]]}),
        "an axis that begins with a gap": of(data=COLUMNS | {"country": [None, *["France", "Italy"] * 95, "France"]}),
        "an axis that begins with a gap, in a frame": of(data=DATA.assign(country=[np.nan, *["FR", "IT"] * 95, "FR"])),
        "a class without a name": of(data=DATASET.add_column("country", [-1, *[0, 1] * 95, 1], feature=COUNTRIES)),
        "fractions of words": of(data=DATA.assign(word=np.where(DATA.index < 9, np.nan, 1.5))),
        "another unmarked": of(data=DATA.replace({"race": {"unmarked": "Unmarked"}})),
        "a pair of another item": of(data=at(130, "t09/odd/mother_father", "pair")),
        "a pair of two items": of(data=at(0, ITEMS[1], "item")),
    },
    # Labels that make no design.
    "designs": {
        "a name twice": of(*twice(7)),
        "a noun phrase twice": of(*twice(125)),
        "phrases that no measured axis tells apart": of(np.full(len(AGED), 0.5), AGED, axes=("country",)),
        "a name's row is missing": part(DATA.index > 0),
        "a noun phrase's row is missing": part(DATA.index < 191),
        "a person labelled otherwise once": of(
            data=at((DATA["person"] == "anglo-female-2") & (DATA["item"] == "t01-angry"), "Latino", "race")
        ),
        "no item shared": part(APART, incomplete="shared"),
        "an item lacks in every base": part(
            PAIRED & ~DATA["pair"].isin([f"{i}/{b}" for i, b in zip(ITEMS, BASES, strict=True)])
        ),
        "an axis of one level": part(WOMEN, axes=("race", "gender")),
        "an axis that would be a term of its own": of(data=DATA.rename(columns={"race": "race+class"})),
        "an axis that would be a cue": of(data=DATA.rename(columns={"race": "cue"})),
        "a level that stands for their mean": of(data=DATA.replace({"race": {"Anglo": "mean"}})),
        "a level that would be two": of(data=DATA.replace({"race": {"Anglo": "UK: Anglo"}})),
        "no axis of two levels": part(WOMEN & (DATA["race"] == "Anglo")),
        "an empty cell": part(~((DATA["race"] == "Latino") & ~WOMEN)),
        "many empty cells": of(Y[:120], DATA[:120].assign(**dict.fromkeys("ab", DATA["person"].str[-1]))),
        "a lonely person": of(np.full(42, 0.5), LONELY[LONELY["person"] != "anglo-male-1"]),
        "nothing to compare": of(Y[120:], DATA[120:].assign(pair=lambda d: d["item"] + "/" + d["person"])),
        "no stratum with a comparison": of(by="person"),
        "no axes": of(axes=()),
        "an axis that is a column of results": of(data=DATA.rename(columns={"race": "system"})),
        "an axis with a colon": of(data=DATA.rename(columns={"race": "own:race"})),
    },
    # Options with values that they cannot take.
    "options": {
        "incomplete": of(incomplete="drop"),
        "a flag": of(simple="no"),
        "a seed": of(seed=-1),
        "strata": of(by=["emotion"]),
        "a stratum that is an axis": of(by="gender", axes=("race", "gender")),
        "an axis as a word": of(axes="gender"),
        "an axis that is no group": of(axes=("race", "person")),
        "an axis twice": of(axes=("race", "race")),
        "a level for a reference": of(reference={"gender": "Male"}),
        "a reference of no axis, in strata": of(by="item", reference={"rase": "Latino"}),
        "compare, an option": lambda: compare(Y, Y, DATA, outputs="score"),
        "compare, rates": lambda: compare(Y, Y, DATA, rate_above=0.5),
        "compare, names": lambda: compare(Y, Y, DATA, names="ab"),
        "compare, systems": lambda: compare({"m": Y}, {"n": Y}, DATA),
        "compare, another order": lambda: compare(Y, pd.Series(Y)[::-1], DATA),
    },
    # Classes, probabilities and ordinal levels.
    "outputs": {
        "a kind": of(outputs="logits"),
        "classes of scores": of(classes=VALUES),
        "a range of classes": of(CLASSES, outputs="class", score_range=(0, 2)),
        "classes as a word": of(CLASSES, outputs="class", classes="yes"),
        "one class": of(CLASSES, outputs="class", classes=["yes"]),
        "values alike": of(CLASSES, outputs="class", classes={"a": 1, "b": 1}),
        "an unknown class": of(
            {"m": np.where(np.arange(192) == 11, "Positive", CLASSES)}, outputs="class", classes=VALUES
        ),
        "a class is missing": of([*CLASSES[:4], None, *CLASSES[5:]], outputs="class"),
        "too few classes": of(CLASSES[1:], outputs="class"),
        "one class everywhere": of(["same"] * 192, outputs="class"),
        "probabilities that sum to less": of(np.where(np.arange(192)[:, None] == 7, 0.2, CUBE), **SHARES),
        "more than rounding gives": of(np.where(np.arange(192)[:, None] == 5, CUBE * 1.02, CUBE), **SHARES),
        "half of many classes": of(np.full((192, 999), 0.5 / 999), **SHARES | {"classes": range(999)}),
        "a probability is missing": of(np.where(np.arange(576).reshape(192, 3) == 0, np.nan, CUBE), **SHARES),
        "a probability under a mask": of(np.ma.masked_array(CUBE, np.arange(576).reshape(192, 3) == 4), **SHARES),
        "probabilities that are text": of(pd.DataFrame(CUBE, columns=list(VALUES)).assign(neutral="x"), **SHARES),
        "logits": of(np.concatenate([CUBE[:3], [[-0.5, 0.5, 1], [1.5, -0.25, -0.25]], CUBE[5:]]), **SHARES),
        "probabilities of nothing": of(CUBE, outputs="probabilities"),
        "two classes for three": of(CUBE, **SHARES | {"classes": ["no", "yes"]}),
        "probabilities of other rows": of(CUBE[1:], **SHARES),
        "columns of other classes": of(pd.DataFrame(CUBE, columns=list("abc")), **SHARES),
        "ordinal in between": of(
            np.where(np.arange(192) == 9, 2.5, np.rint(1 + 4 * Y)), outputs="ordinal", score_range=(1, 5)
        ),
        "too many levels": of(np.rint(100 * Y), outputs="ordinal", score_range=(0, 100)),
        "labels with their scores": of([{"label": "yes", "score": 0.9}] * 192, outputs="class"),
        "the labels of every sentence": of([[{"label": "yes", "score": 0.9}]] * 192),
    },
    # Rows of several systems, one below the other.
    "long": {
        "a score is missing": long(np.where(np.arange(384) == 200, np.nan, TWO)),
        "too few scores": long(TWO[:-1]),
        "a sentence is missing": long(TWO[1:], LONG.iloc[1:]),
        "another sentence": long(TWO, LONG.assign(person=LONG["person"].where(LONG.index != 192, "somebody"))),
        "a sentence twice": long(np.append(Y, 0.5), pd.concat([LONG[:192], LONG.iloc[[5]]], ignore_index=True)),
        "strata that are of systems": long(TWO, LONG.assign(vendor=LONG["system"]), by="vendor"),
        "strata that are the systems": long(TWO, by="system"),
        "an axis that is the systems": long(TWO, axes=("race", "system")),
        "no such column": of(TWO, LONG, systems="model"),
        "tasks that are no column": of(TWO, LONG, systems="system", tasks=["joy"]),
    },
    # Tables that stay in their engine: rows are named by their id, or by person and item.
    "frames": {
        "a score is missing": frame(at(6, None, "score", FRAME)),
        "outside the range": frame(at(6, 1.5, "score", FRAME)),
        "infinite": frame(at(6, np.inf, "score", FRAME)),
        "no ids, two systems": frame(at(6, -1, "b", FRAME.assign(b=Y)).drop(columns="id"), ["score", "b"]),
        "ids that are lost": frame(at(6, -1, "score", FRAME).assign(id=None)),
        "a label is missing": frame(at(6, None, "gender", FRAME)),
        "a blank label": frame(at(6, " ", "gender", FRAME)),
        "another spelling": frame(at(6, "Male", "gender", FRAME.replace({"gender": {"male": "men"}}))),
        "persons alike": frame(at(6, "Anglo-Female-1", "person", FRAME)),
        "a person twice": frame(pd.concat([FRAME[~PAIRED], FRAME.iloc[[7]]])),
        "a person twice, another never": frame(SWAPPED.assign(pair=SWAPPED["item"])),
        "a noun phrase twice": frame(pd.concat([FRAME, FRAME.iloc[[125]]])),
        "gaps": frame(GAPS),
        "no item shared": frame(FRAME[APART], incomplete="shared"),
        "a wrong pair": frame(at(120, "t99", "pair", FRAME)),
        "no pair": frame(FRAME.drop(columns="pair")),
        "no scores": frame(score="points"),
        "no item": frame(FRAME.drop(columns="item")),
        "scores that are text": frame(FRAME.assign(score="high")),
        "labels that are fractions": frame(FRAME.assign(gender=0.5)),
        "no rows": frame(FRAME.head(0).astype({"score": float})),
        "no frame": frame(5),
        "a range": frame(score_range=(1, 0)),
        "no column": frame(score=[]),
        "a column called as one made": frame(FRAME.rename(columns={"race": "#n"})),
    },
}


ODD = DATA.assign(speaker=np.where(DATA["person"] == "anglo-male-0", "one", "rest"), emotion=DATA["item"].str[4:])
LATINO_GLAD = (ODD["race"] == "Latino") & (ODD["emotion"] == "glad")
NOTED: dict[str, Call] = {
    "a range that is not used": of(score_range=(-1, 1)),
    "a range that is used": of(2 * Y - 1, score_range=(-1, 1)),
    "scores that are as good as equal": of(0.5 + 2**-46 * np.rint(8 * Y)),
    "scores that are nearly equal": of(0.5 + 2**-33 * np.rint(8 * Y)),
    "no scores of a system": of({"a": Y, "b": np.full(192, np.nan)}),
    "no scores of a system in long data": long(np.where(LONG["system"] == "zeta", TWO, np.nan)),
    "shared items": part(DATA.index > 0, incomplete="shared"),
    "rows that take no part": part(WOMEN),
    "strata of one item": of(by="item"),
    "strata with every group": of(data=ODD, by="emotion"),
    "a stratum that lacks a group": of(Y[~LATINO_GLAD], ODD[~LATINO_GLAD], by="emotion"),
    "a stratum without a comparison and one of few persons": of(data=ODD, by="speaker"),
}


def test_what_is_odd_is_noted(snapshot: Snapshot) -> None:
    notes = {name: "".join(f"  {note}\n" for note in call().notes) for name, call in NOTED.items()}
    snapshot.check("inputs-notes", "".join(f"{name}\n{lines}" for name, lines in notes.items()))


@pytest.mark.parametrize("table", TABLES)
def test_what_is_refused_is_named_with_its_place_and_its_values(table: str, snapshot: Snapshot) -> None:
    snapshot.check_refusals(f"inputs-{table}", TABLES[table], BiasError)


def test_values_and_names_are_said_as_they_are() -> None:
    # How a surface spells an option is no part of a sentence.
    for path in FOLDER.glob("inputs-*.txt"):
        assert not re.search(r"--\w|(?<![\w'])\w+=(?![\w ])", path.read_text(encoding="utf-8")), path
