"""The advice of error messages is followed: it works, or leads to another message."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from synthetic import corpus, scores

from eec_bias import compare, measure
from eec_bias.errors import BiasError

DATA = corpus()
Y = scores(DATA)
TOP = [{"label": ("no", "yes")[int(p >= 0.5)], "score": float(max(p, 1 - p))} for p in Y]
ALL = [[{"label": "yes", "score": float(p)}, {"label": "no", "score": float(1 - p)}] for p in Y]
WORDS = np.where(np.median(Y) <= Y, "Yes", "No")
HOLE = np.where(np.arange(len(Y)) == 5, np.nan, Y)
INFINITE = np.where(np.arange(len(Y)) == 5, np.inf, Y)

Call = Callable[[], Any]

ADVICE: dict[str, tuple[Call, str, Call]] = {
    "a missing score, refused": (
        lambda: measure(HOLE, DATA, incomplete="refuse"),
        "incomplete 'estimate' measures without it",
        lambda: measure(HOLE, DATA, incomplete="estimate"),
    ),
    "an infinite score": (
        lambda: measure(INFINITE, DATA, score_range=None),
        "give NaN for no score",
        lambda: measure(np.where(np.isinf(INFINITE), np.nan, INFINITE), DATA, score_range=None),
    ),
    "a score outside the range": (
        lambda: measure(3 * Y, DATA),
        "declare as score range",
        lambda: measure(3 * Y, DATA, score_range=(0, 3)),
    ),
    "a score outside the range, without one": (
        lambda: measure(3 * Y, DATA),
        "or None where no range is known",
        lambda: measure(3 * Y, DATA, score_range=None),
    ),
    "the label that won, of two": (
        lambda: measure(TOP, DATA, positive_class="yes"),
        r"such as classes=\{'no': 0, 'yes': 1\}",
        lambda: measure(TOP, DATA, classes={"no": 0, "yes": 1}),
    ),
    "the label that won, all labels instead": (
        lambda: measure(TOP, DATA, positive_class="yes"),
        "call it with top_k=None",
        lambda: measure(ALL, DATA, positive_class="yes"),
    ),
    "all labels": (
        lambda: measure(ALL, DATA),
        "positive_class",
        lambda: measure(ALL, DATA, positive_class="yes"),
    ),
    "one label of all": (
        lambda: measure([[output[0]] for output in ALL], DATA),
        "with positive_class 'yes'",
        lambda: measure([[output[0]] for output in ALL], DATA, positive_class="yes"),
    ),
    "a label that is none": (
        lambda: measure(ALL, DATA, positive_class="maybe"),
        "the labels of the pipeline are no, yes",
        lambda: measure(ALL, DATA, positive_class="no"),
    ),
    "words": (
        lambda: measure(WORDS, DATA),
        "name the one that counts as 1 with positive_class, such as 'Yes'",
        lambda: measure(WORDS, DATA, positive_class="Yes"),
    ),
    "words as classes": (
        lambda: measure(WORDS, DATA),
        "or let outputs be 'class'",
        lambda: measure(WORDS, DATA, outputs="class"),
    ),
    "numbers with a label": (
        lambda: measure(Y, DATA, positive_class="Yes"),
        "leave it out if they are scores already",
        lambda: measure(Y, DATA),
    ),
    "numbers in quotes": (
        lambda: measure([str(y) for y in Y], DATA),
        "convert it with float",
        lambda: measure([float(str(y)) for y in Y], DATA),
    ),
    "a text among numbers": (
        lambda: measure(["n/a", *Y[1:]], DATA),
        "score in row 0 .* is the text 'n/a' .*give None for no score",
        lambda: measure([None, *Y[1:]], DATA),
    ),
    "percentages as text": (
        lambda: measure([f"{100 * y:.1f}%" for y in Y], DATA),
        "score in row 0 .*write them without %",
        lambda: measure([100 * y for y in Y], DATA, score_range=(0, 100)),
    ),
    "grades out of ten": (
        lambda: measure([f"{10 * y:.1f}/10" for y in Y], DATA),
        "without what it is out of",
        lambda: measure([10 * y for y in Y], DATA, score_range=(0, 10)),
    ),
    "a dict of single values": (
        lambda: measure(dict(enumerate(Y)), DATA),
        "give a list in the order of the rows",
        lambda: measure(list(Y), DATA),
    ),
    "one person of a group": (
        lambda: measure(Y[ONE], DATA[ONE]),
        "leave out the rows of this group|leave an axis out of the axes",
        lambda: measure(Y[ONE], DATA[ONE], axes=["gender"]),
    ),
    "one term on one sentence": (
        lambda: measure([0.1, 0.2], pd.DataFrame({"person": ["he", "she"], "item": "a", "gender": ["male", "female"]})),
        "or several items",
        lambda: measure(
            [0.1, 0.2, 0.3, 0.5],
            pd.DataFrame({"person": ["he", "she"] * 2, "item": list("aabb"), "gender": ["male", "female"] * 2}),
        ),
    ),
    "no data": (
        lambda: measure(Y, None),
        "pass the labelled rows as second argument",
        lambda: measure(Y, DATA),
    ),
    "scores in another order": (
        lambda: measure(pd.Series(Y).sample(frac=1, random_state=0), DATA),
        r"scores\.loc\[data\.index\]|scores\.sort_index",
        lambda: measure(pd.Series(Y).sample(frac=1, random_state=0).loc[DATA.index], DATA),
    ),
    "a comparison with a hole, refused": (
        lambda: compare(HOLE, Y, DATA, incomplete="refuse"),
        "incomplete 'estimate' measures without it",
        lambda: compare(HOLE, Y, DATA),
    ),
    "a name of a column": (
        lambda: measure(Y, DATA, axes=["gendr"]),
        "Did you mean 'gender'",
        lambda: measure(Y, DATA, axes=["gender"]),
    ),
    "an option of tables": (
        lambda: measure(Y, DATA, text="text"),
        "leave it out",
        lambda: measure(Y, DATA),
    ),
}  # fmt: skip

ONE = ((DATA["race"] != "Latino") | (DATA["gender"] != "male") | (DATA["person"] == "latino-male-0")).to_numpy()
"""All rows but those of one group, of which one person is left."""


@pytest.mark.parametrize("what", ADVICE)
def test_the_advice_of_a_message_works(what: str) -> None:
    fails, advice, cure = ADVICE[what]
    with pytest.raises(BiasError, match=advice):
        fails()
    assert cure().terms


@pytest.mark.parametrize("column", ["person", "item"])
def test_what_says_that_a_column_is_missing_shows_a_table_that_works(column: str) -> None:
    with pytest.raises(BiasError, match=f"column '{column}' is missing") as error:
        measure(Y, DATA.drop(columns=column))
    head, *lines = [line.strip() for line in str(error.value).splitlines()[-3:]]
    rows = [line.split(",") for line in lines]
    rows += [[person, gender, item.replace("called me", "is here")] for person, gender, item in rows]
    assert measure([0.1, 0.2, 0.3, 0.5], pd.DataFrame(rows, columns=head.split(","))).terms
