"""What lies behind the rows of a result, and results that come back from files."""

import json
import pickle
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from figure_cases import BASES, ITEMS, corpus, many, names, ordinary, pairs, scores
from numpy.testing import assert_allclose

from eec_bias import VERSION, Accumulator, OptionError, Result, measure
from eec_bias.errors import ResultError


def test_details_are_means_and_differences_of_the_scores() -> None:
    data = corpus()
    data["score"] = scores(data)
    of_names, of_pairs = measure(data["score"], data).details
    assert (of_names.subset, of_pairs.subset) == ("names", "pairs")
    only = data[data["race"] != "unmarked"]
    means = only.groupby("person")["score"].mean()
    assert_allclose(of_names.person_means[0], means[list(of_names.persons["person"])])
    groups = only.groupby(["item", "race", "gender"])["score"].mean().unstack(["race", "gender"])
    women = (groups["Anglo", "female"] + groups["Latino", "female"]) / 2
    men = (groups["Anglo", "male"] + groups["Latino", "male"]) / 2
    gender = [contrast["term"] for contrast in of_names.contrasts].index("gender")
    assert_allclose(of_names.item_effects[0, gender], (women - men)[list(of_names.items["item"])])
    wide = data[data["race"] == "unmarked"].pivot_table(index="person", columns="item", values="score")
    rows = [wide.loc[base.split("_")[0]] - wide.loc[base.split("_")[1]] for base in of_pairs.bases[0]]
    assert set(of_pairs.bases[0]) == set(BASES)
    assert_allclose(of_pairs.base_effects[0][0], [row.mean() for row in rows])
    assert_allclose(of_pairs.item_effects[0, 0], np.mean([row[list(of_pairs.items["item"])] for row in rows], axis=0))


def test_details_agree_with_the_effects() -> None:
    result = many(3)
    for detail in result.details:
        for s, who in enumerate(detail.systems):
            for r, contrast in enumerate(detail.contrasts):
                (row,) = [
                    row
                    for row in result.terms
                    if row["subset"] == detail.subset and all(row[k] == v for k, v in (who | contrast).items())
                ]
                assert_allclose(detail.item_effects[s, r].mean(), row["effect"])


@pytest.mark.parametrize("convert", [pa.Table.from_pandas, lambda frame: frame.to_dict("list"), lambda frame: frame])
def test_forms_and_emotions_come_from_any_kind_of_table(convert: Any) -> None:
    data = corpus()
    detail = measure(scores(data), convert(data)).details[0]
    assert detail.persons["form"] == detail.persons["person"]
    assert dict(zip(detail.items["item"], detail.items["emotion"], strict=True)) == {i: e for i, e, _ in ITEMS}
    assert set(detail.items) == {"item", "emotion", "template"}


def test_data_without_forms_and_emotions_have_neither() -> None:
    data = corpus().drop(columns=["person_form", "emotion", "template"])
    detail = measure(scores(data), data).details[0]
    assert list(detail.persons) == ["person", "race", "gender"]
    assert list(detail.items) == ["item"]


def test_strata_have_details_of_their_own_rows() -> None:
    data = corpus()
    y = scores(data)
    found = measure(y, data, by="emotion").details
    assert [(detail.where["stratum"], detail.subset) for detail in found[:2]] == [
        ("anger", "names"),
        ("anger", "pairs"),
    ]
    joy = (data["emotion"] == "joy") & (data["race"] != "unmarked")
    means = pd.Series(y[joy]).groupby(data["person"][joy].to_numpy()).mean()
    detail = next(d for d in found if d.where["stratum"] == "joy" and d.subset == "names")
    assert_allclose(detail.person_means[0], means[list(detail.persons["person"])])


def test_a_stream_has_details_without_forms() -> None:
    data = names()
    y = scores(data)
    stream = Accumulator()
    for start in range(0, len(data), 100):
        stream.update(y[start : start + 100], data[start : start + 100].drop(columns=["emotion", "template"]))
    found = stream.result().details[0]
    assert list(found.persons) == ["person", "race", "gender"]
    assert_allclose(found.item_effects, measure(y, data).details[0].item_effects, atol=1e-12)


def test_a_result_survives_json_with_and_without_details() -> None:
    for result in (ordinary(margin=0.05), many(3, tasks="joy"), many(3, "kiritchenko2018"), many(2, by="emotion")):
        for details in (True, False):
            content = json.loads(json.dumps(result.to_dict(details=details), allow_nan=False))
            again = Result.from_dict(content)
            assert again.to_dict(details=details) == content
            assert str(again) == str(result)
            assert again.to_frame().equals(result.to_frame())
            assert len(again.details) == (len(result.details) if details else 0)


def test_the_tables_of_a_saved_procedure_are_there_as_text_only() -> None:
    again = Result.from_dict(many(3, "kiritchenko2018").to_dict())
    assert again.tables() == many(3, "kiritchenko2018").tables()
    with pytest.raises(ResultError) as caught:
        again.tables("latex")
    assert str(caught.value) == (
        "the tables of method='kiritchenko2018' were saved as text, not as 'latex'; measure the scores again"
    )


def test_a_result_can_be_pickled_with_its_details() -> None:
    result = ordinary()
    assert pickle.loads(pickle.dumps(result)).to_dict(details=True) == result.to_dict(details=True)


def test_a_result_of_another_version_is_read_as_far_as_it_goes() -> None:
    content = ordinary().to_dict()
    for row in content["terms"]:
        del row["mde"], row["hedges_g"]
    del content["variances"], content["axes"]
    content["version"] = "0.0.9"
    again = Result.from_dict(content)
    assert again.notes[-1] == (
        f"saved by version 0.0.9 of eec_bias, read by version {VERSION}: what it does not hold is missing"
    )
    assert {row["mde"] for row in again.terms} == {None}
    assert again.axes == ("race", "gender")
    assert again.to_dict()["version"] == "0.0.9"
    assert Result.from_dict(again.to_dict()).notes == again.notes


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            lambda c: [c.pop("terms")],
            "this is no result of eec_bias: it lacks terms; its keys are cells, fits, signature, version, score_range; "
            f"it was saved by version 9.0.0, this is version {VERSION}",
        ),
        (
            lambda c: c["terms"][1].pop("effect"),
            "the result cannot be read (ValueError: row 1 of terms has no effect); it was saved by version 9.0.0, this "
            f"is version {VERSION}; measure the scores again with this version",
        ),
        (
            lambda c: c.update(score_range=7),
            "the result cannot be read (TypeError: score_range is 7, expected two numbers); it was saved by version "
            f"9.0.0, this is version {VERSION}; measure the scores again with this version",
        ),
        (
            lambda c: c.update(details=[{"persons": {}}]),
            f"the result cannot be read (KeyError: 'items'); it was saved by version 9.0.0, this is version {VERSION}; "
            "measure the scores again with this version",
        ),
    ],
)
def test_what_cannot_be_read_is_refused_with_both_versions(change: Any, message: str) -> None:
    whole = ordinary().to_dict()
    content = {key: whole[key] for key in ("terms", "cells", "fits", "signature", "version", "score_range")}
    content["version"] = "9.0.0"
    change(content)
    with pytest.raises(ResultError) as caught:
        Result.from_dict(content)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda c: c["terms"].clear(), "ValueError: there are no rows of terms"),
        (
            lambda c: c["terms"][2].update(effect="x"),
            "TypeError: row 2 of terms: effect is 'x', expected a finite number",
        ),
        (
            lambda c: c["terms"][0].update(p=float("nan")),
            "TypeError: row 0 of terms: p is nan, expected a finite number",
        ),
        (lambda c: c["terms"][0].update(level=None), "ValueError: row 0 of terms: level is null, expected text"),
        (lambda c: c["terms"][1].update(note=7), "TypeError: row 1 of terms: note is 7, expected text"),
        (
            lambda c: c["terms"][1].update(system="a"),
            "ValueError: row 1 of terms is not named as row 0 is, by nothing",
        ),
        (lambda c: c["fits"][0].update(phi=True), "TypeError: row 0 of fits: phi is True, expected a finite number"),
        (
            lambda c: c["cells"][0].update(race=["Black"]),
            "TypeError: row 0 of cells: race is a list, expected one value",
        ),
        (lambda c: c.update(notes="one"), "TypeError: notes: 'one', expected a list of texts"),
        (lambda c: c.update(tables={"t": 1}), "TypeError: tables: 1, expected a list of texts"),
        (lambda c: c.update(score_range=[0, "1"]), "TypeError: score_range is '1', expected a finite number"),
    ],
)
def test_values_that_no_result_holds_are_refused_before_they_are_shown(change: Any, reason: str) -> None:
    content = ordinary().to_dict()
    change(content)
    with pytest.raises(ResultError) as caught:
        Result.from_dict(content)
    assert str(caught.value) == f"the result cannot be read ({reason}); measure the scores again with this version"


def test_a_published_procedure_without_its_tables_is_refused() -> None:
    content = many(3, "kiritchenko2018").to_dict()
    keys = ", ".join(list(content)[:12])
    del content["tables"]
    with pytest.raises(ResultError) as caught:
        Result.from_dict(content)
    assert str(caught.value) == f"this is no result of eec_bias: it lacks tables; its keys are {keys}"


@pytest.mark.parametrize("kind", ["terms", "fits", "variances", "equivalence"])
def test_a_result_that_lacks_any_key_is_refused_or_can_be_shown(kind: str) -> None:
    whole = ordinary(margin=0.05).to_dict()
    for key in list(whole[kind][0]):
        content = {**whole, kind: [{k: v for k, v in row.items() if k != key} for row in whole[kind]]}
            with pytest.raises(ResultError, match=f"row 0 of terms has no {key}"):
                Result.from_dict(content)
            continue
        again = Result.from_dict(content)
        assert str(again.signature) in str(again)
        assert str(again.signature) in again._repr_html_()


def test_a_result_is_briefly_represented() -> None:
    result = ordinary()
    assert repr(result) == f"<Result of {len(result.terms)} terms: {result.signature}>"
    assert repr(Result.from_dict(result.to_dict())) == repr(result)


def test_something_else_is_no_result() -> None:
    with pytest.raises(ResultError) as caught:
        Result.from_dict([1])  # type: ignore[arg-type]
    assert str(caught.value) == "a result was expected, a dict with terms and signature; this is a list"
    with pytest.raises(ResultError) as caught:
        Result.from_dict({"version": "0.1.0"})
    assert str(caught.value) == (
        "this is no result of eec_bias: it lacks terms, signature, score_range; its keys are version"
    )


def test_details_of_the_wrong_shape_are_refused() -> None:
    content = ordinary().to_dict(details=True)
    content["details"][0]["person_means"][0].pop()
    with pytest.raises(ResultError) as caught:
        Result.from_dict(content)
    assert str(caught.value) == (
        "the result cannot be read (ValueError: cannot reshape array of size 23 into shape (1,24)); measure the scores "
        "again with this version"
    )


def test_an_unknown_figure_is_refused() -> None:
    with pytest.raises(OptionError) as caught:
        ordinary().plot("pie")
    assert str(caught.value) == (
        "there is no figure 'pie'; the figures are forest, persons, heatmap, items, systems, sensitivity, label_dist"
    )


def test_pairs_alone_have_details() -> None:
    data = pairs()
    (detail,) = measure(scores(data), data).details
    assert detail.subset == "pairs"
    assert set(detail.persons["base"]) == set(BASES)
