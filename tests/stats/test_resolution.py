"""Scores that differ by the noise of floating point are equal: no reaction, no p; effects stay as they are."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from synthetic import corpus, scores

from eec_bias import Accumulator, measure
from eec_bias.inputs.resolution import Resolution, of_type, type_of, type_of_doubles

DATA = corpus()
WOMEN = (DATA["gender"] == "female").to_numpy()
BY_ITEM = DATA.groupby("item").ngroup().to_numpy() / 10 + 0.2
NOISE = 1e-7 * np.random.default_rng(0).normal(size=len(DATA))


def said(result: Any) -> set[str]:
    return {finding.verdict for finding in result.findings}


def of_gender(result: Any) -> Any:
    return next(row for row in result.terms if (row.term, row.subset) == ("gender", "names"))


def test_a_constant_offset_of_single_precision_noise_is_no_reaction() -> None:
    result = measure((BY_ITEM + 6e-8 * WOMEN).astype(np.float32), DATA)
    assert of_gender(result).p is None
    assert "difference" not in said(result)
    assert "no_reaction" in said(result)


def test_the_effect_is_not_rounded_to_the_resolution() -> None:
    result = measure((BY_ITEM + 6e-8 * WOMEN).astype(np.float32), DATA)
    assert of_gender(result).effect == pytest.approx(6e-8, abs=3e-8)
    assert of_gender(result).effect != 0


def test_noise_in_floats_of_a_pipeline_is_no_reaction() -> None:
    floats = [float(score) for score in (BY_ITEM + NOISE).astype(np.float32)]
    assert said(measure(floats, DATA)) == {"no_reaction"}


def test_the_type_is_named_where_it_decides_something() -> None:
    (note,) = measure((BY_ITEM + NOISE).astype(np.float32), DATA).notes
    assert str(note) == (
        "scores that differ by no more than 4.8e-07 count as equal: 8 units in the last place of float32, the type of "
        "these scores, at the largest of them"
    )
    assert measure(scores(DATA).astype(np.float32), DATA).notes == ()


def test_a_declared_resolution_is_followed_noted_and_signed() -> None:
    result = measure(BY_ITEM + NOISE, DATA, resolution=1e-5)
    assert said(result) == {"no_reaction"}
    assert str(result.notes[0]) == "scores that differ by no more than 1e-05 count as equal, as was declared"
    assert "|resolution:1e-05" in str(result.signature)


def test_doubles_that_are_not_of_single_precision_are_not_taken_for_noise() -> None:
    assert "no_reaction" not in said(measure(BY_ITEM + NOISE, DATA))


def test_one_person_whose_scores_differ_by_more_is_a_reaction() -> None:
    moved = BY_ITEM + 0.01 * (DATA["person"] == "anglo-female-0")
    unmoved = [row for row in measure(moved, DATA, resolution=1e-3).no_spread if row["subset"] == "names"]
    assert "no_reaction" not in {row["verdict"] for row in unmoved}


def test_a_measured_resolution_says_how_many_sentences_showed_it() -> None:
    result = measure(BY_ITEM + NOISE, DATA, resolution=Resolution(1e-5, "measured", "32"))
    assert "as 32 sentences showed that were scored anew in another order and batch" in str(result.notes[0])
    assert "resolution" not in str(result.signature)


def test_scores_in_chunks_have_the_resolution_of_their_type() -> None:
    single = (BY_ITEM + NOISE).astype(np.float32)
    chunks = Accumulator()
    for start in range(0, len(DATA), 50):
        chunks.update(single[start : start + 50], DATA.iloc[start : start + 50])
    assert said(chunks.result()) == {"no_reaction"}


@pytest.mark.parametrize(
    ("kind", "expected"),
    [("float64", 8 * 2.0**-53), ("float32", 8 * 2.0**-24), ("float16", 8 * 2.0**-11), ("bfloat16", 8 * 2.0**-8)],
)
def test_eight_units_in_the_last_place_of_a_type(kind: str, expected: float) -> None:
    assert of_type(kind, 0.75) == expected


def test_types_are_known_whatever_holds_the_scores() -> None:
    single = np.zeros(3, dtype=np.float32)
    assert type_of(single) == type_of({"a": single, "b": [0.5]}) == type_of(pd.DataFrame({"a": single})) == "float32"
    assert type_of([0.5]) == type_of(np.zeros(3, dtype=int)) == "float64"


def test_types_of_torch_are_known() -> None:
    torch = pytest.importorskip("torch")
    narrow = torch.zeros(3, dtype=torch.bfloat16)
    assert type_of(narrow) == type_of(list(narrow)) == "bfloat16"


def test_whole_numbers_are_exact() -> None:
    assert type_of_doubles(np.array([1.0, 5.0, 3.0])) == "float64"
    assert type_of_doubles(np.array([0.1, 0.2])) == "float64"
    assert type_of_doubles(np.array([0.5, np.nan, 2.0])) == "float32"
