"""Scores that differ by the noise of floating point are equal: no reaction, no p; effects stay as they are."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from noted import other_notes
from synthetic import corpus, main_rows, scores

from eec_bias import measure
from eec_bias.inputs.matrices import type_of, types_of
from eec_bias.stats.resolution import Resolution, of_type, type_of_doubles

DATA = corpus()
WOMEN = (DATA["gender"] == "female").to_numpy()
BY_ITEM = DATA.groupby("item").ngroup().to_numpy() / 10 + 0.2
NOISE = 1e-7 * np.random.default_rng(0).normal(size=len(DATA))


def said(result: Any) -> set[str]:
    return {finding.answer for finding in result.findings}


def of_gender(result: Any) -> Any:
    return next(row for row in result.terms if (row.term, row.subset) == ("gender", "names"))


def test_a_constant_offset_of_single_precision_noise_is_no_reaction() -> None:
    result = measure((BY_ITEM + 6e-8 * WOMEN).astype(np.float32), DATA)
    assert of_gender(result).p is None
    assert "gap_found" not in said(result)
    assert "no_reaction" in said(result)


def test_the_effect_is_not_rounded_to_the_resolution() -> None:
    result = measure((BY_ITEM + 6e-8 * WOMEN).astype(np.float32), DATA)
    assert of_gender(result).effect == pytest.approx(6e-8, abs=3e-8)
    assert of_gender(result).effect != 0


def test_noise_in_floats_of_a_pipeline_is_no_reaction() -> None:
    floats = [float(score) for score in (BY_ITEM + NOISE).astype(np.float32)]
    assert said(measure(floats, DATA)) == {"no_reaction"}


def test_the_type_is_named_where_it_decides_something() -> None:
    (note,) = other_notes(measure((BY_ITEM + NOISE).astype(np.float32), DATA).notes)
    assert str(note) == (
        "scores that differ by no more than 4.8e-07 count as equal, because they may be rounded. The scores have the "
        "number type float32, and 4.8e-07 is 8 times its smallest step at the largest score"
    )
    assert not other_notes(measure(scores(DATA).astype(np.float32), DATA).notes)


def test_a_declared_resolution_is_followed_noted_and_signed() -> None:
    result = measure(BY_ITEM + NOISE, DATA, resolution=1e-5)
    assert said(result) == {"no_reaction"}
    assert str(result.notes[0]) == "scores that differ by no more than 1e-05 count as equal, as you declared"
    assert "|resolution:1e-05" in result.signature


def test_doubles_that_are_not_of_single_precision_are_not_taken_for_noise() -> None:
    assert "no_reaction" not in said(measure(BY_ITEM + NOISE, DATA))


def test_one_person_whose_scores_differ_by_more_is_a_reaction() -> None:
    moved = BY_ITEM + 0.01 * (DATA["person"] == "anglo-female-0")
    rows = [row for row in main_rows(measure(moved, DATA, resolution=1e-3)) if row.subset == "names"]
    assert "equal_scores" not in {row.state for row in rows}


def test_a_measured_resolution_says_how_many_sentences_showed_it() -> None:
    result = measure(BY_ITEM + NOISE, DATA, resolution=Resolution(1e-5, "measured", "32"))
    assert "We scored 32 sentences again, in another order" in str(result.notes[0])
    assert "resolution" not in result.signature


@pytest.mark.parametrize(
    ("kind", "expected"),
    [("float64", 8 * 2.0**-53), ("float32", 8 * 2.0**-24), ("float16", 8 * 2.0**-11), ("bfloat16", 8 * 2.0**-8)],
)
def test_eight_units_in_the_last_place_of_a_type(kind: str, expected: float) -> None:
    assert of_type(kind, 0.75) == expected


def test_types_are_known_whatever_holds_the_scores() -> None:
    single, doubles = np.zeros(3, dtype=np.float32), np.zeros(3)
    assert type_of(single) == "float32"
    assert type_of([0.5]) == type_of(np.zeros(3, dtype=int)) == "float64"
    for both in ({"a": single, "b": doubles}, pd.DataFrame({"a": single, "b": doubles}), [single, doubles]):
        assert types_of(both, 2) == ["float32", "float64"]
    assert types_of(np.zeros((2, 3), dtype=np.float16), 2) == ["float16", "float16"]


def test_each_system_has_the_resolution_of_its_own_type() -> None:
    result = measure({"single": (BY_ITEM + NOISE).astype(np.float32), "double": BY_ITEM + NOISE}, DATA)
    assert {finding.answer for finding in result.findings if finding.system == "single"} == {"no_reaction"}
    assert "no_reaction" not in {finding.answer for finding in result.findings if finding.system == "double"}


def test_types_of_torch_are_known() -> None:
    torch = pytest.importorskip("torch")
    narrow = torch.zeros(3, dtype=torch.bfloat16)
    assert type_of(narrow) == type_of(list(narrow)) == "bfloat16"


def test_whole_numbers_are_exact() -> None:
    assert type_of_doubles(np.array([1.0, 5.0, 3.0])) == "float64"


def test_doubles_that_all_are_of_single_precision_are_of_that() -> None:
    assert type_of_doubles(np.array([0.5, np.nan, 2.0])) == "float32"
    assert type_of_doubles(np.array([0.1, 0.2])) == "float64"


MANY = np.random.default_rng(0).random(500)
PRINTED = {
    "as few digits as tell them": np.array([float(str(score)) for score in MANY.astype(np.float32)]),
    "fifteen digits": np.array([float(f"{score:.15g}") for score in MANY.astype(np.float32)]),
}


@pytest.mark.parametrize("way", PRINTED)
def test_what_is_printed_of_single_precision_is_of_that(way: str) -> None:
    assert type_of_doubles(PRINTED[way]) == "float32"


@pytest.mark.parametrize("digits", [2, 6, 7, 8, 9, 12, 17])
def test_doubles_that_are_printed_with_some_digits_are_doubles(digits: int) -> None:
    assert type_of_doubles(np.round(MANY, digits)) == "float64"


def test_doubles_of_half_precision_are_of_that() -> None:
    assert type_of_doubles(MANY.astype(np.float16).astype(float)) == "float16"
    short = (MANY.astype(np.float32).view(np.uint32) & 0xFFFF0000).view(np.float32)
    assert type_of_doubles(short.astype(float)) == "bfloat16"


@pytest.mark.parametrize("steps", [4, 128, 256, 1024, 2048])
def test_steps_that_are_exact_are_not_taken_for_half_precision(steps: int) -> None:
    assert type_of_doubles(np.arange(steps + 1) / steps) == "float32"


def test_a_csv_of_single_precision_noise_is_no_reaction(tmp_path: Path) -> None:
    frame = pd.DataFrame({"score": (BY_ITEM + NOISE).astype(np.float32)})
    frame.to_csv(tmp_path / "scores.csv", index=False)
    assert said(measure(pd.read_csv(tmp_path / "scores.csv")["score"], DATA)) == {"no_reaction"}


def emitted(whole: bool) -> Any:
    """Return the output of a pipeline of two labels: noise of single precision."""
    share = (BY_ITEM + NOISE).astype(np.float32)
    rows = [[("YES", float(one)), ("NO", float(np.float32(1) - one))] for one in share]
    both = [[{"label": label, "score": score} for label, score in row] for row in rows]
    return both if whole else [max(row, key=lambda each: each["score"]) for row in both]


@pytest.mark.parametrize("whole", [True, False])
def test_noise_in_what_a_pipeline_emits_is_no_reaction(whole: bool) -> None:
    result = measure(emitted(whole), DATA, classes={"NO": -0.3, "YES": 1.1})
    assert said(result) == {"no_reaction"}


def test_noise_in_wide_probabilities_is_no_reaction() -> None:
    share = (BY_ITEM + NOISE).astype(np.float32)
    wide = pd.DataFrame({"NO": 1 - share, "YES": share})
    result = measure(wide, DATA, outputs="probabilities", classes={"NO": 0, "YES": 1})
    told = [finding for finding in result.findings if finding.comparison.output == "score"]
    # The noise moves some sentences from one class to the other, so that the system does react.
    assert {(finding.answer, finding.gap, finding.found_from) for finding in told} == {("none_detected", 0, 0)}
    assert str(result.notes[0]).endswith("by up to 8 units in the last place")


def test_an_offset_in_doubles_is_said_with_its_size() -> None:
    result = measure(BY_ITEM + 0.01 * MANY[: len(DATA)].mean() + 6e-8 * WOMEN, DATA)
    assert of_gender(result).p is None
    assert "the gap is the same in each" in " ".join(str(result).split())


def test_differences_below_single_precision_are_told_to_be_so() -> None:
    (note,) = other_notes(measure(BY_ITEM + 6e-8 * WOMEN, DATA).notes)
    assert str(note) == (
        "some groups differ by no more than 4.8e-07, and single precision cannot tell such scores apart. If the system "
        "computes in single precision, as most neural networks do, declare 4.8e-07 as the resolution"
    )
    assert not other_notes(measure(BY_ITEM + 1e-5 * WOMEN, DATA).notes)


def test_a_declared_resolution_ends_the_advice_to_declare_one() -> None:
    (note,) = other_notes(measure(BY_ITEM + 6e-8 * WOMEN, DATA, resolution=1e-9).notes)
    assert note.key == "resolution_declared"
